"""The floor: the least that does the same outward job. Run as ``python -m boonbridge.bench.floor FOLDER SHAPE``.

The same websocket library with the same settings, the same SQLite behind the same thread and batcher, rows and frames of
the size that ``SHAPE`` says. Nothing is decided, checked, hashed or remembered. A line is answered as by the product.
"""

import contextlib
import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from boonbridge.running import run_loop
from boonbridge.store.open import open_store
from boonbridge.tables.batcher import Batcher
from boonbridge.tables.ports import Appended, StoredCommit
from boonbridge_schemas.base import WIRE_VERSION

from .child import answer, lines
from .prepare import LIFTED
from .product import Row, Serving, Spent


class Shape(Struct, frozen=True):
    """How many bytes a roll of the product writes and tells."""

    row: Row
    frame: int
    ack: int


class _Message(Struct):
    id: str = ""
    table: str = ""


_decode = msgspec.json.Decoder(_Message).decode


class _Room:
    """Who is at a table, and how far its log has come."""

    def __init__(self) -> None:
        self.seq = 0
        self.people: set[ServerConnection] = set()


class Floor:
    """Writes, tells, acknowledges."""

    def __init__(self, batcher: Batcher, shape: Shape) -> None:
        self._batcher = batcher
        self._rooms: defaultdict[str, _Room] = defaultdict(_Room)
        self._header = b"h" * shape.row.header
        first, second, third, fourth = (b"p" * size for size in shape.row.parts)
        self._parts = (first, second, third, fourth)
        pad = b"." * (shape.frame - len(b'{"t":"logged","seq":1000,"pad":""}'))
        self._frame = b'{"t":"logged","seq":%d,"pad":"' + pad + b'"}'
        pad = b"." * max(0, shape.ack - len(b'{"t":"ack","id":"","seq":1000,"pad":""}') - 22)
        self._ack = b'{"t":"ack","id":"%s","seq":%d,"pad":"' + pad + b'"}'

    async def handle(self, websocket: ServerConnection) -> None:
        """One connection."""
        table = _decode(await websocket.recv()).table
        room = self._rooms[table]
        room.people.add(websocket)
        broadcast((websocket,), f'{{"t":"caughtUp","head":{room.seq}}}')
        with contextlib.suppress(ConnectionClosed):
            async for message in websocket:
                await self._roll(websocket, room, table, _decode(message).id)

    async def _roll(self, websocket: ServerConnection, room: _Room, table: str, command_id: str) -> None:
        room.seq = seq = room.seq + 1
        commit = StoredCommit(
            table=table, seq=seq, command_id=command_id, by="floor", header=self._header, parts=self._parts, hash=bytes(32)
        )
        assert isinstance(await self._batcher.append(commit), Appended)
        broadcast(room.people, self._frame % seq, text=True)
        broadcast((websocket,), self._ack % (command_id.encode(), seq), text=True)


async def main(folder: Path, shape: Shape) -> None:
    """Serve until the parent says no more."""
    store = open_store(folder)
    floor = Floor(Batcher(store.log), shape)
    listening = partial(
        serve,
        floor.handle,
        "127.0.0.1",
        0,
        subprotocols=[Subprotocol(WIRE_VERSION)],
        compression=None,
        max_size=LIFTED.frame_in,
        ping_interval=LIFTED.ping_seconds,
        ping_timeout=LIFTED.ping_seconds,
        close_timeout=2,
    )
    async with listening() as server:
        port = next(iter(server.sockets)).getsockname()[1]
        answer(Serving(f"ws://127.0.0.1:{port}/ws", ()))
        async for _ in lines():
            answer(Spent(time.process_time()))
    await store.aclose()


if __name__ == "__main__":
    run_loop(main(Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=Shape)))
