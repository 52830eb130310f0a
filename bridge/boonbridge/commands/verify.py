"""``boonbridge verify``: whether logs are what they say, in a data folder or in an export, and what could not be checked."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from boonbridge.commands.failing import fail
from boonbridge.commands.folder import games_with, settings, which_table
from boonbridge.commands.plain import day_and_time, plain, so_many, word
from boonbridge.commands.progress import progress
from boonbridge.config import Config
from boonbridge.core.upcasting import WrittenByNewer, header_of
from boonbridge.reading.evidence import UNREADABLE, Broken
from boonbridge.reading.exported import FileReport, lines_of, marked, verify_file
from boonbridge.reading.linking import Restart
from boonbridge.reading.verifying import Report
from boonbridge.rulesets.base import Ruleset
from boonbridge.store.beside import Beside, open_beside
from boonbridge.store.headmark import MarkCheck
from boonbridge.store.integrity import faults
from boonbridge.store.refused import FolderRefused, KeyRefused
from boonbridge.tables.ports import StoreUnavailable, TableRow
from boonbridge.tables.verified import Verified, verified

_MARKS = {
    MarkCheck.SHORTER: "the log ends before the mark that is kept beside it: its end was cut off",
    MarkCheck.DIFFERS: "the log has another commit where the mark beside it was made: its end was replaced",
    MarkCheck.UNREADABLE: "the mark that is kept beside it was not made with this table's key: one of them was changed",
}
_ABSENT = "there is no mark beside the log, so an end that was cut off or written anew could not be seen"
_UNMARKED = "Its mark was not checked, so it is not shown which bridge wrote any of it"


def verify(file: Path | None, data: Path | None, table: str | None, *, ruleset: str | None) -> None:
    """Verify a file, a table or all of them; say what was checked, or the first thing that does not hold."""
    config = settings({"data": data, "ruleset": ruleset})
    games, _ = games_with(config.ruleset)
    try:
        if file is not None:
            if table is not None:
                fail("A file holds one table. Leave --table out.")
            _file(file, config, games, with_key=data is not None)
        elif not asyncio.run(_folder(config, games, None if table is None else which_table(config.data, table))):
            sys.exit(1)
    except (FolderRefused, KeyRefused) as problem:
        fail(str(problem))
    except StoreUnavailable as problem:
        fail(f"{config.data}: {problem}.")


# --- a file ------------------------------------------------------------------------------------------------------
def _file(file: Path, config: Config, games: dict[str, Ruleset], *, with_key: bool) -> None:
    try:
        with file.open("rb") as source, progress() as seen:
            report = verify_file(lines_of(source), games.get, seen("commits verified"))
        key = asyncio.run(_key(config, report)) if with_key else None
        if key is not None and not marked(report.trailer, report.log.table, key):
            raise Broken(None, "its end is not marked with the key of this table: another bridge wrote it, or it was cut off")
    except OSError as problem:
        fail(f"{file} cannot be read: {problem.strerror}.")
    except Broken as found:
        fail(f"{file}: {found}.")
    head = report.head
    _tell(f"{file}: table {head.table} ({word(head.title)})", report.log, _of_a_file(report, key, with_key=with_key))


def _of_a_file(report: FileReport, key: bytes | None, *, with_key: bool) -> Iterator[str]:
    yield "its SHA-256: nothing in it was damaged. Whoever changes it on purpose can compute that anew, too"
    if key is not None:
        yield "its end: count, last hash, and the mark that only the bridge of this table can make"
    elif with_key:
        yield f"its end: count and last hash. {_UNMARKED}: the table's key of that epoch is not in this folder"
    else:
        yield f"its end: count and last hash. {_UNMARKED}: --data says where the table's key is"
    if report.head.names:
        yield "names of people are in the file, and proven by nothing"


async def _key(config: Config, report: FileReport) -> bytes | None:
    """The key of the file's table and epoch; None where this folder never served that epoch, or went back behind it.

    An epoch that was left behind by a backup has a key that nothing was ever marked with, so that its number is not used again.
    """
    log, store = report.log, open_beside(config.data, secret_file=config.secret_file)
    try:
        return await store.vault.table_key(log.table, log.epoch) if await _is_in(store, log.table, log.epoch) else None
    finally:
        await store.aclose()


async def _is_in(store: Beside, table: str, epoch: int) -> bool:
    """Whether the log of a table in a folder has commits of an epoch, or cannot say. Epochs only ever go up."""
    low, (high, _) = 1, await store.log.head(table)
    while low <= high:
        middle = (low + high) // 2
        try:
            its = [header_of(commit.header).epoch for commit in await store.log.read(table, after=middle - 1, limit=1)]
        except (*UNREADABLE, WrittenByNewer):
            return True
        if its in ([epoch], []):
            return True
        low, high = (middle + 1, high) if its[0] < epoch else (low, middle - 1)
    return False


# --- a folder ----------------------------------------------------------------------------------------------------
async def _folder(config: Config, games: dict[str, Ruleset], only: str | None) -> bool:
    """Whether all of it holds; every table is looked at."""
    if unsound := faults(config.data):
        print(f"boonbridge: {plain(f'The database in {config.data} is damaged: {unsound[0]}.')}", file=sys.stderr)
    store = open_beside(config.data, secret_file=config.secret_file)
    try:
        rows = [row for row in await store.tables.list_tables() if only in (None, row.id)]
        if not rows:
            print(f"There are no tables in {config.data}.")
        held = [await _table(store, row, games) for row in rows]
    finally:
        await store.aclose()
    if not unsound:
        print("The database is sound (integrity_check).")
    return all(held) and not unsound


async def _table(store: Beside, row: TableRow, games: dict[str, Ruleset]) -> bool:
    try:
        # The mark first: it may lag behind a log that grows, and never leads.
        lies = store.marks.read(row.id)
        mark = await store.marks.check(store.log, row.id, lambda epoch: store.vault.table_key(row.id, epoch))
        with progress() as seen:
            found = await verified(
                store.log,
                store.vault,
                store.snapshots,
                row,
                games.get,
                progress=_counted(seen, row.id),
            )
        if mark in _MARKS:
            raise Broken(None, _MARKS[mark])
    except (Broken, KeyRefused, StoreUnavailable) as problem:
        print(f"boonbridge: {plain(f'table {row.id}: {problem}'.removesuffix('.'))}.", file=sys.stderr)
        return False
    _tell(f"Table {row.id} ({word(row.title)})", found.log, _of_a_table(found, mark, 0 if lies is None else lies.seq))
    return True


def _counted(seen: Callable[[str], Callable[[int], None]], table: str) -> Callable[[int, int], None]:
    """What is told each commit, of a head that is known with the first."""
    told: list[Callable[[int], None]] = []

    def progressed(seq: int, head: int) -> None:
        if not told:
            told.append(seen(f"of {head} commits of table {table} verified"))
        told[0](seq)

    return progressed


def _of_a_table(found: Verified, mark: MarkCheck, upto: int) -> Iterator[str]:
    if mark is MarkCheck.ABSENT or not upto:
        yield _ABSENT
    elif upto < found.log.commits:
        yield f"the mark that is kept beside the log is that of commit {upto}: what comes after it could have been written anew"
    else:
        yield "its end: the mark that is kept beside the log"
    if found.snapshots:
        yield f"{so_many(found.snapshots, 'snapshot')}: what all commits before come to"
    if found.foreign:
        yield f"{so_many(found.foreign, 'snapshot')} of another build: not compared, and not used either"


# --- both --------------------------------------------------------------------------------------------------------
def _tell(what: str, log: Report, besides: Iterator[str]) -> None:
    """What holds and what could not be checked."""
    if not log.commits:
        print(plain(f"{what}: empty, nothing was ever written."))
        return
    print(plain(f"{what}: {so_many(log.commits, 'commit')}, the last of {day_and_time(log.at)}. Everything holds."))
    for line in (*_of_the_log(log), *besides):
        print(plain(f"  {line}"))


def _of_the_log(log: Report) -> Iterator[str]:
    yield f"every commit in its place, its hash over the one before it; the last is {log.hash.hex()}"
    yield "every seed was promised before it was used"
    dice = f"{so_many(log.dice, 'die', 'dice')} recomputed from seeds"
    if log.by_hand:
        dice += f"; {so_many(log.by_hand, 'die was', 'dice were')} rolled by hand and have none"
    yield dice
    if log.taped:
        yield f"{so_many(log.taped, 'die', 'dice')} came from a tape: this table was for trying things out, and proves nothing"
    for restart in log.restarts:
        yield f"a new epoch of seeds began with commit {restart.seq} ({restart.reason}){_moved(restart, log)}"
    if not log.whole:
        yield "inputs hidden: chain, promises and shown dice only"
        return
    if log.recomputed == log.commits:
        yield "every event recomputed by the rules"
    elif log.recomputed:
        yield f"the events of {so_many(log.recomputed, 'commit')} recomputed by the rules"
    for gap in log.gaps:
        here = "" if gap.here is None else f" (version {gap.here} is)"
        which = f"commits {gap.first} to {gap.last}"
        yield f"rules {gap.ruleset} version {gap.version} are not here{here}: {which} were not recomputed"


def _moved(restart: Restart, log: Report) -> str:
    return f"; before, the table was called {restart.table}" if restart.table != log.table else ""
