"""What a table edits besides its readings of the rules: compared with what a game has, and put where the game shows it.

A game declares its own values once, in its file and its words; what stands at a table comes from here. No rule of one
game may be in this file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boonbridge_schemas.base import Key, Label, Scalar
from boonbridge_schemas.codes import Code
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
    GroupSpec,
    NumberSpec,
    Option,
    ParamSpec,
)
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.tabledata import (
    Amount,
    Ladder,
    OwnCircumstance,
    OwnCondition,
    Step,
    TableData,
)

from .numbers import ON_CRIT_AT_MOST, spec_of

MOST = 64
"""So many entries of a kind a table may have."""
DICE = (4, 6, 8, 10, 12, 20)
"""Dice that are there to be had."""
RANKS = 6
_AMOUNT_AT_MOST = 99


# --- what a game has --------------------------------------------------------------------------------------------
def ladders(checks: Iterable[CheckSpec], groups: Iterable[GroupSpec]) -> tuple[Ladder, ...]:
    """The ladders of a game, one for each parameter that is a difficulty."""
    found: dict[Key, Ladder] = {}
    for param in _difficulties(checks, groups):
        steps = tuple(
            Step(value=step.value, label=step.label, proposed=step.proposed)
            for step in param.ladder
            if isinstance(step.value, int)
        )
        found.setdefault(param.key, Ladder(key=param.key, steps=steps))
    return tuple(found.values())


def _difficulties(checks: Iterable[CheckSpec], groups: Iterable[GroupSpec]) -> Iterator[ParamSpec]:
    for check in checks:
        yield from (param for param in check.params if param.difficulty)
    yield from (group.difficulty for group in groups if group.difficulty is not None)


def circumstances(listed: Iterable[Circumstance]) -> tuple[OwnCircumstance, ...]:
    """The palette of a game as a table may edit it."""
    return tuple(
        OwnCircumstance(
            id=each.id, label=each.label, sign=each.sign, kind=each.kind, example=each.example, proposed=each.proposed
        )
        for each in listed
    )


# --- what a table has -------------------------------------------------------------------------------------------
def with_ladder(param: ParamSpec, data: TableData) -> ParamSpec:
    """A difficulty with the ladder that the table has for it, from the lowest step to the highest."""
    ladder = next((ladder for ladder in data.ladders if ladder.key == param.key), None)
    if not param.difficulty or ladder is None:
        return param
    steps = sorted(ladder.steps, key=lambda step: step.value)
    return replace(param, ladder=tuple(Option(value=step.value, label=step.label, proposed=step.proposed) for step in steps))


def check_with(spec: CheckSpec, data: TableData) -> CheckSpec:
    """A kind of check as the table has it."""
    return replace(spec, params=tuple(with_ladder(param, data) for param in spec.params))


def group_with(spec: GroupSpec, data: TableData) -> GroupSpec:
    """A kind of group as the table has it."""
    return spec if spec.difficulty is None else replace(spec, difficulty=with_ladder(spec.difficulty, data))


def palette(data: TableData) -> tuple[Circumstance, ...]:
    """The table's circumstances as palettes list them."""
    return tuple(
        Circumstance(id=each.id, label=each.label, sign=each.sign, kind=each.kind, example=each.example, proposed=each.proposed)
        for each in data.circumstances
    )


def own_spec(own: OwnCondition) -> ConditionSpec:
    """A condition of the table's own as every condition is described."""
    return ConditionSpec(key=own.key, label=own.label, counted=own.counted, tone=own.tone, ours=True, help=own.help)


def amount(data: TableData, key: Key, defaults: Iterable[Amount]) -> int:
    """How much something counts at this table; what the game says where the table says nothing."""
    found = next((each for each in (*data.amounts, *defaults) if each.key == key), None)
    return found.value if found is not None else 0


# --- what does not fit ------------------------------------------------------------------------------------------
def validate(
    data: TableData,
    usual: TableData,
    *,
    checks: Mapping[str, CheckSpec],
    groups: Iterable[GroupSpec],
    conditions: Mapping[str, ConditionSpec],
    numbers: Sequence[NumberSpec],
) -> None:
    """Raises ``data.*`` where edited data are another game's, too many, or make no sense. ``usual``: as the game has them."""
    if data.ruleset != usual.ruleset:
        raise Refusal(Code.DATA_OTHER_RULESET, values={"ruleset": data.ruleset, "expected": usual.ruleset})
    _few(data)
    _parts(data, usual)
    _ladders(data, usual, {param.key: param for param in _difficulties(checks.values(), groups)})
    _conditions(data, checks, conditions, numbers)
    _unique("circumstances", (each.id for each in data.circumstances))
    for circumstance in data.circumstances:
        _named("circumstances", circumstance.id, circumstance.label)
    _amounts(data, usual)
    _unique("onCrits", (each.name for each in data.on_crits))
    for effect in data.on_crits:
        _within("onCrits", effect.name, effect.amount, 1, ON_CRIT_AT_MOST)
    _rank_dice(data.rank_dice)
    for part, value in (("levelStep", data.level_step), ("xpPerLevel", data.xp_per_level)):
        if value is not None:
            _within(part, part, value, 1, _AMOUNT_AT_MOST)


