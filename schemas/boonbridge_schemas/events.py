"""Events: what happened, past tense. They alone make the state; folding them never draws a die.

An event stands in exactly one part of its commit. What is partly hidden is two events.
"""

from typing import Annotated, Literal

from msgspec import Meta

from .base import (
    ActorId,
    CheckId,
    CombatId,
    Count,
    DeviceId,
    GrantId,
    Hex,
    HttpOrigin,
    Key,
    Label,
    Mode,
    Name,
    Note,
    Record,
    RequestId,
    Role,
    Scalar,
    Side,
    Small,
    SystemId,
    Tagged,
    UserId,
)
from .checks import ChoiceOffer, DiceTerm, Die, Extra, Numbers, Odds, Result, Rolled, Source
from .corrections import DeedId, Left
from .effects import Effect
from .grants import AssistRecord, GrantRecord, HeldCondition
from .requests import AskedCheck, GroupResult, RequestRecord
from .tabledata import TableData


class TableOpened(Tagged, frozen=True, kw_only=True):
    """The first commit. ``seedHashes`` promise the seeds of the 64 commits that follow."""

    title: Name
    ruleset: Key
    seed_hashes: Annotated[tuple[Hex, ...], Meta(min_length=64, max_length=64)]
    taped: bool = False


class LadderRestarted(Tagged, frozen=True, kw_only=True):
    """A new epoch with a new key begins; seeds shown before are never served again.

    ``reason``: ``log_cut`` the log was shorter than it had been; ``restored`` a backup was put back; ``imported`` the commits
    before were written elsewhere, where the table may have had another id.
    """

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


class OriginRemoved(Tagged, frozen=True, kw_only=True):
    """Pages of this origin may not connect any more, unless their token was made for it."""

    origin: HttpOrigin


class TableRenamed(Tagged, frozen=True, kw_only=True):
    """What the table is called from now on."""

    title: Name


class RoleSet(Tagged, frozen=True, kw_only=True):
    """What a person may do at this table from now on."""

    user: UserId
    role: Role


class NameErased(Tagged, frozen=True, kw_only=True):
    """What this person is called, and his devices, are forgotten. Neither was ever in the log."""

    user: UserId


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


class GrantExpired(Tagged, frozen=True, kw_only=True):
    """A Boon or a Bane ended by its clock. ``why``: the clock, or ``actor_removed`` where whose turn it was is gone."""

    actor: ActorId
    grant: GrantId
    why: Key


class AssistOffered(Tagged, frozen=True, kw_only=True):
    """Help was offered; it waits for the GM."""

    assist: AssistRecord


class AssistAnswered(Tagged, frozen=True, kw_only=True):
    """Help that was offered does not wait any more. Where it was accepted, a ``Granted`` follows.

    ``check``: the roll it was for went without it.
    """

    assist: GrantId
    accepted: bool
    check: CheckId | None = None


class ConditionSet(Tagged, frozen=True, kw_only=True):
    """An actor has this condition now, as given: it replaces what the actor had of it from the same giver.

    ``added``: so much was added to what there was, or taken from it.
    """

    actor: ActorId
    condition: HeldCondition
    added: Small | None = None


class ConditionCleared(Tagged, frozen=True, kw_only=True):
    """An actor no longer has this condition from ``by`` (null: the one that nobody in particular gave)."""

    actor: ActorId
    key: Key
    by: ActorId | None = None


class ConditionExpired(Tagged, frozen=True, kw_only=True):
    """``amount`` of a condition ended by its clock, ``now`` are left."""

    actor: ActorId
    key: Key
    by: ActorId | None = None
    amount: Count
    now: Count
    why: Key


class LuckDue(Tagged, frozen=True, kw_only=True):
    """A player who is here may try to end this condition by a luck roll, until the next round ends (C-P2)."""

    actor: ActorId
    key: Key
    by: ActorId | None = None


class TurnStarted(Tagged, frozen=True, kw_only=True):
    """The turn of an actor began. What ended with it follows in the same commit."""

    combat: CombatId
    round: Count
    turn: Count
    actor: ActorId


class TurnEnded(Tagged, frozen=True, kw_only=True):
    """The turn of an actor ended. What ended with it follows in the same commit."""

    combat: CombatId
    round: Count
    turn: Count
    actor: ActorId


class RoundEnded(Tagged, frozen=True, kw_only=True):
    """A round ended. What ended with it, and luck rolls that nobody had to click, follow in the same commit."""

    combat: CombatId
    round: Count


