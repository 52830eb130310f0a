"""What a GM takes back leaves the table on which it never happened, as far as nothing used it since; else what is listed.

Evenings at random in two worlds with the same dice: in ``here`` something is done that is voided at the end, in ``there`` it
never was. What a roll or a word does on the way that is not its own (a choice that another check was owed, a token's record)
happens in both.
"""

import random
from collections import Counter

import msgspec
import pytest

from boonbridge.core.grouping import over
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.events import Chosen, RequestExpired
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening as Table
from tests.support.two_worlds import (
    SUBJECTS,
    TAKEN_BACK,
    a_word,
    all_events,
    changed_places,
    kinds,
    opening,
    standing,
    touched,
)

DOING = {
    key: SUBJECTS[key] for key in ("roll", "grant", "condition", "relief", "help", "answer", "move", "replying", "opportunity")
}
"""What may be taken back."""
ENDINGS = ("GrantExpired", "ConditionExpired")
"""What a clock ends is not used by anybody."""
OF_A_REQUEST = ("RequestClosed", "RequestExpired", "GroupTold")


class Deed:
    """What is done in one of two worlds, and everything that belongs to it until it is taken back."""

    def __init__(self, before, said, after, heard):
        self.said = said
        self.seq = after.seq
        kind = TAKEN_BACK[said[1]["t"]]
        self.names = [name for name, deed in after.deeds.items() if deed.seq == self.seq and name.startswith(kind)]
        self.checks = {name.removeprefix("check/") for name in self.names if kind == "check/"}
        self.is_check = kind == "check/"
        self.grants = {}
        self.gives(before, after)
        opened = [after.deeds[name].opened for name in self.names]
        self.rolls = {each.rolled.check: (each.rolled.request, each.rolled.actor) for each in opened if each is not None}
        self.requests = {each.rolled.request for each in opened if each is not None and each.rolled.request is not None}
        self.hidden = any(each is not None and each.mode != "public" for each in opened)
        self.events = []
        self.others = []
        self.note(heard)

    def gives(self, before, after):
        """The Boons that are new are its."""
        had = {grant.id for actor in before.actors.values() for grant in actor.grants}
        self.grants |= {g.id: g for a in after.actors.values() for g in a.grants if g.id not in had}

    def note(self, heard):
        """Tell its own events of a commit from what happened on the way. What did not belong to it."""
        on_the_way = [event for event in heard if not self._own(event)]
        self.events += [event for event in heard if self._own(event)]
        self.others += on_the_way
        return on_the_way

    def _own(self, event):
        match type(event).__name__:
            case "Chosen":
                return event.check in self.checks
            case "ActorSynced" | "NumbersSet" | "ActorRemoved":
                return False
            case "AssistAnswered":
                return self.is_check
            case "RequestClosed" | "RequestExpired" | "GroupTold":
                return event.request in self.requests
            case _:
                return True

    def about(self, cmd):
        """Whether a word is about it, and so cannot be said where it never happened."""
        named = cmd.get("check") if cmd["t"] in ("Choose", "Override", "Reveal", "Settle") else None
        gone = cmd.get("opportunity") if cmd["t"] == "DropOpportunity" else None
        return named in self.checks or gone in self.checks or cmd.get("grant") in self.grants

    def taken_back_by(self, cmd):
        return cmd["t"] == "Void" and cmd["what"] in self.names


