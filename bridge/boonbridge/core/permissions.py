"""Who may send which command: one table, command x role, with ``own`` where ownership decides.

Identity comes from the connection, never from a payload (I-83, I-84).
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import UNSET

from boonbridge_schemas.base import ActorId, Role, UserId
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
from boonbridge_schemas.refusal import Refusal

from .state import TableState, fight, rounds
from .tokens import known_or_base
from .visibility import Viewer, sees_check

Right = Literal["any", "own", "no"]

PERMISSIONS: Mapping[type, Mapping[Role, Right]] = {
    RollCheck: {"gm": "any", "player": "own", "observer": "no"},
    RollDice: {"gm": "any", "player": "own", "observer": "no"},
    Choose: {"gm": "any", "player": "own", "observer": "no"},
    Act: {"gm": "any", "player": "own", "observer": "no"},
    SyncActor: {"gm": "any", "player": "own", "observer": "no"},
    RemoveActor: {"gm": "any", "player": "no", "observer": "no"},
    Grant: {"gm": "any", "player": "no", "observer": "no"},
    RevokeGrant: {"gm": "any", "player": "no", "observer": "no"},
    RevealGrant: {"gm": "any", "player": "no", "observer": "no"},
    Assist: {"gm": "any", "player": "own", "observer": "no"},
    AnswerAssist: {"gm": "any", "player": "own", "observer": "no"},
    SetCondition: {"gm": "any", "player": "no", "observer": "no"},
    ClearCondition: {"gm": "any", "player": "no", "observer": "no"},
    StartTurn: {"gm": "any", "player": "own", "observer": "no"},
    EndTurn: {"gm": "any", "player": "own", "observer": "no"},
    EndRound: {"gm": "any", "player": "no", "observer": "no"},
    EndCombat: {"gm": "any", "player": "no", "observer": "no"},
    RequestCheck: {"gm": "any", "player": "no", "observer": "no"},
    AnswerRequest: {"gm": "any", "player": "own", "observer": "no"},
    Decline: {"gm": "any", "player": "own", "observer": "no"},
    RollForAbsent: {"gm": "any", "player": "no", "observer": "no"},
    CloseRequest: {"gm": "any", "player": "no", "observer": "no"},
    DropOpportunity: {"gm": "any", "player": "own", "observer": "no"},
    StartSession: {"gm": "any", "player": "no", "observer": "no"},
    EndSession: {"gm": "any", "player": "no", "observer": "no"},
    ContinueSession: {"gm": "any", "player": "no", "observer": "no"},
    Void: {"gm": "any", "player": "own", "observer": "no"},
    Override: {"gm": "any", "player": "no", "observer": "no"},
    Reveal: {"gm": "any", "player": "own", "observer": "no"},
    Settle: {"gm": "any", "player": "no", "observer": "no"},
    SetOptions: {"gm": "any", "player": "no", "observer": "no"},
    SetTableData: {"gm": "any", "player": "no", "observer": "no"},
    Invite: {"gm": "any", "player": "no", "observer": "no"},
    RevokeAccess: {"gm": "any", "player": "no", "observer": "no"},
    SetRole: {"gm": "any", "player": "no", "observer": "no"},
    EraseName: {"gm": "any", "player": "no", "observer": "no"},
    RemoveOrigin: {"gm": "any", "player": "no", "observer": "no"},
    RenameTable: {"gm": "any", "player": "no", "observer": "no"},
}


def authorise(state: TableState, command: Command, user: UserId, role: Role) -> None:
    """Raise the ``Refusal`` that says why this person may not send this command; return when he may.

    ``role.forbidden``, ``actor.not_yours``, ``choice.not_yours``, ``roll.ad_hoc``, ``roll.sources``, ``check.unknown``. That
    an actor exists is not asked here: an unknown one passes and is refused by the decision itself.
    """
    right = PERMISSIONS[type(command)][role]
    if right == "no":
        raise Refusal(Code.ROLE_FORBIDDEN, values={"role": role, "command": type(command).__name__})
    if right == "own":
        _OWN[type(command)](state, command, user)


def owns(state: TableState, actor: ActorId, user: UserId) -> bool:
    """Whether an actor is known and belongs to a person. A token without a record belongs to whom its base does."""
    known = known_or_base(state, actor)
    return known is not None and user in known.owners


def _own_roll(state: TableState, command: RollCheck, user: UserId) -> None:
    if command.ad_hoc is not None:
        if getattr(state.options, "ad_hoc", "gm") != "everyone":
            raise Refusal(Code.ROLL_AD_HOC)
        if command.ad_hoc.side != "neutral":
            raise Refusal(Code.ROLE_FORBIDDEN, "Only the GM gives a free roll a side.")
    for actor in command.actors:
        _own_actor(state, actor, user)
    if command.off:
        raise Refusal(Code.ROLL_SOURCES, "Only the GM switches off a Boon or Bane that stands at the table.")


def _own_actor(state: TableState, actor: ActorId, user: UserId) -> None:
    """An actor that the table knows has to be his; of an unknown one the decision itself says so."""
    if known_or_base(state, actor) is not None and not owns(state, actor, user):
        raise Refusal(Code.ACTOR_NOT_YOURS, values={"actor": actor})


def _own_dice(state: TableState, command: RollDice, user: UserId) -> None:
    if command.actor is not None:
        _own_actor(state, command.actor, user)


def _own_turn(state: TableState, command: StartTurn | EndTurn, user: UserId) -> None:
    """His own turn in the round that runs: one word of a later round would make past whatever a GM says of this one."""
    _own_actor(state, command.actor, user)
    unheard = command.combat is not None and command.combat not in state.fights
    ahead = command.round is not None and command.round > rounds(state, fight(state, command.combat)).round
    if unheard or ahead:
        raise Refusal(Code.ROLE_FORBIDDEN, "Only the GM begins a fight, or its next round.")


def _own_help(state: TableState, command: Assist, user: UserId) -> None:
    _own_actor(state, command.helper, user)


def _own_answer(state: TableState, command: AnswerAssist, user: UserId) -> None:
    """Who offered help may take it back; to agree to it is the GM's."""
    offer = state.assists.get(command.assist)
    if command.accept or (offer is not None and offer.by != user):
        raise Refusal(Code.ROLE_FORBIDDEN, values={"role": "player", "command": "AnswerAssist"})


