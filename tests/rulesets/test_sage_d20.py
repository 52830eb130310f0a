"""Sage d20 beyond the worked examples: afflictions, sources from everywhere, what resists."""

import pytest

from boonbridge.rulesets import sage_d20
from boonbridge_schemas.checks import Attack
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, bane, boon, whys

SPEAR = Attack(id="spear", name="Spear", attribute="strength", tags=("melee",))
BOW = Attack(id="bow", name="Bow", attribute="agility", tags=("ranged",))
HEX = Attack(id="hex", name="Hex", attribute="will", against="will", tags=("spell",))


def table(faces=(), **options):
    sitting = Sitting(sage_d20.RULESET, faces, **options)
    sitting.actor("hero", strength=12, agility=11, intellect=10, will=9, attacks=(SPEAR, BOW, HEX))
    sitting.actor("foe", side="opposition", strength=13, agility=8, intellect=10, will=15, defense=14)
    return sitting


def net_against_foe(sitting, check="attack", **params):
    return sitting.shows(check, targets=("foe",), **params).net


@pytest.mark.parametrize(
    ("check", "params", "target", "bonus"),
    [
        ("attack", {"attack": "spear"}, 14, 2),
        ("attack", {"attack": "hex"}, 15, -1),
        ("against", {"attribute": "intellect", "against": "agility"}, 8, 0),
        ("against", {"attribute": "agility", "against": "defense"}, 14, 1),
    ],
)
def test_what_resists_is_on_the_targets_sheet(check, params, target, bonus):
    row = table().shows(check, targets=("foe",), **params)
    assert (row.target, row.bonus) == (target, bonus)


def test_nobody_resists_unless_somebody_does():
    assert table().shows("attribute", attribute="will").target == 10
    assert table(default_tn=13).shows("attribute", attribute="will").target == 13
    assert table(default_tn=13).shows("attribute", attribute="will", tn=7).target == 7


def test_luck_is_a_bare_d20_against_10_at_every_table():
    row = table(default_tn=13).shows("luck")
    assert (row.target, row.bonus, [die.sides for die in row.dice]) == (10, 0, [20])


def test_a_target_without_armour_has_natural_defense():
    sitting = table()
    sitting.actor("foe", side="opposition")
    assert sitting.shows("attack", targets=("foe",), attack="spear").target == 10


def test_a_missing_score_is_named():
    sitting = table()
    sitting.actor("foe", side="opposition")
    with pytest.raises(Refusal) as refused:
        sitting.shows("against", targets=("foe",), attribute="will", against="agility")
    assert (refused.value.code, refused.value.values) == (Code.ACTOR_NUMBER_MISSING, {"actor": "foe", "number": "agility"})


@pytest.mark.parametrize("params", [{"attribute": "defense"}, {"attribute": "luck"}, {}, {"attribute": 3}])
def test_one_rolls_with_one_of_the_four_attributes(params):
    with pytest.raises(Refusal) as refused:
        table().shows("attribute", **params)
    assert refused.value.code is Code.ROLL_BAD_PARAMETER


def test_the_form_proposes_the_tables_own_default():
    checks = {spec.key: spec for spec in sage_d20.RULESET.info(sage_d20.Options(default_tn=13)).checks}
    assert [param.default for param in checks["attribute"].params if param.key == "tn"] == [13]


# --- one source, once -------------------------------------------------------------------------------------------
def test_claim_and_grant_of_the_same_source_are_one():
    sitting = table()
    sitting.grant("hero", "boon", "spell:bless")
    row = sitting.shows("attribute", boon("spell:bless", 2), attribute="will")
    assert row.net == 2
    assert [(source.grant is None, source.why) for source in row.sources] == [(False, "same_source"), (True, "counts")]


def test_of_equal_counts_the_first_counts():
    row = table().shows("attribute", boon("spell:bless", origin="P"), boon("spell:bless", origin="Q"), attribute="will")
    assert [source.why for source in row.sources] == ["counts", "same_source"]


def test_a_boon_and_a_bane_of_one_source_are_two_sources():
    row = table().shows("attribute", boon("wine"), bane("wine"), attribute="will")
    assert (row.boons, row.banes, row.net) == (1, 1, 0)


@pytest.mark.parametrize(("reading", "net"), [("per_affliction", -1), ("per_instance", -2)])
def test_two_instances_of_an_affliction(reading, net):
    sitting = table(affliction_source=reading)
    sitting.condition("hero", "poisoned", by="foe")
    sitting.condition("hero", "poisoned", by="trap")
    assert sitting.shows("attribute", attribute="will").net == net


def test_what_cancels_is_eaten_from_the_end():
    row = table().shows("attribute", boon("A", 2), boon("B", 2), bane("C", 3), attribute="will")
    assert [source.why for source in row.sources] == ["counts", "cancels", "cancels"]
    assert row.net == 1


