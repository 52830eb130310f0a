"""How events change a table: the fold, live and on replay alike.

``evolve`` is total: it never refuses and never draws. Only what an event touches is replaced.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, OpenCheck
from boonbridge_schemas.base import ActorId, CheckId, CombatId, GrantId, Key, Moment, UserId
from boonbridge_schemas.checks import Rolled
from boonbridge_schemas.effects import ResourceChanged
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
    NameErased,
    NumbersSet,
    OptionsSet,
    OriginAdded,
    OriginRemoved,
    RoleSet,
    RoundEnded,
    TableDataSet,
    TableOpened,
    TableRenamed,
    TargetFixed,
    TurnEnded,
    TurnStarted,
    Withdrawn,
)
from boonbridge_schemas.grants import ConditionRef, HeldCondition

from .applying import add_grant, apply, end_condition, set_actor, take_grant
from .deeds import (
    check_deed,
    conditions_at,
    forget,
    grant_at,
    in_between,
    keep,
    mark_at,
    numbered,
    record,
    set_check,
    strike,
    strike_fight,
    written,
)
from .evolving_group import TOGETHER, heard, joined
from .maps import Map
from .righting import RIGHTING
from .state import LAST, Deed, Member, Rounds, TableState, Turn, apart, in_role, rounds
from .visibility import among_gms

MOST_FIGHTS = 8
"""So many fights at once are told apart; the one heard of longest ago is forgotten."""

MOST_HEARD = 4096
"""So many turns of one round are remembered as begun or ended: who counts none of them ends no round, for a whole campaign."""


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


# --- table and people ------------------------------------------------------------------------------------------
def _opened(state: TableState, event: TableOpened) -> TableState:
    return replace(state, title=event.title, taped=event.taped)


def _renamed(state: TableState, event: TableRenamed) -> TableState:
    return replace(state, title=event.title)


def _restarted(state: TableState, event: LadderRestarted) -> TableState:
    return replace(state, epoch=event.epoch, epoch_from=state.seq, epoch_why=event.reason)


def _options(state: TableState, event: OptionsSet) -> TableState:
    merged = {**msgspec.to_builtins(state.options), **event.options}
    return replace(state, options=msgspec.convert(merged, type(state.options)))


def _data(state: TableState, event: TableDataSet) -> TableState:
    data = event.data if event.data is not None else state.ruleset.table_data()
    return replace(state, data=data, edited=event.data is not None)


def _same(state: TableState, _event: Event) -> TableState:
    return state


def _invited(state: TableState, event: Invited) -> TableState:
    before = state.people.get(event.user) or Member(role=event.role)
    member = replace(in_role(before, event.role, state.seq), invited=state.at, erased_at=-1)
    return replace(state, people=state.people.having(event.user, member))


def _role_set(state: TableState, event: RoleSet) -> TableState:
    member = state.people.get(event.user)
    if member is None:
        return state
    return replace(state, people=state.people.having(event.user, in_role(member, event.role, state.seq)))


def _name_erased(state: TableState, event: NameErased) -> TableState:
    member = state.people.get(event.user)
    if member is None:
        return state
    return replace(state, people=state.people.having(event.user, replace(member, erased_at=state.at)))


def _revoked(state: TableState, event: AccessRevoked) -> TableState:
    member = state.people.get(event.user)
    if member is None:
        return state
    revoked = {**member.revoked, event.device or "": state.at}
    return replace(state, people=state.people.having(event.user, replace(member, revoked=revoked)))


def _origin(state: TableState, event: OriginAdded) -> TableState:
    return replace(state, origins=state.origins | {event.origin})


def _origin_removed(state: TableState, event: OriginRemoved) -> TableState:
    return replace(state, origins=state.origins - {event.origin})


# --- actors ----------------------------------------------------------------------------------------------------
def _synced(state: TableState, event: ActorSynced) -> TableState:
    known = state.actors.get(event.actor) or Actor(id=event.actor, name=event.name)
    return set_actor(state, replace(known, name=event.name, side=event.side, owners=event.owners))


def _numbers(state: TableState, event: NumbersSet) -> TableState:
    known = state.actors.get(event.actor)
    return set_actor(state, replace(known, numbers=event.numbers)) if known else state


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
    actors, resistances = state.actors.without(event.actor), state.resistances.without(event.actor)
    state = replace(state, actors=actors, checks=checks, undecided=undecided, latest=latest, turn=turn, resistances=resistances)
    return forget(replace(state, fighting=state.fighting.without(event.actor)), event.actor)


def _granted(state: TableState, event: Granted) -> TableState:
    grant = event.grant
    after = add_grant(state, grant)
    deed = Deed(id=f"grant/{grant.id}", seq=state.seq, label=grant.source.label, actor=grant.actor, hidden=grant.hidden)
    return record(keep(after, deed), deed.id, [written(state, after, grant_at(grant.actor, grant.id))])


def _grant_gone(state: TableState, event: GrantRevoked | GrantSpent | GrantExpired) -> TableState:
    after = take_grant(state, event.actor, event.grant)
    spent, write = isinstance(event, GrantSpent), written(state, after, grant_at(event.actor, event.grant))
    hidden = write.before is not None and write.before.hidden
    if hidden and isinstance(event, GrantRevoked):
        after = _shown(after, event.grant)
    deed = check_deed(event.check) if isinstance(event, GrantSpent) else in_between(state, hidden=hidden)
    return record(after, deed, [replace(write, paid=spent)], hidden=hidden)


def _shown(state: TableState, grant: GrantId) -> TableState:
    """A hidden grant that goes as another is given in the same commit was shown: taking it back takes that one."""
    given, deed = state.deeds.get(f"grant/{state.seq}.1"), state.deeds.get(f"grant/{grant}")
    return record(state, deed.id, given.writes) if given is not None and deed is not None else state


def _condition_set(state: TableState, event: ConditionSet) -> TableState:
    actor = state.actors.get(event.actor)
    if actor is None:
        return state
    held = event.condition
    others = tuple(h for h in actor.conditions if (h.key, h.by) != (held.key, held.by))
    after = set_actor(state, replace(actor, conditions=(*others, held)))
    return _by_hand(state, after, event.actor, held.key, giver=held.by, anew=event.added is None)


def _condition_cleared(state: TableState, event: ConditionCleared) -> TableState:
    after = end_condition(state, event.actor, event.key, event.by)
    return _by_hand(state, after, event.actor, event.key, giver=event.by, anew=True)


def _by_hand(before: TableState, after: TableState, actor: ActorId, key: Key, *, giver: ActorId | None, anew: bool) -> TableState:
    deed = Deed(id=numbered(before, "condition"), seq=before.seq, label=key, actor=actor)
    return record(
        keep(after, deed), deed.id, [replace(written(before, after, conditions_at(actor, key), anew=anew), giver=giver)]
    )


def _condition_expired(state: TableState, event: ConditionExpired) -> TableState:
    after = _lessened(state, event)
    return record(after, in_between(state), [written(state, after, conditions_at(event.actor, event.key))])


def _lessened(state: TableState, event: ConditionExpired) -> TableState:
    if event.now == 0:
        return end_condition(state, event.actor, event.key, event.by)

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
    return set_actor(state, replace(actor, conditions=conditions))


def _luck_due(state: TableState, event: LuckDue) -> TableState:
    return _reheld(state, event.actor, ConditionRef(key=event.key, by=event.by), lambda held: replace(held, luck_due=True))


# --- help ------------------------------------------------------------------------------------------------------
def _assist_offered(state: TableState, event: AssistOffered) -> TableState:
    return replace(state, assists=state.assists.having(event.assist.id, event.assist))


def _assist_answered(state: TableState, event: AssistAnswered) -> TableState:
    after = replace(state, assists=state.assists.without(event.assist))
    deed = in_between(state) if event.check is None else check_deed(event.check)
    return record(after, deed, [written(state, after, ("assist", event.assist), paid=True)])


# --- turns -----------------------------------------------------------------------------------------------------
def _turn_started(state: TableState, event: TurnStarted) -> TableState:
    state = _hear(state, event.combat, event.round, ("start", event.turn, event.actor))
    state = strike(replace(state, turn=Turn(event.combat, event.round, event.actor)), "turn_start", event.actor)
    actor = state.actors.get(event.actor)
    if actor is None or not any(held.fumbled for held in actor.conditions):
        return state
    # What a fumble left may last to the end of this activation: only what is there as it begins (B-26).
    begun = tuple(replace(held, begun=held.fumbled) for held in actor.conditions)
    return set_actor(state, replace(actor, conditions=begun))


def _turn_ended(state: TableState, event: TurnEnded) -> TableState:
    state = _hear(state, event.combat, event.round, ("end", event.turn, event.actor))
    # Whoever has the turn keeps it when somebody else's is over.
    now = state.turn if state.turn is not None and state.turn.combat == event.combat else None
    having = now.actor if now is not None and now.actor != event.actor else None
    return strike(replace(state, turn=Turn(event.combat, event.round, having)), "turn_end", event.actor)


def _hear(state: TableState, combat: CombatId, number: int, what: tuple[str, int, ActorId]) -> TableState:
    known = rounds(state, combat)
    heard = (*known.heard, what)[-MOST_HEARD:] if number == known.round else (what,)
    if state.fighting.get(what[2]) != combat:
        state = replace(state, fighting=state.fighting.having(what[2], combat))
    return _set_fight(state, combat, Rounds(number, heard, known.ended))


def _set_fight(state: TableState, combat: CombatId, now: Rounds) -> TableState:
    fights = state.fights.without(combat).having(combat, now)
    # A tracker that never says a fight is over must not make the table grow.
    state = replace(state, fights=fights)
    return _forget_fight(state, next(iter(fights))) if len(fights) > MOST_FIGHTS else state


def _forget_fight(state: TableState, combat: CombatId) -> TableState:
    fighting = Map({actor: where for actor, where in state.fighting.items() if where != combat})
    return replace(state, fights=state.fights.without(combat), fighting=fighting)


def _round_ended(state: TableState, event: RoundEnded) -> TableState:
    following = min(event.round + 1, LAST)
    state = _set_fight(state, event.combat, Rounds(following, (), event.round))
    return strike_fight(replace(state, turn=Turn(event.combat, following)), "round_end", apart(state, event.combat))


def _combat_ended(state: TableState, event: CombatEnded) -> TableState:
    over = state.turn is not None and state.turn.combat == event.combat
    turn = None if over else state.turn
    after = replace(_forget_fight(state, event.combat), turn=turn, marks={})  # switches are of a fight
    after = strike_fight(after, "combat_end", apart(state, event.combat))
    return record(after, in_between(state), [written(state, after, mark_at(mark), anew=True) for mark in state.marks])


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
    before = (state.deeds.get(check_deed(check)) for check in state.latest.get(rolled.actor, ()))
    closed = tuple(each.opened.rolled.check for each in before if each and each.opened and each.defaulted == state.seq)
    if event.deferred:
        opened = replace(opened, waiting=event.effects)
    name, label = check_deed(rolled.check), rolled.action or rolled.kind
    role = state.role(state.by)
    deed = Deed(
        id=name,
        seq=state.seq,
        label=label,
        actor=rolled.actor,
        opened=opened,
        closed=closed,
        hidden=event.mode != "public",
        among_gms=role is not None and among_gms(event.mode, role),
    )
    after = set_check(keep(replace(state, checks=checks, latest=latest), deed), rolled.check, opened)
    after = joined(heard(after, opened.mode), opened)
    if event.deferred:
        return after
    after = _tried(_withstood(after, rolled), rolled)
    return apply(after, deed.id, event.effects, check=rolled.check)


def _tried(state: TableState, rolled: Rolled) -> TableState:
    """A luck roll that was due has been made (C-P2)."""
    if rolled.ends is None:
        return state
    after = _reheld(state, rolled.actor, rolled.ends, lambda held: replace(held, luck_due=False))
    return record(
        after, check_deed(rolled.check), [written(state, after, conditions_at(rolled.actor, rolled.ends.key), paid=True)]
    )


def _withstood(state: TableState, rolled: Rolled) -> TableState:
    """Resistance that was offered goes with the roll it resisted (D-22)."""
    if rolled.opponent is None or rolled.opponent not in state.resistances or "resist" not in rolled.params:
        return state
    after = replace(state, resistances=state.resistances.without(rolled.opponent))
    return record(after, check_deed(rolled.check), [written(state, after, ("resistance", rolled.opponent), paid=True)])


def _commit_of(check: CheckId) -> str:
    return check.partition(".")[0]


def _target(state: TableState, event: TargetFixed) -> TableState:
    known = state.checks.get(event.check)
    if known is None:
        return state
    return set_check(state, event.check, replace(known, target=event.target))


def _chosen(state: TableState, event: Chosen) -> TableState:
    known = state.checks.get(event.check)
    if known is not None:
        changed = replace(
            known,
            result=event.result or known.result,
            taken=(*known.taken, event.choice),
            done=not event.choices,
            waiting=(*known.waiting, *event.effects) if event.deferred and not known.voided else known.waiting,
        )
        state = set_check(state, event.check, changed)
        state = _noted(state, event)
    return state if event.deferred else apply(state, check_deed(event.check), event.effects, check=event.check)


def _noted(state: TableState, event: Chosen) -> TableState:
    """That nobody made a choice, or that it was paid for: a correction asks."""
    deed = state.deeds.get(check_deed(event.check))
    if deed is None:
        return state
    paid = any(isinstance(effect, ResourceChanged) and effect.asked < 0 for effect in event.effects)
    bought = (*deed.bought, event.choice) if paid else deed.bought
    return keep(state, replace(deed, defaulted=state.seq if event.auto else deed.defaulted, bought=bought))


def _acted(state: TableState, event: Acted) -> TableState:
    deed = Deed(id=f"verb/{state.seq}", seq=state.seq, label=event.verb)
    return apply(keep(state, deed), deed.id, event.effects)


_EVOLVE: Mapping[type, Callable[[TableState, Any], TableState]] = {
    TableOpened: _opened,
    LadderRestarted: _restarted,
    OptionsSet: _options,
    Withdrawn: _same,
    Invited: _invited,
    AccessRevoked: _revoked,
    OriginAdded: _origin,
    OriginRemoved: _origin_removed,
    TableRenamed: _renamed,
    RoleSet: _role_set,
    NameErased: _name_erased,
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
    TableDataSet: _data,
    **RIGHTING,
    **TOGETHER,
}
