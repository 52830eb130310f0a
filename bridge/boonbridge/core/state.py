"""What a table is at one moment, and how events change it.

``evolve`` is total: it never refuses and never draws. Entities stand in maps and only the touched one is replaced,
so that a roll costs the same at a full table as at an empty one.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, OpenCheck, Ruleset
from boonbridge_schemas.base import ActorId, CheckId, DeviceId, GrantId, Moment, Role, Seq, UserId
from boonbridge_schemas.effects import (
    ChanceGranted,
    ConditionChanged,
    DieBought,
    DutyNoted,
    Effect,
    LockSet,
    OnCritApplied,
    ResourceChanged,
)
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    CheckNoted,
    CheckRolled,
    Chosen,
    ConditionCleared,
    ConditionSet,
    Event,
    Granted,
    GrantRevoked,
    GrantSpent,
    Invited,
    LadderRestarted,
    NumbersSet,
    OptionsSet,
    OriginAdded,
    TableOpened,
    TargetFixed,
    Withdrawn,
)
from boonbridge_schemas.grants import Expiry, GrantRecord, GrantSource, HeldCondition, Scope

from .maps import Map

BRIDGE = "bridge"
"""Who sends what nobody sent: the user id of the bridge itself. No person has it."""


class Member(Struct, frozen=True, kw_only=True):
    """Somebody who may take part. ``revoked``: tokens issued before are refused; by device, "" for all of them.

    ``since`` is the commit that changed the role, if any: who holds the table as it was before saw it with other eyes.
    """

    role: Role
    since: Seq = 0
    revoked: Mapping[DeviceId, Moment] = {}

    def refuses(self, device: DeviceId, issued: Moment) -> bool:
        """Whether a token of this person, issued then for that device, has been revoked."""
        return max(self.revoked.get("", -1), self.revoked.get(device, -1)) >= issued


class TableState(Struct, frozen=True, kw_only=True):
    """A table after commit ``seq``. ``options`` and ``game`` are the ruleset's own records."""

    table: str
    title: str
    ruleset: Ruleset
    options: Any
    game: Any
    epoch: int = 1
    epoch_from: int = 1
    seq: int = 0
    at: Moment = 0
    by: UserId = ""
    taped: bool = False
    actors: Map[ActorId, Actor] = Map()
    checks: Map[CheckId, OpenCheck] = Map()
    undecided: Map[CheckId, OpenCheck] = Map()
    latest: Map[ActorId, tuple[CheckId, ...]] = Map()
    people: Map[UserId, Member] = Map()
    origins: frozenset[str] = frozenset()

    @classmethod
    def opening(cls, ruleset: Ruleset, options: Mapping[str, Any] | None = None, *, table: str = "table") -> "TableState":
        """An empty table of a ruleset. ``options`` differ from the defaults; raises ``msgspec.ValidationError``."""
        chosen = msgspec.convert(dict(options or {}), ruleset.options)
        return cls(table=table, title=table, ruleset=ruleset, options=chosen, game=ruleset.opening(chosen))

    def actor(self, actor: ActorId) -> Actor | None:
        """The actor of that id, if the table has one."""
        return self.actors.get(actor)

    def actor_of(self, grant: GrantId) -> Actor | None:
        """The actor who bears a grant."""
        return next((a for a in self.actors.values() if any(g.id == grant for g in a.grants)), None)

    def role(self, user: UserId) -> Role | None:
        """The role of a person at this table; None for strangers."""
        member = self.people.get(user)
        return member.role if member else None


def begin(state: TableState, *, seq: int, at: Moment, by: UserId) -> TableState:
    """The state as commit ``seq`` of ``by`` begins to change it."""
    return replace(state, seq=seq, at=at, by=by)


def evolve(state: TableState, event: Event) -> TableState:
    """The state after an event."""
    return _EVOLVE[type(event)](state, event)


def evolve_all(state: TableState, events: Iterable[Event]) -> TableState:
    """The state after some events, in order."""
    for event in events:
        state = evolve(state, event)
    return state


def _set_actor(state: TableState, actor: Actor) -> TableState:
    return replace(state, actors=state.actors.having(actor.id, actor))


def _set_check(state: TableState, check: CheckId, opened: OpenCheck) -> TableState:
    undecided = state.undecided.without(check) if opened.done else state.undecided.having(check, opened)
    return replace(state, checks=state.checks.having(check, opened), undecided=undecided)


