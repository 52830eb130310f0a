"""A client of the bridge for the command line, the tests and the measurements. Speaks the protocol, keeps no state.

Follows the retry rule: an unanswered command is sent again under the same id for 30 s, over reconnects, and then
withdrawn, so that nothing happens late by itself.
"""

import asyncio
import contextlib
import secrets
import ssl
import time
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidURI
from websockets.typing import Subprotocol

from boonbridge import __version__
from boonbridge_schemas.base import WIRE_VERSION
from boonbridge_schemas.client import (
    ClientFrame,
    ClientInfo,
    Do,
    DropCode,
    Foresee,
    Hello,
    History,
    MakeCode,
    People,
    Position,
    Preview,
    Proof,
    Withdraw,
)
from boonbridge_schemas.commands import AnswerRequest, Command, RollCheck
from boonbridge_schemas.server import (
    Ack,
    Bye,
    CaughtUp,
    CodeMade,
    Foreseen,
    Hidden,
    Logged,
    Minted,
    Page,
    Paired,
    Previewed,
    Proven,
    Refused,
    Roster,
    ServerFrame,
    State,
    Welcome,
)

Answer = Ack | Refused | Previewed | Foreseen | Page | Proven | Paired | Roster | CodeMade
RETRY_SECONDS = 30.0
_RESEND_AFTER = 5.0
_AT_ONCE = 16
"""Commands of one client under way; more wait here, where their ``seen`` does not grow stale in a socket."""
_PATIENT = ("rate.limited", "busy", "dice.stale")

_decoder = msgspec.json.Decoder(ServerFrame)
_encode = msgspec.json.Encoder().encode