class Evening:
    """The two worlds, and whether everything came to the same in both."""

    def __init__(self, game, seed):
        self.here, self.there = opening(game, seed), opening(game, seed)
        self.deed = None
        self.same = True
        self.said = []
        self.rolls_alike = True
        self.later = ([], [])

    def both(self, said):
        """Something is said in both."""
        before, resisting = self.here.state, self.there.state.resistances
        here = self.here.hear(said)
        if self.deed is None:
            assert self.there.hear(said) == here
            return here
        if self.deed.about(said[1]):
            self.there.skip(said[0])
            self.there.take_over(self.deed.note(all_events(here)))
            self.deed.gives(before, self.here.state)
            self._requests_end()
            return here
        there = self.there.hear(said)
        self.deed.events += [event for event in all_events(here) if isinstance(event, Chosen) and event.check in self.deed.checks]
        self.later[0].extend(all_events(here))
        self.later[1].extend(all_events(there))
        self._requests_end()
        met = [[key for key in was if key not in now] for was, now in self._resistances(before, resisting)]
        self.same = self.same and self._told(here) == self._told(there) and met[0] == met[1]
        self.rolls_alike = self.rolls_alike and _rolled(here) == _rolled(there)
        return here

    def do(self, said):
        """What will be taken back. Whether anything was done."""
        before = self.here.state
        heard = self.here.hear(said)
        if isinstance(heard, str):
            self.there.hear(said)
            return False
        deed = Deed(before, said, self.here.state, heard)
        self.there.skip(said[0])
        if not deed.names:
            self.there.take_over(heard)
            return False
        self.deed = deed
        self.there.take_over(deed.others)
        self._requests_end()
        return True

    def nothing(self):
        """Nobody says anything, and yet it is later."""
        self.here.skip("gina")
        self.there.skip("gina")

    def _requests_end(self):
        """A request that was complete with a roll that never was ends in the other world when it does here."""
        for request in self.deed.requests:
            here, there = self.here.state.requests.get(request), self.there.state.requests.get(request)
            if here is not None and there is not None and there.open and not here.open:
                rows = [row.actor for row in there.record.rows if row.status == "sent"]
                self.there.take_over([RequestExpired(request=request, actors=tuple(rows))])
                self.there.take_over(event for _, event in over(self.there.state, request, here.record.over))

    def _resistances(self, here, there):
        return (here.resistances, self.here.state.resistances), (there, self.there.state.resistances)

    def _told(self, heard):
        """What came of a word, but for what follows from the deed alone."""
        if isinstance(heard, str):
            return heard
        return [_bare(event) for event in heard if not self._aside(event)]

    def _aside(self, event):
        match type(event).__name__:
            case "Chosen":
                return event.check in self.deed.checks
            case name if name in OF_A_REQUEST:
                return event.request in self.deed.requests
            case name:
                return name in ENDINGS

    def take_back(self):
        """Void all of it, the last first. What was changed, and what was left."""
        effects, left, before = [], [], self.here.state
        for what in reversed(self.deed.names):
            cmd = {"t": "Void", "what": what}
            foreseen = self.here.foreseen(cmd)
            stood = self.here.state
            refused = self.here.hear(("gina", cmd, 0))
            self.here.state = stood
            heard = self.here.hear(("gina", {**cmd, "confirm": True}, 0))
            if heard in ("correction.unknown", "correction.done"):  # of a roll that its roller alone has seen, he says so
                continue
            assert not isinstance(heard, str), heard
            assert sorted(map(_plain, foreseen)) == sorted(map(_plain, heard)), "it was foreseen"
            corrected = kinds(heard, "Voided", "Settled")
            here_left = [each for event in kinds(heard, "Voided") for each in event.left]
            listed = [*here_left, *(each for event in kinds(heard, "GroupRecounted") for each in event.left)]
            assert refused == ("correction.used" if listed else heard)
            effects += [each for event in corrected for each in event.effects]
            left += here_left
        return before, effects, left


def _plain(value):
    return msgspec.json.encode(value)


def _bare(event):
    """An event without what adds up: how much of a condition there is now."""
    plain = msgspec.to_builtins(event)
    if type(event).__name__ == "ConditionSet" and event.added is not None:
        plain["condition"] = {**plain["condition"], "amount": 0, "fumbled": 0, "begun": 0, "until": None}
    for effect in plain.get("effects", ()):
        if effect["t"] == "ConditionChanged":
            effect["now"] = 0
    return plain


def _rolled(heard):
    return [
        (event.rolled.actor, event.rolled.kind, event.rolled.opponent, event.mode, event.rolled.params)
        for event in kinds(all_events(heard), "CheckRolled")
    ]


# --- what has to hold ------------------------------------------------------------------------------------------
def check(evening):
    """How it ended: ``never`` (as if it had never happened) or ``listed``."""
    deed, here, there = evening.deed, evening.here, evening.there
    closed = {event.check for event in deed.others if isinstance(event, Chosen)}
    stood, effects, left = evening.take_back()
    now = standing(here.state, but=deed.rolls)
    was = standing(stood, but=deed.rolls)
    only_its_own(deed, was, now)
    by_place(evening, stood, effects, left)
    listed = [each for each in left if each.why != "closed_by_it"]
    assert len(left) - len(listed) == len(closed), "what was taken for others because of it is listed"
    if not evening.same or _hidden_in_a_group(deed, here.state):
        return "listed"
    assert not listed, "nothing used it"
    assert now == standing(there.state, but=deed.rolls)
    return "never"


def _hidden_in_a_group(deed, state):
    """A roll that not everybody sees keeps what a group came to from everybody, taken back or not."""
    return deed.hidden and any(request in state.requests and not state.requests[request].open for request in deed.requests)


def only_its_own(deed, was, now):
    """Nothing else is changed than what it wrote to, and what is offered because of that."""
    mine = set(touched(deed.events)) | {("requests", request) for request in deed.requests}
    for place in changed_places(was, now):
        if place[0] == "open":
            continue
        assert any(place[:n] in mine for n in (1, 2, 3)) or (place == ("game",) and deed.requests), place


def by_place(evening, stood, effects, left):
    """What it changed is what was changed back and what is listed, place by place."""
    deed = evening.deed
    mine = [event for event in deed.events if type(event).__name__ not in OF_A_REQUEST and not getattr(event, "deferred", False)]
    done = [effect for event in mine for effect in _effects(event)]
    if not any(each.why == "evening_over" for each in left):
        gone = sum(each.amount * (1 if each.why == "spent_since" else -1) for each in left if each.what == "resource")
        assert _applied(done) + _applied(effects) == gone
    _grants(evening, stood, effects, left)
    _conditions(evening, stood, done, effects, left)


def _effects(event):
    return (*getattr(event, "effects", ()), *getattr(event, "brings", ()))


def _applied(effects):
    return sum(effect.applied for effect in kinds(effects, "ResourceChanged"))


