"""With which visibility a roll goes out that a terminal names none for: as the table lets its GM's rolls begin."""

from typing import Any

import msgspec
from msgspec.structs import replace

from boonbridge.commands import asking
from boonbridge.core.tokens import base_of
from boonbridge.net.client import Client
from boonbridge_schemas.base import ActorId, Mode, UserId
from boonbridge_schemas.commands import RollCheck, RollDice
from boonbridge_schemas.entries import ActorEntry, PersonEntry
from boonbridge_schemas.server import CaughtUp, State, Welcome


async def begun(url: str, token: str, welcome: Welcome, command: RollCheck | RollDice) -> RollCheck | RollDice:
    """A command that names no visibility, with the one that such a roll begins with.

    Of somebody whom the table does not know it is believed that a GM plays him.
    """
    mode = ruled(welcome)
    if mode == "public":
        return command
    named = command.actors if isinstance(command, RollCheck) else (command.actor,) if command.actor is not None else ()
    actors, gms = await _table(url, token) if named else ({}, set())
    return replace(command, mode=mode) if any(_nobodys(actors, gms, each) for each in named) else command


def ruled(welcome: Welcome) -> Mode:
    """How the rolls of this person begin for whoever is not of the party and has no player (option ``npc_rolls``)."""
    options = welcome.ruleset.options
    if welcome.role != "gm" or options.get("dice_public") is True:
        return "public"
    mode: Mode = msgspec.convert(options["npc_rolls"], Mode)
    return mode


def _nobodys(actors: dict[ActorId, ActorEntry], gms: set[UserId], named: ActorId) -> bool:
    """Whether a GM plays somebody: he is not of the party, and no player owns him."""
    actor = actors.get(named) or actors.get(base_of(named) or "")
    return actor is None or (actor.side != "party" and gms.issuperset(actor.owners))


async def _table(url: str, token: str) -> tuple[dict[ActorId, ActorEntry], set[UserId]]:
    """The actors of the table, and its GMs, as somebody is told of them who comes to it."""
    values: dict[str, Any] = {}
    client = Client(url, token, patience=asking.PATIENCE)
    frames = client.frames()
    async with client:
        async for frame in frames:
            if isinstance(frame, State):
                values |= {entry.key: entry.value for entry in frame.entries}
            elif isinstance(frame, CaughtUp):
                break
    actors = [msgspec.convert(value, ActorEntry) for key, value in values.items() if key.startswith("actor/")]
    people = [msgspec.convert(value, PersonEntry) for key, value in values.items() if key.startswith("person/")]
    return {actor.id: actor for actor in actors}, {person.id for person in people if person.role == "gm"}
