"""What was written where, so that it can be taken back: the places of a table, and the list of deeds.

Every deed that a GM may take back (one check with its choices, one grant, condition or table move) keeps what it wrote, with
what stood there before and after. What writes in between without being one of them (a clock that strikes, a Boon that is
revoked) is kept too, under a name of its own, so that a correction knows of it. Nothing here decides anything.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from boonbridge.rulesets.base import OpenCheck, same_action
from boonbridge_schemas.base import ActorId, CheckId, GrantId, Key, Seq

from .maps import Map
from .state import Deed, TableState, Write

MOST_DEEDS = 400
"""So many are remembered at least: more than an evening has. What is older stays as it is.

What not everybody knows of is counted apart, or by what is forgotten somebody could tell that there was something.
"""

FORGOTTEN_AT_ONCE = 100
"""Forgetting costs a copy of the list, so it is done for many together."""

Place = tuple[str, ...]
GAME: Place = ("game",)
GAME_OVER: Place = ("game_over",)
"""The game's own state in an evening that is over: nothing of it is there any more."""


_OF_ACTORS = ("conditions", "grant", "lock", "xp", "resistance")
"""Places that are an actor's: he is named first."""


def conditions_at(actor: ActorId, key: Key) -> Place:
    """What an actor has of one condition, from all who gave it."""
    return ("conditions", actor, key)


def grant_at(actor: ActorId, grant: GrantId) -> Place:
    """One Boon or Bane."""
    return ("grant", actor, grant)


def lock_at(actor: ActorId, action: str) -> Place:
    """The lock on an action, however it is written."""
    return ("lock", actor, same_action(action))


def mark_at(mark: Key) -> Place:
    """A public switch."""
    return ("mark", mark)


def read(state: TableState, place: Place) -> Any:
    """What stands at a place now; None (or nothing of it) where nothing does."""
    kind, *names = place
    match kind:
        case "game" | "game_over":
            return state.game
        case "mark":
            return state.marks.get(names[0])
        case "opportunity":
            return state.opportunities.get(names[0])
        case "resistance":
            return state.resistances.get(names[0])
        case "assist":
            return state.assists.get(names[0])
        case _:
            return _of_actor(state, kind, names)


def _of_actor(state: TableState, kind: str, names: list[str]) -> Any:
    actor = state.actors.get(names[0])
    match kind:
        case "conditions":
            return tuple(held for held in actor.conditions if held.key == names[1]) if actor else ()
        case "grant":
            return next((grant for grant in actor.grants if grant.id == names[1]), None) if actor else None
        case "lock":
            return actor.lock(names[1]) if actor else None
        case "xp":
            return actor.xp if actor else 0
        case _:
            return None


def written(before: TableState, after: TableState, place: Place, *, paid: bool = False, anew: bool = False) -> Write:
    """The writing of a place, from the table as it was and as it is."""
    return Write(place, read(before, place), read(after, place), seq=after.seq, paid=paid, anew=anew)


def record(state: TableState, deed: str, writes: Iterable[Write], *, hidden: bool = False) -> TableState:
    """The table with some writings added to a deed, which is begun (``hidden``) where there is none of that name."""
    writes = tuple(writes)
    if not writes:
        return state
    known = state.deeds.get(deed) or Deed(id=deed, seq=state.seq, hidden=hidden)
    return keep(state, replace(known, writes=(*known.writes, *writes)))


def keep(state: TableState, deed: Deed) -> TableState:
    """The table with a deed as it is now; the oldest are forgotten, many at once, where they are too many."""
    deeds, among = state.deeds.having(deed.id, deed), _known_to(deed)
    if deed.id in state.deeds:
        return replace(state, deeds=deeds)
    count = state.remembered.get(among, 0) + 1
    if count > MOST_DEEDS + FORGOTTEN_AT_ONCE:
        gone = {name for name, _ in [each for each in deeds.items() if _known_to(each[1]) == among][:-MOST_DEEDS]}
        deeds, count = Map({name: each for name, each in deeds.items() if name not in gone}), MOST_DEEDS
    return replace(state, deeds=deeds, remembered={**state.remembered, among: count})


def _known_to(deed: Deed) -> str:
    """Who knows of a deed: everybody, GMs, or of a roll for himself its roller alone."""
    if not deed.hidden:
        return "all"
    return f"self/{deed.opened.roller}" if deed.opened is not None and deed.opened.mode == "self" else "gm"