def _grants(evening, stood, effects, left):
    """Every Boon that it gave is gone or listed as used; every one that it used is back, or would have been used since."""
    deed, (here, there) = evening.deed, evening.later
    standing_ids = {grant.id for actor in stood.actors.values() for grant in actor.grants}
    taken_back = {deed.id for deed in stood.deeds.values() if deed.voided}  # what such a roll used was used by nothing
    rolls = [event for event in kinds(here, "GrantSpent") if f"check/{event.check}" not in taken_back]
    spent_since = {event.grant for event in rolls if event.actor in stood.actors}
    expected = {grant.id for grant in deed.grants.values() if grant.id in standing_ids}
    assert {effect.grant for effect in kinds(effects, "GrantTaken")} == expected
    used = [each for each in left if each.what == "grant" and each.why == "used_since"]
    mine = deed.grants.keys() - standing_ids
    # What a roll used that was taken back itself is used all the same where the GM was told then that another would have.
    kept = {_as_left(each) for event in kinds(here, "Voided") for each in event.left if each.why == "rolled_since"}
    undone = {event.grant for event in kinds(here, "GrantSpent")} - spent_since
    by_another = {grant for grant in undone & mine if _as_left(deed.grants[grant]) in kept}
    # And what the GM was told of as another verdict took it away is not the check's any more.
    told = {_as_left(each) for event in kinds(deed.events, "Overridden") for each in event.left if each.why == "used_since"}
    at_least = {grant for grant in spent_since & mine if _as_left(deed.grants[grant]) not in told}
    assert len(at_least) <= len(used) <= len((spent_since & mine) | by_another)
    put = {effect.grant.id for effect in kinds(effects, "GrantPut")}
    spent = {event.grant for event in kinds(deed.events, "GrantSpent")} - deed.grants.keys()
    assert put <= spent
    # Where nothing had used it, it may have been taken from its bearer since.
    revoked = {event.grant for event in kinds(there, "GrantRevoked")}
    revoked |= {effect.grant for event in there for effect in kinds(_effects(event), "GrantTaken")}
    if evening.rolls_alike and not evening.same and not revoked & spent:
        # The other world knows whether a roll since would have used it.
        back = {grant.id for actor in evening.there.state.actors.values() for grant in actor.grants}
        would_have = {event.grant for event in kinds(there, "GrantSpent")} - back
        assert not put & would_have, "it comes back although it would have been used"
        borne = {event.grant for event in kinds(deed.events, "GrantSpent") if event.actor in evening.here.state.actors}
        left_the_table = {event.actor for event in kinds(here, "ActorRemoved")}
        borne -= {event.grant for event in kinds(deed.events, "GrantSpent") if event.actor in left_the_table}
        borne -= {grant for grant in borne if _never_given(evening.here.state, grant)}
        assert len([each for each in left if each.why == "rolled_since" and each.what == "grant"]) == len(borne & would_have)


def _never_given(state, grant):
    """Whether what gave a Boon was taken back: a grant by its own id, a chance by its check's."""
    givers = (state.deeds.get(name) for name in (f"grant/{grant}", f"check/{grant.rpartition('.')[0]}"))
    return any(giver is not None and giver.voided for giver in givers)


def _as_left(grant):
    """What makes a Boon and what is told of one the same: a grant has its sign and label, what is left of it its key."""
    if hasattr(grant, "what"):
        return grant.actor, grant.key, grant.label, grant.amount
    return grant.actor, grant.sign, grant.source.label, grant.amount


def _conditions(evening, stood, done, effects, left):
    """Stacks that it brought are taken away, listed, or ended since."""
    touched_since = {place for place in touched(evening.later[0]) if place[0] == "conditions"}
    touched_since |= {("conditions", event.actor, event.key) for event in kinds(evening.later[0], "ConditionExpired")}
    brought = {}
    for effect in kinds(done, "ConditionChanged"):
        place = "conditions", effect.actor, effect.condition
        brought[place] = brought.get(place, 0) + effect.change
    put = {("conditions", effect.actor, effect.condition) for effect in kinds(effects, "ConditionsPut")}
    otherwise = ("Voided", "Overridden", "ActorRemoved", "ConditionCleared")
    if evening.rolls_alike and not any(kinds(events, *otherwise) for events in evening.later):
        used_here, used_there = (_used_up(events) for events in evening.later)
        by_why = {(each.actor, each.key): each.why for each in left if each.what == "condition"}
        # Said anew, it counts from there; where it stood already nothing was said.
        events = kinds((*evening.later[0], *evening.later[1]), "ConditionSet")
        anew = {("conditions", event.actor, event.condition.key) for event in events if event.added is None}
        for place in {place for place in touched(evening.deed.events) if place[0] == "conditions"} - anew:
            more = used_here[place] - used_there[place]
            expected = "used_since" if more > 0 else "rolled_since" if more < 0 else None
            if more > 0 and _taken(place, stood, effects) >= more:
                continue  # of what is there now, whoever gave that (I-94)
            assert by_why.get(place[1:]) == expected, place
    listed = {("conditions", each.actor, each.key) for each in left if each.what == "condition"}
    touched_since |= {("conditions", each.actor, each.condition) for each in kinds(done, "ConditionsPut")}
    # What a roll used up does not come back where it was taken back that it ever was given.
    never_given = any(event.what.startswith("condition/") for event in kinds(evening.later[0], "Voided"))
    for place, change in brought.items():
        if place not in touched_since and place[1] in evening.here.state.actors and change and not (change < 0 and never_given):
            assert place in put | listed


