"""What every game has in common: the protocol of a ruleset and the records it works on.

A ruleset is one object. Preview and roll go through the same ``modifiers``, so what a dialog shows is what the
server uses. No rule of any game may be in this file.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from boonbridge_schemas.base import ActorId, Key, Label, Mode, Record, RequestId, Scalar, Side, SourceId, UserId
from boonbridge_schemas.checks import ChoiceOffer, Numbers, Odds, Result, Rolled, Source, SourceClaim, TotalChance
from boonbridge_schemas.effects import Effect, ResourceChanged
from boonbridge_schemas.game import CheckSpec, ConditionSpec, GroupSpec, RulesetInfo
from boonbridge_schemas.grants import ConditionRef, GrantRecord, HeldCondition
from boonbridge_schemas.requests import GroupResult, OpportunityRecord
from boonbridge_schemas.server import DieSpec
from boonbridge_schemas.tabledata import TableData


class Actor(Struct, frozen=True, kw_only=True):
    """An actor as rules see it. ``locks``: actions that may not be tried again (A-24). ``xp``: experience not spent yet."""

    id: ActorId
    name: str
    side: Side = "neutral"
    owners: tuple[UserId, ...] = ()
    numbers: Numbers = Numbers()
    grants: tuple[GrantRecord, ...] = ()
    conditions: tuple[HeldCondition, ...] = ()
    locks: tuple[Label, ...] = ()
    xp: int = 0
    ad_hoc: bool = False

    def number(self, key: str) -> int | None:
        """The value of a number, or None where the actor has none of that key."""
        for number in self.numbers.values:
            if number.key == key:
                return number.value
        return None

    def condition(self, key: str) -> int:
        """The amount of a condition over all who set it; 0 where the actor has none."""
        return sum(held.amount for held in self.conditions if held.key == key)

    def held(self, ref: ConditionRef) -> HeldCondition | None:
        """One condition as its giver gave it; None where the actor does not have it."""
        return next((held for held in self.conditions if (held.key, held.by) == (ref.key, ref.by)), None)

    def lock(self, action: str) -> Label | None:
        """The lock on an action, as it was worded when it failed; None where there is none (A-24)."""
        asked = same_action(action)
        return next((lock for lock in self.locks if asked and same_action(lock) == asked), None)


def same_action(action: str) -> str:
    """What makes two labels one action: their words, however they are written."""
    return " ".join(action.casefold().split())


class Table(Protocol):
    """What a ruleset may look at. ``options`` is its own options record, ``game`` its own state."""

    @property
    def options(self) -> Any:
        """The readings of the rules in force."""
        ...

    @property
    def game(self) -> Any:
        """The game's own state."""
        ...

    @property
    def data(self) -> TableData:
        """What the table edited: ladders, amounts, conditions of its own."""
        ...

    @property
    def marks(self) -> Mapping[Key, Scalar]:
        """Public switches of the encounter; one that was never set is absent."""
        ...

    def actor(self, actor: ActorId) -> Actor | None:
        """The actor of that id as it stands now."""
        ...


class Check(Struct, frozen=True, kw_only=True):
    """One check about to be rolled: one actor, at most one target, parameters complete and validated.

    ``targets`` is the whole set of the command, since a source may depend on it. ``by_player``: claims and
    difficulty come from a player. ``open``: the roll is public, so it may use what others could still use.
    ``changed``: what is different since the same action failed (A-24). ``ends``: the condition that a success ends.
    ``owed``: so many Boons the rows before it in the same command spend before their dice. ``request`` and ``group``: it
    answers a request, and how the rolls of that belong together. ``hidden``: players may not know the difficulty it was given.
    ``absent``: a GM rolls for an actor whose player did not. ``opportunities``: those of the table that it uses (D-21).
    ``unseen``: what becomes of grants that only GMs know of. Null: there is none for this account; empty: they count; otherwise
    why they do not.
    """

    spec: CheckSpec
    actor: Actor
    target: Actor | None = None
    targets: tuple[ActorId, ...] = ()
    params: Mapping[Key, Scalar] = {}
    action: str = ""
    mode: Mode = "public"
    claims: tuple[SourceClaim, ...] = ()
    off: frozenset[SourceId] = frozenset()
    by_player: bool = False
    spend_before: int = 0
    owed: int = 0
    changed: Label = ""
    ends: ConditionRef | None = None
    request: RequestId | None = None
    group: Key = ""
    hidden: bool = False
    absent: bool = False
    opportunities: tuple[OpportunityRecord, ...] = ()
    unseen: Key | None = None

    @property
    def open(self) -> bool:
        """Whether everybody sees the roll."""
        return self.mode == "public"


