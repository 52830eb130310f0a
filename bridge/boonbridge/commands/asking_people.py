"""Asking about people: a GM over the websocket (``--url``), or the operator over the admin channel of the folder (``--data``)."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from boonbridge.commands import asking
from boonbridge.commands.failing import fail
from boonbridge.commands.flags import Data, Token, TokenFile, Which
from boonbridge.commands.folder import settings, which_table
from boonbridge.net.admin import ask
from boonbridge.net.client import Client, new_id
from boonbridge.tables.pairing import page_of
from boonbridge_schemas.client import Do, DropCode, MakeCode, People
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import Ack, CodeMade, PersonDevices, Refused, Roster

Frame = People | MakeCode | DropCode
_Answer = Ack | Roster | CodeMade | Refused


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Place:
    """The flags that say where people are asked about, and as whom."""

    url: Annotated[
        str | None, Parameter(help="The server's address, to ask as a GM; left out, --data is asked as its operator.")
    ] = None
    token: Token = None
    token_file: TokenFile = None
    data: Data = None
    table: Which = None


class Door(ABC):
    """Where people are asked about. ``page``: the address of the table page, as far as this side knows it."""

    page: str | None = None

    @abstractmethod
    async def frame(self, make: Callable[[str], Frame]) -> _Answer:
        """Have a frame answered."""

    @abstractmethod
    async def do(self, command: Command) -> _Answer:
        """Have a command done."""

    async def roster(self) -> Roster:
        """Everybody, or the sentence that says why not."""
        answer = accepted(await self.frame(lambda id_: People(id=id_)))
        assert isinstance(answer, Roster), answer
        return answer

    async def person(self, named: str) -> PersonDevices:
        """Who has that id, or alone is called so."""
        people = (await self.roster()).people
        found = [one for one in people if one.id == named]
        found = found or [one for one in people if one.name.strip().casefold() == named.strip().casefold()]
        if len(found) > 1:
            fail(f"More than one person is called {named!r}; say which by his id: {', '.join(one.id for one in found)}.")
        if not found:
            fail(f"Nobody called {named!r} is at this table. `boonbridge people` lists everybody.")
        return found[0]


class _AsGm(Door):
    def __init__(self, client: Client, page: str) -> None:
        self._client = client
        self.page = page

    async def frame(self, make: Callable[[str], Frame]) -> _Answer:
        return await self._client.people(make)

    async def do(self, command: Command) -> _Answer:
        return await self._client.do(command)


class _AsOperator(Door):
    def __init__(self, folder: Path, table: str) -> None:
        self._folder = folder
        self._table = table

    async def frame(self, make: Callable[[str], Frame]) -> _Answer:
        return await self._ask(make(new_id()))

    async def do(self, command: Command) -> _Answer:
        return await self._ask(Do(id=new_id(), seen=0, cmd=command))

    async def _ask(self, frame: Frame | Do) -> _Answer:
        reply = await ask(self._folder, "people", table=self._table, frame=frame)
        if reply is None:
            fail(f"The server on {self._folder} did not answer. Is it running? `boonbridge serve` starts one.")
        if not reply["ok"]:
            fail(f"The running server says: {reply['message']}")
        answer: _Answer = msgspec.convert(reply["answer"], _Answer)
        return answer


@asynccontextmanager
async def door(place: Place) -> AsyncIterator[Door]:
    """Ask over the websocket where an address is given, otherwise over the folder."""
    if place.url is not None:
        if place.table is not None or place.data is not None:
            fail("--url asks a server as a GM, whose token says the table; --data and --table are for the operator.")
        address = asking.websocket_url(place.url)
        async with Client(address, asking.read_token(place.token, place.token_file), patience=asking.PATIENCE) as client:
            yield _AsGm(client, page_of(address))
        return
    folder = settings({"data": place.data}).data
    if await ask(folder, "tables") is None:
        fail(f"No server is running on {folder}. Start `boonbridge serve` first, or ask one as a GM with --url.")
    yield _AsOperator(folder, which_table(folder, place.table))


def accepted(answer: _Answer) -> Ack | Roster | CodeMade:
    """The answer, or the sentence of the refusal."""
    if isinstance(answer, Refused):
        fail(answer.message)
    return answer
