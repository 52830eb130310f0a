"""What a game master may say after the dice: which answers there are when, in which order, and for which rolls."""

import pytest

from boonbridge.rulesets import group_d12, public_d20, rank_ability, sage_d20
from boonbridge.rulesets.base import OpenCheck
from boonbridge.rulesets.common import rulings
from boonbridge_schemas.checks import Attack, Result, Rolled
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import DutyNoted, ResourceChanged
from boonbridge_schemas.events import CheckRolled, Chosen
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, ad_hoc, offered

# A-19; A-21; D-12
FAILURE = ["fails", "consequence", "costs_time", "costs_resources", "danger", "closed", "at_cost", "pass"]
BENEFIT = ["faster", "information", "stronger", "opening", "resource_saved", "danger_avoided", "better_position", "pass"]
FUMBLE = ["complication", "new_danger", "loss", "exposure", "hard_choice", "pass"]
SEVERE = ["danger", "lost_resource", "obstacle", "pass"]


def check(faces, **more):
    sitting = Sitting(rank_ability.RULESET, faces)
    sitting.actor("hero", rank=3, agi=6)
    return sitting, sitting.rolled("check", **{"ability": "agi", "tn": 10, **more})


def group(faces=(), held=0, **options):
    sitting = Sitting(group_d12.RULESET, faces, **options)
    sitting.actor("hero", skill__climb=3)
    sitting.actor("guard", side="opposition", skill__climb=4)
    sitting.actor("mule", side="neutral", skill__climb=1)
    for _ in range(held):
        sitting.act("give_boon")
    return sitting


def climbs(sitting, actor="hero", **more):
    """The last thing that the roll brought: itself, or the choice that was the only one."""
    events = sitting.roll("skill", actor=actor, **{"skill": "skill.climb", "difficulty": 10, **more})
    return [event for event in events if isinstance(event, CheckRolled | Chosen)][-1]


def refusal(call, *args, **kwargs):
    with pytest.raises(Refusal) as refused:
        call(*args, **kwargs)
    return refused.value.code


# --- Rank & Ability ---------------------------------------------------------------------------------------------
@pytest.mark.rule("A-05", "A-19", "A-21", "A-22")
@pytest.mark.parametrize(("faces", "ids"), [([2, 3], FAILURE), ([6, 6], BENEFIT), ([1, 1], FUMBLE), ([5, 6], [])])
def test_every_outcome_has_its_answers(faces, ids):
    sitting, rolled = check(faces)
    assert offered(rolled) == ids
    assert sitting.state.checks[rolled.rolled.check].done is (not ids)


@pytest.mark.parametrize(("faces", "ids"), [([2, 3], FAILURE), ([6, 6], BENEFIT), ([1, 1], FUMBLE)])
def test_a_ruling_is_the_gms_takes_words_and_never_answers_itself(faces, ids):
    _, rolled = check(faces)
    for offer in rolled.choices:
        assert (offer.who, offer.enabled, offer.default, offer.cost, offer.chance) == ("gm", True, False, 0, None)
        assert offer.note is (offer.id != "pass"), "what was said at the table needs no note"


@pytest.mark.parametrize(("faces", "ids"), [([2, 3], FAILURE), ([6, 6], BENEFIT), ([1, 1], FUMBLE)])
def test_one_ruling_is_enough(faces, ids):
    for choice in ids:
        sitting, rolled = check(faces)
        (chosen,) = sitting.choose(rolled.rolled.check, choice)
        assert (chosen.choice, chosen.auto, chosen.result, chosen.drawn, chosen.choices) == (choice, False, None, 0, ())
        assert refusal(sitting.choose, rolled.rolled.check, choice) is Code.CHOICE_DONE


def test_a_ruling_of_another_outcome_is_not_offered():
    sitting, rolled = check([2, 3])
    assert refusal(sitting.choose, rolled.rolled.check, "faster") is Code.CHOICE_NOT_OFFERED
    assert refusal(sitting.choose, rolled.rolled.check, "push") is Code.CHOICE_NOT_OFFERED


