"""decide(state, command, context) -> Decision: what a command comes to, one function per command.

May refuse (raise ``Refusal``) and may draw dice; changes nothing by itself.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import PartName, Side, UserId
from boonbridge_schemas.checks import Numbers
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import (
    Act,
    AnswerAssist,
    AnswerRequest,
    Assist,
    Choose,
    ClearCondition,
    CloseRequest,
    Command,
    ContinueSession,
    Decline,
    DropOpportunity,
    EndCombat,
    EndRound,
    EndSession,
    EndTurn,
    EraseName,
    Grant,
    Invite,
    Override,
    RemoveActor,
    RemoveOrigin,
    RenameTable,
    RequestCheck,
    Reveal,
    RevealGrant,
    RevokeAccess,
    RevokeGrant,
    RollCheck,
    RollDice,
    RollForAbsent,
    SetCondition,
    SetOptions,
    SetRole,
    SetTableData,
    Settle,
    StartSession,
    StartTurn,
    SyncActor,
    Void,
)
from boonbridge_schemas.effects import ResistanceOffered
from boonbridge_schemas.events import (
    Acted,
    ActorRemoved,
    ActorSynced,
    AssistAnswered,
    Event,
    NumbersSet,
)
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .assisting import answer_assist, assist
from .checking import complete, known
from .choosing import choose
from .conditions import clear_condition, set_condition
from .correcting import override, void
from .decision import Context, Decision, placed
from .dicing import roll_dice
from .granting import grant, reveal_grant, revoke_grant
from .grouping import closing
from .house import rename_table, set_options, set_table_data
from .opportunities import drop_opportunity
from .peopling import erase_name, invite, remove_origin, revoke_access, set_role
from .permissions import authorise
from .requesting import answer_request, close_request, decline, request_check, roll_for_absent
from .revealing import reveal, settle
from .rolling import roll_check
from .sessions import continue_session, end_session, start_session
from .state import TableState
from .tokens import known_or_base, tokens_of
from .turns import clocks_of, end_combat, end_round, end_turn, start_turn
from .visibility import numbers_public

_LIMITS = Limits()


def decide(state: TableState, command: Command, context: Context) -> Decision:
    """The decision on a command of ``context.by``. ``state`` has begun the commit it may become (``state.begin``).

    Raises:
        Refusal: with the code that says why; nothing happened.
    """
    authorise(state, command, context.by, context.role)
    return closing(state, _DECIDE[type(command)](state, command, context))


# --- actors ----------------------------------------------------------------------------------------------------
def _sync_actor(state: TableState, command: SyncActor, _context: Context) -> Decision:
    before = state.actors.get(command.actor)
    base = known_or_base(state, command.actor)
    if base is None and command.name is UNSET:
        raise Refusal(Code.ACTOR_NAME_MISSING)
    if before is None and len(state.actors) >= _LIMITS.actors:
        raise Refusal(Code.ACTOR_LIMIT, values={"limit": _LIMITS.actors})
    base = base or Actor(id=command.actor, name=str(command.name))
    name = base.name if command.name is UNSET else command.name
    side = base.side if command.side is UNSET else command.side
    owners = base.owners if command.owners is UNSET else command.owners
    events: list[tuple[PartName, Event]] = []
    if before is None or (name, side, owners) != (base.name, base.side, base.owners):
        events.append(("all", ActorSynced(actor=command.actor, name=name, side=side, owners=owners)))
    numbers = base.numbers if command.numbers is UNSET else command.numbers
    public = numbers_public(state, Actor(id=command.actor, name=name, side=side, owners=owners))
    if numbers != (before.numbers if before else Numbers()) or (before is None and command.numbers is not UNSET):
        state.ruleset.validate_numbers(numbers)
        events.append(("all" if public else "gm", NumbersSet(actor=command.actor, numbers=numbers)))
    if before is not None:
        events += _followers(state, before, side, owners)
    # The command repeats the numbers, so it stands where they may be read.
    part: PartName = "all" if public or command.numbers is UNSET else "gm"
    return Decision(placed=tuple(events), command_part=part) if events else Decision()


def _followers(state: TableState, before: Actor, side: Side, owners: tuple[UserId, ...]) -> list[tuple[PartName, Event]]:
    """Tokens that were on the side of their base, or belonged to whom it did, go on so."""
    events: list[tuple[PartName, Event]] = []
    if (side, owners) == (before.side, before.owners):
        return events
    for token in tokens_of(state, before.id):
        now = (side if token.side == before.side else token.side, owners if token.owners == before.owners else token.owners)
        if now != (token.side, token.owners):
            events.append(("all", ActorSynced(actor=token.id, name=token.name, side=now[0], owners=now[1])))
    return events


def _remove_actor(state: TableState, command: RemoveActor, _context: Context) -> Decision:
    if command.actor not in state.actors:
        return Decision()
    events: list[Event] = []
    for actor in (command.actor, *(token.id for token in tokens_of(state, command.actor))):
        latest = state.latest.get(actor, ())
        undecided = tuple(c for c in latest if not state.checks[c].done and state.checks[c].mode == "public")
        events.append(ActorRemoved(actor=actor, checks=undecided))
    gone = frozenset(event.actor for event in events if isinstance(event, ActorRemoved))
    offers = [offer.id for offer in state.assists.values() if {offer.actor, offer.helper} & gone]
    events += [AssistAnswered(assist=offer, accepted=False) for offer in offers]
    return Decision(placed=(*placed("all", events), *clocks_of(state, gone)), command_part="all")


# --- table ------------------------------------------------------------------------------------------
def _act(state: TableState, command: Act, _context: Context) -> Decision:
    verb = next((verb for verb in state.ruleset.info(state.options).verbs if verb.key == command.verb), None)
    if verb is None:
        raise Refusal(Code.VERB_UNKNOWN, values={"verb": command.verb})
    args = complete(verb.params, command.args)
    for param in verb.params:
        if param.kind == "actor" and param.key in args:
            known(state, str(args[param.key]))
    effects = state.ruleset.decide_verb(state, command.verb, args)
    # A difficulty that follows from hidden numbers would tell them (D-22).
    resisting = [known(state, effect.actor) for effect in effects if isinstance(effect, ResistanceOffered)]
    part: PartName = "all" if all(numbers_public(state, actor) for actor in resisting) else "gm"
    return Decision(placed=((part, Acted(verb=command.verb, args=args, effects=effects)),), command_part=part)


_DECIDE: Mapping[type, Callable[[TableState, Any, Context], Decision]] = {
    RollCheck: roll_check,
    RollDice: roll_dice,
    Choose: choose,
    Act: _act,
    SyncActor: _sync_actor,
    RemoveActor: _remove_actor,
    Grant: grant,
    RevokeGrant: revoke_grant,
    RevealGrant: reveal_grant,
    Assist: assist,
    AnswerAssist: answer_assist,
    SetCondition: set_condition,
    ClearCondition: clear_condition,
    StartTurn: start_turn,
    EndTurn: end_turn,
    EndRound: end_round,
    EndCombat: end_combat,
    RequestCheck: request_check,
    AnswerRequest: answer_request,
    Decline: decline,
    RollForAbsent: roll_for_absent,
    CloseRequest: close_request,
    DropOpportunity: drop_opportunity,
    StartSession: start_session,
    EndSession: end_session,
    ContinueSession: continue_session,
    Void: void,
    Override: override,
    Reveal: reveal,
    Settle: settle,
    SetOptions: set_options,
    SetTableData: set_table_data,
    Invite: invite,
    RevokeAccess: revoke_access,
    SetRole: set_role,
    EraseName: erase_name,
    RemoveOrigin: remove_origin,
    RenameTable: rename_table,
}
