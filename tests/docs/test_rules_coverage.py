"""Every rule is shown by a test that is collected, or carried by words that are there; docs/reference/rules-coverage.md says which."""

import sys
from importlib import import_module

import pytest

from tests.support.cli import environment, run
from tests.support.pages import ROOT

sys.path.insert(0, str(ROOT / "docs"))
try:
    rule_index = import_module("rule_index")
finally:
    sys.path.pop(0)

RULES = rule_index.rules()
PAGE = (ROOT / "docs/reference/rules-coverage.md").read_text("utf-8")


def numbered(prefix, last, digits=2):
    return [f"{prefix}{number:0{digits}}" for number in range(1, last + 1)]


EXPECTED = [
    *numbered("A-", 32),
    *numbered("B-", 28),
    *numbered("C-", 18),
    *numbered("C-P", 4, 1),
    *numbered("D-", 29),
    *numbered("X-A", 8, 1),
    *numbered("X-B", 10, 1),
    *numbered("X-C", 5, 1),
    *numbered("X-D", 15, 1),
]


def test_every_rule_and_every_reading_is_listed_once():
    assert sorted(rule.id for rule in RULES) == sorted(EXPECTED)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_it_is_shown_by_a_test_or_carried_by_words(rule):
    assert rule.carried
    assert rule.title
    assert PAGE.count(f"| {rule.id} | {rule.title} |") == 1


def collected(*paths):
    """The ids of the tests that pytest finds there."""
    words = (
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        "--override-ini",
        "addopts=--import-mode=importlib",
    )
    done = run(*words, *paths, program=(sys.executable,), cwd=ROOT, env=environment(PYTHONWARNINGS="ignore"), timeout=100)
    assert done.code == 0, done
    return set(done.out.splitlines())


def test_every_test_that_is_named_is_collected():
    named = {node for rule in RULES for node in rule.node_ids}
    found = collected(*sorted({node.partition("::")[0] for node in named}))
    whole = {node.partition("[")[0] for node in found}
    assert sorted(node for node in named if node not in found and ("[" in node or node not in whole)) == []
    assert len(named) > 200


def test_marks_name_rules_that_there_are():
    assert set(rule_index.marked(ROOT / "tests")) <= set(EXPECTED)


def test_only_guidance_is_carried_by_words_alone():
    alone = {rule.id for rule in RULES if not rule.node_ids}
    assert alone <= {"A-01", "A-02", "A-06", "A-25", "A-28", "A-29", "A-30", "A-31", "A-32"}


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"says": ["The sky is green."]}, "says nowhere 'The sky is green.'"),
        ({"options": ["colour"]}, "has no option 'colour'"),
        ({"commands": ["Sing"]}, "there is no command 'Sing'"),
        ({"examples": ["A999"]}, "there is no worked example 'A999'"),
    ],
)
def test_what_is_claimed_and_not_there_is_noticed(entry, says):
    from boonbridge.rulesets.registry import shipped

    games = {name: game.info(game.options()) for name, game in shipped().items()}
    with pytest.raises(rule_index.NotCarried, match=says.replace(".", r"\.")):
        rule_index._rule("A-99", {"title": "x", **entry}, games, [], {})
    bare = rule_index._rule("A-99", {"title": "x"}, games, [], {})
    assert not bare.carried


def test_a_mark_is_found_where_it_stands(tmp_path):
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text('import pytest\n@pytest.mark.rule("A-01", "B-02")\ndef test_it(): ...\n', encoding="utf-8")
    (folder / "test_y.py").write_text("def test_it(): ...\n", encoding="utf-8")
    name = "tests/test_x.py"
    assert rule_index.marked(folder) == {"A-01": [f"{name}::test_it"], "B-02": [f"{name}::test_it"]}
