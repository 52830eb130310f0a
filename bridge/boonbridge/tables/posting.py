"""One card: which connection puts a roll into Foundry's chat (protocol, section 4).

Every Foundry client could, so the bridge asks one of them: ``post``. At most one offer is open at a table. It is a row of
the store, taken by compare-and-set, and moves on where no ``posted`` comes in time. In the same row stands how far cards
have been posted: what lies before that is never offered again, whatever becomes of the chat.

A commit has a card where dice fell that somebody may be shown in a chat: ``CheckRolled``, ``DiceRolled``, and ``Chosen``
that drew dice. Secret rolls have none, nor has a choice that only GMs read. Of a blind roll its roller reads ``CheckNoted``.
A request has one as well, and what it came to, where everybody may know of it; so has a correction of a check.
"""

from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

import msgspec
import structlog
from msgspec import Raw, Struct
from msgspec.structs import replace

from boonbridge.core.visibility import Viewer, readable
from boonbridge_schemas.base import Moment, PartName, Seq, UserId
from boonbridge_schemas.client import Posted as PostedFrame
from boonbridge_schemas.server import Limits, Post

from .frames import Told, encode, told
from .ports import Offer, Posted, Posting, StoreUnavailable, Timer
from .session import Session
from .table import Table

log = structlog.get_logger("boonbridge.posting")

_PAGE = 500
_AGAIN_MS = 1_000
_ANSWERS = 64


# --- which commits have a card ---------------------------------------------------------------------------------
class Card(Struct, frozen=True, kw_only=True):
    """The card of a commit: the parts it stands in. ``missed``: nobody who could have posted it was there."""

    seq: Seq
    by: UserId
    parts: tuple[PartName, ...]
    missed: bool = False

    def seen_by(self, viewer: Viewer) -> bool:
        """Whether this viewer may read anything that belongs on the card."""
        return any(part in self.parts for part in readable(viewer, self.by))


class _Event(Struct):
    """As much of an event as says whether it belongs on a card."""

    t: str
    mode: Any = None
    drawn: Any = 0
    result: Any = None
    what: Any = ""


_event = msgspec.json.Decoder(_Event)


def card_of(commit: Told) -> Card | None:
    """The card of a commit; None where it has none."""
    parts = tuple(name for name, events in commit.events.items() if any(_on_card(event, name) for event in events))
    return Card(seq=commit.seq, by=commit.by, parts=parts) if parts else None


def _on_card(raw: Raw, part: PartName) -> bool:
    event = _event.decode(raw)
    if event.t == "Chosen":
        return bool(event.drawn) and part != "gm"
    if event.t in ("Voided", "Overridden", "Revealed"):
        return part != "gm" and (event.t != "Voided" or str(event.what).startswith("check/"))
    if event.t in ("CheckRequested", "RequestClosed"):
        return part == "all" and (event.t == "CheckRequested" or event.result is not None)
    return event.t == "CheckNoted" or (event.t in ("CheckRolled", "DiceRolled") and event.mode != "secret")


# --- who posts which -------------------------------------------------------------------------------------------
class Desk(Struct, frozen=True, kw_only=True):
    """A Foundry connection that could post. ``tried``: it was asked for what is first now, and did not answer."""

    connection: str
    viewer: Viewer
    tried: bool = False


def poster(card: Card, desks: Sequence[Desk]) -> Desk | None:
    """Who posts a card. ``desks`` in the order in which they joined.

    The newest of its sender, otherwise the newest of a GM, otherwise whoever has been here longest; what was missed is at
    once for the latter. Who did not answer comes after everybody else.
    """
    readers = [desk for desk in desks if card.seen_by(desk.viewer)]
    readers = [desk for desk in readers if not desk.tried] or readers
    if not readers or card.missed:
        return readers[0] if readers else None
    own = [desk for desk in readers if desk.viewer.user == card.by]
    gms = [desk for desk in readers if desk.viewer.role == "gm"]
    return (own or gms or readers[:1])[-1]


def next_run(cards: Iterable[Card], desks: Sequence[Desk], *, apart: int) -> tuple[Desk, list[Card]] | None:
    """The next cards that one connection is to post, and which connection; None where there is nothing to post.

    A run ends where somebody else has to post. Cards that nobody here may read are passed over. Live cards come at most
    ``apart`` at a time, so that each gets a message of its own; what was missed comes as one run, however long.
    """
    chosen: Desk | None = None
    run: list[Card] = []
    for card in cards:
        desk = poster(card, desks)
        if desk is None:
            continue
        if run and (desk != chosen or card.missed != run[0].missed or (len(run) >= apart and not card.missed)):
            break
        chosen = desk
        run.append(card)
    return (chosen, run) if chosen else None


