"""A commit as lines of a terminal: who attempted what, the dice, the total, the verdict; and what happened in between."""

import time
from collections.abc import Iterable, Iterator

from boonbridge.commands.changes import changed
from boonbridge.commands.corrections import brought
from boonbridge.commands.effects import condition
from boonbridge.commands.plain import word
from boonbridge_schemas.checks import Die, Result, Rolled
from boonbridge_schemas.events import CheckNoted, CheckRolled, Chosen, DiceRolled, Event, Revealed, TargetFixed
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.server import CaughtUp, Hidden, Logged


def line(frame: Logged | Hidden | CaughtUp, ruleset: RulesetInfo) -> Iterator[str]:
    """The lines of a frame, without markup or colour, so that they can be piped."""
    if isinstance(frame, CaughtUp):
        yield f"-- caught up at #{frame.head}"
        return
    if isinstance(frame, Hidden):
        yield f"#{frame.seq:<5}        (not for you)"
        return
    clock = time.strftime("%H:%M", time.localtime(frame.at / 1000))
    for event in frame.events:
        yield f"#{frame.seq:<5} {clock}  {told(event, ruleset)}"


def told(event: Event, ruleset: RulesetInfo) -> str:
    """One event in words."""
    match event:
        case CheckRolled(rolled=rolled, result=result):
            target = f" vs {rolled.target}" if rolled.target is not None else ""
            came = f"{dice_told(result.dice)} = {result.total}{target}  {verdict(result, ruleset)}"
            return f"{word(rolled.name)}: {_attempt(rolled, ruleset)}  {came}{_how(manual=rolled.manual, auto=rolled.auto)}"
        case Revealed(rolled=rolled, result=result, effects=effects):
            came = f"{dice_told(result.dice)} = {result.total}  {verdict(result, ruleset)}"
            return (
                f"revealed: {word(rolled.name)}: {_attempt(rolled, ruleset)} (#{rolled.check})  {came}{brought(effects, ruleset)}"
            )
        case DiceRolled():
            what = event.label or ("damage" if event.kind == "damage" else "dice")
            came = f"{event.formula}  {dice_told(event.dice)} = {event.total}"
            who = f"{word(event.name)}: " if event.name else ""
            return f"{who}{word(what)}  {came}{_how(manual=event.manual, auto=event.auto)}"
        case Chosen(choice=choice, result=result):
            came = f"  {dice_told(result.dice)} = {result.total}  {verdict(result, ruleset)}" if result else ""
            note = f"  ({word(event.note)})" if event.note else ""
            return f"  on #{event.check}: {choice}{_how(manual=event.manual, auto=event.auto)}{came}{note}"
        case CheckNoted(name=name, kind=kind):
            return f"{word(name)}: {kind}, blind"
        case TargetFixed(check=check, target=number):
            return f"  on #{check}: against {number}"
        case _:
            return changed(event, ruleset)


def _attempt(rolled: Rolled, ruleset: RulesetInfo) -> str:
    """What was attempted, against whom, and what is different since it failed."""
    what = word(rolled.action or next((c.label for c in ruleset.checks if c.key == rolled.kind), rolled.kind))
    against = f" against {word(rolled.opponent_name)}" if rolled.opponent_name else ""
    ends = f" to end {condition(rolled.ends, ruleset)}" if rolled.ends is not None else ""
    again = f" (changed: {word(rolled.changed)})" if rolled.changed else " (again)" if rolled.again else ""
    return f"{what}{against}{ends}{again}"


def _how(*, manual: bool, auto: bool) -> str:
    return (" (by hand)" if manual else "") + (" (by itself)" if auto else "")


def dice_told(dice: Iterable[Die]) -> str:
    """Dice as they fell, in order; those that do not count in brackets."""
    shown = ((f"{'-' if die.mark == 'minus' else ''}d{die.sides}:{die.face}", die.kept) for die in dice)
    return " ".join(text if kept else f"({text})" for text, kept in shown)


def verdict(result: Result, ruleset: RulesetInfo) -> str:
    """What it came to, in the game's own word."""
    return word(next((o.label for o in ruleset.outcomes if o.key == result.outcome), result.outcome))
