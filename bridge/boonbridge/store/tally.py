"""What there is of each table in a data folder, counted: also beside a running server, and of a log that cannot be read.

Nothing is folded and nothing is created. What the numbers are for may not be known here.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
import msgspec
from msgspec import Struct

from boonbridge.store.open import looked
from boonbridge_schemas.base import Moment

_COUNTED = """
    SELECT id,
        (SELECT count(*) FROM commits WHERE table_id = id),
        (SELECT count(*) FROM names WHERE table_id = id)
    FROM tables ORDER BY created, id
"""
_LAST = "SELECT header FROM commits WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
# A quotation mark within a text is written with a backslash before it, so that no words of a person can look like this.
_EVENINGS = """
    SELECT count(*) FROM commits WHERE table_id = ? AND instr(part_all, CAST('{"t":"SessionStarted"' AS BLOB))
"""


class Tally(Struct, frozen=True, kw_only=True):
    """How much there is of a table. ``last``: when its last commit was made, as far as that can be read."""

    commits: int
    named: int
    last: Moment | None


def tallies(folder: Path) -> Mapping[str, Tally]:
    """What there is of each table, by id. Raises ``FolderRefused``."""
    return looked(folder, _tallies, {})


def evenings(folder: Path, table: str) -> int:
    """How many evenings a table's log has begun. Reads the whole log. Raises ``FolderRefused``."""
    return looked(folder, lambda db: _number(db, _EVENINGS, table), 0)


def _tallies(db: apsw.Connection) -> dict[str, Tally]:
    rows: list[Any] = db.execute(_COUNTED).fetchall()
    return {table: Tally(commits=commits, named=named, last=_last(db, table)) for table, commits, named in rows}


def _last(db: apsw.Connection, table: str) -> Moment | None:
    rows: list[Any] = db.execute(_LAST, (table,)).fetchall()
    try:
        return _when.decode(rows[0][0]).at if rows else None
    except msgspec.DecodeError:
        return None


def _number(db: apsw.Connection, statement: str, table: str) -> int:
    rows: list[Any] = db.execute(statement, (table,)).fetchall()
    return int(rows[0][0])


class _When(Struct):
    at: Moment


_when = msgspec.json.Decoder(_When)
