"""Unlinked tokens: made from their base when they are first named, and an actor like any other from then on."""

import pytest

from boonbridge.core.evolving import evolve_all
from boonbridge.core.tokens import base_of
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits
from tests.support.evening import Evening

BOW = {"id": "bow", "name": "Bow", "attribute": "agility"}
NUMBERS = {"values": [{"key": "agility", "value": 12}, {"key": "defense", "value": 31}], "attacks": [BOW]}
WOLF, ORC = "Actor.wolf.token.s1-t1", "Actor.orc.token.s1-t1"


@pytest.fixture
def table():
    """``Actor.wolf`` is Pia's, ``Actor.orc`` is of the opposition."""
    table = Evening("sage_d20")
    for actor, side, owners in (("Actor.wolf", "party", ["pia"]), ("Actor.orc", "opposition", []), ("hero", "party", ["quin"])):
        name = actor.rpartition(".")[2].title()
        table.do({"t": "SyncActor", "actor": actor, "name": name, "side": side, "owners": owners, "numbers": NUMBERS})
    return table


def attack(actor="hero", *targets, mode="public"):
    return {
        "t": "RollCheck",
        "check": "attack",
        "actors": [actor],
        "targets": list(targets),
        "params": {"attack": "bow"},
        "mode": mode,
    }


def kinds(placed):
    return [(part, type(event).__name__) for part, event in placed]


def refused(table, cmd, by="gina"):
    with pytest.raises(Refusal) as no:
        table.do(cmd, by, (10,) * 8)
    return no.value


@pytest.mark.parametrize(
    ("actor", "base"),
    [
        ("a.token.b", "a"),
        ("Actor.Yb3kHc6vXm1sPg0Q.token.Zt5rWq8nYb3kHc6v-Qm2vXc9TtR4sLw8Z", "Actor.Yb3kHc6vXm1sPg0Q"),
        ("a", None),
        ("a.token.", None),
        (".token.b", None),
        ("a.token.b.token.c", None),
        ("a.token.b.c", None),
        ("a.token." + "b" * 41, None),
        ("Scene.s.Token.t", None),
    ],
)
def test_which_ids_are_tokens(actor, base):
    assert base_of(actor) == base


def test_a_token_is_made_in_the_commit_that_names_it(table):
    placed = table.do(attack("hero", ORC), "quin", (10,))
    assert kinds(placed) == [("all", "ActorSynced"), ("gm", "NumbersSet"), ("all", "CheckRolled"), ("gm", "TargetFixed")]
    made, base = table.state.actors[ORC], table.state.actors["Actor.orc"]
    assert (made.name, made.side, made.owners, made.numbers) == (base.name, base.side, base.owners, base.numbers)
    assert kinds(table.do(attack("hero", ORC), "quin", (10,))) == [("all", "CheckRolled"), ("gm", "TargetFixed")]
    (rolled,) = [event for _, event in placed if type(event).__name__ == "CheckRolled"]
    assert (rolled.rolled.opponent, rolled.rolled.opponent_name) == (ORC, "Orc")


def test_what_is_told_of_it_is_what_is_told_of_its_base(table):
    placed = table.do(attack("hero", ORC), "quin", (10,))
    for who in ("quin", "olga"):
        events, changes = table.told(placed, "quin", table.viewer(who))
        assert not [told for told in (*events, *changes) if b"31" in told]
        assert f'"actor/{ORC}"'.encode() in b"".join(changes)
        assert b'"numbers":null' in table.shown(who)[f"actor/{ORC}"]
    assert b"31" in table.shown("gina")[f"actor/{ORC}"]
    table.do(attack(WOLF, ORC), "pia", (10,))
    assert b"31" in table.shown("olga")[f"actor/{WOLF}"]


