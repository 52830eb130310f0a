"""What is said of many dice: against printed tables, closed formulas and the standard library, and of dice that are not fair."""

import math
import random
import statistics
from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge.dice.fairness import chi_square, drawn, serial_correlation, spread, tally, upper_tail
from boonbridge.dice.source import SeededDice

# NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: upper critical values of chi-square, rounded to three places.
CRITICAL = [
    *((2.706, 1, 0.10), (3.841, 1, 0.05), (6.635, 1, 0.01), (10.828, 1, 0.001)),
    *((7.815, 3, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05), (19.675, 11, 0.05)),
    *((30.144, 19, 0.05), (36.191, 19, 0.01), (43.820, 19, 0.001), (123.225, 99, 0.05), (148.230, 99, 0.001)),
]


@pytest.mark.parametrize(("value", "freedom", "p"), CRITICAL)
def test_the_tail_is_the_one_of_the_printed_table(value, freedom, p):
    density = 0.0005  # of the last printed place
    assert upper_tail(value + density, freedom) < p < upper_tail(value - density, freedom)


@given(st.floats(0.01, 400), st.integers(1, 60))
def test_of_even_degrees_it_is_the_sum_of_poisson_chances(value, half):
    exact = sum(math.exp(k * math.log(value / 2) - value / 2 - math.lgamma(k + 1)) for k in range(half))
    assert upper_tail(value, 2 * half) == pytest.approx(exact, rel=1e-6, abs=1e-12)


@given(st.floats(0.01, 60))
def test_of_one_degree_it_is_the_normal_tail(value):
    assert upper_tail(value, 1) == pytest.approx(math.erfc(math.sqrt(value / 2)), rel=1e-9, abs=1e-14)


def test_chi_square_by_hand():
    counted = tally([1] * 5 + [2] * 8 + [3] * 9 + [4] * 8 + [5] * 10 + [6] * 20, 6)  # 60 dice, 10 of each expected
    assert chi_square(counted).value == pytest.approx((25 + 4 + 1 + 4 + 0 + 100) / 10)


@given(st.lists(st.integers(1, 20), min_size=200, max_size=400))
def test_serial_correlation_is_the_one_of_the_standard_library(faces):
    if len(set(faces[1:])) < 2 or len(set(faces[:-1])) < 2:
        return
    expected = statistics.correlation(faces[:-1], faces[1:])
    # It takes mean and variance over all dice, where the other takes them over each side of the pairs.
    assert serial_correlation(tally(faces, 20)).value == pytest.approx(expected, abs=0.15)


def test_pieces_add_up_but_for_the_pairs_between_them():
    faces = [random.Random(5).randint(1, 8) for _ in range(1_000)]
    pieces = [tally(faces[at : at + 100], 8) for at in range(0, 1_000, 100)]
    whole, added = tally(faces, 8), reduce(add, pieces)
    assert (added.faces, added.total, added.squares) == (whole.faces, whole.total, whole.squares)
    assert (whole.pairs, added.pairs) == (999, 990)


@pytest.mark.parametrize("sides", [2, 6, 20, 100])
def test_dice_of_a_seed_look_fair(sides):
    counted = tally(drawn(SeededDice(bytes(32), "fair"), sides, 20_000), sides)
    assert chi_square(counted).p > 1e-3
    assert serial_correlation(counted).p > 1e-3


def test_dice_that_are_not_fair_are_noticed():
    chance = random.Random(7)
    loaded = tally([chance.choice([1, 2, 3, 4, 5, 6, 6]) for _ in range(20_000)], 6)
    assert chi_square(loaded).suspicious
    last, follows = 1, []
    for _ in range(20_000):  # each face as often as any other, but each a little like the one before
        last = last if chance.random() < 0.1 else chance.randint(1, 6)
        follows.append(last)
    counted = tally(follows, 6)
    assert serial_correlation(counted).suspicious
    assert serial_correlation(counted).value == pytest.approx(0.1, abs=4 * spread(counted))
    assert serial_correlation(tally([3] * 100, 6)).suspicious
