"""What a commit about people does besides the log: to their open connections, their codes, their names and devices.

A role counts at once and access ends at once; what is to be forgotten is deleted behind the commit, and again at the next
opening where a crash came between.
"""

from collections.abc import Callable, Coroutine

import structlog

from boonbridge.core.visibility import Viewer
from boonbridge_schemas.base import Moment, Role, UserId
from boonbridge_schemas.codes import Close
from boonbridge_schemas.events import AccessRevoked, Event, Invited, NameErased, OriginRemoved, RoleSet

from .devices import Devices
from .in_use import Open
from .pairing import Pairing
from .ports import PairingCode, StoreUnavailable, Timer, Vault
from .session import Session, Start
from .table import Committed, Table

log = structlog.get_logger("boonbridge.hub")

_AGAIN_MS = 5_000
"""After a trouble of the store, what has to be deleted is tried again."""


class People:
    """The people of one server's tables.

    ``background`` runs something beside the commands; ``admits`` says whether the page of a connection may be here, and ``tell``
    tells somebody his table.
    """

    def __init__(
        self,
        vault: Vault,
        pairing: Pairing,
        devices: Devices,
        timer: Timer,
        *,
        background: Callable[[Coroutine[object, object, None]], None],
        admits: Callable[[Open, Session], bool],
        tell: Callable[[Open, Session, Start], Coroutine[object, object, None]],
    ) -> None:
        self._vault = vault
        self._pairing = pairing
        self._devices = devices
        self._timer = timer
        self._background = background
        self._admits = admits
        self._tell = tell
        self._closed = False

    def close(self) -> None:
        """Try nothing again."""
        self._closed = True

    # --- names -------------------------------------------------------------------------------------------------
    async def names(self, table: Table) -> dict[UserId, str]:
        """What people are called; what was to be forgotten as a server ended is forgotten now."""
        vault, id_ = self._vault, table.state.table
        names = await vault.people(id_)
        kept = {*names, *(row.user for row in await vault.devices(id_))}
        codes = await vault.codes(id_)
        for user, member in table.state.people.items():
            if member.erased and (user in kept or any(row.user == user and row.made <= member.erased_at for row in codes)):
                await vault.forget_person(id_, user, made_until=member.erased_at)
                names.pop(user, None)
        return names

    async def name(self, opened: Open, user: UserId, name: str) -> None:
        """Keep the name of a person, beside the log; not of one whose name was erased meanwhile."""
        if opened.names.get(user) == name or opened.is_erased(user):
            return
        await self._vault.put_person(opened.table.state.table, user, name)
        if not opened.is_erased(user):
            opened.names[user] = name

    async def _forget(self, opened: Open, user: UserId) -> None:
        """Delete what is kept of a person; tried again while the store is in trouble, and when the table is next opened."""
        state = opened.table.state
        if self._closed or not ((member := state.people.get(user)) and member.erased):
            return  # he was named anew meanwhile
        try:
            await self._vault.forget_person(state.table, user, made_until=member.erased_at)
        except StoreUnavailable as down:
            log.warning("a name is not erased yet", table=state.table, user=user, reason=str(down))
            again = self._timer.now() + _AGAIN_MS
            self._timer.at(again, lambda: self._background(self._forget(opened, user)))

    # --- what follows from a commit ----------------------------------------------------------------------------
    def committed(self, opened: Open, committed: Committed) -> None:
        """Have what follows from each event happen, now or behind the commit."""
        for _, event in committed.placed:
            self._follow(opened, event, committed)

    def _follow(self, opened: Open, event: Event, committed: Committed) -> None:
        match event:
            case AccessRevoked(user=user, device=device):
                self._turn_out(opened, event, committed.told.at)
                self._drop_codes(opened, committed, lambda code: code.by == user or (device is None and code.user == user))
            case Invited(user=user) | RoleSet(user=user):
                self._readmit(opened, user, event.role)
                if event.role != "gm" and committed.before.role(user) == "gm":
                    self._drop_codes(opened, committed, lambda code: code.by == user != code.user)
            case NameErased():
                opened.names.pop(event.user, None)
                self._devices.forget(opened.table.state.table, event.user)
                self._background(self._forget(opened, event.user))
                opened.show_presence()
            case OriginRemoved():
                for session in tuple(opened.sessions):
                    if not self._admits(opened, session):
                        self._send_away(opened, session, Close.ORIGIN_UNKNOWN, self._timer.now())
                opened.show_presence()
            case _:
                pass

    def _turn_out(self, opened: Open, event: AccessRevoked, at: Moment) -> None:
        for session in tuple(opened.sessions):
            if session.user == event.user and event.device in (None, session.claims.device):
                # Seen until then, and not since: that is what tells a device that was taken away.
                self._send_away(opened, session, Close.AUTH_REVOKED, min(at, self._timer.now()))
        opened.show_presence()

    def _send_away(self, opened: Open, session: Session, why: Close, seen: Moment) -> None:
        session.outbox.close(why)
        opened.sessions.discard(session)
        opened.composing.left(session)
        self._devices.note(session, seen)

    def _readmit(self, opened: Open, user: UserId, role: Role) -> None:
        """A person whose role changed is told the table anew, as the new role sees it."""
        for session in tuple(opened.sessions):
            if session.user == user and session.role != role:
                session.viewer = Viewer(user, role)
                self._background(self._tell(opened, session, Start(None, "role")))
        opened.show_presence()

    def _drop_codes(self, opened: Open, committed: Committed, which: Callable[[PairingCode], bool]) -> None:
        """Codes from before that open nothing any more (``still_opens``) are not kept."""
        table, at = opened.table.state.table, committed.told.at
        self._background(self._dropped(table, lambda code: code.made <= at and which(code)))

    async def _dropped(self, table: str, which: Callable[[PairingCode], bool]) -> None:
        try:
            await self._pairing.drop(table, which)
        except StoreUnavailable as down:
            log.warning("codes not dropped", table=table, reason=str(down))
