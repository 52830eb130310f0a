"""``boonbridge backup``: everything a data folder holds, in one file, also while the server runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boonbridge import __version__
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import settings
from boonbridge.commands.plain import plain, so_many
from boonbridge.running import SystemClock
from boonbridge.store.backup import back_up
from boonbridge.store.backup_file import Manifest
from boonbridge.store.places import BACKUPS
from boonbridge.store.refused import BackupRefused, FolderRefused


def backup(flags: dict[str, Any], out: Path | None) -> None:
    """Make one, by default in the folder itself, and say what is in it."""
    config = settings(flags)
    now = SystemClock().now()
    target = _target(config.data, out, now)
    try:
        manifest = back_up(config.data, target, secret_file=config.secret_file, bridge=__version__, made=now)
    except (BackupRefused, FolderRefused) as problem:
        fail(str(problem))
    print(plain(f"{target}: {_size(target.stat().st_size)}, {in_words(manifest)}."))
    if manifest.holds_secret:
        print("It holds the keys of every table: treat it like a password, and keep a copy on another disk.")
    else:
        print(
            plain(
                f"The node secret is not in it, since it lies elsewhere ({config.secret_file}). "
                "Keep a copy of that too: without it nothing in the backup opens."
            )
        )


def in_words(manifest: Manifest) -> str:
    """The tables of a backup, and how far each goes."""
    if not manifest.tables:
        return "no table"
    return ", ".join(f"{table.id} ({so_many(table.seq, 'commit')})" for table in manifest.tables)


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{-(-count // 2**10)} KiB"


def in_a_name(moment: int) -> str:
    """A time in Unix milliseconds as it may stand in the name of a file."""
    return f"{datetime.fromtimestamp(moment / 1000, UTC):%Y-%m-%dT%H-%M-%SZ}"


def _target(folder: Path, out: Path | None, now: int) -> Path:
    name = f"boonbridge-{in_a_name(now)}.zip"
    if out is not None:
        return out / name if out.is_dir() else out
    if folder.is_dir():  # otherwise there is nothing to back up, which is said, and nothing to be made for it
        try:
            (folder / BACKUPS).mkdir(mode=0o700, exist_ok=True)
        except OSError as problem:
            fail(f"{folder / BACKUPS} cannot be made: {problem.strerror}.")
    return folder / BACKUPS / name
