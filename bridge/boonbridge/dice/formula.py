"""Dice as people write them: ``2d6+3``, ``4d6kh3``, ``1d20-1d4``. What they may be, and how they fall.

A formula is groups of dice and whole numbers with + or - between them. A group may keep (``kh``, ``kl``) or drop
(``dh``, ``dl``) so many of its highest or lowest; ``d6`` is one die, ``d%`` has a hundred sides. Big letters and spaces
change nothing. No rule of a game may be in this file.
"""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from boonbridge_schemas.checks import DiceTerm, Die
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

from . import pool
from .source import Dice, too_many_dice

MOST_DICE = 100
MOST_SIDES = 1000
MOST_TOTAL = 9999
"""What a formula may come to at most, above nought and below: so much an event can say."""
LONGEST = 80
"""So many characters a formula may have, as it is given and as it is written out."""

_EXAMPLE = "Write it like 2d6+3, 4d6kh3 or 1d20-1d4."
_TERM = re.compile(r"([0-9]*) ?d ?([0-9]+|%)(?: ?([kd][hl]) ?([0-9]*))?")
_WHOLE = re.compile(r"[0-9]+")
_SIGN = re.compile(r"([+-])")


class Formula(Struct, frozen=True):
    """Groups of dice in the order in which they fall, and the sum of the plain numbers."""

    terms: tuple[DiceTerm, ...]
    bonus: int = 0

    @property
    def count(self) -> int:
        """How many dice there are."""
        return sum(term.count for term in self.terms)

    @property
    def plain(self) -> bool:
        """Whether all dice are added, and none is dropped."""
        return all(term.keep is None and not term.minus for term in self.terms)

    @property
    def text(self) -> str:
        """The formula written out, the same for everything that means the same: ``2d6+3``."""
        told = "".join(f"{'-' if term.minus else '+'}{_written(term)}" for term in self.terms)
        return (told + (f"{self.bonus:+d}" if self.bonus else "")).removeprefix("+")


class ExtraDie(Struct, frozen=True):
    """Dice that fall after those of a formula and compete with them: as many are kept as without, highest or lowest."""

    role: str
    sides: int
    count: int = 1
    lowest: bool = False


class Fallen(Struct, frozen=True):
    """Every die of a formula as it fell, and what they came to with its plain numbers."""

    dice: tuple[Die, ...]
    total: int


# --- reading ---------------------------------------------------------------------------------------------------
def parse(text: str) -> Formula:
    """The formula that a text is.

    Raises:
        Refusal: ``dice.bad_formula``, saying what is wrong with it; ``roll.too_many_dice``.
    """
    if len(text) > LONGEST:
        raise _bad(f"A formula has at most {LONGEST} characters.")
    terms: list[DiceTerm] = []
    bonus = 0
    for minus, word in _words(text):
        if _WHOLE.fullmatch(word):
            bonus += -_number(word) if minus else _number(word)
        else:
            terms.append(_term(word, minus=minus))
    if not terms:
        raise _bad("There is no die in that formula.")
    formula = Formula(tuple(terms), bonus)
    check(formula)
    return formula


def check(formula: Formula, extra: ExtraDie | None = None) -> None:
    """Raises ``roll.too_many_dice``, ``dice.bad_formula`` where a formula comes to more than can be rolled or told."""
    if formula.count + (extra.count if extra else 0) > MOST_DICE:
        raise too_many_dice(MOST_DICE)
    least = most = formula.bonus
    for term in formula.terms:
        kept = term.count if term.keep is None else term.keep
        sides = max(term.sides, extra.sides) if extra else term.sides
        least += -kept * sides if term.minus else kept
        most += -kept if term.minus else kept * sides
    if min(least, formula.bonus) < -MOST_TOTAL or max(most, formula.bonus) > MOST_TOTAL:
        raise _bad(f"That formula could come to more than {MOST_TOTAL}, above nought or below.", example=False)
    if len(formula.text) > LONGEST:
        raise _bad(f"Written out, that formula has more than {LONGEST} characters.", example=False)


