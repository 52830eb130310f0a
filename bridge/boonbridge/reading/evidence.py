"""What is verified: the commits of a log, whether they come out of a data folder or out of a file.

Also what is raised where one does not hold. Where evidence comes from may not be known here.
"""

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, Struct, UnsetType

from boonbridge_schemas.base import PartName


class Shown(Struct, frozen=True):
    """A part that may be read: its stored bytes, its salt and the seed of its dice."""

    raw: bytes
    salt: bytes
    seed: bytes


class Bare(Struct, frozen=True):
    """A part that may not be read: the hashes that stand for it and for its seed."""

    leaf: bytes
    seed_hash: bytes


class Evidence(Struct, frozen=True, kw_only=True):
    """One commit, as far as it may be read. ``header`` and the shown parts are the hashed bytes; hashes are of 32 bytes.

    ``filed``: the command id and the sender as a store keeps them beside the bytes; a file has none. ``promised_by``: which
    commit is said to have published the hash of its seeds, where somebody said so.
    """

    seq: int
    prev_hash: bytes
    hash: bytes
    header: bytes
    parts: Mapping[PartName, Shown | Bare]
    filed: tuple[str, str] | None = None
    promised_by: int | UnsetType | None = UNSET

    @property
    def whole(self) -> bool:
        """Whether every part of it is shown."""
        return all(isinstance(part, Shown) for part in self.parts.values())


class Broken(Exception):  # noqa: N818 - no class of ours is called Error
    """Something does not hold. ``seq``: the commit, None where it is not about one; ``why``: a sentence without a full stop."""

    def __init__(self, seq: int | None, why: str) -> None:
        super().__init__(why if seq is None else f"commit {seq}: {why}")
        self.seq = seq
        self.why = why


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What bytes raise that are not what they should be, however deep they go."""


class TooNew(Broken):
    """It was written by a newer version than this one, which can say nothing about it."""
