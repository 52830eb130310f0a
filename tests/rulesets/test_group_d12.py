"""d12 with group Boons beyond the worked examples: who may spend, what waits, what hidden rolls may not touch."""

import msgspec
import pytest

from boonbridge.rulesets import group_d12
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import (
    ChanceGranted,
    DieBought,
    DutyNoted,
    MarkSet,
    ResistanceOffered,
    ResourceChanged,
)
from boonbridge_schemas.entries import PoolEntry
from boonbridge_schemas.events import Acted, CheckRolled, Chosen, GrantSpent
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, ad_hoc, bane, boon


def table(faces=(), held=0, **options):
    sitting = Sitting(group_d12.RULESET, faces, **options)
    sitting.actor("hero", skill__climb=3)
    sitting.actor("friend", skill__climb=1)
    sitting.actor("guard", side="opposition", skill__watch=4)
    given = ResourceChanged(resource="boons", asked=held, applied=held, reason="accepted_failure")
    sitting.happened(Acted(verb="give_boon", effects=(given,)))
    return sitting


def skill(sitting, *sources, **more):
    return sitting.rolled("skill", *sources, **{"skill": "skill.climb", "difficulty": 10, **more})


def offers(event):
    return {offer.id: (offer.enabled, offer.why) for offer in event.choices}


def refused(call, *args, **kwargs):
    with pytest.raises(Refusal) as problem:
        call(*args, **kwargs)
    return problem.value.code


# --- after a failure --------------------------------------------------------------------------------------------
def test_a_failure_waits_for_accept_or_spend():
    sitting = table([4], held=2)
    rolled = skill(sitting)
    accept, spend = rolled.choices
    assert (accept.id, accept.enabled, accept.default, accept.who, accept.cost) == ("accept", True, True, "roller", 0)
    assert (spend.id, spend.enabled, spend.default, spend.cost, spend.left, spend.chance) == ("spend", True, False, 1, 1, "1/2")
    assert (rolled.effects, sitting.state.game.held) == ((), 2)


def test_an_accepted_failure_earns_a_boon():
    sitting = table([4], held=1)
    (chosen,) = sitting.choose(skill(sitting).rolled.check, "accept")
    assert chosen.effects == (ResourceChanged(resource="boons", asked=1, applied=1, reason="accepted_failure"),)
    assert sitting.state.game == group_d12.Pool(2, 2)


def test_with_an_empty_pool_there_is_nothing_to_ask():
    sitting = table([4])
    rolled, chosen = sitting.roll("skill", skill="skill.climb", difficulty=10)
    assert offers(rolled) == {"accept": (True, None), "spend": (False, "pool.empty")}
    assert (chosen.choice, chosen.auto, sitting.state.game.held) == ("accept", True, 1)


def test_spending_pays_buys_and_judges_again():
    sitting = table([4, 9], held=1)
    (spent,) = sitting.choose(skill(sitting).rolled.check, "spend")
    assert spent.effects == (
        ResourceChanged(resource="boons", asked=-1, applied=-1, reason="spent_after"),
        DieBought(sides=12, face=9),
    )
    assert (spent.result.total, spent.result.outcome, spent.choices) == (12, "success", ())
    assert [(die.role, die.kept, die.mark) for die in spent.result.dice] == [("d12", False, ""), ("reroll", True, "bought")]


def test_after_a_second_failure_accepting_earns_nothing_and_is_not_asked():
    sitting = table([4, 5], held=3)
    spent, accepted = sitting.choose(skill(sitting).rolled.check, "spend")
    assert offers(spent) == {"accept": (True, None), "spend": (False, "spend.limit")}
    assert (accepted.choice, accepted.auto, accepted.effects) == ("accept", True, ())
    assert sitting.state.game.held == 2


