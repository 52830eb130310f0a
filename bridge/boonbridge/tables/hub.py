"""All tables of one server and everybody who is at them.

Opens a table when the first person comes, admits people, tells everybody what was committed. What a person may ask
for once he is in is in ``serving.py``. Sockets and SQL may not be here.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Sequence

import structlog

from boonbridge import __version__
from boonbridge.core import entries
from boonbridge.core.state import Member, TableState
from boonbridge.core.visibility import readable
from boonbridge.obs.metrics import Metrics
from boonbridge_schemas.client import Composing as ComposingFrame
from boonbridge_schemas.client import Hello, Saw
from boonbridge_schemas.client import Posted as PostedFrame
from boonbridge_schemas.codes import Close
from boonbridge_schemas.commands import RenameTable
from boonbridge_schemas.events import Invited
from boonbridge_schemas.server import Ack, DiceSource, Limits, Refused, Welcome

from .devices import Devices
from .frames import commit_frames
from .identity import Claims, TokenRefused, read_token
from .in_use import Open
from .opening import Ports, as_bridge, open_table, system
from .outbox import Outbox
from .pairing import Pairing
from .people import People
from .ports import Posted, StoreDamaged, StoreUnavailable, TableRow, Tables, Timer
from .posting import Chat
from .session import Session, Start, tell, where_to_start
from .snapshots import Keeping
from .table import Committed
from .versions import FEATURES, to_update

log = structlog.get_logger("boonbridge.hub")


_PATIENCE = 10.0


class Rejected(Exception):  # noqa: N818 - no class of ours is called Error
    """A hello that is not accepted; the connection is to be closed with this code."""

    def __init__(self, close: Close) -> None:
        super().__init__(close.reason)
        self.close = close


class Hub:
    """One per server. ``hosts``: origins that are the bridge itself; ``addresses``: where it can be reached."""

    def __init__(
        self,
        ports: Ports,
        tables: Tables,
        key: bytes,
        *,
        posted: Posted,
        timer: Timer,
        limits: Limits,
        hosts: Callable[[], Sequence[str]] = tuple,
        addresses: Callable[[], Sequence[str]] = tuple,
        metrics: Metrics | None = None,
    ) -> None:
        self.ports = ports
        self.key = key
        self.limits = limits
        self.metrics = metrics or Metrics()
        self.pairing = Pairing(ports.vault, key, ports.clock)
        self.devices = Devices(ports.vault, limits.devices_per_person, self.background)
        self.people = People(
            ports.vault,
            self.pairing,
            self.devices,
            timer,
            background=self.background,
            admits=lambda opened, session: self._admits(opened, session.claims, session.origin),
            tell=self._tell,
        )
        self._tables = tables
        self._posted = posted
        self._timer = timer
        self._hosts = hosts
        self._addresses = addresses
        self._open: dict[str, Open] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # --- tables ------------------------------------------------------------------------------------------------
    async def at(self, table_id: str) -> Open:
        """The table of that id, opened if need be. Raises ``Rejected`` (4403) where there is none, and ``StoreDamaged``."""
        if (found := self._open.get(table_id)) is not None:
            if found.damage is not None:
                raise StoreDamaged(str(found.damage))
            return found
        async with self._opening.setdefault(table_id, asyncio.Lock()):
            if (found := self._open.get(table_id)) is not None:
                return found
            row = await self._tables.get_table(table_id)
            if row is None:
                raise Rejected(Close.AUTH_REVOKED)
            shelf = self.ports.shelf(row)
            table = await open_table(row, self.ports, shelf)
            try:
                if row.restart:
                    await self._tables.restarted(row.id)
                names = await self.people.names(table)
            except BaseException:
                await table.aclose()
                raise
            chat = Chat(table, self._posted, self._timer, self.limits, self.background)
            keeping = Keeping(table, shelf, self.background)
            opened = Open(table, names, chat, keeping, timer=self._timer, limits=self.limits)
            table.damaged = lambda damage: self.damaged(table_id, damage)
            table.publish = lambda committed: self._publish(opened, committed)
            table.present = lambda: tuple(sorted({session.user for session in opened.sessions}))
            self._open[table_id] = opened
            if row.title != table.state.title:
                self.background(self._title(opened))
            return opened

    async def new_table(self, row: TableRow) -> bool:
        """Make a table and write its first commit. False where the id is taken."""
        if not await self._tables.add_table(row):
            return False
        await self.at(row.id)
        return True

    async def rename(self, table_id: str, title: str) -> Ack | Refused:
        """Call a table something else, in the name of the operator; lists have it too when this returns.

        Raises ``Rejected`` (4403) where there is no such table.
        """
        opened = await self.at(table_id)
        answer = await as_bridge(opened.table, f"rename:{secrets.token_urlsafe(16)}", command=RenameTable(title=title))
        await self._title(opened)
        return answer

    async def delete(self, table_id: str) -> bool:
        """Delete a table with everything that is kept of it; whoever is there is sent away. False where there is none.

        Raises ``StoreUnavailable`` where it could not be done; the table is there as before then.
        """
        async with self._opening.setdefault(table_id, asyncio.Lock()):
            if await self._tables.get_table(table_id) is None:
                return False
            # From here on nobody comes in: whoever wants to waits for the lock, and then finds no such table.
            if (opened := self._open.pop(table_id, None)) is not None:
                for session in tuple(opened.sessions):
                    session.outbox.close(Close.AUTH_REVOKED)
                opened.sessions.clear()
                self._let_go(opened, gone=True)
                await opened.table.aclose()
                await opened.keeping.shelf.aclose()
            self.devices.forget_table(table_id)
            await self.ports.marks.forget(table_id)
            log.info("table deleted", table=table_id)
            return await self._tables.delete_table(table_id)

    async def list_tables(self) -> Sequence[TableRow]:
        """All tables, oldest first."""
        return await self._tables.list_tables()

    def damaged(self, table_id: str, damage: StoreDamaged) -> None:
        """What a table lies on was found damaged: nobody is at it from now on, so that nothing more is built on it."""
        if (opened := self._open.get(table_id)) is not None:
            opened.damage = damage
            for session in tuple(opened.sessions):
                session.outbox.close(Close.INTERNAL)

    def online(self, table_id: str) -> int:
        """How many connections are at a table now."""
        opened = self._open.get(table_id)
        return len(opened.sessions) if opened else 0

    async def aclose(self) -> None:
        """Decide and write what is queued, then let the tables go."""
        for opened in self._open.values():
            self._let_go(opened)
            await opened.table.aclose()
            await opened.keeping.aclose()
        for opened in self._open.values():
            for session in tuple(opened.sessions):
                self.leave(session)
        # The last of what lies beside the log; what waits for somebody who does not read is not waited for.
        while self._tasks and (await asyncio.wait(self._tasks, timeout=_PATIENCE))[0]:
            pass
        self.people.close()
        await self.ports.batcher.aclose()

    @staticmethod
    def _let_go(opened: Open, *, gone: bool = False) -> None:
        opened.chat.close(gone=gone)
        opened.expiring.close()
        opened.composing.close()

    # --- admission ---------------------------------------------------------------------------------------------
    async def admit(self, hello: Hello, origin: str | None, outbox: Outbox, *, address: str = "") -> Session:
        """Let a person in and tell him the table. Raises ``Rejected`` with the close code that says why not."""
        try:
            claims = read_token(self.key, hello.token, now=self.ports.clock.now())
        except TokenRefused as no:
            raise Rejected(no.close) from None
        if hello.table is not None and hello.table != claims.table:
            raise Rejected(Close.AUTH_REVOKED)
        opened = await self.at(claims.table)
        if not self._admits(opened, claims, origin):
            log.info("origin refused", table=claims.table, origin=origin)
            raise Rejected(Close.ORIGIN_UNKNOWN)
        await self._join(opened, claims)
        start = await where_to_start(opened.table, hello, self.limits)
        # From here until the session is known and its outbox holds nothing is awaited, so that no commit falls between:
        # neither one that he would miss, nor one that takes his role or his access away.
        member = self._member(opened, claims)
        # Whoever holds that very commit may have heard it, and no more, with the eyes of his role before.
        if start.after is not None and member.since >= start.after > 0:
            start = Start(None, "role")
        if self._open.get(claims.table) is not opened:  # it was deleted meanwhile
            raise Rejected(Close.AUTH_REVOKED)
        if not self._admits(opened, claims, origin):
            raise Rejected(Close.ORIGIN_UNKNOWN)
        now = self.ports.clock.now()
        session = Session(opened.table, claims, member.role, outbox, hello.client, origin=origin, address=address, since=now)
        try:
            await self._tell(opened, session, start)
        except BaseException:
            self.leave(session)
            raise
        opened.chat.joined(session)
        self.devices.note(session, now)
        return session

    def leave(self, session: Session) -> None:
        """A connection is gone."""
        session.outbox.lost()
        opened = self._open.get(session.claims.table)
        if opened is not None:
            opened.chat.left(session)
        if opened is not None and session in opened.sessions:
            opened.sessions.discard(session)
            self.devices.note(session, self.ports.clock.now())
            opened.composing.left(session)
            opened.show_presence()

    async def posted(self, session: Session, frame: PostedFrame) -> None:
        """A connection says that the cards it was asked for are in the chat."""
        opened = await self.at(session.claims.table)
        opened.chat.answered(session, frame)

    async def saw(self, session: Session, frame: Saw) -> None:
        """A connection says that its person has a request before his eyes."""
        opened = await self.at(session.claims.table)
        opened.seeing.saw(session, frame, opened.sessions)

    async def composing(self, session: Session, frame: ComposingFrame) -> None:
        """A connection says which roll its person is putting together, or that he is not any more."""
        opened = await self.at(session.claims.table)
        opened.composing.heard(session, frame)

    async def _tell(self, opened: Open, session: Session, start: Start) -> None:
        telling = session.outbox.hold()
        opened.sessions.add(session)
        snapshot, head_hash = opened.table.state, opened.table.head_hash
        welcome = Welcome(
            table=snapshot.table,
            title=snapshot.title,
            user=session.user,
            name=opened.names.get(session.user, session.claims.name),
            role=session.role,
            epoch=snapshot.epoch,
            head=snapshot.seq,
            head_hash=head_hash.hex(),
            from_=start.after,
            reset=start.reset,
            ruleset=snapshot.ruleset.info(snapshot.options, snapshot.data if snapshot.edited else None),
            features=FEATURES,
            limits=self.limits,
            addresses=tuple(self._addresses()),
            seed_hashes=opened.table.ladder.promises(snapshot.seq),
            expires_at=session.claims.expires,
            bridge=__version__,
            update=to_update(session.client.version, __version__) if session.client.kind == "foundry" else None,
            dice=_dice_of(snapshot),
        )
        opened.show_presence()
        await tell(session, start, welcome, snapshot, telling=telling, limits=self.limits)
        opened.seeing.tell(session)
        opened.composing.tell(session)

    def _admits(self, opened: Open, claims: Claims, origin: str | None) -> bool:
        """Whether a page of that origin may connect: none at all, the table's, the token's, the bridge's own."""
        return origin is None or origin in claims.origins or origin in opened.table.state.origins or origin in self._hosts()

    async def _join(self, opened: Open, claims: Claims) -> None:
        """A token that was signed beside the log (command line): its holder enters the log when he first comes.

        So does one whose access was taken back before that.
        """
        state = opened.table.state
        member = state.people.get(claims.user)
        if member is None:
            if len(state.people) >= self.limits.people:
                raise Rejected(Close.AUTH_REVOKED)
            command_id = f"join:{claims.user}"
        elif member.gone and not member.refuses(claims.device, claims.issued):
            command_id = f"join:{claims.user}:{claims.issued}"
        else:
            return
        await self.people.name(opened, claims.user, claims.name)
        # His role as it is when his turn comes: it may be changed while his name is written.
        await system(
            opened.table,
            command_id,
            lambda now: (("all", Invited(user=claims.user, role=now.role(claims.user) or claims.role, device=claims.device)),),
        )
        await self.people.name(opened, claims.user, claims.name)  # who had none any more

    def _member(self, opened: Open, claims: Claims) -> Member:
        """Who he is at this table now. Raises ``Rejected`` where his token was revoked."""
        member = opened.table.state.people[claims.user]
        if member.refuses(claims.device, claims.issued):
            raise Rejected(Close.AUTH_REVOKED)
        return member

    async def _title(self, opened: Open) -> None:
        """Have lists call a table what its log calls it."""
        try:
            await self._tables.rename_table(opened.table.state.table, opened.table.state.title)
        except StoreUnavailable as down:  # the next opening does it
            log.warning("the list has the old name of a table", table=opened.table.state.table, reason=str(down))

    # --- telling -----------------------------------------------------------------------------------------------
    def _publish(self, opened: Open, committed: Committed) -> None:
        """Tell a commit to everybody at the table: encoded once per set of readers, not once per person."""
        told, after = committed.told, committed.after
        shown_to = entries.seen_by(after, entries.touched(after, (event for _, event in committed.placed), "gm"))
        one_for_all = shown_to == "all" and told.events.keys() == {"all"}
        rung = opened.table.ladder.rung(told.seq)
        cache: dict[object, tuple[bytes, ...]] = {}
        for session in tuple(opened.sessions):
            viewer = session.viewer
            readers = one_for_all or (viewer.role, viewer.user == told.by, viewer.user if shown_to == "person" else None)
            frames = cache.get(readers)
            if frames is None:
                # Of what he does not read not even the key of an entry is told him.
                parts = readable(viewer, told.by)
                changed = entries.touched(after, (event for part, event in committed.placed if part in parts), viewer.role)
                frames = cache[readers] = commit_frames(told, viewer, rung, after, changed, size=self.limits.frame_out // 4)
            for frame in frames:
                session.outbox.put(frame, commit=True)
        opened.chat.committed(told)
        opened.keeping.committed(committed)
        opened.expiring.look()
        opened.seeing.forget()
        opened.composing.committed(committed)
        if committed.after.title != committed.before.title:
            self.background(self._title(opened))
        self.people.committed(opened, committed)

    def background(self, work: Coroutine[object, object, None]) -> None:
        """Run something to its end beside the commands; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            log.error("background work failed", exc_info=failure)


def _dice_of(state: TableState) -> DiceSource:
    return DiceSource(kind="taped" if state.taped else "promised", since=state.epoch_from, reason=state.epoch_why or None)
