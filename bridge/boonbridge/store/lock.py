"""The lock of a data folder: whoever holds it is the only one who changes anything there."""

from pathlib import Path

from filelock import FileLock, Timeout

from boonbridge.store.places import LOCK
from boonbridge.store.refused import FolderInUse, FolderRefused


def locked(folder: Path) -> FileLock:
    """Take the lock of a folder, making the folder where there is none; to be released by whoever took it.

    Raises:
        FolderInUse: Another server has it.
        FolderRefused: The folder cannot be used; the message says why.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK, timeout=0, mode=0o600, thread_local=False)
        lock.acquire()
    except Timeout as cause:
        raise FolderInUse(
            f"Another Boonbridge server is using {folder}. Stop it first, or give this one a folder of its own with --data."
        ) from cause
    except OSError as cause:
        raise FolderRefused(f"{folder} cannot be used as data folder: {cause.strerror}.") from cause
    return lock
