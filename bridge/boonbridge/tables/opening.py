"""Opening a table: the first commit of a new one, the fold of an old one, a new epoch where the tail was cut."""

import asyncio
import os
from collections.abc import Callable

import structlog

from boonbridge.core.chain import GENESIS
from boonbridge.core.ladder import KEY_BYTES, Ladder
from boonbridge.core.state import BRIDGE, TableState
from boonbridge.rulesets.base import Ruleset
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Command
from boonbridge_schemas.events import LadderRestarted, TableOpened
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Ack, Refused

from .batcher import Batcher
from .folding import catch_up
from .ports import Clock, EventStore, Marks, Snapshots, TableRow, Vault
from .snapshots import EVERY, Shelf
from .table import KeyRing, Placed, Request, SeededKeyRing, Table

log = structlog.get_logger("boonbridge.table")

_RESTARTS = {
    "log_cut": "the log is shorter than it was; a new epoch of seeds begins",
    "restored": "the log was put back from a backup; a new epoch of seeds begins",
    "imported": "the log was written elsewhere; a new epoch of seeds begins",
}


class Ports:
    """Everything a table is opened with; made once by the composition root."""

    def __init__(
        self,
        *,
        store: EventStore,
        vault: Vault,
        snapshots: Snapshots,
        marks: Marks,
        clock: Clock,
        ruleset: Callable[[str], Ruleset],
        keyring: KeyRing | None = None,
    ) -> None:
        self.store = store
        self.vault = vault
        self.snapshots = snapshots
        self.marks = marks
        self.clock = clock
        self.ruleset = ruleset
        self.keyring = keyring or SeededKeyRing()
        self.batcher = Batcher(store)

    def shelf(self, row: TableRow) -> Shelf:
        """The snapshots of a table."""
        return Shelf(row.id, self.ruleset(row.ruleset), store=self.store, vault=self.vault, snapshots=self.snapshots)


async def open_table(row: TableRow, ports: Ports, shelf: Shelf | None = None) -> Table:
    """The table, ready for commands. Writes its first commit where the log is empty, and begins a new epoch where it has to.

    Whoever keeps the rows clears ``row.restart`` afterwards: were that done before, a crash in between would bring seeds back.

    Raises:
        Refusal, StoreUnavailable, LogBroken: it cannot be used now; the message says why.
    """
    ruleset = ports.ruleset(row.ruleset)
    shelf = shelf or ports.shelf(row)
    near, near_head = await shelf.nearest() or (TableState.opening(ruleset, table=row.id), GENESIS)
    state, head = await catch_up(ports.store, near, near_head)
    restart = row.restart or ("log_cut" if await ports.marks.cut(ports.store, row.id, ports.vault) else "")
    epoch = await _unused_epoch(ports, row.id, state.epoch) if restart else state.epoch
    key = await ports.vault.table_key(row.id, epoch) or await _new_key(ports, row.id, epoch)
    if state.seq - near.seq >= EVERY:  # of a log that other code wrote, or of a night without a good end
        await shelf.put(state, head, epoch=epoch)
    events: Placed = ()
    ladder = Ladder(key, row.id, epoch)
    promises = ladder.promises(state.seq + 1)
    if state.seq == 0:
        opened = TableOpened(
            title=row.title,
            ruleset=ruleset.id,
            seed_hashes=promises,
            taped=not isinstance(ports.keyring, SeededKeyRing),
        )
        events = (("all", opened),)
    if restart:
        log.warning(_RESTARTS[restart], table=row.id, epoch=epoch)
        events = (*events, ("all", LadderRestarted(epoch=epoch, reason=restart, seed_hashes=promises)))
    table = Table(
        state=state,
        head_hash=head,
        key=key,
        ladder=ladder,
        store=ports.store,
        batcher=ports.batcher,
        marks=ports.marks,
        clock=ports.clock,
        keyring=ports.keyring,
    )
    if events:
        try:
            await system(table, f"open:{epoch}:{state.seq + 1}", events)
        except BaseException:
            await table.aclose()
            raise
    return table


async def system(table: Table, command_id: str, events: Placed | Callable[[TableState], Placed]) -> int:
    """Have the bridge itself commit some events. Returns the seq; raises the ``Refusal`` that came instead."""
    frame = await as_bridge(table, command_id, events=events)
    if isinstance(frame, Refused):
        raise Refusal(Code(frame.code), frame.message, values=frame.values)
    return frame.seq


async def as_bridge(
    table: Table, command_id: str, *, command: Command | None = None, events: Placed | Callable[[TableState], Placed] = ()
) -> Ack | Refused:
    """What comes of a command, or of events, in the name of the bridge itself."""
    done: asyncio.Future[Ack | Refused] = asyncio.get_running_loop().create_future()

    def answer(frame: Ack | Refused, _command: object) -> None:
        if not done.done():
            done.set_result(frame)

    seen = table.state.seq
    table.submit(Request(user=BRIDGE, role="gm", id=command_id, seen=seen, command=command, events=events, answer=answer))
    return await done


async def _unused_epoch(ports: Ports, table: str, epoch: int) -> int:
    """The next epoch without a key. One that has a key may have shown its seeds, in commits that this log does not hold."""
    epoch += 1
    while await ports.vault.table_key(table, epoch) is not None:
        epoch += 1
    return epoch


async def _new_key(ports: Ports, table: str, epoch: int) -> bytes:
    key = os.urandom(KEY_BYTES)
    await ports.vault.put_table_key(table, epoch, key)
    return key
