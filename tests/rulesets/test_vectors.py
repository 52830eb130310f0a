"""Every worked example and every row of exact odds, each a test of its own."""

import json
from pathlib import Path

import pytest

from boonbridge.conformance.report import Report
from boonbridge.conformance.run import ODDS_LATER, SYSTEMS, play_example

VECTORS = Path(__file__).parent / "vectors"
ROLLS = json.loads((VECTORS / "golden-rolls.json").read_text())
ODDS = json.loads((VECTORS / "golden-odds.json").read_text())
LATER = {kind for system in SYSTEMS.values() for kind in system.LATER if " " not in kind}


@pytest.mark.parametrize("example", [e for e in ROLLS["examples"] if e["kind"] not in LATER], ids=lambda e: e["id"])
def test_example(example):
    report = Report()
    play_example(report, example)
    assert not report.failed
    assert report.passed == 1


def _rows():
    for name, system in SYSTEMS.items():
        for row in ODDS[name]:
            yield pytest.param(system, row, id=f"{name}-{'-'.join(str(v) for v in list(row.values())[:6])}")


@pytest.mark.parametrize(("system", "row"), list(_rows()))
def test_odds(system, row):
    ((_, expected, got),) = system.odds([row])
    assert got == expected


def test_every_example_has_a_place():
    kinds = {(e["system"], e["kind"]) for e in ROLLS["examples"]}
    later = {(name, kind) for name, system in SYSTEMS.items() for kind in system.LATER if " " not in kind}
    now = (
        {(name, "roll") for name in "ABCD"}
        | {(name, "derive") for name in "ABCD"}
        | {("B", "sequence"), ("C", "multi"), ("D", "session")}
    )
    assert kinds == now | later
    assert {name for name, rows in ODDS.items() if isinstance(rows, list)} == set(SYSTEMS) | set(ODDS_LATER)
