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
from .ports import Clock, EventStore, Marks, TableRow, Vault
from .table import WINDOW, KeyRing, Placed, Request, SeededKeyRing, Table

log = structlog.get_logger("boonbridge.table")


class Ports:
    """Everything a table is opened with; made once by the composition root."""

    def __init__(
        self,
        *,
        store: EventStore,
        vault: Vault,
        marks: Marks,
        clock: Clock,
        ruleset: Callable[[str], Ruleset],
        keyring: KeyRing | None = None,
    ) -> None:
        self.store = store
        self.vault = vault
        self.marks = marks
        self.clock = clock
        self.ruleset = ruleset
        self.keyring = keyring or SeededKeyRing()
        self.batcher = Batcher(store)


async def open_table(row: TableRow, ports: Ports) -> Table:
    """The table, ready for commands. Writes its first commit where the log is empty.

    Raises:
        Refusal, StoreUnavailable, LogBroken: it cannot be used now; the message says why.
    """
    ruleset = ports.ruleset(row.ruleset)
    state = TableState.opening(ruleset, table=row.id)
    state, head = await catch_up(ports.store, state, GENESIS)
    epoch = state.epoch
    key = await ports.vault.table_key(row.id, epoch) or await _new_key(ports, row.id, epoch)
    cut = await ports.marks.cut(ports.store, row.id, ports.vault)
    events: Placed = ()
    if cut:
        epoch += 1
        key = await _new_key(ports, row.id, epoch)
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
    elif cut:
        log.warning("the log is shorter than it was; a new epoch of seeds begins", table=row.id, epoch=epoch)
        events = (("all", LadderRestarted(epoch=epoch, reason="log_cut", seed_hashes=promises)),)
    recent = await ports.store.read(row.id, after=max(0, state.seq - WINDOW), limit=WINDOW) if state.seq else ()
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
        known=recent,
    )
    if events:
        await system(table, f"open:{epoch}:{state.seq + 1}", events)
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


async def _new_key(ports: Ports, table: str, epoch: int) -> bytes:
    key = os.urandom(KEY_BYTES)
    await ports.vault.put_table_key(table, epoch, key)
    return key
