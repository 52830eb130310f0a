"""With which visibility a roll goes out that a terminal names none for: as the table lets its GM's rolls begin."""

import msgspec
from msgspec.structs import replace

from boonbridge.core.tokens import base_of
from boonbridge.net.client import Client
from boonbridge_schemas.base import ActorId, Mode, UserId
from boonbridge_schemas.commands import RollCheck, RollDice
from boonbridge_schemas.entries import ActorEntry, PersonEntry
from boonbridge_schemas.server import Welcome


def begun(client: Client, command: RollCheck | RollDice) -> RollCheck | RollDice:
    """A command that names no visibility, with the one that such a roll begins with.

    Of somebody whom the table does not know it is believed that a GM plays him.
    """
    assert client.welcome is not None, "a client that is open was welcomed"
    mode = ruled(client.welcome)
    if mode == "public":
        return command
    named = command.actors if isinstance(command, RollCheck) else (command.actor,) if command.actor is not None else ()
    actors, gms = _table(client)
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


def _table(client: Client) -> tuple[dict[ActorId, ActorEntry], set[UserId]]:
    """The actors of the table, and its GMs, as somebody is told of them who comes to it."""
    actors = [msgspec.convert(value, ActorEntry) for key, value in client.entries.items() if key.startswith("actor/")]
    people = [msgspec.convert(value, PersonEntry) for key, value in client.entries.items() if key.startswith("person/")]
    return {actor.id: actor for actor in actors}, {person.id for person in people if person.role == "gm"}
