"""Plants rare words and numbers in what happens at a table, and says who was told them by which way.

A *planting* is what is hidden by which roll; a *cell* is one planting rolled in one mode by one person, at a table of its own
with five people and somebody who said no hello. What everybody received is kept by channel, and ``leaking_faults`` compares it
with protocol section 4. To whoever reads nothing of the roll the cell has to look as its *shadow*, in which it did not happen.
"""

import asyncio
import contextlib
import io
import itertools
import json
from dataclasses import dataclass, field

import msgspec
import structlog
from websockets.exceptions import ConnectionClosed

from boonbridge.config import Config
from boonbridge.core.visibility import Viewer
from boonbridge.obs import logging as log_lines
from boonbridge.rulesets import registry
from boonbridge.running import SystemClock, start
from boonbridge.store.memory import MemoryStore
from boonbridge.tables.table import Request
from boonbridge_schemas.events import Withdrawn
from tests.support import toy_game
from tests.support.bridge import FAST, ROLES, ROLL, Bridge, seat
from tests.support.house import NoMarks
from tests.support.http import request as http
from tests.support.leaking_past import exports, looked_for, replays
from tests.support.leaks import secrets_of
from tests.support.people import CLIENT, Person, new_id
from tests.support.tape import TapeKeyRing
from tests.support.wait import until

MODES = ("public", "gm", "blind", "secret", "self")
KINDS = {"Pia": "page", "Quin": "foundry", "Gina": "page", "Gwen": "foundry", "Olga": "cli"}
GMS = frozenset(name for name, role in ROLES.items() if role == "gm")
EVERYBODY = frozenset(ROLES)
NOBODY = frozenset()

READERS = {
    ("public", "Pia"): EVERYBODY,
    ("gm", "Pia"): GMS | {"Pia"},
    ("blind", "Pia"): GMS,
    ("secret", "Pia"): GMS,
    ("self", "Pia"): frozenset({"Pia"}),
    ("public", "Gina"): EVERYBODY,
    ("gm", "Gina"): GMS,
    ("blind", "Gina"): GMS,
    ("secret", "Gina"): GMS,
    ("self", "Gina"): frozenset({"Gina"}),
}
"""Who reads all of a roll. The table of protocol section 4."""
TOLD_OF = {("blind", "Pia"): frozenset({"Pia"})}
"""Who is told that it was made, and its name, and no more."""
CHANNELS = (
    "live",
    "history",
    "proof",
    "preview",
    "foresee",
    "refusals",
    "ids",
    "people",
    "state",
    "catch-up",
    "unauthenticated",
    "later",
    "afterwards",
    "http",
)
PAST = ("looked", "moment", "replay", "export")
"""Channels that tell what has been; in the normal suite they are heard where most is at stake."""
PATHS = ("/", "/healthz", "/readyz", "/schema/v1.json", "/module.json", "/ws", "/people", "/log.sqlite")


