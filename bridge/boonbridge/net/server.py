"""The server: one port for websocket and HTTP. Shakes hands, and gives each connection its reader; decides nothing."""

from collections import Counter
from http import HTTPStatus

import structlog
from websockets.asyncio.server import Server as WebsocketServer
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from boonbridge.obs.metrics import Metrics
from boonbridge.tables.frames import encode
from boonbridge.tables.hub import Hub
from boonbridge.tables.outbox import Outbox
from boonbridge_schemas.base import WIRE_VERSION
from boonbridge_schemas.codes import Close
from boonbridge_schemas.server import Bye, Limits

from .http import Site, text
from .proxy import Caller, Proxies
from .rates import Pacing, address
from .reader import Reader
from .sink import WebsocketSink
from .tls import Certificate


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
        self.pacing = Pacing(limits)
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
        reader = Reader(
            self._hub,
            websocket,
            Outbox(sink, limit=self._limits.outbox_frames),
            pacing=self.pacing,
            metrics=self._metrics,
            limits=self._limits,
            address=who,
            caller=caller.address,
        )
        self._metrics.connections.inc()
        self._connected[who] += 1
        try:
            if self._connected[who] > self._limits.connections_per_address:  # several shook hands at once
                reader.turn_away()
            await reader.run()
            await sink.closed()
        finally:
            self._metrics.connections.dec()
            self._connected[who] -= 1
            if not self._connected[who]:
                del self._connected[who]


def _peer(websocket: ServerConnection) -> str:
    """The address that the connection comes from: a proxy's, where one stands in between."""
    return str(websocket.remote_address[0]) if websocket.remote_address else ""
