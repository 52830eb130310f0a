"""One table: its commands in single file, from dedupe to publish.

    known id? -> decide -> assemble -> append -> evolve -> publish -> ack

Append first, publish after: nobody hears of a roll that is not on disk. A worker takes one request at a time, so
that a caller who goes away in the middle takes nothing with him.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from boonbridge.core.chain import GENESIS, leaf, link
from boonbridge.core.decide import decide
from boonbridge.core.decision import Context, Decision
from boonbridge.core.evolving import begin
from boonbridge.core.house import readings
from boonbridge.core.ladder import AHEAD, Ladder
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import header_of, part_of
from boonbridge.dice.source import Dice, SeededDice
from boonbridge_schemas.base import LOG_FORMAT, PARTS, Moment, PartName, Role, UserId
from boonbridge_schemas.client import Position
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Command, EndRound, EndTurn, Invite
from boonbridge_schemas.commit import Header
from boonbridge_schemas.events import Event, Withdrawn
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Ack, Limits, Refused

from .batcher import Batcher
from .folding import catch_up, fold
from .frames import Told, encode, told
from .ports import Appended, Clock, EventStore, Marks, StoreDamaged, StoredCommit, StoreUnavailable

log = structlog.get_logger("boonbridge.table")

_TRIES = 3
LARGEST = Limits().frame_out * 3 // 4
"""Bytes of a commit's parts: with the entries it changes it still has to fit into one frame."""
TOO_LARGE = "This would be more than one message can tell. Do it in smaller parts."
DAMAGED = "What this table lies on is damaged, so nothing was done. Whoever runs the bridge has to put a backup back."
WINDOW = 2_000
"""Command ids kept in memory; those before, and of before the table was opened, are asked of the store."""


Placed = tuple[tuple[PartName, Event], ...]
"""Events with the part that each stands in."""


class Request(Struct, frozen=True, kw_only=True):
    """Something a person wants of a table. ``answer`` is called once, after everybody was told.

    ``role`` counts for people whom the table does not know; of others the table knows better, since a role may change
    while a command waits. ``device`` and ``issued`` are of the token it came with: it may have been revoked meanwhile.
    ``events`` of the bridge itself may depend on the table as it is when their turn comes, and may be refused then.
    """

    user: UserId
    role: Role
    id: str
    device: str = ""
    issued: Moment | None = None
    answer: "Callable[[Ack | Refused, Command | None], None]"
    seen: int = 0
    command: Command | None = None
    events: "Placed | Callable[[TableState], Placed]" = ()


class Committed(Struct, frozen=True, kw_only=True):
    """A commit that is on disk and in the state: what there was before, what there is now, and how to tell it."""

    told: Told
    before: TableState
    after: TableState
    placed: tuple[tuple[PartName, Event], ...]


class KeyRing(Protocol):
    """Dice of a commit. The tests have one with a tape; a served table always has the seeded one."""

    def dice(self, ladder: Ladder, seq: int, part: PartName, command_id: str) -> Dice:
        """The dice of one part of commit ``seq``."""
        ...


class SeededKeyRing:
    """The dice that the ladder has promised."""

    def dice(self, ladder: Ladder, seq: int, part: PartName, command_id: str) -> Dice:
        """The dice of one part of commit ``seq``."""
        return SeededDice(ladder.rung(seq).seeds[part], command_id)


class _Known(Struct, frozen=True, kw_only=True):
    user: UserId
    digest: bytes
    seq: int
    changed: bool
    withdrawn: bool = False


