"""The public d20 pool beyond the worked examples: statuses with their givers, grants, one-use Boons, several targets."""

import pytest

from boonbridge.rulesets import public_d20
from boonbridge_schemas.checks import Attack, OnCrit
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import ConditionChanged, MarkSet, OnCritApplied
from boonbridge_schemas.events import CheckRolled, GrantSpent
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, boon, numbers, whys

AXE = Attack(id="axe", name="Axe", attribute="attribute.might", on_crit=OnCrit(name="Sunder", amount=2), tags=("melee",))
FREE = {"dice_public": False}


def table(faces=(), **options):
    sitting = Sitting(public_d20.RULESET, faces, **options)
    sitting.actor("hero", attribute__might=2, grace=1, attacks=(AXE,))
    sitting.actor("friend", attribute__might=0, grace=1, attacks=(AXE,))
    sitting.actor("foe", side="opposition", grace=2, attribute__might=0, attacks=(AXE,))
    sitting.actor("other", side="opposition", grace=0)
    return sitting


def attack(sitting, *sources, **more):
    return sitting.rolled("attack", *sources, attack="axe", targets=("foe",), **more)


def task(sitting, *sources, **more):
    return sitting.rolled("task", *sources, attribute="attribute.might", dc=10, **more)


def test_grace_is_an_attribute_too():
    assert table().shows("task", attribute="grace", dc=10).bonus == 1


@pytest.mark.parametrize(
    ("check", "targets", "params", "code"),
    [
        ("task", (), {"attribute": "attribute.wits", "dc": 10}, Code.ACTOR_NUMBER_MISSING),
        ("task", (), {"attribute": "might", "dc": 10}, Code.ROLL_BAD_PARAMETER),
        ("task", (), {"attribute": "attribute.might"}, Code.ROLL_BAD_PARAMETER),
        ("task", ("foe",), {"attribute": "attribute.might", "dc": 10}, Code.ROLL_NO_TARGETS),
        ("attack", (), {"attack": "axe"}, Code.ROLL_TARGET_NEEDED),
        ("attack", ("foe",), {"attack": "bow"}, Code.ROLL_BAD_PARAMETER),
        ("attack", ("foe",), {}, Code.ROLL_BAD_PARAMETER),
        ("parry", (), {}, Code.ROLL_UNKNOWN_CHECK),
    ],
)
def test_what_does_not_fit_is_refused(check, targets, params, code):
    with pytest.raises(Refusal) as refused:
        table().rolled(check, targets=targets, **params)
    assert refused.value.code is code


def test_a_target_without_grace_is_named():
    sitting = table()
    sitting.actor("foe", side="opposition")
    with pytest.raises(Refusal) as refused:
        attack(sitting)
    assert refused.value.values == {"actor": "foe", "number": "grace"}


@pytest.mark.parametrize(
    ("values", "attacks"),
    [
        ({"luck": 1}, ()),
        ({"grace": 100}, ()),
        ({"attribute": 1}, ()),
        ({"grace": 1}, (AXE, AXE)),
        ({"grace": 1}, (Attack(id="axe", name="Axe", attribute="luck"),)),
        ({"grace": 1}, (Attack(id="axe", name="Axe", attribute="grace", against="grace"),)),
    ],
)
def test_numbers_of_another_game_are_refused(values, attacks):
    from msgspec.structs import replace

    with pytest.raises(Refusal) as refused:
        public_d20.RULESET.validate_numbers(replace(numbers(**values), attacks=attacks))
    assert refused.value.code is Code.ACTOR_BAD_NUMBER


# --- statuses ---------------------------------------------------------------------------------------------------
def test_statuses_are_listed_with_what_became_of_them():
    sitting = table([5, 9])
    sitting.condition("hero", "hidden")
    sitting.condition("hero", "slowed")
    sitting.condition("hero", "shaken")
    sitting.condition("foe", "exposed", 2)
    sitting.condition("foe", "guard")
    rolled = attack(sitting, boon("flanking"))
    assert whys(rolled) == {
        "hidden": "counts",
        "slowed": "cancels",
        "shaken": "cancels",
        "exposed": "cancels",
        "guard": "cancels",
        "flanking": "cancels",
    }
    assert (rolled.result.boons, rolled.result.banes, rolled.result.net) == (4, 3, 1)


def test_on_a_task_attack_statuses_are_listed_as_not_of_this_check():
    sitting = table([5])
    sitting.condition("hero", "hidden")
    sitting.condition("hero", "bolstered", 2)
    rolled = task(sitting, boon("flanking"))
    assert set(whys(rolled).values()) == {"not_this_check"}
    assert rolled.result.net == 0
    assert sitting.held("hero", "bolstered") == 2


