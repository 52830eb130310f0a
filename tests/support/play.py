"""An evening in words: people at a real server say things, dice fall as the script has them, and what everybody was told is read back.

::

    async with evening("group_d12", tmp_path, CAST) as play:
        gina, pia = play.gina, play.pia
        told = await pia(roll("skill", "ada", skill="skill.lore", difficulty=9), 6)
        assert told.card == "[6] +1 = 7 against 9: failure"

``told`` is what the observer heard, so what everybody heard; whatever only some were told is asked for by name
(``told.by("Gina", "CheckRolled")``). Exactly the faces of the script fall: one too many or too few fails. At the end a fresh
connection, the fold of the log, and a server started anew on the same folder all have to show what the players hold.
"""

import contextlib

import msgspec

from boonbridge.core.chain import GENESIS
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.rulesets import registry
from boonbridge.tables.folding import catch_up
from boonbridge_schemas.checks import Attack, Number, Numbers, OnCrit
from tests.support.bridge import TABLE, serving
from tests.support.random_evening import fresh

HERE = {"Gina": "gm", "Pia": "player", "Quin": "player", "Olga": "observer"}
"""Who comes. Rolf is a player, too, but not here tonight."""


# --- who plays -------------------------------------------------------------------------------------------------
def sheet(*attacks, **values):
    """Numbers of an actor; a double underline stands for the dot of a group (``skill__lore``)."""
    return Numbers(
        values=tuple(Number(key=key.replace("__", "."), value=value) for key, value in values.items()), attacks=attacks
    )


def attack(name, attribute, *tags, against="defense", crit=None):
    """An attack; ``crit`` is the name and the amount of what each critical does."""
    on_crit = OnCrit(name=crit[0], amount=crit[1]) if crit else None
    return Attack(id=name.lower(), name=name, attribute=attribute, against=against, tags=tags, on_crit=on_crit)


# --- what they say ---------------------------------------------------------------------------------------------
def roll(check, actor, action="", *, at=(), sources=(), mode="public", changed="", before=0, opportunities=(), **params):
    """``at``: the targets; ``before``: Boons spent before the dice."""
    return {
        "t": "RollCheck",
        "check": check,
        "actors": [actor],
        "targets": list(at),
        "params": params,
        "action": action,
        "sources": list(sources),
        "mode": mode,
        "changed": changed,
        "spendBefore": before,
        "opportunities": list(opportunities),
    }


def ask(*checks, **more):
    """A request for one of some checks, each ``asked(...)``."""
    return {"t": "RequestCheck", "checks": list(checks), **more}


def asked(check, **params):
    return {"check": check, "params": params}


def answer(request, actor, nth=0, **more):
    return {"t": "AnswerRequest", "request": request, "actor": actor, "nth": nth, **more}


def choose(check, choice, note=None):
    return {"t": "Choose", "check": check, "choice": choice, "args": {} if note is None else {"note": note}}


def boon(key, amount=1, **more):
    return {"id": key, "label": key.replace("_", " "), "sign": "boon", "amount": amount, **more}


def bane(key, amount=1, **more):
    return {**boon(key, amount, **more), "sign": "bane"}


def grant(actors, source, until="none", *, of=None, **more):
    """A Boon or a Bane that stands, ``until`` a clock strikes; ``of`` whose turn it is."""
    return {
        "t": "Grant",
        "actors": list(actors),
        "sign": source["sign"],
        "amount": source["amount"],
        "source": {"id": source["id"], "label": source["label"]},
        "expiry": {"when": until, "actor": of},
        **more,
    }


def put(actor, condition, amount=1, until="none", **more):
    """A condition, as a GM sets it."""
    return {"t": "SetCondition", "actors": [actor], "condition": condition, "amount": amount, "expiry": {"when": until}, **more}


def turn(which, actor):
    """``which``: ``Start`` or ``End``."""
    return {"t": f"{which}Turn", "actor": actor}


def act(verb, **args):
    return {"t": "Act", "verb": verb, "args": args}


# --- what they are told ----------------------------------------------------------------------------------------
def card(event):
    """The dice, kept ones in brackets, and what they came to: ``[6] 2 +1 = 7 against 9: failure``."""
    rolled, result = event["rolled"], event["result"]
    return worded(result, rolled.get("target"))


def _who(rolled):
    return f"{rolled['actor']} at {rolled['opponent']}" if rolled.get("opponent") else rolled["actor"]


def worded(result, target):
    minus = any(extra["key"] == "boonBaneValue" and extra["value"] < 0 for extra in result.get("extras", ()))
    words = []
    for die in result["dice"]:
        sign = "-" if minus and die["role"] == "bane" and die["kept"] else ""
        words.append(f"{sign}[{die['face']}]" if die["kept"] else str(die["face"]))
    if result["bonus"]:
        words.append(f"{result['bonus']:+d}")
    return " ".join([*words, f"= {result['total']} against {'?' if target is None else target}: {result['outcome']}"])


