"""What ends with turns, rounds and fights, and what that sets off. Faces and numbers by hand from the rules."""

import msgspec
import pytest

from boonbridge.core.evolving import MOST_HEARD
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits
from tests.support.evening import Evening

MAUL = {"id": "maul", "name": "Maul", "attribute": "attribute.might"}


def dungeon(**options):
    table = Evening("public_d20", **options)
    numbers = {
        "values": [{"key": "grace", "value": 2}, {"key": "attribute.might", "value": 3}],
        "attacks": [MAUL],
    }
    for actor, side, owners in (
        ("hero", "party", ["pia"]),
        ("friend", "party", ["quin"]),
        ("foe", "opposition", []),
    ):
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers})
    return table


def grant(table, when, whose=None, actor="hero", source="song"):
    expiry = {"when": when, **({"actor": whose} if whose else {})}
    table.do({"t": "Grant", "actors": [actor], "sign": "boon", "source": {"id": source, "label": source}, "expiry": expiry})


def standing(table, actor="hero"):
    return [g.source.id for g in table.state.actors[actor].grants]


def names(placed):
    return [type(event).__name__ for _, event in placed]


def start(actor, **more):
    return {"t": "StartTurn", "actor": actor, **more}


def end(actor, **more):
    return {"t": "EndTurn", "actor": actor, **more}


# --- start and end, of the bearer's turn and of another's ------------------------------------------------------------
@pytest.mark.parametrize(
    ("when", "whose", "ends_with"),
    [
        ("turn_start", "hero", start("hero")),
        ("turn_end", "hero", end("hero")),
        ("turn_start", "foe", start("foe")),
        ("turn_end", "foe", end("foe")),
        ("turn_start", None, start("hero")),
        ("turn_end", None, end("hero")),
        ("round_end", None, {"t": "EndRound"}),
        ("combat_end", None, {"t": "EndCombat"}),
    ],
)
def test_i35_i41_i42_a_clock_strikes_at_its_own_moment_and_at_no_other(when, whose, ends_with):
    moments = [start("hero"), end("hero"), start("foe"), end("foe"), start("friend"), end("friend"), {"t": "EndRound"}]
    for other in moments:
        if other == ends_with:
            continue
        table = dungeon()
        grant(table, when, whose)
        table.do(other)
        assert standing(table) == ["song"], other
    table = dungeon()
    grant(table, when, whose)
    (expired,) = (event for _, event in table.do(ends_with) if type(event).__name__ == "GrantExpired")
    assert (expired.actor, expired.why) == ("hero", when)
    assert standing(table) == []


def test_i38_without_a_duration_it_stays_until_it_is_revoked():
    table = dungeon()
    grant(table, "none")
    for each in (start("hero"), end("hero"), {"t": "EndRound"}, {"t": "EndCombat"}):
        table.do(each)
    assert standing(table) == ["song"]


def test_i40_every_grant_has_its_own_clock():
    table = dungeon()
    grant(table, "turn_start")
    grant(table, "round_end")
    grant(table, "none")
    assert standing(table) == ["song"] * 3
    table.do(start("hero"))
    assert [g.expiry.when for g in table.state.actors["hero"].grants] == ["round_end", "none"]
    table.do({"t": "EndRound"})
    assert [g.expiry.when for g in table.state.actors["hero"].grants] == ["none"]


def test_a_fight_that_is_over_ends_what_waited_for_its_turns():
    table = dungeon()
    for when in ("turn_start", "turn_end", "round_end", "combat_end", "none", "next_roll"):
        grant(table, when, source=when)
    table.do({"t": "EndCombat"})
    assert standing(table) == ["none", "next_roll"]


def test_a_turn_that_never_comes_ends_what_waits_for_it():
    table = dungeon()
    grant(table, "turn_start", "foe")
    placed = table.do({"t": "RemoveActor", "actor": "foe"})
    assert names(placed) == ["ActorRemoved", "GrantExpired"]
    assert placed[1][1].why == "actor_removed"
    assert standing(table) == []


def test_whose_turn_has_to_be_somebody():
    table = dungeon()
    with pytest.raises(Refusal) as no:
        grant(table, "turn_start", "nobody")
    assert no.value.code == "actor.unknown"


