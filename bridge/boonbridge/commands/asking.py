"""Commands that talk to a running server: do, tail, proof. What others of them share is here too."""

import asyncio
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from boonbridge.commands.failing import fail
from boonbridge.commands.lines import line
from boonbridge.commands.plain import json_line
from boonbridge.net.client import Client, Denied, Unreachable, new_id
from boonbridge_schemas.base import CommandId
from boonbridge_schemas.client import Do
from boonbridge_schemas.codes import Close
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import CaughtUp, Hidden, Logged, Proven, Refused

PATIENCE = 5.0
"""Seconds until a bridge that never answered is said not to be there; one that answered once is waited for longer."""

_encode = msgspec.json.Encoder().encode


def websocket_url(url: str) -> str:
    """The websocket address for whatever was given: a page's address will do, and so will a link to it."""
    try:
        parts = urlsplit(url.strip())
        scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
        usable = scheme in ("ws", "wss") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        fail(f"{url!r} is no address; it begins with ws:// or http://, as `boonbridge serve` prints it.")
    path = parts.path.rstrip("/")
    return f"{scheme}://{parts.netloc}{path if path.endswith('/ws') else path + '/ws'}"


def read_token(token: str | None, token_file: Path | None) -> str:
    """The token, from a file, the flag, or ``BOONBRIDGE_TOKEN`` (which the flag reads too)."""
    if token_file is not None:
        try:
            token = token_file.read_text(encoding="utf-8")
        except OSError as problem:
            fail(f"{token_file} cannot be read: {problem.strerror}.")
        except UnicodeDecodeError:
            fail(f"{token_file} holds no token.")
    if not token or not token.strip():
        fail("A token is needed: BOONBRIDGE_TOKEN, --token-file, or --token. `boonbridge token` prints one.")
    return token.strip()


def show(record: object) -> None:
    """One JSON line, at once."""
    sys.stdout.write(json_line(_encode(record)) + "\n")
    sys.stdout.flush()


def run(work: Any) -> None:
    """Run a client's coroutine; what hinders it is a sentence and exit code 1."""
    try:
        sys.exit(asyncio.run(work))
    except Denied as denied:
        known: tuple[int, ...] = (Close.AUTH_BAD, Close.AUTH_EXPIRED, Close.AUTH_REVOKED)
        step = " Where the bridge runs, `boonbridge token` prints a new one." if denied.code in known else ""
        fail(f"{denied.reason}{step}")
    except Unreachable as problem:
        fail(f"{problem} Is `boonbridge serve` running there?")
    except TimeoutError as problem:
        fail(str(problem) or "The bridge did not answer in time.")


async def do(url: str, token: str, text: str, command_id: str | None) -> int:
    """Send one command; print its answer and the commit it made."""
    try:
        command = msgspec.json.decode(text, type=Command)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as problem:
        fail(f"That is no command: {problem}. A command is JSON like {_EXAMPLE}.")
    try:
        sent = msgspec.convert(command_id or new_id(), CommandId)
    except msgspec.ValidationError:
        fail(f"--id {command_id!r} is no command id: 22 to 40 characters of A-Z, a-z, 0-9, _ and -, and not to be guessed.")
    async with Client(url, token, patience=PATIENCE) as client:
        assert client.welcome is not None, "a client that is open was welcomed"
        size, most = len(_encode(Do(id=sent, seen=client.seen, cmd=command))), client.welcome.limits.frame_in
        if size > most:
            fail(f"The command is too large: {size} bytes in its frame, and the bridge takes {most}.")
        try:
            answer = await client.do(command, sent)
        except (TimeoutError, Unreachable):
            fail(f"The bridge is away, so it is not known what became of the command. Ask again with the same id: --id {sent}")
        if (minted := client.minted.get(sent)) is not None:
            show(minted)
        show(answer)
        if isinstance(answer, Refused):
            return 1
        if answer.changed:
            page = await client.history(after=answer.seq - 1, limit=1)
            for commit in getattr(page, "commits", ()):
                show(commit)
    return 0


_EXAMPLE = '{"t": "RollCheck", "check": "attribute", "actors": ["kestrel"], "params": {"attribute": "agility"}}'


async def tail(url: str, token: str, *, once: bool, as_json: bool) -> int:
    """Print the log: everything there is, ``caughtUp``, then, unless ``once``, what comes.

    Every commit once, whatever breaks in between.
    """
    async with Client(url, token, patience=PATIENCE) as client:
        frames = client.frames()
        known = await print_past(client, 0, client.seen, as_json=as_json)
        _print(CaughtUp(head=known), client, as_json=as_json)
        if once:
            return 0
        async for frame in frames:
            match frame:
                case Logged(seq=seq) | Hidden(seq=seq) if seq == known + 1:
                    _print(frame, client, as_json=as_json)
                    known = seq
                case Logged(seq=head) | Hidden(seq=head) | CaughtUp(head=head) if head > known:
                    # Something was told while nobody was connected.
                    known = await print_past(client, known, head, as_json=as_json)
                case CaughtUp(head=head) if head < known:
                    sys.stderr.write(f"boonbridge: The bridge has {head} commits, and {known} were shown: its log was cut.\n")
                    known = head
    return 0


async def print_past(client: Client, known: int, head: int, *, as_json: bool) -> int:
    """Print the commits after ``known`` up to ``head``, and return the last that was printed."""
    while known < head:
        page = await client.history(after=known, limit=200)
        if isinstance(page, Refused):
            if page.retry_after_ms is None:
                fail(page.message)
            await asyncio.sleep(page.retry_after_ms / 1000)
            continue
        if not page.commits:
            break
        for commit in page.commits:
            known = commit.seq
            _print(commit, client, as_json=as_json)
    return known


def _print(frame: Logged | Hidden | CaughtUp, client: Client, *, as_json: bool) -> None:
    if as_json:
        show(frame)
        return
    assert client.welcome is not None, "a client that is told something was welcomed"
    for text in line(frame, client.welcome.ruleset):
        sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def proof(url: str, token: str, seq: int) -> int:
    """Print the ``proven`` of a commit."""
    async with Client(url, token, patience=PATIENCE) as client:
        answer: Proven | Refused = await client.proof(seq)
    show(answer)
    return 0 if isinstance(answer, Proven) else 1
