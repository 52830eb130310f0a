"""d12 with group Boons: one die and a skill; the group's shared Boons buy another chance.

Rules D-01 to D-29. A Boon here is no die but a token of the group. What changes dice are positive and negative
chances; on the wire they travel as the two signs every game has, and no word for people calls them otherwise.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from boonbridge.dice import odds as exact
from boonbridge.dice import pool as keep
from boonbridge_schemas.base import ActorId, Key, Record, Scalar
from boonbridge_schemas.checks import ChoiceOffer, Die, Extra, Odds, Result, Source, TotalChance
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import (
    ChanceGranted,
    DieBought,
    DutyNoted,
    Effect,
    MarkSet,
    ResistanceOffered,
    ResourceChanged,
    XpChanged,
)
from boonbridge_schemas.entries import PoolEntry
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec

from .base import Actor, Check, GroupOutcome, Modifiers, OpenCheck, Outcome, Table
from .common import accounting as account
from .common import groups as together
from .common import numbers as given
from .common import rulings
from .common.game import Game
from .common.options import TableOptions
from .pools.group_d12 import (
    BOONS,
    GAINS,
    Pool,
    changed,
    gain,
    give,
    keep_initiative,
    new_session,
    spend,
    take,
    undone,
    xp_per_character,
)
from .words import group_d12 as told

D12 = 12
INITIATIVE = "initiative"
CHALLENGE = "challenge"
TOGETHER = ("one_success", "one_failure")
"""Group checks: their members earn the group one Boon in all, and only if it fails (D-08)."""
LEVEL_STEP = 3
XP_PER_LEVEL = 2


class Options(TableOptions, frozen=True, kw_only=True):
    """Readings of the rules where they differ or are silent."""

    boon_cap: Annotated[int, Meta(ge=0, le=999)] = 10
    boon_cap_mode: Literal["gained", "held"] = "gained"
    reroll: Literal["best_of", "replace"] = "best_of"
    spend_after_limit: Annotated[int, Meta(ge=0, le=99)] | None = 1
    spend_before_limit: Annotated[int, Meta(ge=0, le=99)] | None = 1
    spend_after_gate: Literal["net", "gross"] = "net"
    crit_fail_grants_boon: bool = True
    before_spend_forfeits_boon: bool = False
    group_crit_boon: Literal["none", "each"] = "none"
    group_spent_boon: Literal["if_any_accepted", "always"] = "if_any_accepted"
    challenge_reroll: Literal["best_of", "replace"] = "best_of"
    challenge_fail_boon: Literal["always", "not_if_spent"] = "always"
    resist_compare: Literal["at_least", "more_than"] = "at_least"
    opportunity_self: bool = True
    success_level: bool = False
    rulings: bool = True


# --- the check, as plain functions ------------------------------------------------------------------------------
def dice_count(positive: int, negative: int) -> int:
    """One die and one more for each chance left; positive and negative cancel (D-14, D-15, D-18)."""
    return 1 + abs(positive - negative)


def resistance_difficulty(bonus: int) -> int:
    """What whoever resists sets instead of rolling (D-22)."""
    return 7 + bonus


def xp_price(bonus: int, per_level: int) -> int:
    """What the next level of a skill costs (D-29). The price is missing from the rules: proposed."""
    return max(1, per_level * (bonus + 1))


def outcome(face: int, bonus: int, difficulty: int, *, beat: bool) -> str:
    """One verdict, of the chosen die (D-03, D-10, D-11). ``beat``: an equal total is not enough (X-D3)."""
    if face == D12:
        return "critical_success"
    if face == 1:
        return "critical_failure"
    total = face + bonus
    return "success" if (total > difficulty if beat else total >= difficulty) else "failure"


def chosen(faces: Sequence[int], net: int, bought: int, options: Options) -> int:
    """Which die counts: the best or the worst; a bought one joins the others, or stands alone (D-17, X-D5)."""
    if bought and options.reroll == "replace":
        return len(faces) - 1
    return keep.worst(faces) if net < 0 else keep.best(faces)


def contributes(faces: Sequence[int], net: int, options: Options) -> int:
    """Which die of a contribution to a challenge counts (D-23, D-25, X-D10).

    A Boon buys the whole roll again, so ``faces`` are one or several rolls of as many dice; each has its chosen die, and of
    these the better, or the newer one, counts.
    """
    size = 1 + abs(net)
    choose = keep.worst if net < 0 else keep.best
    rolls = [start + choose(faces[start : start + size]) for start in range(0, len(faces), size)]
    return rolls[-1] if options.challenge_reroll == "replace" else max(rolls, key=lambda i: faces[i])


def success_level(verdict: str, total: int, difficulty: int, step: int = LEVEL_STEP) -> int:
    """How well it went (D-13). The calculation is missing from the rules: proposed."""
    if verdict not in ("success", "critical_success"):
        return 0
    level = 1 + (total - difficulty) // step
    return max(1, level) if verdict == "critical_success" else level


class GroupD12(Game):
    """The game itself."""

    id = "group_d12"
    title = "d12 with group Boons"
    summary = "d12 + skill against a difficulty. Accepted failures earn the group Boons; a Boon buys another chance."
    options: type[Struct] = Options
    option_words = told.OPTION_WORDS
    checks = told.CHECKS
    margins: tuple[Key, ...] = ("level",)
    numbers = told.NUMBERS
    outcomes = told.OUTCOMES
    roles = told.ROLES
    words = told.WORDS
    circumstances = told.CIRCUMSTANCES
    verbs = told.VERBS
    marks = told.MARKS
    help_check = "opportunity"
    party_refuses = ("self", "blind")
    groups = (*together.OURS, *told.GROUPS)
    at_once = frozenset({CHALLENGE})
    experience = True
    level_step = LEVEL_STEP
    xp_per_level = XP_PER_LEVEL

    # --- before the dice ---
    def prepare(self, table: Table, check: Check) -> Check:
        """Skill and difficulty are known, and the Boons asked for may be spent."""
        if _plays(check) and check.mode in self.party_refuses:
            message = "A check that may move the group's Boons is not rolled alone or blind."
            raise Refusal(Code.ROLL_MODE, message, values={"mode": check.mode})
        given.number(check.actor, given.one_of(check, "skill"), self.numbers)
        if given.text(check, "resist") is not None:
            given.one_of(check, "resist")
            # Resistance sets the difficulty; a number beside it would only contradict it.
            check = replace(check, params={key: value for key, value in check.params.items() if key != "difficulty"})
        elif given.integer(check, "difficulty") is None and check.spec.key != CHALLENGE:
            raise given.bad_parameter("difficulty", "Give a difficulty, or say who resists.")
        if given.text(check, "to") is not None:
            to = given.named_actor(table, check, "to")
            if to.id == check.actor.id and not table.options.opportunity_self:
                raise given.bad_parameter("to", "An opportunity is for somebody else at this table.")
        self.target(table, check)
        if check.spend_before:
            _refuse_spend_before(table, check, _chances(table, check).net)
        return check

    def target(self, table: Table, check: Check) -> int | None:
        """The GM's difficulty, or 7 + the bonus of whoever resists; none in a challenge, which has one for all together."""
        resists = given.text(check, "resist")
        if resists is None:
            return given.integer(check, "difficulty")
        return resistance_difficulty(given.number(given.target_of(check), resists, self.numbers))

    def hides_target(self, table: Table, check: Check) -> bool:
        """Whether it comes from a skill of the target."""
        return given.text(check, "resist") is not None

    def bonus(self, table: Table, check: Check) -> int:
        """The skill's bonus (D-02)."""
        return given.number(check.actor, given.needed(check, "skill"), self.numbers)

    def modifiers(self, table: Table, check: Check) -> Modifiers:
        """Chances cancel one for one; a Boon spent before the roll is one positive chance more (D-18)."""
        return _chances(table, check, bought=check.spend_before)

    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        """A d12, and one more for each chance left."""
        return (DieSpec(role="d12", sides=D12, count=1 + abs(modifiers.net)),)

    # --- the dice ---
    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        """Roll and judge. What a failure earns waits until it is accepted (D-04)."""
        given.within_limit(1 + abs(modifiers.net))
        options: Options = table.options
        game: Pool = table.game
        effects: list[Effect] = []
        for _ in range(check.spend_before):
            paid = spend(game, "spent_before")
            game = changed(game, paid)
            effects.append(paid)
        faces = keep.roll(dice, "d12", D12, 1 + abs(modifiers.net))
        target = self.target(table, check)
        rolled = Result(
            dice=tuple(Die(role="d12", sides=D12, face=face, kept=False) for face in faces),
            net=modifiers.net,
            boons=modifiers.boons,
            banes=modifiers.banes,
            bonus=self.bonus(table, check),
            total=0,
            outcome="failure",
            success=False,
        )
        result = _judged(rolled, target, table, beat=_must_beat(check.params, options))
        effects += _consequences(result, game, options, earns=_plays(check) and _crits_earn(check.group, options))
        effects += _opportunity(result, check.spec.key, check.params)
        return Outcome(result=result, effects=tuple(effects))

    # --- after the dice ---
    def choices(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        """A failed check of the party: accept it, or spend a Boon (D-04, D-17). Then what a critical failure brings (D-12).

        In a challenge any roll may be bought again (D-25).
        """
        if check.rolled.kind == CHALLENGE:
            return self._keep_or_spend(table, check) if _to_be_kept(check) else ()
        if _undecided(check):
            return self._accept_or_spend(table, check)
        return rulings.offers(check, told.RULINGS if check.result.worst else (), asked=table.options.rulings)

    def _accept_or_spend(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        options: Options = table.options
        offer = _spending(table, check, "Spend a Boon for one more die")
        return (
            ChoiceOffer(id="accept", label=_accept_label(check, table.game, options), who="roller", default=True),
            replace(offer, chance=exact.chance(_chance_if_spent(check, options))) if offer.enabled else offer,
        )

    def _keep_or_spend(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        return (
            ChoiceOffer(id="keep", label="Keep this roll", who="roller", default=True),
            _spending(table, check, "Spend a Boon to roll again"),
        )

    def refuse_choice(self, table: Table, check: OpenCheck, choice: Key) -> None:
        """Raises the reason why a Boon cannot be spent now, in the order of the rules."""
        if choice == "spend" and (refused := _spend_refused(table, check)) is not None:
            raise Refusal(refused)
        super().refuse_choice(table, check, choice)

    def decide_choice(self, table: Table, check: OpenCheck, choice: Key, args: Mapping[Key, Scalar], dice: Any) -> Outcome:
        """Accepting earns a Boon; spending one adds a die and judges again (D-04, D-05, D-17). A ruling is noted (D-12).

        Of a group check only the group earns anything (D-08); in a challenge the whole roll is bought again (X-D10).
        """
        options: Options = table.options
        game: Pool = table.game
        if choice == "accept":
            earns = _earns(check, options) and check.rolled.group not in TOGETHER
            return Outcome(result=None, effects=(gain(game, _reason(check), options),) if earns else ())
        if choice != "spend":
            return Outcome(result=None)
        again = check.rolled.kind == CHALLENGE
        count = 1 + abs(check.result.net) if again else 1
        given.within_limit(len(check.result.dice) + count)
        paid = spend(game, "spent_challenge" if again else "spent_after")
        faces = keep.roll(dice, "reroll", D12, count)
        bought = (Die(role="reroll", sides=D12, face=face, kept=False, mark="bought") for face in faces)
        rolled = replace(check.result, dice=(*check.result.dice, *bought))
        result = _judged(rolled, check.target, table, beat=_must_beat(check.rolled.params, options), alone=check.ruled)
        if check.ruled and not again and not result.success and options.reroll == "best_of":
            result = replace(check.result, dice=rolled.dice)  # what the GM said of the dice before stands
        return Outcome(
            result=result,
            effects=(
                paid,
                *(DieBought(sides=D12, face=face) for face in faces),
                *_consequences(result, changed(game, paid), options, earns=_crits_earn(check.rolled.group, options)),
                *_opportunity(result, check.rolled.kind, check.rolled.params),
            ),
        )

    def overridden(self, table: Table, check: OpenCheck, outcome: Key) -> Outcome:
        """Another verdict, and what it brings at once; a contribution to a challenge has none. Raises ``correction.outcome``."""
        result = super().overridden(table, check, outcome).result
        assert result is not None
        if result.extras and check.target is not None:
            level = success_level(outcome, result.total, check.target, _step(table))
            result = replace(result, extras=(Extra(key="level", value=max(1, level) if result.success else 0),))
        earns = check.rolled.side == "party" and _crits_earn(check.rolled.group, table.options)
        return Outcome(
            result=result,
            effects=(
                *_consequences(result, table.game, table.options, earns=earns),
                *_opportunity(result, check.rolled.kind, check.rolled.params),
            ),
        )

    # --- several at once ---
    def group_result(self, table: Table, group: Key, difficulty: int | None, members: Sequence[OpenCheck]) -> GroupOutcome:
        """One success, or one failure, decides it for all; in a challenge the sum does (D-06, D-07, D-23).

        A group of players that fails earns one Boon in all (D-08, D-25).
        """
        if group in TOGETHER:
            won = [member.result.success for member in members]
            success = any(won) if group == "one_success" else all(won)
            result = together.counted(members, outcome="success" if success else "failure", success=success)
            return GroupOutcome(result=result, effects=() if success else _group_gain(table, members))
        if group == CHALLENGE:
            assert difficulty is not None
            total = sum(member.result.total for member in members)
            success = total >= difficulty
            result = together.counted(members, outcome="success" if success else "failure", success=success)
            return GroupOutcome(
                result=replace(result, total=total, target=difficulty),
                effects=() if success else _challenge_gain(table, members),
            )
        return super().group_result(table, group, difficulty, members)

    def decide_verb(self, table: Table, verb: Key, args: Mapping[Key, Scalar]) -> tuple[Effect, ...]:
        """Boons and the initiative change sides, somebody resists or learns (D-16, D-19, D-22, D-29).

        Raises ``pool.empty``, ``spend.initiative_not_lost``, ``actor.unknown``, ``actor.number_missing``,
        ``roll.bad_parameter``, ``xp.too_little``, ``verb.unknown``.
        """
        match verb:
            case "give_boon":
                return (give(table.game, table.options),)
            case "take_boon":
                return (take(table.game),)
            case "initiative":
                return (MarkSet(mark=INITIATIVE, value=args["winner"]),)
            case "keep_initiative":
                lost = table.marks.get(INITIATIVE) == "opposition"
                return (keep_initiative(table.game, lost=lost), MarkSet(mark=INITIATIVE, value="party"))
            case "offer_resistance":
                return (self._resists(table, str(args["actor"]), str(args["skill"])),)
            case "spend_xp":
                return (_learns(table, args),)
            case _:
                return super().decide_verb(table, verb, args)

    def _resists(self, table: Table, actor_id: ActorId, skill: Key) -> Effect:
        actor = _with_skill(table, actor_id, skill)
        difficulty = resistance_difficulty(given.number(actor, skill, self.numbers))
        return ResistanceOffered(actor=actor_id, skill=skill, difficulty=difficulty)

    # --- chances ---
    def odds(self, table: Table, check: Check, modifiers: Modifiers) -> Odds | None:
        """Exact, before any Boon is spent after the roll; none for one contribution to a challenge."""
        target = self.target(table, check)
        if target is None:
            return None
        chances = outcomes(modifiers.net, self.bonus(table, check), target, beat=_must_beat(check.params, table.options))
        critical = chances["critical_success"]
        return exact.odds(success=chances["success"] + critical, critical=critical, worst=chances["critical_failure"])

    def curve(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[TotalChance, ...]:
        """The chosen die and the skill."""
        return exact.curve(exact.shifted(chosen_face(modifiers.net), self.bonus(table, check)))

    # --- the group's Boons ---
    def opening(self, options: Any) -> Any:
        """An empty pool."""
        return new_session()

    def session_begun(self, game: Any) -> Any:
        """An evening begins, and ends, with no Boons (D-16, X-D14)."""
        return new_session()

    def xp(self, table: Table) -> int | None:
        """A point for every Boon that is held (D-28)."""
        return xp_per_character(table.game)

    def anew(self, table: Table, effect: Effect) -> Effect:
        """A Boon that was earned unseen meets the cap as it stands now (D-16)."""
        if isinstance(effect, ResourceChanged) and effect.resource == BOONS and effect.reason in GAINS:
            return gain(table.game, effect.reason, table.options)
        return super().anew(table, effect)

    def taken_back(self, table: Table, before: Any, after: Any) -> ResourceChanged | None:
        """Boons that were earned go, those that were spent come back, as far as that is possible."""
        return undone(table.game, before, after, table.options)

    def evolve(self, game: Any, effect: Effect) -> Any:
        """Boons come and go."""
        return changed(game, effect) if isinstance(effect, ResourceChanged) and effect.resource == BOONS else game

    def entries(self, table: Table) -> Mapping[str, Record]:
        """The pool, for everybody to see."""
        game: Pool = table.game
        return {"pool": PoolEntry(held=game.held, gained=game.gained, cap=table.options.boon_cap)}


# --- before the dice --------------------------------------------------------------------------------------------
def _plays(check: Check) -> bool:
    """Only the party's checks give and take the group's Boons (D-16)."""
    return check.actor.side == "party"


def _must_beat(params: Mapping[Key, Scalar], options: Options) -> bool:
    return "resist" in params and options.resist_compare == "more_than"


def _chances(table: Table, check: Check, *, bought: int = 0) -> Modifiers:
    skill = given.needed(check, "skill")
    resists = given.text(check, "resist")
    resisting = (resists,) if resists else ()
    lines = [
        *account.of_the_table(check, table.data, used=(skill,), resists=resisting),
        *account.granted(check, attributes=(skill, *resisting)),
        *account.seized(check),
        *account.claimed(check),
    ]
    if bought:
        paid = Source(id="group_boon", label="Boon of the group", sign="boon", amount=bought, counted=False, why="", kind="pool")
        lines = [*lines, paid]
    return account.added_up(account.each_once(lines))


def _refuse_spend_before(table: Table, check: Check, net: int) -> None:
    """Raises the reason why one of the Boons asked for cannot be spent; then none is (D-18)."""
    options: Options = table.options
    limit = options.spend_before_limit
    if not _plays(check):
        raise Refusal(Code.SPEND_NOT_A_PLAYER)
    if not check.open:
        raise Refusal(Code.SPEND_OPEN_ROLLS_ONLY)
    for spent in range(check.spend_before):
        if net + spent >= 0:
            raise Refusal(Code.SPEND_NO_NEGATIVE)
        if limit is not None and spent >= limit:
            raise Refusal(Code.SPEND_LIMIT, values={"limit": limit})
        if check.owed + spent >= table.game.held:
            raise Refusal(Code.POOL_EMPTY)


# --- the dice ---------------------------------------------------------------------------------------------------
def _judged(rolled: Result, target: int | None, table: Table, *, beat: bool, alone: bool = False) -> Result:
    """The same dice with the chosen one kept and the verdict on it; without a target it is a contribution (D-26).

    ``alone``: only the last one may be chosen, since a GM has said what those before it came to.
    """
    options: Options = table.options
    faces = tuple(die.face for die in rolled.dice)
    if target is None:
        counts = contributes(faces, rolled.net, options)
        dice = tuple(replace(die, kept=i == counts) for i, die in enumerate(rolled.dice))
        return replace(rolled, dice=dice, total=faces[counts] + rolled.bonus, outcome="contributed")
    bought = sum(die.mark == "bought" for die in rolled.dice)
    keeps = len(faces) - 1 if alone else chosen(faces, rolled.net, bought, options)
    verdict = outcome(faces[keeps], rolled.bonus, target, beat=beat)
    total = faces[keeps] + rolled.bonus
    level = success_level(verdict, total, target, _step(table))
    return replace(
        rolled,
        dice=tuple(replace(die, kept=i == keeps, mark=_mark(die, kept=i == keeps)) for i, die in enumerate(rolled.dice)),
        total=total,
        outcome=verdict,
        success=verdict in ("success", "critical_success"),
        crits=int(verdict == "critical_success"),
        worst=verdict == "critical_failure",
        extras=(Extra(key="level", value=level),) if options.success_level else (),
    )


def _mark(die: Die, *, kept: bool) -> Literal["", "crit", "bought"]:
    if die.mark == "bought":
        return "bought"
    return "crit" if kept and die.face == D12 else ""


def _step(table: Table) -> int:
    """So many above the difficulty are a success level more at this table (D-13)."""
    return table.data.level_step or LEVEL_STEP


def _crits_earn(group: Key, options: Options) -> bool:
    """Whether a critical success earns its Boon; in a group check nobody does by default (D-08, X-D2)."""
    return group not in TOGETHER or options.group_crit_boon == "each"


def _consequences(result: Result, game: Pool, options: Options, *, earns: bool) -> tuple[Effect, ...]:
    """What a critical brings at once: a Boon, or a severe consequence for whoever rolled (D-10, D-12)."""
    if result.outcome == "critical_success" and earns:
        return (gain(game, "critical_success", options),)
    return (DutyNoted(duty="severe_consequence"),) if result.worst else ()


def _opportunity(result: Result, kind: Key, params: Mapping[Key, Scalar]) -> tuple[Effect, ...]:
    """A chance for the next check of whoever it was made for, or of whoever comes to use it (D-21)."""
    if kind != "opportunity" or not result.success:
        return ()
    to = params.get("to")
    return (ChanceGranted(to=None if to is None else str(to), sign="boon" if params["sign"] == "positive" else "bane"),)


# --- after the dice ---------------------------------------------------------------------------------------------
def _undecided(check: OpenCheck) -> bool:
    """Whether a failure of the party still waits for its player (D-04); what follows from it comes afterwards."""
    return check.rolled.side == "party" and not check.result.success and "accept" not in check.taken


def _to_be_kept(check: OpenCheck) -> bool:
    """Whether a contribution to a challenge may still be bought again; only the party may (D-16, D-25)."""
    return check.rolled.side == "party" and "keep" not in check.taken


def _spent(check: OpenCheck) -> int:
    """Boons that were spent on a check after its dice: what they bought lies there, whatever was decided since."""
    bought = sum(die.mark == "bought" for die in check.result.dice)
    return bought // (1 + abs(check.result.net)) if check.rolled.kind == CHALLENGE else bought


def _spending(table: Table, check: OpenCheck, label: str) -> ChoiceOffer:
    """A Boon for more dice, with the reason where it cannot be had."""
    refused = _spend_refused(table, check)
    return ChoiceOffer(
        id="spend",
        label=label,
        who="roller",
        enabled=refused is None,
        why=refused.value if refused else None,
        cost=1,
        left=max(0, table.game.held - 1),
    )


def _spend_refused(table: Table, check: OpenCheck) -> Code | None:
    """Why no Boon can be spent on a rolled check, the first reason that fits (D-05, D-11, D-17).

    A contribution to a challenge need not have failed, nor be free of negative chances (D-25, X-D10).
    """
    options: Options = table.options
    limit = options.spend_after_limit
    left = check.result.banes > 0 if options.spend_after_gate == "gross" else check.result.net < 0
    judged = check.rolled.kind != CHALLENGE
    reasons = (
        (check.rolled.side != "party", Code.SPEND_NOT_A_PLAYER),
        (judged and check.result.success, Code.SPEND_NOT_FAILED),
        (judged and check.result.worst, Code.SPEND_CRITICAL_FAILURE),
        (judged and left, Code.SPEND_NEGATIVE),
        (limit is not None and _spent(check) >= limit, Code.SPEND_LIMIT),
        (check.mode != "public", Code.SPEND_OPEN_ROLLS_ONLY),
        (table.game.held < 1, Code.POOL_EMPTY),
    )
    return next((code for applies, code in reasons if applies), None)


def _earns(check: OpenCheck, options: Options) -> bool:
    """Whether accepting earns a Boon, for itself or in a group check: not for a second failure (D-05)."""
    spent_before = any(line.kind == "pool" and line.counted for line in check.sources)
    if _spent(check) or (spent_before and options.before_spend_forfeits_boon):
        return False
    return options.crit_fail_grants_boon or not check.result.worst


def _reason(check: OpenCheck) -> Key:
    return "critical_failure" if check.result.worst else "accepted_failure"


def _accept_label(check: OpenCheck, game: Pool, options: Options) -> str:
    if not _earns(check, options):
        return "Accept"
    gains = gain(game, _reason(check), options).applied
    if gains and check.rolled.group in TOGETHER:
        return "Accept: the group gains a Boon if it fails as a whole"
    if gains:
        return "Accept: the group gains a Boon"
    full = options.boon_cap_mode == "held"
    return "Accept: the group's Boons are full" if full else "Accept: no more Boons are gained this evening"


def _chance_if_spent(check: OpenCheck, options: Options) -> Fraction:
    """The chance that one more die succeeds. The earlier one failed, so best-of and replacing are alike here."""
    assert check.target is not None
    return bought_chance(check.result.bonus, check.target, beat=_must_beat(check.rolled.params, options))


# --- several at once --------------------------------------------------------------------------------------------
def _group_gain(table: Table, members: Sequence[OpenCheck]) -> tuple[Effect, ...]:
    """The one Boon of a group that failed (D-08); as a rule not if everybody who failed had spent one (D-05, X-D1)."""
    options: Options = table.options
    party = [member for member in members if member.rolled.side == "party"]
    accepted = any(not member.result.success and _earns(member, options) for member in party)
    if not accepted and not (party and options.group_spent_boon == "always"):
        return ()
    return (gain(table.game, "group_failure", options),)


def _challenge_gain(table: Table, members: Sequence[OpenCheck]) -> tuple[Effect, ...]:
    """The Boon of a challenge that failed (D-25, X-D1)."""
    options: Options = table.options
    party = [member for member in members if member.rolled.side == "party"]
    spent = any(_spent(member) for member in party)
    if not party or (spent and options.challenge_fail_boon == "not_if_spent"):
        return ()
    return (gain(table.game, "challenge_failure", options),)


# --- what else one does -----------------------------------------------------------------------------------------
def _with_skill(table: Table, actor_id: ActorId, skill: Key) -> Actor:
    """The actor of a move that names one, and a skill. Raises ``actor.unknown``, ``roll.bad_parameter``."""
    actor = table.actor(actor_id)
    if actor is None:
        raise Refusal(Code.ACTOR_UNKNOWN, values={"actor": actor_id})
    if not skill.startswith("skill."):
        raise given.bad_parameter("skill", f"Skill cannot be {skill!r}.")
    return actor


def _learns(table: Table, args: Mapping[Key, Scalar]) -> Effect:
    """Experience spent on a skill, at the table's price or at the one named (D-29); the skill itself is on the sheet.

    A skill that is not there yet is at 0. Raises ``xp.too_little``.
    """
    skill = str(args["skill"])
    actor = _with_skill(table, str(args["actor"]), skill)
    usual = xp_price(actor.number(skill) or 0, table.data.xp_per_level or XP_PER_LEVEL)
    price = int(args.get("amount", usual))
    if price > actor.xp:
        raise Refusal(
            Code.XP_TOO_LITTLE,
            f"{actor.name} has {actor.xp} XP; that costs {price}.",
            values={"actor": actor.id, "cost": price, "have": actor.xp},
        )
    return XpChanged(actor=actor.id, change=-price, now=actor.xp - price)


# --- exact chances ----------------------------------------------------------------------------------------------
def chosen_face(net: int) -> exact.Distribution:
    """The die that counts with ``net`` chances."""
    given.within_limit(1 + abs(net))
    return exact.best_of(1 + net, D12) if net >= 0 else exact.worst_of(1 - net, D12)


@lru_cache(maxsize=2048)
def outcomes(net: int, bonus: int, difficulty: int, *, beat: bool = False) -> Mapping[str, Fraction]:
    """The chance of every outcome of the first roll."""
    faces = chosen_face(net)
    return {
        verdict: exact.share(faces, lambda face, v=verdict: outcome(face, bonus, difficulty, beat=beat) == v)  # type: ignore[misc]
        for verdict in ("critical_success", "success", "failure", "critical_failure")
    }


@lru_cache(maxsize=2048)
def bought_chance(bonus: int, difficulty: int, *, beat: bool = False) -> Fraction:
    """The chance that a single die succeeds."""
    first = outcomes(0, bonus, difficulty, beat=beat)
    return first["success"] + first["critical_success"]


RULESET = GroupD12()
