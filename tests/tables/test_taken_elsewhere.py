"""A log that is exported complete, imported, and exported again says the same, over as many bridges as one likes (Show 4)."""

import json

import pytest
from msgspec.structs import replace

from boonbridge.core.freezing import frozen
from boonbridge.core.visibility import Viewer
from boonbridge.tables.exporting import nobody
from boonbridge_schemas.base import PARTS
from tests.support.bridge import GAMES
from tests.support.logs import Home, folded, lines_of, told
from tests.support.random_log import PEOPLE, Writer

SIZES = [80, pytest.param(600, marks=pytest.mark.long)]

KINDS = {
    "Granted",
    "SessionStarted",
    "SessionEnded",
    "CheckRequested",
    "Voided",
    "Revealed",
    "DiceRolled",
}
"""What a long log has to hold some of, beside rolls in every part."""
VIEWERS = [None, *map(nobody, ("player", "observer", "gm")), *(Viewer(user, role) for user, role in PEOPLE.items())]
NAMES = {"gina": "Gina", "pia": "Pía\u202e", "quin": "Quin 🎲", "olga": "olga"}


async def from_home(game, count):
    """A log that was written at one bridge, as its store."""
    async with Writer(game, 8) as writer:
        await writer.arrive()
        await writer.write(count)
        for user, name in NAMES.items():
            await writer.store.put_person("house", user, name)
        return writer.store, (await writer.table()).state


def commits(lines):
    return [line for line in lines if line.startswith(b'{"t":"commit"')]


def holds(lines):
    """The kinds of events of a complete export, the parts in which dice were rolled, and whether a hidden grant is in it."""
    kinds, parts, hidden = set(), set(), False
    for line in commits(lines):
        for name, part in json.loads(line)["parts"].items():
            events = json.loads(part["bytes"] or '{"events": []}')["events"]
            kinds |= {event["t"] for event in events}
            parts |= {name for event in events if event["t"] == "CheckRolled"}
            hidden |= any(event["t"] == "Granted" and event["grant"].get("hidden") for event in events)
    return kinds, parts, hidden


def restarts(lines):
    """Which epochs began, why, and what the table was called from then on."""
    found = []
    for line in commits(lines):
        one = json.loads(line)
        events = json.loads(one["parts"]["all"]["bytes"] or '{"events": []}')["events"]
        found += [(e["epoch"], e["reason"], json.loads(one["header"])["table"]) for e in events if e["t"] == "LadderRestarted"]
    return found


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_what_was_exported_and_imported_is_exported_as_it_was(game, count):
    store, before = await from_home(game, count)
    first = await lines_of(store, "house")
    if count > 500:
        kinds, parts, hidden = holds(first)
        assert (KINDS - kinds, parts, hidden) == (set(), set(PARTS), True)
    everybody = {viewer: commits(await lines_of(store, "house", viewer)) for viewer in VIEWERS}
    async with Home() as home:
        report = await home.take(first, "moved")
        assert (report.log.commits, report.log.recomputed, report.log.whole) == (before.seq, before.seq, True)
        assert await home.store.people("moved") == {user: NAMES[user] for user in NAMES if not before.people[user].erased}
        assert frozen(await folded(home.store, "moved", game, before.seq)) == frozen(replace(before, table="moved"))
        # It is opened, which begins an epoch, and nothing else changes for anybody.
        after = (await home.table("moved")).state
        assert (after.seq, after.epoch, after.epoch_from) == (before.seq + 1, before.epoch + 1, before.seq + 1)
        for user, role in PEOPLE.items():
            assert told(after, Viewer(user, role)) == told(before, Viewer(user, role))
        again = {viewer: commits(await lines_of(home.store, "moved", viewer)) for viewer in VIEWERS}
        for viewer, lines in again.items():
            assert lines[:-1] == everybody[viewer], viewer
        assert len(again[None]) == len(everybody[None]) + 1 == before.seq + 1

        # It is played on, taken to a third bridge, and is three epochs under three names there.
        await home.play("moved", 12, f"{game} on")
        second, state = await lines_of(home.store, "moved"), (await home.table("moved")).state
        async with Home() as far:
            report = await far.take(second, "far-away")
            assert report.log.recomputed == state.seq == before.seq + 13
            assert frozen(await folded(far.store, "far-away", game, state.seq)) == frozen(replace(state, table="far-away"))
            await far.play("far-away", 5, f"{game} on and on")
            third = await lines_of(far.store, "far-away")
            assert commits(third)[: state.seq] == commits(second)
            assert restarts(third)[-2:] == [
                (before.epoch + 1, "imported", "moved"),
                (before.epoch + 2, "imported", "far-away"),
            ]
            async with Home() as last:
                assert (await last.take(third, "house")).log.recomputed == state.seq + 6


async def test_a_name_that_was_to_be_forgotten_is_in_no_file_even_where_a_crash_came_between():
    async with Writer("sage_d20", 9) as writer:
        await writer.arrive()
        await writer.do({"t": "EraseName", "user": "quin"})
        await writer.store.put_person("house", "quin", "Quincy")  # as where it was not deleted any more
        await writer.store.put_person("house", "nobody", "Nobody")  # whom the log never let in
        for viewer in VIEWERS:
            lines = await lines_of(writer.store, "house", viewer)
            assert {"quin", "nobody"}.isdisjoint(json.loads(lines[0])["names"])
            assert not any(word in b"".join(lines) for word in (b"Quincy", b"Nobody"))
