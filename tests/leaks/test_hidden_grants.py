"""Boons and Banes that only GMs know of: where they count, what becomes of them, and that nobody else can tell.

Expected values are counted by hand: a Bane is one die more in each of the four games, and in the mine one from the total.
"""

import pytest

from boonbridge.core import entries
from boonbridge.core.foreseeing import foresee
from boonbridge.core.preview import preview
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits
from tests.leaks.test_shadows import CHECKS, OPTIONS, SHEETS
from tests.support.evening import ROLES, Evening, command

DICE = {"rank_ability": 2, "public_d20": 1, "sage_d20": 1, "group_d12": 1, "deep_mine": 1}
"""So many fall without any Boon or Bane."""
ONE_MORE = {game: game != "deep_mine" for game in DICE}
FACES = (3,) * 12
OUTSIDERS = ("pia", "quin", "olga")
CURSE = {"id": "curse", "label": "Curse"}
LIMITS = Limits()


def table(game, **options):
    """``foe`` is of no party, so that every game takes every roll of it; Pia plays it."""
    evening = Evening(game, **OPTIONS.get(game, {}), **options)
    for actor, side, owners in (("hero", "party", ["pia"]), ("foe", "opposition", ["pia"]), ("ogre", "opposition", [])):
        numbers = {"values": SHEETS[game]}
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers})
    return evening


def grant(actor="foe", *, hidden=True, sign="bane", when="none", source=CURSE, whose=None, **more):
    expiry = {"when": when, "actor": whose} if whose else {"when": when}
    return {"t": "Grant", "actors": [actor], "sign": sign, "source": source, "expiry": expiry, "hidden": hidden, **more}


def roll(game, mode, actor="foe", **more):
    return {"t": "RollCheck", "actors": [actor], "mode": mode, **CHECKS[game], **more}


def of(placed, *names):
    return [(part, event) for part, event in placed if type(event).__name__ in names]


def rolled(placed):
    ((_, event),) = of(placed, "CheckRolled")
    return event


def parts(placed):
    return [(part, type(event).__name__) for part, event in placed]


def names(placed, part):
    return [type(event).__name__ for each, event in placed if each == part]


def grants(evening, actor="foe"):
    return [(each.source.id, each.hidden) for each in evening.state.actors[actor].grants]


def refused(evening, cmd, by="gina", faces=FACES):
    with pytest.raises(Refusal) as no:
        evening.do(cmd, by, faces)
    return str(no.value.code)


def nothing_for_others(evening, placed, before, by="gina"):
    for user in OUTSIDERS:
        assert evening.told(placed, by, evening.viewer(user)) == ([], [])
        assert evening.shown(user) == before[user]


def as_seen(evening):
    return {user: evening.shown(user) for user in ROLES}


# --- who knows -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", sorted(CHECKS))
def test_what_becomes_of_it_is_told_to_gms_alone(game):
    evening = table(game)
    before = as_seen(evening)
    given = evening.do(grant())
    assert parts(given) == [("gm", "Granted")]
    assert evening.last.command_part == "gm"
    nothing_for_others(evening, given, before)
    for user in ("gina", "gwen"):
        assert b"curse" in evening.shown(user)["grants/foe"]
    taken = evening.do({"t": "RevokeGrant", "grant": given[0][1].grant.id})
    assert parts(taken) == [("gm", "GrantRevoked")]
    assert evening.last.command_part == "gm"
    nothing_for_others(evening, taken, before)
    assert evening.shown("gina") == before["gina"]


def test_beside_it_others_are_shown_what_everybody_may_know():
    evening, plain = table("sage_d20"), table("sage_d20")
    evening.do(grant())
    plain.skip("gina")
    for each in (evening, plain):
        each.do(grant(hidden=False, source={"id": "rope", "label": "Rope"}))
    for user in OUTSIDERS:
        assert evening.shown(user) == plain.shown(user)
        assert b"rope" in evening.shown(user)["grants/foe"]
    assert grants(evening) == [("curse", True), ("rope", False)]
    assert entries.seen_by(evening.state, ["grants/foe"]) == "role"
    assert entries.seen_by(plain.state, ["grants/foe"]) == "all"


