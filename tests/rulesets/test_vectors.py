"""Every worked example and every row of exact odds, each a test of its own."""

import json
from pathlib import Path

import pytest

from boonbridge.conformance.report import Report
from boonbridge.conformance.run import LISTS, play_example

VECTORS = Path(__file__).parent / "vectors"
ROLLS = json.loads((VECTORS / "golden-rolls.json").read_text())
ODDS = json.loads((VECTORS / "golden-odds.json").read_text())


@pytest.mark.parametrize("example", ROLLS["examples"], ids=lambda e: e["id"])
def test_example(example):
    report = Report()
    play_example(report, example)
    assert not report.failed
    assert report.passed == 1


def _rows():
    for name, answers in LISTS.items():
        for row in ODDS[name]:
            yield pytest.param(answers, row, id=f"{name}-{'-'.join(str(v) for v in list(row.values())[:6])}")


@pytest.mark.parametrize(("answers", "row"), list(_rows()))
def test_odds(answers, row):
    ((_, expected, got),) = answers([row])
    assert got == expected


def test_every_example_has_a_place():
    kinds = {(e["system"], e["kind"]) for e in ROLLS["examples"]}
    assert kinds == (
        {(name, "roll") for name in "ABCD"}
        | {(name, "derive") for name in "ABCD"}
        | {("B", "sequence"), ("C", "multi"), ("D", "session"), ("D", "group_check"), ("D", "challenge")}
    )
    assert {name for name, rows in ODDS.items() if isinstance(rows, list)} == set(LISTS)
    assert (len(ROLLS["examples"]), sum(len(ODDS[name]) for name in LISTS)) == (242, 1160)
