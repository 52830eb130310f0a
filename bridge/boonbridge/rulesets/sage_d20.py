"""Sage's attribute rolls: d20 + modifier, plus the highest of the boon dice or minus the highest of the bane dice.

Rules C-01 to C-18 and C-P1 to C-P4. A source counts once, whoever gave it; several sources add. Natural 20 and
natural 1 mean nothing here (C-05): only the total does.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from boonbridge.dice import odds as exact
from boonbridge.dice import pool
from boonbridge_schemas.base import ActorId, Key
from boonbridge_schemas.checks import Die, Extra, Odds, Result, Source, TotalChance
from boonbridge_schemas.effects import ConditionEnded, Effect
from boonbridge_schemas.game import (
    CheckSpec,
    ConditionSpec,
    Option,
    RulesetInfo,
)
from boonbridge_schemas.grants import ConditionRef, HeldCondition
from boonbridge_schemas.server import DieSpec
from boonbridge_schemas.tabledata import Amount, TableData

from .base import Check, Modifiers, OpenCheck, Outcome, PlainRoll, Table
from .common import accounting as account
from .common import numbers as given
from .common.game import Game
from .common.options import TableOptions
from .common.tabledata import amount
from .words import sage_d20 as told

D20 = 20
LUCK_TARGET = 10
"""Luck is against 10 whatever the table's default target number is (C-P2)."""


class Options(TableOptions, frozen=True, kw_only=True):
    """Readings of the rules where they differ or are silent."""

    affliction_source: Literal["per_affliction", "per_instance"] = "per_affliction"
    crit_failure_needs_failure: bool = False
    default_tn: Annotated[int, Meta(ge=1, le=99)] = 10
    boon_die: Annotated[int, Meta(ge=2, le=100)] = 6
    assist: Literal["free", "gm_approves", "off"] = "gm_approves"


# --- the rules, as plain functions ------------------------------------------------------------------------------
def modifier(score: int) -> int:
    """The modifier of an attribute score (C-P1)."""
    return score - 10


def target_number(score: int | None, options: Options) -> int:
    """The score that resists, or the table's number where nothing does (C-03)."""
    return options.default_tn if score is None else score


def roll_count(targets: int) -> int:
    """One roll for each target (C-04)."""
    return max(1, targets)


def same_source(line: Source, options: Options) -> tuple[str, str, str]:
    """What makes two boons one: the source; at some tables two instances of one affliction stay two (C-11, C-P4)."""
    instance = line.kind in ("affliction", "condition") and options.affliction_source == "per_instance"
    return line.sign, line.id, line.origin if instance else ""


def counted(lines: Iterable[Source], options: Options) -> Modifiers:
    """Boons and banes after the same source is counted once, the larger count; then they cancel (C-10, C-11)."""
    return account.added_up(account.one_per(lines, lambda line: same_source(line, options)))


def outcome(total: int, target: int, options: Options) -> str:
    """One verdict (C-05, C-15, C-17)."""
    if total <= 0 and not options.crit_failure_needs_failure:
        return "critical_failure"
    if total >= target:
        return "critical_success" if total >= max(20, target + 5) else "success"
    return "critical_failure" if total <= 0 else "failure"


# --- afflictions ------------------------------------------------------------------------------------------------
class Affliction(Struct, frozen=True, kw_only=True):
    """What a condition does to dice: banes on own rolls, boons to rolls against its bearer (C-12, C-P3).

    ``on``: only rolls with (or against) these attributes; empty is any. ``of_its_own``: the attribute is in the key,
    as in ``impaired.strength``. ``harm``: what it rolls by itself as a round ends.
    """

    label: str
    own: int = 0
    against: int = 0
    on: tuple[Key, ...] = ()
    of_its_own: bool = False
    offered: bool = False
    luck: Literal["never", "may", "always"] = "may"
    harm: str = ""
    help: str = ""


