"""Who may take part: let in, given another role, turned away, forgotten. Names and devices may not be in here."""

import base64
import hashlib

from boonbridge_schemas.base import DeviceId, Moment, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import EraseName, Invite, RemoveOrigin, RevokeAccess, SetRole
from boonbridge_schemas.events import AccessRevoked, Event, Invited, NameErased, OriginAdded, OriginRemoved, RoleSet
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .decision import Context, Decision, placed
from .state import BRIDGE, Member, TableState

_LIMITS = Limits()


def device_of(command_id: str) -> DeviceId:
    """The device of a token that nobody named one for: another for every token, the same when it is asked for again."""
    digest = hashlib.sha256(f"device\n{command_id}".encode()).digest()
    return "d-" + base64.b32encode(digest)[:10].decode().lower()


def invite(state: TableState, command: Invite, context: Context) -> Decision:
    """Let a person in. Raises ``role.forbidden``, ``people.limit``, ``people.last_gm``."""
    if command.user == BRIDGE:
        raise Refusal(Code.ROLE_FORBIDDEN, "That id is the bridge's own.")
    member = state.people.get(command.user)
    if member is None and len(state.people) >= _LIMITS.people:
        raise Refusal(Code.PEOPLE_LIMIT, values={"limit": _LIMITS.people})
    if member is not None and member.role == "gm" and command.user != context.by and command.role != "gm":
        raise Refusal(Code.ROLE_FORBIDDEN, "A co-GM is not made a player by an invitation.")
    if member is not None and command.role != "gm":
        _keep_a_gm(state, command.user)
    device = command.device or device_of(context.command_id)
    events: list[Event] = [Invited(user=command.user, role=command.role, device=device)]
    if command.origin is not None and command.origin not in state.origins:
        events.append(OriginAdded(origin=command.origin))
    # Kept without the name of the person, so that the same invitation is known again after a restart.
    return Decision(placed=placed("all", events), command_part="all")


def revoke_access(state: TableState, command: RevokeAccess, context: Context) -> Decision:
    """Refuse every token of a person, or of a device. Raises ``people.unknown``, ``people.self``, ``people.last_gm``."""
    known(state, command.user)
    if command.user == context.by and command.device is None:
        raise Refusal(Code.PEOPLE_SELF)
    if command.device is None:
        _keep_a_gm(state, command.user)
    return Decision(placed=(("all", AccessRevoked(user=command.user, device=command.device)),), command_part="all")


def set_role(state: TableState, command: SetRole, _context: Context) -> Decision:
    """Change what a person may do. Raises ``people.unknown``, ``people.last_gm``."""
    if known(state, command.user).role == command.role:
        return Decision()
    if command.role != "gm":
        _keep_a_gm(state, command.user)
    return Decision(placed=(("all", RoleSet(user=command.user, role=command.role)),), command_part="all")


def _keep_a_gm(state: TableState, user: UserId) -> None:
    """Raise ``people.last_gm`` where the table would be without a GM if this person were none, or away."""
    if _is_gm(state.people[user]) and not any(_is_gm(member) for id_, member in state.people.items() if id_ != user):
        raise Refusal(Code.PEOPLE_LAST_GM)


def _is_gm(member: Member) -> bool:
    return member.role == "gm" and not member.gone


def still_opens(state: TableState, *, user: UserId | None, by: UserId | None, made: Moment) -> bool:
    """Whether a code that ``by`` made for ``user`` still lets him in.

    Not once access was taken back from whoever it is for, or his name erased: it was made before that, and has the name on it.
    Nor where access was taken from whoever made it, on one of his devices even: the code may have been made there; nor where he
    made it for another and is no GM any more. Null is whoever is not known yet, or the operator of the bridge.
    """
    whose, maker = (state.people.get(one) if one is not None else None for one in (user, by))
    if whose is not None and max(whose.revoked.get("", -1), whose.erased_at) >= made:
        return False
    if maker is None:
        return True
    return max(maker.revoked.values(), default=-1) < made and (user == by or maker.role == "gm")


def erase_name(state: TableState, command: EraseName, _context: Context) -> Decision:
    """Have a name forgotten, which never was in the log. Raises ``people.unknown``.

    Again, too: a code may have been made since, with a name on it.
    """
    known(state, command.user)
    return Decision(placed=(("all", NameErased(user=command.user)),), command_part="all")


def remove_origin(state: TableState, command: RemoveOrigin, _context: Context) -> Decision:
    """Take an origin off the table's list. Raises ``origin.not_listed``."""
    if command.origin not in state.origins:
        raise Refusal(Code.ORIGIN_NOT_LISTED, values={"origin": command.origin})
    return Decision(placed=(("all", OriginRemoved(origin=command.origin)),), command_part="all")


def known(state: TableState, user: UserId) -> Member:
    """The person of that id. Raises ``people.unknown``."""
    member = state.people.get(user)
    if member is None:
        raise Refusal(Code.PEOPLE_UNKNOWN, values={"user": user})
    return member