class Table:
    """A table in use. Made by ``opening.open_table``; closed by its hub."""

    def __init__(
        self,
        *,
        state: TableState,
        head_hash: bytes,
        key: bytes,
        ladder: Ladder,
        store: EventStore,
        batcher: Batcher,
        marks: Marks,
        clock: Clock,
        keyring: KeyRing,
    ) -> None:
        self.state = state
        self.head_hash = head_hash
        self.ladder = ladder
        self.publish: Callable[[Committed], None] = lambda _committed: None
        self.damaged: Callable[[StoreDamaged], None] = lambda _damage: None
        self.present: Callable[[], tuple[UserId, ...]] = tuple
        self._key = key
        self._store = store
        self._batcher = batcher
        self._marks = marks
        self._clock = clock
        self._keyring = keyring
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._readings: tuple[object, dict[str, bool | int | str | None]] = (None, {})
        self._queue: asyncio.Queue[Request | None] = asyncio.Queue()
        self._closed = False
        self._worker = asyncio.get_running_loop().create_task(self._work(), name=f"table {state.table}")

    # --- from outside ------------------------------------------------------------------------------------------
    def submit(self, request: Request) -> None:
        """Queue a command, a withdrawal (no command) or events of the bridge itself; ``busy`` where it closes."""
        if self._closed:
            request.answer(refused(Refusal(Code.BUSY, retry_after_ms=1_000), request.id), request.command)
        else:
            self._queue.put_nowait(request)

    async def aclose(self) -> None:
        """Decide what is queued, then stop."""
        self._closed = True
        self._queue.put_nowait(None)
        await asyncio.shield(self._worker)

    async def holds(self, position: Position) -> bool:
        """Whether the log has that hash at that place, so that a client may go on from it."""
        if position.epoch != self.state.epoch or position.seq > self.state.seq:
            return False
        if position.seq == self.state.seq:
            return position.hash == self.head_hash.hex()
        if position.seq < self.state.epoch_from:  # before the first commit of this epoch only the very beginning is held
            return position.seq == 0 == self.state.epoch_from - 1 and position.hash == GENESIS.hex()
        found = await self._store.read(self.state.table, after=position.seq - 1, limit=1)
        return bool(found) and found[0].hash.hex() == position.hash

    async def read(self, *, after: int, limit: int) -> Sequence[StoredCommit]:
        """Stored commits in order."""
        return await self._store.read(self.state.table, after=after, limit=limit)

    async def time_of(self, seq: int) -> Moment:
        """When a commit was made."""
        if seq == self.state.seq:
            return self.state.at
        (stored,) = await self._store.read(self.state.table, after=seq - 1, limit=1)
        return told(stored).at

    # --- the worker --------------------------------------------------------------------------------------------
    async def _work(self) -> None:
        while (request := await self._queue.get()) is not None:
            try:
                answer = await self._answer(request)
            except Refusal as refusal:
                answer = refused(refusal, request.id)
                log.info("refused", code=refusal.code, user=request.user, id=request.id)
            except StoreDamaged as damage:
                answer = refused(Refusal(Code.INTERNAL, DAMAGED), request.id)
                log.error("store damaged", reason=str(damage), id=request.id)  # noqa: TRY400 - the reason is enough
                asyncio.get_running_loop().call_soon(self.damaged, damage)  # behind the answer
            except StoreUnavailable as down:
                answer = refused(Refusal(Code.BUSY, retry_after_ms=1_000), request.id)
                log.error("store unavailable", reason=str(down), id=request.id)  # noqa: TRY400 - the reason is enough
            except Exception:
                log.exception("command failed", id=request.id, command=type(request.command).__name__)
                answer = await self._after_mistake(request)
            try:
                request.answer(answer, request.command)
            except Exception:
                # Whoever asks again is answered from the log; the others' commands must not wait for this one.
                log.exception("answer not sent", id=request.id)
            self.ladder.rung(self.state.seq + 1 + AHEAD)  # the next promise, made while nobody waits for it

    async def _after_mistake(self, request: Request) -> Ack | Refused:
        """After a mistake of our own only the log knows what became of a command: take it over, and answer from it."""
        try:
            await self._recover()
            if (done := await self._find(request)) is not None:
                return done
        except Refusal as refusal:
            return refused(refusal, request.id)
        except Exception as trouble:  # noqa: BLE001 - the first one is in the log line already, and the table goes on
            log.error("the log could not be taken over", reason=str(trouble), id=request.id)  # noqa: TRY400
        return refused(Refusal(Code.INTERNAL), request.id)

    async def _answer(self, request: Request) -> Ack | Refused:
        member = self.state.people.get(request.user)
        if member is not None:
            if request.issued is not None and member.refuses(request.device, request.issued):
                raise Refusal(Code.ROLE_FORBIDDEN, "Your access to this table was taken back.")
            request = replace(request, role=member.role)
        if (known := self._known.get(request.id)) is not None:
            return _again(known, request)
        if request.command is None and not request.events:
            request = replace(request, events=(("roller_gm", Withdrawn(command=request.id)),))
        for _ in range(_TRIES):
            try:
                answer = await self._try(request)
            except Refusal:
                # It may be refused now because it was done before, and memory does not reach that far back.
                if (older := await self._find(request)) is not None:
                    return older
                raise
            if answer is not None:
                return answer
            await self._recover()
            if (older := await self._find(request)) is not None:
                return older
        raise Refusal(Code.BUSY, retry_after_ms=200)

    async def _try(self, request: Request) -> Ack | Refused | None:
        """One attempt as the next commit; None where somebody else took that number."""
        seq = self.state.seq + 1
        if request.command is not None and seq > request.seen + AHEAD:
            raise Refusal(Code.DICE_STALE, values={"head": self.state.seq})
        # Later than the commit before, so that a token one commit gives is never as old as another's revocation.
        at = max(self._clock.now(), self.state.at + 1)
        request = replace(request, command=self.completed(request.command) if request.command else None)
        begun = begin(self.state, seq=seq, at=at, by=request.user)
        context = Context(
            by=request.user,
            role=request.role,
            at=at,
            command_id=request.id,
            dice_for=lambda part: self._keyring.dice(self.ladder, seq, part, request.id),
        )
        decision = decide(begun, request.command, context) if request.command else Decision(placed=_of_the_bridge(request, begun))
        if not decision.placed:
            if (older := await self._find(request)) is not None:
                return older
            self._remember(request, seq=self.state.seq, changed=False)
            return Ack(id=request.id, seq=self.state.seq, changed=False)
        commit, opened = self._assemble(request, decision, context, seq)
        # Folded from the bytes as any later start will fold them, and before they are on disk: what cannot be read
        # back is never written, and what was live is what is replayed.
        after = fold(self.state, commit)
        if not isinstance(await self._batcher.append(commit), Appended):
            return None
        before, self.state = self.state, after
        self.head_hash = commit.hash
        self._marks.note(self.state.table, self.ladder.epoch, seq, commit.hash, self._key)
        withdrawn = request.command is None and isinstance(decision.placed[0][1], Withdrawn)
        self._remember(request, seq=seq, changed=True, withdrawn=withdrawn)
        try:
            self.publish(Committed(told=opened, before=before, after=after, placed=decision.placed))
        except Exception:
            # It is on disk, so it happened; whoever was not told finds a number missing and asks for it.
            log.exception("commit not told", seq=seq, id=request.id)
        self.ladder.forget(seq)
        if withdrawn:
            return refused(Refusal(Code.COMMAND_WITHDRAWN), request.id)
        return Ack(id=request.id, seq=seq)

    def completed(self, command: Command) -> Command:
        """The command with what only the bridge knows: what a decision depends on is stored with it."""
        return replace(command, present=self.present()) if isinstance(command, EndTurn | EndRound) else command

    def _assemble(self, request: Request, decision: Decision, context: Context, seq: int) -> tuple[StoredCommit, Told]:
        state, rung = self.state, self.ladder.rung(seq)
        promise = self.ladder.rung(seq + AHEAD).promise.hex()
        parts = decision.parts(kept(request.command), context, self._chosen())
        encoded: dict[PartName, bytes] = {name: encode(part) for name, part in parts.items()}
        if sum(map(len, encoded.values())) > LARGEST:
            raise Refusal(Code.FRAME_TOO_LARGE, TOO_LARGE, values={"limit": LARGEST})
        header = encode(
            Header(
                format=LOG_FORMAT,
                table=state.table,
                epoch=self.ladder.epoch,
                seq=seq,
                at=context.at,
                ruleset=state.ruleset.id,
                version=state.ruleset.version,
                seed_hash=promise,
            )
        )
        leaves = {name: leaf(rung.salts[name], encoded.get(name, b"")) for name in PARTS}
        commit = StoredCommit(
            table=state.table,
            seq=seq,
            command_id=request.id,
            by=request.user,
            header=header,
            parts=tuple(encoded.get(name, b"") for name in PARTS),  # type: ignore[arg-type]
            hash=link(self.head_hash, header, leaves),
        )
        return commit, told(commit)

    def _chosen(self) -> dict[str, bool | int | str | None]:
        """The readings in force that are not the default."""
        options, chosen = self._readings
        if options is not self.state.options:
            options, chosen = self.state.options, readings(self.state)
            self._readings = options, chosen
        return chosen

    # --- ids that were used before -----------------------------------------------------------------------------
    async def _find(self, request: Request) -> Ack | Refused | None:
        """The answer this id got when it came first, as the log has it; None where it is new."""
        stored = await self._store.find(self.state.table, request.id)
        return _again(known_of(stored), request) if stored is not None else None

    def _remember(self, request: Request, *, seq: int, changed: bool, withdrawn: bool = False) -> None:
        self._known[request.id] = _Known(
            user=request.user, digest=digest(request.command), seq=seq, changed=changed, withdrawn=withdrawn
        )
        if len(self._known) > WINDOW:
            self._known.popitem(last=False)

    async def _recover(self) -> None:
        """Take over what the log has and we have not, after a conflict or a mistake of our own."""
        self.state, self.head_hash = await catch_up(self._store, self.state, self.head_hash)


