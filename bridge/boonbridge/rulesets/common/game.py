"""What a game need not write itself: no choices, no verbs, no state of its own, and its description put together.

A game is a subclass in one file, with one object ``RULESET``. It overrides what its rules say, and nothing else.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from boonbridge.rulesets.base import Check, OpenCheck, Outcome, Table
from boonbridge_schemas.base import Key, Label, Name, Note, Record, Scalar
from boonbridge_schemas.checks import ChoiceOffer, Numbers
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import Effect
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
    NumberSpec,
    OutcomeWord,
    RoleWord,
    RulesetInfo,
    VerbSpec,
)
from boonbridge_schemas.refusal import Refusal

from .numbers import validate
from .options import TableOptions, Words, specs


class Game:
    """The plain parts of a ruleset."""

    id: str
    title: Name
    version: int = 1
    summary: Note = ""
    options: type[Struct] = TableOptions
    option_words: Mapping[Key, Words] = {}
    checks: Mapping[str, CheckSpec]
    conditions: Mapping[str, ConditionSpec] = {}
    numbers: tuple[NumberSpec, ...] = ()
    attacks: bool = False
    attacks_against: tuple[Key, ...] = ()
    attack_attributes: Key | None = None
    outcomes: tuple[OutcomeWord, ...] = ()
    roles: tuple[RoleWord, ...] = ()
    words: Mapping[Key, Label] = {}
    circumstances: tuple[Circumstance, ...] = ()
    verbs: tuple[VerbSpec, ...] = ()

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
            attacks=self.attacks,
            attack_attributes=self.attack_attributes,
        )

    def validate_numbers(self, numbers: Numbers) -> None:
        """Raises ``actor.bad_number``."""
        validate(numbers, self.numbers, attacks=self.attacks, against=self.attacks_against)

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

    def opening(self, options: Any) -> Any:
        """No state of its own."""
        return None

    def evolve(self, game: Any, effect: Effect) -> Any:
        """Nothing to change."""
        return game

    def entries(self, table: Table) -> Mapping[str, Record]:
        """Nothing to show."""
        return {}