class Modifiers(Struct, frozen=True, kw_only=True):
    """Every source that was looked at, and what is left of them. ``net`` > 0: Boons, < 0: Banes."""

    sources: tuple[Source, ...]
    boons: int
    banes: int
    net: int


class Outcome(Struct, frozen=True, kw_only=True):
    """What a roll or a choice came to: the result as it stands now and its effects in order of happening."""

    result: Result | None
    effects: tuple[Effect, ...] = ()


class GroupOutcome(Struct, frozen=True, kw_only=True):
    """What the rolls of a request came to together, and what that does to the table."""

    result: GroupResult
    effects: tuple[Effect, ...] = ()


class PlainRoll(Struct, frozen=True):
    """Dice that a condition rolls by itself at the end of a round."""

    formula: str
    label: str
    kind: Literal["dice", "damage"] = "damage"


class OpenCheck(Struct, frozen=True, kw_only=True):
    """A check after its roll, as long as something may be asked about it: a snapshot, whatever changes later.

    ``target`` is the number it was compared with, also where players may not know it. ``taken`` are the choices
    made so far, ``auto`` ones included; ``done``: nothing is open any more. ``waiting``: effects of a hidden roll that have
    changed nothing yet. ``ruled``: a GM decided otherwise what it came to. ``voided``: it was taken back.
    """

    rolled: Rolled
    mode: Mode
    roller: UserId
    target: int | None
    sources: tuple[Source, ...]
    result: Result
    taken: tuple[Key, ...] = ()
    done: bool = False
    waiting: tuple[Effect, ...] = ()
    ruled: bool = False
    voided: bool = False


