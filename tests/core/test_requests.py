"""Requests: a GM asks several actors, and each row says what became of it (D-06..D-08, D-23..D-26; I-74, I-78)."""

import msgspec
import pytest

from boonbridge.core.grouping import KEPT_OVER, recounted
from boonbridge.core.state import BRIDGE
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import ROLES, Evening
from tests.support.screens import Screens

SKILL = {"skill": "skill.climb"}


def numbers(**values):
    return {"values": [{"key": f"skill.{key}", "value": value} for key, value in values.items()]}


def table(game="group_d12", **options):
    """Two heroes with a player each, one that belongs to nobody, and a foe."""
    evening = Evening(game, **options)
    for actor, side, owners in (
        ("hero", "party", ["pia"]),
        ("friend", "party", ["quin"]),
        ("guide", "party", []),
        ("foe", "opposition", []),
    ):
        sheet = numbers(climb=2, talk=4) if game == "group_d12" else {"values": []}
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": sheet})
    return evening


def ask(evening, *, checks=None, **more):
    """The id of a request."""
    checks = checks or [{"check": "skill", "params": {"difficulty": 9}}]
    evening.do({"t": "RequestCheck", "checks": checks, **more})
    return str((evening.evening if isinstance(evening, Screens) else evening).state.seq)


def answer(request, actor="hero", **more):
    return {"t": "AnswerRequest", "request": request, "actor": actor, "params": SKILL, **more}


def absent(request, **more):
    return {"t": "RollForAbsent", "request": request, "params": SKILL, **more}


def decline(request, actor="hero"):
    return {"t": "Decline", "request": request, "actor": actor}


def close(request):
    return {"t": "CloseRequest", "request": request}


def named(placed, name, part=None):
    return [event for p, event in placed if type(event).__name__ == name and part in (None, p)]


def names(placed):
    return [(part, type(event).__name__) for part, event in placed]


def shown(evening, request, user="olga"):
    return msgspec.json.decode(evening.shown(user)[f"request/{request}"])


def rows(evening, request, user="olga"):
    return {row["actor"]: row.get("status", "sent") for row in shown(evening, request, user)["rows"]}


def refused(evening, cmd, by="gina", faces=(6, 6, 6, 6)):
    before = evening.state
    told = evening.tried(cmd, by, faces)
    assert told[0] == "refused", told
    assert told[2].endswith((".", "!", "?")), told
    assert evening.state is before
    return told[1]


# --- who is asked -------------------------------------------------------------------------------------------------
def test_left_out_the_actors_are_the_party_and_their_rows_are_sent():
    evening = table()
    evening.do({"t": "SyncActor", "actor": "guide.token.t1"})
    request = ask(evening, action=" Climb ", note="Together.")
    told = shown(evening, request)
    assert [row["actor"] for row in told["rows"]] == ["hero", "friend", "guide"]  # a token only where it is named
    assert rows(evening, request) == {"hero": "sent", "friend": "sent", "guide": "sent"}
    assert (told["action"], told["note"], told["by"], told["checks"][0]["params"]) == (
        "Climb",
        "Together.",
        "gina",
        {"difficulty": 9},
    )


@pytest.mark.parametrize("actors", [[], None])
def test_a_request_to_nobody_is_none(actors):
    evening = table() if actors == [] else Evening("group_d12")
    cmd = {"t": "RequestCheck", "checks": [{"check": "skill", "params": {"difficulty": 9}}]}
    assert refused(evening, cmd if actors is None else {**cmd, "actors": actors}) == "request.nobody"


