"""Looking back: pages of the past, what is looked for in them, and how the table stood at some moment."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing

import msgspec
from msgspec import Raw

from boonbridge.core import entries
from boonbridge.core.ladder import Rung
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer, readable
from boonbridge.reading.marks import Tones, actors_of, actors_of_deed, corrected, found, seq_of
from boonbridge_schemas.base import CommandId, MarkKind, Seq
from boonbridge_schemas.client import At, History, Wanted
from boonbridge_schemas.codes import Code
from boonbridge_schemas.events import Event
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Marked, RawAsOf, RawEntry, RawPage

from .frames import Told, encode, logged, told
from .hub import Hub
from .ports import StoredCommit
from .rungs import Rungs
from .session import Session
from .table import Table, refused

FARTHEST = 2_000
"""Commits that one request looks through."""

_CHUNK = 50
_event: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


# --- pages of the past --------------------------------------------------------------------------------------------
async def history(hub: Hub, session: Session, frame: History) -> None:
    """A page of the past as this viewer may see it, oldest first, cut where it grows too large."""
    if frame.where is not None:
        await _look(hub, session, frame, frame.where)
        return
    table, limit = session.table, min(frame.limit, hub.limits.page_commits)
    head = table.state.seq
    backwards = frame.after is None
    if frame.after is not None:
        after = min(frame.after, head)
    else:
        before = head + 1 if frame.before is None else min(frame.before, head + 1)
        after = max(0, before - 1 - limit)
        limit = max(0, before - 1 - after)
    commits = await table.read(after=after, limit=limit) if limit else ()
    rungs = await _rungs(hub, table).of(commits)
    frames = [_frame(told(commit), session.viewer, rungs[commit.seq]) for commit in commits]
    whole = len(frames)
    frames = _within(frames, hub.limits.page_bytes, backwards=backwards)
    cut = whole > len(frames)
    more = cut or (after > 0 if backwards else after + whole < head)
    session.outbox.put(encode(RawPage(id=frame.id, commits=tuple(Raw(f) for f in frames), more=more)))


def _rungs(hub: Hub, table: Table) -> Rungs:
    return Rungs(table.state.table, hub.ports.vault, table.ladder)


def _frame(commit: Told, viewer: Viewer, rung: Rung) -> bytes:
    """A stored commit as this viewer may read it."""
    return encode(logged(commit, viewer, rung, catchup=True))


def _within(frames: Sequence[bytes], size: int, *, backwards: bool) -> list[bytes]:
    """As many frames as fit, from the end that was asked for; always at least one."""
    chosen: list[bytes] = []
    for frame in reversed(frames) if backwards else frames:
        size -= len(frame)
        if size < 0 and chosen:
            break
        chosen.append(frame)
    return chosen[::-1] if backwards else chosen


# --- what is looked for -------------------------------------------------------------------------------------------
async def _look(hub: Hub, session: Session, frame: History, where: Wanted) -> None:
    """The commits of the past that fit, as far as one request looks.

    What is hidden from this viewer never fits and is not told, so the answer is as if it were not there, but for how many
    commits there are, which he knows.
    """
    table, limit, viewer = session.table, min(frame.limit, hub.limits.page_commits), session.viewer
    head, room = table.state.seq, hub.limits.page_bytes
    backwards = frame.after is None
    if frame.after is not None:
        looked = min(frame.after, head)
    else:
        looked = head + 1 if frame.before is None else min(max(1, frame.before), head + 1)
    end = max(1, looked - FARTHEST) if backwards else min(head, looked + FARTHEST)
    rungs, tones = _rungs(hub, table), _tones(table.state)
    chosen: list[bytes] = []
    marked: list[Marked] = []
    async with aclosing(_along(table, looked, end, backwards=backwards)) as commits:
        async for commit in commits:
            opened = told(commit)
            marks = await _fits(table, opened, viewer, where, tones)
            if marks is not None:
                raw = _frame(opened, viewer, (await rungs.of((commit,)))[opened.seq])
                room -= len(raw)
                if room < 0 and chosen:
                    break
                chosen.append(raw)
                marked.append(Marked(seq=opened.seq, marks=marks))
            looked = opened.seq
            if len(chosen) == limit:
                break
    if session.viewer != viewer:  # what he was is not what he may see now
        await _look(hub, session, frame, where)
        return
    step = -1 if backwards else 1
    session.outbox.put(
        encode(
            RawPage(
                id=frame.id,
                commits=tuple(Raw(raw) for raw in chosen[::step]),
                more=looked > 1 if backwards else looked < head,
                marks=tuple(marked[::step]),
                looked=looked,
            )
        )
    )


async def _along(table: Table, looked: Seq, end: Seq, *, backwards: bool) -> AsyncGenerator[StoredCommit]:
    """The commits from behind ``looked`` to ``end``, in the direction that is looked; others get their turn now and then."""
    while (looked > end) if backwards else (looked < end):
        after = max(end - 1, looked - 1 - _CHUNK) if backwards else looked
        commits = await table.read(after=after, limit=looked - 1 - after if backwards else min(_CHUNK, end - looked))
        if not commits:  # the table is being deleted
            return
        for commit in reversed(commits) if backwards else commits:
            yield commit
        looked = commits[0 if backwards else -1].seq
        await asyncio.sleep(0)


async def _fits(table: Table, commit: Told, viewer: Viewer, where: Wanted, tones: Tones) -> tuple[MarkKind, ...] | None:
    if where.user not in (None, commit.by):
        return None
    events = _read(commit, viewer)
    marks = found(where, commit.by, events, tones)
    if marks is None or where.actor is None or where.actor in actors_of(events):
        return marks
    for deed in corrected(events):
        for done in await table.read(after=seq_of(deed) - 1, limit=1):
            if where.actor in actors_of_deed(deed, _read(told(done), viewer)):
                return marks
    return None


def _read(commit: Told, viewer: Viewer) -> list[Event]:
    raw = (event for part in readable(viewer, commit.by) for event in commit.events.get(part, ()))
    return [_event.decode(each) for each in raw]


def _tones(state: TableState) -> Tones:
    return {word.key: word.tone for word in state.ruleset.info(state.options, state.data).outcomes}


# --- moments --------------------------------------------------------------------------------------------------------
_MOMENTARY = ("check", "assist", "request")
"""Kinds of entries that ask somebody for something: of a moment that is past nobody is asked."""


async def at(hub: Hub, session: Session, frame: At) -> None:
    """How the table stood after a commit, as its entries tell this viewer."""
    opened = await hub.at(session.claims.table)
    try:
        state = await opened.moments.at(frame.seq)
        keys = _behind(state, frame.after, session.viewer)
    except Refusal as refusal:
        session.outbox.put(encode(refused(refusal, frame.id)))
        return
    session.outbox.put(encode(_as_of(frame.id, state, keys, session.viewer, hub.limits.page_bytes)))


def keys_of(state: TableState) -> list[str]:
    """The entries that a moment is told with, whoever looks."""
    return [key for key in entries.all_keys(state) if key.partition("/")[0] not in _MOMENTARY]


def _behind(state: TableState, after: str | None, viewer: Viewer) -> list[str]:
    """The keys of a moment behind one of them. Raises ``proof.unknown`` where this viewer was told no such entry."""
    keys = keys_of(state)
    if after is None:
        return keys
    if after not in keys or entries.value(state, after, viewer) is None:
        raise Refusal(Code.PROOF_UNKNOWN, "There was no such entry at that moment.", values={"after": after})
    return keys[keys.index(after) + 1 :]


def _as_of(frame_id: CommandId, state: TableState, keys: Iterable[str], viewer: Viewer, room: int) -> RawAsOf:
    """As many entries as fit, at least one. ``more`` where there is anything behind them for this viewer."""
    shown: list[RawEntry] = []
    for key in keys:
        value = entries.value(state, key, viewer)
        if value is None:
            continue
        raw = Raw(encode(value))
        room -= len(key) + len(bytes(raw)) + 24
        if room < 0 and shown:
            return RawAsOf(id=frame_id, seq=state.seq, at=state.at, entries=tuple(shown), more=True)
        shown.append(RawEntry(key=key, value=raw))
    return RawAsOf(id=frame_id, seq=state.seq, at=state.at, entries=tuple(shown))