def test_the_same_one_stands_once_among_gms_and_once_before_all():
    evening = table("sage_d20")
    evening.do(grant())
    assert evening.do(grant()) == ()
    evening.do(grant(hidden=False))
    assert evening.do(grant(hidden=False)) == ()
    assert grants(evening) == [("curse", True), ("curse", False)]
    line = {each.hidden: each.why for each in rolled(evening.do(roll("sage_d20", "secret"), faces=FACES)).sources}
    assert line == {True: "counts", False: "same_source"}  # one source counts once (C-12)


def test_an_actor_has_room_for_as_many_of_either_kind():
    evening = table("sage_d20")
    for hidden in (True, False):
        for nth in range(LIMITS.grants_per_actor):
            evening.do(grant(hidden=hidden, source={"id": f"s{nth}", "label": "x"}))
        assert refused(evening, grant(hidden=hidden)) == "grant.limit"


def test_a_record_is_not_made_for_it_or_everybody_would_know_whom_it_is_about():
    evening = table("sage_d20")
    for cmd in (grant("ogre.token.t1"), grant(when="turn_end", whose="ogre.token.t1")):
        assert refused(evening, cmd) == "actor.unknown"
    assert "ogre.token.t1" not in evening.state.actors


# --- where it counts -------------------------------------------------------------------------------------------
HOW = [
    ("public", "gina", False),
    ("public", "pia", False),
    ("gm", "gina", True),
    ("gm", "pia", False),
    ("blind", "gina", True),
    ("blind", "pia", True),
    ("secret", "gina", True),
    ("secret", "pia", True),
    ("self", "gina", False),
    ("self", "pia", False),
]


@pytest.mark.parametrize("game", sorted(CHECKS))
@pytest.mark.parametrize(("mode", "by", "counts"), HOW)
def test_it_counts_where_gms_alone_read_the_roll(game, mode, by, counts):
    if game == "group_d12" and mode == "self":
        return  # that game knows no roll for oneself
    evening, plain = table(game), table(game)
    evening.do(grant())
    plain.skip("gina")
    event, without = (rolled(each.do(roll(game, mode), by, FACES)) for each in (evening, plain))
    if not counts:
        assert event == without
        return
    (line,) = event.sources
    assert (line.id, line.sign, line.counted, line.why, line.hidden) == ("curse", "bane", True, "counts", True)
    assert (event.result.net, event.result.banes, without.result.net) == (-1, 1, 0)
    assert len(event.result.dice) == DICE[game] + ONE_MORE[game]


@pytest.mark.parametrize("game", sorted(CHECKS))
def test_the_dialog_of_a_gm_lists_it_where_it_does_not_count(game):
    evening = table(game)
    evening.do(grant())
    (row,) = preview(evening.state, command(roll(game, "public")), evening.viewer("gina"))
    (line,) = row.sources
    assert (line.hidden, line.applies, line.counted, line.why) == (True, True, False, "hidden_rolls_only")
    assert (row.net, sum(die.count for die in row.dice)) == (0, DICE[game])
    (row,) = preview(evening.state, command(roll(game, "secret")), evening.viewer("gina"))
    assert (row.net, sum(die.count for die in row.dice)) == (-1, DICE[game] + ONE_MORE[game])


def test_what_does_not_fit_the_roll_is_listed_in_the_dialog_and_is_in_no_roll():
    evening = table("sage_d20")
    evening.do(grant(scope={"checks": ["luck"]}))
    (row,) = preview(evening.state, command(roll("sage_d20", "public")), evening.viewer("gina"))
    assert [(line.applies, line.why) for line in row.sources] == [(False, "not_this_check")]
    assert rolled(evening.do(roll("sage_d20", "secret"), faces=FACES)).sources == ()