def test_a_token_that_is_named_is_introduced_by_the_request_and_by_a_secret_one_it_is_not():
    evening = table()
    request = ask(evening, actors=["foe.token.t1"])
    assert "foe.token.t1" in evening.state.actors
    evening.do(answer(request, "foe.token.t1"), "gina", (6,))
    secret = ask(evening, actors=["foe.token.t2"], mode="secret")
    assert "foe.token.t2" not in evening.state.actors
    evening.do(absent(secret), "gina", (6,))
    assert "foe.token.t2" not in evening.state.actors
    assert rows(evening, secret, "gina") == {"foe.token.t2": "rolled"}


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"actors": ["nobody"]}, "actor.unknown"),
        ({"actors": ["hero", "hero"]}, "roll.bad_parameter"),
        ({"target": "nobody"}, "actor.unknown"),
        ({"group": "all_at_once"}, "request.group"),
        ({"group": "one_success", "checks": [{"check": "opportunity", "params": {"difficulty": 9}}]}, "request.group"),
        ({"difficulty": 20}, "request.group"),
        ({"group": "challenge", "checks": [{"check": "challenge"}]}, "roll.bad_parameter"),
        ({"group": "challenge", "checks": [{"check": "challenge"}], "difficulty": 9999}, "roll.bad_parameter"),
        ({"group": "challenge", "difficulty": 20}, "request.group"),
        ({"checks": [{"check": "challenge"}]}, "request.group"),
        ({"checks": [{"check": "lottery"}]}, "roll.unknown_check"),
        ({"checks": [{"check": "skill"}]}, "roll.bad_parameter"),  # nobody says how hard it is
        ({"checks": [{"check": "skill", "params": {"difficulty": 9000}}]}, "roll.bad_parameter"),
        ({"checks": [{"check": "skill", "params": {"luck": 1, "difficulty": 9}}]}, "roll.unknown_parameter"),
        ({"checks": [{"check": "skill", "params": {"resist": "skill.climb"}}]}, "roll.target_needed"),
        ({"mode": "blind"}, "roll.mode"),
        ({"group": "challenge", "checks": [{"check": "challenge"}], "difficulty": 20, "target": "foe"}, "roll.no_targets"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(more, code):
    assert refused(table(), {"t": "RequestCheck", "checks": [{"check": "skill", "params": {"difficulty": 9}}], **more}) == code


def test_dice_that_are_public_are_asked_for_publicly():
    evening = Evening("public_d20")
    evening.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"]})
    check = {"check": "task", "params": {"attribute": "attribute.might", "dc": 12}}
    assert refused(evening, {"t": "RequestCheck", "checks": [check], "mode": "gm"}) == "roll.mode"


def test_sixteen_may_be_open_at_once():
    evening = table()
    requests = [ask(evening, actors=["foe"]) for _ in range(16)]
    more = {"t": "RequestCheck", "actors": ["hero"], "checks": [{"check": "skill", "params": {"difficulty": 9}}]}
    assert refused(evening, more) == "request.limit"
    evening.do(close(requests[3]))
    assert evening.do(more)


def test_whoever_is_asked_at_a_table_of_full_size_fits_into_one_message():
    evening = Evening("group_d12")
    for n in range(65):
        evening.do({"t": "SyncActor", "actor": f"a{n}", "name": f"{n} " + "ß" * 76, "side": "party", "numbers": numbers(climb=2)})
    everybody = {"t": "RequestCheck", "checks": [{"check": "skill", "params": {"difficulty": 9}}]}
    assert refused(evening, everybody) == "roll.too_many_rows"
    request = ask(evening, actors=[f"a{n}" for n in range(64)])
    placed = evening.do(absent(request), faces=(8,) * 64)
    assert len(named(placed, "CheckRolled")) == len(named(placed, "RequestAnswered")) == 64
    assert sum(len(msgspec.json.encode(event)) for _, event in placed) < 192 * 1024
    assert named(placed, "RequestClosed")[0].result.succeeded == 64  # 8 + 2 >= 9


# --- who may answer, and with what --------------------------------------------------------------------------------
@pytest.mark.rule("D-01")
def test_each_answers_with_a_check_of_his_choice_and_the_difficulty_is_the_gms():
    """One of several checks, each with its own difficulty."""
    evening = table()
    checks = [
        {"check": "skill", "params": {"skill": "skill.climb", "difficulty": 12}, "label": "Climb 12"},
        {"check": "skill", "params": {"skill": "skill.talk", "difficulty": 14}, "label": "Talk 14"},
    ]
    request = ask(evening, checks=checks, action="Past the guard")
    (rolled,) = named(evening.do(answer(request, nth=1, params={}), "pia", (10,)), "CheckRolled")
    assert (rolled.rolled.params, rolled.rolled.target) == ({"skill": "skill.talk", "difficulty": 14}, 14)
    assert (rolled.rolled.request, rolled.rolled.group, rolled.rolled.action) == (request, "each", "Past the guard")
    assert rolled.result.success  # 10 + 4 reaches 14
    assert rolled.rolled.player_set == ()
    for params in ({"skill": "skill.climb"}, {"difficulty": 1}, {"resist": "skill.talk"}):
        assert refused(evening, answer(request, "friend", params=params), "quin") == "request.fixed"
    assert refused(evening, answer(request, "friend", nth=2), "quin") == "request.not_asked"


def test_a_request_fixes_difficulty_and_sources_where_players_may_set_neither():
    evening = table(player_difficulty="gm_only", player_sources="gm_only")
    request = ask(evening, sources=[{"id": "rope", "label": "A rope", "sign": "boon"}])
    (rolled,) = named(evening.do(answer(request), "pia", (3, 8)), "CheckRolled")
    ((source,), result) = rolled.sources, rolled.result
    assert (source.id, source.counted, source.by_player) == ("rope", True, False)
    assert (result.net, result.total) == (1, 10)  # the better of 3 and 8, and 2


def test_answers_that_are_none_are_refused_by_name():
    evening = table()
    request = ask(evening, actors=["hero", "friend", "foe"])
    assert refused(evening, answer("999"), "pia") == "request.unknown"
    assert refused(evening, answer(request, "guide")) == "request.not_asked"
    assert refused(evening, answer(request, "friend"), "pia") == "actor.not_yours"
    assert refused(evening, answer(request), "olga") == "role.forbidden"
    assert refused(evening, answer(request, params={}), "pia") == "roll.bad_parameter"  # which skill?
    evening.do(answer(request), "pia", (8,))
    assert refused(evening, answer(request), "pia") == "request.answered"
    assert refused(evening, decline(request), "pia") == "request.answered"
    evening.do(decline(request, "friend"), "quin")
    assert refused(evening, answer(request, "friend"), "quin") == "request.answered"
    evening.do(close(request))
    for cmd, by in ((answer(request, "foe"), "gina"), (decline(request, "foe"), "gina"), (absent(request), "gina")):
        assert refused(evening, cmd, by) == "request.closed"
    assert refused(evening, close(request)) == "request.closed"


def test_a_check_that_is_only_asked_for_is_not_rolled_otherwise():
    evening = table()
    roll = {"t": "RollCheck", "check": "challenge", "actors": ["hero"], "params": SKILL}
    assert refused(evening, roll, "pia") == "request.only"
    assert evening.previewed(roll, "pia")[0] == "request.only"


def test_a_roller_may_be_more_secret_than_he_was_asked_to_be_and_never_less():
    evening = Evening("sage_d20")
    for actor, owner in (("hero", "pia"), ("friend", "quin")):
        sheet = {"values": [{"key": "agility", "value": 12}]}
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": [owner], "numbers": sheet})
    checks = [{"check": "attribute", "params": {"attribute": "agility", "tn": 10}}]
    wanted = {
        ("public", "public"): "public",
        ("public", "gm"): "gm",
        ("public", "self"): "gm",
        ("public", "blind"): "blind",
        ("gm", "public"): "gm",
        ("gm", "self"): "gm",
        ("self", "public"): "gm",
        ("gm", "blind"): "blind",
        ("blind", "public"): "blind",
        ("blind", "gm"): "blind",
        ("blind", "secret"): "secret",
    }
    for (asked, rolled), mode in wanted.items():
        request = ask(evening, checks=checks, mode=asked)
        (event,) = named(evening.do(answer(request, params={}, mode=rolled), "pia", (10,)), "CheckRolled")
        assert event.mode == mode, (asked, rolled)
        evening.do(close(request))


def test_boons_before_the_roll_are_paid_before_any_die_falls():
    evening = table()
    evening.do({"t": "Act", "verb": "give_boon"})
    request = ask(evening, sources=[{"id": "dark", "label": "Dark", "sign": "bane"}])
    (rolled,) = named(evening.do(answer(request, spendBefore=1), "pia", (8,)), "CheckRolled")
    assert (rolled.result.net, evening.state.game.held) == (0, 0)
    assert refused(evening, answer(request, "friend", spendBefore=1), "quin") == "pool.empty"


def test_faces_of_a_real_die_are_taken_where_the_table_takes_them():
    evening = table(manual_dice=True)
    request = ask(evening)
    (rolled,) = named(evening.do(answer(request, faces=[11]), "pia"), "CheckRolled")
    assert (rolled.rolled.manual, rolled.result.dice[0].face) == (True, 11)
    assert refused(evening, answer(request, "friend", faces=[11, 2]), "quin") == "faces.count"


# --- I-74, I-78: what became of it --------------------------------------------------------------------------------
def test_i74_every_row_says_whether_it_was_sent_rolled_declined_or_has_expired():
    evening = table()
    request = ask(evening, actors=["hero", "friend", "guide", "foe"])
    evening.do(answer(request), "pia", (8,))
    assert rows(evening, request) == {"hero": "rolled", "friend": "sent", "guide": "sent", "foe": "sent"}
    evening.do(decline(request, "friend"), "quin")
    evening.do(answer(request, "foe"), "gina", (8,))
    placed = evening.do(close(request))
    assert names(placed) == [("all", "RequestExpired"), ("all", "RequestClosed")]
    assert named(placed, "RequestExpired")[0].actors == ("guide",)
    assert rows(evening, request) == {"hero": "rolled", "friend": "declined", "guide": "expired", "foe": "rolled"}
    told = shown(evening, request)
    assert told["over"] == "closed"
    assert {row["actor"]: row.get("check") for row in told["rows"]} == {
        "hero": f"{int(request) + 1}.1",
        "friend": None,
        "guide": None,
        "foe": f"{int(request) + 3}.1",
    }


def test_i78_a_gm_rolls_for_those_who_are_absent_all_at_once_and_marked():
    evening = table()
    request = ask(evening)
    evening.do(answer(request), "pia", (8,))
    placed = evening.do(absent(request), "gina", (8, 9))
    assert [(each.rolled.actor, each.rolled.absent) for each in named(placed, "CheckRolled")] == [
        ("friend", True),
        ("guide", True),
    ]
    assert [(each.actor, each.absent) for each in named(placed, "RequestAnswered")] == [("friend", True), ("guide", True)]
    assert {row["actor"]: row.get("absent", False) for row in shown(evening, request)["rows"]} == {
        "hero": False,
        "friend": True,
        "guide": True,
    }
    assert names(placed)[-1] == ("all", "RequestClosed")


def test_i78_a_gm_who_answers_for_a_players_actor_is_marked_and_for_his_own_is_not():
    evening = table()
    request = ask(evening, actors=["hero", "foe"])
    (mine,) = named(evening.do(answer(request, "foe"), "gina", (8,)), "RequestAnswered")
    (his,) = named(evening.do(answer(request, "hero"), "gina", (8,)), "RequestAnswered")
    assert (mine.absent, his.absent) == (False, True)


def test_i78_the_choice_on_a_roll_for_who_was_absent_is_still_his_players():
    evening = table()
    evening.do({"t": "Act", "verb": "give_boon"})
    request = ask(evening, group="one_success", actors=["hero"])
    evening.do(absent(request), "gina", (3,))
    assert evening.state.requests[request].open
    placed = evening.do({"t": "Choose", "check": f"{evening.state.seq}.1", "choice": "spend"}, "pia", (9,))
    assert named(placed, "RequestClosed")[0].result.success


def test_some_of_the_absent_are_rolled_for_and_those_who_answered_are_not():
    evening = table()
    request = ask(evening)
    evening.do(answer(request), "pia", (8,))
    assert refused(evening, absent(request, actors=["hero", "guide"])) == "request.answered"
    assert refused(evening, absent(request, actors=["foe"])) == "request.not_asked"
    assert refused(evening, absent(request, actors=[])) == "request.nobody"
    assert refused(evening, absent(request, actors=["guide", "guide"])) == "roll.bad_parameter"
    evening.do(absent(request, actors=["guide"]), "gina", (8,))
    assert rows(evening, request) == {"hero": "rolled", "friend": "sent", "guide": "rolled"}


def test_who_is_rolled_for_and_has_no_such_number_leaves_all_of_it_undone():
    evening = Evening("rank_ability")
    for actor, sheet in (("hero", [{"key": "rank", "value": 3}, {"key": "str", "value": 8}]), ("friend", [])):
        numbers_ = {"values": sheet}
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": ["pia"], "numbers": numbers_})
    request = ask(evening, checks=[{"check": "check", "params": {"ability": "str", "tn": 9}}])
    assert refused(evening, {"t": "RollForAbsent", "request": request}) == "actor.number_missing"


def test_more_dice_than_a_command_may_roll_leave_all_of_it_undone():
    evening = Evening("group_d12")
    for n in range(5):
        evening.do({"t": "SyncActor", "actor": f"a{n}", "name": f"a{n}", "side": "party", "numbers": numbers(climb=2)})
    request = ask(evening, sources=[{"id": "x", "label": "x", "sign": "boon", "amount": 98}])
    assert refused(evening, absent(request), faces=(6,) * 495) == "roll.too_many_dice"


# --- when it is complete ------------------------------------------------------------------------------------------
def test_it_is_complete_with_the_last_answer_and_no_sooner():
    evening = table()
    request = ask(evening)
    assert not named(evening.do(answer(request), "pia", (8,)), "RequestClosed")
    assert not named(evening.do(decline(request, "friend"), "quin"), "RequestClosed")
    placed = evening.do(answer(request, "guide"), "gina", (5,))
    (closed,) = named(placed, "RequestClosed", "all")
    assert (closed.why, closed.result.outcome, closed.result.success) == ("complete", "each", None)
    assert (closed.result.counted, closed.result.succeeded) == (2, 1)  # 8 + 2 and 5 + 2 against 9; who declined is not counted


def test_a_choice_of_a_roller_holds_it_up_and_whoever_ends_that_ends_it():
    for end in ("choose", "next roll", "end of turn", "gm"):
        evening = table()
        evening.do({"t": "Act", "verb": "give_boon"})
        request = ask(evening, group="one_success", actors=["hero", "friend"])
        evening.do(answer(request, "friend"), "quin", (1,))  # nothing can be bought after a 1 (D-11)
        evening.do(answer(request), "pia", (3,))
        assert evening.state.requests[request].open
        check = f"{evening.state.seq}.1"
        roll = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {**SKILL, "difficulty": 9}}
        cmd, by = {
            "choose": ({"t": "Choose", "check": check, "choice": "accept"}, "pia"),
            "next roll": (roll, "pia"),
            "end of turn": ({"t": "EndTurn", "actor": "hero"}, "pia"),
            "gm": (close(request), "gina"),
        }[end]
        placed = evening.do(cmd, by, (8,))
        assert check in [chosen.check for chosen in named(placed, "Chosen")]
        (closed,) = named(placed, "RequestClosed")
        assert (closed.why, closed.result.success) == ("closed" if end == "gm" else "complete", False)


