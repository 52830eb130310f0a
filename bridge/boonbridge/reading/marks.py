"""What a commit may be found by in a long log: its marks, and whom it is about.

Asked of the events that a viewer reads and of nothing else, so that what is hidden from him cannot be found either.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from boonbridge_schemas.base import ActorId, CheckId, Key, MarkKind, Seq, UserId
from boonbridge_schemas.checks import Result, Rolled
from boonbridge_schemas.client import Wanted
from boonbridge_schemas.corrections import DeedId
from boonbridge_schemas.effects import (
    AssistPut,
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    ConditionsPut,
    Effect,
    GrantPut,
    GrantTaken,
    LockCleared,
    LockSet,
    OpportunityPut,
    ResistanceOffered,
    ResistanceTaken,
    ResourceChanged,
    RowReopened,
    XpChanged,
)
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    AssistOffered,
    CheckNoted,
    CheckRequested,
    CheckRolled,
    Chosen,
    ConditionCleared,
    ConditionExpired,
    ConditionSet,
    Declined,
    DiceRolled,
    Event,
    Granted,
    GrantExpired,
    GrantRevoked,
    GrantSpent,
    GroupRecounted,
    GroupTold,
    Invited,
    LuckDue,
    NameErased,
    OpportunityUsed,
    Overridden,
    RequestAnswered,
    RequestClosed,
    RequestExpired,
    Revealed,
    RoleSet,
    SessionEnded,
    SessionStarted,
    Settled,
    Voided,
)

Tones = Mapping[Key, str]
"""How each outcome of a game feels (``OutcomeWord.tone``), by its key."""


def found(where: Wanted, by: UserId, events: Sequence[Event], tones: Tones) -> tuple[MarkKind, ...] | None:
    """The marks of a commit that has one of those that are looked for, by that person; None where it is another.

    ``events``: what the viewer reads of it. Whom they are about is to be asked besides (``actors_of``, ``corrected``).
    """
    if not events or where.user not in (None, by):
        return None
    marks = marks_of(events, tones)
    return marks if not where.marks or set(where.marks) & set(marks) else None


def marks_of(events: Iterable[Event], tones: Tones) -> tuple[MarkKind, ...]:
    """What these events of one commit may be found by, each once, in the order of ``MarkKind``.

    A verdict is the one that stands at the end of the commit, after whatever was chosen in it.
    """
    marks: set[MarkKind] = set()
    verdicts: dict[CheckId, Result] = {}
    for event in events:
        marks.update(_PLAIN.get(type(event), ()))
        verdicts.update(_verdict(event))
        for effect in _happened(event):
            marks.update(_mark_of(effect))
    for result in verdicts.values():
        if tones.get(result.outcome) == "critical":
            marks.add("critical")
        elif tones.get(result.outcome) == "worst":
            marks.add("fumble")
    return tuple(mark for mark in _ORDER if mark in marks)


_ORDER: tuple[MarkKind, ...] = (
    *("roll", "critical", "fumble", "spent", "gained"),
    *("grant", "request", "evening", "correction", "people"),
)
_PLAIN: Mapping[type, tuple[MarkKind, ...]] = {
    CheckRolled: ("roll",),
    DiceRolled: ("roll",),
    CheckNoted: ("roll",),
    Revealed: ("roll",),
    GrantSpent: ("spent",),
    OpportunityUsed: ("spent",),
    Granted: ("grant",),
    GrantRevoked: ("grant",),
    GrantExpired: ("grant",),
    CheckRequested: ("request",),
    RequestClosed: ("request",),
    GroupTold: ("request",),
    SessionStarted: ("evening",),
    SessionEnded: ("evening",),
    Voided: ("correction",),
    Overridden: ("correction",),
    GroupRecounted: ("correction",),
    Invited: ("people",),
    AccessRevoked: ("people",),
    RoleSet: ("people",),
    NameErased: ("people",),
}
"""The marks that the kind of an event has by itself."""


def _verdict(event: Event) -> Iterator[tuple[CheckId, Result]]:
    match event:
        case CheckRolled() | Revealed():
            yield event.rolled.check, event.result
        case Chosen(result=Result() as result) | Overridden(result=result):
            yield event.check, result
        case _:
            return


def _happened(event: Event) -> tuple[Effect, ...]:
    """The effects that came about with an event: not those that wait, and not what a correction took back."""
    match event:
        case CheckRolled(deferred=False) | Chosen(deferred=False):
            return event.effects
        case Acted() | RequestClosed() | Revealed() | Settled():
            return event.effects
        case Overridden(deferred=False) | GroupRecounted():
            return event.brings
        case _:
            return ()


def _mark_of(effect: Effect) -> tuple[MarkKind, ...]:
    match effect:
        case ResourceChanged(applied=applied) if applied:
            return ("gained",) if applied > 0 else ("spent",)
        case ChanceGranted():
            return ("grant",)
        case _:
            return ()


# --- whom it is about -------------------------------------------------------------------------------------------
def actors_of(events: Iterable[Event]) -> Iterator[ActorId]:
    """The actors that rolled, were rolled against or asked, bore or got something; some more than once."""
    for event in events:
        yield from (actor for actor in _actors(event) if actor is not None)


def _actors(event: Event) -> Iterator[ActorId | None]:
    match event:
        case CheckRolled() | Revealed():
            yield from _rolled(event.rolled)
            yield from _borne(event.effects)
        case Granted(grant=grant):
            yield grant.actor
        case AssistOffered(assist=assist):
            yield assist.actor
            yield assist.helper
        case CheckRequested(request=request):
            yield request.target
            yield from (row.actor for row in request.rows)
        case RequestExpired(actors=actors):
            yield from actors
        case SessionEnded(xp=earned):
            yield from (each.actor for each in earned)
        case Overridden() | GroupRecounted():
            yield from _borne((*event.effects, *event.brings))
        case Acted() | RequestClosed() | GroupTold() | Settled() | Voided():
            yield from _borne(event.effects)
        case Chosen():
            yield event.actor
            yield from _borne(event.effects)
        case _ if isinstance(event, _OfOne):
            yield event.actor
        case _:
            return


def corrected(events: Iterable[Event]) -> Iterator[DeedId]:
    """The deeds that corrections are about. They name no actor themselves; ``actors_of_deed`` finds him where it was done."""
    for event in events:
        match event:
            case Voided(what=what):
                yield what
            case Overridden(check=check) | Settled(check=str() as check):
                yield f"check/{check}"
            case _:
                pass


def seq_of(deed: DeedId) -> Seq:
    """The commit in which a deed was done."""
    return int(deed.partition("/")[2].partition(".")[0])


def actors_of_deed(deed: DeedId, events: Iterable[Event]) -> Iterator[ActorId]:
    """Whom a deed is about. ``events``: what the viewer reads of the commit in which it was done."""
    kind, _, name = deed.partition("/")
    for event in events:
        match event:
            case CheckRolled(rolled=rolled) if kind == "check":
                yield from actors_of([event]) if rolled.check == name else ()
            case Granted(grant=grant) if kind == "grant":
                yield from actors_of([event]) if grant.id == name else ()
            case _ if kind not in ("check", "grant"):
                yield from actors_of([event])


_OfOne = (
    CheckNoted
    | DiceRolled
    | GrantRevoked
    | GrantSpent
    | GrantExpired
    | ConditionSet
    | ConditionCleared
    | ConditionExpired
    | LuckDue
    | RequestAnswered
    | Declined
)


def _rolled(rolled: Rolled) -> Iterator[ActorId | None]:
    yield rolled.actor
    yield rolled.opponent


def _borne(effects: Iterable[Effect]) -> Iterator[ActorId | None]:
    for effect in effects:
        match effect:
            case GrantPut(grant=grant):
                yield grant.actor
            case ChanceGranted(to=to):
                yield to
            case OpportunityPut(opportunity=opportunity):
                yield opportunity.by
            case AssistPut(assist=assist):
                yield assist.actor
                yield assist.helper
            case _ if isinstance(effect, _ToOne):
                yield effect.actor
            case _:
                pass


_ToOne = (
    ConditionChanged
    | ConditionEnded
    | ConditionsPut
    | LockSet
    | LockCleared
    | XpChanged
    | ResistanceOffered
    | ResistanceTaken
    | GrantTaken
    | RowReopened
)
