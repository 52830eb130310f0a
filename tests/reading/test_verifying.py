"""A log that the table layer wrote holds, and nothing that is changed in it later goes unnoticed.

The long ones are the first show of the log: 2,000 commits of all games and all modes, 2,000 changed bytes, and every removal,
swap, repetition and cut. How a finding is worded stands in ``test_findings.py``.
"""

import asyncio
import json
import random
from functools import partial

import pytest
from msgspec.structs import replace

from boonbridge.store.headmark import HeadMarks, MarkCheck
from tests.reading.common import (
    COLUMNS,
    GAMES,
    Prefix,
    Stored,
    checked,
    column,
    found,
    log,
    with_column,
)
from tests.schemas.common import verify
from tests.support.house import ROW

FEW, MANY = 64, 500
MODES = {"public", "gm", "blind", "secret", "self"}


@pytest.fixture(params=sorted(GAMES))
def small(request):
    return log(request.param, FEW)


@pytest.fixture(params=sorted(GAMES))
def large(request):
    return log(request.param, MANY)


def holds(row, commits, keys):
    report = checked(row, commits, keys).log
    assert (report.commits, report.recomputed) == (len(commits), len(commits))
    assert (report.whole, report.gaps, report.taped) == (True, (), 0)
    parts = [json.loads(raw) for commit in commits for raw in commit.parts if raw]
    assert report.dice == sum(1 for part in parts for _ in verify.dice_of(part["events"])) > 0
    assert report.by_hand == sum(1 for part in parts for _ in verify.dice_of(part["events"], by_hand=True))


def modes_of(commits):
    texts = b"".join(raw for commit in commits for raw in commit.parts)
    return {mode for mode in MODES if f'"mode":"{mode}"'.encode() in texts}


# --- what may be done to it -------------------------------------------------------------------------------------------
def with_a_byte_changed(commits, chance):
    """One commit with one byte of one column changed; of those that are text, one letter."""
    commit = chance.choice(commits)
    name = chance.choice([name for name in COLUMNS if column(commit, name)])
    raw = bytearray(column(commit, name))
    at = chance.randrange(len(raw))
    others = b"abcdefghijklmnopqrstuvwxyz-0123456789" if name in ("command_id", "by") else range(256)
    raw[at] = chance.choice([byte for byte in others if byte != raw[at]])
    changed = with_column(commit, name, bytes(raw))
    return commit.seq, [changed if one is commit else one for one in commits], (commit.seq, name, at)


def without(commits, n):
    return [commit for commit in commits if commit.seq != n]


def closed_up(commits, n):
    return [replace(commit, seq=commit.seq - (commit.seq > n)) for commit in without(commits, n)]


def swapped(commits, n, m):
    places = {n: m, m: n}
    return [replace(commit, seq=places.get(commit.seq, commit.seq)) for commit in commits]


def repeated(commits, n):
    return [*(replace(c, seq=c.seq + (c.seq > n)) for c in commits), replace(commits[n - 1], seq=n + 1)]


def each_change(commits, numbers, chance):
    """The log with a commit removed, swapped, or there twice; with the seq that has to be named."""
    for n in numbers:
        if n < len(commits):  # the last one is a cut tail, which a chain cannot see
            yield n, without(commits, n)
            yield n, closed_up(commits, n)
            yield n, swapped(commits, n, n + 1)
            yield n, swapped(commits, n, chance.randrange(n + 1, len(commits) + 1))
        yield n + 1, repeated(commits, n)


def all_are_found(row, commits, keys, numbers, chance):
    for seq, changed in each_change(commits, numbers, chance):
        broken = found(row, changed, keys)
        assert broken is not None, seq
        assert broken.seq == seq, broken


def bytes_are_found(row, commits, keys, count, chance):
    for _ in range(count):
        seq, changed, where = with_a_byte_changed(commits, chance)
        broken = found(row, changed, keys)
        assert broken is not None, where
        assert broken.seq == seq, (where, broken)


async def named_at_its_place(row, commits, keys, changes):
    """As above, but for what is before the change, which is verified once for all."""
    honest = Prefix(row, commits, keys)
    for seq, changed, where in changes:
        before = min(seq, len(commits)) - 1
        rest = sorted(changed, key=lambda commit: commit.seq)[before:]
        broken = await honest.found(before, rest)
        assert broken is not None, where
        assert broken.seq == seq, (where, broken)


async def cut_is_found(commits, keys, numbers, folder):
    """By the mark that is kept beside the log, and by it alone: what is left holds."""
    last = commits[-1]
    epoch = json.loads(last.header)["epoch"]
    marks = HeadMarks(folder)
    marks.note(ROW.id, epoch, last.seq, last.hash, keys[epoch])
    await marks.aclose()
    for count in numbers:
        store = Stored(commits[:count], keys)
        at = await marks.check(store, ROW.id, partial(store.table_key, ROW.id))
        assert at is (MarkCheck.HOLDS if count == len(commits) else MarkCheck.SHORTER), count


# --- few ----------------------------------------------------------------------------------------------------------------
def test_an_honest_log_holds(small):
    holds(*small)


def test_a_changed_byte_is_found_in_its_commit(small):
    bytes_are_found(*small, 12, random.Random(1))


def test_a_commit_that_is_removed_swapped_or_repeated_is_found(small):
    chance = random.Random(2)
    all_are_found(*small, [1, FEW - 1, *chance.sample(range(2, FEW), 3)], chance)


def test_a_cut_tail_is_found_by_the_mark_beside_it(small, tmp_path):
    _, commits, keys = small
    asyncio.run(cut_is_found(commits, keys, range(1, len(commits) + 1, 9), tmp_path))


# --- many ---------------------------------------------------------------------------------------------------------------
@pytest.mark.long
@pytest.mark.timeout(3_000)
def test_two_thousand_commits_and_two_thousand_changed_bytes(large):
    _, commits, _ = large
    assert modes_of(commits) == MODES
    holds(*large)
    chance = random.Random(3)
    changes = sorted((with_a_byte_changed(commits, chance) for _ in range(500)), key=lambda change: change[0])
    asyncio.run(named_at_its_place(*large, changes))


@pytest.mark.long
@pytest.mark.timeout(3_000)
def test_every_commit_that_is_removed_swapped_or_repeated_is_found(large):
    _, commits, _ = large
    every = each_change(commits, range(1, len(commits) + 1), random.Random(4))
    asyncio.run(named_at_its_place(*large, ((seq, changed, seq) for seq, changed in every)))


@pytest.mark.long
@pytest.mark.timeout(3_000)
def test_every_cut_tail_is_found(large, tmp_path):
    asyncio.run(cut_is_found(large[1], large[2], range(1, len(large[1]) + 1), tmp_path))
