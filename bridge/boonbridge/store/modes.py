"""Who on this machine may read what a bridge keeps: its own user alone.

Files are made with the right modes. A folder that was copied, unpacked or mounted may have others; what is ours is mended, and
what was done is said. Where a key cannot be mended, it is not used: whoever read it once could mint tokens for ever.
"""

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

import structlog

from boonbridge.store.places import ASIDE, BACKUPS
from boonbridge.store.refused import FolderRefused

_log = structlog.get_logger("boonbridge.store")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_POSIX = os.name == "posix"
_KEPT = ("log.sqlite", "log.sqlite-wal", "log.sqlite-shm", "node.key", "lock", "admin.json")


def mend_folder(folder: Path, known: Collection[str]) -> None:
    """Take from everybody else what they may do with a data folder, before anything is put there.

    Where it holds other things than those that are ``known`` it may be somebody's home, named by a slip: its mode is kept.

    Raises:
        FolderRefused: Everybody may write into the folder, and that is not or cannot be changed: they could put a key there.
    """
    if not _POSIX:  # Windows: a user's folder is his own, by other means
        return
    if all(entry.name in known or entry.name in _KEPT for entry in folder.iterdir()):
        _mended(folder)
    elif _mode(folder) & _OTHERS:
        _log.warning("others may look into this folder; it holds other things, so its mode is kept", path=str(folder))
    if _mode(folder) & stat.S_IWOTH:
        raise FolderRefused(f"Everybody here may write into {folder}: chmod 700 it, or choose another folder with --data.")


def mend_files(folder: Path, heads: str) -> None:
    """The same for the files in it that are a bridge's. ``heads``: the name of the folder of head marks in it."""
    if _POSIX:
        for path in _of_ours(folder, heads):
            _mended(path)


def mend_key(path: Path) -> None:
    """The same for the file of a node secret, wherever it lies. Its group may read it where it belongs to somebody else.

    Raises:
        FolderRefused: Everybody may read it, and that cannot be changed.
    """
    if _POSIX and path.exists() and _mended(path) is False and _mode(path) & stat.S_IRWXO:
        raise FolderRefused(
            f"Everybody on this machine can read {path}, and that could not be changed. It opens everything: chmod 600 it, "
            "or 440 where it belongs to another user."
        )


def _of_ours(folder: Path, heads: str) -> Iterator[Path]:
    yield from (folder / name for name in _KEPT)
    yield folder / BACKUPS
    yield from sorted((folder / BACKUPS).glob("*.zip"))
    yield from sorted(folder.glob(f"{ASIDE}*"))
    yield folder / heads
    if (folder / heads).is_dir():
        yield from sorted((folder / heads).glob("head-*"))


def _mended(path: Path) -> bool | None:
    """Whether a wrong mode could be changed; None where it was right, or there is nothing."""
    try:
        mode = _mode(path)
        if not mode & _OTHERS or path.is_symlink():
            return None
        path.chmod(mode & ~_OTHERS)
    except FileNotFoundError:
        return None
    except OSError as cause:
        _log.warning("others may use this, and that could not be changed", path=str(path), reason=cause.strerror)
        return False
    if _mode(path) & _OTHERS:  # a file system that knows no modes says yes and does nothing
        _log.warning("others may use this, and that could not be changed", path=str(path), reason="no modes here")
        return False
    _log.warning("others could use this; now they cannot", path=str(path), was=f"{mode:04o}", now=f"{mode & ~_OTHERS:04o}")
    return True


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
