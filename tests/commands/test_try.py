"""``boonbridge try``: the worked examples of the rules, given on a command line, give what the rules say."""

import json
from pathlib import Path

import pytest

from boonbridge.commands.trying import attempt
from boonbridge_schemas.effects import ResourceChanged
from tests.support.cli import environment, inside, refused, run

VECTORS = Path(__file__).parents[1] / "rulesets" / "vectors" / "golden-rolls.json"
EXAMPLES = [each for each in json.loads(VECTORS.read_text("utf-8"))["examples"] if each["kind"] == "roll"]


def options_of(example):
    return [f"option.{key}={json.dumps(value)}".replace('"', "") for key, value in example["options"].items()]


def reasons(sign, count):
    return [f"{sign}=reason_{n}" for n in range(count)]


def in_order(example):
    return ",".join(str(die["face"]) for die in example["dice"])


def of_group_d12():
    """A command line has no pool that was earned before, no opportunity and no refusal on the way."""
    for example in EXAMPLES:
        given = example["inputs"]
        plain = not {"opportunity", "resisted"} & given.keys() and not example["expect"].get("rejected")
        if example["system"] == "D" and plain and max(given["pool"].values()) < 10:
            yield pytest.param(example, id=example["id"])


@pytest.mark.parametrize("example", list(of_group_d12()))
def test_an_example_of_the_d12_game_gives_what_the_rules_say(example):
    given, expected = example["inputs"], example["expect"]
    words = [
        f"skill={given['bonus']}",
        f"difficulty={given['difficulty']}",
        *reasons("boon", given["positive"]),
        *reasons("bane", given["negative"]),
        f"spendBefore={given['spend_before']}",
        *options_of(example),
    ]
    side = "party" if given.get("roller", "player") == "player" else "opposition"
    chosen = ["spend"] * given["spend_after"]

    def tried(choose):
        return attempt(
            "group_d12", "skill", words, by_hand=in_order(example), choose=choose, held=given["pool"]["held"], side=side
        )[0]

    told = tried(chosen)
    if any(offer.id == "accept" for offer in told.steps[-1].choices):
        told = tried([*chosen, "accept"])
    result = told.steps[-1].result
    assert told.target == expected["target"]
    assert (result.total, result.outcome, result.success) == (expected["total"], expected["outcome"], expected["success"])
    assert [die.face for die in result.dice if die.kept] == expected["kept_faces"]
    moved = [effect.applied for step in told.steps for effect in step.effects if isinstance(effect, ResourceChanged)]
    assert sum(moved) == expected["pool_change"]


@pytest.mark.parametrize("example", [pytest.param(each, id=each["id"]) for each in EXAMPLES if each["system"] == "A"])
def test_an_example_of_the_rank_game_gives_what_the_rules_say(example):
    given, expected = example["inputs"], example["expect"]
    words = [
        f"rankDie={given['rank_die']}",
        f"abilityDie={given['ability_die']}",
        f"tn={given['tn']}",
        *reasons("boon", given["boons"]),
        *reasons("bane", given["banes"]),
        *([f"rank={given['rank']}"] if "rank" in given else []),
        *options_of(example),
    ]
    (first, *_) = attempt("rank_ability", "check", words, by_hand=in_order(example))[0].steps
    assert (first.result.total, first.result.outcome) == (expected["total"], expected["outcome"])
    assert (first.result.crits, first.result.worst) == (expected["crits"], expected["fumble"])


def test_a_bought_die_in_words():
    # D009: 4 and 3 miss 10; the bought 9 makes it 12.
    done = inside("try", "group_d12", "skill", "skill=3", "difficulty=10", "--faces", "4,9", "--held", 2, "--choose", "spend")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "group_d12 skill: d12:4 = 7 against 10  Failure",
        "spend: Spend a Boon for one more die  (d12:4) d12:9 = 12  Success",
        "  Boons -1 (spent after)",
        "  one more d12: 9",
    ]


def test_what_could_be_chosen_stands_there_with_its_chance():
    # Seven or more of twelve faces reach 10 with 3: six of twelve.
    done = inside("try", "group_d12", "skill", "skill=3", "difficulty=10", "--faces", "4", "--held", 1)
    assert done.out.splitlines()[1:] == [
        "then:",
        "  accept: Accept: the group gains a Boon (by default)",
        "  spend: Spend a Boon for one more die  50.0 %  1/2",
    ]


def test_flags_and_words_say_the_same():
    words = ("try", "group_d12", "skill", "skill=2", "difficulty=10", "--faces", "5,1")
    flagged = inside(*words, "--bane", "dark", "--option", "crit_fail_grants_boon=false", "--json")
    worded = inside(*words, "bane=dark", "option.crit_fail_grants_boon=false", "--json")
    assert flagged.records == worded.records
    (told,) = flagged.records
    # D-15: the worse of 5 and 1; D-11: a 1 is a critical failure, and this table gives nothing for it.
    assert told["steps"][0]["result"]["outcome"] == "critical_failure"
    assert all(effect["t"] != "ResourceChanged" for step in told["steps"] for effect in step["effects"])


