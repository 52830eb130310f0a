"""Sage d20 as a round ends: fire and poison do their harm, luck is tried for whoever is not here to try it (C-P2, C-P3)."""

from boonbridge.rulesets import sage_d20
from boonbridge_schemas.commands import EndCombat, EndRound, Invite
from boonbridge_schemas.events import CheckRolled, ConditionExpired, DiceRolled, LuckDue
from tests.rulesets.sitting import Sitting


def table():
    sitting = Sitting(sage_d20.RULESET)
    sitting.do(Invite(user="anna", role="player", name="Anna"))
    sitting.actor("hero", strength=12)
    sitting.owned("hero", "anna")
    sitting.actor("foe", side="opposition", strength=13)
    sitting.actor("mule", side="neutral", strength=11)
    return sitting


def ends(sitting, *faces, present=()):
    sitting.faces(*faces)
    events = sitting.do(EndRound(present=present))
    assert sitting.dice.left == 0
    return events


def told(events):
    """Dice and luck in the order in which they fell: whose they were and what they came to."""
    lines = []
    for event in events:
        match event:
            case DiceRolled():
                lines.append((event.actor, event.label, event.formula, event.total, event.auto))
            case CheckRolled():
                lines.append((event.rolled.actor, event.rolled.ends.key, event.result.outcome, event.rolled.auto))
            case LuckDue():
                lines.append((event.actor, event.key, "due"))
    return lines


def keys(sitting, actor):
    return [held.key for held in sitting.state.actors[actor].conditions]


def test_fire_burns_until_luck_puts_it_out():
    sitting = table()
    sitting.hold("foe", "on_fire", 1)
    assert told(ends(sitting, 4, 9)) == [("foe", "On fire", "1d6", 4, True), ("foe", "on_fire", "failure", True)]
    assert keys(sitting, "foe") == ["on_fire"]
    assert told(ends(sitting, 2, 10)) == [("foe", "On fire", "1d6", 2, True), ("foe", "on_fire", "success", True)]
    assert keys(sitting, "foe") == []
    assert told(ends(sitting)) == []


def test_poison_eats_away_and_luck_does_not_end_it_unless_somebody_says_so():
    sitting = table()
    sitting.hold("foe", "poisoned", 1)
    assert told(ends(sitting, 6)) == [("foe", "Poisoned", "1d6", 6, True)]
    sitting = table()
    sitting.until_luck("foe", "poisoned")
    assert told(ends(sitting, 6, 17)) == [("foe", "Poisoned", "1d6", 6, True), ("foe", "poisoned", "success", True)]
    assert keys(sitting, "foe") == []


def test_harm_comes_before_luck_and_everybody_in_turn():
    sitting = table()
    sitting.hold("mule", "on_fire", 1)
    sitting.until_luck("foe", "stunned")
    sitting.hold("foe", "poisoned", 1)
    assert told(ends(sitting, 3, 5, 12, 2)) == [
        ("foe", "Poisoned", "1d6", 3, True),
        ("mule", "On fire", "1d6", 5, True),
        ("foe", "stunned", "success", True),
        ("mule", "on_fire", "failure", True),
    ]
    assert (keys(sitting, "foe"), keys(sitting, "mule")) == (["poisoned"], ["on_fire"])


def test_whoever_is_here_rolls_luck_alone_and_what_is_left_is_rolled_next_time():
    sitting = table()
    sitting.until_luck("hero", "blinded")
    sitting.hold("hero", "on_fire", 1)
    assert told(ends(sitting, 1, present=("anna",))) == [
        ("hero", "On fire", "1d6", 1, True),
        ("hero", "blinded", "due"),
        ("hero", "on_fire", "due"),
    ]
    sitting.faces(11)
    rolled = sitting.rolled("luck", ends="blinded", by="anna", role="player")
    assert (rolled.rolled.auto, keys(sitting, "hero")) == (False, ["on_fire"])
    assert told(ends(sitting, 6, 3, present=("anna",))) == [
        ("hero", "On fire", "1d6", 6, True),
        ("hero", "on_fire", "failure", True),  # that of the round before
        ("hero", "on_fire", "due"),
    ]


def test_for_whoever_is_away_it_is_rolled_at_once():
    sitting = table()
    sitting.until_luck("hero", "blinded")
    assert told(ends(sitting, 10)) == [("hero", "blinded", "success", True)]


def test_a_curse_is_a_bane_on_that_luck():
    sitting = table()
    sitting.hold("foe", "cursed", 1)
    sitting.until_luck("foe", "held")
    assert told(ends(sitting, 12, 3)) == [("foe", "held", "failure", True)]


def test_what_luck_may_end_ends_with_the_fight():
    sitting = table()
    sitting.until_luck("hero", "blinded")
    sitting.hold("foe", "on_fire", 1)
    sitting.hold("foe", "poisoned", 1)
    events = sitting.do(EndCombat())
    assert [(e.actor, e.key, e.now) for e in events if isinstance(e, ConditionExpired)] == [
        ("hero", "blinded", 0),
        ("foe", "on_fire", 0),
    ]
    assert keys(sitting, "foe") == ["poisoned"]
