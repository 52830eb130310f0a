"""A table's state as bytes and back: nothing is lost, nothing comes back as something else, equal bytes are equal states."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from boonbridge.core.freezing import NotFreezable, NotFrozen, frozen, thawed
from boonbridge.core.maps import Map
from boonbridge.core.state import Deed, Member, Rounds, TableState, Turn, Write
from boonbridge.rulesets.registry import shipped
from boonbridge.tables.folding import fold
from boonbridge_schemas.entries import ResistanceEntry
from boonbridge_schemas.grants import Expiry, HeldCondition
from tests.schemas.common import SCHEMAS
from tests.schemas.test_golden_log import lines, stored

GAMES = shipped()
D12 = GAMES["group_d12"]
EMPTY = TableState.opening(D12)


def holding(value):
    """A state that holds some value where anything may stand."""
    write = Write(("lock", "kestrel", "leap"), value, None)
    return replace(EMPTY, deeds=Map({"grant/1.1": Deed(id="grant/1.1", seq=1, writes=(write,))}))


def held(state):
    return state.deeds["grant/1.1"].writes[0].before


def same(one, other):
    """Equal, and of the same kinds all through."""
    if type(one) is not type(other):
        return False
    if isinstance(one, msgspec.Struct):
        one, other = msgspec.structs.astuple(one), msgspec.structs.astuple(other)
    if isinstance(one, dict | Map):
        one, other = [*one.items()], [*other.items()]  # in their order
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


# --- whole tables ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_table_comes_back_as_it_was_at_every_commit_and_goes_on_alike(game):
    log = [stored(line) for line in lines(SCHEMAS / f"golden/log/v1-{game}.jsonl")]
    folded = through_ice = TableState.opening(GAMES[game])
    for commit in log:
        folded = fold(folded, commit)
        through_ice = thawed(frozen(fold(through_ice, commit)), GAMES[game])
        for name in set(TableState.__struct_fields__) - {"ruleset"}:
            assert same(getattr(through_ice, name), getattr(folded, name)), (commit.seq, name)
        assert through_ice.ruleset is GAMES[game]
        assert frozen(through_ice) == frozen(folded)


def test_a_check_that_stands_in_several_places_stands_there_once():
    log = [stored(line) for line in lines(SCHEMAS / "golden/log/v1-sage_d20.jsonl")]
    state = TableState.opening(GAMES["sage_d20"])
    for commit in log:
        state = fold(state, commit)
    back = thawed(frozen(state), GAMES["sage_d20"])
    both = [check for check in state.checks if f"check/{check}" in state.deeds]
    assert both
    for check in both:
        assert back.checks[check] is back.deeds[f"check/{check}"].opened


# --- whatever may stand in one ----------------------------------------------------------------------------------------
_in_sets = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5)
_plain = _in_sets | st.floats(allow_nan=False, allow_infinity=False)
_records = st.builds(HeldCondition, key=st.just("slowed"), amount=st.integers(0, 9), expiry=st.builds(Expiry)) | st.builds(
    ResistanceEntry, actor=st.just("kestrel"), skill=st.just("skill.lore"), difficulty=st.integers(-9, 99)
)
_values = st.recursive(
    _plain | _records | st.builds(Turn, st.text(max_size=3), st.integers(0, 9), st.none() | st.text(max_size=3)),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner.filter(lambda value: value is not None), max_size=3).map(Map)
        | st.frozensets(_in_sets, max_size=4)
    ),
    max_leaves=12,
)


@given(_values)
def test_any_value_comes_back_as_what_it_was(value):
    ice = frozen(holding(value))
    back = held(thawed(ice, D12))
    assert same(back, value)
    assert frozen(holding(back)) == ice


@given(_values, _values)
def test_equal_bytes_are_equal_values(one, other):
    assert (frozen(holding(one)) == frozen(holding(other))) == same(one, other)


@given(st.lists(st.text(max_size=3), unique=True, max_size=40), st.data())
def test_a_map_is_the_same_however_often_its_inside_was_copied(keys, data):
    """Set and taken in one order, it is one map; another order is another map."""
    gone = set(data.draw(st.lists(st.sampled_from(keys), max_size=20))) if keys else set()
    plain, by_steps = {}, Map()
    for key in keys:
        plain[key], by_steps = 1, by_steps.having(key, 1)
        if data.draw(st.booleans()):
            by_steps = held(thawed(frozen(holding(by_steps)), D12))
    for key in gone:
        del plain[key]
        by_steps = by_steps.without(key)
    again = sorted(gone)
    for key in again:
        plain[key], by_steps = 2, by_steps.having(key, 2)
    assert frozen(holding(by_steps)) == frozen(holding(Map(plain)))


def test_order_is_part_of_a_map_and_not_of_a_set():
    assert frozen(holding(Map({"a": 1, "b": 2}))) != frozen(holding(Map({"b": 2, "a": 1})))
    assert frozen(holding(frozenset({"a", "b", "c"}))) == frozen(holding(frozenset({"c", "b", "a"})))


def test_a_record_whose_last_fields_are_as_ever_comes_back_whole():
    member = Member(role="gm", revoked={}, erased_at=-1)
    state = replace(
        EMPTY, people=Map({"mira": member, "jonas": replace(member, since=4, erased_at=9)}), fights=Map({"x": Rounds()})
    )
    assert thawed(frozen(state), D12) == state


def test_no_is_not_taken_for_the_zero_that_stands_there_as_a_rule():
    state = replace(EMPTY, fights=Map({"x": Rounds(ended=False)}))
    assert thawed(frozen(state), D12).fights["x"].ended is False
    assert frozen(state) != frozen(replace(EMPTY, fights=Map({"x": Rounds()})))


# --- what is none -------------------------------------------------------------------------------------------------------
class Strange:
    """What no state may hold."""


@pytest.mark.parametrize(
    "value",
    [Strange(), b"bytes", {1, 2}, frozenset({Turn("x", 1)}), float("inf"), float("nan"), (1, [Strange()])],
    ids=["an object", "bytes", "a set", "a set of records", "endless", "no number", "deep inside"],
)
def test_what_could_not_be_told_again_is_refused(value):
    with pytest.raises(NotFreezable, match=r"Strange|bytes|set|float"):
        frozen(holding(value))


def test_records_of_another_game_are_none_of_this_ones():
    state = TableState.opening(GAMES["sage_d20"])
    with pytest.raises(NotFrozen):
        thawed(frozen(state), D12)


@pytest.mark.parametrize(
    "ice",
    [
        b"",
        b"null",
        b"[[],[],[]]",
        b'[["os.system"],[],[]]',
        b'[["subprocess.Popen"],[],[[6,"id"]]]',
        b"[[],[],[],[]]",
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_what_is_no_state_is_refused(ice):
    with pytest.raises(NotFrozen):
        thawed(ice, D12)


@given(st.data())
def test_altered_bytes_are_refused_or_are_another_state(data):
    whole = json.loads(frozen(replace(EMPTY, people=Map({"mira": Member(role="gm")}))))
    spot, where = whole, data.draw(st.integers(0, 2))
    while isinstance(spot[where], list) and spot[where] and data.draw(st.booleans()):
        spot, where = spot[where], data.draw(st.integers(0, len(spot[where]) - 1))
    spot[where] = data.draw(st.none() | st.integers(-2, 12) | st.text(max_size=3) | st.just([]) | st.just([6]) | st.just([5, 0]))
    ice = msgspec.json.encode(whole)
    try:
        state = thawed(ice, D12)
    except NotFrozen:
        return
    assert isinstance(state, TableState)
