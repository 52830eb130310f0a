"""Commands that talk to a running server: do, tail, roll, proof."""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from boonbridge.commands import arguments
from boonbridge.commands.failing import fail
from boonbridge.commands.lines import line
from boonbridge.net.client import Client, Denied, Unreachable, new_id
from boonbridge_schemas.commands import Command, RollCheck
from boonbridge_schemas.server import Ack, CaughtUp, Hidden, Logged, Proven, Refused

_encode = msgspec.json.Encoder().encode


def websocket_url(url: str) -> str:
    """The websocket address for whatever was given: a page's address will do."""
    if url.startswith("http"):
        url = "ws" + url.removeprefix("http")
    if not url.startswith(("ws://", "wss://")):
        fail(f"{url!r} is no address; it begins with ws:// or http://, as `boonbridge serve` prints it.")
    return url if url.rstrip("/").endswith("/ws") else url.rstrip("/") + "/ws"


def read_token(token: str | None, token_file: Path | None) -> str:
    """The token, from the flag, a file, or ``BOONBRIDGE_TOKEN`` (which the flag reads too)."""
    if token_file is not None:
        try:
            return token_file.read_text(encoding="utf-8").strip()
        except OSError as problem:
            fail(f"{token_file} cannot be read: {problem.strerror}.")
    if not token:
        fail("A token is needed: BOONBRIDGE_TOKEN, --token-file, or --token. `boonbridge token` prints one.")
    return token


def show(record: object) -> None:
    """One JSON line, at once."""
    sys.stdout.write(_encode(record).decode() + "\n")
    sys.stdout.flush()


def run(work: Any) -> None:
    """Run a client's coroutine; what hinders it is a sentence and exit code 1."""
    try:
        sys.exit(asyncio.run(work))
    except Denied as denied:
        fail(f"{denied.reason} (closed with {denied.code})")
    except (Unreachable, TimeoutError) as problem:
        fail(str(problem) or "The bridge did not answer in time.")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


async def do(url: str, token: str, text: str, command_id: str | None) -> int:
    """Send one command; print its answer and the commit it made."""
    try:
        command = msgspec.json.decode(text, type=Command)
    except (msgspec.DecodeError, RecursionError) as problem:
        fail(f"That is no command: {problem}.")
    async with Client(url, token) as client:
        answer = await client.do(command, command_id or new_id())
        show(answer)
        if isinstance(answer, Refused):
            return 1
        if isinstance(answer, Ack) and answer.changed:
            page = await client.history(after=answer.seq - 1, limit=1)
            for commit in getattr(page, "commits", ()):
                show(commit)
    return 0


async def tail(url: str, token: str, *, as_json: bool) -> int:
    """Print the log: everything there is, ``caughtUp``, then what comes."""
    client = Client(url, token)
    async with client:
        assert client.welcome is not None, "a client that is open was welcomed"
        known = 0
        head = client.welcome.head
        frames = client.frames()
        ruleset = client.welcome.ruleset
        while known < head:
            page = await client.history(after=known, limit=200)
            if isinstance(page, Refused):
                if page.retry_after_ms is None:
                    fail(page.message)
                await asyncio.sleep(page.retry_after_ms / 1000)
                continue
            for commit in page.commits:
                known = commit.seq
                _print(commit, ruleset, as_json=as_json)
        _print(CaughtUp(head=head), ruleset, as_json=as_json)
        async for frame in frames:
            if isinstance(frame, Logged | Hidden) and frame.seq > known:
                known = frame.seq
                _print(frame, ruleset, as_json=as_json)
    return 0


def _print(frame: Any, ruleset: Any, *, as_json: bool) -> None:
    if as_json:
        show(frame)
    else:
        for text in line(frame, ruleset):
            sys.stdout.write(text + "\n")
        sys.stdout.flush()


async def roll(
    url: str, token: str, actor: str, check: str, words: Sequence[str], *, count: int, clients: int, as_json: bool
) -> int:
    """Roll the same check many times over some connections at once; every roll answered or said not to be."""
    try:
        command = arguments.roll(actor, check, words)
    except arguments.BadArgument as problem:
        fail(str(problem))
    left = iter(range(count))
    began = time.perf_counter()
    outcomes = await asyncio.gather(*(_roller(url, token, command, left, as_json=as_json) for _ in range(min(clients, count))))
    acked, refused, unanswered = (sum(column) for column in zip(*outcomes, strict=True))
    if not as_json:
        seconds = time.perf_counter() - began
        sys.stdout.write(f"{acked} rolled, {refused} refused, {unanswered} unanswered in {seconds:.2f} s\n")
    return 0 if acked == count else 1


async def _roller(url: str, token: str, command: RollCheck, left: Any, *, as_json: bool) -> tuple[int, int, int]:
    acked = refused = unanswered = 0
    async with Client(url, token) as client:
        for _ in left:
            command_id = new_id()
            try:
                answer = await client.do(command, command_id)
            except (TimeoutError, Unreachable):
                unanswered += 1
                if as_json:
                    show({"t": "unanswered", "id": command_id})
                continue
            if isinstance(answer, Ack):
                acked += 1
            else:
                refused += 1
            if as_json or isinstance(answer, Refused):
                show(answer)
    return acked, refused, unanswered


async def proof(url: str, token: str, seq: int) -> int:
    """Print the ``proven`` of a commit."""
    async with Client(url, token) as client:
        answer: Proven | Refused = await client.proof(seq)
    show(answer)
    return 0 if isinstance(answer, Proven) else 1