def in_between(state: TableState, *, hidden: bool = False) -> str:
    """The name of what this commit writes without being a deed of somebody; ``hidden``: without everybody's knowing."""
    return f"unseen/{state.seq}" if hidden else f"other/{state.seq}"


def check_deed(check: CheckId) -> str:
    """The name of a check with its choices."""
    return f"check/{check}"


def set_check(state: TableState, check: CheckId, opened: OpenCheck) -> TableState:
    """The table with a check as it stands now, wherever it is kept."""
    deed = state.deeds.get(check_deed(check))
    if deed is not None and deed.opened is not opened:
        state = keep(state, replace(deed, opened=opened))
    asking = state.requests.get(opened.rolled.request or "")
    if asking is not None and (member := asking.members.get(opened.rolled.actor)) and member.rolled.check == check:
        members = {**asking.members, opened.rolled.actor: opened}
        state = replace(state, requests=state.requests.having(asking.record.id, replace(asking, members=members)))
    undecided = state.undecided.without(check) if opened.done else state.undecided.having(check, opened)
    return replace(state, checks=state.checks.having(check, opened), undecided=undecided)


def set_known(state: TableState, check: CheckId, opened: OpenCheck) -> TableState:
    """The same; one that the table has forgotten is not brought back to it."""
    after = set_check(state, check, opened)
    return after if check in state.checks else replace(after, checks=state.checks, undecided=state.undecided)


# --- clocks ----------------------------------------------------------------------------------------------------
def strike(state: TableState, when: str, whose: ActorId = "") -> TableState:
    """The table as a clock strikes: what a correction brings back later would have ended with it."""
    return replace(state, struck=state.struck.having(_clock(when, whose), state.seq))


def strike_fight(state: TableState, when: str, others: Collection[ActorId]) -> TableState:
    """The same for a clock of a fight, or of its rounds; ``others``: who is in another one."""
    if not others:
        return strike(state, when)
    for actor in state.actors:
        if actor not in others:
            state = strike(state, when, actor)
    return state


def struck_since(state: TableState, when: str, whose: ActorId | None, seq: Seq) -> Seq | None:
    """When a clock struck last, if that was in commit ``seq`` or later. What ends with it ends last in its commit."""
    last = state.struck.get(_clock(when, whose or ""))
    return last if last is not None and last >= seq else None


def _clock(when: str, whose: ActorId) -> str:
    return f"{when}/{whose}" if whose else when


def forget(state: TableState, actor: ActorId) -> TableState:
    """The table without what was ever written to an actor who leaves it: whoever comes by that name later is another."""
    for deed in tuple(state.deeds.values()):
        kept = tuple(write for write in deed.writes if write.place[0] not in _OF_ACTORS or write.place[1] != actor)
        if len(kept) < len(deed.writes):
            state = replace(state, deeds=state.deeds.having(deed.id, replace(deed, writes=kept)))
    for when in ("turn_start", "turn_end", "round_end", "combat_end"):
        state = replace(state, struck=state.struck.without(_clock(when, actor)))
    return state


def numbered(state: TableState, kind: str) -> str:
    """The name of the next deed of a kind in this commit."""
    nth = 1
    while f"{kind}/{state.seq}.{nth}" in state.deeds:
        nth += 1
    return f"{kind}/{state.seq}.{nth}"


def evening_over(state: TableState) -> TableState:
    """As an evening begins or ends: what deeds did to the game's own state is not there any more."""
    for deed in tuple(state.deeds.values()):
        if any(write.place == GAME for write in deed.writes):
            writes = tuple(replace(write, place=GAME_OVER) if write.place == GAME else write for write in deed.writes)
            state = replace(state, deeds=state.deeds.having(deed.id, replace(deed, writes=writes)))
    return state


def later(state: TableState, deed: Deed, write: Write) -> Iterator[tuple[Deed, Write]]:
    """What was written to the same place after that, by deeds that stand, in order."""
    behind = False
    for other in state.deeds.values():
        if other.id == deed.id:
            behind = True
            continue
        if other.voided:
            continue
        for each in other.writes:
            if each.place == write.place and (each.seq > write.seq or (each.seq == write.seq and behind)):
                yield other, each