# --- the offers at one table -----------------------------------------------------------------------------------
class Chat:
    """The Foundry connections at one table, and what is offered to them, one offer at a time.

    Cards are looked up in the log when the first of them joins, and forgotten when the last one leaves. ``background``
    runs work beside the commands.
    """

    def __init__(
        self,
        table: Table,
        store: Posted,
        timer: Timer,
        limits: Limits,
        background: Callable[[Coroutine[object, object, None]], None],
    ) -> None:
        self._table = table
        self._store = store
        self._timer = timer
        self._limits = limits
        self._background = background
        self._sessions: list[Session] = []
        self._cards: deque[Card] | None = None
        self._row: Posting | None = None
        self._tried: dict[str, UserId] = {}
        self._answers: deque[tuple[UserId, PostedFrame]] = deque()
        self._alarm: Callable[[], None] | None = None
        self._working = False
        self._again = False
        self._closed = False
        self._gone = False

    def joined(self, session: Session) -> None:
        """A connection was told the table. Only Foundry has a chat."""
        if session.client.kind == "foundry":
            self._sessions.append(session)
            self._look()

    def left(self, session: Session) -> None:
        """A connection is gone. What was offered to it moves on in its time: it may have been posted all the same."""
        if session in self._sessions:
            self._sessions.remove(session)
            if not self._sessions:
                self._forget()

    def committed(self, commit: Told) -> None:
        """A commit was told to everybody."""
        if self._cards is None:  # whoever joins first finds it in the log
            return
        card = card_of(commit)
        if card is not None:
            missed = not any(card.seen_by(session.viewer) for session in self._sessions)
            self._cards.append(replace(card, missed=missed))
            self._look()

    def answered(self, session: Session, frame: PostedFrame) -> None:
        """A connection says that it has posted; from any other than Foundry it means nothing."""
        if session.client.kind == "foundry" and len(self._answers) < _ANSWERS:
            self._answers.append((session.user, frame))
            self._look()

    def close(self, *, gone: bool = False) -> None:
        """Offer nothing more. What was answered is still noted, but where the table itself is ``gone``."""
        self._closed = True
        self._gone = gone
        self._sessions.clear()
        self._forget()

    # --- the work, in single file ------------------------------------------------------------------------------
    def _look(self) -> None:
        """See to it that somebody looks at what there is to do, now or once more."""
        self._again = True
        if not self._working and not self._closed:
            self._working = True
            self._background(self._work())

    async def _work(self) -> None:
        try:
            while self._again and not self._gone and (self._sessions or self._answers):
                self._again = False
                await self._step()
        except StoreUnavailable as down:
            log.warning("cards wait for the store", table=self._table.state.table, reason=str(down))
            self._wake(self._timer.now() + _AGAIN_MS)
        finally:
            self._working = False
            if not self._sessions:
                self._forget()

    async def _step(self) -> None:
        row = self._row or await self._store.posting(self._table.state.table)
        if self._cards is None and self._sessions:
            self._cards = await self._missed(row.posted)
        answers = tuple(self._answers)
        run: tuple[Card, ...] = ()
        after = self._heard(row, answers)
        if after.offer is None or after.offer.until <= self._timer.now():
            after, run = self._offered(after)
        if after != row and not await self._store.swap_posting(row, after):
            self._row, self._again = None, True  # another node was quicker
            return
        self._row = after
        for _ in answers:
            self._answers.popleft()
        if run:
            self._send(run)
        if after.offer is not None and after.offer.until > self._timer.now():
            self._wake(after.offer.until)

    async def _missed(self, posted: Seq) -> deque[Card]:
        """What has a card and is not posted, as the log has it up to now; no further back than a resume goes."""
        cards: deque[Card] = deque()
        after = max(posted, self._table.state.seq - self._limits.catchup)
        while after < self._table.state.seq:
            commits = await self._table.read(after=after, limit=_PAGE)
            found = (card_of(told(commit)) for commit in commits)
            cards.extend(replace(card, missed=True) for card in found if card is not None)
            after = commits[-1].seq
        return cards

    def _heard(self, row: Posting, answers: Iterable[tuple[UserId, PostedFrame]]) -> Posting:
        """The row after what was answered. Who was asked before may answer late; the cards are there all the same."""
        offer = row.offer
        if offer is None:
            return row
        asked = {offer.user, *self._tried.values()}
        for user, frame in answers:
            if user in asked and (frame.from_, frame.to) == (offer.first, offer.last):
                log.info("posted", table=row.table, first=offer.first, last=offer.last, user=user, message=frame.message_id)
                return Posting(table=row.table, posted=offer.last)
        return row

    def _offered(self, row: Posting) -> tuple[Posting, tuple[Card, ...]]:
        """The row with the next offer, and what it is of. The one before was answered, or nobody answered it in time."""
        if row.offer is None:
            self._tried.clear()
        else:
            self._tried[row.offer.connection] = row.offer.user
        cards = self._cards or deque()
        while cards and cards[0].seq <= row.posted:
            cards.popleft()
        found = next_run(cards, self._desks(), apart=self._limits.cards_apart)
        if found is not None and found[0].tried:  # everybody was asked; begin anew
            self._tried.clear()
            found = next_run(cards, self._desks(), apart=self._limits.cards_apart)
        if found is None:
            return row, ()
        desk, run = found
        offer = Offer(
            first=run[0].seq,
            last=run[-1].seq,
            connection=desk.connection,
            user=desk.viewer.user,
            until=self._timer.now() + self._limits.post_seconds * 1_000,
        )
        return replace(row, offer=offer), tuple(run)

    def _desks(self) -> list[Desk]:
        here = (session for session in self._sessions if not session.outbox.closed)
        return [Desk(connection=s.connection, viewer=s.viewer, tried=s.connection in self._tried) for s in here]

    def _send(self, run: Sequence[Card]) -> None:
        assert self._row is not None
        assert self._row.offer is not None, "a run is of an offer"
        offer = self._row.offer
        cards = tuple(card.seq for card in run) if len(run) <= self._limits.cards_apart else ()
        frame = encode(Post(from_=offer.first, to=offer.last, count=len(run), cards=cards))
        for session in self._sessions:
            if session.connection == offer.connection:
                session.outbox.put(frame)

    def _wake(self, moment: Moment) -> None:
        if self._alarm is not None:
            self._alarm()
        self._alarm = None if self._closed else self._timer.at(moment, self._look)

    def _forget(self) -> None:
        self._cards = self._row = None
        self._tried.clear()
        if self._alarm is not None:
            self._alarm()
            self._alarm = None
