"""Evenings: they begin with no Boons, end with all that was to last until then, and bring experience (D-16, D-28, X-D14)."""

import msgspec
import pytest

from boonbridge.core import sessions
from boonbridge.core.evolving_group import LONG_AGO
from boonbridge.core.maps import Map
from boonbridge.rulesets.base import Actor
from tests.core.test_requests import SKILL, answer, ask, close, named, names, numbers, refused, table
from tests.support.evening import Evening
from tests.support.screens import Screens

BOON = {"t": "Act", "verb": "give_boon"}
START, END, SAME = {"t": "StartSession", "name": " The mine "}, {"t": "EndSession"}, {"t": "ContinueSession"}
ROLL = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {**SKILL, "difficulty": 9}}
HOUR = 3_600_000


def session(evening, user="gina"):
    told = evening.shown(user).get("session")
    return msgspec.json.decode(told) if told else None


def xp(placed):
    return [(earned.actor, earned.amount, earned.now) for earned in named(placed, "SessionEnded")[0].xp]


# --- begin and end ------------------------------------------------------------------------------------------------
@pytest.mark.rule("D-16")
def test_an_evening_begins_with_no_boons_and_has_a_number_and_a_name():
    evening = table()
    for _ in range(3):
        evening.do(BOON)
    (started,) = named(evening.do(START), "SessionStarted", "all")
    assert (started.session, started.name) == (1, "The mine")
    assert (evening.state.game.held, evening.state.game.gained) == (0, 0)
    assert session(evening, "olga") == {
        "number": 1,
        "name": "The mine",
        "since": evening.state.at,
        "running": True,
        "asks": None,
    }


def test_an_evening_begins_once_and_ends_once():
    evening = table()
    assert refused(evening, END) == "session.none"
    evening.do(START)
    assert refused(evening, START) == "session.running"
    evening.do(END)
    assert refused(evening, END) == "session.none"
    assert session(evening, "olga")["running"] is False
    assert named(evening.do({"t": "StartSession"}), "SessionStarted")[0].session == 2


def test_before_any_evening_there_is_none():
    assert session(table()) is None


# --- what it was worth --------------------------------------------------------------------------------------------
@pytest.mark.rule("D-28", "X-D14")
def test_d28_everybody_of_the_party_earns_a_point_for_each_boon_that_is_left():
    evening = table()
    evening.do(START)
    for _ in range(3):
        evening.do(BOON)
    evening.do({"t": "Act", "verb": "take_boon"})
    evening.do({"t": "SyncActor", "actor": "guide.token.t1"})
    placed = evening.do(END)
    assert xp(placed) == [("hero", 2, 2), ("friend", 2, 2), ("guide", 2, 2)]  # neither a foe nor a token
    assert (evening.state.game.held, evening.state.game.gained) == (0, 0)  # they have turned into it (X-D14)
    assert msgspec.json.decode(evening.shown("olga")["actor/hero"])["xp"] == 2
    evening.do(START)
    evening.do(BOON)
    assert xp(evening.do(END)) == [("hero", 1, 3), ("friend", 1, 3), ("guide", 1, 3)]


@pytest.mark.rule("D-28")
def test_d28_the_gm_lists_who_earns_it():
    evening = table()
    evening.do(START)
    evening.do(BOON)
    assert refused(evening, {**END, "actors": ["hero", "foe"]}) == "roll.bad_parameter"
    assert refused(evening, {**END, "actors": ["hero", "nobody"]}) == "actor.unknown"
    placed = evening.do({**END, "actors": ["friend", "friend"]})
    assert xp(placed) == [("friend", 1, 1)]
    evening.do(START)
    assert xp(evening.do({**END, "actors": []})) == []


def test_a_choice_that_is_open_takes_its_default_before_it_is_counted():
    """Accepting a failure gives the group a Boon (D-04), and that one is left."""
    evening = table()
    evening.do(START)
    evening.do(BOON)
    evening.do(ROLL, "pia", (3,))
    check = f"{evening.state.seq}.1"
    placed = evening.do(END)
    assert [(each.check, each.choice, each.auto) for each in named(placed, "Chosen", "all")] == [(check, "accept", True)]
    assert xp(placed)[0] == ("hero", 2, 2)
    assert len(evening.state.undecided) == 0
    assert session(evening)["running"] is False


