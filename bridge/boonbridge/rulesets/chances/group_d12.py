"""d12 with group Boons: what a Boon does to a check, and how a group fares."""

from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from boonbridge.dice import odds as exact
from boonbridge.rulesets.group_d12 import D12, TOGETHER, Options, bought_chance, chosen_face, outcomes
from boonbridge_schemas.base import Key


class BoonOdds(Struct, frozen=True, kw_only=True):
    """What a check comes to when one Boon is there and used wherever the rules allow."""

    spent: Fraction
    success: Fraction
    critical: Fraction
    worst: Fraction
    pool_change: Fraction


def pool_change(net: int, bonus: int, difficulty: int, options: Options) -> Fraction:
    """What the pool gains on average when every failure is accepted, far from its cap."""
    chances = outcomes(net, bonus, difficulty)
    worst = chances["critical_failure"] if options.crit_fail_grants_boon else Fraction(0)
    return chances["critical_success"] + chances["failure"] + worst


def with_boon(net: int, bonus: int, difficulty: int, options: Options) -> BoonOdds:
    """Negative chances are bought off before the roll; otherwise the Boon follows a failure that allows it."""
    if net < 0:
        chances = outcomes(net + 1, bonus, difficulty)
        earned = pool_change(net + 1, bonus, difficulty, options)
        if options.before_spend_forfeits_boon:
            earned = chances["critical_success"]
        return BoonOdds(
            spent=Fraction(1),
            success=chances["success"] + chances["critical_success"],
            critical=chances["critical_success"],
            worst=chances["critical_failure"],
            pool_change=earned - 1,
        )
    chances = outcomes(net, bonus, difficulty)
    spent = chances["failure"]
    again = Fraction(1, D12)
    critical = chances["critical_success"] + spent * again
    return BoonOdds(
        spent=spent,
        success=chances["success"] + chances["critical_success"] + spent * bought_chance(bonus, difficulty),
        critical=critical,
        # A bought 1 only counts where it replaces the die that failed.
        worst=chances["critical_failure"] + (spent * again if options.reroll == "replace" else 0),
        pool_change=pool_change(net, bonus, difficulty, options) - spent - spent + spent * again,
    )


def group_chance(group: Key, members: int, bonus: int, difficulty: int) -> Fraction:
    """The chance that a group of equals succeeds, without chances or Boons: if anybody does, or if everybody does.

    Raises:
        ValueError: ``group`` is neither ``one_success`` nor ``one_failure``.
    """
    if group not in TOGETHER:
        raise ValueError(group)
    alone = bought_chance(bonus, difficulty)
    return 1 - (1 - alone) ** members if group == "one_success" else alone**members


@lru_cache(maxsize=64)
def _sum_of(members: int) -> exact.Distribution:
    """The sum of so many single dice."""
    sums = chosen_face(0)
    for _ in range(members - 1):
        sums = exact.combine(sums, chosen_face(0), lambda so_far, face: so_far + face)
    return sums


def challenge_chance(members: int, bonus_each: int, difficulty: int) -> Fraction:
    """The chance that a challenge succeeds: the sum of all, without chances or Boons (D-23)."""
    return exact.share(_sum_of(members), lambda total: total + members * bonus_each >= difficulty)
