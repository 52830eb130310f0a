"""What a person may ask for once he is in: commands, previews, proofs, tokens. One function per frame.

What is about the past is in ``looking.py``.

Every frame that names an id is answered, whatever happens.
"""

import time
from collections.abc import Callable

from boonbridge.core.foreseeing import foresee
from boonbridge.core.peopling import device_of
from boonbridge.core.preview import preview
from boonbridge_schemas.client import Do, Foresee, Preview, Proof, Renew, Withdraw
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Command, Invite
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Ack, Foreseen, Limits, Minted, Previewed, Refused

from .frames import encode
from .hub import Hub
from .identity import Claims, mint, new_token
from .ports import StoreUnavailable
from .proving import prove
from .session import Session
from .table import LARGEST, TOO_LARGE, Request, refused


def do(hub: Hub, session: Session, frame: Do) -> None:
    """Queue a command; its answer comes after everybody was told."""
    began = time.perf_counter()

    def answer(reply: Ack | Refused, command: Command | None) -> None:
        hub.metrics.answered(reply.code if isinstance(reply, Refused) else "ack", time.perf_counter() - began)
        if isinstance(reply, Ack) and isinstance(command, Invite):
            hub.background(_minted(hub, session, command, reply))
        else:
            session.outbox.put(encode(reply))

    session.table.submit(_asked(session, frame.id, answer, seen=frame.seen, command=frame.cmd))


def withdraw(session: Session, frame: Withdraw) -> None:
    """Did it happen? The ``ack`` of the id, or ``command.withdrawn``: it did not and never will."""
    session.table.submit(_asked(session, frame.id, lambda reply, _command: session.outbox.put(encode(reply))))


def _asked(
    session: Session,
    command_id: str,
    answer: Callable[[Ack | Refused, Command | None], None],
    *,
    seen: int = 0,
    command: Command | None = None,
) -> Request:
    """A request of this connection's person, with what tells whether he still may when its turn comes."""
    return Request(
        user=session.user,
        role=session.role,
        device=session.claims.device,
        issued=session.claims.issued,
        id=command_id,
        seen=seen,
        command=command,
        answer=answer,
    )


def preview_check(session: Session, frame: Preview) -> None:
    """What would apply and with what chance, as of now."""
    state = session.table.state
    try:
        rows = preview(state, frame.check, session.viewer)
        answer = _in_one(Previewed(id=frame.id, seen=state.seq, rows=rows), Limits().frame_out)
    except Refusal as refusal:
        answer = encode(refused(refusal, frame.id))
    session.outbox.put(answer)


def _in_one(reply: Previewed | Foreseen, limit: int) -> bytes:
    """The frame of an answer. Raises ``frame.too_large`` where it does not fit into one."""
    frame = encode(reply)
    if len(frame) > limit:
        raise Refusal(Code.FRAME_TOO_LARGE, TOO_LARGE, values={"limit": limit})
    return frame


def foresee_command(hub: Hub, session: Session, frame: Foresee) -> None:
    """What a command would come to, as of now."""
    state = session.table.state
    try:
        command = session.table.completed(frame.cmd)
        events = foresee(state, command, session.viewer, hub.ports.clock.now())
        answer = _in_one(Foreseen(id=frame.id, seen=state.seq, events=events), LARGEST)
    except Refusal as refusal:
        answer = encode(refused(refusal, frame.id))
    session.outbox.put(answer)


async def proof(hub: Hub, session: Session, frame: Proof) -> None:
    """Everything to recompute one commit."""
    viewer = session.viewer
    try:
        reply = encode(await prove(session.table, frame, viewer, hub.ports.vault))
    except Refusal as refusal:
        reply = encode(refused(refusal, frame.id))
    if session.viewer != viewer:  # what he was is not what he may see now
        await proof(hub, session, frame)
        return
    session.outbox.put(reply)


def renew(hub: Hub, session: Session, frame: Renew) -> None:
    """A fresh token for its own holder, from half of its life on."""
    now, claims = hub.ports.clock.now(), session.claims
    if claims.jti == frame.id:  # the same again, whose answer was lost
        session.outbox.put(encode(_told(frame.id, mint(hub.key, claims), claims)))
        return
    if now < (claims.issued + claims.expires) // 2:
        session.outbox.put(encode(refused(Refusal(Code.AUTH_RENEW_EARLY), frame.id)))
        return
    token, fresh = new_token(
        hub.key,
        user=claims.user,
        name=claims.name,
        table=claims.table,
        role=session.role,
        now=now,
        jti=frame.id,
        origins=claims.origins,
        device=claims.device,
    )
    session.claims = fresh
    session.outbox.put(encode(_told(frame.id, token, fresh)))


async def _minted(hub: Hub, session: Session, command: Invite, ack: Ack) -> None:
    """The token of an invitation, to the asking connection alone; the same again for the same id."""
    try:
        opened = await hub.at(session.claims.table)
        await hub.people.name(opened, command.user, command.name)
        issued = await opened.table.time_of(ack.seq)
    except StoreUnavailable:
        session.outbox.put(encode(refused(Refusal(Code.BUSY, retry_after_ms=1_000), ack.id)))
        return
    opened.show_presence()
    token, claims = new_token(
        hub.key,
        user=command.user,
        name=command.name,
        table=session.claims.table,
        role=command.role,
        now=issued,
        jti=ack.id,
        origins=(command.origin,) if command.origin else (),
        device=command.device or device_of(ack.id),
    )
    session.outbox.put(encode(_told(ack.id, token, claims)))
    session.outbox.put(encode(ack))


def _told(frame_id: str, token: str, claims: Claims) -> Minted:
    return Minted(id=frame_id, token=token, table=claims.table, user=claims.user, role=claims.role, expires_at=claims.expires)
