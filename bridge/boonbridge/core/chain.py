"""The hash chain over stored bytes (protocol, section 6). What is stored is what is hashed."""

import hmac
from collections.abc import Mapping
from hashlib import sha256

from boonbridge.dice.source import field
from boonbridge_schemas.base import PARTS, PartName

GENESIS = bytes(32)
"""The hash before the first commit."""


def leaf(salt: bytes, part: bytes) -> bytes:
    """The hash that stands for a part where the part itself may not be read. The salt makes it unguessable."""
    return sha256(field(salt) + field(part)).digest()


def link(previous: bytes, header: bytes, leaves: Mapping[PartName, bytes]) -> bytes:
    """The hash of a commit, over the one before it, its header and the leaves of its parts."""
    return sha256(field(previous) + field(header) + b"".join(field(leaves[part]) for part in PARTS)).digest()


def head_mark(key: bytes, table: str, epoch: int, seq: int, head: bytes) -> bytes:
    """The mark kept beside the log: it shows a tail that was cut off, which a chain alone cannot."""
    message = b"".join(field(x) for x in (b"head", table.encode(), b"%d" % epoch, b"%d" % seq, head))
    return hmac.digest(key, message, "sha256")
