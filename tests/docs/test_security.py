"""SECURITY.md says what each kind of person can and cannot do, and names the test that shows it: the tests are there."""

import ast
import re

import pytest

from tests.support.pages import ROOT

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"\[`(test_\w+)`\]\((tests/[\w/]+\.py)\)", PAGE)))
WHO = ("A player", "Another module in a player's page", "Another website", "A network neighbour", "The operator of the bridge")


def rows(heading):
    """The lines of the table under a heading: can or cannot, what, and the tests."""
    (section,) = re.findall(rf"^### {re.escape(heading)}[^\n]*\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    return cells[2:]


@pytest.mark.parametrize(("test", "path"), NAMED)
def test_every_test_that_is_named_is_there(test, path):
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert test in names, f"{path} has no {test}"


@pytest.mark.parametrize("heading", WHO)
def test_each_has_what_he_can_and_cannot_do_each_with_its_test(heading):
    found = rows(heading)
    assert {row[0] for row in found} == {"can", "cannot"}
    for can, what, tests in found:
        assert re.search(r"[a-z]", what)
        assert can == "can" or re.search(r"\[`test_", tests), f"nothing shows that he cannot {what}"


def test_no_link_looks_like_a_test_and_is_none():
    links = set(re.findall(r"\[[^\]]*\]\((tests/[^)]*)\)", PAGE))
    assert links == {path for _, path in NAMED}
    for link in re.findall(r"\]\(([\w/.-]+)(?:#[\w-]+)?\)", PAGE):
        assert (ROOT / link).exists(), link


def test_what_is_not_done_is_said():
    assert "## What is not done yet" in PAGE