AFFLICTIONS = {
    "blinded": Affliction(
        label="Blinded",
        own=3,
        offered=True,
        help="Sees nothing, half Speed. Usually 3 banes on what is done by guess: say when it is.",
    ),
    "confused": Affliction(
        label="Confused", own=1, on=("intellect", "will"), help="A bane on Intellect and Will rolls. No reactions."
    ),
    "controlled": Affliction(label="Controlled", help="Somebody else decides what it does. Nothing changes for its dice."),
    "cursed": Affliction(label="Cursed", help="A bane on luck rolls."),
    "deafened": Affliction(label="Deafened", help="Hears nothing. Nothing changes for its dice."),
    "frightened": Affliction(
        label="Frightened",
        own=1,
        against=1,
        help="While what it fears is in sight: a bane on attribute rolls, a boon on rolls against it.",
    ),
    "held": Affliction(label="Held", help="Rolls against its Agility succeed by themselves. Speed 0."),
    "impaired": Affliction(
        label="Impaired",
        own=1,
        against=1,
        of_its_own=True,
        help="In one attribute: a bane on rolls with it, a boon on rolls against it.",
    ),
    "on_fire": Affliction(
        label="On fire",
        luck="always",
        harm="1d6",
        help="1d6 damage as each round ends, until a luck roll ends it. Dropping prone first gives that roll a boon.",
    ),
    "poisoned": Affliction(
        label="Poisoned",
        own=1,
        against=1,
        harm="1d6",
        help="A bane on attribute rolls, a boon on rolls against it. Loses 1d6 Health as each round ends.",
    ),
    "prone": Affliction(
        label="Prone", luck="never", help="Melee attacks against it have a boon, ranged ones a bane. No reactions."
    ),
    "slowed": Affliction(label="Slowed", help="Moves less. Nothing changes for its dice."),
    "stunned": Affliction(
        label="Stunned", own=2, against=2, help="2 banes on attribute rolls, 2 boons on rolls against it. No actions, Speed 0."
    ),
    "unconscious": Affliction(
        label="Unconscious", against=3, help="Its attribute rolls fail by themselves, 3 boons on rolls against it. No actions."
    ),
    "vulnerable": Affliction(label="Vulnerable", against=1, help="A boon on rolls against it, attacks and others."),
    "weakened": Affliction(
        label="Weakened",
        own=1,
        against=1,
        on=("strength", "agility"),
        help="In Strength and Agility: a bane on rolls with them, a boon on rolls against them. Half Speed.",
    ),
}
_CONDITIONS: Mapping[str, ConditionSpec] = {
    key: ConditionSpec(
        key=key,
        label=affliction.label,
        tone="bad",
        of=tuple(Option(value=own, label=label) for own, label in told.ATTRIBUTES.items()) if affliction.of_its_own else (),
        luck=affliction.luck,
        help=affliction.help,
    )
    for key, affliction in AFFLICTIONS.items()
}


def _amounts() -> tuple[Amount, ...]:
    """Every count of the table of afflictions, by name."""
    found = [Amount(key="cursed", value=1, label="Cursed: banes on luck rolls")]
    for key, affliction in AFFLICTIONS.items():
        if affliction.own:
            found.append(Amount(key=key, value=affliction.own, label=f"{affliction.label}: banes on own rolls"))
        if affliction.against:
            label = f"{affliction.label}: boons on rolls against it"
            found.append(Amount(key=f"{key}.against", value=affliction.against, label=label))
    return (
        *found,
        Amount(key="prone.melee", value=1, label="Prone: boons on melee attacks against it"),
        Amount(key="prone.ranged", value=1, label="Prone: banes on ranged attacks against it"),
    )


AMOUNTS = _amounts()
"""How many boons and banes the afflictions are; found in a public source, so none is ours (C-P3)."""
FORCED = {"automatic_failure": "failure", "automatic_success": "success"}
"""Why a roll is no roll: nothing is drawn then (I-02). Failing goes first."""