def _taken(place, stood, effects):
    """How much of a condition it takes of what is there now."""
    actor, key = stood.actors.get(place[1]), place[2]
    after = [effect.held for effect in kinds(effects, "ConditionsPut") if (effect.actor, effect.condition) == place[1:]]
    had = sum(held.amount for held in actor.conditions if held.key == key) if actor is not None else 0
    return had - sum(held.amount for held in after[-1]) if after else 0


def _used_up(events):
    """How much of each condition was used up."""
    used = Counter()
    for event in events:
        for effect in kinds(_effects(event), "ConditionChanged"):
            used["conditions", effect.actor, effect.condition] += max(0, -effect.change)
    return used


# --- evenings --------------------------------------------------------------------------------------------------
def play(game, seed):
    """An evening at random; how it ended, or None where nothing was done that could be taken back."""
    chance = random.Random(f"{game} {seed}")
    evening = Evening(game, seed)
    words = []

    def say(world, act, subjects=SUBJECTS):
        again = evening.deed is not None and chance.random() < 0.3
        said = once_more(evening.deed.said, chance) if again else a_word(world, chance, subjects)
        if (act == evening.do and said[1]["t"] not in TAKEN_BACK) or (evening.deed and evening.deed.taken_back_by(said[1])):
            return
        words.append((act.__name__, said))
        act(said)

    for _ in range(chance.randint(0, 12)):
        say(evening.here, evening.both)
    for _ in range(20):
        if evening.deed is None:
            say(evening.here, evening.do, DOING)
    if evening.deed is None:
        return None
    for _ in range(chance.randint(0, 12)):
        say(chance.choice((evening.here, evening.there)), evening.both)
    try:
        return check(evening)
    except AssertionError:
        words = smallest(game, seed, words)
    told = "\n".join(f"{act}: {said}" for act, said in words if said)
    raise AssertionError(f"{game} {seed}:\n{told}") from fails(game, seed, words)


def once_more(said, chance):
    """The same again, or something else of the same."""
    by, cmd, _ = said
    if cmd["t"] == "SetCondition":
        clear = {"t": "ClearCondition", "actor": cmd["actors"][0], "condition": cmd["condition"]}
        cmd = chance.choice((cmd, {**cmd, "amount": 3}, {**cmd, "amount": 1, "add": True}, clear))
    elif cmd["t"] == "ClearCondition":
        cmd = {"t": "SetCondition", "actors": [cmd["actor"]], "condition": cmd["condition"]}
    return by, cmd, chance.random()


def fails(game, seed, words):
    """Why an evening of these words does not hold; None where it does."""
    evening = Evening(game, seed)
    try:
        for act, said in words:
            if said is None:
                evening.nothing()
            elif act == "both" or evening.deed is None:
                getattr(evening, act)(said)
        if evening.deed is not None:
            check(evening)
    except AssertionError as wrong:
        return wrong
    return None


def smallest(game, seed, words):
    """The same words without those that have nothing to do with it."""
    for nth in reversed(range(len(words))):
        fewer = [*words[:nth], (words[nth][0], None), *words[nth + 1 :]]
        if fails(game, seed, fewer):
            words = fewer
    return words


@pytest.mark.parametrize("game", sorted(shipped()))
@pytest.mark.parametrize("seeds", [range(80), pytest.param(range(80, 200), marks=pytest.mark.long)], ids=["few", "more"])
def test_what_is_taken_back_never_happened_or_is_listed(game, seeds):
    ends = [play(game, seed) for seed in seeds]
    assert ends.count("never") > 0.45 * len(seeds)
    assert ends.count("listed") > 0.15 * len(seeds)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("game", sorted(shipped()))
def test_thousands_of_evenings(game):
    for seed in range(1000, 11_000):
        play(game, seed)


# --- in any order ----------------------------------------------------------------------------------------------
def in_any_order(game, seed):
    """Two deeds of an evening at random, taken back in both orders. Whether they were: not where anything is listed."""
    chance = random.Random(f"order {game} {seed}")
    world, last_done = opening(game, seed), None
    for _ in range(chance.randint(3, 16)):
        again = last_done is not None and chance.random() < 0.4
        said = once_more(last_done, chance) if again else a_word(world, chance)
        if not isinstance(world.hear(said), str) and said[1]["t"] in TAKEN_BACK:
            last_done = said
    deeds = [deed for deed in world.state.deeds.values() if deed.id.startswith(tuple(TAKEN_BACK.values())) and not deed.voided]
    deeds = [deed for deed in deeds if deed.opened is None or deed.opened.mode == "public"][-8:]
    if len(deeds) < 2:
        return False
    two, start, ends = chance.sample(deeds, 2), world.state, []
    rolls = {d.opened.rolled.check: (d.opened.rolled.request, d.opened.rolled.actor) for d in two if d.opened is not None}
    for order in (two, two[::-1]):
        world.state = start
        for deed in order:
            if isinstance(world.hear(("gina", {"t": "Void", "what": deed.id}, 0)), str):
                return False
        ends.append(standing(world.state, but=rolls))
    assert ends[0] == ends[1], (game, seed, [deed.id for deed in two])
    return True


