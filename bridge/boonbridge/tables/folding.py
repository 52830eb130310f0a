"""Reading stored commits page by page and folding them into a state: the only way a table comes back to life."""

from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
from msgspec import Struct

from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import WrittenByNewer, current, header_of
from boonbridge.rulesets.base import Ruleset
from boonbridge_schemas.base import PARTS, Seq
from boonbridge_schemas.events import Event

from .ports import EventStore, StoredCommit, TableRow

PAGE = 1_000
_SLICE = 200
"""The commits of a page, where nothing of a log is to be held but what is looked at."""


class _Events(Struct):
    events: tuple[Event, ...]


_events = msgspec.json.Decoder(_Events)


class LogBroken(Exception):  # noqa: N818 - no class of ours is called Error
    """The log of a table cannot be folded: a commit is missing or damaged. It is not used until somebody has looked."""


class LogTooNew(LogBroken):
    """A newer version wrote a commit of it. Nothing is wrong with it, but this version cannot read it."""


def fold(state: TableState, commit: StoredCommit) -> TableState:
    """The state after one more stored commit. Parts are folded in hashing order, as they were decided.

    Raises:
        LogBroken: It is not the next one, or not what was written; the message names it.
        LogTooNew: It is of a newer format.
    """
    if commit.seq != state.seq + 1:
        raise LogBroken(f"table {commit.table}: commit {state.seq + 1} is missing, {commit.seq} follows")
    try:
        header = header_of(commit.header)
        state = begin(state, seq=commit.seq, at=header.at, by=commit.by)
        for _, raw in zip(PARTS, commit.parts, strict=True):
            if raw:
                state = evolve_all(state, _events.decode(current(raw, header.format)).events)
    except WrittenByNewer as newer:
        raise LogTooNew(f"table {commit.table}: commit {commit.seq} {newer}") from None
    except Exception as damage:  # what was written folds; what was altered since may go wrong anywhere
        raise LogBroken(f"table {commit.table}: commit {commit.seq} is not what was written, and cannot be read") from damage
    return state


async def pages(log: EventStore, table: str, upto: Seq) -> AsyncIterator[Sequence[StoredCommit]]:
    """The commits of a log up to ``upto``, as they are stored, a page at a time, so that its length costs no memory.

    Raises:
        LogBroken, StoreUnavailable: It ends before, or cannot be read.
    """
    at = 0
    while at < upto:
        commits = await log.read(table, after=at, limit=min(_SLICE, upto - at))
        if not commits:
            raise LogBroken(f"table {table}: commit {at + 1} is missing")
        yield commits
        at = commits[-1].seq


async def as_it_stands(log: EventStore, row: TableRow, ruleset: Ruleset, seen: Callable[[Seq], None]) -> TableState:
    """The table folded up to the head that its log has now. ``seen`` is told how far it has come.

    Raises:
        LogBroken, StoreUnavailable: It cannot be read.
    """
    head, _ = await log.head(row.id)
    state = TableState.opening(ruleset, table=row.id)
    async for commits in pages(log, row.id, head):
        for commit in commits:
            state = fold(state, commit)
        seen(state.seq)
    return state


async def catch_up(store: EventStore, state: TableState, head_hash: bytes) -> tuple[TableState, bytes]:
    """The state with everything that the log has beyond it, and the hash of its last commit."""
    while commits := await store.read(state.table, after=state.seq, limit=PAGE):
        for commit in commits:
            state = fold(state, commit)
        head_hash = commits[-1].hash
    return state, head_hash
