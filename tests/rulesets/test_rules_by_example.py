"""Every worked example by itself, under its own name: what docs/reference/rules-coverage.md points at."""

import json
from pathlib import Path

import pytest

from boonbridge.conformance.report import Report
from boonbridge.conformance.run import play_example

EXAMPLES = json.loads((Path(__file__).parent / "vectors" / "golden-rolls.json").read_text("utf-8"))["examples"]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["id"] for example in EXAMPLES])
def test_the_example(example):
    report = Report()
    play_example(report, example)
    assert (report.passed, report.failed, report.skipped) == (1, [], {}), list(report.lines())