@pytest.mark.parametrize("game", sorted(shipped()))
@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 400), marks=pytest.mark.long)], ids=["few", "more"])
def test_two_that_are_taken_back_in_any_order_come_to_the_same(game, seeds):
    assert sum(in_any_order(game, seed) for seed in seeds) > 0.5 * len(seeds)


# --- what they brought up, as small as it can be said ---------------------------------------------------------
def table_of(game, *, values=None, **options):
    table = Table(game, **options)
    numbers = {"values": [{"key": key, "value": value} for key, value in (values or {}).items()]}
    for actor, side, owners in (("hero", "party", ["pia"]), ("friend", "party", ["quin"]), ("ogre", "opposition", [])):
        table.do({"t": "SyncActor", "actor": actor, "name": actor.title(), "side": side, "owners": owners, "numbers": numbers})
    return table


def climbers(**options):
    return table_of("group_d12", values={"skill.might": 2}, **options)


CLIMB = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.might", "difficulty": 9}}
WRESTLE = {**CLIMB, "params": {"skill": "skill.might", "resist": "skill.might"}, "targets": ["ogre"]}
ROPE = {
    "t": "Grant",
    "actors": ["hero"],
    "sign": "boon",
    "source": {"id": "rope", "label": "Rope"},
    "expiry": {"when": "next_roll"},
}


def void(table, what, *, by="gina", confirm=False):
    """The event, with what stands in it for GMs alone."""
    placed = table.do({"t": "Void", "what": what, "confirm": confirm}, by)
    voided = kinds((event for _, event in placed), "Voided")
    return msgspec.structs.replace(voided[0], left=tuple(left for event in voided for left in event.left))


def refused(table, cmd):
    with pytest.raises(Refusal) as no:
        table.do(cmd)
    return str(no.value.code)


def last(table):
    return f"{table.state.seq}.1"


def test_resistance_that_a_roll_since_would_have_met_is_not_offered_again():
    table = climbers()
    table.do({"t": "Act", "verb": "offer_resistance", "args": {"actor": "ogre", "skill": "skill.might"}})
    table.do(WRESTLE, faces=[11])
    first = f"check/{last(table)}"
    table.do(WRESTLE, faces=[11])
    voided = void(table, first, confirm=True)
    assert [(left.what, left.actor, left.why) for left in voided.left] == [("resistance", "ogre", "rolled_since")]
    assert not table.state.resistances


def test_help_that_a_roll_since_would_have_had_does_not_wait_again():
    table = table_of("rank_ability", values={"rank": 2, "str": 6})
    check = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"ability": "str", "tn": 2}}
    table.do({"t": "Assist", "actor": "hero", "helper": "friend"}, "quin")
    table.do(check, faces=[5, 3])
    first = f"check/{last(table)}"
    table.do(check, faces=[5, 3])
    voided = void(table, first, confirm=True)
    assert [(left.what, left.actor, left.why) for left in voided.left] == [("assist", "hero", "rolled_since")]
    assert not table.state.assists


def test_help_waits_again_when_the_roll_it_went_with_is_taken_back():
    table = table_of("rank_ability", values={"rank": 2, "str": 6})
    table.do({"t": "Assist", "actor": "hero", "helper": "friend"}, "quin")
    offered = dict(table.state.assists)
    check = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"ability": "str", "tn": 2}}
    table.do(check, faces=[5, 3])
    assert not table.state.assists
    assert void(table, f"check/{last(table)}").left == ()
    assert dict(table.state.assists) == offered


def test_an_opportunity_that_was_used_is_listed_with_the_roll_that_made_it():
    table = climbers()
    table.do({**CLIMB, "check": "opportunity", "action": "The ladder"}, faces=[9])
    made = last(table)
    table.do({**CLIMB, "actors": ["friend"], "opportunities": [made]}, "quin", faces=[9, 3])
    used = last(table)
    assert refused(table, {"t": "Void", "what": f"check/{made}"}) == "correction.used"
    voided = void(table, f"check/{made}", confirm=True)
    assert [(left.what, left.label, left.why) for left in voided.left] == [("opportunity", "The ladder", "used_since")]
    void(table, f"check/{used}")
    assert not table.state.opportunities, "whoever made it never did"


def test_a_boon_that_was_taken_back_does_not_come_back_with_the_roll_that_used_it():
    table = climbers()
    table.do(ROPE)
    grant = f"grant/{last(table)}"
    table.do(CLIMB, faces=[9, 3])
    check = f"check/{last(table)}"
    void(table, grant, confirm=True)
    void(table, check)
    assert table.state.actors["hero"].grants == ()


def test_a_chance_does_not_come_back_when_whoever_gave_it_never_did():
    table = climbers()
    table.do({**CLIMB, "check": "opportunity", "params": {**CLIMB["params"], "to": "friend"}}, faces=[9])
    made = last(table)
    table.do({**CLIMB, "actors": ["friend"]}, "quin", faces=[9, 3])
    used = last(table)
    assert [left.why for left in void(table, f"check/{made}", confirm=True).left] == ["used_since"]
    void(table, f"check/{used}")
    assert table.state.actors["friend"].grants == ()


