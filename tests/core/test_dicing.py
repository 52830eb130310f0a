"""Other dice: who rolls them, who reads them, and what never touches them. Totals by hand."""

import pytest

from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits
from tests.support.evening import Evening

GAMES = ["rank_ability", "public_d20", "sage_d20", "group_d12"]


def table(game="group_d12", **options):
    evening = Evening(game, **options)
    for actor, owners in (("hero", ["pia"]), ("friend", ["quin"]), ("foe", [])):
        evening.do({"t": "SyncActor", "actor": actor, "name": actor.title(), "side": "party", "owners": owners})
    return evening


def roll(formula="2d6+3", **more):
    return {"t": "RollDice", "formula": formula, **more}


def refused(evening, command, by="gina", faces=()):
    with pytest.raises(Refusal) as no:
        evening.do(command, by, faces)
    return no.value


# --- what is rolled ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", GAMES)
def test_dice_of_an_actor(game):
    evening = table(game)
    ((part, rolled),) = evening.do(roll(" 2D6 + 3", actor="hero", label=" Boathook ", kind="damage"), "pia", [5, 2])
    assert part == "all"
    assert (rolled.roll, rolled.actor, rolled.name) == (f"{evening.state.seq}.1", "hero", "Hero")
    assert (rolled.kind, rolled.label, rolled.formula, rolled.bonus, rolled.total) == ("damage", "Boathook", "2d6+3", 3, 10)
    assert [(d.role, d.face, d.kept) for d in rolled.dice] == [("d6", 5, True), ("d6", 2, True)]
    assert (rolled.manual, rolled.auto, rolled.sources, rolled.rule) == (False, False, (), "")


def test_dice_of_nobody_in_particular_are_the_senders():
    ((_, rolled),) = table().do(roll("4d6kh3-1d4"), "pia", [3, 6, 1, 4, 2])
    assert (rolled.actor, rolled.name, rolled.total) == (None, "", 11)
    assert [d.mark for d in rolled.dice] == ["", "", "", "", "minus"]


def test_they_change_nothing_at_the_table():
    evening = table()
    before = evening.shown("gina")
    evening.do(roll(actor="hero"), "pia", [5, 2])
    assert evening.shown("gina") == before


@pytest.mark.parametrize(
    ("command", "by", "code"),
    [
        (roll("2d6**"), "pia", "dice.bad_formula"),
        (roll("101d6"), "pia", "roll.too_many_dice"),
        (roll(actor="nobody"), "pia", "actor.unknown"),
        (roll(actor="friend"), "pia", "actor.not_yours"),
        (roll(actor="foe"), "pia", "actor.not_yours"),
        (roll(), "olga", "role.forbidden"),
    ],
)
def test_what_is_refused(command, by, code):
    assert refused(table(), command, by).code == code


def test_as_many_dice_as_a_roll_may_have():
    assert Limits().dice_per_check == 100
    ((_, rolled),) = table().do(roll("100d2"), "gina", [1] * 100)
    assert rolled.total == 100


def test_a_token_without_a_record_gets_one():
    evening = table()
    placed = evening.do(roll("1d6", actor="hero.token.abc"), "pia", [4])
    assert [type(e).__name__ for _, e in placed] == ["ActorSynced", "DiceRolled"]
    assert placed[1][1].name == "Hero"
    hidden = table()
    placed = hidden.do(roll("1d6", actor="foe.token.abc", mode="secret"), "gina", [4])
    assert [(part, type(e).__name__, e.name) for part, e in placed] == [("gm", "DiceRolled", "Foe")]
    assert "foe.token.abc" not in hidden.state.actors


# --- who reads them ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("mode", "readers"),
    [
        ("public", {"gina", "gwen", "pia", "quin", "olga"}),
        ("gm", {"gina", "gwen", "pia"}),
        ("blind", {"gina", "gwen"}),
        ("secret", {"gina", "gwen"}),
        ("self", {"pia"}),
    ],
)
def test_who_reads_the_dice(mode, readers):
    evening = table("sage_d20")
    placed = evening.do(roll("1d20", actor="hero", mode=mode, label="Listen"), "pia", [17])
    shown = {user for user in ("gina", "gwen", "pia", "quin", "olga") if b'"face":17' in b"".join(told(evening, placed, user))}
    assert shown == readers


def told(evening, placed, user):
    return evening.told(placed, "pia", evening.viewer(user))[0]


def test_blind_dice_say_to_their_roller_that_they_fell_and_nothing_else():
    evening = table("sage_d20")
    placed = evening.do(roll("1d20+2", actor="hero", mode="blind", label="Listen"), "pia", [17])
    (_, rolled), (part, noted) = placed
    assert (part, noted.check, noted.actor, noted.name) == ("roller", rolled.roll, "hero", "Hero")
    assert (noted.kind, noted.action) == ("dice", "Listen")
    assert b"17" not in b"".join(told(evening, placed, "pia"))
    (_, (_, noted)) = evening.do(roll("1d20", mode="blind", kind="damage"), "pia", [17])
    assert (noted.actor, noted.name, noted.kind, noted.action) == ("adhoc.pia", "Dice", "damage", "")