@pytest.mark.rule("B-16", "B-17")
def test_slowed_and_shaken_count_on_tasks_unless_the_table_says_otherwise():
    for option, net in ((True, -2), (False, 0)):
        sitting = table(status_banes_on_tasks=option)
        sitting.condition("hero", "slowed")
        sitting.condition("hero", "shaken")
        assert sitting.shows("task", attribute="attribute.might", dc=10).net == net


def test_a_mark_helps_its_makers_side_and_not_the_other():
    sitting = table()
    sitting.condition("foe", "marked", by="friend", by_side="party")
    assert sitting.shows("attack", attack="axe", targets=("foe",)).net == 1
    sitting.condition("hero", "marked", by="hero", by_side="party")
    assert sitting.shows("attack", actor="foe", attack="axe", targets=("hero",)).net == 0


def test_a_mark_without_a_maker_helps_whoever_is_not_on_the_targets_side():
    sitting = table()
    sitting.condition("foe", "marked")
    assert sitting.shows("attack", attack="axe", targets=("foe",)).net == 1
    sitting.actor("traitor", side="opposition", attribute__might=0, attacks=(AXE,))
    assert sitting.shows("attack", actor="traitor", attack="axe", targets=("foe",)).net == 0


def test_several_marks_are_one_boon_unless_they_stack():
    for stacks, net, second in ((False, 1, "one_at_most"), (True, 2, "counts")):
        sitting = table(marked_stacks=stacks)
        sitting.condition("foe", "marked", by="hero", by_side="party")
        sitting.condition("foe", "marked", by="friend", by_side="party")
        row = sitting.shows("attack", attack="axe", targets=("foe",))
        assert row.net == net
        assert [source.why for source in row.sources] == ["counts", second]


def test_the_marker_still_gains_from_another_ones_mark():
    sitting = table(marked_scope="not_the_marker")
    sitting.condition("foe", "marked", by="hero", by_side="party")
    sitting.condition("foe", "marked", by="friend", by_side="party")
    row = sitting.shows("attack", attack="axe", targets=("foe",))
    assert [source.why for source in row.sources] == ["not_this_check", "counts"]


def test_who_set_the_mark_and_on_which_side_is_kept_with_it():
    sitting = table()
    sitting.hold("foe", "marked", 1, by="friend")
    (held,) = sitting.state.actors["foe"].conditions
    assert (held.by, held.by_side) == ("friend", "party")
    assert sitting.shows("attack", attack="axe", targets=("foe",)).net == 1
    sitting.actor("mule", side="neutral", attribute__might=0, attacks=(AXE,))
    assert sitting.shows("attack", actor="mule", attack="axe", targets=("foe",)).net == 0


@pytest.mark.parametrize(("stacks", "net"), [(False, 1), (True, 3)])
def test_an_amount_of_one_mark(stacks, net):
    sitting = table(marked_stacks=stacks)
    sitting.hold("foe", "marked", 3, by="friend")
    assert sitting.shows("attack", attack="axe", targets=("foe",)).net == net


def test_exposed_counts_a_boon_a_stack_whoever_gave_it_and_ones_own_does_not_matter():
    sitting = table()
    sitting.hold("foe", "exposed", 2)
    sitting.hold("foe", "exposed", 1, by="friend")
    sitting.hold("hero", "exposed", 4)
    row = sitting.shows("attack", attack="axe", targets=("foe",))
    assert (row.net, [(line.amount, line.origin) for line in row.sources]) == (3, [(2, ""), (1, "friend")])
    assert sitting.shows("task", attribute="attribute.might", dc=10).sources == ()


@pytest.mark.rule("X-B7")
@pytest.mark.parametrize("status", ["hidden", "guard", "slowed", "shaken"])
def test_what_one_has_or_has_not_is_one_whoever_gave_it(status):
    sitting = table()
    bearer = "foe" if status == "guard" else "hero"
    for by in (None, "friend", "foe"):
        sitting.hold(bearer, status, 1, by=by)
    row = sitting.shows("attack", attack="axe", targets=("foe",))
    assert (abs(row.net), len(row.sources)) == (1, 1)


def test_guard_and_marks_are_a_matter_of_attacks():
    sitting = table()
    for bearer in ("hero", "foe"):
        sitting.hold(bearer, "guard", 1)
        sitting.hold(bearer, "marked", 1)
        sitting.hold(bearer, "exposed", 1)
    assert sitting.shows("task", attribute="attribute.might", dc=10).net == 0


