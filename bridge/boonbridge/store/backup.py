"""Making a backup of a data folder, also while a server writes there, and checking it before it has its name."""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from boonbridge.store import backup_file
from boonbridge.store.backup_file import Held, Manifest
from boonbridge.store.places import DATABASE, SECRET, SETTINGS
from boonbridge.store.refused import BackupRefused, FolderRefused, KeyRefused
from boonbridge.store.schema import APPLICATION_ID, VERSION, connect_reader, damage, is_laid_out_as_ours, sync_folder
from boonbridge.store.secret import NodeSecret, read_secret
from boonbridge.store.worker import cure

_STEPS = 50_000
"""Steps of SQLite between two looks at whether to stop: some milliseconds."""
_HEAD = "SELECT seq, hash FROM commits WHERE table_id = ? ORDER BY seq DESC LIMIT 1"


def back_up(
    folder: Path,
    target: Path,
    *,
    secret_file: Path | None,
    bridge: str,
    made: int,
    spare: int = 0,
    stopped: Callable[[], bool] = bool,
) -> Manifest:
    """Write a backup of a folder, which may be in use, to a file that is not there yet.

    Args:
        folder: The data folder. Only read.
        target: The file to make, with mode 0600. It has its name when all of it is on the disk and was checked.
        secret_file: Where the node secret lies, if not in the folder. It is not put into the backup then.
        bridge: The version that makes it.
        made: Now, in Unix milliseconds.
        spare: Bytes that have to stay free on the disk.
        stopped: Asked now and then; once it says yes, nothing is made.

    Raises:
        FolderRefused: There is nothing there, or nothing of ours.
        BackupRefused: It cannot be made, and why; also where the folder's database is damaged.
        InterruptedError: ``stopped`` said so.
    """
    source = folder / DATABASE
    if not source.exists():
        raise FolderRefused(f"There is no {source}, so there is nothing to back up.")
    if target.exists():
        raise BackupRefused(f"{target} is there already. Nothing is written over it.")
    elsewhere = secret_file is not None and not _same(secret_file, folder / SECRET)
    secret = read_secret(secret_file or folder / SECRET)
    if secret is None and not elsewhere:
        raise BackupRefused(f"{folder / SECRET} is missing, and without it nothing in {source} opens. No backup was made.")
    try:
        _make_room(folder, target.parent, spare)
        # Beside the file itself: on the same disk, and for the same eyes.
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as name:
            place = Path(name)
            copy = place / DATABASE
            _copy(source, copy, stopped)
            tables = checked(copy, secret, said=f"The copy of {source}")
            sources = {DATABASE: copy}
            if not elsewhere:
                sources[SECRET] = folder / SECRET
            if (folder / SETTINGS).is_file():
                sources[SETTINGS] = folder / SETTINGS
            draft = place / target.name
            manifest = backup_file.write(draft, sources, bridge=bridge, made=made, tables=tables, stopped=stopped)
            if backup_file.read(draft, stopped=stopped) != manifest:
                raise BackupRefused(f"{target} did not come out as it was written. No backup was made.")
            _name(draft, target)
    except InterruptedError:
        raise
    except OSError as cause:
        raise BackupRefused(f"{target} could not be written: {cause.strerror or cause}. No backup was made.") from cause
    return manifest


def checked(database: Path, secret: NodeSecret | None, *, said: str) -> tuple[Held, ...]:
    """The tables of a database that nobody uses, once all of it was looked at; with ``secret`` also whether its keys open.

    Raises:
        BackupRefused: It is damaged, or not ours, or newer, or its keys do not open. ``said``: what it is called then.
    """
    try:
        db = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            version = int(db.pragma("user_version"))
            if version > VERSION:
                raise BackupRefused(
                    f"{said} was written by a newer Boonbridge (file version {version}; this one knows up to {VERSION}). "
                    "Update Boonbridge first."
                )
            if not version or db.pragma("application_id") != APPLICATION_ID or not is_laid_out_as_ours(db):
                raise BackupRefused(f"{said} is no database of Boonbridge.")
            if (found := damage(db)) is not None:
                raise BackupRefused(f"{said} is damaged: {found}.")
            if secret is not None:
                keys: list[Any] = db.execute("SELECT table_id, epoch, wrapped FROM table_keys").fetchall()
                for table, epoch, wrapped in keys:
                    secret.unwrap(table, epoch, wrapped)
            return tables_of(db)
        finally:
            db.close()
    except KeyRefused as cause:
        raise BackupRefused(f"{said} and the node secret do not belong together: {cause}") from cause
    except apsw.Error as cause:
        raise BackupRefused(f"{said} cannot be read: {cause}.") from cause


def tables_of(db: apsw.Connection) -> tuple[Held, ...]:
    """How far each table's log goes."""
    rows: list[Any] = db.execute("SELECT id, title FROM tables ORDER BY created, id").fetchall()
    heads: list[Any] = [(*(db.execute(_HEAD, (table,)).fetchall() or [(0, bytes(32))])[0],) for table, _ in rows]
    return tuple(
        Held(id=table, title=title, seq=seq, hash=hash_.hex()) for (table, title), (seq, hash_) in zip(rows, heads, strict=True)
    )


def _copy(source: Path, copy: Path, stopped: Callable[[], bool]) -> None:
    """All of a database as it stands at one moment, whoever writes meanwhile, and nothing of what was deleted from it."""
    try:
        db = connect_reader(source, older=True)
    except apsw.Error as cause:
        raise BackupRefused(f"{source} cannot be read: {cause}. No backup was made.{cure(cause)}") from cause
    try:
        db.set_progress_handler(stopped, _STEPS)
        if (found := damage(db)) is not None:
            raise BackupRefused(f"{source} is damaged: {found}. No backup was made; restore an earlier one.")
        copy.touch(mode=0o600)  # SQLite fills an empty file and leaves its mode
        db.execute("VACUUM INTO ?", (str(copy),)).fetchall()
    except apsw.InterruptError as cause:
        raise InterruptedError from cause
    except apsw.FullError as cause:
        raise BackupRefused(f"{copy.parent.parent} is full. No backup was made.") from cause
    except apsw.Error as cause:
        raise BackupRefused(f"{source} could not be copied: {cause}. No backup was made.{cure(cause)}") from cause
    finally:
        db.close()


def _make_room(folder: Path, place: Path, spare: int) -> None:
    """Refuse what the disk has no room for: a copy, and the zip of it. A full disk would keep the table from going on."""
    size = sum(file.stat().st_size for file in folder.glob(f"{DATABASE}*"))
    if (free := shutil.disk_usage(place).free) < 2 * size + spare:
        raise BackupRefused(
            f"There is no room for a backup in {place}: {_mib(free)} are free, and it takes {_mib(2 * size + spare)} "
            "for a while. No backup was made."
        )


def _mib(size: int) -> str:
    return f"{size / 2**20:.1f} MiB"


def _name(draft: Path, target: Path) -> None:
    """Give it its name, and never one that somebody else has taken meanwhile."""
    try:
        os.link(draft, target)
    except FileExistsError:
        raise BackupRefused(f"{target} is there already. Nothing is written over it.") from None
    except OSError:  # a file system without hard links
        if target.exists():
            raise BackupRefused(f"{target} is there already. Nothing is written over it.") from None
        draft.replace(target)
    sync_folder(target.parent)


def _same(left: Path, right: Path) -> bool:
    with suppress(OSError):
        return left.samefile(right)
    return False
