"""``boonbridge odds``: the exact chances of a check that nobody rolls, by the functions that a dialog asks.

``boon=ID[xN]`` and ``bane=ID[xN]`` are sources, ``number.KEY=`` a number of whoever rolls, ``target.KEY=`` one of the
target's, ``attack.FIELD=`` describes the attack, ``option.NAME=`` is a reading of the rules; everything else is a
parameter of the check. Where a parameter names a free number (a skill, an attribute), its value will do.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from boonbridge.core.checking import checks_of
from boonbridge.core.evolving import evolve_all
from boonbridge.core.preview import preview
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.rulesets.base import Ruleset
from boonbridge.rulesets.common.numbers import spec_of
from boonbridge.rulesets.registry import NotARuleset, discover, load
from boonbridge_schemas.base import Key, Label, Record, Scalar, Sign
from boonbridge_schemas.checks import Attack, Number, Numbers, Odds, Source, SourceClaim, TotalChance
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.events import ActorSynced, NumbersSet
from boonbridge_schemas.game import CheckSpec, NumberSpec
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec

from .arguments import BadArgument, pairs, scalar, source
from .failing import fail

YOU, TARGET = "you", "target"
_FREE = "any"


class Answer(Record, frozen=True, kw_only=True):
    """Everything there is to say about a check beforehand. ``called``: the game's own words for the two signs."""

    ruleset: Key
    check: Key
    target: int | None
    net: int
    boons: int
    banes: int
    bonus: int
    dice: tuple[DieSpec, ...]
    odds: Odds | None
    curve: tuple[TotalChance, ...]
    sources: tuple[Source, ...]
    called: dict[Sign, Label]


class _Asked:
    """The words of the command line, sorted by what they speak of."""

    def __init__(self, words: Iterable[str]) -> None:
        self.params: dict[Key, Scalar] = {}
        self.options: dict[str, Scalar | None] = {}
        self.numbers: dict[str, dict[Key, Scalar]] = {YOU: {}, TARGET: {}}
        self.attack: dict[str, str] = {}
        self.sources: list[SourceClaim] = []
        for key, value in pairs(words):
            first, dot, rest = key.partition(".")
            if key in ("boon", "bane"):
                self.sources.append(source(key, value))
            elif dot and first == "option":
                self.options[rest] = None if value in ("none", "null") else scalar(value)
            elif dot and first in ("number", "target"):
                self.numbers[YOU if first == "number" else TARGET][rest] = scalar(value)
            elif dot and first == "attack":
                self.attack[rest] = value
            else:
                self.params[key] = scalar(value)


def ask(ruleset: str, check: str, words: Iterable[str]) -> Answer:
    """The answer to one question.

    Raises:
        BadArgument, NotARuleset, Refusal: with a sentence that says what is wrong.
    """
    game = _game(ruleset)
    try:
        asked = _Asked(words)
        state = TableState.opening(game, asked.options)
    except msgspec.ValidationError as problem:
        raise BadArgument(str(problem)) from None
    info = game.info(state.options)
    numbers = info.numbers
    spec = game.checks.get(check)
    params = _params(asked, spec, numbers) if spec else asked.params
    attacks = _attacks(asked, numbers) if spec and any(param.kind == "attack" for param in spec.params) else ()
    state = _with_actor(state, YOU, _numbers(asked.numbers[YOU], numbers), attacks)
    targets: tuple[str, ...] = ()
    if spec is not None and (spec.targets == "required" or (spec.targets == "optional" and asked.numbers[TARGET])):
        state = _with_actor(state, TARGET, _numbers(asked.numbers[TARGET], numbers), ())
        targets = (TARGET,)
    command = RollCheck(check=check, actors=(YOU,), targets=targets, params=params, sources=tuple(asked.sources))
    (row,) = preview(state, command, Viewer(YOU, "gm"))
    return Answer(
        ruleset=game.id,
        check=check,
        target=row.target,
        net=row.net,
        boons=row.boons,
        banes=row.banes,
        bonus=row.bonus,
        dice=row.dice,
        odds=row.odds,
        curve=_curve(state, command),
        sources=row.sources,
        called={"boon": info.words.get("boon", "boon"), "bane": info.words.get("bane", "bane")},
    )


def _game(ruleset: str) -> Ruleset:
    if ruleset.endswith(".py"):
        return load(ruleset)
    games = discover()
    if ruleset not in games:
        raise NotARuleset(f"there is no game {ruleset!r}; there are {', '.join(games)}, or the path of a game's file")
    return games[ruleset]


def _curve(state: TableState, command: RollCheck) -> tuple[TotalChance, ...]:
    """What a viewer is shown who may not know the target: the curve of totals."""
    ((_, (draft,)),) = checks_of(state, command, YOU, "gm")
    check = state.ruleset.prepare(state, draft)
    return state.ruleset.curve(state, check, state.ruleset.modifiers(state, check))


def _with_actor(state: TableState, actor: str, numbers: Sequence[Number], attacks: tuple[Attack, ...]) -> TableState:
    whole = Numbers(values=tuple(numbers), attacks=attacks)
    state.ruleset.validate_numbers(whole)
    side: Any = "party" if actor == YOU else "opposition"
    synced = ActorSynced(actor=actor, name=actor, side=side, owners=())
    return evolve_all(state, (synced, NumbersSet(actor=actor, numbers=whole)))


def _params(asked: _Asked, spec: CheckSpec, numbers: Sequence[NumberSpec]) -> dict[Key, Scalar]:
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


def _attacks(asked: _Asked, numbers: Sequence[NumberSpec]) -> tuple[Attack, ...]:
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


def odds(ruleset: str, check: str, words: Iterable[str], *, as_json: bool) -> None:
    """Print the chances of a check, or one sentence that says why there are none."""
    try:
        answer = ask(ruleset, check, words)
    except Refusal as refusal:
        fail(refusal.message)
    except (BadArgument, NotARuleset, msgspec.ValidationError) as problem:
        fail(str(problem))
    if as_json:
        print(msgspec.json.encode(answer).decode())
        return
    for line in lines(answer):
        print(line)


def lines(answer: Answer) -> list[str]:
    """The answer as text: what is rolled, the chances as fractions and percent, and where the dice come from."""
    dice = " + ".join(f"{die.count if die.count > 1 else ''}d{die.sides}{_role(die)}" for die in answer.dice)
    bonus = f" {'+' if answer.bonus > 0 else '-'} {abs(answer.bonus)}" if answer.bonus else ""
    against = f" against {answer.target}" if answer.target is not None else ""
    told = [f"{answer.ruleset} {answer.check}: {dice or 'no dice'}{bonus}{against}"]
    if answer.odds is not None:
        for name in ("success", "critical", "worst"):
            exact: str = getattr(answer.odds, name)
            told.append(f"  {name:<9} {_percent(exact):>7}  {exact}")
    if answer.odds is None and answer.curve:
        told += [f"  {point.total:>9} {_percent(point.chance):>7}  {point.chance}" for point in answer.curve]
    for line in answer.sources:
        times = f" x{line.amount}" if line.amount != 1 else ""
        told.append(f"  {answer.called[line.sign]} {line.label}{times}: {line.why.replace('_', ' ')}")
    return told


def _role(die: DieSpec) -> str:
    return "" if die.role.startswith("d") else f" ({die.role})"


def _percent(exact: str) -> str:
    return f"{float(Fraction(exact) * 100):.1f} %"
