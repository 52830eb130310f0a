"""A log as one file: JSON lines, for reading and checking, and for taking a table elsewhere.

The first line is an ``ExportHead``, then one ``ExportCommit`` for each commit of the log, oldest first and none left out, then
an ``ExportTrailer``, and at last an ``ExportEnd``. Each line ends with one line feed.
"""

from typing import Annotated

from msgspec import Meta

from .base import Hex, Key, Moment, Name, PartName, Record, Role, Seq, TableId, Tagged, UserId
from .server import ProvenPart

EXPORT_FORMAT = 1


class ExportViewer(Record, frozen=True, kw_only=True):
    """Whose eyes an export is for. ``user`` null: nobody in particular, so that no part of a roller is in it."""

    role: Role
    user: UserId | None = None


class ExportHead(Tagged, tag="export", frozen=True, kw_only=True):
    """What this is. ``viewer`` null: the operator's complete export, every part of every commit.

    ``names``: what people are called, since the log does not say; not part of the chain, and proven by nothing.
    """

    format: Annotated[int, Meta(ge=1)]
    table: TableId
    title: Name
    ruleset: Key
    bridge: Annotated[str, Meta(max_length=40)]
    made: Moment
    viewer: ExportViewer | None = None
    names: dict[UserId, Name] = {}


class ExportCommit(Tagged, tag="commit", frozen=True, kw_only=True):
    """One commit, as ``proven`` shows it: readable parts with bytes, salt and seed, of the others only hashes."""

    seq: Seq
    prev_hash: Hex
    hash: Hex
    header: str
    parts: dict[PartName, ProvenPart]
    promised_by: Seq | None


class ExportTrailer(Tagged, tag="trailer", frozen=True, kw_only=True):
    """Where the log ended: so many commits, the last hash, and the mark that only the bridge that wrote it can make.

    ``mac = HMAC-SHA256(key, "head" | table | epoch | seq | hash)`` with the table's key of that epoch.
    """

    count: Seq
    hash: Hex
    epoch: Annotated[int, Meta(ge=1)]
    mac: Hex


class ExportEnd(Tagged, tag="end", frozen=True, kw_only=True):
    """SHA-256 of every byte before this line: finds what was damaged on the way, also where the chain does not reach."""

    sha256: Hex


EXPORT_LINES: tuple[type[Tagged], ...] = (ExportHead, ExportCommit, ExportTrailer, ExportEnd)
ExportLine = ExportHead | ExportCommit | ExportTrailer | ExportEnd