@pytest.mark.parametrize(("side", "when", "roller"), [("against", "next_roll", "hero"), ("own", "next_roll_against", "foe")])
def test_a_clock_that_looks_the_other_way_strikes_too(side, when, roller):  # I-34
    """Open to attack until it acts; quick on its feet until it is attacked."""
    table = dungeon()
    boon = {"sign": "boon", "source": {"id": "song", "label": "song"}, "scope": {"side": side}, "expiry": {"when": when}}
    table.do({"t": "Grant", "actors": ["hero"], **boon})
    task = {"t": "RollCheck", "check": "task", "params": {"attribute": "attribute.might", "dc": 9}}
    table.do({**task, "actors": ["friend"]}, faces=(5,))
    assert standing(table) == ["song"]
    other = "foe" if roller == "hero" else "hero"
    placed = table.do({**SWING, "actors": [roller], "targets": [other]}, faces=(5,))
    assert "GrantSpent" in names(placed)
    assert standing(table) == []


# --- the tracker -------------------------------------------------------------------------------------------------
def test_the_same_turn_told_twice_is_one_turn():
    table = dungeon()
    grant(table, "turn_start")
    assert names(table.do(start("hero", combat="c", round=1, turn=0))) == ["TurnStarted", "GrantExpired"]
    grant(table, "turn_start")
    assert table.do(start("hero", combat="c", round=1, turn=0)) == ()
    assert standing(table) == ["song"]


def test_another_actor_in_the_same_place_is_another_turn():
    table = dungeon()
    table.do(start("hero", combat="c", round=1, turn=0))
    assert names(table.do(start("friend", combat="c", round=1, turn=0))) == ["TurnStarted"]


def test_a_round_that_is_past_changes_nothing():
    table = dungeon()
    table.do(start("hero", combat="c", round=2, turn=0))
    assert table.do(start("foe", combat="c", round=1, turn=1)) == ()
    assert table.do(end("foe", combat="c", round=1, turn=1)) == ()
    table.do({"t": "EndRound", "combat": "c", "round": 2})
    assert table.do({"t": "EndRound", "combat": "c", "round": 2}) == ()
    assert table.do(start("hero", combat="c", round=2, turn=5)) == ()


def test_a_fight_that_is_not_running_is_not_ended_again():
    table = dungeon()
    table.do(start("hero", combat="c", round=1, turn=0))
    assert names(table.do({"t": "EndCombat", "combat": "c"})) == ["CombatEnded"]
    assert table.do({"t": "EndCombat", "combat": "c"}) == ()


def test_without_a_tracker_every_word_counts():
    table = dungeon()
    placed = [table.do(each)[0][1] for each in (start("hero"), end("hero"), start("foe"), end("foe"), {"t": "EndRound"})]
    assert [(event.round, getattr(event, "turn", None)) for event in placed] == [(1, 1), (1, 1), (1, 2), (1, 2), (1, None)]
    assert table.state.turn.round == 2
    assert table.do(start("hero"))[0][1].round == 2
    assert table.state.turn.actor == "hero"


def test_a_word_by_hand_is_about_the_fight_that_runs():
    table = dungeon()
    table.do(start("hero", combat="c", round=3, turn=2))
    grant(table, "round_end")
    assert (table.do(end("hero"))[0][1].combat, table.state.turn.round) == ("c", 3)
    assert [getattr(event, "combat", None) for _, event in table.do({"t": "EndRound"})] == ["c", None]
    assert table.do({"t": "EndRound", "combat": "c", "round": 3}) == ()  # the tracker says it too
    assert names(table.do({"t": "EndCombat"})) == ["CombatEnded"]
    assert table.state.turn is None


def test_a_fight_of_which_no_turn_was_heard_ends_what_was_to_last_for_it():
    table = dungeon()
    grant(table, "combat_end")
    over = {"t": "EndCombat", "combat": "quiet"}
    assert names(table.do(over)) == ["CombatEnded", "GrantExpired"]
    assert table.do(over) == ()
    grant(table, "combat_end")
    table.do(start("hero", combat="loud", round=1, turn=0))
    assert table.do(over) == ()
    assert standing(table) == ["song"]


