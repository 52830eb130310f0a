"""Finding games: the shipped ones, installed ones, one in a file; and sentences for what is none."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from boonbridge.rulesets import registry, sage_d20
from boonbridge_schemas.game import GroupSpec
from boonbridge_schemas.tabledata import TableData

TOY = Path(__file__).parents[1] / "support" / "toy_game.py"


def entry(name, value):
    return EntryPoint(name=name, value=value, group=registry.GROUP)


def installed(monkeypatch, *entries):
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == registry.GROUP else ())


def test_four_games_ship(monkeypatch):
    installed(monkeypatch)
    assert list(registry.discover()) == ["rank_ability", "public_d20", "sage_d20", "group_d12"]


def test_an_installed_game_joins_them(monkeypatch):
    installed(monkeypatch, entry("mine", "tests.support.toy_game:RULESET"))
    assert registry.discover()["deep_mine"].title == "The Deep Mine"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("tests.support.nowhere:RULESET", "nowhere"),
        ("tests.support.toy_game:GAME", "GAME"),
        ("tests.support.toy_game:Result", "no title"),
        ("boonbridge.rulesets.sage_d20:RULESET", "there is a game 'sage_d20' already"),
    ],
)
def test_an_installed_game_that_does_not_fit_stops_the_start(monkeypatch, value, says):
    installed(monkeypatch, entry("mine", value))
    with pytest.raises(registry.NotARuleset, match=says) as problem:
        registry.discover()
    assert "entry point 'mine'" in str(problem.value)


def test_a_game_is_loaded_from_its_file():
    game = registry.load(str(TOY))
    assert (game.id, list(game.checks)) == ("deep_mine", ["descent"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1", "one object called RULESET"),
        ("def broken(:", "SyntaxError"),
        ("raise ValueError('no dice')", "ValueError: no dice"),
        ("RULESET = 7", "no id"),
        (
            "from boonbridge.rulesets.common.game import Game\nclass Mine(Game): pass\nRULESET = Mine()",
            "abstract",
        ),
    ],
)
def test_a_file_that_is_no_game_says_what_is_missing(tmp_path, text, says):
    file = tmp_path / "game.py"
    file.write_text(text)
    with pytest.raises(registry.NotARuleset, match=says) as problem:
        registry.load(str(file))
    assert str(file) in str(problem.value)


@pytest.mark.parametrize(("name", "says"), [("missing.py", "no such file"), ("game.txt", "not a Python file")])
def test_a_path_that_leads_nowhere_says_so(tmp_path, name, says):
    with pytest.raises(registry.NotARuleset, match=says):
        registry.load(str(tmp_path / name))


class Changed:
    """The Sage's game with something about it changed."""

    def __init__(self, **changes):
        self._changes = changes

    def __getattr__(self, name):
        changes = self.__dict__.get("_changes", {})
        if name in changes:
            return changes[name]
        return getattr(sage_d20.RULESET, name)


class Needy:
    def __init__(self, must):
        pass


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"version": 0}, "version counts from 1"),
        ({"options": Needy}, "every option needs a default"),
        ({"info": lambda options: {"id": 1}}, "no RulesetInfo"),
        ({"id": "other"}, "id is 'other', info\\(\\) says 'sage_d20'"),
        ({"resolve": 7}, "resolve is no method"),
        ({"checks": {"odd": sage_d20.RULESET.checks["luck"]}}, "check 'odd' calls itself 'luck'"),
        ({"conditions": {"odd": sage_d20.RULESET.conditions["held"]}}, "condition 'odd' calls itself 'held'"),
        ({"groups": ()}, "no group 'each'"),
        ({"groups": sage_d20.RULESET.groups * 2}, "group 'each' is there twice, group 'opposed' is there twice"),
        (
            {"groups": (*sage_d20.RULESET.groups, GroupSpec(key="choir", label="Choir", checks=("song",)))},
            "group 'choir' takes 'song'",
        ),
        ({"table_data": lambda: TableData(ruleset="choir")}, "what it has itself is refused \\(data.other_ruleset"),
    ],
)
def test_a_game_is_compared_with_the_protocol_at_once(changes, says):
    with pytest.raises(registry.NotARuleset, match=says):
        registry.accept(Changed(**changes), "here")


def test_what_fits_is_accepted():
    assert registry.accept(Changed(), "here").id == "sage_d20"