def test_a_gms_ruling_does_not_hold_it_up_and_lapses_when_a_gm_closes_it():
    evening = table()
    request = ask(evening, actors=["hero", "friend"])
    evening.do(answer(request), "pia", (1,))  # a severe consequence: the GM says which (D-12)
    ruled = f"{evening.state.seq}.1"
    assert ruled in evening.state.undecided
    evening.do(answer(request, "friend"), "quin", (8,))
    assert not evening.state.requests[request].open
    assert ruled in evening.state.undecided
    request = ask(evening, actors=["hero", "friend"])
    evening.do(answer(request), "pia", (1,))
    placed = evening.do(close(request))
    assert [(each.choice, each.auto) for each in named(placed, "Chosen")] == [("pass", True)]
    assert f"{int(request) + 1}.1" not in evening.state.undecided


def test_nobody_rolled_so_there_is_no_result_and_no_boon():
    evening = table()
    request = ask(evening, group="one_success", actors=["hero", "friend"])
    evening.do(decline(request), "pia")
    (closed,) = named(evening.do(decline(request, "friend"), "quin"), "RequestClosed")
    assert (closed.why, closed.result, closed.effects) == ("complete", None, ())
    assert recounted(evening.state, request) is None


def test_whoever_leaves_the_table_does_not_hold_it_up():
    evening = table()
    request = ask(evening, actors=["hero", "friend"])
    evening.do(answer(request), "pia", (8,))
    placed = evening.do({"t": "RemoveActor", "actor": "friend"})
    assert names(placed) == [("all", "ActorRemoved"), ("all", "RequestExpired"), ("all", "RequestClosed")]
    assert rows(evening, request) == {"hero": "rolled", "friend": "expired"}
    last = ask(evening, actors=["hero"])
    placed = evening.do({"t": "RemoveActor", "actor": "hero"})
    assert named(placed, "RequestClosed")[0].result is None
    assert rows(evening, last) == {"hero": "expired"}