@pytest.mark.parametrize("game", sorted(CHECKS))
@pytest.mark.parametrize("mode", ["public", "gm", "blind", "secret"])
def test_the_dialog_of_a_player_knows_nothing_of_it(game, mode):
    evening, plain = table(game), table(game)
    evening.do(grant())
    plain.skip("gina")
    assert evening.previewed(roll(game, mode), "pia") == plain.previewed(roll(game, mode), "pia")


def test_in_the_dialog_it_changes_nothing_of_what_counts():
    """In one game a line of that name keeps another from being offered (A-29)."""
    evening, plain = table("rank_ability"), table("rank_ability")
    for each in (evening, plain):
        each.do({"t": "SetCondition", "actors": ["foe"], "condition": "exhausted"})
    evening.do(grant(source={"id": "exhausted", "label": "Exhausted"}))
    there, here = (
        preview(each.state, command(roll("rank_ability", "public")), each.viewer("gina"))[0].sources for each in (plain, evening)
    )
    assert [line.why for line in there] == ["offered"]
    assert here[:-1] == there
    assert here[-1].why == "hidden_rolls_only"


# --- a player's blind roll -------------------------------------------------------------------------------------
MANY = ("group_d12", "public_d20", "sage_d20")
"""Games where a hundred Banes are a hundred dice, more than any roll may have."""


@pytest.mark.parametrize("game", MANY)
def test_a_player_is_not_refused_for_dice_he_does_not_know_of(game):
    evening = table(game)
    evening.do(grant(amount=100, when="next_roll"))
    assert refused(evening, roll(game, "blind")) == "roll.too_many_dice"
    placed = evening.do(roll(game, "blind"), "pia", FACES)
    event = rolled(placed)
    assert [(line.counted, line.why, line.hidden) for line in event.sources] == [(False, "too_many", True)]
    assert (event.result.net, len(event.result.dice)) == (0, DICE[game])
    assert not of(placed, "GrantSpent"), "it was rolled without"
    assert grants(evening) == [("curse", True)]


@pytest.mark.parametrize("game", MANY)
def test_a_player_is_refused_although_what_he_does_not_know_of_would_make_room(game):
    evening = table(game)
    evening.do(grant(amount=100))
    lucky = [{"id": "luck", "label": "Luck", "sign": "boon", "amount": 100}]
    assert refused(evening, roll(game, "blind", sources=lucky), "pia") == "roll.too_many_dice"
    event = rolled(evening.do(roll(game, "blind", sources=lucky), "gina", FACES))
    assert event.result.net == 0  # a GM sees that they cancel


def test_a_player_has_room_for_sources_as_if_there_were_no_others():
    evening = table("sage_d20")
    evening.do(grant())
    most = [{"id": f"s{nth}", "label": "x", "sign": "boon" if nth % 2 else "bane"} for nth in range(LIMITS.sources_per_check)]
    assert refused(evening, roll("sage_d20", "blind", sources=most)) == "roll.too_many_sources"
    event = rolled(evening.do(roll("sage_d20", "blind", sources=most), "pia", FACES))
    assert [line.why for line in event.sources if line.hidden] == ["too_many"]
    (row,) = preview(evening.state, command(roll("sage_d20", "public", sources=most)), evening.viewer("gina"))
    assert [line.why for line in row.sources if line.hidden] == ["hidden_rolls_only"], "a dialog has room as the roll has"


@pytest.mark.parametrize("game", sorted(DICE))
def test_dice_of_a_hand_are_as_many_as_their_player_knew_of(game):
    evening, plain = table(game, manual_dice=True), table(game, manual_dice=True)
    evening.do(grant())
    plain.skip("gina")
    for faces in ([], [3] * DICE[game], [3] * (DICE[game] + 1)):
        told = [each.tried(roll(game, "blind", faces=faces), "pia") for each in (evening, plain)]
        assert told[0] == told[1]
        assert (told[0][0] == "done") == (len(faces) == DICE[game])


