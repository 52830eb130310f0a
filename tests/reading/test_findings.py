"""What somebody could write who has the keys of a table, so that every hash fits: each is found, and it is said why."""

import asyncio
import json
import random
import zlib

import msgspec
import pytest
from msgspec.structs import replace

from boonbridge.core.freezing import frozen
from boonbridge.core.state import TableState
from boonbridge.reading.evidence import Broken, TooNew
from boonbridge.tables.exporting import nobody
from boonbridge.tables.fingerprint import made_by
from boonbridge.tables.folding import fold
from boonbridge.tables.ports import SnapshotRow
from boonbridge.tables.snapshots import mark
from boonbridge.tables.verified import verified
from boonbridge_schemas.base import PARTS
from tests.reading.common import GAMES, Prefix, Stored, by_the_script, chained, checked, exported_of, found, log, with_column
from tests.support.house import BOON, HERO, ROLL, ROW, House
from tests.support.logs import Home, lines_of
from tests.support.random_log import Writer, written

FEW = 64


@pytest.fixture(params=sorted(GAMES))
def small(request):
    return log(request.param, FEW)


@pytest.fixture
def one():
    return log("sage_d20", FEW)


def parts_of(commit):
    return {name: json.loads(raw) for name, raw in zip(PARTS, commit.parts, strict=True) if raw}


def rewritten(commits, keys, n, name, text):
    """The log with another text in one column of commit ``n``, and hashes that fit."""
    return chained([with_column(c, name, msgspec.json.encode(text)) if c.seq == n else c for c in commits], keys)


def places(value, path=()):
    """Every plain value in it, by its path; what kind of thing something is, is no value of its own."""
    if isinstance(value, dict):
        for key, inside in value.items():
            if key != "t":
                yield from places(inside, (*path, key))
    elif isinstance(value, list):
        for at, inside in enumerate(value):
            yield from places(inside, (*path, at))
    elif value is not None:
        yield path


def otherwise(value):
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "x"


def changed_at(value, path):
    if not path:
        return otherwise(value)
    made = dict(value) if isinstance(value, dict) else list(value)
    made[path[0]] = changed_at(value[path[0]], path[1:])
    return made


# --- the rules ----------------------------------------------------------------------------------------------------------
def lies(commits):
    """Everything that an event, or the options, of a commit with a command say: where it stands."""
    for commit in commits:
        parts = parts_of(commit)
        if any(part["command"] for part in parts.values()):
            for name, part in parts.items():
                for path in places({"events": part["events"], "options": part["options"]}):
                    yield commit.seq, name, path


async def lies_are_found(row, commits, keys, where):
    honest = Prefix(row, commits, keys)
    for n, name, path in sorted(where, key=lambda one: one[0]):
        part = msgspec.json.encode(changed_at(parts_of(commits[n - 1])[name], path))
        lie = chained([with_column(commits[n - 1], name, part)], keys, commits[n - 2].hash)
        broken = await honest.found(n - 1, lie)
        assert broken is not None, (n, name, path)
        assert broken.seq == n, (path, broken)


def test_an_event_that_says_anything_else_than_the_rules_is_found(small):
    asyncio.run(lies_are_found(*small, random.Random(1).sample(list(lies(small[1])), 60)))


@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_thousand_lies_are_found(game):
    row, commits, keys = log(game, 300)
    asyncio.run(lies_are_found(row, commits, keys, random.Random(2).sample(list(lies(commits)), 1_000)))


@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_logs_of_many_evenings_hold(game):
    for seed in range(20):
        commits, keys, state = asyncio.run(written(game, 500, seed))
        report = checked(replace(ROW, ruleset=game), commits, keys).log
        assert (report.commits, report.recomputed) == (state.seq, state.seq)


def first(commits, kind, fits=lambda _event: True):
    """The first commit that has an event of this kind in the part for everybody: its seq, and that part."""
    for commit in commits:
        part = parts_of(commit).get("all", {"events": []})
        if any(event["t"] == kind and fits(event) for event in part["events"]):
            return commit.seq, part
    raise AssertionError(f"nothing of the kind {kind}")


