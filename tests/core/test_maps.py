import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge.core.maps import Map

KEYS = st.integers(0, 60)
STEPS = st.lists(st.tuples(KEYS, st.booleans()), max_size=300)


@given(STEPS)
def test_it_reads_as_a_dict_would(steps):
    made, model = Map(), {}
    for nth, (key, put) in enumerate(steps):
        if put:
            made, model = made.having(key, nth), {**model, key: nth}
        else:
            made, model = made.without(key), {k: v for k, v in model.items() if k != key}
        assert len(made) == len(model)
    assert made == model
    assert model == made
    assert dict(made.items()) == model
    assert list(made) == list(model), "the order is that of a dict, whatever was copied when"
    assert {key: made.get(key) for key in range(61)} == {key: model.get(key) for key in range(61)}
    assert {key for key in range(61) if key in made} == set(model)


@given(STEPS)
def test_what_was_made_before_stays_as_it_was(steps):
    made = [Map({1: "one"})]
    for nth, (key, put) in enumerate(steps):
        made.append(made[-1].having(key, nth) if put else made[-1].without(key))
    frozen = [dict(each) for each in made]
    for each in tuple(made):
        each.having(7, "seven").without(1)
    assert [dict(each) for each in made] == frozen


def test_the_order_is_that_of_insertion():
    made = Map({"a": 1})
    for key in "bcd":
        made = made.having(key, 0)
    assert list(made.having("a", 2).without("c").having("e", 3)) == ["a", "b", "d", "e"]


def test_a_key_that_is_not_there():
    made = Map({"a": 1}).without("a")
    assert made.without("a") is made
    assert "a" not in made
    assert made.get("a", "none") == "none"
    assert repr(made) == "Map({})"
    with pytest.raises(KeyError, match="a"):
        made["a"]
