"""The server: one port for websocket and HTTP. Wires sockets to ``wire`` and ``tables``; decides nothing."""

import asyncio
import contextlib
import time
from collections import Counter
from functools import lru_cache
from http import HTTPStatus

import structlog
from websockets.asyncio.server import Server as WebsocketServer
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from boonbridge.obs.metrics import Metrics
from boonbridge.tables import inviting, serving
from boonbridge.tables.folding import LogBroken
from boonbridge.tables.frames import encode
from boonbridge.tables.hub import Hub, Rejected
from boonbridge.tables.identity import Claims, TokenRefused, read_token
from boonbridge.tables.outbox import Outbox
from boonbridge.tables.ports import StoreUnavailable
from boonbridge.tables.session import Session
from boonbridge.tables.table import refused
from boonbridge.wire.connection import Connection
from boonbridge_schemas.base import WIRE_VERSION
from boonbridge_schemas.client import (
    ClientFrame,
    Composing,
    Do,
    DropCode,
    Foresee,
    Hello,
    History,
    MakeCode,
    Pair,
    People,
    Posted,
    Preview,
    Proof,
    Renew,
    Saw,
    Withdraw,
)
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Bye, Limits, Refused

from .http import Site, text
from .proxy import Caller, Proxies
from .rates import Guesses, Rate, Rates, address, in_ms, paces
from .tls import Certificate

log = structlog.get_logger("boonbridge.net")

_CALM_SECONDS = 0.25
"""Who sends nothing too fast for so long is slowed anew, and not refused at once. A busy machine wakes later than it meant to."""


@lru_cache(maxsize=16)
def _framed(frame: bytes) -> bytes:
    """A text frame as it goes over the socket: made once for all who are told the same."""
    return Frame(Opcode.TEXT, frame).serialize(mask=False)


class WebsocketSink:
    """An outbox's other end: one websocket."""

    def __init__(self, websocket: ServerConnection, metrics: Metrics, patience: float) -> None:
        self._websocket = websocket
        self._metrics = metrics
        self._patience = patience
        self._closing: asyncio.Task[None] | None = None

    def write(self, frame: bytes) -> None:
        """Send one text frame without waiting; nothing to a peer that is going."""
        if self._websocket.state is State.OPEN:
            self._websocket.transport.write(_framed(frame))

    def waiting(self) -> int:
        """Bytes that the operating system has not taken yet."""
        return self._websocket.transport.get_write_buffer_size()

    async def drained(self) -> None:
        """Return when the peer has taken most of what was written, is gone, or has read nothing for too long."""
        # A ping is answered behind everything that was written before it: the peer has read that far. One that closed
        # its own half and does not read answers never, and the connection is not lost for that.
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(self._patience):
                while self.waiting() > Outbox.HIGH and self._websocket.close_code is None:
                    await (await self._websocket.ping())

    def close(self, code: Close) -> None:
        """Say why, and close."""
        self._metrics.closed.labels(str(int(code))).inc()
        self.write(encode(Bye(code=int(code), reason=code.reason)))
        self._closing = asyncio.get_running_loop().create_task(self._websocket.close(int(code), code.reason))


