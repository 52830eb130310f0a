"""Snapshots of tables in SQLite. What is in one, and whether it may be used, is for ``tables`` to know."""

from collections.abc import Sequence
from typing import Any

from boonbridge.store.sqlite import IF_THERE
from boonbridge.store.worker import Worker
from boonbridge.tables.ports import SnapshotRow

_PUT = f"""
    INSERT INTO snapshots (table_id, seq, hash, epoch, made_by, body, mac) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 {IF_THERE}
    ON CONFLICT DO UPDATE SET hash = excluded.hash, epoch = excluded.epoch, made_by = excluded.made_by, body = excluded.body,
        mac = excluded.mac
"""
_LAST = """
    SELECT table_id, seq, hash, epoch, made_by, body, mac FROM snapshots
    WHERE table_id = ? AND seq <= ? AND made_by = ? ORDER BY seq DESC LIMIT 1
"""
_LIST = "SELECT seq, made_by FROM snapshots WHERE table_id = ? ORDER BY seq"
_DROP_ONE = "DELETE FROM snapshots WHERE table_id = ? AND seq = ?"
_DROP = "DELETE FROM snapshots WHERE table_id = ?1 AND (?2 IS NULL OR made_by <> ?2)"


class SqliteSnapshots:
    """``Snapshots`` over the same two threads as the log."""

    def __init__(self, writer: Worker, reader: Worker) -> None:
        self._writer = writer
        self._reader = reader

    async def put_snapshot(self, row: SnapshotRow) -> None:
        """Keep one, where its table is not deleted yet; of the same table and seq the last stands."""
        values = (row.table, row.seq, row.hash, row.epoch, row.made_by, row.body, row.mac)
        await self._writer.call(lambda db: db.execute(_PUT, values).fetchall())

    async def snapshot(self, table: str, *, upto: int, made_by: str) -> SnapshotRow | None:
        """The latest one by that code, of commit ``upto`` or before."""
        rows: list[Any] = await self._reader.call(lambda db: db.execute(_LAST, (table, upto, made_by)).fetchall())
        return _snapshot(rows[0]) if rows else None

    async def snapshots(self, table: str) -> Sequence[tuple[int, str]]:
        """Which there are: seq and ``made_by``, in order."""
        rows: list[Any] = await self._reader.call(lambda db: db.execute(_LIST, (table,)).fetchall())
        return rows

    async def drop_snapshot(self, table: str, seq: int) -> None:
        """Forget one."""
        await self._writer.call(lambda db: db.execute(_DROP_ONE, (table, seq)).fetchall())

    async def drop_snapshots(self, table: str, *, made_by_others_than: str | None = None) -> None:
        """Forget those of a table: all, or those that other code made."""
        await self._writer.call(lambda db: db.execute(_DROP, (table, made_by_others_than)).fetchall())


def _snapshot(row: Any) -> SnapshotRow:
    table, seq, hash_, epoch, made_by, body, mac = row
    return SnapshotRow(table=table, seq=seq, hash=hash_, epoch=epoch, made_by=made_by, body=body, mac=mac)
