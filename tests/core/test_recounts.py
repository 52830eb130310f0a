"""A request that is over is counted anew when one of its rolls becomes another, and nothing is earned or told twice by it."""

import msgspec
import pytest
from msgspec.structs import replace

from tests.core.test_requests import answer, ask, named, table
from tests.support.evening import Evening

GIVE = {"t": "Act", "verb": "give_boon"}
TAKE = {"t": "Act", "verb": "take_boon"}


def check_of(evening, request, actor):
    return evening.state.requests[request].members[actor].rolled.check


def void(evening, request, actor):
    return evening.do({"t": "Void", "what": f"check/{check_of(evening, request, actor)}", "confirm": True})


def override(evening, request, actor, outcome):
    return evening.do({"t": "Override", "check": check_of(evening, request, actor), "outcome": outcome, "confirm": True})


def failed(evening: Evening):
    """A group of two that failed, each by himself: the group has one Boon for it (D-08)."""
    request = ask(evening, group="one_success", actors=["hero", "friend"])
    evening.do(answer(request, "hero"), "pia", (2,))
    evening.do(answer(request, "friend"), "quin", (3,))
    assert evening.state.requests[request].record.result.success is False
    return request


# --- what is told -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("user", ["pia", "olga"])
def test_a_difficulty_that_is_not_shown_is_not_told_when_a_challenge_is_counted_anew(user):
    evening = table()
    request = ask(evening, checks=[{"check": "challenge"}], group="challenge", difficulty=-87, shown=False)
    for actor in ("hero", "friend", "guide"):
        evening.do(answer(request, actor), "gina", (5,))
    placed = void(evening, request, "hero")
    (counted,) = named(placed, "GroupRecounted", "all")
    assert counted.result.total == 14  # twice a 5 and a skill of 2
    told, changes = evening.told(placed, "gina", evening.viewer(user))
    assert b"-87" not in b"".join((*told, *changes, *evening.shown(user).values()))


# --- when it is counted -------------------------------------------------------------------------------------------
def test_a_group_whose_success_was_called_a_failure_is_counted_when_its_player_has_chosen():
    evening = table()
    evening.do(GIVE)
    request = ask(evening, group="one_failure", actors=["hero", "friend"])
    evening.do(answer(request, "hero"), "pia", (9,))
    evening.do(answer(request, "friend"), "quin", (8,))
    check = check_of(evening, request, "friend")
    placed = override(evening, request, "friend", "failure")
    assert named(placed, "GroupRecounted") == []  # accept, or spend a Boon?
    placed = evening.do({"t": "Choose", "check": check, "choice": "spend"}, "quin", (2,))
    (counted,) = named(placed, "GroupRecounted", "all")
    assert (counted.result.success, counted.result.succeeded) == (False, 1)
    # Who spent and failed again did not accept, so the group earned nothing (D-05, X-D1).
    assert counted.brings == ()
    assert evening.state.game.held == 0
    assert evening.state.requests[request].record.result == counted.result


def test_the_boon_that_such_a_choice_buys_saves_the_group():
    evening = table()
    evening.do(GIVE)
    request = ask(evening, group="one_failure", actors=["hero", "friend"])
    evening.do(answer(request, "hero"), "pia", (9,))
    evening.do(answer(request, "friend"), "quin", (8,))
    override(evening, request, "friend", "failure")
    evening.do({"t": "Choose", "check": check_of(evening, request, "friend"), "choice": "spend"}, "quin", (10,))
    assert evening.state.requests[request].record.result.success is True
    assert (evening.state.game.held, evening.state.game.gained) == (0, 0)


def test_an_evening_that_ends_before_he_has_chosen_counts_it_before_experience_is():
    evening = table()
    evening.do({"t": "StartSession"})
    evening.do(GIVE)
    request = ask(evening, group="one_failure", actors=["hero", "friend"])
    evening.do(answer(request, "hero"), "pia", (9,))
    evening.do(answer(request, "friend"), "quin", (8,))
    override(evening, request, "friend", "failure")
    placed = evening.do({"t": "EndSession"})
    # The Boon that was given, and the one of a group that failed and accepted it.
    assert {earned.amount for earned in named(placed, "SessionEnded")[0].xp} == {2}
    assert evening.state.game.held == 0


# --- what it earns ------------------------------------------------------------------------------------------------
def test_a_group_that_still_fails_earns_no_second_boon_for_one_that_was_spent():
    evening = table()
    request = failed(evening)
    evening.do(TAKE)
    void(evening, request, "friend")
    assert (evening.state.game.held, evening.state.game.gained) == (0, 1)
    # With the other one it never failed: that Boon is gone, and is listed.
    (counted,) = named(void(evening, request, "hero"), "GroupRecounted", "all")
    assert [(left.what, left.amount, left.why) for left in counted.left] == [("resource", 1, "spent_since")]
    assert (evening.state.game.held, evening.state.game.gained) == (0, 0)


def test_a_group_that_still_fails_earns_nothing_in_an_evening_after_that():
    evening = table()
    evening.do({"t": "StartSession"})
    request = failed(evening)
    evening.do({"t": "EndSession"})
    evening.do({"t": "StartSession"})
    placed = void(evening, request, "friend")
    (counted,) = named(placed, "GroupRecounted", "all")
    assert (counted.result.success, counted.result.counted, counted.left) == (False, 1, ())
    assert evening.state.game.held == 0


def test_experience_that_comes_back_stays_within_what_can_be_told():
    evening = table()
    hero = evening.state.actors["hero"]
    evening.state = msgspec.structs.replace(evening.state, actors=evening.state.actors.having("hero", replace(hero, xp=9_999)))
    evening.do({"t": "Act", "verb": "spend_xp", "args": {"actor": "hero", "skill": "skill.climb", "amount": 9}}, "pia")
    spent = f"verb/{evening.state.seq}"
    evening.do({"t": "StartSession"})
    for _ in range(5):
        evening.do(GIVE)
    evening.do({"t": "EndSession"})
    assert evening.state.actors["hero"].xp == 9_995
    (voided,) = named(evening.do({"t": "Void", "what": spent, "confirm": True}), "Voided")
    assert [(left.what, left.amount, left.why) for left in voided.left] == [("xp", 5, "full")]
    assert evening.state.actors["hero"].xp == 9_999


def test_what_is_counted_anew_can_be_read_back():
    evening = table()
    request = failed(evening)
    for _, event in void(evening, request, "friend"):
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
