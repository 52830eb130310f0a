"""A data folder to be read, with or without a server that uses it: the same ports over one connection that cannot write.

Nothing is made or changed here, not even where it is missing or could be mended.
"""

from dataclasses import dataclass
from pathlib import Path

import apsw

from boonbridge.store.headmark import HeadMarks
from boonbridge.store.places import DATABASE, HEADS, SECRET
from boonbridge.store.refused import FolderRefused
from boonbridge.store.schema import Checkpoints, connect_reader
from boonbridge.store.secret import read_secret
from boonbridge.store.sqlite import SqliteLog
from boonbridge.store.sqlite_snapshots import SqliteSnapshots
from boonbridge.store.sqlite_vault import SqliteTables, SqliteVault
from boonbridge.store.worker import Worker


@dataclass(frozen=True, kw_only=True)
class Beside:
    """An open data folder for reading; whatever would write raises ``StoreUnavailable``."""

    log: SqliteLog
    tables: SqliteTables
    vault: SqliteVault
    snapshots: SqliteSnapshots
    marks: HeadMarks

    async def aclose(self) -> None:
        """Let go of the files."""
        await self.log.aclose()


def open_beside(folder: Path, *, secret_file: Path | None = None) -> Beside:
    """Open a data folder for reading.

    Raises:
        FolderRefused: There is nothing to read, or it cannot be read; the message says why and what to do.
    """
    path, key = folder / DATABASE, secret_file or folder / SECRET
    if not path.exists():
        raise FolderRefused(f"There is no {path}. Start `boonbridge serve` on this folder once; it makes one.")
    secret = read_secret(key)
    if secret is None:
        raise FolderRefused(f"{key} is missing, and the keys in {path} open with it alone. Put it back from a backup.")
    try:
        reader = Worker(lambda: connect_reader(path), name="boonbridge-store-beside")
    except apsw.Error as cause:
        raise FolderRefused(f"{path} cannot be read: {cause}.") from cause
    checkpoints = Checkpoints(lambda: connect_reader(path))
    return Beside(
        log=SqliteLog(reader, reader),
        tables=SqliteTables(reader, reader, checkpoints),
        vault=SqliteVault(reader, reader, secret, checkpoints),
        snapshots=SqliteSnapshots(reader, reader),
        marks=HeadMarks(folder / HEADS),
    )