# --- afflictions ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("affliction", "nets"),
    [
        # on Strength, Agility, Intellect, Will, luck
        ("confused", (0, 0, -1, -1, 0)),
        ("cursed", (0, 0, 0, 0, -1)),
        ("frightened", (-1, -1, -1, -1, 0)),
        ("impaired.intellect", (0, 0, -1, 0, 0)),
        ("poisoned", (-1, -1, -1, -1, 0)),
        ("stunned", (-2, -2, -2, -2, 0)),
        ("weakened", (-1, -1, 0, 0, 0)),
        ("blinded", (0, 0, 0, 0, 0)),
        ("slowed", (0, 0, 0, 0, 0)),
        ("deafened", (0, 0, 0, 0, 0)),
        ("controlled", (0, 0, 0, 0, 0)),
        ("on_fire", (0, 0, 0, 0, 0)),
        ("vulnerable", (0, 0, 0, 0, 0)),
        ("prone", (0, 0, 0, 0, 0)),
        ("bored", (0, 0, 0, 0, 0)),
    ],
)
def test_banes_on_own_rolls(affliction, nets):
    sitting = table()
    sitting.condition("hero", affliction)
    rolls = [sitting.shows("attribute", attribute=key) for key in ("strength", "agility", "intellect", "will")]
    assert tuple(row.net for row in (*rolls, sitting.shows("luck"))) == nets


@pytest.mark.parametrize(
    ("affliction", "nets"),
    [
        # against Defense in melee, at range, against Strength, Agility, Will
        ("frightened", (1, 1, 1, 1, 1)),
        ("impaired.agility", (0, 0, 0, 1, 0)),
        ("poisoned", (1, 1, 1, 1, 1)),
        ("prone", (1, -1, 0, 0, 0)),
        ("stunned", (2, 2, 2, 2, 2)),
        ("unconscious", (3, 3, 3, 3, 3)),
        ("vulnerable", (1, 1, 1, 1, 1)),
        ("weakened", (0, 0, 1, 1, 0)),
        ("confused", (0, 0, 0, 0, 0)),
        ("cursed", (0, 0, 0, 0, 0)),
        ("bored", (0, 0, 0, 0, 0)),
    ],
)
def test_boons_to_rolls_against_it(affliction, nets):
    sitting = table()
    sitting.condition("foe", affliction)
    attacks = [net_against_foe(sitting, attack=attack) for attack in ("spear", "bow")]
    others = [net_against_foe(sitting, "against", attribute="will", against=key) for key in ("strength", "agility", "will")]
    assert (*attacks, *others) == nets


def test_the_labels_say_whose_affliction_it_is():
    sitting = table()
    sitting.condition("hero", "impaired.will")
    sitting.condition("foe", "stunned")
    row = sitting.shows("against", targets=("foe",), attribute="will", against="will")
    assert [source.label for source in row.sources] == ["Will impaired", "Target stunned"]


def test_being_blinded_is_offered_and_counts_when_named():
    sitting = table()
    sitting.condition("hero", "blinded")
    row = sitting.shows("attribute", attribute="will")
    assert [(source.amount, source.applies, source.why) for source in row.sources] == [(3, False, "offered")]
    row = sitting.shows("attribute", bane("blinded", 3), attribute="will")
    assert (row.net, [source.why for source in row.sources]) == (-3, ["counts"])


# --- certain results --------------------------------------------------------------------------------------------
def test_rolls_against_the_agility_of_someone_held_succeed_without_dice():
    sitting = table([])
    sitting.condition("foe", "held")
    rolled = sitting.rolled("against", targets=("foe",), attribute="will", against="agility")
    assert (rolled.result.outcome, rolled.result.success, rolled.result.dice) == ("success", True, ())
    assert whys(rolled) == {"held": "automatic_success"}
    assert rolled.odds is None
    assert sitting.shows("against", targets=("foe",), attribute="will", against="will").dice != ()


def test_the_unconscious_fail_even_against_someone_held():
    sitting = table([])
    sitting.condition("foe", "held")
    sitting.condition("hero", "unconscious")
    rolled = sitting.rolled("against", targets=("foe",), attribute="will", against="agility")
    assert rolled.result.outcome == "failure"


def test_a_certain_result_is_shown_as_certain():
    sitting = table()
    sitting.condition("hero", "unconscious")
    row = sitting.shows("attribute", attribute="will", tn=1)
    assert (row.odds.success, row.odds.critical, row.odds.worst, row.dice) == ("0/1", "0/1", "0/1", ())


def test_a_gm_may_say_that_it_does_not_apply_this_time():
    sitting = table([12])
    sitting.condition("hero", "unconscious")
    rolled = sitting.rolled("attribute", attribute="will", off=("unconscious",))
    assert (rolled.result.total, rolled.result.outcome) == (11, "success")


def test_luck_needs_no_consciousness():
    sitting = table([12])
    sitting.condition("hero", "unconscious")
    assert sitting.result("luck").outcome == "success"
