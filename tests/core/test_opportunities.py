"""Opportunities and resistance: a benefit that waits for whoever uses it, once, and a difficulty without dice (D-20..D-22)."""

import msgspec
import pytest

from tests.core.test_requests import SKILL, answer, ask, named, refused, table
from tests.support.screens import Screens

ROLL = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {**SKILL, "difficulty": 9}}


def create(evening, *, sign="positive", actor="hero", by="pia", action="", mode="public", **params):
    """The id of an opportunity that an actor creates: 10 + 2 against 9."""
    given = {**SKILL, "difficulty": 9, "sign": sign, **params}
    cmd = {"t": "RollCheck", "check": "opportunity", "actors": [actor], "params": given, "action": action, "mode": mode}
    evening.do(cmd, by, (10,))
    return f"{getattr(evening, 'evening', evening).state.seq}.1"


def seize(opportunity, actor="friend", **more):
    return {**ROLL, "actors": [actor], "opportunities": [opportunity], **more}


def standing(evening, user="olga"):
    return [msgspec.json.decode(value) for key, value in evening.shown(user).items() if key.startswith("opportunity/")]


def line(placed):
    """The line of the account that the opportunity is."""
    (rolled,) = named(placed, "CheckRolled")
    return [(each.sign, each.counted, each.why) for each in rolled.sources if each.kind == "opportunity"], rolled.result.net


# --- it waits -----------------------------------------------------------------------------------------------------
def test_d21_an_opportunity_for_nobody_in_particular_waits_for_everybody_to_see():
    evening = table()
    screens = Screens(evening)
    check = create(screens, action="Over the wall")
    waits = {"id": check, "label": "Over the wall", "sign": "boon", "by": "hero", "name": "hero", "side": None}
    assert standing(evening) == [waits]
    create(screens, sign="negative", actor="foe", by="gina")
    assert [(each["sign"], each["by"], each["label"]) for each in standing(evening)][1:] == [("bane", "foe", "Opportunity")]


def test_d21_one_that_fails_gives_nothing_and_one_for_somebody_named_is_his_grant():
    evening = table()
    given = {**SKILL, "difficulty": 14}
    evening.do({"t": "RollCheck", "check": "opportunity", "actors": ["hero"], "params": given}, "pia", (10,))
    create(evening, to="friend")
    assert standing(evening) == []
    assert [grant.expiry.when for grant in evening.state.actors["friend"].grants] == ["next_roll"]


@pytest.mark.rule("D-21")
def test_d21_whoever_uses_it_has_one_chance_more_once():
    evening = table()
    screens = Screens(evening)
    check = create(screens)
    placed = screens.do(seize(check), "quin", (3, 8))
    assert line(placed) == ([("boon", True, "counts")], 1)
    assert [(each.opportunity, each.check) for each in named(placed, "OpportunityUsed", "all")] == [
        (check, f"{evening.state.seq}.1")
    ]
    assert standing(evening) == []
    assert refused(evening, seize(check, "guide")) == "opportunity.unknown"


def test_d21_the_preview_counts_it():
    evening = table()
    check = create(evening)
    ((row,),) = (msgspec.json.decode(evening.previewed(seize(check), "quin")),)
    assert (row["net"], row["odds"]["success"]) == (1, "3/4")  # 7 or more on one of two: 1 - 1/4
    assert standing(evening) != []


@pytest.mark.rule("X-D11")
def test_xd11_several_on_one_roll_each_add_a_chance():
    evening = table()
    checks = [create(evening), create(evening), create(evening, sign="negative", actor="foe", by="gina")]
    placed = evening.do({**seize(checks[0]), "opportunities": checks}, "quin", (3, 8))
    assert line(placed)[1] == 1
    assert standing(evening) == []


def test_only_the_first_of_several_who_roll_together_has_it():
    evening = table()
    check = create(evening)
    roll = {**ROLL, "actors": ["friend", "guide"], "opportunities": [check]}
    rows = msgspec.json.decode(evening.previewed(roll, "gina"))
    assert [row["net"] for row in rows] == [1, 0]
    placed = evening.do(roll, "gina", (3, 8, 8))
    assert [each.result.net for each in named(placed, "CheckRolled")] == [1, 0]
    assert len(named(placed, "OpportunityUsed")) == 1