def test_whoever_leaves_with_a_choice_open_does_not_hold_it_up_either():
    evening = table()
    evening.do({"t": "Act", "verb": "give_boon"})
    request = ask(evening, group="one_success", actors=["hero"])
    evening.do(answer(request), "pia", (3,))
    (closed,) = named(evening.do({"t": "RemoveActor", "actor": "hero"}), "RequestClosed")
    assert not closed.result.success


def test_the_bridge_itself_ends_it_when_its_time_is_up():
    evening = table()
    request = ask(evening, actors=["hero", "friend"], minutes=10)
    assert shown(evening, request)["expiresAt"] == (int(request) - 1) + 600_000
    evening.do(answer(request), "pia", (8,))
    ROLES[BRIDGE] = "gm"
    try:
        placed = evening.do(close(request), BRIDGE)
    finally:
        del ROLES[BRIDGE]
    assert named(placed, "RequestExpired")[0].actors == ("friend",)
    assert named(placed, "RequestClosed")[0].why == "expired"
    assert shown(evening, request)["over"] == "expired"


# --- what several come to together --------------------------------------------------------------------------------
def played(evening, request, faces):
    """Everybody of the party rolls; the event that ends it."""
    placed = ()
    for (actor, by), face in zip((("hero", "pia"), ("friend", "quin"), ("guide", "gina")), faces, strict=True):
        placed = evening.do(answer(request, actor), by, (face,))
    return named(placed, "RequestClosed")[0]


