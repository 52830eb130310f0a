"""Snapshots: a table that opens with one is the table of its whole log; one that does not fit is named, and is not used.

The moments of the past, which start from them, are here too, below the wire (Show 3 of the log). What a viewer is told of one is
in ``tests/net/test_moments.py``.
"""

import asyncio
import random
import zlib

import pytest
import structlog
from msgspec.structs import replace

from boonbridge.core.freezing import frozen
from boonbridge.core.state import TableState
from boonbridge.rulesets.registry import load, shipped
from boonbridge.tables import moments, opening, snapshots
from boonbridge.tables.fingerprint import made_by
from boonbridge.tables.folding import fold
from boonbridge.tables.ports import StoreUnavailable
from boonbridge.tables.snapshots import content, mark
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import GAMES
from tests.support.house import Gate, House
from tests.support.random_log import Writer

MODES = ("public", "gm", "blind", "secret", "self")
TABLE = "house"
GIVE = {"t": "Act", "verb": "give_boon"}
TAKE = {"t": "Act", "verb": "take_boon"}


@pytest.fixture
def often(monkeypatch):
    """A snapshot of every 20th commit, and whenever 3 came before a table closes."""
    monkeypatch.setattr(snapshots, "EVERY", 20)
    monkeypatch.setattr(snapshots, "WORTH", 3)


@pytest.fixture
def said():
    with structlog.testing.capture_logs() as lines:
        yield lines


async def all_states(store, game):
    """The full fold: how the table stood after each commit, from the empty one on."""
    states = [TableState.opening(GAMES[game], table=TABLE)]
    for commit in await store.read(TABLE, after=0, limit=10**6):
        states.append(fold(states[-1], commit))
    return states


async def written(house):
    """Return when whatever was to be kept is kept."""
    while house.hub._tasks:
        await asyncio.wait(house.hub._tasks)


# --- the same table -------------------------------------------------------------------------------------------------
async def evening_with_snapshots(game, commits, looks, seed=0):
    """An evening at random, with restarts; then moments at random. How many snapshots there were, and which modes were played."""
    writer = Writer(game, seed)
    async with writer:
        await writer.arrive()
        while (seq := (await writer.table()).state.seq) < commits:
            await writer.write(min(commits, seq + 30))
            await written(writer)
            await writer.restart()
            live = (await writer.table()).state
            assert frozen(live) == frozen((await all_states(writer.store, game))[-1]), live.seq
        states = await all_states(writer.store, game)
        past = (await writer.hub.at(TABLE)).moments
        chance = random.Random(seed)
        for seq in (0, 1, len(states) - 1, *(chance.randrange(len(states)) for _ in range(looks))):
            assert frozen(await past.at(seq)) == frozen(states[seq]), seq
        text = b"".join(raw for commit in await writer.commits() for raw in commit.parts)
        return len(await writer.store.snapshots(TABLE)), {mode for mode in MODES if f'"mode":"{mode}"'.encode() in text}


@pytest.mark.parametrize("game", sorted(shipped()))
async def test_the_table_that_lives_and_every_moment_of_it_are_those_of_the_full_fold(game, often):
    kept, _ = await evening_with_snapshots(game, 90, 15)
    assert kept >= 4


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", sorted(shipped()))
async def test_a_hundred_moments_of_thousands_of_commands_are_those_of_the_full_fold(game, often):
    kept, modes = await evening_with_snapshots(game, 1_500, 100, seed=1)
    assert kept >= 75
    assert modes == set(MODES)


async def test_moments_of_a_log_without_snapshots_leave_some_behind(monkeypatch):
    monkeypatch.setattr(moments, "EVERY", 100)
    async with House() as house:
        for n in range(230):
            await house.do(TAKE if n % 2 else GIVE)
        await house.store.drop_snapshots(TABLE)
        states = await all_states(house.store, "group_d12")
        past = (await house.hub.at(TABLE)).moments
        assert frozen(await past.at(215)) == frozen(states[215])
        await written(house)
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [100, 200]


async def test_whoever_goes_step_by_step_folds_one_commit_forwards_and_a_page_backwards():
    async with House() as house:
        for n in range(260):
            await house.do(TAKE if n % 2 else GIVE)
        past, read = (await house.hub.at(TABLE)).moments, []
        table = (await house.hub.at(TABLE)).table
        ask = table.read

        async def reads(*, after, limit):
            read.append(limit)
            return await ask(after=after, limit=limit)

        table.read = reads
        await past.at(200)
        read.clear()
        for seq in range(201, 240):
            await past.at(seq)
        assert sum(read) == 39
        read.clear()
        for seq in range(238, 150, -1):
            await past.at(seq)
            assert sum(read) < 50, seq
            read.clear()


