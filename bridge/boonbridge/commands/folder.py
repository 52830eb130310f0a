"""What commands on a data folder begin with: its settings, the games there are, and which table is meant."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from boonbridge import config as configuration
from boonbridge.commands.failing import fail
from boonbridge.config import Config, ConfigRefused
from boonbridge.rulesets import registry
from boonbridge.rulesets.base import Ruleset
from boonbridge.store.beside import Beside, open_beside
from boonbridge.store.open import list_tables
from boonbridge.store.refused import FolderRefused
from boonbridge.tables.ports import TableRow


def settings(flags: Mapping[str, Any]) -> Config:
    """The configuration, or the sentence that says what does not fit."""
    try:
        return configuration.load(flags)
    except ConfigRefused as problem:
        fail(str(problem))


def games_with(ruleset: str) -> tuple[dict[str, Ruleset], str]:
    """The games there are, and the id of the one that is meant by its id or by the path of its file."""
    try:
        games = registry.discover()
        if ruleset.endswith(".py"):
            game = registry.load(ruleset)
            if game.id in games:
                fail(f"{ruleset} calls its game {game.id!r}, and there is one of that id already. Give it an id of its own.")
            games[game.id] = game
            ruleset = game.id
    except registry.NotARuleset as problem:
        fail(str(problem))
    if ruleset not in games:
        fail(f"There is no ruleset {ruleset!r}. There is: {', '.join(games)}, or the path of a game's file (./game.py).")
    return games, ruleset


def game_of(what: str, ruleset: str, games: Mapping[str, Ruleset]) -> Ruleset:
    """The game that ``what`` is of, or the sentence that says that it is not here."""
    if ruleset not in games:
        fail(f"{what} plays {ruleset}, which is not here. A game in a file: --ruleset FILE.py")
    return games[ruleset]


def which_table(folder: Path, table: str | None) -> str:
    """The table that is meant, or the sentence that says which there are."""
    try:
        known = [row.id for row in list_tables(folder)]
    except FolderRefused as problem:
        fail(str(problem))
    if not known:
        fail(f"There is no table in {folder} yet. `boonbridge serve` makes one, and so does `boonbridge table new NAME`.")
    if table is None:
        if len(known) == 1:
            return known[0]
        fail(f"Which table? Say --table with one of: {', '.join(known)}.")
    if table not in known:
        fail(f"There is no table {table!r} in {folder}. There is: {', '.join(known)}.")
    return table


@asynccontextmanager
async def table_beside(
    config: Config, games: Mapping[str, Ruleset], table: str
) -> AsyncIterator[tuple[Beside, TableRow, Ruleset]]:
    """A table of a folder to be read, also while a server uses it: what is read, its row and its game.

    Raises:
        FolderRefused, StoreUnavailable: the folder cannot be read.
    """
    store = open_beside(config.data, secret_file=config.secret_file)
    try:
        row = await store.tables.get_table(table)
        if row is None:
            fail(f"Table {table!r} is gone.")
        yield store, row, game_of(f"Table {table!r}", row.ruleset, games)
    finally:
        await store.aclose()
