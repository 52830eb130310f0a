"""Frames from a client to the server. Unknown fields are refused."""

from typing import Annotated, Literal

from msgspec import Meta

from .base import (
    ActorId,
    CodeId,
    CommandId,
    Hex,
    MarkKind,
    MessageId,
    Name,
    PageAddress,
    Record,
    RequestId,
    Role,
    Seq,
    TableId,
    Tagged,
    UserId,
)
from .checks import Attempt
from .commands import AnswerRequest, Command, RollCheck


class ClientInfo(Record, frozen=True, kw_only=True):
    """What is talking: for the log line of the server and for messages about versions."""

    name: Name
    version: Annotated[str, Meta(max_length=40)]
    kind: Literal["foundry", "page", "cli"]


class Position(Record, frozen=True, kw_only=True):
    """The last commit a client holds. A hash the log does not know means: start anew."""

    epoch: int
    seq: Seq
    hash: Hex


class Pair(Tagged, tag="pair", frozen=True, kw_only=True):
    """Exchange a one-time code for a token. The same id and code within 10 minutes give the same token."""

    id: CommandId
    code: Annotated[str, Meta(min_length=1, max_length=40)]
    client: ClientInfo
    name: Name


class Hello(Tagged, tag="hello", frozen=True, kw_only=True):
    """The first frame of a connection that has a token; within ``limits.helloSeconds``."""

    token: Annotated[str, Meta(min_length=1, max_length=4000)]
    table: TableId | None = None
    last: Position | None = None
    client: ClientInfo


class Do(Tagged, tag="do", frozen=True, kw_only=True):
    """A command. ``seen`` is the last seq the client holds: it had the hash of every seed up to ``seen + 64``."""

    id: CommandId
    seen: Seq
    cmd: Command


class Withdraw(Tagged, tag="withdraw", frozen=True, kw_only=True):
    """Did it happen? Answered with the ``ack`` of ``id``; otherwise the id is taken so that it never will."""

    id: CommandId


class Preview(Tagged, tag="preview", frozen=True, kw_only=True):
    """What would apply and with what chance. Nothing is logged and no die is drawn."""

    id: CommandId
    check: RollCheck | AnswerRequest


class Foresee(Tagged, tag="foresee", frozen=True, kw_only=True):
    """What a command would come to. Nothing is logged and no die is drawn: one that rolls is refused (feature ``foresee``)."""

    id: CommandId
    cmd: Command


class Saw(Tagged, tag="saw", frozen=True, kw_only=True):
    """This person has a request before his eyes (feature ``requests``). Not answered, not kept."""

    request: RequestId


class Composing(Tagged, tag="composing", frozen=True, kw_only=True):
    """This person is putting a public roll of his actor together; null: not any more (feature ``composing``).

    Not answered, not kept. Said again at least every ``limits.composingSeconds``, at most ``limits.composingPerSecond`` times
    a second, and never of a roll that is to be hidden.
    """

    on: Attempt | None


class Wanted(Record, frozen=True, kw_only=True):
    """Which commits are looked for: with one of these marks (any, where none is named), about this actor, by this person."""

    marks: tuple[MarkKind, ...] = ()
    actor: ActorId | None = None
    user: UserId | None = None


class History(Tagged, tag="history", frozen=True, kw_only=True):
    """Commits as this viewer may see them, newest last: the ``limit`` before ``before``, or after ``after``.

    ``where``: only such commits, each with its marks; the answer says how far was ``looked`` (feature ``replay``).
    """

    id: CommandId
    before: Seq | None = None
    after: Seq | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    where: Wanted | None = None


class At(Tagged, tag="at", frozen=True, kw_only=True):
    """How the table stood after commit ``seq``, for this viewer; answered by ``asOf`` (feature ``replay``).

    ``after``: go on behind this key, where an answer said that there is more.
    """

    id: CommandId
    seq: Seq
    after: Annotated[str, Meta(max_length=120)] | None = None


class Proof(Tagged, tag="proof", frozen=True, kw_only=True):
    """The bytes, salts and seeds of one commit that this viewer may read, and bare hashes of the rest."""

    id: CommandId
    seq: Annotated[int, Meta(ge=1, le=2**53)]


class Renew(Tagged, tag="renew", frozen=True, kw_only=True):
    """A fresh token for its own holder, from half of its life on."""

    id: CommandId


class People(Tagged, tag="people", frozen=True, kw_only=True):
    """Who may take part, with which devices, and which codes are open; for GMs. Answered by ``roster``."""

    id: CommandId


class MakeCode(Tagged, tag="makeCode", frozen=True, kw_only=True):
    """A one-time code that lets a person in. Answered by ``codeMade``, to the asking connection alone.

    ``user``: a person of the table, for another device; left out: somebody new, called ``name``, with ``role``. Only GMs make
    codes for others; everybody makes them for himself. ``kind``: ``typed`` is short and lasts minutes, ``link`` is
    long and lasts ``hours``. ``page``: the address of the table page, for a link that opens with the code in it.
    """

    id: CommandId
    kind: Literal["typed", "link"]
    user: UserId | None = None
    name: Name | None = None
    role: Role = "player"
    hours: Annotated[int, Meta(ge=1, le=168)] = 24
    page: PageAddress | None = None


class DropCode(Tagged, tag="dropCode", frozen=True, kw_only=True):
    """Take a code back that nobody used yet; for GMs. Answered by ``roster``."""

    id: CommandId
    code: CodeId


class Posted(Tagged, tag="posted", frozen=True, kw_only=True):
    """The answer to ``post``, with its ``from`` and ``to``: the cards stand in the chat (feature ``post``).

    ``messageId`` is the chat's own id of the last of them; null where there was nothing left to post.
    """

    from_: Seq
    to: Seq
    message_id: MessageId | None = None


ClientFrame = (
    Pair
    | Hello
    | Do
    | Withdraw
    | Preview
    | Foresee
    | Saw
    | Composing
    | History
    | At
    | Proof
    | Renew
    | Posted
    | People
    | MakeCode
    | DropCode
)
CLIENT_FRAMES: tuple[type[Tagged], ...] = (
    Pair,
    Hello,
    Do,
    Withdraw,
    Preview,
    Foresee,
    Saw,
    Composing,
    History,
    At,
    Proof,
    Renew,
    Posted,
    People,
    MakeCode,
    DropCode,
)
