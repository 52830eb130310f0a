"""Help from another player: one Boon for the next roll, at once or when the GM agrees (option ``assist``)."""

from boonbridge.rulesets.base import Actor, same_action
from boonbridge_schemas.base import UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import AnswerAssist, Assist, Grant
from boonbridge_schemas.events import AssistAnswered, AssistOffered
from boonbridge_schemas.grants import AssistRecord, Expiry, GrantSource, Scope
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import known
from .decision import Context, Decision
from .granting import granted
from .state import TableState, evolve_all
from .tokens import newcomers

_LIMITS = Limits()


def assist(state: TableState, command: Assist, context: Context) -> Decision:
    """Offer help, or give it. Raises ``assist.*``, ``actor.unknown``."""
    _allowed(state)
    made = newcomers(state, command.actor, command.helper)
    state = evolve_all(state, (event for _, event in made))
    actor, helper = known(state, command.actor), known(state, command.helper)
    if actor.id == helper.id:
        raise Refusal(Code.ASSIST_SELF)
    record = AssistRecord(
        id=f"{state.seq}.1",
        actor=actor.id,
        helper=helper.id,
        action=command.action.strip(),
        by=context.by,
        note=command.note,
    )
    if state.options.assist == "free" or context.role == "gm":
        decision = _given(state, record, helper, context.by)
        return Decision(placed=(*made, *decision.placed), command_part="all") if decision.placed else Decision()
    waiting = [offer for offer in state.assists.values() if offer.actor == actor.id]
    if any((offer.helper, offer.by) == (record.helper, record.by) and _same(offer.action, record.action) for offer in waiting):
        return Decision()
    if len(waiting) >= _LIMITS.assists_per_actor:
        raise Refusal(Code.ASSIST_LIMIT, values={"limit": _LIMITS.assists_per_actor})
    return Decision(placed=(*made, ("all", AssistOffered(assist=record))), command_part="all")


def answer_assist(state: TableState, command: AnswerAssist, _context: Context) -> Decision:
    """Agree to help that was offered, or not. Raises ``assist.unknown``."""
    offer = state.assists.get(command.assist)
    if offer is None:
        raise Refusal(Code.ASSIST_UNKNOWN)
    answered = AssistAnswered(assist=offer.id, accepted=command.accept)
    given = _given(state, offer, known(state, offer.helper), offer.by) if command.accept else Decision()
    return Decision(placed=(("all", answered), *given.placed), command_part="all")


def _allowed(state: TableState) -> None:
    if state.ruleset.assist is None:
        raise Refusal(Code.ASSIST_OPPORTUNITY if state.ruleset.help_check is not None else Code.ASSIST_OFF)
    if state.options.assist == "off":
        raise Refusal(Code.ASSIST_OFF)


def _given(state: TableState, offer: AssistRecord, helper: Actor, by: UserId) -> Decision:
    """The Boon itself: an ordinary grant for one roll, whose source is help of this game. Not twice for one action."""
    if any(
        (grant.source.kind, grant.source.origin, grant.by, grant.expiry.when) == ("assist", helper.id[:80], by, "next_roll")
        and _same(grant.scope.action, offer.action)
        for grant in known(state, offer.actor).grants
    ):
        return Decision()
    source = GrantSource(
        id=state.ruleset.assist or "assist", label=f"Help from {helper.name}"[:80], kind="assist", origin=helper.id[:80]
    )
    grant = Grant(
        actors=(offer.actor,),
        sign="boon",
        source=source,
        scope=Scope(action=offer.action),
        expiry=Expiry(when="next_roll"),
        note=offer.note,
    )
    return granted(state, grant, by)


def _same(action: str, other: str) -> bool:
    return same_action(action) == same_action(other)
