"""A thread with one SQLite connection of its own, which runs whole pieces of work one after another.

Work goes in through a queue and comes back as an asyncio future. Because a piece of work is a plain function that the
thread runs to its end, a cancelled caller can never leave a transaction half-open. What the work is (SQL, tables, keys)
may not be in here.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import apsw

from boonbridge.store.refused import FolderRefused
from boonbridge.tables.ports import StoreDamaged, StoreUnavailable

T = TypeVar("T")
Work = Callable[[apsw.Connection], T]

# What the machine does to us, as opposed to what we did wrong ourselves (SQLError, MisuseError, ...).
_OUTSIDE = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.ConnectionClosedError,
    apsw.CorruptError,
    apsw.FullError,
    apsw.IOError,
    apsw.InterruptError,
    apsw.LockedError,
    apsw.NoMemError,
    apsw.NotADBError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)
# After these the connection is not to be trusted with the next piece of work; a new one is opened for it.
_BROKEN = (apsw.CantOpenError, apsw.ConnectionClosedError, apsw.CorruptError, apsw.IOError, apsw.NotADBError)
_DAMAGED = (apsw.CorruptError, apsw.NotADBError)


def cure(cause: apsw.Error) -> str:
    """What to do about a database that is damaged, as a sentence behind another; nothing where it is not."""
    if not isinstance(cause, _DAMAGED):
        return ""
    return " It is damaged, and what is in it is not to be relied on: put a backup back with boonbridge restore FILE"


def _no_rest(_: apsw.Connection) -> None:
    pass


class Worker:
    """Runs work on one connection. ``rest`` is run after each answer, when nobody waits for it."""

    def __init__(
        self, connect: Callable[[], apsw.Connection], *, name: str, rest: Callable[[apsw.Connection], None] = _no_rest
    ) -> None:
        self._connect = connect
        self._rest = rest
        self._jobs: SimpleQueue[tuple[Work[Any], asyncio.AbstractEventLoop, asyncio.Future[Any]] | None] = SimpleQueue()
        # Opened here and not in the thread, so that whoever opens the store hears why it cannot be opened.
        self._connection: apsw.Connection | None = connect()
        self._file = self._connection.filename
        self._closed = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, work: Work[T]) -> asyncio.Future[T]:
        """Queue a piece of work. Its future raises ``StoreUnavailable`` where the machine does not play along."""
        if self._closed:
            raise StoreUnavailable("The store is closed.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((work, loop, future))
        return future

    def close(self) -> None:
        """Take no more work; what is queued is still done. Does not wait for it."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)

    async def aclose(self) -> None:
        """Finish what is queued, close the connection, end the thread."""
        self.close()
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, loop, future = job
            if future.cancelled():  # nobody will read it, and a write is done wholly or not at all
                continue
            result: Any = None
            error: Exception | None = None
            try:
                result = self._do(work)
            except Exception as raised:  # noqa: BLE001 - it is handed to whoever waits
                error = raised
            with suppress(RuntimeError):  # the loop has been closed: nobody waits any more
                loop.call_soon_threadsafe(_answer, future, result, error)
            del job, work, future, result, error
            if self._connection is not None:
                with suppress(apsw.Error):  # nobody waits for it, and the next work meets the same trouble and tells
                    self._rest(self._connection)
        self._drop()

    def _do(self, work: Work[T]) -> T:
        try:
            if self._connection is None:
                self._connection = self._connect()
            return work(self._connection)
        except _OUTSIDE as cause:
            self._undo(broken=isinstance(cause, _BROKEN))
            if isinstance(cause, _DAMAGED):
                raise StoreDamaged(f"{self._file} cannot be used: {cause}.{cure(cause)}") from cause
            raise StoreUnavailable(f"{self._file} cannot be used just now: {cause}") from cause
        except FolderRefused as cause:  # opened anew, it is none of ours any more
            raise StoreDamaged(str(cause)) from cause
        except Exception:
            self._undo(broken=False)
            raise

    def _undo(self, *, broken: bool) -> None:
        """Leave no transaction open, whatever happened."""
        if self._connection is None:
            return
        try:
            if not broken and self._connection.in_transaction:  # SQLite has rolled back by itself after some failures
                self._connection.execute("ROLLBACK")
        except apsw.Error:
            broken = True
        if broken:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close(True)  # force: a transaction still open is rolled back
            self._connection = None


def _answer(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():  # cancelled meanwhile
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
