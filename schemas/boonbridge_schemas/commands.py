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
    Role,
    Scalar,
    Side,
    Sign,
    SourceId,
    Tagged,
    UserId,
)
from .checks import AdHoc, Numbers, SourceClaim
from .grants import ConditionRef, Expiry, GrantSource, Scope

Faces = Annotated[tuple[Annotated[int, Meta(ge=-9999, le=9999)], ...], Meta(max_length=1000)]
"""Faces as somebody typed them; what does not fit the dice is refused by name, not as a bad message."""


class RollCheck(Tagged, frozen=True, kw_only=True):
    """Roll one check for each actor, against each target. One commit, whatever the number.

    An actor ``BASE.token.TOKEN`` is an unlinked token of actor BASE; its record is made when it is first named.
    Either ``actors`` or ``adHoc``. ``off`` lists sources of the table that do not apply this time (a GM's word).
    ``spendBefore``: group Boons to spend before the dice (D-18); refused as a whole when one of them is illegal.
    ``changed``: what is different since the same action failed (A-24). ``ends``: the condition that a success of this
    luck roll ends (C-P2). ``faces``: dice that lay on a real table, in the order of the rows; all of them or none.
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
    """Give actors a Boon or a Bane with a reason. The same one again changes nothing."""

    actors: Annotated[tuple[ActorId, ...], Meta(min_length=1, max_length=64)]
    sign: Sign
    source: GrantSource
    amount: Annotated[int, Meta(ge=1, le=100)] = 1
    scope: Scope = Scope()
    expiry: Expiry = Expiry()
    note: Note = ""


class RevokeGrant(Tagged, frozen=True, kw_only=True):
    """Take a grant back, by its id."""

    grant: GrantId


class Assist(Tagged, frozen=True, kw_only=True):
    """Help another's next roll, or his roll of that ``action``, with one Boon (option ``assist``).

    By the option at once, or when the GM agrees (``AnswerAssist``). ``helper``: one of the sender's own actors.
    """

    actor: ActorId
    helper: ActorId
    action: Label = ""
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


class SetOptions(Tagged, frozen=True, kw_only=True):
    """Choose readings of the rules for this table, from now on. Only the options named change."""

    options: Annotated[dict[Key, Scalar | None], Meta(min_length=1, max_length=64)]


class Invite(Tagged, frozen=True, kw_only=True):
    """Give a person a token for this table. The token comes back on the asking connection only (``minted``)."""

    user: UserId
    name: Name
    role: Role = "player"
    device: DeviceId = "browser"
    origin: HttpOrigin | None = None


class RevokeAccess(Tagged, frozen=True, kw_only=True):
    """Refuse every token of a person (or of one device) that was issued before now, at once."""

    user: UserId
    device: DeviceId | None = None


Command = (
    RollCheck
    | RollDice
    | Choose
    | Act
    | SyncActor
    | RemoveActor
    | Grant
    | RevokeGrant
    | Assist
    | AnswerAssist
    | SetCondition
    | ClearCondition
    | StartTurn
    | EndTurn
    | EndRound
    | EndCombat
    | SetOptions
    | Invite
    | RevokeAccess
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
    Assist,
    AnswerAssist,
    SetCondition,
    ClearCondition,
    StartTurn,
    EndTurn,
    EndRound,
    EndCombat,
    SetOptions,
    Invite,
    RevokeAccess,
)
