"""The same evening twice: in one world something happens that a GM takes back later, in the other it never happened.

Everything else is said in both, with the same dice. ``standing`` is what is compared: all that stands at a table, by place, but
for numbers of commits and the checks themselves.
"""

import random
from collections import Counter

import msgspec

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.foreseeing import foresee
from boonbridge.core.tokens import newcomers
from boonbridge.rulesets.base import same_action
from boonbridge_schemas.refusal import Refusal
from tests.stateful.sayings import MAKERS, Sayings, sheet
from tests.support.evening import ROLES, Evening, command

SPEAKERS = ("gina", "gina", "gina", "pia", "pia", "quin")
SUBJECTS = {
    "roll": 9,
    "choice": 5,
    "grant": 3,
    "revocation": 1,
    "condition": 3,
    "relief": 1,
    "help": 1,
    "answer": 1,
    "move": 3,
    "turn": 2,
    "asking": 2,
    "replying": 5,
    "opportunity": 2,
    "correction": 2,
    "removal": 0.2,
}
TAKEN_BACK = {
    "RollCheck": "check/",
    "AnswerRequest": "check/",
    "Grant": "grant/",
    "Assist": "grant/",
    "AnswerAssist": "grant/",
    "SetCondition": "condition/",
    "ClearCondition": "condition/",
    "Act": "verb/",
}
"""Commands that do what a GM may take back, and what that is called."""


class Seeded:
    """Dice that follow from a seed, whatever they are for."""

    def __init__(self, seed):
        self._chance = random.Random(seed)

    def draw(self, _role, sides):
        return self._chance.randint(1, sides)


class World(Evening):
    """One of the two. Every word said takes a number, whatever comes of it, so that the two stay side by side."""

    def hear(self, said):
        """What came of a word: the events in the order of the log, or the code of its refusal."""
        heard = self.decided(said)
        return str(heard.code) if isinstance(heard, Refusal) else heard.events

    def decided(self, said):
        """The decision that was made on a word, and has been followed; or its refusal."""
        by, cmd, seed = said
        begun = begin(self.state, seq=self.state.seq + 1, at=self.state.seq + 1, by=by)
        context = Context(by=by, role=ROLES[by], at=begun.at, command_id="c", dice_for=lambda _part: Seeded(seed))
        try:
            decision = decide(begun, command(cmd), context)
        except Refusal as no:
            self.state = begun
            return no
        self.state = evolve_all(begun, decision.events)
        return decision

    def takes(self, said):
        """Whether a word would come to anything."""
        before, heard = self.state, self.hear(said)
        self.state = before
        return not isinstance(heard, str) and bool(heard)

    def take_over(self, events):
        self.state = evolve_all(self.state, events)

    def foreseen(self, cmd):
        try:
            return foresee(self.state, command(cmd), self.viewer("gina"), self.state.seq + 1)
        except Refusal as no:
            return str(no.code)


def opening(game, seed):
    """A table with everybody at it, one of many."""
    chance = random.Random(f"opening {seed}")
    options = {"dice_public": False} if game == "public_d20" else {}
    if game == "group_d12":
        options = {"boon_cap": chance.choice((10, 10, 2)), "boon_cap_mode": chance.choice(("gained", "held"))}
    world = World(game, **options)
    for actor, (side, owners) in MAKERS.items():
        numbers = sheet(game, chance)
        world.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers})
        for _, event in newcomers(world.state, f"{actor}.token.t1"):
            world.state = evolve_all(world.state, [event])
    if game == "public_d20":  # something to use up with the next swing (B-14)
        bank = {"t": "SetCondition", "actors": ["hero", "foe"], "condition": "bolstered", "amount": chance.choice((1, 2))}
        world.do(bank)
    for _ in range(chance.choice((0, 0, 1, 2)) if game == "group_d12" else 0):
        world.do({"t": "Act", "verb": "give_boon"})
    return world


def a_word(world, chance, subjects=SUBJECTS):
    """Somebody says something: who, what, and the seed of whatever dice fall."""
    subject = chance.choices(list(subjects), subjects.values())[0]
    for _ in range(8):
        by = "gina" if subject in ("asking", "correction", "grant", "condition") else chance.choice(SPEAKERS)
        cmd = getattr(Sayings(chance, world.state, by), subject)()
        said = by, cmd, chance.random()
        if world.takes(said):  # or it is said all the same
            break
    return said


