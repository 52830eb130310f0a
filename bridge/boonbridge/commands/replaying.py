"""``boonbridge replay``: a table's log from the beginning, or how the table stood at a moment, read from the folder.

Whether a server uses the folder or not, nothing is written there and nobody is told. A long log is read in pages.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import msgspec

from boonbridge.commands import asking
from boonbridge.commands.eyes import ROLES, viewer_of
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import games_with, settings, table_beside, which_table
from boonbridge.commands.lines import line
from boonbridge.commands.moments import records, standing
from boonbridge.commands.plain import so_many
from boonbridge.commands.progress import progress
from boonbridge.config import Config
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.rulesets.base import Ruleset
from boonbridge.store.beside import Beside
from boonbridge.store.refused import FolderRefused, KeyRefused
from boonbridge.tables.folding import LogBroken, as_it_stands, fold, pages
from boonbridge.tables.frames import encode, logged, told
from boonbridge.tables.ports import StoredCommit, StoreUnavailable, TableRow
from boonbridge.tables.rungs import Rungs
from boonbridge_schemas.base import Seq
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Hidden, Logged

_frame: msgspec.json.Decoder[Logged | Hidden] = msgspec.json.Decoder(Logged | Hidden)


def replay(
    data: Path | None,
    table: str | None,
    who: str,
    *,
    first: Seq | None,
    at: Seq | None,
    ruleset: str | None,
    as_json: bool,
) -> None:
    """Print the log, or one moment of it."""
    if at is not None and first is not None:
        fail("--at shows one moment, --from the log from a commit on: say one of them.")
    config = settings({"data": data, "ruleset": ruleset})
    games, _ = games_with(config.ruleset)
    table = which_table(config.data, table)
    try:
        asyncio.run(_replay(config, games, table, who, first=first or 1, at=at, as_json=as_json))
    except (FolderRefused, KeyRefused, LogBroken, StoreUnavailable) as problem:
        fail(f"{str(problem).rstrip('.')}.")
    except Refusal as problem:
        fail(problem.message)


async def _replay(
    config: Config, games: Mapping[str, Ruleset], table: str, who: str, *, first: Seq, at: Seq | None, as_json: bool
) -> None:
    async with table_beside(config, games, table) as (store, row, game):
        head, _ = await store.log.head(table)
        if max(first, at or 0) > max(head, 1):
            fail(f"The log of table {table!r} has {so_many(head, 'commit')}.")
        past = _Past(store, row, game, head)
        viewer = await past.viewer(who)
        if at is not None:
            _show_moment(await past.moment(at), viewer, as_json=as_json)
        else:
            await _show_log(past, viewer, first, as_json=as_json)
        sys.stdout.flush()


class _Past:
    """The log of one table up to the head that it had when it was opened."""

    def __init__(self, store: Beside, row: TableRow, ruleset: Ruleset, head: Seq) -> None:
        self.store = store
        self.row = row
        self.ruleset = ruleset
        self.head = head

    async def viewer(self, who: str) -> Viewer:
        """Whose eyes are meant. Of a person it is asked who he is now, so the whole log is folded first."""
        state = TableState.opening(self.ruleset, table=self.row.id)
        if who not in ROLES:
            with progress() as seen:
                state = await as_it_stands(self.store.log, self.row, self.ruleset, seen("commits read"))
        return viewer_of(state, who, await self.store.vault.people(self.row.id))

    async def folded(self, upto: Seq) -> AsyncIterator[tuple[Sequence[StoredCommit], list[TableState]]]:
        """Pages of the log, with the table as it stood after each commit."""
        state = TableState.opening(self.ruleset, table=self.row.id)
        async for commits in pages(self.store.log, self.row.id, upto):
            states = []
            for commit in commits:
                state = fold(state, commit)
                states.append(state)
            yield commits, states

    async def moment(self, seq: Seq) -> TableState:
        """The table as it stood after commit ``seq``; 0 is the empty table."""
        state = TableState.opening(self.ruleset, table=self.row.id)
        with progress() as seen:
            tell = seen("commits read")
            async for _, states in self.folded(seq):
                state = states[-1]
                tell(state.seq)
        return state


def _show_moment(state: TableState, viewer: Viewer, *, as_json: bool) -> None:
    if as_json:
        for record in records(state, viewer):
            asking.show(record)
        return
    for text in standing(state, viewer):
        sys.stdout.write(f"{text}\n")


async def _show_log(past: _Past, viewer: Viewer, first: Seq, *, as_json: bool) -> None:
    rungs = Rungs(past.row.id, past.store.vault)
    words = _Words()
    day = ""
    async for commits, states in past.folded(past.head):
        if commits[-1].seq < first:
            continue
        of = await rungs.of(commits)
        for commit, state in zip(commits, states, strict=True):
            if commit.seq < first:
                continue
            raw = encode(logged(told(commit), viewer, of[commit.seq], catchup=True))
            if as_json:
                asking.show(msgspec.Raw(raw))
                continue
            if (today := time.strftime("%Y-%m-%d", time.localtime(state.at / 1000))) != day:
                day = today
                sys.stdout.write(f"-- {day}\n")
            for text in line(_frame.decode(raw), words.of(state)):
                sys.stdout.write(f"{text}\n")
    if not as_json:
        sys.stdout.write(f"-- the last is #{past.head}\n")


class _Words:
    """The game as a table has it, made anew only where the table changed it."""

    def __init__(self) -> None:
        self._for: tuple[object, object] = (None, None)
        self._info: RulesetInfo | None = None

    def of(self, state: TableState) -> RulesetInfo:
        """The game's words as they were then."""
        now = (state.options, state.data)
        if self._info is None or now[0] is not self._for[0] or now[1] is not self._for[1]:
            self._for = now
            self._info = state.ruleset.info(state.options, state.data if state.edited else None)
        return self._info
