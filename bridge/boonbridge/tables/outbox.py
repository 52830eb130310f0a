"""What waits to be sent to one viewer. Bounded: a viewer who does not read is dropped, never waited for."""

import asyncio
from collections import deque
from typing import Protocol

from boonbridge_schemas.codes import Close


class Sink(Protocol):
    """The other end: something that takes bytes of one text frame each."""

    def write(self, frame: bytes) -> None:
        """Send now, without waiting."""
        ...

    def waiting(self) -> int:
        """Bytes written and not yet taken by the operating system."""
        ...

    async def drained(self) -> None:
        """Return when little is waiting. Raises ``ConnectionClosed`` of the adapter's kind when the peer is gone."""
        ...

    def close(self, code: Close) -> None:
        """Begin to close, with the code's reason."""
        ...


class Outbox:
    """Frames for one connection, in order. Written at once while the peer keeps up, queued while it does not.

    While ``hold`` is on (catch-up), live frames queue behind the pages of the past.
    """

    HIGH = 64 * 1024

    def __init__(self, sink: Sink, *, limit: int) -> None:
        self._sink = sink
        self._limit = limit
        self._queue: deque[bytes] = deque()
        self._holding = False
        self._drainer: asyncio.Task[None] | None = None
        self.closed = False

    def put(self, frame: bytes) -> None:
        """Send a live frame, now or in its turn; drops the viewer when too many are waiting."""
        if self.closed:
            return
        if not self._queue and not self._holding and self._sink.waiting() <= self.HIGH:
            self._sink.write(frame)
            return
        self._queue.append(frame)
        if len(self._queue) > self._limit:
            self.close(Close.SLOW_READER)
        elif not self._holding:
            self._start()

    def hold(self) -> None:
        """Queue what comes from now on."""
        self._holding = True

    async def page(self, frame: bytes) -> None:
        """Send a frame of the past and wait until the peer has taken it."""
        if not self.closed:
            self._sink.write(frame)
            if self._sink.waiting() > self.HIGH:
                await self._sink.drained()

    def release(self) -> None:
        """The past is told; go on with what was held."""
        self._holding = False
        if self._queue:
            self._start()

    def close(self, code: Close) -> None:
        """Send nothing more and close."""
        if self.closed:
            return
        self.closed = True
        self._queue.clear()
        self._sink.close(code)

    def lost(self) -> None:
        """The peer is gone."""
        self.closed = True
        self._queue.clear()

    def _start(self) -> None:
        if self._drainer is None or self._drainer.done():
            self._drainer = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        while self._queue:  # emptied by close() and lost()
            await self._sink.drained()
            while self._queue and self._sink.waiting() <= self.HIGH:
                self._sink.write(self._queue.popleft())
