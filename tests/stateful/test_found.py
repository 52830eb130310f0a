"""What playing at random brought up, as small as it can be said."""

import pytest

from boonbridge_schemas.events import CheckRolled, LuckDue, RoundEnded
from tests.support.evening import Evening

SCORES = {"values": [{"key": key, "value": 10} for key in ("strength", "agility", "intellect", "will")]}


def of(kind, placed):
    return [event for _, event in placed if isinstance(event, kind)]


def sages(count, *, song):
    evening = Evening("sage_d20")
    for nth in range(count):
        foe = f"foe{nth}"
        evening.do({"t": "SyncActor", "actor": foe, "name": foe, "side": "opposition", "numbers": SCORES})
        evening.do({"t": "SetCondition", "actors": [foe], "condition": "slowed", "luckEnds": True})
        for nth_source, amount in enumerate(song):
            source = {"id": f"song{nth_source}", "label": "song"}
            evening.do({"t": "Grant", "actors": [foe], "sign": "boon", "source": source, "amount": amount})
    return evening


def test_a_luck_roll_that_cannot_fall_waits_and_the_round_ends_all_the_same():
    evening = sages(1, song=(60, 60))  # 121 dice are more than a check may have
    placed = evening.do({"t": "EndRound"})
    assert of(RoundEnded, placed)
    assert of(LuckDue, placed) == [LuckDue(actor="foe0", key="slowed", by=None)]
    assert not of(LuckDue, evening.do({"t": "EndRound"})), "it is due already"


def test_more_luck_dice_than_one_commit_may_have_wait_too():
    evening = sages(30, song=(16,))  # 17 dice each; 23 times 17 are 391 of 400
    placed = evening.do({"t": "EndRound"}, faces=[1] * 391)
    assert len(of(CheckRolled, placed)) == 23
    assert len(of(LuckDue, placed)) == 7


def turns():
    evening = Evening("public_d20")
    evening.do({"t": "SyncActor", "actor": "hero", "name": "Hero"})
    return evening


def test_the_end_of_a_round_that_is_past_does_not_turn_time_back():
    evening = turns()
    start = {"t": "StartTurn", "actor": "hero", "combat": "c", "round": 5, "turn": 0}
    assert evening.do(start)
    assert not evening.do({"t": "EndRound", "combat": "c", "round": 2})
    assert not evening.do(start), "heard before"
    assert (evening.state.turn.round, evening.state.turn.actor) == (5, "hero")


def test_a_turn_of_a_round_that_is_past_changes_nothing_even_without_its_number():
    evening = turns()
    evening.do({"t": "StartTurn", "actor": "hero", "round": 5})
    assert not evening.do({"t": "StartTurn", "actor": "hero", "round": 4})
    assert not evening.do({"t": "EndTurn", "actor": "hero", "round": 1})
    assert evening.state.turn.round == 5


def test_counting_stops_where_no_event_could_tell_it():
    evening = turns()
    evening.do({"t": "StartTurn", "actor": "hero", "turn": 9999})
    ((_, started),) = evening.do({"t": "StartTurn", "actor": "hero"})
    assert started.turn == 9999
    evening.do({"t": "EndRound", "round": 9999})
    ((_, started),) = evening.do({"t": "StartTurn", "actor": "hero"})
    assert started.round == 9999


CLIMB = {"values": [{"key": "skill.climb", "value": 0}]}
DARK = {
    "t": "RollCheck",
    "check": "skill",
    "sources": [{"id": "dark", "label": "dark", "sign": "bane"}],
    "spendBefore": 1,
}


def climbers():
    evening = Evening("group_d12")
    for actor in ("hero", "friend", "foe"):
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "numbers": CLIMB})
    evening.do({"t": "Act", "verb": "give_boon"})
    return evening


SEVERAL = (
    {"actors": ["hero"], "targets": ["friend", "foe"], "params": {"skill": "skill.climb", "resist": "skill.climb"}},
    {"actors": ["hero", "friend"], "params": {"skill": "skill.climb", "difficulty": 9}},
)


@pytest.mark.parametrize("rows", SEVERAL, ids=["two targets", "two actors"])
@pytest.mark.parametrize("faces", [(12, 5), (10, 5), (5, 5)])
def test_the_dice_of_the_first_do_not_decide_whether_the_next_can_pay(rows, faces):
    """With one Boon for two checks it was refused unless the first one earned another: send again until it does."""
    evening = climbers()
    assert evening.tried({**DARK, **rows}, "gina", faces)[1] == "pool.empty"
    assert evening.previewed({**DARK, **rows}, "gina")[0] == "pool.empty"


@pytest.mark.parametrize("rows", SEVERAL, ids=["two targets", "two actors"])
def test_a_boon_for_each_is_enough(rows):
    evening = climbers()
    evening.do({"t": "Act", "verb": "give_boon"})
    evening.do({**DARK, **rows}, faces=(10, 10))
    assert evening.state.game.held == 0