def test_resistance_does_not_come_back_when_nobody_offered_it():
    table = climbers()
    table.do({"t": "Act", "verb": "offer_resistance", "args": {"actor": "ogre", "skill": "skill.might"}})
    offer = f"verb/{table.state.seq}"
    table.do(WRESTLE, faces=[11])
    met = f"check/{last(table)}"
    assert refused(table, {"t": "Void", "what": offer}) == "correction.used"
    assert [(left.what, left.why) for left in void(table, offer, confirm=True).left] == [("resistance", "used_since")]
    void(table, met)
    assert not table.state.resistances


def test_resistance_stands_again_when_the_roll_it_met_is_taken_back():
    table = climbers()
    table.do({"t": "Act", "verb": "offer_resistance", "args": {"actor": "ogre", "skill": "skill.might"}})
    offered = dict(table.state.resistances)
    table.do(WRESTLE, faces=[11])
    assert not table.state.resistances
    assert void(table, f"check/{last(table)}").left == ()
    assert dict(table.state.resistances) == offered


def test_a_roll_that_was_taken_back_itself_keeps_nothing_from_coming_back():
    table = climbers()
    table.do(ROPE)
    table.do(CLIMB, faces=[9, 3])
    first = f"check/{last(table)}"
    table.do(CLIMB, faces=[10])
    void(table, f"check/{last(table)}")
    assert void(table, first).left == ()
    assert [grant.source.id for grant in table.state.actors["hero"].grants] == ["rope"]


def test_a_full_pool_makes_room_before_anything_comes_back():
    table = climbers(boon_cap=2, boon_cap_mode="held")
    table.do({"t": "Act", "verb": "give_boon"})
    dark = [{"id": "dark", "label": "Dark", "sign": "bane"}]
    table.do({**CLIMB, "sources": dark, "spendBefore": 1}, faces=[12])  # one paid (D-18), one gained (D-10)
    check = f"check/{last(table)}"
    table.do({"t": "Act", "verb": "give_boon"})
    assert table.state.game.held == 2
    assert void(table, check).left == ()
    assert (table.state.game.held, table.state.game.gained) == (2, 0)


@pytest.mark.parametrize(
    ("expiry", "strikes"),
    [
        ({"when": "round_end"}, {"t": "EndRound"}),
        ({"when": "combat_end"}, {"t": "EndCombat"}),
        ({"when": "round_end"}, {"t": "EndCombat"}),
        ({"when": "turn_end", "actor": "ogre"}, {"t": "EndCombat"}),
        ({"when": "turn_start", "actor": "ogre"}, {"t": "StartTurn", "actor": "ogre"}),
        ({"when": "turn_end", "actor": "ogre"}, {"t": "EndTurn", "actor": "ogre"}),
        ({"when": "turn_end", "actor": "ogre"}, {"t": "RemoveActor", "actor": "ogre"}),
        ({"when": "none"}, {"t": "RemoveActor", "actor": "hero"}),
    ],
)
def test_what_would_have_ended_since_does_not_come_back(expiry, strikes):
    table = table_of("public_d20")
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "slowed", "expiry": expiry})
    table.do({"t": "ClearCondition", "actor": "hero", "condition": "slowed"})
    cleared = f"condition/{last(table)}"
    table.do(strikes)
    if strikes.get("actor") == "hero":
        table.do({"t": "SyncActor", "actor": "hero", "name": "Another"})
    void(table, cleared)
    assert table.state.actors["hero"].conditions == ()


