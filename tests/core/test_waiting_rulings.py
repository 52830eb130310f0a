"""Rulings that nobody takes: they wait, but not without end, and what is hidden has no part in it."""

from boonbridge.core.choosing import MOST_WAITING
from tests.support.evening import Evening

ROLL = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"rankDie": 8, "abilityDie": 8, "tn": 9}}
FAILS = (2, 3)


def table():
    table = Evening("rank_ability")
    table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"]})
    return table


def lapsed(placed):
    return [(part, event.check, event.choice) for part, event in placed if type(event).__name__ == "Chosen" and event.auto]


def test_the_oldest_lapses_when_very_many_wait_and_says_so():
    evening = table()
    first = evening.state.seq + 1
    for _ in range(MOST_WAITING):
        assert lapsed(evening.do(ROLL, "pia", FAILS)) == []
    assert lapsed(evening.do(ROLL, "pia", FAILS)) == [("all", f"{first}.1", "pass")]
    assert lapsed(evening.do(ROLL, "pia", FAILS)) == [("all", f"{first + 1}.1", "pass")]
    assert len(evening.state.undecided) == MOST_WAITING
    told = evening.tried({"t": "Choose", "check": f"{first}.1", "choice": "danger"}, "gina")
    assert told[:2] in {("refused", "check.unknown"), ("refused", "choice.done")}


def test_hidden_rolls_lapse_among_the_gms_and_push_nothing_public_out():
    evening = table()
    for _ in range(MOST_WAITING - 1):
        evening.do(ROLL, "pia", FAILS)
    first = evening.state.seq + 1
    for _ in range(MOST_WAITING):
        assert lapsed(evening.do({**ROLL, "mode": "gm"}, "gina", FAILS)) == []
    assert lapsed(evening.do(ROLL, "pia", FAILS)) == []
    placed = evening.do({**ROLL, "mode": "gm"}, "gina", FAILS)
    assert lapsed(placed) == [("gm", f"{first}.1", "pass")]
