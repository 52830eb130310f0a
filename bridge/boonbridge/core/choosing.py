"""Choices after a check: taken by whoever may, by default, or where only one is left."""

import msgspec
from msgspec.structs import replace

from boonbridge.dice.source import NoDice
from boonbridge.rulesets.base import Actor, OpenCheck
from boonbridge_schemas.base import CheckId, Key, Note, PartName, Scalar, UserId
from boonbridge_schemas.checks import ChoiceOffer, Extra
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Choose
from boonbridge_schemas.events import Chosen, TargetFixed
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .committing import Commit
from .decision import Context, Decision
from .evolving import evolve
from .state import TableState
from .visibility import (
    Viewer,
    hides_target,
    offers_for,
    open_offers,
    part_of,
    part_of_choice,
    part_of_target,
    same_readers,
    sees_check,
    split_margin,
    within,
)

_LIMITS = Limits()
_NO_MARGIN: tuple[Extra, ...] = ()
MOST_WAITING = 100
"""So many checks of a table wait for a ruling; then the one that has waited longest lapses, and says so."""


def close_open(commit: Commit, actor: Actor, part: PartName, by: UserId) -> None:
    """An actor's next check takes the default of whatever is still open on the one before.

    But only where nobody hears of it who does not hear of the new roll: nothing hidden may decide what others see open.
    """
    for check_id in commit.state.latest.get(actor.id, ()):
        opened = commit.state.checks.get(check_id)
        if opened is None or opened.done:
            continue
        if not (same_readers(opened, by) and within(part_of(opened.mode), part)):
            continue
        offers = commit.state.ruleset.choices(commit.state, opened)
        default = next((offer for offer in offers if offer.default and offer.enabled), None)
        if default is not None:
            _take(commit, opened, default.id)


def settle_if_forced(commit: Commit, check_id: CheckId) -> None:
    """Where only one choice is legal there is nothing to ask: it resolves in the same commit."""
    while not (opened := commit.state.checks[check_id]).done:
        enabled = [offer for offer in commit.state.ruleset.choices(commit.state, opened) if offer.enabled]
        if len(enabled) != 1:
            return
        _take(commit, opened, enabled[0].id)


def settle_among_gms(commit: Commit, check_id: CheckId) -> None:
    """The same for a hidden check whose roller cannot be told that it is open again: it takes its default, among the GMs."""
    while (opened := commit.state.undecided.get(check_id)) is not None:
        enabled = [offer for offer in commit.state.ruleset.choices(commit.state, opened) if offer.enabled]
        forced = enabled if len(enabled) == 1 else [offer for offer in enabled if offer.default and offer.who == "roller"]
        if not forced:
            return
        _take(commit, opened, forced[0].id, part="gm")


def end_open(commit: Commit, check_id: CheckId) -> None:
    """Nobody decides any more what is open on a check: it takes its default, or lapses where it was a GM's to say.

    But only where that can be told to just those who may know of it; otherwise it stays open.
    """
    while (opened := commit.state.undecided.get(check_id)) is not None:
        offers = [offer for offer in commit.state.ruleset.choices(commit.state, opened) if offer.enabled]
        offer = next((offer for offer in offers if offer.default), None) or next((o for o in offers if o.lapse), None)
        part = part_of_choice(opened, commit.by, offer) if offer is not None else None
        if offer is None or part is None:
            return
        _take(commit, opened, offer.id, part=part)


def let_lapse(commit: Commit) -> None:
    """A GM who never rules does not make the table grow. What is hidden is counted apart, and lapses among the GMs."""
    if len(commit.state.undecided) <= MOST_WAITING:
        return
    for public in (True, False):
        waiting = [opened for opened in commit.state.undecided.values() if (opened.mode == "public") is public]
        for opened in waiting if len(waiting) > MOST_WAITING else ():
            offers = commit.state.ruleset.choices(commit.state, opened)
            lapse = next((offer for offer in offers if offer.lapse), None)
            if lapse is not None:
                _take(commit, opened, lapse.id, part="all" if public else "gm")
                break


