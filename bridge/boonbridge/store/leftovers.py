"""Copies of databases that were half made when somebody was killed. Nobody would look for them, and they keep what is deleted.

They go once it is certain that nobody is at them. What has its name is none, and may not be touched here.
"""

import shutil
import time
from contextlib import suppress
from pathlib import Path

from boonbridge.store.places import BACKUPS

RESTORING = ".restoring-"
"""What the folder is called, with more behind it, in which a backup is unpacked before it is put back."""

_IDLE = 3_600
"""Seconds after which nobody is writing to the draft of a backup any more."""


def sweep(folder: Path) -> None:
    """Delete what is left in a data folder that is locked, so that nobody restores into it. A backup may be under way in it."""
    for left in folder.glob(f"{RESTORING}*"):
        shutil.rmtree(left, ignore_errors=True)
    for left in (folder / BACKUPS).glob(".*.zip.*"):
        with suppress(OSError):
            if time.time() - max(path.stat().st_mtime for path in (left, *left.iterdir())) > _IDLE:
                shutil.rmtree(left, ignore_errors=True)