class CombatEnded(Tagged, frozen=True, kw_only=True):
    """A fight ended. What ended with it follows in the same commit."""

    combat: CombatId


class DiceRolled(Tagged, frozen=True, kw_only=True):
    """Other dice than those of a check, complete. ``bonus`` is the sum of the formula's plain numbers.

    ``roll`` numbers it among the checks of its commit. ``actor`` is absent where it was rolled for nobody in particular;
    ``sources`` only where a rule of the table grants Boons to damage (A-17). ``manual``: the dice lay on a real table.
    ``auto``: the end of the round rolled it.
    """

    roll: CheckId
    actor: ActorId | None = None
    name: Label = ""
    kind: Literal["dice", "damage"] = "dice"
    label: Label = ""
    mode: Mode
    formula: Name
    terms: tuple[DiceTerm, ...]
    dice: tuple[Die, ...]
    bonus: Small
    total: Small
    sources: tuple[Source, ...] = ()
    rule: Label = ""
    manual: bool = False
    auto: bool = False


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
    """To the roller of a blind check, or of other dice (``kind`` ``dice``, ``damage``): that it was made. Nothing else."""

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
    ``drawn`` dice were drawn by this choice, in this order; those before them were drawn earlier. ``note``: what whoever
    chose said of it. ``manual``: its dice lay on a real table.
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
    note: Note = ""
    manual: bool = False


class OpportunityUsed(Tagged, frozen=True, kw_only=True):
    """An opportunity went with the roll that used it."""

    opportunity: CheckId
    check: CheckId


class OpportunityDropped(Tagged, frozen=True, kw_only=True):
    """An opportunity that nobody used has passed."""

    opportunity: CheckId


class CheckRequested(Tagged, frozen=True, kw_only=True):
    """A GM asks several actors for a check. Difficulties that players may not know are left out (``DifficultiesSet``)."""

    request: RequestRecord


class DifficultiesSet(Tagged, frozen=True, kw_only=True):
    """The checks of a request with the difficulties that players may not know, and that of the group."""

    request: RequestId
    checks: tuple[AskedCheck, ...]
    difficulty: Small | None = None


class RequestAnswered(Tagged, frozen=True, kw_only=True):
    """An actor has rolled for a request. ``check`` stands with those who may read the roll; others hear that it was made."""

    request: RequestId
    actor: ActorId
    check: CheckId | None = None
    absent: bool = False


class Declined(Tagged, frozen=True, kw_only=True):
    """An actor does not roll for a request."""

    request: RequestId
    actor: ActorId


class RequestExpired(Tagged, frozen=True, kw_only=True):
    """These actors did not answer a request, and cannot any more."""

    request: RequestId
    actors: tuple[ActorId, ...]


class RequestClosed(Tagged, frozen=True, kw_only=True):
    """A request is over. ``result`` is absent where nobody rolled, and where not everybody may know it (``GroupTold``).

    ``forgets``: older requests that are over, and that the table keeps no longer. ``checks``: its rolls of which nobody could
    choose anything any more but to leave them as they are (D-23).
    """

    request: RequestId
    why: Literal["complete", "closed", "expired"]
    result: GroupResult | None = None
    effects: tuple[Effect, ...] = ()
    forgets: tuple[RequestId, ...] = ()
    checks: tuple[CheckId, ...] = ()


class GroupTold(Tagged, frozen=True, kw_only=True):
    """What a request came to of which not everybody saw every roll. Its ``effects`` have changed nothing yet."""

    request: RequestId
    result: GroupResult
    effects: tuple[Effect, ...] = ()


class GroupRecounted(Tagged, frozen=True, kw_only=True):
    """What a request came to after a correction of one of its rolls.

    ``effects``: what is taken back; ``brings``: what it brings now.
    """

    request: RequestId
    result: GroupResult | None = None
    effects: tuple[Effect, ...] = ()
    brings: tuple[Effect, ...] = ()
    left: tuple[Left, ...] = ()


class XpEarned(Record, frozen=True, kw_only=True):
    """Experience that an evening brought an actor."""

    actor: ActorId
    name: Name
    amount: Count
    now: Count


class SessionStarted(Tagged, frozen=True, kw_only=True):
    """An evening began, the group with no Boons. ``session`` numbers the evenings of a table from 1."""

    session: Count
    name: Label = ""


class SessionEnded(Tagged, frozen=True, kw_only=True):
    """An evening ended. What ended with it stands before this in the same commit.

    ``checks``: what else was still open on rolls that everybody saw, and is not any more. ``opportunities``: passed unused.
    """

    session: Count
    xp: tuple[XpEarned, ...] = ()
    checks: tuple[CheckId, ...] = ()
    opportunities: tuple[CheckId, ...] = ()


