"""Exact chances against icepool, across options, with the rules written a second time in its terms."""

import itertools
import time
from fractions import Fraction

import icepool
import pytest

from boonbridge.rulesets import group_d12, public_d20, rank_ability, sage_d20
from boonbridge.rulesets.chances import group_d12 as chances
from boonbridge_schemas.checks import Attack
from tests.rulesets.sitting import Sitting, bane, boon

D12, D20 = icepool.d12, icepool.d20


def text(p):
    return f"{p.numerator}/{p.denominator}"


def shown(odds):
    return odds.success, odds.critical, odds.worst


def expected(outcomes, success, critical, worst):
    return tuple(
        text(sum((outcomes.probability(o) for o in names if o in outcomes), Fraction(0))) for names in (success, critical, worst)
    )


def claims(net):
    return [boon(f"b{n}") for n in range(net)] + [bane(f"b{n}") for n in range(-net)]


def curve_of(points):
    return {point.total: point.chance for point in points}


def probabilities(die):
    return {outcome: text(die.probability(outcome)) for outcome in die.outcomes() if die.probability(outcome)}


def curve(table, check, sources, targets=(), **params):
    """The curve, as a viewer is shown it who may not know the target."""
    from boonbridge.core.checking import checks_of
    from boonbridge_schemas.commands import RollCheck

    command = RollCheck(check=check, actors=("hero",), targets=targets, params=params, sources=tuple(sources))
    ((_, (draft,)),) = checks_of(table.state, command, "gm", "gm")
    rules = table.state.ruleset
    ready = rules.prepare(table.state, draft)
    return curve_of(rules.curve(table.state, ready, rules.modifiers(table.state, ready)))


# --- Rank & Ability ---------------------------------------------------------------------------------------------
def rank_verdict(keep, pair, precedence, state, tn):
    def judge(rank, ability, extra=None):
        if state == 0:
            kept, printed = (rank, ability), True
        elif keep == "highest_two":
            three = sorted((rank, ability, extra))
            kept = tuple(three[1:]) if state > 0 else tuple(three[:2])
            # Rank and Ability are the kept two exactly where the extra die could be the dropped one.
            printed = extra == (three[0] if state > 0 else three[2])
        else:
            slot = max(rank, extra) if state > 0 else min(rank, extra)
            kept, printed = (slot, ability), slot == rank
        total = sum(kept)
        doubles = kept[0] == kept[1] and (pair == "kept_pair" or printed)
        if doubles and kept[0] == 1 and (precedence == "fumble" or total < tn):
            return "fumble"
        if total < tn:
            return "failure"
        return "critical" if doubles else "success"

    return judge


@pytest.mark.parametrize("precedence", ["fumble", "success"])
@pytest.mark.parametrize("pair", ["kept_pair", "rank_and_ability"])
@pytest.mark.parametrize("keep", ["highest_two", "rank_die"])
def test_rank_ability(keep, pair, precedence):
    table = Sitting(rank_ability.RULESET, boon_keep=keep, crit_pair=pair, fumble_precedence=precedence)
    for rank, ability, state, tn in itertools.product((4, 8, 12), (6, 12), (-1, 0, 1), (2, 10, 17)):
        table.actor("hero", rank=2, rankDie=rank, lor=ability)
        dice = [icepool.d(rank), icepool.d(ability)] + ([icepool.d10] if state else [])
        outcomes = icepool.map(rank_verdict(keep, pair, precedence, state, tn), *dice)
        row = table.shows("check", *claims(state), ability="lor", tn=tn)
        assert shown(row.odds) == expected(outcomes, ("success", "critical"), ("critical",), ("fumble",)), (
            rank,
            ability,
            state,
            tn,
        )


@pytest.mark.parametrize(("rank6", "sides"), [(12, 12), (10, 10)])
def test_rank_ability_totals_at_rank_6(rank6, sides):
    table = Sitting(rank_ability.RULESET, rank6_boon_die=rank6)
    table.actor("hero", rank=6, pre=8)
    totals = icepool.map(lambda *three: sum(sorted(three)[1:]), icepool.d12, icepool.d8, icepool.d(sides))
    assert curve(table, "check", claims(1), ability="pre", tn=10) == probabilities(totals)


