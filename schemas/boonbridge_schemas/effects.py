"""Effects: the small closed set of typed consequences shared by all rulesets.

Cards, replay, statistics and undo read these and need not know the game. An effect of a non-public check is
stored deferred: it changes nothing until it is settled.
"""

from .base import ActorId, Count, Key, Label, Scalar, Sign, Small, Tagged


class ResourceChanged(Tagged, frozen=True, kw_only=True):
    """A shared resource (``boons``) moved. ``applied`` differs from ``asked`` where a cap or an empty pool bit."""

    resource: Key
    asked: Small
    applied: Small
    reason: Key


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
    """A public switch of the encounter stands otherwise now: who has the initiative, whether a window is open."""

    mark: Key
    value: Scalar


class ResistanceOffered(Tagged, frozen=True, kw_only=True):
    """Somebody resists without dice: whoever acts against this has to reach ``difficulty`` (D-22)."""

    actor: ActorId
    skill: Key
    difficulty: Small


class DieBought(Tagged, frozen=True, kw_only=True):
    """A die was added to the check for the price named by the ``ResourceChanged`` before it."""

    sides: Count
    face: Count


class ChanceGranted(Tagged, frozen=True, kw_only=True):
    """A one-use Boon or Bane for the next check of ``to`` (D-21)."""

    to: ActorId
    sign: Sign
    uses: Count = 1


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
)
