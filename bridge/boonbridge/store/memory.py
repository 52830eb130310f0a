"""The same ports in memory, for tests that are about something else. Nothing outlives the process.

Held to the same contract suite as SQLite. Set ``unavailable`` to make every use raise ``StoreUnavailable``, as a full disk does.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from boonbridge.core.ladder import Rung
from boonbridge.store.refused import KeyRefused
from boonbridge.store.secret import KEY_BYTES, NodeSecret
from boonbridge.tables.ports import (
    Appended,
    AppendResult,
    CommandKnown,
    DeviceRow,
    Notice,
    PairingCode,
    Posting,
    SeqTaken,
    SnapshotRow,
    StoredCommit,
    StoreUnavailable,
    TableRow,
)
from boonbridge_schemas.base import Moment, UserId


class MemoryStore:
    """``EventStore``, ``Tables``, ``Vault`` and ``Posted`` in one object; ``log``, ``tables`` and so on are views of itself."""

    def __init__(self) -> None:
        self.unavailable = False
        self._closed = False
        self._logs: dict[str, list[StoredCommit]] = {}
        self._commands: dict[tuple[str, str], StoredCommit] = {}
        self._tables: dict[str, TableRow] = {}
        self._keys: dict[tuple[str, int], bytes] = {}
        self._codes: dict[tuple[str, bytes], PairingCode] = {}
        self._people: dict[tuple[str, str], str] = {}
        self._devices: dict[tuple[str, str, str], DeviceRow] = {}
        self._postings: dict[str, Posting] = {}
        self._rungs: dict[tuple[str, int], Rung] = {}
        self._snapshots: dict[tuple[str, int], SnapshotRow] = {}
        self._secret = NodeSecret(os.urandom(KEY_BYTES))

    @property
    def log(self) -> "MemoryStore":
        """The log."""
        return self

    @property
    def tables(self) -> "MemoryStore":
        """The tables there are."""
        return self

    @property
    def vault(self) -> "MemoryStore":
        """Keys, codes and people."""
        return self

    @property
    def posted(self) -> "MemoryStore":
        """What was posted."""
        return self

    # --- EventStore ------------------------------------------------------------------------------------------------

    async def append(self, batch: Sequence[StoredCommit]) -> Sequence[AppendResult]:
        """Keep at most one commit per table."""
        assert len({commit.table for commit in batch}) == len(batch), "two commits of one table in a batch"
        self._check()
        # A disk takes its time, and others go on meanwhile: code that relies on an append not yielding must fail here too.
        await asyncio.sleep(0)
        return [self._append(commit) for commit in batch]

    async def read(self, table: str, *, after: int, limit: int) -> Sequence[StoredCommit]:
        """Commits ``after + 1`` and on, in order, at most ``limit``."""
        assert limit >= 0, "a limit is not negative"
        self._check()
        start = max(after, 0)
        return self._logs.get(table, [])[start : start + limit]

    async def find(self, table: str, command_id: str) -> StoredCommit | None:
        """The commit that a command id made."""
        self._check()
        return self._commands.get((table, command_id))

    async def head(self, table: str) -> tuple[int, bytes]:
        """The last seq and its hash; (0, 32 zero bytes) for an empty log."""
        self._check()
        log = self._logs.get(table)
        return (log[-1].seq, log[-1].hash) if log else (0, bytes(32))

    async def notices(self) -> AsyncIterator[Notice]:
        """Nothing: there is no other node."""
        nothing: tuple[Notice, ...] = ()
        for notice in nothing:
            yield notice

    async def aclose(self) -> None:
        """Every later use raises ``StoreUnavailable``."""
        self._closed = True

    # --- Tables ----------------------------------------------------------------------------------------------------

    async def add_table(self, row: TableRow) -> bool:
        """False where the id is taken."""
        self._check()
        return self._tables.setdefault(row.id, row) is row

    async def list_tables(self) -> Sequence[TableRow]:
        """In the order in which they were made."""
        self._check()
        return sorted(self._tables.values(), key=lambda row: (row.created, row.id))

    async def get_table(self, table: str) -> TableRow | None:
        """One table, or None."""
        self._check()
        return self._tables.get(table)

    async def rename_table(self, table: str, title: str) -> None:
        """What lists call it."""
        self._check()
        if (row := self._tables.get(table)) is not None:
            self._tables[table] = replace(row, title=title)

    async def restarted(self, table: str) -> None:
        """The new epoch that the row asked for has begun."""
        self._check()
        if (row := self._tables.get(table)) is not None:
            self._tables[table] = replace(row, restart="")

    async def delete_table(self, table: str) -> bool:
        """Delete a table with all that is kept of it."""
        self._check()
        if self._tables.pop(table, None) is None:
            return False
        self._logs.pop(table, None)
        self._postings.pop(table, None)
        kept: tuple[dict[Any, Any], ...] = (
            *(self._commands, self._keys, self._codes, self._people, self._devices),
            *(self._rungs, self._snapshots),
        )
        for rows in kept:
            for key in [key for key in rows if key[0] == table]:
                del rows[key]
        return True

    async def import_table(
        self, row: TableRow, commits: Iterable[tuple[StoredCommit, Rung]], names: Mapping[UserId, str]
    ) -> bool:
        """Take over a whole log."""
        self._check()
        taken = list(commits)
        if row.id in self._tables:
            return False
        follow = all(commit.seq == seq for seq, (commit, _) in enumerate(taken, start=1))
        if not follow or len({commit.command_id for commit, _ in taken}) < len(taken):
            raise ValueError("a commit does not follow the one before it")
        self._tables[row.id] = row
        for commit, rung in taken:
            self._append(commit)
            self._rungs[row.id, commit.seq] = rung
        self._people |= {(row.id, user): name for user, name in names.items()}
        return True

    # --- Snapshots -------------------------------------------------------------------------------------------------

    async def put_snapshot(self, row: SnapshotRow) -> None:
        """Keep one, where its table is not deleted yet."""
        self._check()
        if row.table in self._tables:
            self._snapshots[row.table, row.seq] = row

    async def snapshot(self, table: str, *, upto: int, made_by: str) -> SnapshotRow | None:
        """The latest one by that code, of commit ``upto`` or before."""
        self._check()
        fit = [row for row in self._snapshots.values() if row.table == table and row.seq <= upto and row.made_by == made_by]
        return max(fit, key=lambda row: row.seq, default=None)

    async def snapshots(self, table: str) -> Sequence[tuple[int, str]]:
        """Which there are."""
        self._check()
        return sorted((row.seq, row.made_by) for row in self._snapshots.values() if row.table == table)

    async def drop_snapshot(self, table: str, seq: int) -> None:
        """Forget one."""
        self._check()
        self._snapshots.pop((table, seq), None)

    async def drop_snapshots(self, table: str, *, made_by_others_than: str | None = None) -> None:
        """Forget those of a table: all, or those that other code made."""
        self._check()
        self._snapshots = {
            key: row
            for key, row in self._snapshots.items()
            if row.table != table or (made_by_others_than is not None and row.made_by == made_by_others_than)
        }

    # --- Vault -----------------------------------------------------------------------------------------------------

    async def table_key(self, table: str, epoch: int) -> bytes | None:
        """The secret 32 bytes of a table's epoch."""
        self._check()
        return self._keys.get((table, epoch))

    async def put_table_key(self, table: str, epoch: int, key: bytes) -> None:
        """Keep a key. The same key again is fine; another raises ``KeyRefused``."""
        self._check()
        if len(key) != KEY_BYTES:
            raise ValueError("a table key has 32 bytes")
        if self._keys.setdefault((table, epoch), key) != key:
            raise KeyRefused(f"Table {table} has another key for epoch {epoch} already.")

    async def rungs(self, table: str, *, after: int, limit: int) -> Mapping[int, Rung]:
        """Seeds and salts that came with an imported log, by seq."""
        self._check()
        found = sorted(seq for of, seq in self._rungs if of == table and seq > after)[:limit]
        return {seq: self._rungs[table, seq] for seq in found}

    async def node_secret(self) -> bytes:
        """The secret that tokens are signed with; another one in every store."""
        return self._secret.signing_key

    async def put_code(self, code: PairingCode) -> None:
        """Add a code, or replace what is known of it."""
        self._check()
        if code.table in self._tables:
            self._codes[code.table, code.code_hash] = code

    async def codes(self, table: str | None = None) -> Sequence[PairingCode]:
        """All codes, or those of one table; used and expired ones too."""
        self._check()
        return [self._codes[key] for key in sorted(self._codes) if table in (None, key[0])]

    async def drop_codes(self, table: str, hashes: Sequence[bytes]) -> None:
        """Forget some codes."""
        self._check()
        for code_hash in hashes:
            self._codes.pop((table, code_hash), None)

    async def put_person(self, table: str, user: str, name: str) -> None:
        """Add a name, or change it."""
        self._check()
        if table in self._tables:
            self._people[table, user] = name

    async def people(self, table: str) -> dict[str, str]:
        """Names by user id."""
        self._check()
        return {user: name for (of, user), name in sorted(self._people.items()) if of == table}

    async def put_devices(self, rows: Sequence[DeviceRow], *, keep: int) -> None:
        """Add devices, or what is new of them; keep so many of each person."""
        self._check()
        for row in rows:
            if row.table not in self._tables:
                continue
            key = (row.table, row.user, row.device)
            known = self._devices.get(key)
            self._devices[key] = replace(row, since=known.since) if known else row
            theirs = [of for of in await self.devices(row.table) if of.user == row.user]
            for late in theirs[keep:]:
                del self._devices[late.table, late.user, late.device]

    async def devices(self, table: str) -> Sequence[DeviceRow]:
        """The last seen first."""
        self._check()
        return sorted(
            (row for row in self._devices.values() if row.table == table), key=lambda row: (-row.seen, row.user, row.device)
        )

    async def forget_person(self, table: str, user: str, *, made_until: Moment | None = None) -> None:
        """Delete a person's name, devices and codes."""
        self._check()
        self._people.pop((table, user), None)
        self._devices = {key: row for key, row in self._devices.items() if key[:2] != (table, user)}
        self._codes = {
            key: code
            for key, code in self._codes.items()
            if (code.table, code.user) != (table, user) or (made_until is not None and code.made > made_until)
        }

    # --- Posted ----------------------------------------------------------------------------------------------------

    async def posting(self, table: str) -> Posting:
        """The row of a table; an empty one where there is none."""
        self._check()
        return self._postings.get(table, Posting(table=table))

    async def swap_posting(self, before: Posting, after: Posting) -> bool:
        """Put ``after`` in the place of ``before``. False where something else stands there."""
        assert before.table == after.table, "a row stays with its table"
        self._check()
        await asyncio.sleep(0)
        if after.table not in self._tables or self._postings.get(before.table, Posting(table=before.table)) != before:
            return False
        self._postings[after.table] = after
        return True

    # ---------------------------------------------------------------------------------------------------------------

    def _append(self, commit: StoredCommit) -> AppendResult:
        if (commit.table, commit.command_id) in self._commands:
            return CommandKnown()
        log = self._logs.setdefault(commit.table, [])
        if commit.seq != len(log) + 1:
            return SeqTaken()
        log.append(commit)
        self._commands[commit.table, commit.command_id] = commit
        return Appended()

    def _check(self) -> None:
        if self._closed or self.unavailable:
            raise StoreUnavailable("The store is closed." if self._closed else "The store cannot be used just now.")