def sources(event):
    """Every line that was looked at, and what became of it, but for those that are of other checks."""
    lines = [line for line in event["sources"] if line["why"] != "not_this_check"]
    return ", ".join(f"{line['id']}{_times(line['amount'])} {line['why']}" for line in lines)


def _times(amount):
    return "" if amount == 1 else f" x{amount}"


def effects(event, which="effects"):
    return [_effect(effect) for effect in event.get(which, ())]


def _effect(effect):
    match effect:
        case {"t": "ResourceChanged", "resource": what, "asked": asked_for, "applied": applied, "reason": why}:
            beside = "" if asked_for == applied else f", asked {asked_for:+d}"
            return f"{what} {applied:+d} ({why}){beside}"
        case {"t": "ConditionChanged", "actor": who, "condition": what, "change": change, "now": now}:
            return f"{who} {what} {change:+d}, now {now}"
        case {"t": "ConditionEnded", "actor": who, "condition": what}:
            return f"{who} rid of {what}"
        case {"t": "ConditionsPut", "actor": who, "condition": what}:
            return f"{who} {what} put at {sum(held.get('amount', 1) for held in effect.get('held', ()))}"
        case {"t": "LockSet", "actor": who, "action": what}:
            return f"{who} locked: {what}"
        case {"t": "LockCleared", "actor": who, "action": what}:
            return f"{who} free again: {what}"
        case {"t": "DutyNoted", "duty": duty}:
            return f"owed: {duty}"
        case {"t": "MarkSet", "mark": mark, "value": value}:
            return f"{mark}: {value}"
        case {"t": "OnCritApplied", "name": name, "times": times, "amount": amount}:
            return f"{name} {times} times, {amount} in all"
        case {"t": "DieBought", "face": face}:
            return f"bought a {face}"
        case {"t": "ChanceGranted", "sign": sign}:
            return f"a {sign} for {effect.get('to') or 'whoever uses it'}"
        case {"t": "ResistanceOffered", "actor": who, "difficulty": difficulty}:
            return f"{who} resists at {difficulty}"
        case {"t": "XpChanged", "actor": who, "change": change, "now": now}:
            return f"{who} {change:+d} XP, now {now}"
        case {"t": "GrantPut", "grant": {"actor": who, "source": source}}:
            return f"{who} has {source['label']} again"
        case {"t": "GrantTaken", "actor": who}:
            return f"{who} has it no more"
        case {"t": "RowReopened", "actor": who}:
            return f"{who} may answer again"
        case other:
            return other["t"]


def result(told):
    """What a request came to: only what it says."""
    return {key: value for key, value in told.items() if value is False or value not in (None, 0, [])}


class Told:
    """What came of one command: the answer, and what each of those who are here heard since it was sent."""

    def __init__(self, reply, heard):
        self.reply = reply
        self.heard = heard

    def by(self, name, *kinds):
        """The events that a person heard, of some kinds or of any."""
        return [event for event in self.heard[name] if not kinds or event["t"] in kinds]

    def events(self, *kinds):
        """The events that everybody heard."""
        return self.by("Olga", *kinds)

    def event(self, kind):
        (found,) = self.events(kind)
        return found

    @property
    def refused(self):
        return self.reply.get("code")

    @property
    def kinds(self):
        return [event["t"] for event in self.events()]

    # --- the one check that was rolled, or decided ---
    @property
    def rolled(self):
        return self.event("CheckRolled")

    @property
    def check(self):
        return self.rolled["rolled"]["check"]

    @property
    def card(self):
        return card(self.rolled)

    @property
    def cards(self):
        return [f"{_who(event['rolled'])}: {card(event)}" for event in self.events("CheckRolled")]

    @property
    def sources(self):
        return sources(self.rolled)

    @property
    def effects(self):
        return effects(self.rolled)

    @property
    def offers(self):
        """What may be chosen after the roll, or after the choice."""
        event = self.events("CheckRolled", "Chosen")[-1]
        return [offer["id"] for offer in event.get("choices", ()) if offer.get("enabled", True)]

    @property
    def chosen(self):
        """The choices taken, each with what it did."""
        return [
            (event["choice"], "by itself" if event.get("auto") else "chosen", effects(event)) for event in self.events("Chosen")
        ]


