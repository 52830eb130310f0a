"""What the rolls of a request come to together, and when: once, as soon as everybody has rolled, declined or let it pass."""

from boonbridge.rulesets.base import GroupOutcome
from boonbridge_schemas.base import RequestId

from .state import TableState


def recounted(state: TableState, request: RequestId) -> GroupOutcome | None:
    """What a request comes to as its rolls stand now, in the order asked; None where nobody rolled."""
    asking = state.requests.get(request)
    if asking is None:
        return None
    asked = (asking.members.get(row.actor) for row in asking.record.rows)
    members = tuple(member for member in asked if member is not None and not member.voided)
    return state.ruleset.group_result(state, asking.record.group, asking.difficulty, members) if members else None