def test_switches_are_of_a_fight():
    table = dungeon()
    table.do({"t": "Act", "verb": "stagger_window", "args": {"open": True}})
    assert "marks" in table.shown("pia")
    table.do({"t": "EndCombat"})
    assert table.state.marks == {}
    assert "marks" not in table.shown("pia")


def test_many_fights_do_not_make_the_table_grow():
    table = dungeon()
    for number in range(40):
        table.do(start("hero", combat=f"fight{number}", round=1, turn=0))
    assert len(table.state.fights) == 8
    assert "fight39" in table.state.fights


# --- B-26: what a fumble leaves ----------------------------------------------------------------------------------
SWING = {"t": "RollCheck", "check": "attack", "actors": ["hero"], "targets": ["foe"], "params": {"attack": "maul"}}


def test_a_spent_bank_and_a_fumble_in_one_swing():  # B049, then B-26
    table = dungeon()
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "bolstered", "amount": 1})
    table.do(SWING, faces=(1, 1))
    assert table.state.actors["hero"].condition("bolstered") == 0
    assert table.state.actors["hero"].condition("exposed") == 1
    placed = table.do(start("hero"))
    assert names(placed) == ["TurnStarted", "ConditionExpired"]
    assert (placed[1][1].amount, placed[1][1].now, placed[1][1].why) == (1, 0, "turn_start")
    assert table.state.actors["hero"].conditions == ()


def test_exposed_from_elsewhere_stays():  # B072
    table = dungeon()
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": 2})
    table.do(SWING, faces=(1,))
    assert table.state.actors["hero"].condition("exposed") == 3
    table.do(start("hero"))
    assert table.state.actors["hero"].condition("exposed") == 2
    table.do(start("hero"))
    assert table.state.actors["hero"].condition("exposed") == 2


def test_to_the_end_of_the_next_activation_leaves_out_what_came_during_it():  # B071
    table = dungeon(exposed_expiry="end_of_own_activation")
    table.do(SWING, faces=(1,))
    table.do(start("hero"))
    table.do(SWING, faces=(1,))  # during the activation that ends the first one
    assert table.state.actors["hero"].condition("exposed") == 2
    table.do(end("hero"))
    assert table.state.actors["hero"].condition("exposed") == 1
    table.do(start("hero"))
    table.do(end("hero"))
    assert table.state.actors["hero"].condition("exposed") == 0


def test_a_correction_of_the_amount_keeps_what_ends_by_itself():
    table = dungeon()
    table.do(SWING, faces=(1,))
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": 3})
    table.do(start("hero"))
    assert table.state.actors["hero"].condition("exposed") == 2


# --- choices -----------------------------------------------------------------------------------------------------
def kitchen():
    table = Evening("group_d12")
    table.do({"t": "Act", "verb": "give_boon"})
    for actor, owner in (("hero", "pia"), ("friend", "quin")):
        numbers = {"values": [{"key": "skill.athletics", "value": 0}]}
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": [owner], "numbers": numbers})
    roll = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.athletics", "difficulty": 9}}
    table.do(roll, "pia", (2,))
    return table


def test_the_end_of_a_turn_takes_the_default_of_what_is_open():
    table = kitchen()
    placed = table.do(end("hero"), "pia")
    assert names(placed) == ["TurnEnded", "Chosen"]
    assert (placed[1][1].choice, placed[1][1].auto) == ("accept", True)
    assert table.state.game.held == 2


def test_a_gm_is_asked_before_a_player_who_is_here_loses_a_choice():
    table = kitchen()
    with pytest.raises(Refusal) as no:
        table.do(end("hero", present=["gina", "pia"]))
    assert no.value.code == "turn.choice_open"
    assert no.value.values == {"actor": "hero", "check": f"{table.state.seq}.1"}
    assert names(table.do(end("hero", present=["gina", "pia"], confirm=True))) == ["TurnEnded", "Chosen"]


def test_a_player_who_went_home_is_not_waited_for():
    assert names(kitchen().do(end("hero", present=["gina", "quin"]))) == ["TurnEnded", "Chosen"]


