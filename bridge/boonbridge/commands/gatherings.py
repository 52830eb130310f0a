"""What was asked of several together, opportunities, and evenings, as a line each."""

from collections.abc import Iterable

from boonbridge.commands.corrections import left_told
from boonbridge.commands.effects import effects_told
from boonbridge.commands.plain import word
from boonbridge_schemas.events import (
    CheckRequested,
    Declined,
    DifficultiesSet,
    Event,
    GroupRecounted,
    GroupTold,
    OpportunityDropped,
    OpportunityUsed,
    RequestAnswered,
    RequestClosed,
    RequestExpired,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    TableDataSet,
    UnsettledDropped,
)
from boonbridge_schemas.game import CheckSpec, RulesetInfo
from boonbridge_schemas.requests import AskedCheck, GroupResult, RequestRecord

_OVER = {"complete": "everybody has answered", "closed": "it was closed", "expired": "its time is up"}


def gathered(event: Event, ruleset: RulesetInfo) -> str | None:
    """One of these events in words; None: it is none of them."""
    match event:
        case CheckRequested(request=request):
            return asked_told(request, ruleset)
        case DifficultiesSet(request=request, checks=checks, difficulty=difficulty):
            own = [f"the group {difficulty}"] if difficulty is not None else []
            return f"  on request #{request}: {', '.join([*_difficulties(checks, ruleset), *own]) or 'no difficulties'}"
        case RequestAnswered(request=request, actor=actor, check=check, absent=absent):
            which = f" #{check}" if check is not None else ""
            return f"request #{request}: {actor} rolled{which}{' (a GM, for him)' if absent else ''}"
        case Declined(request=request, actor=actor):
            return f"request #{request}: {actor} does not roll"
        case RequestExpired(request=request, actors=actors):
            return f"request #{request}: no answer from {', '.join(actors)}"
        case RequestClosed(request=request, why=why, result=result, effects=effects):
            came = group_told(result, ruleset) if result is not None else ""
            return _line(f"request #{request}: {_OVER[why]}", came, *effects_told(effects, ruleset))
        case GroupTold(request=request, result=result, effects=effects):
            waiting = [f"{told}, once everybody is shown its rolls" for told in effects_told(effects, ruleset)]
            return _line(f"  on request #{request}", group_told(result, ruleset), *waiting)
        case GroupRecounted(request=request, result=result, effects=effects, brings=brings, left=left):
            came = group_told(result, ruleset) if result is not None else "nobody rolled"
            told = (*effects_told(effects, ruleset), *effects_told(brings, ruleset), *left_told(left, ruleset))
            return _line(f"request #{request}, counted anew", came, *told)
        case _:
            return _evening(event)


def _evening(event: Event) -> str | None:
    match event:
        case OpportunityUsed(opportunity=opportunity, check=check):
            return f"the opportunity #{opportunity} went with #{check}"
        case OpportunityDropped(opportunity=opportunity):
            return f"the opportunity #{opportunity} has passed"
        case SessionStarted(session=number, name=name):
            return f"evening {number} begins{f': {word(name)}' if name else ''}"
        case SessionEnded(session=number, xp=xp, checks=checks, opportunities=opportunities):
            earned = [f"{word(each.name)}: experience {each.amount:+d}, now {each.now}" for each in xp]
            closed = [f"not open any more: {_ids(checks)}"] if checks else []
            passed = [f"opportunities that have passed: {_ids(opportunities)}"] if opportunities else []
            return _line(f"evening {number} ended", *earned, *closed, *passed)
        case UnsettledDropped(checks=checks):
            return f"hidden rolls that will do nothing any more: {_ids(checks)}"
        case SessionContinued():
            return "it is still the same evening"
        case TableDataSet(data=data):
            return "the table's data were edited" if data is not None else "the table's data are the game's own again"
        case _:
            return None


def asked_told(request: RequestRecord, ruleset: RulesetInfo) -> str:
    """Who is asked for what."""
    whom = ", ".join(word(row.name) for row in request.rows)
    what = " or ".join(_asked(check, ruleset) for check in request.checks)
    about = f"{word(request.action)}: " if request.action else ""
    group = next((spec.label for spec in ruleset.groups if spec.key == request.group), request.group)
    together = f", {word(group)}" if request.group != "each" else ""
    number = f" against {request.difficulty}" if request.difficulty is not None else ""
    return f"asked of {whom}: {about}{what}{together}{number} (#{request.id})"


def _spec(check: AskedCheck, ruleset: RulesetInfo) -> CheckSpec | None:
    return next((spec for spec in ruleset.checks if spec.key == check.check), None)


def _asked(check: AskedCheck, ruleset: RulesetInfo) -> str:
    """One of the checks, with its difficulty where it has one."""
    spec = _spec(check, ruleset)
    called = word(check.label or (spec.label if spec is not None else check.check))
    numbers = [
        str(check.params[param.key]) for param in (spec.params if spec else ()) if param.difficulty and param.key in check.params
    ]
    return f"{called} {' '.join(numbers)}" if numbers else called


def _difficulties(checks: Iterable[AskedCheck], ruleset: RulesetInfo) -> list[str]:
    """Those of the checks that have a number."""
    told = ((_asked(check, ruleset), _asked(AskedCheck(check=check.check, label=check.label), ruleset)) for check in checks)
    return [whole for whole, bare in told if whole != bare]


def group_told(result: GroupResult, ruleset: RulesetInfo) -> str:
    """What the rolls came to together."""
    outcome = next((word.label for word in ruleset.outcomes if word.key == result.outcome), result.outcome.replace("_", " "))
    told = [] if result.success is None and not result.winners else [word(outcome)]
    if result.winners:
        told.append(", ".join(result.winners))
    if result.total is not None:
        told.append(f"{result.total}{f' against {result.target}' if result.target is not None else ''}")
    else:
        told.append(f"{result.succeeded} of {result.counted} succeeded")
    return "  ".join(told)


def _ids(checks: Iterable[str]) -> str:
    return ", ".join(f"#{check}" for check in checks)


def _line(first: str, *more: str) -> str:
    return ": ".join(filter(None, (first, ", ".join(filter(None, more)))))
