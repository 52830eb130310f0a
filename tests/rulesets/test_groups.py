"""Rolls that belong together: what every game has, and group checks and challenges of the d12 game beyond the examples."""

from fractions import Fraction

import pytest

from boonbridge.rulesets import group_d12, public_d20
from boonbridge.rulesets.base import OpenCheck
from boonbridge.rulesets.chances.group_d12 import challenge_chance, group_chance
from boonbridge.rulesets.common import groups
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.checks import Die, Result, Rolled
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import AnswerRequest, Choose, RequestCheck
from boonbridge_schemas.effects import DieBought, ResourceChanged
from boonbridge_schemas.events import CheckRolled, Chosen
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import AskedCheck
from tests.rulesets.sitting import Sitting, closing, faces_of, kept_of


def rolled(actor, total, success, crits=0, worst=False):
    result = Result(
        dice=(Die(role="d20", sides=20, face=1, kept=True),),
        net=0, boons=0, banes=0, bonus=0, total=total, outcome="any", success=success, crits=crits, worst=worst,
    )  # fmt: skip
    told = Rolled(check="1.1", actor=actor, name=actor, kind="task", params={})
    return OpenCheck(rolled=told, mode="public", roller="gm", target=None, sources=(), result=result)


# --- every game -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", shipped().values(), ids=shipped())
def test_every_game_counts_each_for_himself_and_against_one_another(game):
    told = {spec.key: spec for spec in game.info(game.options()).groups}
    assert list(told)[:2] == ["each", "opposed"]
    assert told["each"].ours
    assert told["opposed"].ours
    assert [key for key, spec in told.items() if not spec.ours] == (
        ["one_success", "one_failure", "challenge"] if game.id == "group_d12" else []
    )
    got = game.group_result(None, "each", None, [rolled("a", 4, False, worst=True), rolled("b", 20, True, crits=3)])
    assert got.effects == ()
    result = got.result
    assert (result.outcome, result.success, result.counted, result.succeeded, result.crits, result.worst) == (
        "each",
        None,
        2,
        1,
        1,
        1,
    )
    with pytest.raises(Refusal) as refused:
        game.group_result(None, "choir", None, [rolled("a", 4, False)])
    assert refused.value.code is Code.REQUEST_GROUP


@pytest.mark.parametrize(
    ("members", "outcome", "winners"),
    [
        ([("a", 9, True), ("b", 30, False)], "won", ("a",)),
        ([("a", 12, True), ("b", 15, True), ("c", 14, True)], "won", ("b",)),
        ([("a", 3, False), ("b", 7, False)], "won", ("b",)),
        ([("a", 12, True), ("b", 5, True), ("c", 12, True)], "tie", ("a", "c")),
        ([("a", 7, False), ("b", 7, False)], "tie", ("a", "b")),
        ([("a", -3, False)], "won", ("a",)),
    ],
)
def test_who_succeeds_beats_who_fails_and_then_the_higher_total_wins(members, outcome, winners):
    result = groups.opposed([rolled(*each) for each in members])
    assert (result.outcome, result.winners, result.success, result.counted) == (outcome, winners, None, len(members))


def test_a_contest_through_a_request():
    table = Sitting(public_d20.RULESET)
    for name, might in (("Ana", 2), ("Bela", 4)):
        table.actor(name, attribute__might=might)
    request = table.asked("task", "Ana", "Bela", group="opposed", dc=15)
    assert closing(table.answers(request, "Ana", 14, attribute="attribute.might")) is None
    ended = closing(table.answers(request, "Bela", 12, attribute="attribute.might"))
    assert (ended.why, ended.result.outcome, ended.result.winners) == ("complete", "tie", ("Ana", "Bela"))


# --- group checks -----------------------------------------------------------------------------------------------
def table(held=0, faces=(), **options):
    sitting = Sitting(group_d12.RULESET, faces, **options)
    sitting.actor("Ana", skill__climb=2)
    sitting.actor("Bela", skill__climb=1)
    sitting.actor("Ogre", side="opposition", skill__climb=0)
    for _ in range(held):
        sitting.act("give_boon")
    return sitting