def test_a_player_does_not_rule():
    sitting, rolled = check([2, 3])
    sitting.owned("hero", "anna")
    assert refusal(sitting.choose, rolled.rolled.check, "at_cost", by="anna", role="player") is Code.CHOICE_NOT_YOURS


def test_a_new_roll_leaves_the_ruling_open():
    sitting, rolled = check([2, 3])
    sitting.faces(5, 6)
    sitting.roll("check", ability="agi", tn=10)
    assert sitting.choose(rolled.rolled.check, "danger")


@pytest.mark.parametrize(
    ("mode", "ids"), [("public", FAILURE), ("gm", FAILURE), ("secret", FAILURE), ("blind", FAILURE), ("self", [])]
)
def test_where_nobody_but_the_roller_saw_the_dice_nobody_rules(mode, ids):
    _, rolled = check([2, 3], mode=mode)
    assert offered(rolled) == ids


def test_a_mere_name_is_ruled_too():
    sitting = Sitting(rank_ability.RULESET, [2, 3])
    assert offered(sitting.rolled("check", ad_hoc=ad_hoc(rank=3, agi=6), ability="agi", tn=10)) == FAILURE


# --- d12 with group Boons (D-12) --------------------------------------------------------------------------------
@pytest.mark.rule("D-12")
@pytest.mark.parametrize(("face", "ids"), [(1, SEVERE), (4, []), (9, []), (12, [])])
@pytest.mark.parametrize("actor", ["guard", "mule"])
def test_whoever_fails_critically_suffers_for_it_and_the_pool_stays(actor, face, ids):
    sitting = group([face], held=2)
    rolled = climbs(sitting, actor)
    assert offered(rolled) == ids
    assert rolled.effects == ((DutyNoted(duty="severe_consequence"),) if ids else ())
    assert sitting.state.game.held == 2


def test_a_mere_name_suffers_too():
    sitting = group([1])
    (rolled,) = sitting.roll("skill", ad_hoc=ad_hoc(skill__climb=2), skill="skill.climb", difficulty=4)
    assert offered(rolled) == SEVERE


@pytest.mark.parametrize(("mode", "ids"), [("gm", SEVERE), ("secret", SEVERE), ("blind", SEVERE), ("self", [])])
def test_of_a_lone_roll_of_the_opposition_nobody_rules(mode, ids):
    assert offered(climbs(group([1]), "guard", mode=mode)) == ids


def test_the_party_first_accepts_and_then_suffers():
    sitting = group([1], held=2)
    rolled, accepted = sitting.roll("skill", skill="skill.climb", difficulty=10)
    assert offered(rolled) == ["accept", "spend"]
    assert [offer.enabled for offer in rolled.choices] == [True, False]
    assert (accepted.choice, accepted.auto) == ("accept", True)
    assert accepted.effects == (ResourceChanged(resource="boons", asked=1, applied=1, reason="critical_failure"),)
    assert offered(accepted) == SEVERE
    assert all((offer.who, offer.default) == ("gm", False) for offer in accepted.choices)
    assert refusal(sitting.choose, rolled.rolled.check, "accept") is Code.CHOICE_NOT_OFFERED
    assert refusal(sitting.choose, rolled.rolled.check, "spend") is Code.SPEND_CRITICAL_FAILURE
    (ruled,) = sitting.choose(rolled.rolled.check, "lost_resource")
    assert (ruled.effects, ruled.choices, sitting.state.game.held) == ((), (), 3)
    assert refusal(sitting.choose, rolled.rolled.check, "obstacle") is Code.CHOICE_DONE


def test_a_ruling_cannot_be_taken_before_its_turn():
    sitting = group([4], held=2)
    rolled = climbs(sitting)
    assert offered(rolled) == ["accept", "spend"]
    assert refusal(sitting.choose, rolled.rolled.check, "danger") is Code.CHOICE_NOT_OFFERED


def test_an_ordinary_failure_brings_no_severe_consequence():
    sitting = group([4], held=2)
    (accepted,) = sitting.choose(climbs(sitting).rolled.check, "accept")
    assert accepted.choices == ()