# --- C-P2: luck at the end of the round ----------------------------------------------------------------------------
def wood():
    table = Evening("sage_d20")
    numbers = {"values": [{"key": key, "value": 10} for key in ("strength", "agility", "intellect", "will")]}
    for actor, side, owners in (("hero", "party", ["pia"]), ("friend", "party", ["quin"]), ("foe", "opposition", [])):
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers})
    for actor in ("hero", "friend", "foe"):
        table.do({"t": "SetCondition", "actors": [actor], "condition": "frightened", "luckEnds": True})
    return table


def round_ends(*present):
    return {"t": "EndRound", "present": list(present)}


def frightened(table):
    return [name for name, actor in table.state.actors.items() if actor.condition("frightened")]


def test_i33_luck_is_rolled_for_the_opposition_and_for_who_is_away():
    table = wood()
    # friend fails with 9, foe succeeds with 10: luck is against 10, and frightened hinders no luck roll.
    placed = table.do(round_ends("gina", "pia"), faces=(9, 10))
    assert names(placed) == ["RoundEnded", "LuckDue", "CheckRolled", "CheckRolled"]
    rolled = [event for _, event in placed if type(event).__name__ == "CheckRolled"]
    assert [(event.rolled.actor, event.result.total, event.rolled.auto) for event in rolled] == [
        ("friend", 9, True),
        ("foe", 10, True),
    ]
    assert frightened(table) == ["hero", "friend"]


def test_who_is_here_rolls_himself_and_once():
    table = wood()
    luck = {"t": "RollCheck", "check": "luck", "actors": ["hero"], "ends": {"key": "frightened"}}
    with pytest.raises(Refusal) as no:
        table.do(luck, "pia", (20,))
    assert no.value.code == "roll.ends_nothing"
    table.do(round_ends("pia", "quin"), faces=(1,))
    assert table.state.actors["hero"].conditions[0].luck_due
    table.do(luck, "pia", (9,))
    assert not table.state.actors["hero"].conditions[0].luck_due
    with pytest.raises(Refusal) as no:
        table.do(luck, "pia", (20,))
    assert no.value.code == "roll.ends_nothing"


def test_what_was_left_is_rolled_as_the_next_round_ends():
    table = wood()
    table.do(round_ends("pia", "quin"), faces=(1,))
    table.do({"t": "RollCheck", "check": "luck", "actors": ["friend"], "ends": {"key": "frightened"}}, "quin", (15,))
    assert frightened(table) == ["hero", "foe"]
    placed = table.do(round_ends("pia", "quin"), faces=(3, 4))
    assert names(placed) == ["RoundEnded", "CheckRolled", "LuckDue", "CheckRolled"]
    assert table.state.actors["hero"].conditions[0].luck_due  # of this round now


def test_luck_ends_with_the_fight():
    table = wood()
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "prone"})
    table.do({"t": "EndCombat"})
    assert frightened(table) == []
    assert table.state.actors["hero"].condition("prone") == 1


def test_what_burns_burns_first():
    table = wood()
    table.do({"t": "SetCondition", "actors": ["foe"], "condition": "on_fire"})
    # 1d6 damage; then luck for foe: frightened, on fire. Nobody else is away.
    placed = table.do(round_ends("pia", "quin"), faces=(4, 10, 11))
    assert names(placed) == ["RoundEnded", "DiceRolled", "LuckDue", "LuckDue", "CheckRolled", "CheckRolled"]
    assert (placed[1][1].total, placed[1][1].auto) == (4, True)
    assert table.state.actors["foe"].conditions == ()


def test_a_luck_roll_that_ends_something_is_public_and_one_actors():
    table = wood()
    luck = {"t": "RollCheck", "check": "luck", "actors": ["hero"], "ends": {"key": "frightened"}}
    for more, code in (
        ({"mode": "gm"}, "roll.mode"),
        ({"actors": ["hero", "friend"]}, "roll.ends_nothing"),
        ({"ends": {"key": "poisoned"}}, "roll.ends_nothing"),
        ({"check": "attribute", "params": {"attribute": "will"}}, "roll.ends_nothing"),
    ):
        with pytest.raises(Refusal) as no:
            table.do({**luck, **more}, faces=(20, 20))
        assert no.value.code == code


