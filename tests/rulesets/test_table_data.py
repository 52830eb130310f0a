"""What a table edits besides its readings: what each game has, what does not fit, and that the rules use it."""

import time

import pytest
from msgspec.structs import replace

from boonbridge.rulesets import group_d12, public_d20, rank_ability, sage_d20
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.checks import Attack, OnCrit
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.tabledata import Amount, Ladder, OwnCircumstance, OwnCondition, Step
from tests.rulesets.sitting import Sitting, boon, faces_of, whys

GAMES = shipped()
by_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def ladder(game, key):
    return {step.value: step.proposed for each in game.table_data().ladders if each.key == key for step in each.steps}


def amounts(game):
    return {each.key: each.value for each in game.table_data().amounts}


# --- what a game has (rules, section 8) -------------------------------------------------------------------------
@pytest.mark.rule("A-26", "D-09", "D-27")
def test_ladders_are_those_of_the_rules_and_say_what_is_proposed():
    assert ladder(rank_ability.RULESET, "tn") == {6: False, 10: False, 14: False, 18: True}
    assert ladder(group_d12.RULESET, "difficulty") == dict.fromkeys((5, 8, 11, 14, 17), True)
    assert ladder(group_d12.RULESET, "challenge") == dict.fromkeys((7, 9, 11, 13), True)
    assert set(ladder(public_d20.RULESET, "dc").values()) == {True}
    assert ladder(sage_d20.RULESET, "tn") == {}
    assert {each.key for each in sage_d20.RULESET.table_data().ladders} == {"tn"}


def test_numbers_of_the_tables_that_are_missing_from_the_rules():
    assert rank_ability.RULESET.table_data().rank_dice == (4, 6, 8, 10, 12, 12)
    data = group_d12.RULESET.table_data()
    assert (data.level_step, data.xp_per_level) == (3, 2)


@pytest.mark.rule("X-B7")
def test_amounts_that_the_rules_leave_open_are_one_each_and_proposed():
    data = public_d20.RULESET.table_data()
    assert amounts(public_d20.RULESET) == dict.fromkeys(("hidden", "flanking", "assist", "slowed", "shaken", "guard"), 1), "X-B7"
    assert all(each.proposed for each in data.amounts)
    assert all("example" in effect.name for effect in data.on_crits)


def test_amounts_of_afflictions_are_those_of_the_public_table():
    assert amounts(sage_d20.RULESET) == {
        "blinded": 3,
        "confused": 1,
        "cursed": 1,
        "frightened": 1,
        "frightened.against": 1,
        "impaired": 1,
        "impaired.against": 1,
        "poisoned": 1,
        "poisoned.against": 1,
        "prone.melee": 1,
        "prone.ranged": 1,
        "stunned": 2,
        "stunned.against": 2,
        "unconscious.against": 3,
        "vulnerable.against": 1,
        "weakened": 1,
        "weakened.against": 1,
    }, "C-P3"
    assert not any(each.proposed for each in sage_d20.RULESET.table_data().amounts)


@by_game
def test_what_a_game_has_is_what_it_accepts_and_shows(game):
    data = game.table_data()
    game.validate_data(data)
    usual = game.info(game.options())
    assert game.info(game.options(), data) == usual
    assert (usual.data, usual.edited, data.ruleset) == (data, False, game.id)
    assert {each.id: each.proposed for each in usual.circumstances} == {each.id: each.proposed for each in data.circumstances}


def test_which_circumstances_are_ours():
    ours = {game.id: {each.id for each in game.table_data().circumstances if each.proposed} for game in GAMES.values()}
    everything = {game.id: {each.id for each in game.table_data().circumstances} for game in GAMES.values()}
    assert ours["rank_ability"] == {"exhausted", "wounded"}
    assert everything["public_d20"] - ours["public_d20"] == {"flanking", "assist", "darkness", "bad_footing"}, "B-15, B-19"
    assert everything["sage_d20"] - ours["sage_d20"] == {"dropped_prone", "blinded"}, "C-P3"
    assert ours["group_d12"] == everything["group_d12"]


