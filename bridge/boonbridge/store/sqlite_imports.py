"""Seeds and salts that came with the log of another bridge, in SQLite."""

from collections.abc import Mapping
from typing import Any

import apsw

from boonbridge.core.ladder import Rung, rung_of
from boonbridge_schemas.base import PARTS, PartName

_RUNGS = "SELECT seq, seeds, salts FROM rungs WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
_ADD_RUNG = "INSERT INTO rungs (table_id, seq, seeds, salts) VALUES (?, ?, ?, ?)"
_SIZE = 32


def rungs_of(db: apsw.Connection, table: str, *, after: int, limit: int) -> Mapping[int, Rung]:
    """Seeds and salts of the commits ``after + 1`` and on, by seq, at most ``limit`` of them."""
    rows: list[Any] = db.execute(_RUNGS, (table, after, limit)).fetchall()
    return {seq: rung_of(_apart(seeds), _apart(salts)) for seq, seeds, salts in rows}


def add_rung(db: apsw.Connection, table: str, seq: int, rung: Rung) -> None:
    """Keep seeds and salts; within the transaction that writes their commit."""
    db.execute(_ADD_RUNG, (table, seq, _joined(rung.seeds), _joined(rung.salts)))


def _apart(joined: bytes) -> dict[PartName, bytes]:
    return {part: joined[at * _SIZE : (at + 1) * _SIZE] for at, part in enumerate(PARTS)}


def _joined(values: Mapping[PartName, bytes]) -> bytes:
    return b"".join(values[part] for part in PARTS)
