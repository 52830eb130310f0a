"""The table's state as a viewer sees it: entries by key, and which keys a commit may have changed.

A client folds nothing; it keeps these entries as given (protocol, section 2).
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from boonbridge_schemas.base import ActorId, CheckId, Record, Role
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
from boonbridge_schemas.entries import (
    ActorEntry,
    ConditionsEntry,
    GrantsEntry,
    MarksEntry,
    OptionsEntry,
    PersonEntry,
    SessionEntry,
    TableEntry,
    TurnEntry,
)
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    AssistAnswered,
    AssistOffered,
    CheckRequested,
    CheckRolled,
    Chosen,
    CombatEnded,
    ConditionCleared,
    ConditionExpired,
    ConditionSet,
    Declined,
    DifficultiesSet,
    Event,
    Granted,
    GrantExpired,
    GrantRevoked,
    GrantSpent,
    GroupRecounted,
    GroupTold,
    Invited,
    LuckDue,
    NameErased,
    NumbersSet,
    OpportunityDropped,
    OpportunityUsed,
    OptionsSet,
    Overridden,
    RequestAnswered,
    RequestClosed,
    RequestExpired,
    Revealed,
    RoleSet,
    RoundEnded,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    Settled,
    TableDataSet,
    TableRenamed,
    TurnEnded,
    TurnStarted,
    Voided,
)
from boonbridge_schemas.requests import RequestRecord

from .state import Asking, Evening, TableState
from .visibility import Viewer, everybody_saw, grants_for, offers_for, part_of, sees_check, sees_numbers

_OfARequest = CheckRequested | DifficultiesSet | RequestAnswered | Declined | RequestExpired | RequestClosed | GroupTold


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
    yield from _together(state)


def _together(state: TableState) -> Iterator[str]:
    if state.evening != Evening():
        yield "session"
    yield from (f"request/{request}" for request in state.requests)
    yield from (f"opportunity/{opportunity}" for opportunity in state.opportunities)
    yield from (f"resistance/{actor}" for actor in state.resistances)


def touched(after: TableState, events: Iterable[Event], role: Role) -> tuple[str, ...]:
    """The keys whose value the events may have changed for people of a role, in order, each once. ``after``: with them in it."""
    keys: dict[str, None] = {}
    for event in events:
        keys.update(dict.fromkeys(_keys(after, event, role)))
    return tuple(keys)


def _keys(after: TableState, event: Event, role: Role) -> Iterator[str]:
    match event:
        case CheckRolled() | Chosen():
            yield from _check_keys(after, event, role)
        case Acted(effects=effects):
            yield from _effect_keys(after, effects)
        case Invited(user=user) | AccessRevoked(user=user) | RoleSet(user=user) | NameErased(user=user):
            yield f"person/{user}"
            # A person's role decides whose numbers are public.
            for owned in after.actors.values():
                if user in owned.owners:
                    yield from _numbered_keys(after, owned.id)
        case OptionsSet():
            yield from ("options", "ruleset") if after.edited else ("options",)
            yield from after.ruleset.entries(after)
            for actor in after.actors:
                yield from _numbered_keys(after, actor)
            yield from _open_checks(after, role)
        case TurnStarted() | TurnEnded() | RoundEnded() | CombatEnded():
            yield from _turn_keys(event)
        case Voided() | Overridden() | Revealed() | Settled() | GroupRecounted():
            yield from _corrected_keys(after, event)
        case SessionStarted() | SessionEnded() | SessionContinued() | OpportunityUsed() | OpportunityDropped():
            yield from _evening_keys(after, event)
        case _ if isinstance(event, _OfARequest):
            yield from _request_keys(after, event, role)
        case _:
            yield from _other_keys(after, event)


def _other_keys(after: TableState, event: Event) -> Iterator[str]:
    match event:
        case AssistOffered():
            yield f"assist/{event.assist.id}"
        case AssistAnswered(assist=assist):
            yield f"assist/{assist}"
        case TableRenamed():
            yield "table"
        case TableDataSet():
            yield "ruleset"
            yield from after.ruleset.entries(after)
        case _:
            yield from _actor_keys(after, event)


def _check_keys(after: TableState, event: CheckRolled | Chosen, role: Role) -> Iterator[str]:
    check = event.rolled.check if isinstance(event, CheckRolled) else event.check
    yield f"check/{check}"
    if not event.deferred:
        yield from _effect_keys(after, event.effects, check)
        if isinstance(event, CheckRolled):
            yield from _roll_keys(event.rolled)
    if role == "gm" and after.evening.asks is not None:
        yield "session"


def _request_keys(after: TableState, event: _OfARequest, role: Role) -> Iterator[str]:
    request = event.request.id if isinstance(event, CheckRequested) else event.request
    asking = after.requests.get(request)
    for_gms = isinstance(event, GroupTold) or (asking is not None and asking.secret)
    if for_gms and role != "gm":
        return
    yield f"request/{request}"
    if isinstance(event, RequestClosed):
        yield from (f"check/{check}" for check in event.checks)
        yield from (f"request/{gone}" for gone in event.forgets)
        yield from _effect_keys(after, event.effects)


def _evening_keys(
    after: TableState, event: SessionStarted | SessionEnded | SessionContinued | OpportunityUsed | OpportunityDropped
) -> Iterator[str]:
    if isinstance(event, OpportunityUsed | OpportunityDropped):
        yield f"opportunity/{event.opportunity}"
        return
    yield "session"
    if isinstance(event, SessionContinued):
        return
    yield from after.ruleset.entries(after)
    if isinstance(event, SessionEnded):
        yield from (f"check/{check}" for check in event.checks)
        yield from (f"actor/{earned.actor}" for earned in event.xp)
        yield from (f"opportunity/{opportunity}" for opportunity in event.opportunities)
    yield from _payable(after)


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
            deed = after.deeds.get(what)
            if check != what:
                yield what
            if deed is not None and deed.opened is not None and deed.opened.rolled.request is not None:
                yield f"request/{deed.opened.rolled.request}"
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
            yield from _numbered_keys(after, actor)
        case ActorRemoved(actor=actor, checks=checks):
            yield from (*_numbered_keys(after, actor), f"grants/{actor}", f"conditions/{actor}")
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


def _numbered_keys(after: TableState, actor: ActorId) -> Iterator[str]:
    """What an actor's numbers show in. Named whether it is there or not: otherwise the name itself would tell."""
    yield f"actor/{actor}"
    if any(param.key == "resist" for spec in after.ruleset.checks.values() for param in spec.params):
        yield f"resistance/{actor}"


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
    if kind == "request":
        asking = state.requests.get(name)
        return asking is None or not asking.secret or viewer.role == "gm"
    opened = state.checks.get(name) if kind == "check" else None
    return opened is None or sees_check(opened, viewer)


