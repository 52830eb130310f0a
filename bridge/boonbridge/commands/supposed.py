"""A table that nobody opened, with just what one check needs: for ``odds``, which asks beforehand, and ``try``, which rolls.

``boon=ID[xN]`` and ``bane=ID[xN]`` are sources, ``number.KEY=`` a number of whoever rolls, ``target.KEY=`` one of the
target's, ``attack.FIELD=`` describes the attack, ``option.NAME=`` is a reading of the rules, ``condition.KEY=`` what whoever
rolls has of a condition, ``target.condition.KEY=`` what the target has; everything else is a parameter of the check. Where a
parameter names a free number (a skill, an attribute), its value will do.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.state import TableState
from boonbridge.dice.source import Dice, NoDice
from boonbridge.rulesets.base import Ruleset
from boonbridge.rulesets.common.numbers import spec_of
from boonbridge.rulesets.registry import NotARuleset, discover, load
from boonbridge_schemas.base import Key, Scalar, Side
from boonbridge_schemas.checks import Attack, Number, Numbers, SourceClaim
from boonbridge_schemas.commands import AnswerRequest, Command, RequestCheck, RollCheck, SetCondition, SetOptions, SyncActor
from boonbridge_schemas.events import Event
from boonbridge_schemas.game import CheckSpec, NumberSpec

from .arguments import BadArgument, pairs, scalar, source

YOU, TARGET = "you", "target"
GM = "gm"
_FREE = "any"
_OF_ALL = "difficulty"


class Asked:
    """The words of the command line, sorted by what they speak of. Raises ``BadArgument``, ``msgspec.ValidationError``."""

    def __init__(self, words: Iterable[str]) -> None:
        self.params: dict[Key, Scalar] = {}
        self.options: dict[str, Scalar] = {}
        self.numbers: dict[str, dict[Key, Scalar]] = {YOU: {}, TARGET: {}}
        self.conditions: dict[str, dict[Key, Scalar]] = {YOU: {}, TARGET: {}}
        self.attack: dict[str, str] = {}
        self.sources: list[SourceClaim] = []
        for key, value in pairs(words):
            first, dot, rest = key.partition(".")
            if key in ("boon", "bane"):
                self.sources.append(source(key, value))
            elif dot and first == "option":
                self.options[rest] = scalar(value)
            elif dot and first in ("number", "target", "condition"):
                self._of_somebody(first, rest, scalar(value))
            elif dot and first == "attack":
                self.attack[rest] = value
            else:
                self.params[key] = scalar(value)

    def readings(self, game: Ruleset) -> dict[str, Scalar | None]:
        """The options as their game has them: ``none`` and ``null`` are no limit, where that is not a reading of its own."""
        return {
            key: None if value in ("none", "null") and not _takes(game, key, value) else value
            for key, value in self.options.items()
        }

    def _of_somebody(self, first: str, rest: str, value: Scalar) -> None:
        second, _, about = rest.partition(".")
        if first == "condition":
            self.conditions[YOU][rest] = value
        elif first == "target" and second == "condition" and about:
            self.conditions[TARGET][about] = value
        else:
            self.numbers[YOU if first == "number" else TARGET][rest] = value


class Supposed:
    """The table: what stands on it, and who rolls what. Raises ``Refusal``, ``BadArgument``, ``msgspec.ValidationError``."""

    def __init__(self, state: TableState, check: str, asked: Asked, *, side: Side = "party") -> None:
        self.state = state
        self.check = check
        numbers = state.ruleset.info(state.options).numbers
        spec = state.ruleset.checks.get(check)
        self.params = _params(asked, spec, numbers) if spec else asked.params
        attacks = _attacks(asked, numbers) if spec and any(param.kind == "attack" for param in spec.params) else ()
        self._with_actor(YOU, _numbers(asked.numbers[YOU], numbers), attacks, side)
        self.targets: tuple[str, ...] = ()
        theirs = asked.numbers[TARGET] or asked.conditions[TARGET]
        if spec is not None and (spec.targets == "required" or (spec.targets == "optional" and theirs)):
            self._with_actor(
                TARGET, _numbers(asked.numbers[TARGET], numbers), (), "party" if side == "opposition" else "opposition"
            )
            self.targets = (TARGET,)
        self.sources = tuple(asked.sources)
        for whose in (YOU, *self.targets):
            for condition, amount in asked.conditions[whose].items():
                set_ = {"t": "SetCondition", "actors": [whose], "condition": condition, "amount": amount}
                self.do(msgspec.convert(set_, SetCondition))

    def _with_actor(self, actor: str, numbers: Sequence[Number], attacks: tuple[Attack, ...], side: Side) -> None:
        self.do(SyncActor(actor=actor, name=actor, side=side, numbers=Numbers(values=tuple(numbers), attacks=attacks)))

    def command(self, **more: Any) -> RollCheck:
        """The roll that was asked about."""
        return RollCheck(check=self.check, actors=(YOU,), targets=self.targets, params=self.params, sources=self.sources, **more)

    def roll(self, dice: Dice, *, spend_before: int = 0) -> tuple[Event, ...]:
        """Roll it. What is only rolled for a request is asked for first; ``difficulty`` is then the group's."""
        spec = self.state.ruleset.checks.get(self.check)
        if spec is None or not spec.asked:
            return self.do(self.command(spend_before=spend_before), dice)
        groups = self.state.ruleset.info(self.state.options).groups
        group = next((each for each in groups if self.check in each.checks), None)
        params = {key: value for key, value in self.params.items() if group is None or key != _OF_ALL}
        ask: dict[str, Any] = {"actors": [YOU], "checks": [{"check": self.check, "params": params}]}
        ask |= {"group": group.key if group else "each", "difficulty": self.params.get(_OF_ALL)}
        ask["sources"] = msgspec.to_builtins(self.sources)
        self.do(msgspec.convert({"t": "RequestCheck", **ask}, RequestCheck))
        return self.do(AnswerRequest(request=str(self.state.seq), actor=YOU, spend_before=spend_before), dice)

    def do(self, command: Command, dice: Dice | None = None) -> tuple[Event, ...]:
        """What a GM's command comes to; the table is as it leaves it. Raises ``Refusal``; then it is as before."""
        self.state, events = done(self.state, command, dice)
        return events


