"""What holds for any game, any check and any dice: nothing invented, nothing lost, the same again from the same."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.dice.source import SeededDice
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.checks import Attack, OnCrit, SourceClaim
from boonbridge_schemas.commands import Choose, Grant, RollCheck
from boonbridge_schemas.effects import ResourceChanged
from boonbridge_schemas.events import Acted, CheckRolled, Chosen, ConditionSet, Event
from boonbridge_schemas.grants import Expiry, GrantSource, HeldCondition, Scope
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting
from tests.support.toy_game import RULESET as TOY

GAMES = {**shipped(), TOY.id: TOY}
BLADE = {
    "public_d20": Attack(id="blade", name="blade", attribute="attribute.might", on_crit=OnCrit(name="Bleed", amount=2)),
    "sage_d20": Attack(id="blade", name="blade", attribute="strength", tags=("melee",)),
}
NUMBERS = {
    "rank_ability": {"rank": 6, "str": 8},
    "public_d20": {"attribute__might": 2, "grace": 3},
    "sage_d20": {"strength": 12, "will": 9, "defense": 13},
    "group_d12": {"skill__climb": 3},
    "deep_mine": {"back": 1},
}
CHECKS = {
    "rank_ability": [("check", {"ability": "str", "tn": 10}), ("check", {"abilityDie": 4, "rankDie": 12, "tn": 2})],
    "public_d20": [("task", {"attribute": "attribute.might", "dc": 12}), ("attack", {"attack": "blade"})],
    "sage_d20": [
        ("attribute", {"attribute": "strength"}),
        ("attack", {"attack": "blade"}),
        ("against", {"attribute": "will", "against": "strength"}),
        ("luck", {}),
    ],
    "group_d12": [
        ("skill", {"skill": "skill.climb", "difficulty": 9}),
        ("skill", {"skill": "skill.climb", "resist": "skill.climb"}),
        ("opportunity", {"skill": "skill.climb", "difficulty": 9, "to": "foe", "sign": "negative"}),
    ],
    "deep_mine": [("descent", {"load": 8})],
}
AGAINST = {"attack", "against"}


def options_of(game):
    """Any readings of the rules that a table may choose, however strange together; dice stay free to be hidden."""
    fields = {}
    for field in msgspec.structs.fields(game.options):
        if field.name == "dice_public":
            fields[field.name] = st.just(False)
        elif field.name == "boon_die":
            fields[field.name] = st.sampled_from([2, 6, 8])
        elif field.name in ("default_tn", "defense_base", "boon_cap"):
            fields[field.name] = st.integers(1, 14)
        elif field.name.endswith("_limit"):
            fields[field.name] = st.sampled_from([None, 0, 1, 2])
        else:
            spec = next(spec for spec in game.info(game.options()).option_specs if spec.key == field.name)
            fields[field.name] = st.sampled_from([option.value for option in spec.values])
    return st.fixed_dictionaries(fields)


SOURCES = st.lists(
    st.builds(
        SourceClaim,
        id=st.sampled_from(["rope", "dark", "flanking", "poisoned", "blinded", "exhausted"]),
        label=st.just("a reason"),
        sign=st.sampled_from(["boon", "bane"]),
        amount=st.integers(0, 3),
        kind=st.sampled_from(["situation", "affliction", "flanking"]),
        origin=st.sampled_from(["", "trap", "spell"]),
    ),
    max_size=5,
)


@st.composite
def situations(draw):
    """A table with a history, and a roll about to be made on it."""
    game = draw(st.sampled_from(list(GAMES.values())))
    play = Sitting(game, **draw(options_of(game)))
    blade = (BLADE[game.id],) if game.id in BLADE else ()
    play.actor("hero", side=draw(st.sampled_from(["party", "party", "opposition", "neutral"])), attacks=blade, **NUMBERS[game.id])
    play.actor("foe", side="opposition", attacks=blade, **NUMBERS[game.id])
    keys = [key if key != "impaired" else "impaired.strength" for key in game.conditions]
    for actor in ("hero", "foe"):
        for key in draw(st.lists(st.sampled_from(keys), max_size=3, unique=True)) if keys else ():
            held = HeldCondition(
                key=key,
                amount=draw(st.integers(1, 3)),
                by=draw(st.sampled_from([None, "hero", "foe"])),
                by_side=draw(st.sampled_from([None, "party"])),
            )
            play.happened(ConditionSet(actor=actor, condition=held))
        for _ in range(draw(st.integers(0, 2))):
            play.do(
                Grant(
                    actors=(actor,),
                    sign=draw(st.sampled_from(["boon", "bane"])),
                    amount=draw(st.integers(1, 3)),
                    source=GrantSource(id=draw(st.sampled_from(["rope", "song"])), label="granted"),
                    scope=Scope(side=draw(st.sampled_from(["own", "against"])), checks=draw(st.sampled_from([(), ("attack",)]))),
                    expiry=Expiry(when=draw(st.sampled_from(["none", "next_roll", "next_roll_against"]))),
                )
            )
    if game.id == "group_d12":
        held = draw(st.integers(0, 12))
        earned = ResourceChanged(resource="boons", asked=held, applied=held, reason="accepted_failure")
        play.happened(Acted(verb="give_boon", effects=(earned,)))
    check, params = draw(st.sampled_from(CHECKS[game.id]))
    command = RollCheck(
        check=check,
        actors=("hero",),
        targets=("foe",) if check in AGAINST or "resist" in params else (),
        params=params,
        sources=tuple(draw(SOURCES)),
        off=tuple(draw(st.lists(st.sampled_from(["rope", "dark", "exposed", "held"]), max_size=1))),
        mode=draw(st.sampled_from(["public", "public", "gm", "secret"])),
        action=draw(st.sampled_from(["", "climb"])),
    )
    return play, command, draw(st.binary(min_size=32, max_size=32))


def do(state, command, dice):
    state = begin(state, seq=state.seq + 1, at=0, by="gm")
    decision = decide(state, command, Context(by="gm", role="gm", at=0, command_id="x" * 22, dice_for=lambda _part: dice))
    return decision.events, evolve_all(state, decision.events)


def pools(state, command):
    """The check as the ruleset sees it: modifiers, the dice it announces, its odds."""
    from boonbridge.core.checking import checks_of

    ((_, (draft,)),) = checks_of(state, command, "gm", "gm")
    check = state.ruleset.prepare(state, draft)
    modifiers = state.ruleset.modifiers(state, check)
    return check, modifiers, state.ruleset.dice(state, check, modifiers)


def sound(game, result):
    """A result that anybody can check with pencil and paper."""
    assert all(1 <= die.face <= die.sides for die in result.dice)
    words = {word.key: word.tone for word in game.info(game.options()).outcomes}
    assert result.success is (words[result.outcome] in ("critical", "success"))
    assert result.worst is (words[result.outcome] == "worst")
    if game.id != "deep_mine":
        kept = sum(-die.face if die.role == "bane" and game.id == "sage_d20" else die.face for die in result.dice if die.kept)
        assert result.total == kept + result.bonus
        assert result.dice == () or any(die.kept for die in result.dice)


@given(situations())
def test_any_roll_is_sound(situation):
    play, command, seed = situation
    game = play.state.ruleset
    check, modifiers, announced = pools(play.state, command)
    dice = SeededDice(seed, "x" * 22)
    events, after = do(play.state, command, dice)
    rolled = next(event for event in events if isinstance(event, CheckRolled))
    result = rolled.result

    # Preview and roll are of one mind, and the dice are those that were announced, in that order.
    assert rolled.sources == modifiers.sources
    assert [(d.role, d.sides) for d in result.dice] == [(s.role, s.sides) for s in announced for _ in range(s.count)]
    assert dice.drawn == sum(spec.count for spec in announced)

    sound(game, result)
    assert (result.net, result.boons, result.banes) == (modifiers.net, modifiers.boons, modifiers.banes)
    if game.id != "rank_ability":
        assert result.net == result.boons - result.banes

    # The total was on the curve, and what happened was possible.
    curve = {point.total: point.chance for point in game.curve(play.state, check, modifiers)}
    assert not curve or result.total in curve
    odds = game.odds(play.state, check, modifiers)
    if odds is not None:
        assert not (result.success and odds.success == "0/1")
        assert not (result.worst and odds.worst == "0/1")
        assert not (result.crits and odds.critical == "0/1")

    # Hidden rolls change nothing that stands for everybody.
    if command.mode != "public":
        assert after.game == play.state.game
        assert {a.id: (a.conditions, a.locks, a.grants) for a in after.actors.values()} == {
            a.id: (a.conditions, a.locks, a.grants) for a in play.state.actors.values()
        }


@given(situations())
def test_the_same_seed_and_id_give_the_same_events(situation):
    play, command, seed = situation
    first, state = do(play.state, command, SeededDice(seed, "x" * 22))
    second, again = do(play.state, command, SeededDice(seed, "x" * 22))
    assert (first, state.actors, state.game) == (second, again.actors, again.game)


@given(situations(), st.lists(st.sampled_from(["accept", "spend", "push", "stop"]), max_size=4))
def test_choices_never_break_anything(situation, choices):
    play, command, seed = situation
    game = play.state.ruleset
    dice = SeededDice(seed, "x" * 22)
    events, state = do(play.state, command, dice)
    check = next(event.rolled.check for event in events if isinstance(event, CheckRolled))
    for choice in choices:
        before, drawn = state, dice.drawn
        offered = {offer.id: offer.enabled for offer in game.choices(state, state.checks[check])}
        try:
            events, state = do(state, Choose(check=check, choice=choice), dice)
        except Refusal:
            # Refused means refused: no die, no change; and nothing that was offered is refused.
            assert not offered.get(choice, False)
            assert (dice.drawn, before.game) == (drawn, state.game)
            continue
        assert offered[choice]
        for event in events:
            if isinstance(event, Chosen) and event.result is not None:
                sound(game, event.result)
    if game.id == "group_d12":
        assert state.game.held >= 0
        assert state.game.gained >= 0


@given(situations())
def test_events_survive_the_log(situation):
    play, command, seed = situation
    events, _ = do(play.state, command, SeededDice(seed, "x" * 22))
    for event in events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_does_nothing_on_its_own(game):
    """The opening state and every effect that is not its own leave the game's state as it is."""
    opening = game.opening(game.options())
    other = ResourceChanged(resource="coins", asked=1, applied=1, reason="given")
    assert game.evolve(opening, other) == opening
