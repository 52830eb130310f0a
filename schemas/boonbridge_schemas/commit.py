"""A commit as it is stored and hashed: a public header and four parts by reader (protocol, section 6).

The bytes that are stored are the bytes that are hashed; there is no canonical form to agree on.
"""

from typing import Annotated

from msgspec import Meta, Raw

from .base import Hex, Key, Moment, Record, Scalar, Seq, SystemId, TableId, UserId
from .commands import Command
from .events import Event


class Header(Record, frozen=True, kw_only=True):
    """What everybody may know of a commit. ``seedHash`` is the promise for commit ``seq + 64``."""

    format: Annotated[int, Meta(ge=1)]
    table: TableId
    epoch: Annotated[int, Meta(ge=1)]
    seq: Seq
    at: Moment
    ruleset: Key
    version: Annotated[int, Meta(ge=1)]
    seed_hash: Hex


class Part(Record, frozen=True, kw_only=True):
    """What one group of readers may know of a commit. ``options``: the readings in force that are not the default."""

    id: SystemId
    by: UserId
    events: tuple[Event, ...]
    command: Command | None = None
    options: dict[Key, Scalar | None] = {}


class RawPart(Record, forbid_unknown_fields=False, frozen=True, kw_only=True):
    """A part whose events are passed on without being decoded (live frames, catch-up, history)."""

    id: SystemId
    by: UserId
    events: tuple[Raw, ...]
