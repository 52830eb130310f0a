import json
from fractions import Fraction
from pathlib import Path

from tests.support import toy_game
from tests.support.cli import inside, refused, run

VECTORS = Path(__file__).parents[1] / "rulesets" / "vectors"


# --- odds -------------------------------------------------------------------------------------------------------
def test_odds_in_words():
    done = inside("odds", "sage_d20", "attribute", "number.agility=10", "attribute=agility", "tn=10")
    assert (done.code, done.err) == (0, "")
    # d20 against 10 with no bonus: 10 to 20 are eleven of twenty faces.
    assert done.out.splitlines()[0] == "sage_d20 attribute: d20 against 10"
    assert "  success    55.0 %  11/20" in done.out.splitlines()


def test_odds_as_json_are_exact():
    done = inside("odds", "sage_d20", "attribute", "number.agility=10", "attribute=agility", "tn=10", "boon=help", "--json")
    (answer,) = done.records
    assert (answer["ruleset"], answer["check"], answer["target"], answer["net"]) == ("sage_d20", "attribute", 10, 1)
    # One Boon adds a d6: over its faces, 11 to 16 of twenty faces reach 10.
    assert Fraction(answer["odds"]["success"]) == Fraction(sum(min(20, 11 + boon) for boon in range(1, 7)), 120)
    assert sum(Fraction(point["chance"]) for point in answer["curve"]) == 1


def test_odds_of_a_game_in_a_file():
    done = inside("odds", toy_game.__file__, "descent", "load=3")
    assert (done.code, done.err) == (0, "")


def test_odds_that_cannot_be_told():
    assert refused("odds", "chess", "mate", by=inside).startswith("there is no game 'chess'; there are rank_ability")
    assert refused("odds", "sage_d20", "mate", by=inside).startswith("There is no check 'mate'; there is ")
    assert refused("odds", "./none.py", "x", by=inside) == "./none.py: there is no such file"
    for words in (("tn",), ("tn=many",), ("option.nope=1",), ("boon=",), ("number.agility=x",), ("attribute=beauty",)):
        assert refused("odds", "sage_d20", "attribute", "number.agility=10", *words, by=inside)


# --- conformance ------------------------------------------------------------------------------------------------
def test_the_golden_files_pass():
    done = run("conformance", VECTORS / "golden-rolls.json", VECTORS / "golden-odds.json")
    last = done.out.splitlines()[-1]
    passed, failed, skipped = (int(word.split()[0]) for word in last.split(", "))
    assert done.code == 0, done.out
    assert (failed, last) == (0, f"{passed} passed, 0 failed, {skipped} skipped")
    assert passed > 300


def test_an_example_that_is_not_met_is_named_with_expected_and_got(tmp_path):
    whole = json.loads((VECTORS / "golden-rolls.json").read_text("utf-8"))
    listed = next(value for value in whole.values() if isinstance(value, list) and value and "id" in value[0])
    wrong = next(example for example in listed if example.get("kind") == "roll" and "total" in example.get("expect", {}))
    wrong["expect"]["total"] += 1000
    listed[:] = [wrong]
    (tmp_path / "wrong.json").write_text(json.dumps(whole), encoding="utf-8")
    done = inside("conformance", tmp_path / "wrong.json")
    assert done.code == 1
    assert wrong["id"] in done.out
    assert str(wrong["expect"]["total"]) in done.out
    assert done.out.splitlines()[-1].split(", ")[:2] == ["0 passed", "1 failed"]


def test_files_that_are_no_examples(tmp_path):
    assert refused("conformance", by=inside) == "Name at least one file of examples."
    for text in ("{", "[]", '{"format": "other"}', "{}"):
        (tmp_path / "bad.json").write_text(text, encoding="utf-8")
        assert refused("conformance", tmp_path / "bad.json", by=inside).startswith(f"{tmp_path / 'bad.json'}: ")
    assert refused("conformance", tmp_path / "none.json", by=inside) == f"{tmp_path / 'none.json'}: No such file or directory"
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    assert refused("conformance", tmp_path / "bytes.json", by=inside)