def test_without_a_limit_it_goes_on_as_long_as_the_pool_lasts():
    sitting = table([4, 5, 6], held=2, spend_after_limit=None)
    check = skill(sitting).rolled.check
    (first,) = sitting.choose(check, "spend")
    assert offers(first)["spend"] == (True, None)
    second, accepted = sitting.choose(check, "spend")
    assert offers(second)["spend"] == (False, "pool.empty")
    assert (accepted.effects, sitting.state.game.held) == ((), 0)


def test_a_critical_failure_leaves_one_choice_and_takes_it():
    sitting = table([1], held=2)
    rolled, chosen = sitting.roll("skill", skill="skill.climb", difficulty=4)
    assert offers(rolled)["spend"] == (False, "spend.critical_failure")
    assert rolled.effects == (DutyNoted(duty="severe_consequence"),)
    assert chosen.effects == (ResourceChanged(resource="boons", asked=1, applied=1, reason="critical_failure"),)


def test_a_critical_success_earns_its_boon_at_once():
    sitting = table([12])
    (rolled,) = sitting.roll("skill", skill="skill.climb", difficulty=40)
    assert rolled.effects == (ResourceChanged(resource="boons", asked=1, applied=1, reason="critical_success"),)
    assert (rolled.choices, rolled.result.dice[0].mark) == ((), "crit")


@pytest.mark.parametrize(
    ("face", "sources", "options", "code"),
    [
        (9, (), {}, Code.SPEND_NOT_FAILED),
        (1, (), {}, Code.SPEND_CRITICAL_FAILURE),
        (4, (bane("dark"),), {}, Code.SPEND_NEGATIVE),
        (4, (bane("dark"), boon("rope")), {"spend_after_gate": "gross"}, Code.SPEND_NEGATIVE),
        (4, (), {"spend_after_limit": 0}, Code.SPEND_LIMIT),
    ],
)
def test_a_spend_that_the_rules_forbid_says_why(face, sources, options, code):
    sitting = table([face, face], held=5, **options)
    rolled = skill(sitting, *sources)
    assert refused(sitting.choose, rolled.rolled.check, "spend") is code
    assert sitting.dice.drawn == 1 + (len(sources) == 1)


def test_a_choice_is_taken_once():
    sitting = table([4], held=2)
    check = skill(sitting).rolled.check
    sitting.choose(check, "accept")
    assert refused(sitting.choose, check, "accept") is Code.CHOICE_DONE
    assert refused(sitting.choose, check, "spend") is Code.CHOICE_DONE


def test_a_choice_that_does_not_exist_is_refused():
    sitting = table([4], held=2)
    assert refused(sitting.choose, skill(sitting).rolled.check, "push") is Code.CHOICE_NOT_OFFERED


def test_the_next_check_takes_the_default_of_the_one_before():
    sitting = table([4, 9], held=2)
    first = skill(sitting)
    closed, second = sitting.roll("skill", skill="skill.climb", difficulty=10)
    assert (closed.check, closed.choice, closed.auto) == (first.rolled.check, "accept", True)
    assert isinstance(second, CheckRolled)


# --- before the roll --------------------------------------------------------------------------------------------
def test_a_boon_before_the_roll_is_a_source_and_a_payment():
    sitting = table([9], held=2)
    rolled = skill(sitting, bane("dark"), spend=1)
    assert rolled.effects == (ResourceChanged(resource="boons", asked=-1, applied=-1, reason="spent_before"),)
    assert [(source.id, source.kind, source.why) for source in rolled.sources] == [
        ("dark", "situation", "cancels"),
        ("group_boon", "pool", "cancels"),
    ]
    assert (rolled.result.net, sitting.state.game.held) == (0, 1)


