"""One connection, frame by frame: what is said too fast waits, what a table is asked is handed on, what goes wrong is told."""

import asyncio
import time

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from boonbridge.obs.metrics import Metrics
from boonbridge.tables import inviting, looking, redeeming, serving
from boonbridge.tables.folding import LogBroken
from boonbridge.tables.frames import encode
from boonbridge.tables.hub import Hub, Rejected
from boonbridge.tables.identity import Claims, TokenRefused, read_token
from boonbridge.tables.outbox import Outbox
from boonbridge.tables.ports import StoreDamaged, StoreUnavailable
from boonbridge.tables.session import Session
from boonbridge.tables.table import DAMAGED, refused
from boonbridge.wire.connection import Connection
from boonbridge_schemas.client import (
    At,
    ClientFrame,
    Composing,
    Do,
    DropCode,
    Foresee,
    Hello,
    History,
    MakeCode,
    Pair,
    People,
    Posted,
    Preview,
    Proof,
    Renew,
    Saw,
    Withdraw,
)
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits, Refused

from .rates import Pacing, Rate, in_ms

log = structlog.get_logger("boonbridge.net")

_CALM_SECONDS = 0.25
"""Who sends nothing too fast for so long is slowed anew, and not refused at once. A busy machine wakes later than it meant to."""


