"""The server: one port for websocket and HTTP. Wires sockets to ``wire`` and ``tables``; decides nothing."""

import asyncio
import contextlib
import time
from functools import lru_cache
from http import HTTPStatus

import structlog
from aiolimiter import AsyncLimiter
from websockets.asyncio.server import Server as WebsocketServer
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from boonbridge.obs.metrics import Metrics
from boonbridge.tables import serving
from boonbridge.tables.frames import encode
from boonbridge.tables.hub import Hub, Rejected
from boonbridge.tables.outbox import Outbox
from boonbridge.tables.ports import StoreUnavailable
from boonbridge.tables.session import Session
from boonbridge.tables.table import refused
from boonbridge.wire.connection import Connection
from boonbridge_schemas.base import WIRE_VERSION
from boonbridge_schemas.client import ClientFrame, Do, Foresee, Hello, History, Pair, Posted, Preview, Proof, Renew, Saw, Withdraw
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Bye, Limits

from .http import Site, text

log = structlog.get_logger("boonbridge.net")


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
    """Sockets of one hub."""

    def __init__(self, hub: Hub, site: Site, metrics: Metrics, limits: Limits) -> None:
        self._hub = hub
        self._site = site
        self._metrics = metrics
        self._limits = limits
        self._limiters: dict[tuple[str, str, str], AsyncLimiter] = {}
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
        peer = str(connection.remote_address[0]) if connection.remote_address else ""
        if request.method not in ("GET", "HEAD"):
            return text(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is answered here.\n", {"Allow": "GET, HEAD"})
        if request.path.partition("?")[0] != "/ws":
            return self._site.answer(request, peer)
        offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol"))
        if WIRE_VERSION not in {name.strip() for name in offered.split(",")}:
            return text(
                HTTPStatus.BAD_REQUEST,
                f"This bridge speaks {WIRE_VERSION}; the client offered {offered or 'nothing'!r}. Update the older one.\n",
            )
        return None

    # --- one connection ----------------------------------------------------------------------------------------
    async def _handle(self, websocket: ServerConnection) -> None:
        sink = WebsocketSink(websocket, self._metrics, self._limits.ping_seconds)
        reader = _Reader(self, websocket, Outbox(sink, limit=self._limits.outbox_frames))
        self._metrics.connections.inc()
        try:
            await reader.run()
        finally:
            self._metrics.connections.dec()

    async def may(self, session: Session, kind: str, rate: float, burst: float, wait: float) -> bool:
        """Whether one more frame of a kind is within its person's rate; waits up to ``wait`` s for room."""
        key = (session.claims.table, session.user, kind)
        limiter = self._limiters.get(key)
        if limiter is None:
            limiter = self._limiters[key] = AsyncLimiter(burst, burst / rate)
        if limiter.has_capacity():  # nearly always, and then no timer is needed
            await limiter.acquire()
            return True
        try:
            async with asyncio.timeout(wait):
                await limiter.acquire()
        except TimeoutError:
            return False
        return True


class _Reader:
    """Reads one websocket: while it waits for room in a rate, it reads no further."""

    def __init__(self, server: Server, websocket: ServerConnection, outbox: Outbox) -> None:
        self._server = server
        self._hub = server._hub  # noqa: SLF001 - the reader is the server's other half
        self._limits = server._limits  # noqa: SLF001
        self._metrics = server._metrics  # noqa: SLF001
        self._websocket = websocket
        self._outbox = outbox
        self._machine = Connection()
        self._session: Session | None = None

    async def run(self) -> None:
        """Until the connection is closed by either side."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._limits.hello_seconds, self._too_late)
        try:
            async for message in self._websocket:
                if self._outbox.closed:  # what he said after we closed, or was revoked, is not heard any more
                    break
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
                self._outbox.put(encode(await serving.pair(self._hub, frame, self._origin())))
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

    async def _hello(self, frame: Hello) -> None:
        self._session = await self._hub.admit(frame, self._origin(), self._outbox)
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
        limits = self._limits
        match frame:
            case Do() | Withdraw():
                room = await self._room(
                    session, "do", limits.commands_per_second, limits.commands_burst, limits.command_wait_seconds
                )
                if not room:
                    raise Refusal(Code.RATE_LIMITED, retry_after_ms=1_000)
                serving.do(self._hub, session, frame) if isinstance(frame, Do) else serving.withdraw(session, frame)
            case Preview() | Foresee():
                if not await self._room(session, "preview", limits.previews_per_second, limits.previews_per_second, 1):
                    raise Refusal(Code.RATE_LIMITED, retry_after_ms=500)
                if isinstance(frame, Preview):
                    serving.preview_check(session, frame)
                else:
                    serving.foresee_command(self._hub, session, frame)
            case History() | Proof():
                if not await self._room(session, "history", limits.history_per_second, limits.history_per_second * 2, 2):
                    raise Refusal(Code.RATE_LIMITED, retry_after_ms=1_000)
                if isinstance(frame, History):
                    await serving.history(self._hub, session, frame)
                else:
                    await serving.proof(self._hub, session, frame)
            case Renew():
                serving.renew(self._hub, session, frame)
            case Posted() | Saw():
                await self._hear(session, frame)
            case _:
                raise AssertionError(frame)

    async def _hear(self, session: Session, frame: Posted | Saw) -> None:
        """What is told and not asked. Of what was only seen too much is not even refused: it has no answer."""
        rate = self._limits.previews_per_second
        if isinstance(frame, Saw):
            if await self._room(session, "saw", rate, rate, 2):
                await self._hub.saw(session, frame)
            return
        if not await self._room(session, "posted", rate, rate, 2):
            raise Refusal(Code.RATE_LIMITED, retry_after_ms=500)
        await self._hub.posted(session, frame)

    async def _room(self, session: Session, kind: str, rate: float, burst: float, wait: float) -> bool:
        return await self._server.may(session, kind, rate, burst, wait)