@dataclass(frozen=True, kw_only=True)
class Planting:
    """What is planted at a table, and who may find what of it.

    What is done: ``before``, by (person), and ``secretly``, of which a shadow knows nothing; then the ``roll``, a command
    without its mode, in which ``{request}`` stands for the commit of the last of ``before``; ``preview`` is what everybody asks
    about, and ``later`` follows before everybody's eyes.
    The marks: ``dice`` for those who read the roll; ``call`` for those too who are told that it was made; ``gms`` for every GM,
    whatever the mode; ``settled`` are those of them that everybody may hear once a GM lets the roll do what it does to the table.
    ``alone``: an outsider's table looks the same without the roll; otherwise with ``other`` faces. ``hides``: no player may know
    a number to reach, or a chance. ``kept``: something of it stands in the table's state.
    """

    name: str
    game: str
    roll: dict
    faces: tuple = ()
    other: tuple = ()
    alone: bool = True
    options: dict = field(default_factory=dict)
    before: tuple = ()
    secretly: tuple = ()
    dice: frozenset = frozenset()
    call: frozenset = frozenset()
    gms: frozenset = frozenset()
    settled: frozenset = frozenset()
    hides: bool = False
    kept: bool = True
    preview: dict | None = None
    later: tuple = ()
    modes: tuple = tuple((mode, roller) for roller in ("Pia", "Gina") for mode in MODES)

    @property
    def words(self):
        return [mark for mark in self.marks if isinstance(mark, str)]

    @property
    def numbers(self):
        return [mark for mark in self.marks if isinstance(mark, int)]

    @property
    def marks(self):
        return self.dice | self.call | self.gms

    def may(self, mode, roller, name):
        """Which marks that person may be told."""
        told = set(self.gms) if name in GMS else set()
        if name in READERS[mode, roller]:
            told |= self.dice | self.call
        if name in TOLD_OF.get((mode, roller), NOBODY):
            told |= self.call
        return told

    def outsider(self, mode, roller, name):
        """Whether that person is to see nothing of the roll."""
        return name not in READERS[mode, roller] | TOLD_OF.get((mode, roller), NOBODY)

    def cannot_tell(self, mode, roller, name):
        """Whether a cell and its shadow are to look the same to that person."""
        return name not in GMS if self.secretly else self.outsider(mode, roller, name)


PATIENT = msgspec.structs.replace(FAST, hello_seconds=120)
"""Somebody who says no hello is to hear a whole cell."""


# --- a server for many tables --------------------------------------------------------------------------------------
class _InMemory:
    """An open data folder that is none."""

    def __init__(self):
        self.log = self.tables = self.vault = self.posted = self.snapshots = MemoryStore()
        self.marks = NoMarks()

    async def aclose(self):
        await self.log.aclose()


@contextlib.asynccontextmanager
async def in_memory(folder):
    """A bridge for any number of cells: the real one, but for its disk and its dice."""
    lines = io.StringIO()
    log_lines.configure(level="debug", stream=lines, terminal=False)
    tape = TapeKeyRing()
    games = {**registry.shipped(), toy_game.RULESET.id: toy_game.RULESET}
    config = Config(data=folder, port=0)
    running = await start(config, games=games, limits=PATIENT, keyring=tape, open_folder=lambda _folder: _InMemory())
    bridge = Bridge(running, tape, lines)
    try:
        yield bridge
    finally:
        await running.stop()
        structlog.reset_defaults()
    wrong = [line for line in bridge.logged if line["level"] == "error" or "exception" in line]
    assert not wrong, f"the bridge logged mistakes of its own: {wrong}"


# --- one cell ------------------------------------------------------------------------------------------------------
_numbering = itertools.count(1)
REASON = "Reason-vvwq"
LAPTOP = "Vwqxx-laptop"
"""What everybody's client is called: of devices GMs alone are told, where they ask who there is."""
_TWOS = (2,) * 9
"""Faces of what is rolled before and after what is planted: low, so that something stays open and nothing is rare."""


