"""What a decision is given and what it gives back."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from boonbridge_schemas.base import PARTS, Moment, PartName, Role, UserId
from boonbridge_schemas.commands import Command
from boonbridge_schemas.commit import Part
from boonbridge_schemas.events import Event

if TYPE_CHECKING:
    from boonbridge.dice.source import Dice


class Context(Struct, frozen=True, kw_only=True):
    """Everything a decision depends on besides state and command: who, when, and whose dice.

    ``dice_for`` gives the dice of one part of the commit this will become; asked once per part.
    """

    by: UserId
    role: Role
    at: Moment
    command_id: str
    dice_for: "Callable[[PartName], Dice]"


class Decision(Struct, frozen=True, kw_only=True):
    """Events, each with the part it stands in, and the part in which the command itself is kept (or none).

    No event at all means: nothing to do, no commit.
    """

    placed: tuple[tuple[PartName, Event], ...] = ()
    command_part: PartName | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in the order in which they are stored and folded: by part, and within a part as they happened."""
        return tuple(event for name in PARTS for part, event in self.placed if part == name)

    def parts(
        self, command: Command | None, context: Context, options: dict[str, bool | int | str | None]
    ) -> dict[PartName, Part]:
        """The parts that are not empty. The command and the readings in force stand in one of them at most."""
        parts: dict[PartName, Part] = {}
        for name in PARTS:
            events = tuple(event for part, event in self.placed if part == name)
            keeps = name == self.command_part
            if events or keeps:
                parts[name] = Part(
                    id=context.command_id,
                    by=context.by,
                    events=events,
                    command=command if keeps else None,
                    options=options if keeps else {},
                )
        return parts


def placed(part: PartName, events: Iterable[Event]) -> tuple[tuple[PartName, Event], ...]:
    """Put all of some events into one part."""
    return tuple((part, event) for event in events)
