"""How what people do together changes a table: requests, evenings, opportunities. Part of the fold: total, never refuses."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from boonbridge.rulesets.base import OpenCheck
from boonbridge_schemas.base import ActorId, CheckId, Mode, RequestId
from boonbridge_schemas.events import (
    CheckRequested,
    Declined,
    DifficultiesSet,
    GroupTold,
    OpportunityDropped,
    OpportunityUsed,
    RequestAnswered,
    RequestClosed,
    RequestExpired,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    UnsettledDropped,
)
from boonbridge_schemas.requests import RequestRow

from .applying import apply, set_actor
from .deeds import check_deed, evening_over, in_between, record, set_check, set_known, strike, written
from .state import Asking, Evening, TableState

LONG_AGO = 21_600_000
"""Milliseconds, six hours: a roll so long after the last one may be of another evening."""


# --- requests --------------------------------------------------------------------------------------------------
def joined(state: TableState, opened: OpenCheck) -> TableState:
    """A roll that answers a request is one of its rolls from now on."""
    asking = state.requests.get(opened.rolled.request or "")
    if asking is None or all(row.actor != opened.rolled.actor for row in asking.record.rows):
        return state
    return _ask(state, replace(asking, members={**asking.members, opened.rolled.actor: opened}))


def _ask(state: TableState, asking: Asking) -> TableState:
    return replace(state, requests=state.requests.having(asking.record.id, asking))


def _row(state: TableState, request: RequestId, actor: ActorId, change: Callable[[RequestRow], RequestRow]) -> TableState:
    asking = state.requests.get(request)
    if asking is None:
        return state
    rows = tuple(change(row) if row.actor == actor else row for row in asking.record.rows)
    return _ask(state, replace(asking, record=replace(asking.record, rows=rows)))


def _requested(state: TableState, event: CheckRequested) -> TableState:
    asked = event.request
    secret = asked.mode == "secret"
    return _ask(state, Asking(record=asked, checks=asked.checks, difficulty=asked.difficulty, secret=secret))


def _difficulties(state: TableState, event: DifficultiesSet) -> TableState:
    asking = state.requests.get(event.request)
    return _ask(state, replace(asking, checks=event.checks, difficulty=event.difficulty)) if asking else state


def _answered(state: TableState, event: RequestAnswered) -> TableState:
    return _row(
        state,
        event.request,
        event.actor,
        lambda row: replace(row, status="rolled", absent=event.absent) if row.status in ("sent", "rolled") else row,
    )


def _declined(state: TableState, event: Declined) -> TableState:
    return _row(state, event.request, event.actor, lambda row: replace(row, status="declined"))


def _expired(state: TableState, event: RequestExpired) -> TableState:
    for actor in event.actors:
        state = _row(state, event.request, actor, lambda row: replace(row, status="expired"))
    return state


def _done(state: TableState, checks: Iterable[CheckId]) -> TableState:
    """Nothing is open on these rolls any more."""
    for check in checks:
        opened = state.checks.get(check)
        if opened is not None:
            state = set_check(state, check, replace(opened, done=True))
    return state


def _closed(state: TableState, event: RequestClosed) -> TableState:
    asking = state.requests.get(event.request)
    if asking is None:
        return state
    state = _ask(state, replace(asking, record=replace(asking.record, over=event.why, result=event.result)))
    state = _done(state, event.checks)
    for gone in event.forgets:
        state = replace(state, requests=state.requests.without(gone))
    return apply(state, f"request/{event.request}", event.effects)


def _told(state: TableState, event: GroupTold) -> TableState:
    asking = state.requests.get(event.request)
    return _ask(state, replace(asking, told=event.result)) if asking else state


# --- opportunities ---------------------------------------------------------------------------------------------
def _used(state: TableState, event: OpportunityUsed) -> TableState:
    after = replace(state, opportunities=state.opportunities.without(event.opportunity))
    return record(after, check_deed(event.check), [written(state, after, ("opportunity", event.opportunity), paid=True)])


def _dropped(state: TableState, event: OpportunityDropped) -> TableState:
    after = replace(state, opportunities=state.opportunities.without(event.opportunity))
    return record(after, in_between(state), [written(state, after, ("opportunity", event.opportunity))])


# --- evenings --------------------------------------------------------------------------------------------------
def heard(state: TableState, mode: Mode) -> TableState:
    """A roll was made. One that a player makes alone is no sign to anybody else that an evening has begun."""
    if mode == "self":
        return state
    evening = state.evening
    anew = evening.last_roll > 0 and state.at - evening.last_roll >= LONG_AGO
    return replace(state, evening=replace(evening, last_roll=state.at, asks="new_evening" if anew else evening.asks))


def _started(state: TableState, event: SessionStarted) -> TableState:
    evening = Evening(number=event.session, name=event.name, since=state.at, running=True, last_roll=state.at)
    return _with_no_boons(replace(state, evening=evening))


def _ended(state: TableState, event: SessionEnded) -> TableState:
    state = _done(state, event.checks)
    for earned in event.xp:
        actor = state.actors.get(earned.actor)
        if actor is not None:
            after = set_actor(state, replace(actor, xp=earned.now))
            state = record(after, in_between(state), [written(state, after, ("xp", actor.id))])
    for opportunity in event.opportunities:
        state = replace(state, opportunities=state.opportunities.without(opportunity))
    state = strike(state, "session_end")
    evening = replace(state.evening, running=False, asks=None, last_roll=state.at)
    return _with_no_boons(replace(state, evening=evening))


def _with_no_boons(state: TableState) -> TableState:
    for asking in tuple(state.requests.values()):
        if not asking.open and not asking.past:
            state = _ask(state, replace(asking, past=True))
    return evening_over(replace(state, game=state.ruleset.session_begun(state.game)))


def _unsettled(state: TableState, event: UnsettledDropped) -> TableState:
    for check in event.checks:
        deed = state.deeds.get(check_deed(check))
        opened = deed.opened if deed is not None else state.checks.get(check)
        if opened is not None:
            state = set_known(state, check, replace(opened, waiting=()))
    return state


def _continued(state: TableState, _event: SessionContinued) -> TableState:
    return replace(state, evening=replace(state.evening, asks=None, last_roll=state.at))


TOGETHER: Mapping[type, Callable[[TableState, Any], TableState]] = {
    CheckRequested: _requested,
    DifficultiesSet: _difficulties,
    RequestAnswered: _answered,
    Declined: _declined,
    RequestExpired: _expired,
    RequestClosed: _closed,
    GroupTold: _told,
    OpportunityUsed: _used,
    OpportunityDropped: _dropped,
    SessionStarted: _started,
    SessionEnded: _ended,
    UnsettledDropped: _unsettled,
    SessionContinued: _continued,
}
"""What the fold does with each event of a request, an evening, or an opportunity."""
