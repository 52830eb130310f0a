"""What went wrong elsewhere with Boons and Banes that stand at the table, and must not here: each after its id.

Complaints I-13 to I-42 as far as one table shows them; clocks of turns and rounds are in ``test_turns.py``, single checks in
``tests/rulesets/test_complaints.py``, and ``test_complaints_named.py`` knows which id is shown where.
"""

import itertools
import typing

import msgspec
import pytest

from boonbridge.core.preview import preview
from boonbridge.rulesets import registry
from boonbridge_schemas.events import CheckRolled, Chosen, GrantExpired, GrantSpent
from boonbridge_schemas.grants import Expiry
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening, command

SHEETS = {
    "rank_ability": {"values": {"rank": 3, "str": 8, "agi": 6}},
    "public_d20": {"values": {"grace": 2, "attribute.might": 3, "attribute.wits": 1}, "weapon": "attribute.might"},
    "sage_d20": {
        "values": {"strength": 12, "agility": 10, "intellect": 10, "will": 9, "defense": 13},
        "weapon": "strength",
    },
    "group_d12": {"values": {"skill.climb": 3, "skill.lore": 1}},
}
CHECKS = {
    "rank_ability check": ("rank_ability", "check", {"ability": "str", "tn": 9}, ()),
    "rank_ability with an ability die": ("rank_ability", "check", {"abilityDie": 8, "tn": 9}, ()),
    "public_d20 task": ("public_d20", "task", {"attribute": "attribute.might", "dc": 12}, ()),
    "public_d20 attack": ("public_d20", "attack", {"attack": "blade"}, ("foe",)),
    "sage_d20 attribute": ("sage_d20", "attribute", {"attribute": "strength", "tn": 12}, ()),
    "sage_d20 attack": ("sage_d20", "attack", {"attack": "blade"}, ("foe",)),
    "sage_d20 spell": ("sage_d20", "attack", {"attack": "charm"}, ("foe",)),
    "sage_d20 against": ("sage_d20", "against", {"attribute": "strength", "against": "will"}, ("foe",)),
    "sage_d20 luck": ("sage_d20", "luck", {}, ()),
    "group_d12 skill": ("group_d12", "skill", {"skill": "skill.climb", "difficulty": 9}, ()),
    "group_d12 resisted": ("group_d12", "skill", {"skill": "skill.climb", "resist": "skill.lore"}, ("foe",)),
    "group_d12 opportunity": (
        "group_d12",
        "opportunity",
        {"skill": "skill.climb", "difficulty": 9, "to": "friend", "sign": "positive"},
        (),
    ),
}
GAMES = tuple(SHEETS)
FACES = (3,) * 30
"""Nothing that is critical anywhere, and mostly a failure."""

every_check = pytest.mark.parametrize("check", CHECKS)
every_game = pytest.mark.parametrize("game", GAMES)