@pytest.mark.parametrize(
    ("held", "sources", "spend", "options", "code"),
    [
        (2, (), 1, {}, Code.SPEND_NO_NEGATIVE),
        (2, (bane("a"), boon("b")), 1, {}, Code.SPEND_NO_NEGATIVE),
        (3, (bane("a", 2),), 2, {}, Code.SPEND_LIMIT),
        (0, (bane("a"),), 1, {}, Code.POOL_EMPTY),
        (1, (bane("a", 2),), 2, {"spend_before_limit": None}, Code.POOL_EMPTY),
        (3, (bane("a"),), 2, {"spend_before_limit": None}, Code.SPEND_NO_NEGATIVE),
    ],
)
def test_a_boon_before_the_roll_that_cannot_be_spent_refuses_the_whole_roll(held, sources, spend, options, code):
    sitting = table([9, 9, 9], held=held, **options)
    assert refused(skill, sitting, *sources, spend=spend) is code
    assert (sitting.state.game.held, sitting.dice.drawn) == (held, 0)


def test_only_the_party_spends():
    sitting = table([9, 9], held=2)
    code = refused(sitting.rolled, "skill", bane("dark"), actor="guard", skill="skill.watch", difficulty=10, spend=1)
    assert code is Code.SPEND_NOT_A_PLAYER


def test_one_boon_does_not_pay_for_two_rows():
    sitting = table([9, 9], held=1)
    code = refused(sitting.roll, "skill", bane("dark"), targets=("guard", "friend"), skill="skill.climb", difficulty=10, spend=1)
    assert (code, sitting.state.game.held) == (Code.POOL_EMPTY, 1)


def test_a_boon_spent_before_can_cost_the_boon_of_the_failure():
    for forfeits, held in ((False, 3), (True, 2)):
        sitting = table([1], held=3, before_spend_forfeits_boon=forfeits)
        skill(sitting, bane("dark"), spend=1)
        assert sitting.state.game.held == held


# --- who plays for the pool -------------------------------------------------------------------------------------
@pytest.mark.rule("D-16")
@pytest.mark.parametrize("face", [1, 5, 12])
def test_opponents_and_mere_names_never_move_the_pool(face):
    sitting = table([face, face], held=3)
    rolls = (
        sitting.roll("skill", actor="guard", skill="skill.watch", difficulty=10),
        sitting.roll("skill", ad_hoc=ad_hoc(skill__climb=2), skill="skill.climb", difficulty=10),
    )
    for (rolled,) in rolls:
        assert all(offer.who == "gm" for offer in rolled.choices)
        assert [effect.duty for effect in rolled.effects] == (["severe_consequence"] if face == 1 else [])
    assert sitting.state.game.held == 3


def test_an_opponents_check_may_not_be_bought():
    sitting = table([5], held=3)
    rolled = sitting.rolled("skill", actor="guard", skill="skill.watch", difficulty=10)
    assert refused(sitting.choose, rolled.rolled.check, "spend") is Code.SPEND_NOT_A_PLAYER


def test_a_name_that_the_gm_puts_on_the_partys_side_plays_with_it():
    sitting = table([12])
    sitting.rolled("skill", ad_hoc=ad_hoc(side="party", skill__climb=2), skill="skill.climb", difficulty=10)
    assert sitting.state.game.held == 1


# --- hidden rolls -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["self", "blind"])
def test_a_check_of_the_party_is_not_rolled_alone_or_blind(mode):
    assert refused(skill, table([5]), mode=mode) is Code.ROLL_MODE


@pytest.mark.parametrize("mode", ["self", "blind"])
def test_an_opponents_check_may_be(mode):
    sitting = table([5])
    assert sitting.rolled("skill", actor="guard", skill="skill.watch", difficulty=10, mode=mode).deferred


@pytest.mark.parametrize("mode", ["gm", "secret"])
def test_a_hidden_check_neither_spends_nor_earns_yet(mode):
    sitting = table([4], held=2)
    events = sitting.roll("skill", skill="skill.climb", difficulty=10, mode=mode)
    rolled = next(event for event in events if isinstance(event, CheckRolled))
    chosen = next(event for event in events if isinstance(event, Chosen))
    assert offers(rolled)["spend"] == (False, "spend.open_rolls_only")
    assert (chosen.choice, chosen.deferred, sitting.state.game.held) == ("accept", True, 2)
    assert refused(sitting.choose, rolled.rolled.check, "spend") is Code.SPEND_OPEN_ROLLS_ONLY


