"""Rank & Ability beyond the worked examples: where numbers come from, what sources say, what is refused."""

import pytest

from boonbridge.rulesets import rank_ability
from boonbridge.rulesets.base import Modifiers
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, bane, boon, whys


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


@pytest.mark.rule("A-29")
@pytest.mark.parametrize("condition", ["exhausted", "wounded"])
def test_being_worn_out_offers_a_bane_that_somebody_has_to_name(condition):
    sitting = table([5, 5])
    sitting.condition("hero", condition)
    rolled = sitting.rolled("check", ability="agi", tn=10)
    assert (rolled.result.net, whys(rolled)) == (0, {condition: "offered"})
    sitting.faces(5, 5, 5)
    rolled = sitting.rolled("check", bane(condition), ability="agi", tn=10)
    assert (rolled.result.net, whys(rolled)) == (-1, {condition: "counts"})


# --- damage (A-17) ----------------------------------------------------------------------------------------------
def damage_die(rank=3, boons=0, banes=0, **options):
    sitting = table(**{"damage_boons": "if_rule_says", **options})
    sitting.actor("hero", rank=rank, agi=6)
    net = (boons > banes) - (boons < banes)
    modifiers = Modifiers(sources=(), boons=boons, banes=banes, net=net)
    die = rank_ability.RULESET.damage_die(sitting.state, sitting.state.actors["hero"], modifiers)
    return die.role, die.sides, die.count


@pytest.mark.parametrize(
    ("rank", "boons", "banes", "die"),
    [
        (5, 1, 0, ("boon", 10, 1)),
        (5, 3, 0, ("boon", 10, 1)),
        (6, 1, 0, ("boon", 12, 1)),
        (5, 0, 1, ("bane", 10, 1)),
        (6, 0, 2, ("bane", 10, 1)),
    ],
)
def test_where_a_rule_says_so_damage_has_the_die_of_a_check(rank, boons, banes, die):
    assert damage_die(rank, boons, banes) == die


def test_what_cancels_on_a_check_cancels_on_damage():
    assert damage_die(boons=3, banes=1)[2] == 0
    assert damage_die(boons=1, banes=1)[2] == 0
    assert damage_die(boons=3, banes=1, cancel_mode="net_count") == ("boon", 10, 1)
    assert damage_die(boons=1, banes=3, cancel_mode="net_count") == ("bane", 10, 1)


def test_dice_of_nobody_in_particular_have_no_rank():
    state = table(damage_boons="if_rule_says").state
    die = rank_ability.RULESET.damage_die(state, None, Modifiers(sources=(), boons=1, banes=0, net=1))
    assert die.sides == 10


@pytest.mark.rule("A-17")
def test_usually_damage_has_no_boons():
    with pytest.raises(Refusal) as refused:
        damage_die(boons=1, damage_boons="never")
    assert refused.value.code is Code.DICE_NO_BOONS
