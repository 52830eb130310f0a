"""Rules and readings that no worked example names, each in a line or two, by hand from the rules."""

import pytest

from boonbridge.commands.supposed import YOU, Asked, Supposed, done, game_of
from boonbridge.commands.trying import attempt
from boonbridge.core.state import TableState
from boonbridge.dice.source import HandDice
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Act, Choose
from boonbridge_schemas.effects import DutyNoted, LockSet
from boonbridge_schemas.events import CheckRolled
from boonbridge_schemas.refusal import Refusal


def gave(game, check, *words, faces):
    """What these faces give, and what the game calls things."""
    return attempt(game, check, words, by_hand=faces)[0]


def rolled(game, check, *words, faces):
    return gave(game, check, *words, faces=faces).steps[0]


def table(game, check, *words):
    return Supposed(TableState.opening(game_of(game)), check, Asked(words))


def info(game):
    ruleset = game_of(game)
    return ruleset.info(ruleset.options())


def offered(step):
    return {offer.id for offer in step.choices}


def ladder(game, check, param):
    (spec,) = [each for each in info(game).checks if each.key == check]
    (found,) = [each for each in spec.params if each.key == param]
    return [step.value for step in found.ladder]


TN10 = ("rankDie=8", "abilityDie=8", "tn=10")


# --- Rank & Ability ---------------------------------------------------------------------------------------------
@pytest.mark.rule("A-05", "A-22", "A-23", "X-A7")
def test_of_a_failure_the_referee_makes_one_of_seven_things():
    step = rolled("rank_ability", "check", *TN10, faces="4,5")
    assert (step.result.outcome, DutyNoted(duty="consequence") in step.effects) == ("failure", True)
    six = {"consequence", "costs_time", "costs_resources", "danger", "closed", "at_cost"}
    assert offered(step) >= {"fails", *six}


@pytest.mark.rule("A-19")
def test_a_critical_success_brings_something_more():
    step = rolled("rank_ability", "check", *TN10, faces="7,7")
    assert step.effects == (DutyNoted(duty="extra_benefit"),)
    assert {"faster", "information", "stronger", "opening", "resource_saved", "danger_avoided", "better_position"} <= offered(
        step
    )


@pytest.mark.rule("A-21")
def test_a_fumble_brings_a_serious_complication():
    step = rolled("rank_ability", "check", *TN10, faces="1,1")
    assert step.effects[0] == DutyNoted(duty="serious_complication")
    assert {"complication", "new_danger", "loss", "exposure", "hard_choice"} <= offered(step)


@pytest.mark.rule("A-24")
def test_what_failed_is_tried_again_only_when_something_changed():
    made = table("rank_ability", "check", *TN10)
    events = made.do(made.command(action="The lock"), HandDice((4, 5)))
    assert LockSet(actor=YOU, action="The lock") in events[0].effects
    made.state, _ = done(made.state, Choose(check=events[0].rolled.check, choice="closed"))
    assert made.state.actors[YOU].locks == ("The lock",)
    made.do(made.command(action="The lock", changed="Better tools"), HandDice((5, 6)))
    assert made.state.actors[YOU].locks == ()


@pytest.mark.rule("X-A8", "A-23")
def test_who_succeeds_at_a_cost_has_nothing_to_try_again():
    made = table("rank_ability", "check", *TN10)
    events = made.do(made.command(action="The lock"), HandDice((4, 5)))
    made.do(Choose(check=events[0].rolled.check, choice="at_cost"))
    assert made.state.actors[YOU].locks == ()


@pytest.mark.rule("A-07", "A-08", "A-16")
def test_however_strong_there_is_one_boon_or_one_bane():
    assert len(rolled("rank_ability", "check", *TN10, "boon=ropex3", "boon=ally", faces="4,5,6").result.dice) == 3
    assert [die.role for die in rolled("rank_ability", "check", *TN10, "bane=dark", faces="4,5,6").result.dice][-1] == "bane"


@pytest.mark.rule("A-09", "A-10")
@pytest.mark.parametrize(
    ("rank", "sign", "sides"), [(1, "boon", 10), (5, "boon", 10), (6, "boon", 12), (1, "bane", 10), (6, "bane", 10)]
)
def test_the_extra_die_is_a_d10_and_the_boon_die_alone_grows(rank, sign, sides):
    step = rolled("rank_ability", "check", *TN10, f"rank={rank}", f"{sign}=it", faces="4,5,6")
    assert [die.sides for die in step.result.dice] == [8, 8, sides]


