"""The chances that a dialog shows are those with which dice fall: many rolls with the table's own dice, counted.

Seeds are fixed, so this passes always or never. Each situation is asked twice: how often it came to a critical, another
success, the worst, or nothing, against ``odds``; and how often each total came, against ``curve``. The sum of squares is
compared with chi-square's 0.1 % points at both ends: too close to what was expected would be no dice either.
"""

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from math import sqrt

import pytest

from boonbridge.core.checking import checks_of, modified
from boonbridge.dice.source import SeededDice
from tests.support.evening import Evening, command

ROLLS = 200_000

SHEETS = {
    "rank_ability": {"values": [{"key": "rank", "value": 6}, {"key": "str", "value": 8}]},
    "public_d20": {
        "values": [{"key": "attribute.might", "value": 3}, {"key": "grace", "value": 5}],
        "attacks": [{"id": "hit", "name": "Hit", "attribute": "attribute.might"}],
    },
    "sage_d20": {"values": [{"key": key, "value": value} for key, value in (("strength", 12), ("will", 7), ("defense", 13))]},
    "group_d12": {"values": [{"key": "skill.climb", "value": 3}]},
}
STRONG = {"ability": "str", "tn": 10}
MIGHT = {"attribute": "attribute.might", "dc": 15}
CLIMB = {"skill": "skill.climb", "difficulty": 10}
SITUATIONS = {
    # options, check, parameters, against somebody, Boons, Banes
    "rank_ability": (
        ({}, "check", STRONG, False, 0, 0),
        ({}, "check", STRONG, False, 1, 0),
        ({}, "check", STRONG, False, 0, 1),
        ({"boon_keep": "rank_die"}, "check", STRONG, False, 1, 0),
        ({"crit_pair": "rank_and_ability"}, "check", {"rankDie": 8, "abilityDie": 8, "tn": 10}, False, 0, 1),
        ({"fumble_precedence": "success"}, "check", {"rankDie": 4, "abilityDie": 4, "tn": 2}, False, 0, 1),
    ),
    "public_d20": (
        ({}, "task", MIGHT, False, 0, 0),
        ({}, "task", MIGHT, False, 2, 0),
        ({}, "task", MIGHT, False, 0, 2),
        ({}, "attack", {"attack": "hit"}, True, 5, 1),
        ({"nat20": "auto_hit", "compare": "more_than"}, "task", {**MIGHT, "dc": 30}, False, 1, 0),
        ({"fumble_scope": "attacks_only"}, "task", {**MIGHT, "dc": 3}, False, 0, 1),
    ),
    "sage_d20": (
        ({}, "attribute", {"attribute": "strength", "tn": 12}, False, 0, 0),
        ({}, "attribute", {"attribute": "strength", "tn": 12}, False, 2, 0),
        ({}, "attribute", {"attribute": "will", "tn": 12}, False, 0, 2),
        ({}, "against", {"attribute": "strength", "against": "defense"}, True, 4, 1),
        ({"crit_failure_needs_failure": True}, "attribute", {"attribute": "will", "tn": 0}, False, 0, 3),
        ({}, "luck", {}, False, 1, 0),
    ),
    "group_d12": (
        ({}, "skill", CLIMB, False, 0, 0),
        ({}, "skill", CLIMB, False, 2, 0),
        ({}, "skill", CLIMB, False, 0, 1),
        ({}, "skill", {"skill": "skill.climb", "resist": "skill.climb"}, True, 3, 1),
        ({"resist_compare": "more_than"}, "skill", {"skill": "skill.climb", "resist": "skill.climb"}, True, 0, 3),
        ({}, "skill", {**CLIMB, "difficulty": 17}, False, 1, 0),
    ),
}


def situation(game, asked):
    """The table, the check ready to be rolled, and what applies to it."""
    options, check, params, against, boons, banes = asked
    table = Evening(game, **options)
    for actor in ("hero", "foe"):
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "numbers": SHEETS[game]})
    sources = [{"id": f"boon{i}", "label": "x", "sign": "boon"} for i in range(boons)]
    sources += [{"id": f"bane{i}", "label": "x", "sign": "bane"} for i in range(banes)]
    cmd = {"t": "RollCheck", "check": check, "params": params, "actors": ["hero"], "targets": ["foe"] if against else []}
    ((_, (draft,)),) = checks_of(table.state, command({**cmd, "sources": sources}), "gina", "gm")
    ready = table.state.ruleset.prepare(table.state, draft)
    return table.state, ready, modified(table.state, ready)


def counted(state, check, modifiers, seed, count):
    """How often each verdict came, and each total."""
    verdicts, totals = Counter(), Counter()
    for nth in range(count):
        result = state.ruleset.resolve(state, check, modifiers, SeededDice(seed, f"roll-{nth}")).result
        verdicts["critical" if result.crits else "success" if result.success else "worst" if result.worst else "failure"] += 1
        totals[result.total] += 1
    return verdicts, totals


def chances(state, check, modifiers):
    """The same, as a dialog has it."""
    rules = state.ruleset
    odds = rules.odds(state, check, modifiers)
    success, critical, worst = Fraction(odds.success), Fraction(odds.critical), Fraction(odds.worst)
    verdicts = {"critical": critical, "success": success - critical, "worst": worst, "failure": 1 - success - worst}
    return verdicts, {step.total: Fraction(step.chance) for step in rules.curve(state, check, modifiers)}


def squares(seen, expected, count):
    """Chi-square and its degrees of freedom; what is expected fewer than five times is one bin."""
    assert sum(expected.values()) == 1
    assert not [key for key in seen if not expected.get(key)], "it came to what cannot be"
    large = {key: float(chance * count) for key, chance in expected.items() if chance * count >= 5}
    bins = [(seen[key], wanted) for key, wanted in large.items()]
    rest = count - sum(large.values())
    if rest >= 5:
        bins.append((count - sum(seen[key] for key in large), rest))
    return sum((got - wanted) ** 2 / wanted for got, wanted in bins), len(bins) - 1


def point(freedom, z):
    """The point of chi-square that ``z`` is of the normal distribution (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return freedom * max(0.0, 1 - spread + z * sqrt(spread)) ** 3


def agree(game, count):
    each = -(-count // len(SITUATIONS[game]))
    by_verdict, by_total = [0.0, 0], [0.0, 0]
    for nth, asked in enumerate(SITUATIONS[game]):
        state, check, modifiers = situation(game, asked)
        seen = counted(state, check, modifiers, sha256(f"{game} {nth}".encode()).digest(), each)
        for sums, got, wanted in zip((by_verdict, by_total), seen, chances(state, check, modifiers), strict=True):
            chi, freedom = squares(got, wanted, each)
            assert chi <= point(max(1, freedom), 3.9), (asked, got, wanted)
            sums[0] += chi
            sums[1] += freedom
    for chi, freedom in (by_verdict, by_total):
        assert point(freedom, -3.09) < chi < point(freedom, 3.09), (chi, freedom)


def test_the_points_of_chi_square():
    # From any table: 10 degrees of freedom, 0.1 % above 29.59; 100 degrees, 0.1 % above 149.45.
    assert point(10, 3.09) == pytest.approx(29.59, abs=0.2)
    assert point(100, 3.09) == pytest.approx(149.45, abs=0.2)


@pytest.mark.parametrize("game", sorted(SITUATIONS))
def test_dice_fall_as_often_as_the_dialog_says(game):
    agree(game, ROLLS)