# --- what does not fit ------------------------------------------------------------------------------------------
def refusal(game, **parts):
    with pytest.raises(Refusal) as refused:
        game.validate_data(replace(game.table_data(), **parts))
    problem = refused.value
    assert problem.message.endswith(".")
    return problem.code, problem.values


def own(key, **more):
    return OwnCondition(key=key, label=key.title(), **more)


def test_another_games_data_are_refused():
    with pytest.raises(Refusal) as refused:
        group_d12.RULESET.validate_data(sage_d20.RULESET.table_data())
    assert refused.value.code is Code.DATA_OTHER_RULESET
    assert refused.value.values == {"ruleset": "sage_d20", "expected": "group_d12"}


@pytest.mark.parametrize(
    "parts",
    [
        {"ladders": tuple(Ladder(key=f"k{n}") for n in range(65))},
        {"ladders": (Ladder(key="difficulty", steps=tuple(Step(value=n, label="x") for n in range(65))),)},
        {"conditions": tuple(own(f"k{n}") for n in range(65))},
        {"conditions": (own("wet", checks=("skill",) * 65),)},
        {"conditions": (own("wet", implies=("wet",) * 65),)},
        {"circumstances": tuple(OwnCircumstance(id=f"k{n}", label="x", sign="boon") for n in range(65))},
        {"amounts": tuple(Amount(key=f"k{n}", value=1) for n in range(65))},
        {"on_crits": tuple(OnCrit(name=f"x{n}") for n in range(65))},
        {"rank_dice": (6,) * 65},
    ],
    ids=lambda parts: next(iter(parts)),
)
def test_more_than_64_of_a_kind_are_too_many(parts):
    code, values = refusal(group_d12.RULESET, **parts)
    assert (code, values["limit"]) == (Code.DATA_TOO_MANY, 64)


def test_ten_thousand_entries_are_refused_at_once():
    began = time.perf_counter()
    code, _ = refusal(group_d12.RULESET, conditions=tuple(own(f"k{n}", implies=("k0",)) for n in range(10_000)))
    assert code is Code.DATA_TOO_MANY
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("sides", [-6, 0, 1, 2, 3, 5, 7, 100, 2**53])
def test_a_die_that_is_not_there_is_refused(sides):
    code, values = refusal(rank_ability.RULESET, rank_dice=(4, 6, sides, 10, 12, 12))
    assert (code, values["sides"]) == (Code.DATA_BAD_DIE, sides)


@pytest.mark.parametrize("count", [1, 5, 7])
def test_there_is_a_die_for_each_rank(count):
    assert refusal(rank_ability.RULESET, rank_dice=(6,) * count)[0] is Code.DATA_BAD_VALUE


@pytest.mark.parametrize(
    ("game", "parts"),
    [
        (group_d12, {"ladders": (Ladder(key="difficulty", steps=(Step(value=1000, label="x"),)),)}),
        (group_d12, {"ladders": (Ladder(key="difficulty", steps=(Step(value=4, label="  "),)),)}),
        (rank_ability, {"ladders": (Ladder(key="tn", steps=(Step(value=0, label="x"),)),)}),
        (group_d12, {"level_step": 0}),
        (group_d12, {"level_step": -3}),
        (group_d12, {"xp_per_level": 100}),
        (public_d20, {"amounts": (Amount(key="hidden", value=-1),)}),
        (public_d20, {"amounts": (Amount(key="hidden", value=2**53),)}),
        (public_d20, {"on_crits": (OnCrit(name="x", amount=100),)}),
        (public_d20, {"on_crits": (OnCrit(name="x", amount=0),)}),
        (group_d12, {"conditions": (own("wet", own=100),)}),
        (group_d12, {"conditions": (own("wet", against=-(2**53)),)}),
        (group_d12, {"conditions": (own("wet.through"),)}),
        (group_d12, {"conditions": (OwnCondition(key="wet", label=" "),)}),
        (group_d12, {"circumstances": (OwnCircumstance(id="wet", label="", sign="bane"),)}),
    ],
)
def test_a_value_out_of_range_is_refused(game, parts):
    assert refusal(game.RULESET, **parts)[0] is Code.DATA_BAD_VALUE


