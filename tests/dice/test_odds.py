"""Distributions against icepool, and the walk through every way dice can fall."""

import time
from fractions import Fraction
from math import gcd

import icepool
import pytest

from boonbridge.dice import odds


def probabilities(die):
    return {outcome: die.probability(outcome) for outcome in die.outcomes()}


@pytest.mark.parametrize("sides", [2, 6, 12, 20])
@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_best_and_worst_of_a_pool(count, sides):
    die = icepool.d(sides)
    assert dict(odds.best_of(count, sides)) == probabilities(die.highest(count))
    assert dict(odds.worst_of(count, sides)) == probabilities(die.lowest(count))


@pytest.mark.parametrize("count", [1, 2, 5, 11])
def test_how_many_show_one_face(count):
    assert dict(odds.how_many(count, 20)) == probabilities(count @ icepool.coin(1, 20))


def test_no_dice_are_a_certain_nothing():
    assert dict(odds.best_of(0, 6)) == dict(odds.worst_of(0, 6)) == dict(odds.how_many(0, 6)) == {0: 1}


@pytest.mark.parametrize(("count", "sides"), [(100, 20), (99, 6), (3, 1000)])
def test_large_pools_are_distributions_too(count, sides):
    for distribution in (odds.best_of(count, sides), odds.worst_of(count, sides), odds.how_many(count, sides)):
        assert sum(distribution.values()) == 1
        assert all(p >= 0 for p in distribution.values())


def test_a_hundred_dice_answer_in_milliseconds():
    for calculate in (odds.best_of, odds.worst_of, odds.how_many):
        calculate.cache_clear()
        began = time.thread_time()
        calculate(100, 20)
        assert time.thread_time() - began < 0.05


def test_combine_and_shift():
    two = odds.combine(odds.best_of(1, 6), odds.best_of(1, 6), lambda a, b: a + b)
    assert dict(odds.shifted(two, 3)) == probabilities(2 @ icepool.d6 + 3)
    assert odds.share(two, lambda total: total >= 10) == Fraction(1, 6)


@pytest.mark.parametrize(("p", "text"), [(Fraction(0), "0/1"), (Fraction(1), "1/1"), (Fraction(6, 8), "3/4")])
def test_a_chance_is_written_in_lowest_terms(p, text):
    assert odds.chance(p) == text


def test_a_curve_leaves_out_what_cannot_happen():
    points = odds.curve({3: Fraction(2, 4), 1: Fraction(1, 2), 2: Fraction(0)})
    assert [(point.total, point.chance) for point in points] == [(1, "1/2"), (3, "1/2")]


# --- explore ----------------------------------------------------------------------------------------------------
def test_explore_finds_every_way_once():
    found = odds.explore(lambda dice: dice.draw("a", 6) + dice.draw("b", 8))
    assert found == probabilities(icepool.d6 + icepool.d8)


def test_how_many_dice_are_drawn_may_depend_on_the_dice():
    def explode_once(dice):
        first = dice.draw("d", 6)
        return first + (dice.draw("d", 6) if first == 6 else 0)

    found = odds.explore(explode_once)
    assert found == probabilities(icepool.d6.explode(depth=1))
    assert gcd(*(p.denominator for p in found.values())) == 6


def test_explore_without_dice_is_certain():
    assert odds.explore(lambda _dice: "sure") == {"sure": 1}


def test_explore_gives_up_at_its_limit():
    assert odds.explore(lambda dice: dice.draw("d", 10), limit=10)
    with pytest.raises(odds.Unbounded, match="more than 9 ways"):
        odds.explore(lambda dice: dice.draw("d", 10), limit=9)
