"""Events: what happened, past tense. They alone make the state; folding them never draws a die.

An event stands in exactly one part of its commit. What is partly hidden is two events.
"""

from typing import Annotated

from msgspec import Meta

from .base import (
    ActorId,
    CheckId,
    Count,
    DeviceId,
    GrantId,
    Hex,
    HttpOrigin,
    Key,
    Label,
    Mode,
    Name,
    Role,
    Scalar,
    Side,
    Small,
    SystemId,
    Tagged,
    UserId,
)
from .checks import ChoiceOffer, Extra, Numbers, Odds, Result, Rolled, Source
from .effects import Effect
from .grants import GrantRecord, HeldCondition


class TableOpened(Tagged, frozen=True, kw_only=True):
    """The first commit. ``seedHashes`` promise the seeds of the 64 commits that follow."""

    title: Name
    ruleset: Key
    seed_hashes: Annotated[tuple[Hex, ...], Meta(min_length=64, max_length=64)]
    taped: bool = False


class LadderRestarted(Tagged, frozen=True, kw_only=True):
    """A new epoch with a new key begins; seeds shown before are never served again."""

    epoch: int
    reason: Key
    seed_hashes: Annotated[tuple[Hex, ...], Meta(min_length=64, max_length=64)]


class OptionsSet(Tagged, frozen=True, kw_only=True):
    """Readings of the rules chosen for this table, from now on."""

    options: dict[Key, Scalar | None]


class Withdrawn(Tagged, frozen=True, kw_only=True):
    """Its sender gave this command id up before it was decided; a late copy of it is refused."""

    command: SystemId


class Invited(Tagged, frozen=True, kw_only=True):
    """A person may take part. Names live beside the log."""

    user: UserId
    role: Role
    device: DeviceId = "browser"


class AccessRevoked(Tagged, frozen=True, kw_only=True):
    """Tokens of this person (or device) issued before this commit are refused."""

    user: UserId
    device: DeviceId | None = None


class OriginAdded(Tagged, frozen=True, kw_only=True):
    """Pages of this origin may connect."""

    origin: HttpOrigin


class ActorSynced(Tagged, frozen=True, kw_only=True):
    """Name, side and owners of an actor; public."""

    actor: ActorId
    name: Name
    side: Side
    owners: tuple[UserId, ...]


class NumbersSet(Tagged, frozen=True, kw_only=True):
    """Numbers and attacks of an actor: in part ``all`` for the party and for what a player owns, else for GMs."""

    actor: ActorId
    numbers: Numbers


class ActorRemoved(Tagged, frozen=True, kw_only=True):
    """An actor left the table. ``checks``: what was still open on its rolls, and is not any more."""

    actor: ActorId
    checks: tuple[CheckId, ...] = ()


class Granted(Tagged, frozen=True, kw_only=True):
    """A Boon or a Bane stands on an actor from now on."""

    grant: GrantRecord


class GrantRevoked(Tagged, frozen=True, kw_only=True):
    """A Boon or a Bane was taken back."""

    actor: ActorId
    grant: GrantId


class GrantSpent(Tagged, frozen=True, kw_only=True):
    """A one-use grant went with the first logged roll in its scope, counted or not (B-14: hit or miss)."""

    actor: ActorId
    grant: GrantId
    check: CheckId


class ConditionSet(Tagged, frozen=True, kw_only=True):
    """An actor has this condition now, as given: it replaces what the actor had of it from the same giver."""

    actor: ActorId
    condition: HeldCondition


class ConditionCleared(Tagged, frozen=True, kw_only=True):
    """An actor no longer has this condition from ``by`` (null: the one that nobody in particular gave)."""

    actor: ActorId
    key: Key
    by: ActorId | None = None


class CheckRolled(Tagged, frozen=True, kw_only=True):
    """One check of one actor against at most one target, complete: every die, every source, every effect.

    ``deferred``: the check was not public, so ``effects`` have changed nothing yet.
    ``odds`` are absent where they would tell a hidden target; then ``TargetFixed`` has them.
    """

    rolled: Rolled
    mode: Mode
    sources: tuple[Source, ...]
    result: Result
    choices: tuple[ChoiceOffer, ...] = ()
    effects: tuple[Effect, ...] = ()
    odds: Odds | None = None
    deferred: bool = False


class CheckNoted(Tagged, frozen=True, kw_only=True):
    """To the roller of a blind check: that it was made, and its name. Nothing else."""

    check: CheckId
    actor: ActorId
    name: Name
    kind: Key
    action: Label = ""


class TargetFixed(Tagged, frozen=True, kw_only=True):
    """The number a check was compared with, for those who may know it, and what of the result would tell it."""

    check: CheckId
    target: Small
    odds: Odds | None = None
    extras: tuple[Extra, ...] = ()


class Chosen(Tagged, frozen=True, kw_only=True):
    """A choice after a check was taken. ``auto``: nobody had to, it was the only legal one or the default.

    ``result`` is the whole result as it stands now, where dice were added; the earlier one is in the log. Its last
    ``drawn`` dice were drawn by this choice, in this order; those before them were drawn earlier.
    """

    check: CheckId
    choice: Key
    actor: ActorId
    auto: bool = False
    result: Result | None = None
    drawn: Count = 0
    choices: tuple[ChoiceOffer, ...] = ()
    effects: tuple[Effect, ...] = ()
    deferred: bool = False


class Acted(Tagged, frozen=True, kw_only=True):
    """A verb of the ruleset was used at the table."""

    verb: Key
    args: dict[Key, Scalar] = {}
    effects: tuple[Effect, ...] = ()


Event = (
    TableOpened
    | LadderRestarted
    | OptionsSet
    | Withdrawn
    | Invited
    | AccessRevoked
    | OriginAdded
    | ActorSynced
    | NumbersSet
    | ActorRemoved
    | Granted
    | GrantRevoked
    | GrantSpent
    | ConditionSet
    | ConditionCleared
    | CheckRolled
    | CheckNoted
    | TargetFixed
    | Chosen
    | Acted
)
EVENTS: tuple[type[Tagged], ...] = (
    TableOpened,
    LadderRestarted,
    OptionsSet,
    Withdrawn,
    Invited,
    AccessRevoked,
    OriginAdded,
    ActorSynced,
    NumbersSet,
    ActorRemoved,
    Granted,
    GrantRevoked,
    GrantSpent,
    ConditionSet,
    ConditionCleared,
    CheckRolled,
    CheckNoted,
    TargetFixed,
    Chosen,
    Acted,
)