@pytest.mark.rule("B-15", "B-04")
def test_flanking_counts_on_attacks_only_whether_named_or_granted():
    sitting = table([5, 9, 5])
    sitting.grant("hero", "boon", "flanking")
    sitting.grant("hero", "boon", "far side", kind="flanking")
    # What stands already is not another source for being named again (I-25).
    assert sitting.shows("attack", boon("flanking"), attack="axe", targets=("foe",)).net == 2
    assert sitting.shows("attack", boon("near side", kind="flanking"), attack="axe", targets=("foe",)).net == 3
    rolled = task(sitting, boon("flanking"))
    assert rolled.result.net == 0
    assert set(whys(rolled).values()) == {"not_this_check"}


@pytest.mark.rule("B-10", "B-15")
def test_every_helper_is_a_boon_of_his_own():
    assert public_d20.RULESET.assist == "assist"
    sitting = table()
    sitting.grant("hero", "boon", "assist", kind="assist", origin="friend")
    sitting.grant("hero", "boon", "assist", kind="assist", origin="other friend")
    assert sitting.shows("task", attribute="attribute.might", dc=10).net == 2


def test_statuses_say_what_they_do_and_where_it_matters_who_gave_them():
    conditions = public_d20.RULESET.info(public_d20.Options()).conditions
    assert [spec.key for spec in conditions if spec.giver] == ["marked"]
    assert {spec.key for spec in conditions if spec.counted} == {"bolstered", "exposed", "marked"}
    assert all(spec.help and spec.luck == "never" and not spec.of for spec in conditions)


# --- the Stagger Window (B-27) ----------------------------------------------------------------------------------
def test_the_stagger_window_is_a_switch_for_everybody_to_see():
    sitting = table()
    assert sitting.act("stagger_window", open=True) == (MarkSet(mark="stagger_window", value=True),)
    assert sitting.state.marks == {"stagger_window": True}
    assert sitting.act("stagger_window", open=False) == (MarkSet(mark="stagger_window", value=False),)
    assert sitting.state.marks == {"stagger_window": False}


def test_the_stagger_window_does_nothing_to_dice():
    sitting = table()
    before = sitting.shows("attack", boon("song"), attack="axe", targets=("foe",))
    sitting.act("stagger_window", open=True)
    assert sitting.shows("attack", boon("song"), attack="axe", targets=("foe",)) == before


@pytest.mark.parametrize(
    ("verb", "args", "code"),
    [
        ("stagger_window", {}, Code.ROLL_BAD_PARAMETER),
        ("stagger_window", {"open": "yes"}, Code.ROLL_BAD_PARAMETER),
        ("stagger_window", {"open": 1}, Code.ROLL_BAD_PARAMETER),
        ("stagger_window", {"open": True, "for": 2}, Code.ROLL_UNKNOWN_PARAMETER),
        ("give_boon", {}, Code.VERB_UNKNOWN),
    ],
)
def test_a_move_that_does_not_fit_is_refused(verb, args, code):
    sitting = table()
    with pytest.raises(Refusal) as refused:
        sitting.act(verb, **args)
    assert (refused.value.code, sitting.state.marks) == (code, {})


@pytest.mark.rule("B-27", "B-28")
def test_the_window_is_the_gms_and_reminds_of_helping():
    with pytest.raises(Refusal) as refused:
        table().act("stagger_window", by="anna", role="player", open=True)
    assert refused.value.code is Code.ROLE_FORBIDDEN
    with pytest.raises(Refusal) as refused:
        public_d20.RULESET.decide_verb(table().state, "sing", {})
    assert refused.value.code is Code.VERB_UNKNOWN
    (mark,) = public_d20.RULESET.info(public_d20.Options()).marks
    assert "help" in mark.help


# --- banks and one-use grants -----------------------------------------------------------------------------------
def test_bolstered_goes_with_the_swing_even_when_cancelled():
    sitting = table([9])
    sitting.condition("hero", "bolstered", 1)
    sitting.condition("foe", "guard")
    rolled = attack(sitting)
    assert whys(rolled) == {"bolstered": "cancels", "guard": "cancels"}
    assert rolled.effects == (ConditionChanged(actor="hero", condition="bolstered", change=-1, now=0),)
    assert sitting.held("hero", "bolstered") == 0


def test_what_is_spent_is_everything_that_was_saved_whoever_gave_it():
    sitting = table([9, 4, 11, 2])
    sitting.hold("hero", "bolstered", 1, by="friend")
    sitting.hold("hero", "bolstered", 2)
    rolled = attack(sitting)
    assert [(line.amount, line.origin, line.why) for line in rolled.sources] == [(1, "friend", "counts"), (2, "", "counts")]
    assert (rolled.result.net, rolled.result.total) == (3, 13)
    assert rolled.effects == (ConditionChanged(actor="hero", condition="bolstered", change=-3, now=0),)
    assert sitting.state.actors["hero"].conditions == ()


