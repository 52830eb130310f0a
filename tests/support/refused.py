"""What is refused over sockets with a code of its own, and changes nothing: what is common to the tests of it.

Before and after are compared: every stored byte, the head of the log and its hash, the pool, everything on every screen,
and the faces that would have fallen.
"""

import contextlib

import pytest

from tests.support.bridge import ATTACK, ROLL, playing
from tests.support.people import new_id, settle

GIVE = {"t": "Act", "verb": "give_boon"}
FORESEEN = ("Void", "Override", "Reveal", "Settle", "SetOptions", "SetTableData", "EndSession", "CloseRequest")
"""Commands of which a GM asks first what they would come to."""


class Table:
    """The people at a table, and its bridge. ``gm`` does what a set-up needs; a roll's faces go before it."""

    def __init__(self, bridge, game, people):
        self.bridge = bridge
        self.roll = ROLL[game]
        self.attack = ATTACK.get(game)
        self.people = people

    async def gm(self, cmd, *faces):
        """The number of the commit."""
        return await self.of("Gina", cmd, *faces)

    async def of(self, who, cmd, *faces):
        self.bridge.tape.put(*faces)
        answer = await self.people[who].do(cmd)
        assert answer["t"] == "ack", answer
        return answer["seq"]

    async def boons(self, count):
        for _ in range(count):
            await self.gm(GIVE)

    async def failed(self, *faces, actor="hero", **more):
        """A check of Pia's hero (or Quin's friend)."""
        who = {"hero": "Pia", "friend": "Quin", "foe": "Gina"}[actor]
        return f"{await self.of(who, {**self.roll, 'actors': [actor], **more}, *(faces or (2,)))}.1"

    async def grant(self, **more):
        return f"{await self.gm(grant(**more))}.1"

    async def standing(self):
        """Everything there is, to be compared."""
        await settle(self.people)
        table = await self.bridge.table()
        screens = {name: (person.seq, person.hash, dict(person.entries)) for name, person in self.people.items()}
        pool = getattr(table.state.game, "held", None)
        return await self.bridge.footprint(), table.state.seq, table.head_hash, pool, screens, tuple(self.bridge.tape.tape)


def cases(into):
    """A list of what people send, by a decorator: what it is called, the code it is refused with, the game, who sends it.

    The function makes the table ready and gives the command.
    """

    def case(name, code, game="group_d12", by="Pia", **options):
        def add(prepare):
            into.append(pytest.param(game, options, prepare, by, code, id=name))
            return prepare

        return add

    return case


@contextlib.asynccontextmanager
async def gathered(game, folder, options):
    async with playing(game, folder, options=options) as bridge, bridge.everybody() as people:
        yield Table(bridge, game, people)


def spend(check, choice="spend", **more):
    return {"t": "Choose", "check": check, "choice": choice, **more}


def grant(*actors, id="song", when="none", **more):
    source = {"id": id, "label": "Song"}
    return {"t": "Grant", "actors": actors or ["hero"], "sign": "boon", "source": source, "expiry": {"when": when}, **more}


def condition(key, actor="hero", **more):
    return {"t": "SetCondition", "actors": [actor], "condition": key, **more}


def clear(key, actor="hero"):
    return {"t": "ClearCondition", "actor": actor, "condition": key}


def sources(count, sign="boon"):
    return [{"id": f"{sign}{n}", "label": "x", "sign": sign} for n in range(count)]


DARK = [{"id": "dark", "label": "Dark", "sign": "bane"}]


def ask(**more):
    checks = [{"check": "skill", "params": {"skill": "skill.athletics", "difficulty": 9}}]
    return {"t": "RequestCheck", "checks": checks, **more}


def answer(request, actor="hero", **more):
    return {"t": "AnswerRequest", "request": str(request), "actor": actor, **more}


async def stays_refused(at, cmd, by, code):
    """Refused, however often it is sent, with a sentence, and so are the dialogs that ask what it would come to."""
    assert not at.bridge.tape.tape, "the set-up rolled what it was to roll"
    at.bridge.tape.put(1, 1, 1)
    before = await at.standing()
    person, id = at.people[by], new_id()
    refused = await person.do(cmd, id=id)
    assert (refused["t"], refused["code"], refused["id"]) == ("refused", code, id), refused
    assert refused["message"].endswith(".") or refused["message"].endswith("?"), "a refusal is a sentence"
    assert await at.standing() == before
    if cmd["t"] in ("RollCheck", "AnswerRequest") and "faces" not in cmd:
        shown = await person.ask({"t": "preview", "check": cmd})
        assert {**shown, "id": id} == refused, "the dialog says so before anybody clicks"
    if cmd["t"] in FORESEEN and code != "correction.used":
        foreseen = await person.ask({"t": "foresee", "cmd": cmd})
        assert {**foreseen, "id": id} == refused, "what it would come to is asked first"
    assert await person.do(cmd, id=id) == refused, "and it stays refused"
    assert await at.standing() == before