def test_a_hundred_burning_foes_fit_into_one_round():
    table = Evening("sage_d20")
    for number in range(150):
        table.do({"t": "SyncActor", "actor": f"foe{number}", "name": "foe", "side": "opposition"})
    foes = [f"foe{number}" for number in range(150)]
    for some in (foes[:64], foes[64:128], foes[128:]):
        table.do({"t": "SetCondition", "actors": some, "condition": "frightened", "luckEnds": True})
    placed = table.do(round_ends("gina"), faces=(1,) * 100)
    assert names(placed).count("CheckRolled") == 100
    assert names(placed).count("LuckDue") == 50


def test_what_stands_on_those_who_try_their_luck_does_not_keep_a_round_from_ending():
    """A luck roll lists everything that stands on its actor; what does not fit into one message waits for a click."""
    table = Evening("sage_d20")
    foes = [f"foe{number}" for number in range(12)]
    for foe in foes:
        table.do({"t": "SyncActor", "actor": foe, "name": foe, "side": "opposition"})
    for number in range(50):
        source = {"id": f"{number} {'x' * 60}", "label": "\u00e4" * 80}
        table.do({"t": "Grant", "actors": foes, "sign": "boon", "source": source, "scope": {"checks": ["attack"]}})
    for condition in ("blinded", "stunned", "frightened", "poisoned", "vulnerable", "weakened"):
        table.do({"t": "SetCondition", "actors": foes, "condition": condition, "luckEnds": True})
    placed = table.do(round_ends("gina"), faces=(1,) * 400)
    assert sum(len(msgspec.json.encode(event)) for _, event in placed) < Limits().frame_out * 3 // 4
    assert names(placed).count("CheckRolled") > 0
    assert names(placed).count("CheckRolled") + names(placed).count("LuckDue") == 72


# --- whose word counts, and who has the turn -------------------------------------------------------------------------
@pytest.mark.parametrize("word", [start, end])
@pytest.mark.parametrize("ahead", [{"combat": "c", "round": 2}, {"combat": "c", "round": 9999}, {"round": 2}, {"combat": "d"}])
def test_a_player_does_not_move_the_round_on(word, ahead):
    """Otherwise whatever the GM's tracker says of this round would be past, and change nothing."""
    table = dungeon()
    table.do(start("foe", combat="c", round=1, turn=0))
    with pytest.raises(Refusal) as no:
        table.do(word("hero", turn=1, **ahead), "pia")
    assert no.value.code == "role.forbidden"
    assert names(table.do(word("hero", combat="c", round=1, turn=1), "pia"))
    assert names(table.do({"t": "EndRound", "combat": "c", "round": 1})) == ["RoundEnded"]


def test_whoever_has_the_turn_keeps_it_when_another_ends():
    table = dungeon()
    table.do(start("hero"))
    table.do(end("friend"))
    assert table.state.turn.actor == "hero"
    table.do(end("hero"))
    assert table.state.turn.actor is None


def test_the_turn_of_somebody_who_left_is_nobodys():
    table = dungeon()
    table.do(start("foe"))
    placed = table.do({"t": "RemoveActor", "actor": "foe"})
    assert (table.state.turn.round, table.state.turn.actor) == (1, None)
    assert b'"turn"' in b"".join(table.told(placed, "gina", table.viewer("pia"))[1])


def test_turns_that_nobody_counts_do_not_make_the_table_grow():
    table = dungeon()
    for _ in range(MOST_HEARD):
        table.do(start("hero"))
        table.do(end("hero"))
    assert len(table.state.fights["table"].heard) == MOST_HEARD


# --- two fights at once ------------------------------------------------------------------------------------------
def two_fights(table):
    """The hero fights the foe, and elsewhere the friend fights somebody: each has had a turn of his own fight."""
    for actor, combat in (("hero", "Combat.a"), ("foe", "Combat.a"), ("friend", "Combat.b")):
        table.do(start(actor, combat=combat, round=1, turn=0))
    return table