def test_a_task_spends_the_bank_only_where_any_roll_may():
    for scope, net, left in (("attacks", 0, 2), ("any_roll", 2, 0)):
        sitting = table([9, 4, 11], bolstered_scope=scope)
        sitting.hold("hero", "bolstered", 2)
        assert (task(sitting).result.net, sitting.held("hero", "bolstered")) == (net, left)


def test_a_hidden_roll_may_not_use_up_what_others_could_still_use():
    sitting = table([9], **FREE)
    sitting.condition("hero", "bolstered", 2)
    sitting.grant("hero", "boon", "song", when="next_roll")
    rolled = attack(sitting, mode="gm")
    assert whys(rolled) == {"bolstered": "open_rolls_only", "song": "open_rolls_only"}
    assert (rolled.result.net, rolled.effects) == (0, ())
    assert sitting.held("hero", "bolstered") == 2
    assert len(sitting.state.actors["hero"].grants) == 1


def test_a_switched_off_bank_stays_in_the_bank():
    sitting = table([9])
    sitting.condition("hero", "bolstered", 2)
    rolled = attack(sitting, off=("bolstered",))
    assert whys(rolled) == {"bolstered": "switched_off"}
    assert sitting.held("hero", "bolstered") == 2


def test_one_use_grants_are_for_attacks_and_tasks_alike_and_go_once():
    sitting = table([4, 9, 7])
    sitting.grant("hero", "boon", "song", when="next_roll")
    events = sitting.roll("task", attribute="attribute.might", dc=10)
    assert [event.grant for event in events if isinstance(event, GrantSpent)] == [events[0].sources[0].grant]
    assert task(sitting).result.net == 0


def test_two_grants_of_the_same_name_add():
    sitting = table()
    sitting.grant("hero", "boon", "battle cry", origin="friend")
    sitting.grant("hero", "boon", "battle cry", origin="other friend")
    assert sitting.shows("task", attribute="attribute.might", dc=10).net == 2


# --- effects ----------------------------------------------------------------------------------------------------
def test_a_fumble_exposes_the_roller_until_the_own_next_activation():
    sitting = table([1])
    rolled = attack(sitting)
    expected = ConditionChanged(actor="hero", condition="exposed", change=1, now=1, until="start_of_own_activation")
    assert rolled.effects == (expected,)
    (held,) = sitting.state.actors["hero"].conditions
    assert (held.key, held.amount, held.fumbled) == ("exposed", 1, 1)


def test_a_fumbles_own_stacks_are_kept_apart_from_others():
    sitting = table([1])
    sitting.condition("hero", "exposed", 2)
    rolled = attack(sitting)
    assert rolled.effects[0].now == 3
    (held,) = sitting.state.actors["hero"].conditions
    assert (held.amount, held.fumbled) == (3, 1)


def test_what_a_fumble_brings_comes_after_what_was_spent():
    sitting = table([1, 1])
    sitting.condition("hero", "bolstered", 1)
    rolled = attack(sitting)
    assert [(effect.condition, effect.change) for effect in rolled.effects] == [("bolstered", -1), ("exposed", 1)]


@pytest.mark.rule("B-23", "X-B1")
def test_crits_do_what_the_attack_says_once_each():
    sitting = table([20, 20, 3])
    rolled = attack(sitting, boon("high ground", 2))
    assert rolled.effects == (OnCritApplied(name="Sunder", times=2, amount=4),)
    assert [die.mark for die in rolled.result.dice] == ["crit", "crit", ""]


def test_a_crit_without_a_hit_has_nothing_to_ride_on():
    sitting = table([20])
    sitting.actor("foe", side="opposition", grace=50)
    rolled = attack(sitting)
    assert (rolled.result.outcome, rolled.result.crits, rolled.effects) == ("failure", 0, ())
    assert rolled.result.dice[0].mark == ""


def test_one_swing_at_two_targets_spends_the_bank_once_and_helps_against_both():
    sitting = table([4, 15, 1, 1])
    sitting.condition("hero", "bolstered", 1)
    events = sitting.roll("attack", attack="axe", targets=("foe", "other"))
    first, second = (event for event in events if isinstance(event, CheckRolled))
    assert (first.result.net, second.result.net) == (1, 1)
    assert first.effects == (ConditionChanged(actor="hero", condition="bolstered", change=-1, now=0),)
    assert [effect.condition for effect in second.effects] == ["exposed"]


@pytest.mark.rule("B-01")
def test_public_means_public():
    with pytest.raises(Refusal) as refused:
        task(table([9]), mode="gm")
    assert refused.value.code is Code.ROLL_MODE


def test_defense_is_as_secret_as_the_targets_numbers():
    sitting = table([9])
    assert attack(sitting).rolled.target is None
    assert task(table([9])).rolled.target == 10
