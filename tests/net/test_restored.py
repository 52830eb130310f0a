"""A table that has to begin a new epoch of seeds: none that was shown is served again, whenever a crash comes."""

import apsw
import pytest

from boonbridge.tables.ports import StoreUnavailable
from tests.support.bridge import ROLL, TABLE, playing, serving

ROLL = ROLL["sage_d20"]


def mark(folder, reason="restored", table=TABLE):
    """As a backup that was put back, or a log from elsewhere, lies in a folder."""
    database = apsw.Connection(str(folder / "log.sqlite"))
    database.execute("UPDATE tables SET restart = ? WHERE id = ?", (reason, table))
    database.close()


def restarts(commits):
    """The epochs that a log began, with their reasons."""
    events = [event for commit in commits for event in commit["events"]]
    return [(event["epoch"], event["reason"]) for event in events if event["t"] == "LadderRestarted"]


async def told(person):
    return (await person.ask({"t": "history", "limit": 200}))["commits"]


@pytest.mark.parametrize("reason", ["restored", "imported"])
async def test_a_row_that_asks_for_it_begins_one_new_epoch_and_asks_no_more(tmp_path, reason):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        await pia.do(ROLL)
    mark(tmp_path, reason)
    for _ in range(2):
        async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
            assert pia.welcome["epoch"] == 2
            assert restarts(await told(pia)) == [(2, reason)]
            assert [row.restart for row in await bridge.running.hub.list_tables()] == [""]
            assert (await pia.do(ROLL))["t"] == "ack"


async def test_a_crash_before_the_commit_leaves_a_key_that_is_never_used(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge:
        before = await bridge.footprint()
    mark(tmp_path)
    async with serving(tmp_path, seeded=True) as bridge:
        bridge.mistakes = True

        async def full(_):
            raise StoreUnavailable("full")

        monkeypatch.setattr(bridge.running.hub.ports.store, "append", full)
        async with await bridge.stranger() as pia:
            await pia.hello(token=await bridge.token("Pia"))
            assert pia.closed[0] == 1013
        monkeypatch.undo()
        assert await bridge.footprint() == before
        vault = bridge.running.hub.ports.vault
        shown = await vault.table_key(TABLE, 2)  # it might have been of a life that this log knows nothing of
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        assert restarts(await told(pia)) == [(3, "restored")]
        vault = bridge.running.hub.ports.vault
        assert len({await vault.table_key(TABLE, epoch) for epoch in (1, 2, 3)} | {shown}) == 3


async def test_a_crash_behind_the_commit_begins_another_one(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path, seeded=True):
        pass
    mark(tmp_path)
    async with serving(tmp_path, seeded=True) as bridge:
        bridge.mistakes = True

        async def full(_):
            raise StoreUnavailable("full")

        monkeypatch.setattr(bridge.running.hub._tables, "restarted", full)
        async with await bridge.stranger() as pia:
            await pia.hello(token=await bridge.token("Pia"))
            assert pia.closed[0] == 1013
    monkeypatch.undo()
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        assert restarts(await told(pia)) == [(2, "restored"), (3, "restored")]


async def test_a_table_that_had_no_commit_yet_begins_with_seeds_of_its_own(tmp_path):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        await pia.do(ROLL)
        shown = {frame["seeds"]["all"] for frame in await told(pia)}
    database = apsw.Connection(str(tmp_path / "log.sqlite"))
    database.execute("DELETE FROM commits")
    database.close()
    for _ in range(2):
        async with serving(tmp_path, seeded=True) as bridge, bridge.join("Gina") as gina:
            assert gina.welcome["epoch"] == 2
            assert restarts(await told(gina)) == [(2, "log_cut")]
            await gina.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party"})
            assert not shown & {frame["seeds"]["all"] for frame in await told(gina)}
