"""What happened at a table after a backup of it was made, as far as a restore undoes it behind people's backs."""

from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec
from msgspec import Struct

from boonbridge.core.upcasting import WrittenByNewer, current, header_of
from boonbridge.store.backup_file import Held
from boonbridge.store.places import DATABASE
from boonbridge.store.refused import FolderRefused
from boonbridge.store.schema import connect_reader
from boonbridge.store.sqlite_vault import all_names
from boonbridge_schemas.events import AccessRevoked, Event, Invited, NameErased, OriginRemoved

_HASH = "SELECT hash FROM commits WHERE table_id = ? AND seq = ?"
_EVENTS = (b"AccessRevoked", b"Invited", b"NameErased", b"OriginRemoved")
_LATER = """
    SELECT header, part_all FROM commits
    WHERE table_id = ?1 AND seq > ?2
        AND (instr(part_all, ?3) OR instr(part_all, ?4) OR instr(part_all, ?5) OR instr(part_all, ?6))
    ORDER BY seq
"""


class Undone(Struct, frozen=True, kw_only=True):
    """What a restore would bring back: people whose access was taken back, whose name was erased, pages that were turned away.

    ``goes_on``: whether what is there now is the same log and went on from the backup. Where it is not, nothing else is known.
    """

    goes_on: bool
    revoked: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


class _Events(Struct):
    events: tuple[Event, ...]


_decoder = msgspec.json.Decoder(_Events)


def undone(folder: Path, held: Held) -> Undone:
    """What was done at a table since, by the log in a folder. Raises ``FolderRefused`` where that cannot be read."""
    try:
        with closing(connect_reader(folder / DATABASE, older=True)) as db:
            if held.seq and db.execute(_HASH, (held.id, held.seq)).fetchall() != [(bytes.fromhex(held.hash),)]:
                return Undone(goes_on=False)
            rows: list[Any] = db.execute(_LATER, (held.id, held.seq, *_EVENTS)).fetchall()
            return _sorted(
                event for header, part in rows for event in _decoder.decode(current(part, header_of(header).format)).events
            )
    except apsw.Error as cause:
        raise FolderRefused(f"{folder / DATABASE} cannot be read: {cause}.") from cause
    except (msgspec.DecodeError, WrittenByNewer) as cause:
        raise FolderRefused(f"{folder / DATABASE} holds commits of table {held.id} that cannot be read.") from cause


def names(database: Path, table: str) -> dict[str, str]:
    """What people were called, by user id; nothing where a database is too old to tell."""
    with suppress(apsw.Error, FolderRefused), closing(connect_reader(database, older=True)) as db:
        return all_names(db, table)
    return {}


def _sorted(events: Iterable[Event]) -> Undone:
    revoked: dict[str, None] = {}
    erased: dict[str, None] = {}
    origins: dict[str, None] = {}
    for event in events:
        match event:
            case AccessRevoked(user=user):
                revoked[user] = None
            case Invited(user=user):
                revoked.pop(user, None)
                erased.pop(user, None)
            case NameErased(user=user):
                erased[user] = None
            case OriginRemoved(origin=origin):
                origins[origin] = None
            case _:
                pass
    return Undone(goes_on=True, revoked=tuple(revoked), erased=tuple(erased), origins=tuple(origins))
