"""Whether a log is what it says: each commit in its place, chained, promised, its dice of its seeds, its events of the rules.

    verifier = Verifier(games)
    for evidence in ...: verifier.take(evidence)      # raises Broken at the first commit that does not hold
    report = verifier.report()

What is not there to be looked at is not claimed: the report says what was checked and what was not. Where the evidence comes
from, and what stands beside a log (trailers, head marks, snapshots), may not be in here.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256

import msgspec
from msgspec import UNSET, Struct

from boonbridge.core.chain import GENESIS, leaf, link
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.ladder import AHEAD
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import WrittenByNewer, current, header_of
from boonbridge.dice.source import SeededDice, field
from boonbridge.rulesets.base import Ruleset
from boonbridge_schemas.base import PARTS, Key, Moment, PartName
from boonbridge_schemas.commit import Header, Part
from boonbridge_schemas.events import LadderRestarted, TableOpened

from .drawn import drawn, wrong
from .evidence import Broken, Evidence, Shown, TooNew
from .recomputing import difference, tape

Games = Callable[[Key], Ruleset | None]
"""The game of an id; None where it is not here (any more)."""


class Gap(Struct, frozen=True):
    """Commits whose events were not recomputed, since the rules they were made by are not here. ``here``: the version that is."""

    ruleset: Key
    version: int
    first: int
    last: int
    here: int | None


class Restart(Struct, frozen=True):
    """A new epoch of seeds began with this commit. ``table``: what the table was called in the log until then."""

    seq: int
    reason: str
    table: str


class Report(Struct, frozen=True, kw_only=True):
    """What was checked of a log that holds.

    ``whole``: every part of every commit was there to be read. ``dice`` were recomputed from seeds; ``by_hand`` and ``taped``
    ones have none. ``recomputed`` commits came to the same by the rules; the bridge's own are among them. ``table`` and
    ``epoch`` are those in force at the end. ``at``: when the last commit was made.
    """

    commits: int = 0
    hash: bytes = GENESIS
    table: str = ""
    ruleset: str = ""
    epoch: int = 0
    at: Moment = 0
    whole: bool = True
    dice: int = 0
    by_hand: int = 0
    taped: int = 0
    hidden: int = 0
    recomputed: int = 0
    gaps: tuple[Gap, ...] = ()
    restarts: tuple[Restart, ...] = ()


class Verifier:
    """Takes the commits of one log, in order, and raises at the first that does not hold.

    Args:
        games: The games that are here.
        table: What the table is called now; the state folded on the way is called so.
    """

    def __init__(self, games: Games, *, table: str = "") -> None:
        self.state: TableState | None = None
        """The table after the last commit taken; None where not all of it could be read, or its game is not here."""
        self._games = games
        self._name = table
        self._seq = 0
        self._hash = GENESIS
        self._first = 0
        self._header: Header | None = None
        self._promised: dict[int, bytes] = {}
        self._ids: set[str] = set()
        self._taped = False
        self._whole = True
        self._counts = dict.fromkeys(("dice", "by_hand", "taped", "hidden", "recomputed"), 0)
        self._gaps: list[Gap] = []
        self._restarts: list[Restart] = []

    def take(self, evidence: Evidence) -> None:
        """Check the next commit, and go on from it.

        Raises:
            Broken: It does not hold; nothing may be taken after that.
            TooNew: A newer version wrote it.
        """
        seq = evidence.seq
        self._in_its_place(seq)
        header = self._header_of(evidence)
        parts, trouble = _decoded(evidence, header.format)
        opening = _opening(parts)
        if not trouble:
            self._follows(seq, header, parts, opening)
            self._was_promised(evidence, opening)
        self._is_chained(evidence)  # what was damaged is found here at the latest; what was written like that, below
        if trouble:
            raise Broken(seq, trouble)
        self._agrees(evidence, parts)
        self._publishes(seq, header, opening)
        self._shows_its_dice(evidence, parts)
        self._is_by_the_rules(evidence, header, parts)
        if opening is not None and self._header is not None:
            reason = opening.reason if isinstance(opening, LadderRestarted) else ""
            self._restarts.append(Restart(seq, reason, self._header.table))
        self._seq, self._hash, self._header = seq, evidence.hash, header

    def report(self) -> Report:
        """What was checked so far."""
        last = self._header
        return Report(
            commits=self._seq,
            hash=self._hash,
            table=last.table if last else self._name,
            ruleset=last.ruleset if last else "",
            epoch=last.epoch if last else 0,
            at=last.at if last else 0,
            whole=self._whole,
            gaps=tuple(self._gaps),
            restarts=tuple(self._restarts),
            **self._counts,
        )

    # --- place and header --------------------------------------------------------------------------------------
    def _in_its_place(self, seq: int) -> None:
        due = self._seq + 1
        if seq > due:
            raise Broken(
                due, f"it is missing; {f'after commit {self._seq}' if self._seq else 'at the beginning'} comes commit {seq}"
            )
        if seq < due:
            raise Broken(seq, f"it comes again, or out of its place, after commit {self._seq}")

    def _header_of(self, evidence: Evidence) -> Header:
        seq = evidence.seq
        try:
            header = header_of(evidence.header)
        except WrittenByNewer as newer:
            raise TooNew(seq, f"it {newer}") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Broken(seq, "its header is not one, or was damaged") from None
        if header.seq != seq:
            raise Broken(seq, f"its header says that it is commit {header.seq}")
        return header

    def _follows(
        self, seq: int, header: Header, parts: Mapping[PartName, Part], opening: TableOpened | LadderRestarted | None
    ) -> None:
        """Table, epoch, game and time go on from the commit before, but for what a new epoch changes."""
        last = self._header
        if opening is not None and [len(part.events) for part in parts.values()] != [1]:
            raise Broken(seq, "an epoch of seeds begins in it, and that stands in a commit by itself")
        if last is None:
            if not isinstance(opening, TableOpened):
                raise Broken(seq, "the log does not begin with the opening of a table")
            if opening.ruleset != header.ruleset:
                raise Broken(seq, f"it opens a table of {opening.ruleset}, and its header says {header.ruleset}")
            return
        if isinstance(opening, TableOpened):
            raise Broken(seq, "it opens the table, which is open already")
        epoch, table = last.epoch, last.table
        if opening is not None:
            if opening.epoch <= last.epoch:
                raise Broken(seq, f"it begins epoch {opening.epoch} of seeds, and epoch {last.epoch} runs")
            epoch = opening.epoch
            table = header.table if opening.reason == "imported" else last.table
        if header.epoch != epoch:
            raise Broken(seq, f"its header says epoch {header.epoch} of seeds, and epoch {epoch} runs")
        if header.table != table:
            raise Broken(seq, f"its header says table {header.table}, and this is the log of {table}")
        if header.ruleset != last.ruleset:
            raise Broken(seq, f"its header says the game {header.ruleset}, and this table plays {last.ruleset}")
        if header.at <= last.at:
            raise Broken(seq, "it was made before the commit before it")

    # --- promises and chain ------------------------------------------------------------------------------------
    def _was_promised(self, evidence: Evidence, opening: TableOpened | LadderRestarted | None) -> None:
        seq = evidence.seq
        by: int | None = None
        if opening is None:
            by = max(self._first, seq - AHEAD)
            parts = (evidence.parts[name] for name in PARTS)
            hashes = (sha256(part.seed).digest() if isinstance(part, Shown) else part.seed_hash for part in parts)
            if sha256(b"".join(map(field, hashes))).digest() != self._promised.pop(seq):
                raise Broken(seq, f"its seeds are not those that commit {by} promised")
        if evidence.promised_by not in (UNSET, by):
            raise Broken(
                seq,
                f"it is said that commit {evidence.promised_by} promised its seeds; that was {f'commit {by}' if by else 'none'}",
            )

    def _is_chained(self, evidence: Evidence) -> None:
        seq = evidence.seq
        if evidence.prev_hash != self._hash:
            raise Broken(
                seq, f"it does not go on from commit {self._seq}, but from another" if self._seq else "it is not the first"
            )
        leaves = {n: leaf(p.salt, p.raw) if isinstance(p, Shown) else p.leaf for n, p in evidence.parts.items()}
        if link(self._hash, evidence.header, leaves) != evidence.hash:
            raise Broken(seq, "its hash does not follow from what it holds: something in it was changed")

    def _publishes(self, seq: int, header: Header, opening: TableOpened | LadderRestarted | None) -> None:
        """Take over the promises it makes."""
        promise = bytes.fromhex(header.seed_hash)
        if opening is not None:
            self._first = seq
            self._promised = {seq + 1 + n: bytes.fromhex(hash_) for n, hash_ in enumerate(opening.seed_hashes)}
            if self._promised[seq + AHEAD] != promise:
                raise Broken(seq, f"it promises two different seeds for commit {seq + AHEAD}")
        self._promised[seq + AHEAD] = promise

    # --- what it says ------------------------------------------------------------------------------------------
    def _agrees(self, evidence: Evidence, parts: Mapping[PartName, Part]) -> None:
        """Who sent it under which id is the same in all parts, and in what a store keeps beside them."""
        seq = evidence.seq
        said = {(part.id, part.by) for part in parts.values()}
        if evidence.filed is not None:
            said.add(evidence.filed)
        if len(said) > 1:
            raise Broken(seq, "its parts name different senders or ids, or are filed under another")
        if not said:
            if evidence.whole:
                raise Broken(seq, "it holds nothing")
            return
        ((id_, _),) = said
        if id_ in self._ids:
            raise Broken(seq, "its id was used by a commit before it")
        self._ids.add(id_)

    def _shows_its_dice(self, evidence: Evidence, parts: Mapping[PartName, Part]) -> None:
        for name, part in parts.items():
            shown = evidence.parts[name]
            assert isinstance(shown, Shown)
            self._taped |= any(isinstance(event, TableOpened) and event.taped for event in part.events)
            dice = tuple(drawn(part.events))
            seeded = [die for die, by_hand in dice if not by_hand]
            self._counts["by_hand"] += len(dice) - len(seeded)
            self._counts["taped" if self._taped else "dice"] += len(seeded)
            if not self._taped and (found := wrong(seeded, shown.seed, part.id)) is not None:
                number, die, want = found
                raise Broken(
                    evidence.seq, f"die {number} of part {name}, a d{die.sides}, shows {die.face}; its seed gives {want}"
                )

    def _is_by_the_rules(self, evidence: Evidence, header: Header, parts: Mapping[PartName, Part]) -> None:
        """Where everything could be read so far: decided again it comes to the same, and it folds."""
        seq = evidence.seq
        self._counts["hidden"] += not parts
        self._whole = self._whole and evidence.whole
        if not self._whole:
            self.state = None
            return
        game = self._games(header.ruleset)
        if self._header is None and game is not None:
            self.state = TableState.opening(game, table=self._name or header.table)
        state = self.state
        if game is None or state is None:
            self._gap(seq, header, None)
            return
        if game.version != header.version:
            self._gap(seq, header, game.version)
        else:
            seeds = {name: part.seed for name, part in evidence.parts.items() if isinstance(part, Shown)}
            id_ = next(iter(parts.values())).id
            dice_for = tape(parts) if self._taped else lambda name: SeededDice(seeds[name], id_)
            if (found := difference(state, header.at, parts, dice_for)) is not None:
                raise Broken(seq, found)
            self._counts["recomputed"] += 1
        self.state = _folded(state, header, parts)

    def _gap(self, seq: int, header: Header, here: int | None) -> None:
        last = self._gaps[-1] if self._gaps else None
        if last is not None and (last.ruleset, last.version, last.last) == (header.ruleset, header.version, seq - 1):
            self._gaps[-1] = Gap(header.ruleset, header.version, last.first, seq, here)
        else:
            self._gaps.append(Gap(header.ruleset, header.version, seq, seq, here))


_part = msgspec.json.Decoder(Part)


def _decoded(evidence: Evidence, its: int) -> tuple[dict[PartName, Part], str | None]:
    """The parts that may be read and are not empty, and what was in the way of reading one: it is told after the chain."""
    parts: dict[PartName, Part] = {}
    for name in PARTS:
        part = evidence.parts[name]
        if not isinstance(part, Shown):
            if name == "all":
                return parts, "the part that everybody reads is not there"
            continue
        if part.raw:
            try:
                parts[name] = _part.decode(current(part.raw, its))
            except Exception:  # noqa: BLE001 - of an older format it goes through a step first, which may stumble anywhere
                return parts, f"its part {name} cannot be read: it is damaged, or holds what this version does not know"
    return parts, None


def _opening(parts: Mapping[PartName, Part]) -> TableOpened | LadderRestarted | None:
    """The event with which an epoch begins, where it holds one; it is told to everybody."""
    events = parts["all"].events if "all" in parts else ()
    return next((event for event in events if isinstance(event, TableOpened | LadderRestarted)), None)


def _folded(state: TableState, header: Header, parts: Mapping[PartName, Part]) -> TableState:
    try:
        whose = next(iter(parts.values()))
        state = begin(state, seq=header.seq, at=header.at, by=whose.by)
        for part in parts.values():  # in hashing order, as they were decided
            state = evolve_all(state, part.events)
    except Exception as trouble:  # what was written folds
        raise Broken(header.seq, f"its events cannot be taken over ({type(trouble).__name__})") from trouble
    return state
