"""What holds a log together: each commit in its place, chained to the one before it, its seeds promised before they were used.

What a commit says may not be known here, but for the events with which an epoch of seeds begins.
"""

from collections.abc import Mapping
from hashlib import sha256

from msgspec import UNSET, Struct

from boonbridge.core.chain import GENESIS, leaf, link
from boonbridge.core.ladder import AHEAD, promised_by
from boonbridge.dice.source import field
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.commit import Header, Part
from boonbridge_schemas.events import LadderRestarted, TableOpened

from .evidence import Broken, Evidence, Shown

Opening = tuple[TableOpened | LadderRestarted, ...]
"""What a commit holds with which an epoch begins: both where a whole log was lost and it begins once more; mostly nothing."""


class Restart(Struct, frozen=True):
    """A new epoch of seeds began with this commit. ``table``: what the table was called in the log until then."""

    seq: int
    reason: str
    table: str


class Links:
    """The commits so far: where they have come to, and what they have promised. ``header`` is that of the last one."""

    def __init__(self) -> None:
        self.seq = 0
        self.hash = GENESIS
        self.header: Header | None = None
        self.restarts: list[Restart] = []
        self._first = 0
        self._promised: dict[int, bytes] = {}

    def in_its_place(self, seq: int) -> None:
        """Raises ``Broken`` where this is not the next number."""
        due = self.seq + 1
        if seq > due:
            raise Broken(
                due, f"it is missing; {f'after commit {self.seq}' if self.seq else 'at the beginning'} comes commit {seq}"
            )
        if seq < due:
            raise Broken(seq, f"it comes again, or out of its place, after commit {self.seq}")

    def follows(self, seq: int, header: Header, parts: Mapping[PartName, Part]) -> None:
        """Raises ``Broken`` where table, epoch, game and time do not go on from the commit before, as a new epoch may have it."""
        opening = opening_of(parts)
        if opening and [part.events for part in parts.values()] != [opening]:
            raise Broken(seq, "an epoch of seeds begins in it, and that stands in a commit by itself")
        restart, last = _restart(opening), self.header
        if last is None:
            _begins(seq, header, opening)
            return
        if any(isinstance(event, TableOpened) for event in opening):
            raise Broken(seq, "it opens the table, which is open already")
        if restart is not None and restart.epoch <= last.epoch:
            raise Broken(seq, f"it begins epoch {restart.epoch} of seeds, and epoch {last.epoch} runs")
        epoch = last.epoch if restart is None else restart.epoch
        if header.epoch != epoch:
            raise Broken(seq, f"its header says epoch {header.epoch} of seeds, and epoch {epoch} runs")
        if header.table != last.table and (restart is None or restart.reason != "imported"):
            raise Broken(seq, f"its header says table {header.table}, and this is the log of {last.table}")
        if header.ruleset != last.ruleset:
            raise Broken(seq, f"its header says the game {header.ruleset}, and this table plays {last.ruleset}")
        if header.at < last.at:  # earlier builds made two within a millisecond
            raise Broken(seq, "it was made before the commit before it")

    def was_promised(self, evidence: Evidence, parts: Mapping[PartName, Part]) -> None:
        """Raises ``Broken`` where its seeds are not those of which the hash was published, or somebody else is said to have."""
        seq = evidence.seq
        by = promised_by(seq, seq if opening_of(parts) else self._first)
        if by is not None and _seed_hash(evidence) != self._promised.pop(seq):
            raise Broken(seq, f"its seeds are not those that commit {by} promised")
        if evidence.promised_by not in (UNSET, by):
            was = "none" if by is None else f"commit {by}"
            raise Broken(seq, f"it is said that commit {evidence.promised_by} promised its seeds; that was {was}")

    def is_chained(self, evidence: Evidence) -> None:
        """Raises ``Broken`` where its hash does not follow from the one before and from all that it holds."""
        seq = evidence.seq
        if evidence.prev_hash != self.hash:
            raise Broken(seq, f"it goes on from another commit {self.seq}" if self.seq else "it goes on from another commit")
        leaves = {n: leaf(p.salt, p.raw) if isinstance(p, Shown) else p.leaf for n, p in evidence.parts.items()}
        if link(self.hash, evidence.header, leaves) != evidence.hash:
            raise Broken(seq, "its hash does not follow from what it holds: something in it was changed")

    def goes_on(self, evidence: Evidence, header: Header, parts: Mapping[PartName, Part]) -> None:
        """Take over what it promises, and where it has come to. Raises ``Broken`` where it promises two things at once."""
        seq, opening = evidence.seq, opening_of(parts)
        if opening:
            hashes = opening[-1].seed_hashes
            if any(event.seed_hashes != hashes for event in opening) or hashes[-1] != header.seed_hash:
                raise Broken(seq, "it promises two different seeds for the same commit")
            self._first = seq
            self._promised = {seq + 1 + n: bytes.fromhex(hash_) for n, hash_ in enumerate(hashes)}
        self._promised[seq + AHEAD] = bytes.fromhex(header.seed_hash)
        if (restart := _restart(opening)) is not None:
            self.restarts.append(Restart(seq, restart.reason, (self.header or header).table))
        self.seq, self.hash, self.header = seq, evidence.hash, header


def opening_of(parts: Mapping[PartName, Part]) -> Opening:
    """The events with which an epoch begins, where it holds any; everybody is told of them."""
    events = parts["all"].events if "all" in parts else ()
    return tuple(event for event in events if isinstance(event, TableOpened | LadderRestarted))


def _restart(opening: Opening) -> LadderRestarted | None:
    return next((event for event in opening if isinstance(event, LadderRestarted)), None)


def _begins(seq: int, header: Header, opening: Opening) -> None:
    if not opening or not isinstance(opening[0], TableOpened):
        raise Broken(seq, "the log does not begin with the opening of a table")
    if opening[0].ruleset != header.ruleset:
        raise Broken(seq, f"it opens a table of {opening[0].ruleset}, and its header says {header.ruleset}")
    restart = _restart(opening)
    if restart is not None and restart.epoch != header.epoch:
        raise Broken(seq, f"its header says epoch {header.epoch} of seeds, and epoch {restart.epoch} begins")


def _seed_hash(evidence: Evidence) -> bytes:
    parts = (evidence.parts[name] for name in PARTS)
    hashes = (sha256(part.seed).digest() if isinstance(part, Shown) else part.seed_hash for part in parts)
    return sha256(b"".join(map(field, hashes))).digest()
