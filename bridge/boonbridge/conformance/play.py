"""A table for one example: commands go through ``core.decide`` with a tape of faces, and so does what stood before."""

from collections.abc import Iterable, Mapping
from typing import Any

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.preview import preview
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.dice.source import TapeDice
from boonbridge.rulesets.base import Ruleset
from boonbridge_schemas.base import Side, Sign
from boonbridge_schemas.checks import Attack, Die, Number, Numbers, Result, SourceClaim
from boonbridge_schemas.commands import Command, RollCheck, SetCondition, SyncActor
from boonbridge_schemas.events import Event
from boonbridge_schemas.server import PreviewRow

GM = "gm"

Tape = Iterable[Mapping[str, Any]]


class Play:
    """One table, played by its GM."""

    def __init__(self, ruleset: Ruleset, options: Mapping[str, Any], tape: Tape = ()) -> None:
        self.state = TableState.opening(ruleset, options)
        self.tape(tape)

    def tape(self, tape: Tape) -> None:
        """The dice that fall from now on."""
        self.dice = TapeDice((die["role"], die["sides"], die["face"]) for die in tape)

    def do(self, command: Command) -> tuple[Event, ...]:
        """Send a command as the GM. Raises ``Refusal``; then nothing happened."""
        state = begin(self.state, seq=self.state.seq + 1, at=0, by=GM)
        context = Context(by=GM, role="gm", at=0, command_id="conformance", dice_for=lambda _part: self.dice)
        decision = decide(state, command, context)
        self.state = evolve_all(state, decision.events)
        return decision.events

    def actor(self, id: str, *, side: Side = "party", attacks: tuple[Attack, ...] = (), **numbers: int) -> None:
        """Put an actor on the table. Numbers of a group are written ``skill__any``."""
        values = tuple(Number(key=key.replace("__", "."), value=value) for key, value in numbers.items())
        self.do(SyncActor(actor=id, name=id, side=side, numbers=Numbers(values=values, attacks=attacks)))

    def hold(self, actor: str, condition: str, amount: int, by: str | None = None) -> None:
        """Give an actor so much more of a condition."""
        if amount:
            self.do(SetCondition(actors=(actor,), condition=condition, amount=amount, add=True, by=by))

    def preview(self, command: RollCheck) -> PreviewRow:
        """The one row that a dialog would show."""
        (row,) = preview(self.state, command, Viewer(GM, "gm"))
        return row


def claims(sign: Sign, count: int, kind: str = "situation") -> tuple[SourceClaim, ...]:
    """So many reasons of one kind, each a source of its own."""
    return tuple(SourceClaim(id=f"{kind} {sign} {n}", label=f"{kind} {n}", sign=sign, kind=kind) for n in range(1, count + 1))


def told(result: Result) -> dict[str, Any]:
    """What every system's examples say of a result."""
    kept = [i for i, die in enumerate(result.dice) if die.kept]
    dropped = [i for i, die in enumerate(result.dice) if not die.kept]
    return {
        "net": result.net,
        "kept": kept,
        "dropped": dropped,
        "kept_faces": _faces(result.dice, kept),
        "dropped_faces": _faces(result.dice, dropped),
        "total": result.total,
        "success": result.success,
        "outcome": result.outcome,
        "crits": result.crits,
        "fumble": result.worst,
    }


def _faces(dice: tuple[Die, ...], indexes: list[int]) -> list[int]:
    return [dice[i].face for i in indexes]
