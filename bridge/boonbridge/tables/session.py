"""One viewer at one table: what he is shown, from his hello on."""

import asyncio
import secrets
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from boonbridge.core import entries
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer, readable
from boonbridge_schemas.base import Moment, Role, UserId
from boonbridge_schemas.client import ClientInfo, Hello, Position
from boonbridge_schemas.events import Event
from boonbridge_schemas.server import CaughtUp, Limits, Welcome

from .frames import encode, logged, state_frames, told
from .identity import Claims
from .outbox import Outbox
from .table import Table

_PAGE = 100
_event: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Session:
    """A connection that has said hello. Belongs to one table and one person.

    ``origin`` is of the page it comes from, ``address`` of the machine; ``since`` the time at which it came.
    """

    def __init__(
        self,
        table: Table,
        claims: Claims,
        role: Role,
        outbox: Outbox,
        client: ClientInfo,
        *,
        origin: str | None = None,
        address: str = "",
        since: Moment = 0,
    ) -> None:
        self.connection = secrets.token_urlsafe(9)
        self.client = client
        self.table = table
        self.claims = claims
        self.outbox = outbox
        self.origin = origin
        self.address = address
        self.since = since
        self.viewer = Viewer(claims.user, role)

    @property
    def user(self) -> UserId:
        """Whose it is."""
        return self.viewer.user

    @property
    def role(self) -> Role:
        """The role that counts: the table's, not the token's."""
        return self.viewer.role


class Start(Struct, frozen=True):
    """From where a viewer is told: the whole state anew (``after`` None, with the reason), or what he missed."""

    after: int | None
    reset: str | None


async def where_to_start(table: Table, hello: Hello, limits: Limits) -> Start:
    """Resume where the log holds what the client holds, otherwise start anew and say why."""
    last: Position | None = hello.last
    if last is None:
        return Start(None, "first")
    if last.epoch != table.state.epoch:
        return Start(None, "epoch")
    if last.seq > table.state.seq:
        return Start(None, "ahead")
    if table.state.seq - last.seq > limits.catchup:
        return Start(None, "far_behind")
    if not await table.holds(last):
        return Start(None, "other_log")
    return Start(last.seq, None)


async def tell(session: Session, start: Start, welcome: Welcome, snapshot: TableState, *, telling: int, limits: Limits) -> None:
    """Tell a viewer everything up to ``snapshot``; what happens meanwhile waits in his outbox behind it.

    Ends early where he is gone, or is told anew (``telling`` is the number that ``hold`` gave).

    After a resume the missed commits come first, without changes; then every entry they touched, as it is now.
    """
    outbox, viewer = session.outbox, session.viewer
    if not await outbox.page(telling, encode(welcome)):
        return
    if start.after is None:
        keys: Sequence[str] = tuple(entries.all_keys(snapshot))
        nulls = False
    else:
        keys, nulls = await _missed(session, viewer, telling, start.after, snapshot), True
    for frame in state_frames(snapshot, keys, viewer, size=limits.frame_out // 2, nulls=nulls):
        if not await outbox.page(telling, frame):
            return
    await outbox.page(telling, encode(CaughtUp(head=snapshot.seq)))
    outbox.release(telling)


async def _missed(session: Session, viewer: Viewer, telling: int, after: int, snapshot: TableState) -> tuple[str, ...]:
    keys: dict[str, None] = {}
    while after < snapshot.seq:
        commits = await session.table.read(after=after, limit=min(_PAGE, snapshot.seq - after))
        if not commits:
            break
        for commit in commits:
            opened = told(commit)
            rung = session.table.ladder.rung(commit.seq)
            frame = encode(logged(opened, viewer, rung, catchup=True))
            session.table.ladder.forget(commit.seq)
            if not await session.outbox.page(telling, frame):
                return ()
            seen = [_event.decode(raw) for part in readable(viewer, commit.by) for raw in opened.events.get(part, ())]
            keys.update(dict.fromkeys(entries.touched(snapshot, seen, viewer.role)))
        after = commits[-1].seq
        await asyncio.sleep(0)
    return tuple(keys)
