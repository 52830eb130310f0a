"""A backup each day, made by the server itself: at its first start of a day and then daily. The last seven are kept.

Made beside the table's work, in a thread of its own. What goes wrong is never silent, and is tried again within the hour; an
older backup goes only when a newer one is there. Days are those of UTC, so that they are the same everywhere.
"""

import asyncio
import shutil
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import structlog

from boonbridge.store.backup import back_up
from boonbridge.store.places import BACKUPS
from boonbridge.store.refused import BackupRefused, FolderRefused
from boonbridge.tables.ports import Timer

log = structlog.get_logger("boonbridge.store")

KEPT = 7
_AGAIN_MS = 3_600_000
"""A machine that slept does not count the hours, so the day is looked at once an hour."""
_SPARE = 64 * 2**20
"""What has to stay free for the table, which cannot go on without it."""
_PREFIX = "daily-"


class Daily:
    """The backups of one folder. ``told`` hears of each attempt: when it was, and whether it came to a backup."""

    def __init__(
        self, folder: Path, timer: Timer, *, secret_file: Path | None, bridge: str, told: Callable[[int, bool], None]
    ) -> None:
        self._folder = folder
        self._timer = timer
        self._secret_file = secret_file
        self._bridge = bridge
        self._told = told
        self._call_off: Callable[[], None] = lambda: None
        self._making: asyncio.Task[None] | None = None
        self._stopped = threading.Event()
        self.failing = False

    def start(self) -> None:
        """Make today's where there is none yet, and go on each day."""
        self._call_off = self._timer.at(self._timer.now() + _AGAIN_MS, self.start)
        if self._making is None or self._making.done():
            self._making = asyncio.get_running_loop().create_task(self._look())

    async def aclose(self) -> None:
        """Make no more. What is half made is left undone; the next start makes it."""
        self._stopped.set()
        self._call_off()
        if self._making is not None:
            await self._making

    async def _look(self) -> None:
        now = self._timer.now()
        target = self._folder / BACKUPS / f"{_PREFIX}{datetime.fromtimestamp(now / 1000, UTC):%Y-%m-%d}.zip"
        try:
            await asyncio.to_thread(self._make, target, now)
        except InterruptedError:
            return
        except (BackupRefused, FolderRefused, OSError) as problem:
            self.failing = True
            log.error("the daily backup failed", reason=str(problem))  # noqa: TRY400 - the reason is enough
        else:
            self.failing = False
        self._told(now, not self.failing)

    def _make(self, target: Path, now: int) -> None:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        if target.exists():
            return
        for left in target.parent.glob(f".{_PREFIX}*"):  # of one that was killed
            shutil.rmtree(left, ignore_errors=True)
        back_up(
            self._folder,
            target,
            secret_file=self._secret_file,
            bridge=self._bridge,
            made=now,
            spare=_SPARE,
            stopped=self._stopped.is_set,
        )
        log.info("backup made", path=str(target), bytes=target.stat().st_size)
        for old in sorted(target.parent.glob(f"{_PREFIX}????-??-??.zip"))[:-KEPT]:
            old.unlink()
