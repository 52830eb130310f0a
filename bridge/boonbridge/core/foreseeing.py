"""What a command would come to, before somebody confirms it. The same decision as the command itself; nothing is kept."""

from msgspec.structs import replace

from boonbridge_schemas.base import Moment, PartName
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Command, Override, Void
from boonbridge_schemas.events import Event
from boonbridge_schemas.refusal import Refusal

from .decide import decide
from .decision import Context
from .evolving import begin
from .state import TableState
from .visibility import Viewer, readable


class _Unforeseen:
    """Dice that nobody may see before they fall."""

    def draw(self, role: str, sides: int) -> int:
        """Never returns."""
        raise Refusal(Code.FORESEE_ROLLS)


def foresee(state: TableState, command: Command, viewer: Viewer, at: Moment) -> tuple[Event, ...]:
    """The events that a command of this viewer would be now, those he may read. A correction is taken as confirmed.

    Raises:
        Refusal: where the command itself would be refused; ``foresee.rolls`` where it rolls dice.
    """
    if getattr(command, "faces", None) is not None:
        # Dice of a hand would tell, face by face and before anybody else hears of it, a number that is hidden.
        raise Refusal(Code.FORESEE_ROLLS)
    if isinstance(command, Void | Override):
        command = replace(command, confirm=True)

    def no_dice(_part: PartName) -> _Unforeseen:
        return _Unforeseen()

    begun = begin(state, seq=state.seq + 1, at=max(at, state.at + 1), by=viewer.user)
    context = Context(by=viewer.user, role=viewer.role, at=begun.at, command_id="foresee", dice_for=no_dice)
    decision = decide(begun, command, context)
    mine = readable(viewer, viewer.user)
    return tuple(event for part, event in decision.placed if part in mine)
