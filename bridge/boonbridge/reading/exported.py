"""A log as a file: its lines, read one after the other, and verified (schemas/README.md).

    lines = lines_of(file)
    export = Export(lines)            # reads the head
    for evidence in export: ...       # then export.trailer

Never more than one line is held. Which file it is, and who may have one, may not be known here.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Protocol

import msgspec
from msgspec import Struct

from boonbridge.core.chain import head_mark
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.export import EXPORT_FORMAT, ExportCommit, ExportEnd, ExportHead, ExportLine, ExportTrailer
from boonbridge_schemas.server import ProvenPart

from .evidence import UNREADABLE, Bare, Broken, Evidence, Shown, TooNew
from .verifying import Games, Report, Verifier

LONGEST_LINE = 16 * 2**20
"""Bytes of the longest line that is read; the longest that is written is far shorter."""


class Source(Protocol):
    """What lines are read from: a file that is open for reading bytes."""

    def readline(self, limit: int, /) -> bytes:
        """The next line with its line feed, at most so many bytes of it."""
        ...


def lines_of(source: Source) -> Iterator[bytes]:
    """The lines of a file, each with its line feed. Raises ``Broken`` where one is too long to be ours."""
    while line := source.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            raise Broken(None, "a line is longer than any that Boonbridge writes: this is no export")
        yield line


class Export:
    """An export being read: ``head`` at once, its commits by iterating, ``trailer`` after the last of them.

    Only its own form is checked here, and that nothing in it was damaged since it was written.

    Raises:
        Broken: here and while iterating, where a line is not what it has to be.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._sum = sha256()
        self._number = 0
        self._last = 0
        self.head = self._head()
        self.trailer: ExportTrailer | None = None

    def __iter__(self) -> Iterator[Evidence]:
        while True:
            line = self._next()
            if isinstance(line, ExportCommit):
                evidence = evidence_of(line)
                if self.head.viewer is None and not evidence.whole:
                    raise Broken(line.seq, "a part of it is not shown, and the head says that the export is complete")
                self._last = line.seq
                yield evidence
            elif isinstance(line, ExportTrailer):
                self._ends(line)
                return
            else:
                raise Broken(None, f"line {self._number} is a second head: parts of two exports are mixed")

    def _head(self) -> ExportHead:
        raw = self._raw()
        try:
            first = _kind.decode(raw)
            if first.t == "export" and first.format > EXPORT_FORMAT:
                raise TooNew(
                    None,
                    f"a newer Boonbridge wrote it (export format {first.format}; this one knows {EXPORT_FORMAT}): update",
                )
            return _head.decode(raw)
        except UNREADABLE:
            raise Broken(None, "its first line is not the head of an export") from None

    def _raw(self, *, counted: bool = True) -> bytes:
        line = next(self._lines, b"")
        self._number += 1
        if not line.endswith(b"\n"):
            where = f"after commit {self._last}" if self._last else "before its first commit"
            raise Broken(None, f"the file ends {where}: it was cut off")
        if counted:
            self._sum.update(line)
        return line[:-1]

    def _next(self) -> ExportLine:
        raw = self._raw()
        try:
            line = _line.decode(raw)
        except UNREADABLE:
            raise Broken(None, f"line {self._number}, after commit {self._last}, is damaged") from None
        if isinstance(line, ExportEnd):
            raise Broken(None, f"line {self._number} is the end, and there was no trailer before it")
        return line

    def _ends(self, trailer: ExportTrailer) -> None:
        raw = self._raw(counted=False)
        try:
            end = _end.decode(raw)
        except UNREADABLE:
            raise Broken(None, f"line {self._number}, after the trailer, is not the end of an export") from None
        if next(self._lines, b""):
            raise Broken(None, "it goes on after its end")
        if end.sha256 != self._sum.hexdigest():
            raise Broken(None, "a byte of it was changed since it was written (its SHA-256 is another)")
        self.trailer = trailer


class FileReport(Struct, frozen=True, kw_only=True):
    """What was checked of an export that holds. The trailer's mark was not: that needs the table's key (``marked``)."""

    head: ExportHead
    log: Report
    trailer: ExportTrailer


def verify_file(lines: Iterable[bytes], games: Games, progress: Callable[[int], None] = lambda _seq: None) -> FileReport:
    """Verify an export from its first to its last byte.

    Args:
        lines: As ``lines_of`` gives them.
        games: The games that are here.
        progress: Called with the seq of each commit that holds; whether the file does is known only at the end.

    Raises:
        Broken: The first thing that does not hold.
        TooNew: A newer version wrote it.
    """
    export = Export(lines)
    head = export.head
    verifier = Verifier(games, table=head.table)
    for evidence in export:
        verifier.take(evidence)
        progress(evidence.seq)
    report, trailer = verifier.report(), export.trailer
    assert trailer is not None, "an export without one is refused"
    if trailer.count != report.commits:
        raise Broken(None, f"its trailer counts {trailer.count} commits, and there are {report.commits}")
    if (trailer.hash, trailer.epoch) != (report.hash.hex(), report.epoch):
        raise Broken(None, "its trailer is of another log: last hash or epoch are not those of the last commit")
    if report.commits and (head.table, head.ruleset) != (report.table, report.ruleset):
        of = f"{report.table}, {report.ruleset}"
        raise Broken(None, f"its head says table {head.table}, {head.ruleset}, and its commits are of {of}")
    return FileReport(head=head, log=report, trailer=trailer)


def marked(trailer: ExportTrailer, table: str, key: bytes) -> bool:
    """Whether a trailer carries the mark that only the holder of the table's key can make."""
    mark = head_mark(key, table, trailer.epoch, trailer.count, bytes.fromhex(trailer.hash))
    return hmac.compare_digest(mark.hex(), trailer.mac)


def evidence_of(line: ExportCommit) -> Evidence:
    """What a line of an export shows of its commit. Raises ``Broken`` where a part is neither shown nor hidden."""
    return Evidence(
        seq=line.seq,
        prev_hash=bytes.fromhex(line.prev_hash),
        hash=bytes.fromhex(line.hash),
        header=line.header.encode(),
        parts={name: _part(line, name) for name in PARTS},
        promised_by=line.promised_by,
    )


def _part(line: ExportCommit, name: PartName) -> Shown | Bare:
    match line.parts.get(name):
        case ProvenPart(bytes=str(text), salt=str(salt), seed=str(seed), leaf=None, seed_hash=None):
            return Shown(text.encode(), bytes.fromhex(salt), bytes.fromhex(seed))
        case ProvenPart(bytes=None, salt=None, seed=None, leaf=str(leaf), seed_hash=str(seed_hash)):
            return Bare(bytes.fromhex(leaf), bytes.fromhex(seed_hash))
    raise Broken(line.seq, f"part {name} is neither shown nor hidden")


class _Kind(Struct):
    t: str = ""
    format: int = 0


_kind = msgspec.json.Decoder(_Kind)
_head = msgspec.json.Decoder(ExportHead)
_end = msgspec.json.Decoder(ExportEnd)
_line = msgspec.json.Decoder(ExportLine)
