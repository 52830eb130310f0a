"""What went wrong elsewhere and must not here: cases that a single check can show, named after their ids.

What stands at the table is in ``tests/core/test_complaints_grants.py``; which id is shown where, in
``tests/core/test_complaints_named.py``.
"""

import pytest

from boonbridge.rulesets import group_d12, public_d20, rank_ability, sage_d20
from boonbridge_schemas.checks import Attack
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Act, Choose, SyncActor
from boonbridge_schemas.effects import ResourceChanged
from boonbridge_schemas.events import Acted, CheckRolled
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, bane, boon, faces_of, kept_of, numbers, whys


# --- d20 + attribute, plus or minus the highest d6 --------------------------------------------------------------
def sage(faces=(), modifier=0, **more):
    table = Sitting(sage_d20.RULESET, faces)
    table.actor(
        "hero",
        strength=10 + modifier,
        agility=10 + more.get("agility", 0),
        attacks=(Attack(id="spear", name="spear", attribute="strength"),),
    )
    return table


def test_t01_i05_i06_two_boons_and_one_bane_leave_one_boon():
    result = sage([11, 4], 3).result("attribute", boon("talentA"), boon("allyB"), bane("poisonC"), attribute="strength", tn=15)
    assert (result.net, faces_of(result), result.total, result.outcome) == (1, [11, 4], 18, "success")


def test_t02_i12_i17_the_highest_bane_is_subtracted_not_the_lowest_or_the_sum():
    table = sage([14, 5, 2], 2)
    result = table.result("attribute", boon("A"), bane("B"), bane("C"), bane("D"), attribute="strength", tn=12)
    assert (result.net, result.total, result.outcome) == (-2, 11, "failure")
    assert kept_of(result) == [14, 5]


def test_t03_i25_i27_the_same_spell_from_two_casters_is_one_boon():
    table = sage([9, 3, 6], 1)
    rolled = table.rolled(
        "attribute", boon("spell:bless", origin="P"), boon("spell:bless", origin="Q"), attribute="strength", tn=14
    )
    assert (rolled.result.net, rolled.result.total, rolled.result.outcome) == (1, 13, "failure")
    assert table.dice.left == 1
    assert [source.why for source in rolled.sources] == ["counts", "same_source"]


def test_t06_scopes_add_only_where_they_apply():
    table = sage([12, 2, 6, 12, 2], 1, agility=1)
    table.condition("hero", "poisoned")
    table.condition("hero", "impaired.strength")
    strength = table.rolled("attribute", attribute="strength", tn=10)
    agility = table.rolled("attribute", attribute="agility", tn=10)
    assert (strength.result.total, strength.result.outcome) == (7, "failure")
    assert (agility.result.total, agility.result.outcome) == (11, "success")
    assert whys(agility) == {"poisoned": "counts", "impaired.strength": "not_this_check"}


def test_t07_what_cancels_is_never_rolled():
    table = sage([8, 6], 2)
    rolled = table.rolled("attribute", boon("A"), boon("B"), bane("C"), bane("D"), attribute="strength", tn=10)
    assert (rolled.result.net, rolled.result.total, rolled.result.outcome) == (0, 10, "success")
    assert table.dice.drawn == 1
    assert set(whys(rolled).values()) == {"cancels"}


@pytest.mark.parametrize(("tn", "outcome"), [(15, "critical_success"), (16, "success")])
def test_t08_a_critical_needs_twenty_and_five_over(tn, outcome):
    result = sage([12, 3], 5).result("attribute", boon("A"), attribute="strength", tn=tn)
    assert (result.total, result.outcome) == (20, outcome)


def test_t09_nineteen_is_no_critical():
    result = sage([11, 3], 5).result("attribute", boon("A"), attribute="strength", tn=10)
    assert (result.total, result.outcome) == (19, "success")


def test_t10_i02_an_automatic_failure_is_not_ten_banes():
    table = sage([], 4)
    table.condition("hero", "unconscious")
    claims = [boon(f"source {n}") for n in range(5)]
    rolled = table.rolled("attribute", *claims, attribute="strength", tn=10)
    assert (rolled.result.outcome, rolled.result.success, rolled.result.dice) == ("failure", False, ())
    assert table.dice.drawn == 0
    assert whys(rolled)["unconscious"] == "automatic_failure"


