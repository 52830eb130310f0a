"""A fifth game in one file: down into the mine, one d6 a level, and every level asks whether to go on.

Rules of the house. Each level is a d6. A 1 caves the shaft in and all is lost. Whoever comes up in time keeps what
was carried: the sum of the dice, one more for every Boon left and one less for every Bane. It takes ``load`` to be
worth the climb. Nothing of Boonbridge knows this game; it declares no odds of its own.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from boonbridge.rulesets.base import Check, Modifiers, OpenCheck, Outcome, Table
from boonbridge.rulesets.common.game import Game
from boonbridge_schemas.checks import ChoiceOffer, Die, Result
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import DieBought, DutyNoted
from boonbridge_schemas.game import CheckSpec, Circumstance, NumberSpec, OutcomeWord, ParamSpec, RoleWord
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec


class DeepMine(Game):
    """Push your luck underground."""

    id = "deep_mine"
    title = "The Deep Mine"
    summary = "A d6 for every level. Come up while you can: a 1 and the shaft is gone."
    checks = {  # noqa: RUF012
        "descent": CheckSpec(
            key="descent",
            label="Descent",
            params=(ParamSpec(key="load", label="Load", kind="integer", min=1, max=99, required=True, difficulty=True),),
        )
    }
    numbers = (NumberSpec(key="back", label="Strong back", min=0, max=9, default=0),)
    outcomes = (
        OutcomeWord(key="below", label="Still below", tone="failure"),
        OutcomeWord(key="rich", label="Up, and rich", tone="success"),
        OutcomeWord(key="poor", label="Up, with empty hands", tone="failure"),
        OutcomeWord(key="buried", label="Buried", tone="worst"),
    )
    roles = (RoleWord(key="level", label="level"),)
    words = {"boon": "lamp", "bane": "bad air", "target": "load", "duty.dug_out": "Somebody has to dig"}  # noqa: RUF012
    circumstances = (Circumstance(id="lamp", label="A good lamp", sign="boon"),)

    def target(self, table: Table, check: Check) -> int | None:
        return int(check.params["load"])

    def bonus(self, table: Table, check: Check) -> int:
        return check.actor.number("back") or 0

    def dice(self, table: Table, check: Check, modifiers: Modifiers) -> tuple[DieSpec, ...]:
        return (DieSpec(role="level", sides=6),)

    def resolve(self, table: Table, check: Check, modifiers: Modifiers, dice: Any) -> Outcome:
        empty = Result(
            dice=(),
            net=modifiers.net,
            boons=modifiers.boons,
            banes=modifiers.banes,
            bonus=self.bonus(table, check) + modifiers.net,
            total=0,
            outcome="below",
            success=False,
        )
        return _deeper(empty, dice)

    def choices(self, table: Table, check: OpenCheck) -> tuple[ChoiceOffer, ...]:
        if "stop" in check.taken or check.result.worst:
            return ()
        return (
            ChoiceOffer(id="push", label="One level deeper", who="roller", chance="5/6"),
            ChoiceOffer(id="stop", label="Climb up", who="roller", default=True),
        )

    def decide_choice(self, table: Table, check: OpenCheck, choice: str, args: Mapping[str, Any], dice: Any) -> Outcome:
        if choice == "push":
            deeper = _deeper(check.result, dice)
            last = deeper.result.dice[-1]
            return replace(deeper, effects=(DieBought(sides=6, face=last.face), *deeper.effects))
        if choice == "stop":
            rich = check.result.total >= check.target
            return Outcome(result=replace(check.result, outcome="rich" if rich else "poor", success=rich))
        raise Refusal(Code.CHOICE_NOT_OFFERED, values={"choice": choice})


def _deeper(result: Result, dice: Any) -> Outcome:
    face = dice.draw("level", 6)
    caved_in = face == 1
    levels = (*result.dice, Die(role="level", sides=6, face=face, kept=True))
    levels = tuple(replace(die, kept=not caved_in) for die in levels)
    after = replace(
        result,
        dice=levels,
        total=0 if caved_in else sum(die.face for die in levels) + result.bonus,
        outcome="buried" if caved_in else "below",
        worst=caved_in,
    )
    return Outcome(result=after, effects=(DutyNoted(duty="dug_out"),) if caved_in else ())


RULESET = DeepMine()