async def test_there_is_no_moment_behind_the_head():
    async with House() as house:
        past = (await house.hub.at(TABLE)).moments
        head = (await house.table()).state.seq
        assert (await past.at(head)).seq == head
        with pytest.raises(Refusal) as no:
            await past.at(head + 1)
        assert (no.value.code, no.value.values) == (Code.PROOF_UNKNOWN, {"seq": head + 1})


# --- when one is written ----------------------------------------------------------------------------------------------
async def test_one_is_kept_of_every_thousandth_commit_and_at_the_end_of_a_hundred(monkeypatch):
    assert (snapshots.EVERY, snapshots.WORTH) == (1_000, 100)
    monkeypatch.setattr(snapshots, "EVERY", 200)  # a thousand take long
    async with House() as house:
        for n in range(98):
            await house.do(TAKE if n % 2 else GIVE)
        await house.restart()
        assert list(await house.store.snapshots(TABLE)) == []  # one with its opening makes 99
        await house.do(GIVE)
        await house.restart()
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [100]
        for n in range(101):
            await house.do(GIVE if n % 2 else TAKE)
        await written(house)
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [100, 200]
        await house.restart()
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [100, 200]


async def test_whoever_had_to_fold_very_much_keeps_what_came_of_it(monkeypatch):
    monkeypatch.setattr(opening, "EVERY", 20)
    async with House() as house:
        for n in range(18):
            await house.do(TAKE if n % 2 else GIVE)
        house.hub = house._hub()  # as after a crash: nothing was kept at an end
        await house.table()
        assert list(await house.store.snapshots(TABLE)) == []
        await house.do(GIVE)
        house.hub = house._hub()
        await house.table()
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [20]


async def test_an_opening_reads_the_log_from_the_snapshot_on(often):
    async with House() as house:
        for n in range(50):
            await house.do(TAKE if n % 2 else GIVE)
        await house.restart()
        reads, read = [], house.store.read

        async def noted(table, *, after, limit):
            reads.append(after)
            return await read(table, after=after, limit=limit)

        house.store.read = noted
        assert (await house.table()).state.seq == 51
        assert min(reads) == 50  # the commit of the snapshot itself, whose hash is compared


async def test_a_command_is_answered_before_its_snapshot_is_made_and_also_where_none_can_be(often, said):
    async with House() as house:
        gate = Gate()
        put = house.store.put_snapshot

        async def slowly(row):
            await gate()
            await put(row)

        house.store.put_snapshot = slowly
        for n in range(25):
            assert (await house.do(TAKE if n % 2 else GIVE)).changed  # the 20th commit is among them
        assert list(await house.store.snapshots(TABLE)) == []
        await gate.reached()
        gate.open()
        await written(house)
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [20]

        async def full(_row):
            raise StoreUnavailable("The disk is full.")

        house.store.put_snapshot = full
        for n in range(25, 45):
            assert (await house.do(TAKE if n % 2 else GIVE)).changed
        await written(house)
        (line,) = [line for line in said if line["log_level"] != "info"]
        assert (line["log_level"], line["event"], line["seq"]) == ("warning", "a snapshot could not be written", 40)
        house.store.put_snapshot = put


async def test_a_game_whose_state_cannot_be_told_has_no_snapshots_and_plays_on(often, said, monkeypatch):
    made_by(GAMES["rank_ability"])  # asked and kept before it is changed, as a server does
    monkeypatch.setattr(type(GAMES["rank_ability"]), "opening", lambda self, options: {1, 2})
    async with House("rank_ability") as house:
        for n in range(30):
            await house.do({"t": "Invite", "user": f"user-{n}", "name": "X", "role": "player"})
        await house.restart()
        await written(house)
        assert list(await house.store.snapshots(TABLE)) == []
        assert (await house.table()).state.seq == 31
    lines = [line for line in said if "snapshot" in line["event"]]
    assert {line["event"] for line in lines} == {"no snapshots of this game"}


async def test_of_a_table_that_is_deleted_meanwhile_nothing_is_kept(often):
    async with House() as house:
        gate, put = Gate(), house.store.put_snapshot

        async def slowly(row):
            await gate()
            await put(row)

        house.store.put_snapshot = slowly
        for n in range(25):
            await house.do(TAKE if n % 2 else GIVE)
        await gate.reached()
        deleting = asyncio.ensure_future(house.hub.delete(TABLE))
        gate.open()
        assert await deleting
        await written(house)
        assert list(await house.store.snapshots(TABLE)) == []


# --- which is used ------------------------------------------------------------------------------------------------------
def another_hash(row, _key):
    return replace(row, hash=bytes(32))


def body_changed(row, _key):
    return replace(row, body=zlib.compress(content(row).replace(b'"The house"', b'"My house!"')))


