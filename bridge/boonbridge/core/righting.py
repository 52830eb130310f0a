"""How corrections change a table: the fold of their events. Total: never refuses, never draws."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from boonbridge.rulesets.base import OpenCheck
from boonbridge_schemas.base import ActorId, CheckId
from boonbridge_schemas.events import GroupRecounted, Overridden, Revealed, Settled, Voided

from .applying import apply, put_right
from .deeds import check_deed, keep, later, set_check, set_known
from .state import Deed, TableState, Write
from .undoing import conditions_without
from .visibility import same_readers


def _voided(state: TableState, event: Voided) -> TableState:
    deed = state.deeds.get(event.what)
    if deed is None or deed.voided:  # the rest of it, for those who may know
        return put_right(state, event.effects)
    state = _handed_on(_without_told(state), deed, deed.writes)
    if deed.opened is not None:
        gone = replace(deed.opened, voided=True, done=not _left_to_its_roller(state, deed.opened), waiting=())
        state = _without_result(set_known(state, gone.rolled.check, gone), gone)
        deed = replace(deed, opened=gone)
    state = keep(state, replace(deed, voided=True))
    return put_right(state, event.effects)


def _without_told(state: TableState) -> TableState:
    """What a correction of a hidden check tells all of it is no deed of its own."""
    return replace(state, deeds=state.deeds.without(f"settled/{state.seq}"))


def _without_result(state: TableState, gone: OpenCheck) -> TableState:
    """A group of which no roll stands any more came to nothing; where not everybody saw it, no event says so."""
    asking = state.requests.get(gone.rolled.request or "")
    if asking is None or asking.told is None or not all(member.voided for member in asking.members.values()):
        return state
    return replace(state, requests=state.requests.having(asking.record.id, replace(asking, told=None)))


def _left_to_its_roller(state: TableState, opened: OpenCheck) -> bool:
    """Whether its roller, who cannot be told that it was taken back, still has to choose: it comes to nothing any more."""
    if opened.done or same_readers(opened, state.by):
        return False
    return any(offer.who == "roller" for offer in state.ruleset.choices(state, opened))


_WHOLE = ("grant", "opportunity", "resistance")
"""Places where something is or is not: whoever uses it up finds it as it was made."""


def _handed_on(state: TableState, deed: Deed, writes: tuple[Write, ...]) -> TableState:
    """What was there before the deed is what was there before whatever was said anew since, used it up, or ended it."""
    for write in writes:
        since = tuple(later(state, deed, write))
        if write.place[0] == "conditions":
            state = _without_conditions(state, write, since)
            continue
        for other, each in since:
            if each.anew:
                state = _rewritten(state, other.id, each, replace(each, before=write.before))
                break
            if write.place[0] in _WHOLE and write.after is not None and each.before == write.after:
                state = _rewritten(state, other.id, each, replace(each, before=write.before))
    return state


def _without_conditions(state: TableState, write: Write, since: tuple[tuple[Deed, Write], ...]) -> TableState:
    """Nobody has found, or left, what the deed gave; but of what was said anew it was never part."""
    said: set[ActorId | None] = set()
    for other, each in since:
        before = conditions_without(write.before, write.after, each.before, but=said)
        said |= {each.giver} if each.anew else set()
        after = conditions_without(write.before, write.after, each.after, but=said)
        state = _rewritten(state, other.id, each, replace(each, before=before, after=after))
    return state


def _rewritten(state: TableState, name: str, write: Write, now: Write) -> TableState:
    deed = state.deeds[name]
    writes = tuple(now if each is write else each for each in deed.writes)
    return replace(state, deeds=state.deeds.having(name, replace(deed, writes=writes)))


def _overridden(state: TableState, event: Overridden) -> TableState:
    deed = state.deeds.get(check_deed(event.check))
    if deed is None or deed.opened is None:
        return state
    outcome = tuple(write for write in deed.writes if not write.paid)
    state = _handed_on(_without_told(state), deed, outcome)
    opened = replace(
        deed.opened,
        result=event.result,
        taken=deed.bought,
        done=not event.choices,
        ruled=True,
        waiting=event.brings if event.deferred else (),
    )
    kept = tuple(write for write in deed.writes if write.paid)
    state = keep(state, replace(deed, writes=kept, opened=opened))
    state = set_known(state, event.check, opened) if opened.done else _open_again(state, event.check, opened)
    if event.deferred:
        return state
    return apply(put_right(state, event.effects), deed.id, event.brings, check=event.check)


def _open_again(state: TableState, check: CheckId, opened: OpenCheck) -> TableState:
    """A check whose player has to choose anew, also where a later roll of his has taken its place."""
    state, actor = set_check(state, check, opened), opened.rolled.actor
    known = state.latest.get(actor, ())
    return state if check in known else replace(state, latest=state.latest.having(actor, (check, *known)))


def _revealed(state: TableState, event: Revealed) -> TableState:
    check = event.rolled.check
    state = replace(state, revealed=state.revealed | {check})
    deed = state.deeds.get(check_deed(check))
    if deed is None or deed.opened is None:
        return apply(state, check_deed(check), event.effects, check=check)
    opened = replace(deed.opened, mode="public", done=not event.choices, waiting=())
    state = set_known(state, check, opened)
    return apply(state, deed.id, event.effects, check=check)


def _settled(state: TableState, event: Settled) -> TableState:
    """What it did is noted as a deed of its own until those who may know say of which check it was."""
    settling = f"settled/{state.seq}"
    if event.check is None:
        return apply(state, settling, event.effects, check=f"{state.seq}.0")
    deed, done = state.deeds.get(check_deed(event.check)), state.deeds.get(settling)
    if deed is None or deed.opened is None:
        return state
    writes = (*deed.writes, *(done.writes if done else ()))
    state = replace(state, deeds=state.deeds.without(settling))
    opened = replace(deed.opened, waiting=())
    return set_known(keep(state, replace(deed, writes=writes, opened=opened)), event.check, opened)


def _recounted(state: TableState, event: GroupRecounted) -> TableState:
    asking = state.requests.get(event.request)
    if asking is not None:
        asking = replace(asking, record=replace(asking.record, result=event.result), told=None)
        state = replace(state, requests=state.requests.having(event.request, asking))
    name = f"request/{event.request}"
    deed = state.deeds.get(name)
    if deed is not None and (event.effects or event.left or event.brings):  # or it brought that still
        state = keep(_handed_on(state, deed, deed.writes), replace(deed, writes=()))
    return apply(put_right(state, event.effects), name, event.brings)


RIGHTING: Mapping[type, Callable[[TableState, Any], TableState]] = {
    Voided: _voided,
    Overridden: _overridden,
    Revealed: _revealed,
    Settled: _settled,
    GroupRecounted: _recounted,
}
"""What the fold does with each event of a correction."""
