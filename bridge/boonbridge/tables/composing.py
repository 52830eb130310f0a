"""Who is putting which roll together, so that others can help before the dice fall: in memory, told to the others.

Nothing of it is in any log. It is heard only of somebody's own actor and only as long as he says so again; that the roll will
be public is his word, and a client that hides a roll says nothing. What a GM prepares for anybody but the party is not told.
"""

from collections.abc import Callable

from boonbridge.core.permissions import owns
from boonbridge.core.state import TableState
from boonbridge_schemas.base import UserId
from boonbridge_schemas.checks import Attempt
from boonbridge_schemas.client import Composing as ComposingFrame
from boonbridge_schemas.events import CheckRolled
from boonbridge_schemas.server import Limits, Underway

from .frames import encode
from .ports import Timer
from .session import Session
from .table import Committed, Table


class _Composed:
    """What one person is at, on which of his connections, and the alarm after which it is forgotten."""

    def __init__(self, session: Session, on: Attempt, call_off: Callable[[], None]) -> None:
        self.session = session
        self.on = on
        self.call_off = call_off


class Composing:
    """The rolls of one table that are being put together: at most one a person. ``sessions``: who is there to be told."""

    def __init__(self, table: Table, timer: Timer, limits: Limits, sessions: set[Session]) -> None:
        self._table = table
        self._timer = timer
        self._lapse_ms = limits.composing_seconds * 1000
        self._sessions = sessions
        self._composed: dict[UserId, _Composed] = {}

    def heard(self, session: Session, frame: ComposingFrame) -> None:
        """Somebody begins to put a roll together, is still at it, or is no more. Nothing where it is not his to say."""
        user, on = session.user, frame.on
        before = self._composed.get(user)
        if on is None or not _may(self._table.state, session, on):
            if before is not None and before.session is session:
                self._end(user)
            return
        if before is not None:
            before.call_off()
        until = self._timer.now() + self._lapse_ms
        self._composed[user] = _Composed(session, on, self._timer.at(until, lambda: self._end(user)))
        if before is None or before.on != on:
            self._tell(user, on)

    def tell(self, session: Session) -> None:
        """Tell somebody who has come what the others are at."""
        for user, composed in self._composed.items():
            if user != session.user:
                session.outbox.put(encode(Underway(user=user, on=composed.on)))

    def left(self, session: Session) -> None:
        """A connection is gone, and with it what was put together there."""
        composed = self._composed.get(session.user)
        if composed is not None and composed.session is session:
            self._end(session.user)

    def committed(self, committed: Committed) -> None:
        """Let go of what was rolled before everybody, and of what is not his to say any more.

        A roll that not everybody sees ends nothing here, or its time could be told by it.
        """
        rolled = {event.rolled.actor for part, event in committed.placed if part == "all" and isinstance(event, CheckRolled)}
        for user, composed in tuple(self._composed.items()):
            done = user == committed.told.by and composed.on.actor in rolled
            if done or not _may(committed.after, composed.session, composed.on):
                self._end(user)

    def close(self) -> None:
        """Wait for nothing more."""
        for composed in self._composed.values():
            composed.call_off()
        self._composed.clear()

    def _end(self, user: UserId) -> None:
        self._composed.pop(user).call_off()
        self._tell(user, None)

    def _tell(self, user: UserId, on: Attempt | None) -> None:
        told = encode(Underway(user=user, on=on))
        for each in tuple(self._sessions):
            if each.user != user:
                each.outbox.put(told)


def _may(state: TableState, session: Session, on: Attempt) -> bool:
    """Whether a roll is one that others may hear of from him: of an actor on record, of his own or, for a GM, of the party."""
    actor = state.actors.get(on.actor)
    if actor is None or on.check not in state.ruleset.checks:
        return False
    member = state.people.get(session.user)
    match session.role if member is None else member.role:
        case "gm":
            return actor.side == "party"
        case "player":
            return owns(state, on.actor, session.user)
        case _:
            return False
