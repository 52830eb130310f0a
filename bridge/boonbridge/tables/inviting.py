"""People, their devices, and codes that let them in: what is told to whom, and who may make a code for whom.

Addresses, clients and codes are told to GMs and to the operator of the bridge alone, in answers to what they ask. A code is told
once, to the connection that asked for it.
"""

from collections.abc import Iterable

from msgspec import Struct

from boonbridge.core.peopling import still_opens
from boonbridge.core.state import TableState
from boonbridge_schemas.base import Role, UserId
from boonbridge_schemas.client import Do, DropCode, MakeCode, People
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import EraseName, RemoveOrigin, RevokeAccess, SetRole
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Ack, CodeMade, CodeOpen, Device, PersonDevices, Refused, Roster

from .devices import device_row
from .frames import encode
from .hub import Hub
from .identity import random_user_id
from .in_use import Open
from .opening import as_bridge
from .pairing import Wanted, link
from .ports import DeviceRow, PairingCode
from .qr import qr
from .session import Session
from .table import refused

_OWN_CODES = 4
"""So many codes that somebody made for himself may be open; they take nobody else's place."""


class Asker(Struct, frozen=True):
    """Who asks: a person by his role at the table, or the operator of the bridge (``user`` null), who may what a GM may."""

    user: UserId | None
    role: Role


async def serve(hub: Hub, session: Session, frame: People | MakeCode | DropCode) -> None:
    """Answer one of these frames, to the asking connection alone."""
    opened = await hub.at(session.claims.table)
    session.outbox.put(encode(await answer(hub, opened, Asker(session.user, session.role), frame)))


async def answer(hub: Hub, opened: Open, asker: Asker, frame: People | MakeCode | DropCode) -> Roster | CodeMade | Refused:
    """What one of these frames comes to."""
    try:
        if isinstance(frame, MakeCode):
            return await _make(hub, opened, asker, frame)
        if asker.role != "gm":
            raise Refusal(Code.ROLE_FORBIDDEN, values={"role": asker.role, "command": type(frame).__name__})
        if isinstance(frame, DropCode):
            await hub.pairing.drop_open(opened.table.state.table, frame.code)
        return await _roster(hub, opened, frame.id)
    except Refusal as refusal:
        return refused(refusal, frame.id)


async def order(opened: Open, frame: Do) -> Ack | Refused:
    """Do what the operator of the bridge says about people. The log says that it was the bridge."""
    if not isinstance(frame.cmd, SetRole | RevokeAccess | EraseName | RemoveOrigin):
        return refused(Refusal(Code.ROLE_FORBIDDEN, "That is no order about people."), frame.id)
    return await as_bridge(opened.table, frame.id, command=frame.cmd)


# --- codes -----------------------------------------------------------------------------------------------------
async def _make(hub: Hub, opened: Open, asker: Asker, frame: MakeCode) -> CodeMade:
    state = opened.table.state
    for_himself = frame.user is not None and frame.user == asker.user
    if asker.role != "gm" and not for_himself:
        raise Refusal(Code.ROLE_FORBIDDEN, values={"role": asker.role, "command": "MakeCode"})
    if frame.user is None and frame.name is None:
        raise Refusal(Code.PEOPLE_NAME_MISSING)
    if frame.user is not None and frame.user not in state.people:
        raise Refusal(Code.PEOPLE_UNKNOWN, values={"user": frame.user})
    user = frame.user or random_user_id()
    wanted = Wanted(
        kind=frame.kind,
        role=state.role(user) or frame.role,
        user=user,
        name=(frame.name or "").strip() if asker.role == "gm" else "",  # what others call a person is no player's to say
        by=asker.user,
        # Later than any commit so far, so that a code made for somebody whose access was taken back just now is good.
        made=max(hub.ports.clock.now(), state.at + 1),
        hours=frame.hours,
        frame=frame.id,
    )

    def room(codes: Iterable[PairingCode]) -> None:
        _room(hub, state, codes, wanted)

    code, row = await hub.pairing.make(state.table, wanted, room)
    address = link(frame.page, code) if frame.page is not None else None
    return CodeMade(
        id=frame.id,
        code=code,
        code_id=row.id,
        user=user,
        role=row.role,
        expires_at=row.expires,
        link=address,
        qr=qr(address) if address is not None else (),
    )


def _room(hub: Hub, state: TableState, codes: Iterable[PairingCode], wanted: Wanted) -> None:
    """Raise ``code.limit`` or ``people.limit`` where there is no room for another open code."""
    bound = [code for code in codes if code.user is not None]
    own = [code for code in bound if code.by == code.user]
    if wanted.by == wanted.user:
        if sum(code.user == wanted.user for code in own) >= _OWN_CODES:
            raise Refusal(Code.CODE_LIMIT, values={"limit": _OWN_CODES})
        return
    if len(bound) - len(own) >= hub.limits.open_codes:
        raise Refusal(Code.CODE_LIMIT, values={"limit": hub.limits.open_codes})
    coming = {code.user for code in bound if code.user not in state.people}
    if wanted.user not in state.people and len(state.people) + len(coming) >= hub.limits.people:
        raise Refusal(Code.PEOPLE_LIMIT, values={"limit": hub.limits.people})


# --- who there is ----------------------------------------------------------------------------------------------
async def _roster(hub: Hub, opened: Open, frame_id: str) -> Roster:
    state = opened.table.state
    codes = tuple(
        _open_code(opened, code)
        for code in await hub.pairing.open_codes(state.table)
        if still_opens(state, user=code.user, by=code.by, made=code.made)
    )
    rows = await hub.ports.vault.devices(state.table)
    # Where that is more than a message can tell, of each person the devices used last.
    keep = hub.limits.devices_per_person
    while True:
        people = tuple(_person(hub, opened, user, rows, keep) for user in state.people)
        roster = Roster(id=frame_id, people=people, codes=codes, origins=tuple(sorted(state.origins)))
        if keep <= 1 or len(encode(roster)) <= hub.limits.frame_out:
            return roster
        keep //= 2


def _open_code(opened: Open, code: PairingCode) -> CodeOpen:
    name = code.name or opened.names.get(code.user or "", "")
    return CodeOpen(
        id=code.id,
        kind=code.kind,
        role=code.role,
        user=code.user,
        name=name,
        by=code.by,
        made=code.made,
        expires_at=code.expires,
    )


def _person(hub: Hub, opened: Open, user: UserId, rows: Iterable[DeviceRow], keep: int) -> PersonDevices:
    state, now = opened.table.state, hub.ports.clock.now()
    member = state.people[user]
    # What is open now is known better than what is written of it, and of whose name was erased nothing is written.
    here: dict[str, DeviceRow] = {}
    for session in opened.sessions:
        if session.user == user:
            here[session.claims.device] = device_row(session, now)
    known = {row.device: row for row in rows if row.user == user and not member.erased}
    shown = {**known, **here}
    devices = [
        Device(
            id=row.device,
            client=row.client,
            version=row.version,
            kind=row.kind,
            address=row.address,
            since=known[row.device].since if row.device in known else row.since,
            seen=row.seen,
            online=row.device in here,
            gone=member.refuses(row.device, row.seen),
        )
        for row in sorted(shown.values(), key=lambda row: (-row.seen, row.device))
    ]
    name = opened.names.get(user)
    return PersonDevices(
        id=user,
        name=name or user,
        named=name is not None,
        role=member.role,
        gone=member.gone,
        devices=tuple(devices[:keep]),
    )
