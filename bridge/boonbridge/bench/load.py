"""The load: people at tables, as bytes over sockets. A process of its own, told by lines on its standard input.

Frames are written ready-made and read as bytes: nothing is decoded, an ``ack`` is found by the id in it. So the load
costs little, costs the same on both sides, and what is measured is the server. Run as ``python -m boonbridge.bench.load``.
"""

import asyncio
import re
import time
from secrets import token_urlsafe
from typing import Annotated, Literal, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from boonbridge.running import run_loop
from boonbridge_schemas.base import WIRE_VERSION

from .child import answer, lines
from .prepare import Place

_DIGITS = re.compile(rb"\d+")
_TEXT, _PING, _PONG, _CLOSE = 1, 9, 10, 8
_HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Protocol: {WIRE_VERSION}\r\n\r\n"
)


class Connect(Struct, tag="connect"):
    """Take every seat of these places. Answered by ``Seated``."""

    url: str
    places: tuple[Place, ...]


class Click(Struct, tag="click"):
    """``one``: a seat of the first place rolls ``rolls`` times, one after the other. ``all``: every seat, for ``seconds``."""

    who: Literal["one", "all"]
    rolls: int = 0
    seconds: float = 0.0


class Seated(Struct):
    """All seats are taken and caught up."""

    seats: int


class Clicked(Struct):
    """What came of a ``Click``. Times in seconds; ``busy``: the share of the time that this process computed."""

    rolls: int
    seconds: float
    p50: float
    p99: float
    busy: float
    frame: Annotated[int, Meta(description="Bytes of a commit as it was told, on average.")]
    ack: int


