"""A log out of a complete export, as it is taken over: the very bytes, with the seeds and salts that came with them.

That the file holds was verified before. Which file it is may not be known here.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from boonbridge.core.ladder import Rung, rung_of
from boonbridge.core.upcasting import header_of, part_of
from boonbridge.reading.evidence import Evidence, Shown
from boonbridge.reading.exported import Export
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.export import ExportHead

from .ports import StoredCommit


class FileChanged(Exception):  # noqa: N818 - no class of ours is called Error
    """The file is not the one that was verified."""


class ImportRefused(Exception):  # noqa: N818 - no class of ours is called Error
    """A log cannot be taken over; the message says why. Nothing was kept of it."""


class Summed:
    """Lines as they pass, and the SHA-256 of what has passed."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self._sum = sha256()

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self._sum.update(line)
            yield line

    @property
    def sha256(self) -> str:
        """In hex."""
        return self._sum.hexdigest()


class Taking:
    """A verified file on its way into a store. ``table``: what the table is to be called from now on.

    Raises:
        Broken, FileChanged: here and while iterating: it is not the file that was verified; what came before is to be forgotten.
    """

    def __init__(self, lines: Iterable[bytes], table: str, sha256: str) -> None:
        self._lines = Summed(lines)
        self._export = Export(self._lines)
        self._table = table
        self._sha256 = sha256

    @property
    def head(self) -> ExportHead:
        """What the file says of itself."""
        return self._export.head

    def __iter__(self) -> Iterator[tuple[StoredCommit, Rung]]:
        for evidence in self._export:
            yield taken(evidence, self._table)
        if self._lines.sha256 != self._sha256:
            raise FileChanged


def taken(evidence: Evidence, table: str) -> tuple[StoredCommit, Rung]:
    """A commit as a store keeps it, with its seeds and salts. Raises ``FileChanged`` where not all of it is shown."""
    parts = evidence.parts
    shown: Mapping[PartName, Shown] = {name: part for name in PARTS if isinstance(part := parts[name], Shown)}
    said = next((part.raw for part in shown.values() if part.raw), None)
    if len(shown) < len(PARTS) or said is None:
        raise FileChanged
    whose = part_of(said, header_of(evidence.header).format)
    commit = StoredCommit(
        table=table,
        seq=evidence.seq,
        command_id=whose.id,
        by=whose.by,
        header=evidence.header,
        parts=tuple(shown[name].raw for name in PARTS),  # type: ignore[arg-type]
        hash=evidence.hash,
    )
    return commit, rung_of({name: shown[name].seed for name in PARTS}, {name: shown[name].salt for name in PARTS})
