"""An evening on which the server is killed again and again while many people roll.

A real ``boonbridge serve``, ``kill -9`` at moments that a seed fixes, restarted each time on its port and folder. People's
clients come back by themselves and send again what was not answered. At the end the log is read in three ways: as
``boonbridge tail`` shows it, as it lies in the database, and as all that was answered and told implies.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from boonbridge.net.client import Client, Unreachable, new_id
from boonbridge.store.open import DATABASE
from boonbridge.store.schema import connect_reader
from boonbridge_schemas.commands import RollCheck, SyncActor
from boonbridge_schemas.server import Ack, Hidden, Logged, Refused, Welcome
from tests.crash.history import Entry, History, Op, Seen, problems
from tests.support.cli import Child, Serving, environment
from tests.support.wait import until

VERIFY = Path(__file__).parents[2] / "docs" / "verify.py"
PLAYERS = 7
CONNECTIONS = 4
"""Of each person, so that 32 clients roll at once and nobody's rate is what is tested."""

GAME = "sage_d20"
_MODES = ("public",) * 6 + ("gm", "blind", "secret", "self")


class Person(NamedTuple):
    """Somebody with a token and an actor."""

    name: str
    role: str
    token: str
    user: str
    actor: str


class Told(NamedTuple):
    """How the evening went."""

    kills: int
    acked: int
    refused: int
    unknown: int
    commits: int
    problems: list[str]


class Evening:
    """One server, its people, and what became of their rolls."""

    def __init__(self, folder, seed, say):
        self.folder = folder
        self.chance = random.Random(seed)
        self.history = History(folder.parent / "history.jsonl")
        self.say = say
        self.acked = 0
        self.commands = {}
        self._rolling = True
        self._server = None
        self._port = 0

    # --- the server ---
    async def serve(self):
        """Start it, on the port it had."""
        self._server = await asyncio.to_thread(Serving(self.folder, "--ruleset", GAME, port=self._port).__enter__)
        self._port = self._server.port

    async def kill(self, rolls):
        """Kill it after so many more answers, and start it again."""
        goal = self.acked + rolls
        await until(lambda: self.acked >= goal, 60)
        self._server.kill()
        self.say(f"killed after {self.acked} acknowledged rolls")
        self._server.__exit__()
        began = time.monotonic()
        await self.serve()
        self.say(f"listens again after {time.monotonic() - began:.1f} s")

    def stop(self):
        if self._server is not None:
            assert self._server.stop() == 0
            self._server.__exit__()
            self._server = None

    def token(self, name, role):
        return self._server.token(name, role)

    # --- the people ---
    async def people(self):
        """A GM and some players, each with an actor of his own."""
        people = []
        for number in range(PLAYERS + 1):
            name, role = f"Person {number}", "player" if number else "gm"
            token = self.token(name, role)
            async with Client(self._server.url, token) as client:
                people.append(Person(name, role, token, client.welcome.user, f"actor-{number}"))
        async with Client(self._server.url, people[0].token) as gm:
            for person in people:
                done = await gm.do(SyncActor(actor=person.actor, name=person.name, side="party", owners=(person.user,)))
                assert isinstance(done, Ack), done
        return people

    async def roll_on(self, people, stack):
        """Everybody rolls until ``enough`` is called; returns what to wait for then."""
        tasks = []
        for person in people:
            for number in range(CONNECTIONS):
                client = Client(self._server.url, person.token)
                told = client.frames()  # before it connects, so that nothing is missed
                await stack.enter_async_context(client)
                tasks.append(asyncio.create_task(self._watch(told, person, f"{person.name}, {number}")))
                tasks.append(asyncio.create_task(self._roll(client, person)))
        return tasks

    def enough(self):
        self._rolling = False

    async def _roll(self, client, person):
        while self._rolling:
            mode = self.chance.choice(_MODES)
            command = RollCheck(check="luck", actors=(person.actor,), mode=mode)
            await self.do(client, person, command, new_id())

    async def do(self, client, person, command, command_id):
        """One command, and how it ended as far as its sender knows."""
        self.commands[command_id] = (person, command)
        began = time.monotonic()
        try:
            answer = await client.do(command, command_id)
        except (TimeoutError, Unreachable):
            self.history.add(Op(person.user, command_id, began, None, "unknown"))
            return None
        ended = time.monotonic()
        if isinstance(answer, Ack):
            self.acked += 1
            self.history.add(Op(person.user, command_id, began, ended, "ok", answer.seq))
        else:
            self.history.add(Op(person.user, command_id, began, ended, "fail"))
        return answer

    async def _watch(self, told, person, viewer):
        async for frame in told:
            self._saw(viewer, person, frame)

    def _saw(self, viewer, person, frame):
        match frame:
            case Welcome():
                told = Seen(viewer, person.user, person.role, "welcome", frame.from_, head=frame.head)
            case Logged() | Hidden():
                kind = "logged" if isinstance(frame, Logged) else "hidden"
                told = Seen(viewer, person.user, person.role, kind, frame.seq, frame.hash)
            case _:
                return
        self.history.add(told)

    # --- afterwards ---
    async def ask_again(self, people, count=20):
        """Send some old commands once more; the answers go into the history beside the first ones."""
        old = [op for op in self.history.ops if op.outcome == "ok"]
        again = self.chance.sample(old, min(count, len(old))) + [op for op in self.history.ops if op.outcome == "unknown"]
        async with AsyncExitStack() as stack:
            clients = {p.user: await stack.enter_async_context(Client(self._server.url, p.token)) for p in people}
            for op in again:
                person, command = self.commands[op.id]
                answer = await self.do(clients[person.user], person, command, op.id)
                assert isinstance(answer, Ack | Refused), answer
        return len(again)

    async def tail(self, token):
        """What ``boonbridge tail`` shows."""
        words = ("tail", "--url", self._server.url, "--json")
        with Child(*words, env=environment(BOONBRIDGE_TOKEN=token)) as child:
            await asyncio.to_thread(child.wait, lambda: '"caughtUp"' in child.out, 60)
            *frames, _ = (json.loads(line) for line in child.out.splitlines())
        return [(frame["seq"], frame["hash"]) for frame in frames]

    async def prove(self, token, seq):
        """Check the dice and the chain of one commit with ``docs/verify.py``; what it said where it was not content."""
        async with Client(self._server.url, token) as gm:
            proven = await gm.proof(seq)
            promise = await gm.proof(proven.promised_by)
        given = b"\n".join(msgspec.json.encode(p) for p in (proven, promise))
        run = [sys.executable, str(VERIFY)]
        done = await asyncio.to_thread(subprocess.run, run, input=given, capture_output=True, check=False)
        return "" if done.returncode == 0 else (done.stdout + done.stderr).decode()


