"""What a game need not write itself: no choices, no verbs, no state of its own, and its description put together.

A game is a subclass in one file, with one object ``RULESET``. It overrides what its rules say, and nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boonbridge.dice import odds as exact
from boonbridge.rulesets.base import Actor, Check, GroupOutcome, Modifiers, OpenCheck, Outcome, PlainRoll, Table
from boonbridge_schemas.base import Key, Label, Mode, Name, Note, Record, Scalar, SourceId
from boonbridge_schemas.checks import ChoiceOffer, Numbers, Odds, OnCrit, TotalChance
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import ConditionChanged, Effect, ResourceChanged
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
    GroupSpec,
    MarkSpec,
    NumberSpec,
    OutcomeWord,
    RoleWord,
    RulesetInfo,
    VerbSpec,
)
from boonbridge_schemas.grants import HeldCondition
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec
from boonbridge_schemas.tabledata import Amount, TableData

from . import groups as together
from . import tabledata as edited
from .accounting import added_up, claimed, each_once, granted, of_the_table, seized
from .numbers import validate
from .options import TableOptions, Words, specs


class Game(ABC):
    """The plain parts of a ruleset. A game says at least what is compared, which dice are rolled, and how they are read."""

    id: str
    title: Name
    version: int = 1
    summary: Note = ""
    options: type[Struct] = TableOptions
    option_words: Mapping[Key, Words] = {}
    checks: Mapping[str, CheckSpec]
    conditions: Mapping[str, ConditionSpec] = {}
    margins: tuple[Key, ...] = ()
    party_refuses: tuple[Mode, ...] = ()
    assist: SourceId | None = None
    help_check: Key | None = None
    luck: Key | None = None
    numbers: tuple[NumberSpec, ...] = ()
    attacks: bool = False
    attacks_against: tuple[Key, ...] = ()
    attack_attributes: Key | None = None
    outcomes: tuple[OutcomeWord, ...] = ()
    roles: tuple[RoleWord, ...] = ()
    words: Mapping[Key, Label] = {}
    circumstances: tuple[Circumstance, ...] = ()
    verbs: tuple[VerbSpec, ...] = ()
    marks: tuple[MarkSpec, ...] = ()
    changes: tuple[Label, ...] = ()
    groups: tuple[GroupSpec, ...] = together.OURS
    at_once: frozenset[Key] = frozenset()
    experience: bool = False
    # --- what a table may edit, as the game has it; ladders stand with their parameters, the palette with circumstances ---
    amounts: tuple[Amount, ...] = ()
    on_crits: tuple[OnCrit, ...] = ()
    rank_dice: tuple[int, ...] = ()
    level_step: int | None = None
    xp_per_level: int | None = None

    def info(self, options: Any, data: TableData | None = None) -> RulesetInfo:
        """Everything a client needs to know, as the table has it."""
        usual = self.table_data()
        data = usual if data is None else data
        return RulesetInfo(
            id=self.id,
            title=self.title,
            version=self.version,
            summary=self.summary,
            options=msgspec.structs.asdict(options),
            option_specs=specs(self.options, self.option_words),
            checks=tuple(edited.check_with(spec, data) for spec in self.checks.values()),
            numbers=self.numbers,
            outcomes=self.outcomes,
            roles=self.roles,
            words={**together.WORDS, **self.words},
            conditions=tuple(self.conditions_with(data).values()),
            circumstances=edited.palette(data),
            verbs=self.verbs,
            marks=self.marks,
            changes=self.changes,
            assist=self.assist is not None,
            groups=tuple(edited.group_with(spec, data) for spec in self.groups),
            xp=self.experience,
            data=data,
            edited=data != usual,
            usual=usual if data != usual else None,
            luck=self.luck,
            attacks=self.attacks,
            attack_attributes=self.attack_attributes,
            attacks_against=self.attacks_against,
            party_refuses=self.party_refuses,
            help_check=self.help_check,
        )

    def conditions_with(self, data: TableData) -> Mapping[str, ConditionSpec]:
        """The game's own first."""
        return {**self.conditions, **{own.key: edited.own_spec(own) for own in data.conditions}}

    def table_data(self) -> TableData:
        """What this game has of it."""
        return TableData(
            ruleset=self.id,
            ladders=edited.ladders(self.checks.values(), self.groups),
            circumstances=edited.circumstances(self.circumstances),
            amounts=self.amounts,
            on_crits=self.on_crits,
            rank_dice=self.rank_dice,
            level_step=self.level_step,
            xp_per_level=self.xp_per_level,
        )

    def validate_data(self, data: TableData) -> None:
        """Raises ``data.*``."""
        edited.validate(
            data,
            self.table_data(),
            checks=self.checks,
            groups=self.groups,
            conditions=self.conditions,
            numbers=self.numbers,
        )

    def validate_options(self, options: Any) -> None:
        """Raises ``option.contradiction`` where players may roll for a mere name, but no check without a GM's difficulty."""
        checks = [spec for spec in self.checks.values() if not spec.asked]
        all_need_one = all(any(param.difficulty and param.required for param in spec.params) for spec in checks)
        names = getattr(options, "ad_hoc", "gm") == "everyone"
        if names and getattr(options, "player_difficulty", "free") == "gm_only" and all_need_one:
            raise Refusal(
                Code.OPTION_CONTRADICTION,
                "Everyone may roll for a name without a sheet, but every such roll needs a difficulty that only the GM may set.",
                values={"option": "ad_hoc", "other": "player_difficulty"},
            )

    def validate_numbers(self, numbers: Numbers) -> None:
        """Raises ``actor.bad_number``."""
        validate(numbers, self.numbers, attacks=self.attacks, against=self.attacks_against)

    def prepare(self, table: Table, check: Check) -> Check:
        """Everything was in the command."""
        return check

    @abstractmethod
    def target(self, table: Table, check: Check) -> int | None:
        """The number the total is compared with."""

    @abstractmethod
    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        """The dice that would be rolled."""

    @abstractmethod
    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        """Roll."""

    def bonus(self, table: Table, check: Check) -> int:
        """Nothing is added to the dice."""
        return 0

    def modifiers(self, table: Table, check: Check) -> Modifiers:
        """Every source that stands at the table or was named adds up; Boons and Banes cancel one for one."""
        return added_up(each_once([*of_the_table(check, table.data), *granted(check), *seized(check), *claimed(check)]))

    def odds(self, table: Table, check: Check, modifiers: Modifiers) -> Odds | None:
        """Every way the dice can fall, if they are few; many dice need a closed form of the game's own."""
        try:
            ways = exact.explore(lambda dice: _facts(self.resolve(table, check, modifiers, dice)))
        except exact.Unbounded:
            return None
        return exact.odds(
            success=exact.share(ways, lambda facts: facts[1]),
            critical=exact.share(ways, lambda facts: facts[2]),
            worst=exact.share(ways, lambda facts: facts[3]),
        )

    def curve(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[TotalChance, ...]:
        """Totals in the same way; empty where they are too many to count."""
        try:
            ways = exact.explore(lambda dice: _facts(self.resolve(table, check, modifiers, dice))[0])
        except exact.Unbounded:
            return ()
        return exact.curve(ways)

    def hides_target(self, table: Table, check: Check) -> bool:
        """A number that somebody set is known to everybody."""
        return False

    def choices(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        """Nothing is left to choose after the dice."""
        return ()

    def refuse_choice(self, table: Table, check: OpenCheck, choice: Key) -> None:
        """Raises ``choice.done``, ``choice.not_offered``, or the reason of an offer that is not enabled."""
        if check.done:
            raise Refusal(Code.CHOICE_DONE)
        offer = next((offer for offer in self.choices(table, check) if offer.id == choice), None)
        if offer is None or not offer.enabled:
            raise Refusal(Code.CHOICE_NOT_OFFERED, values={"choice": choice})

    def decide_choice(self, table: Table, check: OpenCheck, choice: Key, args: Mapping[Key, Scalar], dice: Any) -> Outcome:
        """No choice, no decision."""
        raise Refusal(Code.CHOICE_NOT_OFFERED, values={"choice": choice})

    def decide_verb(self, table: Table, verb: Key, args: Mapping[Key, Scalar]) -> tuple[Effect, ...]:
        """No verbs."""
        raise Refusal(Code.VERB_UNKNOWN, values={"verb": verb})

    def group_result(self, table: Table, group: Key, difficulty: int | None, members: Sequence[OpenCheck]) -> GroupOutcome:
        """Each for himself, or against one another; nothing at the table changes by it."""
        return together.plain(group, members)

    def overridden(self, table: Table, check: OpenCheck, outcome: Key) -> Outcome:
        """The result in other words; dice and total stay. Raises ``correction.outcome``."""
        word = next((word for word in self.outcomes if word.key == outcome), None)
        if word is None or word.tone == "plain" or outcome == check.result.outcome or _is_plain(self, check.result.outcome):
            raise Refusal(Code.CORRECTION_OUTCOME, values={"outcome": outcome})
        critical = word.tone == "critical"
        result = replace(
            check.result,
            outcome=outcome,
            success=critical or word.tone == "success",
            crits=max(1, check.result.crits) if critical else 0,
            worst=word.tone == "worst",
        )
        return Outcome(result=result)

    def anew(self, table: Table, effect: Effect) -> Effect:
        """Stacks of a condition come to what the actor has now."""
        actor = table.actor(effect.actor) if isinstance(effect, ConditionChanged) else None
        if not isinstance(effect, ConditionChanged) or actor is None:
            return effect
        return replace(effect, now=max(0, actor.condition(effect.condition) + effect.change))

    def taken_back(self, table: Table, before: Any, after: Any) -> ResourceChanged | None:
        """There is nothing to take back."""
        return None

    def would_use(self, table: Table, check: OpenCheck, condition: Key) -> bool:
        """No condition is used up."""
        return False

    def session_begun(self, game: Any) -> Any:
        """Nothing begins anew."""
        return game

    def xp(self, table: Table) -> int | None:
        """This game has none."""
        return None

    def end_of_round(self, held: HeldCondition) -> PlainRoll | None:
        """A condition rolls nothing by itself."""
        return None

    def damage_die(self, table: Table, actor: Actor | None, modifiers: Modifiers) -> DieSpec:
        """Boons and Banes are for checks."""
        raise Refusal(Code.DICE_NO_BOONS)

    def opening(self, options: Any) -> Any:
        """No state of its own."""
        return None

    def evolve(self, game: Any, effect: Effect) -> Any:
        """Nothing to change."""
        return game

    def entries(self, table: Table) -> Mapping[str, Record]:
        """Nothing to show."""
        return {}


def _is_plain(game: Game, outcome: Key) -> bool:
    """Whether a result says neither success nor failure, as a contribution to what several do together."""
    return any(word.key == outcome and word.tone == "plain" for word in game.outcomes)


def _facts(outcome: Outcome) -> tuple[int, bool, bool, bool]:
    """What chances are asked of: the total, success, a critical, the worst."""
    result = outcome.result
    assert result is not None
    return result.total, result.success, result.crits > 0, result.worst