def seen_by(state: TableState, keys: Iterable[str]) -> Literal["all", "role", "person"]:
    """Who is shown the same under some keys: everybody, everybody of one role, or nobody but himself."""
    kinds = set()
    for key in keys:
        kind, _, name = key.partition("/")
        if kind == "check" and (opened := state.checks.get(name)) is not None and opened.mode != "public":
            return "person"
        if kind == "request" and (asking := state.requests.get(name)) is not None and not _same_for_all(asking):
            if any(part_of(member.mode) == "roller_gm" for member in asking.members.values()):
                return "person"
            kind = "hidden"
        if kind == "grants" and (actor := state.actors.get(name)) is not None and any(grant.hidden for grant in actor.grants):
            kind = "hidden"
        kinds.add(kind)
    return "role" if kinds & _BY_ROLE else "all"


_BY_ROLE = frozenset({"actor", "resistance", "session", "hidden"})


def _same_for_all(asking: Asking) -> bool:
    """Whether everybody is shown the same of a request. What GMs were told of the group they are shown until all are told."""
    return asking.record.shown and everybody_saw(asking) and asking.told is None


def value(state: TableState, key: str, viewer: Viewer) -> Record | None:
    """The value of an entry for a viewer; None where there is none, or none for him."""
    kind, _, name = key.partition("/")
    if kind == "options":
        return OptionsEntry(options=msgspec.to_builtins(state.options))
    if kind == "table":
        return TableEntry(title=state.title)
    if kind == "ruleset":
        return state.ruleset.info(state.options, state.data) if state.edited else None
    if kind == "person":
        member = state.people.get(name)
        return PersonEntry(id=name, role=member.role) if member else None
    if kind == "check":
        return _check(state, name, viewer)
    if kind == "assist":
        return state.assists.get(name)
    if kind in ("request", "opportunity", "resistance", "session", "marks", "turn"):
        return _of_the_table(state, kind, name, viewer)
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
        standing = grants_for(actor, viewer)
        return GrantsEntry(actor=name, grants=standing) if standing else None
    return ConditionsEntry(actor=name, conditions=actor.conditions) if actor.conditions else None


def _of_the_table(state: TableState, kind: str, name: str, viewer: Viewer) -> Record | None:
    if kind == "request":
        asking = state.requests.get(name)
        return _request(asking, viewer) if asking is not None else None
    if kind == "opportunity":
        return state.opportunities.get(name)
    if kind == "resistance":
        actor = state.actors.get(name)
        return state.resistances.get(name) if actor is not None and sees_numbers(state, actor, viewer) else None
    if kind == "marks":
        return MarksEntry(marks=dict(state.marks)) if state.marks else None
    if kind == "turn":
        return TurnEntry(combat=state.turn.combat, round=state.turn.round, actor=state.turn.actor) if state.turn else None
    return _session(state, viewer)


def _session(state: TableState, viewer: Viewer) -> SessionEntry | None:
    evening, asks = state.evening, state.evening.asks if viewer.role == "gm" else None
    if evening.number == 0 and asks is None:
        return None
    return SessionEntry(number=evening.number, name=evening.name, since=evening.since, running=evening.running, asks=asks)


def _request(asking: Asking, viewer: Viewer) -> RequestRecord | None:
    """A request with the rolls that this viewer may read; what players may not know is for GMs."""
    if asking.secret and viewer.role != "gm":
        return None
    seen = {actor: member.rolled.check for actor, member in asking.members.items() if sees_check(member, viewer)}
    rows = tuple(replace(row, check=seen.get(row.actor)) for row in asking.record.rows)
    record = replace(asking.record, rows=rows)
    if viewer.role != "gm":
        return record
    return replace(record, checks=asking.checks, difficulty=asking.difficulty, result=record.result or asking.told)


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
