"""The database file: its tables, its version, and how connections to it are opened.

The only place that creates or changes tables. What is read from or written to them may not be in here.
"""

import os
from collections.abc import Callable
from pathlib import Path

import apsw

from boonbridge.store.refused import FolderRefused

APPLICATION_ID = 0x426F6F6E
"""``Boon``: tells our file from any other SQLite database."""

# One entry per version of the schema: entry n takes a file from version n to n + 1. Entries are added, never edited.
# commits has rowids, so that rows, which are large, lie one behind the other as they came, beside two small indexes; clustered
# by its keys it would be twice as large, and a write would read other rows to find its place. Parts lie in columns of their
# own, so that the bytes that were hashed are the bytes that are kept.
MIGRATIONS = (
    """
    CREATE TABLE commits (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL CHECK (seq >= 1),
        command_id TEXT NOT NULL,
        by TEXT NOT NULL,
        header BLOB NOT NULL,
        part_all BLOB NOT NULL,
        part_roller_gm BLOB NOT NULL,
        part_gm BLOB NOT NULL,
        part_roller BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT;
    CREATE UNIQUE INDEX commits_by_command ON commits (table_id, command_id);

    CREATE TABLE tables (
        id TEXT NOT NULL PRIMARY KEY,
        title TEXT NOT NULL,
        ruleset TEXT NOT NULL,
        created INTEGER NOT NULL
    ) WITHOUT ROWID, STRICT;

    CREATE TABLE table_keys (
        table_id TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        wrapped BLOB NOT NULL,
        PRIMARY KEY (table_id, epoch)
    ) WITHOUT ROWID, STRICT;

    CREATE TABLE pairing_codes (
        table_id TEXT NOT NULL,
        code_hash BLOB NOT NULL,
        role TEXT NOT NULL,
        expires INTEGER NOT NULL,
        tries_left INTEGER NOT NULL,
        used TEXT,
        user TEXT,
        PRIMARY KEY (table_id, code_hash)
    ) WITHOUT ROWID, STRICT;

    CREATE TABLE people (
        table_id TEXT NOT NULL,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (table_id, user)
    ) WITHOUT ROWID, STRICT;
    """,
    """
    CREATE TABLE postings (
        table_id TEXT NOT NULL PRIMARY KEY,
        posted INTEGER NOT NULL,
        first INTEGER,
        last INTEGER,
        connection TEXT,
        user TEXT,
        until INTEGER
    ) WITHOUT ROWID, STRICT;
    """,
    # Tables with names in them are made anew, so that nothing of an earlier row is left between their rows.
    """
    CREATE TABLE codes (
        table_id TEXT NOT NULL,
        code_hash BLOB NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        role TEXT NOT NULL,
        user TEXT,
        name TEXT NOT NULL,
        by TEXT,
        made INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        tries_left INTEGER NOT NULL,
        used TEXT,
        PRIMARY KEY (table_id, code_hash)
    ) WITHOUT ROWID, STRICT;
    INSERT INTO codes
        SELECT table_id, code_hash, lower(hex(substr(code_hash, 1, 8))), 'typed', role, user, '', NULL, expires - 600000, expires,
            tries_left, used
        FROM pairing_codes;
    DROP TABLE pairing_codes;

    CREATE TABLE names (
        table_id TEXT NOT NULL,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (table_id, user)
    ) WITHOUT ROWID, STRICT;
    INSERT INTO names SELECT table_id, user, name FROM people;
    DROP TABLE people;

    CREATE TABLE devices (
        table_id TEXT NOT NULL,
        user TEXT NOT NULL,
        device TEXT NOT NULL,
        client TEXT NOT NULL,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        address TEXT NOT NULL,
        since INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        PRIMARY KEY (table_id, user, device)
    ) WITHOUT ROWID, STRICT;
    """,
    # rungs: seeds and salts of commits that another bridge wrote, in the order of the parts, 32 bytes each.
    """
    ALTER TABLE tables ADD COLUMN restart TEXT NOT NULL DEFAULT '';

    CREATE TABLE snapshots (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        epoch INTEGER NOT NULL,
        made_by TEXT NOT NULL,
        body BLOB NOT NULL,
        mac BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT;

    CREATE TABLE rungs (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        seeds BLOB NOT NULL CHECK (length(seeds) = 128),
        salts BLOB NOT NULL CHECK (length(salts) = 128),
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID, STRICT;
    """,
)
VERSION = len(MIGRATIONS)

_BUSY_MS = 2_000  # only a foreign program (a backup, a shell) can be in the way; longer than this is a refusal


