"""``boonbridge table``, ``pair``, ``token``: through the running server where there is one, on the folder otherwise."""

import asyncio
from pathlib import Path

import msgspec

from boonbridge.commands import scanning
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import games_with, settings, which_table
from boonbridge.commands.plain import day_and_time, json_line, word
from boonbridge.config import Config
from boonbridge.net.admin import ask
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import SystemClock, UnknownRuleset, start
from boonbridge.store.open import FolderInUse, FolderRefused, KeyRefused, list_names, list_tables, read_signing_key
from boonbridge.store.tally import Tally, tallies
from boonbridge.tables.identity import called, new_token, user_id
from boonbridge.tables.pairing import link
from boonbridge.tables.qr import qr as picture_of
from boonbridge_schemas.base import Name, Role, TableId


def new_table(data: Path | None, name: str, ruleset: str, title: str | None) -> None:
    """Make a table."""
    try:
        msgspec.convert(name, TableId)
    except msgspec.ValidationError:
        fail(f"{name!r} is no name for a table: small letters, digits and hyphens, at most 40.")
    title = name if title is None else title.strip()
    try:
        msgspec.convert(title, Name)
    except msgspec.ValidationError:
        fail("--title takes 1 to 80 characters, on one line.")
    config = settings({"data": data})
    games, game = games_with(ruleset)
    made = asyncio.run(_new_table(config, name, games, game, title))
    if not made:
        fail(f"There is a table {name!r} already.")
    print(f"Table {name!r} is ready. A code for its GM, while `boonbridge serve` runs: boonbridge pair --table {name}")


async def _new_table(config: Config, name: str, games: dict[str, Ruleset], ruleset: str, title: str) -> bool:
    reply = await ask(config.data, "new_table", table=name, title=title, ruleset=ruleset)
    if reply is not None:
        if not reply["ok"]:
            fail(f"The running server says: {reply['message']}")
        return bool(reply["made"])
    try:
        alone = msgspec.structs.replace(config, host="127.0.0.1", port=0, ruleset=ruleset)
        running = await start(alone, games=games)
    except (FolderInUse, FolderRefused, KeyRefused) as problem:
        fail(str(problem))
    try:
        return await running.new_table(name, title, ruleset)
    except UnknownRuleset as unknown:
        fail(str(unknown))
    finally:
        await running.stop()


def show_tables(data: Path | None, *, as_json: bool) -> None:
    """List the tables, with how much there is of each and when it was last played."""
    try:
        folder = settings({"data": data}).data
        rows, counted = list_tables(folder), tallies(folder)
    except FolderRefused as problem:
        fail(str(problem))
    if not rows and not as_json:
        print("No table yet. `boonbridge serve` makes one; so does `boonbridge table new NAME --ruleset R`.")
    for row in rows:
        there = counted.get(row.id, Tally(commits=0, named=0, last=None))
        if as_json:
            record = {"id": row.id, "title": row.title, "ruleset": row.ruleset, "commits": there.commits, "last": there.last}
            print(json_line(msgspec.json.encode(record)))
        else:
            last = day_and_time(there.last) if there.last is not None else "never used"
            commits = f"{there.commits:>7} commit{'s' if there.commits != 1 else ' '}"
            print(f"{row.id:<24} {row.ruleset:<16} {commits}  {last:<22}  {word(row.title)}")


def pair(data: Path | None, table: str | None, *, qr: bool | None = None) -> None:
    """Print a pairing code; where others reach the bridge, also as a link, and that as a picture."""
    folder = settings({"data": data}).data
    reply = asyncio.run(ask(folder, "tables"))
    if reply is None:
        fail(f"No server is running on {folder}. A code is good for ten minutes, so start `boonbridge serve` first.")
    table = which_table(folder, table)
    reply = asyncio.run(ask(folder, "pair", table=table))
    if reply is None:
        fail(f"The server on {folder} did not answer. Try again.")
    if not reply["ok"]:
        fail(reply["message"])
    print(f"Pairing code {reply['code']}  (table {table}, good once, for ten minutes)\nType it at {reply['http']}")
    address = link(reply["page"], reply["code"])
    if not scanning.only_here(address):
        print(f"Or open {address}")
    if scanning.wanted(address, qr):
        print(scanning.picture(picture_of(address)), end="")


def token(data: Path | None, table: str | None, user: str, role: Role) -> None:
    """Sign and print a token. Writes nothing; its holder enters the table's log when he first comes."""
    config = settings({"data": data})
    name = user.strip()
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError:
        fail("--user takes a name of 1 to 80 characters, on one line.")
    table = which_table(config.data, table)
    try:
        key = read_signing_key(config.data, secret_file=config.secret_file)
        known = called(name, list_names(config.data, table))
    except (FolderRefused, KeyRefused) as problem:
        fail(str(problem))
    now = SystemClock().now()
    derived = user_id(key, table, name)
    if len(known) > 1 and derived not in known:
        fail(f"More than one person is called {name!r} at this table. A code for one of them: boonbridge people invite --user ID")
    who = known[0] if len(known) == 1 else derived
    text, _ = new_token(key, user=who, name=name, table=table, role=role, now=now, jti=f"cli-{who}-{now}")
    print(text)