class Cell:
    """One table and what was heard there. ``heard[channel, name]`` are frames as text, in order."""

    def __init__(self, bridge, planting, mode, roller, *, channels=CHANNELS, shadow=False):
        self.bridge, self.planting, self.mode, self.roller = bridge, planting, mode, roller
        self.channels, self.shadow = channels, shadow
        self.table = f"cell-{next(_numbering)}"
        self.heard = {}
        self.people = {}
        self.seq = 0
        self.id = new_id()
        self.undone = True
        self.changed = set()
        self.codes = {}
        self.secrets = {}
        self.by = {}

    async def play(self):
        """Everything, in order. Each step may be left out, but for the roll."""
        bridge = self.bridge
        lines, pages = len(bridge.lines), await self._pages()
        await seat(bridge, self.planting.game, table=self.table, options=self.planting.options)
        await self._lose_one()
        async with contextlib.AsyncExitStack() as stack:
            for name in ROLES:
                self.people[name] = await stack.enter_async_context(self._join(name))
            self.stranger = await stack.enter_async_context(await bridge.stranger())
            before = {name: person.last for name, person in self.people.items()}
            await self._roll()
            await self._look_at(pages)
            for step in ("history", "proof", "preview", "foresee", "refusals", "ids", "people"):
                if step in self.channels:
                    for name, person in self.people.items():
                        await getattr(self, f"_{step}")(name, person)
                        await self._take(step, name, person)
            for step, last in (("state", {}), ("catch-up", before)):
                if step in self.channels:
                    for name in ROLES:
                        async with self._join(name, last=last.get(name)) as fresh:
                            await self._take(step, name, fresh)
            for step in PAST:
                if step in self.channels:
                    for name, person in self.people.items():
                        await getattr(self, f"_{step}")(name, person)
                        await self._take(step, name, person)
            if "unauthenticated" in self.channels:
                await self._unauthenticated()
            for step in ("later", "afterwards"):
                if step in self.channels:
                    await getattr(self, f"_{step}")()
                    for name, person in self.people.items():
                        await self._take(step, name, person)
            self.secrets = await secrets_of(bridge, table=self.table)
            self.by = {commit.seq: commit.by for commit in await bridge.stored(self.table)}
        self.lines, self.metrics = bridge.lines[lines:], bridge.running.metrics.render().decode()
        await self._look_at(pages)
        return self

    # --- steps ---
    @contextlib.asynccontextmanager
    async def _join(self, name, last=None):
        token = await self.bridge.token(name, table=self.table, device="laptop")
        user = self.bridge.user(name, self.table)
        async with await Person.connect(self.bridge.url, token=token, user=user, kind=KINDS[name]) as person:
            person.client["name"] = LAPTOP
            yield await person.hello(last=last)

    async def _lose_one(self):
        """Somebody was here, and may not come any more."""
        rex = self.bridge.user("Rex", self.table)
        await self.bridge.do({"t": "Invite", "user": rex, "name": "Rex", "role": "player", "device": "browser"}, table=self.table)
        await self.bridge.do({"t": "RevokeAccess", "user": rex}, table=self.table)

    async def _roll(self):
        self.bridge.tape.clear()
        for by, cmd in self.planting.before:
            self.bridge.tape.put(*_TWOS)
            ack = await self.people[by].do(cmd)
            assert ack["t"] == "ack", ack
            self.bridge.tape.clear()
            await self._settled()
            self.seq = ack["seq"]
        for by, cmd in self.planting.secretly:
            if self.shadow:
                await self._nothing(new_id())
            else:
                ack = await self.people[by].do(cmd)
                assert ack["t"] == "ack", ack
            await self._settled()
        # Put together in the open, and hidden at the last moment: nobody may tell when it was rolled.
        check = ROLL[self.planting.game]["check"]
        await self.people["Pia"].send({"t": "composing", "on": {"actor": "hero", "check": check, "action": ""}})
        await self.people["Pia"].settled()
        await self._settled()
        roll = json.loads(json.dumps(self.planting.roll).replace("{request}", str(self.seq)))
        if self.shadow and self.planting.alone:
            await self._nothing(self.id)
        else:
            self.bridge.tape.put(*(self.planting.other if self.shadow else self.planting.faces))
            if roll["t"] != "RollForAbsent":
                roll["mode"] = self.mode
            ack = await self.people[self.roller].do(roll, id=self.id)
            assert ack["t"] == "ack", ack
            self.seq = ack["seq"]
        self.roll = roll
        self.bridge.tape.clear()
        await self._settled()
        for name, person in self.people.items():
            await self._take("live", name, person)

    async def _nothing(self, id):
        """A commit under that number and id that none of the five reads anything of."""
        at = await self.bridge.table(self.table)
        done = asyncio.get_running_loop().create_future()
        events = (("roller", Withdrawn(command=id)),)
        answer = lambda frame, _command: done.set_result(frame)  # noqa: E731
        at.submit(Request(user="nobody", role="observer", id=id, answer=answer, events=events))
        await done
        self.seq = at.state.seq

    async def _history(self, _name, person):
        await person.ask({"t": "history", "limit": 200})
        await person.ask({"t": "history", "after": self.seq - 1, "limit": 1})

    async def _proof(self, _name, person):
        for seq in (self.seq - 1, self.seq):
            await person.ask({"t": "proof", "seq": seq})

    async def _preview(self, _name, person):
        if self.roll["t"] == "AnswerRequest":
            await person.ask({"t": "preview", "check": {**self.roll, "actor": "friend", "mode": "public"}})
            return
        for actor in ("hero", "friend"):
            asked = {**(self.planting.preview or ROLL[self.planting.game]), "actors": [actor]}
            await person.ask({"t": "preview", "check": asked})
            await person.ask({"t": "preview", "check": {**asked, "action": self.roll.get("action", "")}})
            await person.ask({"t": "preview", "check": {**asked, "mode": "blind"}})

    async def _foresee(self, name, person):
        check = f"{self.seq}.1"
        tries = [{"t": "Choose", "check": check, "choice": choice} for choice in ("accept", "stop")]
        tries += [{"t": "Void", "what": f"check/{check}"}, {"t": "Reveal", "check": check}, {"t": "Settle", "check": check}]
        tries += [{"t": "EndTurn", "actor": "hero"}, {"t": "Override", "check": check, "outcome": "success"}]
        tries += [{"t": "EndSession"}] if name in GMS else []
        if "request" in self.roll:
            tries.append({"t": "Decline", "request": self.roll["request"], "actor": "friend"})
        for cmd in tries:
            await person.ask({"t": "foresee", "cmd": cmd})

    async def _refusals(self, name, person):
        """What an outsider may try, and is refused whether there was a roll or not."""
        nothing = self.shadow and self.planting.alone
        if not nothing and not self.planting.outsider(self.mode, self.roller, name):
            return
        check, request = f"{self.seq}.1", str(self.seq)
        tries = [{"t": "Choose", "check": check, "choice": choice} for choice in ("accept", "spend", "push", "at_cost")]
        tries += [{"t": "Void", "what": f"check/{check}"}, {"t": "Reveal", "check": check}, {"t": "Settle", "check": check}]
        tries += [{"t": "Override", "check": check, "outcome": "success"}, {"t": "DropOpportunity", "opportunity": check}]
        tries += [{"t": "Decline", "request": request, "actor": "foe"}, {"t": "RevealGrant", "grant": check}]
        for cmd in tries:
            answer = await person.do(cmd)
            assert answer["t"] in ("refused", "ack"), answer
        await person.send({"t": "saw", "request": request})

    async def _ids(self, name, person):
        """The id of the command: taken, and nothing more is said of it."""
        if name != self.roller or (self.shadow and self.planting.alone):
            plain = {key: value for key, value in self.roll.items() if key not in ("sources", "action", "label")}
            await person.do({"t": "StartSession"} if name in GMS else plain, id=self.id)
            await person.ask({"t": "withdraw", "id": self.id})

    async def _people(self, name, person):
        """Who there is and with which devices is asked by everybody; a GM lets somebody in, and a player his other device."""
        await person.ask({"t": "people"})
        whose = {"Gina": "Quin", "Pia": "Pia"}.get(name)
        if whose is not None:
            kind = "link" if name in GMS else "typed"
            answer = await person.ask({"t": "makeCode", "kind": kind, "user": self.bridge.user(whose, self.table)})
            assert answer["t"] == "codeMade", answer
            self.codes[answer["code"]] = self.codes[answer["code"].replace("-", "")] = name

    async def _looked(self, _name, person):
        """Looked for by everything that could find it."""
        for frame in looked_for(*(self.bridge.user(name, self.table) for name in ("Pia", "Gina"))):
            await person.ask(frame)

    async def _moment(self, _name, person):
        for seq in (self.seq - 1, self.seq):
            await person.ask({"t": "at", "seq": seq})

    async def _replay(self, name, person):
        viewer = Viewer(person.user, ROLES[name])
        self.heard["replay", name] = await replays(self.bridge.running._store, self.table, viewer)

    async def _export(self, name, person):
        viewer = Viewer(person.user, ROLES[name])
        self.heard["export", name] = await exports(self.bridge.running._store, self.table, viewer)

    async def _unauthenticated(self):
        """One who heard nothing says everything without a hello; others come with tokens that are none."""
        check = f"{self.seq}.1"
        for frame in (
            {"t": "proof", "seq": self.seq},
            {"t": "history", "limit": 200},
            {"t": "history", "limit": 200, "where": {"marks": ["roll"]}},
            {"t": "at", "seq": self.seq},
            {"t": "preview", "check": {"t": "RollCheck", "check": "x"}},
            {"t": "foresee", "cmd": {"t": "Reveal", "check": check}},
            {"t": "do", "seen": self.seq, "cmd": {"t": "Reveal", "check": check}},
            {"t": "withdraw", "id": self.id},
            {"t": "renew"},
            {"t": "people"},
            {"t": "makeCode", "kind": "typed"},
            {"t": "dropCode", "code": new_id()},
        ):
            await self.stranger.ask(frame)
        await self.stranger.send({"t": "saw", "request": str(self.seq)})
        await self.stranger.send({"t": "posted", "from": self.seq, "to": self.seq})
        await self.stranger.ask({"t": "withdraw"})
        await self._take("unauthenticated", "nobody", self.stranger, settle=False)
        good = await self.bridge.token("Pia", table=self.table)
        old = SystemClock().now() - 31 * 86_400_000
        for name, token in (
            ("wrong", good[:-6] + ("AAAAAA" if not good.endswith("AAAAAA") else "BBBBBB")),
            ("expired", await self.bridge.token("Pia", table=self.table, now=old)),
            ("revoked", await self.bridge.token("Rex", "player", table=self.table, now=SystemClock().now() - 60_000)),
        ):
            async with await self.bridge.stranger() as somebody:
                await somebody.send({"t": "hello", "token": token, "client": CLIENT, "last": self.people["Pia"].last})
                with contextlib.suppress(ConnectionClosed):
                    await somebody.send({"t": "history", "id": new_id(), "limit": 200})
                await until(lambda who=somebody: who.closed or who.of("caughtUp"))
                await self._take("unauthenticated", name, somebody, settle=False)

    async def _later(self):
        """The evening goes on before everybody's eyes; nothing of it may show what is hidden."""
        for by, cmd in self.planting.later:
            self.bridge.tape.put(*_TWOS)
            await self.people[by].do(cmd)
            self.bridge.tape.clear()
            await self._settled()

    async def _afterwards(self):
        """What a GM does about a hidden roll may show what it does to the table, and nothing else of it."""
        if self.shadow or self.mode == "public" or self.planting.roll["t"] == "RollDice":
            return
        check = f"{self.seq}.1"
        for cmd in ({"t": "Settle", "check": check}, {"t": "Void", "what": f"check/{check}", "reason": REASON, "confirm": True}):
            by = "Gina" if self.mode != "self" else self.roller
            answer = await self.people[by].do(cmd)
            self.undone = answer["t"] == "ack"
            await self._settled()

    # --- hearing ---
    async def _settled(self):
        await asyncio.gather(*(person.settled() for person in self.people.values()))

    async def _take(self, channel, name, person, *, settle=True):
        if settle:
            await person.settled()
        kept = self.heard.setdefault((channel, name), [])
        kept += [frame for frame in person.bytes.decode().splitlines() if '"proof.unknown"' not in frame]  # of ``settled``
        person.bytes.clear()

    async def _look_at(self, before):
        self.changed |= {path for path, page in (await self._pages()).items() if page != before[path]}

    async def _pages(self):
        """Whatever anybody may get without a word of who he is; what metrics say is looked at by itself."""
        return {path: await http(self.bridge, path=path) for path in PATHS} if "http" in self.channels else {}