# --- table and people ------------------------------------------------------------------------------------------
def _opened(state: TableState, event: TableOpened) -> TableState:
    return replace(state, title=event.title, taped=event.taped)


def _restarted(state: TableState, event: LadderRestarted) -> TableState:
    return replace(state, epoch=event.epoch, epoch_from=state.seq)


def _options(state: TableState, event: OptionsSet) -> TableState:
    merged = {**msgspec.to_builtins(state.options), **event.options}
    return replace(state, options=msgspec.convert(merged, type(state.options)))


def _same(state: TableState, _event: Event) -> TableState:
    return state


def _invited(state: TableState, event: Invited) -> TableState:
    before = state.people.get(event.user)
    revoked = before.revoked if before else {}
    changed = before is not None and before.role != event.role
    since = state.seq if changed else before.since if before else 0
    member = Member(role=event.role, since=since, revoked=revoked)
    return replace(state, people=state.people.having(event.user, member))


def _revoked(state: TableState, event: AccessRevoked) -> TableState:
    member = state.people.get(event.user)
    if member is None:
        return state
    revoked = {**member.revoked, event.device or "": state.at}
    return replace(state, people=state.people.having(event.user, replace(member, revoked=revoked)))


def _origin(state: TableState, event: OriginAdded) -> TableState:
    return replace(state, origins=state.origins | {event.origin})


# --- actors ----------------------------------------------------------------------------------------------------
def _synced(state: TableState, event: ActorSynced) -> TableState:
    known = state.actors.get(event.actor) or Actor(id=event.actor, name=event.name)
    return _set_actor(state, replace(known, name=event.name, side=event.side, owners=event.owners))


def _numbers(state: TableState, event: NumbersSet) -> TableState:
    known = state.actors.get(event.actor)
    return _set_actor(state, replace(known, numbers=event.numbers)) if known else state


def _removed(state: TableState, event: ActorRemoved) -> TableState:
    # What is open on a roll that not everybody sees stays: naming it here would tell who rolled it.
    checks, undecided, kept = state.checks, state.undecided, []
    for check in (*event.checks, *state.latest.get(event.actor, ())):
        if check in undecided and check not in event.checks:
            kept.append(check)
        else:
            checks, undecided = checks.without(check), undecided.without(check)
    latest = state.latest.having(event.actor, tuple(kept)) if kept else state.latest.without(event.actor)
    return replace(state, actors=state.actors.without(event.actor), checks=checks, undecided=undecided, latest=latest)


def _granted(state: TableState, event: Granted) -> TableState:
    return _add_grant(state, event.grant)


def _add_grant(state: TableState, grant: GrantRecord) -> TableState:
    actor = state.actors.get(grant.actor)
    return _set_actor(state, replace(actor, grants=(*actor.grants, grant))) if actor else state


def _grant_gone(state: TableState, event: GrantRevoked | GrantSpent) -> TableState:
    actor = state.actors.get(event.actor)
    if actor is None:
        return state
    return _set_actor(state, replace(actor, grants=tuple(g for g in actor.grants if g.id != event.grant)))


def _condition_set(state: TableState, event: ConditionSet) -> TableState:
    actor = state.actors.get(event.actor)
    if actor is None:
        return state
    held = event.condition
    others = tuple(h for h in actor.conditions if (h.key, h.by) != (held.key, held.by))
    return _set_actor(state, replace(actor, conditions=(*others, held)))


def _condition_cleared(state: TableState, event: ConditionCleared) -> TableState:
    actor = state.actors.get(event.actor)
    if actor is None:
        return state
    left = tuple(h for h in actor.conditions if (h.key, h.by) != (event.key, event.by))
    return _set_actor(state, replace(actor, conditions=left))


# --- checks ----------------------------------------------------------------------------------------------------
def _rolled(state: TableState, event: CheckRolled) -> TableState:
    rolled = event.rolled
    opened = OpenCheck(
        rolled=rolled,
        mode=event.mode,
        roller=state.by,
        target=rolled.target,
        sources=event.sources,
        result=event.result,
        done=not event.choices,
    )
    # Of an actor's earlier rolls only what is still open is kept: a table must not grow with its log. A roll replaces
    # only those that are seen by the same people, so that nobody can tell from what is gone that there was another.
    checks = state.checks
    kept: list[CheckId] = []
    for check in state.latest.get(rolled.actor, ()):
        known = checks[check]
        seen_alike = known.mode == opened.mode and (known.roller == opened.roller or opened.mode == "public")
        if _commit_of(check) == _commit_of(rolled.check) or not known.done or not seen_alike:
            kept.append(check)
        else:
            checks = checks.without(check)
    latest = state.latest.having(rolled.actor, (*kept, rolled.check))
    after = _set_check(replace(state, checks=checks, latest=latest), rolled.check, opened)
    return after if event.deferred else _apply(after, rolled.check, event.effects)


