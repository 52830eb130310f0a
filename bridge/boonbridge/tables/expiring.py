"""Requests that are to be answered by a certain time: when it has come, the bridge itself ends them.

What is to happen when stands in the table's state, so a table that is opened after a restart ends at once what became due
meanwhile. The command's id follows from the request, so that two servers end it once.
"""

from collections.abc import Callable

import structlog

from boonbridge.core.state import BRIDGE, TableState
from boonbridge_schemas.base import Moment, RequestId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import CloseRequest
from boonbridge_schemas.server import Ack, Refused

from .ports import Timer
from .table import Request, Table

log = structlog.get_logger("boonbridge.table")

_AGAIN_MS = 1_000
_AT_MOST_MS = 60_000
"""After a trouble it is tried again, later each time, up to a minute."""

_TRY_AGAIN = frozenset({str(Code.BUSY), str(Code.DICE_STALE), str(Code.INTERNAL)})
_OVER = frozenset({str(Code.REQUEST_CLOSED), str(Code.REQUEST_UNKNOWN)})
"""Somebody was quicker."""


class Expiring:
    """The requests of one table that have a time, and the alarm for the next of them."""

    def __init__(self, table: Table, timer: Timer) -> None:
        self._table = table
        self._timer = timer
        self._asked: set[RequestId] = set()
        self._trouble = 0
        self._alarm: Callable[[], None] | None = None
        self._moment: Moment | None = None
        self._closed = False
        self.look()

    def look(self) -> None:
        """Something may have been asked, or be over: wait for whatever is due next."""
        due = _due(self._table.state)
        self._asked &= due.keys()
        waiting = [moment for request, moment in due.items() if request not in self._asked]
        self._wake(min(waiting) if waiting else None)

    def close(self) -> None:
        """End nothing more."""
        self._closed = True
        self._wake(None)

    def _wake(self, moment: Moment | None) -> None:
        if moment == self._moment:
            return
        if self._alarm is not None:
            self._alarm()
        self._alarm, self._moment = None, moment
        if moment is not None and not self._closed:
            self._alarm = self._timer.at(moment, self._strike)

    def _strike(self) -> None:
        self._alarm = self._moment = None
        now = self._timer.now()
        for request, moment in _due(self._table.state).items():
            if moment <= now and request not in self._asked:
                self._end(request)
        self.look()

    def _end(self, request: RequestId) -> None:
        self._asked.add(request)
        asked = Request(
            user=BRIDGE,
            role="gm",
            id=f"expire:{request}",
            seen=self._table.state.seq,
            command=CloseRequest(request=request),
            answer=lambda answer, _command: self._answered(request, answer),
        )
        self._table.submit(asked)

    def _answered(self, request: RequestId, answer: Ack | Refused) -> None:
        if not isinstance(answer, Refused) or answer.code in _OVER:
            self._trouble = 0
        else:
            log.warning("a request was not ended", table=self._table.state.table, request=request, code=answer.code)
            if answer.code in _TRY_AGAIN and not self._closed:
                wait = min(_AT_MOST_MS, _AGAIN_MS << min(self._trouble, 16))
                self._trouble += 1
                self._timer.at(self._timer.now() + wait, lambda: self._again(request))

    def _again(self, request: RequestId) -> None:
        self._asked.discard(request)
        if not self._closed:
            self._strike()


def _due(state: TableState) -> dict[RequestId, Moment]:
    """When which open request is over."""
    return {
        asking.record.id: asking.record.expires_at
        for asking in state.requests.values()
        if asking.open and asking.record.expires_at is not None
    }
