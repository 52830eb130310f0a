"""A test that shows a rule fails when the rule is broken: a sample of lines of all four games, each broken by itself in a copy.

The tests that are run are those that docs/reference/rules-coverage.md names for the rule, in a process of their own that imports
the copy. All of them take a minute or so, so `make test` runs two and looks at the others only on paper.
"""

import shutil
import sys
from typing import NamedTuple

import pytest

from tests.docs.test_rules_coverage import RULES
from tests.support.cli import environment, run
from tests.support.pages import ROOT

SOURCE = ROOT / "bridge" / "boonbridge"
SHOWN = {rule.id: rule.node_ids for rule in RULES}


class Mutant(NamedTuple):
    """A rule, a text that stands once in the source of the games, and what it is broken into."""

    rule: str
    line: str
    broken: str


MUTANTS = [
    # Rank & Ability
    Mutant("A-04", "    if total >= tn:", "    if total > tn:"),
    Mutant("A-09", '    """The Bane Die never grows (A-09, A-10)."""\n    return 10', "    return 12"),
    Mutant("A-10", "rank is not None and rank >= 6 else 10", "rank is not None and rank >= 7 else 10"),
    Mutant("A-11", "dropped_face = min(faces) if net > 0 else max(faces)", "dropped_face = max(faces)"),
    Mutant("A-12", "dropped_face = min(faces) if net > 0 else max(faces)", "dropped_face = min(faces)"),
    Mutant("A-16", "    return (boons > 0) - (banes > 0)", "    return (boons > banes) - (boons < banes)"),
    Mutant("A-20", "if pair and first == 1 and", "if pair and first == 2 and"),
    Mutant("A-19", '"critical_success": "extra_benefit",', '"critical_success": "consequence",'),
    Mutant("A-24", 'if verdict in ("failure", "fumble") and options.retry', 'if verdict == "fumble" and options.retry'),
    Mutant("X-A8", 'if choice == "at_cost" else ()', 'if choice == "danger" else ()'),
    # The public pool
    Mutant("B-03", "return options.defense_base + grace", "return options.defense_base"),
    Mutant("B-08", "keep = pool.best(faces) if modifiers.net >= 0 else pool.worst(faces)", "keep = pool.best(faces)"),
    Mutant("B-12", 'label="Exposed target", sign="boon", amount=held.amount', 'label="Exposed target", sign="boon", amount=1'),
    Mutant("B-14", "change=-bank, now=0", "change=-1, now=bank - 1"),
    Mutant("B-17", 'for key in ("slowed", "shaken")', 'for key in ("slowed",)'),
    Mutant("B-20", "return faces.count(D20) if left >= 0", "return min(1, faces.count(D20)) if left >= 0"),
    Mutant("B-21", "return base + per_crit * crits", "return base + per_crit * 2 ** (crits - 1)"),
    Mutant("B-25", "return face == 1 and (attack or", "return face == 2 and (attack or"),
    # Sage d20
    Mutant("C-02", "    return score - 10", "    return (score - 10) // 2"),
    Mutant("C-09", "extra[highest] if modifiers.net > 0 else -extra[highest]", "extra[highest]"),
    Mutant("C-11", "lambda line: same_source(line, options)", "id"),
    Mutant("C-15", "if total >= max(20, target + 5) else", "if total >= 20 else"),
    Mutant(
        "C-17",
        'crit_failure_needs_failure:\n        return "critical_failure"',
        'crit_failure_needs_failure:\n        return "failure"',
    ),
    Mutant("C-P3", 'label="Stunned", own=2, against=2', 'label="Stunned", own=1, against=2'),
    # The d12 game
    Mutant("D-06", 'any(won) if group == "one_success" else all(won)', "all(won)"),
    Mutant("D-07", 'any(won) if group == "one_success" else all(won)', "any(won)"),
    Mutant("D-10", '    if face == D12:\n        return "critical_success"', "    pass"),
    Mutant("D-11", "(judged and check.result.worst, Code.SPEND_CRITICAL_FAILURE)", "(False, Code.SPEND_CRITICAL_FAILURE)"),
    Mutant("D-15", "return keep.worst(faces) if net < 0 else keep.best(faces)", "return keep.best(faces)"),
    Mutant("D-17", "(judged and left, Code.SPEND_NEGATIVE)", "(False, Code.SPEND_NEGATIVE)"),
    Mutant("D-22", "    return 7 + bonus", "    return 8 + bonus"),
    Mutant("D-23", "            success = total >= difficulty", "            success = total > difficulty"),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the source, and what runs tests that import it."""
    folder = tmp_path_factory.mktemp("mutants")
    shutil.copytree(SOURCE, folder / "boonbridge", ignore=shutil.ignore_patterns("__pycache__", "web"))
    return folder


def file_of(text, folder):
    """The one file of the games in which a text stands once."""
    found = [path for path in (folder / "rulesets").rglob("*.py") if text in path.read_text("utf-8")]
    assert len(found) == 1, (text, found)
    assert found[0].read_text("utf-8").count(text) == 1, text
    return found[0]


def judged(folder, nodes):
    """Run tests with the source in ``folder``: pytest's exit code and what it said."""
    words = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly", "--timeout", "60")
    done = run(*words, *nodes, program=(sys.executable, "-B"), cwd=ROOT, env=environment(PYTHONPATH=folder), timeout=100)
    return done.code, done.out


def survives(folder, mutant):
    """Whether all tests of its rule pass although it is broken."""
    path = file_of(mutant.line, folder / "boonbridge")
    whole = path.read_text("utf-8")
    path.write_text(whole.replace(mutant.line, mutant.broken), encoding="utf-8")
    try:
        code, said = judged(folder, SHOWN[mutant.rule])
    finally:
        path.write_text(whole, encoding="utf-8")
    assert code in (0, 1), said
    assert code == 0 or "failed" in said, said
    return code == 0


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.rule)
def test_what_is_broken_stands_in_the_source_and_its_rule_is_shown(mutant):
    file_of(mutant.line, SOURCE)
    assert mutant.line != mutant.broken
    assert SHOWN[mutant.rule]


def test_the_sample_is_large_enough_and_of_all_four_games():
    assert len(MUTANTS) >= 20
    assert {mutant.rule.removeprefix("X-")[0] for mutant in MUTANTS} == set("ABCD")
    assert len({mutant.rule for mutant in MUTANTS}) == len(MUTANTS)


def test_unbroken_everything_passes_and_it_is_the_copy_that_is_tested(copy):
    code, said = judged(copy, sorted({node for mutant in MUTANTS for node in SHOWN[mutant.rule]}))
    assert code == 0, said
    where = run(
        "-c", "import boonbridge; print(boonbridge.__file__)", program=(sys.executable,), env=environment(PYTHONPATH=copy)
    )
    assert where.out.startswith(str(copy))


@pytest.mark.parametrize("mutant", [MUTANTS[0], MUTANTS[-1]], ids=lambda mutant: mutant.rule)
def test_a_broken_rule_is_noticed(copy, mutant):
    assert not survives(copy, mutant)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS[1:-1], ids=lambda mutant: mutant.rule)
def test_every_broken_rule_is_noticed(copy, mutant):
    assert not survives(copy, mutant)
