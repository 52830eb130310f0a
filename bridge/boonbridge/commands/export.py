"""``boonbridge export``: a table's log as one file, read from the folder, whether a server is using it or not."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from boonbridge import __version__
from boonbridge.commands.eyes import ROLES, viewer_of
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import games_with, settings, table_beside, which_table
from boonbridge.commands.plain import plain, so_many, word
from boonbridge.commands.progress import progress
from boonbridge.config import Config
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import SystemClock
from boonbridge.store.refused import FolderRefused, KeyRefused
from boonbridge.tables.exporting import NotOpenedYet, exported
from boonbridge.tables.folding import LogBroken, as_it_stands
from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.refusal import Refusal

_TO_PIPE = Path("-")


def export(
    data: Path | None,
    table: str | None,
    who: str | None,
    *,
    complete: bool,
    out: Path | None,
    with_names: bool,
    force: bool,
    ruleset: str | None,
) -> None:
    """Write the file, and say what it is."""
    if complete and who is not None:
        fail("A complete export is for nobody's eyes but the operator's: say either --complete or --as.")
    config = settings({"data": data, "ruleset": ruleset})
    games, _ = games_with(config.ruleset)
    table = which_table(config.data, table)
    who = None if complete else "player" if who is None else who
    path = out or Path(f"{table}-{'complete' if who is None else _in_a_name(who)}.jsonl")
    try:
        with _written(path, force=force) as file:
            count = asyncio.run(_export(config, games, table, who, file, with_names=with_names))
    except (FolderRefused, KeyRefused, LogBroken, StoreUnavailable) as problem:
        fail(f"{str(problem).rstrip('.')}.")
    except Refusal as problem:
        fail(problem.message)
    except NotOpenedYet:
        fail(f"Table {table!r} has not been opened since it was imported. Start `boonbridge serve` on this folder once.")
    if path == _TO_PIPE:
        return
    print(plain(f"{path}: {so_many(count, 'commit')} of table {table}, {_what(who)}"))


def _what(who: str | None) -> str:
    if who is None:
        return "complete: every hidden roll is in it. Keep it as you keep a backup; `boonbridge import` reads it."
    return f"as {ROLES.get(who, word(who))} may see it. Check it with: boonbridge verify FILE"


def _in_a_name(who: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in who)


async def _export(
    config: Config, games: dict[str, Ruleset], table: str, who: str | None, file: BinaryIO, *, with_names: bool
) -> int:
    async with table_beside(config, games, table) as (store, row, game):
        with progress() as seen:
            state = await as_it_stands(store.log, row, game, seen("commits read"))
            if not state.seq:
                fail(f"Table {table!r} is empty: nothing was ever written. Start `boonbridge serve` on this folder once.")
            viewer = None if who is None else viewer_of(state, who, await store.vault.people(table))
            lines = exported(
                store.log,
                store.vault,
                state,
                viewer,
                bridge=__version__,
                made=SystemClock().now(),
                with_names=with_names,
                seen=seen("commits written"),
            )
            async for line in lines:
                file.write(line)
        return state.seq


@contextmanager
def _written(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """A file that is there wholly or not at all, for its owner's eyes; ``-`` is standard output."""
    if path == _TO_PIPE:
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # whoever read has seen enough
            raise
        except OSError as problem:
            fail(f"Standard output cannot be written: {problem.strerror}.")
        return
    if path.is_dir():
        fail(f"{path} is a folder. Say --out with the name of a file.")
    if path.exists() and not path.is_file():
        fail(f"{path} is no file, and is not replaced by one. Say --out with the name of a file, or - for standard output.")
    if not force and path.exists():
        fail(f"{path} is there already. Say --force to write over it, or --out with another name.")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # for its owner's eyes
        draft = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as problem:
        fail(f"{path} cannot be written: {problem.strerror}.")