def test_foreseeing_a_blind_roll_a_player_is_answered_alike():
    evening, plain = table("sage_d20"), table("sage_d20")
    evening.do(grant())
    plain.skip("gina")
    lucky = [{"id": "luck", "label": "Luck", "sign": "boon", "amount": 100}]
    for cmd in (roll("sage_d20", "blind"), roll("sage_d20", "blind", actors=["hero", "foe"], sources=lucky)):
        told = []
        for each in (evening, plain):
            with pytest.raises(Refusal) as no:
                foresee(each.state, command(cmd), each.viewer("pia"), 99)
            told.append((no.value.code, no.value.message, no.value.values))
        assert told[0] == told[1]


# --- used up ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", sorted(CHECKS))
@pytest.mark.parametrize(("mode", "by", "counts"), [how for how in HOW if how[0] != "self"])
def test_one_use_goes_with_the_first_roll_on_which_it_counts(game, mode, by, counts):
    evening = table(game)
    evening.do(grant(when="next_roll"))
    placed = evening.do(roll(game, mode), by, FACES)
    spent = [(part, event.check) for part, event in of(placed, "GrantSpent")]
    assert spent == ([("gm", rolled(placed).rolled.check)] if counts else [])
    assert grants(evening) == ([] if counts else [("curse", True)])


def test_a_roll_among_gms_uses_up_nothing_that_others_could_still_use():
    evening = table("sage_d20")
    evening.do(grant(when="next_roll"))
    evening.do(grant(when="next_roll", hidden=False, source={"id": "rope", "label": "Rope"}))
    placed = evening.do(roll("sage_d20", "secret"), faces=FACES)
    assert {line.id: line.why for line in rolled(placed).sources} == {"curse": "counts", "rope": "open_rolls_only"}
    assert grants(evening) == [("rope", False)]


def test_a_clock_of_rolls_against_its_bearer_runs_among_gms():
    swing = {"check": "against", "params": {"attribute": "agility", "against": "defense"}, "targets": ["ogre"]}
    evening = table("sage_d20")
    evening.do(grant("ogre", when="next_roll_against", scope={"side": "against"}))
    evening.do({**roll("sage_d20", "public"), **swing}, "pia", FACES)
    assert grants(evening, "ogre") == [("curse", True)]
    event = rolled(evening.do({**roll("sage_d20", "secret"), **swing}, "gina", FACES))
    assert event.result.net == -1
    assert grants(evening, "ogre") == []


def test_of_several_rolls_at_once_the_first_has_it():
    evening = table("sage_d20")
    evening.do({**grant(when="next_roll_against", scope={"side": "against"}), "actors": ["ogre"]})
    swing = {"check": "against", "params": {"attribute": "agility", "against": "defense"}, "targets": ["ogre"]}
    placed = evening.do({**roll("sage_d20", "secret"), **swing, "actors": ["hero", "foe"]}, "gina", FACES)
    assert [event.result.net for _, event in of(placed, "CheckRolled")] == [-1, 0]  # T-31


# --- clocks ----------------------------------------------------------------------------------------------------
STRIKES = [
    ({"when": "turn_start"}, {"t": "StartTurn", "actor": "foe"}, "pia", ["TurnStarted"]),
    ({"when": "turn_end"}, {"t": "EndTurn", "actor": "foe"}, "pia", ["TurnEnded"]),
    ({"when": "turn_end", "whose": "ogre"}, {"t": "EndTurn", "actor": "ogre"}, "gina", ["TurnEnded"]),
    ({"when": "turn_end", "whose": "ogre"}, {"t": "RemoveActor", "actor": "ogre"}, "gina", ["ActorRemoved"]),
    ({"when": "round_end"}, {"t": "EndRound"}, "gina", ["RoundEnded"]),
    ({"when": "combat_end"}, {"t": "EndCombat"}, "gina", ["CombatEnded"]),
    ({"when": "turn_end"}, {"t": "EndCombat"}, "gina", ["CombatEnded"]),
    ({"when": "session_end"}, {"t": "EndSession"}, "gina", ["SessionEnded"]),
]


