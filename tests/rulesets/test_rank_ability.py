"""Rank & Ability beyond the worked examples: where numbers come from, what sources say, what is refused."""

import pytest

from boonbridge.rulesets import rank_ability
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import DutyNoted, LockSet
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, ad_hoc, bane, boon, whys


def table(faces=(), **options):
    sitting = Sitting(rank_ability.RULESET, faces, **options)
    sitting.actor("hero", rank=3, agi=6)
    return sitting


@pytest.mark.parametrize(("rank", "sides"), [(1, 4), (2, 6), (3, 8), (4, 10), (5, 12), (6, 12)])
def test_the_rank_die_follows_from_the_rank(rank, sides):
    sitting = table()
    sitting.actor("hero", rank=rank, agi=6)
    assert sitting.shows("check", ability="agi", tn=10).dice[0].sides == sides


def test_a_rank_die_on_the_sheet_wins_over_the_table_and_a_given_one_over_both():
    sitting = table()
    sitting.actor("hero", rank=3, rankDie=12, agi=6)
    assert sitting.shows("check", ability="agi", tn=10).dice[0].sides == 12
    assert sitting.shows("check", ability="agi", tn=10, rankDie=4).dice[0].sides == 4


def test_an_ability_die_may_be_given_without_an_ability():
    row = table().shows("check", abilityDie=10, tn=10)
    assert [die.sides for die in row.dice] == [8, 10]


def test_the_log_holds_every_parameter_as_it_stood():
    rolled = table([5, 5]).rolled("check", ability="agi", tn=10)
    assert rolled.rolled.params == {"rank": 3, "rankDie": 8, "ability": "agi", "abilityDie": 6, "tn": 10}


def test_only_the_rollers_own_rank_grows_the_boon_die():
    sitting = table()
    assert sitting.shows("check", boon("help"), ability="agi", tn=10).dice[2].sides == 10
    assert sitting.shows("check", boon("help"), ability="agi", tn=10, rank=6).dice[2].sides == 12
    assert sitting.shows("check", bane("dark"), ability="agi", tn=10, rank=6).dice[2].sides == 10


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"ability": "agi"}, Code.ROLL_BAD_PARAMETER),  # no TN
        ({"ability": "agi", "tn": 0}, Code.ROLL_BAD_PARAMETER),
        ({"ability": "agi", "tn": True}, Code.ROLL_BAD_PARAMETER),
        ({"ability": "luck", "tn": 10}, Code.ROLL_BAD_PARAMETER),
        ({"tn": 10}, Code.ROLL_BAD_PARAMETER),  # neither ability nor die
        ({"ability": "pre", "tn": 10}, Code.ACTOR_NUMBER_MISSING),
        ({"ability": "agi", "tn": 10, "rankDie": 7}, Code.ROLL_BAD_PARAMETER),
        ({"ability": "agi", "tn": 10, "rank": 7}, Code.ROLL_BAD_PARAMETER),
        ({"ability": "agi", "tn": 10, "__proto__": 1}, Code.ROLL_UNKNOWN_PARAMETER),
    ],
)
def test_what_does_not_fit_is_refused(params, code):
    with pytest.raises(Refusal) as refused:
        table().rolled("check", **params)
    assert refused.value.code is code


def test_without_rank_and_rank_die_the_sheet_is_incomplete():
    sitting = table()
    sitting.actor("hero", agi=6)
    with pytest.raises(Refusal) as refused:
        sitting.shows("check", ability="agi", tn=10)
    assert refused.value.values == {"actor": "hero", "number": "rank"}


def test_several_helps_are_one_boon_and_the_account_says_so():
    rolled = table([5, 5, 5]).rolled("check", boon("rope", 3), boon("friend"), ability="agi", tn=10)
    assert whys(rolled) == {"rope": "counts", "friend": "one_at_most"}
    assert (rolled.result.net, rolled.result.boons, rolled.result.banes) == (1, 1, 0)


def test_help_and_hindrance_cancel_uncounted():
    rolled = table([5, 5]).rolled("check", boon("rope"), boon("friend"), boon("map"), bane("dark"), ability="agi", tn=10)
    assert set(whys(rolled).values()) == {"cancels"}
    assert (rolled.result.net, rolled.result.boons, rolled.result.banes) == (0, 1, 1)


def test_counted_the_larger_number_wins_and_the_first_named_stands():
    sources = boon("rope"), boon("friend"), boon("map"), bane("dark")
    rolled = table([5, 5, 5], cancel_mode="net_count").rolled("check", *sources, ability="agi", tn=10)
    assert whys(rolled) == {"rope": "counts", "friend": "one_at_most", "map": "cancels", "dark": "cancels"}
    assert (rolled.result.net, rolled.result.boons, rolled.result.banes) == (1, 3, 1)


def test_counted_the_same_source_twice_is_one():
    sources = boon("rope"), boon("rope"), bane("dark")
    rolled = table([5, 5], cancel_mode="net_count").rolled("check", *sources, ability="agi", tn=10)
    assert rolled.result.net == 0


@pytest.mark.parametrize("condition", ["exhausted", "wounded"])
def test_being_worn_out_offers_a_bane_that_somebody_has_to_name(condition):
    sitting = table([5, 5])
    sitting.condition("hero", condition)
    rolled = sitting.rolled("check", ability="agi", tn=10)
    assert (rolled.result.net, whys(rolled)) == (0, {condition: "offered"})
    sitting.faces(5, 5, 5)
    rolled = sitting.rolled("check", bane(condition), ability="agi", tn=10)
    assert (rolled.result.net, whys(rolled)) == (-1, {condition: "counts"})


def test_a_failure_owes_a_consequence_and_locks_the_action():
    sitting = table([2, 2])
    rolled = sitting.rolled("check", ability="agi", tn=10, action="Pick the lock")
    assert rolled.effects == (DutyNoted(duty="consequence"), LockSet(actor="hero", action="Pick the lock"))
    assert sitting.state.actors["hero"].locks == ("Pick the lock",)


def test_no_label_no_lock():
    sitting = table([2, 2])
    sitting.rolled("check", ability="agi", tn=10)
    assert sitting.state.actors["hero"].locks == ()


def test_a_table_that_lets_people_try_again_sets_no_lock():
    rolled = table([2, 2], retry="off").rolled("check", ability="agi", tn=10, action="Pick the lock")
    assert rolled.effects == (DutyNoted(duty="consequence"),)


def test_a_roll_for_a_mere_name_locks_nothing():
    sitting = table([2, 2])
    rolled = sitting.rolled("check", ad_hoc=ad_hoc(rank=1, agi=4), ability="agi", tn=10, action="Pick the lock")
    assert rolled.effects == (DutyNoted(duty="consequence"),)


def test_a_hidden_failure_changes_nothing_yet():
    sitting = table([2, 2])
    rolled = sitting.rolled("check", ability="agi", tn=10, action="Pick the lock", mode="gm")
    assert rolled.deferred
    assert sitting.state.actors["hero"].locks == ()


def test_there_is_nothing_to_choose_after_the_dice():
    sitting = table([2, 2])
    rolled = sitting.rolled("check", ability="agi", tn=10)
    assert rolled.choices == ()
    with pytest.raises(Refusal) as refused:
        sitting.choose(rolled.rolled.check, "push")
    assert refused.value.code is Code.CHOICE_DONE