def done(state: TableState, command: Command, dice: Dice | None = None) -> tuple[TableState, tuple[Event, ...]]:
    """A GM's command, decided as a server decides it: the table afterwards, and what happened."""
    begun = begin(state, seq=state.seq + 1, at=0, by=GM)
    falling = dice or NoDice("a command without dice")
    context = Context(by=GM, role="gm", at=0, command_id="nobody-asked-for-this-one", dice_for=lambda _part: falling)
    events = decide(begun, command, context).events
    return evolve_all(begun, events), events


def opened(game: Ruleset, asked: Asked) -> TableState:
    """A table of a game with the readings that the words name. Raises ``Refusal``, ``msgspec.ValidationError``."""
    state = TableState.opening(game)
    if not asked.options:
        return state
    return done(state, msgspec.convert({"t": "SetOptions", "options": asked.readings(game)}, SetOptions))[0]


def game_of(ruleset: str) -> Ruleset:
    """A game by its id or file. Raises ``NotARuleset``."""
    if ruleset.endswith(".py"):
        return load(ruleset)
    games = discover()
    if ruleset not in games:
        raise NotARuleset(f"there is no game {ruleset!r}; there are {', '.join(games)}, or the path of a game's file")
    return games[ruleset]


def _takes(game: Ruleset, option: str, value: Scalar) -> bool:
    try:
        msgspec.convert({option: value}, game.options)
    except msgspec.ValidationError:
        return False
    return True


def _params(asked: Asked, spec: CheckSpec, numbers: Sequence[NumberSpec]) -> dict[Key, Scalar]:
    """The parameters, with what may be left out on a command line filled in."""
    params = dict(asked.params)
    for param in spec.params:
        value = params.get(param.key)
        whose = asked.numbers[TARGET if param.of_target else YOU]
        if param.kind == "number" and param.group and isinstance(value, int) and not isinstance(value, bool):
            # The bare bonus: it belongs to a number of that group which has no name here.
            params[param.key] = f"{param.group}.{_FREE}"
            whose[f"{param.group}.{_FREE}"] = value
        elif param.kind == "number" and isinstance(value, str):
            params[param.key] = _key(value, numbers)
        elif param.kind == "number" and value is None and param.required and len(whose) == 1:
            params[param.key] = _key(next(iter(whose)), numbers)
        elif param.kind == "attack" and value is None and param.required:
            params[param.key] = "attack"
    return params


def _key(name: str, numbers: Sequence[NumberSpec]) -> Key:
    """A number's key; one that the game does not know by itself belongs to its only group."""
    groups = [spec.key for spec in numbers if spec.group]
    return f"{groups[0]}.{name}" if spec_of(name, numbers) is None and len(groups) == 1 else name


def _numbers(given: dict[Key, Scalar], specs: Sequence[NumberSpec]) -> list[Number]:
    values = {_key(key, specs): value for key, value in given.items()}
    return [msgspec.convert({"key": key, "value": value}, Number) for key, value in values.items()]


def _attacks(asked: Asked, numbers: Sequence[NumberSpec]) -> tuple[Attack, ...]:
    """The attack that the words describe; it uses the only number there is where they name none."""
    fields: dict[str, Any] = {"id": "attack", "name": "attack"}
    if "attribute" in asked.attack:
        fields["attribute"] = _key(asked.attack["attribute"], numbers)
    elif len(asked.numbers[YOU]) == 1:
        fields["attribute"] = _key(next(iter(asked.numbers[YOU])), numbers)
    else:
        raise BadArgument("Say what the attack uses: number.KEY=VALUE, and attack.attribute=KEY where there are several.")
    if "against" in asked.attack:
        fields["against"] = asked.attack["against"]
    fields["tags"] = [tag for tag in re.split(r"[,\s]+", asked.attack.get("tags", "")) if tag]
    return (msgspec.convert(fields, Attack),)
