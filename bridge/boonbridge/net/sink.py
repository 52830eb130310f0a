"""Where an outbox writes to: one websocket."""

import asyncio
import contextlib
from functools import lru_cache

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from boonbridge.obs.metrics import Metrics
from boonbridge.tables.frames import encode
from boonbridge.tables.outbox import Outbox
from boonbridge_schemas.codes import Close
from boonbridge_schemas.server import Bye


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

    async def closed(self) -> None:
        """Return when a close that was begun here is over: whoever let go before would close with another code."""
        if self._closing is not None:
            await asyncio.wait({self._closing})
