"""Boons and Banes that stand at the table: given, the same one once, taken back by their id; hidden ones shown to everybody."""

import msgspec
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import GrantId, PartName, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Grant, RevealGrant, RevokeGrant
from boonbridge_schemas.events import Event, Granted, GrantRevoked
from boonbridge_schemas.grants import GrantRecord
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .applying import sameness
from .checking import known
from .clocks import clock, whose_turn
from .decision import Context, Decision, placed
from .evolving import evolve_all
from .state import TableState
from .tokens import newcomers
from .visibility import part_of_grant

_LIMITS = Limits()


def grant(state: TableState, command: Grant, context: Context) -> Decision:
    """Give actors a Boon or a Bane. Raises ``actor.unknown``, ``grant.limit``."""
    return granted(state, command, context.by)


def granted(state: TableState, command: Grant, by: UserId) -> Decision:
    """The same, in the name of ``by``."""
    # A new record would tell everybody whom a hidden one is about.
    made = () if command.hidden else newcomers(state, *command.actors, *whose_turn(command.expiry))
    state = evolve_all(state, (event for _, event in made))
    events: list[Event] = []
    for nth, actor_id in enumerate(dict.fromkeys(command.actors), start=1):
        actor = known(state, actor_id)
        record = GrantRecord(
            id=f"{state.seq}.{nth}",
            actor=actor_id,
            sign=command.sign,
            amount=command.amount,
            source=command.source,
            scope=command.scope,
            expiry=clock(state, command.expiry, actor_id),
            by=by,
            note=command.note,
            hidden=command.hidden,
        )
        if not _stands(actor, record):
            _refuse_beyond(actor, record)
            events.append(Granted(grant=record))
    part = part_of_grant(command)
    return Decision(placed=(*made, *placed(part, events)), command_part=part if events else None)


def _stands(actor: Actor, grant: GrantRecord) -> bool:
    """Whether an actor has the same one already."""
    return any(sameness(grant) == sameness(standing) for standing in actor.grants)


def _refuse_beyond(actor: Actor, grant: GrantRecord) -> None:
    """Raises ``grant.limit`` where an actor has as many as he may. What is hidden is counted apart, or it would tell."""
    alike = [standing for standing in actor.grants if standing.hidden == grant.hidden]
    # By number, and by size: they are told as one entry, which has to fit into a frame.
    too_large = len(msgspec.json.encode((*alike, grant))) > _LIMITS.frame_out // 4
    if len(alike) >= _LIMITS.grants_per_actor or too_large:
        raise Refusal(Code.GRANT_LIMIT, values={"limit": _LIMITS.grants_per_actor, "actor": actor.id})


def revoke_grant(state: TableState, command: RevokeGrant, _context: Context) -> Decision:
    """Take a Boon or a Bane back. Raises ``grant.unknown``."""
    standing = _standing(state, command.grant)
    part = part_of_grant(standing)
    return Decision(placed=((part, GrantRevoked(actor=standing.actor, grant=standing.id)),), command_part=part)


def reveal_grant(state: TableState, command: RevealGrant, _context: Context) -> Decision:
    """Show everybody a grant that only GMs knew of: it is given anew, before all. Raises ``grant.unknown``, ``grant.limit``.

    Where the same one stands already before all, there is nothing to show.
    """
    hidden = _standing(state, command.grant)
    if not hidden.hidden:
        raise Refusal(Code.GRANT_UNKNOWN, values={"grant": command.grant})
    bearer, shown = known(state, hidden.actor), replace(hidden, id=f"{state.seq}.1", hidden=False)
    gone: tuple[PartName, Event] = ("gm", GrantRevoked(actor=bearer.id, grant=hidden.id))
    if _stands(bearer, shown):
        return Decision(placed=(gone,), command_part="gm")
    _refuse_beyond(bearer, shown)
    return Decision(placed=(("all", Granted(grant=shown)), gone), command_part="gm")


def _standing(state: TableState, grant: GrantId) -> GrantRecord:
    """The grant of that id. Raises ``grant.unknown``."""
    bearer = state.actor_of(grant)
    found = next((each for each in bearer.grants if each.id == grant), None) if bearer is not None else None
    if found is None:
        raise Refusal(Code.GRANT_UNKNOWN, values={"grant": grant})
    return found