def test_a_die_that_its_seed_does_not_give_is_named(one):
    row, commits, keys = one
    n, part = first(commits, "CheckRolled", lambda event: not event["rolled"]["manual"])
    die = next(event for event in part["events"] if event["t"] == "CheckRolled")["result"]["dice"][0]
    want, sides = die["face"], die["sides"]
    shown = die["face"] = want % sides + 1
    broken = found(row, rewritten(commits, keys, n, "all", part), keys)
    assert str(broken) == f"commit {n}: die 1 of part all, a d{sides}, shows {shown}; its seed gives {want}"


def test_a_commit_that_nobody_sent_and_the_bridge_does_not_write_is_found(one):
    row, commits, keys = one
    n, part = first(commits, "Invited")
    part["events"] = [{"t": "PoolGiven"}]
    assert found(row, rewritten(commits, keys, n, "all", part), keys).why.startswith("its part all cannot be read")
    part["events"] = [{"t": "SessionContinued"}]
    assert (
        "is nothing that the bridge writes by itself (SessionContinued)"
        in found(row, rewritten(commits, keys, n, "all", part), keys).why
    )
    _, part = first(commits, "Invited")
    part["by"] = "gina"
    changed = [replace(c, by="gina") if c.seq == n else c for c in rewritten(commits, keys, n, "all", part)]
    assert "nothing that the bridge writes by itself (Invited)" in found(row, changed, keys).why


def test_a_command_that_the_rules_refuse_is_found(one):
    row, commits, keys = one
    n, part = first(commits, "ActorSynced")
    part["command"] = {"t": "RevokeGrant", "grant": "999999.1"}
    assert found(row, rewritten(commits, keys, n, "all", part), keys).why == "the rules refuse its command (grant.unknown)"


def test_the_same_id_twice_is_found(one):
    row, commits, keys = one
    n, part = first(commits, "ActorSynced")
    part["id"] = commits[n - 2].command_id
    changed = [replace(c, command_id=part["id"]) if c.seq == n else c for c in rewritten(commits, keys, n, "all", part)]
    assert found(row, changed, keys).why == "its id was used by a commit before it"


# --- headers and epochs -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seq": 31}, "its header says that it is commit 31"),
        ({"table": "other"}, "its header says table other, and this is the log of house"),
        ({"ruleset": "group_d12"}, "its header says the game group_d12, and this table plays sage_d20"),
        ({"at": 1}, "it was made before the commit before it"),
        ({"seedHash": "0" * 64}, None),
    ],
)
def test_a_header_that_says_otherwise_is_found(change, why):
    row, commits, keys = log("sage_d20", 100)
    n = 30
    header = json.loads(commits[n - 1].header) | change
    broken = found(row, rewritten(commits, keys, n, "header", header), keys)
    assert broken.why == why or (why is None and broken.why == f"its seeds are not those that commit {n} promised"), broken
    assert broken.seq == (n if why else n + 64)


def test_two_commits_of_one_millisecond_hold_as_earlier_builds_made_them(one):
    row, commits, keys = one
    n, _ = first(commits, "ActorSynced")
    header = json.loads(commits[n - 1].header) | {"at": json.loads(commits[n - 2].header)["at"]}
    assert checked(row, rewritten(commits, keys, n, "header", header), keys).log.recomputed == len(commits)
    earlier = rewritten(commits, keys, n, "header", header | {"at": header["at"] - 1})
    assert found(row, earlier, keys).why == "it was made before the commit before it"


# --- what is not there, or not of here ----------------------------------------------------------------------------------
def test_a_commit_of_a_newer_format_is_said_to_be_newer_and_nothing_else(one):
    row, commits, keys = one
    for header in (json.loads(commits[9].header) | {"format": 2}, {"format": 7, "what": "nobody knows yet"}):
        changed = [with_column(c, "header", msgspec.json.encode(header)) if c.seq == 10 else c for c in commits]
        broken = found(row, changed, keys)
        assert isinstance(broken, TooNew)
        its = header["format"]
        assert str(broken) == f"commit 10: it was written by a newer Boonbridge (log format {its}; this one knows 1): update"


def test_rules_that_are_not_here_are_said_and_not_failed(one):
    row, commits, keys = one
    report = checked(row, commits, keys, games={}).log
    assert (report.commits, report.recomputed, report.whole) == (len(commits), 0, True)
    ((gap),) = report.gaps
    assert (gap.ruleset, gap.first, gap.last, gap.here) == ("sage_d20", 1, len(commits), None)


