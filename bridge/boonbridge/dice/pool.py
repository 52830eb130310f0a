"""Rolling a pool and keeping some of it. Every drawn die stays visible, kept or dropped."""

from collections.abc import Sequence

from .source import Dice


def roll(dice: Dice, role: str, sides: int, count: int) -> tuple[int, ...]:
    """Draw ``count`` dice one after the other."""
    return tuple(dice.draw(role, sides) for _ in range(count))


def best(faces: Sequence[int]) -> int:
    """The index of the highest face; of equal ones the first."""
    return max(range(len(faces)), key=lambda i: (faces[i], -i))


def worst(faces: Sequence[int]) -> int:
    """The index of the lowest face; of equal ones the first."""
    return min(range(len(faces)), key=lambda i: (faces[i], i))
