"""Putting a backup in the place of what a data folder holds. What was there is moved aside, never deleted.

A restored log has shown seeds that it knows nothing of. So every table is marked to begin a new epoch when it is opened next,
and epochs that were begun since are marked as used, so that no number of one ever stands for two.
"""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec
from msgspec import Struct

from boonbridge.store import backup_file
from boonbridge.store.backup import checked, tables_of
from boonbridge.store.backup_file import Held, Manifest
from boonbridge.store.headmark import HeadMarks
from boonbridge.store.leftovers import RESTORING, sweep
from boonbridge.store.lock import locked
from boonbridge.store.places import ASIDE, DATABASE, HEADS, SECRET, UNFINISHED
from boonbridge.store.refused import BackupRefused, FolderRefused
from boonbridge.store.schema import connect_reader, connect_writer, sync_folder
from boonbridge.store.secret import KEY_BYTES, NodeSecret, read_secret

_OF_A_DATABASE = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", HEADS)
_LAST = "SELECT header FROM commits WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
_MOST_EPOCHS = 10_000
"""More than anybody begins; a file that says more is not believed."""


class _Epoch(Struct):
    epoch: int


_epoch = msgspec.json.Decoder(_Epoch)


class Restored(Struct, frozen=True, kw_only=True):
    """What was done. ``aside``: where what was there before lies; None where there was nothing."""

    manifest: Manifest
    aside: Path | None


class Waiting(Struct, frozen=True, kw_only=True):
    """A backup that was unpacked and checked, and what stands in its place: None where nothing does, or nothing can be read.

    ``database``: that of the backup. ``lost``: whether there is another that cannot be read.
    """

    manifest: Manifest
    there: tuple[Held, ...] | None
    database: Path
    lost: bool


@contextmanager
def unpacked(file: Path, folder: Path, *, secret_file: Path | None) -> Iterator[tuple[Waiting, Callable[[str], Restored]]]:
    """A backup beside what it is to replace, and what does it, called with the name of the time. Until then nothing changes.

    Raises:
        BackupRefused: It is none that can be put back here; the message says why.
        FolderInUse, FolderRefused: The folder is being used, or cannot be.
    """
    said = backup_file.read(file)  # wholly, before there is even a folder
    secret_place = secret_file if not said.holds_secret else None
    if not said.holds_secret and (secret_file is None or not secret_file.exists()):
        raise BackupRefused(
            f"{file} was made without its node secret, and nothing in it opens without that. "
            "Say where it lies with --secret-file."
        )
    lock = locked(folder)
    try:
        sweep(folder)
        with _private(folder) as place:
            manifest = backup_file.read(file, place)
            if manifest != said:
                raise BackupRefused(f"{file} is being written just now.")
            secret = read_secret(secret_place or place / SECRET)
            if secret is None:
                raise BackupRefused(f"{secret_place} is missing.")
            tables = checked(place / DATABASE, secret, said=f"The database in {file}")
            if tables != manifest.tables:
                raise BackupRefused(f"{file} does not hold the tables that its {backup_file.MANIFEST} names.")
            there, lost = _there(folder)
            waiting = Waiting(manifest=manifest, there=there, database=place / DATABASE, lost=lost)
            yield waiting, lambda time: _put(place, folder, manifest, secret, time)
    finally:
        lock.release()


def _put(place: Path, folder: Path, manifest: Manifest, secret: NodeSecret, time: str) -> Restored:
    try:
        _mark(place / DATABASE, _epochs(folder), secret)
        aside = _change_places(place, folder, tuple(manifest.members), time)
    except apsw.Error as cause:
        raise BackupRefused(f"The backup could not be made ready: {cause}. Nothing was changed.") from cause
    except OSError as cause:
        raise BackupRefused(f"{folder} could not be changed: {cause.strerror or cause}. It is as it was.") from cause
    return Restored(manifest=manifest, aside=aside)


