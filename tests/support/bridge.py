"""A real bridge for a test: this process, SQLite in a folder, sockets. Only the faces may be chosen (``tape``).

::

    async def test_it(tmp_path):
        async with playing("sage_d20", tmp_path) as bridge:
            async with bridge.join("Pia") as pia:
                bridge.tape.put(20)
                ack = await pia.do(ROLL["sage_d20"])

Pia and Quin are players and own ``hero`` and ``friend``; ``foe`` is of the opposition and nobody's. Gina and Gwen
are GMs, Olga observes. Leaving fails where the bridge logged a mistake of its own, unless ``bridge.mistakes`` allows it.
"""

import asyncio
import contextlib
import hashlib
import io
import json
import secrets

import msgspec
import structlog

from boonbridge.config import Config
from boonbridge.obs import logging as log_lines
from boonbridge.rulesets import registry
from boonbridge.running import SystemClock, start
from boonbridge.tables.identity import new_token
from boonbridge.tables.table import Request
from boonbridge_schemas.checks import Attack, Number, Numbers
from boonbridge_schemas.commands import Command, SyncActor
from boonbridge_schemas.server import Limits, Refused
from tests.support import toy_game
from tests.support.clock import Moved
from tests.support.names import user_id
from tests.support.people import Person
from tests.support.tape import TapeKeyRing

TABLE = "tests"
ROLES = {"Gina": "gm", "Gwen": "gm", "Pia": "player", "Quin": "player", "Olga": "observer"}
GAMES = ("rank_ability", "public_d20", "sage_d20", "group_d12")
FAST = Limits(
    commands_per_second=100_000,
    commands_burst=100_000,
    previews_per_second=100_000,
    history_per_second=100_000,
    hellos_per_minute=100_000_000,
    hellos_burst=100_000,
    wrong_codes_per_minute=100_000_000,
    wrong_codes_burst=100_000,
    connections_per_address=10_000,
    composing_per_second=100_000,
)
"""For tests that are about something else than rates."""

SECRET_NUMBERS = {"public_d20": (29, 37), "sage_d20": (37,), "group_d12": (29, 36)}
"""Numbers of ``foe`` that players may not know: its Grace or skill, and what they have to reach because of it."""


def _numbers(*attacks, **values):
    return Numbers(
        values=tuple(Number(key=key.replace("__", "."), value=value) for key, value in values.items()),
        attacks=tuple(Attack(id=name.lower(), name=name, attribute=attribute) for name, attribute in attacks),
    )


_SHEETS = {
    "rank_ability": {
        "hero": _numbers(rank=3, str=8, agi=6, con=8, lor=4, pre=6),
        "friend": _numbers(rank=2, str=4, agi=8, con=6, lor=10, pre=8),
        "foe": _numbers(rank=4, str=10, agi=6, con=10, lor=6, pre=8),
    },
    "public_d20": {
        "hero": _numbers(("Maul", "attribute.might"), grace=2, attribute__might=3),
        "friend": _numbers(("Dart", "attribute.wits"), grace=4, attribute__wits=4),
        "foe": _numbers(("Jaws", "attribute.might"), grace=29, attribute__might=2),
    },
    "sage_d20": {
        "hero": _numbers(("Bow", "agility"), strength=9, agility=13, intellect=11, will=10, defense=13),
        "friend": _numbers(("Staff", "strength"), strength=10, agility=10, intellect=14, will=12, defense=11),
        "foe": _numbers(("Claws", "strength"), strength=13, agility=9, intellect=12, will=14, defense=37),
    },
    "group_d12": {
        "hero": _numbers(skill__athletics=3, skill__lore=1),
        "friend": _numbers(skill__athletics=0, skill__lore=4),
        "foe": _numbers(skill__athletics=2, skill__vigilance=29),
    },
    "deep_mine": {"hero": _numbers(back=1), "friend": _numbers(back=2), "foe": _numbers(back=3)},
}

ROLL = {
    "rank_ability": {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"ability": "str", "tn": 9}},
    "public_d20": {"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "attribute.might", "dc": 12}},
    "sage_d20": {"t": "RollCheck", "check": "attribute", "actors": ["hero"], "params": {"attribute": "agility", "tn": 12}},
    "group_d12": {
        "t": "RollCheck",
        "check": "skill",
        "actors": ["hero"],
        "params": {"skill": "skill.athletics", "difficulty": 9},
    },
    "deep_mine": {"t": "RollCheck", "check": "descent", "actors": ["hero"], "params": {"load": 9}},
}
"""A check of ``hero`` that is complete, for each game. ``{**ROLL[game], "mode": "gm"}`` and so on for others."""

ATTACK = {
    "public_d20": {"t": "RollCheck", "check": "attack", "actors": ["hero"], "targets": ["foe"], "params": {"attack": "maul"}},
    "sage_d20": {"t": "RollCheck", "check": "attack", "actors": ["hero"], "targets": ["foe"], "params": {"attack": "bow"}},
    "group_d12": {
        "t": "RollCheck",
        "check": "skill",
        "actors": ["hero"],
        "targets": ["foe"],
        "params": {"skill": "skill.athletics", "resist": "skill.vigilance"},
    },
}
"""A check of ``hero`` against a number of ``foe`` that players may not know."""


