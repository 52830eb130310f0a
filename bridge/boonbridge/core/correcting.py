"""Corrections: a GM takes something back, or decides otherwise what a check came to. The original stays in the log.

What a correction changes is in its own event, as effects like any other, with what it had to leave as it is. A GM is told
before he confirms (``correction.used``; ``foresee`` lists it).
"""

from msgspec.structs import replace

from boonbridge.rulesets.base import OpenCheck
from boonbridge_schemas.base import CheckId, PartName, RequestId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Override, Void
from boonbridge_schemas.corrections import Left
from boonbridge_schemas.effects import Effect, ResistanceOffered, ResistanceTaken, RowReopened
from boonbridge_schemas.events import GroupRecounted, Overridden, Settled, Voided
from boonbridge_schemas.refusal import Refusal

from .choosing import let_lapse, settle_among_gms, settle_if_forced
from .committing import Commit
from .decision import Context, Decision
from .deeds import check_deed
from .evolving import evolve
from .grouping import counted_anew
from .state import Deed, TableState
from .undoing import is_unseen, undo
from .visibility import (
    Viewer,
    hides_target,
    numbers_public,
    open_offers,
    part_of,
    part_of_request,
    same_readers,
    sees_check,
    split_margin,
)


def void(state: TableState, command: Void, context: Context) -> Decision:
    """Take a check with its choices, a grant, a condition or a table move back.

    Raises ``correction.unknown``, ``correction.done``, ``correction.final``, ``correction.used``.
    """
    deed = _deed(state, command.what, context)
    undoing = undo(state, deed, deed.writes)
    left = (*undoing.left, *_closed(state, deed))
    unseen = tuple(effect for effect in undoing.effects if is_unseen(state, effect))
    effects = tuple(effect for effect in undoing.effects if effect not in unseen)
    part, reopened = _part(state, deed, context), _reopened(state, deed.opened)
    commit = Commit(state, context, part)
    if _hidden(deed):
        # What a hidden check did to the table was told to all, and so is that it is undone; that somebody has answered, too.
        # So is a grant that was hidden and has been shown.
        told = (*effects, *reopened) if _part_of_row(state, deed.opened) == "all" else effects
        if told:
            commit.add("all", Settled(effects=told))
        effects, reopened = (), reopened if reopened and reopened[0] not in told else ()
    secret = Voided(
        what=command.what,
        effects=(*(effect for effect in effects if part == "all" and _tells_numbers(state, effect)), *unseen),
        left=(*(each for each in left if part == "all" and _tells_numbers(state, each)), *undoing.unseen),
    )
    effects = tuple(effect for effect in effects if effect not in secret.effects)
    left = tuple(each for each in left if each not in secret.left)
    corrected = Voided(what=command.what, reason=command.reason.strip(), effects=(*effects, *reopened), left=left)
    if part == "gm":  # then there is one for all of it
        corrected = replace(corrected, effects=(*corrected.effects, *secret.effects), left=(*left, *secret.left))
        secret = Voided(what=command.what)
    commit.add(part, corrected)
    if secret.effects or secret.left:
        commit.add("gm", secret)
    if deed.opened is not None:
        recount(commit, deed.opened.rolled.request)
    return _confirmed(commit, confirmed=command.confirm)


def _tells_numbers(state: TableState, what: Effect | Left) -> bool:
    """Whether it is about resistance with numbers that only GMs may know (D-22)."""
    if isinstance(what, Left):
        resisting = what.actor if what.what == "resistance" else None
    else:
        resisting = what.actor if isinstance(what, ResistanceOffered | ResistanceTaken) else None
    actor = state.actors.get(resisting or "")
    return actor is not None and not numbers_public(state, actor)


def _confirmed(commit: Commit, *, confirmed: bool) -> Decision:
    """What a correction comes to; refused (``correction.used``) until whoever asks has seen all that it leaves."""
    corrected = [event for _, event in commit.placed if isinstance(event, Voided | Overridden | GroupRecounted)]
    count = sum(len(event.left) for event in corrected)
    if count and not confirmed:
        raise Refusal(Code.CORRECTION_USED, values={"count": count})
    return commit.decision()


def _deed(state: TableState, what: str, context: Context) -> Deed:
    if what.startswith("correction/"):
        raise Refusal(Code.CORRECTION_FINAL, values={"what": what})
    deed = state.deeds.get(what) if not what.startswith("request/") else None
    hidden = deed is not None and deed.opened is not None and not sees_check(deed.opened, Viewer(context.by, context.role))
    if deed is None or hidden:
        raise Refusal(Code.CORRECTION_UNKNOWN, values={"what": what})
    if deed.voided:
        raise Refusal(Code.CORRECTION_DONE, values={"what": what})
    return deed


def _closed(state: TableState, deed: Deed) -> tuple[Left, ...]:
    """Choices that were taken for their players because this was rolled: they stay taken."""
    found = (state.deeds.get(check_deed(check)) for check in deed.closed)
    return tuple(Left(what="choice", actor=each.actor, label=each.label, why="closed_by_it") for each in found if each)


