"""Which rule is shown by which test, and which is carried by words: found in the tests, the examples and the games themselves.

docs/rules.toml lists the rules. Nothing here takes anybody's word: an example names its rules in its ``source``, a test by its
mark ``rule("A-11")``, an option in its ``rules``; words are looked up in what a game tells its table.
"""

import ast
import json
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.commands import COMMANDS
from boonbridge_schemas.game import RulesetInfo

ROOT = Path(__file__).parents[1]
GAMES = {"A": "rank_ability", "B": "public_d20", "C": "sage_d20", "D": "group_d12"}
EXAMPLES = ROOT / "tests/rulesets/vectors/golden-rolls.json"
BY_EXAMPLE = "tests/rulesets/test_rules_by_example.py::test_the_example"
MARK = "rule"


class NotCarried(Exception):  # noqa: N818 - no class of ours is called Error
    """Something that docs/rules.toml names and that is not there."""


class Rule(NamedTuple):
    """A rule, and everything that shows or carries it."""

    id: str
    title: str
    examples: list[str]
    tests: list[str]
    options: list[str]
    says: list[tuple[str, str]]
    commands: list[str]

    @property
    def game(self) -> str:
        """The id of its game."""
        return GAMES[self.id.removeprefix("X-")[0]]

    @property
    def carried(self) -> bool:
        """Whether anything shows or carries it."""
        return bool(self.examples or self.tests or self.options or self.says or self.commands)

    @property
    def node_ids(self) -> list[str]:
        """The tests that show it, as pytest names them; without what stands in brackets where a whole test does."""
        return [*(f"{BY_EXAMPLE}[{example}]" for example in self.examples), *self.tests]


def rules() -> list[Rule]:
    """Every rule. Raises ``NotCarried`` where docs/rules.toml names what is not there."""
    listed: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "rules.toml").read_text("utf-8"))
    games = {name: game.info(game.options()) for name, game in shipped().items()}
    by_example, by_mark = _examples(), marked(ROOT / "tests")
    return [_rule(name, entry, games, by_example, by_mark) for name, entry in listed.items()]


def _rule(
    name: str,
    entry: Mapping[str, Any],
    games: Mapping[str, RulesetInfo],
    by_example: list[Mapping[str, Any]],
    by_mark: Mapping[str, list[str]],
) -> Rule:
    letter = name.removeprefix("X-")[0]
    info = games[GAMES[letter]]
    specs = {spec.key: spec for spec in info.option_specs}
    own = list(entry.get("options", ()))
    for option in own:
        if option not in specs or not specs[option].help:
            raise NotCarried(f"{name}: {info.id} has no option {option!r} with a sentence")
    options = [*own, *(key for key, spec in specs.items() if name in spec.rules and key not in own)]
    examples = [example["id"] for example in by_example if name in {source["rule"] for source in example["source"]}]
    for example in entry.get("examples", ()):
        if all(each["id"] != example for each in by_example):
            raise NotCarried(f"{name}: there is no worked example {example!r}")
        examples.append(example)
    if name.startswith("X-") and own:
        examples += [each["id"] for each in by_example if each["system"] == letter and _reads_otherwise(each, own, specs)]
    known = {command.__name__ for command in COMMANDS}
    for command in entry.get("commands", ()):
        if command not in known:
            raise NotCarried(f"{name}: there is no command {command!r}")
    says = [(words, _where(info, words)) for words in entry.get("says", ())]
    for words, where in says:
        if not where:
            raise NotCarried(f"{name}: {info.id} says nowhere {words!r}")
    return Rule(name, entry["title"], examples, by_mark.get(name, []), options, says, list(entry.get("commands", ())))


def _reads_otherwise(example: Mapping[str, Any], options: list[str], specs: Mapping[str, Any]) -> bool:
    """Whether an example is played under another than the usual reading."""
    return any(option in example["options"] and example["options"][option] != specs[option].default for option in options)


def _examples() -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = json.loads(EXAMPLES.read_text("utf-8"))["examples"]
    return found


def marked(folder: Path) -> dict[str, list[str]]:
    """The tests below ``folder`` that are marked with a rule, by rule."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        text = path.read_text("utf-8")
        if f"mark.{MARK}(" not in text:
            continue
        name = path.relative_to(folder.parent).as_posix()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for rule in _rules_of(node):
                    found.setdefault(rule, []).append(f"{name}::{node.name}")
    return found


def _rules_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{MARK}":
            for argument in decorator.args:
                yield str(ast.literal_eval(argument))


def _where(info: RulesetInfo, words: str) -> str:
    """Where a game says these words: a path into what it tells clients, or into what it offers a GM; empty: nowhere."""
    answers = getattr(import_module(f"boonbridge.rulesets.words.{info.id}"), "RULINGS", ())
    told = {**msgspec.to_builtins(info), "rulings": msgspec.to_builtins(answers)}
    return next((path for path, text in _texts(told, "") if words in text), "")


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            named = inner.get("key") or inner.get("id") if isinstance(inner, dict) else None
            yield from _texts(inner, f"{path}[{named if named is not None else place}]")
