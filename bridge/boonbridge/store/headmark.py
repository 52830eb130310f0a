"""Head marks: how far each table's log had come, kept outside the database.

A chain of hashes cannot see that its end was cut off, as happens when an older copy of the database is put back. So the last
seq and hash of every table are written to a small file beside it, with a MAC under the table's key:
``HMAC-SHA256(key, "head" | table | epoch | seq | hash)``. A mark may lag behind the log, never lead: it is noted after the
append, and written at most once a second and at close. When a log is found shorter than its mark, or different where the
mark was made, whoever opens the table begins a new epoch; this room only compares.
"""

import asyncio
import contextlib
import hmac
import os
import re
from collections.abc import Awaitable, Callable
from enum import Enum
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from boonbridge.core.chain import head_mark
from boonbridge.tables.ports import EventStore, Vault

_log = structlog.get_logger("boonbridge.store")
_TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class HeadMark(Struct, frozen=True, kw_only=True):
    """The place a log had reached, as it lies in the file."""

    table: str
    epoch: int
    seq: int
    hash: bytes
    mac: bytes


class _Noted(Struct, frozen=True):
    """A head that is to be marked."""

    table: str
    epoch: int
    seq: int
    hash: bytes
    key: bytes

    def mark(self) -> HeadMark:
        mac = head_mark(self.key, self.table, self.epoch, self.seq, self.hash)
        return HeadMark(table=self.table, epoch=self.epoch, seq=self.seq, hash=self.hash, mac=mac)


class MarkCheck(Enum):
    """What a mark says about a log."""

    ABSENT = "absent"
    """There is no mark (a new table, or it was lost): nothing can be said."""
    HOLDS = "holds"
    """The log goes at least as far as the mark, and through it."""
    SHORTER = "shorter"
    """The log ends before the mark: something was cut off."""
    DIFFERS = "differs"
    """The log has another commit where the mark was made."""
    UNREADABLE = "unreadable"
    """The mark was not written with this table's key: somebody changed the file, or the key."""

    @property
    def needs_new_epoch(self) -> bool:
        """Whether seeds that were already shown could be served again if the table went on as it is."""
        return self not in (MarkCheck.ABSENT, MarkCheck.HOLDS)


class HeadMarks:
    """The marks of one data folder. ``note`` costs nothing; files are written in the background."""

    def __init__(self, folder: Path, *, every: float = 1.0) -> None:
        self._folder = folder
        self._every = every
        self._pending: dict[str, _Noted] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def note(self, table: str, epoch: int, seq: int, hash_: bytes, key: bytes) -> None:
        """Remember a head that is on disk in the log. Only ever call it after the append."""
        if table not in self._pending:
            self._path(table)  # refuses a name that is no table's
        self._pending[table] = _Noted(table, epoch, seq, hash_, key)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._every, self._due)

    def read(self, table: str) -> HeadMark | None:
        """The mark of a table as it lies in its file, unchecked; None where there is none."""
        try:
            # An empty file is what some file systems leave after a power cut: a mark that lags behind everything.
            return msgspec.json.decode(text, type=HeadMark) if (text := self._path(table).read_bytes()) else None
        except FileNotFoundError:
            return None
        except msgspec.DecodeError:
            return HeadMark(table=table, epoch=0, seq=0, hash=b"", mac=b"")  # its MAC holds under no key

    async def check(self, log: EventStore, table: str, key_of: Callable[[int], Awaitable[bytes | None]]) -> MarkCheck:
        """Compare a log with its mark, before the table is used. ``key_of(epoch)`` is the table's key in the vault."""
        mark = self.read(table)
        if mark is None:
            return MarkCheck.ABSENT
        key = await key_of(mark.epoch)
        if (
            key is None
            or mark.table != table
            or not hmac.compare_digest(mark.mac, head_mark(key, table, mark.epoch, mark.seq, mark.hash))
        ):
            return MarkCheck.UNREADABLE
        head, _ = await log.head(table)
        if head < mark.seq:
            return MarkCheck.SHORTER
        there = await log.read(table, after=mark.seq - 1, limit=1)
        return MarkCheck.HOLDS if there and there[0].hash == mark.hash else MarkCheck.DIFFERS

    async def cut(self, log: EventStore, table: str, vault: Vault) -> bool:
        """Whether the log is shorter than it was, or another one: then a new epoch has to begin."""

        async def key_of(epoch: int) -> bytes | None:
            return await vault.table_key(table, epoch)

        return (await self.check(log, table, key_of)).needs_new_epoch

    async def forget(self, table: str) -> None:
        """Keep nothing of a table: neither what is in its file nor what was to be written there."""
        if self._writing is not None:
            await self._writing
        self._pending.pop(table, None)
        path = self._path(table)
        for file in (path, _draft(path)):
            file.unlink(missing_ok=True)

    async def aclose(self) -> None:
        """Write what is not written yet."""
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await self._writing
        await self._write()

    def _due(self) -> None:
        self._timer = None
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write())
        else:  # a slow disk: those of now go with the next round
            self._timer = asyncio.get_running_loop().call_later(self._every, self._due)

    async def _write(self) -> None:
        heads, self._pending = self._pending, {}
        try:
            await asyncio.to_thread(self._save, list(heads.values()))
        except OSError as cause:
            # The log is what counts, and it is on disk. A newer mark of the same table goes before the one that failed.
            _log.warning("head marks were not written", reason=cause.strerror)
            self._pending = heads | self._pending

    def _save(self, heads: list[_Noted]) -> None:
        for head in heads:
            # Replaced whole, so that a reader finds the old or the new. Not synced: a mark may lag, and an fsync here would
            # make rolls wait for it.
            path = self._path(head.table)
            draft = _draft(path)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(head.mark()))
            draft.replace(path)

    def _path(self, table: str) -> Path:
        if not _TABLE.fullmatch(table):
            raise ValueError("not the id of a table")
        return self._folder / f"head-{table}"  # not the bare id: Windows reserves names like `con`


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}")


def prepare(folder: Path) -> None:
    """Make the folder of the marks, readable by its owner alone."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