def _take(
    commit: Commit,
    opened: OpenCheck,
    choice: Key,
    args: dict[Key, Scalar] | None = None,
    *,
    part: PartName | None = None,
    note: str = "",
) -> None:
    """Take a choice; without ``args`` nobody made it, and then it may not draw."""
    state, rules = commit.state, commit.state.ruleset
    drawn_before = commit.dice.drawn
    dice = NoDice("a choice that nobody made") if args is None else commit.dice
    outcome = rules.decide_choice(state, opened, choice, args or {}, dice)
    result, telling = outcome.result, _NO_MARGIN
    if result is not None and hides_target(opened):
        result, telling = split_margin(result, rules)
    deferred = opened.mode != "public"
    draft = Chosen(
        check=opened.rolled.check,
        choice=choice,
        actor=opened.rolled.actor,
        auto=args is None,
        result=result,
        drawn=commit.dice.drawn - drawn_before,
        effects=outcome.effects,
        deferred=deferred,
        note=note,
        manual=commit.manual and commit.dice.drawn > drawn_before,
    )
    after = evolve(state, draft)
    offers = open_offers(opened, rules.choices(after, after.checks[opened.rolled.check]))
    commit.add(part or part_of(opened.mode), replace(draft, choices=offers))
    if telling and opened.target is not None and (fixed := part_of_target(opened.mode, commit.role)) is not None:
        commit.add(fixed, TargetFixed(check=opened.rolled.check, target=opened.target, extras=telling))


def choose(state: TableState, command: Choose, context: Context) -> Decision:
    """Take a choice of a check. Raises ``check.unknown``, ``choice.*``, ``faces.*``, and the ruleset's own reasons."""
    opened, viewer = state.checks.get(command.check), Viewer(context.by, context.role)
    if opened is None or not sees_check(opened, viewer) or _for_gms_alone(state, opened, viewer):
        raise Refusal(Code.CHECK_UNKNOWN, values={"check": command.check})
    rules = state.ruleset
    rules.refuse_choice(state, opened, command.choice)
    offer = next((o for o in rules.choices(state, opened) if o.id == command.choice), None)
    if opened.done or offer is None:
        raise Refusal(Code.CHOICE_DONE if opened.done else Code.CHOICE_NOT_OFFERED, values={"choice": command.choice})
    if offer.who == "gm" and context.role != "gm":
        raise Refusal(Code.CHOICE_NOT_YOURS)
    part = part_of_choice(opened, context.by, offer)
    if part is None:
        raise Refusal(Code.CHOICE_NOT_YOURS, "On a roll that not everybody sees, whoever rolled it chooses.")
    note = _note(command, offer)
    commit = Commit(state, context, part, faces=command.faces)
    _take(commit, opened, command.choice, args=dict(command.args), part=part, note=note)
    settle_if_forced(commit, command.check)
    return commit.decision()


def _for_gms_alone(state: TableState, opened: OpenCheck, viewer: Viewer) -> bool:
    """Whether all there was to decide lately on a roll that not everybody sees was a GM's: a ruling that is open or given.

    Its player is answered alike in both cases, and as later, when another roll has taken its place.
    """
    rules = state.ruleset
    if opened.mode == "public" or viewer.role == "gm" or offers_for(opened, rules.choices(state, opened), viewer):
        return False
    stages = (replace(opened, taken=opened.taken[:n], done=False) for n in range(len(opened.taken) + 1))
    return any(offer.who == "gm" for stage in stages for offer in rules.choices(state, stage))


def _note(command: Choose, offer: ChoiceOffer) -> str:
    """The words that go with a choice. Raises ``choice.bad_note`` where it takes none, or not those."""
    if not command.args:
        return ""
    given = command.args.get("note")
    if not offer.note or len(command.args) > 1 or not isinstance(given, str):
        raise Refusal(Code.CHOICE_BAD_NOTE, "This choice takes no such words.", values={"choice": command.choice})
    try:
        return msgspec.convert(given.strip(), Note)
    except msgspec.ValidationError:
        raise Refusal(
            Code.CHOICE_BAD_NOTE, f"A note has at most {_LIMITS.note} characters of plain text.", values={"limit": _LIMITS.note}
        ) from None