def test_a_hidden_check_may_not_spend_before():
    sitting = table([4], held=2)
    assert refused(skill, sitting, bane("dark"), spend=1, mode="gm") is Code.SPEND_OPEN_ROLLS_ONLY


# --- resistance and opportunities -------------------------------------------------------------------------------
def test_whoever_resists_sets_the_difficulty_and_it_is_as_secret_as_the_skill():
    sitting = table([8])
    rolled = sitting.rolled("skill", targets=("guard",), skill="skill.climb", resist="skill.watch", difficulty=3)
    assert rolled.rolled.target is None
    assert "difficulty" not in rolled.rolled.params
    assert rolled.result.outcome == "success"
    assert sitting.shows("skill", targets=("guard",), skill="skill.climb", resist="skill.watch").target == 11


def test_an_equal_total_is_enough_unless_resistance_must_be_beaten():
    for compare, outcome in (("at_least", "success"), ("more_than", "failure")):
        sitting = table([8], resist_compare=compare)
        assert sitting.result("skill", targets=("guard",), skill="skill.climb", resist="skill.watch").outcome == outcome
        sitting.faces(7)
        assert skill(sitting).result.outcome == "success"


@pytest.mark.parametrize(
    ("params", "targets", "code"),
    [
        ({}, (), Code.ROLL_BAD_PARAMETER),
        ({"resist": "skill.watch"}, (), Code.ROLL_TARGET_NEEDED),
        ({"resist": "skill.fly"}, ("guard",), Code.ACTOR_NUMBER_MISSING),
        ({"resist": "watch"}, ("guard",), Code.ROLL_BAD_PARAMETER),
    ],
)
def test_a_check_needs_a_difficulty_or_somebody_who_resists(params, targets, code):
    assert refused(table().rolled, "skill", skill="skill.climb", targets=targets, **params) is code


def test_an_opportunity_helps_the_next_check_of_an_ally_once():
    sitting = table([9, 3, 8, 8])
    rolled = sitting.rolled("opportunity", skill="skill.climb", difficulty=10, to="friend")
    assert rolled.effects == (ChanceGranted(to="friend", sign="boon"),)
    events = sitting.roll("skill", actor="friend", skill="skill.climb", difficulty=9)
    assert events[0].result.net == 1
    assert any(isinstance(event, GrantSpent) for event in events)
    assert skill(sitting, actor="friend", difficulty=9).result.net == 0


def test_an_opportunity_may_hinder_an_opponent():
    sitting = table([4, 11, 9, 3], held=1)
    rolled = sitting.rolled("opportunity", skill="skill.climb", difficulty=12, sign="negative", to="guard")
    (spent,) = sitting.choose(rolled.rolled.check, "spend")
    assert spent.effects[-1] == ChanceGranted(to="guard", sign="bane")
    assert sitting.rolled("skill", actor="guard", skill="skill.watch", difficulty=9).result.net == -1


def test_a_failed_opportunity_gives_nothing_but_the_boon():
    sitting = table([4])
    sitting.roll("opportunity", skill="skill.climb", difficulty=10, to="friend")
    assert (sitting.state.game.held, sitting.state.actors["friend"].grants) == (1, ())


def test_ones_own_opportunity_is_for_oneself_unless_the_table_says_otherwise():
    assert table([9]).rolled("opportunity", skill="skill.climb", difficulty=10, to="hero").effects
    sitting = table([9], opportunity_self=False)
    assert refused(sitting.rolled, "opportunity", skill="skill.climb", difficulty=10, to="hero") is Code.ROLL_BAD_PARAMETER


def test_an_opportunity_is_for_somebody_at_the_table():
    assert refused(table([9]).rolled, "opportunity", skill="skill.climb", difficulty=10, to="nobody") is Code.ACTOR_UNKNOWN


