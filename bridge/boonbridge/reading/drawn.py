"""The dice that the events of a commit say were drawn, and whether its seed gives them (protocol, section 6)."""

from collections.abc import Iterable, Iterator

from boonbridge.dice.source import face
from boonbridge_schemas.checks import Die
from boonbridge_schemas.events import CheckRolled, Chosen, DiceRolled, Event


def drawn(events: Iterable[Event]) -> Iterator[tuple[Die, bool]]:
    """The dice of one part in the order in which they were drawn, each with whether it was rolled by hand.

    Other events repeat dice that fell earlier.
    """
    for event in events:
        match event:
            case CheckRolled():
                yield from ((die, event.rolled.manual) for die in event.result.dice)
            case DiceRolled():
                yield from ((die, event.manual) for die in event.dice)
            case Chosen(result=result) if result is not None and event.drawn:
                yield from ((die, event.manual) for die in result.dice[-event.drawn :])


def wrong(dice: Iterable[Die], seed: bytes, command_id: str) -> tuple[int, Die, int] | None:
    """The first die that its seed does not give: its number from 1, how it is shown, and the face it should show."""
    for number, die in enumerate(dice):
        if (want := face(seed, command_id, number, die.sides)) != die.face:
            return number + 1, die, want
    return None