@pytest.mark.parametrize(
    ("game", "parts", "key"),
    [
        (group_d12, {"ladders": (Ladder(key="tn"),)}, "tn"),
        (group_d12, {"amounts": (Amount(key="hidden", value=1),)}, "amounts"),
        (group_d12, {"on_crits": (OnCrit(name="x"),)}, "onCrits"),
        (group_d12, {"rank_dice": (4, 6, 8, 10, 12, 12)}, "rankDice"),
        (sage_d20, {"level_step": 3}, "levelStep"),
        (sage_d20, {"xp_per_level": 2}, "xpPerLevel"),
        (sage_d20, {"amounts": (Amount(key="sleepy", value=1),)}, "sleepy"),
        (sage_d20, {"conditions": (own("wet", checks=("skill",)),)}, "skill"),
        (sage_d20, {"conditions": (own("wet", attributes=("grace",)),)}, "grace"),
        (sage_d20, {"conditions": (own("wet", implies=("poisoned",)),)}, "poisoned"),
    ],
)
def test_what_nobody_knows_is_refused_by_its_name(game, parts, key):
    code, values = refusal(game.RULESET, **parts)
    assert (code, values["key"]) == (Code.DATA_UNKNOWN, key)


@pytest.mark.parametrize(
    ("game", "parts", "key"),
    [
        (group_d12, {"ladders": (Ladder(key="difficulty"), Ladder(key="difficulty"))}, "difficulty"),
        (group_d12, {"ladders": (Ladder(key="difficulty", steps=(Step(value=4, label="a"), Step(value=4, label="b"))),)}, "4"),
        (group_d12, {"conditions": (own("wet"), own("wet"))}, "wet"),
        (sage_d20, {"conditions": (own("poisoned"),)}, "poisoned"),
        (sage_d20, {"amounts": (Amount(key="cursed", value=1), Amount(key="cursed", value=2))}, "cursed"),
        (public_d20, {"on_crits": (OnCrit(name="x"), OnCrit(name="x"))}, "x"),
        (sage_d20, {"circumstances": (OwnCircumstance(id="wet", label="x", sign="bane"),) * 2}, "wet"),
    ],
)
def test_two_of_one_name_are_refused(game, parts, key):
    code, values = refusal(game.RULESET, **parts)
    assert (code, values["key"]) == (Code.DATA_TWICE, key)


@pytest.mark.parametrize(
    "conditions",
    [
        (own("wet", implies=("wet",)),),
        (own("wet", implies=("cold",)), own("cold", implies=("wet",))),
        (own("a", implies=("b",)), own("b", implies=("c",)), own("c", implies=("d", "b")), own("d")),
    ],
)
def test_conditions_that_imply_themselves_are_refused(conditions):
    assert refusal(group_d12.RULESET, conditions=conditions)[0] is Code.DATA_CYCLE


def test_two_ways_to_one_condition_are_no_circle():
    group_d12.RULESET.validate_data(
        replace(
            group_d12.RULESET.table_data(),
            conditions=(own("a", implies=("b", "c")), own("b", implies=("d",)), own("c", implies=("d",)), own("d")),
        )
    )


# --- the rules use it -------------------------------------------------------------------------------------------
def hero(game, **numbers):
    sitting = Sitting(game.RULESET)
    sitting.actor("hero", **numbers)
    return sitting


def test_a_rank_die_of_the_tables_own():
    sitting = hero(rank_ability, rank=3, str=6)
    assert [die.sides for die in sitting.shows("check", ability="str", tn=10).dice] == [8, 6]
    sitting.edits(rank_dice=(4, 6, 20, 10, 12, 12))
    assert [die.sides for die in sitting.shows("check", ability="str", tn=10).dice] == [20, 6]