def connect_writer(path: Path) -> apsw.Connection:
    """The one connection that writes. Creates the file where there is none, and brings an older one up to date."""
    if not path.exists():
        # Created by us, so that nobody else on the machine can read it; SQLite gives -wal and -shm the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        sync_folder(path.parent)
    db = _connect(path, apsw.SQLITE_OPEN_READWRITE)
    try:
        db.pragma("journal_mode", "WAL")
        db.pragma("synchronous", "FULL")  # an answer means on disk, also after the power went
        db.pragma("secure_delete", 1)  # what is deleted is overwritten
        db.pragma("fullfsync", 1)  # macOS: an fsync that reaches the platter; elsewhere it does nothing
        _migrate(db, path)
    except BaseException:
        db.close(True)
        raise
    return db


def connect_reader(path: Path, *, older: bool = False) -> apsw.Connection:
    """A connection that can only read. The file has to exist and to be of our version; an older one will do if ``older``."""
    db = _connect(path, apsw.SQLITE_OPEN_READONLY)
    try:
        version = _version(db, path)
        if version < VERSION and not older:
            raise FolderRefused(f"{path} has not been brought up to date yet. Start `boonbridge serve` on it once.")
    except BaseException:
        db.close(True)
        raise
    return db


def _connect(path: Path, flags: int) -> apsw.Connection:
    db = apsw.Connection(str(path), flags=flags)
    db.set_busy_timeout(_BUSY_MS)
    return db


def _version(db: apsw.Connection, path: Path) -> int:
    try:
        application, version = int(db.pragma("application_id")), int(db.pragma("user_version"))
    except apsw.NotADBError as cause:
        raise FolderRefused(f"{path} is not a database. Move it away, or choose another folder.") from cause
    if version > VERSION:
        raise FolderRefused(
            f"{path} was written by a newer Boonbridge (file version {version}; this one knows up to {VERSION}). "
            "Update Boonbridge to use it."
        )
    if version and application != APPLICATION_ID:
        raise FolderRefused(f"{path} belongs to another program. Choose another folder.")
    return version


def _migrate(db: apsw.Connection, path: Path) -> None:
    if _version(db, path) == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    for step in MIGRATIONS[_version(db, path) :]:
        db.execute(step)
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", VERSION)
    db.execute("COMMIT")


def is_laid_out_as_ours(db: apsw.Connection) -> bool:
    """Whether a database is made of what its version is made of, and of nothing else: no trigger, no view, no other table."""
    fresh = apsw.Connection(":memory:")
    try:
        for step in MIGRATIONS[: int(db.pragma("user_version"))]:
            fresh.execute(step)
        return _layout(db) == _layout(fresh)
    finally:
        fresh.close()


def damage(db: apsw.Connection) -> str | None:
    """The first thing that SQLite finds wrong with a whole database; None where all of it holds."""
    try:
        ((found,),) = db.execute("PRAGMA integrity_check(1)").fetchall()
    except (apsw.CorruptError, apsw.NotADBError) as cause:
        return str(cause)
    return None if found == "ok" else str(found).splitlines()[-1]  # the first line is a headline where there are two


def _layout(db: apsw.Connection) -> list[tuple[object, ...]]:
    return sorted(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall(), key=str)


class Checkpoints:
    """Moves the write-ahead log into the database between two batches, instead of inside a commit that somebody waits for.

    Counts rows, at about three pages each; SQLite's own measure, the pages of the write-ahead log, is only told through a
    callback within the commit.
    """

    def __init__(self, connect: Callable[[], apsw.Connection], *, rows: int = 400) -> None:
        self._connect = connect
        self._rows = rows
        self._done = 0
        self._emptying = False

    def empty(self) -> None:
        """Leave nothing in the write-ahead log as soon as that can be done: something was deleted that is to be gone."""
        self._emptying = True

    @property
    def emptied(self) -> bool:
        """Whether nothing that was deleted is left in the write-ahead log."""
        return not self._emptying

    def connect(self) -> apsw.Connection:
        """A connection that makes no checkpoint by itself."""
        db = self._connect()
        db.pragma("wal_autocheckpoint", 0)
        self._done = 0  # as far as this connection has counted
        return db

    def rest(self, db: apsw.Connection) -> None:
        """Called when the thread has answered. Never waits for readers."""
        if self._emptying:
            self._empty(db)
        if (count := db.total_changes()) - self._done < self._rows:
            return
        self._done = count
        db.wal_checkpoint()  # where it fails nothing is lost: what was committed lies in the write-ahead log

    def _empty(self, db: apsw.Connection) -> None:
        """Move everything into the database and cut the write-ahead log to nothing; tried again where somebody reads just now."""
        db.set_busy_timeout(0)
        try:
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._emptying = False
        except apsw.BusyError:
            pass
        finally:
            db.set_busy_timeout(_BUSY_MS)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power cut. Windows cannot, and need not."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
