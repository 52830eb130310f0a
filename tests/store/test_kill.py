"""A server killed at any moment has everything it acknowledged, once, and nothing in between."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boonbridge.store.open import open_store
from boonbridge.tables.ports import Appended
from tests.store.appending_child import TABLES
from tests.store.commits import commit

ROOT = Path(__file__).parents[2]


def append_until_killed(folder, lines):
    """Kill the child as soon as it has acknowledged ``lines`` commits; all that it had acknowledged by then."""
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("appending_child.py")), str(folder)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as child:
        said = [child.stdout.readline() for _ in range(lines)]
        child.kill()  # SIGKILL; TerminateProcess on Windows
        said.extend(child.stdout.readlines())
    assert all(line.endswith(b"\n") for line in said), "the child ended by itself"
    return [line.decode().split() for line in said]


@pytest.mark.parametrize("rounds", [[1, 50, 333], [1_200, 7, 800, 90]], ids=["short", "past the checkpoints"])
async def test_every_acknowledged_commit_is_there_once(tmp_path, rounds):
    acked = []
    for lines in rounds:
        acked += append_until_killed(tmp_path / "data", lines)
    store = open_store(tmp_path / "data")
    try:
        assert await store.log._reader.call(lambda db: db.pragma("integrity_check")) == "ok"
        lies = {}
        for table in TABLES:
            found = list(await store.log.read(table, after=0, limit=1_000_000))
            assert [c.seq for c in found] == list(range(1, len(found) + 1))
            assert len({c.command_id for c in found}) == len(found)
            assert [c.hash for c in found] == [commit(table, c.seq, c.command_id).hash for c in found]
            lies |= {(table, str(c.seq)): (c.command_id, c.hash.hex()) for c in found}
        assert len(acked) == len({(table, seq) for table, seq, _, _ in acked}) >= sum(rounds)
        for table, seq, command_id, hash_ in acked:
            assert lies[table, seq] == (command_id, hash_)
        # At most the batch that was being written at each kill is there without anybody having been told.
        assert len(lies) - len(acked) <= len(TABLES) * len(rounds)
        head, _ = await store.log.head("t0")
        assert await store.log.append([commit("t0", head + 1)]) == [Appended()]
    finally:
        await store.aclose()