# --- table moves ------------------------------------------------------------------------------------------------
def moved(asked, applied, reason):
    return ResourceChanged(resource="boons", asked=asked, applied=applied, reason=reason)


def test_a_gift_is_held_but_not_gained():
    sitting = table(held=2)
    assert sitting.act("give_boon") == (moved(1, 1, "given"),)
    assert sitting.state.game == group_d12.Pool(held=3, gained=2)


def test_what_is_taken_away_was_gained_all_the_same():
    sitting = table(held=2)
    assert sitting.act("take_boon") == (moved(-1, -1, "taken"),)
    assert sitting.state.game == group_d12.Pool(held=1, gained=2)
    sitting.act("take_boon")
    assert refused(sitting.act, "take_boon") is Code.POOL_EMPTY
    assert sitting.state.game == group_d12.Pool(held=0, gained=2)


@pytest.mark.parametrize("winner", ["party", "opposition"])
def test_who_has_the_initiative_is_for_everybody_to_see(winner):
    sitting = table()
    assert sitting.act("initiative", winner=winner) == (MarkSet(mark="initiative", value=winner),)
    assert sitting.state.marks == {"initiative": winner}


@pytest.mark.rule("D-19")
def test_a_lost_initiative_is_kept_for_a_boon():
    sitting = table(held=2)
    sitting.act("initiative", winner="opposition")
    kept = sitting.act("keep_initiative", by="anna", role="player")
    assert kept == (moved(-1, -1, "kept_initiative"), MarkSet(mark="initiative", value="party"))
    assert (sitting.state.game.held, sitting.state.marks) == (1, {"initiative": "party"})
    assert refused(sitting.act, "keep_initiative") is Code.SPEND_INITIATIVE


@pytest.mark.parametrize(
    ("winner", "held", "code"),
    [
        (None, 2, Code.SPEND_INITIATIVE),
        ("party", 2, Code.SPEND_INITIATIVE),
        ("party", 0, Code.SPEND_INITIATIVE),
        ("opposition", 0, Code.POOL_EMPTY),
    ],
)
def test_an_initiative_that_cannot_be_kept_costs_nothing(winner, held, code):
    sitting = table(held=held)
    if winner:
        sitting.act("initiative", winner=winner)
    before = sitting.state.game, dict(sitting.state.marks)
    assert refused(sitting.act, "keep_initiative") is code
    assert (sitting.state.game, sitting.state.marks) == before


@pytest.mark.rule("D-22")
@pytest.mark.parametrize(("bonus", "difficulty"), [(0, 7), (4, 11), (-3, 4), (6, 13)])
def test_whoever_resists_sets_seven_and_the_bonus(bonus, difficulty):
    sitting = table()
    sitting.actor("hero", skill__climb=bonus)
    sitting.owned("hero", "anna")
    (effect,) = sitting.act("offer_resistance", actor="hero", skill="skill.climb", by="anna", role="player")
    assert effect == ResistanceOffered(actor="hero", skill="skill.climb", difficulty=difficulty)


@pytest.mark.parametrize(
    ("verb", "args", "code"),
    [
        ("offer_resistance", {"actor": "nobody", "skill": "skill.climb"}, Code.ACTOR_UNKNOWN),
        ("offer_resistance", {"actor": "hero", "skill": "skill.fly"}, Code.ACTOR_NUMBER_MISSING),
        ("offer_resistance", {"actor": "hero", "skill": "climb"}, Code.ROLL_BAD_PARAMETER),
        ("offer_resistance", {"actor": "hero", "skill": 3}, Code.ROLL_BAD_PARAMETER),
        ("offer_resistance", {"actor": "hero"}, Code.ROLL_BAD_PARAMETER),
        ("offer_resistance", {"skill": "skill.climb"}, Code.ROLL_BAD_PARAMETER),
        ("initiative", {}, Code.ROLL_BAD_PARAMETER),
        ("initiative", {"winner": "neutral"}, Code.ROLL_BAD_PARAMETER),
        ("initiative", {"winner": True}, Code.ROLL_BAD_PARAMETER),
        ("give_boon", {"many": 2}, Code.ROLL_UNKNOWN_PARAMETER),
        ("sing", {}, Code.VERB_UNKNOWN),
    ],
)
def test_a_move_that_does_not_fit_is_refused(verb, args, code):
    assert refused(table(held=2).act, verb, **args) is code


