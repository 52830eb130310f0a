"""A success level tells the margin in steps of three; where the difficulty is a hidden resistance, it is the GM's to know."""

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve, evolve_all
from boonbridge.core.state import TableState
from boonbridge.dice.source import TapeDice
from boonbridge.rulesets import group_d12, public_d20
from boonbridge_schemas.base import Side
from boonbridge_schemas.checks import Extra, Number, Numbers
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.effects import ConditionChanged
from boonbridge_schemas.events import Acted, ActorSynced, CheckRolled, ConditionSet, NumbersSet, TargetFixed
from boonbridge_schemas.grants import HeldCondition


def table(side: Side) -> TableState:
    """Ana (athletics +3) and somebody who resists with athletics +1, so with a difficulty of 8 (D-22)."""
    state = TableState.opening(group_d12.RULESET, {"success_level": True})
    for name, whose, bonus in (("ana", "party", 3), ("watch", side, 1)):
        numbers = Numbers(values=(Number(key="skill.athletics", value=bonus, label="Athletics"),))
        state = evolve_all(
            state,
            (ActorSynced(actor=name, name=name, side=whose, owners=()), NumbersSet(actor=name, numbers=numbers)),  # type: ignore[arg-type]
        )
    return begin(state, seq=9, at=0, by="u")


def rolled(state: TableState) -> list[tuple[str, object]]:
    """Ana against the resistance, with a 12 - 1 = 11 on the die: 14 against 8."""
    command = RollCheck(
        check="skill", actors=("ana",), targets=("watch",), params={"skill": "skill.athletics", "resist": "skill.athletics"}
    )
    context = Context(by="u", role="gm", at=0, command_id="x" * 22, dice_for=lambda _part: TapeDice([11]))
    return list(decide(state, command, context).placed)


def test_a_hidden_resistance_keeps_the_level_for_the_gm() -> None:
    placed = rolled(table("opposition"))
    (event,) = [e for part, e in placed if part == "all" and isinstance(e, CheckRolled)]
    assert event.rolled.target is None
    assert event.result.extras == ()
    # 1 + (14 - 8) // 3 = 3 (proposed in the rules' section 8).
    (fixed,) = [e for part, e in placed if part == "gm" and isinstance(e, TargetFixed)]
    assert (fixed.target, fixed.extras) == (8, (Extra(key="level", value=3),))


def test_an_open_resistance_shows_it() -> None:
    placed = rolled(table("party"))
    (event,) = [e for _, e in placed if isinstance(e, CheckRolled)]
    assert event.result.extras == (Extra(key="level", value=3),)
    assert not [e for _, e in placed if isinstance(e, TargetFixed)]


def test_what_is_spent_is_spent_whoever_gave_it() -> None:
    state = TableState.opening(public_d20.RULESET)
    state = evolve(state, ActorSynced(actor="ash", name="Ash", side="party", owners=()))
    for giver, amount in (("bo", 2), (None, 1)):
        state = evolve(state, ConditionSet(actor="ash", condition=HeldCondition(key="bolstered", amount=amount, by=giver)))
    gone = ConditionChanged(actor="ash", condition="bolstered", change=-3, now=0)
    state = evolve(state, Acted(verb="x", effects=(gone,)))
    assert state.actors["ash"].condition("bolstered") == 0
    assert state.actors["ash"].conditions == ()
