"""A backup each day, and seven of them; what goes wrong is said, and tried again."""

import asyncio
import datetime as dt

import pytest
import structlog

from boonbridge.store import daily as module
from boonbridge.store.daily import Daily
from boonbridge.store.open import open_store
from boonbridge.store.restoring import unpacked
from tests.store.test_backup import fill
from tests.support.clock import TestClock
from tests.support.tree import tree
from tests.support.wait import until

HOUR, DAY = 3_600, 86_400


class Kept:
    """The daily backups of a folder whose server has just started."""

    def __init__(self, folder, clock):
        self.folder, self.clock, self.told = folder, clock, []
        self.daily = Daily(folder, clock, secret_file=None, bridge="1", told=lambda at, made: self.told.append((at, made)))

    async def started(self):
        self.daily.start()
        await self.looked(1)
        return self

    async def looked(self, times):
        await until(lambda: len(self.told) >= times)

    async def pass_(self, seconds):
        """Let time pass; an hour at a time it is looked at."""
        before = len(self.told)
        self.clock.advance(seconds)
        await self.looked(before + 1)

    @property
    def names(self):
        return sorted(path.name for path in (self.folder / "backups").iterdir())

    def today(self, back=0):
        day = dt.datetime.fromtimestamp(self.clock.now() / 1000, dt.UTC) - dt.timedelta(days=back)
        return f"daily-{day:%Y-%m-%d}.zip"


@pytest.fixture
async def kept(tmp_path):
    await fill(tmp_path / "d", 1)
    found = Kept(tmp_path / "d", TestClock())
    yield found
    await found.daily.aclose()


async def test_the_first_start_of_a_day_makes_one_and_a_second_none(kept):
    await kept.started()
    assert kept.names == [kept.today()]
    made = tree(kept.folder / "backups")
    await kept.daily.aclose()
    again = await Kept(kept.folder, kept.clock).started()
    await again.pass_(60 * 60)
    assert tree(kept.folder / "backups").keys() == made.keys() | {again.today()}
    assert tree(kept.folder / "backups")[kept.names[0]] == made[kept.names[0]]
    await again.daily.aclose()


async def test_of_ten_days_the_last_seven_are_kept_and_nothing_else_is_touched(kept):
    await kept.started()
    for name in ("mine.zip", "boonbridge-2001-01-01T00-00-00Z.zip", "daily-of-mine.zip"):
        (kept.folder / "backups" / name).write_text("mine")
    for _ in range(10):
        await kept.pass_(DAY)
    assert [name for name in kept.names if (kept.folder / "backups" / name).read_bytes() != b"mine"] == [
        kept.today(back) for back in range(6, -1, -1)
    ]
    assert [name for name in kept.names if (kept.folder / "backups" / name).read_bytes() == b"mine"] == [
        "boonbridge-2001-01-01T00-00-00Z.zip",
        "daily-of-mine.zip",
        "mine.zip",
    ]
    with unpacked(kept.folder / "backups" / kept.today(), kept.folder.parent / "new", secret_file=None) as (waiting, _):
        assert [table.seq for table in waiting.manifest.tables] == [1, 1]


async def test_a_machine_that_slept_makes_one_when_it_wakes(kept):
    await kept.started()
    assert len(kept.clock.waiting) == 1
    assert kept.clock.waiting[0] - kept.clock.now() == HOUR * 1000
    await kept.pass_(3 * DAY)
    assert kept.names == [kept.today(3), kept.today()]


async def test_one_that_fails_is_said_and_tried_again_and_an_old_one_stays(kept, monkeypatch):
    await kept.started()
    for _ in range(6):
        await kept.pass_(DAY)
    seven = kept.names
    (kept.folder / "node.key").rename(kept.folder / "away")
    with structlog.testing.capture_logs() as lines:
        await kept.pass_(DAY)
    assert kept.daily.failing
    assert kept.told[-1][1] is False
    assert [(line["log_level"], line["event"]) for line in lines] == [("error", "the daily backup failed")]
    assert "node.key is missing" in lines[0]["reason"]
    assert kept.names == seven, "no older one goes for one that was not made"
    (kept.folder / "away").rename(kept.folder / "node.key")
    await kept.pass_(HOUR)
    assert not kept.daily.failing
    assert kept.names == [*seven[1:], kept.today()]


async def test_it_leaves_the_table_the_room_it_needs(kept, monkeypatch):
    monkeypatch.setattr(module, "_SPARE", 2**60)
    await kept.started()
    assert kept.daily.failing
    assert kept.names == []


async def test_what_a_killed_one_left_behind_goes(kept):
    left = kept.folder / "backups" / ".daily-2001-01-01.zip.abc"
    left.mkdir(parents=True)
    (left / "log.sqlite").write_text("half")
    await kept.started()
    assert kept.names == [kept.today()]


async def test_a_server_that_stops_does_not_wait_for_one(kept, monkeypatch):
    begun, going = asyncio.Event(), asyncio.get_running_loop()

    def slow(*_, stopped, **__):
        going.call_soon_threadsafe(begun.set)
        assert kept.daily._stopped.wait(20)
        assert stopped()
        raise InterruptedError

    monkeypatch.setattr(module, "back_up", slow)
    kept.daily.start()
    await begun.wait()
    await kept.daily.aclose()
    assert kept.told == []
    assert kept.clock.waiting == []


async def test_a_folder_in_use_is_backed_up(kept):
    store = open_store(kept.folder)
    await kept.started()
    assert kept.names == [kept.today()]
    await store.aclose()
