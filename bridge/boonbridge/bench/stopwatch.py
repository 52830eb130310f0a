"""Where the time of a roll goes: the product once more, with a stopwatch around its stages.

Run as ``python -m boonbridge.bench.stopwatch FOLDER TABLE``; answers like ``product``, with the stages beside the whole.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from boonbridge.core import ladder
from boonbridge.net.sink import WebsocketSink
from boonbridge.running import run_loop
from boonbridge.store import sqlite
from boonbridge.tables import table
from boonbridge.tables.hub import Hub
from boonbridge.wire.connection import Connection

from .product import main

STAGES: tuple[tuple[str, Any, str], ...] = (
    ("read the message", Connection, "receive"),
    ("decide by the rules, draw the dice", table, "decide"),
    ("encode and hash the commit", table.Table, "_assemble"),
    ("make the next promised seeds", ladder, "rung"),
    ("read the commit back and fold it", table, "fold"),
    ("encode what each reader is told", Hub, "_publish"),
    ("write to the sockets: five are told, one is answered", WebsocketSink, "write"),
)
"""What is timed: functions by where they stand. Of one inside another each has its own time only."""

STORE = "write it to disk (the store's thread)"


class Stopwatch:
    """Seconds computed by stage, whatever else the machine did meanwhile. One for each thread."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._inner = 0.0

    def around(self, stage: str, owner: Any, name: str) -> None:
        """Time every call of a function from now on."""
        timed = getattr(owner, name)

        @wraps(timed)
        def call(*args: Any, **kwargs: Any) -> Any:
            outer, self._inner = self._inner, 0.0
            began = time.thread_time()
            try:
                return timed(*args, **kwargs)
            finally:
                took = time.thread_time() - began
                self.spent[stage] += took - self._inner
                self._inner = outer + took

        setattr(owner, name, call)


def started() -> Callable[[], dict[str, float]]:
    """Stopwatches around all stages; gives what they show."""
    loop, store = Stopwatch(), Stopwatch()
    for stage, owner, name in STAGES:
        loop.around(stage, owner, name)
    store.around(STORE, sqlite, "_append")
    return lambda: {**loop.spent, **store.spent}


if __name__ == "__main__":
    run_loop(main(Path(sys.argv[1]), sys.argv[2:], started()))
