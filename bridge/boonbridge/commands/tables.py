"""``boonbridge table``, ``pair``, ``token``: through the running server where there is one, on the folder otherwise."""

import asyncio
import re
import sys
from pathlib import Path

import msgspec

from boonbridge.commands.failing import fail
from boonbridge.config import Config, default_folder
from boonbridge.net.admin import ask
from boonbridge.running import SystemClock, UnknownRuleset, start
from boonbridge.store.open import FolderInUse, FolderRefused, list_tables, read_signing_key
from boonbridge.tables.identity import new_token, user_id
from boonbridge_schemas.base import Role

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}\Z")


def new_table(data: Path | None, name: str, ruleset: str, title: str | None) -> None:
    """Make a table."""
    if not _NAME.match(name):
        fail(f"{name!r} is no name for a table: small letters, digits and hyphens, at most 40.")
    made = asyncio.run(_new_table(data or default_folder(), name, ruleset, title or name))
    if not made:
        fail(f"There is a table {name!r} already.")
    print(f"Table {name!r} is ready. A code for its GM: boonbridge pair --table {name}")


async def _new_table(folder: Path, name: str, ruleset: str, title: str) -> bool:
    reply = await ask(folder, "new_table", table=name, title=title, ruleset=ruleset)
    if reply is not None:
        if not reply["ok"]:
            fail(reply["message"])
        return bool(reply["made"])
    try:
        running = await start(Config(data=folder, port=0))
    except (FolderInUse, FolderRefused) as problem:
        fail(str(problem))
    try:
        return await running.new_table(name, title, ruleset)
    except UnknownRuleset as unknown:
        fail(str(unknown))
    finally:
        await running.stop()


def show_tables(data: Path | None, *, as_json: bool) -> None:
    """List the tables."""
    try:
        rows = list_tables(data or default_folder())
    except FolderRefused as problem:
        fail(str(problem))
    if as_json:
        for row in rows:
            sys.stdout.write(msgspec.json.encode({"id": row.id, "title": row.title, "ruleset": row.ruleset}).decode() + "\n")
        return
    if not rows:
        print("No table yet. `boonbridge serve` makes one; so does `boonbridge table new NAME --ruleset R`.")
    for row in rows:
        print(f"{row.id:<24} {row.ruleset:<16} {row.title}")


def pair(data: Path | None, table: str | None) -> None:
    """Print a pairing code."""
    folder = data or default_folder()
    table = _table(folder, table)
    reply = asyncio.run(ask(folder, "pair", table=table))
    if reply is None:
        fail(f"No server is running on {folder}. A code is good for ten minutes, so start `boonbridge serve` first.")
    if not reply["ok"]:
        fail(reply["message"])
    print(f"Pairing code {reply['code']}  (table {table}, good once, for ten minutes)\nType it at {reply['http']}")


def token(data: Path | None, table: str | None, user: str, role: Role) -> None:
    """Sign and print a token. Writes nothing; its holder enters the table's log when he first comes."""
    folder = data or default_folder()
    name = user.strip()
    if not name or len(name) > 80 or not name.isprintable():
        fail("--user takes a name of 1 to 80 printable characters.")
    table = _table(folder, table)
    try:
        key = read_signing_key(folder)
    except FolderRefused as problem:
        fail(str(problem))
    now = SystemClock().now()
    who = user_id(table, name)
    text, _ = new_token(key, user=who, name=name, table=table, role=role, now=now, jti=f"cli-{who}-{now}", device="cli")
    print(text)


def _table(folder: Path, table: str | None) -> str:
    try:
        known = [row.id for row in list_tables(folder)]
    except FolderRefused as problem:
        fail(str(problem))
    if table is None:
        if len(known) == 1:
            return known[0]
        fail(f"Which table? --table with one of: {', '.join(known) or '(none yet: start `boonbridge serve` once)'}.")
    if table not in known:
        fail(f"There is no table {table!r} in {folder}. There is: {', '.join(known) or 'none yet'}.")
    return table
