"""Conditions by command: which, how much, from whom."""

import pytest

from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening


@pytest.fixture
def table():
    table = Evening("public_d20")
    for actor, side, owners in (("hero", "party", ["pia"]), ("foe", "opposition", []), ("brute", "opposition", [])):
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners})
    return table


def give(condition, actor="hero", **more):
    return {"t": "SetCondition", "actors": [actor], "condition": condition, **more}


def held(table, actor="hero"):
    return {(h.key, h.by): h.amount for h in table.state.actors[actor].conditions}


def refused(table, cmd):
    before = table.state
    with pytest.raises(Refusal) as no:
        table.do(cmd)
    assert table.state is before
    return no.value.code


def test_the_same_again_changes_nothing(table):
    assert table.do(give("slowed"))
    assert table.do(give("slowed")) == ()
    assert held(table) == {("slowed", None): 1}


def test_amounts_are_set_and_added(table):
    table.do(give("exposed", amount=2))
    table.do(give("exposed", amount=3, add=True))
    assert held(table) == {("exposed", None): 5}
    table.do(give("exposed", amount=1))
    assert held(table) == {("exposed", None): 1}
    (cleared,) = table.do(give("exposed", amount=-1, add=True))
    assert type(cleared[1]).__name__ == "ConditionCleared"
    assert held(table) == {}


def test_each_giver_has_his_own(table):
    table.do(give("marked", "foe", by="hero"))
    table.do(give("marked", "foe", by="brute"))
    assert held(table, "foe") == {("marked", "hero"): 1, ("marked", "brute"): 1}
    assert [h.by_side for h in table.state.actors["foe"].conditions] == ["party", "opposition"]
    table.do({"t": "ClearCondition", "actor": "foe", "condition": "marked", "by": "hero"})
    assert held(table, "foe") == {("marked", "brute"): 1}


@pytest.mark.parametrize(
    ("cmd", "code"),
    [
        (give("poisoned"), "condition.unknown"),  # of another ruleset
        (give("exposed.left"), "condition.unknown"),
        (give("slowed", amount=2), "condition.amount"),
        (give("exposed", amount=0), "condition.amount"),
        (give("exposed", amount=100), "condition.amount"),
        (give("exposed", amount=-1, add=True), "condition.amount"),
        (give("slowed", "nobody"), "actor.unknown"),
        (give("marked", by="nobody"), "actor.unknown"),
        (give("slowed", luckEnds=True), "condition.no_luck"),
        (give("slowed", expiry={"when": "turn_end", "actor": "nobody"}), "actor.unknown"),
        ({"t": "ClearCondition", "actor": "hero", "condition": "slowed"}, "condition.not_held"),
        ({"t": "ClearCondition", "actor": "nobody", "condition": "slowed"}, "actor.unknown"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(table, cmd, code):
    assert refused(table, cmd) == code


def test_one_that_is_about_something_says_what_about():
    table = Evening("sage_d20")
    table.do({"t": "SyncActor", "actor": "hero", "name": "hero"})
    assert refused(table, give("impaired")) == "condition.unknown"
    assert refused(table, give("impaired.luck")) == "condition.unknown"
    table.do(give("impaired.strength"))
    assert held(table) == {("impaired.strength", None): 1}


def test_a_condition_ends_by_its_clock(table):
    table.do(give("slowed", expiry={"when": "round_end"}))
    table.do(give("shaken", expiry={"when": "turn_start"}))
    table.do({"t": "StartTurn", "actor": "foe"})
    assert held(table) == {("slowed", None): 1, ("shaken", None): 1}
    table.do({"t": "StartTurn", "actor": "hero"})
    assert held(table) == {("slowed", None): 1}
    placed = table.do({"t": "EndRound"})
    assert [(e.key, e.amount, e.now, e.why) for _, e in placed[1:]] == [("slowed", 1, 0, "round_end")]
    assert held(table) == {}


def test_there_is_a_limit_and_it_is_said(table):
    for number in range(64):
        table.do({"t": "SyncActor", "actor": f"b{number}", "name": "b"})
        table.do(give("marked", by=f"b{number}"))
    assert refused(table, give("marked", by="foe")) == "condition.limit"
    assert table.do(give("marked", by="b3", amount=2))


def test_one_more_stack_may_come_with_a_clock_of_its_own_and_keeps_what_is_not_said(table):
    table.do(give("exposed", note="off balance"))
    table.do(give("exposed", add=True, expiry={"when": "round_end"}))
    (now,) = table.state.actors["hero"].conditions
    assert (now.amount, now.note, now.expiry.when) == (2, "off balance", "round_end")
    table.do(give("exposed", add=True, note="and blinded"))
    (now,) = table.state.actors["hero"].conditions
    assert (now.amount, now.note, now.expiry.when) == (3, "and blinded", "round_end")


def test_what_fumbles_piled_up_comes_down_in_steps(table):
    numbers = {"values": [{"key": "attribute.might", "value": 0}]}
    table.do({"t": "SyncActor", "actor": "hero", "numbers": numbers})
    table.do(give("exposed", amount=99))
    task = {"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "attribute.might", "dc": 9}}
    table.do(task, faces=(1,))
    table.do(task, faces=(1,))
    assert held(table) == {("exposed", None): 101}
    assert refused(table, give("exposed", add=True)) == "condition.amount"
    table.do(give("exposed", amount=-1, add=True))
    assert held(table) == {("exposed", None): 100}
