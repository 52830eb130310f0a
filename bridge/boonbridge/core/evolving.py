"""How events change a table: the fold, live and on replay alike.

``evolve`` is total: it never refuses and never draws. Only what an event touches is replaced.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, OpenCheck
from boonbridge_schemas.base import ActorId, CheckId, CombatId, Key, Moment, UserId
from boonbridge_schemas.effects import (
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    DieBought,
    DutyNoted,
    Effect,
    LockCleared,
    LockSet,
    MarkSet,
    OnCritApplied,
    ResistanceOffered,
    ResourceChanged,
)
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    AssistAnswered,
    AssistOffered,
    CheckNoted,
    CheckRolled,
    Chosen,
    CombatEnded,
    ConditionCleared,
    ConditionExpired,
    ConditionSet,
    DiceRolled,
    Event,
    Granted,
    GrantExpired,
    GrantRevoked,
    GrantSpent,
    Invited,
    LadderRestarted,
    LuckDue,
    NumbersSet,
    OptionsSet,
    OriginAdded,
    RoundEnded,
    TableOpened,
    TargetFixed,
    TurnEnded,
    TurnStarted,
    Withdrawn,
)
from boonbridge_schemas.grants import ConditionRef, Expiry, GrantRecord, GrantSource, HeldCondition, Scope

from .state import LAST, Member, Rounds, TableState, Turn, rounds

MOST_FIGHTS = 8
"""So many fights at once are told apart; the one heard of longest ago is forgotten."""

MOST_HEARD = 4096
"""So many turns of one round are remembered as begun or ended: who counts none of them ends no round, for a whole campaign."""

MOST_LOCKS = 64
"""So many failed actions of an actor stay locked; the oldest is forgotten, as a table would."""


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
    turn = state.turn
    if turn is not None and turn.actor == event.actor:
        turn = Turn(turn.combat, turn.round)
    actors = state.actors.without(event.actor)
    return replace(state, actors=actors, checks=checks, undecided=undecided, latest=latest, turn=turn)


def _granted(state: TableState, event: Granted) -> TableState:
    return _add_grant(state, event.grant)


def _add_grant(state: TableState, grant: GrantRecord) -> TableState:
    actor = state.actors.get(grant.actor)
    return _set_actor(state, replace(actor, grants=(*actor.grants, grant))) if actor else state


def _grant_gone(state: TableState, event: GrantRevoked | GrantSpent | GrantExpired) -> TableState:
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
    return _end_condition(state, event.actor, event.key, event.by)


def _end_condition(state: TableState, actor_id: ActorId, key: Key, by: ActorId | None) -> TableState:
    actor = state.actors.get(actor_id)
    if actor is None:
        return state
    left = tuple(h for h in actor.conditions if (h.key, h.by) != (key, by))
    return _set_actor(state, replace(actor, conditions=left))


def _condition_expired(state: TableState, event: ConditionExpired) -> TableState:
    if event.now == 0:
        return _end_condition(state, event.actor, event.key, event.by)

    def less(held: HeldCondition) -> HeldCondition:
        fumbled = max(0, held.fumbled - event.amount)
        begun = max(0, held.begun - event.amount)
        return replace(held, amount=event.now, fumbled=fumbled, begun=begun, until=held.until if fumbled else None)

    return _reheld(state, event.actor, ConditionRef(key=event.key, by=event.by), less)


def _reheld(
    state: TableState, actor_id: ActorId, ref: ConditionRef, change: Callable[[HeldCondition], HeldCondition]
) -> TableState:
    """One condition of an actor held otherwise, in its place."""
    actor = state.actors.get(actor_id)
    if actor is None:
        return state
    conditions = tuple(change(h) if (h.key, h.by) == (ref.key, ref.by) else h for h in actor.conditions)
    return _set_actor(state, replace(actor, conditions=conditions))


def _luck_due(state: TableState, event: LuckDue) -> TableState:
    return _reheld(state, event.actor, ConditionRef(key=event.key, by=event.by), lambda held: replace(held, luck_due=True))


# --- help ------------------------------------------------------------------------------------------------------
def _assist_offered(state: TableState, event: AssistOffered) -> TableState:
    return replace(state, assists=state.assists.having(event.assist.id, event.assist))


def _assist_answered(state: TableState, event: AssistAnswered) -> TableState:
    return replace(state, assists=state.assists.without(event.assist))


# --- turns -----------------------------------------------------------------------------------------------------
def _turn_started(state: TableState, event: TurnStarted) -> TableState:
    state = _hear(state, event.combat, event.round, ("start", event.turn, event.actor))
    state = replace(state, turn=Turn(event.combat, event.round, event.actor))
    actor = state.actors.get(event.actor)
    if actor is None or not any(held.fumbled for held in actor.conditions):
        return state
    # What a fumble left may last to the end of this activation: only what is there as it begins (B-26).
    begun = tuple(replace(held, begun=held.fumbled) for held in actor.conditions)
    return _set_actor(state, replace(actor, conditions=begun))


def _turn_ended(state: TableState, event: TurnEnded) -> TableState:
    state = _hear(state, event.combat, event.round, ("end", event.turn, event.actor))
    # Whoever has the turn keeps it when somebody else's is over.
    now = state.turn if state.turn is not None and state.turn.combat == event.combat else None
    having = now.actor if now is not None and now.actor != event.actor else None
    return replace(state, turn=Turn(event.combat, event.round, having))


def _hear(state: TableState, combat: CombatId, number: int, what: tuple[str, int, ActorId]) -> TableState:
    known = rounds(state, combat)
    heard = (*known.heard, what)[-MOST_HEARD:] if number == known.round else (what,)
    return _set_fight(state, combat, Rounds(number, heard, known.ended))


def _set_fight(state: TableState, combat: CombatId, now: Rounds) -> TableState:
    fights = state.fights.without(combat).having(combat, now)
    # A tracker that never says a fight is over must not make the table grow.
    return replace(state, fights=fights.without(next(iter(fights))) if len(fights) > MOST_FIGHTS else fights)


def _round_ended(state: TableState, event: RoundEnded) -> TableState:
    following = min(event.round + 1, LAST)
    state = _set_fight(state, event.combat, Rounds(following, (), event.round))
    return replace(state, turn=Turn(event.combat, following))


def _combat_ended(state: TableState, event: CombatEnded) -> TableState:
    over = state.turn is not None and state.turn.combat == event.combat
    turn = None if over else state.turn
    return replace(state, fights=state.fights.without(event.combat), turn=turn, marks={})  # switches are of a fight


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
    if event.deferred:
        return after
    if rolled.ends is not None:
        after = _reheld(after, rolled.actor, rolled.ends, lambda held: replace(held, luck_due=False))
    return _apply(after, rolled.check, event.effects)


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
            case ConditionEnded(actor=actor_id, condition=key, by=by):
                state = _end_condition(state, actor_id, key, by)
            case LockSet(actor=actor_id, action=action):
                actor = state.actors.get(actor_id)
                if action and actor is not None and actor.lock(action) is None:
                    locks = (*actor.locks, action)[-MOST_LOCKS:]
                    state = _set_actor(state, replace(actor, locks=locks))
            case LockCleared(actor=actor_id, action=action):
                actor = state.actors.get(actor_id)
                if actor is not None and (lock := actor.lock(action)) is not None:
                    state = _set_actor(state, replace(actor, locks=tuple(each for each in actor.locks if each != lock)))
            case MarkSet(mark=mark, value=value):
                state = replace(state, marks={**state.marks, mark: value})
            case ChanceGranted():
                state = _add_grant(state, _chance(state, check, nth, effect))
            case DieBought() | OnCritApplied() | DutyNoted() | ResistanceOffered():
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
            fumbled, begun = max(0, held.fumbled - taken), max(0, held.begun - taken)
            left.append(replace(held, amount=held.amount - taken, fumbled=fumbled, begun=begun) if taken else held)
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
    GrantExpired: _grant_gone,
    AssistOffered: _assist_offered,
    AssistAnswered: _assist_answered,
    ConditionSet: _condition_set,
    ConditionCleared: _condition_cleared,
    ConditionExpired: _condition_expired,
    LuckDue: _luck_due,
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    RoundEnded: _round_ended,
    CombatEnded: _combat_ended,
    DiceRolled: _same,
    CheckRolled: _rolled,
    CheckNoted: _same,
    TargetFixed: _target,
    Chosen: _chosen,
    Acted: _acted,
}
