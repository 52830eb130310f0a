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
        """Return when little is waiting, or when it is no use to wait: the peer is gone, or has not read for too long."""
        ...

    def close(self, code: Close) -> None:
        """Begin to close, with the code's reason."""
        ...


class Outbox:
    """Frames for one connection, in order. Written at once while the peer keeps up, queued while it does not.

    From ``hold`` to ``release`` the past is told in pages, and what is live waits behind them. A later ``hold`` begins
    the telling anew: pages of the one before are not sent any more, nor commits that waited behind them, since the new
    telling has them.
    """

    HIGH = 64 * 1024

    def __init__(self, sink: Sink, *, limit: int) -> None:
        self._sink = sink
        self._limit = limit
        self._queue: deque[bytes] = deque()
        self._held: deque[tuple[bytes, bool]] = deque()
        self._telling = 0
        self._holding = False
        self._drainer: asyncio.Task[None] | None = None
        self.closed = False

    def put(self, frame: bytes, *, commit: bool = False) -> None:
        """Send a live frame, now or in its turn; drops the viewer when too many are waiting."""
        if self.closed:
            return
        if self._holding:
            self._held.append((frame, commit))
        elif not self._queue and self._sink.waiting() <= self.HIGH:
            self._sink.write(frame)
        else:
            self._queue.append(frame)
            self._start()
        if len(self._queue) + len(self._held) > self._limit:
            self.close(Close.SLOW_READER)

    def hold(self) -> int:
        """Keep back what comes from now on; the number of the telling that begins."""
        self._telling += 1
        self._holding = True
        self._held = deque((frame, commit) for frame, commit in self._held if not commit)
        return self._telling

    async def page(self, telling: int, frame: bytes) -> bool:
        """Send a frame of the past and wait until the peer has taken it. False where nobody waits for it any more."""
        if self._drainer is not None and not self._drainer.done():  # what was live before goes before
            await asyncio.wait({self._drainer})
        if self.closed or telling != self._telling:
            return False
        self._sink.write(frame)
        if self._sink.waiting() > self.HIGH:
            await self._drained()
        return not self.closed

    def release(self, telling: int) -> None:
        """The past is told; go on with what was held."""
        if self.closed or telling != self._telling:
            return
        self._holding = False
        self._queue.extend(frame for frame, _ in self._held)
        self._held.clear()
        if self._queue:
            self._start()

    def close(self, code: Close) -> None:
        """Send nothing more and close."""
        if self.closed:
            return
        self.lost()
        self._sink.close(code)

    def lost(self) -> None:
        """The peer is gone."""
        self.closed = True
        self._queue.clear()
        self._held.clear()

    def _start(self) -> None:
        if self._drainer is None or self._drainer.done():
            self._drainer = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        while self._queue:  # emptied by close() and lost()
            await self._drained()
            while self._queue and self._sink.waiting() <= self.HIGH:
                self._sink.write(self._queue.popleft())

    async def _drained(self) -> None:
        await self._sink.drained()
        if self._sink.waiting() > self.HIGH:
            self.close(Close.SLOW_READER)