# --- for whom -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sign", "creator", "actor", "by", "good"),
    [
        ("positive", "hero", "friend", "quin", True),
        ("positive", "hero", "hero", "pia", True),  # for themselves or their allies (D-20)
        ("positive", "hero", "foe", "gina", False),
        ("positive", "foe", "hero", "pia", False),
        ("positive", "foe", "hero", "gina", False),
        ("negative", "hero", "foe", "gina", True),
        ("negative", "foe", "hero", "pia", True),
        ("negative", "hero", "friend", "quin", False),
        ("negative", "hero", "hero", "pia", False),
        ("negative", "hero", "friend", "gina", True),  # a GM says who is affected
    ],
)
@pytest.mark.rule("D-21")
def test_d21_a_positive_one_is_for_allies_and_a_negative_one_for_others(sign, creator, actor, by, good):
    evening = table()
    check = create(evening, sign=sign, actor=creator, by="gina")
    cmd = seize(check, actor)
    if good:
        evening.do(cmd, by, (3, 8))
        assert standing(evening) == []
    else:
        assert refused(evening, cmd, by) == "opportunity.not_for_you"
        assert evening.previewed(cmd, by)[0] == "opportunity.not_for_you"


@pytest.mark.rule("D-20")
def test_d20_whether_its_creator_may_use_it_is_an_option():
    evening = table(opportunity_self=False)
    check = create(evening)
    assert refused(evening, seize(check, "hero"), "pia") == "opportunity.not_for_you"
    evening.do(seize(check), "quin", (3, 8))


def test_what_is_none_or_named_twice_is_refused():
    evening = table()
    check = create(evening)
    assert refused(evening, seize("1.1"), "quin") == "opportunity.unknown"
    assert refused(evening, {**seize(check), "opportunities": [check, check]}, "quin") == "roll.bad_parameter"


@pytest.mark.parametrize("mode", ["gm", "secret"])
def test_nothing_hidden_uses_what_others_could_still_use(mode):
    evening = table()
    check = create(evening)
    placed = evening.do(seize(check, mode=mode), "quin", (8,))
    assert line(placed) == ([("boon", False, "open_rolls_only")], 0)
    assert not named(placed, "OpportunityUsed")
    assert [each["id"] for each in standing(evening)] == [check]


def test_an_answer_to_a_request_uses_it_too():
    evening = table()
    check = create(evening)
    request = ask(evening)
    placed = evening.do(answer(request, "friend", opportunities=[check]), "quin", (3, 8))
    assert line(placed) == ([("boon", True, "counts")], 1)
    assert standing(evening) == []


def test_an_opportunity_that_nobody_saw_being_created_does_not_stand_until_it_is_settled():
    evening = table()
    check = create(evening, mode="gm")
    assert standing(evening, "gina") == []
    evening.do({"t": "Reveal", "check": check})
    assert [each["id"] for each in standing(evening)] == [check]


# --- and how it ends ----------------------------------------------------------------------------------------------
def test_it_passes_when_a_gm_or_its_creator_says_so():
    evening = table()
    screens = Screens(evening)
    first, second = create(screens), create(screens)
    drop = {"t": "DropOpportunity", "opportunity": first}
    assert refused(evening, drop, "quin") == "actor.not_yours"
    assert refused(evening, drop, "olga") == "role.forbidden"
    screens.do(drop, "pia")
    screens.do({**drop, "opportunity": second}, "gina")
    assert standing(evening) == []
    assert refused(evening, drop) == "opportunity.unknown"


def test_it_passes_when_its_creator_leaves_the_table():
    evening = table()
    screens = Screens(evening)
    check = create(screens)
    kept = create(screens, actor="friend", by="quin")
    placed = screens.do({"t": "RemoveActor", "actor": "hero"})
    assert [each.opportunity for each in named(placed, "OpportunityDropped", "all")] == [check]
    assert [each["id"] for each in standing(evening)] == [kept]


def test_at_most_32_wait_and_one_has_to_be_used_before_another():
    evening = table()
    checks = [create(evening) for _ in range(32)]
    cmd = {"t": "RollCheck", "check": "opportunity", "actors": ["hero"], "params": {**SKILL, "difficulty": 9}}
    for by in ("pia", "gina"):
        assert refused(evening, cmd, by) == "opportunity.limit"
        assert evening.previewed(cmd, by)[0] == "opportunity.limit"
    create(evening, to="friend")  # that one does not wait
    evening.do(seize(checks[4]), "quin", (3, 8, 8))
    checks.append(create(evening))
    assert [each["id"] for each in standing(evening)] == [*checks[:4], *checks[5:]]


# --- resistance ---------------------------------------------------------------------------------------------------
def resist(actor, skill="skill.climb"):
    return {"t": "Act", "verb": "offer_resistance", "args": {"actor": actor, "skill": skill}}


def against(actor, *, by_skill="skill.climb", roller="hero", **more):
    return {**ROLL, "actors": [roller], "targets": [actor], "params": {**SKILL, "resist": by_skill}, **more}


