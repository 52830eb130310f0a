"""Who sees what. The only place that hides anything (protocol, section 4).

Live frames, catch-up, state, history, preview and proof all ask here. A commit has four parts by reader; an event
stands in exactly one of them.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, OpenCheck, Ruleset
from boonbridge_schemas.base import CheckId, Mode, PartName, Role, UserId
from boonbridge_schemas.checks import ChoiceOffer, Extra, Result
from boonbridge_schemas.commands import Grant
from boonbridge_schemas.events import CheckRolled, Chosen, Event, RequestAnswered
from boonbridge_schemas.grants import GrantRecord

from .state import Asking, TableState


class Viewer(Struct, frozen=True):
    """Who is looking."""

    user: UserId
    role: Role


def part_of(mode: Mode) -> PartName:
    """The part in which a roll of this mode stands with its dice, its command and its sender."""
    return _PART_OF[mode]


_PART_OF: dict[Mode, PartName] = {
    "public": "all",
    "gm": "roller_gm",
    "blind": "gm",
    "secret": "gm",
    "self": "roller",
}

_READS: dict[tuple[Role, bool], tuple[PartName, ...]] = {
    ("gm", False): ("all", "roller_gm", "gm"),
    ("gm", True): ("all", "roller_gm", "gm", "roller"),
    ("player", False): ("all",),
    ("player", True): ("all", "roller_gm", "roller"),
    ("observer", False): ("all",),
    ("observer", True): ("all",),
}


def readable(viewer: Viewer, by: UserId) -> tuple[PartName, ...]:
    """The parts that a viewer reads of a commit sent by ``by``, in hashing order."""
    return _READS[viewer.role, viewer.user == by]


def shown_since(state: TableState, events: Sequence[Event]) -> bool:
    """Whether all that a part says has been revealed to everybody: its checks, and nothing besides.

    What stands beside a check and was not shown with it (a target, a hidden grant that it used up) keeps its part closed.
    """
    return bool(events) and all(_check_in(event) in state.revealed for event in events)


def _check_in(event: Event) -> CheckId | None:
    match event:
        case CheckRolled():
            return event.rolled.check
        case Chosen(note="") | RequestAnswered():
            return event.check
    return None


_AMONG: dict[PartName, tuple[PartName, ...]] = {
    "all": ("all",),
    "roller_gm": ("all", "roller_gm"),
    "gm": ("all", "roller_gm", "gm"),
    "roller": ("all", "roller_gm", "roller"),
}


def among_gms(mode: Mode, role: Role) -> bool:
    """Whether GMs alone read the dice of a roll of this mode, sent by somebody of that role."""
    part = part_of(mode)
    return part == "gm" or (part == "roller_gm" and role == "gm")


def part_of_grant(grant: GrantRecord | Grant) -> PartName:
    """Where it stands that there is a grant, and whatever becomes of it."""
    return "gm" if grant.hidden else "all"


def part_of_request(asking: Asking) -> PartName:
    """Where stands what everybody who knows of a request may know of it."""
    return "gm" if asking.secret else "all"


def everybody_saw(asking: Asking) -> bool:
    """Whether everybody saw every roll of a request."""
    return not asking.secret and all(member.mode == "public" for member in asking.members.values())


def grants_for(actor: Actor, viewer: Viewer) -> tuple[GrantRecord, ...]:
    """The Boons and Banes on an actor that this viewer may know of."""
    return tuple(grant for grant in actor.grants if viewer.role == "gm" or not grant.hidden)


def within(part: PartName, other: PartName) -> bool:
    """Whether everybody who reads ``part`` of a commit reads ``other`` of it too."""
    return other in _AMONG[part]


def same_readers(check: OpenCheck, by: UserId) -> bool:
    """Whether what ``by`` does to a check can be told to just those who read its dice.

    Parts are named from the sender of a commit, so a part with the roller in it holds another roller when another
    person sends.
    """
    return part_of(check.mode) in ("all", "gm") or check.roller == by


def part_of_target(mode: Mode, role: Role) -> PartName | None:
    """Where a hidden number stands: with those who read the dice and may know it. Of a player's lone roll, nobody."""
    if part_of(mode) != "roller":
        return "gm"
    return "roller" if role == "gm" else None


def part_of_choice(check: OpenCheck, by: UserId, offer: ChoiceOffer) -> PartName | None:
    """Where a choice of ``by`` stands; None where it cannot be told to just those who may know of it.

    A ruling on a player's roll for the GMs stands in their part: its roller would not be named by the sender's.
    """
    if same_readers(check, by):
        return part_of(check.mode)
    return "gm" if offer.who == "gm" and part_of(check.mode) == "roller_gm" else None


def offers_for(check: OpenCheck, offers: tuple[ChoiceOffer, ...], viewer: Viewer) -> tuple[ChoiceOffer, ...]:
    """The offers as a viewer of the check's state is shown them.

    On a roll that not everybody sees rulings are the GMs' own: when one is taken, its player could not be told.
    """
    if check.mode == "public" or viewer.role == "gm":
        return open_offers(check, offers)
    return open_offers(check, tuple(offer for offer in offers if offer.who == "roller"))


def numbers_public(state: TableState, actor: Actor) -> bool:
    """Whether everybody may know an actor's numbers: the party's, a player's own, or by option ``show_targets``."""
    if actor.side == "party" or getattr(state.options, "show_targets", False):
        return True
    return any(state.role(owner) != "gm" for owner in actor.owners)


def sees_numbers(state: TableState, actor: Actor, viewer: Viewer) -> bool:
    """Whether this viewer may know an actor's numbers."""
    return viewer.role == "gm" or numbers_public(state, actor)


def hides_target(check: OpenCheck) -> bool:
    """Whether a check was compared with a number that not everybody who reads its dice may know."""
    return check.rolled.target is None and check.target is not None


def split_margin(result: Result, rules: Ruleset) -> tuple[Result, tuple[Extra, ...]]:
    """The result without what would tell a hidden target, and what that is."""
    telling = tuple(extra for extra in result.extras if extra.key in rules.margins)
    return replace(result, extras=tuple(extra for extra in result.extras if extra not in telling)), telling


def open_offers(check: OpenCheck, offers: tuple[ChoiceOffer, ...]) -> tuple[ChoiceOffer, ...]:
    """The offers as everybody who reads the check may see them: where the target is hidden, no chance tells it."""
    if not hides_target(check):
        return offers
    return tuple(replace(offer, chance=None) for offer in offers)


def sees_check(check: OpenCheck, viewer: Viewer) -> bool:
    """Whether this viewer reads the dice of a check, and so may know what is open on it."""
    return part_of(check.mode) in readable(viewer, check.roller)
