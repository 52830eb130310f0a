"""Where the events of a roll stand that not everybody sees."""

import pytest

from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening

BOW = {"id": "bow", "name": "Bow", "attribute": "agility"}


@pytest.fixture
def evening():
    evening = Evening("sage_d20")
    numbers = {"values": [{"key": "agility", "value": 12}, {"key": "defense", "value": 31}], "attacks": [BOW]}
    for actor, side, owners in (("hero", "party", ["pia"]), ("foe", "opposition", [])):
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers})
    return evening


def attack(mode):
    return {
        "t": "RollCheck",
        "check": "attack",
        "actors": ["hero"],
        "targets": ["foe"],
        "params": {"attack": "bow"},
        "mode": mode,
    }


# A number of the opposition is for GMs; a lone roll is for its roller. What both rule out stands nowhere.
@pytest.mark.parametrize(
    ("mode", "by", "parts"),
    [
        ("public", "pia", [("all", "CheckRolled"), ("gm", "TargetFixed")]),
        ("public", "gina", [("all", "CheckRolled"), ("gm", "TargetFixed")]),
        ("gm", "pia", [("roller_gm", "CheckRolled"), ("gm", "TargetFixed")]),
        ("blind", "pia", [("gm", "CheckRolled"), ("gm", "TargetFixed"), ("roller", "CheckNoted")]),
        ("secret", "pia", [("gm", "CheckRolled"), ("gm", "TargetFixed")]),
        ("self", "pia", [("roller", "CheckRolled")]),
        ("self", "gina", [("roller", "CheckRolled"), ("roller", "TargetFixed")]),
    ],
)
def test_the_number_of_a_foe_stands_with_those_who_read_the_dice_and_may_know_it(evening, mode, by, parts):
    placed = evening.do(attack(mode), by, (10,))
    assert [(part, type(event).__name__) for part, event in placed] == parts
    rolled = next(event for _, event in placed if type(event).__name__ == "CheckRolled")
    assert rolled.rolled.target is None
    assert rolled.odds is None


def test_a_lone_roll_reaches_no_other_gm(evening):
    placed = evening.do(attack("self"), "gina", (10,))
    assert evening.told(placed, "gina", evening.viewer("gwen")) == ([], [])


@pytest.fixture
def mine():
    """A game in which a check stays open, so that somebody may do something to it."""
    mine = Evening("deep_mine")
    mine.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia", "quin"], "numbers": {}})
    return mine


def descent(mode="public"):
    return {"t": "RollCheck", "check": "descent", "actors": ["hero"], "params": {"load": 9}, "mode": mode}


def opened_by(mine, mode, by):
    mine.do(descent(mode), by, (3,))
    return f"{mine.state.seq}.1"


def taken(placed):
    return [(part, event.check, event.auto) for part, event in placed if type(event).__name__ == "Chosen"]


@pytest.mark.parametrize("mode", ["gm", "blind", "secret", "self"])
def test_a_hidden_roll_leaves_open_what_everybody_sees_open(mine, mode):
    check = opened_by(mine, "public", "pia")
    assert taken(mine.do(descent(mode), "gina", (3,))) == []
    closed = taken(mine.do(descent("public"), "pia", (3,)))
    assert [chosen for chosen in closed if chosen[0] == "all"] == [("all", check, True)]


# open, then: who rolls how, and whether the older check takes its default
@pytest.mark.parametrize(
    ("mode", "roller", "next_mode", "by", "closes"),
    [
        ("gm", "pia", "public", "pia", True),
        ("gm", "pia", "gm", "pia", True),
        ("gm", "pia", "public", "gina", False),  # Pia would not be told
        ("gm", "pia", "self", "pia", False),  # GMs would hear of a lone roll
        ("secret", "gina", "gm", "pia", True),  # GMs hear of both
        ("secret", "gina", "self", "pia", False),
        ("self", "pia", "gm", "pia", True),
        ("self", "pia", "public", "quin", False),
    ],
)
def test_an_older_check_is_closed_only_before_the_same_eyes(mine, mode, roller, next_mode, by, closes):  # noqa: PLR0917
    check = opened_by(mine, mode, roller)
    placed = mine.do(descent(next_mode), by, (3,))
    assert [c for _, c, _ in taken(placed)] == ([check] if closes else [])
    assert (check in [c for c, opened in mine.state.checks.items() if not opened.done]) is not closes