# Skill +2 against 9: a 7 is enough. Of a failed group check the group gains one Boon in all (D-08).
@pytest.mark.parametrize(
    ("group", "faces", "success", "held"),
    [
        ("one_success", (2, 7, 3), True, 0),  # D-06
        ("one_success", (2, 6, 3), False, 1),
        ("one_success", (12, 6, 3), True, 0),  # X-D2: a critical success earns nothing in a group check
        ("one_failure", (7, 8, 9), True, 0),  # D-07
        ("one_failure", (7, 8, 6), False, 1),
        ("one_failure", (2, 3, 4), False, 1),
    ],
)
@pytest.mark.rule("D-06", "D-07", "D-08", "X-D2")
def test_one_success_and_one_failure(group, faces, success, held):
    evening = table()
    closed = played(evening, ask(evening, group=group), faces)
    assert closed.result.success is success
    assert evening.state.game.held == held
    assert recounted(evening.state, closed.request).result == closed.result


# D-23, D-26: 12 and 1 are plain numbers; with +2 each the sum of (die + 2).
@pytest.mark.parametrize(
    ("faces", "difficulty", "total", "success", "held"),
    [
        ((4, 5, 6), 21, 21, True, 0),
        ((4, 5, 6), 22, 21, False, 1),
        ((12, 1, 2), 22, 21, False, 1),
        ((12, 12, 12), 50, 42, False, 1),
    ],
)
@pytest.mark.rule("D-23", "D-26")
def test_d23_a_challenge_adds_up_what_everybody_rolled(faces, difficulty, total, success, held):
    evening = table()
    request = ask(evening, checks=[{"check": "challenge"}], group="challenge", difficulty=difficulty)
    closed = played(evening, request, faces)
    assert (closed.result.total, closed.result.target, closed.result.success) == (total, difficulty, success)
    assert evening.state.game.held == held  # D-25: only if the challenge fails


