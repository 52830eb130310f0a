"""Devices that people connect with, beside the log: what each is, where it came from, when it was last here.

Noted as connections come and go, and written behind them: nobody waits for it, and many at once are one write. What is not
written because the store is in trouble is noted again when its connection ends.
"""

from collections.abc import Callable, Coroutine

import structlog

from boonbridge_schemas.base import Moment

from .ports import DeviceRow, StoreUnavailable, Vault
from .session import Session

log = structlog.get_logger("boonbridge.hub")


class Devices:
    """The devices of one server's tables. ``keep``: so many of each person; ``background`` runs something beside the commands."""

    def __init__(self, vault: Vault, keep: int, background: Callable[[Coroutine[object, object, None]], None]) -> None:
        self._vault = vault
        self._keep = keep
        self._background = background
        self._noted: dict[tuple[str, str, str], DeviceRow] = {}
        self._writing = False

    def note(self, session: Session, moment: Moment) -> None:
        """A connection is here, or was until now. Nothing is kept of whose name was erased."""
        state, claims = session.table.state, session.claims
        member = state.people.get(claims.user)
        if member is None or member.erased:
            return
        row = device_row(session, moment)
        self._noted[row.table, row.user, row.device] = row
        if not self._writing:
            self._writing = True
            self._background(self._write())

    def forget(self, table: str, user: str) -> None:
        """Write nothing more of what was noted of a person."""
        self._noted = {key: row for key, row in self._noted.items() if key[:2] != (table, user)}

    def forget_table(self, table: str) -> None:
        """Write nothing more of what was noted at a table."""
        self._noted = {key: row for key, row in self._noted.items() if key[0] != table}

    async def _write(self) -> None:
        try:
            while self._noted:
                rows, self._noted = tuple(self._noted.values()), {}
                await self._vault.put_devices(rows, keep=self._keep)
        except StoreUnavailable as down:
            log.warning("devices not written", reason=str(down))
        finally:
            self._writing = False


def device_row(session: Session, moment: Moment) -> DeviceRow:
    """What there is to say of the device of a connection."""
    return DeviceRow(
        table=session.table.state.table,
        user=session.user,
        device=session.claims.device,
        client=session.client.name,
        version=session.client.version,
        kind=session.client.kind,
        address=session.address,
        since=session.since,
        seen=moment,
    )