def group(sitting, key, *actors, difficulty=10):
    return sitting.asked("skill", *actors, group=key, difficulty=difficulty)


def answer(sitting, request, actor, *faces):
    return sitting.answers(request, actor, *faces, skill="skill.climb")


def check_of(events):
    return next(event for event in events if isinstance(event, CheckRolled)).rolled.check


@pytest.mark.rule("X-D13")
def test_members_roll_first_and_then_keep_or_spend_in_the_order_they_come():
    sitting = table(held=2)
    request = group(sitting, "one_success", "Ana", "Bela")
    ana = answer(sitting, request, "Ana", 3)
    bela = answer(sitting, request, "Bela", 4)
    (accept, _) = next(event for event in bela if isinstance(event, CheckRolled)).choices
    assert accept.label == "Accept: the group gains a Boon if it fails as a whole"
    assert sitting.state.game.held == 2
    (taken,) = sitting.choose(check_of(bela), "accept")
    assert taken.effects == ()
    sitting.faces(5)
    events = sitting.do(_choice(check_of(ana), "spend"))
    ended = closing(events)
    assert (ended.result.success, ended.result.counted, ended.result.succeeded) == (False, 2, 0)
    # Bela accepted, so the second failure of Ana does not matter: one Boon (D-08).
    assert ended.effects == (ResourceChanged(resource="boons", asked=1, applied=1, reason="group_failure"),)
    assert sitting.state.game == group_d12.Pool(held=2, gained=1)


def _choice(check, choice):
    return Choose(check=check, choice=choice)


def test_a_bought_success_saves_the_group():
    sitting = table(held=1)
    request = group(sitting, "one_failure", "Ana", difficulty=8)
    ana = answer(sitting, request, "Ana", 3)
    sitting.faces(6)
    ended = closing(sitting.do(_choice(check_of(ana), "spend")))
    assert (ended.result.outcome, ended.effects, sitting.state.game.held) == ("success", (), 0)


@pytest.mark.rule("X-D2")
@pytest.mark.parametrize(("reading", "earned"), [("none", 0), ("each", 1)])
def test_critical_successes_in_a_group_earn_by_option_only(reading, earned):
    sitting = table(group_crit_boon=reading)
    request = group(sitting, "one_success", "Ana")
    answer(sitting, request, "Ana", 12)
    assert sitting.state.game.gained == earned


def test_alone_a_critical_success_earns_as_ever():
    for key in ("each", "opposed"):
        sitting = table(group_crit_boon="none")
        answer(sitting, group(sitting, key, "Ana"), "Ana", 12)
        assert sitting.state.game.gained == 1, key


@pytest.mark.parametrize(("grants", "gained"), [(True, 1), (False, 0)])
def test_a_critical_failure_counts_as_accepted_where_it_earns_a_boon_alone(grants, gained):
    sitting = table(crit_fail_grants_boon=grants)
    answer(sitting, group(sitting, "one_failure", "Ana"), "Ana", 1)
    assert sitting.state.game.gained == gained


@pytest.mark.parametrize(("forfeits", "gained"), [(False, 1), (True, 0)])
def test_a_boon_before_the_roll_may_forfeit_that_of_the_group(forfeits, gained):
    sitting = table(held=1, before_spend_forfeits_boon=forfeits)
    sitting.grant("Ana", "bane", "dark")
    request = group(sitting, "one_success", "Ana")
    sitting.faces(4)
    sitting.do(AnswerRequest(request=request, actor="Ana", params={"skill": "skill.climb"}, spend_before=1))
    assert sitting.state.game == group_d12.Pool(held=gained, gained=gained)


def test_what_opponents_do_together_moves_no_pool():
    sitting = table(held=1)
    for key in ("one_success", "one_failure", "challenge"):
        request = _challenge(sitting, 20, "Ogre") if key == "challenge" else group(sitting, key, "Ogre")
        ended = closing(answer(sitting, request, "Ogre", 2))
        assert (ended.result.success, ended.effects) == (False, ()), key
    assert sitting.state.game == group_d12.Pool(held=1)