@pytest.mark.parametrize(
    ("verb", "who"),
    [
        ("give_boon", "gm"),
        ("take_boon", "gm"),
        ("initiative", "gm"),
        ("keep_initiative", "player"),
        ("offer_resistance", "player"),
    ],
)
def test_whose_move_it_is(verb, who):
    specs = {spec.key: spec for spec in group_d12.RULESET.info(group_d12.Options()).verbs}
    assert specs[verb].who == who
    assert specs[verb].help


def test_a_player_does_not_move_what_is_the_gms():
    for verb, args in (("give_boon", {}), ("take_boon", {}), ("initiative", {"winner": "party"})):
        assert refused(table(held=2).act, verb, by="anna", role="player", **args) is Code.ROLE_FORBIDDEN


def test_help_is_a_check_of_its_own():
    info = group_d12.RULESET.info(group_d12.Options())
    assert (info.assist, group_d12.RULESET.help_check) == (False, "opportunity")
    assert group_d12.RULESET.help_check in group_d12.RULESET.checks


# --- the pool ---------------------------------------------------------------------------------------------------
def test_the_pool_is_an_entry_for_everybody():
    sitting = table(held=2, boon_cap=7)
    assert group_d12.RULESET.entries(sitting.state) == {"pool": PoolEntry(held=2, gained=2, cap=7)}


def test_other_resources_are_none_of_its_business():
    pool = group_d12.Pool(2, 2)
    assert group_d12.RULESET.evolve(pool, ResourceChanged(resource="coins", asked=1, applied=1, reason="given")) == pool


def test_a_verb_that_is_not_its_own_is_unknown():
    assert refused(group_d12.RULESET.decide_verb, table().state, "sing", {}) is Code.VERB_UNKNOWN


def test_at_the_cap_the_button_says_so():
    sitting = table([4], held=10)
    assert skill(sitting).choices[0].label == "Accept: no more Boons are gained this evening"


@pytest.mark.parametrize(
    ("face", "difficulty", "level"), [(8, 11, 1), (11, 11, 2), (11, 8, 3), (12, 40, 1), (12, 9, 3), (4, 10, 0), (1, 3, 0)]
)
def test_the_success_level_of_tables_that_count_it(face, difficulty, level):
    result = skill(table([face], success_level=True), difficulty=difficulty).result
    assert [(extra.key, extra.value) for extra in result.extras] == [("level", level)]
    assert skill(table([face]), difficulty=difficulty).result.extras == ()


def test_totals_may_be_negative():
    sitting = table([2])
    sitting.actor("hero", skill__climb=-20)
    assert skill(sitting, difficulty=-18).result.outcome == "success"
    sitting.faces(2)
    assert skill(sitting, difficulty=-17).result.total == -18


def test_this_game_has_no_banes():
    info = group_d12.RULESET.info(group_d12.Options())
    texts = []

    def words_in(value):
        if isinstance(value, dict):
            for key, each in value.items():
                # `sign` is the record's own field; everything else that is text may be read by somebody.
                if key not in ("sign", "key", "id"):
                    words_in(each)
        elif isinstance(value, list | tuple):
            for each in value:
                words_in(each)
        elif isinstance(value, str):
            texts.append(value)

    words_in(msgspec.to_builtins(info))
    sitting = table([4], held=1)
    words_in(msgspec.to_builtins([source.label for source in skill(sitting, boon("rope"), bane("dark"), spend=0).sources]))
    assert texts
    assert not [text for text in texts if "bane" in text.lower()]
