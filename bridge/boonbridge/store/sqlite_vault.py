"""What lies beside the log in SQLite: which tables there are, wrapped keys, codes, names of people and their devices.

Every write goes through the thread that alone may write, every read through the reading one. No plain key is ever part of a
statement.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from boonbridge.core.ladder import Rung
from boonbridge.store.refused import KeyRefused
from boonbridge.store.schema import Checkpoints
from boonbridge.store.secret import NodeSecret
from boonbridge.store.sqlite import ADD_COMMIT, IF_THERE, commit_row
from boonbridge.store.sqlite_imports import add_rung, rungs_of
from boonbridge.store.worker import Worker
from boonbridge.tables.ports import DeviceRow, PairingCode, StoredCommit, TableRow
from boonbridge_schemas.base import Moment, UserId

_TABLES = "SELECT id, title, ruleset, created, restart FROM tables"
_EVERYTHING = ("commits", "table_keys", "codes", "names", "devices", "postings", "snapshots", "rungs")
"""Whatever is kept of a table, by ``table_id``."""
_TRIES = 100
_PAUSE = 0.02
_CODES = "SELECT table_id, code_hash, id, kind, role, user, name, by, made, expires, tries_left, used FROM codes"
_DEVICES = "SELECT table_id, user, device, client, version, kind, address, since, seen FROM devices"
_PUT_CODE = f"""
    INSERT INTO codes (table_id, code_hash, id, kind, role, user, name, by, made, expires, tries_left, used)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 {IF_THERE}
    ON CONFLICT DO UPDATE SET id = excluded.id, kind = excluded.kind, role = excluded.role, user = excluded.user,
        name = excluded.name, by = excluded.by, made = excluded.made, expires = excluded.expires,
        tries_left = excluded.tries_left, used = excluded.used
"""
_PUT_NAME = f"""
    INSERT INTO names (table_id, user, name) SELECT ?1, ?2, ?3 {IF_THERE} ON CONFLICT DO UPDATE SET name = excluded.name
"""
_PUT_DEVICE = f"""
    INSERT INTO devices (table_id, user, device, client, version, kind, address, since, seen)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 {IF_THERE}
    ON CONFLICT DO UPDATE SET client = excluded.client, version = excluded.version, kind = excluded.kind,
        address = excluded.address, seen = excluded.seen
"""
_DROP_DEVICES = """
    DELETE FROM devices WHERE table_id = ?1 AND user = ?2 AND device NOT IN
        (SELECT device FROM devices WHERE table_id = ?1 AND user = ?2 ORDER BY seen DESC, device LIMIT ?3)
