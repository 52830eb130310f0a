"""What a game master decides otherwise stands as if it had fallen so: what it brought, and what is still to be chosen (I-03)."""

import itertools

import pytest

from tests.support.evening import Evening

FACES = {
    "group_d12": {"critical_success": (12,), "success": (11,), "failure": (3,), "critical_failure": (1,)},
    "rank_ability": {"critical_success": (5, 5), "success": (6, 5), "failure": (2, 3), "fumble": (1, 1)},
    "public_d20": {"critical_success": (20,), "success": (15,), "failure": (3,), "fumble": (1,)},
    "sage_d20": {"critical_success": (20,), "success": (12,), "failure": (3,)},
}
CHECKS = {
    "group_d12": ("skill", {"skill": "skill.climb", "difficulty": 9}),
    "rank_ability": ("check", {"ability": "str", "tn": 9}),
    "public_d20": ("task", {"attribute": "attribute.might", "dc": 12}),
    "sage_d20": ("attribute", {"attribute": "agility", "tn": 12}),
}
SHEETS = {
    "group_d12": {"skill.climb": 3},
    "rank_ability": {"rank": 3, "str": 8, "agi": 6, "con": 8, "lor": 4, "pre": 6},
    "public_d20": {"grace": 2, "attribute.might": 3},
    "sage_d20": {"strength": 9, "agility": 13, "intellect": 11, "will": 10, "defense": 13},
}


def rolled(game, outcome, mode):
    """A table at which Pia rolled just that, and the id of her check."""
    evening = Evening(game, **({"dice_public": False} if game == "public_d20" else {}))
    numbers = {"values": [{"key": key, "value": value} for key, value in SHEETS[game].items()]}
    evening.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": numbers})
    if game == "group_d12":
        evening.do({"t": "Act", "verb": "give_boon"})
    check, params = CHECKS[game]
    cmd = {"t": "RollCheck", "check": check, "actors": ["hero"], "params": params, "action": "Leap", "mode": mode}
    evening.do(cmd, "pia", FACES[game][outcome])
    check = f"{evening.state.seq}.1"
    assert evening.state.checks[check].result.outcome == outcome
    return evening, check


def stands(evening):
    hero, rules = evening.state.actors["hero"], evening.state.ruleset
    offers = [rules.choices(evening.state, opened) for opened in evening.state.undecided.values()]
    held = [(each.key, each.amount, each.fumbled, each.until) for each in hero.conditions]
    return evening.state.game, held, hero.locks, [[(offer.id, offer.enabled, offer.why) for offer in each] for each in offers]


@pytest.mark.parametrize("game", FACES)
@pytest.mark.parametrize("mode", ["public", "gm", "secret"])
def test_another_outcome_stands_as_if_it_had_fallen_so_and_so_does_the_first_one_again(game, mode):
    for outcome, other in itertools.permutations(FACES[game], 2):
        evening, check = rolled(game, outcome, mode)
        for now in (other, outcome):
            evening.do({"t": "Override", "check": check, "outcome": now, "confirm": True}, "gwen")
            assert stands(evening) == stands(rolled(game, now, mode)[0]), (outcome, now)


@pytest.mark.parametrize("outcome", ["failure", "critical_failure"])
def test_whoever_rolled_for_the_gms_is_shown_the_same_live_and_anew_when_one_decides_otherwise(outcome):
    evening, check = rolled("group_d12", "success", "gm")
    before = evening.shown("pia")
    placed = evening.do({"t": "Override", "check": check, "outcome": outcome})
    assert evening.told(placed, "gina", evening.viewer("pia")) == ([], [])
    assert evening.shown("pia") == before
