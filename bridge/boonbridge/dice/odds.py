"""How likely it was: exact distributions in fractions, never in floats.

Closed forms where pools grow, so that a hundred dice cost no more than three. ``explore`` walks every way a roll can
fall, for games that have no closed form of their own; it is bounded. No rule of a game may be in this file.
"""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from boonbridge_schemas.checks import Odds, TotalChance

Distribution: TypeAlias = Mapping[int, Fraction]
T = TypeVar("T", bound=Hashable)

EXPLORED_AT_MOST = 5_000
"""Ways a roll may fall before ``explore`` gives up; a tenth of a second of work or so."""


def chance(probability: Fraction) -> str:
    """A probability as it goes over the wire: ``n/d`` in lowest terms."""
    return f"{probability.numerator}/{probability.denominator}"


def odds(*, success: Fraction, critical: Fraction, worst: Fraction) -> Odds:
    """Three probabilities as the record that dialogs and cards read."""
    return Odds(success=chance(success), critical=chance(critical), worst=chance(worst))


@lru_cache(maxsize=512)
def best_of(count: int, sides: int) -> Distribution:
    """The highest face of ``count`` dice; 0 for sure where there is no die."""
    if count == 0:
        return MappingProxyType({0: Fraction(1)})
    ways = sides**count
    return MappingProxyType({face: Fraction(face**count - (face - 1) ** count, ways) for face in range(1, sides + 1)})


@lru_cache(maxsize=512)
def worst_of(count: int, sides: int) -> Distribution:
    """The lowest face of ``count`` dice: the highest, seen in a mirror."""
    if count == 0:
        return MappingProxyType({0: Fraction(1)})
    mirror = best_of(count, sides)
    return MappingProxyType({face: mirror[sides + 1 - face] for face in range(1, sides + 1)})


@lru_cache(maxsize=512)
def how_many(count: int, sides: int) -> Distribution:
    """How many of ``count`` dice show one given face, from none to all."""
    ways = sides**count
    return MappingProxyType({n: Fraction(comb(count, n) * (sides - 1) ** (count - n), ways) for n in range(count + 1)})


def combine(first: Distribution, second: Distribution, of: Callable[[int, int], int]) -> Distribution:
    """Two independent numbers made into one."""
    made: dict[int, Fraction] = {}
    for a, p in first.items():
        for b, q in second.items():
            value = of(a, b)
            made[value] = made.get(value, Fraction(0)) + p * q
    return made


def shifted(distribution: Distribution, by: int) -> Distribution:
    """The same, with a number added to every value."""
    return {value + by: p for value, p in distribution.items()}


def share(distribution: Mapping[T, Fraction], counts: Callable[[T], bool]) -> Fraction:
    """The probability of all values that count."""
    return sum((p for value, p in distribution.items() if counts(value)), Fraction(0))


def curve(totals: Distribution) -> tuple[TotalChance, ...]:
    """A distribution of totals as a curve, lowest first; what cannot happen is not on it."""
    return tuple(TotalChance(total=total, chance=chance(totals[total])) for total in sorted(totals) if totals[total])


class Unbounded(Exception):  # noqa: N818 - no class of ours is called Error
    """A roll can fall in more ways than anybody wants to count."""


class Branch:
    """Dice that follow a path as far as it goes and from there on show ones, noting how many faces there were."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.sides: list[int] = []

    def draw(self, role: str, sides: int) -> int:
        """The face that this path shows."""
        index = len(self.sides)
        if index == len(self.path):
            self.path.append(1)
        self.sides.append(sides)
        return self.path[index]


def explore(run: Callable[[Branch], T], limit: int = EXPLORED_AT_MOST) -> dict[T, Fraction]:
    """What ``run`` can come to, with its probability: it is run once for every way its dice can fall.

    How many dice are drawn may depend on what the earlier ones showed.

    Raises:
        Unbounded: after ``limit`` ways.
    """
    found: dict[T, Fraction] = {}
    path: list[int] = []
    for _ in range(limit):
        dice = Branch(path)
        value = run(dice)
        ways = 1
        for sides in dice.sides:
            ways *= sides
        found[value] = found.get(value, Fraction(0)) + Fraction(1, ways)
        # On to the next way: the last die that can still go up does, and what came after it is forgotten.
        while path and path[-1] == dice.sides[len(path) - 1]:
            path.pop()
        if not path:
            return found
        path[-1] += 1
    raise Unbounded(f"more than {limit} ways to fall")