class Server:
    """Sockets of one hub. ``certificate``: what it shows, where it speaks TLS itself."""

    def __init__(
        self,
        hub: Hub,
        site: Site,
        metrics: Metrics,
        limits: Limits,
        *,
        proxies: Proxies | None = None,
        certificate: Certificate | None = None,
    ) -> None:
        self._hub = hub
        self._site = site
        self._metrics = metrics
        self._limits = limits
        self._proxies = proxies or Proxies()
        self._certificate = certificate
        self.paces = paces(limits)
        self.rates = Rates()
        self.guesses = Guesses(limits)
        self._connected: Counter[str] = Counter()
        self._server: WebsocketServer | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; the port that was taken (0 asks for a free one). Raises ``OSError``."""
        self._server = await serve(
            self._handle,
            host,
            port,
            subprotocols=[Subprotocol(WIRE_VERSION)],
            process_request=self._process,
            compression=None,  # frames are small, and compression is most of a connection's memory
            max_size=self._limits.frame_in,
            max_queue=16,
            ping_interval=self._limits.ping_seconds,
            ping_timeout=self._limits.ping_seconds,
            close_timeout=2,
            server_header="boonbridge",
            ssl=self._certificate.context if self._certificate is not None else None,
        )
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def stop(self) -> None:
        """Take no more connections and close those there are, telling why."""
        if self._server is not None:
            bye = encode(Bye(code=int(Close.GOING_AWAY), reason=Close.GOING_AWAY.reason, retry_after_ms=1_000))
            broadcast(self._server.connections, bye, text=True)
            self._server.close(code=int(Close.GOING_AWAY), reason=Close.GOING_AWAY.reason)
            await self._server.wait_closed()

    # --- the handshake -----------------------------------------------------------------------------------------
    def _process(self, connection: ServerConnection, request: Request) -> Response | None:
        caller = self.caller(connection, request)
        if request.method not in ("GET", "HEAD"):
            return text(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is answered here.\n", {"Allow": "GET, HEAD"})
        if not self._is_socket(request):
            # Whoever comes through a proxy is not this machine, wherever that proxy is.
            return self._site.answer(request, "" if caller.forwarded else caller.address, caller.scheme)
        offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol"))
        if self._connected[address(caller.address)] >= self._limits.connections_per_address:
            return text(
                HTTPStatus.TOO_MANY_REQUESTS, "As many connections are open from this address as may be.\n", {"Retry-After": "5"}
            )
        if WIRE_VERSION not in {name.strip() for name in offered.split(",")}:
            return text(
                HTTPStatus.BAD_REQUEST,
                f"This bridge speaks {WIRE_VERSION}; the client offered {offered or 'nothing'!r}. Update the older one.\n",
            )
        return None

    def _is_socket(self, request: Request) -> bool:
        """Whether this is the websocket's place. Below a path, that path itself will do: people type it into Foundry."""
        path, below = request.path.partition("?")[0], self._site.below
        asks = request.headers.get("Upgrade", "").lower() == "websocket"
        return path == f"{below}/ws" or (asks and below != "" and path in (below, f"{below}/"))

    def caller(self, connection: ServerConnection, request: Request | None = None) -> Caller:
        """Who is at the other end: what trusted proxies say, otherwise the address that the connection comes from."""
        request = request or connection.request
        return self._proxies.caller(_peer(connection), request.headers if request is not None else Headers())

    # --- one connection ----------------------------------------------------------------------------------------
    async def _handle(self, websocket: ServerConnection) -> None:
        sink = WebsocketSink(websocket, self._metrics, self._limits.ping_seconds)
        caller = self.caller(websocket)
        structlog.contextvars.bind_contextvars(address=caller.address)  # a connection is a task of its own
        who = address(caller.address)
        reader = _Reader(self, websocket, Outbox(sink, limit=self._limits.outbox_frames), who, caller.address)
        self._metrics.connections.inc()
        self._connected[who] += 1
        try:
            if self._connected[who] > self._limits.connections_per_address:  # several shook hands at once
                reader.turn_away()
            await reader.run()
        finally:
            self._metrics.connections.dec()
            self._connected[who] -= 1
            if not self._connected[who]:
                del self._connected[who]


def _peer(websocket: ServerConnection) -> str:
    """The address that the connection comes from: a proxy's, where one stands in between."""
    return str(websocket.remote_address[0]) if websocket.remote_address else ""