@pytest.mark.parametrize(("clock", "strikes", "by", "public"), STRIKES)
def test_it_ends_among_gms_whoever_makes_its_clock_strike(clock, strikes, by, public):
    evening, plain = table("sage_d20"), table("sage_d20")
    for each in (evening, plain):
        each.do({"t": "StartSession"})
    evening.do(grant(**clock))
    plain.skip("gina")
    placed, without = (each.do(strikes, by) for each in (evening, plain))
    assert names(placed, "all") == names(without, "all") == public
    assert names(placed, "gm") == ["GrantExpired"]
    assert names(without, "gm") == []
    for user in OUTSIDERS:
        assert evening.told(placed, by, evening.viewer(user)) == plain.told(without, by, plain.viewer(user))
        assert evening.shown(user) == plain.shown(user)
    assert grants(evening) == []


def test_the_end_of_a_fight_nobody_heard_of_is_not_told_because_something_hidden_ends():
    evening, plain = table("sage_d20"), table("sage_d20")
    evening.do(grant(when="round_end"))
    plain.skip("gina")
    end = {"t": "EndCombat", "combat": "east"}
    assert plain.do(end) == ()
    placed = evening.do(end)
    assert parts(placed) == [("gm", "GrantExpired")]
    assert evening.last.command_part == "gm"


def test_however_many_end_with_it_a_players_turn_ends():
    evening = Evening("deep_mine")
    for nth in range(60):
        actor = {"t": "SyncActor", "actor": f"a{nth}", "name": "x", "side": "party", "owners": ["pia"]}
        evening.do(actor)
    everybody = [f"a{nth}" for nth in range(60)]
    for nth in range(40):
        source = {"id": f"s{nth}", "label": "x"}
        evening.do({**grant(when="turn_end", whose="a0", source=source), "actors": everybody})
    placed = evening.do({"t": "EndTurn", "actor": "a0"}, "pia")
    assert names(placed, "all") == ["TurnEnded"]
    left = sum(len(actor.grants) for actor in evening.state.actors.values())
    assert 0 < left < 2400, "what there is no room for waits for the next turn"
    evening.do({"t": "EndTurn", "actor": "a0"}, "pia")
    assert not any(actor.grants for actor in evening.state.actors.values())


# --- shown -----------------------------------------------------------------------------------------------------
def test_shown_it_is_given_anew_before_all_and_counts_like_any_other():
    evening = table("sage_d20")
    (_, given), *_ = evening.do(grant(note="Since the altar"))
    placed = evening.do({"t": "RevealGrant", "grant": given.grant.id})
    assert parts(placed) == [("all", "Granted"), ("gm", "GrantRevoked")]
    assert evening.last.command_part == "gm"
    shown = placed[0][1].grant
    assert (shown.id, shown.hidden, shown.by, shown.note) == (f"{evening.state.seq}.1", False, "gina", "Since the altar")
    assert placed[1][1].grant == given.grant.id
    assert grants(evening) == [("curse", False)]
    assert rolled(evening.do(roll("sage_d20", "public"), "pia", FACES)).result.net == -1
    voided = evening.do({"t": "Void", "what": f"grant/{shown.id}", "confirm": True})
    assert parts(voided) == [("all", "Voided")]
    assert grants(evening) == []


def test_taking_back_what_was_shown_since_is_told_to_those_who_know_of_it():
    evening = table("sage_d20")
    (_, given), *_ = evening.do(grant())
    evening.do({"t": "RevealGrant", "grant": given.grant.id})
    placed = evening.do({"t": "Void", "what": f"grant/{given.grant.id}"})
    assert [(part, type(event).__name__, len(event.effects)) for part, event in placed] == [
        ("all", "Settled", 1),
        ("gm", "Voided", 0),
    ]
    assert grants(evening) == []


def test_what_stands_before_all_already_is_not_shown_twice():
    evening = table("sage_d20")
    (_, given), *_ = evening.do(grant())
    evening.do(grant(hidden=False))
    before = as_seen(evening)
    placed = evening.do({"t": "RevealGrant", "grant": given.grant.id})
    assert parts(placed) == [("gm", "GrantRevoked")]
    nothing_for_others(evening, placed, before)
    assert grants(evening) == [("curse", False)]


