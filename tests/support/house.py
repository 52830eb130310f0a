"""A hub without sockets over a store in memory that gives trouble when a test says so."""

import asyncio

import msgspec

from boonbridge.store.memory import MemoryStore
from boonbridge.tables import serving
from boonbridge.tables.hub import Hub
from boonbridge.tables.identity import new_token
from boonbridge.tables.opening import Ports, open_table
from boonbridge.tables.outbox import Outbox
from boonbridge.tables.ports import TableRow
from boonbridge.tables.table import Request
from boonbridge_schemas.client import ClientInfo, Do, Hello, Position
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import Limits
from tests.support.evening import GAMES
from tests.support.people import new_id
from tests.support.tape import TapeKeyRing

ROW = TableRow(id="house", title="The house", ruleset="group_d12", created=0)


class Clock:
    """Stands still until it is moved."""

    def __init__(self):
        self.time = 1_000_000

    def now(self):
        return self.time

    def at(self, moment, call):
        return lambda: None


class NoMarks:
    def note(self, table, epoch, seq, hash_, key):
        pass

    async def cut(self, log, table, vault):
        return False

    async def forget(self, table):
        pass


class TroubledStore(MemoryStore):
    """``before`` and ``after`` hold what is to happen around the next calls of a method: each is used once."""

    def __init__(self):
        super().__init__()
        self._keys["house", 1] = b"the same dice at every evening. "  # so that a failing one can be played again
        self.before = {"append": [], "read": [], "find": []}
        self.after = {"append": [], "read": [], "find": []}

    async def append(self, batch):
        return await self._troubled("append", super().append, batch)

    async def read(self, table, *, after, limit):
        return await self._troubled("read", super().read, table, after=after, limit=limit)

    async def find(self, table, command_id):
        return await self._troubled("find", super().find, table, command_id)

    async def _troubled(self, name, method, *args, **kwargs):
        await _happen(self.before[name])
        result = await method(*args, **kwargs)
        await _happen(self.after[name])
        return result


async def _happen(troubles):
    if troubles:
        trouble = troubles.pop(0)
        if isinstance(trouble, Exception):
            raise trouble
        await trouble()


class Gate:
    """Something a call waits at: ``await gate.reached()``, then ``gate.open()``."""

    def __init__(self):
        self._reached = asyncio.Event()
        self._open = asyncio.Event()

    async def __call__(self):
        self._reached.set()
        await self._open.wait()

    async def reached(self):
        async with asyncio.timeout(5):
            await self._reached.wait()

    def open(self):
        self._open.set()


class Sink:
    """A peer who takes ``room`` bytes and reads no further until he is told to."""

    def __init__(self, room=10**9):
        self.sent = []
        self.closed = None
        self._room = room
        self._waiting = 0
        self._read = asyncio.Event()

    def write(self, frame):
        self.sent.append(msgspec.json.decode(frame))
        self._waiting += len(frame)

    def waiting(self):
        return max(0, self._waiting - self._room)

    async def drained(self):
        while self.waiting() > Outbox.HIGH and self.closed is None:
            self._read.clear()
            await self._read.wait()

    def read_all(self):
        self._waiting = 0
        self._read.set()

    def read_on(self):
        """From now on he keeps up."""
        self._room = 10**12
        self.read_all()

    def close(self, code):
        self.closed = code
        self._read.set()

    def of(self, *kinds):
        return [frame for frame in self.sent if frame["t"] in kinds]

    @property
    def commits(self):
        return [frame["seq"] for frame in self.of("logged", "hidden")]


class House:
    """One table, and whoever comes."""

    def __init__(self, game="group_d12", **limits):
        self.store = TroubledStore()
        self.clock = Clock()
        self.tape = TapeKeyRing()
        self.limits = Limits(**limits)
        self.game = GAMES[game]
        self.row = msgspec.structs.replace(ROW, ruleset=game)
        self.hub = self._hub()

    def _hub(self):
        ports = Ports(
            store=self.store,
            vault=self.store,
            snapshots=self.store,
            marks=NoMarks(),
            clock=self.clock,
            ruleset=lambda _name: self.game,
            keyring=self.tape,
        )
        return Hub(ports, self.store, b"k" * 32, posted=self.store, timer=self.clock, limits=self.limits)

    async def __aenter__(self):
        await self.hub.new_table(self.row)
        return self

    async def __aexit__(self, *_):
        await self.hub.aclose()

    async def restart(self):
        await self.hub.aclose()
        self.hub = self._hub()

    async def node(self):
        """The same table as another server on the same store would have it."""
        return await open_table(self.row, self._hub().ports)

    async def table(self):
        return (await self.hub.at(ROW.id)).table

    def token(self, user, role, device="d"):
        who = {"user": user, "name": user, "table": ROW.id, "role": role, "device": device}
        return new_token(self.hub.key, **who, now=self.clock.time, jti=new_id())[0]

    async def admit(self, user, role, *, sink=None, last=None, token=None, device="d", kind="cli"):
        """Say hello; the session and the other end of its outbox."""
        sink = sink or Sink()
        info = ClientInfo(name="t", version="1", kind=kind)
        position = Position(**last) if last else None
        hello = Hello(token=token or self.token(user, role, device), client=info, last=position)
        session = await self.hub.admit(hello, None, Outbox(sink, limit=self.limits.outbox_frames))
        return session, sink

    def send(self, session, cmd, *, id=None):
        """A command as it comes from a connection; not yet answered."""
        command = msgspec.convert(cmd, Command)
        serving.do(self.hub, session, Do(id=id or new_id(), seen=session.table.state.seq, cmd=command))

    async def do(self, cmd, *, by="gina", role="gm", id=None, seen=None, table=None, **token):
        """A command or (None) a withdrawal past any connection; its answer."""
        at = table or await self.table()
        done = asyncio.get_running_loop().create_future()
        at.submit(
            Request(
                user=by,
                role=role,
                id=id or new_id(),
                seen=at.state.seq if seen is None else seen,
                command=None if cmd is None else msgspec.convert(cmd, Command),
                answer=lambda frame, _command: done.set_result(frame),
                **token,
            )
        )
        async with asyncio.timeout(5):
            return await done


BOON = {"t": "Act", "verb": "give_boon"}
HERO = {
    "t": "SyncActor",
    "actor": "hero",
    "name": "Hero",
    "side": "party",
    "numbers": {"values": [{"key": "skill.might", "value": 2}]},
}
ROLL = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.might", "difficulty": 9}}
