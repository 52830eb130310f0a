"""What taking a deed back comes to: arithmetic on what is left of what it wrote, and what cannot be brought back.

Nothing is computed over again from the log: what was rolled since was rolled with the dice and sources of its moment. A place
that nobody wrote to since is as it was before; where somebody did, the difference is taken from what is there now (I-94).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, Check, OpenCheck
from boonbridge_schemas.base import ActorId, Key, Seq
from boonbridge_schemas.corrections import Left
from boonbridge_schemas.effects import (
    AssistPut,
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
    XpChanged,
)
from boonbridge_schemas.entries import ResistanceEntry
from boonbridge_schemas.grants import AssistRecord, GrantRecord, HeldCondition
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import OpportunityRecord

from .applying import changed, sameness, with_amount
from .deeds import GAME, GAME_OVER, Place, conditions_at, grant_at, later, lock_at, read, struck_since
from .state import Deed, TableState, Write, was_for

_MOST_XP = 9_999
"""So much experience an event can tell (``Count``)."""


class Undoing(Struct, frozen=True):
    """What it changes at the table, in order, and what it leaves as it is. ``unseen``: of that, what only GMs know of."""

    effects: tuple[Effect, ...] = ()
    left: tuple[Left, ...] = ()
    unseen: tuple[Left, ...] = ()


def undo(state: TableState, deed: Deed, writes: Iterable[Write]) -> Undoing:
    """Take some of a deed's writings back, the last one first; what the game itself keeps (a pool) gets before it gives."""
    of_game = [write for write in writes if write.place in (GAME, GAME_OVER)]
    others = [write for write in writes if write.place not in (GAME, GAME_OVER)]
    under_way = _of_game(state, deed, sorted(of_game, key=lambda write: not write.paid))
    if under_way.left:
        # What comes back may find no room that what goes would have made.
        other = _of_game(state, deed, sorted(of_game, key=lambda write: write.paid))
        under_way = min(under_way, other, key=lambda each: sum(left.amount for left in each.left))
    for write in reversed(others):
        under_way.take_back(write)
    effects = _in_one_step(state, under_way.state, under_way.effects)
    return Undoing(effects, tuple(under_way.left), tuple(under_way.unseen))


def is_unseen(state: TableState, effect: Effect) -> bool:
    """Whether an effect is about a grant that only GMs know of. ``state``: before it."""
    match effect:
        case GrantPut(grant=grant):
            return grant.hidden
        case GrantTaken(actor=actor, grant=grant):
            standing = read(state, grant_at(actor, grant))
            return standing is not None and bool(standing.hidden)
        case _:
            return False