"""


class SqliteTables:
    """``Tables`` over the same two threads as the log."""

    def __init__(self, writer: Worker, reader: Worker, checkpoints: Checkpoints) -> None:
        self._writer = writer
        self._reader = reader
        self._checkpoints = checkpoints

    async def add_table(self, row: TableRow) -> bool:
        """False where the id is taken."""
        return await self._writer.call(lambda db: add_row(db, row))

    async def list_tables(self) -> Sequence[TableRow]:
        """In the order in which they were made."""
        return await self._reader.call(all_tables)

    async def get_table(self, table: str) -> TableRow | None:
        """One table, or None."""
        rows = await self._reader.call(lambda db: db.execute(_TABLES + " WHERE id = ?", (table,)).fetchall())
        return _table(rows[0]) if rows else None

    async def rename_table(self, table: str, title: str) -> None:
        """What lists call it."""
        await self._writer.call(lambda db: _changes(db, "UPDATE tables SET title = ? WHERE id = ?", (title, table)))

    async def restarted(self, table: str) -> None:
        """The new epoch that the row asked for has begun."""
        await self._writer.call(lambda db: _changes(db, "UPDATE tables SET restart = '' WHERE id = ?", (table,)))

    async def import_table(
        self, row: TableRow, commits: Iterable[tuple[StoredCommit, Rung]], names: Mapping[UserId, str]
    ) -> bool:
        """Write a whole log as it was, in one transaction. False where the id is taken."""
        return await self._writer.call(lambda db: _imported(db, row, commits, names))

    async def delete_table(self, table: str) -> bool:
        """Delete a table and all that is kept of it: overwritten, and gone from the write-ahead log. False: there is none."""
        gone: list[_Step] = [(f"DELETE FROM {kept} WHERE table_id = ?", (table,)) for kept in _EVERYTHING]  # noqa: S608 - names of ours

        def work(db: apsw.Connection) -> bool:
            if not db.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchall():
                return False
            _together(db, [*gone, ("DELETE FROM tables WHERE id = ?", (table,))])
            self._checkpoints.empty()
            return True

        deleted = await self._writer.call(work)
        for _ in range(_TRIES):  # done between two pieces of work, where nobody reads just then
            await self._writer.call(lambda _: None)
            if self._checkpoints.emptied:
                break
            await asyncio.sleep(_PAUSE)
        return deleted


class SqliteVault:
    """``Vault`` over the same two threads. Keys are wrapped with the node secret before they reach a statement."""

    def __init__(self, writer: Worker, reader: Worker, secret: NodeSecret, checkpoints: Checkpoints) -> None:
        self._writer = writer
        self._reader = reader
        self._secret = secret
        self._checkpoints = checkpoints

    async def table_key(self, table: str, epoch: int) -> bytes | None:
        """The secret 32 bytes of a table's epoch. Raises ``KeyRefused`` where what is stored does not open."""
        wrapped = await self._reader.call(lambda db: _wrapped(db, table, epoch))
        return None if wrapped is None else self._secret.unwrap(table, epoch, wrapped)

    async def put_table_key(self, table: str, epoch: int, key: bytes) -> None:
        """Keep a key for ever. The same key again is fine; another raises ``KeyRefused``: dice were drawn from the first."""
        statement = "INSERT INTO table_keys (table_id, epoch, wrapped) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        row = (table, epoch, self._secret.wrap(table, epoch, key))
        if await self._writer.call(lambda db: _changes(db, statement, row)) == 0 and await self.table_key(table, epoch) != key:
            raise KeyRefused(f"Table {table} has another key for epoch {epoch} already.")

    async def rungs(self, table: str, *, after: int, limit: int) -> Mapping[int, Rung]:
        """Seeds and salts that came with an imported log, by seq."""
        return await self._reader.call(lambda db: rungs_of(db, table, after=after, limit=limit))

    async def node_secret(self) -> bytes:
        """The secret that tokens are signed with."""
        return self._secret.signing_key

    async def put_code(self, code: PairingCode) -> None:
        """Add a code, or replace what is known of it."""
        row = (
            code.table,
            code.code_hash,
            code.id,
            code.kind,
            code.role,
            code.user,
            code.name,
            code.by,
            code.made,
            code.expires,
            code.tries_left,
            code.used,
        )
        await self._writer.call(lambda db: _changes(db, _PUT_CODE, row))

    async def codes(self, table: str | None = None) -> Sequence[PairingCode]:
        """All codes, or those of one table; used and expired ones too."""
        statement = _CODES + " WHERE ?1 IS NULL OR table_id = ?1 ORDER BY table_id, code_hash"
        rows = await self._reader.call(lambda db: db.execute(statement, (table,)).fetchall())
        return [_code(row) for row in rows]

    async def drop_codes(self, table: str, hashes: Sequence[bytes]) -> None:
        """Forget some codes."""
        statement = "DELETE FROM codes WHERE table_id = ? AND code_hash = ?"
        await self._writer.call(lambda db: _together(db, [(statement, (table, code_hash)) for code_hash in hashes]))

    async def put_person(self, table: str, user: str, name: str) -> None:
        """Add a name, or change it."""
        await self._writer.call(lambda db: _changes(db, _PUT_NAME, (table, user, name)))

    async def people(self, table: str) -> dict[str, str]:
        """Names by user id."""
        return await self._reader.call(lambda db: all_names(db, table))

    async def put_devices(self, rows: Sequence[DeviceRow], *, keep: int) -> None:
        """Add devices, or what is new of them; keep so many of each person."""
        steps: list[_Step] = []
        for row in rows:
            values = (row.table, row.user, row.device, row.client, row.version, row.kind, row.address, row.since, row.seen)
            steps += [(_PUT_DEVICE, values), (_DROP_DEVICES, (row.table, row.user, keep))]
        await self._writer.call(lambda db: _together(db, steps))

    async def devices(self, table: str) -> Sequence[DeviceRow]:
        """The last seen first."""
        statement = _DEVICES + " WHERE table_id = ? ORDER BY seen DESC, user, device"
        rows = await self._reader.call(lambda db: db.execute(statement, (table,)).fetchall())
        return [_device(row) for row in rows]

    async def forget_person(self, table: str, user: str, *, made_until: Moment | None = None) -> None:
        """Delete a person's name, devices and codes: overwritten in the database, and gone from the write-ahead log."""
        steps: list[_Step] = [
            ("DELETE FROM names WHERE table_id = ? AND user = ?", (table, user)),
            ("DELETE FROM devices WHERE table_id = ? AND user = ?", (table, user)),
            ("DELETE FROM codes WHERE table_id = ?1 AND user = ?2 AND (?3 IS NULL OR made <= ?3)", (table, user, made_until)),
        ]

        def work(db: apsw.Connection) -> None:
            _together(db, steps)
            self._checkpoints.empty()

        await self._writer.call(work)


