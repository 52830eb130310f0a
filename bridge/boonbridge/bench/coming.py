"""Somebody comes to a table with a long log: a server that was just started opens it for him.

Run as ``python -m boonbridge.bench.coming FOLDER TABLE MISSED``, once for each time that is measured. The client is in the same
process, and the same on both sides.
"""

import resource
import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from boonbridge.config import Config
from boonbridge.obs import logging
from boonbridge.running import Running, SystemClock, run_loop, start
from boonbridge.tables.identity import new_token, user_id
from boonbridge_schemas.base import WIRE_VERSION
from boonbridge_schemas.client import ClientInfo, Hello, Position

from .child import answer
from .prepare import LIFTED


class Told(Struct, frozen=True):
    """Seconds from a hello until the welcome, and until all was told; and of those what both ends computed."""

    welcome: float
    welcome_cpu: float
    all: float
    all_cpu: float


class Came(Struct, frozen=True, kw_only=True):
    """Seconds from a hello until all of it is told, and bytes of memory.

    ``first``: of whoever came first; ``memory`` is what the process holds then, ``grown`` how much more than before. ``again``:
    of whoever missed so many commits.
    """

    first: Told
    memory: int
    grown: int
    again: Told


class _Kind(Struct):
    t: str


_kind = msgspec.json.Decoder(_Kind)


async def main(folder: Path, table: str, missed: int) -> None:
    """Serve, come, come back, and say how long it took."""
    logging.configure(level="error")
    running = await start(Config(data=folder, port=0), limits=LIFTED)
    try:
        hello = await _hello(running, table)
        before = _memory()
        async with await _connected(running) as connection:
            first = await _told(connection, hello)
        memory = _memory()
        stored = (await running.hub.at(table)).table
        last = stored.state.seq - missed
        (commit,) = await stored.read(after=last - 1, limit=1)
        hello = msgspec.structs.replace(hello, last=Position(seq=last, hash=commit.hash.hex(), epoch=stored.state.epoch))
        async with await _connected(running) as connection:
            again = await _told(connection, hello)
        answer(Came(first=first, memory=memory, grown=memory - before, again=again))
    finally:
        await running.stop()


async def _hello(running: Running, table: str) -> Hello:
    key, now = await running.signing_key(), SystemClock().now()
    user = user_id(key, table, "Comer")
    token, _ = new_token(key, user=user, name="Comer", table=table, role="player", now=now, jti="bench-comer")
    return Hello(token=token, table=table, client=ClientInfo(name="bench", version="1", kind="cli"))


async def _connected(running: Running) -> ClientConnection:
    return await connect(running.url, subprotocols=[Subprotocol(WIRE_VERSION)], compression=None, max_size=None, proxy=None)


async def _told(connection: ClientConnection, hello: Hello) -> Told:
    """Say hello, and listen until all is told."""
    began, began_cpu = time.perf_counter(), time.process_time()
    await connection.send(msgspec.json.encode(hello).decode())
    welcome = welcome_cpu = 0.0
    async for message in connection:
        kind = _kind.decode(message).t
        if kind == "welcome":
            welcome, welcome_cpu = time.perf_counter() - began, time.process_time() - began_cpu
        if kind == "caughtUp":
            break
    return Told(welcome, welcome_cpu, time.perf_counter() - began, time.process_time() - began_cpu)


def _memory() -> int:
    """What this process holds now; where the machine does not say, the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()


if __name__ == "__main__":
    run_loop(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
