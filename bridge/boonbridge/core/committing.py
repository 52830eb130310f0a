"""A commit under way: events with their parts, the state as they have changed it so far, and its dice."""

from collections.abc import Iterable

import msgspec

from boonbridge.dice.source import BudgetedDice, HandDice
from boonbridge_schemas.base import ActorId, CheckId, Key, PartName, Role
from boonbridge_schemas.codes import Code
from boonbridge_schemas.events import Event
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .decision import Context, Decision
from .evolving import evolve
from .state import TableState
from .tokens import newcomers

_LIMITS = Limits()
TOLD_AT_ONCE = _LIMITS.frame_out // 2
"""Bytes of events beyond which a commit takes nothing more that may wait, or be left out."""


class Commit:
    """The commit under way.

    ``manual``: its dice lay on a real table. ``auto``: nobody clicked, the end of a round rolls.
    """

    def __init__(
        self,
        state: TableState,
        context: Context,
        part: PartName,
        *,
        faces: tuple[int, ...] | None = None,
        player_set: tuple[Key, ...] = (),
        auto: bool = False,
    ) -> None:
        self.state = state
        self.part: PartName = part
        self.role: Role = context.role
        self.by = context.by
        self.player_set = player_set
        self.manual = faces is not None
        self.auto = auto
        self.number = 0
        self.placed: list[tuple[PartName, Event]] = []
        self._measured = self._size = self._public = 0
        self._hand = _by_hand(state, faces) if faces is not None else None
        self.dice = BudgetedDice(
            self._hand or context.dice_for(part), per_check=_LIMITS.dice_per_check, per_command=_LIMITS.dice_per_command
        )

    def add(self, part: PartName, event: Event, after: TableState | None = None) -> None:
        """Place an event. ``after``: the state with it, where it is known already."""
        self.placed.append((part, event))
        self.state = after or evolve(self.state, event)

    def introduce(self, names: Iterable[ActorId], *, keep: bool) -> None:
        """Make a record of each token named that has none; unless ``keep``, for this decision alone. Raises ``actor.limit``."""
        for part, event in newcomers(self.state, *names):
            if keep:
                self.add(part, event)
            else:
                self.state = evolve(self.state, event)

    @property
    def size(self) -> int:
        """Bytes of the events so far, as they are stored."""
        self._measure()
        return self._size

    @property
    def public_size(self) -> int:
        """Bytes of those that everybody reads: what is left out of a message for want of room may not depend on others."""
        self._measure()
        return self._public

    def _measure(self) -> None:
        for part, event in self.placed[self._measured :]:
            length = len(msgspec.json.encode(event))
            self._size += length
            self._public += length if part == "all" else 0
        self._measured = len(self.placed)

    def next_id(self) -> CheckId:
        """The id of the next check, or other roll, of this commit."""
        self.number += 1
        return f"{self.state.seq}.{self.number}"

    def decision(self) -> Decision:
        """What it came to, with the command in the part of its dice. Raises ``faces.count`` where faces are left over."""
        if self._hand is not None:
            self._hand.finish()
        return Decision(placed=tuple(self.placed), command_part=self.part)


def _by_hand(state: TableState, faces: tuple[int, ...]) -> HandDice:
    if not state.options.manual_dice:
        raise Refusal(Code.FACES_NOT_TAKEN)
    return HandDice(faces)
