"""``boonbridge serve``: a server from start to drain, with a terminal message that says the next step."""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import structlog
from rich.console import Console
from rich.text import Text

from boonbridge.commands.failing import fail
from boonbridge.commands.folder import games_with, settings
from boonbridge.commands.plain import plain
from boonbridge.commands.scanning import only_here
from boonbridge.config import Config
from boonbridge.net.tls import CertificateRefused
from boonbridge.obs import logging as log_lines
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import Running, run_loop, start
from boonbridge.store.open import FolderInUse, FolderRefused, KeyRefused
from boonbridge.tables.folding import LogBroken, LogTooNew
from boonbridge.tables.pairing import CODE_LIFE

log = structlog.get_logger("boonbridge")
FIRST_TABLE = "main"


def serve(flags: dict[str, Any], ready_json: Path | None = None) -> None:
    """Serve until SIGTERM or Ctrl-C."""
    config, games = settle(flags)
    wished = config.ruleset if flags.get("ruleset") is not None else None
    run(_serve(config, games, ready_json, wished))


def settle(flags: dict[str, Any]) -> tuple[Config, dict[str, Ruleset]]:
    """The configuration and the games. ``--ruleset ./game.py`` loads a file and means the game in it."""
    config = settings(flags)
    games, ruleset = games_with(config.ruleset)
    log_lines.configure(level=config.log_level)
    return msgspec.structs.replace(config, ruleset=ruleset), games


def run(work: Any) -> None:
    """Run a server's main coroutine; what hinders it from starting is a sentence and exit code 1."""
    try:
        sys.exit(run_loop(work))
    except LogTooNew as newer:
        fail(f"{newer}. Nothing was changed.")
    except LogBroken as broken:
        fail(f"{broken}. Nothing is written after the damage. Put a backup back: boonbridge restore FILE")


async def _serve(config: Config, games: dict[str, Ruleset], ready_json: Path | None, wished: str | None) -> int:
    stop = stopping()
    running = await listening(config, games)
    try:
        table = await first_table(running)
        code = await _code_if_needed(running, table)
        if ready_json is not None:
            write_ready(ready_json, {"url": running.url, "http": running.http, "table": table, "pairingCode": code})
        tell(running, table, code)
        heed_certificate(running)
        running.keep_backups()
        if wished is not None and all(row.ruleset != wished for row in await running.hub.list_tables()):
            say(f"No table here plays {wished} yet: boonbridge table new NAME --ruleset {wished}")
        fresh = asyncio.get_running_loop().create_task(_fresh_codes(running, table))
        await stop.wait()
        fresh.cancel()
        log.info("draining")
    finally:
        await running.stop()
    log.info("stopped")
    return 0


async def listening(config: Config, games: dict[str, Ruleset]) -> Running:
    """A running server, or the sentence that says why not."""
    try:
        return await start(config, games=games)
    except (FolderInUse, FolderRefused, KeyRefused, CertificateRefused) as problem:
        fail(str(problem))
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            fail(
                f"Port {config.port} on {config.host} is taken, perhaps by another Boonbridge server. "
                "Another port: --port N (0 takes any free one)."
            )
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            fail(f"The disk is full that {config.data} lies on.")
        reason = os.strerror(problem.errno) if problem.errno and problem.errno > 0 else problem.strerror or str(problem)
        fail(f"Cannot listen on {config.host}, port {config.port}: {reason}. Others: --host and --port.")


async def first_table(running: Running) -> str:
    """The table that a code is for by default: the oldest whose game is here, made at first start."""
    rows = await running.hub.list_tables()
    strange = {row.id: row.ruleset for row in rows if row.ruleset not in running.games}
    for table, game in strange.items():
        say(f"Table {table} cannot be opened: its game {game} is not here. A game in a file: --ruleset FILE.py")
    if rows and len(strange) == len(rows):
        fail("No table in this folder can be opened.")
    for row in rows:
        if row.id not in strange:
            return row.id
    await running.new_table(FIRST_TABLE, "Our table", running.config.ruleset)
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


def heed_certificate(running: Running) -> None:
    """Say what is odd about the certificate, and read it anew at SIGHUP.

    Without a certificate, and on a terminal, SIGHUP means what it always does: that the terminal was closed.
    """
    certificate = running.certificate
    if certificate is None:
        return
    if certificate.warning:
        say(certificate.warning)
    if hasattr(signal, "SIGHUP") and not sys.stdout.isatty():
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, certificate.reload)


def say(sentence: str) -> None:
    """Something a person should know while the server goes on."""
    print(f"boonbridge: {plain(sentence)}", file=sys.stderr, flush=True)


def tell(running: Running, table: str, code: str | None) -> None:
    """The next step, for the person at the terminal.

    On standard output, since log lines are on the other one. Where that is no terminal it is kept somewhere, so the code is not
    in it.
    """
    console = Console(highlight=False, soft_wrap=True)
    message = Text().append("Boonbridge is ready.\n", style="bold green")
    # The address that reaches furthest: links for players are made on the page, and lead to where it was opened.
    socket, page = running.addresses()[0], running.page
    message.append("  Table page   ", style="dim").append(f"{page}\n", style="bold cyan")
    message.append("  Websocket    ", style="dim").append(f"{socket}\n")
    message.append("  Table        ", style="dim").append(f"{table} ({running.config.data})\n")
    if code is None:
        message.append("A GM has paired. For another device or a second GM: boonbridge pair", style="dim")
    elif console.is_terminal:
        message.append("  Pairing code ", style="dim").append(code, style="bold yellow")
        message.append("  good once, for ten minutes\n")
        if not only_here(page):
            message.append("  Or open      ", style="dim").append(f"{page}#code={code.replace('-', '')}\n")
        message.append("Next: open the table page and type the code. You are its GM then, and can invite players.")
    else:
        message.append(f"Next: boonbridge pair --data {running.config.data} prints a code; type it on the table page.")
    console.print(message)


def write_ready(path: Path, content: Mapping[str, str | None]) -> None:
    """Write what a script waits for: all of it or nothing, for the owner's eyes."""
    try:
        draft = path.with_name(path.name + ".new")
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(content) + b"\n")
        draft.replace(path)
    except OSError as problem:
        fail(f"{path} cannot be written: {problem.strerror}.")


def stopping() -> asyncio.Event:
    """What is set at SIGTERM or Ctrl-C, from now on."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(name, stop.set)
        except NotImplementedError:  # Windows: Ctrl-C raises KeyboardInterrupt instead
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop
