"""How the rolls of a request may belong together in every game: each for himself, or against one another. Both are ours.

A game adds its own in its file. What is counted here are results as they stand; nobody's dice are looked at.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from boonbridge.rulesets.base import GroupOutcome, OpenCheck
from boonbridge_schemas.base import Key, Label
from boonbridge_schemas.codes import Code
from boonbridge_schemas.game import GroupSpec
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import GroupResult

EACH, OPPOSED = "each", "opposed"

OURS: tuple[GroupSpec, ...] = (
    GroupSpec(key=EACH, label="Each for himself", ours=True, help="Nothing is decided together; the results are counted."),
    GroupSpec(
        key=OPPOSED,
        label="Against one another",
        ours=True,
        help="Who succeeds beats who fails; among these the higher total wins. Equal totals are a tie.",
    ),
)
WORDS: dict[Key, Label] = {
    "group.each": "Each for himself",
    "group.won": "Won",
    "group.tie": "A tie",
    "group.success": "The group succeeds",
    "group.failure": "The group fails",
}
"""What a group can come to, in words."""


def counted(members: Sequence[OpenCheck], *, outcome: Key, success: bool | None = None) -> GroupResult:
    """A result that says how many rolled and succeeded, besides what it came to."""
    results = [member.result for member in members]
    return GroupResult(
        outcome=outcome,
        success=success,
        counted=len(results),
        succeeded=sum(result.success for result in results),
        crits=sum(result.crits > 0 for result in results),
        worst=sum(result.worst for result in results),
    )


def each(members: Sequence[OpenCheck]) -> GroupResult:
    """Everybody for himself."""
    return counted(members, outcome="each")


def opposed(members: Sequence[OpenCheck]) -> GroupResult:
    """Who won: of those who succeeded the highest total, of all where nobody did; equal totals win together."""
    best = max((member.result.success, member.result.total) for member in members)
    winners = tuple(member.rolled.actor for member in members if (member.result.success, member.result.total) == best)
    return replace(counted(members, outcome="won" if len(winners) == 1 else "tie"), winners=winners)


def plain(group: Key, members: Sequence[OpenCheck]) -> GroupOutcome:
    """What every game has. Raises ``request.group`` for anything else."""
    if group == EACH:
        return GroupOutcome(result=each(members))
    if group == OPPOSED:
        return GroupOutcome(result=opposed(members))
    raise Refusal(Code.REQUEST_GROUP, values={"group": group})