# --- the public d20 pool ----------------------------------------------------------------------------------------
def public_verdict(net, bonus, target, *, attack, compare, nat20, scope):
    def judge(*faces):
        kept = max(faces) if net >= 0 else min(faces)
        if kept == 1 and (attack or scope == "all_rolls"):
            return "fumble"
        total = kept + bonus
        hit = total > target if compare == "more_than" else total >= target
        hit = hit or (kept == 20 and nat20 == "auto_hit")
        crits = kept == 20 and (hit or nat20 == "crit_regardless")
        return "critical" if hit and crits else "hit" if hit else "missed crit" if crits else "miss"

    return judge


@pytest.mark.parametrize("scope", ["all_rolls", "attacks_only"])
@pytest.mark.parametrize("nat20", ["crit_if_hit", "auto_hit", "crit_regardless"])
@pytest.mark.parametrize("compare", ["at_least", "more_than"])
def test_public_d20(compare, nat20, scope):
    table = Sitting(public_d20.RULESET, compare=compare, nat20=nat20, fumble_scope=scope)
    swing = Attack(id="swing", name="swing", attribute="attribute.might")
    for net, bonus, target, attack in itertools.product((-2, -1, 0, 1, 2), (-3, 4), (6, 15, 24), (True, False)):
        table.actor("hero", attribute__might=bonus, attacks=(swing,))
        table.actor("foe", side="opposition", grace=target - 8)
        if attack:
            row = table.shows("attack", *claims(net), targets=("foe",), attack="swing")
        else:
            row = table.shows("task", *claims(net), attribute="attribute.might", dc=target)
        judge = public_verdict(net, bonus, target, attack=attack, compare=compare, nat20=nat20, scope=scope)
        outcomes = icepool.map(judge, *[D20] * (1 + abs(net)))
        wanted = expected(outcomes, ("hit", "critical"), ("critical", "missed crit"), ("fumble",))
        assert shown(row.odds) == wanted, (net, bonus, target, attack)


@pytest.mark.parametrize("net", [-4, 0, 5])
def test_public_d20_totals(net):
    table = Sitting(public_d20.RULESET)
    table.actor("hero", attribute__might=3)
    kept = D20.highest(1 + net) if net >= 0 else D20.lowest(1 - net)
    assert curve(table, "task", claims(net), attribute="attribute.might", dc=10) == probabilities(kept + 3)


def test_public_d20_natural_20s():
    for net in range(7):
        twenties = (1 + net) @ icepool.coin(1, 20)
        assert public_d20.crit_dice_chances(net) == tuple(twenties.probability(n) for n in range(2 + net))
    for net in range(-6, 0):
        only = D20.lowest(1 - net).probability(20)
        assert public_d20.crit_dice_chances(net) == (1 - only, only)


def test_public_d20_with_a_hundred_dice_answers_in_milliseconds():
    table = Sitting(public_d20.RULESET)
    table.actor("hero", attribute__might=3)
    began = time.thread_time()
    row = table.shows("task", boon("much", 99), attribute="attribute.might", dc=15)
    assert time.thread_time() - began < 0.1
    assert row.odds.success == text(1 - Fraction(11, 20) ** 100)


# --- Sage d20 ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sides", [6, 4])
@pytest.mark.parametrize("needs_failure", [False, True])
def test_sage_d20(needs_failure, sides):
    table = Sitting(sage_d20.RULESET, crit_failure_needs_failure=needs_failure, boon_die=sides)

    def verdict(total, tn):
        if total <= 0 and (not needs_failure or total < tn):
            return "critical failure"
        if total < tn:
            return "failure"
        return "critical" if total >= 20 and total >= tn + 5 else "success"

    for net, modifier, tn in itertools.product((-3, -1, 0, 1, 3), (-6, 0, 5), (0, 10, 16)):
        table.actor("hero", will=10 + modifier)
        extra = icepool.d(sides).highest(abs(net)) if net else 0
        totals = D20 + modifier + (extra if net >= 0 else -extra)
        outcomes = totals.map(lambda total, tn=tn: verdict(total, tn))
        row = table.shows("attribute", *claims(net), attribute="will", tn=tn)
        wanted = expected(outcomes, ("success", "critical"), ("critical",), ("critical failure",))
        assert shown(row.odds) == wanted, (net, modifier, tn)
        assert curve(table, "attribute", claims(net), attribute="will", tn=tn) == probabilities(totals)


