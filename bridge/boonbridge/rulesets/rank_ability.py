"""Rank & Ability: a Rank Die and an Ability Die against a TN; one Boon or one Bane adds a third die.

Rules A-01 to A-32. Boons and Banes are states here, not numbers: they never add up, and together they cancel.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from boonbridge.dice import odds as exact
from boonbridge.dice import pool
from boonbridge_schemas.base import ActorId, Key, Label, Scalar
from boonbridge_schemas.checks import ChoiceOffer, Die, Odds, Result, Source, TotalChance
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import DutyNoted, Effect, LockCleared, LockSet
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec

from .base import Actor, Check, Modifiers, OpenCheck, Outcome, Table
from .common import accounting as account
from .common import numbers as given
from .common import rulings
from .common.game import Game
from .common.options import TableOptions
from .words import rank_ability as told

RANK_DICE = (4, 6, 8, 10, 12, 12)
"""The Rank Die of each Rank, from 1. The table is missing from the rules: proposed."""


class Options(TableOptions, frozen=True, kw_only=True):
    """Readings of the rules where they differ or are silent."""

    boon_keep: Literal["highest_two", "rank_die"] = "highest_two"
    rank6_boon_die: Literal[12, 10] = 12
    crit_pair: Literal["kept_pair", "rank_and_ability"] = "kept_pair"
    cancel_mode: Literal["any_cancels", "net_count"] = "any_cancels"
    fumble_precedence: Literal["fumble", "success"] = "fumble"
    damage_boons: Literal["never", "if_rule_says"] = "never"
    assist: Literal["free", "gm_approves", "off"] = "gm_approves"
    retry: Literal["strict", "warn", "off"] = "strict"
    rulings: bool = True


# --- the rules, as plain functions ------------------------------------------------------------------------------
def state(boons: int, banes: int, options: Options) -> int:
    """+1 a Boon, 0 a normal roll, -1 a Bane (A-15, A-16)."""
    if options.cancel_mode == "net_count":
        return (boons > banes) - (boons < banes)
    return (boons > 0) - (banes > 0)


def boon_die(rank: int | None, options: Options) -> int:
    """The Boon Die grows at Rank 6 (A-09, A-10)."""
    return options.rank6_boon_die if rank is not None and rank >= 6 else 10


def bane_die() -> int:
    """The Bane Die never grows (A-09, A-10)."""
    return 10


def boon_applies_to_damage(options: Options, *, specific_rule: bool) -> bool:
    """Not to weapon damage, unless a specific rule says so at a table that lets it (A-17)."""
    return options.damage_boons == "if_rule_says" and specific_rule


def kept(faces: Sequence[int], net: int, options: Options) -> tuple[int, int]:
    """Which two of Rank, Ability and extra die are kept, by index (A-11 to A-14)."""
    if net == 0:
        return 0, 1
    rank, _, extra = faces
    if options.boon_keep == "rank_die":
        # The extra die replaces the Rank Die only where it is strictly better, or worse.
        return (1, 2) if (extra > rank if net > 0 else extra < rank) else (0, 1)
    dropped_face = min(faces) if net > 0 else max(faces)
    # Of equal faces the extra die goes before the Ability Die, that before the Rank Die.
    dropped = max(i for i in range(3) if faces[i] == dropped_face)
    first, second = (i for i in range(3) if i != dropped)
    return first, second


def outcome(faces: Sequence[int], keeps: tuple[int, int], tn: int, options: Options) -> str:
    """One verdict, the first that fits (A-04, A-18, A-20)."""
    first, second = faces[keeps[0]], faces[keeps[1]]
    total = first + second
    pair = first == second and (options.crit_pair == "kept_pair" or keeps == (0, 1))
    if pair and first == 1 and (options.fumble_precedence == "fumble" or total < tn):
        return "fumble"
    if total >= tn:
        return "critical_success" if pair else "success"
    return "failure"


_DUTIES = {
    "critical_success": "extra_benefit",
    "failure": "consequence",
    "fumble": "serious_complication",
}


class RankAbility(Game):
    """The game itself."""

    id = "rank_ability"
    title = "Rank & Ability"
    summary = "Rank Die and Ability Die against a TN. One strong help adds a Boon Die, one strong hindrance a Bane Die."
    options: type[Struct] = Options
    option_words = told.OPTION_WORDS
    checks = told.CHECKS
    conditions = told.CONDITIONS
    numbers = told.NUMBERS
    outcomes = told.OUTCOMES
    roles = told.ROLES
    words = told.WORDS
    circumstances = told.CIRCUMSTANCES
    changes = told.CHANGES
    rank_dice = RANK_DICE
    assist = "ally"

    def prepare(self, table: Table, check: Check) -> Check:
        """Rank, both dice and the TN, from the parameters or from the sheet."""
        rank = given.integer(check, "rank") or check.actor.number("rank")
        rank_die = given.integer(check, "rankDie") or check.actor.number("rankDie")
        if rank_die is None:
            rank = rank or given.number(check.actor, "rank", self.numbers)
            rank_die = (table.data.rank_dice or RANK_DICE)[rank - 1]
        params = {"rankDie": rank_die, "tn": check.params["tn"]}
        if rank is not None:
            params["rank"] = rank
        if given.text(check, "ability") is not None:
            params["ability"] = given.one_of(check, "ability")
        ability_die = given.integer(check, "abilityDie")
        if ability_die is None:
            ability_die = given.number(check.actor, given.needed(check, "ability"), self.numbers)
        return replace(check, params={**params, "abilityDie": ability_die})

    def target(self, table: Table, check: Check) -> int | None:
        """The TN."""
        return given.integer(check, "tn")

    def bonus(self, table: Table, check: Check) -> int:
        """Nothing is added to the dice (A-03, A-27)."""
        return 0

    def modifiers(self, table: Table, check: Check) -> Modifiers:
        """Several helps are one Boon, several hindrances one Bane; amounts never matter by default (A-16)."""
        options: Options = table.options
        ability = given.text(check, "ability")
        used = (ability,) if ability else ()
        lines = [
            *account.of_the_table(check, table.data, used=used),
            *account.granted(check, attributes=used),
            *account.seized(check),
            *account.claimed(check),
        ]
        # Exhausted or Wounded only offer a Bane: somebody has to say that it matters here.
        lines += [
            account.passed_over(
                account.from_condition(check, held, label=told.CONDITIONS[held.key].label, sign="bane", amount=1),
                "offered",
            )
            for held in check.actor.conditions
            if held.key in told.CONDITIONS and all(line.id != held.key for line in lines)
        ]
        lines = account.one_per(lines, lambda line: (line.sign, line.id))
        helps = sum(line.amount for line in lines if line.why == account.OPEN and line.sign == "boon")
        hindrances = sum(line.amount for line in lines if line.why == account.OPEN and line.sign == "bane")
        net = state(helps, hindrances, options)
        any_cancels = options.cancel_mode == "any_cancels"
        # Uncounted, everything on both sides goes when they meet, and nothing where one side is empty.
        sources = _stacked(lines, net, max(helps, hindrances) if net == 0 else min(helps, hindrances))
        return Modifiers(
            sources=sources,
            boons=min(helps, 1) if any_cancels else helps,
            banes=min(hindrances, 1) if any_cancels else hindrances,
            net=net,
        )

    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        """Rank, Ability, and at most one more."""
        roles = ("rank", "ability", "boon" if modifiers.net > 0 else "bane")
        sizes = _sizes(table.options, check, modifiers.net)
        return tuple(DieSpec(role=role, sides=sides) for role, sides in zip(roles, sizes, strict=False))

    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        """Roll, keep two, compare."""
        specs = self.dice(table, check, modifiers)
        faces = tuple(pool.roll(dice, spec.role, spec.sides, 1)[0] for spec in specs)
        keeps = kept(faces, modifiers.net, table.options)
        tn = check.params["tn"]
        assert isinstance(tn, int)
        verdict = outcome(faces, keeps, tn, table.options)
        result = Result(
            dice=tuple(
                Die(role=spec.role, sides=spec.sides, face=face, kept=i in keeps)
                for i, (spec, face) in enumerate(zip(specs, faces, strict=True))
            ),
            net=modifiers.net,
            boons=modifiers.boons,
            banes=modifiers.banes,
            bonus=0,
            total=faces[keeps[0]] + faces[keeps[1]],
            outcome=verdict,
            success=verdict in ("success", "critical_success"),
            crits=int(verdict == "critical_success"),
            worst=verdict == "fumble",
        )
        actor = check.actor
        lifted = actor.lock(check.action) if check.changed else None
        effects = _effects(table.options, actor.id, check.action, verdict, lifted=lifted, locks=not actor.ad_hoc)
        return Outcome(result=result, effects=effects)

    def odds(self, table: Table, check: Check, modifiers: Modifiers) -> Odds | None:
        """Exact, over every way three dice can fall."""
        tn = check.params["tn"]
        assert isinstance(tn, int)
        chances = outcomes(table.options, _sizes(table.options, check, modifiers.net), modifiers.net, tn)
        critical = chances.get("critical_success", Fraction(0))
        return exact.odds(
            success=chances.get("success", Fraction(0)) + critical, critical=critical, worst=chances.get("fumble", Fraction(0))
        )

    def curve(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[TotalChance, ...]:
        """Totals of the two kept dice."""
        return exact.curve(totals(table.options, _sizes(table.options, check, modifiers.net), modifiers.net))

    def choices(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        """What the Referee makes of a failure, a Critical Success or a Fumble (A-05, A-19, A-21 to A-23)."""
        return rulings.offers(check, told.RULINGS.get(check.result.outcome, ()), asked=table.options.rulings)

    def decide_choice(self, table: Table, check: OpenCheck, choice: Key, args: Mapping[Key, Scalar], dice: Any) -> Outcome:
        """A ruling is noted; whoever succeeded at a cost reached the goal, so nothing is locked any more (X-A8)."""
        return Outcome(result=None, effects=_reached_at_a_cost(table, check) if choice == "at_cost" else ())

    def overridden(self, table: Table, check: OpenCheck, outcome: Key) -> Outcome:
        """Another verdict, and what it brings: who owes what, and the lock (A-05, A-19, A-21, A-24)."""
        result = super().overridden(table, check, outcome).result
        rolled, actor = check.rolled, table.actor(check.rolled.actor)
        lifted = actor.lock(rolled.action) if actor is not None and rolled.changed else None
        locks = actor is not None and not rolled.ad_hoc
        effects = _effects(table.options, rolled.actor, rolled.action, outcome, lifted=lifted, locks=locks)
        return Outcome(result=result, effects=effects)

    def damage_die(self, table: Table, actor: Actor | None, modifiers: Modifiers) -> DieSpec:
        """The Boon or Bane Die that a rule lets damage have (A-17); its ``count`` is 0 where they cancel.

        What it does there is missing from the rules. Proposed: it is rolled with the others, and as many dice are kept
        as without it, the highest with a Boon, the lowest with a Bane.
        """
        options: Options = table.options
        if not boon_applies_to_damage(options, specific_rule=True):
            raise Refusal(Code.DICE_NO_BOONS)
        net = state(modifiers.boons, modifiers.banes, options)
        if net < 0:
            return DieSpec(role="bane", sides=bane_die())
        return DieSpec(role="boon", sides=boon_die(actor.number("rank") if actor else None, options), count=net)


def _sizes(options: Options, check: Check, net: int) -> tuple[int, ...]:
    rank_die, ability_die = check.params["rankDie"], check.params["abilityDie"]
    assert isinstance(rank_die, int)
    assert isinstance(ability_die, int)
    if net == 0:
        return rank_die, ability_die
    return rank_die, ability_die, boon_die(given.integer(check, "rank"), options) if net > 0 else bane_die()


def _stacked(lines: list[Source], net: int, each: int) -> tuple[Source, ...]:
    """The account: what met its opposite cancels, the first that is left is the one Boon or Bane, the rest is too many."""
    counted = [replace(line, counted=True) if line.why == account.OPEN else line for line in lines]
    lines_told = account.with_cancelled(counted, each)
    if net == 0:
        return lines_told
    stands = next(i for i, line in enumerate(lines_told) if line.why == "counts")
    return tuple(
        replace(line, counted=False, why="one_at_most") if line.why == "counts" and i != stands else line
        for i, line in enumerate(lines_told)
    )


def _effects(
    options: Options, actor: ActorId, action: Label, verdict: str, *, lifted: Label | None, locks: bool
) -> tuple[Effect, ...]:
    """What changed lifts the lock; then what somebody owes the fiction, and the lock on trying the same again.

    A-05, A-19, A-21, A-22, A-24. A mere name is never locked (``locks``).
    """
    effects: list[Effect] = []
    if lifted is not None and locks:
        effects.append(LockCleared(actor=actor, action=lifted))
    if verdict in _DUTIES:
        effects.append(DutyNoted(duty=_DUTIES[verdict]))
    if verdict in ("failure", "fumble") and options.retry != "off" and locks:
        effects.append(LockSet(actor=actor, action=action))
    return tuple(effects)


def _reached_at_a_cost(table: Table, check: OpenCheck) -> tuple[Effect, ...]:
    """The lock that the failure set goes. That of a hidden roll waits to be set, and so does its end."""
    rolled = check.rolled
    actor = table.actor(rolled.actor)
    if rolled.ad_hoc or actor is None:
        return ()
    locked = actor.lock(rolled.action)
    if check.mode != "public" and table.options.retry != "off":
        locked = locked or rolled.action
    return (LockCleared(actor=actor.id, action=locked),) if locked else ()


@lru_cache(maxsize=1024)
def outcomes(options: Options, sizes: tuple[int, ...], net: int, tn: int) -> dict[str, Fraction]:
    """The exact chance of every outcome; ``sizes`` are the dice as they are rolled, two or three."""
    ways: dict[str, int] = {}
    for faces in product(*(range(1, size + 1) for size in sizes)):
        verdict = outcome(faces, kept(faces, net, options), tn, options)
        ways[verdict] = ways.get(verdict, 0) + 1
    return {verdict: Fraction(count, prod(sizes)) for verdict, count in ways.items()}


@lru_cache(maxsize=1024)
def totals(options: Options, sizes: tuple[int, ...], net: int) -> exact.Distribution:
    """The exact chance of every total."""
    ways: dict[int, int] = {}
    for faces in product(*(range(1, size + 1) for size in sizes)):
        first, second = kept(faces, net, options)
        total = faces[first] + faces[second]
        ways[total] = ways.get(total, 0) + 1
    return {total: Fraction(count, prod(sizes)) for total, count in ways.items()}


RULESET = RankAbility()