def test_stacks_of_a_fumble_do_not_come_back_after_the_turn_that_ends_them():
    table = table_of("public_d20", values={"grace": 0})
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": 2})
    task = {"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "grace", "dc": 10}}
    table.do(task, faces=[1])  # B-26
    table.do({"t": "ClearCondition", "actor": "hero", "condition": "exposed"})
    cleared = f"condition/{last(table)}"
    table.do({"t": "StartTurn", "actor": "hero"})
    void(table, cleared)
    (held,) = table.state.actors["hero"].conditions
    assert (held.amount, held.fumbled, held.until) == (2, 0, None)


def swingers():
    table = table_of("public_d20")
    maul = {"attacks": [{"id": "maul", "name": "Maul", "attribute": "attribute.might"}]}
    values = {"values": [{"key": "grace", "value": 0}, {"key": "attribute.might", "value": 2}]}
    for actor in ("hero", "ogre"):
        table.do({"t": "SyncActor", "actor": actor, "numbers": {**values, **maul}})
    return table


SWING = {"t": "RollCheck", "check": "attack", "actors": ["hero"], "targets": ["ogre"], "params": {"attack": "maul"}}
BANK = {"t": "SetCondition", "actors": ["hero"], "condition": "bolstered", "amount": 2}


def test_stacks_of_a_fumble_go_with_it_from_among_others_that_came_since():
    table = table_of("public_d20", values={"grace": 0})
    more = {"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": 1, "add": True}
    table.do(more)
    table.do({"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "grace", "dc": 10}}, faces=[1])
    fumble = f"check/{last(table)}"
    table.do(more)
    void(table, fumble)
    (held,) = table.state.actors["hero"].conditions
    assert (held.amount, held.fumbled, held.begun, held.until) == (2, 0, 0, None)


def test_a_bank_that_a_swing_has_spent_is_listed():
    table = swingers()
    table.do(BANK)
    bank = f"condition/{last(table)}"
    table.do(SWING, faces=[10, 4, 5])  # B-14
    assert refused(table, {"t": "Void", "what": bank}) == "correction.used"
    voided = void(table, bank, confirm=True)
    assert [(left.what, left.key, left.amount, left.why) for left in voided.left] == [("condition", "bolstered", 2, "used_since")]


def test_a_bank_that_a_swing_has_spent_comes_back_with_it_once():
    table = swingers()
    table.do(BANK)
    table.do(SWING, faces=[10, 4, 5])
    first = f"check/{last(table)}"
    void(table, first)
    assert table.state.actors["hero"].condition("bolstered") == 2
    table.do(SWING, faces=[10, 4, 5])
    second = f"check/{last(table)}"
    table.do(SWING, faces=[10])
    voided = void(table, second, confirm=True)
    assert [(left.what, left.key, left.amount, left.why) for left in voided.left] == [
        ("condition", "bolstered", 2, "rolled_since")
    ]
    assert table.state.actors["hero"].condition("bolstered") == 0


def test_a_bank_that_was_cleared_does_not_come_back_after_the_swing_that_would_have_spent_it():
    table = swingers()
    table.do(BANK)
    table.do({"t": "ClearCondition", "actor": "hero", "condition": "bolstered"})
    cleared = f"condition/{last(table)}"
    table.do(SWING, faces=[10])  # B-14: hit or miss
    voided = void(table, cleared, confirm=True)
    assert [(left.what, left.key, left.amount, left.why) for left in voided.left] == [
        ("condition", "bolstered", 2, "rolled_since")
    ]
    assert table.state.actors["hero"].conditions == ()


def test_a_boon_that_was_given_again_does_not_come_back_beside_itself():
    table = climbers()
    table.do(ROPE)
    table.do(CLIMB, faces=[9, 3])
    check = f"check/{last(table)}"
    table.do(ROPE)
    assert void(table, check).left == ()
    assert [grant.source.id for grant in table.state.actors["hero"].grants] == ["rope"]


def test_a_boon_of_two_rolls_at_once_is_used_while_one_of_them_stands():
    table = climbers()
    table.do(ROPE)
    grant = f"grant/{last(table)}"
    table.do({**WRESTLE, "targets": ["ogre", "friend"]}, faces=[9, 3, 9, 3])
    first, second = f"check/{table.state.seq}.1", f"check/{table.state.seq}.2"
    assert [left.why for left in void(table, first, confirm=True).left] == ["rolled_since"]
    assert refused(table, {"t": "Void", "what": grant}) == "correction.used"
    void(table, second)
    assert void(table, grant).left == ()


def test_what_was_set_again_after_it_was_cleared_stays_whatever_is_taken_back_first():
    slow = {"t": "SetCondition", "actors": ["hero"], "condition": "slowed"}
    for order in ((0, 1), (1, 0)):
        table = table_of("public_d20")
        table.do(slow)
        deeds = [f"condition/{last(table)}"]
        table.do({"t": "ClearCondition", "actor": "hero", "condition": "slowed"})
        deeds.append(f"condition/{last(table)}")
        table.do(slow)
        for nth in order:
            void(table, deeds[nth])
        assert table.state.actors["hero"].condition("slowed") == 1


def test_what_luck_ends_does_not_come_back_after_the_fight():
    table = table_of("sage_d20", values={"strength": 10})
    table.do({"t": "SetCondition", "actors": ["ogre"], "condition": "slowed", "luckEnds": True})
    table.do({"t": "ClearCondition", "actor": "ogre", "condition": "slowed"})
    cleared = f"condition/{last(table)}"
    table.do({"t": "EndCombat"})  # C-P2
    void(table, cleared)
    assert table.state.actors["ogre"].conditions == ()


def test_what_luck_ended_does_not_come_back_when_nobody_ever_had_it():
    table = table_of("sage_d20", values={"strength": 10})
    table.do({"t": "SetCondition", "actors": ["ogre"], "condition": "slowed", "luckEnds": True})
    given = f"condition/{last(table)}"
    table.do({"t": "EndRound"}, faces=[15])  # C-P2
    luck = f"check/{last(table)}"
    assert table.state.actors["ogre"].conditions == ()
    void(table, given)
    void(table, luck)
    assert table.state.actors["ogre"].conditions == ()


def test_what_another_gave_since_does_not_keep_a_condition_from_going():
    table = table_of("rank_ability", values={"rank": 2})
    table.do({"t": "SetCondition", "actors": ["ogre"], "condition": "exhausted"})
    mine = f"condition/{last(table)}"
    table.do({"t": "SetCondition", "actors": ["ogre"], "condition": "exhausted", "by": "hero"})
    void(table, mine)
    assert [held.by for held in table.state.actors["ogre"].conditions] == ["hero"]


def test_another_verdict_on_an_older_roll_asks_its_player_all_the_same():
    table = climbers()
    table.do({"t": "Act", "verb": "give_boon"})
    table.do(CLIMB, faces=[9])
    older = last(table)
    table.do(CLIMB, faces=[9])
    table.do({"t": "Override", "check": older, "outcome": "failure"})
    table.do({"t": "Choose", "check": older, "choice": "accept"}, "pia")
    assert (table.state.game.held, table.state.game.gained) == (2, 1)  # D-04


def test_what_a_hidden_roll_did_when_it_was_settled_is_undone_before_everybody():
    table = climbers()
    table.do({**CLIMB, "mode": "gm"}, "pia", faces=[12])
    check = last(table)
    table.do({"t": "Settle", "check": check})
    placed = table.do({"t": "Void", "what": f"check/{check}"})
    assert [(part, type(event).__name__, len(event.effects)) for part, event in placed] == [
        ("all", "Settled", 1),
        ("gm", "Voided", 0),
    ]
    assert placed[0][1].check is None
    assert (table.state.game.held, table.state.game.gained) == (0, 0)
    assert not [name for name in table.state.deeds if name.startswith("settled/")], "a correction is no deed"


def test_another_verdict_on_a_settled_roll_does_not_count_twice():
    table = climbers()
    table.do({**CLIMB, "mode": "gm"}, faces=[12])
    check = last(table)
    table.do({"t": "Settle", "check": check})
    table.do({"t": "Override", "check": check, "outcome": "success"})
    assert (table.state.game.held, table.state.game.gained) == (0, 0)
    table.do({"t": "Override", "check": check, "outcome": "critical_success"})
    table.do({"t": "Settle", "check": check})
    assert (table.state.game.held, table.state.game.gained) == (1, 1)


def test_a_hidden_roll_that_was_shown_has_used_nothing_up():
    table = climbers()
    rope = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "rope", "label": "Rope"}}
    table.do({**rope, "expiry": {"when": "next_roll"}})
    table.do(CLIMB, faces=[9, 3])
    first = f"check/{last(table)}"
    table.do({**CLIMB, "mode": "gm"}, faces=[9])
    table.do({"t": "Reveal", "check": last(table)})
    assert void(table, first).left == ()
    assert [grant.source.id for grant in table.state.actors["hero"].grants] == ["rope"]


def test_a_players_open_choice_on_a_hidden_roll_stays_and_comes_to_nothing():
    """He cannot be told that a GM took it back, so nothing changes before his eyes."""
    table = table_of("deep_mine", values={"back": 1})
    descent = {"t": "RollCheck", "check": "descent", "actors": ["hero"], "params": {"load": 9}, "mode": "gm"}
    table.do(descent, "pia", faces=[4])
    check = last(table)
    before = table.shown("pia")
    assert f"check/{check}" in before
    void(table, f"check/{check}")
    assert table.shown("pia") == before
    table.do({"t": "Choose", "check": check, "choice": "push"}, "pia", faces=[1])
    assert not table.state.undecided
    assert refused(table, {"t": "Settle", "check": check}) == "correction.done"
    assert refused(table, {"t": "Reveal", "check": check}) == "correction.done"


def test_another_verdict_on_a_players_hidden_roll_is_told_in_its_order():
    table = climbers()
    table.do({**CLIMB, "mode": "gm"}, "pia", faces=[9])
    check = last(table)
    before = table.shown("pia")
    placed = table.do({"t": "Override", "check": check, "outcome": "failure"})
    assert [(part, type(event).__name__) for part, event in placed] == [("gm", "Overridden"), ("gm", "Chosen")]
    assert table.state.checks[check].taken == ("accept",)
    assert table.shown("pia") == before
    table.do({"t": "Settle", "check": check})
    assert (table.state.game.held, table.state.game.gained) == (1, 1)  # D-04


def test_what_a_player_has_to_choose_on_a_hidden_roll_is_not_taken_from_him_unseen():
    table = table_of("deep_mine", values={"back": 1})
    descent = {"t": "RollCheck", "check": "descent", "actors": ["hero"], "params": {"load": 9}, "mode": "gm"}
    table.do(descent, "pia", faces=[4])
    check = last(table)
    before = table.shown("pia")
    assert refused(table, {"t": "Override", "check": check, "outcome": "rich"}) == "choice.not_yours"
    assert table.shown("pia") == before
    table.do({"t": "Reveal", "check": check})
    table.do({"t": "Override", "check": check, "outcome": "rich"})
    assert table.state.checks[check].result.success


def test_what_a_group_earned_and_spent_is_listed_before_a_gm_confirms():
    table = climbers()
    asked = {"check": "skill", "params": {"skill": "skill.might", "difficulty": 9}}
    table.do({"t": "RequestCheck", "checks": [asked], "group": "one_success"})
    request = str(table.state.seq)
    table.do({"t": "AnswerRequest", "request": request, "actor": "hero"}, "pia", faces=[3])
    hero = last(table)
    table.do({"t": "AnswerRequest", "request": request, "actor": "friend"}, "quin", faces=[4])
    assert (table.state.game.held, table.state.game.gained) == (1, 1)  # they accepted for want of a Boon; one in all (D-08)
    table.do({"t": "Act", "verb": "take_boon"})
    success = {"t": "Override", "check": hero, "outcome": "success"}
    assert refused(table, success) == "correction.used"
    placed = table.do({**success, "confirm": True})
    (recounted,) = (event for _, event in placed if type(event).__name__ == "GroupRecounted")
    assert [(left.what, left.why) for left in recounted.left] == [("resource", "spent_since")]
    assert (table.state.game.held, table.state.game.gained) == (0, 0)
