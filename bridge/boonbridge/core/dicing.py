"""Other dice than those of a check: damage, an amount, a chance. Nobody asks whether they succeed.

Boons and Banes do not touch them (A-17), except in a game that has such a reading, where a rule that somebody names
grants them to damage.
"""

from typing import Literal

from msgspec.structs import replace

from boonbridge.dice.formula import ExtraDie, Formula, check, fall, parse
from boonbridge.dice.source import Dice
from boonbridge.rulesets.base import Actor, Check, Modifiers
from boonbridge_schemas.base import CheckId, Label
from boonbridge_schemas.checks import Source
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import RollDice
from boonbridge_schemas.events import CheckNoted, DiceRolled
from boonbridge_schemas.game import CheckSpec
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec

from .checking import allow_mode, known, modified
from .committing import Commit
from .decision import Context, Decision
from .state import TableState
from .visibility import part_of

NOBODY = Actor(id="nobody", name="Nobody")
"""Whose damage is judged where no actor is named."""

_DAMAGE = CheckSpec(key="damage", label="Damage", params=())
_NO_SOURCES: tuple[Source, ...] = ()


def roll_dice(state: TableState, command: RollDice, context: Context) -> Decision:
    """Roll the dice of a formula.

    Raises ``dice.*``, ``roll.mode``, ``roll.sources``, ``roll.too_many_dice``, ``actor.unknown``, ``faces.*``; then no die
    is in any log.
    """
    allow_mode(state, command.mode)
    formula = parse(command.formula)
    part = part_of(command.mode)
    commit = Commit(state, context, part, faces=command.faces)
    commit.introduce((command.actor,) if command.actor is not None else (), keep=command.mode == "public")
    actor = known(commit.state, command.actor) if command.actor is not None else None
    sources, extra = _boons(commit, command, formula, actor)
    needed = formula.count + (extra.count if extra else 0)
    if command.faces is not None and len(command.faces) != needed:
        raise Refusal(
            Code.FACES_COUNT,
            f"{len(command.faces)} faces were given for {needed} dice.",
            values={"given": len(command.faces), "needed": needed},
        )
    rolled = _rolled(commit.dice, commit.next_id(), actor, formula, extra)
    rolled = replace(
        rolled,
        kind=command.kind,
        label=command.label.strip(),
        mode=command.mode,
        sources=sources,
        rule=command.rule.strip() if sources else "",
        manual=commit.manual,
    )
    commit.add(part, rolled)
    if command.mode == "blind":
        commit.add("roller", _noted(rolled, context))
    return commit.decision()


def plain(
    dice: Dice,
    roll_id: CheckId,
    actor: Actor,
    *,
    formula: str,
    label: Label,
    kind: Literal["dice", "damage"],
    auto: bool,
) -> DiceRolled:
    """Dice that fall for an actor within another commit, for everybody to see. Raises ``dice.bad_formula``."""
    return replace(_rolled(dice, roll_id, actor, parse(formula), None), kind=kind, label=label, auto=auto)


def _rolled(dice: Dice, roll_id: CheckId, actor: Actor | None, formula: Formula, extra: ExtraDie | None) -> DiceRolled:
    fallen = fall(dice, formula, extra)
    return DiceRolled(
        roll=roll_id,
        actor=actor.id if actor else None,
        name=actor.name if actor else "",
        mode="public",
        formula=formula.text,
        terms=formula.terms,
        dice=fallen.dice,
        bonus=formula.bonus,
        total=fallen.total,
    )


def _noted(rolled: DiceRolled, context: Context) -> CheckNoted:
    return CheckNoted(
        check=rolled.roll,
        actor=rolled.actor or f"adhoc.{context.by}",
        name=rolled.name or "Dice",
        kind=rolled.kind,
        action=rolled.label,
    )


# --- where a rule grants Boons to damage -----------------------------------------------------------------------
def _boons(
    commit: Commit, command: RollDice, formula: Formula, actor: Actor | None
) -> tuple[tuple[Source, ...], ExtraDie | None]:
    """The account of what a rule grants to damage, and the die that is left of it (A-17). Raises ``dice.no_boons``."""
    if not command.sources and not command.rule.strip():
        return _NO_SOURCES, None
    state = commit.state
    # A game that knows no such rule says so before anything else does.
    state.ruleset.damage_die(state, actor, Modifiers(sources=(), boons=0, banes=0, net=0))
    if command.kind != "damage":
        raise Refusal(Code.DICE_NO_BOONS, "Only damage may have a Boon or Bane, and only where a rule says so.")
    if not command.rule.strip():
        raise Refusal(Code.DICE_NO_BOONS, "Name the rule that grants this damage a Boon or Bane.")
    if not command.sources:
        raise Refusal(Code.DICE_NO_BOONS, "Name the Boon or Bane that the rule grants.")
    if not formula.plain:
        raise Refusal(Code.DICE_NO_BOONS, "With a Boon or Bane, dice are neither kept, dropped nor taken away.")
    by_player = getattr(state.options, "player_sources", "marked")
    if commit.role == "player" and by_player == "gm_only":
        raise Refusal(Code.ROLL_SOURCES)
    # What stands on an actor is for checks; of damage only what the rule grants is judged.
    bare = replace(actor or NOBODY, grants=(), conditions=())
    damage = Check(
        spec=_DAMAGE,
        actor=bare,
        action=command.label,
        mode=command.mode,
        claims=command.sources,
        by_player=commit.role == "player" and by_player == "marked",
    )
    modifiers = modified(state, damage)
    extra = _extra(state.ruleset.damage_die(state, actor, modifiers))
    check(formula, extra)
    return modifiers.sources, extra


def _extra(spec: DieSpec) -> ExtraDie | None:
    if spec.count == 0:
        return None
    return ExtraDie(role=spec.role, sides=spec.sides, count=spec.count, lowest=spec.role == "bane")