class Newer:
    """A game whose rules are of a later version."""

    def __init__(self, game):
        self._game = game
        self.version = game.version + 1

    def __getattr__(self, name):
        return getattr(self._game, name)


def test_a_version_of_the_rules_that_is_not_here_is_folded_and_not_recomputed(one):
    row, commits, keys = one
    game = GAMES["sage_d20"]
    report = checked(row, commits, keys, games={"sage_d20": Newer(game)}).log
    ((gap),) = report.gaps
    assert (gap.version, gap.here, gap.first, gap.last) == (game.version, game.version + 1, 1, len(commits))
    n, part = first(commits, "ActorSynced")
    part["events"] = [{"t": "Voided"}]
    assert found(row, rewritten(commits, keys, n, "all", part), keys) is not None  # what is no event at all is found anyway


def test_a_key_that_is_not_here_is_said(one):
    row, commits, keys = one
    assert found(row, commits, {}).why == "the key that its seeds come from is not here"
    assert found(row, commits, keys | {1: bytes(32)}).why.startswith("its hash does not follow")


def test_a_log_that_lies_under_another_table_is_found(one):
    row, commits, keys = one
    other = Stored(commits, keys)
    other._logs["other"] = other._logs[ROW.id]
    other._keys |= {("other", epoch): key for epoch, key in keys.items()}
    moved = replace(row, id="other")
    with pytest.raises(Broken, match=r"lies in the log of other|does not follow"):
        asyncio.run(verified(other, other, other, moved, GAMES.get))


# --- tapes and hands ----------------------------------------------------------------------------------------------------
async def taped():
    house = House("group_d12")
    house.tape.put(7, 9, 3)
    async with house:
        for cmd in (HERO, BOON, ROLL, ROLL, BOON):
            await house.do(cmd)
        commits = await house.store.read(ROW.id, after=0, limit=100)
        return house.row, commits, {1: await house.store.table_key(ROW.id, 1)}


def test_dice_of_a_tape_are_said_to_be_of_one_and_the_rules_still_hold():
    row, commits, keys = asyncio.run(taped())
    report = checked(row, commits, keys).log
    assert (report.commits, report.recomputed, report.dice) == (len(commits), len(commits), 0)
    assert report.taped > 0
    asyncio.run(lies_are_found(row, commits, keys, [where for where in lies(commits) if "total" in where[2]]))


# --- snapshots ----------------------------------------------------------------------------------------------------------
def snapshot_of(commits, keys, n, **change):
    """The snapshot that a table keeps of commit ``n``, or with something of it changed before it was marked."""
    game = GAMES["sage_d20"]
    state = TableState.opening(game, table=ROW.id)
    for commit in commits[:n]:
        state = fold(state, commit)
    body = zlib.compress(frozen(change.pop("state", lambda state: state)(state)))
    of = {"hash": commits[n - 1].hash, "epoch": state.epoch, "made_by": made_by(game), "body": body, **change}
    row = SnapshotRow(table=ROW.id, seq=n, mac=b"", **of)
    return replace(row, mac=mark(row, keys[1]))


def verified_with(log, *snapshots):
    row, commits, keys = log
    store = Stored(commits, keys)
    store._snapshots = {(ROW.id, snapshot.seq): snapshot for snapshot in snapshots}
    return asyncio.run(verified(store, store, store, row, GAMES.get))


def test_snapshots_are_what_the_full_fold_comes_to(one):
    _, commits, keys = one
    report = verified_with(one, *(snapshot_of(commits, keys, n) for n in (1, 10, 40)))
    assert (report.snapshots, report.foreign) == (3, 0)


def test_a_snapshot_of_another_build_is_not_compared(one):
    _, commits, keys = one
    report = verified_with(one, snapshot_of(commits, keys, 9, made_by="somebody else", body=b"who knows"))
    assert (report.snapshots, report.foreign) == (0, 1)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"state": lambda state: replace(state, title="Another")}, "is not what the log comes to"),
        ({"state": lambda state: replace(state, at=state.at + 1)}, "is not what the log comes to"),
        ({"body": b"no snapshot at all"}, "is not what the log comes to"),
        ({"hash": bytes(32)}, "is of another log"),
        ({"epoch": 7}, "does not carry the mark of this table's key"),
    ],
)
def test_a_snapshot_that_disagrees_is_named(one, change, why):
    _, commits, keys = one
    with pytest.raises(Broken, match=f"commit 12: the snapshot of the table after it {why}"):
        verified_with(one, snapshot_of(commits, keys, 12, **change))