@pytest.mark.parametrize(("reroll", "ids"), [("replace", SEVERE), ("best_of", [])])
def test_a_bought_1_is_a_critical_failure_only_where_it_stands_alone(reroll, ids):
    sitting = group([4, 1], held=1, reroll=reroll)
    spent, accepted = sitting.choose(climbs(sitting).rolled.check, "spend")
    assert spent.result.worst is bool(ids)
    assert (accepted.choice, accepted.auto, offered(accepted), accepted.effects) == ("accept", True, ids, ())


@pytest.mark.parametrize("mode", ["gm", "secret"])
def test_a_hidden_critical_failure_of_the_party_waits_for_its_gm(mode):
    sitting = group([1], held=2)
    accepted = climbs(sitting, mode=mode)
    assert (accepted.choice, accepted.deferred, offered(accepted)) == ("accept", True, SEVERE)
    assert sitting.state.game.held == 2


def test_it_is_the_chosen_die_that_fails_critically():
    sitting = group([1, 9, 1, 9])
    sitting.grant("guard", "boon", "high ground")
    sitting.grant("mule", "bane", "dark")
    assert offered(climbs(sitting, "guard")) == []
    assert offered(climbs(sitting, "mule")) == SEVERE


# --- the others -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("face", [1, 7, 20])
def test_games_without_rulings_ask_nothing(face):
    sitting = Sitting(public_d20.RULESET, [face])
    sitting.actor("hero", attribute__might=0, attacks=(Attack(id="axe", name="Axe", attribute="attribute.might"),))
    assert sitting.rolled("task", attribute="attribute.might", dc=10).choices == ()
    sitting = Sitting(sage_d20.RULESET, [face])
    sitting.actor("hero", will=2)
    assert sitting.rolled("attribute", attribute="will").choices == ()


# --- the mechanism ----------------------------------------------------------------------------------------------
def opened(mode="public", taken=()):
    rolled = Rolled(check="1.1", actor="hero", name="hero", kind="check", params={}, action="", side="party")
    result = Result(dice=(), net=0, boons=0, banes=0, bonus=0, total=0, outcome="failure", success=False)
    return OpenCheck(rolled=rolled, mode=mode, roller="gm", target=None, sources=(), result=result, taken=taken)


SET = (rulings.Ruling("worse", "Worse: it gets worse"), rulings.Ruling("better", "Better"))


def test_a_set_ends_with_said_at_the_table():
    offers = rulings.offers(opened(), SET)
    assert [(offer.id, offer.label, offer.who, offer.note, offer.default) for offer in offers] == [
        ("worse", "Worse: it gets worse", "gm", True, False),
        ("better", "Better", "gm", True, False),
        ("pass", "Said at the table: nothing to note", "gm", False, False),
    ]


@pytest.mark.parametrize("taken", [("worse",), ("pass",), ("accept", "better")])
def test_after_a_ruling_there_is_none(taken):
    assert rulings.offers(opened(taken=taken), SET) == ()


def test_an_earlier_choice_is_no_ruling():
    assert rulings.offers(opened(taken=("accept", "spend")), SET)


def test_no_answers_no_ruling():
    assert rulings.offers(opened(), ()) == ()
    assert rulings.offers(opened(mode="self"), SET) == ()


@pytest.mark.parametrize("game", [rank_ability, group_d12])
def test_a_table_that_rules_aloud_is_not_asked(game):
    roll = {
        rank_ability: lambda sitting: sitting.rolled("check", rankDie=8, abilityDie=8, tn=9),
        group_d12: lambda sitting: sitting.rolled("skill", skill="skill.climb", difficulty=9),
    }[game]
    asked, not_asked = (_ruled_by(game, rulings=rulings) for rulings in (True, False))
    assert roll(asked).choices
    assert roll(not_asked).choices == ()


def _ruled_by(game, **options):
    sitting = Sitting(game.RULESET, [1, 1], **options)
    sitting.actor("hero", side="opposition", **({"skill__climb": 0} if game is group_d12 else {"rank": 1}))
    return sitting