def _commit_of(check: CheckId) -> str:
    return check.partition(".")[0]


def _target(state: TableState, event: TargetFixed) -> TableState:
    known = state.checks.get(event.check)
    if known is None:
        return state
    return _set_check(state, event.check, replace(known, target=event.target))


def _chosen(state: TableState, event: Chosen) -> TableState:
    known = state.checks.get(event.check)
    if known is not None:
        changed = replace(
            known,
            result=event.result or known.result,
            taken=(*known.taken, event.choice),
            done=not event.choices,
        )
        state = _set_check(state, event.check, changed)
    return state if event.deferred else _apply(state, event.check, event.effects)


def _acted(state: TableState, event: Acted) -> TableState:
    return _apply(state, "0.0", event.effects)


# --- effects ---------------------------------------------------------------------------------------------------
def _apply(state: TableState, check: CheckId, effects: Iterable[Effect]) -> TableState:
    for nth, effect in enumerate(effects, start=1):
        match effect:
            case ResourceChanged():
                state = replace(state, game=state.ruleset.evolve(state.game, effect))
            case ConditionChanged():
                state = _change_condition(state, effect)
            case LockSet(actor=actor_id, action=action):
                actor = state.actors.get(actor_id)
                if action and actor is not None and action not in actor.locks:
                    state = _set_actor(state, replace(actor, locks=(*actor.locks, action)))
            case ChanceGranted():
                state = _add_grant(state, _chance(state, check, nth, effect))
            case DieBought() | OnCritApplied() | DutyNoted():
                pass  # told to the table; nothing stands in the state for it
    return state


def _change_condition(state: TableState, effect: ConditionChanged) -> TableState:
    actor = state.actors.get(effect.actor)
    if actor is None:
        return state
    change = _less(actor, effect) if effect.change < 0 else _more(actor, effect)
    return _set_actor(state, replace(actor, conditions=change))


def _more(actor: Actor, effect: ConditionChanged) -> tuple[HeldCondition, ...]:
    """A fumble's own stacks end with the roller's next activation, others stay (B-26): kept apart by ``fumbled``."""
    own = next((h for h in actor.conditions if h.key == effect.condition and h.by is None), None)
    others = tuple(h for h in actor.conditions if h is not own)
    own = own or HeldCondition(key=effect.condition, amount=0)
    amount, fumbled = own.amount + effect.change, own.fumbled + (effect.change if effect.until else 0)
    return (*others, replace(own, amount=amount, fumbled=fumbled)) if amount else others


def _less(actor: Actor, effect: ConditionChanged) -> tuple[HeldCondition, ...]:
    """What is spent is spent of whatever is there, whoever gave it."""
    due = -effect.change
    left: list[HeldCondition] = []
    for held in actor.conditions:
        taken = min(due, held.amount) if held.key == effect.condition else 0
        due -= taken
        if held.amount > taken:
            left.append(replace(held, amount=held.amount - taken, fumbled=max(0, held.fumbled - taken)) if taken else held)
    return tuple(left)


def _chance(state: TableState, check: CheckId, nth: int, effect: ChanceGranted) -> GrantRecord:
    opened = state.checks.get(check)
    return GrantRecord(
        id=f"{check}.{nth}",
        actor=effect.to,
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


_EVOLVE: Mapping[type, Callable[[TableState, Any], TableState]] = {
    TableOpened: _opened,
    LadderRestarted: _restarted,
    OptionsSet: _options,
    Withdrawn: _same,
    Invited: _invited,
    AccessRevoked: _revoked,
    OriginAdded: _origin,
    ActorSynced: _synced,
    NumbersSet: _numbers,
    ActorRemoved: _removed,
    Granted: _granted,
    GrantRevoked: _grant_gone,
    GrantSpent: _grant_gone,
    ConditionSet: _condition_set,
    ConditionCleared: _condition_cleared,
    CheckRolled: _rolled,
    CheckNoted: _same,
    TargetFixed: _target,
    Chosen: _chosen,
    Acted: _acted,
}
