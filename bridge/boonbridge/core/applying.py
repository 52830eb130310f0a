"""How effects change a table, each noted with the deed it belongs to. Total: never refuses, never draws."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import ActorId, CheckId, GrantId, Key
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
from boonbridge_schemas.entries import ResistanceEntry
from boonbridge_schemas.grants import Expiry, GrantRecord, GrantSource, HeldCondition, Scope
from boonbridge_schemas.requests import OpportunityRecord

from .deeds import GAME, Place, check_deed, conditions_at, grant_at, lock_at, mark_at, record, written
from .state import TableState, Write

MOST_LOCKS = 64
"""So many failed actions of an actor stay locked; the oldest is forgotten, as a table would."""


def apply(state: TableState, deed: str, effects: Iterable[Effect], *, check: CheckId = "0.0") -> TableState:
    """The table after some effects, noted as part of a deed. ``check``: what chances that it grants are named after."""
    writes: list[Write] = []
    for nth, effect in enumerate(effects, start=1):
        after = changed(state, effect, check=check, nth=nth)
        paid, anew = _paid(effect), isinstance(effect, LockSet | LockCleared | MarkSet | ResistanceOffered)
        writes += [written(state, after, place, paid=paid, anew=anew) for place in _places(effect, check, nth)]
        state = after
    return record(state, deed, writes)


def put_right(state: TableState, effects: Iterable[Effect]) -> TableState:
    """The table after the effects of a correction; they are no deed of their own."""
    for nth, effect in enumerate(effects, start=1):
        state = changed(state, effect, nth=nth)
    return state


def _paid(effect: Effect) -> bool:
    """Whether it is the price of something, and not what came of it."""
    match effect:
        case ResourceChanged(asked=asked):
            return asked < 0
        case ConditionChanged(change=change) | XpChanged(change=change):
            return change < 0
        case _:
            return False


def _places(effect: Effect, check: CheckId, nth: int) -> Iterator[Place]:
    match effect:
        case ResourceChanged():
            yield GAME
        case ConditionChanged(actor=actor, condition=key) | ConditionEnded(actor=actor, condition=key):
            yield conditions_at(actor, key)
        case LockSet(actor=actor, action=action) | LockCleared(actor=actor, action=action):
            if action:
                yield lock_at(actor, action)
        case MarkSet(mark=mark):
            yield mark_at(mark)
        case ChanceGranted(to=None):
            yield ("opportunity", check)
        case ChanceGranted(to=str(to)):
            yield grant_at(to, _chance_id(check, nth))
        case XpChanged(actor=actor):
            yield ("xp", actor)
        case ResistanceOffered(actor=actor):
            yield ("resistance", actor)
        case _:
            return


def changed(state: TableState, effect: Effect, *, check: CheckId = "0.0", nth: int = 1) -> TableState:
    """The table after one effect."""
    match effect:
        case ResourceChanged():
            return replace(state, game=state.ruleset.evolve(state.game, effect))
        case MarkSet(mark=mark, value=value):
            marks = {key: each for key, each in state.marks.items() if key != mark}
            return replace(state, marks=marks if value is None else {**state.marks, mark: value})
        case ChanceGranted():
            return _chance_granted(state, check, nth, effect)
        case OpportunityPut(opportunity=standing):
            return _stand(state, standing)
        case OpportunityTaken(opportunity=gone):
            return replace(state, opportunities=state.opportunities.without(gone))
        case ResistanceOffered(actor=actor_id, skill=skill, difficulty=difficulty):
            offered = ResistanceEntry(actor=actor_id, skill=skill, difficulty=difficulty)
            return replace(state, resistances=state.resistances.having(actor_id, offered))
        case ResistanceTaken(actor=actor_id):
            return replace(state, resistances=state.resistances.without(actor_id))
        case AssistPut(assist=assist):
            return replace(state, assists=state.assists.having(assist.id, assist))
        case RowReopened(request=request, actor=actor_id):
            return _reopened(state, request, actor_id)
        case GrantPut(grant=grant):
            return add_grant(state, grant)
        case _:
            return _of_actor(state, effect)


def _of_actor(state: TableState, effect: Effect) -> TableState:
    match effect:
        case ConditionChanged(actor=actor_id):
            actor = state.actors.get(actor_id)
            change = None if actor is None else _less(actor, effect) if effect.change < 0 else _more(actor, effect)
            return state if actor is None or change is None else set_actor(state, replace(actor, conditions=change))
        case ConditionEnded(actor=actor_id, condition=key, by=by):
            return end_condition(state, actor_id, key, by)
        case ConditionsPut(actor=actor_id, condition=key, held=held):
            actor = state.actors.get(actor_id)
            others = tuple(each for each in actor.conditions if each.key != key) if actor else ()
            return set_actor(state, replace(actor, conditions=(*others, *held))) if actor else state
        case LockSet(actor=actor_id, action=action):
            actor = state.actors.get(actor_id)
            if not action or actor is None or actor.lock(action) is not None:
                return state
            return set_actor(state, replace(actor, locks=(*actor.locks, action)[-MOST_LOCKS:]))
        case LockCleared(actor=actor_id, action=action):
            actor = state.actors.get(actor_id)
            if actor is None or (lock := actor.lock(action)) is None:
                return state
            return set_actor(state, replace(actor, locks=tuple(each for each in actor.locks if each != lock)))
        case GrantTaken(actor=actor_id, grant=grant):
            return take_grant(state, actor_id, grant)
        case XpChanged(actor=actor_id, now=now):
            actor = state.actors.get(actor_id)
            return set_actor(state, replace(actor, xp=now)) if actor else state
        case _:
            return state  # told to the table; nothing stands in the state for it


# --- actors ----------------------------------------------------------------------------------------------------
def set_actor(state: TableState, actor: Actor) -> TableState:
    """The table with an actor as he is now."""
    return replace(state, actors=state.actors.having(actor.id, actor))


def add_grant(state: TableState, grant: GrantRecord) -> TableState:
    """The table with a Boon or Bane on its bearer; as it is where he is not there."""
    actor = state.actors.get(grant.actor)
    return set_actor(state, replace(actor, grants=(*actor.grants, grant))) if actor else state


def sameness(grant: GrantRecord) -> tuple[Any, ...]:
    """Grants equal in this are one and the same; those that differ stand side by side, each with its own clock."""
    return (grant.source.id, grant.source.origin, grant.by, grant.sign, grant.amount, grant.scope, grant.expiry, grant.hidden)


def take_grant(state: TableState, actor_id: ActorId, grant: GrantId) -> TableState:
    """The table without a Boon or Bane."""
    actor = state.actors.get(actor_id)
    return set_actor(state, replace(actor, grants=tuple(g for g in actor.grants if g.id != grant))) if actor else state


def end_condition(state: TableState, actor_id: ActorId, key: Key, by: ActorId | None) -> TableState:
    """The table without a condition as one giver gave it."""
    actor = state.actors.get(actor_id)
    if actor is None:
        return state
    left = tuple(h for h in actor.conditions if (h.key, h.by) != (key, by))
    return set_actor(state, replace(actor, conditions=left))


def _more(actor: Actor, effect: ConditionChanged) -> tuple[HeldCondition, ...]:
    """A fumble's own stacks end with the roller's next activation, others stay (B-26): kept apart by ``fumbled``."""
    own = next((h for h in actor.conditions if h.key == effect.condition and h.by is None), None)
    others = tuple(h for h in actor.conditions if h is not own)
    own = own or HeldCondition(key=effect.condition, amount=0)
    amount, fumbled = own.amount + effect.change, own.fumbled + (effect.change if effect.until else 0)
    until = effect.until if effect.until and effect.change else own.until
    return (*others, replace(own, amount=amount, fumbled=fumbled, until=until)) if amount else others


def _less(actor: Actor, effect: ConditionChanged) -> tuple[HeldCondition, ...]:
    """What is spent is spent of whatever is there, whoever gave it."""
    due = -effect.change
    left: list[HeldCondition] = []
    for held in actor.conditions:
        taken = min(due, held.amount) if held.key == effect.condition else 0
        due -= taken
        if held.amount > taken:
            left.append(with_amount(held, held.amount - taken, less=taken) if taken else held)
    return tuple(left)


def with_amount(held: HeldCondition, amount: int, *, less: int) -> HeldCondition:
    """A condition with another amount, ``less`` of what fumbles left of it."""
    fumbled, begun = max(0, held.fumbled - less), max(0, held.begun - less)
    return replace(held, amount=amount, fumbled=fumbled, begun=begun)


# --- chances ---------------------------------------------------------------------------------------------------
def _chance_id(check: CheckId, nth: int) -> GrantId:
    return f"{check}.{nth}"


def _chance_granted(state: TableState, check: CheckId, nth: int, effect: ChanceGranted) -> TableState:
    if effect.to is None:
        return _stand(state, _opportunity(state, check, effect))
    return add_grant(state, _chance(state, check, nth, effect.to, effect))


def _chance(state: TableState, check: CheckId, nth: int, to: ActorId, effect: ChanceGranted) -> GrantRecord:
    deed = state.deeds.get(check_deed(check))
    opened = deed.opened if deed else None
    return GrantRecord(
        id=_chance_id(check, nth),
        actor=to,
        sign=effect.sign,
        amount=1,
        source=GrantSource(
            id=f"opportunity:{check}",
            label=f"Opportunity by {opened.rolled.name}"[:80] if opened else "Opportunity",
            kind="opportunity",
        ),
        scope=Scope(),
        expiry=Expiry(when="next_roll"),
        by=state.by,
    )


def _opportunity(state: TableState, check: CheckId, effect: ChanceGranted) -> OpportunityRecord:
    deed = state.deeds.get(check_deed(check))
    opened = deed.opened if deed else None
    rolled = opened.rolled if opened else None
    return OpportunityRecord(
        id=check,
        label=(rolled.action if rolled else "") or "Opportunity",
        sign=effect.sign,
        by=rolled.actor if rolled else "nobody",
        name=rolled.name if rolled else "Somebody",
        side=None if rolled else effect.side,
    )


def _stand(state: TableState, opportunity: OpportunityRecord) -> TableState:
    return replace(state, opportunities=state.opportunities.having(opportunity.id, opportunity))


# --- requests --------------------------------------------------------------------------------------------------
def _reopened(state: TableState, request: str, actor_id: ActorId) -> TableState:
    asking = state.requests.get(request)
    if asking is None:
        return state
    rows = tuple(
        replace(row, status="sent", check=None, absent=False) if row.actor == actor_id else row for row in asking.record.rows
    )
    members = {member: opened for member, opened in asking.members.items() if member != actor_id}
    asking = replace(asking, record=replace(asking.record, rows=rows), members=members)
    return replace(state, requests=state.requests.having(request, asking))
