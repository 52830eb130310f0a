"""Every event is one line of words. Words by hand."""

import msgspec
import pytest

from boonbridge.commands.corrections import left_told
from boonbridge.commands.effects import effect_told
from boonbridge.commands.lines import told
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.corrections import Left
from boonbridge_schemas.effects import LockSet, MarkSet
from boonbridge_schemas.events import Acted, ConditionExpired, ConditionSet
from boonbridge_schemas.examples import EXAMPLES
from boonbridge_schemas.grants import ConditionRef, HeldCondition

EVENTS = EXAMPLES["event"]
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
        (EVENTS["LadderRestarted"], "dice promised anew, epoch 2: a backup was put back"),
        (EVENTS["TableRenamed"], "the table is called The Bell under the Ice"),
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


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "CheckRequested",
            "asked of Kestrel, Old Tamsin: Past the sleeping pumps: Softly 8 or Over the pipes 11, One failure is enough (#16)",
        ),
        ("DifficultiesSet", "  on request #22: the group 18"),
        ("RequestAnswered", "request #16: kestrel rolled #17.1"),
        ("RequestAnswered.absent", "request #16: tamsin rolled #18.1 (a GM, for him)"),
        ("RequestAnswered.hidden", "request #22: tamsin rolled"),
        ("RequestClosed", "request #16: everybody has answered: Failure  1 of 2 succeeded, Boons +1 (group failed)"),
        ("RequestClosed.told", "request #22: everybody has answered"),
        ("GroupTold", "  on request #22: Success  19 against 18"),
        ("GroupRecounted", "request #16, counted anew: Success  1 of 1 succeeded, Boons -1 (taken back)"),
        ("OpportunityUsed", "the opportunity #20.1 went with #23.1"),
        ("SessionStarted", "evening 3 begins: Down the well"),
        (
            "SessionEnded",
            (
                "evening 3 ended: Kestrel: experience +2, now 5, Old Tamsin: experience +2, now 3, "
                "opportunities that have passed: #20.1"
            ),
        ),
        (
            "Voided",
            (
                "taken back: the roll #8.1 (There was a ladder all the time.): Boons +1 (taken back), "
                "positive chance for kestrel again: Rope made fast above"
            ),
        ),
        (
            "Voided.used",
            "taken back: the roll #19.1 (It was not her turn.): Boons -1 came to nothing (taken back), stays: 1 Boons (spent since)",
        ),
        ("Voided.grant", "taken back: what was given, #7.1: kestrel: #7.1 is gone"),
        ("Overridden", "decided otherwise: #13.1 is now Success (The current helps.): Boons -1 (taken back)"),
        ("Settled", "a hidden roll was settled: positive chance for whoever uses it"),
        ("TableDataSet.own", "the table's data are the game's own again"),
    ],
)
def test_what_is_asked_together_ended_and_taken_back(name, line):
    assert words(EVENTS[name], "group_d12") == line


@pytest.mark.parametrize("name", EXAMPLES["effect"])
@pytest.mark.parametrize("game", GAMES)
def test_every_effect_has_its_words(name, game):
    told = effect_told(EXAMPLES["effect"][name], GAMES[game])
    assert told.strip()
    assert "\n" not in told


def test_an_action_without_a_name_locks_nothing():
    assert effect_told(LockSet(actor="kestrel", action=""), GAMES["rank_ability"]) == ""


def test_what_is_left_says_whose_and_why():
    left = (
        Left(what="condition", key="exposed", actor="kestrel", amount=2, why="used_since"),
        Left(what="xp", actor="kestrel", amount=3, why="spent_since"),
        Left(what="grant", key="bane", actor="tamsin", label="Wet to the bone", why="rolled_since"),
        Left(what="opportunity", label="A gap", why="used_since"),
        Left(what="choice", actor="kestrel", label="Climb", why="closed_by_it"),
    )
    assert left_told(left, GAMES["public_d20"]) == [
        "stays: kestrel: Exposed x2 (used since)",
        "stays: kestrel: experience 3 (spent since)",
        "stays: tamsin: Bane Wet to the bone (rolled since)",
        "stays: the opportunity A gap (used since)",
        "stays: kestrel: Climb (taken because of this roll)",
    ]


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
