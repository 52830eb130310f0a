"""``boonbridge demo``: a table that is ready to play, in a folder of its own, and two links."""

import asyncio
import os
import secrets
import shutil
from pathlib import Path

from filelock import FileLock, Timeout
from rich.console import Console
from rich.text import Text

from boonbridge.commands import demo_tables
from boonbridge.commands.failing import fail
from boonbridge.commands.serving import listening, run, settle, stopping, write_ready
from boonbridge.config import Config
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import Running, SystemClock
from boonbridge.store.places import LOCK
from boonbridge.tables.identity import called, new_token, user_id
from boonbridge.tables.table import Request
from boonbridge_schemas.base import Role
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import Ack, Refused

MARK = "demo"
"""A file that only a demo's folder has: without it, nothing is emptied."""
_NAMES: dict[Role, str] = {"gm": "Game Master", "player": "Player"}


def demo(*, data: Path, ruleset: str, reset: bool, port: int | None, ready_json: Path | None = None) -> None:
    """Serve the demo's table until Ctrl-C; made at first start, kept between starts."""
    if ruleset not in demo_tables.PEOPLE:
        fail(f"The demo has no table for {ruleset!r}. It has: {', '.join(demo_tables.PEOPLE)}.")
    _own(data, reset=reset)
    config, games = settle(
        {"data": data, "ruleset": ruleset, "port": port, "log_level": os.environ.get("BOONBRIDGE_LOG_LEVEL", "warning")}
    )
    run(_demo(config, games, ruleset, ready_json))


def _own(data: Path, *, reset: bool) -> None:
    """Make sure that the folder is the demo's, and empty it where that is wanted. Anything else is left alone."""
    mark = data / MARK
    try:
        if data.exists() and not mark.is_file() and (not data.is_dir() or any(data.iterdir())):
            fail(f"{data} holds something else than a demo, and is left as it is. Another folder: --data.")
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.write_text("A demo of Boonbridge. RESET=1 empties this folder.\n", encoding="utf-8")
        if reset:
            with FileLock(data / LOCK, timeout=0):
                for item in data.iterdir():
                    if item.name in (MARK, LOCK):
                        continue
                    shutil.rmtree(item) if item.is_dir() else item.unlink()
    except Timeout:
        fail(f"A demo is running in {data}. Stop it first; then it can begin anew.")
    except OSError as problem:
        fail(f"{data} cannot be used for a demo: {problem.strerror}.")


async def _demo(config: Config, games: dict[str, Ruleset], ruleset: str, ready_json: Path | None) -> int:
    stop = stopping()
    running = await listening(config, games)
    try:
        table = f"demo-{ruleset.replace('_', '-')}"
        if await running.new_table(table, f"Demo: {games[ruleset].title}", ruleset):
            await _set(running, table, ruleset)
        links = {role: await _link(running, table, role) for role in _NAMES}
        if ready_json is not None:
            addresses: dict[str, str | None] = {"url": running.url, "http": running.http, "table": table}
            write_ready(ready_json, addresses | {str(role): link for role, link in links.items()})
        _tell(links, ruleset)
        await stop.wait()
    finally:
        await running.stop()
    return 0


async def _set(running: Running, table: str, ruleset: str) -> None:
    key = await running.signing_key()
    for command in demo_tables.commands(ruleset, user_id(key, table, _NAMES["player"])):
        answer = await _do(running, table, command)
        if isinstance(answer, Refused):
            fail(f"The demo could not be set: {answer.message}")


async def _do(running: Running, table: str, command: Command) -> Ack | Refused:
    """A command of the demo's GM, through the same door as everybody's."""
    opened = (await running.hub.at(table)).table
    done: asyncio.Future[Ack | Refused] = asyncio.get_running_loop().create_future()
    opened.submit(
        Request(
            user=user_id(await running.signing_key(), table, _NAMES["gm"]),
            role="gm",
            id=secrets.token_urlsafe(16),
            seen=opened.state.seq,
            command=command,
            answer=lambda frame, _command: done.set_result(frame),
        )
    )
    return await done


async def _link(running: Running, table: str, role: Role) -> str:
    """A link with a token in its fragment, which browsers never send."""
    name, now = _NAMES[role], SystemClock().now()
    key = await running.signing_key()
    known = called(name, await running.hub.ports.vault.people(table))
    token, _ = new_token(
        key,
        user=known[0] if known else user_id(key, table, name),
        name=name,
        table=table,
        role=role,
        now=now,
        jti=f"demo-{role}-{now}",
    )
    return f"{running.http}#token={token}"


def _tell(links: dict[Role, str], ruleset: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    message = (
        Text()
        .append("The demo is ready: ", style="bold green")
        .append(f"a {ruleset} table with a party of two and an opponent.\n")
    )
    for role, link in links.items():
        where = "in one browser" if role == "gm" else "in another, or in a private window"
        message.append(f"{_NAMES[role]} (open {where}):\n", style="bold").append(f"{link}\n", style="cyan")
    message.append(
        "Ctrl-C stops it; the rolls stay. RESET=1 begins anew, DEMO=public_d20 (and so on) is another game.", style="dim"
    )
    console.print(message)
