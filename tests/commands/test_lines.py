"""Every event is one line of words. Words by hand."""

import msgspec
import pytest

from boonbridge.commands.lines import told
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.effects import MarkSet
from boonbridge_schemas.events import Acted, ConditionExpired, ConditionSet
from boonbridge_schemas.examples.events import EVENTS
from boonbridge_schemas.grants import ConditionRef, HeldCondition

GAMES = {name: game.info(game.options()) for name, game in shipped().items()}


def words(event, game="sage_d20"):
    return told(event, GAMES[game])


def changed(which, **more):
    return msgspec.structs.replace(EVENTS[which], **more)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", EVENTS)
def test_every_event_is_one_line_of_words(name, game):
    line = words(EVENTS[name], game)
    assert line.strip()
    assert "\n" not in line
    assert type(EVENTS[name]).__name__ not in line


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (EVENTS["DiceRolled"], "Kestrel: Boathook  2d6+3  d6:5 d6:2 = 10"),
        (changed("DiceRolled", label="", manual=True), "Kestrel: damage  2d6+3  d6:5 d6:2 = 10 (by hand)"),
        (changed("DiceRolled", label="", name="", kind="dice", actor=None), "dice  2d6+3  d6:5 d6:2 = 10"),
        (changed("DiceRolled", auto=True), "Kestrel: Boathook  2d6+3  d6:5 d6:2 = 10 (by itself)"),
        (EVENTS["ConditionExpired"], "kestrel: exposed ended as a turn began"),
        (EVENTS["RoundEnded"], "round 1 ended"),
        (EVENTS["CombatEnded"], "the fight ended"),
    ],
)
def test_what_happens_between_the_dice(event, line):
    assert words(event).replace(EVENTS["ConditionExpired"].actor, "kestrel") == line


def test_a_condition_in_the_words_of_its_game():
    held = HeldCondition(key="impaired.strength", by="hag")
    assert words(ConditionSet(actor="kestrel", condition=held)) == "kestrel is Impaired: Strength (by hag)"
    some = HeldCondition(key="exposed", amount=2)
    assert words(ConditionSet(actor="kestrel", condition=some), "public_d20") == "kestrel is Exposed x2"
    fewer = ConditionExpired(actor="kestrel", key="exposed", amount=1, now=1, why="turn_end")
    assert words(fewer, "public_d20") == "kestrel: Exposed ended as a turn ended, 1 left"


def test_a_roll_says_what_changed_what_it_ends_and_whose_hand_it_was():
    rolled = EVENTS["CheckRolled"].rolled

    def attempt(**more):
        return words(changed("CheckRolled", rolled=msgspec.structs.replace(rolled, action="Climb", opponent_name="", **more)))

    assert "Kestrel: Climb (changed: Better tools)  d" in attempt(changed="Better tools")
    assert "Kestrel: Climb (again)  d" in attempt(again=True)
    assert "Kestrel: Climb to end Poisoned  d" in attempt(ends=ConditionRef(key="poisoned"))
    assert attempt(manual=True).endswith(" (by hand)")
    assert attempt(auto=True).endswith(" (by itself)")


def test_a_ruling_has_its_words():
    line = words(changed("Chosen", choice="danger", result=None, note="The rope frays.", auto=False))
    assert line.endswith(": danger  (The rope frays.)")


def test_a_move_says_what_it_switched():
    move = Acted(verb="initiative", args={"winner": "party"}, effects=(MarkSet(mark="initiative", value="party"),))
    (label,) = [verb.label for verb in GAMES["group_d12"].verbs if verb.key == "initiative"]
    assert words(move, "group_d12") == f"{label}, initiative = party"
