"""The node secret: 32 bytes in a file of their own, from which keys for two uses are derived.

Whoever has the database without this file can neither mint tokens nor open the keys that dice come from. Nothing in here
touches the database.

*File.* ``node.key``: 64 hexadecimal digits and a newline, mode 0600. The same file on all nodes that share a store.

*Derived keys.* ``HMAC-SHA256(secret, label)`` with one label per use, so that what is known of one says nothing of another.

*Wrapping* is encrypt-then-MAC with keys for each of the two, over exactly 32 bytes:
``stream = HMAC-SHA512(encryption key, nonce | table | epoch)[:32]``, ``sealed = key XOR stream``,
``tag = HMAC-SHA256(authentication key, version | nonce | table | epoch | sealed)``; fields are length-prefixed. The nonce is
32 fresh random bytes, so that no two wrappings share a stream; table and epoch are bound in, so that a wrapped key moved to
another row does not open.
"""

import hmac
import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from boonbridge.dice.source import field
from boonbridge.store.refused import FolderRefused, KeyRefused
from boonbridge.store.schema import sync_folder

KEY_BYTES = 32
_VERSION = b"\x01"
_NONCE_BYTES = 32
_TAG_BYTES = 32
_WRAPPED_BYTES = len(_VERSION) + _NONCE_BYTES + KEY_BYTES + _TAG_BYTES
_FILE = re.compile(rb"([0-9a-f]{64})\s*")


class NodeSecret:
    """The secret of a node (or of all nodes on one store). Its ``repr`` shows nothing of it."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError("a node secret has 32 bytes")
        self._signing = _derive(secret, b"boonbridge/tokens/1")
        self._encryption = _derive(secret, b"boonbridge/table-keys/encrypt/1")
        self._authentication = _derive(secret, b"boonbridge/table-keys/authenticate/1")

    @property
    def signing_key(self) -> bytes:
        """What tokens are signed with."""
        return self._signing

    def wrap(self, table: str, epoch: int, key: bytes) -> bytes:
        """A table key as it may lie in the database."""
        if len(key) != KEY_BYTES:
            raise ValueError("a table key has 32 bytes")
        nonce = os.urandom(_NONCE_BYTES)
        sealed = _xor(key, self._stream(nonce, table, epoch))
        return _VERSION + nonce + sealed + self._tag(nonce, table, epoch, sealed)

    def unwrap(self, table: str, epoch: int, wrapped: bytes) -> bytes:
        """The key again. Raises ``KeyRefused`` where a bit of it, its row or the node secret is not what it was."""
        nonce = wrapped[1 : 1 + _NONCE_BYTES]
        sealed = wrapped[1 + _NONCE_BYTES : -_TAG_BYTES]
        expected = self._tag(nonce, table, epoch, sealed)
        if len(wrapped) != _WRAPPED_BYTES or wrapped[:1] != _VERSION or not hmac.compare_digest(wrapped[-_TAG_BYTES:], expected):
            raise KeyRefused(
                f"The key of table {table} (epoch {epoch}) does not open: node.key is not the one it was stored with, "
                "or the database was changed. Put the right node.key back."
            )
        return _xor(sealed, self._stream(nonce, table, epoch))

    def _stream(self, nonce: bytes, table: str, epoch: int) -> bytes:
        return hmac.digest(self._encryption, _fields(nonce, table, epoch), "sha512")[:KEY_BYTES]

    def _tag(self, nonce: bytes, table: str, epoch: int, sealed: bytes) -> bytes:
        return hmac.digest(self._authentication, _fields(_VERSION, nonce, table, epoch, sealed), "sha256")


def read_secret(path: Path) -> NodeSecret | None:
    """The secret in a file; None where there is no file."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as cause:
        raise FolderRefused(f"{path} cannot be read: {cause.strerror}.") from cause
    match = _FILE.fullmatch(text)
    if match is None:
        raise FolderRefused(f"{path} does not hold a node secret (64 hexadecimal digits). Put the right file back.")
    return NodeSecret(bytes.fromhex(match[1].decode()))


def make_secret(path: Path) -> NodeSecret:
    """Create the file, readable by its owner alone. Whoever creates it first wins; everybody reads the same secret."""
    # Written under another name and then linked, so that no reader ever finds half a secret and no writer replaces one.
    draft = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            os.write(handle, os.urandom(KEY_BYTES).hex().encode() + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        with suppress(FileExistsError):
            _place(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)
    secret = read_secret(path)
    assert secret is not None
    return secret


def _place(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        draft.replace(path)


def _fields(*fields: bytes | str | int) -> bytes:
    return b"".join(field(value if isinstance(value, bytes) else str(value).encode()) for value in fields)


def _derive(secret: bytes, label: bytes) -> bytes:
    return hmac.digest(secret, label, sha256)


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
