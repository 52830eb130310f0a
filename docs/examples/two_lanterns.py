"""2d6 + skill against a difficulty. Every Boon left is one more d6, and the best two count; with Banes, the worst two."""

from boonbridge.rulesets.base import Outcome
from boonbridge.rulesets.common.game import Game
from boonbridge_schemas.checks import Die, Result
from boonbridge_schemas.game import CheckSpec, Circumstance, NumberSpec, OutcomeWord, ParamSpec, RoleWord
from boonbridge_schemas.server import DieSpec

SKILL = ParamSpec(key="skill", label="Skill", kind="number", group="skill", required=True)
DIFFICULTY = ParamSpec(key="difficulty", label="Difficulty", kind="integer", min=2, max=20, required=True, difficulty=True)


class TwoLanterns(Game):
    id = "two_lanterns"
    title = "Two Lanterns"
    version = 1  # goes up when the same dice would mean something else; every commit stores it
    summary = "2d6 + skill against a difficulty."

    # What the page builds its forms, buttons and cards from.
    checks = {"test": CheckSpec(key="test", label="Test", params=(SKILL, DIFFICULTY))}
    numbers = (NumberSpec(key="skill", label="Skills", group=True, min=0, max=6, suggestions=("Climb", "Sneak")),)
    roles = (RoleWord(key="lantern", label="lantern"),)
    outcomes = (
        OutcomeWord(key="bright", label="Bright success", tone="critical"),
        OutcomeWord(key="yes", label="Success", tone="success"),
        OutcomeWord(key="no", label="Failure", tone="failure"),
    )
    circumstances = (Circumstance(id="rope", label="A good rope", sign="boon"),)

    def target(self, table, check):
        return check.params["difficulty"]

    def bonus(self, table, check):
        return check.actor.number(check.params["skill"]) or 0

    def dice(self, table, check, modifiers):
        return (DieSpec(role="lantern", sides=6, count=2 + abs(modifiers.net)),)

    def resolve(self, table, check, modifiers, dice):
        faces = [dice.draw("lantern", 6) for _ in range(2 + abs(modifiers.net))]
        order = sorted(range(len(faces)), key=lambda i: faces[i], reverse=modifiers.net > 0)
        kept = set(order[:2])
        total = sum(faces[i] for i in kept) + self.bonus(table, check)
        success = total >= self.target(table, check)
        bright = success and all(faces[i] == 6 for i in kept)
        result = Result(
            dice=tuple(Die(role="lantern", sides=6, face=face, kept=i in kept) for i, face in enumerate(faces)),
            net=modifiers.net,
            boons=modifiers.boons,
            banes=modifiers.banes,
            bonus=self.bonus(table, check),
            total=total,
            outcome="bright" if bright else "yes" if success else "no",
            success=success,
            crits=int(bright),
        )
        return Outcome(result=result)


RULESET = TwoLanterns()
