"""decide(state, command, context) -> Decision: what a command comes to, one function per command.

May refuse (raise ``Refusal``) and may draw dice; changes nothing by itself.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import PartName, Side, UserId
from boonbridge_schemas.checks import Numbers
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
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    Event,
    Granted,
    GrantRevoked,
    Invited,
    NumbersSet,
    OptionsSet,
    OriginAdded,
)
from boonbridge_schemas.grants import GrantRecord
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import complete, known
from .decision import Context, Decision, placed
from .permissions import authorise
from .rolling import choose, roll_check
from .state import BRIDGE, TableState, evolve_all
from .tokens import known_or_base, newcomers, tokens_of
from .visibility import numbers_public

_LIMITS = Limits()


def decide(state: TableState, command: Command, context: Context) -> Decision:
    """The decision on a command of ``context.by``. ``state`` has begun the commit it may become (``state.begin``).

    Raises:
        Refusal: with the code that says why; nothing happened.
    """
    authorise(state, command, context.by, context.role)
    return _DECIDE[type(command)](state, command, context)


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
    return Decision(placed=placed("all", events), command_part="all")


# --- grants ----------------------------------------------------------------------------------------------------
_CLOCKS_RUNNING = ("none", "next_roll", "next_roll_against")


def _grant(state: TableState, command: Grant, context: Context) -> Decision:
    if command.expiry.when not in _CLOCKS_RUNNING:
        raise Refusal(Code.GRANT_CLOCK, values={"clock": command.expiry.when})
    made = newcomers(state, *command.actors)
    state = evolve_all(state, (event for _, event in made))
    events: list[Event] = []
    for nth, actor_id in enumerate(dict.fromkeys(command.actors), start=1):
        actor = known(state, actor_id)
        grant = GrantRecord(
            id=f"{state.seq}.{nth}",
            actor=actor_id,
            sign=command.sign,
            amount=command.amount,
            source=command.source,
            scope=command.scope,
            expiry=command.expiry,
            by=context.by,
            note=command.note,
        )
        if any(_sameness(grant) == _sameness(standing) for standing in actor.grants):
            continue
        # By number, and by size: they are told as one entry, which has to fit into a frame.
        too_large = len(msgspec.json.encode((*actor.grants, grant))) > _LIMITS.frame_out // 4
        if len(actor.grants) >= _LIMITS.grants_per_actor or too_large:
            raise Refusal(Code.GRANT_LIMIT, values={"limit": _LIMITS.grants_per_actor, "actor": actor_id})
        events.append(Granted(grant=grant))
    return Decision(placed=(*made, *placed("all", events)), command_part="all" if events else None)


def _sameness(grant: GrantRecord) -> tuple[Any, ...]:
    """Grants equal in this are one and the same; those that differ stand side by side, each with its own clock."""
    return (grant.source.id, grant.source.origin, grant.by, grant.sign, grant.amount, grant.scope, grant.expiry)


def _revoke_grant(state: TableState, command: RevokeGrant, _context: Context) -> Decision:
    bearer = state.actor_of(command.grant)
    if bearer is None:
        raise Refusal(Code.GRANT_UNKNOWN, values={"grant": command.grant})
    return Decision(placed=(("all", GrantRevoked(actor=bearer.id, grant=command.grant)),), command_part="all")


# --- table and people ------------------------------------------------------------------------------------------
def _set_options(state: TableState, command: SetOptions, _context: Context) -> Decision:
    now: dict[str, Any] = msgspec.to_builtins(state.options)
    for key, value in command.options.items():
        if key not in now:
            raise Refusal(Code.OPTION_UNKNOWN, f"There is no option {key!r}.", values={"option": key})
        try:
            msgspec.convert({**now, key: value}, type(state.options))
        except msgspec.ValidationError:
            raise Refusal(Code.OPTION_BAD_VALUE, f"The option {key!r} has no such value.", values={"option": key}) from None
    changed = {key: value for key, value in command.options.items() if now[key] != value or type(now[key]) is not type(value)}
    return Decision(placed=(("all", OptionsSet(options=changed)),), command_part="all") if changed else Decision()


def _invite(state: TableState, command: Invite, context: Context) -> Decision:
    if command.user == BRIDGE:
        raise Refusal(Code.ROLE_FORBIDDEN, "That id is the bridge's own.")
    member = state.people.get(command.user)
    if member is None and len(state.people) >= _LIMITS.people:
        raise Refusal(Code.PEOPLE_LIMIT, values={"limit": _LIMITS.people})
    if member is not None and member.role == "gm" and command.user != context.by and command.role != "gm":
        raise Refusal(Code.ROLE_FORBIDDEN, "A co-GM is not made a player by an invitation.")
    events: list[Event] = [Invited(user=command.user, role=command.role, device=command.device)]
    if command.origin is not None and command.origin not in state.origins:
        events.append(OriginAdded(origin=command.origin))
    # Kept without the name of the person, so that the same invitation is known again after a restart.
    return Decision(placed=placed("all", events), command_part="all")


def _revoke_access(state: TableState, command: RevokeAccess, context: Context) -> Decision:
    member = state.people.get(command.user)
    if member is None:
        raise Refusal(Code.PEOPLE_UNKNOWN, values={"user": command.user})
    if command.user == context.by and command.device is None:
        raise Refusal(Code.PEOPLE_SELF)
    return Decision(placed=(("all", AccessRevoked(user=command.user, device=command.device)),), command_part="all")


def _act(state: TableState, command: Act, _context: Context) -> Decision:
    verb = next((verb for verb in state.ruleset.info(state.options).verbs if verb.key == command.verb), None)
    if verb is None:
        raise Refusal(Code.VERB_UNKNOWN, values={"verb": command.verb})
    args = complete(verb.params, command.args)
    effects = state.ruleset.decide_verb(state, command.verb, args)
    return Decision(placed=(("all", Acted(verb=command.verb, args=args, effects=effects)),), command_part="all")


_DECIDE: Mapping[type, Callable[[TableState, Any, Context], Decision]] = {
    RollCheck: roll_check,
    Choose: choose,
    Act: _act,
    SyncActor: _sync_actor,
    RemoveActor: _remove_actor,
    Grant: _grant,
    RevokeGrant: _revoke_grant,
    SetOptions: _set_options,
    Invite: _invite,
    RevokeAccess: _revoke_access,
}