class Reader:
    """Reads one websocket: while it waits for room in a rate, it reads no further.

    ``address`` is whom its rates count for, ``caller`` where it comes from.
    """

    def __init__(
        self,
        hub: Hub,
        websocket: ServerConnection,
        outbox: Outbox,
        *,
        pacing: Pacing,
        metrics: Metrics,
        limits: Limits,
        address: str,
        caller: str,
    ) -> None:
        self._hub = hub
        self._pacing = pacing
        self._metrics = metrics
        self._limits = limits
        self._websocket = websocket
        self._outbox = outbox
        self._machine = Connection()
        self._session: Session | None = None
        self._address = address
        self._caller = caller[:80]
        self._slow: dict[str, tuple[float, float]] = {}  # since when it has been too fast, and until when it was to wait

    def turn_away(self) -> None:
        """There are too many already; he may come again in a moment."""
        self._close(Close.TRY_LATER)

    async def run(self) -> None:
        """Until the connection is closed by either side."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._limits.hello_seconds, self._too_late)
        try:
            async for message in self._websocket:
                if self._outbox.closed:  # what he said after we closed, or was revoked, is not heard any more
                    break
                await self._room("frames", self._session.claims if self._session else None)
                received = self._machine.receive(message, time.monotonic())
                if received.reply is not None:
                    log.warning("bad frame", code=received.reply.code, state=self._machine.state)
                    self._outbox.put(encode(received.reply))
                if received.frame is not None:
                    self._metrics.frames.labels(type(received.frame).__name__).inc()
                    await self._take(received.frame)
                if self._machine.closing is not None:
                    self._outbox.close(self._machine.closing)
        except ConnectionClosed:
            pass
        finally:
            timer.cancel()
            self._outbox.lost()
            if self._session is not None:
                self._hub.leave(self._session)

    def _too_late(self) -> None:
        if self._machine.state == "new":
            self._close(Close.HELLO_TIMEOUT)

    def _close(self, code: Close) -> None:
        self._machine.close(code)
        self._outbox.close(code)

    async def _take(self, frame: ClientFrame) -> None:
        try:
            if isinstance(frame, Hello):
                await self._hello(frame)
            elif isinstance(frame, Pair):
                await self._pair(frame)
            elif self._session is not None:
                await self._serve(self._session, frame)
        except Rejected as no:
            self._close(no.close)
        except Refusal as refusal:
            self._failed(frame, Close.TRY_LATER if refusal.code == Code.BUSY else Close.INTERNAL, refusal)
        except ConnectionClosed:
            raise
        except StoreDamaged as damage:
            log.error("store damaged", reason=str(damage))  # noqa: TRY400 - the reason is enough
            self._failed(frame, Close.INTERNAL, Refusal(Code.INTERNAL, DAMAGED))
            self._close(Close.INTERNAL)
            if self._session is not None:
                self._hub.damaged(self._session.claims.table, damage)
        except StoreUnavailable as down:
            log.error("store unavailable", reason=str(down))  # noqa: TRY400 - the reason is enough
            self._failed(frame, Close.TRY_LATER, Refusal(Code.BUSY, retry_after_ms=1_000))
        except LogBroken as broken:
            log.error("log broken", reason=str(broken))  # noqa: TRY400 - which commit it is says more than where we were
            self._failed(frame, Close.INTERNAL, Refusal(Code.INTERNAL))
        except Exception:
            log.exception("frame failed", kind=type(frame).__name__)
            self._failed(frame, Close.INTERNAL, Refusal(Code.INTERNAL))

    def _failed(self, frame: ClientFrame, close: Close, refusal: Refusal) -> None:
        """A connection without its welcome is of no use; any other goes on."""
        if isinstance(frame, Hello):
            self._close(close)
        else:
            self._outbox.put(encode(refused(refusal, getattr(frame, "id", None))))

    def _origin(self) -> str | None:
        request = self._websocket.request
        return request.headers.get("Origin") if request is not None else None

    async def _pair(self, frame: Pair) -> None:
        guesses = self._pacing.guesses
        guesses.try_one(self._address, time.monotonic())
        answer = await redeeming.pair(self._hub, frame, self._origin())
        if not (isinstance(answer, Refused) and answer.code in (Code.AUTH_CODE_WRONG, Code.AUTH_CODE_EXPIRED)):
            guesses.was_not_wrong(self._address)
        self._outbox.put(encode(answer))

    async def _hello(self, frame: Hello) -> None:
        if await self._room("hello"):
            raise Rejected(Close.TRY_LATER)
        try:
            claims = read_token(self._hub.key, frame.token, now=self._hub.ports.clock.now())
        except TokenRefused as no:
            raise Rejected(no.close) from None
        if await self._room("hello", claims):
            raise Rejected(Close.TRY_LATER)
        self._session = await self._hub.admit(frame, self._origin(), self._outbox, address=self._caller)
        self._machine.opened()
        log.info(
            "joined",
            table=self._session.claims.table,
            user=self._session.user,
            role=self._session.role,
            client=frame.client.kind,
            version=frame.client.version,
        )

    async def _serve(self, session: Session, frame: ClientFrame) -> None:
        match frame:
            case Do() | Withdraw():
                await self._pace("do", session)
                serving.do(self._hub, session, frame) if isinstance(frame, Do) else serving.withdraw(session, frame)
            case Preview():
                await self._pace("preview", session)
                serving.preview_check(session, frame)
            case Foresee():
                await self._pace("preview", session)
                serving.foresee_command(self._hub, session, frame)
            case History():
                await self._pace("history", session)
                await looking.history(self._hub, session, frame)
            case At():
                await self._pace("at", session)
                await looking.at(self._hub, session, frame)
            case Proof():
                await self._pace("history", session)
                await serving.proof(self._hub, session, frame)
            case Renew():
                await self._pace("history", session)
                serving.renew(self._hub, session, frame)
            case People() | MakeCode() | DropCode():
                await self._pace("history", session)
                await inviting.serve(self._hub, session, frame)
            case Posted():
                await self._pace("posted", session)
                await self._hub.posted(session, frame)
            case Saw() | Composing():
                await self._hear(session, frame)
            case _:
                raise AssertionError(frame)

    async def _hear(self, session: Session, frame: Saw | Composing) -> None:
        """What has no answer: too much of it is not even refused.

        What is being put together is never slowed, since the roll itself comes behind it, and its end is always heard.
        """
        if isinstance(frame, Saw):
            if not await self._room("saw", session.claims):
                await self._hub.saw(session, frame)
        elif frame.on is None or not await self._room("composing", session.claims):
            await self._hub.composing(session, frame)

    async def _pace(self, kind: str, session: Session) -> None:
        """Return when there is room for a frame of this kind. Raises the ``Refusal`` where that would take too long."""
        if wait := await self._room(kind, session.claims):
            raise Refusal(Code.RATE_LIMITED, retry_after_ms=in_ms(wait))

    async def _room(self, kind: str, claims: Claims | None = None) -> float:
        """Whether there is room for one more: 0, after a while if need be; otherwise the seconds until there may be.

        Whoever is too fast is slowed at first. Once that has gone on for as long as the kind's ``wait``, he is told, until he has
        been calm for a moment.
        """
        pace, rates, now = self._pacing.paces[kind], self._pacing.rates, time.monotonic()
        kept: list[tuple[tuple[str, ...], Rate]] = [
            ((kind, self._address), pace.rate.times(self._limits.people_per_address)),
        ]
        if claims is not None:
            kept.append(((kind, claims.table, claims.user), pace.rate))
        wait = max(rates.wait(key, rate, now) for key, rate in kept)
        since, until = self._slow.get(kind, (now, now))
        if now > until + _CALM_SECONDS:
            self._slow.pop(kind, None)
            since = now
        if wait:
            self._slow[kind] = since, now + wait
            if now + wait - since > pace.wait:
                self._metrics.limited.labels(kind).inc()
                return wait
        for key, rate in kept:
            rates.take(key, rate, now)
        if wait:
            await asyncio.sleep(wait)
        return 0
