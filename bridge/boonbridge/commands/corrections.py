"""Corrections as a line each: what was taken back or decided otherwise, what that changes, and what is left as it is."""

from collections.abc import Iterable

from boonbridge.commands.effects import condition, effects_told, sign_told
from boonbridge.commands.plain import word
from boonbridge_schemas.corrections import Left
from boonbridge_schemas.effects import Effect
from boonbridge_schemas.events import Event, Overridden, Settled, Voided
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.grants import ConditionRef

_WHY = {
    "spent_since": "spent since",
    "used_since": "used since",
    "rolled_since": "rolled since",
    "full": "no room for it",
    "evening_over": "of an evening that is over",
    "closed_by_it": "taken because of this roll",
}
_DEED = {
    "check": "the roll",
    "grant": "what was given,",
    "condition": "the condition",
    "verb": "the move",
    "request": "the request",
}


def corrected(event: Event, ruleset: RulesetInfo) -> str | None:
    """One of these events in words; None: it is none of them. A ``Revealed`` is told like the roll it shows."""
    match event:
        case Voided(what=what, reason=reason, effects=effects, left=left):
            kind, _, number = what.partition("/")
            first = f"taken back: {_DEED.get(kind, kind)} #{number}{_because(reason)}"
            return _line(first, effects_told(effects, ruleset), left_told(left, ruleset))
        case Overridden(check=check, outcome=outcome, reason=reason, effects=effects, brings=brings, left=left, deferred=later):
            label = next((known.label for known in ruleset.outcomes if known.key == outcome), outcome.replace("_", " "))
            first = f"decided otherwise: #{check} is now {word(label)}{_because(reason)}"
            brought = effects_told(brings, ruleset)
            told = [f"{each}, once it is settled" for each in brought] if later else brought
            return _line(first, [*effects_told(effects, ruleset), *told], left_told(left, ruleset))
        case Settled(check=check, effects=effects):
            first = f"settled: #{check}" if check is not None else "a hidden roll was settled"
            return _line(first, effects_told(effects, ruleset), [])
        case _:
            return None


def brought(effects: Iterable[Effect], ruleset: RulesetInfo) -> str:
    """What a revealed roll does now, behind its line."""
    told = effects_told(effects, ruleset)
    return f": {', '.join(told)}" if told else ""


def left_told(left: Iterable[Left], ruleset: RulesetInfo) -> list[str]:
    """What a correction leaves as it is, and why."""
    return [f"stays: {_left(each, ruleset)} ({_WHY.get(each.why, each.why.replace('_', ' '))})" for each in left]


def _left(left: Left, ruleset: RulesetInfo) -> str:
    whose = f"{left.actor}: " if left.actor is not None else ""
    match left.what:
        case "resource":
            called = ruleset.words.get(f"resource.{left.key}", left.key)
            return f"{whose}{left.amount} {word(called)}"
        case "condition":
            return f"{whose}{condition(ConditionRef(key=left.key), ruleset)} x{left.amount}"
        case "grant":
            return f"{whose}{sign_told(left.key, ruleset)}{f' {word(left.label)}' if left.label else ''}"
        case "opportunity":
            return f"the opportunity {word(left.label)}"
        case "xp":
            return f"{whose}experience {left.amount}"
        case what:
            return f"{whose}{word(left.label) or what.replace('_', ' ')}"


def _because(reason: str) -> str:
    return f" ({word(reason)})" if reason else ""


def _line(first: str, effects: list[str], left: list[str]) -> str:
    return ": ".join(filter(None, (first, ", ".join([*effects, *left]))))