def test_t11b_i24_a_source_may_depend_on_the_target_set():
    for targets, net, faces in ((("B", "C"), [0, 0], [9, 9]), (("C",), [-2], [9, 5, 4])):
        table = sage(faces)
        for name in ("B", "C"):
            table.actor(name, side="opposition", defense=10)
        table.grant("hero", "bane", "taunt", amount=2, unless_targets=("B",), reach="roll")
        events = [event for event in table.roll("attack", targets=targets, attack="spear") if isinstance(event, CheckRolled)]
        assert [event.result.net for event in events] == net
        assert [event.result.outcome for event in events] == ["failure"] * len(targets)
        assert table.dice.left == 0


def test_t12_i20_preview_and_roll_show_the_same():
    table = sage([10, 5], 2)
    table.actor("foe", side="opposition", defense=16)
    table.grant("hero", "boon", "charm", tags=("attack",))
    shown = table.shows("attack", targets=("foe",), attack="spear")
    rolled = table.rolled("attack", targets=("foe",), attack="spear")
    assert (shown.net, shown.sources) == (1, rolled.sources)
    assert (rolled.result.total, rolled.result.outcome) == (17, "success")


# --- pools of d20 -----------------------------------------------------------------------------------------------
def public(faces=(), attribute=0, **options):
    table = Sitting(public_d20.RULESET, faces, **options)
    table.actor("hero", attribute__might=attribute, attacks=(Attack(id="axe", name="axe", attribute="attribute.might"),))
    return table


def test_t14_i10_every_natural_20_of_the_pool_counts():
    result = public([20, 7, 20, 3], 2).result("task", boon("A"), boon("B"), boon("C"), attribute="attribute.might", dc=15)
    assert (kept_of(result), result.total, result.crits) == ([20], 22, 2)


def test_t15_i10_the_place_in_the_pool_does_not_matter():
    result = public([7, 3, 20], 2).result("task", boon("A"), boon("B"), attribute="attribute.might", dc=15)
    assert (kept_of(result), result.crits) == ([20], 1)


def test_t16_i07_i11_under_banes_a_dropped_20_is_nothing_and_there_is_one_verdict():
    result = public([20, 4, 11], 1).result("task", bane("A"), bane("B"), attribute="attribute.might", dc=12)
    assert (kept_of(result), result.total, result.outcome, result.crits) == ([4], 5, "failure", 0)
    assert all(die.mark == "" for die in result.dice)


@pytest.mark.parametrize(
    ("source", "kept", "outcome", "crits", "worst"),
    [(boon("A"), [20], "critical_success", 1, False), (bane("A"), [1], "fumble", 0, True)],
)
def test_i08_a_1_beside_a_20_is_one_verdict(source, kept, outcome, crits, worst):
    result = public([20, 1], 9).result("task", source, attribute="attribute.might", dc=10)
    assert (kept_of(result), result.outcome, result.crits, result.worst) == (kept, outcome, crits, worst)
    assert result.success is not worst


def test_t17_there_is_no_cap_but_the_technical_one():
    faces = [2] * 12 + [11]
    table = public(faces)
    result = table.result("task", *(boon(f"source {n}") for n in range(12)), attribute="attribute.might", dc=10)
    assert (len(result.dice), kept_of(result), result.outcome) == (13, [11], "success")


def test_t18_i05_boons_and_banes_cancel_one_for_one_first():
    result = public([18, 5, 12]).result("task", boon("A"), bane("B"), bane("C"), bane("D"), attribute="attribute.might", dc=10)
    assert (result.net, kept_of(result), result.outcome) == (-2, [5], "failure")


# --- rank die and ability die -----------------------------------------------------------------------------------
def check(faces, *sources, rank=8, tn=10):
    table = Sitting(rank_ability.RULESET, faces)
    table.actor("hero", rankDie=rank, agi=6)
    rolled = table.rolled("check", *sources, ability="agi", tn=tn)
    assert table.dice.left == 0
    return rolled


def test_t19_a_boon_keeps_the_highest_two():
    result = check([5, 6, 2], boon("A")).result
    assert (result.total, result.outcome, [die.kept for die in result.dice]) == (11, "success", [True, True, False])


def test_t20_a_bane_keeps_the_lowest_two():
    result = check([5, 6, 2], bane("A")).result
    assert (result.total, result.outcome, [die.kept for die in result.dice]) == (7, "failure", [True, False, True])


