"""Hidden checks that come out: shown to everybody, or only what they do to the table."""

from msgspec.structs import replace

from boonbridge.rulesets.base import OpenCheck
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Reveal, Settle
from boonbridge_schemas.effects import (
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    Effect,
    LockCleared,
    LockSet,
    ResourceChanged,
)
from boonbridge_schemas.events import RequestAnswered, Revealed, Settled
from boonbridge_schemas.refusal import Refusal

from .applying import changed
from .choosing import let_lapse, settle_if_forced
from .committing import Commit
from .correcting import check_of, recount
from .decision import Context, Decision
from .evolving import evolve
from .state import TableState
from .visibility import open_offers

_STANDING = (ResourceChanged, ConditionChanged, ConditionEnded, LockSet, LockCleared, ChanceGranted)
"""What an effect may do to the table; the others are only told."""


def reveal(state: TableState, command: Reveal, context: Context) -> Decision:
    """Show everybody a check. Raises ``correction.unknown``, ``correction.done``, ``correction.open``."""
    opened = _hidden(state, command.check, context)
    alone = opened.mode == "self"
    commit = Commit(state, context, "all")
    draft = Revealed(
        rolled=opened.rolled,
        mode=opened.mode,
        sources=opened.sources,
        result=opened.result,
        taken=opened.taken,
        effects=() if alone else _now(state, opened),
        alone=alone,
    )
    after = evolve(state, draft)
    standing = after.deeds[f"check/{command.check}"].opened
    assert standing is not None
    if not alone and command.check in after.checks:
        offers = open_offers(standing, state.ruleset.choices(after, replace(standing, done=False)))
        draft = replace(draft, choices=offers)
    commit.add("all", draft)
    if draft.choices:
        settle_if_forced(commit, command.check)
        let_lapse(commit)
    request = opened.rolled.request
    if request is not None and (asking := state.requests.get(request)) is not None and not asking.secret:
        answered = RequestAnswered(request=request, actor=opened.rolled.actor, check=command.check, absent=opened.rolled.absent)
        commit.add("all", answered)
    recount(commit, request)
    return commit.decision()


def settle(state: TableState, command: Settle, context: Context) -> Decision:
    """Let a hidden check do what it does to the table, without showing it; nothing where it has.

    Raises ``correction.unknown``, ``correction.done``, ``correction.open``.
    """
    opened = _hidden(state, command.check, context)
    effects = () if opened.mode == "self" else tuple(_unnamed(e, opened) for e in _now(state, opened) if isinstance(e, _STANDING))
    if not effects:
        return Decision()
    told, known = Settled(effects=effects), Settled(check=command.check)
    return Decision(placed=(("all", told), ("gm", known)), command_part="gm")


def _unnamed(effect: Effect, opened: OpenCheck) -> Effect:
    """An opportunity says for whose allies it is, since it does not say who made it (D-21)."""
    return replace(effect, side=opened.rolled.side) if isinstance(effect, ChanceGranted) and effect.to is None else effect


def _hidden(state: TableState, check: str, context: Context) -> OpenCheck:
    opened = check_of(state, check, context).opened
    if opened is None:
        raise Refusal(Code.CORRECTION_UNKNOWN, values={"check": check})
    if opened.mode == "public":
        raise Refusal(Code.CORRECTION_OPEN, values={"check": check})
    return opened


def _now(state: TableState, opened: OpenCheck) -> tuple[Effect, ...]:
    """The effects that have waited, each as it is at the table now."""
    now: list[Effect] = []
    for nth, waited in enumerate(opened.waiting, start=1):
        effect = _anew(state, waited)
        now.append(effect)
        state = changed(state, effect, check=opened.rolled.check, nth=nth)
    return tuple(now)


def _anew(state: TableState, effect: Effect) -> Effect:
    now = state.ruleset.anew(state, effect)
    if isinstance(now, ConditionChanged):  # nothing is spent that is not there any more
        actor = state.actors.get(now.actor)
        had = actor.condition(now.condition) if actor else 0
        change = max(-had, now.change)
        return replace(now, change=change, now=had + change)
    return now