def test_at_ten_gained_the_boon_of_a_group_is_lost():
    sitting = table(boon_cap=0)
    ended = closing(answer(sitting, group(sitting, "one_failure", "Ana"), "Ana", 2))
    assert ended.effects == (ResourceChanged(resource="boons", asked=1, applied=0, reason="group_failure"),)


# --- challenges -------------------------------------------------------------------------------------------------
def _challenge(sitting, difficulty, *actors):
    return sitting.asked("challenge", *actors, group="challenge", together=difficulty)


@pytest.mark.rule("D-26")
def test_a_contribution_is_a_number_without_a_verdict():
    sitting = table(held=1)
    request = _challenge(sitting, 30, "Ana", "Bela")
    for actor, face in (("Ana", 12), ("Bela", 1)):
        event = next(event for event in answer(sitting, request, actor, face) if isinstance(event, CheckRolled))
        result = event.result
        assert (result.outcome, result.success, result.crits, result.worst) == ("contributed", False, 0, False)
        assert (event.odds, event.rolled.target, event.effects, [die.mark for die in result.dice]) == (None, None, (), [""])
        assert [(offer.id, offer.enabled, offer.default) for offer in event.choices] == [
            ("keep", True, True),
            ("spend", True, False),
        ]


def test_without_a_boon_a_contribution_is_kept_at_once():
    sitting = table()
    events = answer(sitting, _challenge(sitting, 20, "Ana"), "Ana", 9)
    assert [event.choice for event in events if isinstance(event, Chosen)] == ["keep"]
    ended = closing(events)
    assert (ended.result.total, ended.result.target, ended.result.outcome) == (11, 20, "failure")


@pytest.mark.rule("X-D10")
@pytest.mark.parametrize(
    ("reading", "total", "kept"),
    [("best_of", 8, 6), ("replace", 6, 4)],
)
def test_a_bought_roll_has_the_chances_of_the_first(reading, total, kept):
    """One negative chance: 9 and 6 count 6; bought again 4 and 11 count 4 (X-D10). With 2 that is 8, or 6."""
    sitting = table(held=2, challenge_reroll=reading)
    sitting.grant("Ana", "bane", "dark")
    request = _challenge(sitting, 50, "Ana")
    first = answer(sitting, request, "Ana", 9, 6)
    sitting.faces(4, 11)
    events = sitting.do(_choice(check_of(first), "spend"))
    spent = next(event for event in events if isinstance(event, Chosen))
    assert (spent.result.total, kept_of(spent.result), faces_of(spent.result)) == (total, [kept], [9, 6, 4, 11])
    assert [(die.role, die.mark) for die in spent.result.dice] == [("d12", "")] * 2 + [("reroll", "bought")] * 2
    assert spent.effects == (
        ResourceChanged(resource="boons", asked=-1, applied=-1, reason="spent_challenge"),
        DieBought(sides=12, face=4),
        DieBought(sides=12, face=11),
    )
    # One Boon is the limit; so it is kept, and with nobody left to wait for the sum is made.
    assert {offer.id: offer.why for offer in spent.choices} == {"keep": None, "spend": "spend.limit"}
    assert closing(events).result.total == total


def test_without_a_limit_the_whole_roll_is_bought_again_and_again():
    sitting = table(held=3, spend_after_limit=None)
    sitting.grant("Ana", "boon", "rope")
    first = answer(sitting, _challenge(sitting, 50, "Ana"), "Ana", 2, 5)
    check = check_of(first)
    sitting.faces(4, 1, 7, 3)
    (second,) = sitting.choose(check, "spend")
    assert (second.result.total, kept_of(second.result)) == (7, [5])
    (third,) = sitting.choose(check, "spend")
    assert (third.result.total, kept_of(third.result), sitting.state.game.held) == (9, [7], 1)