def offered(evening, user="olga"):
    return {key: msgspec.json.decode(value) for key, value in evening.shown(user).items() if key.startswith("resistance/")}


@pytest.mark.rule("D-22")
def test_d22_whoever_resists_sets_a_difficulty_without_dice_and_it_goes_with_the_roll():
    evening = table()
    screens = Screens(evening)
    screens.do(resist("friend"), "quin")
    assert offered(evening) == {"resistance/friend": {"actor": "friend", "skill": "skill.climb", "difficulty": 7 + 2}}
    screens.do(against("friend", mode="gm", roller="foe"), "gina", (8,))  # nothing hidden takes it away
    assert offered(evening)
    screens.do(ROLL, "pia", (8,))  # another roll
    assert offered(evening)
    placed = screens.do(against("friend", roller="foe"), "gina", (8,))
    assert named(placed, "CheckRolled")[0].result.success  # 8 + 2 reaches 9
    assert offered(evening) == {}


def test_d22_who_resists_with_numbers_that_are_hidden_is_for_gms():
    evening = table()
    screens = Screens(evening)
    assert {part for part, _ in screens.do(resist("foe"))} == {"gm"}
    assert (offered(evening), len(offered(evening, "gina"))) == ({}, 1)
    screens.do({"t": "SyncActor", "actor": "foe", "name": "Somebody else"})
    assert offered(evening) == {}
    screens.do({"t": "SetOptions", "options": {"show_targets": True}})
    assert len(offered(evening)) == 1
    screens.do({"t": "SetOptions", "options": {"show_targets": False}})
    assert offered(evening) == {}
    screens.do({"t": "SyncActor", "actor": "foe", "side": "party"})
    assert len(offered(evening)) == 1
    screens.do({"t": "SyncActor", "actor": "foe", "side": "opposition"})
    screens.do(against("foe"), "pia", (8,))
    assert offered(evening, "gina") == {}


def test_d22_what_is_told_of_a_roll_is_the_same_whether_somebody_resists_or_not():
    told = []
    for resisting in (True, False):
        evening = table()
        if resisting:
            evening.do(resist("foe"))
        else:
            evening.skip("gina")
        heard = [evening.tried(against("foe"), "pia", (8,)), evening.shown("pia")]
        heard.append(evening.tried({"t": "SyncActor", "actor": "foe", "name": "Fred"}, "gina", hears="pia"))
        told.append(heard)
    assert told[0] == told[1]


def test_d22_a_request_is_rolled_against_who_resists():
    evening = table()
    evening.do(resist("foe"))
    checks = [{"check": "skill", "params": {"resist": "skill.talk"}}]
    request = ask(evening, checks=checks, target="foe", actors=["hero"])
    (rolled,) = named(evening.do(answer(request), "pia", (9,)), "CheckRolled")
    assert (rolled.rolled.target, rolled.result.success) == (None, True)  # 9 + 2 against 7 + 4
    assert named(evening.last.placed, "TargetFixed", "gm")[0].target == 11
    assert offered(evening, "gina") == {}


def test_resistance_leaves_the_table_with_its_actor():
    evening = table()
    screens = Screens(evening)
    screens.do(resist("friend"), "quin")
    screens.do({"t": "RemoveActor", "actor": "friend"})
    assert offered(evening, "gina") == {}
    screens.do({"t": "SyncActor", "actor": "friend", "name": "Another"})
    assert offered(evening, "gina") == {}


@pytest.mark.parametrize("again", [False, True])
def test_d22_what_is_taken_back_tells_no_more_of_who_resists_than_was_told_before(again):
    told = []
    for difficulty in (2, 4):  # the skill of the foe: 2 and 4
        evening = table()
        sheet = {"values": [{"key": "skill.climb", "value": 2}, {"key": "skill.talk", "value": difficulty}]}
        evening.do({"t": "SyncActor", "actor": "foe", "numbers": sheet})
        evening.do(resist("foe", "skill.talk"))
        evening.do(against("foe", by_skill="skill.talk"), "pia", (12,))
        check = f"{evening.state.seq}.1"
        if again:  # then it does not stand again
            evening.do(against("foe", by_skill="skill.talk"), "pia", (12,))
        heard = [
            evening.tried({"t": "Void", "what": f"check/{check}", "confirm": True}, "gina", hears="pia"),
            evening.shown("pia"),
        ]
        told.append(heard)
        assert len(offered(evening, "gina")) == (not again)
        assert b"esistance" not in b"".join(heard[0][1][0])
    assert told[0] == told[1]
