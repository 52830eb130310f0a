"""A fifth game in one file plays through the core: a choice that may be taken again and again, odds by enumeration."""

import pytest

from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import DieBought, DutyNoted
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, bane, boon, faces_of
from tests.support.toy_game import RULESET


def table(faces=()):
    sitting = Sitting(RULESET, faces)
    sitting.actor("hero", back=1)
    return sitting


def test_one_pushes_until_one_stops():
    sitting = table([4, 3, 5])
    rolled = sitting.rolled("descent", boon("lamp"), load=12)
    assert (rolled.result.total, rolled.result.outcome) == (6, "below")
    assert [(offer.id, offer.enabled, offer.default) for offer in rolled.choices] == [("push", True, False), ("stop", True, True)]
    check = rolled.rolled.check
    sitting.choose(check, "push")
    (pushed,) = sitting.choose(check, "push")
    assert (faces_of(pushed.result), pushed.result.total, pushed.effects) == ([4, 3, 5], 14, (DieBought(sides=6, face=5),))
    (stopped,) = sitting.choose(check, "stop")
    assert (stopped.result.outcome, stopped.result.success, stopped.choices) == ("rich", True, ())


def test_one_too_many_buries_everything():
    sitting = table([6, 1])
    rolled = sitting.rolled("descent", load=5)
    (pushed,) = sitting.choose(rolled.rolled.check, "push")
    assert (pushed.result.total, pushed.result.outcome, pushed.result.worst, pushed.choices) == (0, "buried", True, ())
    assert pushed.effects == (DieBought(sides=6, face=1), DutyNoted(duty="dug_out"))
    with pytest.raises(Refusal) as refused:
        sitting.choose(rolled.rolled.check, "push")
    assert refused.value.code is Code.CHOICE_DONE


def test_a_first_1_leaves_nothing_to_choose():
    rolled = table([1]).rolled("descent", load=5)
    assert (rolled.result.outcome, rolled.choices) == ("buried", ())


def test_the_default_is_to_come_up():
    sitting = table([2, 6])
    first = sitting.rolled("descent", bane("bad air"), load=12)
    closed, _ = sitting.roll("descent", load=12)
    assert (closed.check, closed.choice, closed.auto, closed.result.outcome) == (first.rolled.check, "stop", True, "poor")


def test_a_game_without_odds_of_its_own_is_enumerated():
    row = table().shows("descent", load=5)
    assert (row.odds.success, row.odds.critical, row.odds.worst) == ("0/1", "0/1", "1/6")
    from boonbridge.rulesets.base import Check

    sitting = table()
    check = Check(spec=RULESET.checks["descent"], actor=sitting.state.actors["hero"], params={"load": 5})
    points = RULESET.curve(sitting.state, check, RULESET.modifiers(sitting.state, check))
    assert [(point.total, point.chance) for point in points] == [(t, "1/6") for t in (0, 3, 4, 5, 6, 7)]


def test_what_falls_in_too_many_ways_has_no_odds():
    class Deep(type(RULESET)):
        def resolve(self, table, check, modifiers, dice):
            for _ in range(9):
                dice.draw("level", 6)
            return super().resolve(table, check, modifiers, dice)

    sitting = table()
    from boonbridge.rulesets.base import Check

    game = Deep()
    check = Check(spec=game.checks["descent"], actor=sitting.state.actors["hero"], params={"load": 5})
    modifiers = game.modifiers(sitting.state, check)
    assert game.odds(sitting.state, check, modifiers) is None
    assert game.curve(sitting.state, check, modifiers) == ()


def test_a_game_need_not_say_what_it_does_not_have():
    from boonbridge.rulesets.base import OpenCheck
    from boonbridge.rulesets.common.game import Game
    from boonbridge_schemas.checks import Rolled

    class Bare(Game):
        id = "bare"
        title = "Bare"
        checks = RULESET.checks
        target, dice, resolve = RULESET.target, RULESET.dice, RULESET.resolve

    game, sitting = Bare(), table([4])
    rolled = sitting.rolled("descent", load=5)
    check = OpenCheck(
        rolled=Rolled(check="1.1", actor="hero", name="hero", kind="descent", params={}),
        mode="public",
        roller="gm",
        target=5,
        sources=(),
        result=rolled.result,
    )
    assert game.bonus(sitting.state, None) == 0
    assert not game.hides_target(sitting.state, None)
    assert game.choices(sitting.state, check) == ()
    assert game.entries(sitting.state) == {}
    for call in (
        lambda: game.refuse_choice(sitting.state, check, "push"),
        lambda: game.decide_choice(sitting.state, check, "push", {}, None),
    ):
        with pytest.raises(Refusal) as refused:
            call()
        assert refused.value.code is Code.CHOICE_NOT_OFFERED
    with pytest.raises(Refusal) as refused:
        game.decide_verb(sitting.state, "sing", {})
    assert refused.value.code is Code.VERB_UNKNOWN
