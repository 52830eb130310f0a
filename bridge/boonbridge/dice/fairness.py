"""Whether many dice look as if they were fair: how often each face fell, and whether one die tells anything of the next.

Numbers in, numbers out; who draws the dice, and how many, may not be known here.
"""

import math
from collections import Counter
from collections.abc import Sequence
from operator import mul

from msgspec import Struct

from .source import Dice

SUSPICIOUS = 1e-6
"""Fair dice look worse than this once in a million looks."""


class Tally(Struct, frozen=True, kw_only=True):
    """Dice of one size, counted. All whole numbers, so that it does not matter how they are put together.

    ``faces``: how often 1, 2, ... fell. Of each pair of dice one after the other: ``pairs`` how many, ``products`` the sum of
    their products. ``total`` and ``squares`` are sums over all dice.
    """

    faces: tuple[int, ...]
    pairs: int = 0
    products: int = 0
    total: int = 0
    squares: int = 0

    @property
    def dice(self) -> int:
        """How many there are."""
        return sum(self.faces)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            faces=tuple(map(sum, zip(self.faces, other.faces, strict=True))),
            pairs=self.pairs + other.pairs,
            products=self.products + other.products,
            total=self.total + other.total,
            squares=self.squares + other.squares,
        )


class Finding(Struct, frozen=True, kw_only=True):
    """A statistic, and how often fair dice give one that is as far out: ``p``, from 0 to 1."""

    value: float
    p: float

    @property
    def suspicious(self) -> bool:
        """Whether one would not believe in fair dice any more."""
        return self.p < SUSPICIOUS


def drawn(dice: Dice, sides: int, count: int) -> list[int]:
    """So many faces, in the order in which they fell."""
    return [dice.draw("fair", sides) for _ in range(count)]


def tally(faces: Sequence[int], sides: int) -> Tally:
    """Faces of dice that fell one after the other, counted."""
    fell = Counter(faces)
    return Tally(
        faces=tuple(fell[face] for face in range(1, sides + 1)),
        pairs=max(0, len(faces) - 1),
        products=sum(map(mul, faces, faces[1:])),
        total=sum(faces),
        squares=sum(map(mul, faces, faces)),
    )


def chi_square(counted: Tally) -> Finding:
    """Pearson's chi-square against the same chance for every face, with one degree of freedom less than there are faces."""
    expected = counted.dice / len(counted.faces)
    value = sum((count - expected) ** 2 for count in counted.faces) / expected
    return Finding(value=value, p=upper_tail(value, len(counted.faces) - 1))


def serial_correlation(counted: Tally) -> Finding:
    """How far a die goes with the one after it, from -1 to 1; of fair dice nearly normal around 0 (``spread``)."""
    mean = counted.total / counted.dice
    variance = counted.squares / counted.dice - mean * mean
    value = (counted.products / counted.pairs - mean * mean) / variance if variance else 1.0
    return Finding(value=value, p=math.erfc(abs(value) / spread(counted) / math.sqrt(2)))


def spread(counted: Tally) -> float:
    """The standard deviation of the serial correlation of so many fair dice."""
    return 1 / math.sqrt(counted.pairs)


def upper_tail(value: float, freedom: int) -> float:
    """The chance of a chi-square of ``value`` or more with so many degrees of freedom: Q(freedom / 2, value / 2).

    The regularised incomplete gamma function, by its series below the middle and by its continued fraction above.
    """
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for n in range(1, 10_000):
        step = n * (a - n)
        b += 2
        d = 1 / (b + step * d or tiny)
        c = b + step / c or tiny
        h *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * h