@pytest.mark.parametrize(
    ("mode", "by", "code"),
    [
        ("gm", "pia", None),
        ("gm", "gina", Code.CHOICE_NOT_YOURS),  # reads it, but could not tell Pia
        ("gm", "quin", Code.CHECK_UNKNOWN),
        ("self", "pia", None),
        ("self", "gina", Code.CHECK_UNKNOWN),
        ("blind", "pia", Code.CHECK_UNKNOWN),
        ("blind", "gina", None),
        ("secret", "gwen", None),
        ("public", "quin", None),
        ("public", "gina", None),
    ],
)
def test_who_may_choose_on_a_roll_of_pia(mine, mode, by, code):
    check = opened_by(mine, mode, "pia")
    choose = {"t": "Choose", "check": check, "choice": "push"}
    if code is None:
        assert taken(mine.do(choose, by, (4,)))
    else:
        with pytest.raises(Refusal) as no:
            mine.do(choose, by, (4,))
        assert no.value.code == code


def test_a_table_does_not_grow_with_its_log(mine):
    for _ in range(50):
        for mode in ("public", "gm", "secret"):
            mine.do({"t": "Choose", "check": opened_by(mine, mode, "gina"), "choice": "stop"}, "gina")
    assert len(mine.state.checks) == 3


@pytest.mark.parametrize("choice", ["fails", "pass", "nonsense"])
def test_no_refusal_tells_a_player_whether_the_gm_has_ruled_on_his_hidden_roll(choice):
    told = []
    for ruled, rolled_again in ((False, False), (True, False), (True, True)):
        table = Evening("rank_ability")
        numbers = {"values": [{"key": "rank", "value": 3}, {"key": "str", "value": 8}]}
        table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": numbers})
        lift = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"ability": "str", "tn": 12}, "mode": "gm"}
        table.do(lift, "pia", (1, 2))
        check = f"{table.state.seq}.1"
        if ruled:
            table.do({"t": "Choose", "check": check, "choice": "fails", "args": {"note": "It slips."}}, "gina")
        if rolled_again:
            table.do(lift, "pia", (1, 2))
        told.append(table.tried({"t": "Choose", "check": check, "choice": choice}, "pia"))
    assert told == told[:1] * 3
    assert told[0][:2] == ("refused", "check.unknown")


def test_another_reading_of_the_rules_does_not_tell_a_player_whether_the_gm_has_ruled_on_his_hidden_roll():
    told = []
    for ruled in (False, True):
        table = Evening("rank_ability")
        numbers = {"values": [{"key": "rank", "value": 3}, {"key": "str", "value": 8}]}
        table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": numbers})
        lift = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"ability": "str", "tn": 12}, "mode": "gm"}
        table.do(lift, "pia", (1, 2))
        check = f"{table.state.seq}.1"
        if ruled:
            table.do({"t": "Choose", "check": check, "choice": "fails"}, "gina")
        else:
            table.skip("gina")
        placed = table.do({"t": "SetOptions", "options": {"ad_hoc": "everyone"}})
        told.append(table.told(placed, "gina", table.viewer("pia")))
        assert (check.encode() in b"".join(table.told(placed, "gina", table.viewer("gwen"))[1])) is not ruled
    assert told[0] == told[1]


@pytest.mark.parametrize("choice", ["spend", "accept", "pass"])
def test_nor_what_is_said_of_a_critical_failure(choice):  # D-11, D-12
    told = []
    for ruled, rolled_again in ((False, False), (True, False), (False, True), (True, True)):
        table = Evening("group_d12")
        numbers = {"values": [{"key": "skill.athletics", "value": 0}]}
        table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": numbers})
        skill = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.athletics", "difficulty": 9}}
        table.do({**skill, "mode": "gm"}, "pia", (1,))
        check = f"{table.state.seq}.1"
        if ruled:
            table.do({"t": "Choose", "check": check, "choice": "pass"}, "gina")
        if rolled_again:
            table.do({**skill, "mode": "gm"}, "pia", (1,))
        told.append(table.tried({"t": "Choose", "check": check, "choice": choice}, "pia"))
    assert told == told[:1] * 4
