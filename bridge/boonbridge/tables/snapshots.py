"""Snapshots: states that need not be folded from the first commit again. A shortcut, never the truth.

One is used only where it is of this very code, of a commit that the log still has, and ours by its mark; otherwise the log
says it all. Writing one delays nobody and fails nothing. That its content is what the log comes to, ``verify`` checks.
"""

import asyncio
import hmac
import zlib
from collections.abc import Callable, Coroutine

import msgspec
import structlog

from boonbridge.core.freezing import NotFreezable, NotFrozen, frozen, thawed
from boonbridge.core.state import TableState
from boonbridge.dice.source import field
from boonbridge.rulesets.base import Ruleset
from boonbridge_schemas.base import Seq

from .fingerprint import made_by
from .ports import EventStore, SnapshotRow, Snapshots, StoreDamaged, StoreUnavailable, Vault
from .table import Committed, Table

log = structlog.get_logger("boonbridge.table")

EVERY = 1_000
"""One is kept of each so-many-th commit, so that any moment is near one."""

WORTH = 100
"""A table that closes keeps one where so many commits came since the last."""

_ANY: Seq = 2**53


class Shelf:
    """The snapshots of one table. ``last``: the latest that was found to be good, or written."""

    def __init__(self, table: str, ruleset: Ruleset, *, store: EventStore, vault: Vault, snapshots: Snapshots) -> None:
        self._table = table
        self._ruleset = ruleset
        self._store = store
        self._vault = vault
        self._snapshots = snapshots
        self._made_by = made_by(ruleset)
        self._one = asyncio.Lock()
        self._closed = False
        self.last: Seq = 0

    async def nearest(self, upto: Seq = _ANY) -> tuple[TableState, bytes] | None:
        """The latest state of commit ``upto`` or before that may be used, with the hash of its commit; None: there is none.

        What does not fit is taken away, and a log line names it. Raises ``StoreDamaged``.
        """
        try:
            while self._made_by is not None:
                row = await self._snapshots.snapshot(self._table, upto=upto, made_by=self._made_by)
                if row is None:
                    break
                try:
                    state = await self._state(row)
                except _Misfit as why:
                    log.warning("a snapshot does not fit and is not used", table=self._table, seq=row.seq, reason=str(why))
                    await self._snapshots.drop_snapshot(self._table, row.seq)
                    upto = row.seq - 1
                else:
                    self.last = max(self.last, row.seq)
                    return state, row.hash
        except StoreDamaged:
            raise
        except StoreUnavailable as down:  # the log is asked next, and says whether it is there itself
            log.warning("snapshots cannot be read", table=self._table, reason=str(down))
        return None

    async def _state(self, row: SnapshotRow) -> TableState:
        stored = await self._store.read(self._table, after=row.seq - 1, limit=1)
        if not stored or stored[0].seq != row.seq or stored[0].hash != row.hash:
            raise _Misfit("the log has another commit there")
        key = await self._vault.table_key(self._table, row.epoch)
        if key is None or not hmac.compare_digest(mark(row, key), row.mac):
            raise _Misfit("its mark is not ours")
        try:
            state = await asyncio.to_thread(lambda: thawed(content(row), self._ruleset))
        except NotFrozen as wrong:
            raise _Misfit(str(wrong)) from None
        if (state.table, state.seq) != (row.table, row.seq):
            raise _Misfit("it is of another table or commit")
        return state

    async def put(self, state: TableState, hash_: bytes, *, epoch: int) -> None:
        """Keep the state after a commit, whose hash is ``hash_``. Where that cannot be done a log line says so, and no more.

        ``epoch``: the table's present one, whose key it is marked with.
        """
        async with self._one:
            if self._closed or self._made_by is None:
                return
            try:
                await self._put(state, hash_, epoch, self._made_by)
            except NotFreezable as kind:
                log.warning("no snapshots of this game", table=self._table, ruleset=self._ruleset.id, reason=str(kind))
                self._made_by = None
            except StoreUnavailable as down:
                tell = log.error if isinstance(down, StoreDamaged) else log.warning
                tell("a snapshot could not be written", table=self._table, seq=state.seq, reason=str(down))

    async def _put(self, state: TableState, hash_: bytes, epoch: int, code: str) -> None:
        key = await self._vault.table_key(self._table, epoch)
        if key is None:
            return
        body = await asyncio.to_thread(lambda: zlib.compress(frozen(state), 1))
        row = SnapshotRow(table=self._table, seq=state.seq, hash=hash_, epoch=epoch, made_by=code, body=body, mac=b"")
        await self._snapshots.put_snapshot(msgspec.structs.replace(row, mac=mark(row, key)))
        self.last = max(self.last, state.seq)
        await self._snapshots.drop_snapshots(self._table, made_by_others_than=code)

    async def seqs(self) -> frozenset[Seq]:
        """The commits of which there is one. Raises ``StoreUnavailable``."""
        return frozenset(seq for seq, code in await self._snapshots.snapshots(self._table) if code == self._made_by)

    async def aclose(self) -> None:
        """Write no more; returns when nothing is under way."""
        self._closed = True
        async with self._one:
            pass


class _Misfit(Exception):  # noqa: N818 - no class of ours is called Error
    """A snapshot may not be used; the message says why."""


def content(row: SnapshotRow) -> bytes:
    """The frozen state in a snapshot (``core.freezing``). Raises ``NotFrozen`` where it is damaged."""
    try:
        return zlib.decompress(row.body)
    except zlib.error as damage:
        raise NotFrozen(f"it is damaged: {damage}") from damage


def mark(row: SnapshotRow, key: bytes) -> bytes:
    """The mark of a snapshot under the table's key of its epoch: whoever has not the key can make none."""
    said = (b"snapshot", row.table.encode(), b"%d" % row.epoch, b"%d" % row.seq, row.hash, row.made_by.encode(), row.body)
    return hmac.digest(key, b"".join(map(field, said)), "sha256")


# --- when one is written ----------------------------------------------------------------------------------------------
class Keeping:
    """When the states of a table in use are kept: beside its commands, and as it closes."""

    def __init__(self, table: Table, shelf: Shelf, background: Callable[[Coroutine[object, object, None]], None]) -> None:
        self.shelf = shelf
        self._table = table
        self._background = background

    def committed(self, committed: Committed) -> None:
        """A commit was told to everybody."""
        state = committed.after
        if state.seq % EVERY == 0:
            self.keep(state, bytes.fromhex(committed.told.hash))

    def keep(self, state: TableState, hash_: bytes) -> None:
        """Have a state kept; whoever asks for it need not wait."""
        self._background(self.shelf.put(state, hash_, epoch=self._table.state.epoch))

    async def aclose(self) -> None:
        """The table decides nothing any more: keep how it stands, where that is worth it."""
        if self._table.state.seq - self.shelf.last >= WORTH:
            await self.shelf.put(self._table.state, self._table.head_hash, epoch=self._table.state.epoch)
        await self.shelf.aclose()