def frame(payload: bytes, opcode: int = _TEXT) -> bytes:
    """A client's frame. The mask is zero, which leaves the payload as it is."""
    size = len(payload)
    head = bytes((0x80 | opcode, 0x80 | size)) if size < 126 else bytes((0x80 | opcode, 0xFE)) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class Viewer(asyncio.Protocol):
    """One connection: reads everything it is told, clicks when it is asked to."""

    def __init__(self, hello: bytes, command: bytes, host: str) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.told = self.told_bytes = self.acks = self.ack_bytes = 0
        self.times: list[float] = []
        self.again = False
        self.idle: asyncio.Future[None] = loop.create_future()
        self._hello, self._host = hello, host
        self._command = b',"cmd":' + command + b"}"
        self._last = b""
        self._id = b""
        self._began = 0.0
        self._buffer = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        self._transport = cast("asyncio.WriteTransport", transport)  # uvloop's is one without saying so
        self._transport.write(_HANDSHAKE.format(host=self._host).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody ends but the parent, who ends this process."""
        self._fail(f"the connection was lost: {exc}")

    def data_received(self, data: bytes) -> None:
        """Take whole frames out of what came."""
        buffer = self._buffer + data if self._buffer else data
        if self._hello:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._transport.write(frame(self._hello))
            self._hello = b""
        at, size = 0, len(buffer)
        while size - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            end_at = start + length
            if size < end_at or size < start:
                break
            self._take(buffer[at] & 15, buffer, start, end_at)
            at = end_at
        self._buffer = buffer[at:]

    def click(self) -> None:
        """Send the command once more, under a new id."""
        self._id = token_urlsafe(16).encode()  # as clients do: ids that come in order would please an index
        message = b'{"t":"do","id":"%s","seen":%s%s' % (self._id, _number(self._last), self._command)
        self._began = time.perf_counter()
        self._transport.write(frame(message))

    def _take(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if data.startswith(b'{"t":"logged"', start):
            self.told += 1
            self.told_bytes += end - start
            self._last = data[start : start + 40]
        elif data.startswith(b'{"t":"ack"', start):
            self._acked(data[start:end])
        elif data.startswith(b'{"t":"caughtUp"', start):
            self._last = data[start:end]
            self.ready.set_result(None)
        elif opcode == _PING:
            self._transport.write(frame(data[start:end], _PONG))
        elif opcode == _CLOSE or data.startswith(b'{"t":"refused"', start):
            self._fail(data[start:end].decode(errors="replace"))

    def _acked(self, message: bytes) -> None:
        assert self._id in message, (self._id, message)
        self.times.append(time.perf_counter() - self._began)
        self.acks += 1
        self.ack_bytes += len(message)
        if self.again:
            self.click()
        elif not self.idle.done():
            self.idle.set_result(None)

    def _fail(self, why: str) -> None:
        for future in (self.ready, self.idle):
            if not future.done():
                future.set_exception(AssertionError(why))


def _number(message: bytes) -> bytes:
    """The first number in a message: of ``caughtUp`` the head, of ``logged`` the seq."""
    found = _DIGITS.search(message)
    assert found is not None, message
    return found[0]


class Crowd:
    """All viewers of one server."""

    def __init__(self) -> None:
        self._tables: list[list[Viewer]] = []

    async def seat(self, url: str, places: tuple[Place, ...]) -> Seated:
        """Take every seat, a table at a time."""
        address = urlsplit(url)
        assert address.hostname is not None
        assert address.port is not None
        loop = asyncio.get_running_loop()
        for place in places:
            made = []
            for seat in place.seats:

                def viewer(hello: bytes = bytes(seat.hello), command: bytes = bytes(seat.command)) -> Viewer:
                    return Viewer(hello, command, address.netloc)

                _, connected = await loop.create_connection(viewer, address.hostname, address.port)
                made.append(connected)
            async with asyncio.timeout(60):
                await asyncio.gather(*(seated.ready for seated in made))
            self._tables.append(made)
        return Seated(sum(len(table) for table in self._tables))

    async def click(self, job: Click) -> Clicked:
        """Roll, and see to it that every roll was told to everybody at its table."""
        watched = self._tables[:1] if job.who == "one" else self._tables
        everybody = [viewer for table in watched for viewer in table]
        clickers = [watched[0][1]] if job.who == "one" else everybody
        for viewer in everybody:
            viewer.told = viewer.told_bytes = viewer.acks = viewer.ack_bytes = 0
            viewer.times = []
        began, computed = time.perf_counter(), time.process_time()
        if job.who == "one":
            for _ in range(job.rolls):
                await _round(clickers)
        else:
            await _round(clickers, job.seconds)
        seconds, busy = time.perf_counter() - began, time.process_time() - computed
        rolls = sum(viewer.acks for viewer in clickers)
        await _everybody_told(watched)
        times = sorted(second for viewer in clickers for second in viewer.times)
        return Clicked(
            rolls=rolls,
            seconds=seconds,
            p50=times[len(times) // 2],
            p99=times[len(times) * 99 // 100],
            busy=busy / seconds,
            frame=sum(viewer.told_bytes for viewer in everybody) // sum(viewer.told for viewer in everybody),
            ack=sum(viewer.ack_bytes for viewer in everybody) // rolls,
        )


async def _round(clickers: list[Viewer], seconds: float = 0.0) -> None:
    loop = asyncio.get_running_loop()
    for viewer in clickers:
        viewer.idle = loop.create_future()
        viewer.again = bool(seconds)
        viewer.click()
    if seconds:
        await asyncio.sleep(seconds)
        for viewer in clickers:
            viewer.again = False
    await asyncio.gather(*(viewer.idle for viewer in clickers))


async def _everybody_told(tables: list[list[Viewer]]) -> None:
    async with asyncio.timeout(10):
        for table in tables:
            rolls = sum(viewer.acks for viewer in table)
            while any(viewer.told < rolls for viewer in table):  # noqa: ASYNC110 - sockets, in the same loop
                await asyncio.sleep(0.001)
            assert all(viewer.told == rolls for viewer in table), "a roll was told twice"


async def main() -> None:
    """Do what the lines on standard input say, one after another."""
    crowd = Crowd()
    decode = msgspec.json.Decoder(Connect | Click).decode
    async for line in lines():
        job = decode(line)
        answer(await crowd.seat(job.url, job.places) if isinstance(job, Connect) else await crowd.click(job))


if __name__ == "__main__":
    run_loop(main())
