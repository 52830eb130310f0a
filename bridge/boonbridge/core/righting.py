"""How corrections change a table: the fold of their events. Total: never refuses, never draws."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from boonbridge_schemas.events import GroupRecounted, Overridden, Revealed, Settled, Voided

from .applying import apply, put_right
from .deeds import check_deed, keep, later, set_known
from .state import Deed, TableState, Write
from .undoing import conditions_without


def _voided(state: TableState, event: Voided) -> TableState:
    deed = state.deeds.get(event.what)
    if deed is None:
        return put_right(state, event.effects)
    state = _handed_on(state, deed, deed.writes)
    if deed.opened is not None:
        gone = replace(deed.opened, voided=True, done=True, waiting=())
        state = set_known(state, gone.rolled.check, gone)
        deed = replace(deed, opened=gone)
    state = keep(state, replace(deed, voided=True))
    return put_right(state, event.effects)


def _handed_on(state: TableState, deed: Deed, writes: tuple[Write, ...]) -> TableState:
    """Where something was said anew since, what was there before the deed is what was there before that."""
    for write in writes:
        for other, each in later(state, deed, write):
            if not each.anew:
                continue
            before = write.before
            if write.place[0] == "conditions":
                before = conditions_without(write.before, write.after, each.before)
            changed = tuple(replace(each, before=before) if w is each else w for w in other.writes)
            state = replace(state, deeds=state.deeds.having(other.id, replace(other, writes=changed)))
            break
    return state


def _overridden(state: TableState, event: Overridden) -> TableState:
    deed = state.deeds.get(check_deed(event.check))
    if deed is None or deed.opened is None:
        return state
    outcome = tuple(write for write in deed.writes if not write.paid)
    if not event.deferred:
        state = _handed_on(state, deed, outcome)
    opened = replace(
        deed.opened,
        result=event.result,
        taken=deed.bought,
        done=not event.choices,
        ruled=True,
        waiting=event.brings if event.deferred else (),
    )
    kept = tuple(write for write in deed.writes if write.paid) if not event.deferred else deed.writes
    state = keep(state, replace(deed, writes=kept, opened=opened))
    state = set_known(state, event.check, opened)
    if event.deferred:
        return state
    return apply(put_right(state, event.effects), deed.id, event.brings, check=event.check)


def _revealed(state: TableState, event: Revealed) -> TableState:
    check = event.rolled.check
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
    if deed is not None:
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
