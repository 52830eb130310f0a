"""Whether the database file itself is sound, as SQLite sees it. What is in it may not be known here."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from boonbridge.store.open import looked

_MOST = 5


def faults(folder: Path) -> Sequence[str]:
    """What is wrong with the database of a folder, in SQLite's words; nothing where it is sound. Reads all of it.

    Raises:
        FolderRefused: It cannot be read at all.
    """
    return looked(folder, _faults, [])


def _faults(db: apsw.Connection) -> list[str]:
    try:
        rows: list[Any] = db.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
    except apsw.CorruptError as cause:  # so bad that it stumbled itself
        return [str(cause)]
    return [row[0] for row in rows if row[0] != "ok"]
