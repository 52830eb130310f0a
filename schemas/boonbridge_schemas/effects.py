"""Effects: the small closed set of typed consequences shared by all rulesets.

Cards, replay, statistics and undo read these and need not know the game. An effect of a non-public check is
stored deferred: it changes nothing until it is settled.
"""

from .base import ActorId, CheckId, Count, GrantId, Key, Label, RequestId, Scalar, Side, Sign, Small, Tagged
from .grants import AssistRecord, GrantRecord, HeldCondition
from .requests import OpportunityRecord


class ResourceChanged(Tagged, frozen=True, kw_only=True):
    """A shared resource (``boons``) moved. ``applied`` differs from ``asked`` where a cap or an empty pool bit.

    ``unearned``: so many of those gained in this session were taken back by a correction.
    """

    resource: Key
    asked: Small
    applied: Small
    reason: Key
    unearned: Count = 0


class ConditionChanged(Tagged, frozen=True, kw_only=True):
    """A condition of an actor gained (``change`` > 0) or lost stacks; ``now`` is what stands afterwards."""

    actor: ActorId
    condition: Key
    change: Small
    now: Count
    until: Key | None = None


class LockSet(Tagged, frozen=True, kw_only=True):
    """The same action may not be tried again until the fiction changes (A-24). Empty action: nothing is locked."""

    actor: ActorId
    action: Label


class LockCleared(Tagged, frozen=True, kw_only=True):
    """What kept an action from being tried again has changed, or its goal was reached at a cost (A-24, X-A8)."""

    actor: ActorId
    action: Label


class ConditionEnded(Tagged, frozen=True, kw_only=True):
    """A condition ended by what was rolled: a luck roll that succeeded (C-P2)."""

    actor: ActorId
    condition: Key
    by: ActorId | None = None


class MarkSet(Tagged, frozen=True, kw_only=True):
    """A public switch of the encounter stands otherwise now; null: as if it had never been set."""

    mark: Key
    value: Scalar | None


class ResistanceOffered(Tagged, frozen=True, kw_only=True):
    """Somebody resists without dice: whoever acts against this has to reach ``difficulty`` (D-22)."""

    actor: ActorId
    skill: Key
    difficulty: Small


class XpChanged(Tagged, frozen=True, kw_only=True):
    """Experience of an actor that was earned (D-28) or spent (D-29)."""

    actor: ActorId
    change: Small
    now: Count


class ConditionsPut(Tagged, frozen=True, kw_only=True):
    """What an actor has of one condition now, from all who gave it: a correction brought it about."""

    actor: ActorId
    condition: Key
    held: tuple[HeldCondition, ...] = ()


class GrantPut(Tagged, frozen=True, kw_only=True):
    """A Boon or Bane that a correction brought back."""

    grant: GrantRecord


class GrantTaken(Tagged, frozen=True, kw_only=True):
    """A Boon or Bane that a correction took away."""

    actor: ActorId
    grant: GrantId


class ResistanceTaken(Tagged, frozen=True, kw_only=True):
    """Resistance that was offered is not offered any more: a correction took it away."""

    actor: ActorId


class OpportunityPut(Tagged, frozen=True, kw_only=True):
    """An opportunity that a correction brought back."""

    opportunity: OpportunityRecord


class OpportunityTaken(Tagged, frozen=True, kw_only=True):
    """An opportunity that a correction took away."""

    opportunity: CheckId


class AssistPut(Tagged, frozen=True, kw_only=True):
    """Help that waits for the GM again, since the roll it went with was taken back."""

    assist: AssistRecord


class RowReopened(Tagged, frozen=True, kw_only=True):
    """An actor may answer a request again, since the roll that answered it was taken back."""

    request: RequestId
    actor: ActorId


class DieBought(Tagged, frozen=True, kw_only=True):
    """A die was added to the check for the price named by the ``ResourceChanged`` before it."""

    sides: Count
    face: Count


class ChanceGranted(Tagged, frozen=True, kw_only=True):
    """A one-use Boon or Bane for the next check of ``to`` (D-21); null: of whoever uses the situation, or is affected by it.

    ``side``: whose allies those are, where nobody may know who made it.
    """

    to: ActorId | None = None
    sign: Sign
    uses: Count = 1
    side: Side | None = None


class OnCritApplied(Tagged, frozen=True, kw_only=True):
    """What the criticals of an attack do: ``times`` criticals, ``amount`` in all (B-21, B-23)."""

    name: Label
    times: Count
    amount: Count


class DutyNoted(Tagged, frozen=True, kw_only=True):
    """Somebody at the table owes the fiction something.

    ``duty``: ``consequence``, ``extra_benefit``, ``serious_complication`` (A) or ``severe_consequence`` (D).
    """

    duty: Key


Effect = (
    ResourceChanged
    | ConditionChanged
    | ConditionEnded
    | LockSet
    | LockCleared
    | MarkSet
    | ResistanceOffered
    | DieBought
    | ChanceGranted
    | OnCritApplied
    | DutyNoted
    | XpChanged
    | ConditionsPut
    | GrantPut
    | GrantTaken
    | ResistanceTaken
    | OpportunityPut
    | OpportunityTaken
    | AssistPut
    | RowReopened
)
