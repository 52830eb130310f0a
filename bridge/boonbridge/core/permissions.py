"""Who may send which command: one table, command x role, with ``own`` where ownership decides.

Identity comes from the connection, never from a payload (I-83, I-84).
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET

from boonbridge_schemas.base import ActorId, Role, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import (
    Act,
    Choose,
    Command,
    Grant,
    Invite,
    RemoveActor,
    RevokeAccess,
    RevokeGrant,
    RollCheck,
    SetOptions,
    SyncActor,
)
from boonbridge_schemas.refusal import Refusal

from .state import TableState

Right = Literal["any", "own", "no"]

PERMISSIONS: Mapping[type, Mapping[Role, Right]] = {
    RollCheck: {"gm": "any", "player": "own", "observer": "no"},
    Choose: {"gm": "any", "player": "own", "observer": "no"},
    Act: {"gm": "any", "player": "own", "observer": "no"},
    SyncActor: {"gm": "any", "player": "own", "observer": "no"},
    RemoveActor: {"gm": "any", "player": "no", "observer": "no"},
    Grant: {"gm": "any", "player": "no", "observer": "no"},
    RevokeGrant: {"gm": "any", "player": "no", "observer": "no"},
    SetOptions: {"gm": "any", "player": "no", "observer": "no"},
    Invite: {"gm": "any", "player": "no", "observer": "no"},
    RevokeAccess: {"gm": "any", "player": "no", "observer": "no"},
}


def authorise(state: TableState, command: Command, user: UserId, role: Role) -> None:
    """Raise the ``Refusal`` that says why this person may not send this command; return when he may.

    ``role.forbidden``, ``actor.not_yours``, ``choice.not_yours``, ``roll.ad_hoc``. That an actor or check exists
    is not asked here: an unknown one passes and is refused by the decision itself.
    """
    right = PERMISSIONS[type(command)][role]
    if right == "no":
        raise Refusal(Code.ROLE_FORBIDDEN, values={"role": role, "command": type(command).__name__})
    if right == "own":
        _own(state, command, user, role)


def owns(state: TableState, actor: ActorId, user: UserId) -> bool:
    """Whether an actor is known and belongs to a person."""
    known = state.actors.get(actor)
    return known is not None and user in known.owners


def _own(state: TableState, command: Command, user: UserId, role: Role) -> None:
    match command:
        case RollCheck():
            if command.ad_hoc is not None:
                if getattr(state.options, "ad_hoc", "gm") != "everyone":
                    raise Refusal(Code.ROLL_AD_HOC)
                if command.ad_hoc.side != "neutral":
                    raise Refusal(Code.ROLE_FORBIDDEN, "Only the GM gives a free roll a side.")
            for actor in command.actors:
                if actor in state.actors and not owns(state, actor, user):
                    raise Refusal(Code.ACTOR_NOT_YOURS, values={"actor": actor})
            if command.off:
                raise Refusal(Code.ROLL_SOURCES, "Only the GM switches off a Boon or Bane that stands at the table.")
        case Choose(check=check):
            opened = state.checks.get(check)
            if opened is not None and user != opened.roller and not owns(state, opened.rolled.actor, user):
                raise Refusal(Code.CHOICE_NOT_YOURS)
        case SyncActor():
            if getattr(state.options, "actor_authority", "owner") != "owner":
                raise Refusal(Code.ROLE_FORBIDDEN, values={"role": role, "command": "SyncActor"})
            if not owns(state, command.actor, user):
                raise Refusal(Code.ACTOR_NOT_YOURS, values={"actor": command.actor})
            if (command.name, command.side, command.owners) != (UNSET, UNSET, UNSET):
                raise Refusal(Code.ROLE_FORBIDDEN, "Only the GM changes name, side and owners; you may change numbers.")
        case Act(verb=verb):
            known = next((v for v in state.ruleset.info(state.options).verbs if v.key == verb), None)
            if known is not None and known.who != "player":
                raise Refusal(Code.ROLE_FORBIDDEN, values={"role": role, "command": "Act"})
        case _:  # pragma: no cover - every command with "own" is above; the table's test says so
            raise Refusal(Code.ROLE_FORBIDDEN)
