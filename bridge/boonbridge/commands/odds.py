"""``boonbridge odds``: the exact chances of a check that nobody rolls, by the functions that a dialog asks.

What its words mean stands in ``supposed``.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from boonbridge.core.checking import checks_of
from boonbridge.core.preview import preview
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.rulesets.registry import NotARuleset
from boonbridge_schemas.base import Key, Label, Record, Sign
from boonbridge_schemas.checks import Odds, Source, TotalChance
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import DieSpec

from .arguments import BadArgument
from .failing import fail
from .plain import word
from .supposed import YOU, Asked, Supposed, game_of, opened


class Answer(Record, frozen=True, kw_only=True):
    """Everything there is to say about a check beforehand. ``called``: the game's own words for the two signs."""

    ruleset: Key
    check: Key
    target: int | None
    net: int
    boons: int
    banes: int
    bonus: int
    dice: tuple[DieSpec, ...]
    odds: Odds | None
    curve: tuple[TotalChance, ...]
    sources: tuple[Source, ...]
    called: dict[Sign, Label]


def ask(ruleset: str, check: str, words: Iterable[str]) -> Answer:
    """The answer to one question.

    Raises:
        BadArgument, NotARuleset, Refusal: with a sentence that says what is wrong.
    """
    game = game_of(ruleset)
    try:
        asked = Asked(words)
        supposed = Supposed(opened(game, asked), check, asked)
    except msgspec.ValidationError as problem:
        raise BadArgument(str(problem)) from None
    state, command = supposed.state, supposed.command()
    info = game.info(state.options)
    (row,) = preview(state, command, Viewer(YOU, "gm"))
    return Answer(
        ruleset=game.id,
        check=check,
        target=row.target,
        net=row.net,
        boons=row.boons,
        banes=row.banes,
        bonus=row.bonus,
        dice=row.dice,
        odds=row.odds,
        curve=_curve(state, command),
        sources=row.sources,
        called=called(info),
    )


def called(info: RulesetInfo) -> dict[Sign, Label]:
    """What a game calls the two signs."""
    return {"boon": info.words.get("boon", "boon"), "bane": info.words.get("bane", "bane")}


def _curve(state: TableState, command: RollCheck) -> tuple[TotalChance, ...]:
    """What a viewer is shown who may not know the target: the curve of totals."""
    ((_, (draft,)),) = checks_of(state, command, YOU, "gm")
    check = state.ruleset.prepare(state, draft)
    return state.ruleset.curve(state, check, state.ruleset.modifiers(state, check))


def odds(ruleset: str, check: str, words: Iterable[str], *, as_json: bool) -> None:
    """Print the chances of a check, or one sentence that says why there are none."""
    try:
        answer = ask(ruleset, check, words)
    except Refusal as refusal:
        fail(refusal.message)
    except (BadArgument, NotARuleset, msgspec.ValidationError) as problem:
        fail(str(problem))
    if as_json:
        print(msgspec.json.encode(answer).decode())
        return
    for line in lines(answer):
        print(line)


def lines(answer: Answer) -> list[str]:
    """The answer as text: what is rolled, the chances as fractions and percent, and where the dice come from."""
    dice = " + ".join(f"{die.count if die.count > 1 else ''}d{die.sides}{_role(die)}" for die in answer.dice)
    bonus = f" {'+' if answer.bonus > 0 else '-'} {abs(answer.bonus)}" if answer.bonus else ""
    against = f" against {answer.target}" if answer.target is not None else ""
    told = [f"{answer.ruleset} {answer.check}: {dice or 'no dice'}{bonus}{against}"]
    if answer.odds is not None:
        for name in ("success", "critical", "worst"):
            exact: str = getattr(answer.odds, name)
            told.append(f"  {name:<9} {percent(exact):>7}  {exact}")
    if answer.odds is None and answer.curve:
        told += [f"  {point.total:>9} {percent(point.chance):>7}  {point.chance}" for point in answer.curve]
    return told + source_lines(answer.sources, answer.called)


def source_lines(sources: Iterable[Source], called: Mapping[Sign, Label]) -> list[str]:
    """Where the dice come from, a line each; ``called``: the game's own words for the two signs."""
    told = []
    for line in sources:
        times = f" x{line.amount}" if line.amount != 1 else ""
        told.append(f"  {called[line.sign]} {word(line.label)}{times}: {line.why.replace('_', ' ')}")
    return told


def _role(die: DieSpec) -> str:
    return "" if die.role.startswith("d") else f" ({die.role})"


def percent(exact: str) -> str:
    """An exact chance, rounded for people."""
    return f"{float(Fraction(exact) * 100):.1f} %"
