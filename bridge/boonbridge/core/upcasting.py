"""Older formats of the log, told in the present one. Stored bytes are never rewritten: they are what is hashed and proven.

Whoever decodes a stored part asks here first. A new format is one more step at the end of ``STEPS``, and a log of the format
before is kept with the goldens. A field with a default, a new event or a new command needs no step.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from boonbridge_schemas.commit import Header, Part

Step = Callable[[dict[str, Any]], dict[str, Any]]
"""A part as it was, decoded from JSON, as the next format would have it. It may change what it is given."""

STEPS: tuple[Step, ...] = ()
"""What leads from format 1 to 2, from 2 to 3, and so on up to ``LOG_FORMAT``."""


class WrittenByNewer(Exception):  # noqa: N818 - no class of ours is called Error
    """A commit is of a format that this version does not know; the message goes on behind its number."""

    def __init__(self, its: int) -> None:
        super().__init__(f"was written by a newer Boonbridge (log format {its}; this one knows {newest()}): update")


class _Format(Struct):
    format: int


_format = msgspec.json.Decoder(_Format)
_header = msgspec.json.Decoder(Header)
_part = msgspec.json.Decoder(Part)
_builtins = msgspec.json.Decoder()
_encode = msgspec.json.Encoder().encode


def newest() -> int:
    """The newest format that is known here."""
    return 1 + len(STEPS)


def header_of(raw: bytes) -> Header:
    """The header of a stored commit.

    Raises:
        WrittenByNewer: it is of a newer format, whatever else it holds.
        msgspec.DecodeError: it is no header.
    """
    try:
        header = _header.decode(raw)
    except msgspec.ValidationError:
        if (its := _format.decode(raw).format) > newest():
            raise WrittenByNewer(its) from None
        raise
    if header.format > newest():
        raise WrittenByNewer(header.format)
    return header


def part_of(raw: bytes, its: int) -> Part:
    """A stored part of format ``its``, which is not empty. Raises ``msgspec.DecodeError`` where it is none."""
    return _part.decode(current(raw, its))


def current(raw: bytes, its: int) -> bytes:
    """A stored part of format ``its`` as JSON of the present one; itself where it is that already, or empty."""
    if its == newest() or not raw:
        return raw
    part = _builtins.decode(raw)
    for step in STEPS[its - 1 :]:
        part = step(part)
    return _encode(part)
