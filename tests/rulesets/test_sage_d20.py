"""Sage d20 beyond the worked examples: afflictions, sources from everywhere, what resists."""

import pytest

from boonbridge.rulesets import sage_d20
from boonbridge.rulesets.base import PlainRoll
from boonbridge_schemas.checks import Attack
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import ConditionEnded
from boonbridge_schemas.grants import HeldCondition
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


@pytest.mark.rule("C-06", "C-07")
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


@pytest.mark.rule("C-P2")
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
@pytest.mark.rule("C-11")
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


# --- afflictions (C-12, C-P3) -----------------------------------------------------------------------------------
OWN = {
    # banes on rolls with Strength, Agility, Intellect, Will, and on luck rolls
    "blinded": (0, 0, 0, 0, 0),  # three, when somebody says so
    "confused": (0, 0, 1, 1, 0),
    "controlled": (0, 0, 0, 0, 0),
    "cursed": (0, 0, 0, 0, 1),
    "deafened": (0, 0, 0, 0, 0),
    "frightened": (1, 1, 1, 1, 0),
    "held": (0, 0, 0, 0, 0),
    "impaired.strength": (1, 0, 0, 0, 0),
    "impaired.agility": (0, 1, 0, 0, 0),
    "impaired.intellect": (0, 0, 1, 0, 0),
    "impaired.will": (0, 0, 0, 1, 0),
    "on_fire": (0, 0, 0, 0, 0),
    "poisoned": (1, 1, 1, 1, 0),
    "prone": (0, 0, 0, 0, 0),
    "slowed": (0, 0, 0, 0, 0),
    "stunned": (2, 2, 2, 2, 0),
    "unconscious": (0, 0, 0, 0, 0),  # they fail, whatever the dice
    "vulnerable": (0, 0, 0, 0, 0),
    "weakened": (1, 1, 0, 0, 0),
    "bored": (0, 0, 0, 0, 0),
}
AGAINST = {
    # boons to rolls against Defense in melee, at range, against Strength, Agility, Intellect, Will
    "blinded": (0, 0, 0, 0, 0, 0),
    "confused": (0, 0, 0, 0, 0, 0),
    "controlled": (0, 0, 0, 0, 0, 0),
    "cursed": (0, 0, 0, 0, 0, 0),
    "deafened": (0, 0, 0, 0, 0, 0),
    "frightened": (1, 1, 1, 1, 1, 1),
    "held": (0, 0, 0, 0, 0, 0),  # those against its Agility succeed, whatever the dice
    "impaired.strength": (0, 0, 1, 0, 0, 0),
    "impaired.agility": (0, 0, 0, 1, 0, 0),
    "impaired.intellect": (0, 0, 0, 0, 1, 0),
    "impaired.will": (0, 0, 0, 0, 0, 1),
    "on_fire": (0, 0, 0, 0, 0, 0),
    "poisoned": (1, 1, 1, 1, 1, 1),
    "prone": (1, -1, 0, 0, 0, 0),
    "slowed": (0, 0, 0, 0, 0, 0),
    "stunned": (2, 2, 2, 2, 2, 2),
    "unconscious": (3, 3, 3, 3, 3, 3),
    "vulnerable": (1, 1, 1, 1, 1, 1),
    "weakened": (0, 0, 1, 1, 0, 0),
    "bored": (0, 0, 0, 0, 0, 0),
}
ATTRIBUTES = ("strength", "agility", "intellect", "will")


def conditions():
    return {spec.key: spec for spec in sage_d20.RULESET.info(sage_d20.Options()).conditions}


def test_every_affliction_of_the_rules_is_checked_here():
    about = {key.partition(".")[0] for key in OWN} - {"bored"}
    assert set(OWN) == set(AGAINST)
    assert set(conditions()) == about
    assert {spec.key: [each.value for each in spec.of] for spec in conditions().values() if spec.of} == {
        "impaired": list(ATTRIBUTES)
    }


@pytest.mark.rule("C-P3")
@pytest.mark.parametrize(("affliction", "banes"), OWN.items())
def test_banes_on_own_rolls(affliction, banes):
    sitting = table()
    sitting.condition("hero", affliction)
    rolls = [sitting.shows("attribute", attribute=key) for key in ATTRIBUTES]
    assert tuple(-row.net for row in (*rolls, sitting.shows("luck"))) == banes


@pytest.mark.rule("C-P3")
@pytest.mark.parametrize(("affliction", "boons"), AGAINST.items())
def test_boons_to_rolls_against_it(affliction, boons):
    sitting = table()
    sitting.condition("foe", affliction)
    attacks = [net_against_foe(sitting, attack=attack) for attack in ("spear", "bow")]
    others = [net_against_foe(sitting, "against", attribute="will", against=key) for key in ATTRIBUTES]
    assert (*attacks, *others) == boons


@pytest.mark.parametrize("key", [key for key in OWN if key != "bored"])
def test_every_affliction_can_be_set_and_says_what_it_does(key):
    sitting = table()
    sitting.hold("hero", key, 1)
    assert sitting.held("hero", key) == 1
    spec = conditions()[key.partition(".")[0]]
    assert (spec.tone, spec.counted, spec.giver) == ("bad", False, False)
    assert 10 < len(spec.help) <= 120


@pytest.mark.parametrize("key", ["impaired", "impaired.luck", "poisoned.strength", "bored", "marked"])
def test_what_is_no_affliction_cannot_be_set(key):
    with pytest.raises(Refusal) as refused:
        table().hold("hero", key, 1)
    assert refused.value.code is Code.CONDITION_UNKNOWN