def test_a_request_is_closed_with_its_result_before_it_is_counted():
    """A group that fails earns one Boon in all (D-08)."""
    evening = table()
    evening.do(START)
    evening.do(BOON)
    request = ask(evening, group="one_success", actors=["hero", "friend"])
    evening.do(answer(request), "pia", (3,))
    placed = evening.do(END)
    (closed,) = named(placed, "RequestClosed")
    assert (closed.why, closed.result.success) == ("closed", False)
    assert named(placed, "RequestExpired")[0].actors == ("friend",)
    assert xp(placed)[0] == ("hero", 2, 2)


def test_a_game_without_experience_earns_none():
    evening = Evening("sage_d20")
    evening.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party"})
    evening.do(START)
    assert xp(evening.do(END)) == []


# --- what ends with it --------------------------------------------------------------------------------------------
def test_what_was_to_last_until_the_end_of_the_evening_ends_and_nothing_else():
    evening = Evening("sage_d20")
    for actor in ("hero", "foe"):
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party" if actor == "hero" else "opposition"})
    evening.do(START)
    for when in ("session_end", "none", "next_roll"):
        source = {"id": f"luck.{when}", "label": "Luck"}
        evening.do({"t": "Grant", "actors": ["hero"], "sign": "boon", "source": source, "expiry": {"when": when}})
    evening.do({"t": "SetCondition", "actors": ["foe"], "condition": "blinded", "expiry": {"when": "session_end"}})
    evening.do({"t": "SetCondition", "actors": ["foe"], "condition": "prone"})
    placed = evening.do(END)
    assert [(each.actor, each.why) for each in named(placed, "GrantExpired")] == [("hero", "session_end")]
    assert [(each.actor, each.key, each.why) for each in named(placed, "ConditionExpired")] == [("foe", "blinded", "session_end")]
    assert [grant.expiry.when for grant in evening.state.actors["hero"].grants] == ["none", "next_roll"]
    assert [held.key for held in evening.state.actors["foe"].conditions] == ["prone"]


def test_help_that_nobody_answered_is_not_offered_any_more():
    evening = Evening("sage_d20")
    for actor, owner in (("hero", "pia"), ("friend", "quin")):
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": [owner]})
    evening.do(START)
    evening.do({"t": "Assist", "actor": "hero", "helper": "friend"}, "quin")
    assert [each.accepted for each in named(evening.do(END), "AssistAnswered")] == [False]
    assert len(evening.state.assists) == 0


def test_rulings_lapse_and_opportunities_pass():
    evening = table()
    evening.do(START)
    evening.do(ROLL, "pia", (1,))
    evening.do({**ROLL, "check": "opportunity"}, "pia", (9,))
    opportunity = f"{evening.state.seq}.1"
    assert opportunity in evening.state.opportunities
    placed = evening.do(END)
    assert [(each.choice, each.auto) for each in named(placed, "Chosen")] == [("pass", True)]
    assert named(placed, "SessionEnded")[0].opportunities == (opportunity,)
    assert len(evening.state.opportunities) == len(evening.state.undecided) == 0


@pytest.mark.parametrize("settled", [False, True])
def test_what_hidden_rolls_would_have_done_is_dropped_and_only_gms_hear_of_it(settled):
    evening = table()
    evening.do(START)
    evening.do({**ROLL, "mode": "gm"}, "pia", (12,))  # a Boon for the group, were it public (D-10)
    check = f"{evening.state.seq}.1"
    if settled:
        evening.do({"t": "Settle", "check": check})
    placed = evening.do(END)
    assert [each.checks for each in named(placed, "UnsettledDropped", "gm")] == ([] if settled else [(check,)])
    assert xp(placed)[0] == ("hero", int(settled), int(settled))
    if not settled:
        assert evening.do({"t": "Settle", "check": check}) == ()
        assert evening.state.game.held == 0


