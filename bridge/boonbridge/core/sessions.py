"""Evenings: when one begins, what ends with it, and what it was worth (D-16, D-28).

Whatever is open at the end is decided: a choice takes its default, a ruling lapses. What nobody else may hear of stays with
those who know of it.
"""

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import ActorId, CheckId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import ContinueSession, EndSession, StartSession
from boonbridge_schemas.events import (
    AssistAnswered,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    UnsettledDropped,
    XpEarned,
)
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import known
from .choosing import end_open
from .committing import TOLD_AT_ONCE, Commit
from .decision import Context, Decision
from .grouping import close, counted_anew, decided_late
from .requesting import party
from .state import LAST, TableState
from .turns import Placed, expired

_ROOM = TOLD_AT_ONCE // 2
"""Bytes of a commit up to which open choices are decided one by one; what is more is listed, so that the evening ends."""

_WITH_EXPERIENCE = Limits().frame_out * 5 // 8
"""Bytes of it together with the experience of everybody, which is told in any case."""

_MOST_XP = 9_999


def start_session(state: TableState, command: StartSession, _context: Context) -> Decision:
    """An evening begins, the group with no Boons. Raises ``session.running``."""
    if state.evening.running:
        raise Refusal(Code.SESSION_RUNNING, values={"session": state.evening.number})
    started = SessionStarted(session=min(state.evening.number + 1, LAST), name=command.name.strip())
    return Decision(placed=(("all", started),), command_part="all")


def continue_session(state: TableState, _command: ContinueSession, _context: Context) -> Decision:
    """It is still the same evening. Nothing where nobody asks. Players are not told that anybody did."""
    if state.evening.asks is None:
        return Decision()
    return Decision(placed=(("gm", SessionContinued()),), command_part="gm")


def end_session(state: TableState, command: EndSession, context: Context) -> Decision:
    """The evening ends. Raises ``session.none``, ``actor.unknown``, ``roll.bad_parameter``."""
    if not state.evening.running:
        raise Refusal(Code.SESSION_NONE)
    earning = _earning(state, command)
    commit = Commit(state, context, "all")
    left = _WITH_EXPERIENCE - sum(len(msgspec.json.encode(each)) for each in _earned(state, earning))
    room = max(0, min(_ROOM, left))
    for asking in tuple(state.requests.values()):
        if asking.open:
            close(commit, asking.record.id, "closed", room=room)
    for check, opened in tuple(commit.state.undecided.items()):
        if (commit.public_size if opened.mode == "public" else commit.size) < room:
            end_open(commit, check)
    for request in decided_late(state, [event for _, event in commit.placed]):
        for part, counted in tuple(counted_anew(commit.state, request)):
            commit.add(part, counted)
    over = tuple(_over(commit.state))
    for part, event in (*(each for each in over if each[0] == "all"), *(each for each in over if each[0] != "all")):
        if (commit.public_size if part == "all" else commit.size) < min(TOLD_AT_ONCE, left):
            commit.add(part, event)
    unsettled = tuple(_unsettled(commit.state))
    if unsettled:
        commit.add("gm", UnsettledDropped(checks=unsettled))
    ended = SessionEnded(
        session=state.evening.number,
        xp=tuple(_earned(commit.state, earning)),
        checks=tuple(check for check, opened in commit.state.undecided.items() if opened.mode == "public"),
        opportunities=tuple(commit.state.opportunities),
    )
    commit.add("all", ended)
    return commit.decision()


def _over(state: TableState) -> Iterator[Placed]:
    """What was to last until now, and help that nobody answered. Where it is more than a message can tell, the rest stays."""
    yield from expired(state, "session_end")
    yield from (("all", AssistAnswered(assist=assist, accepted=False)) for assist in state.assists)


def _earning(state: TableState, command: EndSession) -> tuple[ActorId, ...]:
    """Who is to get experience. Raises ``actor.unknown``; ``roll.bad_parameter`` for anybody who is not of the party."""
    if command.actors is UNSET:
        return party(state)
    for actor in command.actors:
        if known(state, actor).side != "party":
            raise Refusal(
                Code.ROLL_BAD_PARAMETER, "Only the party earns experience.", values={"parameter": "actors", "actor": actor}
            )
    return tuple(dict.fromkeys(command.actors))


def _earned(state: TableState, actors: tuple[ActorId, ...]) -> Iterator[XpEarned]:
    """A point for each Boon that was not spent, to each (D-28); nothing in a game without experience."""
    amount = state.ruleset.xp(state)
    for actor in (known(state, each) for each in actors) if amount is not None else ():
        yield _more(actor, amount or 0)


def _more(actor: Actor, amount: int) -> XpEarned:
    return XpEarned(actor=actor.id, name=actor.name, amount=amount, now=min(actor.xp + amount, _MOST_XP))


def _unsettled(state: TableState) -> Iterator[CheckId]:
    """Hidden checks whose effects nobody has let happen. What somebody rolled alone never does anything."""
    for deed in state.deeds.values():
        if deed.opened is not None and deed.opened.waiting and not deed.voided and deed.opened.mode != "self":
            yield deed.opened.rolled.check
