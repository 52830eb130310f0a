"""Opening a data folder: who may, what lies in it, and what is handed out.

``log.sqlite`` the database · ``node.key`` the node secret · ``heads/`` head marks · ``lock`` held by the server that uses the
folder · ``backups/`` what it puts by each day. The only room that puts the adapters together; rules of the adapters may not
be in it.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import apsw
from filelock import FileLock

from boonbridge.store import headmark
from boonbridge.store.headmark import HeadMarks
from boonbridge.store.leftovers import sweep
from boonbridge.store.lock import locked
from boonbridge.store.modes import mend_files, mend_folder, mend_key
from boonbridge.store.places import ASIDE, BACKUPS, DATABASE, HEADS, SECRET, SETTINGS, UNFINISHED
from boonbridge.store.refused import FolderInUse, FolderRefused, KeyRefused
from boonbridge.store.schema import Checkpoints, connect_reader, connect_writer
from boonbridge.store.secret import NodeSecret, make_secret, read_secret
from boonbridge.store.sqlite import SqliteLog
from boonbridge.store.sqlite_posted import SqlitePosted
from boonbridge.store.sqlite_snapshots import SqliteSnapshots
from boonbridge.store.sqlite_vault import SqliteTables, SqliteVault, all_names, all_tables, has_keys
from boonbridge.store.worker import Worker, cure
from boonbridge.tables.ports import TableRow

__all__ = ["FolderInUse", "FolderRefused", "KeyRefused", "Store", "list_names", "list_tables", "open_store", "read_signing_key"]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Store:
    """An open data folder: the ports, ready to use."""

    log: SqliteLog
    tables: SqliteTables
    vault: SqliteVault
    posted: SqlitePosted
    snapshots: SqliteSnapshots
    marks: HeadMarks
    _lock: FileLock
    _closing: list[asyncio.Task[None]] = field(default_factory=list, repr=False)

    async def aclose(self) -> None:
        """Finish what was queued, write the last marks, let go of the folder. May be called twice, and be cancelled."""
        if not self._closing:
            self._closing.append(asyncio.get_running_loop().create_task(self._close()))
        await asyncio.shield(self._closing[0])

    async def _close(self) -> None:
        try:
            await self.log.aclose()  # first, so that the marks are never ahead of it
            await self.marks.aclose()
        finally:
            self._lock.release()


def open_store(folder: Path, *, secret_file: Path | None = None) -> Store:
    """Open a data folder for a server, making it where there is none.

    Args:
        folder: Where everything is kept; created with mode 0700, and mended where others may use it.
        secret_file: The node secret, where it is not ``node.key`` in the folder. It is not created there.

    Raises:
        FolderInUse: Another server has it open.
        FolderRefused: It cannot be used; the message says why and what to do.
    """
    lock = locked(folder)
    try:
        return _open(folder, secret_file, lock)
    except apsw.Error as cause:
        lock.release()
        raise FolderRefused(f"{folder / DATABASE} cannot be opened: {cause}.{cure(cause)}") from cause
    except OSError as cause:
        lock.release()
        raise FolderRefused(f"{folder} cannot be used as data folder: {cause.strerror}.") from cause
    except BaseException:
        lock.release()
        raise


def _open(folder: Path, secret_file: Path | None, lock: FileLock) -> Store:
    path = folder / DATABASE
    if (folder / UNFINISHED).exists():
        # Otherwise a folder whose files are on their way would be taken for an empty one, and begun anew.
        raise FolderRefused(
            f"A restore of {folder} broke off. Do it again: boonbridge restore FILE. What was there before lies in "
            f"{folder / ASIDE}… and may be moved back instead; then delete {folder / UNFINISHED}."
        )
    sweep(folder)
    mend_folder(folder, (HEADS, SETTINGS, BACKUPS, *(aside.name for aside in folder.glob(f"{ASIDE}*"))))
    checkpoints = Checkpoints(lambda: connect_writer(path))
    with closing(connect_writer(path)) as first:
        mend_files(folder, HEADS)
        headmark.prepare(folder / HEADS)
        secret = _secret(folder, secret_file, keys=has_keys(first))
    writer = Worker(checkpoints.connect, name="boonbridge-store-writer", rest=checkpoints.rest)
    try:
        reader = Worker(lambda: connect_reader(path), name="boonbridge-store-reader")
    except BaseException:
        writer.close()
        raise
    return Store(
        log=SqliteLog(writer, reader),
        tables=SqliteTables(writer, reader, checkpoints),
        vault=SqliteVault(writer, reader, secret, checkpoints),
        posted=SqlitePosted(writer, reader),
        snapshots=SqliteSnapshots(writer, reader),
        marks=HeadMarks(folder / HEADS),
        _lock=lock,
    )


def _secret(folder: Path, secret_file: Path | None, *, keys: bool) -> NodeSecret:
    path = secret_file or folder / SECRET
    mend_key(path)
    secret = read_secret(path)
    if secret is not None:
        return secret
    if keys or secret_file is not None:
        # A new secret would open none of the keys in the database: better to say so than to begin a second life.
        raise FolderRefused(
            f"{path} is missing, and the keys in {folder / DATABASE} open with it alone. Put it back from a backup."
        )
    return make_secret(path)


# --- without the lock: what the command line may do beside a running server ------------------------------------


def read_signing_key(folder: Path, *, secret_file: Path | None = None) -> bytes:
    """What tokens are signed with: the same bytes as ``Vault.node_secret()``. Never creates anything.

    Raises:
        FolderRefused: There is no node secret yet.
    """
    path = secret_file or folder / SECRET
    secret = read_secret(path)
    if secret is None:
        raise FolderRefused(f"There is no {path}. Start `boonbridge serve` on this folder once; it makes one.")
    return secret.signing_key


def list_tables(folder: Path) -> Sequence[TableRow]:
    """The tables in a folder, as far as they are on disk. Never creates anything.

    Raises:
        FolderRefused: The database is not one of ours, or is newer than we are.
    """
    return looked(folder, all_tables, [])


def list_names(folder: Path, table: str) -> dict[str, str]:
    """What a table's people are called, by user id, as far as it is on disk. Never creates anything.

    Raises:
        FolderRefused: The database is not one of ours, or is newer than we are.
    """
    return looked(folder, lambda db: all_names(db, table), {})


def looked(folder: Path, look: Callable[[apsw.Connection], T], nothing: T) -> T:
    """What is found in a folder's database; ``nothing`` where there is none. Raises ``FolderRefused``."""
    path = folder / DATABASE
    if not path.exists():
        return nothing
    try:
        with closing(connect_reader(path)) as db:
            return look(db)
    except apsw.Error as cause:
        raise FolderRefused(f"{path} cannot be read: {cause}.{cure(cause)}") from cause
