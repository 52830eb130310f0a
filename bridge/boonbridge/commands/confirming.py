"""Sending one command from a terminal: what came of it in words, and first, where that cannot be taken back, what would."""

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from boonbridge.commands import asking
from boonbridge.commands.agreeing import agreed
from boonbridge.commands.arguments import BadArgument
from boonbridge.commands.failing import fail
from boonbridge.commands.lines import told
from boonbridge.commands.plain import plain
from boonbridge.net.client import Client, Unreachable, new_id
from boonbridge_schemas.commands import Command, Override, Void
from boonbridge_schemas.events import Event, GroupRecounted, Overridden, Voided
from boonbridge_schemas.server import Refused


def made(kind: type[Command], fields: Callable[[], Mapping[str, Any]]) -> Command:
    """The command that some words make; where they make none, a sentence says why."""
    given: Mapping[str, Any] = {}
    try:
        given = fields()
        command: Command = msgspec.convert({"t": kind.__name__, **given}, kind)
    except BadArgument as problem:
        fail(str(problem))
    except msgspec.ValidationError as problem:
        fail(unfit(str(problem), given))
    return command


def unfit(problem: str, given: Mapping[str, Any]) -> str:
    """What was typed that does not fit, and not the pattern that it should have had."""
    named = re.search(r"at `\$\.(\w+)`", problem)
    value = given.get(named[1]) if named is not None else None
    if named is None or not isinstance(value, str | int):
        return problem
    typed = str(value)
    return f"{named[1]} cannot be {typed[:40]!r}{' and so on' if len(typed) > 40 else ''}."


async def send(url: str, token: str, command: Command, *, as_json: bool) -> int:
    """Send a command, and print the commit it made, or the sentence that refuses it."""
    async with Client(url, token, patience=asking.PATIENCE) as client:
        return await _sent(client, command, as_json=as_json)


async def confirm(url: str, token: str, command: Command, *, yes: bool, as_json: bool) -> int:
    """Print what a command would come to, ask unless ``yes``, and then send it."""
    async with Client(url, token, patience=asking.PATIENCE) as client:
        assert client.welcome is not None, "a client that is open was welcomed"
        foreseen = await client.foresee(command)
        if isinstance(foreseen, Refused):
            return _refused(foreseen, as_json=as_json)
        if as_json:
            asking.show(foreseen)
        else:
            said = [told(event, client.welcome.ruleset) for event in foreseen.events]
            sys.stdout.write("".join(f"would be  {line}\n" for line in said or ["nothing: it is so already"]))
            sys.stdout.flush()
        if not yes and not agreed():
            sys.stderr.write("boonbridge: Nothing was done.\n")
            return 1
        if isinstance(command, Void | Override) and _leaves(foreseen.events):
            command = msgspec.structs.replace(command, confirm=True)
        return await _sent(client, command, as_json=as_json)


def _leaves(events: tuple[Event, ...]) -> bool:
    """Whether a correction has to leave something as it is, which was read by now."""
    return any(event.left for event in events if isinstance(event, Voided | Overridden | GroupRecounted))


async def _sent(client: Client, command: Command, *, as_json: bool) -> int:
    sent = new_id()
    try:
        answer = await client.do(command, sent)
    except (TimeoutError, Unreachable):
        fail("The bridge is away, so it is not known what became of it. `boonbridge tail` shows the log.")
    if isinstance(answer, Refused):
        return _refused(answer, as_json=as_json)
    if as_json:
        asking.show(answer)
    if answer.changed:
        await asking.print_past(client, answer.seq - 1, answer.seq, as_json=as_json)
    elif not as_json:
        sys.stdout.write("That is so already; nothing was done.\n")
    return 0


def _refused(refused: Refused, *, as_json: bool) -> int:
    if as_json:
        asking.show(refused)
    else:
        sys.stderr.write(f"boonbridge: {plain(refused.message)}\n")
    return 1
