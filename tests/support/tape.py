"""Dice whose faces a test chooses, for a bridge that is otherwise the real one.

``serve`` has no switch for it: a key ring is given to ``boonbridge.running.start``, and the log says that it was taped.
"""

from collections import deque

from boonbridge.dice.source import Dice
from boonbridge.tables.table import SeededKeyRing


class TapeKeyRing:
    """Faces put on the tape are drawn in their order, whoever rolls; when it is used up, dice fall as they always do."""

    def __init__(self, *faces: int) -> None:
        self.tape = deque(faces)
        self._seeded = SeededKeyRing()

    def put(self, *faces: int) -> None:
        self.tape.extend(faces)

    def clear(self) -> None:
        self.tape.clear()

    def dice(self, ladder, seq, part, command_id) -> Dice:
        return _Drawn(self.tape, self._seeded.dice(ladder, seq, part, command_id))


class _Drawn:
    def __init__(self, tape, seeded):
        self._tape = tape
        self._seeded = seeded

    def draw(self, role, sides):
        if not self._tape:
            return self._seeded.draw(role, sides)
        face = self._tape.popleft()
        assert 1 <= face <= sides, f"a {role} d{sides} cannot show the {face} that comes next on the tape"
        return face
