"""``boonbridge try``: what these faces would give. The check is decided as a server decides it, at a table nobody opened.

What its words mean stands in ``supposed``; ``spendBefore=N`` is what is spent before the dice. Faces come in the order in which
the dice are asked for, and those of a bought die after all others.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from boonbridge.dice.source import HandDice
from boonbridge.rulesets.registry import NotARuleset
from boonbridge_schemas.base import CheckId, Key, Label, Record, Side, Sign
from boonbridge_schemas.checks import ChoiceOffer, Odds, Result, Source
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Act, Choose
from boonbridge_schemas.effects import Effect
from boonbridge_schemas.events import CheckRolled, Chosen, Event, RequestClosed, TargetFixed
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import GroupResult
from boonbridge_schemas.server import Refused

from . import asking
from .arguments import BadArgument, faces
from .effects import effects_told
from .failing import fail
from .gatherings import group_told
from .lines import dice_told, verdict
from .odds import called, percent, source_lines
from .plain import word
from .supposed import Asked, Supposed, game_of, opened

_GIVE = "give_boon"
_SPEND = "spendBefore"


class Step(Record, frozen=True, kw_only=True):
    """The roll itself (``choice`` null), or a choice after it. ``auto``: nobody had to choose, there was only this.

    ``result`` is what the dice say after it; ``choices`` what could be chosen then.
    """

    choice: Key | None = None
    label: Label = ""
    auto: bool = False
    result: Result
    verdict: Label
    effects: tuple[Effect, ...] = ()
    choices: tuple[ChoiceOffer, ...] = ()


class Tried(Record, frozen=True, kw_only=True):
    """What some faces gave. ``called``: the game's own words for the two signs.

    ``together`` and ``earned``: of a check that is only rolled in a group, what that came to with no other member.
    """

    ruleset: Key
    check: Key
    target: int | None
    odds: Odds | None
    sources: tuple[Source, ...]
    steps: tuple[Step, ...]
    together: GroupResult | None = None
    earned: tuple[Effect, ...] = ()
    called: dict[Sign, Label]


def attempt(
    ruleset: str,
    check: str,
    words: Iterable[str],
    *,
    by_hand: str,
    choose: Sequence[str] = (),
    held: int = 0,
    side: Side = "party",
) -> tuple[Tried, RulesetInfo]:
    """What these faces would give, and the game in words.

    Raises:
        BadArgument, NotARuleset: with a sentence that says what is wrong with the words.
        Refusal: what a table would say to such a roll, with its code.
    """
    game = game_of(ruleset)
    falling = HandDice(faces(by_hand))
    try:
        asked = Asked(words)
        before = _whole(asked.params.pop(_SPEND, 0))
        supposed = Supposed(opened(game, asked), check, asked, side=side)
        info = game.info(supposed.state.options)
        for _ in range(held):
            if all(verb.key != _GIVE for verb in info.verbs):
                raise Refusal(Code.VERB_UNKNOWN, "Nobody holds Boons together in this game.", values={"verb": _GIVE})
            supposed.do(Act(verb=_GIVE))
        events = supposed.roll(falling, spend_before=before)
        (rolled,) = (event for event in events if isinstance(event, CheckRolled))
        fixed = next((event for event in events if isinstance(event, TargetFixed)), None)
        steps = list(_steps(events, rolled.rolled.check, info))
        for choice in choose:
            _offered(choice, steps)
            chosen = msgspec.convert({"t": "Choose", "check": rolled.rolled.check, "choice": choice}, Choose)
            more = supposed.do(chosen, falling)
            steps += _steps(more, rolled.rolled.check, info, steps)
            events += more
    except msgspec.ValidationError as problem:
        raise BadArgument(str(problem)) from None
    _finish(falling, steps[-1])
    closed = next((event for event in events if isinstance(event, RequestClosed)), None)
    tried = Tried(
        ruleset=game.id,
        check=check,
        target=fixed.target if fixed else rolled.rolled.target,
        odds=fixed.odds if fixed else rolled.odds,
        sources=rolled.sources,
        steps=tuple(steps),
        together=closed.result if closed else None,
        earned=closed.effects if closed else (),
        called=called(info),
    )
    return tried, info


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadArgument(f"{_SPEND} takes a whole number, and {value!r} is none.")
    return value


def _steps(events: Iterable[Event], check: CheckId, info: RulesetInfo, before: Sequence[Step] = ()) -> Iterator[Step]:
    """The roll and the choices among some events, in order, after the steps ``before``."""
    so_far = before[-1].result if before else None
    offered = {offer.id: offer.label for step in before for offer in step.choices}
    for event in events:
        if isinstance(event, CheckRolled) or (isinstance(event, Chosen) and event.check == check):
            choice = event.choice if isinstance(event, Chosen) else None
            so_far = event.result or so_far
            assert so_far is not None, "a choice comes after a roll"
            yield Step(
                choice=choice,
                label=offered.get(choice, choice) if choice is not None else "",
                auto=isinstance(event, Chosen) and event.auto,
                result=so_far,
                verdict=verdict(so_far, info),
                effects=event.effects,
                choices=event.choices,
            )
            offered |= {offer.id: offer.label for offer in event.choices}


def _offered(choice: str, steps: Sequence[Step]) -> None:
    """Raises the reason of an offer that stood there and could not be taken, rather than that all is decided."""
    for step in steps:
        for offer in step.choices:
            if offer.id == choice and offer.why is not None and steps[-1].auto:
                raise Refusal(Code(offer.why))


def _finish(falling: HandDice, step: Step) -> None:
    """Raises ``faces.count`` where faces are left over."""
    try:
        falling.finish()
    except Refusal as refusal:
        given, needed = refusal.values["given"], refusal.values["needed"]
        more = " Those of a bought die need --choose, as in --choose spend." if step.choices else ""
        dice = "1 die was" if needed == 1 else f"{needed} dice were"
        raise Refusal(refusal.code, f"{given} faces were given, and {dice} rolled.{more}", values=dict(refusal.values)) from None


def show(
    ruleset: str,
    check: str,
    words: Iterable[str],
    *,
    by_hand: str,
    choose: Sequence[str],
    held: int,
    side: Side,
    as_json: bool,
) -> None:
    """Print what some faces would give, or why they give nothing."""
    try:
        tried, info = attempt(ruleset, check, words, by_hand=by_hand, choose=choose, held=held, side=side)
    except Refusal as refusal:
        if as_json:
            asking.show(Refused(code=refusal.code, message=refusal.message, values=dict(refusal.values)))
            raise SystemExit(1) from None
        fail(refusal.message)
    except (BadArgument, NotARuleset) as problem:
        fail(str(problem))
    if as_json:
        asking.show(tried)
        return
    for line in lines(tried, info):
        print(line)


def lines(tried: Tried, info: RulesetInfo) -> Iterator[str]:
    """What came of it as text: the dice and the verdict of each step, where they come from, what follows, what is open."""
    before: Result | None = None
    for step in tried.steps:
        came = f"{dice_told(step.result.dice)} = {step.result.total}"
        if step.choice is None:
            against = f" against {tried.target}" if tried.target is not None else ""
            yield f"{tried.ruleset} {tried.check}: {came}{against}  {step.verdict}"
            yield from source_lines(tried.sources, tried.called)
        else:
            new = f"  {came}  {step.verdict}" if step.result is not before else ""
            yield f"{step.choice}: {word(step.label)}{' (by itself)' if step.auto else ''}{new}"
        yield from (f"  {told}" for told in effects_told(step.effects, info))
        before = step.result
    if tried.together is not None:
        yield f"together: {group_told(tried.together, info)}"
        yield from (f"  {told}" for told in effects_told(tried.earned, info))
    if tried.steps[-1].choices:
        yield "then:"
        yield from (f"  {_offer(offer)}" for offer in tried.steps[-1].choices)


def _offer(offer: ChoiceOffer) -> str:
    """What could be chosen, by whom, at what chance, or why not."""
    told = f"{offer.id}: {word(offer.label)}"
    if offer.who == "gm":
        told += " (the GM says)"
    if offer.default:
        told += " (by default)"
    if offer.chance is not None:
        told += f"  {percent(offer.chance)}  {offer.chance}"
    if not offer.enabled:
        known = {code.value: code.meaning for code in Code}
        told += f"  not now: {known.get(offer.why or '', (offer.why or '').replace('_', ' '))}"
    return told
