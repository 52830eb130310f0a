"""How a table stood after some commit of its past: folded as it was then, beside the commands of now."""

import asyncio
from collections import OrderedDict

from boonbridge.core.state import TableState
from boonbridge_schemas.base import Seq
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

from .folding import fold
from .table import Table

_PAGE = 50
"""Commits that are folded before others at the same server get their turn."""

_KEPT = 24
"""Moments of a table that are kept, the last used ones: who goes step by step folds one commit forwards, a page backwards."""


class Moments:
    """The past of one table. One is folded at a time, however many ask."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._one = asyncio.Lock()
        self._kept: OrderedDict[Seq, TableState] = OrderedDict()

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
        state = self._nearest(seq)
        while state.seq < seq:
            for commit in await self._table.read(after=state.seq, limit=min(_PAGE, seq - state.seq)):
                state = fold(state, commit)
            self._keep(state)
            await asyncio.sleep(0)
        self._keep(state)
        return state

    def _nearest(self, seq: Seq) -> TableState:
        near = max((kept for kept in self._kept if kept <= seq), default=None)
        if near is not None:
            return self._kept[near]
        now = self._table.state
        return TableState.opening(now.ruleset, table=now.table)

    def _keep(self, state: TableState) -> None:
        self._kept[state.seq] = state
        self._kept.move_to_end(state.seq)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