class Denied(Exception):  # noqa: N818 - no class of ours is called Error
    """The bridge closed the connection for a reason that trying again does not mend."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Unreachable(Exception):  # noqa: N818 - no class of ours is called Error
    """No bridge answers at that address."""


def new_id() -> str:
    """A command id: 22 characters from the operating system's random source.

    It begins with no dash: a terminal, where it may be typed again, would take that for an option.
    """
    while (made := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return made


def _in_words(problem: Exception) -> str:
    """Why a connection did not come about or did not last, as far as it is known."""
    if isinstance(problem, ConnectionRefusedError) or "Connect call failed" in str(problem):
        return "connection refused"
    if isinstance(problem, ConnectionClosed):
        return (problem.rcvd and problem.rcvd.reason) or "it closed the connection"
    if isinstance(problem, TimeoutError):
        return "no answer"
    return str(getattr(problem, "strerror", None) or problem)


class Client:
    """One connection that comes back by itself. Use as ``async with Client(url, token) as client``.

    ``frames()`` gives everything that is told, across reconnects; ``do`` and the other calls give answers. ``patience`` is
    how many seconds may pass until somebody is found at the address.
    """

    def __init__(
        self, url: str, token: str, *, last: Position | None = None, retry: float = RETRY_SECONDS, patience: float | None = None
    ) -> None:
        self.url = url
        self.welcome: Welcome | None = None
        self.last = last
        self.seen = 0
        self._token = token
        self._retry = retry
        self._patience = retry if patience is None else patience
        self._trouble = ""
        self._reached = False
        self._waiting: dict[str, asyncio.Future[Answer]] = {}
        self.minted: dict[str, Minted] = {}
        self.entries: dict[str, Any] = {}
        """The table as it was when this client came to it; it does not follow it."""
        self._inbox: asyncio.Queue[ServerFrame | None] = asyncio.Queue()
        self._listening = False
        self._live = asyncio.Event()
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._connection: ClientConnection | None = None
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task: asyncio.Task[None] | None = None
        self._ended: BaseException | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.get_running_loop().create_task(self._run())
        try:
            try:
                await self._alive(self._patience)
            except Unreachable:
                if not self._reached:
                    raise
                await self._alive(self._retry)  # somebody is there, and reads a long log perhaps
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close for good."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # --- asking ------------------------------------------------------------------------------------------------
    async def do(self, command: Command, command_id: str | None = None) -> Ack | Refused:
        """Send a command and see it answered; what has no answer after 30 s is withdrawn, and that is the answer then.

        The token of an ``Invite`` is in ``minted`` by then, under its command id.

        Raises ``TimeoutError`` or ``Unreachable`` where not even that is answered: then nobody can say whether it happened.
        """
        command_id = command_id or new_id()
        until = time.monotonic() + self._retry
        while time.monotonic() < until:
            try:
                async with self._room:
                    answer = await self._ask(command_id, lambda: Do(id=command_id, seen=self.seen, cmd=command), until)
            except (TimeoutError, Unreachable):
                break
            if not (isinstance(answer, Refused) and answer.code in _PATIENT):
                assert isinstance(answer, Ack | Refused), answer
                return answer
            await asyncio.sleep((answer.retry_after_ms or 20) / 1000)
        return await self.withdraw(command_id)

    async def preview(self, check: RollCheck | AnswerRequest) -> Previewed | Refused:
        """Ask what would apply."""
        answer = await self._once(lambda i: Preview(id=i, check=check))
        assert isinstance(answer, Previewed | Refused), answer
        return answer

    async def foresee(self, command: Command) -> Foreseen | Refused:
        """Ask what a command would come to."""
        answer = await self._once(lambda i: Foresee(id=i, cmd=command))
        assert isinstance(answer, Foreseen | Refused), answer
        return answer

    async def proof(self, seq: int) -> Proven | Refused:
        """Ask for the proof of a commit."""
        answer = await self._once(lambda i: Proof(id=i, seq=seq))
        assert isinstance(answer, Proven | Refused), answer
        return answer

    async def history(self, *, before: int | None = None, after: int | None = None, limit: int = 50) -> Page | Refused:
        """Ask for a page of the past."""
        answer = await self._once(lambda i: History(id=i, before=before, after=after, limit=limit))
        assert isinstance(answer, Page | Refused), answer
        return answer

    async def people(self, frame: Callable[[str], People | MakeCode | DropCode]) -> Roster | CodeMade | Refused:
        """Ask who may take part, or for a code, or take one back; ``frame`` makes the frame for an id."""
        answer = await self._once(frame)
        assert isinstance(answer, Roster | CodeMade | Refused), answer
        return answer

    async def withdraw(self, command_id: str) -> Ack | Refused:
        """Ask whether a command happened, and have it never happen otherwise."""
        answer = await self._ask(command_id, lambda: Withdraw(id=command_id), time.monotonic() + self._retry)
        assert isinstance(answer, Ack | Refused), answer
        return answer

    def frames(self) -> AsyncIterator[ServerFrame]:
        """Everything that is told from this call on, but for answers. Raises ``Denied`` when the bridge sends us away."""
        self._listening = True
        return self._told()

    async def _told(self) -> AsyncIterator[ServerFrame]:
        while (frame := await self._inbox.get()) is not None:
            yield frame
        if self._ended is not None:
            raise self._ended

    async def _once(self, frame: Callable[[str], ClientFrame]) -> Answer:
        frame_id = new_id()
        return await self._ask(frame_id, lambda: frame(frame_id), time.monotonic() + self._retry)

    async def _ask(self, frame_id: str, frame: Callable[[], ClientFrame], until: float) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[frame_id] = future
        try:
            while (left := until - time.monotonic()) > 0:
                await self._alive(left)
                if self._connection is not None:
                    with contextlib.suppress(ConnectionClosed):
                        await self._connection.send(_encode(frame()), text=True)
                # Where the connection breaks there is nothing to wait for: it is sent again as soon as there is a new one.
                either: set[asyncio.Future[Any]] = {future, self._broken}
                await asyncio.wait(either, timeout=min(_RESEND_AFTER, left), return_when=asyncio.FIRST_COMPLETED)
                if future.done():
                    return future.result()
            raise TimeoutError("The bridge did not answer.")
        finally:
            self._waiting.pop(frame_id, None)

    async def _alive(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._live.wait()
        except TimeoutError:
            if self._ended is None:
                why = f" ({self._trouble})" if self._trouble else ""
                raise Unreachable(f"No bridge answers at {self.url}{why}.") from None
        if self._ended is not None:
            raise self._ended

    # --- the connection ----------------------------------------------------------------------------------------
    async def _run(self) -> None:
        pause = 0.05
        try:
            while True:
                try:
                    async with connect(
                        self.url,
                        subprotocols=[Subprotocol(WIRE_VERSION)],
                        max_size=None,
                        compression=None,
                        open_timeout=5,
                        proxy=None,
                    ) as connection:
                        self._reached = True
                        await self._talk(connection)
                        pause = 0.05
                except ssl.SSLCertVerificationError as no:
                    why = f"The certificate of {self.url} is not accepted: {no.verify_message}."
                    raise Denied(0, f"{why} SSL_CERT_FILE names a file with one that is.") from no
                except (OSError, ConnectionClosed, TimeoutError) as problem:
                    self._trouble = _in_words(problem)
                except InvalidMessage:
                    self._trouble = "what answers is no web server"
                except InvalidURI as no:
                    raise Denied(0, f"{self.url} is no address of a bridge.") from no
                except InvalidHandshake as no:
                    raise Denied(0, f"At {self.url} is no bridge that speaks {WIRE_VERSION}: {no}.") from no
                except msgspec.DecodeError as no:
                    raise Denied(0, f"The bridge says something that version {__version__} does not understand: {no}.") from no
                self._live.clear()
                self._reached = False
                self._connection = None
                if not self._broken.done():
                    self._broken.set_result(None)
                await asyncio.sleep(pause)
                pause = min(2.0, pause * 2)
        except Denied as denied:
            self._ended = denied
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(denied)
        finally:
            self._live.set()
            self._inbox.put_nowait(None)

    async def _talk(self, connection: ClientConnection) -> None:
        info = ClientInfo(name="boonbridge", version=__version__, kind="cli")
        await connection.send(_encode(Hello(token=self._token, last=self.last, client=info)), text=True)
        try:
            async for message in connection:
                self._take(_decoder.decode(message), connection)
        finally:
            code, reason = connection.close_code, connection.close_reason
            if code is not None and 4400 <= code < 4408:
                raise Denied(code, reason or "refused")
            self._trouble = reason or ""

    def _take(self, frame: ServerFrame, connection: ClientConnection) -> None:
        match frame:
            case Welcome():
                self.welcome = frame
                self.seen = frame.head
            case State() if not self._live.is_set():
                self.entries |= {entry.key: entry.value for entry in frame.entries}
            case CaughtUp():
                self._connection = connection
                self._broken = asyncio.get_running_loop().create_future()
                self._live.set()
            case Logged() | Hidden():
                self.seen = max(self.seen, frame.seq)
                epoch = self.welcome.epoch if self.welcome else 1
                self.last = Position(epoch=epoch, seq=frame.seq, hash=frame.hash)
            case Minted():
                self.minted[frame.id] = frame  # its ack follows
                return
            case Ack() | Refused() | Previewed() | Foreseen() | Page() | Proven() | Paired() | Roster() | CodeMade():
                future = self._waiting.get(frame.id or "")
                if future is not None and not future.done():
                    future.set_result(frame)
                return
            case Bye():
                pass
            case _:
                pass
        if self._listening:
            self._inbox.put_nowait(frame)
