"""Opportunities and experience of the d12 game, and that every game counts an opportunity as what it is (D-20, D-21, D-29)."""

import pytest
from msgspec.structs import replace

from boonbridge.rulesets import group_d12, public_d20, rank_ability, sage_d20
from boonbridge.rulesets.base import Check
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import ChanceGranted, XpChanged
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import OpportunityRecord
from tests.rulesets.sitting import Sitting, boon

GAMES = {
    rank_ability.RULESET: ("check", {"ability": "str", "tn": 10}, {"rank": 2, "str": 6}),
    public_d20.RULESET: ("task", {"attribute": "attribute.might", "dc": 12}, {"attribute__might": 2}),
    sage_d20.RULESET: ("attribute", {"attribute": "strength"}, {"strength": 12}),
    group_d12.RULESET: ("skill", {"skill": "skill.climb", "difficulty": 8}, {"skill__climb": 2}),
}


def seized(id, sign="boon"):
    return OpportunityRecord(id=id, label="A gap in the line", sign=sign, by="friend", name="Friend")


def counted(game, *opportunities, mode="public", **more):
    key, params, values = GAMES[game]
    sitting = Sitting(game)
    sitting.actor("hero", **values)
    check = Check(
        spec=game.checks[key],
        actor=sitting.state.actors["hero"],
        params=params,
        mode=mode,
        opportunities=opportunities,
        **more,
    )
    return game.modifiers(sitting.state, game.prepare(sitting.state, check))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_an_opportunity_is_a_source_in_every_game(game):
    got = counted(game, seized("3.1"))
    (line,) = got.sources
    assert (line.id, line.kind, line.label, line.sign, line.amount) == (
        "opportunity/3.1",
        "opportunity",
        "A gap in the line",
        "boon",
        1,
    )
    assert (line.origin, line.why, got.net) == ("friend", "counts", 1)
    assert counted(game, seized("3.1", "bane")).net == -1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_hidden_roll_does_not_use_one(game):
    got = counted(game, seized("3.1"), mode="gm")
    assert ([line.why for line in got.sources], got.net) == (["open_rolls_only"], 0)


@pytest.mark.rule("X-D11")
@pytest.mark.parametrize("game", [public_d20.RULESET, sage_d20.RULESET, group_d12.RULESET], ids=lambda game: game.id)
def test_several_add_up_each_once(game):
    """X-D11: each adds its chance."""
    assert counted(game, seized("3.1"), seized("4.1"), seized("5.1", "bane")).net == 1


def test_nobody_names_a_source_that_passes_for_one():
    got = counted(group_d12.RULESET, seized("3.1"), claims=(boon("opportunity/3.1", kind="opportunity"),))
    assert [(line.kind, line.counted) for line in got.sources] == [("opportunity", True), ("situation", True)]


def table(*faces, **options):
    sitting = Sitting(group_d12.RULESET, faces, **options)
    sitting.actor("hero", skill__climb=3)
    sitting.actor("friend", skill__climb=1)
    return sitting


def create(sitting, **more):
    return sitting.rolled("opportunity", skill="skill.climb", difficulty=8, **more)


@pytest.mark.rule("D-21")
@pytest.mark.parametrize(("sign", "gives"), [("positive", "boon"), ("negative", "bane")])
def test_without_a_name_it_waits_for_whoever_comes(sign, gives):
    assert create(table(6), sign=sign).effects == (ChanceGranted(to=None, sign=gives),)


def test_with_a_name_it_is_his():
    assert create(table(6), to="friend").effects == (ChanceGranted(to="friend", sign="boon"),)


def test_one_that_fails_gives_nothing():
    assert create(table(2)).effects == ()


def test_a_bought_success_gives_it_too():
    sitting = table(2, 6)
    sitting.act("give_boon")
    (chosen,) = sitting.choose(create(sitting).rolled.check, "spend")
    assert chosen.effects[-1] == ChanceGranted(to=None, sign="boon")


# --- experience -------------------------------------------------------------------------------------------------
class Sheet:
    """A table where the hero has so many XP."""

    def __init__(self, xp, **data):
        sitting = table()
        hero = replace(sitting.state.actors["hero"], xp=xp)
        self.options, self.game, self.marks = sitting.state.options, sitting.state.game, {}
        self.data = replace(sitting.state.data, **data)
        self.actor = {"hero": hero}.get


def learn(sheet, **args):
    return group_d12.RULESET.decide_verb(sheet, "spend_xp", {"actor": "hero", "skill": "skill.climb", **args})


@pytest.mark.rule("D-29")
def test_the_next_level_costs_twice_its_number():
    """From 3 to 4: 2 × 4 (proposed)."""
    assert learn(Sheet(9)) == (XpChanged(actor="hero", change=-8, now=1),)
    assert learn(Sheet(8)) == (XpChanged(actor="hero", change=-8, now=0),)


def test_a_skill_that_is_not_there_yet_is_at_none():
    assert learn(Sheet(9), skill="skill.swim") == (XpChanged(actor="hero", change=-2, now=7),)


def test_the_table_has_its_own_price_and_a_gm_may_name_one():
    assert learn(Sheet(9), amount=5) == (XpChanged(actor="hero", change=-5, now=4),)
    assert learn(Sheet(9, xp_per_level=1)) == (XpChanged(actor="hero", change=-4, now=5),)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"amount": 8}, Code.XP_TOO_LITTLE),
        ({}, Code.XP_TOO_LITTLE),
        ({"actor": "nobody"}, Code.ACTOR_UNKNOWN),
        ({"skill": "grace"}, Code.ROLL_BAD_PARAMETER),
    ],
)
def test_what_cannot_be_learned_is_refused(args, code):
    with pytest.raises(Refusal) as refused:
        learn(Sheet(7), **args)
    assert refused.value.code is code
    if code is Code.XP_TOO_LITTLE:
        assert refused.value.values == {"actor": "hero", "cost": 8, "have": 7}


def test_a_skill_far_below_zero_still_costs_something():
    assert group_d12.xp_price(-20, 2) == 1
    assert [group_d12.xp_price(bonus, 2) for bonus in range(4)] == [2, 4, 6, 8]