def test_the_help_says_what_dice_cannot():
    """Facts of the table that no roll shows: somebody has to remember them."""
    said = {key: spec.help for key, spec in conditions().items()}
    for word, keys in {
        "No reactions": ("confused", "prone"),
        "No actions": ("stunned", "unconscious"),
        "Speed 0": ("held", "stunned"),
        "half Speed": ("blinded",),
        "Half Speed": ("weakened",),
        "1d6": ("on_fire", "poisoned"),
        "luck": ("on_fire", "cursed"),
        "prone first": ("on_fire",),
        "in sight": ("frightened",),
        "ranged ones a bane": ("prone",),
        "Nothing changes for its dice": ("controlled", "deafened", "slowed"),
    }.items():
        for key in keys:
            assert word in said[key], (word, key)


# --- the end of a round, and luck (C-P2) ------------------------------------------------------------------------
def test_fire_and_poison_roll_by_themselves():
    for key in (key for key in OWN if key not in ("on_fire", "poisoned")):
        assert sage_d20.RULESET.end_of_round(HeldCondition(key=key)) is None, key
    assert sage_d20.RULESET.end_of_round(HeldCondition(key="on_fire")) == PlainRoll("1d6", "On fire", "damage")
    assert sage_d20.RULESET.end_of_round(HeldCondition(key="poisoned", by="foe")) == PlainRoll("1d6", "Poisoned", "damage")


def test_only_fire_always_waits_for_luck_and_lying_down_never():
    luck = {key: spec.luck for key, spec in conditions().items()}
    assert [key for key, when in luck.items() if when == "always"] == ["on_fire"]
    assert [key for key, when in luck.items() if when == "never"] == ["prone"]
    with pytest.raises(Refusal) as refused:
        table().until_luck("hero", "prone")
    assert refused.value.code is Code.CONDITION_NO_LUCK
    sitting = table()
    sitting.hold("hero", "on_fire", 1)
    sitting.hold("hero", "stunned", 1)
    assert [held.luck_ends for held in sitting.state.actors["hero"].conditions] == [True, False]


@pytest.mark.parametrize(("face", "ends"), [(10, True), (9, False), (20, True), (1, False)])
def test_a_luck_roll_that_succeeds_ends_what_it_was_rolled_for(face, ends):
    sitting = table([face])
    sitting.hold("hero", "on_fire", 1)
    sitting.hold("hero", "stunned", 1)
    rolled = sitting.rolled("luck", ends="on_fire")
    assert rolled.effects == ((ConditionEnded(actor="hero", condition="on_fire"),) if ends else ())
    assert sitting.held("hero", "on_fire") == (0 if ends else 1)
    assert sitting.held("hero", "stunned") == 1


def test_of_two_instances_it_ends_the_one_it_was_rolled_for():
    sitting = table([15])
    for by in ("foe", "hero"):
        sitting.until_luck("hero", "poisoned", by=by)
    rolled = sitting.rolled("luck", ends=("poisoned", "foe"))
    assert rolled.effects == (ConditionEnded(actor="hero", condition="poisoned", by="foe"),)
    assert [held.by for held in sitting.state.actors["hero"].conditions] == ["hero"]


def test_luck_for_nothing_in_particular_ends_nothing():
    sitting = table([20])
    sitting.hold("hero", "on_fire", 1)
    assert sitting.rolled("luck").effects == ()
    assert sitting.held("hero", "on_fire") == 1


def test_what_is_not_held_or_not_for_luck_to_end_is_not_ended():
    sitting = table([20])
    sitting.until_luck("hero", "poisoned", by="foe")
    sitting.hold("hero", "stunned", 1)
    for ends in ("on_fire", "poisoned", ("poisoned", "hero"), "stunned"):
        with pytest.raises(Refusal) as refused:
            sitting.rolled("luck", ends=ends)
        assert (refused.value.code, sitting.dice.drawn) == (Code.ROLL_ENDS_NOTHING, 0)


def test_the_cursed_have_a_bane_on_luck():
    sitting = table([12, 3])
    sitting.hold("hero", "cursed", 1)
    sitting.hold("hero", "on_fire", 1)
    rolled = sitting.rolled("luck", ends="on_fire")
    assert (rolled.result.net, rolled.result.total, rolled.effects) == (-1, 9, ())


def test_dropping_prone_first_helps_to_put_out_the_fire_and_with_nothing_else():
    sitting = table([8, 2, 8, 8])
    sitting.hold("hero", "on_fire", 1)
    sitting.until_luck("hero", "stunned")
    dropped = boon("dropped_prone")
    assert sitting.rolled("luck", dropped, ends="on_fire").effects == (ConditionEnded(actor="hero", condition="on_fire"),)
    elsewhere = (
        sitting.rolled("luck", dropped, ends="stunned"),
        sitting.rolled("attribute", dropped, attribute="will", off=("stunned",)),
    )
    for rolled in elsewhere:
        assert (rolled.result.net, whys(rolled)["dropped_prone"]) == (0, "not_this_check")
    assert sitting.shows("luck", dropped).net == 1
    assert "dropped_prone" in [each.id for each in sage_d20.RULESET.circumstances]


def test_help_is_one_source_however_many_help():
    assert (sage_d20.RULESET.assist, sage_d20.RULESET.luck) == ("aid", "luck")
    sitting = table()
    sitting.grant("hero", "boon", "aid", kind="assist", origin="one")
    sitting.grant("hero", "boon", "aid", kind="assist", origin="another")
    assert sitting.shows("attribute", attribute="will").net == 1


# --- what afflictions look like ---------------------------------------------------------------------------------
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