def read_log(folder):
    """The log as it lies in the database of a stopped server, and what SQLite says of the file."""
    db = connect_reader(folder / DATABASE)
    try:
        integrity = db.pragma("integrity_check")
        rows = db.execute(
            "SELECT seq, command_id, by, hash, part_all, part_roller_gm, part_gm, part_roller FROM commits ORDER BY seq"
        ).fetchall()
    finally:
        db.close()
    return [_entry(*row) for row in rows], integrity


def _entry(seq, id_, by, hash_, *parts):
    kind, mode = "other", "public"
    for part in filter(None, parts):
        for event in json.loads(part)["events"]:
            if event["t"] == "CheckRolled":
                kind, mode = "roll", event["mode"]
            elif event["t"] == "Withdrawn":
                kind = "withdrawn"
    return Entry(seq, id_, by, hash_.hex(), kind, mode)


async def evening(folder, *, seed, kills, rolls=(20, 150), say=print):
    """Kill the server some times while 32 clients roll. Returns what came of it."""
    say(f"seed {seed}")
    it = Evening(folder / "data", seed, say)
    try:
        await it.serve()
        people = await it.people()
        async with AsyncExitStack() as stack:
            tasks = await it.roll_on(people, stack)
            watching, rolling = tasks[::2], tasks[1::2]
            for _ in range(kills):
                await it.kill(it.chance.randint(*rolls))
            goal = it.acked + rolls[0]
            await until(lambda: it.acked >= goal, 60)
            it.enough()
            await asyncio.gather(*rolling)
            again = await it.ask_again(people)
            say(f"asked {again} old commands again")
            shown = await it.tail(people[0].token)
            # Everybody has come to the end of the log, whatever he missed in between.
            await until(lambda: len(_ends(it.history.seen)) == 1 and _ends(it.history.seen) == {len(shown)}, 20)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
        ops, seen = list(it.history.ops), list(it.history.seen)
        public = [op.seq for op in ops if op.outcome == "ok"]
        wrong = [text for seq in it.chance.sample(public, 3) if (text := await it.prove(people[0].token, seq))]
        it.stop()
    finally:
        if it._server is not None:
            it._server.__exit__()
        it.history.close()
    log, integrity = await asyncio.to_thread(read_log, folder / "data")
    found = problems(ops, seen, log) + wrong
    if integrity != "ok":
        found.append(f"PRAGMA integrity_check: {integrity}")
    if shown != [(entry.seq, entry.hash) for entry in log]:
        found.append("tail and the database differ")
    count = {outcome: len({op.id for op in ops if op.outcome == outcome}) for outcome in ("ok", "fail", "unknown")}
    return Told(kills, count["ok"], count["fail"], count["unknown"], len(log), found)


def _ends(seen):
    """Where the viewers are."""
    places = {}
    for record in seen:
        if record.kind != "welcome":
            places[record.viewer] = record.seq
        elif record.seq is None:
            places[record.viewer] = record.head
    return set(places.values())
