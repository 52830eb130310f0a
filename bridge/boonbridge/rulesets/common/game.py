"""What a game need not write itself: no choices, no verbs, no state of its own, and its description put together.

A game is a subclass in one file, with one object ``RULESET``. It overrides what its rules say, and nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from boonbridge.dice import odds as exact
from boonbridge.rulesets.base import Actor, Check, Modifiers, OpenCheck, Outcome, PlainRoll, Table
from boonbridge_schemas.base import Key, Label, Name, Note, Record, Scalar, SourceId
from boonbridge_schemas.checks import ChoiceOffer, Numbers, Odds, TotalChance
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import Effect
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
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

from .accounting import added_up, claimed, each_once, granted
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

    def info(self, options: Any) -> RulesetInfo:
        """Everything a client needs to know."""
        return RulesetInfo(
            id=self.id,
            title=self.title,
            version=self.version,
            summary=self.summary,
            options=msgspec.structs.asdict(options),
            option_specs=specs(self.options, self.option_words),
            checks=tuple(self.checks.values()),
            numbers=self.numbers,
            outcomes=self.outcomes,
            roles=self.roles,
            words=dict(self.words),
            conditions=tuple(self.conditions.values()),
            circumstances=self.circumstances,
            verbs=self.verbs,
            marks=self.marks,
            changes=self.changes,
            assist=self.assist is not None,
            luck=self.luck,
            attacks=self.attacks,
            attack_attributes=self.attack_attributes,
            attacks_against=self.attacks_against,
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
        return added_up(each_once([*granted(check), *claimed(check)]))

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


def _facts(outcome: Outcome) -> tuple[int, bool, bool, bool]:
    """What chances are asked of: the total, success, a critical, the worst."""
    result = outcome.result
    assert result is not None
    return result.total, result.success, result.crits > 0, result.worst
