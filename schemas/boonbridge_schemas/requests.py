"""What a GM asks of several actors at once, and what it came to."""

from typing import Annotated, Literal

from msgspec import Meta

from .base import (
    ActorId,
    CheckId,
    Count,
    Key,
    Label,
    Mode,
    Moment,
    Name,
    Note,
    Record,
    RequestId,
    Scalar,
    Side,
    Sign,
    Small,
    UserId,
)
from .checks import SourceClaim


class AskedCheck(Record, frozen=True, kw_only=True):
    """One of the checks that may answer a request. A parameter left out is its roller's to fill in, but for a difficulty."""

    check: Key
    params: Annotated[dict[Key, Scalar], Meta(max_length=32)] = {}
    label: Label = ""


class RequestRow(Record, frozen=True, kw_only=True):
    """One actor of a request. ``absent``: a GM rolled for him. ``check`` is missing where this viewer may not read the roll."""

    actor: ActorId
    name: Name
    status: Literal["sent", "rolled", "declined", "expired"] = "sent"
    check: CheckId | None = None
    absent: bool = False


class GroupResult(Record, frozen=True, kw_only=True):
    """What a request came to as a whole, of those who rolled. ``success`` is null where it is each for himself.

    ``total`` and ``target``: where the rolls are added up (D-23); a hidden target is left out. ``winners``: of a contest;
    several are a tie.
    """

    outcome: Key
    success: bool | None = None
    counted: Count
    succeeded: Count
    crits: Count = 0
    worst: Count = 0
    total: Small | None = None
    target: Small | None = None
    winners: tuple[ActorId, ...] = ()


class RequestRecord(Record, frozen=True, kw_only=True):
    """``request/ID``: a request with a row for each actor, and its result once it is over.

    ``group``: how the rolls belong together (``RulesetInfo.groups``), ``difficulty`` what the group has to reach where it
    has a number of its own. ``shown``: players may know the difficulties. ``sources``: Boons and Banes that the GM set for
    every roll. ``over``: ``complete``, ``closed`` by a GM, ``expired``; null while it is open.
    """

    id: RequestId
    by: UserId
    checks: Annotated[tuple[AskedCheck, ...], Meta(min_length=1, max_length=8)]
    action: Label = ""
    mode: Mode = "public"
    group: Key = "each"
    difficulty: Small | None = None
    shown: bool = True
    sources: tuple[SourceClaim, ...] = ()
    target: ActorId | None = None
    expires_at: Moment | None = None
    note: Note = ""
    rows: Annotated[tuple[RequestRow, ...], Meta(max_length=64)]
    over: Key | None = None
    result: GroupResult | None = None


class OpportunityRecord(Record, frozen=True, kw_only=True):
    """``opportunity/ID``: a tactical benefit that waits for whoever uses it, once (D-21).

    A positive one is for allies of ``by``, a negative one for the checks of opponents that it affects. ``side``: whose allies,
    where nobody may know who made it.
    """

    id: CheckId
    label: Label
    sign: Sign
    by: ActorId
    name: Name
    side: Side | None = None