class UnsettledDropped(Tagged, frozen=True, kw_only=True):
    """Hidden checks that will do nothing to the table any more, since the evening is over."""

    checks: tuple[CheckId, ...]


class SessionContinued(Tagged, frozen=True, kw_only=True):
    """A GM said that it is still the same evening."""


class TableDataSet(Tagged, frozen=True, kw_only=True):
    """What the table may edit, as it stands from now on; null: the game's own."""

    data: TableData | None


class Voided(Tagged, frozen=True, kw_only=True):
    """Something was taken back. It stays in the log, struck through. ``effects``: what that changed at the table.

    ``left``: what could not be brought back, because it was used or ended in the meantime.
    """

    what: DeedId
    reason: Note = ""
    effects: tuple[Effect, ...] = ()
    left: tuple[Left, ...] = ()


class Overridden(Tagged, frozen=True, kw_only=True):
    """A GM decided otherwise what a check came to. ``effects``: what is taken back; ``brings``: what it brings now instead."""

    check: CheckId
    outcome: Key
    reason: Note = ""
    result: Result
    choices: tuple[ChoiceOffer, ...] = ()
    effects: tuple[Effect, ...] = ()
    brings: tuple[Effect, ...] = ()
    left: tuple[Left, ...] = ()
    deferred: bool = False


class Revealed(Tagged, frozen=True, kw_only=True):
    """A check that not everybody saw, as it stands, for everybody from now on. ``mode``: how it was rolled.

    ``effects``: what it does to the table now. ``taken``: the choices made on it. ``alone``: only its roller saw it, so it
    does nothing.
    """

    rolled: Rolled
    mode: Mode
    sources: tuple[Source, ...]
    result: Result
    choices: tuple[ChoiceOffer, ...] = ()
    taken: tuple[Key, ...] = ()
    effects: tuple[Effect, ...] = ()
    alone: bool = False


class Settled(Tagged, frozen=True, kw_only=True):
    """What a hidden check did to the table, for everybody; and, to those who know of it, which check it was."""

    check: CheckId | None = None
    effects: tuple[Effect, ...] = ()


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
    | OriginRemoved
    | TableRenamed
    | RoleSet
    | NameErased
    | ActorSynced
    | NumbersSet
    | ActorRemoved
    | Granted
    | GrantRevoked
    | GrantSpent
    | GrantExpired
    | AssistOffered
    | AssistAnswered
    | ConditionSet
    | ConditionCleared
    | ConditionExpired
    | LuckDue
    | TurnStarted
    | TurnEnded
    | RoundEnded
    | CombatEnded
    | CheckRolled
    | DiceRolled
    | CheckNoted
    | TargetFixed
    | Chosen
    | Acted
    | OpportunityUsed
    | OpportunityDropped
    | CheckRequested
    | DifficultiesSet
    | RequestAnswered
    | Declined
    | RequestExpired
    | RequestClosed
    | GroupTold
    | GroupRecounted
    | SessionStarted
    | SessionEnded
    | UnsettledDropped
    | SessionContinued
    | TableDataSet
    | Voided
    | Overridden
    | Revealed
    | Settled
)
EVENTS: tuple[type[Tagged], ...] = (
    TableOpened,
    LadderRestarted,
    OptionsSet,
    Withdrawn,
    Invited,
    AccessRevoked,
    OriginAdded,
    OriginRemoved,
    TableRenamed,
    RoleSet,
    NameErased,
    ActorSynced,
    NumbersSet,
    ActorRemoved,
    Granted,
    GrantRevoked,
    GrantSpent,
    GrantExpired,
    AssistOffered,
    AssistAnswered,
    ConditionSet,
    ConditionCleared,
    ConditionExpired,
    LuckDue,
    TurnStarted,
    TurnEnded,
    RoundEnded,
    CombatEnded,
    CheckRolled,
    DiceRolled,
    CheckNoted,
    TargetFixed,
    Chosen,
    Acted,
    OpportunityUsed,
    OpportunityDropped,
    CheckRequested,
    DifficultiesSet,
    RequestAnswered,
    Declined,
    RequestExpired,
    RequestClosed,
    GroupTold,
    GroupRecounted,
    SessionStarted,
    SessionEnded,
    UnsettledDropped,
    SessionContinued,
    TableDataSet,
    Voided,
    Overridden,
    Revealed,
    Settled,
)
