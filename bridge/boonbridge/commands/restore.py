"""``boonbridge restore``: a backup in the place of what a data folder holds, once it was said what goes and what comes back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boonbridge.commands.agreeing import agreed
from boonbridge.commands.backup import in_a_name
from boonbridge.commands.failing import fail
from boonbridge.commands.folder import settings
from boonbridge.commands.plain import plain, so_many, word
from boonbridge.running import SystemClock
from boonbridge.store.backup_file import Held
from boonbridge.store.places import DATABASE
from boonbridge.store.refused import BackupRefused, FolderRefused, KeyRefused
from boonbridge.store.restoring import Restored, Waiting, unpacked
from boonbridge.store.since import names, undone


def restore(flags: dict[str, Any], file: Path, *, yes: bool) -> None:
    """Put it back, or say why not; then nothing was changed."""
    config = settings(flags)
    folder, done = config.data, None
    try:
        with unpacked(file, folder, secret_file=config.secret_file) as (waiting, put):
            print(plain("\n".join(_told(file, folder, waiting))), flush=True)
            if yes or agreed():
                done = put(in_a_name(SystemClock().now()))
    except (BackupRefused, FolderRefused, KeyRefused) as problem:
        fail(str(problem))
    if done is None:
        fail("Nothing was done.")
    print(plain(_so_it_is(folder, done)))


def _told(file: Path, folder: Path, waiting: Waiting) -> Iterator[str]:
    manifest = waiting.manifest
    made = datetime.fromtimestamp(manifest.made / 1000, UTC)
    yield f"{file}, made {made:%Y-%m-%d %H:%M} UTC by Boonbridge {word(manifest.bridge)}, holds:"
    yield from (f"  {table.id}  {word(table.title)}: {so_many(table.seq, 'commit')}" for table in manifest.tables)
    if not manifest.tables:
        yield "  no table"
    if waiting.lost:
        yield f"What is in {folder} now cannot be read, so it is not known what goes."
    elif waiting.there is not None:
        yield f"In {folder} now:"
        yield from _goes(folder, waiting, waiting.there)
    if waiting.there is not None or waiting.lost:
        yield "What is there now is moved aside, and not deleted."
    yield "Every table begins new seeds when it is opened: dice that were shown since are never served again."


def _goes(folder: Path, waiting: Waiting, there: tuple[Held, ...]) -> Iterator[str]:
    held = {table.id: table for table in waiting.manifest.tables}
    back: list[str] = []
    for now in there:
        what = f"  {now.id}  {word(now.title)}: {so_many(now.seq, 'commit')}; "
        if (then := held.get(now.id)) is None:
            yield what + "all of it goes, since it is not in the backup"
            continue
        try:
            since = undone(folder, then)
        except FolderRefused:
            yield what + "it cannot be read what goes of it, and what comes back"
            continue
        if not since.goes_on:
            yield what + "all of it goes, since that of the backup is another log"
            continue
        yield what + (f"the last {now.seq - then.seq} go" if now.seq > then.seq else "none of it goes")
        called = {**names(waiting.database, now.id), **names(folder / DATABASE, now.id)}
        for users, words in ((since.revoked, "access that was taken back since"), (since.erased, "names that were erased since")):
            if users:
                back.append(f"  {now.id}: {words}: {', '.join(word(called.get(user, user)) for user in users)}")
        if since.origins:
            back.append(f"  {now.id}: pages that were turned away since: {', '.join(map(word, since.origins))}")
    if back:
        yield "This comes back with it, and has to be done again:"
        yield from back


def _so_it_is(folder: Path, done: Restored) -> str:
    lines = [f"{folder} is as it was in the backup. Next: boonbridge serve"]
    if done.aside is not None:
        lines.append(
            f"What was there lies in {done.aside}. To go back to it, stop the server and put what lies there in the place of "
            f"what has the same names in {folder}."
        )
    return "\n".join(lines)
