"""A table's log as a file: the lines, one after another, for somebody's eyes or complete.

What is in a line is decided by ``shown``, as for a proof. Files, folders and terminals may not be here.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from hashlib import sha256

import msgspec

from boonbridge.core.chain import GENESIS, head_mark, leaf, link
from boonbridge.core.ladder import Rung, promised_by
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import header_of
from boonbridge.core.visibility import Viewer
from boonbridge_schemas.base import PARTS, Moment, Role, UserId
from boonbridge_schemas.export import (
    EXPORT_FORMAT,
    ExportCommit,
    ExportEnd,
    ExportHead,
    ExportLine,
    ExportTrailer,
    ExportViewer,
)

from .folding import LogBroken, pages
from .ports import EventStore, StoredCommit, Vault
from .rungs import Rungs
from .shown import shown

_NOBODY: UserId = ""
_encode = msgspec.json.Encoder().encode


def nobody(role: Role) -> Viewer:
    """The eyes of somebody of that role who never sent anything."""
    return Viewer(_NOBODY, role)


class Lines:
    """The lines of one export, to be asked for in order: ``head``, every commit, ``end``. Each ends with its line feed.

    ``viewer`` None: complete. ``state``: how the table stood after the last commit that goes in, which says what was revealed.
    """

    def __init__(self, viewer: Viewer | None, state: TableState) -> None:
        self._viewer = viewer
        self._state = state
        self._sum = sha256()
        self._seq = 0
        self._hash = GENESIS
        self._epoch = 0
        self._first = 0

    def head(self, *, bridge: str, made: Moment, names: Mapping[UserId, str]) -> bytes:
        """The line that says what this is. ``names``: of those who are at the table, and whose name was not erased."""
        state, viewer = self._state, self._viewer
        known = {user: names[user] for user, member in state.people.items() if user in names and not member.erased}
        return self._line(
            ExportHead(
                format=EXPORT_FORMAT,
                table=state.table,
                title=state.title,
                ruleset=state.ruleset.id,
                bridge=bridge,
                made=made,
                viewer=None if viewer is None else ExportViewer(role=viewer.role, user=viewer.user or None),
                names=known,
            )
        )

    def commit(self, commit: StoredCommit, rung: Rung) -> bytes:
        """The line of the next commit.

        Raises:
            LogBroken: It is not the next one, or its hash is not that of what is stored.
        """
        if commit.seq != self._seq + 1:
            raise LogBroken(f"table {commit.table}: commit {self._seq + 1} is missing, {commit.seq} follows")
        leaves = {name: leaf(rung.salts[name], raw) for name, raw in zip(PARTS, commit.parts, strict=True)}
        if link(self._hash, commit.header, leaves) != commit.hash:
            raise LogBroken(f"table {commit.table}: commit {commit.seq} is not what was written: its hash is another")
        epoch = header_of(commit.header).epoch
        if epoch != self._epoch:
            self._epoch, self._first = epoch, commit.seq
        line = ExportCommit(
            seq=commit.seq,
            prev_hash=self._hash.hex(),
            hash=commit.hash.hex(),
            header=commit.header.decode(),
            parts=dict(shown(commit, rung, self._viewer, self._state)),
            promised_by=promised_by(commit.seq, self._first),
        )
        self._seq, self._hash = commit.seq, commit.hash
        return self._line(line)

    def end(self, key: bytes) -> Iterator[bytes]:
        """The trailer, under the table's key of the last epoch, and the last line."""
        mac = head_mark(key, self._state.table, self._epoch, self._seq, self._hash)
        yield self._line(ExportTrailer(count=self._seq, hash=self._hash.hex(), epoch=self._epoch, mac=mac.hex()))
        yield self._line(ExportEnd(sha256=self._sum.hexdigest()))

    def _line(self, line: ExportLine) -> bytes:
        raw = _encode(line) + b"\n"
        self._sum.update(raw)
        return raw


class NotOpenedYet(Exception):  # noqa: N818 - no class of ours is called Error
    """The table came from elsewhere and has no key of its own yet; opening it once gives it one."""


async def exported(
    log: EventStore,
    vault: Vault,
    state: TableState,
    viewer: Viewer | None,
    *,
    bridge: str,
    made: Moment,
    with_names: bool = True,
    seen: Callable[[int], None],
) -> AsyncIterator[bytes]:
    """Every line of an export of the table up to ``state``, so that its length costs no memory.

    Raises:
        LogBroken, NotOpenedYet, Refusal, StoreUnavailable: It cannot be written; what came before is to be thrown away.
    """
    key = await vault.table_key(state.table, state.epoch)
    if key is None:
        raise NotOpenedYet
    lines = Lines(viewer, state)
    rungs = Rungs(state.table, vault)
    yield lines.head(bridge=bridge, made=made, names=await vault.people(state.table) if with_names else {})
    async for commits in pages(log, state.table, state.seq):
        of = await rungs.of(commits)
        for commit in commits:
            yield lines.commit(commit, of[commit.seq])
        seen(commits[-1].seq)
    for line in lines.end(key):
        yield line
