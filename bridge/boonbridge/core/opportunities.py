"""Opportunities: a tactical benefit that waits for whoever uses it, once (D-20, D-21).

A roll names those that it uses. A positive one is for the creator's side, a negative one for the checks of others.
"""

from collections.abc import Iterable

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import CheckId, Role
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import DropOpportunity
from boonbridge_schemas.events import OpportunityDropped
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import OpportunityRecord

from .decision import Context, Decision
from .state import TableState


def seized(state: TableState, ids: Iterable[CheckId], actor: Actor, role: Role) -> tuple[OpportunityRecord, ...]:
    """The opportunities that a roll of an actor uses. Raises ``opportunity.unknown``, ``opportunity.not_for_you``."""
    ids = tuple(ids)
    if len(set(ids)) != len(ids):
        raise Refusal(Code.ROLL_BAD_PARAMETER, "An opportunity is named twice.", values={"parameter": "opportunities"})
    return tuple(_for(state, standing(state, each), actor, role) for each in ids)


def standing(state: TableState, opportunity: CheckId) -> OpportunityRecord:
    """The opportunity of that id. Raises ``opportunity.unknown``."""
    found = state.opportunities.get(opportunity)
    if found is None:
        raise Refusal(Code.OPPORTUNITY_UNKNOWN, values={"opportunity": opportunity})
    return found


def _for(state: TableState, opportunity: OpportunityRecord, actor: Actor, role: Role) -> OpportunityRecord:
    creator = state.actors.get(opportunity.by)
    side = creator.side if creator is not None else opportunity.side
    same_side = side == actor.side
    if side is None:  # somebody without a sheet: a GM knows who he was
        good = role == "gm"
    elif opportunity.sign == "bane":
        good = role == "gm" or not same_side
    elif actor.id == opportunity.by:
        good = bool(getattr(state.options, "opportunity_self", False))
    else:
        good = same_side
    if not good:
        raise Refusal(Code.OPPORTUNITY_NOT_FOR_YOU, values={"opportunity": opportunity.id, "actor": actor.id})
    return opportunity


def drop_opportunity(state: TableState, command: DropOpportunity, _context: Context) -> Decision:
    """An opportunity has passed. Raises ``opportunity.unknown``."""
    passed = OpportunityDropped(opportunity=standing(state, command.opportunity).id)
    return Decision(placed=(("all", passed),), command_part="all")


def passed(before: TableState, after: TableState) -> tuple[OpportunityDropped, ...]:
    """Those whose creator has left the table: nobody could say any more for whom they are."""
    alone = [each.id for each in after.opportunities.values() if each.by in before.actors and each.by not in after.actors]
    return tuple(OpportunityDropped(opportunity=each) for each in alone)