@pytest.mark.rule("D-25", "X-D10")
def test_d25_in_a_challenge_each_keeps_or_rolls_again_and_then_it_is_counted():
    evening = table()
    evening.do({"t": "Act", "verb": "give_boon"})
    request = ask(evening, checks=[{"check": "challenge"}], group="challenge", difficulty=20, actors=["hero", "friend"])
    evening.do(answer(request), "pia", (3,))
    hero = f"{evening.state.seq}.1"
    evening.do(answer(request, "friend"), "quin", (8,))
    friend = f"{evening.state.seq}.1"
    assert evening.state.requests[request].open
    evening.do({"t": "Choose", "check": friend, "choice": "keep"}, "quin")
    (closed,) = named(evening.do({"t": "Choose", "check": hero, "choice": "spend"}, "pia", (9,)), "RequestClosed")
    assert (closed.result.total, closed.result.success) == ((9 + 2) + (8 + 2), True)
    assert evening.state.game.held == 0


@pytest.mark.parametrize(
    ("faces", "outcome", "winners"),
    [((8, 7), "won", ("hero",)), ((7, 8), "won", ("foe",)), ((9, 9), "tie", ("hero", "foe")), ((3, 5), "won", ("foe",))],
)
def test_opposed_who_succeeds_beats_who_fails_and_then_the_higher_total_wins(faces, outcome, winners):
    evening = table()
    request = ask(evening, group="opposed", actors=["hero", "foe"])
    evening.do(answer(request), "pia", faces[:1])
    (closed,) = named(evening.do(answer(request, "foe"), "gina", faces[1:]), "RequestClosed")
    assert (closed.result.outcome, closed.result.winners) == (outcome, winners)