def test_what_nobody_else_may_hear_of_stays_with_whoever_knows_of_it():
    """A mine that somebody went down into for GMs alone, and one that he went down into for himself: his to decide."""
    evening = Evening("deep_mine")
    for actor in ("hero", "friend", "guide", "foe"):
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": ["pia"], "numbers": {}})
    screens = Screens(evening)
    screens.do(START)
    roll = {"t": "RollCheck", "check": "descent", "params": {"load": 9}}
    for actor, mode, by in (("hero", "gm", "pia"), ("friend", "self", "pia"), ("guide", "secret", "gwen"), ("foe", "gm", "gina")):
        screens.do({**roll, "actors": [actor], "mode": mode}, by, (3,))
    placed = screens.do(END)
    assert names(placed) == [("gm", "Chosen"), ("roller_gm", "Chosen"), ("all", "SessionEnded")]
    assert [opened.mode for opened in evening.state.undecided.values()] == ["gm", "self"]


def test_more_than_fits_into_a_message_is_listed_and_done(monkeypatch):
    evening = table()
    screens = Screens(evening)
    screens.do(START)
    screens.do(BOON)
    for actor, by in (("hero", "pia"), ("friend", "quin"), ("guide", "gina")):
        screens.do({**ROLL, "actors": [actor]}, by, (3,))
    checks = tuple(evening.state.undecided)
    assert len(checks) == 3
    monkeypatch.setattr(sessions, "_ROOM", 1)  # the first one is decided, and then it is full
    placed = screens.do(END)
    assert [each.check for each in named(placed, "Chosen")] == [checks[0]]
    assert named(placed, "SessionEnded")[0].checks == checks[1:]
    assert len(evening.state.undecided) == 0
    assert refused(evening, {"t": "Choose", "check": checks[1], "choice": "accept"}, "quin") == "choice.done"
    assert evening.state.game.held == 0


def test_a_table_full_of_open_checks_ends_its_evening_in_one_message():
    evening = Evening("group_d12")
    for n in range(300):
        name = f"{n} " + "ß" * 70
        evening.do({"t": "SyncActor", "actor": f"a{n}", "name": name, "side": "party", "numbers": numbers(climb=2)})
    evening.do(START)
    evening.do(BOON)
    for n in range(0, 300, 60):
        actors = [f"a{m}" for m in range(n, n + 60)]
        evening.do(
            {**ROLL, "actors": actors, "sources": [{"id": "x", "label": "x" * 80, "sign": "boon", "amount": 5}]},
            "gina",
            (3,) * 360,
        )
    assert len(evening.state.undecided) == 300
    placed = evening.do({**END, "actors": [f"a{n}" for n in range(64)]})
    assert sum(len(msgspec.json.encode(event)) for _, event in placed) < 192 * 1024
    assert len(evening.state.undecided) == 0
    listed = len(named(placed, "SessionEnded")[0].checks)
    assert 0 < listed < 300
    assert len(named(placed, "Chosen")) == 300 - listed


def test_the_experience_of_a_full_table_leaves_room_for_what_is_open():
    evening = Evening("group_d12")
    many = {f"actor{n}": Actor(id=f"actor{n}", name=f"Somebody {n}", side="party") for n in range(1700)}
    evening.state = msgspec.structs.replace(evening.state, actors=Map(many))
    for n in range(128):
        evening.do({"t": "SyncActor", "actor": f"actor{n}", "numbers": numbers(climb=2)})
    evening.do(START)
    evening.do(BOON)
    for n in (0, 64):
        evening.do({**ROLL, "actors": [f"actor{m}" for m in range(n, n + 64)]}, "gina", (3,) * 64)
    for n in range(0, 256, 64):
        asked = {"t": "RequestCheck", "checks": [{"check": "skill", "params": {"difficulty": 9}}]}
        evening.do({**asked, "actors": [f"actor{m}" for m in range(n, n + 64)]})
    placed = evening.do(END)
    assert sum(len(msgspec.json.encode(event)) for _, event in placed) < 192 * 1024
    assert len(named(placed, "SessionEnded")[0].xp) == 1700
    assert len(evening.state.undecided) == 0
    assert not any(asking.open for asking in evening.state.requests.values())