def test_a_ruling_is_taken_like_any_choice():
    done = inside("try", "rank_ability", "check", "rankDie=8", "abilityDie=8", "tn=10", "--faces", "2,3", "--choose", "danger")
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("danger: ")


def test_conditions_of_either_side_count():
    # B-12: one Boon for each of two stacks; the highest of 3, 18 and 7 counts: 18 + 3 against 8 + 2.
    done = inside(
        "try",
        "public_d20",
        "attack",
        "number.grace=3",
        "target.grace=2",
        "target.condition.exposed=2",
        "--faces",
        "3,18,7",
        "--json",
    )
    (told,) = done.records
    assert (told["target"], told["steps"][0]["result"]["total"], told["steps"][0]["result"]["success"]) == (10, 21, True)
    bolstered = inside(
        "try", "public_d20", "attack", "number.grace=3", "target.grace=2", "condition.bolstered=1", "--faces", "3,18"
    )
    assert "against 10" in bolstered.out.splitlines()[0]


def test_a_part_in_a_challenge_is_asked_for_first():
    # D-25, D-26: 1 and 12 are numbers; a bought roll counts where it is better. 12 + 3 reaches 15, 1 + 3 does not reach 9.
    words = ("try", "group_d12", "challenge", "skill=3")
    kept = inside(*words, "difficulty=9", "--faces", "1", "--held", "1", "--choose", "keep")
    assert kept.out.splitlines() == [
        "group_d12 challenge: d12:1 = 4  Contributed",
        "keep: Keep this roll",
        "together: Failure  4 against 9",
        "  Boons +1 (challenge failure)",
    ]
    (bought,) = inside(*words, "difficulty=15", "--faces", "1,12", "--held", "1", "--choose", "spend", "--json").records
    assert (bought["together"]["total"], bought["together"]["success"], bought["earned"]) == (15, True, [])
    assert refused(*words, "--faces", "1", by=inside)


def test_it_writes_nothing(tmp_path):
    env = environment(HOME=tmp_path, XDG_DATA_HOME=tmp_path, BOONBRIDGE_DATA=tmp_path / "data")
    done = run("try", "sage_d20", "luck", "--faces", "12", env=env, cwd=tmp_path)
    assert done.code == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("skill", "skill=3", "difficulty=10", "--faces", "13"), "faces.range", "A d12 has no face 13."),
        (("skill", "skill=3", "difficulty=10", "--faces", "0"), "faces.range", "A d12 has no face 0."),
        (("skill", "skill=3", "difficulty=10", "bane=dark", "--faces", "5"), "faces.count", "More dice are rolled"),
        (("skill", "skill=3", "difficulty=10", "--faces", "5,6,7"), "faces.count", "3 faces were given, and 1 die was rolled."),
        (("sing", "--faces", "5"), "roll.unknown_check", "There is no check 'sing'"),
        (("skill", "skill=3", "difficulty=10", "loud=1", "--faces", "5"), "roll.unknown_parameter", "no parameter 'loud'"),
        (("skill", "difficulty=10", "--faces", "5"), "roll.bad_parameter", "Skill is missing"),
        (("skill", "skill=3", "difficulty=10", "option.luck=1", "--faces", "5"), "option.unknown", "no option 'luck'"),
        (("skill", "skill=3", "difficulty=10", "option.reroll=9", "--faces", "5"), "option.bad_value", "no such value"),
        (("skill", "skill=3", "difficulty=10", "condition.sad=1", "--faces", "5"), "condition.unknown", ""),
        (("skill", "skill=3", "difficulty=10", "spendBefore=1", "--faces", "5"), "spend.no_negative_chances", ""),
        # D016: a critical failure cannot be bought off, and its only choice is taken at once.
        (
            ("skill", "skill=3", "difficulty=10", "--faces", "1,9", "--held", "1", "--choose", "spend"),
            "spend.critical_failure",
            "A critical failure cannot be bought off.",
        ),
        (("skill", "skill=3", "difficulty=10", "--faces", "4,9", "--choose", "spend"), "pool.empty", "no Boon left"),
        (("skill", "skill=3", "difficulty=10", "--faces", "4", "--held", "1", "--choose", "dance"), "choice.not_offered", ""),
    ],
)
def test_what_a_table_would_refuse_is_refused_with_its_code(words, code, says):
    told = inside("try", "group_d12", *words, "--json")
    assert told.code == 1
    (record,) = told.records
    assert (record["t"], record["code"]) == ("refused", code)
    said = refused("try", "group_d12", *words, by=inside)
    assert said == record["message"]
    assert says in said


def test_what_is_no_question_gets_one_sentence():
    assert refused("try", "chess", "mate", "--faces", "1", by=inside).startswith("there is no game 'chess'")
    assert "whole numbers" in refused("try", "sage_d20", "luck", "--faces", "a", by=inside)
    assert "key=value" in refused("try", "sage_d20", "luck", "tn", "--faces", "4", by=inside)
    assert "whole number" in refused("try", "group_d12", "skill", "spendBefore=x", "--faces", "4", by=inside)
    nobody = refused("try", "sage_d20", "luck", "--faces", "4", "--held", "1", by=inside)
    assert nobody == "Nobody holds Boons together in this game."
    assert inside("try", "sage_d20", "luck").code == 2