def _mark(database: Path, used: Counter[str], secret: NodeSecret) -> None:
    """Have every table begin an epoch that nobody has seen, and rely on nothing that was computed from another log."""
    with closing(connect_writer(database)) as db:  # brings an older one up to date, too
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE tables SET restart = 'restored' WHERE restart = ''")  # any other reason says more
        db.execute("DELETE FROM snapshots")
        for (table,) in db.execute("SELECT id FROM tables").fetchall():
            for epoch in range(_in_force(db, str(table)) + 1, min(used[str(table)], _MOST_EPOCHS) + 1):
                # Nothing was or will be drawn from these keys. That they are there says that the epoch was.
                row = (str(table), epoch, secret.wrap(str(table), epoch, os.urandom(KEY_BYTES)))
                db.execute("INSERT INTO table_keys (table_id, epoch, wrapped) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _in_force(db: apsw.Connection, table: str) -> int:
    """The epoch of a table's last commit. Those until then have their keys, or seeds that came with an imported log."""
    rows: list[Any] = db.execute(_LAST, (table,)).fetchall()
    try:
        return _epoch.decode(rows[0][0]).epoch if rows else 0
    except msgspec.DecodeError as cause:
        raise BackupRefused(f"The last commit of table {table} in the backup cannot be read. Nothing was changed.") from cause


def _epochs(folder: Path) -> Counter[str]:
    """The last epoch of each table that was begun in this folder, as far as that can be read; also of what was put aside."""
    found: Counter[str] = Counter()
    for place in (folder, *folder.glob(f"{ASIDE}*")):
        for table, epoch in _begun(place):
            found[table] = max(found[table], epoch)
    return found


def _begun(folder: Path) -> Iterator[tuple[str, int]]:
    with suppress(apsw.Error, FolderRefused), closing(connect_reader(folder / DATABASE, older=True)) as db:
        rows: list[Any] = db.execute("SELECT table_id, max(epoch) FROM table_keys GROUP BY table_id").fetchall()
        yield from rows
    marks = HeadMarks(folder / HEADS)
    for path in (folder / HEADS).glob("head-*"):
        with suppress(OSError, ValueError):
            if (mark := marks.read(path.name.removeprefix("head-"))) is not None:
                yield mark.table, mark.epoch


def _there(folder: Path) -> tuple[tuple[Held, ...] | None, bool]:
    if not (folder / DATABASE).exists():
        return None, False
    try:
        with closing(connect_reader(folder / DATABASE, older=True)) as db:
            return tables_of(db), False
    except (apsw.Error, FolderRefused):
        return None, True


def _change_places(place: Path, folder: Path, members: tuple[str, ...], time: str) -> Path | None:
    """Move what is there aside and the new in. What fails half-way is taken back; what is cut off leaves ``UNFINISHED``."""
    going = [name for name in (*_OF_A_DATABASE, *(m for m in members if m != DATABASE)) if (folder / name).exists()]
    aside = _new_folder(folder, time) if going else None
    (folder / UNFINISHED).touch(mode=0o600)
    sync_folder(folder)
    moves = [(folder / name, aside / name) for name in going if aside is not None]
    moves += [(place / name, folder / name) for name in members]
    done: list[tuple[Path, Path]] = []
    try:
        for source, goal in moves:
            source.rename(goal)
            done.append((source, goal))
        for changed in filter(None, (aside, folder)):
            sync_folder(changed)
    except OSError:
        for source, goal in reversed(done):
            goal.rename(source)
        (folder / UNFINISHED).unlink()
        if aside is not None:
            with suppress(OSError):
                aside.rmdir()
        raise
    (folder / UNFINISHED).unlink()
    sync_folder(folder)
    return aside


def _new_folder(folder: Path, time: str) -> Path:
    """A folder of that time that was not there; a second one within a second gets a number."""
    for number in range(1, 1_000):
        made = folder / (f"{ASIDE}{time}" if number == 1 else f"{ASIDE}{time}-{number}")
        with suppress(FileExistsError):
            made.mkdir(mode=0o700)
            return made
    raise FileExistsError(f"{folder / ASIDE}{time}")


@contextmanager
def _private(folder: Path) -> Iterator[Path]:
    """A folder for the owner's eyes on the same disk, gone afterwards."""
    try:
        place = Path(tempfile.mkdtemp(dir=folder, prefix=RESTORING))
    except OSError as cause:
        raise FolderRefused(f"{folder} cannot be used as data folder: {cause.strerror}.") from cause
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
