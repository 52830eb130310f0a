"""What the rolls of a request come to together, and when: once, as soon as everybody has rolled, declined or let it pass.

``closing`` looks at every decision of a table, so that no way of deciding a roll's last choice can forget it. What others
see of a request's end follows from what they see of its rolls: one that not everybody reads holds up what GMs are told of
the group, and nothing else.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from boonbridge.rulesets.base import GroupOutcome, OpenCheck
from boonbridge_schemas.base import CheckId, PartName, RequestId
from boonbridge_schemas.events import (
    ActorRemoved,
    CheckRequested,
    Chosen,
    Event,
    GroupRecounted,
    GroupTold,
    RequestClosed,
    RequestExpired,
    SessionEnded,
)
from boonbridge_schemas.requests import GroupResult

from .choosing import end_open
from .committing import Commit
from .decision import Decision
from .evolving import evolve, evolve_all
from .opportunities import passed
from .state import Asking, TableState
from .tokens import known_or_base
from .undoing import Undoing, undo
from .visibility import everybody_saw, part_of_request

KEPT_OVER = 20
"""So many requests that are over are kept, and as many of those that only GMs know of: a correction counts them anew."""

Why = Literal["complete", "closed", "expired"]
Placed = tuple[PartName, Event]


def recounted(state: TableState, request: RequestId) -> GroupOutcome | None:
    """What a request comes to as its rolls stand now, in the order asked; None where nobody rolled."""
    asking = state.requests.get(request)
    if asking is None:
        return None
    asked = (asking.members.get(row.actor) for row in asking.record.rows)
    members = tuple(member for member in asked if member is not None and not member.voided)
    return state.ruleset.group_result(state, asking.record.group, asking.difficulty, members) if members else None


# --- after every decision --------------------------------------------------------------------------------------
def closing(state: TableState, decision: Decision) -> Decision:
    """A decision with what follows from it for requests and opportunities of the table. ``state``: before it."""
    late = decided_late(state, decision.events)
    concerned = any(map(_unfinished, state.requests.values())) or len(state.opportunities) > 0 or late
    if not decision.placed or not (concerned or any(isinstance(event, CheckRequested) for _, event in decision.placed)):
        return decision
    events = decision.events
    after = evolve_all(state, events)
    more: list[Placed] = [("all", event) for event in passed(state, after)]
    after = evolve_all(after, (event for _, event in more))
    for asking in tuple(after.requests.values()):
        for placed in _follows(after, asking):
            more.append(placed)
            after = evolve(after, placed[1])
    for request in late:
        more += counted_anew(after, request)
    return replace(decision, placed=(*decision.placed, *more)) if more else decision


def _unfinished(asking: Asking) -> bool:
    return asking.open or _untold(asking)


def _untold(asking: Asking) -> bool:
    """Whether GMs have still to hear what the group came to."""
    result = asking.told or asking.record.result
    return not asking.open and result is None and any(not member.voided for member in asking.members.values())


def _follows(state: TableState, asking: Asking) -> Iterator[Placed]:
    if _untold(asking):
        if not any(_waits(state, asking, member) for member in asking.members.values()):
            yield from _tell(state, asking)
        return
    if not asking.open:
        return
    # Whoever has left the table cannot answer any more.
    sent = [row.actor for row in asking.record.rows if row.status == "sent"]
    gone = tuple(actor for actor in sent if known_or_base(state, actor) is None)
    if gone:
        expired = RequestExpired(request=asking.record.id, actors=gone)
        yield part_of_request(asking), expired
        state = evolve(state, expired)
    if len(gone) == len(sent) and not any(_holds_up(state, asking, member) for member in asking.members.values()):
        yield from over(state, asking.record.id, "complete")


def _holds_up(state: TableState, asking: Asking, member: OpenCheck) -> bool:
    """Whether a roll's player has still to choose. Of what is hidden others may not learn even that."""
    return (asking.secret or member.mode == "public") and _waits(state, asking, member)


def _waits(state: TableState, asking: Asking, member: OpenCheck) -> bool:
    """Whether its roller has still something to choose; in a challenge: something else than to leave it as it is (D-23)."""
    opened = state.undecided.get(member.rolled.check)
    if opened is None:
        return False
    offers = (offer for offer in state.ruleset.choices(state, opened) if offer.who == "roller" and offer.enabled)
    return any(not offer.default or asking.record.group not in state.ruleset.at_once for offer in offers)


def _left_as_they_are(state: TableState, asking: Asking) -> tuple[CheckId, ...]:
    """Open rolls that everybody sees and that nobody can do anything for any more."""
    if asking.record.group not in state.ruleset.at_once:
        return ()
    return tuple(
        member.rolled.check
        for member in asking.members.values()
        if member.rolled.check in state.undecided and member.mode == "public" and not _waits(state, asking, member)
    )


