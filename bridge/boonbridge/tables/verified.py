"""Verifying a table's own log, where its keys are: stored commits as evidence, and every snapshot against the full fold.

What holds a log together is decided in ``reading.verifying``. Folders and terminals may not be here.
"""

import hmac
from collections.abc import Callable, Sequence

from msgspec import Struct

from boonbridge.core.chain import GENESIS
from boonbridge.core.freezing import NotFrozen, frozen
from boonbridge.core.ladder import Rung
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import WrittenByNewer
from boonbridge.reading.evidence import UNREADABLE, Broken, Evidence, Shown, TooNew
from boonbridge.reading.verifying import Games, Report, Verifier
from boonbridge_schemas.base import PARTS, Seq
from boonbridge_schemas.refusal import Refusal

from .fingerprint import made_by as code_of
from .ports import EventStore, Snapshots, StoredCommit, StoreUnavailable, TableRow, Vault
from .rungs import Rungs
from .snapshots import content, mark

PAGE = 500


class Verified(Struct, frozen=True, kw_only=True):
    """What was checked of a table's log that holds.

    ``snapshots`` are what the full fold comes to. ``foreign`` ones were not compared: other code made them, which will not use
    them here either, or their game is not here.
    """

    log: Report
    snapshots: int = 0
    foreign: int = 0


def evidence(commit: StoredCommit, prev_hash: bytes, rung: Rung) -> Evidence:
    """A stored commit with everything shown."""
    return Evidence(
        seq=commit.seq,
        prev_hash=prev_hash,
        hash=commit.hash,
        header=commit.header,
        parts={name: Shown(raw, rung.salts[name], rung.seeds[name]) for name, raw in zip(PARTS, commit.parts, strict=True)},
        filed=(commit.command_id, commit.by),
    )


async def verified(
    log: EventStore,
    vault: Vault,
    snapshots: Snapshots,
    row: TableRow,
    games: Games,
    *,
    progress: Callable[[Seq, Seq], None] = lambda _seq, _head: None,
) -> Verified:
    """Verify a table's log up to the head that it has now; a server may go on writing meanwhile.

    Args:
        log: Where its commits lie.
        vault: Where its keys lie.
        snapshots: Where its snapshots lie.
        row: The table.
        games: The games that are here.
        progress: Told the seq of each commit that holds, and the head.

    Raises:
        Broken: The first thing that does not hold.
        TooNew: A newer version wrote it.
        StoreUnavailable: It cannot be read.
    """
    kept = dict(await snapshots.snapshots(row.id))  # before the head, so that none can be of a commit after it
    head, _ = await log.head(row.id)
    reader = _Reader(log, Rungs(row.id, vault), row.id)
    verifier = Verifier(games, table=row.id)
    counts = {True: 0, False: 0}
    last = GENESIS
    for first in range(1, head + 1, PAGE):
        for commit in await reader.page(first, min(PAGE, head + 1 - first)):
            verifier.take(evidence(commit, last, await reader.rung(commit)))
            last = commit.hash
            if (made_by := kept.pop(commit.seq, None)) is not None:
                counts[await _compared(vault, snapshots, commit, made_by, verifier.state)] += 1
            progress(commit.seq, head)
    if kept:
        raise Broken(min(kept), "there is a snapshot of the table after it, and the log ends before: its end was cut off")
    report = verifier.report()
    if report.commits and report.table != row.id and row.restart != "imported":
        raise Broken(report.commits, f"its header says table {report.table}, and it lies in the log of {row.id}")
    return Verified(log=report, snapshots=counts[True], foreign=counts[False])


class _Reader:
    """Reads stored commits so that what cannot be read is named."""

    def __init__(self, log: EventStore, rungs: Rungs, table: str) -> None:
        self._log = log
        self._rungs = rungs
        self._table = table

    async def page(self, first: Seq, count: int) -> Sequence[StoredCommit]:
        """So many commits from ``first`` on, whatever seqs they say they are. Raises ``Broken``."""
        try:
            found = await self._log.read(self._table, after=first - 1, limit=count)
        except (StoreUnavailable, UnicodeDecodeError) as trouble:
            if count == 1:
                raise Broken(first, f"it cannot be read: {trouble}".removesuffix(".")) from trouble
            return [commit for seq in range(first, first + count) for commit in await self.page(seq, 1)]
        if not found:
            raise Broken(first, "it is missing, and the log goes on after it")
        return found

    async def rung(self, commit: StoredCommit) -> Rung:
        """Its seeds and salts. Raises ``Broken`` where there are none."""
        try:
            return (await self._rungs.of([commit]))[commit.seq]
        except WrittenByNewer as newer:
            raise TooNew(commit.seq, f"it {newer}") from None
        except UNREADABLE:
            raise Broken(commit.seq, "its header is not one, or was damaged") from None
        except Refusal:
            raise Broken(commit.seq, "the key that its seeds come from is not here") from None


async def _compared(vault: Vault, snapshots: Snapshots, commit: StoredCommit, made_by: str, state: TableState | None) -> bool:
    """Whether the snapshot after a commit could be compared. Raises ``Broken`` where it is not what the log comes to."""
    row = await snapshots.snapshot(commit.table, upto=commit.seq, made_by=made_by)
    if row is None or row.seq != commit.seq:
        return False  # the server let go of it meanwhile
    if row.hash != commit.hash:
        raise Broken(commit.seq, "the snapshot of the table after it is of another log")
    key = await vault.table_key(commit.table, row.epoch)
    if key is None or not hmac.compare_digest(mark(row, key), row.mac):
        raise Broken(commit.seq, "the snapshot of the table after it does not carry the mark of this table's key")
    if state is None or code_of(state.ruleset) != made_by:
        return False
    try:
        same = content(row) == frozen(state)
    except NotFrozen:
        same = False
    if not same:
        raise Broken(commit.seq, "the snapshot of the table after it is not what the log comes to")
    return True
