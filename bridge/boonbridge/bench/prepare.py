"""Tables to measure at, made by the real table and the real store: who sits there, and what each of them rolls."""

import asyncio
import secrets
import shutil
import tempfile
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from boonbridge.config import Config
from boonbridge.running import Running, SystemClock, start
from boonbridge.tables.identity import new_token, user_id
from boonbridge.tables.table import Request, Table
from boonbridge_schemas.base import Role
from boonbridge_schemas.checks import Number, Numbers, SourceClaim
from boonbridge_schemas.client import ClientInfo, Hello
from boonbridge_schemas.commands import Command, Grant, RollCheck, SyncActor
from boonbridge_schemas.grants import Expiry, GrantSource
from boonbridge_schemas.server import Ack, Limits, Refused

RULESET = "sage_d20"
SEATS = 5
LIFTED = Limits(
    commands_per_second=10**9, commands_burst=10**9, hellos_per_minute=10**9, hellos_burst=10**9, connections_per_address=10**9
)
"""The product's limits but for rates: the load clicks faster than people may, and all of it comes from one address."""

_MEMORY = memory if (memory := Path("/dev/shm")).is_dir() else None  # noqa: S108 - folders of our own are made in it

_encode = msgspec.json.encode
_NUMBERS = Numbers(values=(Number(key="agility", value=13), Number(key="strength", value=9), Number(key="will", value=10)))
_SOURCES = (
    SourceClaim(id="high_ground", label="High ground", sign="boon", kind="position"),
    SourceClaim(id="bad_light", label="Bad light", sign="bane", kind="circumstance"),
)


class Seat(Struct, frozen=True):
    """One connection of the load: what it says first, and what it clicks."""

    hello: Raw
    command: Raw


class Place(Struct, frozen=True):
    """One table and its seats."""

    table: str
    seats: tuple[Seat, ...]


async def place(running: Running, table: str) -> Place:
    """A table with a GM and four players, each with an actor on which a Boon stands."""
    await running.new_table(table, f"Bench {table}", RULESET)
    opened = (await running.hub.at(table)).table
    key = await running.signing_key()
    seats = []
    for number in range(SEATS):
        name, role = f"Person {number}", _role(number)
        user, now = user_id(key, table, name), SystemClock().now()
        token, _ = new_token(key, user=user, name=name, table=table, role=role, now=now, jti=f"bench-{table}-{number}")
        actor = f"actor-{number}"
        await _do(opened, _actor(actor, user))
        boon = GrantSource(id="blessing", label="Blessing", kind="spell")
        await _do(opened, Grant(actors=(actor,), sign="boon", source=boon, expiry=Expiry(when="none")))
        hello = Hello(token=token, table=table, client=ClientInfo(name="bench", version="1", kind="cli"))
        seats.append(Seat(Raw(_encode(hello)), Raw(_encode(_roll(actor)))))
    return Place(table, tuple(seats))


async def fill(folder: Path, table: str, *, actors: int, commits: int) -> None:
    """Make a data folder in which one table has so many actors, each of which has rolled, and so many commits.

    Made in memory where the machine has a file system there, and moved: the log is written commit by commit.
    """
    with tempfile.TemporaryDirectory(dir=_MEMORY) as scratch:
        running = await start(Config(data=Path(scratch) / "data", port=0))
        try:
            await running.new_table(table, f"Bench {table}", RULESET)
            opened = (await running.hub.at(table)).table
            names = [f"extra-{number}" for number in range(actors - SEATS)]
            for name in names:
                await _do(opened, _actor(name))
            turn = 0
            while opened.state.seq < commits - 3 * SEATS:  # the seats bring commits of their own
                await _do(opened, _roll(names[turn % len(names)]))
                turn += 1
        finally:
            await running.stop()
        await asyncio.to_thread(shutil.copytree, Path(scratch) / "data", folder)


def _role(number: int) -> Role:
    return "gm" if number == 0 else "player"


def _actor(actor: str, *owners: str) -> SyncActor:
    return SyncActor(actor=actor, name=actor.replace("-", " ").title(), side="party", owners=owners, numbers=_NUMBERS)


def _roll(actor: str) -> RollCheck:
    return RollCheck(
        check="attribute",
        actors=(actor,),
        params={"attribute": "agility", "tn": 12},
        action="Leap over the gap",
        sources=_SOURCES,
    )


async def _do(table: Table, command: Command) -> None:
    """A command of the bench's GM, through the table's own door."""
    done: asyncio.Future[Ack | Refused] = asyncio.get_running_loop().create_future()
    table.submit(
        Request(
            user="bench-gm",
            role="gm",
            id=secrets.token_urlsafe(16),
            seen=table.state.seq,
            command=command,
            answer=lambda frame, _command: done.set_result(frame),
        )
    )
    answer = await done
    assert isinstance(answer, Ack), answer