# --- the end of a request --------------------------------------------------------------------------------------
def close(commit: Commit, request: RequestId, why: Why, *, room: int) -> None:
    """End a request before it is complete: nobody answers any more, and what is open on its rolls takes its default.

    ``room``: bytes of the commit up to which defaults are taken; what does not fit stays open.
    """
    asking = commit.state.requests[request]
    waiting = tuple(row.actor for row in asking.record.rows if row.status == "sent")
    if waiting:
        commit.add(part_of_request(asking), RequestExpired(request=request, actors=waiting))
    for member in asking.members.values():
        if (commit.public_size if member.mode == "public" else commit.size) < room:
            end_open(commit, member.rolled.check)
    for part, event in over(commit.state, request, why):
        commit.add(part, event)


def over(state: TableState, request: RequestId, why: Why) -> Iterator[Placed]:
    """The events by which a request is over, with what it came to for those who may know."""
    asking = state.requests[request]
    part, found = part_of_request(asking), recounted(state, request)
    left = _left_as_they_are(state, asking)
    closed = RequestClosed(request=request, why=why, forgets=_forgotten(state, asking), checks=left)
    if found is not None and everybody_saw(asking):
        yield part, replace(closed, result=_as_shown(asking, found.result), effects=found.effects)
        return
    yield part, closed
    unsettled = why == "complete" and any(_waits(state, asking, member) for member in asking.members.values())
    if found is not None and not unsettled:
        yield "gm", GroupTold(request=request, result=found.result, effects=found.effects)


def _tell(state: TableState, asking: Asking) -> Iterator[Placed]:
    found = recounted(state, asking.record.id)
    if found is not None:
        yield "gm", GroupTold(request=asking.record.id, result=found.result, effects=found.effects)


def _as_shown(asking: Asking, result: GroupResult) -> GroupResult:
    """What everybody may know of a result: a difficulty that is not shown is not told by what came of it."""
    return result if asking.record.shown else replace(result, target=None)


def _forgotten(state: TableState, asking: Asking) -> tuple[RequestId, ...]:
    """The oldest that are over, beyond those that are kept. Secret ones push out none that others know of."""
    alike = [each for each in state.requests.values() if each.secret == asking.secret and not each.open]
    return tuple(each.record.id for each in alike[: max(0, len(alike) + 1 - KEPT_OVER)])


# --- after its end ---------------------------------------------------------------------------------------------
def decided_late(before: TableState, events: Sequence[Event]) -> tuple[RequestId, ...]:
    """The requests that were over already and of whose rolls something was still open until now."""
    counted = {event.request for event in events if isinstance(event, GroupRecounted | GroupTold)}
    checks = (before.checks.get(check) for event in events for check in _decided(event))
    requests = dict.fromkeys(check.rolled.request for check in checks if check is not None)
    over = (request for request in requests if (asking := before.requests.get(request or "")) is not None and not asking.open)
    return tuple(request for request in over if request is not None and request not in counted)


def _decided(event: Event) -> tuple[CheckId, ...]:
    if isinstance(event, Chosen):
        return (event.check,)
    return event.checks if isinstance(event, ActorRemoved | SessionEnded) else ()


def counted_anew(state: TableState, request: RequestId | None) -> Iterator[Placed]:
    """What a request that is over comes to after one of its rolls has changed; nothing while a player has still to choose."""
    asking = state.requests.get(request or "")
    if asking is None or asking.open or any(_waits(state, asking, each) for each in asking.members.values() if not each.voided):
        return
    now = recounted(state, asking.record.id)
    if not everybody_saw(asking):
        if now is not None and now.result != asking.told:
            yield "gm", GroupTold(request=asking.record.id, result=now.result, effects=now.effects)
        return
    deed = state.deeds.get(f"request/{asking.record.id}")
    undoing = undo(state, deed, deed.writes) if deed is not None else Undoing()
    result = _as_shown(asking, now.result) if now is not None else None
    brings = not asking.past  # what a group earned, or lost, it did in its evening
    if now is not None and len(now.effects) == (len(deed.writes) if deed is not None else 0):
        if result == asking.record.result:
            return
        if undoing.left:  # it brings what it brought, and that is used: nothing is earned twice
            undoing, brings = Undoing(), False
    draft = GroupRecounted(request=asking.record.id, result=result, effects=undoing.effects, left=undoing.left)
    again = recounted(evolve(state, draft), asking.record.id) if brings else None
    draft = replace(draft, brings=again.effects if again is not None else ())
    if draft.result != asking.record.result or draft.effects or draft.brings:
        yield "all", draft