class Ruleset(Protocol):
    """One game. ``version`` goes up whenever the same dice would mean something else; every commit stores it.

    It stands for what ``core`` decides, too: whoever changes what a command comes to raises it in every game that it touches, or
    ``boonbridge verify`` would call an older log wrong; so does who has events say more in a new field. A new command or check
    changes nothing. Logs that were kept find it (``tests/reading/test_kept.py``).
    """

    id: str
    title: str
    version: int
    options: type[Struct]
    checks: Mapping[str, CheckSpec]
    conditions: Mapping[str, ConditionSpec]
    margins: tuple[Key, ...]  # keys of a result's extras that tell how far from the target it was
    groups: tuple[GroupSpec, ...]
    at_once: frozenset[Key]  # groups that come to their result as soon as nobody can pay for anything any more

    @property
    def assist(self) -> SourceId | None:
        """The stacking key of help from another player; None: there is no such help."""
        ...

    @property
    def help_check(self) -> Key | None:
        """Where there is no such help: the check by which one helps instead, if there is one."""
        ...

    @property
    def luck(self) -> Key | None:
        """The check that may end a condition at the end of a round; None: no luck ends anything."""
        ...

    def info(self, options: Any, data: TableData | None = None) -> RulesetInfo:
        """Everything a client needs to know: labels, forms, palettes, words. ``data``: as the table edited it."""
        ...

    def conditions_with(self, data: TableData) -> Mapping[str, ConditionSpec]:
        """The game's conditions and the table's own."""
        ...

    def table_data(self) -> TableData:
        """What a table may edit, as the game has it."""
        ...

    def validate_data(self, data: TableData) -> None:
        """Raises ``Refusal`` (``data.*``) where edited data are not for this game, or make no sense."""
        ...

    def validate_options(self, options: Any) -> None:
        """Raises ``Refusal`` (``option.contradiction``) where two readings contradict each other."""
        ...

    def validate_numbers(self, numbers: Numbers) -> None:
        """Raises ``Refusal`` (``actor.bad_number``) where a number is unknown to this game or out of range."""
        ...

    def prepare(self, table: Table, check: Check) -> Check:
        """The check with everything filled in that the actor's numbers give.

        Raises ``Refusal``: ``roll.bad_parameter``, ``actor.number_missing``, ``spend.*``, ``roll.mode``.
        """
        ...

    def target(self, table: Table, check: Check) -> int | None:
        """The number the total is compared with; None where there is none. The check is prepared."""
        ...

    def hides_target(self, table: Table, check: Check) -> bool:
        """Whether that number comes from the target's own numbers (and so is as secret as they are)."""
        ...

    def modifiers(self, table: Table, check: Check) -> Modifiers:
        """Every source that applies, which of them count, and why."""
        ...

    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        """The dice that would be rolled, in order."""
        ...

    def bonus(self, table: Table, check: Check) -> int:
        """What is added to the dice."""
        ...

    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        """Roll. Draws exactly the dice of ``dice()``."""
        ...

    def choices(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        """What its roller or the GM may do now, illegal ones included with ``why``. Empty: the check is done."""
        ...

    def decide_choice(self, table: Table, check: OpenCheck, choice: Key, args: Mapping[Key, Scalar], dice: Any) -> Outcome:
        """Take a choice that is offered and enabled."""
        ...

    def refuse_choice(self, table: Table, check: OpenCheck, choice: Key) -> None:
        """Raises the ``Refusal`` that says why ``choice`` may not be taken now; returns when it may."""
        ...

    def decide_verb(self, table: Table, verb: Key, args: Mapping[Key, Scalar]) -> tuple[Effect, ...]:
        """Make a table move. Raises ``Refusal`` (``verb.unknown``)."""
        ...

    def group_result(self, table: Table, group: Key, difficulty: int | None, members: Sequence[OpenCheck]) -> GroupOutcome:
        """What the rolls of a request come to together. ``members``: those who rolled, in the order asked; at least one."""
        ...

    def overridden(self, table: Table, check: OpenCheck, outcome: Key) -> Outcome:
        """The check with another outcome, and what that brings. Raises ``correction.outcome``. Nothing is paid for it."""
        ...

    def anew(self, table: Table, effect: Effect) -> Effect:
        """An effect that has waited, as it is now: what is ``applied`` follows from the table as it stands."""
        ...

    def taken_back(self, table: Table, before: Any, after: Any) -> ResourceChanged | None:
        """What the game's own state needs to lose, or get back, so that the change from ``before`` to ``after`` is undone.

        As far as that is there: ``applied`` may be less than ``asked``. None: nothing.
        """
        ...

    def would_use(self, table: Table, check: OpenCheck, condition: Key) -> bool:
        """Whether a roll like that uses up what its roller has of a condition (B-14)."""
        ...

    def session_begun(self, game: Any) -> Any:
        """The game's own state as an evening begins or has ended."""
        ...

    def xp(self, table: Table) -> int | None:
        """What the evening was worth to each character; None where this game has no experience."""
        ...

    def end_of_round(self, held: HeldCondition) -> PlainRoll | None:
        """What a condition rolls as a round ends, besides any luck; None: nothing."""
        ...

    def damage_die(self, table: Table, actor: Actor | None, modifiers: Modifiers) -> DieSpec:
        """The die that a Boon or Bane adds to damage where a rule says so (A-17). Raises ``dice.no_boons``."""
        ...

    def odds(self, table: Table, check: Check, modifiers: Modifiers) -> Odds | None:
        """Exact chances; None where this game has no success."""
        ...

    def curve(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[TotalChance, ...]:
        """Exact chances of each total, for viewers who may not know the target."""
        ...

    def opening(self, options: Any) -> Any:
        """The game's own state at a new table."""
        ...

    def evolve(self, game: Any, effect: Effect) -> Any:
        """The game's own state after an effect. Total: never refuses."""
        ...

    def entries(self, table: Table) -> Mapping[str, Record]:
        """The game's own state entries, by key."""
        ...
