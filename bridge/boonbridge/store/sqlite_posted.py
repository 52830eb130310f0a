"""How far cards have been posted, and who is to post, in SQLite: one row per table, changed by compare-and-set."""

from typing import Any

import apsw

from boonbridge.store.sqlite import IF_THERE
from boonbridge.store.worker import Worker
from boonbridge.tables.ports import Offer, Posting

_READ = "SELECT posted, first, last, connection, user, until FROM postings WHERE table_id = ?"
_CHANGE = """
    UPDATE postings SET posted = ?2, first = ?3, last = ?4, connection = ?5, user = ?6, until = ?7
    WHERE table_id = ?1 AND posted = ?8 AND first IS ?9 AND last IS ?10 AND connection IS ?11 AND user IS ?12 AND until IS ?13
"""
# A row that is not there is an empty one.
_FIRST = f"INSERT INTO postings (table_id, posted) SELECT ?1, 0 {IF_THERE} ON CONFLICT DO NOTHING"


class SqlitePosted:
    """``Posted`` over the same two threads as the log."""

    def __init__(self, writer: Worker, reader: Worker) -> None:
        self._writer = writer
        self._reader = reader

    async def posting(self, table: str) -> Posting:
        """The row of a table; an empty one where there is none."""
        rows: list[Any] = await self._reader.call(lambda db: db.execute(_READ, (table,)).fetchall())
        return _posting(table, rows[0]) if rows else Posting(table=table)

    async def swap_posting(self, before: Posting, after: Posting) -> bool:
        """Put ``after`` in the place of ``before``. False where something else stands there."""
        assert before.table == after.table, "a row stays with its table"
        return await self._writer.call(lambda db: _swap(db, before, after))


def _swap(db: apsw.Connection, before: Posting, after: Posting) -> bool:
    values = (after.table, *_values(after), *_values(before))
    db.execute(_CHANGE, values)
    if db.changes() or before != Posting(table=before.table):
        return bool(db.changes())
    db.execute(_FIRST, (before.table,))
    if db.changes():
        db.execute(_CHANGE, values)
    return bool(db.changes())


def _values(row: Posting) -> tuple[int | str | None, ...]:
    offer = row.offer
    if offer is None:
        return (row.posted, None, None, None, None, None)
    return (row.posted, offer.first, offer.last, offer.connection, offer.user, offer.until)


def _posting(table: str, row: Any) -> Posting:
    posted, first, last, connection, user, until = row
    offer = None if first is None else Offer(first=first, last=last, connection=connection, user=user, until=until)
    return Posting(table=table, posted=posted, offer=offer)
