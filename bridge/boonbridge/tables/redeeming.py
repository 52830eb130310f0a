"""A one-time code is used: whom it lets in, as the table is now, and the token he gets for it."""

from collections.abc import Mapping

import msgspec
import structlog

from boonbridge.core.peopling import device_of, still_opens
from boonbridge.core.state import TableState
from boonbridge_schemas.base import HttpOrigin, PartName, UserId
from boonbridge_schemas.client import Pair
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.events import Event, Invited, OriginAdded
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Paired, Refused

from .hub import Hub, Rejected
from .identity import called, new_token, random_user_id, user_id
from .opening import system
from .ports import PairingCode
from .table import Placed, refused

log = structlog.get_logger("boonbridge.hub")


async def pair(hub: Hub, frame: Pair, origin: str | None) -> Paired | Refused:
    """Exchange a one-time code for a token. The right code also admits the page's origin.

    Raises ``Rejected`` for an origin that could never be admitted (a page from a file says ``null``); the code stays good.
    """
    if origin is not None and not _admissible(origin):
        raise Rejected(Close.ORIGIN_UNKNOWN)
    try:
        row, _ = await hub.pairing.redeem(frame.code, frame.id, lambda code: _whose(hub, code, frame))
        assert row.user is not None, "a redeemed code has its user"
        opened = await hub.at(row.table)
        # By the code too (its keyed hash): who uses one id with two codes has two answers.
        command_id = f"pair:{row.code_hash.hex()[:16]}:{frame.id}"
        seq = await system(opened.table, command_id, lambda state: _let_in(hub, state, row, frame.id, origin))
    except Refusal as refusal:
        return refused(refusal, frame.id)
    user, role = row.user, opened.table.state.people[row.user].role
    name = row.name or opened.names.get(user) or frame.name
    await hub.people.name(opened, user, name)
    opened.show_presence()
    token, claims = new_token(
        hub.key,
        user=user,
        name=name,
        table=row.table,
        role=role,
        now=await opened.table.time_of(seq),  # the commit's, so that a retry gets the same token
        jti=frame.id,
        origins=(origin,) if origin else (),
        device=device_of(frame.id),
    )
    log.info("paired", table=row.table, user=user, role=role)
    return Paired(id=frame.id, token=token, table=row.table, user=user, role=role, expires_at=claims.expires)


async def _whose(hub: Hub, code: PairingCode, frame: Pair) -> UserId:
    """Whom a code lets in. Raises ``auth.code_wrong`` where it lets nobody in any more, ``people.limit``."""
    opened = await hub.at(code.table)
    state = opened.table.state
    user = code.user or _gm_called(hub, state, frame.name, opened.names)
    _check_code(hub, state, code, user)
    return user


def _gm_called(hub: Hub, state: TableState, name: str, names: Mapping[UserId, str]) -> UserId:
    """Who types the operator's code: the GM who is called so, or somebody new. A player of that name is not made a GM by it."""
    found = [user for user in called(name, names) if state.role(user) == "gm"]
    if len(found) == 1:
        return found[0]
    derived = user_id(hub.key, state.table, name)
    return derived if state.role(derived) in (None, "gm") else random_user_id()


def _check_code(hub: Hub, state: TableState, code: PairingCode, user: UserId) -> None:
    if not still_opens(state, user=user, by=code.by, made=code.made):
        raise Refusal(Code.AUTH_CODE_WRONG)
    if user not in state.people and len(state.people) >= hub.limits.people:
        raise Refusal(Code.PEOPLE_LIMIT, values={"limit": hub.limits.people})


def _let_in(hub: Hub, state: TableState, code: PairingCode, pair_id: str, origin: str | None) -> Placed:
    """What a code that was used comes to, as the table is now: who is known stays what he is."""
    assert code.user is not None, "a redeemed code has its user"
    _check_code(hub, state, code, code.user)
    role = state.role(code.user) or code.role
    events: list[tuple[PartName, Event]] = [("all", Invited(user=code.user, role=role, device=device_of(pair_id)))]
    if origin is not None and origin not in state.origins:
        events.append(("all", OriginAdded(origin=origin)))
    return tuple(events)


def _admissible(origin: str) -> bool:
    try:
        msgspec.convert(origin, HttpOrigin)
    except msgspec.ValidationError:
        return False
    return True