def table(game, **options):
    evening = Evening(game, **options)
    sheet = SHEETS[game]
    numbers = {"values": [{"key": key, "value": value} for key, value in sheet["values"].items()]}
    if "weapon" in sheet:
        numbers["attacks"] = [
            {"id": "blade", "name": "Blade", "attribute": sheet["weapon"], "tags": ["melee", "accurate"]},
            {"id": "club", "name": "Club", "attribute": sheet["weapon"], "tags": ["melee"]},
        ]
    if game == "sage_d20":
        numbers["attacks"].append({"id": "charm", "name": "Charm", "attribute": "will", "against": "will", "tags": ["spell"]})
        numbers["attacks"].append({"id": "bow", "name": "Bow", "attribute": "agility", "tags": ["ranged"]})
    for actor, side, owners in (("hero", "party", ["pia"]), ("friend", "party", ["quin"]), ("foe", "opposition", [])):
        evening.do(
            {"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers},
        )
    return evening


def roll(check, actor="hero", **more):
    _, kind, params, targets = CHECKS[check]
    return {"t": "RollCheck", "check": kind, "actors": [actor], "params": params, "targets": list(targets), **more}


def first_check(game, **more):
    return roll(next(check for check, (of, *_) in CHECKS.items() if of == game), **more)


def give(evening, *, actor="hero", sign="boon", id="song", when="none", amount=1, by="gina", origin="", label="", **scope):
    """The id of the grant, or None where it changed nothing."""
    source = {"id": id, "label": label or id, "origin": origin}
    cmd = {"t": "Grant", "actors": [actor], "sign": sign, "amount": amount, "source": source, "scope": scope}
    placed = evening.do({**cmd, "expiry": {"when": when}}, by)
    return placed[0][1].grant.id if placed else None


def rows(evening, cmd, by="gina", faces=FACES):
    """The checks of a roll, as they are in the log."""
    return [event for _, event in evening.do(cmd, by, faces) if isinstance(event, CheckRolled)]


def rolled(evening, cmd, by="gina", faces=FACES):
    (row,) = rows(evening, cmd, by, faces)
    return row


def shown(evening, cmd, user="gina"):
    """The one row of the dialog."""
    (row,) = preview(evening.state, command(cmd), evening.viewer(user))
    return row


def standing(evening, actor="hero"):
    return [grant.source.id for grant in evening.state.actors[actor].grants]


def counted(row):
    return [(source.id, source.sign, source.amount) for source in row.sources if source.counted]


def events(placed, kind):
    return [event for _, event in placed if isinstance(event, kind)]


# --- every way to roll ------------------------------------------------------------------------------------------
@every_check
def test_i13_what_is_named_or_stands_counts_on_every_check(check):
    evening = table(CHECKS[check][0])
    assert rolled(evening, roll(check)).result.net == 0
    named = [{"id": "rope", "label": "Rope", "sign": "boon"}]
    assert rolled(evening, roll(check, sources=named)).result.net == 1
    give(evening)
    assert rolled(evening, roll(check)).result.net == 1
    give(evening, sign="bane", id="gloom")
    assert rolled(evening, roll(check)).result.net == 0
    many = rows(evening, {**roll(check), "actors": ["hero", "friend"]})  # asked of several at once
    assert [row.result.net for row in many] == [0] * len(many)


@every_check
def test_i01_i28_every_source_is_listed_with_its_number_in_the_dialog_and_in_the_log(check):
    evening = table(CHECKS[check][0])
    give(evening, id="song", amount=2, label="The song")
    give(evening, id="elsewhere", checks=["elsewhere"])
    give(evening, actor="foe", id="open flank", side="against")
    named = [
        {"id": "rope", "label": "A rope", "sign": "boon", "amount": 3},
        {"id": "dark", "label": "Darkness", "sign": "bane", "origin": "cellar"},
    ]
    cmd = roll(check, sources=named)
    dialog, log = shown(evening, cmd), rolled(evening, cmd)
    assert dialog.sources == log.sources
    against = [("open flank", "open flank", "boon", 1)] if CHECKS[check][3] else []
    assert [(line.id, line.label, line.sign, line.amount) for line in log.sources] == [
        ("song", "The song", "boon", 2),
        ("elsewhere", "elsewhere", "boon", 1),
        *against,
        ("rope", "A rope", "boon", 3),
        ("dark", "Darkness", "bane", 1),
    ]
    assert all(line.why for line in log.sources), "what became of each is said"
    assert [line.id for line in log.sources if not line.applies] == ["elsewhere"]
    assert (dialog.net, dialog.boons, dialog.banes) == (log.result.net, log.result.boons, log.result.banes)


@every_check
def test_i16_i20_whoever_skips_the_dialog_rolls_what_it_would_have_shown(check):
    named = [{"id": "rope", "label": "Rope", "sign": "boon", "amount": 2}, {"id": "mud", "label": "Mud", "sign": "bane"}]
    cmd = roll(check, sources=named)
    looked, skipped = table(CHECKS[check][0]), table(CHECKS[check][0])
    for evening in (looked, skipped):
        give(evening, sign="bane", id="gloom")
    row = shown(looked, cmd)
    after, unseen = rolled(looked, cmd), rolled(skipped, cmd)
    assert after == unseen
    assert (row.sources, row.net, row.bonus) == (unseen.sources, unseen.result.net, unseen.result.bonus)
    assert [die.role for die in row.dice for _ in range(die.count)] == [die.role for die in unseen.result.dice]


# --- one use ----------------------------------------------------------------------------------------------------
@every_check
def test_i36_a_boon_for_the_next_roll_goes_with_a_check_of_any_kind(check):
    evening = table(CHECKS[check][0])
    grant = give(evening, when="next_roll")
    placed = evening.do(roll(check), "gina", FACES)
    (row,) = events(placed, CheckRolled)
    assert counted(row) == [("song", "boon", 1)]
    assert [(spent.grant, spent.check) for spent in events(placed, GrantSpent)] == [(grant, row.rolled.check)]
    assert standing(evening) == []
    assert rolled(evening, roll(check)).result.net == 0


@every_game
def test_t31_i36_looking_costs_nothing_and_the_first_logged_roll_has_the_boon(game):
    evening = table(game)
    give(evening, when="next_roll")
    cmd = first_check(game)
    for _ in range(2):  # the dialog is opened, and closed again
        assert shown(evening, cmd, "pia").net == 1
    with pytest.raises(Refusal):  # so does a roll that comes to nothing
        evening.do({**cmd, "params": {}}, "pia", FACES)
    assert standing(evening) == ["song"]
    first, second = (rolled(evening, cmd, "pia") for _ in range(2))
    assert (first.result.net, counted(first)) == (1, [("song", "boon", 1)])
    assert (second.result.net, second.sources) == (0, ())


@pytest.mark.parametrize("check", [check for check, (*_, targets) in CHECKS.items() if targets])
def test_t31_of_several_who_roll_at_one_word_the_first_has_the_boon(check):
    evening = table(CHECKS[check][0])
    grant = give(evening, actor="foe", when="next_roll_against", side="against")
    cmd = {**roll(check), "actors": ["friend", "hero"]}
    dialog = [row.net for row in preview(evening.state, command(cmd), evening.viewer("gina"))]
    placed = evening.do(cmd, "gina", FACES)
    log = events(placed, CheckRolled)
    assert dialog == [row.result.net for row in log] == [1, 0]
    assert [(line.id, line.counted) for line in log[0].sources] == [("song", True)]
    assert log[1].sources == ()
    assert [(spent.grant, spent.check) for spent in events(placed, GrantSpent)] == [(grant, log[0].rolled.check)]


@pytest.mark.parametrize("check", ["public_d20 attack", "sage_d20 attack", "sage_d20 spell"])
def test_t31_one_swing_at_two_is_one_roll(check):
    evening = table(CHECKS[check][0])
    give(evening, when="next_roll")
    cmd = roll(check, targets=["foe", "friend"])
    dialog = [row.net for row in preview(evening.state, command({**cmd, "actors": ["hero"]}), evening.viewer("gina"))]
    assert dialog == [row.result.net for row in rows(evening, cmd)] == [1, 1]
    assert standing(evening) == []


def test_t31_what_is_not_for_everybody_to_see_uses_nothing_up():
    evening = table("sage_d20")
    give(evening, actor="foe", when="next_roll_against", side="against")
    cmd = {**roll("sage_d20 attack"), "actors": ["friend", "hero"], "mode": "gm"}
    dialog = [row.net for row in preview(evening.state, command(cmd), evening.viewer("gina"))]
    assert dialog == [row.result.net for row in rows(evening, cmd)] == [0, 0]
    assert standing(evening, "foe") == ["song"]


@pytest.mark.parametrize(
    ("scope", "spending", "leaving"),
    [
        ({"attributes": ["strength"]}, ["sage_d20 attribute", "sage_d20 attack", "sage_d20 against"], ["sage_d20 luck"]),
        ({"attributes": ["will"]}, ["sage_d20 spell", "sage_d20 against"], ["sage_d20 attribute", "sage_d20 luck"]),
        ({"tags": ["spell"]}, ["sage_d20 spell"], ["sage_d20 attack", "sage_d20 attribute"]),
        ({"tags": ["attack"]}, ["public_d20 attack"], ["public_d20 task"]),
        ({"checks": ["luck"]}, ["sage_d20 luck"], ["sage_d20 attribute", "sage_d20 attack"]),
        ({"attributes": ["skill.climb"]}, ["group_d12 skill", "group_d12 opportunity"], []),
        ({"attributes": ["skill.lore"]}, ["group_d12 resisted"], ["group_d12 skill"]),
        ({"attributes": ["str"]}, ["rank_ability check"], ["rank_ability with an ability die"]),
        ({"targets": ["foe"]}, ["sage_d20 attack", "sage_d20 against"], ["sage_d20 attribute"]),
    ],
)
def test_i36_i23_what_is_in_scope_uses_it_up_and_nothing_else_does(scope, spending, leaving):
    for check in spending:
        evening = table(CHECKS[check][0])
        give(evening, when="next_roll", **scope)
        for other in leaving:
            assert counted(rolled(evening, roll(other))) == []
            assert standing(evening) == ["song"], other
        assert counted(rolled(evening, roll(check))) == [("song", "boon", 1)]
        assert standing(evening) == [], check


@pytest.mark.parametrize("action", ["Climb", "climb", "  CLIMB "])
def test_i36_an_action_is_the_same_however_it_is_written(action):
    evening = table("public_d20")
    help_ = {"t": "Assist", "actor": "hero", "helper": "friend", "action": "Climb"}
    evening.do(help_, "quin")
    assert rolled(evening, roll("public_d20 task", action="Swim")).result.net == 0
    assert rolled(evening, roll("public_d20 task", action=action)).result.net == 1
    assert standing(evening) == []


@pytest.mark.parametrize("game", ["public_d20", "sage_d20"])
def test_i37_my_next_attack_and_the_next_attack_on_me_are_two_triggers(game):
    swing = roll(f"{game} attack")
    evening = table(game)
    give(evening, when="next_roll", id="mine", tags=["attack"] if game == "public_d20" else ["melee"])
    give(evening, when="next_roll_against", id="on me", side="against")
    back = {**swing, "actors": ["foe"], "targets": ["hero"]}
    assert counted(rolled(evening, swing)) == [("mine", "boon", 1)]  # my attack is none on me
    assert standing(evening) == ["on me"]
    give(evening, when="next_roll", id="mine", tags=["attack"] if game == "public_d20" else ["melee"])
    assert counted(rolled(evening, back)) == [("on me", "boon", 1)]  # and an attack on me is none of mine
    assert standing(evening) == ["mine"]
    assert counted(rolled(evening, back)) == []


@pytest.mark.parametrize(
    ("game", "faces", "success"), [("public_d20", (2, 2), 0), ("public_d20", (19, 2), 1), ("sage_d20", (2, 1), 0)]
)
def test_i39_an_attempt_is_enough_hit_or_miss(game, faces, success):
    evening = table(game)
    give(evening, actor="foe", when="next_roll_against", side="against")
    row = rolled(evening, roll(f"{game} attack"), faces=faces)
    assert (row.result.success, counted(row)) == (bool(success), [("song", "boon", 1)])
    assert standing(evening, "foe") == []


def test_i39_also_what_cancels_has_been_used():
    evening = table("sage_d20")
    give(evening, when="next_roll")
    row = rolled(evening, roll("sage_d20 attribute", sources=[{"id": "mud", "label": "Mud", "sign": "bane"}]))
    assert (row.result.net, [line.why for line in row.sources]) == (0, ["cancels", "cancels"])
    assert standing(evening) == []


# --- given and taken back ---------------------------------------------------------------------------------------
@every_game
def test_i29_what_is_taken_back_is_one_thing_by_its_id_and_never_a_number(game):
    evening = table(game)
    song, rope = give(evening, id="song", amount=2), give(evening, id="rope")
    gloom = give(evening, id="gloom", sign="bane")
    lines = {line.grant for line in rolled(evening, first_check(game)).sources}
    assert lines == {song, rope, gloom}
    evening.do({"t": "RevokeGrant", "grant": song})
    assert standing(evening) == ["rope", "gloom"]
    assert {line.grant for line in rolled(evening, first_check(game)).sources} == {rope, gloom}
    with pytest.raises(Refusal) as no:  # a second time takes nothing else away
        evening.do({"t": "RevokeGrant", "grant": song})
    assert no.value.code == "grant.unknown"
    evening.do({"t": "RevokeGrant", "grant": gloom})
    row = rolled(evening, first_check(game))
    assert (counted(row), row.result.net, row.result.banes) == ([("rope", "boon", 1)], 1, 0)


@every_game
def test_i25_the_same_grant_twice_is_one_and_stays_one(game):
    evening = table(game)
    assert give(evening) is not None
    assert give(evening) is None
    assert give(evening, label="The same song, told otherwise") is None, "a label is no key (I-26)"
    assert standing(evening) == ["song"]
    assert rolled(evening, first_check(game)).result.net == 1


@every_game
def test_i25_a_source_that_stands_with_two_clocks_counts_once(game):
    evening = table(game)
    give(evening)
    give(evening, when="round_end")
    assert standing(evening) == ["song", "song"]
    assert rolled(evening, first_check(game)).result.net == 1


@pytest.mark.parametrize(("game", "net"), [("rank_ability", 1), ("public_d20", 2), ("sage_d20", 1), ("group_d12", 2)])
def test_i27_what_two_allies_give_is_as_much_as_the_game_says(game, net):
    """A-16: one Boon at most. B-15: two grants. C-11: the spell is the source, not the caster. D-X11: each adds."""
    evening = table(game)
    give(evening, origin="one ally")
    give(evening, origin="another ally")
    assert rolled(evening, first_check(game)).result.net == net


def test_i26_i27_the_key_of_a_source_decides_what_stacks():
    evening = table("sage_d20")
    cmd = roll("sage_d20 attribute")
    give(evening, id="bless", origin="one caster", label="Bless")
    give(evening, id="bless", origin="another caster", label="Another blessing")
    give(evening, id="bless", when="round_end", amount=2)  # and a stronger one, for a round
    row = rolled(evening, cmd)
    assert [(line.amount, line.why) for line in row.sources] == [(1, "same_source"), (1, "same_source"), (2, "counts")]
    assert row.result.net == 2  # C-11: the larger count of one source
    evening.do({"t": "EndRound"})
    assert rolled(evening, cmd).result.net == 1
    give(evening, id="guidance", label="Bless")  # another source, whatever it is called
    assert rolled(evening, cmd).result.net == 2


@pytest.mark.parametrize("game", ["public_d20", "sage_d20"])
def test_i19_a_grant_for_a_kind_of_weapon_is_for_every_such_weapon_and_no_other(game):
    evening = table(game)
    give(evening, id="accurate", tags=["accurate"])
    swing = roll(f"{game} attack")
    for _ in range(3):
        assert counted(rolled(evening, swing)) == [("accurate", "boon", 1)]
        assert counted(rolled(evening, {**swing, "params": {"attack": "club"}})) == []


@pytest.mark.parametrize(
    ("game", "attribute", "with_it", "without"),
    [
        ("rank_ability", "str", [{"ability": "str", "tn": 9}], [{"ability": "agi", "tn": 9}]),
        ("public_d20", "attribute.might", [{"attribute": "attribute.might", "dc": 9}], [{"attribute": "grace", "dc": 9}]),
        ("sage_d20", "strength", [{"attribute": "strength"}], [{"attribute": "agility"}, {"attribute": "will"}]),
        ("group_d12", "skill.climb", [{"skill": "skill.climb", "difficulty": 9}], [{"skill": "skill.lore", "difficulty": 9}]),
    ],
)
def test_i22_i32_a_boon_may_stand_for_one_attribute_or_skill(game, attribute, with_it, without):
    evening = table(game)
    give(evening, id="knack", attributes=[attribute])
    for params, net in [*((params, 1) for params in with_it), *((params, 0) for params in without)]:
        for _ in range(2):
            assert rolled(evening, {**first_check(game), "params": params}).result.net == net, params
    assert standing(evening) == ["knack"]


def test_i18_what_hinders_an_attribute_hinders_whatever_is_rolled_with_it():
    evening = table("sage_d20")
    evening.do({"t": "SetCondition", "actors": ["hero"], "condition": "impaired.strength"})
    give(evening, id="armour", sign="bane", attributes=["agility"])
    for check, params, banes in (
        ("attribute", {"attribute": "strength"}, ["impaired.strength"]),
        ("attack", {"attack": "blade"}, ["impaired.strength"]),
        ("attack", {"attack": "club"}, ["impaired.strength"]),
        ("against", {"attribute": "strength", "against": "will"}, ["impaired.strength"]),
        ("attribute", {"attribute": "agility"}, ["armour"]),
        ("attack", {"attack": "bow"}, ["armour"]),
        ("attack", {"attack": "charm"}, []),
        ("luck", {}, []),
    ):
        targets = ["foe"] if check in ("attack", "against") else []
        cmd = {"t": "RollCheck", "check": check, "actors": ["hero"], "targets": targets, "params": params}
        assert [id for id, *_ in counted(rolled(evening, cmd))] == banes, (check, params)


@every_game
def test_i30_no_two_conditions_bring_what_neither_brings(game):
    """Of every pair of conditions, on roller and target, the lines are those of each by itself."""
    rules = registry.shipped()[game]
    keys = [f"{key}.{spec.of[0].value}" if spec.of else key for key, spec in rules.conditions.items()]
    for check in (check for check, (of, *_) in CHECKS.items() if of == game):
        alone = {(key, bearer): _lines(game, check, (key, bearer)) for key in keys for bearer in ("hero", "foe")}
        for pair in itertools.combinations(alone, 2):
            both = sorted([*alone[pair[0]], *alone[pair[1]]])
            assert sorted(_lines(game, check, *pair)) == both, (check, pair)


def _lines(game, check, *held):
    evening = table(game)
    for key, bearer in held:
        evening.do({"t": "SetCondition", "actors": [bearer], "condition": key})
    return [(line.label, line.sign, line.amount, line.applies) for line in shown(evening, roll(check)).sources]


# --- clocks -----------------------------------------------------------------------------------------------------
def test_i34_every_clock_there_is_comes_to_its_end():
    turn, against = [{"t": "StartTurn", "actor": "hero"}, {"t": "EndTurn", "actor": "hero"}], roll("sage_d20 attack")
    ends = {
        "next_roll": roll("sage_d20 attribute"),
        "next_roll_against": {**against, "actors": ["foe"], "targets": ["hero"]},
        "turn_start": turn[0],
        "turn_end": turn[1],
        "round_end": {"t": "EndRound"},
        "combat_end": {"t": "EndCombat"},
        "session_end": {"t": "EndSession"},
    }
    fields = {field.name: field for field in msgspec.structs.fields(Expiry)}
    assert {*ends, "none"} == set(typing.get_args(fields["when"].type))
    for when, cmd in ends.items():
        evening = table("sage_d20")
        evening.do({"t": "StartSession"})
        grant = give(evening, when=when, side="against" if when == "next_roll_against" else "own")
        placed = evening.do(cmd, "gina", FACES)
        (ended,) = events(placed, GrantExpired) + events(placed, GrantSpent)
        assert (ended.actor, ended.grant, standing(evening)) == ("hero", grant, []), when


@pytest.mark.parametrize("whose", ["hero", "foe"])
@pytest.mark.parametrize("during", ["hero", "foe", "friend"])
def test_i35_i41_i42_given_in_the_middle_of_a_turn(whose, during):
    """To the start of somebody's turn: his next one, never the one that is running. To its end: of the running one."""
    evening = table("public_d20")

    def turn_of(actor, which):
        placed = evening.do({"t": f"{which}Turn", "actor": actor})
        return [event.grant for event in events(placed, GrantExpired)]

    evening.do({"t": "StartTurn", "actor": during})
    start, end = _until(evening, "turn_start", whose), _until(evening, "turn_end", whose)
    assert turn_of(during, "End") == ([end] if during == whose else [])
    for actor in ("hero", "foe", "friend"):
        assert turn_of(actor, "Start") == ([start] if actor == whose else [])
        assert turn_of(actor, "End") == ([end] if actor == whose != during else [])
    assert standing(evening) == []


def _until(evening, when, whose):
    cmd = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": when, "label": when}}
    ((_, given),) = evening.do({**cmd, "expiry": {"when": when, "actor": whose}})
    return given.grant.id


def test_i33_what_lasted_for_a_round_ends_with_it_and_says_so():
    evening = table("sage_d20")
    give(evening, when="round_end")
    for key in ("weakened", "frightened"):
        evening.do({"t": "SetCondition", "actors": ["foe"], "condition": key, "expiry": {"when": "round_end"}})
    evening.do({"t": "SetCondition", "actors": ["foe"], "condition": "confused"})
    told = [(type(event).__name__, event.actor, event.why) for _, event in evening.do({"t": "EndRound"})[1:]]
    assert sorted(told) == [
        ("ConditionExpired", "foe", "round_end"),
        ("ConditionExpired", "foe", "round_end"),
        ("GrantExpired", "hero", "round_end"),
    ]
    assert [held.key for held in evening.state.actors["foe"].conditions] == ["confused"]


def test_i33_each_effect_that_luck_ends_has_one_logged_roll_a_round():
    evening = table("sage_d20")
    for key in ("weakened", "frightened"):
        evening.do({"t": "SetCondition", "actors": ["foe"], "condition": key, "luckEnds": True})
    placed = evening.do({"t": "EndRound"}, faces=(9, 10))  # against 10
    rolls = events(placed, CheckRolled)
    assert [(row.rolled.kind, row.rolled.ends.key, row.result.success) for row in rolls] == [
        ("luck", "weakened", False),
        ("luck", "frightened", True),
    ]
    assert [held.key for held in evening.state.actors["foe"].conditions] == ["weakened"]


# --- what a card does -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bought", [12, 9])
def test_i31_a_success_that_was_bought_does_what_it_does_once(bought):
    evening = table("group_d12")
    evening.do({"t": "Act", "verb": "give_boon"})
    evening.do({"t": "Act", "verb": "give_boon"})
    row = rolled(evening, roll("group_d12 opportunity"), "pia", (2,))
    choose = {"t": "Choose", "check": row.rolled.check, "choice": "spend"}
    (chosen,) = events(evening.do(choose, "pia", (bought,)), Chosen)
    assert [effect.to for effect in chosen.effects if type(effect).__name__ == "ChanceGranted"] == ["friend"]
    assert len(evening.state.actors["friend"].grants) == 1
    for again in (choose, {**choose, "choice": "accept"}):
        with pytest.raises(Refusal):
            evening.do(again, "pia", (12,))
    assert len(evening.state.actors["friend"].grants) == 1
    assert rolled(evening, first_check("group_d12", actor="friend")).result.net == 1
    assert rolled(evening, first_check("group_d12", actor="friend")).result.net == 0