def test_more_boons_than_a_message_can_tell_do_not_keep_an_evening_from_ending():
    evening = Evening("sage_d20")
    actors = ["a" * 70 + str(n) for n in range(200)]
    for actor in actors:
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party"})
    evening.do(START)
    for n in range(20):
        grant = {"sign": "boon", "source": {"id": f"x{n}", "label": "x"}, "expiry": {"when": "session_end"}}
        for first in range(0, 200, 50):
            evening.do({"t": "Grant", "actors": actors[first : first + 50], **grant})
    told = []
    while any(actor.grants for actor in evening.state.actors.values()):
        placed = evening.do(END)
        assert sum(len(msgspec.json.encode(event)) for _, event in placed) < 192 * 1024
        told.append(len(named(placed, "GrantExpired")))
        evening.do(START)
    assert sum(told) == 4000
    assert len(told) > 1


# --- a new evening? -----------------------------------------------------------------------------------------------
def asked(evening, *, after, mode="public", by="pia"):
    """What GMs are asked after a roll, and so long after it another one."""
    evening.do({**ROLL, "mode": mode}, by, (8,))
    evening.late += after - 1  # another commit is a millisecond later
    evening.do({**ROLL, "mode": mode}, by, (8,))
    return (session(evening) or {}).get("asks"), (session(evening, "pia") or {}).get("asks")


@pytest.mark.parametrize("mode", ["public", "gm", "secret"])
@pytest.mark.parametrize(("after", "wanted"), [(LONG_AGO, "new_evening"), (LONG_AGO - 1, None), (HOUR, None)])
def test_a_roll_six_hours_after_the_last_asks_gms_and_nobody_else(mode, after, wanted):
    assert LONG_AGO == 6 * HOUR
    assert asked(table(), after=after, mode=mode) == (wanted, None)


def test_a_roll_that_somebody_makes_alone_asks_nobody():
    evening = Evening("sage_d20")
    evening.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": {"values": []}})
    roll = {"t": "RollCheck", "check": "luck", "actors": ["hero"]}
    evening.do(roll, "pia", (8,))
    evening.late += 7 * HOUR
    evening.do({**roll, "mode": "self"}, "pia", (8,))
    assert session(evening) is None
    evening.do({**roll, "mode": "gm"}, "pia", (8,))
    assert session(evening)["asks"] == "new_evening"


@pytest.mark.parametrize("end", ["start", "same", "end"])
def test_it_is_asked_until_somebody_says_what_it_is(end):
    evening = table()
    screens = Screens(evening)
    if end == "end":
        screens.do(START)
    screens.do(ROLL, "pia", (8,))
    evening.late += 7 * HOUR
    screens.do(ROLL, "pia", (8,))
    screens.do(ROLL, "pia", (8,))
    assert session(evening)["asks"] == "new_evening"
    placed = screens.do({"start": START, "same": SAME, "end": END}[end])
    if end == "same":
        assert names(placed) == [("gm", "SessionContinued")]  # that GMs were asked is not told
    assert (session(evening) or {}).get("asks") is None
    assert screens.do(SAME) == ()
    screens.do(ROLL, "pia", (8,))
    assert (session(evening) or {}).get("asks") is None
    evening.late += 7 * HOUR
    screens.do(START if end != "start" else END)  # it begins late after the last roll: nothing to ask
    screens.do(ROLL, "pia", (8,))
    assert session(evening)["asks"] is None


def test_an_evening_may_close_a_request_that_only_gms_know_of():
    screens = Screens(table())
    screens.do(START)
    ask(screens, mode="secret", actors=["hero"])
    public = ask(screens, actors=["hero"])
    placed = screens.do(END)
    assert names(placed)[:4] == [
        ("gm", "RequestExpired"),
        ("gm", "RequestClosed"),
        ("all", "RequestExpired"),
        ("all", "RequestClosed"),
    ]
    assert refused(screens.evening, close(public)) == "request.closed"
