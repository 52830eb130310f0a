"""Logs that the table layer writes when people at random say everything, sensible or not: all commands, all modes, seeded dice.

For tests that read logs. What is looked at while an evening goes on stands in ``tests/stateful``.
"""

import random
from types import SimpleNamespace

import structlog

from boonbridge.tables.opening import as_bridge
from boonbridge.tables.table import SeededKeyRing
from tests.stateful.sayings import MAKERS, Sayings, sheet
from tests.support.evening import command
from tests.support.house import ROW, House

PEOPLE = {"gina": "gm", "pia": "player", "quin": "player", "olga": "observer"}
SPEAKERS = ("gina", "gina", "gina", "gina", "pia", "pia", "pia", "quin", "quin", "olga")
SUBJECTS = (
    *["roll"] * 12,
    *["choice"] * 8,
    *["replying", "turn", "condition", "grant", "correction", "answer"] * 3,
    *["dice", "asking", "move", "help"] * 2,
    *("revocation", "relief", "opportunity", "session", "actor", "removal", "options", "house_rules", "people"),
)


class Cuts:
    """Head marks that find a log cut when a test says so."""

    def __init__(self):
        self.due = False

    def note(self, table, epoch, seq, hash_, key):
        pass

    async def cut(self, log, table, vault):
        due, self.due = self.due, False
        return due

    async def forget(self, table):
        pass


class Writer(House):
    """A house with the dice of its own key, where somebody always has something to say."""

    def __init__(self, game, seed):
        self.cuts = Cuts()
        super().__init__(game)
        self.chance = random.Random(f"{game} {seed}")
        self.store._keys[ROW.id, 1] = self.chance.randbytes(32)
        self.ids = 0

    def _hub(self):
        hub = super()._hub()
        hub.ports.marks = self.cuts
        hub.ports.keyring = SeededKeyRing()
        return hub

    async def arrive(self):
        for user, role in PEOPLE.items():
            await self.admit(user, role)
        if self.game.id == "public_d20":
            await self._said("gina", {"t": "SetOptions", "options": {"dice_public": False}})
        for actor, (side, owners) in MAKERS.items():
            numbers = sheet(self.game.id, self.chance)
            cmd = {"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers}
            await self._said("gina", cmd)

    async def write(self, count):
        """Go on until the log has so many commits."""
        while (await self.table()).state.seq < count:
            user = self.chance.choice(SPEAKERS)
            state = (await self.table()).state
            lot = self.chance.random()
            if lot < 0.01:
                await self._said(user, None)
            elif lot < 0.02:
                await self._late(state)
            elif lot < 0.025:
                await self._anew()
            elif lot < 0.045:
                by_hand = {"t": "SetOptions", "options": {"manual_dice": not state.options.manual_dice}}
                await self._said("gina", by_hand)
            else:
                saying = getattr(Sayings(self.chance, state, user), self.chance.choice(SUBJECTS))()
                await self._said(user, saying)

    async def commits(self):
        return list(await self.store.read(ROW.id, after=0, limit=10**6))

    async def key(self, epoch=1):
        return await self.store.table_key(ROW.id, epoch)

    async def _said(self, user, cmd):
        self.clock.time += self.chance.choice((1, 100, 5_000, 3_600_000))
        self.ids += 1
        role = (await self.table()).state.role(user) or PEOPLE.get(user, "gm")
        by_bridge = isinstance(cmd, dict) and cmd["t"] == "Invite"
        id_ = f"id-{self.ids:022}"
        if by_bridge:
            return await as_bridge(await self.table(), id_, command=command(cmd))
        return await self.do(cmd, by=user, role=role, id=id_)

    async def _late(self, state):
        """The bridge itself ends what was to be answered by now."""
        for asking in state.requests.values():
            if asking.open and asking.record.expires_at:
                self.clock.time = max(self.clock.time, asking.record.expires_at)
                close = command({"t": "CloseRequest", "request": asking.record.id})
                await as_bridge(await self.table(), f"expire:{asking.record.id}", command=close)
                return

    async def _anew(self):
        """The server is started anew, and finds the log cut: a new epoch of seeds begins. Everybody comes again."""
        self.cuts.due = self.chance.random() < 0.5
        await self.restart()
        for user, role in PEOPLE.items():
            if not (await self.table()).state.people.get(user, SimpleNamespace(gone=False)).gone:
                await self.admit(user, role)


async def written(game, count, seed=0):
    """A log of so many commits, or a few more, and the keys of its epochs."""
    writer = Writer(game, seed)
    with structlog.testing.capture_logs():
        async with writer:
            await writer.arrive()
            await writer.write(count)
            keys = {epoch: key for (table, epoch), key in writer.store._keys.items() if table == ROW.id}
            return await writer.commits(), keys, (await writer.table()).state
