"""Frames for viewers out of commits: encoded once per set of readable parts, not once per viewer."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from boonbridge.core import entries
from boonbridge.core.ladder import Rung
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import current, header_of
from boonbridge.core.visibility import Viewer, readable
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.commit import RawPart
from boonbridge_schemas.server import Hidden, RawEntry, RawLogged, RawState

from .ports import StoredCommit

encode = msgspec.json.Encoder().encode
_part = msgspec.json.Decoder(RawPart)


class Told(Struct, frozen=True, kw_only=True):
    """One commit ready to be told: its header and its parts with their events still encoded."""

    seq: int
    epoch: int
    at: int
    hash: str
    seed_hash: str
    by: str
    id: str
    events: Mapping[PartName, tuple[Raw, ...]]


def told(commit: StoredCommit) -> Told:
    """A stored commit, opened as far as telling it needs."""
    header = header_of(commit.header)
    return Told(
        seq=commit.seq,
        epoch=header.epoch,
        at=header.at,
        hash=commit.hash.hex(),
        seed_hash=header.seed_hash,
        by=commit.by,
        id=commit.command_id,
        events={
            name: _part.decode(current(raw, header.format)).events for name, raw in zip(PARTS, commit.parts, strict=True) if raw
        },
    )


def logged(
    commit: Told, viewer: Viewer, rung: Rung, *, changes: Sequence[RawEntry] = (), catchup: bool = False
) -> RawLogged | Hidden:
    """The frame of a commit for a viewer. ``hidden`` where he may read no part of it."""
    parts = [name for name in readable(viewer, commit.by) if name in commit.events]
    if not parts:
        return Hidden(seq=commit.seq, hash=commit.hash, seed_hash=commit.seed_hash)
    return RawLogged(
        seq=commit.seq,
        at=commit.at,
        hash=commit.hash,
        seed_hash=commit.seed_hash,
        by=commit.by,
        id=commit.id,
        events=tuple(event for name in parts for event in commit.events[name]),
        changes=tuple(changes),
        seeds={name: rung.seeds[name].hex() for name in parts},
        catchup=catchup,
    )


def commit_frames(
    commit: Told, viewer: Viewer, rung: Rung, state: TableState, keys: Iterable[str], *, size: int
) -> tuple[bytes, ...]:
    """What a viewer is sent of a commit as it happens, with the entries that it changed for him.

    Where these are more than about ``size`` bytes they go before it in ``state`` frames, so that no frame is larger than the
    wire allows; the commit itself comes last, so that nobody holds it without them.
    """
    keys = tuple(keys)
    frame = logged(commit, viewer, rung)
    if isinstance(frame, Hidden):
        return (encode(frame),)
    changes = raw_entries(state, keys, viewer)
    if sum(len(bytes(entry.value)) + len(entry.key) for entry in changes) <= size:
        return (encode(replace(frame, changes=changes)),)
    return (*state_frames(state, keys, viewer, size=size, nulls=True), encode(frame))


def raw_entries(state: TableState, keys: Iterable[str], viewer: Viewer) -> tuple[RawEntry, ...]:
    """Entries with their values encoded; ``null`` where there is nothing for this viewer."""
    return tuple(
        RawEntry(key=key, value=Raw(encode(entries.value(state, key, viewer))))
        for key in keys
        if entries.tells(state, key, viewer)
    )


def state_frames(state: TableState, keys: Iterable[str], viewer: Viewer, *, size: int, nulls: bool) -> Iterable[bytes]:
    """``state`` frames of at most about ``size`` bytes. ``nulls``: tell also what is gone (after a resume)."""
    batch: list[RawEntry] = []
    room = size
    for key in keys:
        value = entries.value(state, key, viewer)
        if value is None and not (nulls and entries.tells(state, key, viewer)):
            continue
        entry = RawEntry(key=key, value=Raw(encode(value)))
        length = len(key) + len(bytes(entry.value)) + 24
        if batch and length > room:
            yield encode(RawState(entries=tuple(batch)))
            batch, room = [], size
        batch.append(entry)
        room -= length
    if batch:
        yield encode(RawState(entries=tuple(batch)))