def _words(text: str) -> Iterator[tuple[bool, str]]:
    """What stands between the signs, and whether it is taken away."""
    # A formula that was copied from a page may have a real minus sign.
    parts = [part.strip() for part in _SIGN.split(" ".join(text.lower().replace("\u2212", "-").split()))]
    if not any(parts):
        raise _bad("There is no formula.")
    parts = ["+", *parts] if parts[0] else parts[1:]  # it may begin with a sign
    for sign, word in zip(parts[::2], parts[1::2], strict=True):
        if not word:
            raise _bad(f"Nothing stands behind one {'minus' if sign == '-' else 'plus'} of that formula.")
        yield sign == "-", word


def _term(word: str, *, minus: bool) -> DiceTerm:
    found = _TERM.fullmatch(word)
    if found is None:
        raise _bad(f"{word!r} is neither dice nor a whole number.")
    count, sides = _number(found[1] or "1"), 100 if found[2] == "%" else _number(found[2])
    if count == 0:
        raise _bad(f"{word!r} has no dice.")
    if count > MOST_DICE:
        raise too_many_dice(MOST_DICE)
    if not 2 <= sides <= MOST_SIDES:
        raise _bad(f"A die has 2 to {MOST_SIDES} sides, and {word!r} has not.")
    if not found[3]:
        return DiceTerm(count=count, sides=sides, minus=minus)
    keep = _number(found[4] or "1")
    lowest = found[3] in ("kl", "dh")  # who drops the highest keeps the lowest
    if found[3] in ("dh", "dl"):
        keep = count - keep
    if not 1 <= keep <= count:
        raise _bad(f"{word!r} keeps no die, or more than it rolls.")
    if keep == count:
        return DiceTerm(count=count, sides=sides, minus=minus)
    return DiceTerm(count=count, sides=sides, minus=minus, keep=keep, lowest=lowest)


def _number(digits: str) -> int:
    return int(digits[-9:]) if digits[:-9].strip("0") == "" else 10**9  # no number of ours is as large


def _written(term: DiceTerm) -> str:
    kept = "" if term.keep is None else f"{'kl' if term.lowest else 'kh'}{term.keep}"
    return f"{term.count}d{term.sides}{kept}"


def _bad(why: str, *, example: bool = True) -> Refusal:
    return Refusal(Code.DICE_BAD_FORMULA, f"{why} {_EXAMPLE}" if example else why)


# --- falling ---------------------------------------------------------------------------------------------------
def fall(dice: Dice, formula: Formula, extra: ExtraDie | None = None) -> Fallen:
    """Draw the dice of a formula, group by group, and those of ``extra`` last. With ``extra`` it has to be ``plain``."""
    groups = [(term, _draw(dice, f"d{term.sides}", term.sides, term.count)) for term in formula.terms]
    if extra is not None:
        assert formula.plain, "dice that compete with others compete with all of them"
        fallen = [die for _, group in groups for die in group] + _draw(dice, extra.role, extra.sides, extra.count)
        fallen = _keeping(fallen, formula.count, lowest=extra.lowest)
    else:
        fallen = [die for term, group in groups for die in _of_term(group, term)]
    total = sum(-die.face if die.mark == "minus" else die.face for die in fallen if die.kept)
    return Fallen(tuple(fallen), total + formula.bonus)


def _draw(dice: Dice, role: str, sides: int, count: int) -> list[Die]:
    return [Die(role=role, sides=sides, face=face, kept=True) for face in pool.roll(dice, role, sides, count)]


def _of_term(group: list[Die], term: DiceTerm) -> list[Die]:
    if term.minus:
        group = [replace(die, mark="minus") for die in group]
    return group if term.keep is None else _keeping(group, term.keep, lowest=term.lowest)


def _keeping(fallen: list[Die], keep: int, *, lowest: bool) -> list[Die]:
    """So many of them kept, the highest or the lowest; of equal ones those that fell first."""
    order = sorted(range(len(fallen)), key=lambda i: (fallen[i].face if lowest else -fallen[i].face, i))
    kept = frozenset(order[:keep])
    return [replace(die, kept=i in kept) for i, die in enumerate(fallen)]
