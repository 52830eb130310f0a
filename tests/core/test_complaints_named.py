"""Every complaint about comparable software that a server can show has a test that carries its id in its name.

``test_t25_i87_two_spend_...`` shows T-25 and I-87. The ids are the cases of single checks (T-01 to T-30, as far as there
are such), T-31, T-34 to T-36, T-39 to T-42, T-44 and T-45, and the rows on counting (I-01 to I-32), ends (I-33 to I-42), hidden rolls
(I-43 to I-60), requests (I-74, I-78), who may (I-83, I-84), spending or rolling anew (I-87 to I-97), keys (I-112 to I-114), and logs
and chance (I-115 to I-124; I-119 asks for Markdown, which is not there yet). Of each row the whole is shown here, what is on a
screen beside it in ``tests/browser`` and ``tests/foundry``: the "(x2)" of I-16, the die that is struck through of I-94, the card of
I-95, the line on the dice of I-121. Hidden rolls and keys have tests under the same ids in both.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
IDS = (
    *("t01", "t02", "t03", "t06", "t07", "t08", "t09", "t10", "t11b", "t12"),  # d20 and the highest d6
    *("t14", "t15", "t16", "t17", "t18"),  # pools of d20
    *("t19", "t20", "t21", "t22", "t23"),  # rank and ability
    *("t24", "t25", "t26", "t27", "t30"),  # the group's pool
    *("t31", "t34", "t35", "t36", "t39", "t40", "t41", "t42", "t44", "t45"),  # across games
    *(*(f"i{n:02}" for n in range(1, 61)), "i74", "i78", "i83", "i84", *(f"i{n}" for n in range(87, 98))),
    *("i112", "i113", "i114"),
    *(f"i{n}" for n in range(115, 125) if n != 119),
)
ONLY_ON_A_SCREEN: dict[str, str] = {}
"""Ids of the list that no server can show, and why: none, as it came out."""


def shown():
    """Which test shows an id: its file and name."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                named = re.match(r"test_((?:[it]\d+b?_)+)", node.name)
                for id in named[1].split("_")[:-1] if named else ():
                    found.setdefault(id, []).append(f"{path.relative_to(TESTS)}::{node.name}")
    return found


@pytest.fixture(scope="module")
def by_id():
    return shown()


# Of these Foundry's chat, its dice and other modules are half of the story.
IN_FOUNDRY = (
    *(f"i{n}" for n in (43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 60, 83, 84, 112, 113)),
    "t34",
    "t35",
    "t36",
    "t44",
)


@pytest.mark.parametrize("id", IN_FOUNDRY)
def test_what_only_a_page_in_foundry_can_show_is_shown_there(by_id, id):
    assert any(test.startswith("foundry/") for test in by_id[id])


@pytest.mark.parametrize("id", IDS)
def test_every_complaint_has_a_test_of_its_name(by_id, id):
    assert (id in by_id) is not (id in ONLY_ON_A_SCREEN)


def test_the_list_is_whole():
    assert len(IDS) == len(set(IDS)) == 25 + 10 + 60 + 4 + 11 + 3 + 9