def test_t21_however_many_helps_there_is_one_boon_die():
    # The table counts three helps against one hindrance, as the case does.
    table = Sitting(rank_ability.RULESET, [3, 2, 9], cancel_mode="net_count")
    table.actor("hero", rankDie=8, agi=6)
    result = table.result("check", boon("A"), boon("B"), boon("C"), bane("D"), ability="agi", tn=12)
    assert (faces_of(result), result.total, result.outcome) == ([3, 2, 9], 12, "success")


def test_t22_cancelled_means_no_third_die():
    result = check([5, 6], boon("A"), bane("B")).result
    assert (result.total, result.outcome) == (11, "success")


def test_t23_i06_of_equal_dice_the_boon_die_is_dropped():
    result = check([4, 4, 4], boon("A"), tn=8).result
    assert (result.total, result.outcome) == (8, "critical_success")
    assert [(die.role, die.kept) for die in result.dice] == [("rank", True), ("ability", True), ("boon", False)]


# --- the group's pool -------------------------------------------------------------------------------------------
def group(faces=(), held=0, skill=3, **options):
    table = Sitting(group_d12.RULESET, faces, **options)
    for name in ("P", "Q"):
        table.actor(name, skill__climb=skill)
    given = ResourceChanged(resource="boons", asked=held, applied=held, reason="accepted_failure")
    table.happened(Acted(verb="give_boon", effects=(given,)))
    return table


def test_t24_at_the_cap_a_gift_is_told_but_adds_nothing():
    table = group(held=10)
    (acted,) = table.do(Act(verb="give_boon"))
    assert acted.effects == (ResourceChanged(resource="boons", asked=1, applied=0, reason="given"),)
    assert table.state.game.held == 10


def test_t25_the_last_boon_goes_to_one_of_two():
    table = group([4, 4, 9], held=1)
    first = table.rolled("skill", actor="P", skill="skill.climb", difficulty=10)
    second = table.rolled("skill", actor="Q", skill="skill.climb", difficulty=10)
    table.choose(first.rolled.check, "spend")
    with pytest.raises(Refusal) as refused:
        table.choose(second.rolled.check, "spend")
    assert refused.value.code is Code.POOL_EMPTY
    assert (table.state.game.held, table.dice.left) == (0, 0)


def test_t27_a_spend_on_an_unknown_check_draws_nothing():
    table = group([9], held=2)
    with pytest.raises(Refusal) as refused:
        table.do(Choose(check="99.1", choice="spend"))
    assert refused.value.code is Code.CHECK_UNKNOWN
    assert (table.state.game.held, table.dice.drawn) == (2, 0)


@pytest.mark.parametrize(("reroll", "total"), [("best_of", 7), ("replace", 5)])
def test_t30_the_option_in_force_decides_which_die_stands(reroll, total):
    table = group([4, 2], held=1, reroll=reroll)
    rolled = table.rolled("skill", actor="P", skill="skill.climb", difficulty=10)
    spent, *_ = table.choose(rolled.rolled.check, "spend")
    assert spent.result.total == total
    assert [die.mark for die in spent.result.dice] == ["", "bought"]


def test_i09_only_the_die_that_stands_is_judged():
    """A failure that becomes a 12 is a critical and nothing else; a 1 that replaces it is the worst, and nothing else."""
    for reroll, faces, outcome, crits, worst, kept in (
        ("best_of", [2, 12], "critical_success", 1, False, [12]),
        ("replace", [2, 12], "critical_success", 1, False, [12]),
        ("best_of", [4, 1], "failure", 0, False, [4]),
        ("replace", [4, 1], "critical_failure", 0, True, [1]),
    ):
        table = group(faces, held=1, reroll=reroll)
        rolled = table.rolled("skill", actor="P", skill="skill.climb", difficulty=10)
        spent, *_ = table.choose(rolled.rolled.check, "spend")
        assert (spent.result.outcome, spent.result.crits, spent.result.worst) == (outcome, crits, worst), (reroll, faces)
        assert kept_of(spent.result) == kept


def test_i91_each_die_costs_one_boon_and_takes_nothing_along_to_the_next():
    table = group([4, 2, 3, 5], held=3, spend_after_limit=None)
    rolled = table.rolled("skill", boon("rope"), bane("mud"), actor="P", skill="skill.climb", difficulty=10)
    for left, faces in ((2, [4, 2]), (1, [4, 2, 3]), (0, [4, 2, 3, 5])):
        spent, *_ = table.choose(rolled.rolled.check, "spend")
        assert spent.effects[0] == ResourceChanged(resource="boons", asked=-1, applied=-1, reason="spent_after")
        assert (table.state.game.held, faces_of(spent.result), spent.drawn) == (left, faces, 1)
        assert (spent.result.bonus, spent.result.net) == (3, 0)
    table.faces(4)
    assert table.rolled("skill", actor="P", skill="skill.climb", difficulty=10).result.total == 7


