"""Logs to be verified, as a store has them and as a file has them, and what is found in them when something was changed."""

import asyncio
import copy
import io
import json
from functools import cache

import msgspec
from msgspec.structs import replace

from boonbridge.core.chain import GENESIS, leaf, link
from boonbridge.core.ladder import rung
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import WrittenByNewer
from boonbridge.reading.evidence import Broken
from boonbridge.reading.exported import lines_of, verify_file
from boonbridge.reading.verifying import Verifier
from boonbridge.rulesets.registry import shipped
from boonbridge.store.memory import MemoryStore
from boonbridge.tables.exporting import exported, nobody
from boonbridge.tables.folding import catch_up
from boonbridge.tables.rungs import Rungs
from boonbridge.tables.verified import evidence, verified
from boonbridge_schemas.base import PARTS
from boonbridge_schemas.refusal import Refusal
from tests.schemas.common import verify
from tests.support.house import ROW
from tests.support.random_log import written

GAMES = shipped()
COLUMNS = ("command_id", "by", "header", "hash", *PARTS)


@cache
def log(game, count):
    """A log at random: its row, its commits, and the keys of its epochs."""
    commits, keys, _ = asyncio.run(written(game, count))
    return replace(ROW, ruleset=game), tuple(commits), keys


class Stored(MemoryStore):
    """A store whose rows say what a test wants, also what no bridge writes."""

    def __init__(self, commits, keys):
        super().__init__()
        table = commits[0].table
        self._logs[table] = sorted(commits, key=lambda commit: commit.seq)
        self._keys = {(table, epoch): key for epoch, key in keys.items()}

    async def read(self, table, *, after, limit):
        return [commit for commit in self._logs[table] if commit.seq > after][:limit]

    async def head(self, table):
        last = self._logs[table][-1]
        return last.seq, last.hash


async def _verified(row, commits, keys, games):
    store = Stored(commits, keys)
    return await verified(store, store, store, row, games.get)


def checked(row, commits, keys, games=GAMES):
    """What verifying a stored log comes to. Raises ``Broken``."""
    return asyncio.run(_verified(row, commits, keys, games))


def found(row, commits, keys):
    """What is found in a stored log; None where it holds."""
    try:
        checked(row, commits, keys)
    except Broken as broken:
        return broken
    return None


class Prefix:
    """Verifies an honest log once, commit by commit, and at every place what somebody has made of the rest of it."""

    def __init__(self, row, commits, keys):
        self._commits = commits
        self._rungs = Rungs(row.id, Stored(commits, keys))
        self._verifier = Verifier(GAMES.get, table=row.id)
        self._at = 0

    async def found(self, n, changed):
        """What is found in a log that is the honest one up to commit ``n``, and then ``changed``. ``n`` never goes back."""
        while self._at < n:
            await self._take(self._verifier, self._commits[self._at])
            self._at += 1
        verifier = _twin(self._verifier)
        try:
            for commit in changed:
                await self._take(verifier, commit)
        except Broken as broken:
            return broken
        except (msgspec.DecodeError, Refusal, WrittenByNewer) as damage:  # there are no seeds for such a header
            return Broken(commit.seq, str(damage))
        return None

    async def _take(self, verifier, commit):
        last = verifier.report().hash
        verifier.take(evidence(commit, last, (await self._rungs.of([commit]))[commit.seq]))


def _twin(verifier):
    """The same verifier once more, so that one of them may go another way."""
    twin, links = copy.copy(verifier), copy.copy(verifier._links)
    links.restarts, links._promised = list(links.restarts), dict(links._promised)
    twin._links, twin._ids, twin._gaps = links, set(verifier._ids), list(verifier._gaps)
    return twin


def column(commit, name):
    """The bytes of one column of a stored commit."""
    if name in PARTS:
        return commit.parts[PARTS.index(name)]
    value = getattr(commit, name)
    return value.encode() if isinstance(value, str) else value


def with_column(commit, name, value):
    """The same commit with other bytes in one column."""
    if name in PARTS:
        return replace(commit, parts=tuple(value if part == name else raw for part, raw in zip(PARTS, commit.parts, strict=True)))
    return replace(commit, **{name: value.decode(errors="replace") if name in ("command_id", "by") else value})


def chained(commits, keys, before=GENESIS):
    """The same commits with hashes that fit: what somebody who has the keys could make of them."""
    made = []
    for commit in commits:
        header = json.loads(commit.header)
        salts = rung(keys[header["epoch"]], ROW.id, header["epoch"], commit.seq).salts
        leaves = {name: leaf(salts[name], raw) for name, raw in zip(PARTS, commit.parts, strict=True)}
        before = link(before, commit.header, leaves)
        made.append(replace(commit, hash=before))
    return made


async def exported_of(row, commits, keys, role):
    """The lines of an export, complete or for the eyes of a role."""
    store = Stored(commits, keys)
    state, _ = await catch_up(store, TableState.opening(GAMES[row.ruleset], table=row.id), GENESIS)
    viewer = role and nobody(role)
    lines = exported(store, store, state, viewer, bridge="1", made=1, seen=lambda _seq: None)
    return [line async for line in lines]


def file_of(row, commits, keys, role=None):
    """The lines of an export, complete or for the eyes of a role."""
    return asyncio.run(exported_of(row, commits, keys, role))


def found_in_file(data):
    """What is found in the bytes of an export; None where it holds."""
    try:
        verify_file(lines_of(io.BytesIO(data)), GAMES.get)
    except Broken as broken:
        return broken
    return None


def by_the_script(data):
    """The first thing that the script finds; None where everything holds."""
    file = io.BytesIO(data)
    try:
        return next((what for holds, what in verify.export_checks(file.readline(), file.readline) if not holds), None)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as why:
        return f"no export: {why}"