@pytest.mark.rule("A-26")
def test_six_ten_and_fourteen_are_the_tns():
    assert ladder("rank_ability", "check", "tn")[:3] == [6, 10, 14]


@pytest.mark.rule("A-27")
def test_nothing_is_added_to_the_dice():
    step = rolled("rank_ability", "check", *TN10, "boon=background", faces="4,5,1")
    assert (step.result.bonus, step.result.total) == (0, 9)


# --- the public pool --------------------------------------------------------------------------------------------
@pytest.mark.rule("B-01")
def test_every_die_is_public():
    made = table("public_d20", "task", "attribute=3", "dc=15")
    with pytest.raises(Refusal) as refused:
        made.do(made.command(mode="gm"), HandDice((12,)))
    assert refused.value.code is Code.ROLL_MODE


@pytest.mark.rule("B-05")
def test_circumstances_of_both_signs_are_at_hand():
    assert {each.sign for each in info("public_d20").circumstances} == {"boon", "bane"}
    assert rolled("public_d20", "task", "attribute=3", "dc=15", "boon=high_ground", faces="12,4").result.net == 1


@pytest.mark.rule("B-17", "B-16")
def test_shaken_and_slowed_are_two_banes():
    step = rolled("public_d20", "task", "attribute=3", "dc=15", "condition.shaken=1", "condition.slowed=1", faces="12,14,9")
    assert (step.result.net, step.result.total) == (-2, 12)


@pytest.mark.rule("B-27")
def test_the_stagger_window_does_nothing_to_the_dice():
    made = table("public_d20", "task", "attribute=3", "dc=15")
    made.do(Act(verb="stagger_window", args={"open": True}))
    assert made.state.marks["stagger_window"] is True
    (event,) = [event for event in made.do(made.command(), HandDice((12,))) if isinstance(event, CheckRolled)]
    assert (event.result.net, event.result.total) == (0, 15)


@pytest.mark.rule("X-B8")
def test_an_attack_leaves_hidden_as_it_is():
    made = table("public_d20", "attack", "number.might=3", "target.grace=2", "condition.hidden=1")
    made.do(made.command(), HandDice((12, 4)))
    assert [held.key for held in made.state.actors[YOU].conditions] == ["hidden"]


@pytest.mark.rule("X-B10", "B-07", "B-09")
def test_a_hundred_dice_are_rolled_and_one_more_is_refused():
    assert (
        len(rolled("public_d20", "task", "attribute=3", "dc=15", "boon=chorusx99", faces=",".join(["7"] * 100)).result.dice)
        == 100
    )
    with pytest.raises(Refusal) as refused:
        rolled("public_d20", "task", "attribute=3", "dc=15", "boon=chorusx100", faces="7")
    assert refused.value.code is Code.ROLL_TOO_MANY_DICE


@pytest.mark.rule("X-B7")
def test_what_the_rules_leave_open_counts_one_each():
    assert {amount.key: amount.value for amount in info("public_d20").data.amounts} == dict.fromkeys(
        ("hidden", "flanking", "assist", "slowed", "shaken", "guard"), 1
    )


# --- Sage d20 ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("C-07")
def test_a_roll_against_is_against_the_score_it_names():
    told = gave("sage_d20", "against", "number.will=12", "attribute=will", "against=agility", "target.agility=14", faces="12")
    assert (told.target, told.steps[0].result.total, told.steps[0].result.outcome) == (14, 14, "success")


@pytest.mark.rule("C-16", "C-18")
def test_critical_results_do_nothing_by_themselves():
    strong = ("attribute=strength", "number.strength=14")
    best = rolled("sage_d20", "attribute", *strong, faces="20")
    assert (best.result.outcome, best.effects, best.choices) == ("critical_success", (), ())
    worst = rolled("sage_d20", "attribute", "attribute=strength", "number.strength=8", faces="2")
    assert (worst.result.outcome, worst.effects, worst.choices) == ("critical_failure", (), ())


