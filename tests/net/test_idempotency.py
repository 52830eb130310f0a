"""A click happens once: the same id again, whenever and from wherever, is answered as it was the first time."""

import asyncio

import pytest

from tests.support.bridge import ROLL, playing, serving
from tests.support.people import new_id
from tests.support.wait import until

BOON = {"t": "Act", "verb": "give_boon"}
GRANT = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "luck", "label": "Luck"}}
REMOVE = {"t": "RemoveActor", "actor": "nobody"}


async def open_check(bridge, person, actor="hero"):
    """A failed check that waits for its choice."""
    bridge.tape.put(2)
    ack = await person.do({**ROLL["group_d12"], "actors": [actor]})
    return f"{ack['seq']}.1"


async def commands(bridge, gina):
    """One of every kind that has something to do, and some that have nothing to do."""
    await gina.do(BOON)
    check = await open_check(bridge, gina)
    grant = await gina.do(GRANT)
    bridge.tape.put(5)  # for the spent Boon
    return {
        "spend": {"t": "Choose", "check": check, "choice": "spend"},
        "roll": ROLL["group_d12"],
        "move": BOON,
        "sync": {"t": "SyncActor", "actor": "hero", "name": "Zed"},
        "new actor": {"t": "SyncActor", "actor": "late", "name": "Late"},
        "grant": {**GRANT, "amount": 2},
        "revoke": {"t": "RevokeGrant", "grant": f"{grant['seq']}.1"},
        "option": {"t": "SetOptions", "options": {"boon_cap": 9}},
        "invite": {"t": "Invite", "user": "zoe", "name": "Zoe", "origin": "https://foundry.example"},
        "revoke access": {"t": "RevokeAccess", "user": bridge.user("Olga")},
        "remove": {"t": "RemoveActor", "actor": "friend"},
        "nothing: remove": REMOVE,
        "nothing: sync": {"t": "SyncActor", "actor": "foe", "name": "Foe"},
        "nothing: grant": {**GRANT, "amount": 2},
        "nothing: option": {"t": "SetOptions", "options": {"boon_cap": 9}},
    }


async def test_every_command_again_live_reconnected_and_after_a_restart(tmp_path, subtests):
    async with playing("group_d12", tmp_path) as bridge:
        async with bridge.join("Olga"), bridge.join("Gina") as gina:
            cmds = await commands(bridge, gina)
            bridge.tape.clear()
            ids = {name: new_id() for name in cmds}
            first = {name: await gina.do(cmd, id=ids[name]) for name, cmd in cmds.items()}
            minted = gina.of("minted")
            for name, answer in first.items():
                assert answer["t"] == "ack", (name, answer)
                assert answer["changed"] is not name.startswith("nothing"), name
            before = await bridge.footprint()
            for name, cmd in cmds.items():
                with subtests.test(f"live: {name}"):
                    assert await gina.do(cmd, id=ids[name]) == first[name]
            assert gina.of("minted") == minted * 2, "a retry mints the same"
        async with bridge.join("Gina") as gina:
            for name, cmd in cmds.items():
                with subtests.test(f"reconnected: {name}"):
                    assert await gina.do(cmd, id=ids[name]) == first[name]
        assert await bridge.footprint() == before
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        for name, cmd in cmds.items():
            with subtests.test(f"after a restart: {name}"):
                again = await gina.do(cmd, id=ids[name])
                # Of what came to nothing there is no trace; it comes to nothing again, at the head of now.
                assert again == (first[name] if first[name]["changed"] else {**first[name], "seq": gina.seq})
        assert gina.of("minted") == minted, "a retry mints the same, after a restart, too"
        assert await bridge.footprint() == before


async def test_the_same_id_over_several_connections_at_once(tmp_path):
    async with (
        playing("group_d12", tmp_path) as bridge,
        bridge.join("Pia") as one,
        bridge.join("Pia") as two,
        bridge.join("Pia") as three,
    ):
        before = (await bridge.footprint())[0]
        for n in range(20):
            id = new_id()
            answers = await asyncio.gather(*(person.do(ROLL["group_d12"], id=id) for person in (one, two, three)))
            assert answers[0] == answers[1] == answers[2]
            assert (await bridge.footprint())[0] == before + n + 1


@pytest.mark.parametrize("restart", [False, True])
async def test_an_id_that_meant_something_else(tmp_path, restart):
    async with playing("group_d12", tmp_path) as bridge:
        async with bridge.join("Gina") as gina, bridge.join("Pia") as pia, bridge.join("Quin"):
            id, nothing = new_id(), new_id()
            await pia.do(ROLL["group_d12"], id=id)
            await gina.do(REMOVE, id=nothing)
        before = await bridge.footprint()
        if not restart:
            await taken(bridge, id, nothing, known=True)
            assert await bridge.footprint() == before
    if restart:
        async with serving(tmp_path) as bridge:
            await taken(bridge, id, nothing, known=False)
            assert await bridge.footprint() == before


