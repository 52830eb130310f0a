"""A stored commit decided once more: by the rules, from its own command and its own seeds, it comes to the very same.

What is compared are the parts, each event with the reader it stands for, the command and the readings in force. Stored bytes
are compared as they are decoded and encoded again: a field that came later, with its default, is no difference.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin
from boonbridge.core.house import readings
from boonbridge.core.state import BRIDGE, TableState
from boonbridge.dice.source import Dice, TapeDice
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.commit import Part
from boonbridge_schemas.events import Event, Invited, LadderRestarted, OriginAdded, TableOpened, Withdrawn
from boonbridge_schemas.refusal import Refusal

from .drawn import drawn

_encode = msgspec.json.Encoder().encode


def difference(before: TableState, at: int, parts: Mapping[PartName, Part], dice_for: Callable[[PartName], Dice]) -> str | None:
    """What is otherwise than the rules have it, as a sentence without a full stop; None where all is as it should be.

    Args:
        before: The table as it was, after the commit before.
        at: The moment of the commit.
        parts: All of its parts that are not empty.
        dice_for: The dice of each part, from its seed; of a taped table from the faces themselves (``tape``).
    """
    whose = next(iter(parts.values()))
    commands = [part.command for part in parts.values() if part.command is not None]
    if not commands:
        return _not_the_bridges(before, whose, parts)
    if len(commands) > 1:
        return "it holds more than one command"
    begun = begin(before, seq=before.seq + 1, at=at, by=whose.by)
    # Who is not known to the table was let in by the operator's own hand.
    role = before.role(whose.by) or "gm"
    context = Context(by=whose.by, role=role, at=at, command_id=whose.id, dice_for=dice_for)
    try:
        decision = decide(begun, commands[0], context)
    except Refusal as refusal:
        return f"the rules refuse its command ({refusal.code.value})"
    except Exception as trouble:  # noqa: BLE001 - what was written was decided; what was altered since may go wrong anywhere
        return f"its command cannot be decided ({type(trouble).__name__})"
    return _compared(parts, decision.parts(commands[0], context, readings(before)))


def tape(parts: Mapping[PartName, Part]) -> Callable[[PartName], Dice]:
    """The dice of a table that plays from a tape: the faces that its events show."""
    return lambda name: TapeDice(die.face for die, by_hand in drawn(parts[name].events if name in parts else ()) if not by_hand)


def _compared(stored: Mapping[PartName, Part], made: Mapping[PartName, Part]) -> str | None:
    for name in PARTS:
        one, other = stored.get(name), made.get(name)
        if one is None and other is None:
            continue
        if one is None or other is None:
            return f"by the rules its part {name} is {'not empty' if one is None else 'empty'}"
        if _encode(one) == _encode(other):
            continue
        if len(one.events) != len(other.events):
            return f"by the rules its part {name} has {len(other.events)} events, and not {len(one.events)}"
        for number, (event, due) in enumerate(zip(one.events, other.events, strict=True), start=1):
            if _encode(event) != _encode(due):
                return f"event {number} of its part {name} ({type(event).__name__}) is not what the rules make of its command"
        return f"its part {name} has its command or its options in another place, or others than were in force"
    return None


def _not_the_bridges(before: TableState, whose: Part, parts: Mapping[PartName, Part]) -> str | None:
    """What is wrong with a commit without a command, which only the bridge itself writes."""
    events: list[Event] = [event for part in parts.values() for event in part.events]
    match events:
        case [Withdrawn(command=command)] if "roller_gm" in parts and command == whose.id:
            return None
        case [TableOpened()] | [TableOpened(), LadderRestarted()] if before.seq == 0:
            fits = True
        case [LadderRestarted()] | [Invited()] | [Invited(), OriginAdded()]:
            fits = before.seq > 0
        case _:
            fits = False
    if not fits or set(parts) != {"all"} or whose.by != BRIDGE:
        return f"it has no command, and is nothing that the bridge writes by itself ({_kinds(events)})"
    return None


def _kinds(events: Iterable[Event]) -> str:
    return ", ".join(dict.fromkeys(type(event).__name__ for event in events)) or "nothing"
