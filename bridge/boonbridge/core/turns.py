"""Turns, rounds and fights: what ends with them, and what they set off.

Everything that ends says so by an event in the commit that ended it (I-33 to I-42). What a condition means is its
ruleset's; which check is rolled for luck, and what else rolls by itself at the end of a round, too.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from boonbridge.rulesets.base import Actor, Check
from boonbridge_schemas.base import ActorId, CombatId, Key, PartName, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import EndCombat, EndRound, EndTurn, RollCheck, StartTurn
from boonbridge_schemas.events import (
    CombatEnded,
    ConditionExpired,
    Event,
    GrantExpired,
    LuckDue,
    RoundEnded,
    TurnEnded,
    TurnStarted,
)
from boonbridge_schemas.grants import ConditionRef, Expiry, HeldCondition
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import checks_of, known, modified
from .choosing import close_open
from .committing import TOLD_AT_ONCE, Commit
from .decision import Context, Decision, placed
from .dicing import plain
from .rolling import roll_for
from .state import LAST, TableState, apart, fight, rounds
from .visibility import part_of_grant

_LIMITS = Limits()
ROLLED_AT_ONCE = 100
"""So many dice of conditions one end of a round rolls; what is more waits for a click, so that it fits into one message."""

Placed = tuple[PartName, Event]

_OF_A_FIGHT = ("turn_start", "turn_end", "round_end", "combat_end")


# --- turns -----------------------------------------------------------------------------------------------------
def start_turn(state: TableState, command: StartTurn, context: Context) -> Decision:
    """The turn of an actor begins. Nothing where it was heard before. Raises ``actor.unknown``."""
    commit = _begin(state, context, command.actor)
    place = _place(commit.state, command, "start")
    if place is None:
        return Decision()
    combat, number, turn = place
    actor = command.actor
    # What a fumble left for this moment is judged by what was there before it (B-26).
    ending = [*expired(commit.state, "turn_start", actor), *placed("all", _fumbles(commit.state, actor, "start"))]
    commit.add("all", TurnStarted(combat=combat, round=number, turn=turn, actor=actor))
    return _with(commit, ending)


def end_turn(state: TableState, command: EndTurn, context: Context) -> Decision:
    """The turn of an actor ends; what is open on his checks takes its default.

    Raises ``actor.unknown``, ``turn.choice_open``.
    """
    commit = _begin(state, context, command.actor)
    place = _place(commit.state, command, "end")
    if place is None:
        return Decision()
    combat, number, turn = place
    actor = known(commit.state, command.actor)
    if context.role == "gm" and not command.confirm:
        _ask_first(commit.state, actor, command.present, context.by)
    commit.add("all", TurnEnded(combat=combat, round=number, turn=turn, actor=actor.id))
    close_open(commit, actor, "all", context.by)
    return _with(commit, [*expired(commit.state, "turn_end", actor.id), *placed("all", _fumbles(commit.state, actor.id, "end"))])


def _begin(state: TableState, context: Context, actor: ActorId) -> Commit:
    commit = Commit(state, context, "all")
    commit.introduce((actor,), keep=True)
    known(commit.state, actor)
    return commit


def _with(commit: Commit, events: Iterable[Placed]) -> Decision:
    """The commit with what ends. Of what is hidden no more than there is room for: it may not keep a turn from ending."""
    events = tuple(events)
    for part, event in events:
        if part == "all":
            commit.add(part, event)
    for part, event in events:
        if part != "all" and commit.size < TOLD_AT_ONCE:
            commit.add(part, event)
    return commit.decision()


def _place(state: TableState, command: StartTurn | EndTurn, which: Literal["start", "end"]) -> tuple[CombatId, int, int] | None:
    """Fight, round and turn of what a tracker tells; None where it was told before, or is past.

    Without a tracker every word is new: the next turn begins, or the one that this actor began ends.
    """
    combat = fight(state, command.combat)
    heard = rounds(state, combat)
    number = heard.round if command.round is None else command.round
    if number < heard.round:
        return None
    if command.turn is not None:
        before = number == heard.round and (which, command.turn, command.actor) in heard.heard
        return None if before else (combat, number, command.turn)
    began = [turn for what, turn, actor in heard.heard if what == "start" and actor == command.actor]
    last = max((turn for _, turn, _ in heard.heard), default=0)
    return combat, number, began[-1] if which == "end" and began else min(last + 1, LAST)


def _ask_first(state: TableState, actor: Actor, present: tuple[UserId, ...], by: UserId) -> None:
    """A choice of a player who is here is not taken from him unasked. Of what is hidden nothing is said."""
    for check_id in state.latest.get(actor.id, ()):
        opened = state.checks.get(check_id)
        if opened is None or opened.done or opened.mode != "public":
            continue
        waits = any(offer.default and offer.enabled for offer in state.ruleset.choices(state, opened))
        players = {opened.roller, *actor.owners} & set(present) - {by}
        if waits and any(state.role(user) == "player" for user in players):
            raise Refusal(Code.TURN_CHOICE_OPEN, values={"actor": actor.id, "check": check_id})


# --- rounds and fights -----------------------------------------------------------------------------------------
def end_round(state: TableState, command: EndRound, context: Context) -> Decision:
    """A round ends: dice that conditions roll by themselves, luck, then what lasted until now.

    Luck is rolled at once for the opposition and for players who are not here; for others it falls due, and what was
    due from the round before is rolled now (C-P2).
    """
    combat = fight(state, command.combat)
    heard = rounds(state, combat)
    number = heard.round if command.round is None else command.round
    if command.round is not None and (number < heard.round or number <= heard.ended):
        return Decision()
    commit = Commit(state, context, "all", auto=True)
    commit.add("all", RoundEnded(combat=combat, round=number))
    others = apart(state, combat)
    for actor_id, held in _burning(commit.state):
        if actor_id not in others:
            _suffer(commit, actor_id, held)
    for actor_id, ref in _luck(commit.state):
        if actor_id not in others:
            _try_luck(commit, actor_id, ref, command.present)
    return _with(commit, expired(commit.state, "round_end", others=others))


def end_combat(state: TableState, command: EndCombat, context: Context) -> Decision:
    """A fight ends, and with it all that was to last for turns, rounds or the fight, and what luck ends (C-P2).

    Of two fights at once each has its own rounds and its own end: what those have who are in the other goes on.
    """
    combat = fight(state, command.combat)
    over = list(_over(state, apart(state, combat)))
    # A fight of which no turn was heard may end what was to last for it, but not while another one runs; twice is once.
    if command.combat is not None and combat not in state.fights:
        if state.fights:
            return Decision()
        if not state.marks and all(part != "all" for part, _ in over):
            # What is hidden ends as well, but it is no reason to say before everybody that a fight is over.
            return _with(Commit(state, context, "gm"), over) if over else Decision()
    commit = Commit(state, context, "all")
    commit.add("all", CombatEnded(combat=combat))
    return _with(commit, over)


def _over(state: TableState, others: Collection[ActorId]) -> Iterator[Placed]:
    for when in _OF_A_FIGHT:
        yield from expired(state, when, others=others)
    for actor in state.actors.values():
        if actor.id in others:
            continue
        for held in actor.conditions:
            if held.expiry.when in _OF_A_FIGHT:
                continue
            if held.luck_ends:
                yield "all", _ended(actor.id, held, held.amount, "combat_end")
            elif held.fumbled:
                yield "all", _ended(actor.id, held, held.fumbled, "combat_end")


def _burning(state: TableState) -> list[tuple[ActorId, HeldCondition]]:
    """What rolls by itself, each kind once for an actor."""
    found = {
        (actor.id, held.key): (actor.id, held)
        for actor in state.actors.values()
        for held in actor.conditions
        if state.ruleset.end_of_round(held) is not None
    }
    return list(found.values())


def _suffer(commit: Commit, actor_id: ActorId, held: HeldCondition) -> None:
    rolls = commit.state.ruleset.end_of_round(held)
    if rolls is None or not _room(commit):
        return
    commit.dice.next_check()
    event = plain(
        commit.dice,
        commit.next_id(),
        known(commit.state, actor_id),
        formula=rolls.formula,
        label=rolls.label,
        kind=rolls.kind,
        auto=True,
    )
    commit.add("all", event)


def _luck(state: TableState) -> list[tuple[ActorId, ConditionRef]]:
    if state.ruleset.luck is None:
        return []
    return [
        (actor.id, ConditionRef(key=held.key, by=held.by))
        for actor in state.actors.values()
        for held in actor.conditions
        if held.luck_ends
    ]


def _try_luck(commit: Commit, actor_id: ActorId, ref: ConditionRef, present: tuple[UserId, ...]) -> None:
    state = commit.state
    actor, luck = known(state, actor_id), state.ruleset.luck
    held = actor.held(ref)
    if held is None or luck is None:
        return
    here = any(owner in present and state.role(owner) == "player" for owner in actor.owners)
    rolled = False
    if (held.luck_due or not here) and _room(commit):
        asked = RollCheck(check=luck, actors=(actor_id,), ends=ref)
        for roller, checks in checks_of(state, asked, commit.by, "gm"):
            if rolled := _can_fall(commit, checks):
                roll_for(commit, roller, checks)
        held = known(commit.state, actor_id).held(ref)
    if held is not None and (here or not rolled) and not held.luck_due:
        commit.add("all", LuckDue(actor=actor_id, key=ref.key, by=ref.by))


def _room(commit: Commit) -> bool:
    return commit.number < ROLLED_AT_ONCE and commit.size < TOLD_AT_ONCE


def _can_fall(commit: Commit, checks: Iterable[Check]) -> bool:
    """Whether these dice may be rolled. If not they wait for a click, which says why: the round ends all the same."""
    state, count = commit.state, 0
    try:
        for draft in checks:
            check = state.ruleset.prepare(state, draft)
            dice = sum(die.count for die in state.ruleset.dice(state, check, modified(state, check)))
            count += dice
            if dice > _LIMITS.dice_per_check:
                return False
    except Refusal:
        return False
    return commit.dice.drawn + count <= _LIMITS.dice_per_command


# --- what ends -------------------------------------------------------------------------------------------------
def expired(state: TableState, when: Key, whose: ActorId | None = None, *, others: Collection[ActorId] = ()) -> Iterator[Placed]:
    """Grants and conditions whose clock strikes now, each with its part.

    ``whose``: whose turn it is, for the clocks of turns. ``others``: whose clocks are those of another fight.
    """

    def strikes(expiry: Expiry, bearer: ActorId) -> bool:
        return expiry.when == when and (whose is None or expiry.actor == whose) and (expiry.actor or bearer) not in others

    for actor in state.actors.values():
        for grant in actor.grants:
            if strikes(grant.expiry, actor.id):
                yield part_of_grant(grant), GrantExpired(actor=actor.id, grant=grant.id, why=when)
        for held in actor.conditions:
            if strikes(held.expiry, actor.id):
                yield "all", _ended(actor.id, held, held.amount, when)


def _fumbles(state: TableState, actor_id: ActorId, now: Literal["start", "end"]) -> Iterator[Event]:
    """What fumbles left until this moment of the bearer's own activation; from elsewhere it stays (B-26)."""
    for held in known(state, actor_id).conditions:
        due = held.fumbled if now == "start" else held.begun
        struck = held.expiry.when == f"turn_{now}" and held.expiry.actor == actor_id  # gone already, and whole
        if due and held.until == f"{now}_of_own_activation" and not struck:
            yield _ended(actor_id, held, due, f"turn_{now}")


def _ended(actor: ActorId, held: HeldCondition, amount: int, why: Key) -> ConditionExpired:
    return ConditionExpired(actor=actor, key=held.key, by=held.by, amount=amount, now=held.amount - amount, why=why)


def clocks_of(state: TableState, gone: frozenset[ActorId]) -> Iterator[Placed]:
    """What waited for a turn of somebody who leaves the table, and would wait for ever."""
    for actor in state.actors.values():
        if actor.id in gone:
            continue
        for grant in actor.grants:
            if grant.expiry.actor in gone:
                yield part_of_grant(grant), GrantExpired(actor=actor.id, grant=grant.id, why="actor_removed")
        for held in actor.conditions:
            if held.expiry.actor in gone:
                yield "all", _ended(actor.id, held, held.amount, "actor_removed")