_Step = tuple[str, tuple[str | bytes | int | None, ...]]


def all_names(db: apsw.Connection, table: str) -> dict[str, str]:
    """Names of a table's people by user id."""
    rows: list[Any] = db.execute("SELECT user, name FROM names WHERE table_id = ? ORDER BY user", (table,)).fetchall()
    return dict(rows)


def _together(db: apsw.Connection, steps: Sequence[_Step]) -> None:
    """Some statements as one transaction."""
    db.execute("BEGIN IMMEDIATE")
    for statement, row in steps:
        db.execute(statement, row)
    db.execute("COMMIT")


def all_tables(db: apsw.Connection) -> list[TableRow]:
    """Every table, in the order in which they were made."""
    return [_table(row) for row in db.execute(_TABLES + " ORDER BY created, id")]


def has_keys(db: apsw.Connection) -> bool:
    """Whether there are keys that only the right node secret opens."""
    return bool(db.execute("SELECT 1 FROM table_keys LIMIT 1").fetchall())


def _changes(db: apsw.Connection, statement: str, row: tuple[str | bytes | int | None, ...]) -> int:
    db.execute(statement, row)  # one statement is a transaction by itself
    return db.changes()


def _wrapped(db: apsw.Connection, table: str, epoch: int) -> bytes | None:
    rows: list[Any] = db.execute("SELECT wrapped FROM table_keys WHERE table_id = ? AND epoch = ?", (table, epoch)).fetchall()
    return rows[0][0] if rows else None


def add_row(db: apsw.Connection, row: TableRow) -> bool:
    """Add a table to the list. False where the id is taken."""
    statement = "INSERT INTO tables (id, title, ruleset, created, restart) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    return _changes(db, statement, (row.id, row.title, row.ruleset, row.created, row.restart)) == 1


def _imported(
    db: apsw.Connection, row: TableRow, commits: Iterable[tuple[StoredCommit, Rung]], names: Mapping[UserId, str]
) -> bool:
    db.execute("BEGIN IMMEDIATE")
    if not add_row(db, row):
        db.execute("ROLLBACK")
        return False
    for commit, rung in commits:
        if not _changes(db, ADD_COMMIT, commit_row(commit)):
            raise ValueError(f"commit {commit.seq} does not follow the one before it")
        add_rung(db, row.id, commit.seq, rung)
    db.executemany("INSERT INTO names (table_id, user, name) VALUES (?, ?, ?)", ((row.id, *pair) for pair in names.items()))
    db.execute("COMMIT")
    return True


def _table(row: Any) -> TableRow:
    identifier, title, ruleset, created, restart = row
    return TableRow(id=identifier, title=title, ruleset=ruleset, created=created, restart=restart)


def _code(row: Any) -> PairingCode:
    table, code_hash, identifier, kind, role, user, name, by, made, expires, tries_left, used = row
    return PairingCode(
        table=table,
        code_hash=code_hash,
        id=identifier,
        kind=kind,
        role=role,
        user=user,
        name=name,
        by=by,
        made=made,
        expires=expires,
        tries_left=tries_left,
        used=used,
    )


def _device(row: Any) -> DeviceRow:
    table, user, device, client, version, kind, address, since, seen = row
    return DeviceRow(
        table=table,
        user=user,
        device=device,
        client=client,
        version=version,
        kind=kind,
        address=address,
        since=since,
        seen=seen,
    )
