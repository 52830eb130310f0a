"""One check of system D with what follows it: Boons asked for before and after, and what was refused."""

from collections.abc import Iterable, Iterator
from typing import Any

from boonbridge.rulesets import group_d12 as game
from boonbridge_schemas.base import CheckId
from boonbridge_schemas.checks import ChoiceOffer, Result, Rolled
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Act, AnswerRequest, Choose, RollCheck
from boonbridge_schemas.effects import ChanceGranted, DieBought, DutyNoted, Effect, MarkSet, ResourceChanged
from boonbridge_schemas.events import CheckRolled, Chosen, Event, TargetFixed
from boonbridge_schemas.refusal import Refusal

from .play import Play

REASONS = {
    Code.SPEND_NO_NEGATIVE: "no_negative_chances",
    Code.SPEND_LIMIT: "limit",
    Code.POOL_EMPTY: "pool_empty",
    Code.SPEND_NOT_FAILED: "not_failed",
    Code.SPEND_CRITICAL_FAILURE: "critical_failure",
    Code.SPEND_NEGATIVE: "negative_chances",
    Code.SPEND_NOT_A_PLAYER: "not_a_player",
    Code.SPEND_INITIATIVE: "initiative_not_lost",
}
_WHEN = {
    "spent_before": "before",
    "spent_after": "after",
    "spent_challenge": "challenge",
    "kept_initiative": "initiative",
    "taken": "session",
}


def fill(play: Play, held: int, gained: int) -> None:
    """Bring the pool to where an example begins: so many earned and taken away again, then so many given."""
    play.actor("somebody", skill__any=0)
    for _ in range(gained):
        play.tape([{"role": "d12", "sides": game.D12, "face": game.D12}])
        play.do(RollCheck(check="skill", actors=("somebody",), params={"skill": "skill.any", "difficulty": 1}))
        play.do(Act(verb="take_boon"))
    for _ in range(held):
        play.do(Act(verb="give_boon"))


class Followed:
    """A check on a table, from its roll to the last choice on it."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.events: list[CheckRolled | Chosen | TargetFixed] = []
        self.rejected: list[dict[str, Any]] = []

    def roll(self, command: RollCheck | AnswerRequest, boons: int) -> tuple[Event, ...]:
        """Ask for Boons before the roll; where one is refused, with one less. All events of the command that rolled."""
        for asked in range(boons, -1, -1):
            try:
                happened = self.play.do(type(command)(**{**_fields(command), "spend_before": asked}))
            except Refusal as refusal:
                if not asked:
                    raise
                self._reject("spend_before", refusal.code)
            else:
                self._add(happened)
                return happened
        raise AssertionError(boons)

    def spend(self) -> tuple[Event, ...]:
        """Ask for a Boon after the roll; an offer that stands there disabled says why, as the player reads it."""
        shown = next((offer for offer in self._shown() if offer.id == "spend"), None)
        if shown is not None and shown.why is not None:
            self._reject("spend_after", Code(shown.why))
            return ()
        try:
            happened = self.play.do(Choose(check=self.check, choice="spend"))
        except Refusal as refusal:
            self._reject("spend_after", refusal.code)
            return ()
        self._add(happened)
        return happened

    def settle(self) -> tuple[Event, ...]:
        """Take what stands, where that has still to be said."""
        left = next((offer.id for offer in self._offers() if offer.id in ("accept", "keep")), None)
        if left is None:
            return ()
        happened = self.play.do(Choose(check=self.check, choice=left))
        self._add(happened)
        return happened

    def _add(self, events: Iterable[Event]) -> None:
        self.events += (event for event in events if isinstance(event, CheckRolled | Chosen | TargetFixed))

    def _reject(self, what: str, code: Code) -> None:
        self.rejected.append({"what": what, "reason": REASONS.get(code, code.value)})

    @property
    def rolled(self) -> Rolled:
        """What was rolled."""
        (event,) = (event for event in self.events if isinstance(event, CheckRolled))
        return event.rolled

    @property
    def check(self) -> CheckId:
        """Its id."""
        return self.rolled.check

    @property
    def result(self) -> Result:
        """What it came to in the end."""
        return [event.result for event in self._said() if event.result is not None][-1]

    @property
    def target(self) -> int | None:
        """What it had to reach."""
        return next((event.target for event in self.events if isinstance(event, TargetFixed)), self.rolled.target)

    @property
    def spent(self) -> bool:
        """Whether a Boon was spent on it after the roll."""
        return any(event.choice == "spend" for event in self.events if isinstance(event, Chosen))

    def effects(self) -> Iterator[dict[str, Any]]:
        """What it did, in order of happening."""
        for event in self._said():
            for effect in event.effects:
                yield from lines(effect)

    def _said(self) -> list[CheckRolled | Chosen]:
        return [event for event in self.events if not isinstance(event, TargetFixed)]

    def _shown(self) -> tuple[ChoiceOffer, ...]:
        """The offers that came with the last dice, before the only legal one was taken."""
        return [event for event in self._said() if event.result is not None][-1].choices

    def _offers(self) -> tuple[ChoiceOffer, ...]:
        return self._said()[-1].choices


def _fields(command: RollCheck | AnswerRequest) -> dict[str, Any]:
    return {name: getattr(command, name) for name in command.__struct_fields__}


def lines(effect: Effect) -> list[dict[str, Any]]:
    """An effect as the examples tell it."""
    match effect:
        case ResourceChanged(asked=asked, reason=reason) if asked < 0:
            return [{"type": "boon_spent", "when": _WHEN[reason]}]
        case ResourceChanged(applied=applied, reason=reason):
            return [{"type": "boon_gained" if applied else "boon_lost_to_cap", "reason": reason}]
        case DutyNoted(duty=duty):
            return [{"type": duty}]
        case ChanceGranted(to=to, sign=sign, uses=uses):
            return [{"type": "grant_chance", "sign": "positive" if sign == "boon" else "negative", "to": to, "uses": uses}]
        case DieBought() | MarkSet():
            return []  # these stand in the result, and in the initiative
        case _:
            return [{"type": type(effect).__name__}]