class Play:
    """The table and who is there. ``gina(command, *faces)`` says something and waits until everybody has heard of it."""

    def __init__(self, bridge, people):
        self.bridge = bridge
        self.people = people
        self.gina = self._voice("Gina")
        self.pia = self._voice("Pia")
        self.quin = self._voice("Quin")
        self.said = 0

    def _voice(self, name):
        async def says(command, *faces):
            return await self._says(name, command, faces)

        return says

    async def _says(self, name, command, faces):
        tape = self.bridge.tape
        before = {each: len(person.frames) for each, person in self.people.items()}
        tape.put(*faces)
        reply = await self.people[name].do(command)
        for person in self.people.values():
            await person.settled()
        told = Told(reply, {each: _events(person.frames[before[each] :]) for each, person in self.people.items()})
        if reply["t"] == "ack":
            assert tuple(_fallen(told)) == faces, f"these dice fell, and not those of the script: {list(_fallen(told))}"
        assert not tape.tape, f"faces that nobody rolled: {list(tape.tape)} ({reply})"
        for each in self.people:
            heard = iter(told.heard[each])
            assert all(event in heard for event in told.events()), f"{each} did not hear what everybody heard"
        self.said += 1
        return told

    # --- what they hold ---
    def of(self, name, key):
        """An entry as one of them holds it; None: there is none."""
        return self.people[name].entries.get(key)

    def entry(self, key):
        """An entry that all of them hold alike."""
        held = [self.of(name, key) for name in self.people]
        assert all(each == held[0] for each in held), f"{key}: {held}"
        return held[0]

    @property
    def pool(self):
        """Boons held, and gained this session."""
        entry = self.entry("pool")
        return entry["held"], entry["gained"]

    def conditions(self, actor):
        """What an actor suffers, each with its amount."""
        entry = self.entry(f"conditions/{actor}") or {"conditions": []}
        return {held["key"]: held.get("amount", 1) for held in entry["conditions"]}

    def grants(self, actor):
        entry = self.entry(f"grants/{actor}") or {"grants": []}
        return [given["source"]["label"] for given in entry["grants"]]

    def locks(self, actor):
        return self.of("Olga", f"actor/{actor}").get("locks", [])

    def rows(self, request):
        """How a request stands: each actor with what became of him."""
        return {
            row["actor"]: row.get("status", "sent") + (" by the GM" if row.get("absent") else "")
            for row in self.of("Olga", f"request/{request}")["rows"]
        }

    # --- the end ---
    async def compare(self, game):
        """What everybody holds is what a fresh connection is given, and what the log comes to when it is folded again."""
        hub, table = self.bridge.running.hub, await self.bridge.table()
        opening = TableState.opening(registry.shipped()[game], table=TABLE)
        folded, head = await catch_up(hub.ports.store, opening, GENESIS)
        assert folded == table.state
        assert head == table.head_hash
        for name, person in self.people.items():
            assert person.commits == list(range(person.commits[0], folded.seq + 1)), "gapless, in order, each once"
            assert person.entries == plain(fresh(folded, Viewer(person.user, HERE[name]))), name
        await same_anew(self.bridge, {name: person.entries for name, person in self.people.items()})


async def same_anew(bridge, held):
    """Somebody who comes anew is shown just what he held."""
    for name, entries in held.items():
        async with bridge.join(name, HERE[name]) as anew:
            assert anew.entries == entries, name


def plain(record):
    """As it comes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(record))


def _events(frames):
    return [event for frame in frames if frame["t"] == "logged" for event in frame.get("events", ())]


def _fallen(told):
    """Every die that fell, in order, as far as a GM reads it."""
    for event in told.heard["Gina"]:
        match event["t"]:
            case "CheckRolled":
                yield from (die["face"] for die in event["result"]["dice"])
            case "Chosen" if drawn := event.get("drawn", 0):
                yield from (die["face"] for die in event["result"]["dice"][-drawn:])
            case "DiceRolled":
                yield from (die["face"] for die in event["dice"])


@contextlib.asynccontextmanager
async def evening(game, folder, cast):
    """A table of a game. ``cast``: actor to (owner or None for the opposition, numbers)."""
    async with serving(folder) as bridge, contextlib.AsyncExitStack() as door:
        await bridge.running.new_table(TABLE, f"An evening of {game}", game)
        people = {name: await door.enter_async_context(bridge.join(name, role)) for name, role in HERE.items()}
        play = Play(bridge, people)
        await play.gina({"t": "Invite", "user": bridge.user("Rolf"), "name": "Rolf", "role": "player"})
        for actor, (owner, numbers) in cast.items():
            sync = {
                "t": "SyncActor",
                "actor": actor,
                "name": actor.capitalize(),
                "side": "party" if owner else "opposition",
                "owners": [bridge.user(owner)] if owner else [],
                "numbers": plain(numbers),
            }
            assert (await play.gina(sync)).reply["t"] == "ack"
        play.said = 0
        yield play
        await play.compare(game)
        held = {name: person.entries for name, person in people.items()}
    async with serving(folder) as bridge:
        await same_anew(bridge, held)
