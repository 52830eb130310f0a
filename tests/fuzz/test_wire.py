"""A connection hears anything at all: hypothesis in every run, a million inputs in the long one."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.run import by_chance
from tests.fuzz.targets import frames, wire


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=600))
def test_a_peer_who_says_anything(data):
    wire(data)


def test_what_is_altered_is_something():
    assert len(frames()) > 60


def test_chance_reaches_every_state_and_both_answers():
    """The fuzzer is worth something only where it comes past the door."""
    from tests.fuzz import targets

    seen = set()
    say = targets._say

    def watched(connection, message, now):
        before = connection.state
        say(connection, message, now)
        seen.add((before, connection.state))

    targets._say = watched
    try:
        by_chance(wire, "wire", seconds=0, runs=2_000, seed=7)
    finally:
        targets._say = say
    assert {("new", "greeting"), ("new", "new"), ("open", "open"), ("open", "closed"), ("greeting", "closed")} <= seen


@pytest.mark.long
def test_a_million_inputs_without_exception_or_illegal_state():
    said, runs, began = 0, 0, time.monotonic()
    while said < 1_000_000:
        done, counted, _ = by_chance(wire, "wire", seconds=0, runs=10_000, seed=20_000 + runs)
        said += sum(number * times for number, times in counted.items())
        runs += done
    print(f"{said:,} messages over {runs:,} connections in {time.monotonic() - began:.0f} s: no exception, no illegal state")
