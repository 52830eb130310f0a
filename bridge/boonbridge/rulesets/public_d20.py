"""The public d20 pool: a d20 and one more for every Boon or Bane that is left; the best or the worst is kept.

Rules B-01 to B-28. Tasks and attacks are one roll (B-04). Statuses stand on actors as conditions; when they begin and
end over the rounds is not decided here, only what one roll does to them.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from boonbridge.dice import odds as exact
from boonbridge.dice import pool
from boonbridge_schemas.base import Key, Scalar
from boonbridge_schemas.checks import Attack, Die, Extra, Odds, Result, Source, TotalChance
from boonbridge_schemas.effects import ConditionChanged, Effect, MarkSet, OnCritApplied
from boonbridge_schemas.grants import HeldCondition
from boonbridge_schemas.server import DieSpec
from boonbridge_schemas.tabledata import TableData

from .base import Actor, Check, Modifiers, OpenCheck, Outcome, Table
from .common import accounting as account
from .common import numbers as given
from .common.game import Game
from .common.options import TableOptions
from .common.tabledata import amount
from .words import public_d20 as told

D20 = 20


class Options(TableOptions, frozen=True, kw_only=True):
    """Readings of the rules where they differ or are silent."""

    compare: Literal["at_least", "more_than"] = "at_least"
    nat20: Literal["crit_if_hit", "auto_hit", "crit_regardless"] = "crit_if_hit"
    fumble_scope: Literal["all_rolls", "attacks_only"] = "all_rolls"
    fumble_exposed: Literal["add_stack", "at_least_one"] = "add_stack"
    exposed_expiry: Literal["start_of_own_activation", "end_of_own_activation"] = "start_of_own_activation"
    marked_scope: Literal["whole_side", "not_the_marker"] = "whole_side"
    marked_stacks: bool = False
    bolstered_scope: Literal["attacks", "any_roll"] = "attacks"
    status_banes_on_tasks: bool = True
    defense_base: Annotated[int, Meta(ge=-99, le=99)] = 8
    dice_public: bool = True
    assist: Literal["free", "gm_approves", "off"] = "free"


# --- the rules, as plain functions ------------------------------------------------------------------------------
def defense(grace: int, options: Options) -> int:
    """What an attack has to reach (B-03)."""
    return options.defense_base + grace


def net(boons: int, banes: int) -> int:
    """Boons and Banes cancel one for one; more than zero are Boons (B-06)."""
    return boons - banes


def dice_count(boons: int, banes: int) -> int:
    """One die and one more for each that is left, without a cap (B-07)."""
    return 1 + abs(net(boons, banes))


def crit_total(base: int, per_crit: int, crits: int) -> int:
    """Crits add what they do, each once; they never multiply (B-21)."""
    return base + per_crit * crits


def reaches(total: int, target: int, options: Options) -> bool:
    """Whether a total is enough (B-02)."""
    return total >= target if options.compare == "at_least" else total > target


def hits(face: int, bonus: int, target: int, options: Options, *, attack: bool) -> bool:
    """Whether the kept die succeeds: a 1 never does where it fumbles, a 20 always by option (B-25, X-B3)."""
    if fumbles(face, options, attack=attack):
        return False
    return reaches(face + bonus, target, options) or (face == D20 and options.nat20 == "auto_hit")


def fumbles(face: int, options: Options, *, attack: bool) -> bool:
    """A natural 1 on the kept die (B-25)."""
    return face == 1 and (attack or options.fumble_scope == "all_rolls")


def crit_dice(faces: tuple[int, ...], left: int) -> int:
    """Natural 20s that count: every one in a keep-best pool, only the kept die under Banes (B-20, B-22)."""
    return faces.count(D20) if left >= 0 else int(min(faces) == D20)


class PublicD20(Game):
    """The game itself."""

    id = "public_d20"
    title = "Public d20 pool"
    summary = "d20 + attribute. Boons and Banes cancel; each one left is another d20, and the best or worst of them counts."
    options: type[Struct] = Options
    option_words = told.OPTION_WORDS
    checks = told.CHECKS
    conditions = told.CONDITIONS
    numbers = told.NUMBERS
    attacks = True
    attacks_against = ("defense",)
    attack_attributes = "attribute"
    outcomes = told.OUTCOMES
    roles = told.ROLES
    words = told.WORDS
    circumstances = told.CIRCUMSTANCES
    verbs = told.VERBS
    marks = told.MARKS
    amounts = told.AMOUNTS
    on_crits = told.ON_CRITS
    assist = "assist"

    def prepare(self, table: Table, check: Check) -> Check:
        """The attribute is on the sheet; an attack is one of the actor's, and its target has Grace."""
        if _is_attack(check):
            given.number(given.target_of(check), "grace", self.numbers)
            given.number(check.actor, given.attack_of(check).attribute, self.numbers)
        else:
            given.number(check.actor, given.one_of(check, "attribute"), self.numbers)
        return check

    def target(self, table: Table, check: Check) -> int | None:
        """The DC, or the target's Defense."""
        if _is_attack(check):
            return defense(given.number(given.target_of(check), "grace", self.numbers), table.options)
        return given.integer(check, "dc")

    def hides_target(self, table: Table, check: Check) -> bool:
        """Defense comes from the target's Grace."""
        return _is_attack(check)

    def bonus(self, table: Table, check: Check) -> int:
        """The attribute, once (B-08)."""
        return given.number(check.actor, _attribute(check), self.numbers)

    def modifiers(self, table: Table, check: Check) -> Modifiers:
        """Everything adds up: one source counts once, two allies with the same ability are two (B-06, B-15)."""
        options: Options = table.options
        attack = _is_attack(check)
        tags = given.attack_of(check).tags if attack else ()
        used = (_attribute(check),)
        given_or_named = account.granted(check, attributes=used, tags=tags) + account.claimed(check)
        lines = [
            *_own(check, options, table.data, attack=attack),
            *(_against(check, check.target, options, table.data) if attack and check.target else ()),
            *account.of_the_table(check, table.data, used=used, resists=("grace",) if attack else ()),
            *account.seized(check),
            *(_on_attacks(_worth(line, table.data), attack=attack) for line in given_or_named),
        ]
        return account.added_up(account.each_once(lines))

    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        """A d20, and one more for each Boon or Bane left."""
        return (DieSpec(role="d20", sides=D20, count=1 + abs(modifiers.net)),)

    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        """Roll, keep the best or the worst, compare."""
        given.within_limit(1 + abs(modifiers.net))
        options: Options = table.options
        attack = _is_attack(check)
        faces = pool.roll(dice, "d20", D20, 1 + abs(modifiers.net))
        keep = pool.best(faces) if modifiers.net >= 0 else pool.worst(faces)
        bonus, target = self.bonus(table, check), self.target(table, check)
        assert target is not None
        success = hits(faces[keep], bonus, target, options, attack=attack)
        fumble = fumbles(faces[keep], options, attack=attack)
        counted = crit_dice(faces, modifiers.net)
        crits = counted if success or (options.nat20 == "crit_regardless" and not fumble) else 0
        result = Result(
            dice=tuple(
                Die(
                    role="d20",
                    sides=D20,
                    face=face,
                    kept=i == keep,
                    mark=_mark(face, crits=crits, counts=modifiers.net >= 0 or i == keep),
                )
                for i, face in enumerate(faces)
            ),
            net=modifiers.net,
            boons=modifiers.boons,
            banes=modifiers.banes,
            bonus=bonus,
            total=faces[keep] + bonus,
            outcome="fumble" if fumble else "critical_success" if success and crits else "success" if success else "failure",
            success=success,
            crits=crits,
            worst=fumble,
            extras=(Extra(key="critDice", value=counted),),
        )
        return Outcome(result=result, effects=_effects(table, check, modifiers, crits=crits, fumble=fumble))

    def overridden(self, table: Table, check: OpenCheck, outcome: Key) -> Outcome:
        """Another verdict, and what its criticals or its fumble do (B-20, B-21, B-26).

        A critical that a GM says has the natural 20s that counted, or one where there are none.
        """
        result = super().overridden(table, check, outcome).result
        assert result is not None
        if result.crits:
            counted = next((extra.value for extra in result.extras if extra.key == "critDice"), 0)
            result = replace(result, crits=max(1, counted))
        roller = table.actor(check.rolled.actor)
        attack = (
            next((each for each in roller.numbers.attacks if each.id == check.rolled.params.get("attack")), None)
            if roller
            else None
        )
        effects = [*_on_crit(attack, result.crits), *(_fumbled(roller, table.options) if roller and result.worst else ())]
        return Outcome(result=result, effects=tuple(effects))

    def anew(self, table: Table, effect: Effect) -> Effect:
        """Where a fumble makes Exposed only whoever is not, that is asked when it happens (B-26)."""
        if not isinstance(effect, ConditionChanged) or effect.until is None or table.options.fumble_exposed == "add_stack":
            return super().anew(table, effect)
        actor = table.actor(effect.actor)
        exposed = actor.condition(effect.condition) if actor else 0
        change = 0 if exposed else 1
        return replace(effect, change=change, now=exposed + change)

    def would_use(self, table: Table, check: OpenCheck, condition: Key) -> bool:
        """Bolstered goes with the next open swing, at some tables with any open roll (B-14)."""
        swings = check.rolled.kind == "attack" or table.options.bolstered_scope == "any_roll"
        return condition == "bolstered" and swings and check.mode == "public"

    def decide_verb(self, table: Table, verb: Key, args: Mapping[Key, Scalar]) -> tuple[Effect, ...]:
        """The Stagger Window opens or closes; it touches no dice (B-27)."""
        if verb == "stagger_window":
            return (MarkSet(mark="stagger_window", value=args["open"]),)
        return super().decide_verb(table, verb, args)

    def odds(self, table: Table, check: Check, modifiers: Modifiers) -> Odds | None:
        """Exact, however many dice."""
        target = self.target(table, check)
        assert target is not None
        facts = {"bonus": self.bonus(table, check), "target": target}
        attack = _is_attack(check)
        crits = crit_chances(modifiers.net, **facts, options=table.options, attack=attack)
        return exact.odds(
            success=hit_chance(modifiers.net, **facts, options=table.options, attack=attack),
            critical=1 - crits[0],
            worst=fumble_chance(modifiers.net, options=table.options, attack=attack),
        )

    def curve(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[TotalChance, ...]:
        """The kept die and the attribute."""
        return exact.curve(exact.shifted(kept_face(modifiers.net), self.bonus(table, check)))


# --- where Boons and Banes come from ----------------------------------------------------------------------------
def _is_attack(check: Check) -> bool:
    return check.spec.key == "attack"


def _attribute(check: Check) -> str:
    return given.attack_of(check).attribute if _is_attack(check) else given.needed(check, "attribute")


def _held(actor: Actor, key: str) -> list[HeldCondition]:
    """A condition that carries an amount, one for each who gave it: they add up (B-12, B-14, B-15)."""
    return [held for held in actor.conditions if held.key == key]


def _once(actor: Actor, key: str) -> list[HeldCondition]:
    """A condition that one has or has not: whoever gave it, and however often, it is one (X-B7)."""
    return _held(actor, key)[:1]


def _counts(data: TableData, key: str) -> int:
    """What a status counts at this table; the rules leave it open (X-B7)."""
    return amount(data, key, told.AMOUNTS)


def _worth(line: Source, data: TableData) -> Source:
    """Flanking and help, each as much as the table says (B-15, X-B7)."""
    for key in ("flanking", "assist"):
        if key in (line.id, line.kind):
            return account.times(line, _counts(data, key))
    return line


def _own(check: Check, options: Options, data: TableData, *, attack: bool) -> list[Source]:
    """The roller's own statuses (B-13, B-14, B-16, B-17)."""
    swings = attack or options.bolstered_scope == "any_roll"
    hinders = attack or options.status_banes_on_tasks
    return [
        *(
            account.from_condition(check, held, label="Hidden", sign="boon", amount=_counts(data, "hidden"), here=attack)
            for held in _once(check.actor, "hidden")
        ),
        *(
            account.from_condition(check, held, label="Bolstered", sign="boon", amount=held.amount, here=swings, bank=True)
            for held in _held(check.actor, "bolstered")
        ),
        *(
            account.from_condition(
                check, held, label=told.CONDITIONS[key].label, sign="bane", amount=_counts(data, key), here=hinders
            )
            for key in ("slowed", "shaken")
            for held in _once(check.actor, key)
        ),
    ]


def _against(check: Check, target: Actor, options: Options, data: TableData) -> list[Source]:
    """The target's statuses (B-11, B-12, B-18)."""
    return [
        *_marks_of(check, target, options),
        *(
            account.from_condition(check, held, label="Exposed target", sign="boon", amount=held.amount)
            for held in _held(target, "exposed")
        ),
        *(
            account.from_condition(check, held, label="Target on guard", sign="bane", amount=_counts(data, "guard"))
            for held in _once(target, "guard")
        ),
    ]


def _marks_of(check: Check, target: Actor, options: Options) -> list[Source]:
    lines: list[Source] = []
    one = False
    for held in target.conditions:
        if held.key != "marked":
            continue
        # A mark without a giver helps everybody but the target's own side.
        ally = check.actor.side == held.by_side if held.by_side else check.actor.side != target.side
        here = ally and not (options.marked_scope == "not_the_marker" and held.by == check.actor.id)
        amount = held.amount if options.marked_stacks else min(held.amount, 1)
        line = account.from_condition(check, held, label="Marked target", sign="boon", amount=amount, here=here)
        if one and not options.marked_stacks:
            line = account.passed_over(line, "one_at_most")
        one = one or line.why == account.OPEN
        lines.append(line)
    return lines


def _on_attacks(line: Source, *, attack: bool) -> Source:
    """Flanking is a matter of attacks (B-04, B-15)."""
    flanking = "flanking" in (line.id, line.kind)
    return account.passed_over(line, "not_this_check", applies=False) if flanking and not attack else line


# --- what a roll does -------------------------------------------------------------------------------------------
def _mark(face: int, *, crits: int, counts: bool) -> Literal["", "crit"]:
    return "crit" if crits and face == D20 and counts else ""


def _effects(table: Table, check: Check, modifiers: Modifiers, *, crits: int, fumble: bool) -> tuple[Effect, ...]:
    """Bolstered is spent, hit or miss; then what the crits do; then what the fumble does (B-14, B-23, B-26)."""
    options: Options = table.options
    # An earlier row of the same swing may have changed the roller since the account was made.
    roller = table.actor(check.actor.id) or check.actor
    effects: list[Effect] = []
    bank = roller.condition("bolstered")
    if bank and any(line.id == "bolstered" and line.kind == "condition" and line.counted for line in modifiers.sources):
        effects.append(ConditionChanged(actor=roller.id, condition="bolstered", change=-bank, now=0))
    effects += _on_crit(given.attack_of(check) if _is_attack(check) else None, crits)
    if fumble:
        effects += _fumbled(roller, options)
    return tuple(effects)


def _on_crit(attack: Attack | None, crits: int) -> tuple[Effect, ...]:
    """What the criticals of an attack do, each once (B-21, B-23)."""
    if attack is None or attack.on_crit is None or not crits:
        return ()
    total = crit_total(0, attack.on_crit.amount, crits)
    return (OnCritApplied(name=attack.on_crit.name, times=crits, amount=total),)


def _fumbled(roller: Actor, options: Options) -> tuple[Effect, ...]:
    """Whoever fumbles is Exposed until the own next activation (B-26)."""
    exposed = roller.condition("exposed")
    change = 0 if exposed and options.fumble_exposed == "at_least_one" else 1
    return (
        ConditionChanged(actor=roller.id, condition="exposed", change=change, now=exposed + change, until=options.exposed_expiry),
    )


# --- exact chances ----------------------------------------------------------------------------------------------
def kept_face(left: int) -> exact.Distribution:
    """The kept die of a pool with ``left`` Boons (or Banes, below zero)."""
    given.within_limit(1 + abs(left))
    return exact.best_of(1 + left, D20) if left >= 0 else exact.worst_of(1 - left, D20)


@lru_cache(maxsize=2048)
def hit_chance(left: int, *, bonus: int, target: int, options: Options, attack: bool) -> Fraction:
    """How often the kept die succeeds."""
    return exact.share(kept_face(left), lambda face: hits(face, bonus, target, options, attack=attack))


@lru_cache(maxsize=512)
def fumble_chance(left: int, *, options: Options, attack: bool) -> Fraction:
    """How often the kept die fumbles (B-25)."""
    return exact.share(kept_face(left), lambda face: fumbles(face, options, attack=attack))


def crit_dice_chances(left: int) -> tuple[Fraction, ...]:
    """How often 0, 1, 2 ... natural 20s count (B-20, B-22)."""
    given.within_limit(1 + abs(left))
    if left < 0:
        only = kept_face(left)[D20]
        return 1 - only, only
    twenties = exact.how_many(1 + left, D20)
    return tuple(twenties[n] for n in range(2 + left))


@lru_cache(maxsize=2048)
def crit_chances(left: int, *, bonus: int, target: int, options: Options, attack: bool) -> tuple[Fraction, ...]:
    """How often 0, 1, 2 ... crits take effect: all of them do where a 20 hits, none where it does not."""
    chances = crit_dice_chances(left)
    if options.nat20 == "crit_regardless" or hits(D20, bonus, target, options, attack=attack):
        return chances
    return (Fraction(1), *(Fraction(0) for _ in chances[1:]))


RULESET = PublicD20()
