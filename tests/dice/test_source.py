"""Where faces come from: fixed by a seed, or given; and a limit that refuses instead of clamping."""

import hmac
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge.dice import pool
from boonbridge.dice.source import BudgetedDice, SeededDice, TapeDice, TapeMismatch, face
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

SEED = bytes(range(32))
ID = "A" * 22


def by_hand(seed, command_id, index, sides):
    """The formula of the protocol, written again from its text."""

    def part(value):
        return len(value).to_bytes(4, "big") + value

    attempt = 0
    while True:
        message = part(command_id.encode()) + part(str(index).encode()) + part(str(attempt).encode())
        x = int.from_bytes(hmac.new(seed, message, sha256).digest()[:8], "big")
        if x < 2**64 - (2**64 % sides):
            return x % sides + 1
        attempt += 1


@given(seed=st.binary(min_size=32, max_size=32), index=st.integers(0, 500), sides=st.integers(2, 1000))
def test_a_face_follows_from_seed_and_id(seed, index, sides):
    assert face(seed, ID, index, sides) == by_hand(seed, ID, index, sides)
    assert 1 <= face(seed, ID, index, sides) <= sides


def test_dice_are_counted_from_nought_and_roles_change_nothing():
    dice = SeededDice(SEED, ID)
    assert [dice.draw("a", 20), dice.draw("b", 20)] == [face(SEED, ID, 0, 20), face(SEED, ID, 1, 20)]
    assert dice.drawn == 2


def test_forty_thousand_draws_are_even():
    """Chi-square with 19 degrees of freedom; 43.8 is exceeded by chance once in a thousand, and the seed is fixed."""
    dice = SeededDice(SEED, ID)
    counts = Counter(dice.draw("d20", 20) for _ in range(40_000))
    expected = 40_000 / 20
    assert sum((counts[n] - expected) ** 2 / expected for n in range(1, 21)) < 43.8


def test_a_tape_is_compared_with_what_is_asked():
    dice = TapeDice([("d20", 20, 7), 3])
    assert (dice.draw("d20", 20), dice.draw("anything", 6), dice.left) == (7, 3, 0)
    with pytest.raises(TapeMismatch, match="the tape has 2"):
        dice.draw("d20", 20)


@pytest.mark.parametrize("asked", [("d20", 6), ("boon", 20)])
def test_another_die_than_the_tape_has_is_a_mismatch(asked):
    with pytest.raises(TapeMismatch, match="die 1"):
        TapeDice([("d20", 20, 7)]).draw(*asked)


@pytest.mark.parametrize("shown", [0, 7, -1])
def test_a_face_the_die_does_not_have_is_a_mismatch(shown):
    with pytest.raises(TapeMismatch, match="on a d6"):
        TapeDice([shown]).draw("d6", 6)


def test_the_budget_counts_checks_and_the_command():
    dice = BudgetedDice(TapeDice([1] * 10), per_check=2, per_command=3)
    dice.draw("d", 6)
    dice.draw("d", 6)
    with pytest.raises(Refusal) as one_check:
        dice.draw("d", 6)
    assert (one_check.value.code, one_check.value.values) == (Code.ROLL_TOO_MANY_DICE, {"limit": 2})


def test_the_budget_of_the_command_holds_over_its_checks():
    dice = BudgetedDice(TapeDice([1] * 10), per_check=2, per_command=3)
    for _ in range(3):
        dice.next_check()
        dice.draw("d", 6)
    dice.next_check()
    with pytest.raises(Refusal) as command:
        dice.draw("d", 6)
    assert command.value.values == {"limit": 3}


@given(st.lists(st.integers(1, 20), min_size=1, max_size=30))
def test_best_and_worst_are_the_first_of_equals(faces):
    assert pool.best(faces) == faces.index(max(faces))
    assert pool.worst(faces) == faces.index(min(faces))


def test_a_pool_is_drawn_one_after_the_other():
    assert pool.roll(TapeDice([3, 1, 2]), "d", 6, 3) == (3, 1, 2)
    assert pool.roll(TapeDice([]), "d", 6, 0) == ()


def test_a_draw_that_would_favour_low_faces_is_made_again(monkeypatch):
    """The last, incomplete run of values is thrown away: attempt 0 falls into it, attempt 1 does not."""
    from boonbridge.dice import source

    draws = iter([(2**64 - 1).to_bytes(8, "big") + bytes(24), (41).to_bytes(8, "big") + bytes(24)])
    asked = []

    def digest(key, message, _hash):
        asked.append(message)
        return next(draws)

    monkeypatch.setattr(source.hmac, "digest", digest)
    assert face(SEED, ID, 0, 20) == 41 % 20 + 1
    assert [message[-1:] for message in asked] == [b"0", b"1"]
