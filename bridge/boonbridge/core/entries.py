"""The table's state as a viewer sees it: entries by key, and which keys a commit may have changed.

A client folds nothing; it keeps these entries as given (protocol, section 2).
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from boonbridge_schemas.base import CheckId, Record, Role
from boonbridge_schemas.checks import PendingCheck, Rolled
from boonbridge_schemas.effects import (
    AssistPut,
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    ConditionsPut,
    Effect,
    GrantPut,
    GrantTaken,
    LockCleared,
    LockSet,
    MarkSet,
    OpportunityPut,
    OpportunityTaken,
    ResistanceOffered,
    ResistanceTaken,
    ResourceChanged,
    RowReopened,
    XpChanged,
)
from boonbridge_schemas.entries import ActorEntry, ConditionsEntry, GrantsEntry, MarksEntry, OptionsEntry, PersonEntry, TurnEntry
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    AssistAnswered,
    AssistOffered,
    CheckRolled,
    Chosen,
    CombatEnded,
    ConditionCleared,
    ConditionExpired,
    ConditionSet,
    Event,
    Granted,
    GrantExpired,
    GrantRevoked,
    GrantSpent,
    GroupRecounted,
    Invited,
    LuckDue,
    NumbersSet,
    OptionsSet,
    Overridden,
    Revealed,
    RoundEnded,
    Settled,
    TableDataSet,
    TurnEnded,
    TurnStarted,
    Voided,
)

from .state import TableState
from .visibility import Viewer, offers_for, sees_check, sees_numbers


def all_keys(state: TableState) -> Iterator[str]:
    """The keys of everything that stands at the table, visible or not."""
    yield "options"
    yield from state.ruleset.entries(state)
    if state.edited:
        yield "ruleset"
    if state.marks:
        yield "marks"
    if state.turn is not None:
        yield "turn"
    yield from (f"assist/{assist}" for assist in state.assists)
    for user in state.people:
        yield f"person/{user}"
    for actor in state.actors.values():
        yield f"actor/{actor.id}"
        if actor.grants:
            yield f"grants/{actor.id}"
        if actor.conditions:
            yield f"conditions/{actor.id}"
    for check in state.checks:
        yield f"check/{check}"


def touched(after: TableState, events: Iterable[Event], role: Role) -> tuple[str, ...]:
    """The keys whose value the events may have changed for people of a role, in order, each once. ``after``: with them in it."""
    keys: dict[str, None] = {}
    for event in events:
        keys.update(dict.fromkeys(_keys(after, event, role)))
    return tuple(keys)


def _keys(after: TableState, event: Event, role: Role) -> Iterator[str]:
    match event:
        case CheckRolled() | Chosen():
            check = event.rolled.check if isinstance(event, CheckRolled) else event.check
            yield f"check/{check}"
            if not event.deferred:
                yield from _effect_keys(after, event.effects, check)
                if isinstance(event, CheckRolled):
                    yield from _roll_keys(event.rolled)
        case Acted(effects=effects):
            yield from _effect_keys(after, effects)
        case Invited(user=user) | AccessRevoked(user=user):
            yield f"person/{user}"
            # A person's role decides whose numbers are public.
            yield from (f"actor/{actor.id}" for actor in after.actors.values() if user in actor.owners)
        case OptionsSet():
            yield "options"
            yield from after.ruleset.entries(after)
            yield from (f"actor/{actor}" for actor in after.actors)
            yield from _open_checks(after, role)
        case AssistOffered():
            yield f"assist/{event.assist.id}"
        case AssistAnswered(assist=assist):
            yield f"assist/{assist}"
        case TurnStarted() | TurnEnded() | RoundEnded() | CombatEnded():
            yield from _turn_keys(event)
        case TableDataSet():
            yield "ruleset"
            yield from after.ruleset.entries(after)
        case Voided() | Overridden() | Revealed() | Settled() | GroupRecounted():
            yield from _corrected_keys(after, event)
        case _:
            yield from _actor_keys(after, event)


def _turn_keys(event: TurnStarted | TurnEnded | RoundEnded | CombatEnded) -> Iterator[str]:
    yield "turn"
    if isinstance(event, TurnStarted):
        yield f"conditions/{event.actor}"
    if isinstance(event, CombatEnded):
        yield "marks"


def _roll_keys(rolled: Rolled) -> Iterator[str]:
    """What goes with a roll without being an effect of it."""
    if rolled.ends is not None:
        yield f"conditions/{rolled.actor}"
    if rolled.opponent is not None and "resist" in rolled.params:
        yield f"resistance/{rolled.opponent}"


def _corrected_keys(after: TableState, event: Voided | Overridden | Revealed | Settled | GroupRecounted) -> Iterator[str]:
    match event:
        case Voided(what=what):
            check = what.removeprefix("check/")
            if check != what:
                yield what
        case Overridden(check=check):
            yield f"check/{check}"
            yield from _effect_keys(after, event.brings, check)
        case Revealed(rolled=rolled):
            check = rolled.check
            yield f"check/{check}"
            if rolled.request is not None:
                yield f"request/{rolled.request}"
        case Settled():
            check = f"{after.seq}.0"
        case GroupRecounted(request=request):
            check = "0.0"
            yield f"request/{request}"
            yield from _effect_keys(after, event.brings)
    yield from _effect_keys(after, event.effects, check)


def _actor_keys(after: TableState, event: Event) -> Iterator[str]:
    match event:
        case ActorSynced(actor=actor) | NumbersSet(actor=actor):
            yield f"actor/{actor}"
        case ActorRemoved(actor=actor, checks=checks):
            yield from (f"actor/{actor}", f"grants/{actor}", f"conditions/{actor}")
            yield from (f"check/{check}" for check in checks)
            if after.turn is not None:  # it may have been his
                yield "turn"
        case Granted(grant=grant):
            yield f"grants/{grant.actor}"
        case GrantRevoked(actor=actor) | GrantSpent(actor=actor) | GrantExpired(actor=actor):
            yield f"grants/{actor}"
        case ConditionSet(actor=actor) | ConditionCleared(actor=actor) | ConditionExpired(actor=actor) | LuckDue(actor=actor):
            yield f"conditions/{actor}"
        case _:
            return


def _effect_keys(after: TableState, effects: Iterable[Effect], check: CheckId = "0.0") -> Iterator[str]:
    for effect in effects:
        match effect:
            case ResourceChanged():
                yield from after.ruleset.entries(after)
                yield from _payable(after)
            case ConditionChanged(actor=actor) | ConditionEnded(actor=actor) | ConditionsPut(actor=actor):
                yield f"conditions/{actor}"
            case LockSet(actor=actor) | LockCleared(actor=actor) | XpChanged(actor=actor):
                yield f"actor/{actor}"
            case MarkSet():
                yield "marks"
            case GrantPut(grant=grant):
                yield f"grants/{grant.actor}"
            case GrantTaken(actor=actor):
                yield f"grants/{actor}"
            case _:
                yield from _together_keys(effect, check)


def _together_keys(effect: Effect, check: CheckId) -> Iterator[str]:
    match effect:
        case ChanceGranted(to=None):
            yield f"opportunity/{check}"
        case ChanceGranted(to=to):
            yield f"grants/{to}"
        case OpportunityPut():
            yield f"opportunity/{effect.opportunity.id}"
        case OpportunityTaken(opportunity=opportunity):
            yield f"opportunity/{opportunity}"
        case ResistanceOffered(actor=actor) | ResistanceTaken(actor=actor):
            yield f"resistance/{actor}"
        case AssistPut(assist=assist):
            yield f"assist/{assist.id}"
        case RowReopened(request=request):
            yield f"request/{request}"
        case _:
            pass


def _open_checks(state: TableState, role: Role) -> Iterator[str]:
    """Checks whose offers may be others now by what the table chose.

    Where only a GM's ruling waits on a roll that not everybody sees, that is for GMs: its player would hear by it that no GM
    has ruled.
    """
    payable = frozenset(_payable(state))
    for check, opened in state.undecided.items():
        key = f"check/{check}"
        if role == "gm" or opened.mode == "public" or key in payable:
            yield key


def _payable(state: TableState) -> Iterator[str]:
    """Checks whose offers may have become legal or illegal by what somebody else spent or earned.

    Not those that only wait for a GM's ruling: they may be many, and none of them costs anything.
    """
    for check, opened in state.undecided.items():
        if any(offer.who == "roller" or offer.cost for offer in state.ruleset.choices(state, opened)):
            yield f"check/{check}"


def tells(state: TableState, key: str, viewer: Viewer) -> bool:
    """Whether the key itself may be told: that of a check one may not read would say that there is something open."""
    kind, _, name = key.partition("/")
    opened = state.checks.get(name) if kind == "check" else None
    return opened is None or sees_check(opened, viewer)


def seen_by(state: TableState, keys: Iterable[str]) -> Literal["all", "role", "person"]:
    """Who is shown the same under some keys: everybody, everybody of one role, or nobody but himself."""
    kinds = set()
    for key in keys:
        kind, _, name = key.partition("/")
        if kind == "check" and (opened := state.checks.get(name)) is not None and opened.mode != "public":
            return "person"
        kinds.add(kind)
    return "role" if "actor" in kinds else "all"


def value(state: TableState, key: str, viewer: Viewer) -> Record | None:
    """The value of an entry for a viewer; None where there is none, or none for him."""
    kind, _, name = key.partition("/")
    if kind == "options":
        return OptionsEntry(options=msgspec.to_builtins(state.options))
    if kind == "ruleset":
        return state.ruleset.info(state.options, state.data) if state.edited else None
    if kind == "person":
        member = state.people.get(name)
        return PersonEntry(id=name, role=member.role) if member else None
    if kind == "check":
        return _check(state, name, viewer)
    if kind == "assist":
        return state.assists.get(name)
    if kind == "marks":
        return MarksEntry(marks=dict(state.marks)) if state.marks else None
    if kind == "turn":
        return TurnEntry(combat=state.turn.combat, round=state.turn.round, actor=state.turn.actor) if state.turn else None
    if kind not in ("actor", "grants", "conditions"):
        return state.ruleset.entries(state).get(key)
    actor = state.actors.get(name)
    if actor is None:
        return None
    if kind == "actor":
        numbers = actor.numbers if sees_numbers(state, actor, viewer) else None
        return ActorEntry(
            id=name, name=actor.name, side=actor.side, owners=actor.owners, numbers=numbers, xp=actor.xp, locks=actor.locks
        )
    if kind == "grants":
        return GrantsEntry(actor=name, grants=actor.grants) if actor.grants else None
    return ConditionsEntry(actor=name, conditions=actor.conditions) if actor.conditions else None


def _check(state: TableState, check: str, viewer: Viewer) -> PendingCheck | None:
    opened = state.checks.get(check)
    # A check that is decided is told by its events; only what is open stands in the state.
    if opened is None or opened.done or not sees_check(opened, viewer):
        return None
    offers = offers_for(opened, state.ruleset.choices(state, opened), viewer)
    if not offers:
        return None
    return PendingCheck(
        check=check,
        actor=opened.rolled.actor,
        roller=opened.roller,
        mode=opened.mode,
        result=opened.result,
        choices=offers,
    )
