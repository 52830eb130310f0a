#!/usr/bin/env python3
"""Play the golden evenings: whole logs and a proof, through the real table, with fixed keys, ids and times.

``python -m boonbridge_schemas.generate`` runs this and takes what it prints: one JSON object, text by path below
``schemas/``. The definitions may not import the server, so this stands beside them and not in the package.

The logs follow the code until a release. What a release wrote is copied to ``golden/log/VERSION-GAME.jsonl`` then, and
never changes again: every later version has to read it. (Such copies are, too: ``first-GAME.jsonl``, the first ones of all;
``before-evenings-GAME.jsonl``, from before there were requests, evenings and corrections; ``before-hidden-grants-GAME.jsonl``.)
"""

import asyncio
import json
import sys
from hashlib import sha256

import msgspec
import structlog

from boonbridge.core.visibility import Viewer
from boonbridge.rulesets.base import Ruleset
from boonbridge.rulesets.registry import shipped
from boonbridge.store.memory import MemoryStore
from boonbridge.tables.opening import Ports, open_table
from boonbridge.tables.ports import EventStore, StoredCommit, TableRow, Vault
from boonbridge.tables.proving import prove
from boonbridge.tables.table import Request, Table
from boonbridge_schemas.client import Proof
from boonbridge_schemas.commands import Command
from boonbridge_schemas.examples.evenings import EVENINGS, Evening, Step
from boonbridge_schemas.examples.story import EVENING
from boonbridge_schemas.server import Ack, Refused


class FixedClock:
    """Every look is 41.3 seconds after the last, but for ``wait``."""

    def __init__(self) -> None:
        self._at = EVENING

    def now(self) -> int:
        """Unix time in milliseconds."""
        self._at += 41_300
        return self._at

    def wait(self, hours: int) -> None:
        """So long nothing happens."""
        self._at += hours * 3_600_000


class NoMarks:
    """Nothing is cut off here."""

    def note(self, table: str, epoch: int, seq: int, hash_: bytes, key: bytes) -> None:
        """Keep nothing."""

    async def cut(self, log: EventStore, table: str, vault: Vault) -> bool:
        """Never."""
        return False


def command_id(evening: Evening, number: int) -> str:
    """An id of 24 characters, as random as it looks the same every time."""
    return sha256(f"{evening.table} {number}".encode()).hexdigest()[:24]


async def submit(table: Table, step: Step, id_: str) -> Ack | Refused:
    """Have a command decided as if its sender's connection had brought it."""
    answered: asyncio.Future[Ack | Refused] = asyncio.get_running_loop().create_future()

    def answer(frame: Ack | Refused, _command: Command | None) -> None:
        answered.set_result(frame)

    table.submit(Request(user=step.by, role=step.role, id=id_, seen=table.state.seq, command=step.command, answer=answer))
    return await answered


async def play(evening: Evening, ruleset: Ruleset) -> dict[str, str]:
    """The log of an evening, and the proofs it is asked for."""
    store = MemoryStore()
    await store.put_table_key(evening.table, 1, sha256(f"key of {evening.table}".encode()).digest())
    clock = FixedClock()
    ports = Ports(store=store, vault=store, snapshots=store, marks=NoMarks(), clock=clock, ruleset=lambda _name: ruleset)
    row = TableRow(id=evening.table, title=evening.title, ruleset=ruleset.id, created=EVENING)
    table = await open_table(row, ports)
    table.present = lambda: tuple(evening.present)
    for number, step in enumerate(evening.steps, start=1):
        clock.wait(step.hours)
        frame = await submit(table, step, command_id(evening, number))
        if table.state.seq != number + 1:
            raise SystemExit(f"{evening.table}, step {number} came to nothing: {frame}")
    told = {f"golden/log/v1-{ruleset.id}.jsonl": "".join(map(line, await table.read(after=0, limit=1000)))}
    for name, (seq, user, role) in evening.proofs.items():
        told[f"golden/v1/{name}.json"] = await proof(table, store, seq, Viewer(user, role), command_id(evening, -seq))
    await table.aclose()
    return told


def line(commit: StoredCommit) -> str:
    """A commit as one line of a golden log."""
    stored = {
        "table": commit.table,
        "seq": commit.seq,
        "id": commit.command_id,
        "by": commit.by,
        "header": commit.header.decode(),
        "parts": [part.decode() for part in commit.parts],
        "hash": commit.hash.hex(),
    }
    return json.dumps(stored, ensure_ascii=False) + "\n"


async def proof(table: Table, vault: Vault, seq: int, viewer: Viewer, id_: str) -> str:
    """The ``proven`` of a commit, as this viewer gets it."""
    proven = await prove(table, Proof(id=id_, seq=seq), viewer, vault)
    return json.dumps(json.loads(msgspec.json.encode(proven)), indent=2, ensure_ascii=False) + "\n"


async def main() -> dict[str, str]:
    """Every evening, in its own game."""
    told: dict[str, str] = {}
    for name, ruleset in shipped().items():
        told |= await play(EVENINGS[name], ruleset)
    return told


if __name__ == "__main__":
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    sys.stdout.write(json.dumps(asyncio.run(main())))