# --- d12 with group Boons ---------------------------------------------------------------------------------------
def group_verdict(face, bonus, difficulty, beat=False):
    if face in (1, 12):
        return "critical failure" if face == 1 else "critical"
    total = face + bonus
    return "success" if (total > difficulty if beat else total >= difficulty) else "failure"


@pytest.mark.parametrize("compare", ["at_least", "more_than"])
def test_group_d12(compare):
    table = Sitting(group_d12.RULESET, resist_compare=compare)
    for net, bonus, difficulty, resisted in itertools.product((-2, -1, 0, 1, 3), (0, 4), (8, 12, 20), (False, True)):
        table.actor("hero", skill__climb=bonus)
        table.actor("foe", side="opposition", skill__hold=difficulty - 7)
        how = {"resist": "skill.hold"} if resisted else {"difficulty": difficulty}
        row = table.shows("skill", *claims(net), targets=("foe",) if resisted else (), skill="skill.climb", **how)
        chosen = D12.highest(1 + net) if net >= 0 else D12.lowest(1 - net)
        beat = resisted and compare == "more_than"
        outcomes = chosen.map(lambda face, b=bonus, d=difficulty, beat=beat: group_verdict(face, b, d, beat))
        wanted = expected(outcomes, ("success", "critical"), ("critical",), ("critical failure",))
        assert shown(row.odds) == wanted, (net, bonus, difficulty, resisted)
        assert row.target == difficulty


@pytest.mark.parametrize("reroll", ["best_of", "replace"])
def test_group_d12_with_one_boon(reroll):
    options = group_d12.Options(reroll=reroll)
    for net, bonus, difficulty in itertools.product((-2, -1, 0, 2), (0, 3), (6, 10, 16)):

        def judge(first, second, net=net, b=bonus, d=difficulty):
            verdict = group_verdict(first, b, d)
            if net >= 0 and verdict == "failure":
                return "again " + group_verdict(max(first, second) if reroll == "best_of" else second, b, d)
            return verdict

        left = net + 1 if net < 0 else net
        first = D12.highest(1 + left) if left >= 0 else D12.lowest(1 - left)
        outcomes = icepool.map(judge, first, D12)
        got = chances.with_boon(net, bonus, difficulty, options)
        wanted = expected(
            outcomes,
            ("success", "critical", "again success", "again critical"),
            ("critical", "again critical"),
            ("critical failure", "again critical failure"),
        )
        assert (text(got.success), text(got.critical), text(got.worst)) == wanted


def test_what_a_boon_before_the_roll_costs_the_pool():
    """One negative chance bought off against difficulty 10 with +3: 1 in 2 fails, 1 in 12 of all is a critical success."""
    forfeits = group_d12.Options(before_spend_forfeits_boon=True)
    assert chances.with_boon(-1, 3, 10, group_d12.Options()).pool_change == Fraction(1, 12) + Fraction(1, 2) - 1
    assert chances.with_boon(-1, 3, 10, forfeits).pool_change == Fraction(1, 12) - 1
    silent = group_d12.Options(crit_fail_grants_boon=False)
    assert chances.pool_change(0, 3, 10, silent) == Fraction(1, 12) + Fraction(1, 2) - Fraction(1, 12)


def test_the_chance_on_the_spend_button_is_that_of_one_more_die():
    for skill, difficulty, first in ((3, 10, 4), (0, 20, 5), (8, 11, 2)):
        table = Sitting(group_d12.RULESET, [first])
        table.actor("hero", skill__climb=skill)
        table.happened(*_held(2))
        rolled = table.rolled("skill", skill="skill.climb", difficulty=difficulty)
        (spend,) = (offer for offer in rolled.choices if offer.id == "spend")
        succeeds = D12.map(lambda face, s=skill, d=difficulty: group_verdict(face, s, d) in ("success", "critical"))
        assert spend.chance == text(succeeds.probability(True))


def _held(count):
    from boonbridge_schemas.effects import ResourceChanged
    from boonbridge_schemas.events import Acted

    return (Acted(verb="give_boon", effects=(ResourceChanged(resource="boons", asked=count, applied=count, reason="given"),)),)
