"""Who has a request before his eyes (I-74): in memory, for GMs. Nothing of it is in any log.

It is heard only from people who were asked: another's word would tell a GM nothing, and may not cost memory.
"""

from boonbridge.core.permissions import owns
from boonbridge.core.state import Asking, TableState
from boonbridge_schemas.base import RequestId, UserId
from boonbridge_schemas.client import Saw
from boonbridge_schemas.server import SeenBy

from .frames import encode
from .session import Session
from .table import Table


class Seeing:
    """Who has seen which open request of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._seen: dict[RequestId, set[UserId]] = {}

    def saw(self, session: Session, frame: Saw, sessions: set[Session]) -> None:
        """Somebody has a request before his eyes. Told to GMs once; nothing where he was not asked, or it is over."""
        state = self._table.state
        asking = state.requests.get(frame.request)
        if asking is None or not _is_asked(state, asking, session):
            return
        known = self._seen.setdefault(frame.request, set())
        if session.user in known:
            return
        known.add(session.user)
        told = encode(SeenBy(request=frame.request, user=session.user))
        for each in sessions:
            if each.role == "gm":
                each.outbox.put(told)

    def tell(self, session: Session) -> None:
        """Tell a GM who has come what is known of open requests."""
        self.forget()
        if session.role != "gm":
            return
        for request, users in self._seen.items():
            for user in sorted(users):
                session.outbox.put(encode(SeenBy(request=request, user=user)))

    def forget(self) -> None:
        """Let go of what is over."""
        requests = self._table.state.requests
        for request in [each for each in self._seen if (asking := requests.get(each)) is None or not asking.open]:
            del self._seen[request]


def _is_asked(state: TableState, asking: Asking, session: Session) -> bool:
    """Whether a request is open and asks an actor of this person. What only GMs know of asks nobody else."""
    if not asking.open or (asking.secret and session.role != "gm"):
        return False
    return any(owns(state, row.actor, session.user) for row in asking.record.rows)
