"""The fold of a log beside the decoding of its bytes. Run as ``python -m boonbridge.bench.folding FOLDER TABLE ROUNDS``.

Both take turns in one process, and only what they compute is counted: nothing is read while they run.
"""

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from boonbridge.core.state import TableState
from boonbridge.rulesets.registry import shipped
from boonbridge.store.open import open_store
from boonbridge.tables.folding import fold
from boonbridge.tables.ports import StoredCommit
from boonbridge_schemas.commit import Header, Part

from .child import answer
from .prepare import RULESET

_header = msgspec.json.Decoder(Header)
_part = msgspec.json.Decoder(Part)


class Folded(Struct, frozen=True, kw_only=True):
    """Seconds that each round computed, and how many events the log holds."""

    events: int
    fold: tuple[float, ...]
    decode: tuple[float, ...]


async def _log(folder: Path, table: str) -> Sequence[StoredCommit]:
    store = open_store(folder)
    try:
        return await store.log.read(table, after=0, limit=10**9)
    finally:
        await store.aclose()


def _folded(commits: Sequence[StoredCommit]) -> None:
    state = TableState.opening(shipped()[RULESET], table=commits[0].table)
    for commit in commits:
        state = fold(state, commit)


def _decoded(commits: Sequence[StoredCommit]) -> int:
    events = 0
    for commit in commits:
        _header.decode(commit.header)
        for raw in commit.parts:
            if raw:
                events += len(_part.decode(raw).events)
    return events


def _took(work: Callable[[Sequence[StoredCommit]], object], commits: Sequence[StoredCommit]) -> float:
    began = time.process_time()
    work(commits)
    return time.process_time() - began


def main(folder: Path, table: str, rounds: int) -> None:
    """Take turns, after a round each that does not count."""
    commits = asyncio.run(_log(folder, table))
    gc.collect()
    gc.freeze()  # as a server has it
    gc.set_threshold(20_000, 20, 20)
    events = _decoded(commits)
    turns = [(_took(_folded, commits), _took(_decoded, commits)) for _ in range(rounds + 1)][1:]
    answer(Folded(events=events, fold=tuple(fold for fold, _ in turns), decode=tuple(decode for _, decode in turns)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