class _Reader:
    """Reads one websocket: while it waits for room in a rate, it reads no further.

    ``address`` is whom its rates count for, ``caller`` where it comes from.
    """

    def __init__(self, server: Server, websocket: ServerConnection, outbox: Outbox, address: str, caller: str) -> None:
        self._server = server
        self._hub = server._hub  # noqa: SLF001 - the reader is the server's other half
        self._limits = server._limits  # noqa: SLF001
        self._metrics = server._metrics  # noqa: SLF001
        self._websocket = websocket
        self._outbox = outbox
        self._machine = Connection()
        self._session: Session | None = None
        self._address = address
        self._caller = caller[:80]
        self._slow: dict[str, tuple[float, float]] = {}  # since when it has been too fast, and until when it was to wait

    def turn_away(self) -> None:
        """There are too many already; he may come again in a moment."""
        self._close(Close.TRY_LATER)

    async def run(self) -> None:
        """Until the connection is closed by either side."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._limits.hello_seconds, self._too_late)
        try:
            async for message in self._websocket:
                if self._outbox.closed:  # what he said after we closed, or was revoked, is not heard any more
                    break
                await self._room("frames", self._session.claims if self._session else None)
                received = self._machine.receive(message, time.monotonic())
                if received.reply is not None:
                    log.warning("bad frame", code=received.reply.code, state=self._machine.state)
                    self._outbox.put(encode(received.reply))
                if received.frame is not None:
                    self._metrics.frames.labels(type(received.frame).__name__).inc()
                    await self._take(received.frame)
                if self._machine.closing is not None:
                    self._outbox.close(self._machine.closing)
        except ConnectionClosed:
            pass
        finally:
            timer.cancel()
            self._outbox.lost()
            if self._session is not None:
                self._hub.leave(self._session)

    def _too_late(self) -> None:
        if self._machine.state == "new":
            self._close(Close.HELLO_TIMEOUT)

    def _close(self, code: Close) -> None:
        self._machine.close(code)
        self._outbox.close(code)

    async def _take(self, frame: ClientFrame) -> None:
        try:
            if isinstance(frame, Hello):
                await self._hello(frame)
            elif isinstance(frame, Pair):
                await self._pair(frame)
            elif self._session is not None:
                await self._serve(self._session, frame)
        except Rejected as no:
            self._close(no.close)
        except Refusal as refusal:
            self._failed(frame, Close.TRY_LATER if refusal.code == Code.BUSY else Close.INTERNAL, refusal)
        except ConnectionClosed:
            raise
        except StoreUnavailable as down:
            log.error("store unavailable", reason=str(down))  # noqa: TRY400 - the reason is enough
            self._failed(frame, Close.TRY_LATER, Refusal(Code.BUSY, retry_after_ms=1_000))
        except LogBroken as broken:
            log.error("log broken", reason=str(broken))  # noqa: TRY400 - which commit it is says more than where we were
            self._failed(frame, Close.INTERNAL, Refusal(Code.INTERNAL))
        except Exception:
            log.exception("frame failed", kind=type(frame).__name__)
            self._failed(frame, Close.INTERNAL, Refusal(Code.INTERNAL))

    def _failed(self, frame: ClientFrame, close: Close, refusal: Refusal) -> None:
        """A connection without its welcome is of no use; any other goes on."""
        if isinstance(frame, Hello):
            self._close(close)
        else:
            self._outbox.put(encode(refused(refusal, getattr(frame, "id", None))))

    def _origin(self) -> str | None:
        request = self._websocket.request
        return request.headers.get("Origin") if request is not None else None

    async def _pair(self, frame: Pair) -> None:
        guesses = self._server.guesses
        guesses.try_one(self._address, time.monotonic())
        answer = await serving.pair(self._hub, frame, self._origin())
        if not (isinstance(answer, Refused) and answer.code in (Code.AUTH_CODE_WRONG, Code.AUTH_CODE_EXPIRED)):
            guesses.was_not_wrong(self._address)
        self._outbox.put(encode(answer))

    async def _hello(self, frame: Hello) -> None:
        if await self._room("hello"):
            raise Rejected(Close.TRY_LATER)
        try:
            claims = read_token(self._hub.key, frame.token, now=self._hub.ports.clock.now())
        except TokenRefused as no:
            raise Rejected(no.close) from None
        if await self._room("hello", claims):
            raise Rejected(Close.TRY_LATER)
        self._session = await self._hub.admit(frame, self._origin(), self._outbox, address=self._caller)
        self._machine.opened()
        log.info(
            "joined",
            table=self._session.claims.table,
            user=self._session.user,
            role=self._session.role,
            client=frame.client.kind,
            version=frame.client.version,
        )

    async def _serve(self, session: Session, frame: ClientFrame) -> None:
        match frame:
            case Do() | Withdraw():
                await self._pace("do", session)
                serving.do(self._hub, session, frame) if isinstance(frame, Do) else serving.withdraw(session, frame)
            case Preview():
                await self._pace("preview", session)
                serving.preview_check(session, frame)
            case Foresee():
                await self._pace("preview", session)
                serving.foresee_command(self._hub, session, frame)
            case History():
                await self._pace("history", session)
                await serving.history(self._hub, session, frame)
            case Proof():
                await self._pace("history", session)
                await serving.proof(self._hub, session, frame)
            case Renew():
                await self._pace("history", session)
                serving.renew(self._hub, session, frame)
            case People() | MakeCode() | DropCode():
                await self._pace("history", session)
                await inviting.serve(self._hub, session, frame)
            case Posted():
                await self._pace("posted", session)
                await self._hub.posted(session, frame)
            case Saw() | Composing():
                await self._hear(session, frame)
            case _:
                raise AssertionError(frame)

    async def _hear(self, session: Session, frame: Saw | Composing) -> None:
        """What has no answer: too much of it is not even refused.

        What is being put together is never slowed, since the roll itself comes behind it, and its end is always heard.
        """
        if isinstance(frame, Saw):
            if not await self._room("saw", session.claims):
                await self._hub.saw(session, frame)
        elif frame.on is None or not await self._room("composing", session.claims):
            await self._hub.composing(session, frame)

    async def _pace(self, kind: str, session: Session) -> None:
        """Return when there is room for a frame of this kind. Raises the ``Refusal`` where that would take too long."""
        if wait := await self._room(kind, session.claims):
            raise Refusal(Code.RATE_LIMITED, retry_after_ms=in_ms(wait))

    async def _room(self, kind: str, claims: Claims | None = None) -> float:
        """Whether there is room for one more: 0, after a while if need be; otherwise the seconds until there may be.

        Whoever is too fast is slowed at first. Once that has gone on for as long as the kind's ``wait``, he is told, until he has
        been calm for a moment.
        """
        pace, rates, now = self._server.paces[kind], self._server.rates, time.monotonic()
        kept: list[tuple[tuple[str, ...], Rate]] = [
            ((kind, self._address), pace.rate.times(self._limits.people_per_address)),
        ]
        if claims is not None:
            kept.append(((kind, claims.table, claims.user), pace.rate))
        wait = max(rates.wait(key, rate, now) for key, rate in kept)
        since, until = self._slow.get(kind, (now, now))
        if now > until + _CALM_SECONDS:
            self._slow.pop(kind, None)
            since = now
        if wait:
            self._slow[kind] = since, now + wait
            if now + wait - since > pace.wait:
                self._metrics.limited.labels(kind).inc()
                return wait
        for key, rate in kept:
            rates.take(key, rate, now)
        if wait:
            await asyncio.sleep(wait)
        return 0
