"""What evenings at random have in common: a house, the people who come and go, and what has to hold whatever was said.

What is said, and what else is looked at, is each evening's own.
"""

import asyncio
from unittest.mock import patch

import msgspec
import structlog
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine

from boonbridge.core import entries
from boonbridge.core.chain import GENESIS
from boonbridge.core.freezing import frozen
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.tables import snapshots
from boonbridge.tables.folding import catch_up
from boonbridge.tables.hub import Rejected
from tests.support.house import Sink
from tests.support.screen import Screen


class Client:
    """Somebody's screen, over as many connections as he needs one after the other. ``frames``: all that he was told."""

    def __init__(self):
        self.screen = Screen()
        self.session = None
        self.sink = None
        self.read = 0
        self.frames = []

    @property
    def here(self):
        return self.session is not None and not self.session.outbox.closed

    def look(self):
        new = self.sink.sent[self.read :]
        for frame in new:
            if frame["t"] in {"logged", "hidden"}:
                assert frame["seq"] == self.screen.seq + 1, "gapless, in order, each once"
            self.screen.take(frame)
        self.frames += new
        self.read = len(self.sink.sent)


class RandomEvening(RuleBasedStateMachine):
    """``game`` is played by ``people`` (user to role) in ``self.house``, which the evening opens itself."""

    game = ""
    people = {}  # noqa: RUF012 - each evening names its own

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.logs = structlog.testing.LogCapture()
        self.clients = {user: Client() for user in self.people}
        self.ids = 0

    def run(self, work):
        return self.loop.run_until_complete(work)

    @property
    def table(self):
        return self.run(self.house.table())

    def new_id(self):
        self.ids += 1
        return f"id-{self.ids:022}"

    async def come(self, user, *, anew=False):
        client = self.clients[user]
        self.house.clock.time += 100
        last = None if anew or client.screen.hash is None else client.screen.last
        sink = Sink()
        try:
            session, _ = await self.house.admit(user, self.people[user], sink=sink, last=last)
        except Rejected:
            return
        client.session, client.sink, client.read = session, sink, 0
        await self.settle()

    def goes(self, user):
        client = self.clients[user]
        if client.session is not None:
            self.run(self._left(client.session))
            client.session = None

    async def _left(self, session):
        self.house.hub.leave(session)

    def restart(self):
        """The server ends and begins again, from a snapshot of how the table stood: byte for byte what the whole log gives."""
        for client in self.clients.values():
            client.session = None
        seq = self.table.state.seq
        with patch.object(snapshots, "WORTH", 1):
            self.run(self.house.restart())
        assert self.run(self.house.hub.at("house")).keeping.shelf.last == seq
        empty = TableState.opening(self.house.game, table="house")
        state, _ = self.run(catch_up(self.house.store, empty, GENESIS))
        assert frozen(self.table.state) == frozen(state)

    async def settle(self):
        """Until nothing is on its way to anybody, and everybody has looked."""
        while True:
            busy = {*self.house.hub._tasks}
            for client in self.clients.values():
                drainer = client.session and client.session.outbox._drainer
                if drainer is not None and not drainer.done():
                    busy.add(drainer)
            if not busy:
                break
            await asyncio.wait(busy)
        for client in self.clients.values():
            if client.session is not None:
                client.look()

    def log_gives_what_lives(self):
        """The state that lives is the one that the log gives. The log."""
        table = self.table
        empty = TableState.opening(self.house.game, table="house")
        state, head = self.run(catch_up(self.house.store, empty, GENESIS))
        assert state == table.state
        assert head == table.head_hash
        return self.run(self.house.store.read("house", after=0, limit=10_000))

    def screens_show_what_there_is(self):
        """Whoever only takes over what he is told has on his screen what a fresh ``state`` would show him."""
        state = self.table.state
        for user, client in self.clients.items():
            if not client.here:
                continue
            client.look()
            assert client.session.role == state.people[user].role
            there = fresh(state, Viewer(user, client.session.role))
            assert client.screen.entries == msgspec.json.decode(msgspec.json.encode(there)), user
            assert client.screen.seq == state.seq


def fresh(state, viewer):
    """The table as a fresh ``state`` would show it."""
    told = {key: entries.value(state, key, viewer) for key in entries.all_keys(state)}
    return {key: value for key, value in told.items() if value is not None}


def machine(evening, game_name, examples, steps):
    """A test case of one game."""

    class OneGame(evening):
        game = game_name

    test = OneGame.TestCase
    test.settings = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],  # explaining takes minutes
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    return test