def test_only_what_is_hidden_can_be_shown_and_only_where_there_is_room():
    evening = table("sage_d20")
    (_, public), *_ = evening.do(grant(hidden=False))
    for id in (public.grant.id, "999.1"):
        assert refused(evening, {"t": "RevealGrant", "grant": id}) == "grant.unknown"
    for nth in range(LIMITS.grants_per_actor - 1):
        evening.do(grant(hidden=False, source={"id": f"s{nth}", "label": "x"}))
    (_, given), *_ = evening.do(grant(source={"id": "other", "label": "x"}))
    assert refused(evening, {"t": "RevealGrant", "grant": given.grant.id}) == "grant.limit"


def test_a_roll_on_which_it_counted_says_so_when_it_is_shown_and_a_gm_is_told_before():
    evening = table("sage_d20")
    evening.do(grant(scope={"attributes": ["agility"]}))
    evening.do(grant(source={"id": "elsewhere", "label": "Elsewhere"}, scope={"checks": ["luck"]}))
    check = rolled(evening.do(roll("sage_d20", "secret"), faces=FACES)).rolled.check
    show = {"t": "Reveal", "check": check}
    (ahead,) = foresee(evening.state, command(show), evening.viewer("gina"), 99)
    assert [(line.id, line.hidden, line.counted) for line in ahead.sources] == [("curse", True, True)]
    ((part, shown),) = evening.do(show)
    assert part == "all"
    assert shown.sources == ahead.sources


# --- taken back ------------------------------------------------------------------------------------------------
def test_taken_back_by_its_id_it_is_taken_back_among_gms():
    evening = table("sage_d20")
    (_, given), *_ = evening.do(grant())
    before = as_seen(evening)
    placed = evening.do({"t": "Void", "what": f"grant/{given.grant.id}"})
    assert parts(placed) == [("gm", "Voided")]
    assert evening.last.command_part == "gm"
    assert [type(effect).__name__ for effect in placed[0][1].effects] == ["GrantTaken"]
    nothing_for_others(evening, placed, before)
    assert grants(evening) == []


@pytest.mark.parametrize(("mode", "by"), [("gm", "gina"), ("blind", "pia"), ("secret", "gina")])
def test_it_comes_back_among_gms_with_the_roll_that_used_it(mode, by):
    evening = table("sage_d20")
    evening.do(grant(when="next_roll"))
    check = rolled(evening.do(roll("sage_d20", mode), by, FACES)).rolled.check
    before = as_seen(evening)
    placed = evening.do({"t": "Void", "what": f"check/{check}"})
    assert {part for part, _ in placed} <= {"gm", "roller_gm"}
    ((part, put),) = [(part, effect) for part, event in placed for effect in event.effects]
    assert (part, type(put).__name__, put.grant.hidden) == ("gm", "GrantPut", True)
    nothing_for_others(evening, placed, before)
    assert grants(evening) == [("curse", True)]


def test_it_comes_back_among_gms_also_with_a_roll_that_was_shown():
    evening = table("sage_d20")
    evening.do(grant(when="next_roll"))
    check = rolled(evening.do(roll("sage_d20", "secret"), faces=FACES)).rolled.check
    evening.do({"t": "Reveal", "check": check})
    placed = evening.do({"t": "Void", "what": f"check/{check}"})
    assert [(part, [type(effect).__name__ for effect in event.effects]) for part, event in placed] == [
        ("all", []),
        ("gm", ["GrantPut"]),
    ]
    assert grants(evening) == [("curse", True)]


def test_it_does_not_come_back_where_another_roll_among_gms_would_have_used_it():
    evening = table("sage_d20")
    evening.do(grant(when="next_roll"))
    first = rolled(evening.do(roll("sage_d20", "secret"), faces=FACES)).rolled.check
    evening.do(roll("sage_d20", "gm"), "pia", FACES)  # it does not count there
    evening.do(roll("sage_d20", "public"), "pia", FACES)
    state = evening.state
    assert parts(evening.do({"t": "Void", "what": f"check/{first}"})) == [("gm", "Voided")]
    assert grants(evening) == [("curse", True)]
    evening.state = state
    evening.do(roll("sage_d20", "blind"), "pia", FACES)
    assert refused(evening, {"t": "Void", "what": f"check/{first}"}) == "correction.used"
    placed = evening.do({"t": "Void", "what": f"check/{first}", "confirm": True})
    assert [(part, [left.why for left in event.left]) for part, event in placed] == [("gm", ["rolled_since"])]
    assert grants(evening) == []


