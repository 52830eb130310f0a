"""A table in use: who is at it now, what its people are called, who posts its cards, and what its requests wait for."""

from boonbridge_schemas.base import UserId
from boonbridge_schemas.server import Limits, Person, Presence

from .composing import Composing
from .expiring import Expiring
from .frames import encode
from .moments import Moments
from .ports import StoreDamaged, Timer
from .posting import Chat
from .seeing import Seeing
from .session import Session
from .snapshots import Keeping
from .table import Table


class Open:
    """What there is of a table while it is open. ``names``: what people are called, which is in no log."""

    def __init__(
        self, table: Table, names: dict[UserId, str], chat: Chat, keeping: Keeping, *, timer: Timer, limits: Limits
    ) -> None:
        self.table = table
        self.names = names
        self.chat = chat
        self.expiring = Expiring(table, timer)
        self.seeing = Seeing(table)
        self.keeping = keeping
        self.moments = Moments(table, keeping)
        self.sessions: set[Session] = set()
        self.damage: StoreDamaged | None = None
        self.composing = Composing(table, timer, limits, self.sessions)

    def is_erased(self, user: UserId) -> bool:
        """Whether what somebody is called is to be forgotten."""
        member = self.table.state.people.get(user)
        return member is not None and member.erased

    def show_presence(self) -> None:
        """Tell everybody at the table who is here."""
        online = {session.user for session in self.sessions}
        users = tuple(
            Person(id=user, name=self.names.get(user, user), role=member.role, online=user in online, gone=member.gone)
            for user, member in self.table.state.people.items()
        )
        frame = encode(Presence(users=users))
        for session in tuple(self.sessions):
            session.outbox.put(frame)
