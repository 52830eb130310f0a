"""A commit as lines of a terminal: who attempted what, the dice, the total, the verdict."""

import time
from collections.abc import Iterator

from boonbridge.commands.plain import word
from boonbridge_schemas.checks import Result
from boonbridge_schemas.events import (
    AccessRevoked,
    ActorRemoved,
    ActorSynced,
    CheckNoted,
    CheckRolled,
    Chosen,
    Event,
    Granted,
    Invited,
    NumbersSet,
    OptionsSet,
    TableOpened,
    TargetFixed,
)
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
        yield f"#{frame.seq:<5} {clock}  {_told(event, ruleset)}"


def _told(event: Event, ruleset: RulesetInfo) -> str:
    match event:
        case CheckRolled(rolled=rolled, result=result):
            what = word(rolled.action or next((c.label for c in ruleset.checks if c.key == rolled.kind), rolled.kind))
            against = f" against {word(rolled.opponent_name)}" if rolled.opponent_name else ""
            target = f" vs {rolled.target}" if rolled.target is not None else ""
            came = f"{_dice(result)} = {result.total}{target}  {_word(result, ruleset)}"
            return f"{word(rolled.name)}: {what}{against}  {came}"
        case Chosen(choice=choice, result=result, auto=auto):
            came = f"  {_dice(result)} = {result.total}  {_word(result, ruleset)}" if result else ""
            return f"  on #{event.check}: {choice}{' (by itself)' if auto else ''}{came}"
        case CheckNoted(name=name, kind=kind):
            return f"{word(name)}: {kind}, blind"
        case _:
            return _changed(event)


def _changed(event: Event) -> str:
    """What happened to the table and its people, as opposed to what was rolled."""
    match event:
        case Granted(grant=grant):
            return f"{grant.sign} for {grant.actor}: {word(grant.source.label)}"
        case TableOpened(title=title, ruleset=game):
            return f"table opened: {word(title)} ({game})"
        case ActorSynced(name=name, side=side):
            return f"{word(name)} is at the table ({side})"
        case NumbersSet(actor=actor):
            return f"{actor} has new numbers"
        case ActorRemoved(actor=actor):
            return f"{actor} left the table"
        case Invited(user=user, role=role):
            return f"{user} may come in as {role}"
        case AccessRevoked(user=user):
            return f"{user} may not come in any more"
        case TargetFixed(check=check, target=target):
            return f"  on #{check}: against {target}"
        case OptionsSet(options=options):
            return "options: " + ", ".join(f"{key} = {word(str(value))}" for key, value in options.items())
        case _:
            name = getattr(event, "actor", getattr(event, "user", ""))
            return f"{type(event).__name__} {name}".rstrip()


def _dice(result: Result) -> str:
    return " ".join(f"d{die.sides}:{die.face}" if die.kept else f"(d{die.sides}:{die.face})" for die in result.dice)


def _word(result: Result, ruleset: RulesetInfo) -> str:
    return word(next((o.label for o in ruleset.outcomes if o.key == result.outcome), result.outcome))
