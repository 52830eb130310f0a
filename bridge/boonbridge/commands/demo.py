"""``boonbridge demo``: a table that is ready to play, in a folder of its own, and two links."""

import asyncio
import os
import secrets
import shutil
from pathlib import Path

import msgspec
import structlog
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from boonbridge.commands import demo_tables
from boonbridge.commands.failing import fail
from boonbridge.commands.serving import listening, run, settle, until_stopped
from boonbridge.config import Config
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import Running, SystemClock
from boonbridge.tables.identity import new_token, user_id
from boonbridge.tables.table import Request
from boonbridge_schemas.base import Role
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import Ack, Refused

log = structlog.get_logger("boonbridge")
_NAMES: dict[Role, str] = {"gm": "Game Master", "player": "Player"}


def demo(*, data: Path, ruleset: str, reset: bool, port: int | None, ready_json: Path | None = None) -> None:
    """Serve the demo's table until Ctrl-C; made at first start, kept between starts."""
    if ruleset not in demo_tables.PEOPLE:
        fail(f"The demo has no table for {ruleset!r}. It has: {', '.join(demo_tables.PEOPLE)}.")
    if reset and data.is_dir():
        if any(data.iterdir()) and not (data / "log.sqlite").exists():
            fail(f"{data} holds something else than a demo; it is not cleared.")
        shutil.rmtree(data)
    config, games = settle(
        {"data": data, "ruleset": ruleset, "port": port, "log_level": os.environ.get("BOONBRIDGE_LOG_LEVEL", "warning")}
    )
    run(_demo(config, games, ruleset, ready_json))


async def _demo(config: Config, games: dict[str, Ruleset], ruleset: str, ready_json: Path | None) -> int:
    running = await listening(config, games)
    table = f"demo-{ruleset.replace('_', '-')}"
    if await running.new_table(table, f"Demo: {games[ruleset].title}", ruleset):
        await _set(running, table, ruleset)
    links = {role: await _link(running, table, role) for role in _NAMES}
    if ready_json is not None:
        body = msgspec.json.encode({"url": running.url, "http": running.http, "table": table, **links})
        await asyncio.to_thread(ready_json.write_bytes, body + b"\n")
    _tell(links, ruleset)
    await until_stopped()
    await running.stop()
    return 0


async def _set(running: Running, table: str, ruleset: str) -> None:
    for command in demo_tables.commands(ruleset, user_id(table, _NAMES["player"])):
        answer = await _do(running, table, command)
        if isinstance(answer, Refused):
            fail(f"The demo could not be set: {answer.message}")


async def _do(running: Running, table: str, command: Command) -> Ack | Refused:
    """A command of the demo's GM, through the same door as everybody's."""
    opened = (await running.hub.at(table)).table
    done: asyncio.Future[Ack | Refused] = asyncio.get_running_loop().create_future()
    opened.submit(
        Request(
            user=user_id(table, _NAMES["gm"]),
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
    token, _ = new_token(
        await running.signing_key(),
        user=user_id(table, name),
        name=name,
        table=table,
        role=role,
        now=now,
        jti=f"demo-{role}-{now}",
    )
    return f"{running.http}#token={token}"


def _tell(links: dict[Role, str], ruleset: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        Panel(
            f"A {ruleset} table with a party of two and an opponent.", title="Boonbridge demo", border_style="green", expand=False
        )
    )
    for role, link in links.items():
        console.print(
            Text(f"{_NAMES[role]} (open in one browser):" if role == "gm" else f"{_NAMES[role]} (open in another):", style="bold")
        )
        console.print(Text(link, style="cyan"), overflow="ignore", no_wrap=True)
    console.print(
        Text("Ctrl-C stops it; the rolls stay. RESET=1 begins anew, DEMO=public_d20 (and so on) is another game.", style="dim")
    )