def _in_one_step(before: TableState, after: TableState, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The effects, those of one condition or lock as what they come to, so that whoever confirms reads no detours."""
    last = {_named(effect): effect for effect in effects}
    return tuple(
        effect
        for effect in effects
        if (name := _named(effect)) is None or (last[name] is effect and read(before, name) != read(after, name))
    )


def _named(effect: Effect) -> Place | None:
    match effect:
        case ConditionsPut(actor=actor, condition=key):
            return conditions_at(actor, key)
        case LockSet(actor=actor, action=action) | LockCleared(actor=actor, action=action):
            return lock_at(actor, action)
        case _:
            return None


def _of_game(state: TableState, deed: Deed, writes: Iterable[Write]) -> "_UnderWay":
    under_way = _UnderWay(state, deed)
    for write in writes:
        under_way.take_back(write)
    return under_way


class _UnderWay:
    """A correction under way: the table as it has changed it so far."""

    def __init__(self, state: TableState, deed: Deed) -> None:
        self.state = state
        self.deed = deed
        self.effects: list[Effect] = []
        self.left: list[Left] = []
        self.unseen: list[Left] = []

    def take_back(self, write: Write) -> None:
        kind, *names = write.place
        now = read(self.state, write.place)
        since = list(later(self.state, self.deed, write))
        match kind:
            case "game" | "game_over":
                self._game(write)
            case "conditions":
                self._conditions(names[0], names[1], write, now, since)
            case "grant":
                self._grant(write, now, since)
            case "xp":
                self._xp(names[0], write, now)
            case "opportunity":
                self._opportunity(write, now, since)
            case "assist":
                over = struck_since(self.state, "session_end", None, write.seq) is not None
                if now is None and not since and not over and isinstance(write.before, AssistRecord) and self._here(write.before):
                    self._help(write.before)
            case "resistance" if write.paid:
                self._resistance(names[0], write, now, since)
            case _:
                self._as_it_was(kind, names, write, now, since)

    def _do(self, effect: Effect) -> None:
        self.effects.append(effect)
        self.state = changed(self.state, effect)

    def _here(self, assist: AssistRecord) -> bool:
        return assist.actor in self.state.actors and assist.helper in self.state.actors

    # --- one kind of place each ---
    def _game(self, write: Write) -> None:
        effect = self.state.ruleset.taken_back(self.state, write.before, write.after)
        if effect is None:
            return
        owed, why = abs(effect.asked - effect.applied), "spent_since" if effect.asked < 0 else "full"
        if write.place == GAME_OVER:
            owed, why = abs(effect.asked), "evening_over"
        else:
            self._do(effect)
        if owed:
            self.left.append(Left(what="resource", key=effect.resource, amount=owed, why=why))

    def _conditions(
        self, actor_id: ActorId, key: Key, write: Write, now: tuple[HeldCondition, ...], since: list[tuple[Deed, Write]]
    ) -> None:
        actor = self.state.actors.get(actor_id)
        if actor is None:
            return
        # Whatever was said of what a giver gave since counts; of the others the difference is taken.
        said = {each.giver for _, each in since if each.anew}
        had, got = (_amount(each for each in held if each.by not in said) for held in (write.before, write.after))
        if had > got and _rolled_since(self.state, self.deed, actor_id, key):
            self.left.append(self._condition_left(actor_id, key, had - got, "rolled_since"))
            return
        before, after = (_lasting(self.state, actor_id, each, write.seq) for each in (write.before, write.after))
        held = before if now == after and not since else conditions_without(before, after, now, but=said)
        if held != now:
            self._do(ConditionsPut(actor=actor_id, condition=key, held=held))
        spent = sum(_amount(each.before) - _amount(each.after) for _, each in since if each.paid)
        missing = min((got - had) - (_amount(now) - _amount(held)), spent)
        if missing > 0:
            self.left.append(self._condition_left(actor_id, key, missing, "used_since"))

    def _condition_left(self, actor_id: ActorId, key: Key, amount: int, why: Key) -> Left:
        return Left(what="condition", key=key, actor=actor_id, amount=min(amount, 9999), why=why)

    def _grant(self, write: Write, now: GrantRecord | None, since: list[tuple[Deed, Write]]) -> None:
        if write.before is None:
            if write.after is not None:
                self._given(write.after, now, since)
        elif write.after is None:
            self._spent(write.before)

    def _given(self, grant: GrantRecord, now: GrantRecord | None, since: list[tuple[Deed, Write]]) -> None:
        if now is not None:
            self._do(GrantTaken(actor=grant.actor, grant=grant.id))
        elif any(each.paid for _, each in since) or self._used_by_another(grant):
            self._leave(grant, "used_since")

    def _used_by_another(self, grant: GrantRecord) -> bool:
        """Whether the roll that used it was taken back, but not one after it that would have."""
        actor, place = self.state.actors.get(grant.actor), grant_at(grant.actor, grant.id)
        undone = (deed for deed in self.state.deeds.values() if deed.voided)
        if actor is None or not any(each.place == place and each.paid for deed in undone for each in deed.writes):
            return False
        return any(_uses(self.state, actor, grant, opened) for opened in _rolls_for(self.state, self.deed, grant))

    def _spent(self, grant: GrantRecord) -> None:
        """A one-use Boon comes back, unless a roll since would have used it."""
        actor = self.state.actors.get(grant.actor)
        if actor is None:
            return
        if any(sameness(each) == sameness(grant) for each in actor.grants):
            return  # it was given again, and is the same
        if any(_uses(self.state, actor, grant, opened) for opened in _rolls_for(self.state, self.deed, grant)):
            self._leave(grant, "rolled_since")
            return
        self._do(GrantPut(grant=grant))

    def _leave(self, grant: GrantRecord, why: Key) -> None:
        (self.unseen if grant.hidden else self.left).append(_grant_left(grant, why))

    def _xp(self, actor_id: ActorId, write: Write, now: int) -> None:
        change = write.before - write.after
        applied = max(-now, min(change, _MOST_XP - now))
        if applied and actor_id in self.state.actors:
            self._do(XpChanged(actor=actor_id, change=applied, now=now + applied))
        if applied != change:
            why = "spent_since" if change < 0 else "full"
            self.left.append(Left(what="xp", actor=actor_id, amount=abs(change - applied), why=why))

    def _opportunity(self, write: Write, now: OpportunityRecord | None, since: list[tuple[Deed, Write]]) -> None:
        before, after = write.before, write.after
        if before is None and now is not None:
            self._do(OpportunityTaken(opportunity=now.id))
        elif before is None and after is not None and any(each.paid for _, each in since):
            self.left.append(Left(what="opportunity", label=after.label, why="used_since"))
        elif (
            before is not None and now is None and not since and struck_since(self.state, "session_end", None, write.seq) is None
        ):
            self._do(OpportunityPut(opportunity=before))

    def _help(self, offered: AssistRecord) -> None:
        """Help that was offered waits again, unless a roll since would have been the one it was for."""
        if any(_was_for(offered, opened) for opened in _rolls_since(self.state, self.deed)):
            self.left.append(Left(what="assist", actor=offered.actor, label=offered.action or "Help", why="rolled_since"))
        else:
            self._do(AssistPut(assist=offered))

    def _resistance(self, actor_id: ActorId, write: Write, now: ResistanceEntry | None, since: list[tuple[Deed, Write]]) -> None:
        """Resistance that was offered stands again, unless a roll since would have been the one it met (D-22)."""
        if now is not None or since or write.before is None:
            return
        if any(_meets(actor_id, opened) for opened in _rolls_since(self.state, self.deed)):
            self.left.append(Left(what="resistance", actor=actor_id, label="Resistance", why="rolled_since"))
        else:
            self._do(_resisting(actor_id, write.before))

    def _as_it_was(self, kind: str, names: list[str], write: Write, now: Any, since: list[tuple[Deed, Write]]) -> None:
        """A lock, a switch, resistance: whoever wrote there last decides, and else it is as before."""
        used = any(each.paid for _, each in since) and not any(each.anew for _, each in since)
        if kind == "resistance" and write.before is None and used:
            self.left.append(Left(what="resistance", actor=names[0], label="Resistance", why="used_since"))
        if since or now != write.after or write.before == write.after:
            return
        match kind:
            case "lock" if names[0] in self.state.actors:
                standing = write.before if write.before is not None else write.after
                effect = LockSet if write.before is not None else LockCleared
                self._do(effect(actor=names[0], action=standing))
            case "mark":
                self._do(MarkSet(mark=names[0], value=write.before))
            case "resistance":
                self._do(_resisting(names[0], write.before))
            case _:
                return


def _resisting(actor: ActorId, before: ResistanceEntry | None) -> Effect:
    if before is None:
        return ResistanceTaken(actor=actor)
    return ResistanceOffered(actor=actor, skill=before.skill, difficulty=before.difficulty)


def _lasting(state: TableState, bearer: ActorId, held: tuple[HeldCondition, ...], since: Seq) -> tuple[HeldCondition, ...]:
    """What of some conditions would still be there, whatever clocks have struck from commit ``since`` on."""
    return tuple(left for each in held if (left := _left_of(state, bearer, each, since)) is not None)


def _left_of(state: TableState, bearer: ActorId, held: HeldCondition, since: Seq) -> HeldCondition | None:
    when, whose = held.expiry.when, held.expiry.actor
    # A clock of a fight struck for everybody, or for who was in that one of several.
    owners = (None, whose or bearer)
    struck, over = (any(struck_since(state, clock, each, since) is not None for each in owners) for clock in (when, "combat_end"))
    of_a_fight = when in ("turn_start", "turn_end", "round_end", "combat_end")
    if struck or (over and (of_a_fight or held.luck_ends)):
        return None
    if whose is not None and whose not in state.actors:
        return None  # nobody is left whose turn would end it
    if not held.fumbled:
        return held
    begun, ended = (struck_since(state, when, bearer, since) for when in ("turn_start", "turn_end"))
    if over or (begun is not None and held.until == "start_of_own_activation"):
        gone = held.fumbled
    elif ended is not None and held.until == "end_of_own_activation":
        gone = held.fumbled if begun is not None and begun < ended else held.begun
    else:
        gone = 0
    left = with_amount(held, held.amount - gone, less=gone)
    left = replace(left, begun=left.fumbled if begun is not None else left.begun, until=left.until if left.fumbled else None)
    return left if left.amount else None


def _amount(held: Iterable[HeldCondition]) -> int:
    return sum(each.amount for each in held)


def conditions_without(
    before: tuple[HeldCondition, ...],
    after: tuple[HeldCondition, ...],
    now: tuple[HeldCondition, ...],
    *,
    but: Collection[ActorId | None] = (),
) -> tuple[HeldCondition, ...]:
    """What stands now without what changed from ``before`` to ``after``, of each giver by itself, and never less than nothing.

    ``but``: givers of whose part nothing is taken.
    """
    was, became = ({each.by: each for each in held} for held in (before, after))
    standing = {each.by: each for each in now}
    result: list[HeldCondition] = []
    for by in dict.fromkeys((*standing, *was)):
        had, got, here = was.get(by), became.get(by), standing.get(by)
        if by in but:
            result += [here] if here is not None else []
            continue
        template = here or had
        if template is None:
            continue
        amount = _plus(here, "amount") + _plus(had, "amount") - _plus(got, "amount")
        fumbled = min(amount, _plus(here, "fumbled") + _plus(had, "fumbled") - _plus(got, "fumbled"))
        if amount > 0:
            fumbled = max(0, fumbled)
            begun = min(template.begun, fumbled)
            until = template.until if fumbled else None
            result.append(replace(template, amount=amount, fumbled=fumbled, begun=begun, until=until))
    return tuple(result)


def _plus(held: HeldCondition | None, what: str) -> int:
    return int(getattr(held, what)) if held is not None else 0


def _grant_left(grant: GrantRecord, why: Key) -> Left:
    return Left(what="grant", key=grant.sign, actor=grant.actor, label=grant.source.label, amount=grant.amount, why=why)


# --- what was rolled since -------------------------------------------------------------------------------------
def _rolls_since(state: TableState, deed: Deed, *, among_gms: bool = False) -> Iterable[OpenCheck]:
    """Rolls after a deed that stand: public ones, or those that GMs alone read."""
    behind = False
    for other in state.deeds.values():
        if other.id == deed.id:
            behind = True
        elif behind and other.opened is not None and not other.voided and (other.among_gms if among_gms else not other.hidden):
            yield other.opened


def _rolls_for(state: TableState, deed: Deed, grant: GrantRecord) -> Iterable[OpenCheck]:
    """Rolls after a deed that stand, of those with which such a grant counts."""
    return _rolls_since(state, deed, among_gms=grant.hidden)


def _rolled_since(state: TableState, deed: Deed, actor: ActorId, condition: Key) -> bool:
    """Whether somebody has rolled since in a way that uses up what he has of a condition (B-14)."""
    return any(
        opened.rolled.actor == actor and state.ruleset.would_use(state, opened, condition) for opened in _rolls_since(state, deed)
    )


def _was_for(offered: AssistRecord, opened: OpenCheck) -> bool:
    """Whether a roll was the one that help was offered for."""
    rolled = opened.rolled
    return not rolled.auto and was_for(offered, rolled.actor, rolled.check, rolled.action)


def _meets(actor: ActorId, opened: OpenCheck) -> bool:
    """Whether a roll meets the resistance that an actor offers."""
    return opened.rolled.opponent == actor and "resist" in opened.rolled.params


def _uses(state: TableState, bearer: Actor, grant: GrantRecord, opened: OpenCheck) -> bool:
    """Whether a roll, had the grant stood there, would have used it up: as the rules count it, in scope."""
    rolled = opened.rolled
    if grant.hidden and any(line.hidden and line.why == "too_many" for line in opened.sources):
        return False  # it was rolled without
    own = bearer.id == rolled.actor
    about = "next_roll" if own else "next_roll_against"
    if grant.expiry.when != about or (not own and rolled.opponent != bearer.id):
        return False
    spec, roller = state.ruleset.checks.get(rolled.kind), state.actors.get(rolled.actor)
    if spec is None or roller is None:
        return True
    if (grant.scope.side == "own") != own:
        return True  # it helps in the other direction than its clock looks, so any roll of that clock ends it
    bearer = replace(bearer, grants=(grant,))
    check = Check(
        spec=spec,
        actor=bearer if own else roller,
        target=bearer if not own else state.actors.get(rolled.opponent or ""),
        targets=(rolled.opponent,) if rolled.opponent else (),
        params=rolled.params,
        action=rolled.action,
        group=rolled.group,
        unseen="" if grant.hidden else None,
    )
    try:
        lines = state.ruleset.modifiers(state, check).sources
    except Refusal:
        return True  # what it was rolled with is gone: nobody can tell
    return any(line.grant == grant.id and line.applies for line in lines)