def test_used_by_a_roll_it_is_listed_when_it_is_taken_back():
    evening = table("sage_d20")
    (_, given), *_ = evening.do(grant(when="next_roll"))
    evening.do(roll("sage_d20", "blind"), "pia", FACES)
    void = {"t": "Void", "what": f"grant/{given.grant.id}"}
    assert refused(evening, void) == "correction.used"
    placed = evening.do({**void, "confirm": True})
    assert [(part, [(left.label, left.why) for left in event.left]) for part, event in placed] == [
        ("gm", [("Curse", "used_since")])
    ]


def test_a_public_one_comes_back_whatever_is_hidden():
    evening = table("sage_d20")
    evening.do(grant(hidden=False, when="next_roll"))
    check = rolled(evening.do(roll("sage_d20", "public"), "pia", FACES)).rolled.check
    evening.do(grant(when="next_roll"))
    evening.do(roll("sage_d20", "secret"), faces=FACES)
    evening.do(grant(when="next_roll"))
    placed = evening.do({"t": "Void", "what": f"check/{check}"})
    assert [(part, [type(effect).__name__ for effect in event.effects]) for part, event in placed] == [("all", ["GrantPut"])]
    assert grants(evening) == [("curse", True), ("curse", False)]


def test_help_is_given_whatever_is_hidden():
    evening = table("sage_d20", assist="free")
    helping = {"t": "Assist", "actor": "foe", "helper": "ogre"}
    (_, given), *_ = evening.do(helping)
    record = given.grant
    evening.do({"t": "RevokeGrant", "grant": record.id})
    source = {"id": record.source.id, "label": record.source.label, "kind": "assist", "origin": record.source.origin}
    evening.do(grant(sign="boon", when="next_roll", source=source))
    assert parts(evening.do(helping)) == [("all", "Granted")]


def test_what_is_remembered_of_it_pushes_out_nothing_that_others_know_of():
    evening = table("sage_d20")
    mine = rolled(evening.do(roll("sage_d20", "self"), "pia", FACES)).rolled.check
    (_, public), *_ = evening.do(grant("hero", hidden=False))
    for _ in range(260):  # two deeds each, and no more than five hundred are remembered
        (_, given), *_ = evening.do(grant())
        evening.do({"t": "RevokeGrant", "grant": given.grant.id})
    assert not evening.state.deeds.get("grant/6.1"), "the first of them is forgotten"
    assert parts(evening.do({"t": "Void", "what": f"grant/{public.grant.id}"})) == [("all", "Voided")]
    assert parts(evening.do({"t": "Void", "what": f"check/{mine}"}, "pia")) == [("roller", "Voided")]


def test_a_player_can_do_nothing_with_an_id_he_guessed():
    evening, plain = table("sage_d20"), table("sage_d20")
    (_, given), *_ = evening.do(grant())
    plain.skip("gina")
    id = given.grant.id
    words = [
        {"t": "RevokeGrant", "grant": id},
        {"t": "RevealGrant", "grant": id},
        {"t": "Void", "what": f"grant/{id}"},
        {"t": "Reveal", "check": id},
        {"t": "Choose", "check": id, "choice": "accept"},
        {"t": "AnswerAssist", "assist": id, "accept": False},
        {"t": "DropOpportunity", "opportunity": id},
        roll("sage_d20", "public", off=["curse"]),
    ]
    for user in OUTSIDERS:
        for cmd in words:
            told = [each.tried(cmd, user, FACES) for each in (evening, plain)]
            assert told[0] == told[1]
            assert told[0][0] == "refused"
