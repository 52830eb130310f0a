"""Commands: what somebody wants to happen. Imperatives; who may send which is in ``core/permissions.py``."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from .base import (
    ActorId,
    CheckId,
    CombatId,
    Count,
    DeviceId,
    GrantId,
    HttpOrigin,
    Key,
    Label,
    Mode,
    Name,
    Note,
    RequestId,
    Role,
    Scalar,
    Side,
    Sign,
    Small,
    SourceId,
    Tagged,
    UserId,
)
from .checks import AdHoc, Numbers, SourceClaim
from .corrections import DeedId
from .grants import ConditionRef, Expiry, GrantSource, Scope
from .requests import AskedCheck
from .tabledata import TableData

Faces = Annotated[tuple[Annotated[int, Meta(ge=-9999, le=9999)], ...], Meta(max_length=1000)]
"""Faces as somebody typed them; what does not fit the dice is refused by name, not as a bad message."""


class RollCheck(Tagged, frozen=True, kw_only=True):
    """Roll one check for each actor, against each target. One commit, whatever the number.

    An actor ``BASE.token.TOKEN`` is an unlinked token of actor BASE; its record is made when it is first named.
    Either ``actors`` or ``adHoc``. ``off`` lists sources of the table that do not apply this time (a GM's word).
    ``spendBefore``: group Boons to spend before the dice (D-18); refused as a whole when one of them is illegal.
    ``changed``: what is different since the same action failed (A-24). ``ends``: the condition that a success of this
    luck roll ends (C-P2). ``faces``: dice that lay on a real table, in the order of the rows; all of them or none.
    ``opportunities``: those of the table that this roll uses (D-21).
    More than ``limits.sourcesPerCheck`` sources that apply to one check are refused by ``roll.too_many_sources``.
    """

    check: Key
    actors: Annotated[tuple[ActorId, ...], Meta(max_length=64)] = ()
    targets: Annotated[tuple[ActorId, ...], Meta(max_length=16)] = ()
    params: Annotated[dict[Key, Scalar], Meta(max_length=32)] = {}
    action: Label = ""
    mode: Mode = "public"
    sources: Annotated[tuple[SourceClaim, ...], Meta(max_length=400)] = ()
    off: Annotated[tuple[SourceId, ...], Meta(max_length=64)] = ()
    spend_before: Annotated[int, Meta(ge=0, le=100)] = 0
    ad_hoc: AdHoc | None = None
    changed: Label = ""
    ends: ConditionRef | None = None
    opportunities: Annotated[tuple[CheckId, ...], Meta(max_length=16)] = ()
    faces: Faces | None = None


class RollDice(Tagged, frozen=True, kw_only=True):
    """Roll other dice: damage, an amount, a chance: ``2d6+3``, ``4d6kh3``, ``1d20-1d4``. Boons do not touch them (A-17).

    ``actor`` may be left out: then they are the sender's. ``sources`` and ``rule``: Boons or Banes that a specific rule
    grants to damage, where the game has such a reading (option ``damage_boons``).
    """

    formula: Annotated[str, Meta(min_length=1, max_length=80)]
    actor: ActorId | None = None
    label: Label = ""
    kind: Literal["dice", "damage"] = "dice"
    mode: Mode = "public"
    sources: Annotated[tuple[SourceClaim, ...], Meta(max_length=400)] = ()
    rule: Label = ""
    faces: Faces | None = None


class Choose(Tagged, frozen=True, kw_only=True):
    """Take a choice that a check offers. ``args.note``: words with a ruling. ``faces``: see ``RollCheck``."""

    check: CheckId
    choice: Key
    args: Annotated[dict[Key, Scalar], Meta(max_length=8)] = {}
    faces: Faces | None = None


class Act(Tagged, frozen=True, kw_only=True):
    """Make a table move of the ruleset (one of ``welcome.ruleset.verbs``)."""

    verb: Key
    args: Annotated[dict[Key, Scalar], Meta(max_length=16)] = {}


class SyncActor(Tagged, frozen=True, kw_only=True):
    """Create an actor or bring its name, side, owners and numbers up to date. Fields left out stay as they are."""

    actor: ActorId
    name: Name | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    owners: Annotated[tuple[UserId, ...], Meta(max_length=16)] | UnsetType = UNSET
    numbers: Numbers | UnsetType = UNSET


class RemoveActor(Tagged, frozen=True, kw_only=True):
    """Forget an actor with its grants and conditions, and its unlinked tokens. Its rolls stay in the log."""

    actor: ActorId


class Grant(Tagged, frozen=True, kw_only=True):
    """Give actors a Boon or a Bane with a reason. The same one again changes nothing.

    ``hidden``: only GMs know of it, and it counts on rolls that nobody else reads.
    """

    actors: Annotated[tuple[ActorId, ...], Meta(min_length=1, max_length=64)]
    sign: Sign
    source: GrantSource
    amount: Annotated[int, Meta(ge=1, le=100)] = 1
    scope: Scope = Scope()
    expiry: Expiry = Expiry()
    note: Note = ""
    hidden: bool = False


class RevokeGrant(Tagged, frozen=True, kw_only=True):
    """Take a grant back, by its id."""

    grant: GrantId


class RevealGrant(Tagged, frozen=True, kw_only=True):
    """Show everybody a grant that only GMs knew of; from then on it counts like any other."""

    grant: GrantId


class Assist(Tagged, frozen=True, kw_only=True):
    """Help another's next roll, or his roll of that ``action``, with one Boon (option ``assist``).

    By the option at once, or when the GM agrees (``AnswerAssist``). ``helper``: one of the sender's own actors. ``check``: only
    a roll of that check, where what is helped has no name.
    """

    actor: ActorId
    helper: ActorId
    action: Label = ""
    check: Key | None = None
    note: Note = ""


class AnswerAssist(Tagged, frozen=True, kw_only=True):
    """Agree to help that was offered, or not. A player may only take back what he offered himself."""

    assist: GrantId
    accept: bool


class SetCondition(Tagged, frozen=True, kw_only=True):
    """Give actors a condition of the ruleset, or another amount of it. What stands already changes nothing.

    ``condition`` of a kind that is about one thing names it behind a dot (``impaired.strength``). ``add``: ``amount`` is
    added to what the actor has of it from the same giver, and may be less than zero; at zero it is gone. ``by``: the
    actor who gave it, where that matters (B-11).
    """

    actors: Annotated[tuple[ActorId, ...], Meta(min_length=1, max_length=64)]
    condition: Key
    amount: Annotated[int, Meta(ge=-9999, le=9999)] = 1
    add: bool = False
    by: ActorId | None = None
    expiry: Expiry = Expiry()
    luck_ends: bool = False
    note: Note = ""


class ClearCondition(Tagged, frozen=True, kw_only=True):
    """Take a condition from an actor: the one that ``by`` gave (null: nobody in particular)."""

    actor: ActorId
    condition: Key
    by: ActorId | None = None


class StartTurn(Tagged, frozen=True, kw_only=True):
    """The turn (activation) of an actor begins; what lasted until then ends in the same commit.

    ``combat``, ``round`` and ``turn`` are a tracker's: the same again, or one that is past, changes nothing. Left out:
    the bridge counts for itself.
    """

    actor: ActorId
    combat: CombatId | None = None
    round: Count | None = None
    turn: Count | None = None


class EndTurn(Tagged, frozen=True, kw_only=True):
    """The turn of an actor ends. What is open on his checks takes its default.

    Where that is a choice of a player who is here, a GM is asked first (``turn.choice_open``) and sends ``confirm``.
    ``present`` is filled in by the bridge.
    """

    actor: ActorId
    combat: CombatId | None = None
    round: Count | None = None
    turn: Count | None = None
    confirm: bool = False
    present: Annotated[tuple[UserId, ...], Meta(max_length=64)] = ()


class EndRound(Tagged, frozen=True, kw_only=True):
    """A round ends. ``present`` is filled in by the bridge: luck rolls of who is not here are rolled at once (C-P2)."""

    combat: CombatId | None = None
    round: Count | None = None
    turn: Count | None = None
    present: Annotated[tuple[UserId, ...], Meta(max_length=64)] = ()


class EndCombat(Tagged, frozen=True, kw_only=True):
    """A fight ends, and with it everything that was to last for turns, rounds or the fight."""

    combat: CombatId | None = None
    round: Count | None = None
    turn: Count | None = None


class RequestCheck(Tagged, frozen=True, kw_only=True):
    """Ask several actors for a check: one of ``checks``, each with its own difficulty. Left out, ``actors`` are the party.

    ``shown``: players may know the difficulties. ``mode``: how openly it is rolled; a roller may be more secret, never less.
    ``group`` and ``difficulty``: see ``RulesetInfo.groups``. ``sources``: Boons and Banes for every roll; a request fixes them.
    ``target``: whom it is rolled against. ``minutes``: until it expires; null: until everybody has answered.
    """

    actors: Annotated[tuple[ActorId, ...], Meta(max_length=64)] | UnsetType = UNSET
    checks: Annotated[tuple[AskedCheck, ...], Meta(min_length=1, max_length=8)]
    action: Label = ""
    mode: Mode = "public"
    group: Key = "each"
    difficulty: Small | None = None
    shown: bool = True
    sources: Annotated[tuple[SourceClaim, ...], Meta(max_length=64)] = ()
    target: ActorId | None = None
    minutes: Annotated[int, Meta(ge=1, le=1440)] | None = None
    note: Note = ""


class AnswerRequest(Tagged, frozen=True, kw_only=True):
    """Roll what a request asks of an actor, with the ``nth`` of its checks. ``params``: those that the request left open."""

    request: RequestId
    actor: ActorId
    nth: Annotated[int, Meta(ge=0, le=7)] = 0
    params: Annotated[dict[Key, Scalar], Meta(max_length=32)] = {}
    mode: Mode = "public"
    spend_before: Annotated[int, Meta(ge=0, le=100)] = 0
    changed: Label = ""
    opportunities: Annotated[tuple[CheckId, ...], Meta(max_length=16)] = ()
    faces: Faces | None = None


class Decline(Tagged, frozen=True, kw_only=True):
    """An actor does not roll for a request; he does not count in what it comes to."""

    request: RequestId
    actor: ActorId


class RollForAbsent(Tagged, frozen=True, kw_only=True):
    """Roll for those who have not answered (or for some of them), all at once; marked as rolled by a GM."""

    request: RequestId
    actors: Annotated[tuple[ActorId, ...], Meta(max_length=64)] | UnsetType = UNSET
    nth: Annotated[int, Meta(ge=0, le=7)] = 0
    params: Annotated[dict[Key, Scalar], Meta(max_length=32)] = {}


class CloseRequest(Tagged, frozen=True, kw_only=True):
    """End a request: who has not answered does not any more, what is open on its rolls takes its default."""

    request: RequestId


class DropOpportunity(Tagged, frozen=True, kw_only=True):
    """An opportunity that nobody used has passed."""

    opportunity: CheckId


class StartSession(Tagged, frozen=True, kw_only=True):
    """An evening begins. The group starts it with no Boons (D-16)."""

    name: Label = ""


class EndSession(Tagged, frozen=True, kw_only=True):
    """The evening ends: requests close, choices take their defaults, and what was to last until now is over.

    ``actors``: who gets the experience it earned (D-28); left out: the whole party.
    """

    actors: Annotated[tuple[ActorId, ...], Meta(max_length=64)] | UnsetType = UNSET


class ContinueSession(Tagged, frozen=True, kw_only=True):
    """It is still the same evening, whatever the clock says."""


class Void(Tagged, frozen=True, kw_only=True):
    """Take back a check with all its choices, a grant, a condition or a table move, as far as it is still there to take.

    Where something of it was used since, it is refused (``correction.used``) until ``confirm`` says that this was seen.
    """

    what: DeedId
    reason: Note = ""
    confirm: bool = False


class Override(Tagged, frozen=True, kw_only=True):
    """Decide otherwise what a check came to. Its dice, and what was paid for them, stay. ``confirm``: see ``Void``."""

    check: CheckId
    outcome: Key
    reason: Note = ""
    confirm: bool = False


class Reveal(Tagged, frozen=True, kw_only=True):
    """Show everybody a check that not everybody saw; what it does to the table happens now, if it has not yet."""

    check: CheckId


class Settle(Tagged, frozen=True, kw_only=True):
    """Let a hidden check do to the table what it does, without showing it."""

    check: CheckId


class SetOptions(Tagged, frozen=True, kw_only=True):
    """Choose readings of the rules for this table, from now on. Only the options named change."""

    options: Annotated[dict[Key, Scalar | None], Meta(min_length=1, max_length=64)]


class SetTableData(Tagged, frozen=True, kw_only=True):
    """Edit what the table may edit, all of it at once; null: the game's own again. ``options``: see ``SetOptions``."""

    data: TableData | None = None
    options: Annotated[dict[Key, Scalar | None], Meta(max_length=64)] = {}


class Invite(Tagged, frozen=True, kw_only=True):
    """Give a person a token for this table. The token comes back on the asking connection only (``minted``).

    ``device``: left out, one that follows from the command id, so that each token can be taken back by itself.
    """

    user: UserId
    name: Name
    role: Role = "player"
    device: DeviceId | None = None
    origin: HttpOrigin | None = None


class RevokeAccess(Tagged, frozen=True, kw_only=True):
    """Refuse every token of a person (or of one device) that was issued before now, at once."""

    user: UserId
    device: DeviceId | None = None


class SetRole(Tagged, frozen=True, kw_only=True):
    """Change what a person may do at this table, at once, on open connections too."""

    user: UserId
    role: Role


class EraseName(Tagged, frozen=True, kw_only=True):
    """Forget what a person is called, and what is known of his devices. The log never had it; his user id stays there."""

    user: UserId


class RemoveOrigin(Tagged, frozen=True, kw_only=True):
    """Pages of this origin may not connect any more, unless their token was made for it."""

    origin: HttpOrigin


class RenameTable(Tagged, frozen=True, kw_only=True):
    """Call the table something else. Its id stays."""

    title: Name


Command = (
    RollCheck
    | RollDice
    | Choose
    | Act
    | SyncActor
    | RemoveActor
    | Grant
    | RevokeGrant
    | RevealGrant
    | Assist
    | AnswerAssist
    | SetCondition
    | ClearCondition
    | StartTurn
    | EndTurn
    | EndRound
    | EndCombat
    | RequestCheck
    | AnswerRequest
    | Decline
    | RollForAbsent
    | CloseRequest
    | DropOpportunity
    | StartSession
    | EndSession
    | ContinueSession
    | Void
    | Override
    | Reveal
    | Settle
    | SetOptions
    | SetTableData
    | Invite
    | RevokeAccess
    | SetRole
    | EraseName
    | RemoveOrigin
    | RenameTable
)
COMMANDS: tuple[type[Tagged], ...] = (
    RollCheck,
    RollDice,
    Choose,
    Act,
    SyncActor,
    RemoveActor,
    Grant,
    RevokeGrant,
    RevealGrant,
    Assist,
    AnswerAssist,
    SetCondition,
    ClearCondition,
    StartTurn,
    EndTurn,
    EndRound,
    EndCombat,
    RequestCheck,
    AnswerRequest,
    Decline,
    RollForAbsent,
    CloseRequest,
    DropOpportunity,
    StartSession,
    EndSession,
    ContinueSession,
    Void,
    Override,
    Reveal,
    Settle,
    SetOptions,
    SetTableData,
    Invite,
    RevokeAccess,
    SetRole,
    EraseName,
    RemoveOrigin,
    RenameTable,
)
