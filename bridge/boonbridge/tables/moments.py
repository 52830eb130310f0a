"""How a table stood after some commit of its past: folded as it was then, beside the commands of now."""

import asyncio
from collections import OrderedDict

from boonbridge.core.state import TableState
from boonbridge_schemas.base import Seq
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

from .folding import fold
from .snapshots import EVERY, Keeping
from .table import Table

_PAGE = 50
"""Commits that are folded before others at the same server get their turn. ``EVERY`` is a multiple of it."""

_PAGES = 24
_LATEST = 8
"""Moments of a table that are kept: at the ends of pages, and those that were asked for last. So whoever goes step by step folds
one commit forwards, and at most a page backwards."""


class Moments:
    """The past of one table. One moment is folded at a time, however many ask."""

    def __init__(self, table: Table, keeping: Keeping) -> None:
        self._table = table
        self._keeping = keeping
        self._one = asyncio.Lock()
        self._pages: OrderedDict[Seq, TableState] = OrderedDict()
        self._latest: OrderedDict[Seq, TableState] = OrderedDict()

    async def at(self, seq: Seq) -> TableState:
        """The state after commit ``seq``; 0 is the empty table.

        Raises:
            Refusal: ``proof.unknown``, where the log does not go so far.
        """
        if seq > self._table.state.seq:
            raise Refusal(Code.PROOF_UNKNOWN, values={"seq": seq})
        if seq == self._table.state.seq:
            return self._table.state
        async with self._one:
            return await self._folded(seq)

    async def _folded(self, seq: Seq) -> TableState:
        state = await self._nearest(seq)
        kept = await self._keeping.shelf.seqs() if state.seq // EVERY < seq // EVERY else frozenset()
        while state.seq < seq:
            limit = min(_PAGE - state.seq % _PAGE, seq - state.seq)
            commits = await self._table.read(after=state.seq, limit=limit)
            if not commits:  # the table is being deleted
                raise Refusal(Code.PROOF_UNKNOWN, values={"seq": seq})
            for commit in commits:
                state = fold(state, commit)
            if state.seq % _PAGE == 0:
                _keep(self._pages, state, _PAGES)
            if state.seq % EVERY == 0 and state.seq not in kept:
                self._keeping.keep(state, commits[-1].hash)
            await asyncio.sleep(0)
        _keep(self._latest, state, _LATEST)
        return state

    async def _nearest(self, seq: Seq) -> TableState:
        """The latest state before ``seq``, or of it, that need not be folded."""
        kept = {**self._pages, **self._latest}
        near = kept.get(max((at for at in kept if at <= seq), default=-1))
        if near is not None and seq - near.seq <= _PAGE:
            return near
        found = await self._keeping.shelf.nearest(seq)
        if found is not None and (near is None or found[0].seq > near.seq):
            return found[0]
        now = self._table.state
        return near or TableState.opening(now.ruleset, table=now.table)


def _keep(kept: OrderedDict[Seq, TableState], state: TableState, most: int) -> None:
    kept[state.seq] = state
    kept.move_to_end(state.seq)
    if len(kept) > most:
        kept.popitem(last=False)
