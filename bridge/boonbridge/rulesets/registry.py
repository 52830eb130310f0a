"""Which games there are: the four that ship, those installed beside them, and one loaded from a file.

Loading code happens at start only. Every candidate is compared with the protocol there and then, so that a game that
lacks something says so before anybody sits down to play.
"""

import importlib.util
import inspect
from importlib.metadata import EntryPoint, entry_points
from typing import cast

import msgspec

from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.refusal import Refusal

from . import group_d12, public_d20, rank_ability, sage_d20
from .base import Ruleset

GROUP = "boonbridge.rulesets"
"""Entry-point group under which other distributions register a game: ``name = module:RULESET``."""

NAME = "RULESET"
"""What a game's file calls its one object."""


class NotARuleset(Exception):  # noqa: N818 - no class of ours is called Error
    """Something was offered as a game and is none; the message says what is missing."""


def shipped() -> dict[str, Ruleset]:
    """The four games that come with the bridge, by id."""
    games: tuple[Ruleset, ...] = (rank_ability.RULESET, public_d20.RULESET, sage_d20.RULESET, group_d12.RULESET)
    return {game.id: game for game in games}


def discover() -> dict[str, Ruleset]:
    """The shipped games and those of installed distributions, by id.

    Raises:
        NotARuleset: a registered game does not fit, or takes the id of another.
    """
    games = shipped()
    for entry in entry_points(group=GROUP):
        game = accept(_loaded(entry), f"entry point {entry.name!r}")
        if game.id in games:
            raise NotARuleset(f"entry point {entry.name!r}: there is a game {game.id!r} already")
        games[game.id] = game
    return games


def _loaded(entry: EntryPoint) -> object:
    try:
        return entry.load()
    except (ImportError, AttributeError) as problem:
        raise NotARuleset(f"entry point {entry.name!r}: {problem}") from problem


def load(path: str) -> Ruleset:
    """The game in a Python file. The file runs, so load only what you trust.

    Raises:
        NotARuleset: there is no such file, it does not run, or its ``RULESET`` is no game.
    """
    spec = importlib.util.spec_from_file_location("boonbridge_game_from_file", path)
    if spec is None or spec.loader is None:
        raise NotARuleset(f"{path}: this is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except FileNotFoundError:
        raise NotARuleset(f"{path}: there is no such file") from None
    except Exception as problem:
        raise NotARuleset(f"{path}: {type(problem).__name__}: {problem}") from problem
    if not hasattr(module, NAME):
        raise NotARuleset(f"{path}: a game's file has one object called {NAME}, and this one has none")
    return accept(getattr(module, NAME), path)


def accept(candidate: object, where: str) -> Ruleset:
    """The candidate as a ruleset, if it is one.

    Raises:
        NotARuleset: with everything that is missing, at once.
    """
    missing = [f"no {name}" for name in _attributes() if not hasattr(candidate, name)]
    missing += [
        f"{name} is no method" for name in _methods() if hasattr(candidate, name) and not callable(getattr(candidate, name))
    ]
    missing += [f"no method {name}" for name in _methods() if not hasattr(candidate, name)]
    if missing:
        raise NotARuleset(f"{where}: {', '.join(missing)}")
    game = cast("Ruleset", candidate)
    problem = _described(game)
    if problem:
        raise NotARuleset(f"{where}: {problem}")
    return game


def _attributes() -> tuple[str, ...]:
    return tuple(Ruleset.__annotations__)


def _methods() -> tuple[str, ...]:
    return tuple(name for name, _ in inspect.getmembers(Ruleset, inspect.isfunction) if not name.startswith("_"))


def _described(game: Ruleset) -> str | None:
    """What is wrong with a game's description of itself, or None.

    It goes over the wire, so it has to survive that; and its options have to have defaults.
    """
    if game.version < 1:
        return "version counts from 1"
    try:
        defaults = game.options()
    except TypeError as problem:
        return f"every option needs a default ({problem})"
    try:
        told = msgspec.json.decode(msgspec.json.encode(game.info(defaults)), type=RulesetInfo)
    except (msgspec.ValidationError, TypeError) as problem:
        return f"info() is no RulesetInfo ({problem})"
    if told.id != game.id:
        return f"id is {game.id!r}, info() says {told.id!r}"
    wrong = [f"check {key!r} calls itself {spec.key!r}" for key, spec in game.checks.items() if spec.key != key]
    wrong += [f"condition {key!r} calls itself {spec.key!r}" for key, spec in game.conditions.items() if spec.key != key]
    groups = [spec.key for spec in game.groups]
    wrong += [f"group {key!r} is there twice" for key in sorted(set(groups)) if groups.count(key) > 1]
    wrong += ["no group 'each', which a request is without any other"] if "each" not in groups else []
    wrong += [f"group {spec.key!r} takes {key!r}" for spec in game.groups for key in spec.checks if key not in game.checks]
    try:
        game.validate_data(game.table_data())
        game.validate_options(defaults)
    except Refusal as refusal:
        wrong.append(f"what it has itself is refused ({refusal.code.value}: {refusal.message})")
    return ", ".join(wrong) or None
