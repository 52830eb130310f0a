"""Logs that are taken from one bridge to another, in memory: exported, verified, imported, and played on."""

import asyncio
import random

from boonbridge.core import entries
from boonbridge.core.state import TableState
from boonbridge.reading.exported import verify_file
from boonbridge.store.memory import MemoryStore
from boonbridge.tables.exporting import exported
from boonbridge.tables.folding import as_it_stands, fold
from boonbridge.tables.hub import Hub
from boonbridge.tables.importing import Summed, Taking
from boonbridge.tables.opening import Ports
from boonbridge.tables.ports import TableRow
from boonbridge.tables.table import Request
from boonbridge_schemas.server import Limits
from tests.stateful.sayings import Sayings
from tests.support.evening import GAMES, command
from tests.support.house import Clock, NoMarks

SUBJECTS = ("roll", "roll", "roll", "choice", "turn", "condition", "grant", "correction", "asking", "answer", "session")


def nothing(_seq):
    """What wants to know how far it has come."""


async def lines_of(store, table, viewer=None, **how):
    """Every line of an export of what a store has of a table now."""
    row = await store.get_table(table)
    state = await as_it_stands(store, row, GAMES[row.ruleset], nothing)
    return [line async for line in exported(store, store, state, viewer, bridge="t", made=7, seen=nothing, **how)]


class Home:
    """A bridge whose tables all came from elsewhere."""

    def __init__(self):
        self.store = MemoryStore()
        self.clock = Clock()
        self.clock.time = 10**12
        self._serve()

    def _serve(self):
        store = {"store": self.store, "vault": self.store, "snapshots": self.store}
        ports = Ports(**store, marks=NoMarks(), clock=self.clock, ruleset=GAMES.__getitem__)
        self.hub = Hub(ports, self.store, b"k" * 32, posted=self.store, timer=self.clock, limits=Limits())

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.hub.aclose()

    async def restart(self):
        await self.hub.aclose()
        self._serve()

    async def take(self, lines, table):
        """Import what holds; the report on it."""
        summed = Summed(lines)
        report = verify_file(summed, GAMES.get)
        taking = Taking(lines, table, summed.sha256)
        head = taking.head
        row = TableRow(id=table, title=head.title, ruleset=head.ruleset, created=self.clock.now(), restart="imported")
        assert await self.store.import_table(row, taking, head.names)
        return report

    async def table(self, table):
        return (await self.hub.at(table)).table

    async def play(self, table, count, seed):
        """Go on with whatever people at random say, until so many commits more are made."""
        at, chance = await self.table(table), random.Random(seed)
        end, said = at.state.seq + count, 0
        while at.state.seq < end:
            user = chance.choice(("gina", "gina", "pia", "quin"))
            saying = getattr(Sayings(chance, at.state, user), chance.choice(SUBJECTS))()
            said += 1
            await self._said(at, user, saying, f"on-{table}-{said:022}")

    async def _said(self, at, user, saying, id_):
        self.clock.time += 1_000
        done = asyncio.get_running_loop().create_future()
        role = at.state.role(user) or "gm"
        cmd = command(saying) if isinstance(saying, dict) else saying
        at.submit(
            Request(
                user=user,
                role=role,
                id=id_,
                seen=at.state.seq,
                command=cmd,
                answer=lambda frame, _command: done.set_result(frame),
            )
        )
        return await done


async def folded(store, table, game, upto):
    """The table after a commit, from the log alone."""
    state = TableState.opening(GAMES[game], table=table)
    for commit in await store.read(table, after=0, limit=upto):
        state = fold(state, commit)
    return state


def told(state, viewer):
    """Every entry that somebody is told of a table."""
    return {key: entries.value(state, key, viewer) for key in entries.all_keys(state)}