def test_i35_the_end_of_a_round_is_that_of_one_fight():
    table = two_fights(dungeon())
    for actor in ("hero", "friend"):
        grant(table, "round_end", actor=actor)
    table.do({"t": "EndRound", "combat": "Combat.b", "round": 1})
    assert (standing(table), standing(table, "friend")) == (["song"], [])
    table.do({"t": "EndRound", "combat": "Combat.a", "round": 1})
    assert standing(table) == []


def test_i33_luck_is_tried_once_a_round_of_ones_own_fight():  # C-P2
    table = two_fights(wood())
    # Of the first fight: the hero's player is here; the foe is rolled for. The friend is in the other.
    placed = table.do({**round_ends("pia"), "combat": "Combat.a", "round": 1}, faces=(9,))
    assert names(placed) == ["RoundEnded", "LuckDue", "CheckRolled"]
    placed = table.do({**round_ends("pia"), "combat": "Combat.b", "round": 1}, faces=(9,))
    assert [(type(event).__name__, event.rolled.actor) for _, event in placed[1:]] == [("CheckRolled", "friend")]
    assert frightened(table) == ["hero", "friend", "foe"]


def test_what_is_to_last_for_a_fight_ends_with_that_one():
    table = two_fights(wood())
    for when, whose in (("combat_end", None), ("turn_start", "foe"), ("turn_start", "friend")):
        for actor in ("hero", "friend"):
            grant(table, when, whose, actor=actor, source=f"{when} {whose}")
    table.do({"t": "EndCombat", "combat": "Combat.a"})
    # What waits for a turn of somebody waits for the fight in which he has one, whoever bears it.
    assert standing(table) == ["turn_start friend"]
    assert standing(table, "friend") == ["combat_end None", "turn_start friend"]
    assert frightened(table) == ["friend"]
    table.do({"t": "EndCombat", "combat": "Combat.b"})
    assert (standing(table), standing(table, "friend"), frightened(table)) == ([], [], [])


def test_who_goes_over_to_another_fight_has_its_rounds():
    table = two_fights(dungeon())
    grant(table, "round_end")
    table.do(start("hero", combat="Combat.b", round=1, turn=0))
    table.do({"t": "EndRound", "combat": "Combat.a", "round": 1})
    assert standing(table) == ["song"]
    table.do({"t": "EndRound", "combat": "Combat.b", "round": 1})
    assert standing(table) == []


@pytest.mark.parametrize("word", ["EndRound", "EndCombat"])
def test_who_is_in_no_fight_and_turns_by_hand_are_everybodys(word):
    table = dungeon()
    table.do(start("hero", combat="Combat.a", round=1, turn=0))
    table.do({"t": "EndCombat", "combat": "Combat.a"})
    table.do(start("friend"))  # by hand, and nobody ever says that it is over
    for actor in ("hero", "friend", "foe"):
        grant(table, "round_end", actor=actor)
    table.do(start("foe", combat="Combat.b", round=1, turn=0))
    table.do({"t": word, "combat": "Combat.b"})
    assert [standing(table, actor) for actor in ("hero", "friend", "foe")] == [[], [], []]


def test_who_left_his_fight_behind_is_in_none():
    table = two_fights(dungeon())
    for number in range(8):
        table.do(start("foe", combat=f"Combat.{number}", round=1, turn=0))
    grant(table, "round_end")
    table.do({"t": "EndRound", "combat": "Combat.7", "round": 1})
    assert (standing(table), dict(table.state.fighting)) == ([], {"foe": "Combat.7"})


@pytest.mark.parametrize(("combat", "left"), [("Combat.a", []), ("Combat.b", ["prone"])])
@pytest.mark.parametrize("word", ["EndRound", "EndCombat"])
def test_what_a_correction_brings_back_has_the_clocks_of_its_own_fight(word, combat, left):
    table = two_fights(wood())
    until = {"when": "round_end"}
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "prone", "expiry": until})
    table.do({"t": "ClearCondition", "actor": "hero", "condition": "prone"})
    cleared = table.state.seq
    table.do({"t": word, "combat": combat}, faces=(1, 1))
    table.do({"t": "Void", "what": f"condition/{cleared}.1"})
    assert [held.key for held in table.state.actors["hero"].conditions if held.key == "prone"] == left