class SageD20(Game):
    """The game itself."""

    id = "sage_d20"
    title = "Sage d20"
    summary = "d20 + modifier against a target number. Boons and banes cancel; of the d6s left only the highest counts."
    options: type[Struct] = Options
    option_words = told.OPTION_WORDS
    checks = told.CHECKS
    conditions = _CONDITIONS
    numbers = told.NUMBERS
    attacks = True
    attacks_against = ("defense", *told.ATTRIBUTES)
    outcomes = told.OUTCOMES
    roles = told.ROLES
    words = told.WORDS
    circumstances = told.CIRCUMSTANCES
    amounts = AMOUNTS
    assist = "aid"
    luck = "luck"

    def info(self, options: Any, data: TableData | None = None) -> RulesetInfo:
        """The form proposes the table's own default target number."""
        info = super().info(options, data)
        return replace(info, checks=tuple(_with_default(spec, options.default_tn) for spec in info.checks))

    def prepare(self, table: Table, check: Check) -> Check:
        """The attribute, and what resists it, are on the sheets."""
        kind = check.spec.key
        if kind == "attribute":
            given.one_of(check, "attribute")
            tn = given.integer(check, "tn")
            check = replace(check, params={**check.params, "tn": table.options.default_tn if tn is None else tn})
        elif kind == "against":
            given.one_of(check, "attribute")
            given.one_of(check, "against")
        if _against(check) is not None:
            given.target_of(check)
        self.target(table, check)
        self.bonus(table, check)
        return check

    def target(self, table: Table, check: Check) -> int | None:
        """A number somebody set, the score that resists, or 10 for luck."""
        if check.spec.key == "luck":
            return LUCK_TARGET
        resists = _against(check)
        if resists is None:
            return target_number(given.integer(check, "tn"), table.options)
        return target_number(given.number(given.target_of(check), resists, self.numbers), table.options)

    def hides_target(self, table: Table, check: Check) -> bool:
        """Whether it is a score of the target."""
        return _against(check) is not None

    def bonus(self, table: Table, check: Check) -> int:
        """The modifier of the attribute; luck has none (C-02, C-P2)."""
        used = _attribute(check)
        return 0 if used is None else modifier(given.number(check.actor, used, self.numbers))

    def modifiers(self, table: Table, check: Check) -> Modifiers:
        """Afflictions, grants and claims are sources alike (C-11, C-12)."""
        used = tuple(key for key in (_attribute(check),) if key is not None)
        resists = tuple(key for key in (_against(check),) if key is not None)
        tags, data = _tags(check), table.data
        suffering = check.target.conditions if check.target else ()
        lines = [
            *(line for held in check.actor.conditions for line in _suffered(check, held, data)),
            *(line for held in suffering for line in _given_away(check, held, tags, data)),
            *account.of_the_table(check, data, used=used, resists=resists),
            *account.granted(check, attributes=(*used, *resists), tags=tags),
            *account.seized(check),
            *(_against_flames(check, line) for line in account.claimed(check)),
        ]
        named = {(line.sign, line.id) for line in lines if line.kind != "condition"}
        lines = [line for line in lines if not (line.why == "offered" and (line.sign, line.id) in named)]
        return counted(lines, table.options)

    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        """The d20, then a boon or bane die for each that is left; none where the result is certain."""
        if _forced(modifiers) is not None:
            return ()
        d20 = DieSpec(role="d20", sides=D20)
        if modifiers.net == 0:
            return (d20,)
        role = "boon" if modifiers.net > 0 else "bane"
        return d20, DieSpec(role=role, sides=table.options.boon_die, count=abs(modifiers.net))

    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        """Roll, add the modifier and the highest boon die or take the highest bane die away, compare."""
        if (certain := _forced(modifiers)) is not None:
            return Outcome(result=_without_dice(modifiers, certain))
        given.within_limit(1 + abs(modifiers.net))
        options: Options = table.options
        natural = dice.draw("d20", D20)
        role = "boon" if modifiers.net > 0 else "bane"
        extra = pool.roll(dice, role, options.boon_die, abs(modifiers.net))
        highest = pool.best(extra) if extra else None
        value = 0 if highest is None else extra[highest] if modifiers.net > 0 else -extra[highest]
        bonus, target = self.bonus(table, check), self.target(table, check)
        assert target is not None
        total = natural + bonus + value
        verdict = outcome(total, target, options)
        result = Result(
            dice=(
                Die(role="d20", sides=D20, face=natural, kept=True),
                *(Die(role=role, sides=options.boon_die, face=face, kept=i == highest) for i, face in enumerate(extra)),
            ),
            net=modifiers.net,
            boons=modifiers.boons,
            banes=modifiers.banes,
            bonus=bonus,
            total=total,
            outcome=verdict,
            success=verdict in ("success", "critical_success"),
            crits=int(verdict == "critical_success"),
            worst=verdict == "critical_failure",
            extras=(Extra(key="boonBaneValue", value=value),),
        )
        return Outcome(result=result, effects=_ended(check.actor.id, check.ends, result))

    def overridden(self, table: Table, check: OpenCheck, outcome: Key) -> Outcome:
        """Another verdict; a luck roll that succeeds after all ends what it was rolled for (C-P2)."""
        result = super().overridden(table, check, outcome).result
        assert result is not None
        return Outcome(result=result, effects=_ended(check.rolled.actor, check.rolled.ends, result))

    def end_of_round(self, held: HeldCondition) -> PlainRoll | None:
        """Fire burns, poison eats away (C-P3)."""
        affliction = AFFLICTIONS.get(held.key)
        return PlainRoll(affliction.harm, affliction.label) if affliction is not None and affliction.harm else None

    def odds(self, table: Table, check: Check, modifiers: Modifiers) -> Odds | None:
        """Exact: a d20 and the highest of some d6."""
        if (certain := _forced(modifiers)) is not None:
            return exact.odds(success=Fraction(certain == "success"), critical=Fraction(0), worst=Fraction(0))
        target = self.target(table, check)
        assert target is not None
        chances = outcomes(modifiers.net, self.bonus(table, check), target, table.options)
        critical = chances["critical_success"]
        return exact.odds(success=chances["success"] + critical, critical=critical, worst=chances["critical_failure"])

    def curve(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[TotalChance, ...]:
        """Totals; none where nothing is rolled."""
        if _forced(modifiers) is not None:
            return ()
        return exact.curve(totals(modifiers.net, self.bonus(table, check), table.options))


def _with_default(spec: CheckSpec, tn: int) -> CheckSpec:
    params = tuple(replace(param, default=tn) if param.key == "tn" else param for param in spec.params)
    return replace(spec, params=params)


# --- what a roll is made of -------------------------------------------------------------------------------------
def _attribute(check: Check) -> Key | None:
    """The attribute rolled with; none for luck."""
    if check.spec.key == "luck":
        return None
    return given.attack_of(check).attribute if check.spec.key == "attack" else given.needed(check, "attribute")


def _against(check: Check) -> Key | None:
    """The number of the target it is rolled against, if it is (C-06, C-07)."""
    if check.spec.key == "attack":
        return given.attack_of(check).against
    return given.needed(check, "against") if check.spec.key == "against" else None


def _tags(check: Check) -> tuple[Key, ...]:
    return given.attack_of(check).tags if check.spec.key == "attack" else ()


def _counts(data: TableData, key: Key) -> int:
    """How many boons or banes an affliction is at this table (C-P3)."""
    return amount(data, key, AMOUNTS)


def _suffered(check: Check, held: HeldCondition, data: TableData) -> list[Source]:
    """What an affliction of the roller does to this roll."""
    name, _, own = held.key.partition(".")
    affliction, used = AFFLICTIONS.get(name), _attribute(check)
    if affliction is None:
        return []
    if name == "cursed":
        banes = _counts(data, "cursed")
        return [account.from_condition(check, held, label="Cursed", sign="bane", amount=banes, here=used is None)]
    if name == "unconscious":
        return [_certain(check, held, "Unconscious", "automatic_failure", here=used is not None)]
    if not affliction.own:
        return []
    on = (own,) if affliction.of_its_own else affliction.on
    here = used is not None and (not on or used in on)
    banes = _counts(data, name)
    line = account.from_condition(check, held, label=_label(affliction, own), sign="bane", amount=banes, here=here)
    # Being blinded hinders what is done by guess: whoever rolls says whether it is.
    return [account.passed_over(line, "offered", applies=False) if affliction.offered else line]


def _given_away(check: Check, held: HeldCondition, tags: tuple[Key, ...], data: TableData) -> list[Source]:
    """What an affliction of the target does to a roll against it."""
    name, _, own = held.key.partition(".")
    affliction, resists = AFFLICTIONS.get(name), _against(check)
    if affliction is None:
        return []
    if name == "held":
        return [_certain(check, held, "Held", "automatic_success", here=resists == "agility")]
    if name == "prone":
        attack = check.spec.key == "attack"
        sign: Literal["boon", "bane"] = "bane" if "ranged" in tags else "boon"
        here = attack and ("melee" in tags or "ranged" in tags)
        count = _counts(data, "prone.ranged" if sign == "bane" else "prone.melee")
        return [account.from_condition(check, held, label="Target prone", sign=sign, amount=count, here=here)]
    if not affliction.against:
        return []
    on = (own,) if affliction.of_its_own else affliction.on
    here = not on or resists in on
    label = f"Target {_label(affliction, own).lower()}"
    boons = _counts(data, f"{name}.against")
    return [account.from_condition(check, held, label=label, sign="boon", amount=boons, here=here)]


def _against_flames(check: Check, line: Source) -> Source:
    """Dropping prone first helps the luck roll of somebody on fire, and nothing else (C-P3)."""
    elsewhere = check.spec.key != "luck" or (check.ends is not None and check.ends.key != "on_fire")
    return account.passed_over(line, "not_this_check", applies=False) if line.id == told.DROPPED_PRONE and elsewhere else line


def _label(affliction: Affliction, own: str) -> str:
    return f"{told.ATTRIBUTES.get(own, own)} {affliction.label.lower()}" if affliction.of_its_own else affliction.label


def _certain(check: Check, held: HeldCondition, label: str, why: Key, *, here: bool) -> Source:
    """A line that decides the roll instead of adding to it: it counts, with an amount of none (I-02)."""
    sign: Literal["boon", "bane"] = "bane" if why == "automatic_failure" else "boon"
    line = account.from_condition(check, held, label=label, sign=sign, amount=1, here=here)
    return replace(line, amount=0, counted=True, why=why) if line.why == account.OPEN else line


def _ended(actor: ActorId, ends: ConditionRef | None, result: Result) -> tuple[Effect, ...]:
    """A luck roll that succeeds ends what it was rolled for (C-P2)."""
    if ends is None or not result.success:
        return ()
    return (ConditionEnded(actor=actor, condition=ends.key, by=ends.by),)


def _forced(modifiers: Modifiers) -> str | None:
    whys = {line.why for line in modifiers.sources}
    return next((verdict for why, verdict in FORCED.items() if why in whys), None)


def _without_dice(modifiers: Modifiers, verdict: str) -> Result:
    return Result(
        dice=(),
        net=modifiers.net,
        boons=modifiers.boons,
        banes=modifiers.banes,
        bonus=0,
        total=0,
        outcome=verdict,
        success=verdict == "success",
        extras=(Extra(key="boonBaneValue", value=0),),
    )


# --- exact chances ----------------------------------------------------------------------------------------------
@lru_cache(maxsize=512)
def totals(left: int, bonus: int, options: Options) -> exact.Distribution:
    """The chance of every total: a d20, the modifier, and the highest die of the boons or banes left."""
    given.within_limit(1 + abs(left))
    sign = 1 if left > 0 else -1
    highest = exact.best_of(abs(left), options.boon_die)
    return exact.shifted(exact.combine(exact.best_of(1, D20), highest, lambda natural, extra: natural + sign * extra), bonus)


@lru_cache(maxsize=2048)
def outcomes(left: int, bonus: int, target: int, options: Options) -> Mapping[str, Fraction]:
    """The chance of every outcome."""
    sums = totals(left, bonus, options)
    return {
        verdict: exact.share(sums, lambda total, v=verdict: outcome(total, target, options) == v)  # type: ignore[misc]
        for verdict in ("critical_success", "success", "failure", "critical_failure")
    }


RULESET = SageD20()
