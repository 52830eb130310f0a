"""The product's side: the real server in a process of its own. Run as ``python -m boonbridge.bench.product FOLDER TABLE...``.

Opens the folder, makes the tables that are not in it, seats people at each, and says where and with what they come in.
Any further line is answered by how much this process has computed.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from boonbridge.config import Config
from boonbridge.obs import logging
from boonbridge.running import Running, run_loop, start

from .child import answer, lines
from .prepare import LIFTED, Place, place


class Row(Struct, frozen=True):
    """Bytes of what one roll puts into the log."""

    header: int
    parts: tuple[int, int, int, int]


class Serving(Struct, frozen=True):
    """A server of the product that listens."""

    url: str
    places: tuple[Place, ...]


class Spent(Struct, frozen=True):
    """How long a process has computed, in seconds, by stage where that is measured, and the last row of its first table."""

    cpu: float
    row: Row | None = None
    stages: dict[str, float] = {}


async def main(folder: Path, tables: list[str], stages: Callable[[], dict[str, float]] = dict) -> None:
    """Serve until the parent says no more."""
    logging.configure(level="error")
    running = await start(Config(data=folder, port=0), limits=LIFTED)
    try:
        answer(Serving(running.url, tuple([await place(running, table) for table in tables])))
        async for _ in lines():
            answer(Spent(time.process_time(), await _row(running, tables[0]), stages()))
    finally:
        await running.stop()


async def _row(running: Running, name: str) -> Row:
    table = (await running.hub.at(name)).table
    (last,) = await table.read(after=table.state.seq - 1, limit=1)
    first, second, third, fourth = (len(part) for part in last.parts)
    return Row(len(last.header), (first, second, third, fourth))


if __name__ == "__main__":
    run_loop(main(Path(sys.argv[1]), sys.argv[2:]))