def test_a_snapshot_with_a_changed_byte_is_named(one):
    _, commits, keys = one
    good = snapshot_of(commits, keys, 12)
    for field in ("body", "mac", "hash"):
        raw = getattr(good, field)
        with pytest.raises(Broken, match="commit 12: the snapshot of the table after it"):
            verified_with(one, replace(good, **{field: raw[:5] + bytes([raw[5] ^ 1]) + raw[6:]}))


def test_a_snapshot_beyond_the_end_shows_that_the_end_was_cut(one):
    row, commits, keys = one
    late = snapshot_of(commits, keys, 50)
    with pytest.raises(Broken, match="commit 50: there is a snapshot of the table after it, and the log ends before"):
        verified_with((row, commits[:49], keys), late)


# --- epochs -------------------------------------------------------------------------------------------------------------
async def taken_elsewhere(game, times):
    """A log that was exported and taken over by another bridge again and again, played on each time, and verified there."""
    row, commits, keys = log(game, FEW)
    lines, reports = await exported_of(row, commits, keys, None), []
    for number in range(times):
        async with Home() as home:
            name = f"table-{number}"
            await home.take(lines, name)
            for played in (0, 20):
                if played:
                    await home.play(name, played, number)
                reports.append(
                    (await verified(home.store, home.store, home.store, await home.store.get_table(name), GAMES.get)).log
                )
            lines = await lines_of(home.store, name)
            for told in (lines, await lines_of(home.store, name, nobody("player"))):
                assert by_the_script(b"".join(told)) is None
    return reports


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_log_that_was_taken_elsewhere_holds_over_every_seam(game):
    _, commits, _ = log(game, FEW)
    reports = asyncio.run(taken_elsewhere(game, 2))
    assert [report.table for report in reports] == ["house", "table-0", "table-0", "table-1"]
    for report in reports:
        assert report.recomputed == report.commits >= len(commits)
    seams = [(restart.reason, restart.table) for restart in reports[-1].restarts if restart.reason == "imported"]
    assert seams == [("imported", "house"), ("imported", "table-0")]


async def begun_once_more(written):
    """A table whose whole log is gone, and whose mark says so: it begins again, with seeds that were never shown."""
    house = Writer("sage_d20", 3)
    house.cuts.due = written
    async with house:
        await house.arrive()
        await house.write(20)
        keys = {epoch: key for (_, epoch), key in house.store._keys.items()}
        return house.row, await house.commits(), keys


def test_a_log_that_was_lost_and_begins_once_more_holds():
    row, commits, keys = asyncio.run(begun_once_more(True))
    assert [event["t"] for event in parts_of(commits[0])["all"]["events"]] == ["TableOpened", "LadderRestarted"]
    report = checked(row, commits, keys).log
    assert report.recomputed == len(commits)
    assert report.restarts[0].seq == 1


def restarted(commits, keys, **change):
    """The log with something of a new epoch changed, and every hash made to fit."""
    n, part = first(commits, "LadderRestarted")
    part["events"][0] |= change
    return n, rewritten(commits, keys, n, "all", part)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"epoch": 1}, "it begins epoch 1 of seeds, and epoch 1 runs"),
        ({"epoch": 7}, "its header says epoch 2 of seeds, and epoch 7 runs"),
        ({"seedHashes": ["0" * 64] * 64}, "it promises two different seeds for the same commit"),
    ],
)
def test_an_epoch_that_is_not_what_it_says_is_found(change, why):
    row, commits, keys = log("public_d20", 200)
    n, changed = restarted(commits, keys, **change)
    broken = found(row, changed, keys)
    assert (broken.seq, broken.why) == (n, why)


def test_an_epoch_that_begins_within_another_commit_is_found():
    row, commits, keys = log("public_d20", 200)
    n, part = first(commits, "LadderRestarted")
    part["events"].append({"t": "SessionContinued"})
    assert "that stands in a commit by itself" in found(row, rewritten(commits, keys, n, "all", part), keys).why
    _, opening = first(commits, "TableOpened")
    m, part = first(commits, "Invited")
    part["events"] = opening["events"]
    assert found(row, rewritten(commits, keys, m, "all", part), keys).why == "it opens the table, which is open already"