def refused(refusal: Refusal, command_id: str | None) -> Refused:
    """The frame that tells a refusal."""
    return Refused(
        code=refusal.code,
        message=refusal.message,
        id=command_id,
        values=refusal.values,
        retry_after_ms=refusal.retry_after_ms,
    )


def _of_the_bridge(request: Request, state: TableState) -> Placed:
    """The events of a request without a command. Raises the ``Refusal`` where the table does not allow them any more."""
    return request.events(state) if callable(request.events) else request.events


def kept(command: Command | None) -> Command | None:
    """The command as it may stand in the log: names of people do not."""
    return replace(command, name="-") if isinstance(command, Invite) else command


def digest(command: Command | None) -> bytes:
    """What makes two commands under one id the same: their content, in whatever order it was written.

    But for what the bridge itself fills in, which may be another the second time.
    """
    if isinstance(command, EndTurn | EndRound):
        command = replace(command, present=())
    return sha256(_in_order(kept(command))).digest()


_in_order = msgspec.json.Encoder(order="sorted").encode


def _again(known: _Known, request: Request) -> Ack | Refused:
    """What is answered to an id that was used before. Raises ``command.id_taken`` where it meant something else."""
    if known.user != request.user:
        raise Refusal(Code.COMMAND_ID_TAKEN)
    if known.withdrawn:
        return refused(Refusal(Code.COMMAND_WITHDRAWN), request.id)
    if request.command is not None and known.digest != digest(request.command):
        raise Refusal(Code.COMMAND_ID_TAKEN)
    return Ack(id=request.id, seq=known.seq, changed=known.changed)


def known_of(stored: StoredCommit) -> _Known:
    """What there is to know of an id that is in the log."""
    its = header_of(stored.header).format
    parts = [part_of(raw, its) for raw in stored.parts if raw]
    command = next((part.command for part in parts if part.command is not None), None)
    events = [event for part in parts for event in part.events]
    withdrawn = any(isinstance(event, Withdrawn) and event.command == stored.command_id for event in events)
    return _Known(user=stored.by, digest=digest(command), seq=stored.seq, changed=True, withdrawn=withdrawn)