def test_each_has_wounds_of_its_own(table):
    boon = {"t": "Grant", "actors": [ORC, "Actor.orc.token.s1-t2"], "sign": "bane", "source": {"id": "smoke", "label": "Smoke"}}
    placed = table.do(boon)
    assert [name for _, name in kinds(placed)] == ["ActorSynced", "NumbersSet", "ActorSynced", "NumbersSet", "Granted", "Granted"]
    assert not table.state.actors["Actor.orc"].grants
    table.do({"t": "RevokeGrant", "grant": table.state.actors[ORC].grants[0].id})
    assert [len(table.state.actors[actor].grants) for actor in (ORC, "Actor.orc.token.s1-t2")] == [0, 1]
    table.do({"t": "SyncActor", "actor": ORC, "numbers": {"values": [{"key": "agility", "value": 3}]}})
    assert table.state.actors["Actor.orc"].number("agility") == 12


def test_many_rows_make_each_token_once(table):
    tokens = [f"Actor.orc.token.t{n}" for n in range(4)]
    cmd = attack(tokens[0], *tokens)
    placed = table.do({**cmd, "actors": tokens[:2]}, "gina", (10,) * 8)
    assert [event.actor for _, event in placed if type(event).__name__ == "ActorSynced"] == tokens


def test_it_is_the_same_when_it_is_read_back(table):
    before = table.state
    placed = table.do(attack(WOLF, ORC), "pia", (10,))
    events = [event for name in ("all", "roller_gm", "gm", "roller") for part, event in placed if part == name]
    assert evolve_all(before, events).actors == table.state.actors


def test_a_parameter_may_name_a_token():
    table = Evening("group_d12")
    numbers = {"values": [{"key": "skill.athletics", "value": 3}]}
    table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": numbers})
    table.do({"t": "SyncActor", "actor": "hound", "name": "Hound", "side": "party", "owners": ["quin"], "numbers": numbers})
    params = {"skill": "skill.athletics", "difficulty": 9, "to": "hound.token.t1"}
    placed = table.do({"t": "RollCheck", "check": "opportunity", "actors": ["hero"], "params": params}, "pia", (12,))
    assert [name for _, name in kinds(placed)][:2] == ["ActorSynced", "NumbersSet"]
    assert table.state.actors["hound.token.t1"].grants
    assert not table.state.actors["hound"].grants


# --- what is refused -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("actor", ["Actor.nobody.token.t1", "Actor.orc.token.", "Actor.orc.token.a.token.b"])
def test_a_token_of_nobody_known_is_unknown(table, actor):
    boon = {"t": "Grant", "actors": [actor], "sign": "boon", "source": {"id": "luck", "label": "Luck"}}
    for cmd in (attack(actor, "Actor.orc"), attack("hero", actor), boon):
        no = refused(table, cmd)
        assert (no.code, no.values) == (Code.ACTOR_UNKNOWN, {"actor": actor})
    assert refused(table, {"t": "SyncActor", "actor": actor, "numbers": NUMBERS}).code == Code.ACTOR_NAME_MISSING


def test_ownership_of_the_base_counts(table):
    assert refused(table, attack(WOLF, ORC), "quin").code == Code.ACTOR_NOT_YOURS
    assert refused(table, attack(ORC, WOLF), "pia").code == Code.ACTOR_NOT_YOURS
    assert refused(table, {"t": "SyncActor", "actor": WOLF, "numbers": NUMBERS}, "quin").code == Code.ACTOR_NOT_YOURS
    assert refused(table, {"t": "SyncActor", "actor": WOLF, "name": "Mine"}, "pia").code == Code.ROLE_FORBIDDEN
    table.do({"t": "SyncActor", "actor": WOLF, "numbers": {"values": [{"key": "agility", "value": 1}]}}, "pia")
    assert table.state.actors[WOLF].number("agility") == 1
    assert table.state.actors[WOLF].owners == ("pia",)


def test_a_full_table_takes_no_token(table):
    for number in range(Limits().actors - len(table.state.actors)):
        table.do({"t": "SyncActor", "actor": f"a{number}", "name": "x"})
    before = table.state
    for mode in ("public", "secret"):
        assert refused(table, attack("hero", ORC, mode=mode)).code == Code.ACTOR_LIMIT
    assert table.state is before
    assert "actor.limit" in table.previewed(attack("hero", ORC), "gina")


