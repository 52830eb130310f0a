"""Where faces come from: fixed by a seed and the id of a command, or given as a tape."""

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Protocol

from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

_TOO_BIG = 2**64


class Dice(Protocol):
    """Something that shows a face. Every die that is drawn is recorded, so replay never draws."""

    def draw(self, role: str, sides: int) -> int:
        """The face of the next die, from 1 to ``sides``. ``role`` is what the die is for in its game."""
        ...


def field(value: bytes) -> bytes:
    """One field of a hashed message: its length as 4 bytes big-endian, then its bytes (protocol, section 6)."""
    return len(value).to_bytes(4, "big") + value


def face(seed: bytes, command_id: str, index: int, sides: int) -> int:
    """The face of die ``index`` (from 0) that ``seed`` and ``command_id`` fix; unbiased by rejection.

    x is the first 8 bytes of HMAC-SHA256(seed, id | index | attempt); attempts go on while x is in the last,
    incomplete run of ``sides`` values (protocol, section 6).
    """
    limit = _TOO_BIG - _TOO_BIG % sides
    head = field(command_id.encode()) + field(b"%d" % index)
    attempt = 0
    while True:
        digest = hmac.digest(seed, head + field(b"%d" % attempt), sha256)
        x = int.from_bytes(digest[:8], "big")
        if x < limit:
            return x % sides + 1
        attempt += 1


class SeededDice:
    """Dice of one part of one commit, counted from 0."""

    def __init__(self, seed: bytes, command_id: str) -> None:
        self._seed = seed
        self._command_id = command_id
        self.drawn = 0

    def draw(self, role: str, sides: int) -> int:
        """The next face."""
        index = self.drawn
        self.drawn += 1
        return face(self._seed, self._command_id, index, sides)


class TapeDice:
    """Faces given beforehand, for conformance and for enumerating what could fall.

    A tape of ``(role, sides, face)`` is compared with what is asked; of plain faces only the size is checked.

    Raises:
        TapeMismatch: another die was asked for than the tape has next, or the tape is used up.
    """

    def __init__(self, tape: Iterable[int | tuple[str, int, int]]) -> None:
        self._tape: Sequence[int | tuple[str, int, int]] = tuple(tape)
        self.drawn = 0

    @property
    def left(self) -> int:
        """How many dice of the tape were not drawn."""
        return len(self._tape) - self.drawn

    def draw(self, role: str, sides: int) -> int:
        """The next face of the tape."""
        if self.drawn >= len(self._tape):
            raise TapeMismatch(f"die {self.drawn + 1} ({role} d{sides}) was drawn, the tape has {len(self._tape)}")
        entry = self._tape[self.drawn]
        self.drawn += 1
        if isinstance(entry, int):
            shown = entry
        else:
            want_role, want_sides, shown = entry
            if (want_role, want_sides) != (role, sides):
                raise TapeMismatch(f"die {self.drawn}: {role} d{sides} was drawn, the tape has {want_role} d{want_sides}")
        if not 1 <= shown <= sides:
            raise TapeMismatch(f"die {self.drawn}: face {shown} on a d{sides}")
        return shown


class TapeMismatch(Exception):  # noqa: N818 - no class of ours is called Error
    """The dice asked for are not the dice of the tape."""


def too_many_dice(limit: int) -> Refusal:
    """The refusal of more dice than a check or a command may have."""
    return Refusal(Code.ROLL_TOO_MANY_DICE, f"A roll may have at most {limit} dice.", values={"limit": limit})


class BudgetedDice:
    """Dice with a limit for one check and one for the whole command; more is refused, never clamped (I-102).

    Raises:
        Refusal: ``roll.too_many_dice``, before the die that would be one too many.
    """

    def __init__(self, dice: Dice, *, per_check: int, per_command: int) -> None:
        self._dice = dice
        self._per_check = per_check
        self._per_command = per_command
        self._check = 0
        self._command = 0

    @property
    def drawn(self) -> int:
        """How many dice of the command were drawn so far."""
        return self._command

    def next_check(self) -> None:
        """Start counting for another check of the same command."""
        self._check = 0

    def draw(self, role: str, sides: int) -> int:
        """The next face, if the budget allows one more die."""
        self._check += 1
        self._command += 1
        if self._check > self._per_check or self._command > self._per_command:
            raise too_many_dice(self._per_check if self._check > self._per_check else self._per_command)
        return self._dice.draw(role, sides)


class NoDice:
    """Where nothing may be drawn: a die that is asked for all the same is a mistake in the program."""

    def __init__(self, where: str) -> None:
        self._where = where

    def draw(self, role: str, sides: int) -> int:
        """Never returns."""
        raise AssertionError(f"{self._where} drew a {role} d{sides}")


class HandDice:
    """Faces of dice that lay on a real table, in the order in which they are asked for.

    Raises:
        Refusal: ``faces.count`` where there are fewer than dice, ``faces.range`` where a die has no such face.
    """

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    def draw(self, role: str, sides: int) -> int:
        """The next face."""
        if self._used >= len(self._faces):
            raise Refusal(
                Code.FACES_COUNT,
                f"More dice are rolled than the {len(self._faces)} faces given.",
                values={"given": len(self._faces)},
            )
        shown = self._faces[self._used]
        self._used += 1
        if not 1 <= shown <= sides:
            raise Refusal(
                Code.FACES_RANGE,
                f"A d{sides} has no face {shown}.",
                values={"sides": sides, "face": shown, "nth": self._used},
            )
        return shown

    def finish(self) -> None:
        """Raises ``faces.count`` where faces are left over."""
        if self._used < len(self._faces):
            raise Refusal(
                Code.FACES_COUNT,
                f"{len(self._faces)} faces were given for {self._used} dice.",
                values={"given": len(self._faces), "needed": self._used},
            )
