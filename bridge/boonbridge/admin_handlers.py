"""What the command line may ask of a server that runs, over the admin channel: one function for each word.

Whoever may ask at all is the operator. What is asked comes from our own command line and is taken as it says.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from boonbridge.net.admin import Handler
from boonbridge.tables import inviting
from boonbridge.tables.hub import Hub
from boonbridge.tables.importing import ImportRefused
from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.client import Do, DropCode, MakeCode, People
from boonbridge_schemas.server import Ack, CodeMade, Refused, Roster


class Served(Protocol):
    """The server that is asked."""

    hub: Hub

    @property
    def http(self) -> str:
        """Its page's address on this machine, or the public one."""

    @property
    def page(self) -> str:
        """Its page's address that reaches furthest."""

    async def new_table(self, table: str, title: str, ruleset: str) -> bool:
        """Make a table. False where the id is taken; raises ``StoreUnavailable`` where its game is not here."""

    async def import_table(self, table: str, file: Path, sha256: str, title: str | None) -> None:
        """Take over a verified export as a new table. Raises ``ImportRefused``."""


class AdminHandlers:
    """The handlers of one server."""

    def __init__(self, server: Served) -> None:
        self._server = server

    def by_word(self) -> Mapping[str, Handler]:
        """What may be asked, by its word."""
        return {
            "pair": self._pair,
            "new_table": self._new_table,
            "tables": self._tables,
            "people": self._people,
            "rename": self._rename,
            "delete": self._delete,
            "import": self._import,
        }

    async def _pair(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        table = str(asked.get("table", ""))
        known = [row.id for row in await self._server.hub.list_tables()]
        if table not in known:
            return {"ok": False, "message": f"There is no table {table!r}. There is: {', '.join(known)}."}
        return {"code": await self._server.hub.pairing.new_code(table), "http": self._server.http, "page": self._server.page}

    async def _people(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a GM may ask and change about people, for the operator. A link leads where the bridge is reached from furthest."""
        frame = msgspec.convert(asked["frame"], People | MakeCode | DropCode | Do)
        if isinstance(frame, MakeCode) and frame.page is None:
            frame = msgspec.structs.replace(frame, page=self._server.page)
        opened = await self._server.hub.at(str(asked["table"]))
        answer: Ack | Roster | CodeMade | Refused
        if isinstance(frame, Do):
            answer = await inviting.order(opened, frame)
        else:
            answer = await inviting.answer(self._server.hub, opened, inviting.Asker(None, "gm"), frame)
        return {"answer": msgspec.to_builtins(answer)}

    async def _new_table(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            made = await self._server.new_table(str(asked["table"]), str(asked["title"]), str(asked["ruleset"]))
        except StoreUnavailable as down:
            return {"ok": False, "message": str(down)}
        return {"made": made}

    async def _rename(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            answer = await self._server.hub.rename(str(asked["table"]), str(asked["title"]))
        except StoreUnavailable as down:
            return {"ok": False, "message": str(down)}
        return {"ok": False, "message": answer.message} if isinstance(answer, Refused) else {"changed": answer.changed}

    async def _delete(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Delete a table; not while somebody is there, unless that is what was asked."""
        table, online = str(asked["table"]), self._server.hub.online(str(asked["table"]))
        if online and not asked["even_so"]:
            return {"online": online, "deleted": False}
        return {"online": online, "deleted": await self._server.hub.delete(table)}

    async def _import(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        title = asked.get("title")
        try:
            await self._server.import_table(
                str(asked["table"]), Path(str(asked["file"])), str(asked["sha256"]), title and str(title)
            )
        except ImportRefused as no:
            return {"ok": False, "message": str(no)}
        return {}

    async def _tables(self, _asked: Mapping[str, Any]) -> Mapping[str, Any]:
        rows = await self._server.hub.list_tables()
        return {
            "tables": [
                {"id": r.id, "title": r.title, "ruleset": r.ruleset, "online": self._server.hub.online(r.id)} for r in rows
            ]
        }