# --- what follows the base -----------------------------------------------------------------------------------------
def test_side_and_owners_follow_the_base_until_the_token_has_its_own(table):
    other = "Actor.orc.token.s1-t2"
    table.do(attack("hero", ORC, other), "gina", (10, 10))
    table.do({"t": "SyncActor", "actor": other, "side": "neutral", "name": "Grunk"})
    table.do({"t": "SyncActor", "actor": "Actor.orc", "side": "party", "owners": ["pia"], "name": "Orcs"})
    one, two = table.state.actors[ORC], table.state.actors[other]
    assert (one.name, one.side, one.owners) == ("Orc", "party", ("pia",))
    assert (two.name, two.side, two.owners) == ("Grunk", "neutral", ("pia",))
    table.do(attack(ORC, "hero"), "pia", (10,))


def test_it_is_forgotten_with_itself_or_with_its_base(table):
    other = "Actor.orc.token.s1-t2"
    table.do(attack("hero", ORC, other), "gina", (10, 10))
    table.do({"t": "RemoveActor", "actor": ORC})
    assert ORC not in table.state.actors
    assert other in table.state.actors
    table.do(attack("hero", ORC), "gina", (10,))  # named again, made again
    placed = table.do({"t": "RemoveActor", "actor": "Actor.orc"})
    assert {event.actor for _, event in placed} == {"Actor.orc", ORC, other}
    assert set(table.state.actors) == {"Actor.wolf", "hero"}
    assert refused(table, attack("hero", ORC)).code == Code.ACTOR_UNKNOWN


# --- what nobody hears of ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["gm", "blind", "secret", "self"])
def test_a_roll_that_not_everybody_sees_makes_no_record(table, mode):
    before = table.shown("quin")
    placed = table.do(attack(ORC, WOLF, mode=mode), "gina", (10,))
    assert "ActorSynced" not in [name for _, name in kinds(placed)]
    assert table.told(placed, "gina", table.viewer("quin")) == ([], [])
    assert table.shown("quin") == before
    (rolled,) = [event for _, event in placed if type(event).__name__ == "CheckRolled"]
    assert rolled.rolled.actor == ORC
    assert rolled.rolled.name == "Orc"


def test_a_preview_makes_no_record_and_says_what_the_roll_would(table):
    before = table.state
    seen = table.previewed(attack("hero", ORC), "quin")
    assert b'"curve":' in seen
    assert b"31" not in seen
    assert table.state is before
    table.do(attack("hero", ORC), "gina", (10,))
    assert table.previewed(attack("hero", ORC), "quin") == seen


def test_numbers_that_stay_hidden_are_not_in_a_command_that_everybody_reads(table):
    cmd = {"t": "SyncActor", "actor": "Actor.orc", "name": "Urgh", "numbers": NUMBERS}
    placed = table.do(cmd)
    assert kinds(placed) == [("all", "ActorSynced")]
    assert table.last.command_part == "gm"


@pytest.mark.parametrize("when", ["turn_start", "turn_end"])
@pytest.mark.parametrize(
    "given", [{"t": "Grant", "sign": "boon", "source": {"id": "s", "label": "s"}}, {"t": "SetCondition", "condition": "blinded"}]
)
def test_a_clock_may_wait_for_the_turn_of_a_token(table, given, when):
    placed = table.do({**given, "actors": ["hero"], "expiry": {"when": when, "actor": ORC}})
    assert [name for _, name in kinds(placed)][:2] == ["ActorSynced", "NumbersSet"]
    table.do({"t": "StartTurn", "actor": ORC})
    if when == "turn_end":
        table.do({"t": "EndTurn", "actor": ORC})
    hero = table.state.actors["hero"]
    assert hero.grants == hero.conditions == ()


def test_a_clock_that_waits_for_nobodys_turn_makes_no_record(table):
    expiry = {"when": "round_end", "actor": ORC}
    table.do({"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "s", "label": "s"}, "expiry": expiry})
    assert ORC not in table.state.actors