class Bridge:
    """A server that listens, its table, and what it wrote to its log lines."""

    def __init__(self, running, tape, lines):
        self.running = running
        self.tape = tape
        self._lines = lines
        self.mistakes = False

    @property
    def url(self):
        return self.running.url

    @property
    def lines(self):
        """Everything the server logged, as text."""
        return self._lines.getvalue()

    @property
    def logged(self):
        """The same as records."""
        return [json.loads(line) for line in self.lines.splitlines() if line.startswith("{")]

    # --- people ---
    def user(self, name, table=TABLE):
        """The id of a person."""
        return user_id(table, name)

    async def token(self, name, role=None, *, table=TABLE, **claims):
        """A token as ``boonbridge token`` prints it."""
        given = {"now": SystemClock().now(), "jti": secrets.token_urlsafe(16), **claims}
        key = await self.running.signing_key()
        who = self.user(name, table)
        return new_token(key, user=who, name=name, table=table, role=role or ROLES[name], **given)[0]

    def join(self, name, role=None, *, last=None, origin=None, table=TABLE, **options):
        """A person who has said hello: ``async with bridge.join("Pia") as pia``."""
        return self._joined(name, role, table, last=last, origin=origin, **options)

    @contextlib.asynccontextmanager
    async def _joined(self, name, role, table, *, last, **options):
        token = await self.token(name, role, table=table)
        person = await Person.connect(self.url, token=token, user=self.user(name, table), **options)
        async with person:
            yield await person.hello(last=last)

    @contextlib.asynccontextmanager
    async def everybody(self):
        """All of ``ROLES``, by name."""
        async with contextlib.AsyncExitStack() as door:
            yield {name: await door.enter_async_context(self.join(name)) for name in ROLES}

    def stranger(self, **options):
        """A connection that has not said anything: ``async with await bridge.stranger() as somebody``."""
        return Person.connect(self.url, **options)

    # --- the table from inside ---
    def codes_later(self):
        """The clock of the codes, to be moved ``ahead``."""
        pairing = self.running.hub.pairing
        pairing._clock = clock = Moved(pairing._clock)
        return clock

    async def opened(self, table=TABLE):
        return await self.running.hub.at(table)

    async def table(self, table=TABLE):
        return (await self.opened(table)).table

    async def do(self, cmd, *, by="Gina", role="gm", table=TABLE, id=None):
        """A command past the sockets, as a set-up wants it. Fails where it is refused."""
        at = await self.table(table)
        done = asyncio.get_running_loop().create_future()
        command = msgspec.convert(cmd, Command) if isinstance(cmd, dict) else cmd
        at.submit(
            Request(
                user=self.user(by, table),
                role=role,
                id=id or secrets.token_urlsafe(16),
                seen=at.state.seq,
                command=command,
                answer=lambda frame, _command: done.set_result(frame),
            )
        )
        frame = await done
        assert not isinstance(frame, Refused), frame
        return frame

    async def stored(self, table=TABLE):
        """All commits as they lie on disk."""
        return list(await self.running.hub.ports.store.read(table, after=0, limit=100_000))

    async def footprint(self, table=TABLE):
        """What a table has on disk, in one value: unchanged means that nothing was stored."""
        digest = hashlib.sha256()
        commits = await self.stored(table)
        for commit in commits:
            digest.update(msgspec.json.encode(msgspec.to_builtins(commit)))
        return len(commits), digest.hexdigest()


async def seat(bridge, game, *, table=TABLE, options=None, sheets=None):
    """Make a table and seat the actors of ``_SHEETS`` there."""
    await bridge.running.new_table(table, f"Tests of {game}", game)
    owners = {"hero": ("Pia",), "friend": ("Quin",), "foe": ()}
    for actor, numbers in (_SHEETS[game] if sheets is None else sheets).items():
        who = owners.get(actor, ())
        await bridge.do(
            SyncActor(
                actor=actor,
                name=actor.capitalize(),
                side="party" if who else "opposition",
                owners=tuple(bridge.user(name, table) for name in who),
                numbers=numbers,
            ),
            table=table,
        )
    if options:
        await bridge.do({"t": "SetOptions", "options": options}, table=table)


@contextlib.asynccontextmanager
async def serving(folder, *, limits=FAST, seeded=False, lines=None, clock=None, **settings):
    """A bridge on a folder, with whatever tables are there. ``seeded``: without a tape, as it is served."""
    lines = io.StringIO() if lines is None else lines
    log_lines.configure(level="debug", stream=lines, terminal=False)
    tape = TapeKeyRing()
    games = {**registry.shipped(), toy_game.RULESET.id: toy_game.RULESET}
    keyring = None if seeded else tape
    running = await start(Config(data=folder, port=0, **settings), games=games, limits=limits, keyring=keyring, clock=clock)
    bridge = Bridge(running, tape, lines)
    try:
        yield bridge
    finally:
        await running.stop()
        structlog.reset_defaults()
    if not bridge.mistakes:
        wrong = [line for line in bridge.logged if line["level"] == "error" or "exception" in line]
        assert not wrong, f"the bridge logged mistakes of its own: {wrong}"


@contextlib.asynccontextmanager
async def playing(game, folder, *, options=None, **settings):
    """A bridge with one table of a game, made ready."""
    async with serving(folder, **settings) as bridge:
        if not await bridge.running.hub.list_tables():
            await seat(bridge, game, options=options)
        yield bridge
