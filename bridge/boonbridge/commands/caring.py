"""``boonbridge rename`` and ``delete``: through the running server where there is one, on the folder otherwise."""

import asyncio
import sys
from pathlib import Path

import msgspec

from boonbridge.commands.agreeing import typed
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import game_of, games_with, settings, which_table
from boonbridge.commands.plain import plain, so_many, word
from boonbridge.config import Config
from boonbridge.net.admin import ask
from boonbridge.obs import logging as log_lines
from boonbridge.rulesets import registry
from boonbridge.running import start
from boonbridge.store.backup_file import tables_in
from boonbridge.store.open import FolderInUse, FolderRefused, KeyRefused, list_tables, open_store
from boonbridge.store.places import ASIDE, BACKUPS
from boonbridge.store.tally import evenings, tallies
from boonbridge.tables.folding import LogBroken
from boonbridge.tables.ports import StoreUnavailable, TableRow
from boonbridge_schemas.base import Name
from boonbridge_schemas.server import Refused

_PATIENCE = 300
"""Seconds in which a long log is deleted: what is deleted is overwritten."""


# --- rename ------------------------------------------------------------------------------------------------------
def rename(data: Path | None, table: str, title: str, ruleset: str | None) -> None:
    """Call a table something else."""
    title = title.strip()
    try:
        msgspec.convert(title, Name)
    except msgspec.ValidationError:
        fail("TITLE takes 1 to 80 characters, on one line.")
    config = settings({"data": data})
    row = _row(config.data, table)
    try:
        changed = asyncio.run(_rename(config, row, title, ruleset))
    except (FolderInUse, FolderRefused, KeyRefused, StoreUnavailable) as problem:
        fail(str(problem))
    except LogBroken as broken:
        fail(f"{broken}. `boonbridge verify` says more.")
    print(f"Table {row.id} is called {word(title)} now." if changed else "It is called so already; nothing was done.")


async def _rename(config: Config, row: TableRow, title: str, ruleset: str | None) -> bool:
    reply = await ask(config.data, "rename", table=row.id, title=title)
    if reply is not None:
        if not reply["ok"]:
            fail(f"The running server says: {reply['message']}")
        return bool(reply["changed"])
    games = registry.discover() if ruleset is None else games_with(ruleset)[0]
    game_of(f"Table {row.id}", row.ruleset, games)
    log_lines.configure(level="error")  # what is worth saying is said by whoever asked for it
    running = await start(msgspec.structs.replace(config, host="127.0.0.1", port=0), games=games)
    try:
        answer = await running.hub.rename(row.id, title)
    finally:
        await running.stop()
    if isinstance(answer, Refused):
        fail(answer.message)
    return answer.changed


# --- delete ------------------------------------------------------------------------------------------------------
def delete(data: Path | None, table: str, *, yes: bool) -> None:
    """Delete a table, once somebody has typed its name."""
    config = settings({"data": data})
    row = _row(config.data, table)
    try:
        asyncio.run(_delete(config.data, row, yes=yes))
    except (FolderInUse, FolderRefused, KeyRefused, StoreUnavailable) as problem:
        fail(str(problem))
    print(f"Table {row.id} is deleted.")


async def _delete(folder: Path, row: TableRow, *, yes: bool) -> None:
    reply = await ask(folder, "tables")
    online = 0 if reply is None else sum(one["online"] for one in reply["tables"] if one["id"] == row.id)
    if online and not yes:
        _busy(row, online)
    print(plain(_what_goes(folder, row)))
    for line in _copies(folder, row):
        print(plain(line))
    sys.stdout.flush()
    if not yes and typed("Type its name to delete it: ") != row.id:
        fail("Nothing was done.")
    if reply is None:
        await _delete_here(folder, row)
        return
    reply = await ask(folder, "delete", patience=_PATIENCE, table=row.id, even_so=yes)
    if reply is None:
        fail("The server did not answer, so it is not known whether the table is deleted. `boonbridge tables` shows it.")
    if not reply["ok"]:
        fail(f"The running server says: {reply['message']}")
    if not reply["deleted"]:
        _busy(row, reply["online"]) if reply["online"] else fail(f"Table {row.id} is gone already.")


def _busy(row: TableRow, online: int) -> None:
    fail(f"Somebody is at table {row.id} now ({so_many(online, 'connection')}). --yes deletes it all the same.")


async def _delete_here(folder: Path, row: TableRow) -> None:
    store = open_store(folder, secret_file=settings({"data": folder}).secret_file)
    try:
        await store.marks.forget(row.id)
        await store.tables.delete_table(row.id)
    finally:
        await store.aclose()


def _what_goes(folder: Path, row: TableRow) -> str:
    there, begun = tallies(folder)[row.id], evenings(folder, row.id)
    return (
        f"Table {row.id} ({word(row.title)}) goes for good: {so_many(there.commits, 'commit')}, {so_many(begun, 'evening')}, "
        f"the names of {so_many(there.named, 'person', 'people')}, every key and code."
    )


def _copies(folder: Path, row: TableRow) -> list[str]:
    """What is said of copies that keep the table: backups, and what was put aside when one was put back."""
    zips = sorted((folder / BACKUPS).glob("*.zip"))
    held = [str(path) for path in zips if any(table.id == row.id for table in tables_in(path))]
    held += [str(aside) for aside in sorted(folder.glob(f"{ASIDE}*")) if row.id in _in_folder(aside)]
    if held:
        return ["These hold it, and keep it until they are deleted themselves:", *(f"  {path}" for path in held)]
    return ["No backup in this folder holds it; copies elsewhere are yours to look for."]


def _in_folder(aside: Path) -> set[str]:
    try:
        return {row.id for row in list_tables(aside)}
    except FolderRefused:
        return set()


def _row(folder: Path, table: str) -> TableRow:
    known = which_table(folder, table)
    try:
        return next(row for row in list_tables(folder) if row.id == known)
    except FolderRefused as problem:
        fail(str(problem))