@pytest.mark.rule("C-P3")
@pytest.mark.parametrize(
    ("condition", "attribute", "banes"),
    [
        ("poisoned", "strength", 1),
        ("frightened", "will", 1),
        ("stunned", "agility", 2),
        ("weakened", "strength", 1),
        ("weakened", "will", 0),
        ("confused", "will", 1),
        ("confused", "strength", 0),
        ("impaired.strength", "strength", 1),
        ("impaired.strength", "agility", 0),
        ("slowed", "agility", 0),
    ],
)
def test_an_affliction_is_so_many_banes_on_own_rolls(condition, attribute, banes):
    words = (f"attribute={attribute}", f"number.{attribute}=10", f"condition.{condition}=1")
    step = rolled("sage_d20", "attribute", *words, faces=",".join(["10", *["3"] * banes]))
    assert step.result.net == -banes


@pytest.mark.rule("C-P3")
@pytest.mark.parametrize(
    ("condition", "against", "boons"),
    [
        ("poisoned", "will", 1),
        ("stunned", "will", 2),
        ("unconscious", "defense", 3),
        ("vulnerable", "defense", 1),
        ("deafened", "will", 0),
    ],
)
def test_an_affliction_is_so_many_boons_against_its_bearer(condition, against, boons):
    words = ("number.will=10", "attribute=will", f"against={against}", f"target.{against}=10", f"target.condition.{condition}=1")
    assert rolled("sage_d20", "against", *words, faces=",".join(["10", *["3"] * boons])).result.net == boons


@pytest.mark.rule("X-C1", "C-11")
def test_of_one_source_the_larger_count_counts():
    words = ("attribute=strength", "number.strength=10", "boon=chant", "boon=chantx3")
    assert rolled("sage_d20", "attribute", *words, faces="9,1,2,5").result.net == 3


@pytest.mark.rule("X-C4", "C-15")
def test_it_is_the_total_that_is_critical():
    assert rolled("sage_d20", "attribute", "attribute=strength", "number.strength=16", "tn=10", faces="14").result.crits == 1
    assert rolled("sage_d20", "attribute", "attribute=strength", "number.strength=10", "tn=16", faces="20").result.crits == 0


@pytest.mark.rule("X-C5", "C-P2")
def test_luck_has_critical_results_too():
    assert rolled("sage_d20", "luck", faces="20").result.outcome == "critical_success"
    assert rolled("sage_d20", "luck", "bane=curse", faces="1,1").result.outcome == "critical_failure"


# --- the d12 game -----------------------------------------------------------------------------------------------
@pytest.mark.rule("D-09", "D-27")
def test_the_ladders_stand_where_the_rules_lost_theirs():
    assert ladder("group_d12", "skill", "difficulty") == [5, 8, 11, 14, 17]
    (challenge,) = [spec for spec in info("group_d12").groups if spec.key == "challenge"]
    assert ([step.value for step in challenge.difficulty.ladder], challenge.per_member) == ([7, 9, 11, 13], True)
    assert all(step.proposed for step in challenge.difficulty.ladder)


@pytest.mark.rule("D-13", "X-D15")
@pytest.mark.parametrize(("face", "difficulty", "level"), [(9, 8, 2), (5, 8, 1), (11, 8, 3), (4, 8, 0), (12, 30, 1)])
def test_a_level_is_three_above_the_difficulty(face, difficulty, level):
    # With 3: 12 is 4 above 8, 8 is equal to it, 14 is 6 above it; a critical success is one at least.
    step = rolled("group_d12", "skill", "skill=3", f"difficulty={difficulty}", "option.success_level=true", faces=str(face))
    assert {extra.key: extra.value for extra in step.result.extras} == {"level": level}


@pytest.mark.rule("D-24")
def test_everybody_contributes_with_a_skill_of_his_own():
    (challenge,) = [spec for spec in info("group_d12").checks if spec.key == "challenge"]
    assert [(param.key, param.required, param.group) for param in challenge.params] == [("skill", True, "skill")]


@pytest.mark.rule("X-D12", "D-14")
def test_all_positive_chances_are_rolled():
    step = rolled("group_d12", "skill", "skill=0", "difficulty=8", "boon=ax2", "boon=b", faces="3,9,2,5")
    assert (len(step.result.dice), step.result.total) == (4, 9)
