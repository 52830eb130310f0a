"""Conditions set and cleared by hand: which there are, how much of them, who gave them, until when.

What a condition does to dice is in its ruleset; what ends it with turns and rounds is in ``turns.py``.
"""

from msgspec.structs import replace

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import Key
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import ClearCondition, SetCondition
from boonbridge_schemas.events import ConditionCleared, ConditionSet, Event
from boonbridge_schemas.game import ConditionSpec
from boonbridge_schemas.grants import ConditionRef, Expiry, HeldCondition
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import known
from .clocks import clock, whose_turn
from .decision import Context, Decision, placed
from .evolving import evolve_all
from .state import TableState
from .tokens import newcomers

_LIMITS = Limits()
MOST = 99
"""So much of one condition: every stack may be a die, and a check has no more of them."""


def set_condition(state: TableState, command: SetCondition, _context: Context) -> Decision:
    """Give actors a condition, or another amount of it. Raises ``condition.*``, ``actor.unknown``."""
    spec = _spec(state, command.condition)
    if command.luck_ends and spec.luck == "never":
        raise Refusal(Code.CONDITION_NO_LUCK, values={"condition": command.condition})
    named = (*command.actors, *((command.by,) if command.by is not None else ()), *whose_turn(command.expiry))
    made = newcomers(state, *named)
    state = evolve_all(state, (event for _, event in made))
    giver = known(state, command.by) if command.by is not None else None
    events: list[Event] = []
    for actor_id in dict.fromkeys(command.actors):
        actor = known(state, actor_id)
        before = actor.held(ConditionRef(key=command.condition, by=command.by))
        after = _held(command, spec, before, giver, clock(state, command.expiry, actor_id))
        if after is None and before is not None:
            events.append(ConditionCleared(actor=actor_id, key=command.condition, by=command.by))
        elif after is not None and after != before:
            if before is None and len(actor.conditions) >= _LIMITS.conditions_per_actor:
                raise Refusal(Code.CONDITION_LIMIT, values={"limit": _LIMITS.conditions_per_actor, "actor": actor_id})
            added = command.amount if command.add else None
            events.append(ConditionSet(actor=actor_id, condition=after, added=added))
    return Decision(placed=(*made, *placed("all", events)), command_part="all") if events else Decision()


def _spec(state: TableState, key: Key) -> ConditionSpec:
    base, dot, about = key.partition(".")
    spec = state.ruleset.conditions_with(state.data).get(base)
    right = spec is not None and (any(about == option.value for option in spec.of) if spec.of else not dot)
    if spec is None or not right:
        raise Refusal(Code.CONDITION_UNKNOWN, values={"condition": key})
    return spec


def _held(
    command: SetCondition, spec: ConditionSpec, before: HeldCondition | None, giver: Actor | None, expiry: Expiry
) -> HeldCondition | None:
    """What the actor holds afterwards; None: nothing of it."""
    had = before.amount if before else 0
    amount = had + command.amount if command.add else command.amount
    most = MOST if spec.counted else 1
    # What rolls have piled up beyond that may be taken down in steps, but not added to.
    if not 0 <= amount <= max(most, had if command.amount < 0 else 0) or (amount == 0 and not command.add):
        raise Refusal(Code.CONDITION_AMOUNT, values={"condition": command.condition, "limit": most})
    if amount == 0:
        return None
    if before is not None and command.add:  # what else the command says of it is said anew, what it leaves out stays
        return replace(
            _with_amount(before, amount),
            expiry=expiry if expiry.when != "none" else before.expiry,
            luck_ends=before.luck_ends or command.luck_ends,
            note=command.note or before.note,
        )
    made = HeldCondition(
        key=command.condition,
        amount=amount,
        by=command.by,
        by_side=giver.side if giver else None,
        expiry=expiry,
        luck_ends=command.luck_ends or spec.luck == "always",
        note=command.note,
    )
    if before is None:
        return made
    kept = _with_amount(before, amount)  # what a fumble left of it still ends by itself (B-26)
    due = before.luck_due and made.luck_ends
    return replace(made, fumbled=kept.fumbled, begun=kept.begun, until=kept.until, luck_due=due)


def _with_amount(held: HeldCondition, amount: int) -> HeldCondition:
    fumbled = min(held.fumbled, amount)
    begun = min(held.begun, amount)
    return replace(held, amount=amount, fumbled=fumbled, begun=begun, until=held.until if fumbled else None)


def clear_condition(state: TableState, command: ClearCondition, _context: Context) -> Decision:
    """Take a condition away. Raises ``actor.unknown``, ``condition.not_held``."""
    actor = known(state, command.actor)
    if actor.held(ConditionRef(key=command.condition, by=command.by)) is None:
        raise Refusal(Code.CONDITION_NOT_HELD, values={"condition": command.condition, "actor": actor.id})
    cleared = ConditionCleared(actor=actor.id, key=command.condition, by=command.by)
    return Decision(placed=(("all", cleared),), command_part="all")
