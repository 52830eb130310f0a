"""The last Boon of the group: two who want it at the same moment, and everybody who looks on."""

import asyncio
import json

from tests.support.bridge import ROLL, playing, seat, serving
from tests.support.people import new_id

ROLL = ROLL["group_d12"]
FAILED = {actor: {**ROLL, "actors": [actor]} for actor in ("hero", "friend")}
GIVE = {"t": "Act", "verb": "give_boon"}


def spend(check):
    return {"t": "Choose", "check": check, "choice": "spend"}


async def failed(bridge, person, actor):
    """A failed roll of somebody that waits for its choice: face 2."""
    bridge.tape.put(2)
    return f"{(await person.do(FAILED[actor]))['seq']}.1"


def events_of(commit):
    return [event for part in commit.parts if part for event in json.loads(part)["events"]]


def offers(person, check):
    return {offer["id"]: (offer["enabled"], offer["why"]) for offer in person.entries[f"check/{check}"]["choices"]}


ROUNDS = 60
"""Over sockets; ``tests/tables`` plays a thousand of them with both commands in the queue before the first is taken."""


async def test_t25_i87_i88_i90_two_spend_the_last_boon_at_once_and_one_has_it(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        async with bridge.join("Pia") as pia, bridge.join("Quin") as quin, bridge.join("Olga") as olga:
            await bridge.do(GIVE)
            winners = [await last_boon(bridge, pia, quin, olga, turn=n) for n in range(ROUNDS)]
        assert set(winners) == {True, False}, "whoever comes first has it, not whoever is who"
        # What is on disk says the same: as many Boons went as came, each spent one with its die, and nothing is open.
        chosen = [event for commit in await bridge.stored() for event in events_of(commit) if event["t"] == "Chosen"]
        spent = [event["effects"] for event in chosen if event["choice"] == "spend"]
        assert [[effect["t"] for effect in effects] for effects in spent] == [["ResourceChanged", "DieBought"]] * len(spent)
        # In each round the winner, and in every second one the loser as well, when there was a Boon again.
        assert len(spent) == ROUNDS * 3 // 2
        assert sum(event["choice"] == "accept" for event in chosen) == ROUNDS // 2
        assert (await bridge.table()).state.game.held == 1


async def last_boon(bridge, pia, quin, olga, *, turn):
    """One round with one Boon left, and one left after it. Whether Pia had it."""
    table = await bridge.table()
    bridge.tape.put(2, 2)
    acks = await asyncio.gather(pia.do(FAILED["hero"]), quin.do(FAILED["friend"]))
    checks = dict(zip((pia, quin), (f"{ack['seq']}.1" for ack in acks), strict=True))
    await asyncio.gather(pia.settled(), quin.settled())
    for person, check in checks.items():
        assert offers(person, check) == {"accept": (True, None), "spend": (True, None)}
    commits, heard = table.state.seq, len(olga.frames)
    bridge.tape.put(9)
    ids = {person: new_id() for person in checks}
    order = list(checks)[:: -1 if turn % 4 > 1 else 1]
    answers = dict(zip(order, await asyncio.gather(*(p.do(spend(checks[p]), id=ids[p]) for p in order)), strict=True))
    (winner,) = [person for person, answer in answers.items() if answer["t"] == "ack"]
    (loser,) = [person for person, answer in answers.items() if answer["t"] == "refused"]
    assert answers[loser]["code"] == "pool.empty"
    assert answers[loser]["id"] == ids[loser], "the refusal says which click it was"
    assert not bridge.tape.tape, "exactly one die was drawn"
    assert table.state.seq == commits + 1
    await asyncio.gather(loser.settled(), olga.settled())
    (told,) = [frame for frame in olga.frames[heard:] if frame["t"] == "logged"]
    (chosen,) = told["events"]
    assert (chosen["t"], chosen["check"], chosen["choice"]) == ("Chosen", checks[winner], "spend")
    assert [effect["t"] for effect in chosen["effects"]] == ["ResourceChanged", "DieBought"]
    assert (chosen["effects"][0]["asked"], chosen["effects"][0]["applied"], chosen["effects"][1]["face"]) == (-1, -1, 9)
    # Everybody sees at once that there is nothing left to spend, and the loser may still choose.
    for person in (loser, olga):
        assert person.entries["pool"]["held"] == 0
        assert offers(person, checks[loser]) == {"accept": (True, None), "spend": (False, "pool.empty")}
    if turn % 2:
        await bridge.do(GIVE)
        await loser.settled()
        assert offers(loser, checks[loser])["spend"] == (True, None)
        bridge.tape.put(9)
        assert (await loser.do(spend(checks[loser])))["t"] == "ack"
        await bridge.do(GIVE)
    else:
        assert (await loser.do({"t": "Choose", "check": checks[loser], "choice": "accept"}))["t"] == "ack"
        if not table.state.game.held:  # it earns a Boon ten times a session (D-16)
            await bridge.do(GIVE)
    await asyncio.gather(*(person.settled() for person in (pia, quin, olga)))
    for person in (pia, quin, olga):
        assert not {f"check/{check}" for check in checks.values()} & person.entries.keys()
        assert person.entries["pool"]["held"] == 1
    return winner is pia


async def test_i93_what_is_offered_and_what_the_pool_holds_are_told_in_one_message(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        await bridge.do(GIVE)
        check = await failed(bridge, pia, "hero")
        for cmd, held, offered in (({"t": "Act", "verb": "take_boon"}, 0, (False, "pool.empty")), (GIVE, 1, (True, None))):
            seq = (await bridge.do(cmd)).seq
            for person in (pia, olga):
                await person.settled()
                (frame,) = [frame for frame in person.of("logged") if frame["seq"] == seq]
                changes = {entry["key"]: entry["value"] for entry in frame["changes"]}
                assert changes["pool"]["held"] == held
                (spending,) = [offer for offer in changes[f"check/{check}"]["choices"] if offer["id"] == "spend"]
                assert (spending["enabled"], spending["why"]) == offered


async def test_i89_whoever_vanishes_with_the_click_has_spent_wholly_or_not_at_all(tmp_path):
    """His screen never shows it; the Boon and the die are one commit all the same, and he finds both when he is back."""
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Olga") as olga:
        for _ in range(20):
            held = (await bridge.table()).state.game.held
            if not held:
                await bridge.do(GIVE)
                held = 1
            async with bridge.join("Pia") as pia:
                check = await failed(bridge, pia, "hero")
                bridge.tape.put(9)
                await pia.do(spend(check), wait=False)
                pia.vanish()
            async with bridge.join("Pia") as pia:
                answer = await pia.do(spend(check))  # another click: either there is nothing left to do, or it is done now
                assert answer["t"] == "ack" or answer["code"] == "spend.not_failed", answer
                assert pia.entries["pool"]["held"] == held - 1
                assert f"check/{check}" not in pia.entries
            await olga.settled()
            (chosen,) = [event for event in olga.events("Chosen") if event["check"] == check]
            assert [effect["t"] for effect in chosen["effects"]] == ["ResourceChanged", "DieBought"]
            assert not bridge.tape.tape


async def test_t26_i15_a_spend_that_is_sent_twice_is_one(tmp_path):
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


async def test_t27_a_spend_on_what_is_not_one_s_own_costs_nothing(tmp_path):
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
