"""The values of the state entries that clients are given (``state`` and ``logged.changes``)."""

from .base import ActorId, CombatId, Count, Key, Label, Moment, Name, Record, Role, Scalar, Side, Small, UserId
from .checks import Numbers, PendingCheck
from .game import RulesetInfo
from .grants import AssistRecord, GrantRecord, HeldCondition
from .requests import OpportunityRecord, RequestRecord


class ActorEntry(Record, frozen=True, kw_only=True):
    """``actor/ID``. ``numbers`` is absent where this viewer may not see them.

    ``locks``: actions that failed and may not be tried again until something changes (A-24). ``xp``: experience earned and
    not spent yet (D-28).
    """

    id: ActorId
    name: Name
    side: Side
    owners: tuple[UserId, ...]
    numbers: Numbers | None = None
    xp: Count = 0
    locks: tuple[Label, ...] = ()


class TableEntry(Record, frozen=True, kw_only=True):
    """``table``: what it is called, once that was changed after this client's ``welcome``."""

    title: Name


class GrantsEntry(Record, frozen=True, kw_only=True):
    """``grants/ACTOR``: the Boons and Banes that stand on an actor."""

    actor: ActorId
    grants: tuple[GrantRecord, ...]


class ConditionsEntry(Record, frozen=True, kw_only=True):
    """``conditions/ACTOR``."""

    actor: ActorId
    conditions: tuple[HeldCondition, ...]


class PoolEntry(Record, frozen=True, kw_only=True):
    """``pool``: a shared resource, ``held`` now and ``gained`` this session, with its cap."""

    held: int
    gained: int
    cap: int


class MarksEntry(Record, frozen=True, kw_only=True):
    """``marks``: public switches of the encounter, by key. One that was never set is absent."""

    marks: dict[Key, Scalar]


class TurnEntry(Record, frozen=True, kw_only=True):
    """``turn``: the round, and whose turn it is (null: nobody's). Absent while no turns are counted."""

    combat: CombatId
    round: Count
    actor: ActorId | None = None


class SessionEntry(Record, frozen=True, kw_only=True):
    """``session``: the evening that runs, or the last one. ``asks``: what a GM may want to decide: ``new_evening``."""

    number: Count
    name: Label = ""
    since: Moment
    running: bool
    asks: Key | None = None


class ResistanceEntry(Record, frozen=True, kw_only=True):
    """``resistance/ACTOR``: whoever acts against this has to reach the difficulty (D-22); it goes with that roll."""

    actor: ActorId
    skill: Key
    difficulty: Small


class OptionsEntry(Record, frozen=True, kw_only=True):
    """``options``: every option of the table with its value."""

    options: dict[Key, Scalar | None]


class PersonEntry(Record, frozen=True, kw_only=True):
    """``person/USER``: who may take part. Names come with ``presence``."""

    id: UserId
    role: Role


ENTRIES: tuple[type[Record], ...] = (
    ActorEntry,
    GrantsEntry,
    ConditionsEntry,
    PendingCheck,
    AssistRecord,
    PoolEntry,
    MarksEntry,
    TurnEntry,
    OptionsEntry,
    TableEntry,
    PersonEntry,
    RequestRecord,
    OpportunityRecord,
    ResistanceEntry,
    SessionEntry,
    RulesetInfo,
)
