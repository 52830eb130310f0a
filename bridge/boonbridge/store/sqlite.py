"""The log in SQLite: one durable transaction per batch, in the thread that alone may write.

Reads have a thread and a connection of their own and never wait for writes. Keys, codes and people are in
``sqlite_vault``; what a commit means may not be known here.
"""

from collections.abc import AsyncIterator, Sequence
from functools import cache, partial
from typing import Any

import apsw

from boonbridge.store.worker import Worker
from boonbridge.tables.ports import Appended, AppendResult, CommandKnown, Notice, SeqTaken, StoredCommit

EMPTY_HEAD = (0, bytes(32))
IF_THERE = "WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?1)"
"""Behind what is kept beside a log: whoever was slow leaves no row of a table that was deleted meanwhile."""

_LARGEST = 256
_FIELDS = 10

# The way of nearly every batch: one statement, which is a transaction by itself. One and not one per commit, because the
# thread gives up the interpreter at every statement, and beside a busy event loop it waits long to get it back.
# All or nothing: a conflict on either key refuses it, and so does a seq that would leave a gap (hash becomes NULL).
# Rows of NULL fill up to a power of two, so that few different statements are ever compiled.
_ALL_OR_NOTHING = """
    INSERT INTO commits (table_id, seq, command_id, by, header, part_all, part_roller_gm, part_gm, part_roller, hash)
    SELECT column1, column2, column3, column4, column5, column6, column7, column8, column9, CASE
        WHEN column2 = 1 OR EXISTS (SELECT 1 FROM commits WHERE table_id = column1 AND seq = column2 - 1) THEN column10 END
    FROM (VALUES {rows}) WHERE column1 IS NOT NULL
"""
# The way of a batch that has a loser: this inserts nothing for him, and spoils nothing for the others.
ADD_COMMIT = """
    INSERT INTO commits (table_id, seq, command_id, by, header, part_all, part_roller_gm, part_gm, part_roller, hash)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
    WHERE ?2 = 1 OR EXISTS (SELECT 1 FROM commits WHERE table_id = ?1 AND seq = ?2 - 1)
    ON CONFLICT DO NOTHING
"""
_KNOWN = "SELECT 1 FROM commits WHERE table_id = ? AND command_id = ?"
_COLUMNS = "SELECT table_id, seq, command_id, by, header, part_all, part_roller_gm, part_gm, part_roller, hash FROM commits "
_READ = _COLUMNS + "WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
_FIND = _COLUMNS + "WHERE table_id = ? AND command_id = ?"
_HEAD = "SELECT seq, hash FROM commits WHERE table_id = ? ORDER BY seq DESC LIMIT 1"


class SqliteLog:
    """``EventStore`` over one writing and one reading thread, which it closes."""

    def __init__(self, writer: Worker, reader: Worker) -> None:
        self._writer = writer
        self._reader = reader

    async def append(self, batch: Sequence[StoredCommit]) -> Sequence[AppendResult]:
        """Write at most one commit per table; on disk when this returns.

        ``SeqTaken`` is also the answer to a seq that would leave a gap: either way the caller's picture of the log is
        wrong, and loading it anew is the cure.
        """
        assert len({commit.table for commit in batch}) == len(batch), "two commits of one table in a batch"
        return await self._writer.call(partial(_append, batch=batch))

    async def read(self, table: str, *, after: int, limit: int) -> Sequence[StoredCommit]:
        """Commits ``after + 1`` and on, in order, at most ``limit``."""
        assert limit >= 0, "SQLite takes a negative limit for none at all"
        return await self._reader.call(lambda db: [_commit(row) for row in db.execute(_READ, (table, after, limit))])

    async def find(self, table: str, command_id: str) -> StoredCommit | None:
        """The commit that a command id made."""
        found = await self._reader.call(lambda db: [_commit(row) for row in db.execute(_FIND, (table, command_id))])
        return found[0] if found else None

    async def head(self, table: str) -> tuple[int, bytes]:
        """The last seq and its hash; (0, 32 zero bytes) for an empty log."""
        # fetchall, here and everywhere: a statement left before its last row keeps its snapshot open.
        found: list[Any] = await self._reader.call(lambda db: db.execute(_HEAD, (table,)).fetchall())
        return (found[0][0], found[0][1]) if found else EMPTY_HEAD

    async def notices(self) -> AsyncIterator[Notice]:
        """Nothing: the folder's lock keeps every other node away."""
        nothing: tuple[Notice, ...] = ()
        for notice in nothing:
            yield notice

    async def aclose(self) -> None:
        """Finish what was queued and let go of the files."""
        # The writer last: whoever leaves last moves the write-ahead log into the database, and a reader cannot.
        await self._reader.aclose()
        await self._writer.aclose()


def _append(db: apsw.Connection, batch: Sequence[StoredCommit]) -> list[AppendResult]:
    if 0 < len(batch) <= _LARGEST:
        size = 1 << (len(batch) - 1).bit_length()
        values: list[str | int | bytes | None] = [value for commit in batch for value in commit_row(commit)]
        values.extend([None] * (_FIELDS * (size - len(batch))))
        try:
            db.execute(_all_or_nothing(size), values)
            return [Appended()] * len(batch)
        except apsw.ConstraintError:
            pass  # nothing was written; find out for whom there is a place
    db.execute("BEGIN IMMEDIATE")
    results = [_append_one(db, commit) for commit in batch]
    db.execute("COMMIT")
    return results


def _append_one(db: apsw.Connection, commit: StoredCommit) -> AppendResult:
    db.execute(ADD_COMMIT, commit_row(commit))
    if db.changes():
        return Appended()
    # Both keys may be taken; the command id counts, because then the caller has his answer.
    return CommandKnown() if db.execute(_KNOWN, (commit.table, commit.command_id)).fetchall() else SeqTaken()


@cache
def _all_or_nothing(size: int) -> str:
    row = f"({', '.join('?' * _FIELDS)})"
    return _ALL_OR_NOTHING.format(rows=", ".join([row] * size))


def commit_row(commit: StoredCommit) -> tuple[str | int | bytes, ...]:
    """A commit as a row of ``commits``."""
    return (commit.table, commit.seq, commit.command_id, commit.by, commit.header, *commit.parts, commit.hash)


def _commit(row: Any) -> StoredCommit:
    table, seq, command_id, by, header, part_all, part_roller_gm, part_gm, part_roller, hash_ = row
    return StoredCommit(
        table=table,
        seq=seq,
        command_id=command_id,
        by=by,
        header=header,
        parts=(part_all, part_roller_gm, part_gm, part_roller),
        hash=hash_,
    )
