"""The driver itself: it notices what is wrong, says what, and counts what it left out."""

import copy
import json
from pathlib import Path

import pytest

from boonbridge.conformance import NotVectors, run
from boonbridge.conformance.report import Report
from boonbridge.conformance.run import play_example

VECTORS = Path(__file__).parent / "vectors"
ROLLS = json.loads((VECTORS / "golden-rolls.json").read_text())
PLAYED = ROLLS["examples"]


def test_every_example_and_every_row_passes():
    report = run([VECTORS / "golden-rolls.json", VECTORS / "golden-odds.json"])
    assert list(report.lines()) == [f"{242 + 1160} passed, 0 failed, 0 skipped"]
    assert report.exit_code == 0


def test_a_list_of_odds_that_nothing_plays_is_named(tmp_path):
    file = tmp_path / "odds.json"
    file.write_text(json.dumps({"format": "boons-and-banes golden odds", "E": [{"tn": 4}, {"tn": 5}], "D_group": []}))
    assert list(run([file]).lines()) == ["skipped, nothing plays these: odds E (2)", "0 passed, 0 failed, 2 skipped"]


def _other(value):
    """A value of the same kind that is not this one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "?"
        case list():
            return [*value, 0]
        case dict():
            return {**value, next(iter(value), "x"): "?"}
        case None:
            return 0


def _expectations(example):
    if example["kind"] == "multi":
        return [(("rolls", i, "expect"), key) for i, roll in enumerate(example["rolls"]) for key in roll["expect"]]
    if example["kind"] == "sequence":
        return [each for i, step in enumerate(example["steps"]) for each in _of_step(("steps", i, "expect"), step["expect"])]
    return [(("expect",), key) for key in example["expect"]]


def _of_step(path, expect):
    for key, value in expect.items():
        if isinstance(value, dict):
            yield from _of_step((*path, key), value)
        else:
            yield path, key


@pytest.mark.parametrize("example", PLAYED, ids=lambda e: e["id"])
def test_every_single_changed_expectation_is_noticed(example):
    for path, key in _expectations(example):
        changed = copy.deepcopy(example)
        place = changed
        for step in path:
            place = place[step]
        place[key] = _other(place[key])
        report = Report()
        play_example(report, changed)
        assert len(report.failed) == 1, f"a changed {key} passed"


@pytest.mark.parametrize("example", [e for e in PLAYED if e.get("dice")], ids=lambda e: e["id"])
def test_a_die_more_or_less_or_of_another_kind_is_noticed(example):
    dice = example["dice"]
    other_role = [*dice[:-1], {**dice[-1], "role": "other"}]
    for tape in (dice[:-1], [*dice, dice[-1]], other_role):
        report = Report()
        play_example(report, {**example, "dice": tape})
        assert len(report.failed) == 1


@pytest.mark.parametrize("example", [e for e in PLAYED if e["kind"] == "sequence"], ids=lambda e: e["id"])
def test_a_die_more_or_less_is_noticed_at_every_step(example):
    for i, step in enumerate(example["steps"]):
        one_more = [*step["dice"], {"role": "d20", "sides": 20, "face": 9}]
        for tape in (step["dice"][:-1], one_more):
            if tape == step["dice"]:
                continue
            changed = copy.deepcopy(example)
            changed["steps"][i]["dice"] = tape
            report = Report()
            play_example(report, changed)
            assert len(report.failed) == 1, f"step {i + 1} with {len(tape)} dice passed"


def test_a_wrong_number_is_told_with_its_step():
    example = copy.deepcopy(next(e for e in PLAYED if e["id"] == "B064"))
    example["steps"][1]["expect"]["statuses"]["Ash"]["exposed"] = 2
    report = Report()
    play_example(report, example)
    assert [(failed.expected, failed.got) for failed in report.failed] == [
        ({"step 2 statuses Ash exposed": 2}, {"step 2 statuses Ash exposed": 1})
    ]


def test_a_sequence_begins_with_what_stands_and_goes_on_with_what_is_given():
    """Two stacks, one of them given on the way: neither ends with the activation, a fumble's does (B-12, B-26)."""
    example = copy.deepcopy(next(e for e in PLAYED if e["id"] == "B064"))
    example["inputs"]["actors"]["Ash"] = {"exposed": 1}
    given = {"do": {"type": "apply", "who": "Ash", "status": "exposed", "stacks": 1}, "dice": []}
    statuses = {"Gnoll": {"bolstered": 0, "exposed": 0, "marked": 0}}
    fumbles, _, activates, _ = example["steps"]

    def ash(exposed):
        return {"statuses": {"Ash": {"bolstered": 0, "exposed": exposed, "marked": 0}, **statuses}}

    fumbles["expect"] = ash(2)
    activates["expect"] = ash(2)
    example["steps"] = [fumbles, {**given, "expect": ash(3)}, activates]
    report = Report()
    play_example(report, example)
    assert (report.passed, report.failed) == (1, [])
    example["steps"][1]["do"]["type"] = "sing"
    play_example(report, example)
    assert [failed.got for failed in report.failed] == ["nothing computes sing"]


def test_a_failure_is_told_with_expected_and_got(tmp_path):
    example = copy.deepcopy(next(e for e in PLAYED if e["id"] == "D001"))
    example["expect"]["total"] = 11
    file = tmp_path / "rolls.json"
    file.write_text(json.dumps({"format": "boons-and-banes golden rolls", "examples": [example]}))
    report = run([file])
    assert list(report.lines()) == ["D001", '  expected {"total":11}', '  got      {"total":10}', "0 passed, 1 failed, 0 skipped"]
    assert report.exit_code == 1


def test_one_is_not_true(tmp_path):
    example = copy.deepcopy(next(e for e in PLAYED if e["id"] == "D001"))
    example["expect"]["success"] = 1
    report = Report()
    play_example(report, example)
    assert len(report.failed) == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "no file of examples"),
        ("{", "truncated"),
        ('{"format": "something"}', "something"),
    ],
)
def test_other_files_are_refused_with_a_sentence(tmp_path, content, says):
    file = tmp_path / "file.json"
    file.write_text(content)
    with pytest.raises(NotVectors, match=says):
        run([file])


def test_a_missing_file_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(NotVectors, match="No such file"):
        run([tmp_path / "nowhere.json"])


def test_what_nothing_computes_is_a_failure():
    derived = next(e for e in PLAYED if e["system"] == "A" and e["kind"] == "derive")
    report = Report()
    play_example(report, {**derived, "inputs": {"what": "luck"}})
    play_example(report, {**derived, "inputs": {"what": "state"}})
    assert [failure.got for failure in report.failed] == ["nothing computes luck", "the example has no 'boons'"]
