"""The last Boon of the group: two who want it at the same moment, and everybody who looks on (T-25, T-26, T-27; I-87 to I-93)."""

import asyncio

from tests.support.bridge import ROLL, playing, seat, serving
from tests.support.people import new_id

ROLL = ROLL["group_d12"]
GIVE = {"t": "Act", "verb": "give_boon"}


def spend(check):
    return {"t": "Choose", "check": check, "choice": "spend"}


async def failed(bridge, person, actor):
    """A failed roll of somebody that waits for its choice: face 2."""
    bridge.tape.put(2)
    return f"{(await person.do({**ROLL, 'actors': [actor]}))['seq']}.1"


def offers(person, check):
    return {offer["id"]: (offer["enabled"], offer["why"]) for offer in person.entries[f"check/{check}"]["choices"]}


async def test_two_spend_the_last_boon_at_once_and_one_has_it(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        winners = set()
        for evening in range(40):
            table = f"evening-{evening}"
            await seat(bridge, "group_d12", table=table)
            await bridge.do(GIVE, table=table)
            async with (
                bridge.join("Pia", table=table) as pia,
                bridge.join("Quin", table=table) as quin,
                bridge.join("Olga", table=table) as olga,
            ):
                winners.add(await last_boon(bridge, table, pia, quin, olga, turned=evening % 2 == 1))
        assert len(winners) == 2, "whoever comes first has it, not whoever is who"


async def last_boon(bridge, table, pia, quin, olga, *, turned):
    checks = {pia: await failed(bridge, pia, "hero"), quin: await failed(bridge, quin, "friend")}
    for person, check in checks.items():
        await person.settled()
        assert offers(person, check) == {"accept": (True, None), "spend": (True, None)}
    commits = len(await bridge.stored(table))
    bridge.tape.put(9)
    ids = {person: new_id() for person in checks}
    order = list(checks)[::-1] if turned else list(checks)
    answers = dict(zip(order, await asyncio.gather(*(p.do(spend(checks[p]), id=ids[p]) for p in order)), strict=True))
    (winner,) = [person for person, answer in answers.items() if answer["t"] == "ack"]
    (loser,) = [person for person, answer in answers.items() if answer["t"] == "refused"]
    assert answers[loser]["code"] == "pool.empty"
    assert answers[loser]["id"] == ids[loser], "the refusal says which click it was"
    assert not bridge.tape.tape, "exactly one die was drawn"
    assert len(await bridge.stored(table)) == commits + 1
    await olga.settled()
    assert olga.entries["pool"]["held"] == 0
    (chosen,) = olga.events("Chosen")
    assert chosen["check"] == checks[winner]
    assert [effect["t"] for effect in chosen["effects"]][:2] == ["ResourceChanged", "DieBought"]
    assert (chosen["effects"][0]["asked"], chosen["effects"][0]["applied"], chosen["effects"][1]["face"]) == (-1, -1, 9)
    # Everybody sees at once that there is nothing left to spend, and the loser may still accept.
    await loser.settled()
    for person in (loser, olga):
        assert offers(person, checks[loser]) == {"accept": (True, None), "spend": (False, "pool.empty")}
    assert (await loser.do({"t": "Choose", "check": checks[loser], "choice": "accept"}))["t"] == "ack"
    for person in (pia, quin, olga):
        await person.settled()
        assert f"check/{checks[loser]}" not in person.entries
    return winner is pia


async def test_a_spend_that_is_sent_twice_is_one(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        for _ in range(3):
            await bridge.do(GIVE)
        id = new_id()
        async with bridge.join("Pia") as pia:
            check = await failed(bridge, pia, "hero")
            bridge.tape.put(9)
            first = await pia.do(spend(check), id=id)
        async with bridge.join("Pia") as pia:
            assert await pia.do(spend(check), id=id) == first
            assert pia.entries["pool"]["held"] == 2
        before = await bridge.footprint()
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        assert await pia.do(spend(check), id=id) == first
        assert (await pia.do(spend(check)))["code"] in {"choice.done", "spend.limit", "spend.not_failed"}
        assert await bridge.footprint() == before
        assert pia.entries["pool"]["held"] == 2


async def test_a_spend_on_what_is_not_one_s_own_costs_nothing(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        for _ in range(2):
            await bridge.do(GIVE)
        own, foreign = await failed(bridge, pia, "hero"), await failed(bridge, quin, "friend")
        before = await bridge.footprint()
        for check, code in ((foreign, "choice.not_yours"), ("99.1", "check.unknown"), (own.replace(".1", ".2"), "check.unknown")):
            assert (await pia.do(spend(check)))["code"] == code
        assert await bridge.footprint() == before
        await pia.settled()
        assert pia.entries["pool"]["held"] == 2


async def test_an_option_that_changes_what_is_offered_is_told_at_once(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        await bridge.do(GIVE)
        check = await failed(bridge, pia, "hero")
        for limit, offered in ((0, (False, "spend.limit")), (1, (True, None))):
            await bridge.do({"t": "SetOptions", "options": {"spend_after_limit": limit}})
            for person in (pia, olga):
                await person.settled()
                assert offers(person, check)["spend"] == offered


async def test_a_table_is_one_pool_and_no_other(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        await seat(bridge, "group_d12", table="other")
        await bridge.do(GIVE)
        async with bridge.join("Pia") as here, bridge.join("Pia", table="other") as there:
            assert here.entries["pool"]["held"] == 1
            assert there.entries["pool"]["held"] == 0
