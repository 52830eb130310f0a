"""Unlinked tokens: one actor of Foundry standing on a map several times, each with a record of its own here.

A token is called ``BASE.token.TOKEN``. Whoever names one whose base is known makes its record, in the same commit: name, side,
owners and numbers as the base has them now. Before that it is as good as its base. A roll that not everybody sees makes
none, since a new record would tell who was rolled for.
"""

import re

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import ActorId, PartName
from boonbridge_schemas.checks import Numbers
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.events import ActorSynced, Event, NumbersSet
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .state import TableState
from .visibility import numbers_public

_LIMITS = Limits()
_MARK = ".token."
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")


def base_of(actor: ActorId) -> ActorId | None:
    """The base that a token's id names; None where it is no token's."""
    base, mark, token = actor.partition(_MARK)
    return base if mark and base and _TOKEN.match(token) else None


def known_or_base(state: TableState, actor: ActorId) -> Actor | None:
    """The actor of that id, or what its record would be made from, under its own id; None where there is neither."""
    found = state.actors.get(actor)
    base = base_of(actor) if found is None else None
    made_from = state.actors.get(base) if base is not None else None
    if made_from is None:
        return found
    return Actor(id=actor, name=made_from.name, side=made_from.side, owners=made_from.owners, numbers=made_from.numbers)


def newcomers(state: TableState, *names: ActorId) -> tuple[tuple[PartName, Event], ...]:
    """The events that make a record of each token named that has none yet. Raises ``actor.limit``."""
    made: list[tuple[PartName, Event]] = []
    count = len(state.actors)
    for name in dict.fromkeys(names):
        if name in state.actors or (actor := known_or_base(state, name)) is None:
            continue
        count += 1
        if count > _LIMITS.actors:
            raise Refusal(Code.ACTOR_LIMIT, values={"limit": _LIMITS.actors})
        made.append(("all", ActorSynced(actor=name, name=actor.name, side=actor.side, owners=actor.owners)))
        if actor.numbers != Numbers():
            part: PartName = "all" if numbers_public(state, actor) else "gm"
            made.append((part, NumbersSet(actor=name, numbers=actor.numbers)))
    return tuple(made)


def named(state: TableState, command: RollCheck) -> tuple[ActorId, ...]:
    """Every actor that a roll names, also in its parameters."""
    spec = state.ruleset.checks.get(command.check)
    asked = [param.key for param in spec.params if param.kind == "actor"] if spec else []
    values = (command.params.get(key) for key in asked)
    return (*command.actors, *command.targets, *(value for value in values if isinstance(value, str)))


def tokens_of(state: TableState, base: ActorId) -> tuple[Actor, ...]:
    """The records of a base's tokens."""
    return tuple(actor for name, actor in state.actors.items() if name.startswith(base + _MARK) and base_of(name) == base)
