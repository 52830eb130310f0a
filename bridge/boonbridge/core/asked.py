"""A request as it is answered: who may, with which of its checks, and which roll that is.

Preview and roll both begin here, so that they cannot differ. What only GMs are asked for does not exist for others.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from boonbridge_schemas.base import ActorId, Key, Mode, RequestId, Role, Scalar
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import AnswerRequest, RollCheck
from boonbridge_schemas.game import CheckSpec
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import AskedCheck, RequestRow

from .checking import Answering
from .state import Asking, TableState
from .tokens import known_or_base

_ORDER: tuple[Mode, ...] = ("public", "gm", "blind", "secret")


def stricter(mode: Mode, other: Mode) -> Mode:
    """The one that fewer people read. ``self`` counts as ``gm``: who asked is told what came of it."""
    modes: tuple[Mode, ...] = tuple("gm" if each == "self" else each for each in (mode, other))
    return max(modes, key=_ORDER.index)


def find(state: TableState, request: RequestId, role: Role) -> Asking:
    """The request of that id, as far as somebody of that role may know of it. Raises ``request.unknown``."""
    asking = state.requests.get(request)
    if asking is None or (asking.secret and role != "gm"):
        raise Refusal(Code.REQUEST_UNKNOWN, values={"request": request})
    return asking


def find_open(state: TableState, request: RequestId, role: Role) -> Asking:
    """The same, where it may still be answered. Raises ``request.unknown``, ``request.closed``."""
    asking = find(state, request, role)
    if not asking.open:
        raise Refusal(Code.REQUEST_CLOSED, values={"request": request})
    return asking


def unanswered(asking: Asking, actor: ActorId) -> RequestRow:
    """The row of an actor who has not answered. Raises ``request.not_asked``, ``request.answered``, ``request.closed``."""
    row = next((row for row in asking.record.rows if row.actor == actor), None)
    if row is None:
        raise Refusal(Code.REQUEST_NOT_ASKED, values={"request": asking.record.id, "actor": actor})
    if row.status == "expired":
        message = "This actor cannot answer any more."
        raise Refusal(Code.REQUEST_CLOSED, message, values={"request": asking.record.id, "actor": actor})
    if row.status != "sent":
        raise Refusal(Code.REQUEST_ANSWERED, values={"request": asking.record.id, "actor": actor})
    return row


def answer(state: TableState, command: AnswerRequest, role: Role) -> tuple[RollCheck, Answering]:
    """The roll that an answer is, and what it has from the request. Raises ``request.*``, ``roll.unknown_parameter``."""
    asking = find_open(state, command.request, role)
    unanswered(asking, command.actor)
    actor = known_or_base(state, command.actor)
    owned = actor is not None and any(state.role(owner) == "player" for owner in actor.owners)
    mode = stricter(asking.record.mode, command.mode)
    roll = roll_of(state, asking, (command.actor,), nth=command.nth, params=command.params, mode=mode)
    roll = replace(
        roll,
        spend_before=command.spend_before,
        changed=command.changed,
        opportunities=command.opportunities,
        faces=command.faces,
    )
    return roll, answering(asking, absent=role == "gm" and owned)


def answering(asking: Asking, *, absent: bool) -> Answering:
    """What rolls have from a request. ``absent``: a GM rolls for an actor whose player did not."""
    return Answering(request=asking.record.id, group=asking.record.group, hidden=not asking.record.shown, absent=absent)


def roll_of(
    state: TableState,
    asking: Asking,
    actors: tuple[ActorId, ...],
    *,
    nth: int,
    params: Mapping[Key, Scalar],
    mode: Mode,
) -> RollCheck:
    """One of the checks of a request, for some of its actors. ``params``: those that it left open.

    Raises ``request.not_asked`` where it has no such check, ``request.fixed``.
    """
    if nth >= len(asking.checks):
        raise Refusal(
            Code.REQUEST_NOT_ASKED,
            "The request does not ask for that check.",
            values={"request": asking.record.id, "nth": nth},
        )
    asked = asking.checks[nth]
    spec = state.ruleset.checks[asked.check]
    _refuse_fixed(asking, asked, spec, params)
    targets = (asking.record.target,) if asking.record.target is not None and spec.targets != "none" else ()
    return RollCheck(
        check=asked.check,
        actors=actors,
        targets=targets,
        params={**asked.params, **params},
        action=asking.record.action,
        mode=mode,
        sources=asking.record.sources,
    )


def _refuse_fixed(asking: Asking, asked: AskedCheck, spec: CheckSpec, params: Mapping[Key, Scalar]) -> None:
    """A difficulty, and who resists with what, is never its roller's to set."""
    fixed = {*asked.params, *(param.key for param in spec.params if param.difficulty or param.of_target)}
    for key in params:
        if key in fixed:
            raise Refusal(Code.REQUEST_FIXED, values={"request": asking.record.id, "parameter": key})