def test_what_counts_against_the_limit_are_boons_and_not_dice():
    """With one positive chance a Boon buys two dice; two Boons are allowed, and the third is not."""
    sitting = table(held=3, spend_after_limit=2)
    sitting.grant("Ana", "boon", "rope")
    sitting.actor("Bela", skill__climb=1)
    check = check_of(answer(sitting, _challenge(sitting, 50, "Ana", "Bela"), "Ana", 2, 5))
    sitting.faces(4, 1, 7, 3)
    assert {offer.id: offer.why for offer in sitting.choose(check, "spend")[0].choices} == {"keep": None, "spend": None}
    assert {offer.id: offer.why for offer in sitting.choose(check, "spend")[0].choices} == {"keep": None, "spend": "spend.limit"}


def test_opponents_have_nothing_to_keep_or_to_spend():
    sitting = table(held=3)
    events = answer(sitting, _challenge(sitting, 5, "Ogre"), "Ogre", 5)
    assert [type(event).__name__ for event in events if isinstance(event, CheckRolled | Chosen)] == ["CheckRolled"]
    assert closing(events).result.success is True


@pytest.mark.rule("X-D1", "D-25")
@pytest.mark.parametrize(("reading", "gained"), [("always", 1), ("not_if_spent", 0)])
def test_a_failed_challenge_earns_its_boon_by_option_even_if_one_was_spent(reading, gained):
    sitting = table(held=1, challenge_fail_boon=reading)
    first = answer(sitting, _challenge(sitting, 50, "Ana"), "Ana", 2)
    sitting.faces(3)
    sitting.do(_choice(check_of(first), "spend"))
    assert sitting.state.game == group_d12.Pool(held=gained, gained=gained)


def test_a_hidden_contribution_may_not_use_the_pool():
    sitting = table(held=1)
    asked = RequestCheck(actors=("Ana",), checks=(AskedCheck(check="challenge"),), group="challenge", difficulty=20, mode="gm")
    request = next(event for event in sitting.do(asked) if hasattr(event, "request")).request.id
    sitting.faces(5)
    events = sitting.do(AnswerRequest(request=request, actor="Ana", params={"skill": "skill.climb"}, mode="gm"))
    offers = next(event for event in events if isinstance(event, CheckRolled)).choices
    assert {offer.id: offer.why for offer in offers} == {"keep": None, "spend": "spend.open_rolls_only"}


# --- chances ----------------------------------------------------------------------------------------------------
def test_chances_of_groups_by_hand():
    # Bonus 3 against 10: a 7 or more, six faces of twelve.
    assert group_chance("one_success", 2, 3, 10) == Fraction(3, 4)
    assert group_chance("one_failure", 3, 3, 10) == Fraction(1, 8)
    # Two dice and 2 each against 27: 23 or 24 on the dice, three of 144 ways.
    assert challenge_chance(2, 2, 27) == Fraction(3, 144)
    assert challenge_chance(1, 0, 12) == Fraction(1, 12)
    with pytest.raises(ValueError, match="each"):
        group_chance("each", 2, 3, 10)


# --- difficulties that players may not know ---------------------------------------------------------------------
@pytest.mark.parametrize(("face", "outcome"), [(6, "failure"), (7, "success")])
def test_a_bought_die_is_judged_by_the_difficulty_that_nobody_sees(face, outcome):
    """7 + 2 reaches 9, 6 + 2 does not."""
    sitting = table(held=1, success_level=True)
    checks = (AskedCheck(check="skill", params={"difficulty": 9}),)
    events = sitting.do(RequestCheck(actors=("Ana",), checks=checks, shown=False))
    request = next(event for event in events if hasattr(event, "request")).request.id
    first = next(event for event in answer(sitting, request, "Ana", 2) if isinstance(event, CheckRolled))
    assert (first.rolled.params, first.rolled.target, first.result.outcome) == ({"skill": "skill.climb"}, None, "failure")
    assert [(offer.id, offer.chance) for offer in first.choices] == [("accept", None), ("spend", None)]
    sitting.faces(face)
    chosen = sitting.choose(first.rolled.check, "spend")[0]
    assert (chosen.result.outcome, chosen.result.extras) == (outcome, ())
    ruled = sitting.overrides(first.rolled.check, "critical_success", confirm=True)
    assert (ruled.result.outcome, ruled.result.extras) == ("critical_success", ())