def test_a_success_level_of_the_tables_own():
    """14 against 8: six above are level 3 in steps of 3, level 4 in steps of 2."""
    for step, level in ((3, 3), (2, 4), (7, 1)):
        sitting = Sitting(group_d12.RULESET, [11], success_level=True)
        sitting.actor("hero", skill__climb=3)
        if step != 3:
            sitting.edits(level_step=step)
        result = sitting.result("skill", skill="skill.climb", difficulty=8)
        assert [(extra.key, extra.value) for extra in result.extras] == [("level", level)]


@pytest.mark.parametrize(
    ("key", "sign"), [("hidden", 1), ("slowed", -1), ("shaken", -1), ("guard", -1), ("flanking", 1), ("assist", 1)]
)
def test_amounts_of_the_public_pool(key, sign):
    sitting = Sitting(public_d20.RULESET)
    sitting.actor("hero", attribute__might=2, attacks=(Attack(id="axe", name="axe", attribute="attribute.might"),))
    sitting.actor("ogre", side="opposition", grace=3)
    claims = (boon("somebody", kind=key),) if key in ("flanking", "assist") else ()
    if not claims:
        sitting.condition("ogre" if key == "guard" else "hero", key)
    for value in (1, 3, 0):
        sitting.edits(amounts=(Amount(key=key, value=value),))
        assert sitting.shows("attack", *claims, targets=("ogre",), attack="axe").net == sign * value, value


def test_amounts_of_afflictions():
    sitting = hero(sage_d20, strength=12)
    sitting.actor("ogre", side="opposition", strength=10)
    sitting.condition("hero", "stunned")
    sitting.condition("ogre", "vulnerable")
    against = {"attribute": "strength", "against": "strength"}
    assert sitting.shows("against", targets=("ogre",), **against).net == -1
    sitting.edits(amounts=(Amount(key="stunned", value=1), Amount(key="vulnerable.against", value=4)))
    assert sitting.shows("against", targets=("ogre",), **against).net == 3
    sitting.edits(amounts=(Amount(key="stunned", value=0),))
    shown = sitting.shows("against", targets=("ogre",), **against)
    assert (shown.net, whys(shown)["stunned"]) == (1, "nothing")


OWN = (
    OwnCondition(key="blessed", label="Blessed", tone="good", own=2, help="The temple's."),
    OwnCondition(key="tangled", label="Tangled", tone="bad", counted=True, own=-1, against=1),
)


@pytest.mark.parametrize(
    ("game", "numbers", "check", "params", "net"),
    [
        (rank_ability, {"rank": 2, "str": 6}, "check", {"ability": "str", "tn": 10}, 0),
        (public_d20, {"attribute__might": 2}, "task", {"attribute": "attribute.might", "dc": 12}, -1),
        (sage_d20, {"strength": 12}, "attribute", {"attribute": "strength"}, -1),
        (group_d12, {"skill__climb": 2}, "skill", {"skill": "skill.climb", "difficulty": 8}, -1),
    ],
)
def test_conditions_of_the_tables_own_count_in_every_game(game, numbers, check, params, net):
    """Two Boons for a blessing and three Banes for three ropes: one Bane is left, or nothing where they only cancel."""
    sitting = hero(game, **numbers)
    sitting.edits(conditions=OWN)
    sitting.condition("hero", "blessed")
    sitting.condition("hero", "tangled", 3)
    shown = sitting.shows(check, **params)
    told = {source.id: (source.sign, source.amount, source.kind, source.label) for source in shown.sources}
    assert told == {"blessed": ("boon", 2, "condition", "Blessed"), "tangled": ("bane", 3, "condition", "Tangled")}
    assert shown.net == net
    spec = {each.key: each for each in game.RULESET.info(sitting.state.options, sitting.state.data).conditions}
    assert (spec["blessed"].ours, spec["blessed"].help, spec["tangled"].counted) == (True, "The temple's.", True)
    assert "blessed" in game.RULESET.conditions_with(sitting.state.data)