def test_a_result_is_counted_once_and_rolls_of_later_change_nothing_of_it():
    evening = table()
    request = ask(evening, group="one_success", actors=["hero"])
    evening.do(answer(request), "pia", (3,))
    before = shown(evening, request)
    for _ in range(3):
        evening.do({"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {**SKILL, "difficulty": 9}}, "pia", (9,))
    assert shown(evening, request) == before
    assert recounted(evening.state, request).result.success is False  # the roll that answered is kept with the request


# --- what stays ---------------------------------------------------------------------------------------------------
def test_a_table_keeps_the_last_that_are_over_and_says_which_it_forgets():
    evening = table()
    screens = Screens(evening)
    over = []
    for n in range(KEPT_OVER + 5):
        over.append(ask(screens, actors=["hero"], mode="secret" if n % 5 == 4 else "public"))
        screens.do(close(over[-1]))
    secret = over[4::5]
    public = [each for each in over if each not in secret]
    assert list(evening.state.requests) == [each for each in over if each in secret or each in public[-KEPT_OVER:]]
    for _ in range(4):
        over.append(ask(screens, actors=["hero"]))
        closed = named(screens.do(close(over[-1])), "RequestClosed")[0]
        assert closed.forgets == (public.pop(0),)
        public.append(over[-1])


def test_the_command_of_a_hidden_difficulty_is_kept_with_it():
    evening = table()
    ask(evening, shown=False)
    assert evening.last.command_part == "gm"
    ask(evening)
    assert evening.last.command_part == "all"
    ask(evening, mode="secret")
    assert (names(evening.last.placed), evening.last.command_part) == ([("gm", "CheckRequested")], "gm")


def test_a_roll_for_a_request_is_previewed_as_it_will_be_rolled():
    evening = table()
    request = ask(evening, sources=[{"id": "rope", "label": "A rope", "sign": "boon"}])
    ((row,),) = (msgspec.json.decode(evening.previewed(answer(request), "pia")),)
    assert (row["target"], row["net"], row["dice"]) == (9, 1, [{"role": "d12", "sides": 12, "count": 2}])
    assert row["odds"]["success"] == "3/4"  # 1 - (6/12)^2
    assert evening.previewed(answer(request, "friend"), "pia")[0] == "actor.not_yours"
    evening.do(answer(request), "pia", (3, 8))
    assert evening.previewed(answer(request), "pia")[0] == "request.answered"
    with pytest.raises(Refusal):
        evening.do(answer(request), "pia", (3, 8))


def test_d23_a_challenge_is_counted_as_soon_as_nobody_can_spend_any_more():
    evening = table()
    evening.do({"t": "Act", "verb": "give_boon"})
    request = ask(evening, checks=[{"check": "challenge"}], group="challenge", difficulty=20, actors=["hero", "friend"])
    placed = evening.do(answer(request), "pia", [6])  # 6 + 2, and the group has a Boon to roll again with (D-25)
    mine = named(placed, "CheckRolled")[0].rolled.check
    placed = evening.do(answer(request, "friend"), "quin", [4])
    theirs = named(placed, "CheckRolled")[0].rolled.check
    assert named(placed, "RequestClosed") == []
    placed = evening.do({"t": "Choose", "check": theirs, "choice": "spend"}, "quin", [11])  # the last Boon: 11 + 2
    (closed,) = named(placed, "RequestClosed")
    assert (closed.why, closed.checks) == ("complete", (mine,))
    assert (closed.result.total, closed.result.success) == (21, True)
    assert f"check/{mine}" not in evening.shown("pia")
    with pytest.raises(Refusal) as no:
        evening.do({"t": "Choose", "check": mine, "choice": "spend"}, "pia", [12])
    assert str(no.value.code) in ("choice.done", "pool.empty")
