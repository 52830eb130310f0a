"""``boonbridge import``: a complete export becomes a table, through the running server where there is one."""

import asyncio
from pathlib import Path

import msgspec

from boonbridge.commands.eyes import ROLES
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import game_of, games_with, settings
from boonbridge.commands.plain import plain, so_many, word
from boonbridge.commands.progress import progress
from boonbridge.config import Config
from boonbridge.net.admin import ask
from boonbridge.obs import logging as log_lines
from boonbridge.reading.evidence import Broken, TooNew
from boonbridge.reading.exported import FileReport, lines_of, verify_file
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import start
from boonbridge.store.open import FolderInUse, FolderRefused, KeyRefused, list_tables
from boonbridge.tables.importing import ImportRefused, Summed
from boonbridge_schemas.base import Name, TableId

_PATIENCE = 600.0
"""Seconds in which the server takes over a long log."""


def import_file(file: Path, data: Path | None, table: str, title: str | None, *, ruleset: str | None) -> None:
    """Verify the file whole, and only then take it over: all of it or nothing."""
    title = None if title is None else title.strip()
    _named(table, title)
    config = settings({"data": data, "ruleset": ruleset})
    try:
        rows = list_tables(config.data)
    except FolderRefused as problem:
        fail(str(problem))
    if any(row.id == table for row in rows):
        fail(
            f"There is a table {table!r} already, and a log is only ever taken over as a new one. Say --table with another name."
        )
    games, _ = games_with(config.ruleset)
    report, digest = _verified(file, games)
    asyncio.run(_import(config, games, file.resolve(), table, digest, title=title))
    _tell(file, table, report)


def _named(table: str, title: str | None) -> None:
    try:
        msgspec.convert(table, TableId)
    except msgspec.ValidationError:
        fail(f"{table!r} is no name for a table: small letters, digits and hyphens, at most 40.")
    try:
        msgspec.convert("-" if title is None else title, Name)
    except msgspec.ValidationError:
        fail("--title takes 1 to 80 characters, on one line.")


def _verified(file: Path, games: dict[str, Ruleset]) -> tuple[FileReport, str]:
    """What was checked of the file, and its SHA-256; or the sentence that says why it is not taken."""
    if file.exists() and not file.is_file():
        fail(f"{file} is no file. It is read twice, so it cannot be a pipe: save it first.")
    try:
        with file.open("rb") as source, progress() as seen:
            lines = Summed(lines_of(source))
            report = verify_file(lines, games.get, seen("commits verified"))
    except OSError as problem:
        fail(f"{file} cannot be read: {problem.strerror}.")
    except TooNew as found:
        fail(f"{file}: {found}.")
    except Broken as found:
        fail(f"{file}: {found}. Nothing was imported.")
    head = report.head
    if head.viewer is not None:
        fail(
            f"{file} is not complete: it was made for the eyes of {ROLES[head.viewer.role]}. "
            "Only what `boonbridge export --complete` wrote can be imported."
        )
    if not report.log.commits:
        fail(f"{file} holds no commits: there is nothing to import.")
    game_of(f"The table in {file}", head.ruleset, games)
    return report, lines.sha256


async def _import(config: Config, games: dict[str, Ruleset], file: Path, table: str, digest: str, *, title: str | None) -> None:
    reply = await ask(config.data, "import", patience=_PATIENCE, file=str(file), table=table, sha256=digest, title=title)
    if reply is not None:
        if not reply["ok"]:
            fail(f"The running server says: {reply['message']}")
        return
    log_lines.configure(level="error")  # what is worth saying is said below
    try:
        running = await start(msgspec.structs.replace(config, host="127.0.0.1", port=0), games=games)
    except (FolderInUse, FolderRefused, KeyRefused) as problem:
        fail(str(problem))
    try:
        await running.import_table(table, file, digest, title)
    except ImportRefused as no:
        fail(str(no))
    finally:
        await running.stop()


def _tell(file: Path, table: str, report: FileReport) -> None:
    log = report.log
    taken = so_many(log.commits, "commit")
    print(plain(f"{file}: verified, {taken}; they are table {table} now. A new epoch of seeds has begun there."))
    for gap in log.gaps:
        print(
            f"The rules {gap.ruleset} version {gap.version} are not here any more, so commits {gap.first} to {gap.last} "
            "were taken over without being decided again."
        )
    who = ", ".join(word(name) for name in report.head.names.values())
    print(f"Nobody has access yet. A link for somebody who was there{f' ({who})' if who else ''}:")
    print(f"  boonbridge people invite --user NAME --table {table}     while `boonbridge serve` runs")