def _own_choice(state: TableState, command: Choose, user: UserId) -> None:
    opened = state.checks.get(command.check)
    # A check that he may not read does not exist for him: any other answer would tell what came of it.
    if opened is None or not sees_check(opened, Viewer(user, "player")):
        raise Refusal(Code.CHECK_UNKNOWN, values={"check": command.check})
    if user != opened.roller and not owns(state, opened.rolled.actor, user):
        raise Refusal(Code.CHOICE_NOT_YOURS)


def _own_answer_to_request(state: TableState, command: AnswerRequest | Decline, user: UserId) -> None:
    _own_actor(state, command.actor, user)


def _own_opportunity(state: TableState, command: DropOpportunity, user: UserId) -> None:
    standing = state.opportunities.get(command.opportunity)
    if standing is not None:
        _own_actor(state, standing.by, user)


def _own_secret(state: TableState, command: Void | Reveal, user: UserId) -> None:
    """A roll that nobody else saw is its roller's to show or to take back; all else is the GM's."""
    check = command.check if isinstance(command, Reveal) else command.what.removeprefix("check/")
    deed = state.deeds.get(f"check/{check}")
    opened = deed.opened if deed is not None else None
    if opened is None or opened.mode != "self" or opened.roller != user:
        raise Refusal(Code.ROLE_FORBIDDEN, values={"role": "player", "command": type(command).__name__})


def _own_sync(state: TableState, command: SyncActor, user: UserId) -> None:
    if getattr(state.options, "actor_authority", "owner") != "owner":
        raise Refusal(Code.ROLE_FORBIDDEN, "At this table only the GM changes numbers.")
    if not owns(state, command.actor, user):
        raise Refusal(Code.ACTOR_NOT_YOURS, values={"actor": command.actor})
    if not (command.name is UNSET and command.side is UNSET and command.owners is UNSET):
        raise Refusal(Code.ROLE_FORBIDDEN, "Only the GM changes name, side and owners; you may change numbers.")


def _own_act(state: TableState, command: Act, user: UserId) -> None:
    known = next((verb for verb in state.ruleset.info(state.options).verbs if verb.key == command.verb), None)
    if known is None:
        return
    if known.who != "player":
        raise Refusal(Code.ROLE_FORBIDDEN, values={"role": "player", "command": "Act"})
    for param in known.params:
        if param.kind == "actor" and isinstance(named := command.args.get(param.key), str):
            _own_actor(state, named, user)


_OWN: Mapping[type, Callable[[TableState, Any, UserId], None]] = {
    RollCheck: _own_roll,
    Choose: _own_choice,
    RollDice: _own_dice,
    SyncActor: _own_sync,
    Act: _own_act,
    Assist: _own_help,
    AnswerAssist: _own_answer,
    StartTurn: _own_turn,
    EndTurn: _own_turn,
    AnswerRequest: _own_answer_to_request,
    Decline: _own_answer_to_request,
    DropOpportunity: _own_opportunity,
    Void: _own_secret,
    Reveal: _own_secret,
}
