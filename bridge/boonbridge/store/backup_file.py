"""The file of a backup: a zip with the database, the node secret, the settings, and a manifest that says what each is.

::

    log.sqlite        the database, whole and consistent
    node.key          the node secret; not where it lies somewhere else (--secret-file)
    boonbridge.toml   the settings, where there are any
    manifest.json     {format, bridge, made, tables: [{id, title, seq, hash}], members: {name: {bytes, sha256}}}

Read wholly and compared with its manifest before anything of it is used, whoever made it. Only these names are ever taken out,
each under its own name, so that a name with a path in it leads nowhere. What is done with it may not be in here.
"""

import hashlib
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import msgspec
from msgspec import Meta, Struct

from boonbridge.store.places import DATABASE, SECRET, SETTINGS
from boonbridge.store.refused import BackupRefused

FORMAT = 1
MANIFEST = "manifest.json"
MEMBERS = (DATABASE, SECRET, SETTINGS)

_CHUNK = 2**20
_LONGEST_MANIFEST = 16 * 2**20
_LAST_MOMENT = 253_402_300_799_999
"""The end of the year 9999; there is no date behind it."""
_Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
# What the library raises where a zip is none, was cut off, or was altered.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    UnicodeError,
    ValueError,
    struct.error,
)


class Held(Struct, frozen=True, kw_only=True):
    """How far a table's log goes in a backup: seq and hash of its last commit; 0 and zeros where it has none."""

    id: str
    title: str
    seq: int
    hash: _Hash


class Member(Struct, frozen=True):
    """A file in the zip."""

    bytes: int
    sha256: _Hash


class Manifest(Struct, frozen=True, kw_only=True):
    """What a backup says of itself. ``made`` in Unix milliseconds, ``bridge`` the version that made it."""

    format: int
    bridge: Annotated[str, Meta(max_length=40)]
    made: Annotated[int, Meta(ge=0, le=_LAST_MOMENT)]
    tables: tuple[Held, ...]
    members: dict[str, Member]

    @property
    def holds_secret(self) -> bool:
        """Whether the node secret is in it."""
        return SECRET in self.members


class _Version(Struct):
    format: int
    bridge: str = "?"


def write(
    draft: Path, sources: dict[str, Path], *, bridge: str, made: int, tables: tuple[Held, ...], stopped: Callable[[], bool]
) -> Manifest:
    """Write a backup under a name that nobody knows yet, for its owner's eyes, and have it on the disk.

    Raises:
        OSError: It cannot be written.
        InterruptedError: ``stopped`` said so.
    """
    members: dict[str, Member] = {}
    with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, source in sources.items():
                with source.open("rb") as file, packed.open(_info(name), "w", force_zip64=True) as member:
                    members[name] = _copied(file, member.write, stopped)
            manifest = Manifest(format=FORMAT, bridge=bridge, made=made, tables=tables, members=members)
            packed.writestr(_info(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    return manifest


def read(path: Path, into: Path | None = None, *, stopped: Callable[[], bool] = bool) -> Manifest:
    """Read a backup to its end and compare it with its manifest; take its members out ``into`` a folder, if that is said.

    Raises:
        BackupRefused: It is no backup, or not what it was, or a newer Boonbridge made it.
        InterruptedError: ``stopped`` said so.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            manifest = _manifest(path, packed)
            for name, said in manifest.members.items():
                if _taken(packed, name, said, into, stopped) != said:
                    raise BackupRefused(f"{path} was altered or is damaged: {name} in it is not what was put there.")
    except InterruptedError:
        raise
    except _BROKEN as cause:
        raise BackupRefused(f"{path} is no backup of Boonbridge, or it was cut off or altered: {_said(cause)}.") from cause
    except OSError as cause:
        raise BackupRefused(f"{path} cannot be read: {cause.strerror or cause}.") from cause
    return manifest


def tables_in(path: Path) -> tuple[Held, ...]:
    """The tables that a file says it holds, without a look at the rest of it; none where it is no backup."""
    try:
        with zipfile.ZipFile(path) as packed:
            return _manifest(path, packed).tables
    except (BackupRefused, OSError, *_BROKEN):
        return ()


def _manifest(path: Path, packed: zipfile.ZipFile) -> Manifest:
    found = {info.filename: info for info in packed.infolist()}
    if MANIFEST not in found or found[MANIFEST].file_size > _LONGEST_MANIFEST:
        raise BackupRefused(f"{path} is a zip file, but no backup of Boonbridge: it has no {MANIFEST} of ours.")
    text = packed.read(MANIFEST)
    try:
        version = msgspec.json.decode(text, type=_Version)
        if version.format > FORMAT:
            raise BackupRefused(
                f"{path} was made by a newer Boonbridge ({version.bridge[:40]}; backup format {version.format}, this one knows "
                f"{FORMAT}). Update Boonbridge to put it back."
            )
        manifest = msgspec.json.decode(text, type=Manifest)
    except (msgspec.DecodeError, RecursionError) as cause:
        raise BackupRefused(f"{path} is a zip file, but no backup of Boonbridge: it has no {MANIFEST} of ours.") from cause
    if len(found) != len(packed.infolist()):
        raise BackupRefused(f"{path} holds two files of one name, which no backup does.")
    for name in sorted({*found, *manifest.members} - {MANIFEST, *MEMBERS}):
        raise BackupRefused(f"{path} holds {name[:60]!r}, which no backup does.")
    if set(manifest.members) != set(found) - {MANIFEST} or DATABASE not in found:
        raise BackupRefused(f"{path} does not hold the files that its {MANIFEST} names.")
    return manifest


def _taken(packed: zipfile.ZipFile, name: str, said: Member, into: Path | None, stopped: Callable[[], bool]) -> Member | None:
    if packed.getinfo(name).file_size != said.bytes:  # known before it is unpacked, whatever it would come to
        return None
    with packed.open(name) as member:
        if into is None:
            return _copied(member, len, stopped, said.bytes)
        with _made(into / name) as out:
            copied = _copied(member, out.write, stopped, said.bytes)
            out.flush()
            os.fsync(out.fileno())
            return copied


@contextmanager
def _made(path: Path) -> Iterator[IO[bytes]]:
    """A new file for its owner's eyes. Raises ``BackupRefused`` where it cannot be written."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            yield out
    except OSError as cause:
        raise BackupRefused(f"The backup cannot be unpacked into {path.parent.parent}: {cause.strerror}.") from cause


def _copied(source: IO[bytes], write_: Callable[[bytes], int], stopped: Callable[[], bool], longest: int | None = None) -> Member:
    """What went from one to the other; no more than one byte over ``longest``."""
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK if longest is None else min(_CHUNK, longest + 1 - size)):
        if stopped():
            raise InterruptedError
        digest.update(chunk)
        size += len(chunk)
        write_(chunk)
    return Member(size, digest.hexdigest())


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)  # of 1980: when it was made stands in the manifest, to the millisecond
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


def _said(cause: Exception) -> str:
    """A library's word for it, as the end of a sentence."""
    words = str(cause).strip("'\"").rstrip(".!") or type(cause).__name__
    return words[:120]