def all_events(heard):
    return () if isinstance(heard, str) else heard


def kinds(events, *names):
    return [event for event in events if type(event).__name__ in names]


# --- what stands -----------------------------------------------------------------------------------------------
def grant_key(grant):
    source, scope, expiry = grant.source, _plain(grant.scope), _plain(grant.expiry)
    return (source.id, source.origin, grant.by, grant.sign, grant.amount, scope, expiry, grant.hidden)


def _plain(value):
    return msgspec.json.encode(value)


def standing(state, *, but=()):
    """What stands, by place. ``but``: rolls that count as never made, by their ids, with the actor of each."""
    found = {("game",): state.game, ("turn",): state.turn, ("options",): state.options}
    for key, value in state.marks.items():
        found["mark", key] = value
    for actor in state.actors.values():
        found["xp", actor.id] = actor.xp
        for grant, count in Counter(map(grant_key, actor.grants)).items():
            found["grants", actor.id, grant] = count
        for key in {held.key for held in actor.conditions}:
            found["conditions", actor.id, key] = sorted(_plain(held) for held in actor.conditions if held.key == key)
        for lock in actor.locks:
            found["lock", actor.id, same_action(lock)] = True
    for name in ("opportunities", "resistances", "assists"):
        for key, value in getattr(state, name).items():
            found[name, key] = value
    for id, asking in state.requests.items():
        found["requests", id] = asking_stands(asking, but)
    for check, opened in state.undecided.items():
        if check not in but:
            offers = state.ruleset.choices(state, opened)
            found["open", check] = [(offer.id, offer.enabled, offer.who, offer.default, offer.why) for offer in offers]
    return found


def asking_stands(asking, but):
    """A request as it stands: who answered how, and what it came to. Why it ended is not compared where a roll of it is gone."""
    gone = {actor for request, actor in but.values() if request == asking.record.id} if but else set()
    rows = [(row.actor, row.status, row.absent) for row in asking.record.rows if row.actor not in gone or asking.open]
    members = {actor: each.result for actor, each in asking.members.items() if each.rolled.check not in but}
    return asking.open, rows, members, asking.told or asking.record.result


def changed_places(before, after):
    return {place for place in before.keys() | after.keys() if before.get(place) != after.get(place)}


def touched(events):
    """The places that events write to, as far as ``standing`` tells them apart (of Boons: their bearer)."""
    for event in events:
        yield from _of_event(event)
        for effect in (*getattr(event, "effects", ()), *getattr(event, "brings", ())):
            yield from _of_effect(effect)


def _of_event(event):
    match type(event).__name__:
        case "CheckRolled":
            rolled = event.rolled
            yield ("resistances", rolled.opponent)
            yield ("opportunities", rolled.check)
            yield ("requests", rolled.request)
            if rolled.ends is not None:
                yield ("conditions", rolled.actor, rolled.ends.key)
        case "Chosen":
            yield ("opportunities", event.check)
        case "GrantSpent" | "GrantRevoked":
            yield ("grants", event.actor)
        case "Granted":
            yield ("grants", event.grant.actor)
        case "OpportunityUsed":
            yield ("opportunities", event.opportunity)
        case "Settled":  # what it brings is named after the commit
            yield ("opportunities",)
        case "AssistAnswered":
            yield ("assists", event.assist)
        case "ConditionSet":
            yield ("conditions", event.actor, event.condition.key)
        case "ConditionCleared":
            yield ("conditions", event.actor, event.key)


def _of_effect(effect):
    match type(effect).__name__:
        case "ResourceChanged":
            yield ("game",)
        case "ConditionChanged" | "ConditionEnded":
            yield ("conditions", effect.actor, effect.condition)
        case "LockSet" | "LockCleared":
            yield ("lock", effect.actor, same_action(effect.action))
        case "MarkSet":
            yield ("mark", effect.mark)
        case "ChanceGranted":
            yield ("grants", effect.to)
        case "XpChanged":
            yield ("xp", effect.actor)
        case "ResistanceOffered":
            yield ("resistances", effect.actor)