def _few(data: TableData) -> None:
    parts: dict[str, int] = {
        "ladders": len(data.ladders),
        "conditions": len(data.conditions),
        "circumstances": len(data.circumstances),
        "amounts": len(data.amounts),
        "onCrits": len(data.on_crits),
        "rankDice": len(data.rank_dice),
    }
    lists: list[tuple[str, Sequence[object]]] = [("ladders", ladder.steps) for ladder in data.ladders[:MOST]]
    for own in data.conditions[:MOST]:
        lists += [("conditions", own.checks), ("conditions", own.attributes), ("conditions", own.implies)]
    for part, count in (*parts.items(), *((part, len(listed)) for part, listed in lists)):
        if count > MOST:
            raise Refusal(Code.DATA_TOO_MANY, f"{part}: {count} entries, at most {MOST}.", values={"part": part, "limit": MOST})


def _parts(data: TableData, usual: TableData) -> None:
    """A part that the game does not have."""
    has = {
        "amounts": (data.amounts, usual.amounts),
        "onCrits": (data.on_crits, usual.on_crits),
        "rankDice": (data.rank_dice, usual.rank_dice),
        "levelStep": (data.level_step, usual.level_step),
        "xpPerLevel": (data.xp_per_level, usual.xp_per_level),
    }
    for part, (given, known) in has.items():
        if given not in ((), None) and known in ((), None):
            raise _unknown(part, part)


def _ladders(data: TableData, usual: TableData, params: Mapping[Key, ParamSpec]) -> None:
    known = {ladder.key for ladder in usual.ladders}
    _unique("ladders", (ladder.key for ladder in data.ladders))
    for ladder in data.ladders:
        if ladder.key not in known:
            raise _unknown("ladders", ladder.key)
        _unique("ladders", (str(step.value) for step in ladder.steps))
        param = params[ladder.key]
        for step in ladder.steps:
            _named("ladders", ladder.key, step.label)
            _within("ladders", ladder.key, step.value, param.min or 0, 999 if param.max is None else param.max)


def _conditions(
    data: TableData,
    checks: Mapping[str, CheckSpec],
    conditions: Mapping[str, ConditionSpec],
    numbers: Sequence[NumberSpec],
) -> None:
    keys = [own.key for own in data.conditions]
    _unique("conditions", (*conditions, *keys))
    for own in data.conditions:
        _named("conditions", own.key, own.label)
        if "." in own.key:
            raise _bad("conditions", own.key, f"{own.key!r}: a key of a condition has no dot.")
        _within("conditions", own.key, own.own, -_AMOUNT_AT_MOST, _AMOUNT_AT_MOST)
        _within("conditions", own.key, own.against, -_AMOUNT_AT_MOST, _AMOUNT_AT_MOST)
        for named in (
            *(check for check in own.checks if check not in checks),
            *(key for key in own.attributes if spec_of(key, numbers) is None),
            *(key for key in own.implies if key not in keys),
        ):
            raise _unknown("conditions", named)
    implied = {own.key: own.implies for own in data.conditions}
    for key in keys:
        if key in _reached(implied, key):
            raise Refusal(Code.DATA_CYCLE, f"{key!r} implies itself.", values={"part": "conditions", "key": key})


def _reached(implied: Mapping[Key, tuple[Key, ...]], key: Key) -> set[Key]:
    """Everything that a condition implies, directly or by way of others."""
    found: set[Key] = set()
    ahead = list(implied.get(key, ()))
    while ahead:
        if (following := ahead.pop()) not in found:
            found.add(following)
            ahead += implied.get(following, ())
    return found


def _amounts(data: TableData, usual: TableData) -> None:
    known = {each.key for each in usual.amounts}
    _unique("amounts", (each.key for each in data.amounts))
    for each in data.amounts:
        if each.key not in known:
            raise _unknown("amounts", each.key)
        _within("amounts", each.key, each.value, 0, _AMOUNT_AT_MOST)


def _rank_dice(dice: tuple[int, ...]) -> None:
    for sides in dice:
        if sides not in DICE:
            words = ", ".join(f"d{known}" for known in DICE)
            raise Refusal(
                Code.DATA_BAD_DIE, f"There is no d{sides}; there are {words}.", values={"part": "rankDice", "sides": sides}
            )
    if dice and len(dice) != RANKS:
        raise _bad("rankDice", "rankDice", f"There are {RANKS} Ranks, so {RANKS} dice.")


def _unique(part: str, keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise Refusal(Code.DATA_TWICE, f"{part}: {key!r} stands there twice.", values={"part": part, "key": key})
        seen.add(key)


def _named(part: str, key: str, label: Label) -> None:
    if not label.strip():
        raise _bad(part, key, f"{part}: {key!r} needs a name.")


def _within(part: str, key: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise _bad(part, key, f"{part}: {key!r} is from {low} to {high}.", low=low, high=high)


def _bad(part: str, key: str, message: str, **values: Scalar) -> Refusal:
    return Refusal(Code.DATA_BAD_VALUE, message, values={"part": part, "key": key, **values})


def _unknown(part: str, key: str) -> Refusal:
    return Refusal(Code.DATA_UNKNOWN, f"{part}: there is no {key!r} here.", values={"part": part, "key": key})


# --- conditions of the table's own ------------------------------------------------------------------------------
class Had(Struct, frozen=True):
    """A condition of the table's own that somebody has: given to him, or implied by one that was."""

    own: OwnCondition
    amount: int


def had(held: Mapping[Key, int], data: TableData) -> tuple[Had, ...]:
    """Which of the table's own conditions follow from those held, each once, in the order of the data."""
    implied = {own.key: own.implies for own in data.conditions}
    through = {key for given in held for key in _reached(implied, given)}
    return tuple(Had(own, held.get(own.key, 1)) for own in data.conditions if own.key in held or own.key in through)
