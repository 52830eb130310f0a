"""The same table over sockets: identity comes from the connection, and a refusal leaves no trace (I-81, I-83, I-84)."""

import pytest

from tests.support.bridge import playing, seat
from tests.support.role_table import ASK, BOON, OK, PEOPLE, SKILL, cells


async def make(bridge, table, options):
    """A table that is ready for every cell: the ids of two failed checks, of a grant, and of the observer."""
    await seat(bridge, "group_d12", table=table, sheets={})
    for actor, owner in (("hero", "Pia"), ("friend", "Quin"), ("foe", None)):
        await bridge.do(
            {
                "t": "SyncActor",
                "actor": actor,
                "name": actor,
                "side": "party" if owner else "opposition",
                "owners": [bridge.user(owner, table)] if owner else [],
                "numbers": {"values": [{"key": "skill.athletics", "value": 0}]},
            },
            table=table,
        )
    await bridge.do({"t": "Act", "verb": "give_boon"}, table=table)
    checks = []
    for actor in ("hero", "friend"):
        bridge.tape.put(2)
        checks.append((await bridge.do({"t": "RollCheck", "actors": [actor], **SKILL}, table=table)).seq)
    grant = await bridge.do({"t": "Grant", "actors": ["hero"], **BOON, "amount": 2}, table=table)
    asked = await bridge.do(ASK, table=table)
    if options:
        await bridge.do({"t": "SetOptions", "options": options}, table=table)
    return f"{checks[0]}.1", f"{checks[1]}.1", f"{grant.seq}.1", bridge.user("Olga", table), str(asked.seq)


@pytest.mark.parametrize("who", PEOPLE)
async def test_t41_i83_every_cell_over_the_socket(tmp_path, who):
    async with playing("group_d12", tmp_path) as bridge:
        for number, draft in enumerate(cells("", "", "", "", "")):
            table = f"cell-{number}"
            cell = cells(*await make(bridge, table, draft.options))[number]
            async with bridge.join("Olga", table=table), bridge.join(who, table=table) as person:
                before = await bridge.footprint(table)
                bridge.tape.clear()
                bridge.tape.put(*(12,) * 8)
                answer = await person.do(cell.cmd)
                bridge.tape.clear()
                told = OK if answer["t"] == "ack" else answer["code"]
                assert told == cell.told[who], cell.name
                if told != OK:
                    assert answer["message"].endswith(".")
                    assert await bridge.footprint(table) == before, cell.name


async def test_t41_i84_a_payload_that_names_another_user_is_no_frame(tmp_path):
    roll = {"t": "RollCheck", "actors": ["friend"], **SKILL}
    async with playing("group_d12", tmp_path) as bridge:
        async with bridge.join("Pia"):
            pass
        before = await bridge.footprint()
        quin = bridge.user("Quin")
        for claim in ({"user": quin}, {"by": quin}, {"role": "gm"}, {"actorOwner": quin}):
            for frame in ({"cmd": roll, **claim}, {"cmd": {**roll, **claim}}):
                async with bridge.join("Pia") as pia:
                    answer = await pia.ask({"t": "do", "seen": pia.seq, **frame})
                    assert answer["code"] == "frame.bad"
        assert await bridge.footprint() == before


async def test_t41_whoever_rolled_is_whose_connection_it_was(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Quin") as quin, bridge.join("Gina") as gina:
        await quin.do({"t": "RollCheck", "actors": ["friend"], **SKILL})
        await gina.do({"t": "RollCheck", "actors": ["friend"], **SKILL})
        assert [frame["by"] for frame in gina.of("logged") if frame["events"][0]["t"] == "CheckRolled"] == [quin.user, gina.user]
