"""Many tables, few writes: whatever is queued when the store is free is written together.

A batch never waits for more, so a lone roll is written at once; while one batch is being written the next one gathers. What
a commit is, and what to do after a conflict, may not be known here.
"""

import asyncio
from collections import deque

from boonbridge.tables.ports import AppendResult, EventStore, StoreDamaged, StoredCommit, StoreUnavailable

_Waiting = tuple[StoredCommit, "asyncio.Future[AppendResult]"]


class Batcher:
    """Gathers commits of many tables for one store. It does not own the store.

    ``failing``: the last batch could not be written. A table can be looked at then, but nothing can be done there.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._queue: deque[_Waiting] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.failing = False

    async def append(self, commit: StoredCommit) -> AppendResult:
        """Have a commit written. Raises ``StoreUnavailable``.

        A caller that is cancelled takes nothing back: what was queued is written.
        """
        if self._closed:
            raise StoreUnavailable("The store is closing.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[AppendResult] = loop.create_future()
        self._queue.append((commit, future))
        if self._task is None:
            self._task = loop.create_task(self._run(), name="boonbridge-batcher")
        return await future

    async def aclose(self) -> None:
        """Take no more, and finish what is queued."""
        self._closed = True
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _run(self) -> None:
        """The one loop: lives from the first commit in an empty queue until the queue is empty again."""
        try:
            while self._queue:
                await self._write(self._take())
        finally:
            self._task = None

    def _take(self) -> list[_Waiting]:
        """Everything that is queued, but one commit of each table: a second one stays, in its order, for the next batch."""
        batch: list[_Waiting] = []
        later: deque[_Waiting] = deque()
        tables: set[str] = set()
        for waiting in self._queue:
            if waiting[0].table in tables:
                later.append(waiting)
            else:
                tables.add(waiting[0].table)
                batch.append(waiting)
        self._queue = later
        return batch

    async def _write(self, batch: list[_Waiting]) -> None:
        commits = [commit for commit, _ in batch]
        try:
            assert len({commit.table for commit in commits}) == len(commits), "two commits of one table in a batch"
            results = await self._store.append(commits)
            assert len(results) == len(commits), "a store answers every commit of a batch"
        except asyncio.CancelledError:
            # Only when the whole loop is being torn down; whether the batch is on disk is not known any more.
            for _, future in batch:
                future.cancel()
            raise
        except Exception as cause:  # noqa: BLE001 - every waiter is told, and the next batch gets its chance
            self.failing = True
            for _, future in batch:
                if not future.done():
                    future.set_exception(_told(cause))
        else:
            self.failing = False
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():  # its waiter was cancelled; the commit is on disk all the same
                    future.set_result(result)


def _told(cause: Exception) -> Exception:
    """The same trouble for each waiter, as an exception of its own: a shared one would collect all their tracebacks."""
    told: Exception = RuntimeError("the store failed")
    if isinstance(cause, StoreUnavailable):
        told = (StoreDamaged if isinstance(cause, StoreDamaged) else StoreUnavailable)(str(cause))
    told.__cause__ = cause
    return told