def mark_of_another_key(row, _key):
    return replace(row, mac=mark(row, b"x" * 32))


def of_another_table(row, key):
    state = zlib.compress(content(row).replace(b'"house"', b'"other"'))
    return signed(replace(row, body=state), key)


def cut_short(row, key):
    return signed(replace(row, body=row.body[:-9]), key)


def of_nothing(row, key):
    return signed(row, key, b"[[],[],[]]")


def of_an_epoch_without_key(row, _key):
    return replace(row, epoch=7)


def signed(row, key, state=None):
    """What somebody could make who has the key, or a mistake of ours."""
    row = row if state is None else replace(row, body=zlib.compress(state))
    return replace(row, mac=mark(row, key))


@pytest.mark.parametrize(
    ("alter", "why"),
    [
        (another_hash, "the log has another commit there"),
        (body_changed, "its mark is not ours"),
        (mark_of_another_key, "its mark is not ours"),
        (of_an_epoch_without_key, "its mark is not ours"),
        (of_another_table, "it is of another table or commit"),
        (cut_short, "it is damaged"),
        (of_nothing, "ValueError"),
    ],
)
async def test_one_that_does_not_fit_is_named_dropped_and_not_used(often, said, alter, why):
    async with House() as house:
        for n in range(45):
            await house.do(TAKE if n % 2 else GIVE)
        await written(house)
        (newest,) = [row for row in house.store._snapshots.values() if row.seq == 40]
        key = await house.store.table_key(TABLE, 1)
        house.store._snapshots[TABLE, 40] = alter(newest, key)
        assert house.store._snapshots[TABLE, 40] != newest
        house.hub = house._hub()  # as after a crash
        opened = await house.hub.at(TABLE)
        assert frozen(opened.table.state) == frozen((await all_states(house.store, "group_d12"))[-1])
        (line,) = [line for line in said if line["log_level"] == "warning"]
        assert (line["event"], line["seq"]) == ("a snapshot does not fit and is not used", 40)
        assert line["reason"].startswith(why)
        assert opened.keeping.shelf.last == 20
        assert [seq for seq, _ in await house.store.snapshots(TABLE)] == [20]


async def test_snapshots_that_cannot_be_read_hinder_no_opening(often, said):
    async with House() as house:
        for n in range(45):
            await house.do(TAKE if n % 2 else GIVE)
        await house.restart()

        async def gone(*_args, **_kwargs):
            raise StoreUnavailable("The disk is gone.")

        house.store.snapshot = gone
        assert (await house.table()).state.seq == 46
        assert [line["event"] for line in said if line["log_level"] == "warning"] == ["snapshots cannot be read"]


async def test_those_of_other_code_are_not_used_and_go_with_the_next(often, said):
    async with House() as house:
        for n in range(25):
            await house.do(TAKE if n % 2 else GIVE)
        await written(house)
        old = house.store._snapshots[TABLE, 20]
        house.store._snapshots[TABLE, 20] = replace(old, made_by="another build")
        house.hub = house._hub()
        opened = await house.hub.at(TABLE)
        assert opened.keeping.shelf.last == 0
        for n in range(25, 45):
            await house.do(TAKE if n % 2 else GIVE)
        await written(house)
        assert [tuple(each) for each in await house.store.snapshots(TABLE)] == [(40, made_by(GAMES["group_d12"]))]
    assert not [line for line in said if line["log_level"] == "warning"]


# --- whose code it is -----------------------------------------------------------------------------------------------------
GAME = """
from boonbridge.rulesets.common.game import Game
from boonbridge_schemas.checks import Result


class Mine(Game):
    id = "mine"
    title = "Mine"
    summary = "Mine."

    def bonus(self, table, check):
        return 1

    target = dice = resolve = bonus
"""


def test_the_fingerprint_is_of_the_game_and_of_what_it_stands_on(tmp_path):
    ours = {made_by(game) for game in shipped().values()}
    assert len(ours) == 1  # they are written in one package
    prints = []
    for text in (GAME, GAME, GAME.replace("return 1", "return 2")):
        (tmp_path / "mine.py").write_text(text)
        namespace = {}
        exec(compile(text, str(tmp_path / "mine.py"), "exec"), namespace)
        prints.append(made_by(namespace["Mine"]()))
    assert prints[0] == prints[1] != prints[2]
    assert not ours & set(prints)


def test_a_game_without_a_file_has_no_fingerprint():
    namespace = {}
    exec(compile(GAME, "<nowhere>", "exec"), namespace)
    assert made_by(namespace["Mine"]()) is None


def test_a_game_from_a_file_has_one(tmp_path):
    assert made_by(load("docs/examples/two_lanterns.py"))
