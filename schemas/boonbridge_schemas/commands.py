"""Commands: what somebody wants to happen. Imperatives; who may send which is in ``core/permissions.py``."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from .base import (
    ActorId,
    CheckId,
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
from .grants import Expiry, GrantSource, Scope


class RollCheck(Tagged, frozen=True, kw_only=True):
    """Roll one check for each actor, against each target. One commit, whatever the number.

    An actor ``BASE.token.TOKEN`` is an unlinked token of actor BASE; its record is made when it is first named.
    Either ``actors`` or ``adHoc``. ``off`` lists sources of the table that do not apply this time (a GM's word).
    ``spendBefore``: group Boons to spend before the dice (D-18); refused as a whole when one of them is illegal.
    """

    check: Key
    actors: Annotated[tuple[ActorId, ...], Meta(max_length=64)] = ()
    targets: Annotated[tuple[ActorId, ...], Meta(max_length=16)] = ()
    params: Annotated[dict[Key, Scalar], Meta(max_length=32)] = {}
    action: Label = ""
    mode: Mode = "public"
    sources: Annotated[tuple[SourceClaim, ...], Meta(max_length=64)] = ()
    off: Annotated[tuple[SourceId, ...], Meta(max_length=64)] = ()
    spend_before: Annotated[int, Meta(ge=0, le=100)] = 0
    ad_hoc: AdHoc | None = None


class Choose(Tagged, frozen=True, kw_only=True):
    """Take a choice that a check offers."""

    check: CheckId
    choice: Key
    args: Annotated[dict[Key, Scalar], Meta(max_length=8)] = {}


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


Command = RollCheck | Choose | Act | SyncActor | RemoveActor | Grant | RevokeGrant | SetOptions | Invite | RevokeAccess
COMMANDS: tuple[type[Tagged], ...] = (
    RollCheck,
    Choose,
    Act,
    SyncActor,
    RemoveActor,
    Grant,
    RevokeGrant,
    SetOptions,
    Invite,
    RevokeAccess,
)