def test_i92_what_was_paid_before_the_dice_is_not_paid_again_after_them():
    table = group([4, 9], held=3)
    events = table.roll("skill", bane("mud"), actor="P", spend=1, skill="skill.climb", difficulty=10)
    (rolled,) = (event for event in events if isinstance(event, CheckRolled))
    assert (rolled.result.net, faces_of(rolled.result), table.state.game.held) == (0, [4], 2)
    spent, *_ = table.choose(rolled.rolled.check, "spend")
    assert (spent.result.outcome, spent.result.net, table.state.game.held) == ("success", 0, 1)


@pytest.mark.parametrize(
    ("make", "check", "params"),
    [(sage, "attribute", {"attribute": "strength"}), (public, "task", {"attribute": "attribute.might", "dc": 10})],
)
def test_i92_a_game_without_a_price_takes_none(make, check, params):
    table = make([10])
    with pytest.raises(Refusal) as refused:
        table.roll(check, bane("mud"), spend=1, **params)
    assert (refused.value.code, table.dice.drawn) == (Code.SPEND_NOT_OFFERED, 0)


@pytest.mark.parametrize(("face", "outcome", "held"), [(9, "success", 0), (2, "failure", 0), (12, "critical_success", 1)])
def test_i94_a_new_die_takes_the_place_of_what_the_first_would_have_earned_and_is_marked(face, outcome, held):
    table = group([4, face], held=1)
    rolled = table.rolled("skill", actor="P", skill="skill.climb", difficulty=10)
    assert [offer.label for offer in rolled.choices if offer.id == "accept"] == ["Accept: the group gains a Boon"]
    spent, *_ = table.choose(rolled.rolled.check, "spend")
    assert (spent.result.outcome, table.state.game.held) == (outcome, held), "the failure's own Boon is never given as well"
    assert [die.mark for die in spent.result.dice] == ["", "bought"]
    assert faces_of(rolled.result) == [4], "the first roll stays as it was told"


# --- counting and cancelling, whatever the game -----------------------------------------------------------------
def test_i04_a_standing_source_can_be_switched_off_by_the_gm_for_one_roll():
    table = sage([10])
    table.grant("hero", "bane", "horror")
    rolled = table.rolled("attribute", attribute="strength", off=("horror",))
    assert (rolled.result.net, whys(rolled)) == (0, {"horror": "switched_off"})


def test_i14_a_boon_given_after_the_roll_does_not_reach_its_reroll():
    table = group([4, 2], held=1)
    rolled = table.rolled("skill", actor="P", skill="skill.climb", difficulty=10)
    table.grant("P", "boon", "late help")
    spent, *_ = table.choose(rolled.rolled.check, "spend")
    assert len(spent.result.dice) == 2


def test_i21_no_source_acts_without_being_listed():
    table = public([3, 9], 0)
    table.actor("foe", side="opposition", grace=0)
    table.condition("foe", "guard")
    rolled = table.rolled("attack", targets=("foe",), attack="axe")
    assert rolled.result.net == -1
    assert [(s.id, s.sign, s.amount, s.counted, s.why) for s in rolled.sources] == [("guard", "bane", 1, True, "counts")]


def test_i102_one_die_too_many_is_refused_and_none_is_rolled():
    table = public([1] * 101)
    with pytest.raises(Refusal) as refused:
        table.rolled("task", boon("much", 100), attribute="attribute.might", dc=10)
    assert refused.value.code is Code.ROLL_TOO_MANY_DICE
    assert refused.value.values == {"limit": 100}


def test_i102_ten_thousand_boons_are_refused_in_the_preview_too():
    table = public()
    with pytest.raises(Refusal) as refused:
        table.shows("task", boon("much", 9999), attribute="attribute.might", dc=10)
    assert refused.value.code is Code.ROLL_TOO_MANY_DICE


def test_a_wrong_number_names_itself():
    table = sage()
    with pytest.raises(Refusal) as refused:
        table.do(SyncActor(actor="hero", numbers=numbers(strength=999)))
    assert refused.value.code is Code.ACTOR_BAD_NUMBER
    assert refused.value.values == {"number": "strength"}
