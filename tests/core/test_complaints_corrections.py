"""What went wrong elsewhere with rolls that were made anew or taken back, and must not here: each after its id.

Complaints I-95 to I-97 as far as one table shows them. I-03 is in ``test_corrections.py``, I-74 and I-78 are in
``test_requests.py`` and ``tests/net/test_saw.py``; the card that is struck through is looked at in browser tests.
"""

import msgspec
import pytest

from boonbridge.core.visibility import Viewer, readable
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening

MIGHT = {"values": [{"key": "skill.might", "value": 2}]}
CLIMB = {"t": "RollCheck", "check": "skill", "params": {"skill": "skill.might", "difficulty": 9}}
BOON = {"t": "Act", "verb": "give_boon"}


def table(**owners):
    evening = Evening("group_d12")
    for actor, owner in {"hero": "pia", "friend": "quin", "familiar": "pia", **owners}.items():
        cmd = {"t": "SyncActor", "actor": actor, "name": actor.title(), "side": "party", "owners": [owner], "numbers": MIGHT}
        evening.do(cmd)
    return evening


def refused(evening, cmd, by):
    before = evening.state
    with pytest.raises(Refusal) as no:
        evening.do(cmd, by)
    assert evening.state is before
    return str(no.value.code)


def of(kind, placed):
    return [event for _, event in placed if type(event).__name__ == kind]


def seen(evening, placed, by, user):
    """What a person reads of a commit."""
    parts = readable(Viewer(user, evening.viewer(user).role), by)
    return [msgspec.json.encode(event) for part, event in placed if part in parts]


# --- I-95: the old roll is kept, and marked; the new one may be seen by fewer ---------------------------------------
def test_i95_a_roll_that_was_taken_back_is_kept_named_and_made_anew_as_a_secret():
    evening = table()
    asked = {"check": "skill", "params": CLIMB["params"]}
    evening.do({"t": "RequestCheck", "checks": [asked], "actors": ["hero", "friend"]})
    request = str(evening.state.seq)
    first = evening.do({"t": "AnswerRequest", "request": request, "actor": "hero"}, "pia", [9])
    (rolled,) = of("CheckRolled", first)
    told = [seen(evening, first, "pia", user) for user in ("gina", "pia", "quin", "olga")]
    check = rolled.rolled.check

    (voided,) = of("Voided", evening.do({"t": "Void", "what": f"check/{check}", "reason": "Wrong skill."}))
    assert (voided.what, voided.reason) == (f"check/{check}", "Wrong skill.")  # by this the card is struck through
    assert [seen(evening, first, "pia", user) for user in ("gina", "pia", "quin", "olga")] == told  # and it is there still
    assert evening.state.deeds[f"check/{check}"].opened.result == rolled.result

    again = evening.do({"t": "AnswerRequest", "request": request, "actor": "hero", "mode": "gm"}, "pia", [12])
    assert [part for part, event in again if type(event).__name__ == "CheckRolled"] == ["roller_gm"]
    for outsider in ("quin", "olga"):
        assert not any(b"CheckRolled" in event for event in seen(evening, again, "pia", outsider))
    assert of("CheckRolled", again)[0].rolled.check != check


def test_i95_the_dice_before_a_bought_one_are_kept_and_no_longer_count():
    evening = table()
    evening.do(BOON)
    (rolled,) = of("CheckRolled", evening.do({**CLIMB, "actors": ["hero"]}, "pia", [3]))
    (chosen,) = of("Chosen", evening.do({"t": "Choose", "check": rolled.rolled.check, "choice": "spend"}, "pia", [10]))
    assert [(die.face, die.kept, die.mark) for die in chosen.result.dice] == [(3, False, ""), (10, True, "bought")]
    assert [(die.face, die.kept) for die in rolled.result.dice] == [(3, True)]  # the first event says what it said


# --- I-96: a card with two rolls: which one? ------------------------------------------------------------------------
def two_at_once():
    evening = table()
    for _ in range(2):
        evening.do(BOON)
    placed = evening.do({**CLIMB, "actors": ["hero", "familiar"]}, "pia", [3, 4])
    return evening, [event.rolled.check for event in of("CheckRolled", placed)]


def test_i96_a_die_is_bought_for_the_roll_that_is_named():
    evening, (first, second) = two_at_once()
    assert (first, second) == (f"{evening.state.seq}.1", f"{evening.state.seq}.2")
    before = evening.state.checks[first]
    evening.do({"t": "Choose", "check": second, "choice": "spend"}, "pia", [9])
    assert evening.state.checks[first] is before
    assert evening.state.checks[second].result.success
    assert [die.face for die in evening.state.checks[second].result.dice] == [4, 9]


@pytest.mark.parametrize("nth", [0, 1])
def test_i96_one_of_two_is_taken_back_or_decided_otherwise(nth):
    evening, checks = two_at_once()
    one, other = checks[nth], checks[1 - nth]
    standing = evening.state.checks[other]
    evening.do({"t": "Override", "check": one, "outcome": "success"})
    assert evening.state.checks[other] is standing
    evening.do({"t": "Void", "what": f"check/{one}"})
    assert evening.state.checks[other] is standing
    assert evening.state.checks[one].voided
    assert refused(evening, {"t": "Choose", "check": one, "choice": "accept"}, "pia") == "choice.done"
    evening.do({"t": "Choose", "check": other, "choice": "accept"}, "pia")
    assert (evening.state.game.held, evening.state.game.gained) == (3, 1)  # two given, one for the one failure that stands


# --- I-97: whose it is says its owner, not who stands on the board --------------------------------------------------
@pytest.mark.parametrize("actor", ["familiar", "familiar.token.t1"])
@pytest.mark.parametrize("roller", ["pia", "gina"])
def test_i97_the_owner_of_a_familiar_spends_for_it_and_nobody_else(actor, roller):
    evening = table()
    evening.do(BOON)
    placed = evening.do({**CLIMB, "actors": [actor]}, roller, [3])
    spend = {"t": "Choose", "check": of("CheckRolled", placed)[0].rolled.check, "choice": "spend"}
    assert refused(evening, spend, "quin") == "choice.not_yours"
    assert refused(evening, spend, "olga") == "role.forbidden"
    evening.do(spend, "pia", [9])
    assert evening.state.game.held == 0


def test_i97_a_request_to_a_familiar_is_its_owners_to_answer():
    evening = table()
    evening.do({"t": "RequestCheck", "checks": [{"check": "skill", "params": CLIMB["params"]}], "actors": ["familiar"]})
    answer = {"t": "AnswerRequest", "request": str(evening.state.seq), "actor": "familiar"}
    assert refused(evening, answer, "quin") == "actor.not_yours"
    (answered,) = of("RequestAnswered", evening.do(answer, "pia", [9]))
    assert not answered.absent
