"""Help from another player: one Boon for the next roll, at once or when the GM agrees (option ``assist``)."""

from boonbridge.rulesets.base import Actor, same_action
from boonbridge_schemas.base import ActorId, Key, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import AnswerAssist, Assist, Grant
from boonbridge_schemas.events import AssistAnswered, AssistOffered
from boonbridge_schemas.grants import AssistRecord, Expiry, GrantSource, Scope
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import known
from .decision import Context, Decision
from .evolving import evolve_all
from .granting import granted
from .state import TableState
from .tokens import base_of, newcomers

_LIMITS = Limits()


def assist(state: TableState, command: Assist, context: Context) -> Decision:
    """Offer help, or give it. Raises ``assist.*``, ``actor.unknown``, ``roll.unknown_check``."""
    _allowed(state)
    if command.check is not None and command.check not in state.ruleset.checks:
        raise Refusal(Code.ROLL_UNKNOWN_CHECK, f"There is no check {command.check!r}.", values={"check": command.check})
    made = newcomers(state, command.actor, command.helper)
    state = evolve_all(state, (event for _, event in made))
    actor, helper = known(state, command.actor), known(state, command.helper)
    if _person(actor.id) == _person(helper.id):
        raise Refusal(Code.ASSIST_SELF)
    record = AssistRecord(
        id=f"{state.seq}.1",
        actor=actor.id,
        helper=helper.id,
        action=command.action.strip(),
        check=command.check,
        by=context.by,
        note=command.note,
    )
    if state.options.assist == "free" or context.role == "gm":
        decision = _given(state, record, helper, context.by)
        return Decision(placed=(*made, *decision.placed), command_part="all") if decision.placed else Decision()
    waiting = [offer for offer in state.assists.values() if offer.actor == actor.id]
    helps = (_person(record.helper), record.by)
    if any((_person(offer.helper), offer.by) == helps and _with(offer) == _with(record) for offer in waiting):
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
    origin = _person(helper.id)
    if any(
        not grant.hidden
        and (grant.source.kind, grant.source.origin, grant.by, grant.expiry.when) == ("assist", origin, by, "next_roll")
        and (same_action(grant.scope.action), grant.scope.checks) == _with(offer)
        for grant in known(state, offer.actor).grants
    ):
        return Decision()
    source = GrantSource(id=state.ruleset.assist or "assist", label=f"Help from {helper.name}"[:80], kind="assist", origin=origin)
    grant = Grant(
        actors=(offer.actor,),
        sign="boon",
        source=source,
        scope=Scope(action=offer.action, checks=(offer.check,) if offer.check is not None else ()),
        expiry=Expiry(when="next_roll"),
        note=offer.note,
    )
    return granted(state, grant, by)


def _person(actor: ActorId) -> ActorId:
    """Who helps or is helped: all tokens of one actor are the same somebody."""
    return base_of(actor) or actor


def _with(offer: AssistRecord) -> tuple[str, tuple[Key, ...]]:
    """What it is help with."""
    return same_action(offer.action), (offer.check,) if offer.check is not None else ()
