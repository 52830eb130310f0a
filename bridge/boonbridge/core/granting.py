"""Boons and Banes that stand at the table: given, the same one once, and taken back by their id."""

import msgspec
from msgspec.structs import replace

from boonbridge_schemas.base import UserId
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

_LIMITS = Limits()


def grant(state: TableState, command: Grant, context: Context) -> Decision:
    """Give actors a Boon or a Bane. Raises ``actor.unknown``, ``grant.limit``."""
    return granted(state, command, context.by)


def granted(state: TableState, command: Grant, by: UserId) -> Decision:
    """The same, in the name of ``by``."""
    made = newcomers(state, *command.actors, *whose_turn(command.expiry))
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
        )
        if any(sameness(record) == sameness(standing) for standing in actor.grants):
            continue
        # By number, and by size: they are told as one entry, which has to fit into a frame.
        too_large = len(msgspec.json.encode((*actor.grants, record))) > _LIMITS.frame_out // 4
        if len(actor.grants) >= _LIMITS.grants_per_actor or too_large:
            raise Refusal(Code.GRANT_LIMIT, values={"limit": _LIMITS.grants_per_actor, "actor": actor_id})
        events.append(Granted(grant=record))
    return Decision(placed=(*made, *placed("all", events)), command_part="all" if events else None)


def revoke_grant(state: TableState, command: RevokeGrant, _context: Context) -> Decision:
    """Take a Boon or a Bane back. Raises ``grant.unknown``."""
    bearer = state.actor_of(command.grant)
    if bearer is None:
        raise Refusal(Code.GRANT_UNKNOWN, values={"grant": command.grant})
    return Decision(placed=(("all", GrantRevoked(actor=bearer.id, grant=command.grant)),), command_part="all")


def reveal_grant(state: TableState, command: RevealGrant, _context: Context) -> Decision:
    """Show everybody a grant that only GMs knew of. Raises ``grant.unknown``."""
    bearer = state.actor_of(command.grant)
    hidden = next((grant for grant in bearer.grants if grant.id == command.grant), None) if bearer is not None else None
    if bearer is None or hidden is None or not hidden.hidden:
        raise Refusal(Code.GRANT_UNKNOWN, values={"grant": command.grant})
    shown = replace(hidden, id=f"{state.seq}.1", hidden=False)
    gone = GrantRevoked(actor=bearer.id, grant=hidden.id)
    return Decision(placed=(("all", Granted(grant=shown)), ("gm", gone)), command_part="all")