def _reopened(state: TableState, opened: OpenCheck | None) -> tuple[Effect, ...]:
    """Whoever rolled for a request that is open may do so again."""
    asking = state.requests.get(opened.rolled.request or "") if opened is not None else None
    if opened is None or asking is None or not asking.open:
        return ()
    member = asking.members.get(opened.rolled.actor)
    if member is None or member.rolled.check != opened.rolled.check:
        return ()
    return (RowReopened(request=asking.record.id, actor=opened.rolled.actor),)


def _part_of_row(state: TableState, opened: OpenCheck | None) -> PartName:
    """Where it is told that somebody has answered the request that a check is of."""
    asking = state.requests.get(opened.rolled.request or "") if opened is not None else None
    return "all" if asking is None else part_of_request(asking)


def _hidden(deed: Deed) -> bool:
    """Whether not everybody knows of a deed."""
    return deed.opened.mode != "public" if deed.opened is not None else deed.hidden


def _part(state: TableState, deed: Deed, context: Context) -> PartName:
    """Where the correction stands: with those who know of what it corrects."""
    if deed.opened is not None:
        return part_of(deed.opened.mode) if same_readers(deed.opened, context.by) else "gm"
    if deed.hidden:
        return "gm"
    resisting = (state.actors.get(write.place[1]) for write in deed.writes if write.place[0] == "resistance")
    return "all" if all(actor is None or numbers_public(state, actor) for actor in resisting) else "gm"


# --- another outcome -------------------------------------------------------------------------------------------
def override(state: TableState, command: Override, context: Context) -> Decision:
    """Decide otherwise what a check came to; its dice, and what was paid for them, stay.

    Raises ``correction.unknown``, ``correction.done``, ``correction.outcome``, ``correction.used``.
    """
    deed = _deed(state, check_deed(command.check), context)
    opened = deed.opened
    if opened is None:
        raise Refusal(Code.CORRECTION_UNKNOWN, values={"check": command.check})
    if command.outcome == opened.result.outcome:
        return Decision()
    _refuse_unseen(state, opened, context)
    undoing = undo(state, deed, [write for write in deed.writes if not write.paid])
    part = _part(state, deed, context)
    commit = Commit(state, context, part)
    if _hidden(deed) and undoing.effects:
        commit.add("all", Settled(effects=undoing.effects))
    draft = Overridden(
        check=command.check,
        outcome=command.outcome,
        reason=command.reason.strip(),
        result=opened.result,
        effects=undoing.effects if not _hidden(deed) else (),
        left=undoing.left,
        deferred=_hidden(deed),
    )
    # What the outcome brings is what it brings at the table as it is without the one before.
    before = evolve(commit.state, draft)
    ruled = state.ruleset.overridden(before, replace(opened, taken=deed.bought, done=False), command.outcome)
    assert ruled.result is not None
    result = split_margin(ruled.result, state.ruleset)[0] if hides_target(opened) else ruled.result
    draft = replace(draft, result=result, brings=ruled.effects)
    after = evolve(commit.state, draft)
    standing = after.deeds[deed.id].opened
    assert standing is not None
    offers = open_offers(standing, state.ruleset.choices(after, replace(standing, done=False)))
    commit.add(part, replace(draft, choices=offers if _may_choose(state, opened) else ()))
    if command.check in commit.state.checks:
        (settle_if_forced if same_readers(opened, context.by) else settle_among_gms)(commit, command.check)
        let_lapse(commit)
    recount(commit, opened.rolled.request)
    return _confirmed(commit, confirmed=command.confirm)


def _refuse_unseen(state: TableState, opened: OpenCheck, context: Context) -> None:
    """What its roller has still to choose on a hidden roll is not changed without his knowing. Raises ``choice.not_yours``."""
    if opened.done or same_readers(opened, context.by):
        return
    if any(offer.who == "roller" for offer in state.ruleset.choices(state, opened)):
        raise Refusal(
            Code.CHOICE_NOT_YOURS, "Whoever rolled it has still to choose, and could not be told. Show it to everybody first."
        )


def _may_choose(state: TableState, opened: OpenCheck) -> bool:
    """Whether anybody is left to choose for whoever rolled."""
    return opened.rolled.ad_hoc or opened.rolled.actor in state.actors


# --- what a group's rolls came to ------------------------------------------------------------------------------
def recount(commit: Commit, request: RequestId | None) -> None:
    """Count a request that is over anew, after one of its rolls has changed; nothing where it is still open."""
    for part, event in tuple(counted_anew(commit.state, request)):
        commit.add(part, event)


def check_of(state: TableState, check: CheckId, context: Context) -> Deed:
    """A check that is remembered and that this person may read. Raises ``correction.unknown``, ``correction.done``."""
    return _deed(state, check_deed(check), context)
