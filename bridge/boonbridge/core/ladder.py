"""The seed ladder: every seed is fixed, and its hash published, 64 commits before it is used.

Nobody who holds the hash can be given other dice, and nobody without the table's key can know them beforehand
(protocol, section 6). The key and ``secret`` never leave the server.
"""

import hmac
from hashlib import sha256

from msgspec import Struct

from boonbridge.dice.source import field
from boonbridge_schemas.base import PARTS, PartName

AHEAD = 64
"""How many commits ahead a seed is promised."""

KEY_BYTES = 32


class Rung(Struct, frozen=True):
    """Seeds and salts of one commit, by part, and the hash that promised them. All of 32 bytes."""

    seeds: dict[PartName, bytes]
    salts: dict[PartName, bytes]
    seed_hashes: dict[PartName, bytes]
    promise: bytes


def rung_of(seeds: dict[PartName, bytes], salts: dict[PartName, bytes]) -> Rung:
    """The rung of these seeds and salts, one of each for every part."""
    hashes = {part: sha256(seeds[part]).digest() for part in PARTS}
    promise = sha256(b"".join(map(field, hashes.values()))).digest()
    return Rung(seeds, salts, hashes, promise)


def rung(key: bytes, table: str, epoch: int, seq: int) -> Rung:
    """Everything that ``key`` fixes for commit ``seq`` of a table."""
    message = field(table.encode()) + field(b"%d" % epoch) + field(b"%d" % seq)
    secret = field(hmac.digest(key, message, "sha512"))
    seeds = {part: sha256(secret + name).digest() for part, name in _SEED.items()}
    salts = {part: sha256(secret + name).digest() for part, name in _SALT.items()}
    return rung_of(seeds, salts)


def promised_by(seq: int, first: int) -> int | None:
    """The commit that promised the seeds of ``seq``, where its epoch began with ``first``; those of that one nobody promised."""
    return None if seq == first else max(first, seq - AHEAD)


class Ladder:
    """The rungs of one table and epoch, each computed once and kept while it is ahead of the log."""

    def __init__(self, key: bytes, table: str, epoch: int) -> None:
        self._key = key
        self._table = table
        self.epoch = epoch
        self._rungs: dict[int, Rung] = {}

    def rung(self, seq: int) -> Rung:
        """The rung of commit ``seq``; any seq may be asked, those far behind are computed anew."""
        found = self._rungs.get(seq)
        if found is None:
            found = rung(self._key, self._table, self.epoch, seq)
            self._rungs[seq] = found
        return found

    def forget(self, seq: int) -> None:
        """Let go of a rung that is in the log now."""
        self._rungs.pop(seq, None)

    def promises(self, after: int, count: int = AHEAD) -> tuple[str, ...]:
        """The seed hashes of the ``count`` commits after ``after``, in hex."""
        return tuple(self.rung(seq).promise.hex() for seq in range(after + 1, after + 1 + count))


_SEED: dict[PartName, bytes] = {part: field(b"seed") + field(part.encode()) for part in PARTS}
_SALT: dict[PartName, bytes] = {part: field(b"salt") + field(part.encode()) for part in PARTS}