def test_where_dice_are_public_others_are_too():  # B-01
    evening = table("public_d20", dice_public=True)
    assert refused(evening, roll(mode="gm")).code == "roll.mode"
    evening.do(roll(), "gina", [1, 1])


# --- dice on a real table ---------------------------------------------------------------------------------------
def test_dice_by_hand_are_marked_and_draw_nothing():
    evening = table(manual_dice=True)
    ((_, rolled),) = evening.do(roll("2d6+1d8", faces=[6, 1, 8]), "pia")
    assert (rolled.manual, rolled.total) == (True, 15)


@pytest.mark.parametrize(
    ("options", "faces", "code", "values"),
    [
        ({"manual_dice": False}, [1, 2], "faces.not_taken", {}),
        ({"manual_dice": True}, [1], "faces.count", {"given": 1, "needed": 2}),
        ({"manual_dice": True}, [], "faces.count", {"given": 0, "needed": 2}),
        ({"manual_dice": True}, [1, 2, 3], "faces.count", {"given": 3, "needed": 2}),
        ({"manual_dice": True}, [1, 7], "faces.range", {"sides": 6, "face": 7, "nth": 2}),
        ({"manual_dice": True}, [0, 1], "faces.range", {"sides": 6, "face": 0, "nth": 1}),
    ],
)
def test_faces_that_do_not_fit(options, faces, code, values):
    no = refused(table(**options), roll("2d6+3", faces=faces), "pia")
    assert (no.code, no.values) == (code, values)


# --- Boons ------------------------------------------------------------------------------------------------------
BOON = {"id": "sharp", "label": "Sharpened", "sign": "boon"}
BANE = {"id": "wet", "label": "Wet string", "sign": "bane"}


def strike(formula="1d8", *claims, **more):
    return roll(formula, **{"actor": "hero", "kind": "damage", "sources": list(claims), "rule": "Keen edge", **more})


def beams(**options):
    return table("rank_ability", damage_boons="if_rule_says", **options)


@pytest.mark.parametrize("game", GAMES)
def test_boons_do_not_touch_damage(game):  # A-17
    assert refused(table(game), strike("1d8", BOON)).code == "dice.no_boons"
    assert refused(table(game), roll(sources=[BOON])).code == "dice.no_boons"


def test_nor_do_those_that_stand_on_its_actor():
    evening = beams()
    source = {"id": "song", "label": "Song"}
    evening.do({"t": "Grant", "actors": ["hero"], "sign": "boon", "source": source, "expiry": {"when": "next_roll"}})
    ((_, rolled),) = evening.do(roll("1d8", actor="hero", kind="damage"), "pia", [5])
    assert (rolled.total, rolled.sources) == (5, ())
    ((_, rolled),) = evening.do(strike("1d8", BANE), "pia", [5, 3])
    assert [s.id for s in rolled.sources] == ["wet"]
    assert len(evening.state.actors["hero"].grants) == 1


def test_a_rule_may_grant_one():
    ((_, rolled),) = beams().do(strike("1d8+2", BOON), "pia", [3, 7])
    assert [(d.role, d.sides, d.face, d.kept) for d in rolled.dice] == [("d8", 8, 3, False), ("boon", 10, 7, True)]
    assert (rolled.total, rolled.rule) == (9, "Keen edge")
    assert [(s.id, s.counted, s.why, s.by_player) for s in rolled.sources] == [("sharp", True, "counts", True)]


def test_or_a_bane_which_keeps_the_lowest():
    ((_, rolled),) = beams().do(strike("2d6", BANE), "gina", [3, 6, 5])
    assert [(d.role, d.kept) for d in rolled.dice] == [("d6", True), ("d6", False), ("bane", True)]
    assert rolled.total == 8


def test_both_cancel_and_say_so():
    ((_, rolled),) = beams().do(strike("1d8", BOON, BANE), "gina", [3])
    assert (rolled.total, [s.why for s in rolled.sources]) == (3, ["cancels", "cancels"])


def test_a_second_boon_is_one_too_many():  # A-16
    second = {**BOON, "id": "oiled"}
    ((_, rolled),) = beams().do(strike("1d8", BOON, second), "gina", [3, 7])
    assert [s.why for s in rolled.sources] == ["counts", "one_at_most"]


@pytest.mark.parametrize(
    "command",
    [
        strike("1d8", BOON, rule=" "),
        strike("1d8"),
        strike("1d8", BOON, kind="dice"),
        strike("2d8kh1", BOON),
        strike("2d8-1d4", BOON),
    ],
)
def test_where_no_boon_fits(command):
    no = refused(beams(), command)
    assert no.code == "dice.no_boons"
    assert no.message.endswith(".")


def test_the_boon_die_counts_too():
    assert refused(beams(), strike("100d6", BOON)).code == "roll.too_many_dice"
    assert refused(beams(), strike("99d2+9801", BOON)).code == "dice.bad_formula"
    no = refused(beams(manual_dice=True), strike("1d8", BOON, faces=[3]))
    assert no.values == {"given": 1, "needed": 2}


def test_a_player_names_none_where_only_gms_do():
    assert refused(beams(player_sources="gm_only"), strike("1d8", BOON), "pia").code == "roll.sources"