async def taken(bridge, id, nothing, *, known):
    async with bridge.join("Pia") as pia, bridge.join("Quin") as quin, bridge.join("Gina") as gina:
        for person, cmd in (
            (pia, {**ROLL["group_d12"], "action": "jump"}),
            (pia, {**ROLL["group_d12"], "mode": "gm"}),
            (pia, {**ROLL["group_d12"], "params": {**ROLL["group_d12"]["params"], "difficulty": 8}}),
            (pia, {"t": "Choose", "check": "1.1", "choice": "accept"}),
            (quin, ROLL["group_d12"]),
            (gina, ROLL["group_d12"]),
            (gina, BOON),
        ):
            answer = await person.do(cmd, id=id)
            assert answer["code"] == "command.id_taken", cmd
            assert answer["message"].endswith(".")
        for person in (quin, gina):
            assert (await person.ask({"t": "withdraw", "id": id}))["code"] == "command.id_taken"
        if known:  # what came to nothing is remembered as long as the server runs
            assert (await gina.do({**REMOVE, "actor": "nobody.else"}, id=nothing))["code"] == "command.id_taken"


async def test_a_refused_id_is_not_used_up(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia:
        id = new_id()
        assert (await pia.do({**ROLL["group_d12"], "actors": ["nobody"]}, id=id))["code"] == "actor.unknown"
        assert (await pia.do(ROLL["group_d12"], id=id))["t"] == "ack"


# --- withdraw ---------------------------------------------------------------------------------------------------
async def test_withdrawn_before_it_came_never_happens(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        id = new_id()
        async with bridge.join("Pia") as pia, bridge.join("Quin") as quin:
            for _ in range(3):
                answer = await pia.ask({"t": "withdraw", "id": id})
                assert (answer["t"], answer["code"]) == ("refused", "command.withdrawn")
            assert (await pia.do(ROLL["group_d12"], id=id))["code"] == "command.withdrawn"
            assert (await quin.do({**ROLL["group_d12"], "actors": ["friend"]}, id=id))["code"] == "command.id_taken"
            await quin.settled()
            assert pia.events("CheckRolled") == quin.events("CheckRolled") == []
            withdrawals = [frame for frame in pia.of("logged") if frame["events"][0]["t"] == "Withdrawn"]
            assert [frame["id"] for frame in withdrawals] == [id], "once, however often it is asked"
            assert quin.frames[-2]["t"] == "hidden" or quin.of("hidden"), "that somebody gave up is nobody else's business"
        before = await bridge.footprint()
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        assert (await pia.do(ROLL["group_d12"], id=id))["code"] == "command.withdrawn"
        assert (await pia.ask({"t": "withdraw", "id": id}))["code"] == "command.withdrawn"
        assert await bridge.footprint() == before


async def test_withdrawn_after_it_happened_is_told_so(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        async with bridge.join("Pia") as pia, bridge.join("Gina") as gina:
            id, nothing = new_id(), new_id()
            ack = await pia.do(ROLL["group_d12"], id=id)
            assert await pia.ask({"t": "withdraw", "id": id}) == ack
            came_to_nothing = await gina.do(REMOVE, id=nothing)
            assert await gina.ask({"t": "withdraw", "id": nothing}) == came_to_nothing
        before = await bridge.footprint()
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        assert await pia.ask({"t": "withdraw", "id": id}) == ack
        assert await bridge.footprint() == before


async def test_withdrawn_while_it_is_being_written(tmp_path):
    """Both on their way at once: whichever comes first decides, and both are answered alike."""
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia:
        for first in ("do", "withdraw"):
            id = new_id()
            frames = [{"t": "do", "id": id, "seen": pia.seq, "cmd": ROLL["group_d12"]}, {"t": "withdraw", "id": id}]
            for frame in frames if first == "do" else reversed(frames):
                await pia.send(frame)
            await until(lambda id=id: sum(frame.get("id") == id for frame in pia.of("ack", "refused")) == 2)
            answers = [frame for frame in pia.of("ack", "refused") if frame["id"] == id]
            assert answers[0] == answers[1]
            assert answers[0]["t"] == ("ack" if first == "do" else "refused")
        rolls = [frame["id"] for frame in pia.of("logged") if frame["events"][0]["t"] == "CheckRolled"]
        assert len(rolls) == 1


# --- dice fixed before the click --------------------------------------------------------------------------------
async def test_a_roll_whose_seed_its_sender_has_not_seen_is_stale(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia:
        for _ in range(70):
            await bridge.do(BOON)
        await pia.settled()
        head, id = pia.seq, new_id()
        before = await bridge.footprint()
        # It would be commit head + 1; it had to know the hash of that seed, published with commit head + 1 - 64.
        answer = await pia.do(ROLL["group_d12"], id=id, seen=head - 64)
        assert (answer["code"], answer["values"]) == ("dice.stale", {"head": head})
        assert await bridge.footprint() == before
        ack = await pia.do(ROLL["group_d12"], id=id, seen=head - 63)
        assert (ack["t"], ack["seq"]) == ("ack", head + 1)
        assert await pia.do(ROLL["group_d12"], id=id, seen=0) == ack, "what is done is not stale"
        assert (await pia.do(ROLL["group_d12"], seen=0))["code"] == "dice.stale"
