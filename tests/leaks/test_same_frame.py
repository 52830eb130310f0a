"""Frames are made once for all who are shown the same; whoever is not shown the same never gets another's."""

import contextlib

import pytest

from tests.support.bridge import ROLES, ROLL, playing
from tests.support.people import new_id

DESCENT = ROLL["deep_mine"]
OPTION = {"t": "SetOptions", "options": {"ad_hoc": "everyone"}}


@contextlib.asynccontextmanager
async def everybody(bridge, order):
    async with contextlib.AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(bridge.join(name)) for name in order}


orders = pytest.mark.parametrize("order", [sorted(ROLES), sorted(ROLES, reverse=True)], ids=["there", "back"])


async def told(people, work):
    """What each person was told of one commit."""
    for person in people.values():
        await person.settled()
        person.frames.clear()
    await work
    for person in people.values():
        await person.settled()
    return {name: person.of("logged", "hidden") for name, person in people.items()}


@orders
async def test_what_is_open_on_a_hidden_check_is_told_to_those_who_read_it(tmp_path, order):
    """An option touches every open check; the key of one that somebody may not read is not even named to him."""
    reads = {"public": set(ROLES), "gm": {"Pia", "Gina", "Gwen"}, "secret": {"Gina", "Gwen"}, "self": {"Pia"}}
    async with playing("deep_mine", tmp_path) as bridge, everybody(bridge, order) as people:
        checks = {}
        for mode in reads:
            bridge.tape.put(3)
            checks[mode] = f"check/{(await people['Pia'].do({**DESCENT, 'mode': mode}))['seq']}.1"
        frames = await told(people, people["Gina"].do(OPTION))
        for name, (frame,) in frames.items():
            named = {entry["key"] for entry in frame["changes"] if entry["key"].startswith("check/")}
            assert named == {key for mode, key in checks.items() if name in reads[mode]}, name
            assert all(entry["value"] is not None for entry in frame["changes"]), name
        for name, person in people.items():
            async with bridge.join(name) as fresh:
                assert fresh.entries == person.entries


@orders
async def test_who_gave_what_up_is_for_himself_and_the_gms(tmp_path, order):
    async with playing("sage_d20", tmp_path) as bridge, everybody(bridge, order) as people:
        for giver, knows in (("Pia", {"Pia", "Gina", "Gwen"}), ("Quin", {"Quin", "Gina", "Gwen"}), ("Gina", {"Gina", "Gwen"})):
            id = new_id()
            frames = await told(people, people[giver].ask({"t": "withdraw", "id": id}))
            for name, (frame,) in frames.items():
                assert (frame["t"] == "logged") is (name in knows)
                assert (frame.get("id") == id) is (name in knows)


@orders
async def test_numbers_of_a_foe_go_to_gms_alone(tmp_path, order):
    async with playing("sage_d20", tmp_path) as bridge, everybody(bridge, order) as people:
        numbers = {"values": [{"key": "defense", "value": 43}]}
        frames = await told(people, people["Gina"].do({"t": "SyncActor", "actor": "foe", "numbers": numbers}))
        for name, (frame,) in frames.items():
            assert (frame["t"] == "logged") is (ROLES[name] == "gm")
        for more in ({}, {"numbers": {}}):
            frames = await told(people, people["Gina"].do({"t": "SyncActor", "actor": "foe", "name": f"Fred {more}", **more}))
            for name, (frame,) in frames.items():
                events = ["ActorSynced", "NumbersSet"] if more and ROLES[name] == "gm" else ["ActorSynced"]
                assert [event["t"] for event in frame["events"]] == events
                (entry,) = frame["changes"]
                assert (entry["value"]["numbers"] is not None) is (ROLES[name] == "gm")


@orders
async def test_a_public_roll_is_the_same_frame_for_all(tmp_path, order):
    async with playing("sage_d20", tmp_path) as bridge, everybody(bridge, order) as people:
        frames = await told(people, people["Pia"].do(ROLL["sage_d20"]))
        assert all(frame == frames["Pia"] for frame in frames.values())
        assert frames["Olga"][0]["t"] == "logged"