def test_a_condition_that_was_taken_out_of_the_data_does_nothing():
    sitting = hero(group_d12, skill__climb=2)
    sitting.condition("hero", "blessed")
    assert sitting.shows("skill", skill="skill.climb", difficulty=8).sources == ()


def test_what_it_does_against_its_bearer():
    sitting = hero(sage_d20, strength=12)
    sitting.actor("ogre", side="opposition", strength=10, agility=10)
    sitting.edits(conditions=(own("soaked", against=1, attributes=("agility",)), own("loud", against=2, checks=("luck",))))
    sitting.condition("ogre", "soaked")
    sitting.condition("ogre", "loud")
    hit = sitting.shows("against", targets=("ogre",), attribute="strength", against="agility")
    missed = sitting.shows("against", targets=("ogre",), attribute="strength", against="strength")
    assert (hit.net, missed.net) == (1, 0)
    assert whys(hit) == {"soaked": "counts", "loud": "not_this_check"}
    assert next(line.label for line in hit.sources if line.id == "soaked") == "Target: Soaked"


def test_what_it_does_to_some_numbers_only():
    sitting = hero(public_d20, attribute__might=2, attribute__wits=1)
    sitting.edits(conditions=(own("drunk", own=-1, attributes=("attribute.wits",)),))
    sitting.condition("hero", "drunk")
    assert sitting.shows("task", attribute="attribute.wits", dc=12).net == -1
    assert sitting.shows("task", attribute="attribute.might", dc=12).net == 0


def test_what_it_implies_counts_once_and_through_others():
    sitting = hero(group_d12, skill__climb=2)
    chain = (own("drowned", implies=("soaked",)), own("soaked", own=-1, implies=("cold",)), own("cold", own=-1))
    sitting.edits(conditions=chain)
    sitting.condition("hero", "drowned")
    shown = sitting.shows("skill", skill="skill.climb", difficulty=8)
    assert {source.id for source in shown.sources} == {"soaked", "cold"}
    assert shown.net == -2
    sitting.condition("hero", "cold")
    assert sitting.shows("skill", skill="skill.climb", difficulty=8).net == -2


def test_ladders_and_palettes_are_the_tables():
    data = replace(
        group_d12.RULESET.table_data(),
        ladders=(Ladder(key="difficulty", steps=(Step(value=12, label="tough"), Step(value=6, label="kind"))),),
        circumstances=(OwnCircumstance(id="moon", label="Full moon", sign="boon"),),
    )
    info = group_d12.RULESET.info(group_d12.RULESET.options(), data)
    steps = {
        (check.key, param.key): [(step.value, step.label) for step in param.ladder]
        for check in info.checks
        for param in check.params
        if param.difficulty
    }
    table = [(6, "kind"), (12, "tough")]
    assert steps == {("skill", "difficulty"): table, ("opportunity", "difficulty"): table}
    # A ladder that the data leave out is the game's.
    challenge = next(spec.difficulty for spec in info.groups if spec.key == "challenge")
    assert [step.value for step in challenge.ladder] == [7, 9, 11, 13]
    assert ([each.id for each in info.circumstances], info.edited) == (["moon"], True)


def test_dice_follow_the_edited_amounts():
    sitting = Sitting(public_d20.RULESET, [4, 11, 19])
    sitting.actor("hero", attribute__might=2, attacks=(Attack(id="axe", name="axe", attribute="attribute.might"),))
    sitting.actor("ogre", side="opposition", grace=3)
    sitting.condition("hero", "hidden")
    sitting.edits(amounts=(Amount(key="hidden", value=2),))
    assert faces_of(sitting.result("attack", targets=("ogre",), attack="axe")) == [4, 11, 19]
