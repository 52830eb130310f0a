"""Whether a log is what it says: each commit in its place, chained, promised, its dice of its seeds, its events of the rules.

    verifier = Verifier(games)
    for evidence in ...: verifier.take(evidence)      # raises Broken at the first commit that does not hold
    report = verifier.report()

What is not there to be looked at is not claimed: the report says what was checked and what was not. Where the evidence comes
from, and what stands beside a log (trailers, head marks, snapshots), may not be in here.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct

from boonbridge.core.chain import GENESIS
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import WrittenByNewer, header_of, part_of
from boonbridge.dice.source import SeededDice
from boonbridge.rulesets.base import Ruleset
from boonbridge_schemas.base import PARTS, Key, Moment, PartName
from boonbridge_schemas.commit import Header, Part
from boonbridge_schemas.events import TableOpened

from .drawn import drawn, wrong
from .evidence import UNREADABLE, Broken, Evidence, Shown, TooNew
from .linking import Links, Restart
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


class Report(Struct, frozen=True, kw_only=True):
    """What was checked of a log that holds.

    ``whole``: every part of every commit was there to be read. ``dice`` were recomputed from seeds; ``by_hand`` and ``taped``
    ones have none. ``recomputed`` commits came to the same by the rules; the bridge's own are among them. ``table``, ``ruleset``
    and ``epoch`` are those in force at the end. ``at``: when the last commit was made.
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
        self._links = Links()
        self._ids: set[str] = set()
        self._taped = False
        self._whole = True
        self._dice = self._by_hand = self._of_tape = self._recomputed = 0
        self._gaps: list[Gap] = []

    def take(self, evidence: Evidence) -> None:
        """Check the next commit, and go on from it.

        Raises:
            Broken: It does not hold; nothing may be taken after that.
            TooNew: A newer version wrote it.
        """
        links = self._links
        links.in_its_place(evidence.seq)
        header = _header(evidence)
        parts, trouble = _decoded(evidence, header.format)
        if not trouble:
            links.follows(evidence.seq, header, parts)
            links.was_promised(evidence, parts)
        links.is_chained(evidence)  # what was damaged is found here at the latest; what was written like that, below
        if trouble:
            raise Broken(evidence.seq, trouble)
        self._agrees(evidence, parts)
        self._shows_its_dice(evidence, parts)
        self._is_by_the_rules(evidence, header, parts)
        links.goes_on(evidence, header, parts)

    def report(self) -> Report:
        """What was checked so far."""
        last = self._links.header
        return Report(
            commits=self._links.seq,
            hash=self._links.hash,
            table=last.table if last else self._name,
            ruleset=last.ruleset if last else "",
            epoch=last.epoch if last else 0,
            at=last.at if last else 0,
            whole=self._whole,
            dice=self._dice,
            by_hand=self._by_hand,
            taped=self._of_tape,
            recomputed=self._recomputed,
            gaps=tuple(self._gaps),
            restarts=tuple(self._links.restarts),
        )

    def _agrees(self, evidence: Evidence, parts: Mapping[PartName, Part]) -> None:
        """Who sent it under which id is the same in all parts, and in what a store keeps beside them."""
        seq = evidence.seq
        said = {(part.id, part.by) for part in parts.values()}
        if evidence.whole and not said:
            raise Broken(seq, "it holds nothing")
        if evidence.filed is not None:
            said.add(evidence.filed)
        if len(said) > 1:
            raise Broken(seq, "its parts name different senders or ids, or are filed under another")
        for id_, _ in said:
            if id_ in self._ids:
                raise Broken(seq, "its id was used by a commit before it")
            self._ids.add(id_)

    def _shows_its_dice(self, evidence: Evidence, parts: Mapping[PartName, Part]) -> None:
        for name, part in parts.items():
            shown = evidence.parts[name]
            assert isinstance(shown, Shown)
            self._taped |= any(isinstance(event, TableOpened) and event.taped for event in part.events)
            dice = tuple(drawn(part.events))
            fell = [die for die, by_hand in dice if not by_hand]
            self._by_hand += len(dice) - len(fell)
            if self._taped:
                self._of_tape += len(fell)
                continue
            self._dice += len(fell)
            if (found := wrong(fell, shown.seed, part.id)) is not None:
                number, die, want = found
                raise Broken(
                    evidence.seq, f"die {number} of part {name}, a d{die.sides}, shows {die.face}; its seed gives {want}"
                )

    def _is_by_the_rules(self, evidence: Evidence, header: Header, parts: Mapping[PartName, Part]) -> None:
        """Where everything could be read so far: decided again it comes to the same, and it folds."""
        seq = evidence.seq
        self._whole = self._whole and evidence.whole
        game = self._games(header.ruleset)
        if self._whole and seq == 1 and game is not None:
            self.state = TableState.opening(game, table=self._name or header.table)
        if not self._whole:
            self.state = None
        elif game is None or self.state is None:
            self._gap(seq, header, None)
        else:
            if game.version != header.version:
                self._gap(seq, header, game.version)
            else:
                self._recompute(self.state, evidence, header, parts)
            self.state = _folded(self.state, header, parts)

    def _recompute(self, state: TableState, evidence: Evidence, header: Header, parts: Mapping[PartName, Part]) -> None:
        seeds = {name: part.seed for name, part in evidence.parts.items() if isinstance(part, Shown)}
        id_ = next(iter(parts.values())).id
        dice_for = tape(parts) if self._taped else lambda name: SeededDice(seeds[name], id_)
        if (found := difference(state, header.at, parts, dice_for)) is not None:
            raise Broken(evidence.seq, found)
        self._recomputed += 1

    def _gap(self, seq: int, header: Header, here: int | None) -> None:
        last = self._gaps[-1] if self._gaps else None
        if last is not None and (last.ruleset, last.version, last.last) == (header.ruleset, header.version, seq - 1):
            self._gaps[-1] = Gap(header.ruleset, header.version, last.first, seq, here)
        else:
            self._gaps.append(Gap(header.ruleset, header.version, seq, seq, here))


def _header(evidence: Evidence) -> Header:
    seq = evidence.seq
    try:
        header = header_of(evidence.header)
    except WrittenByNewer as newer:
        raise TooNew(seq, f"it {newer}") from None
    except UNREADABLE:
        raise Broken(seq, "its header is not one, or was damaged") from None
    if header.seq != seq:
        raise Broken(seq, f"its header says that it is commit {header.seq}")
    return header


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
                parts[name] = part_of(part.raw, its)
            except Exception:  # noqa: BLE001 - of an older format it goes through a step first, which may stumble anywhere
                return parts, f"its part {name} cannot be read: it is damaged, or holds what this version does not know"
    return parts, None


def _folded(state: TableState, header: Header, parts: Mapping[PartName, Part]) -> TableState:
    try:
        whose = next(iter(parts.values()))
        state = begin(state, seq=header.seq, at=header.at, by=whose.by)
        for part in parts.values():  # in hashing order, as they were decided
            state = evolve_all(state, part.events)
    except Exception as trouble:  # what was written folds
        raise Broken(header.seq, f"its events cannot be taken over ({type(trouble).__name__})") from trouble
    return state
