"""``boonbridge serve``: a server from start to drain, with a terminal message that says the next step."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec
import structlog
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from boonbridge import config as configuration
from boonbridge.commands.failing import fail
from boonbridge.config import Config, ConfigRefused
from boonbridge.obs import logging as log_lines
from boonbridge.rulesets import registry
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import Running, UnknownRuleset, start
from boonbridge.store.open import FolderInUse, FolderRefused, KeyRefused
from boonbridge.tables.identity import CODE_LIFE

log = structlog.get_logger("boonbridge")
FIRST_TABLE = "main"


def serve(flags: dict[str, Any], ready_json: Path | None = None) -> None:
    """Serve until SIGTERM or Ctrl-C."""
    try:
        config, games = settle(flags)
    except (ConfigRefused, registry.NotARuleset) as problem:
        fail(str(problem))
    run(_serve(config, games, ready_json))


def settle(flags: dict[str, Any]) -> tuple[Config, dict[str, Ruleset]]:
    """The configuration and the games. ``--ruleset ./game.py`` loads a file and means the game in it."""
    games = registry.discover()
    config = configuration.load(flags)
    if config.ruleset.endswith(".py"):
        game = registry.load(config.ruleset)
        games[game.id] = game
        config = msgspec.structs.replace(config, ruleset=game.id)
    log_lines.configure(level=config.log_level)
    return config, games


def run(work: Any) -> None:
    """Run a server's main coroutine; what hinders it from starting is a sentence and exit code 1."""
    # A busy event loop must not keep the writing thread from the interpreter for 5 ms at a time.
    sys.setswitchinterval(1e-4)
    with contextlib.suppress(ImportError):
        import uvloop

        sys.exit(uvloop.run(work))
    sys.exit(asyncio.run(work))


async def _serve(config: Config, games: dict[str, Ruleset], ready_json: Path | None) -> int:
    running = await listening(config, games)
    table = await first_table(running)
    code = await _code_if_needed(running, table)
    if ready_json is not None:
        _write_ready(ready_json, running, table, code)
    tell(running, table, code)
    fresh = asyncio.get_running_loop().create_task(_fresh_codes(running, table))
    await until_stopped()
    fresh.cancel()
    log.info("draining")
    await running.stop()
    log.info("stopped")
    return 0


async def listening(config: Config, games: dict[str, Ruleset]) -> Running:
    """A running server, or the sentence that says why not."""
    try:
        return await start(config, games=games)
    except (FolderInUse, FolderRefused, KeyRefused) as problem:
        fail(str(problem))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        fail(f"Cannot listen on {config.host}:{config.port}: {reason}. Another port: --port N (0 takes any free one).")


async def first_table(running: Running) -> str:
    """The table that a code is for by default: the oldest, made at first start."""
    rows = await running.hub.list_tables()
    if rows:
        return rows[0].id
    try:
        await running.new_table(FIRST_TABLE, "Our table", running.config.ruleset)
    except UnknownRuleset as unknown:
        await running.stop()
        fail(str(unknown))
    return FIRST_TABLE


async def _code_if_needed(running: Running, table: str) -> str | None:
    state = (await running.hub.at(table)).table.state
    if any(member.role == "gm" for member in state.people.values()):
        return None
    return await running.hub.pairing.new_code(table)


async def _fresh_codes(running: Running, table: str) -> None:
    """As long as no GM has paired, a code is always good; the old one runs out as the new one is shown."""
    while True:
        await asyncio.sleep(CODE_LIFE / 1000)
        code = await _code_if_needed(running, table)
        if code is None:
            return
        tell(running, table, code)


def tell(running: Running, table: str, code: str | None) -> None:
    """The next step, on the terminal."""
    console = Console(stderr=True, highlight=False)
    message = Text()
    message.append("Table page  ", style="dim").append(f"{running.http}\n", style="bold cyan")
    message.append("For Foundry ", style="dim").append(f"{running.addresses()[0]}\n")
    message.append("Table       ", style="dim").append(f"{table} ({running.config.data})\n")
    if code is not None:
        message.append("\nPairing code ", style="dim").append(code, style="bold yellow")
        message.append("  good once, for ten minutes.\n")
        message.append("Next: open the table page and type the code. You are its GM then, and can invite players.")
    else:
        message.append("\nA GM has paired. Another device or co-GM: boonbridge pair", style="dim")
    console.print(Panel(message, title="Boonbridge is ready", title_align="left", border_style="green", expand=False))


def _write_ready(path: Path, running: Running, table: str, code: str | None) -> None:
    body = msgspec.json.encode({"url": running.url, "http": running.http, "table": table, "pairingCode": code})
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(body + b"\n")
    draft.replace(path)


async def until_stopped() -> None:
    """Return at SIGTERM or Ctrl-C."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(name, stop.set)
        except NotImplementedError:  # Windows: Ctrl-C raises KeyboardInterrupt instead
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
    await stop.wait()
