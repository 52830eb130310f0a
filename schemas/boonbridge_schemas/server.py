"""Frames from the server to a client. A client ignores kinds it does not know and still advances ``seq``."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw

from .base import (
    ActorId,
    CodeId,
    CommandId,
    DeviceId,
    Hex,
    HttpOrigin,
    Key,
    Label,
    MarkKind,
    Moment,
    Name,
    PartName,
    Record,
    RequestId,
    Role,
    Scalar,
    Seq,
    Small,
    SystemId,
    TableId,
    Tagged,
    UserId,
)
from .checks import Attempt, Odds, Source, TotalChance
from .events import Event
from .game import RulesetInfo


class Limits(Record, frozen=True, kw_only=True):
    """Every limit of the wire in one place. Times in seconds, sizes in bytes, rates per second."""

    frame_in: int = 16 * 1024
    frame_out: int = 256 * 1024
    page_commits: int = 200
    page_bytes: int = 128 * 1024
    catchup: int = 2_000
    hello_seconds: int = 10
    commands_per_second: int = 20
    commands_burst: int = 40
    command_wait_seconds: int = 2
    previews_per_second: int = 20
    history_per_second: int = 5
    hellos_per_minute: int = 60
    hellos_burst: int = 20
    wrong_codes_per_minute: int = 5
    wrong_codes_burst: int = 5
    connections_per_address: int = 256
    people_per_address: int = 16
    outbox_frames: int = 256
    dice_per_check: int = 100
    dice_per_command: int = 400
    actors_per_check: int = 64
    targets_per_check: int = 16
    sources_per_check: int = 64
    grants_per_actor: int = 64
    conditions_per_actor: int = 64
    assists_per_actor: int = 16
    label: int = 80
    note: int = 500
    actors: int = 2_000
    people: int = 64
    ping_seconds: int = 20
    seeds_ahead: int = 64
    post_seconds: int = 5
    cards_apart: int = 20
    open_requests: int = 16
    open_codes: int = 32
    devices_per_person: int = 16
    composing_per_second: int = 2
    composing_seconds: int = 60
    data_entries: int = 64
    data_bytes: int = 12 * 1024


class Entry(Record, frozen=True, kw_only=True):
    """One entry of the table's state as this viewer sees it. ``null``: it is gone.

    Keys: ``options``, ``person/USER``, ``actor/ID``, ``grants/ACTOR``, ``conditions/ACTOR``, ``check/ID``, and the
    ruleset's own (``pool``); ``session``, ``request/ID``, ``opportunity/ID``, ``resistance/ACTOR``, and ``ruleset`` where the
    table edited its data. Values: ``OptionsEntry``, ``PersonEntry``, ``ActorEntry``, ``GrantsEntry``,
    ``ConditionsEntry``, ``PendingCheck``, ``PoolEntry``.
    """

    key: Annotated[str, Meta(max_length=120)]
    value: Any


class RawEntry(Record, frozen=True, kw_only=True):
    """An entry whose value is already encoded."""

    key: str
    value: Raw


class Paired(Tagged, tag="paired", frozen=True, kw_only=True):
    """The answer to ``pair``: to the asking connection alone."""

    id: CommandId
    token: str
    table: TableId
    user: UserId
    role: Role
    expires_at: Moment


class Minted(Tagged, tag="minted", frozen=True, kw_only=True):
    """The answer to ``renew`` and ``Invite``: to the asking connection alone."""

    id: CommandId
    token: str
    table: TableId
    user: UserId
    role: Role
    expires_at: Moment


class DiceSource(Record, frozen=True, kw_only=True):
    """Where a table's dice come from: ``promised`` before they fall, or ``taped``, written down beforehand, as tests do it.

    Promised ones are one series from commit ``since`` on. ``reason``: why it began there, as ``LadderRestarted`` has it; null
    where the table began with it.
    """

    kind: Literal["promised", "taped"]
    since: Seq = 1
    reason: Key | None = None


class Welcome(Tagged, tag="welcome", frozen=True, kw_only=True):
    """``from`` is null: drop everything held, ``state`` follows, ``reset`` says why. Otherwise frames follow after it.

    ``bridge`` is its version; ``update`` the side that is older, where that may matter.
    """

    table: TableId
    title: Name
    user: UserId
    name: Name
    role: Role
    epoch: int
    head: Seq
    head_hash: Hex
    from_: Annotated[Seq | None, Meta()] = None
    reset: Key | None = None
    ruleset: RulesetInfo
    features: tuple[Key, ...] = ()
    limits: Limits
    addresses: tuple[str, ...] = ()
    seed_hashes: tuple[Hex, ...] = ()
    expires_at: Moment
    bridge: str
    update: Literal["client", "bridge"] | None = None
    dice: DiceSource | None = None


class State(Tagged, tag="state", frozen=True, kw_only=True):
    """Entries of the table as this viewer sees it: all of them until ``caughtUp``, later some that a commit changes.

    Live they come before their ``logged``, where they would not fit into its frame; a value of null is gone.
    """

    entries: tuple[Entry, ...]


class RawState(Tagged, tag="state", frozen=True, kw_only=True):
    """``State`` whose entries are already encoded."""

    entries: tuple[RawEntry, ...]


class Logged(Tagged, tag="logged", frozen=True, kw_only=True):
    """The parts of one commit that this viewer may read, and the entries of his state that it changed.

    ``id`` and ``by`` come with any readable part; ``seeds`` has the seed of each readable part that is not empty;
    ``seedHash`` is the promise for commit ``seq + 64``.
    """

    seq: Seq
    at: Moment
    hash: Hex
    seed_hash: Hex
    by: UserId | None = None
    id: SystemId | None = None
    events: tuple[Event, ...] = ()
    changes: tuple[Entry, ...] = ()
    seeds: dict[PartName, Hex] = {}
    catchup: bool = False


class RawLogged(Tagged, tag="logged", frozen=True, kw_only=True):
    """``Logged`` whose events and entries are already encoded."""

    seq: Seq
    at: Moment
    hash: Hex
    seed_hash: Hex
    by: UserId | None = None
    id: SystemId | None = None
    events: tuple[Raw, ...] = ()
    changes: tuple[RawEntry, ...] = ()
    seeds: dict[PartName, Hex] = {}
    catchup: bool = False


class Hidden(Tagged, tag="hidden", frozen=True, kw_only=True):
    """A commit of which this viewer may read nothing; it changes nothing he is shown."""

    seq: Seq
    hash: Hex
    seed_hash: Hex


class CaughtUp(Tagged, tag="caughtUp", frozen=True, kw_only=True):
    """Live from here."""

    head: Seq


class Ack(Tagged, tag="ack", frozen=True, kw_only=True):
    """On disk as commit ``seq``. ``changed: false``: nothing to do, no commit; ``seq`` is the head then."""

    id: CommandId
    seq: Seq
    changed: bool = True


class Refused(Tagged, tag="refused", frozen=True, kw_only=True):
    """Not done, nothing stored. ``code`` is one of those in ``codes.json``; ``message`` the English fallback."""

    code: str
    message: str
    id: CommandId | None = None
    values: dict[Key, Scalar] = {}
    retry_after_ms: int | None = None


class DieSpec(Record, frozen=True, kw_only=True):
    """Dice that would be rolled: ``count`` of one kind."""

    role: Key
    sides: int
    count: int = 1


class PreviewRow(Record, frozen=True, kw_only=True):
    """What would apply to one actor against one target. ``curve`` instead of ``odds`` where the target is hidden.

    ``retry``: the same action failed before (A-24). ``ask``: the roll needs to say what changed; ``warn``: it need not.
    """

    actor: ActorId | None = None
    name: Name
    opponent: ActorId | None = None
    opponent_name: Label = ""
    target: Small | None = None
    sources: tuple[Source, ...]
    net: Small
    boons: int = 0
    banes: int = 0
    bonus: Small = 0
    dice: tuple[DieSpec, ...]
    odds: Odds | None = None
    curve: tuple[TotalChance, ...] | None = None
    retry: Literal["", "warn", "ask"] = ""


class Previewed(Tagged, tag="previewed", frozen=True, kw_only=True):
    """The answer to ``preview``, true as of commit ``seen``."""

    id: CommandId
    seen: Seq
    rows: tuple[PreviewRow, ...]


class Foreseen(Tagged, tag="foreseen", frozen=True, kw_only=True):
    """The answer to ``foresee``: the events it would come to as of commit ``seen``, as far as this viewer may read them."""

    id: CommandId
    seen: Seq
    events: tuple[Event, ...]


class SeenBy(Tagged, tag="seenBy", frozen=True, kw_only=True):
    """Somebody has a request before his eyes; to GMs (feature ``requests``)."""

    request: RequestId
    user: UserId


class Underway(Tagged, tag="underway", frozen=True, kw_only=True):
    """Somebody is putting a public roll together; null: not any more (feature ``composing``). To everybody but himself."""

    user: UserId
    on: Attempt | None


class Marked(Record, frozen=True, kw_only=True):
    """What a commit may be found by, as far as this viewer may read it."""

    seq: Seq
    marks: tuple[MarkKind, ...]


class Page(Tagged, tag="page", frozen=True, kw_only=True):
    """The answer to ``history``, oldest first. ``more``: there is more in that direction.

    Where something was looked for: ``marks`` of the commits, and the commit that was ``looked`` at last; go on from there.
    """

    id: CommandId
    commits: tuple[Logged | Hidden, ...]
    more: bool
    marks: tuple[Marked, ...] = ()
    looked: Seq | None = None


class AsOf(Tagged, tag="asOf", frozen=True, kw_only=True):
    """The answer to ``at``: entries as they were then, without those that are about the moment only (open checks, offers).

    ``at``: when that commit was made. ``more``: there is more behind the last key.
    """

    id: CommandId
    seq: Seq
    at: Moment
    entries: tuple[Entry, ...]
    more: bool = False


class RawAsOf(Tagged, tag="asOf", frozen=True, kw_only=True):
    """``AsOf`` whose entries are already encoded."""

    id: CommandId
    seq: Seq
    at: Moment
    entries: tuple[RawEntry, ...]
    more: bool = False


class RawPage(Tagged, tag="page", frozen=True, kw_only=True):
    """``Page`` whose commits are already encoded."""

    id: CommandId
    commits: tuple[Raw, ...]
    more: bool
    marks: tuple[Marked, ...] = ()
    looked: Seq | None = None


class ProvenPart(Record, frozen=True, kw_only=True):
    """A readable part has ``bytes``, ``salt`` and ``seed``; any other only its leaf and the hash of its seed."""

    bytes: str | None = None
    salt: Hex | None = None
    seed: Hex | None = None
    leaf: Hex | None = None
    seed_hash: Hex | None = None


class Proven(Tagged, tag="proven", frozen=True, kw_only=True):
    """Everything to recompute seed, faces and chain of one commit. ``promisedBy`` published its seed hash."""

    id: CommandId
    seq: Seq
    prev_hash: Hex
    hash: Hex
    header: str
    parts: dict[PartName, ProvenPart]
    promised_by: Seq | None


class Person(Record, frozen=True, kw_only=True):
    """Somebody at the table. ``gone``: his access was taken back; the log still speaks of him."""

    id: UserId
    name: Name
    role: Role
    online: bool
    gone: bool = False


class Device(Record, frozen=True, kw_only=True):
    """What a person connects with. ``address``: where it last came from. ``gone``: its access was taken back."""

    id: DeviceId
    client: Name
    version: Annotated[str, Meta(max_length=40)] = ""
    kind: Literal["foundry", "page", "cli"]
    address: Annotated[str, Meta(max_length=80)] = ""
    since: Moment
    seen: Moment
    online: bool
    gone: bool = False


class PersonDevices(Record, frozen=True, kw_only=True):
    """Somebody who may take part, or might once, with his devices, the last used first.

    ``named``: false where nobody knows what he is called (any more); ``name`` is his id then.
    """

    id: UserId
    name: Name
    named: bool = True
    role: Role
    gone: bool = False
    devices: tuple[Device, ...] = ()


class CodeOpen(Record, frozen=True, kw_only=True):
    """A code that nobody used yet. ``user``: whose it is; ``by``: who made it (null: the operator of the bridge)."""

    id: CodeId
    kind: Literal["typed", "link"]
    role: Role
    user: UserId | None = None
    name: Label = ""
    by: UserId | None = None
    made: Moment
    expires_at: Moment


class Roster(Tagged, tag="roster", frozen=True, kw_only=True):
    """The answer to ``people`` and ``dropCode``: people, codes that are open, and the origins that the table admits."""

    id: CommandId
    people: tuple[PersonDevices, ...]
    codes: tuple[CodeOpen, ...] = ()
    origins: tuple[HttpOrigin, ...] = ()


class CodeMade(Tagged, tag="codeMade", frozen=True, kw_only=True):
    """The answer to ``makeCode``: to the asking connection alone, and never again.

    ``link`` opens the page that was named, with the code behind ``#``; ``qr`` is the same to be scanned: rows of 0 and 1, a
    character for each module, without a margin.
    """

    id: CommandId
    code: Annotated[str, Meta(max_length=20)]
    code_id: CodeId
    user: UserId
    role: Role
    expires_at: Moment
    link: str | None = None
    qr: Annotated[tuple[Annotated[str, Meta(pattern=r"^[01]{21,177}\Z")], ...], Meta(max_length=177)] = ()


class Post(Tagged, tag="post", frozen=True, kw_only=True):
    """This connection, and for the moment no other, is to post the cards of these commits in the chat (feature ``post``).

    ``cards``: one message for each of these commits. Where it is empty there are too many, ``count`` of them: one
    message says so. Answered with ``posted``; where no answer comes within ``limits.postSeconds`` it moves on.
    """

    from_: Seq
    to: Seq
    count: Annotated[int, Meta(ge=1)]
    cards: tuple[Seq, ...] = ()


class Presence(Tagged, tag="presence", frozen=True, kw_only=True):
    """Who is here."""

    users: tuple[Person, ...]


class Bye(Tagged, tag="bye", frozen=True, kw_only=True):
    """Before the server closes the connection, with the same code and reason."""

    code: int
    reason: str
    retry_after_ms: int | None = None


ServerFrame = (
    Paired
    | Minted
    | Welcome
    | State
    | Logged
    | Hidden
    | CaughtUp
    | Ack
    | Refused
    | Previewed
    | Foreseen
    | SeenBy
    | Underway
    | Page
    | AsOf
    | Proven
    | Post
    | Presence
    | Roster
    | CodeMade
    | Bye
)
SERVER_FRAMES: tuple[type[Tagged], ...] = (
    Paired,
    Minted,
    Welcome,
    State,
    Logged,
    Hidden,
    CaughtUp,
    Ack,
    Refused,
    Previewed,
    Foreseen,
    SeenBy,
    Underway,
    Page,
    AsOf,
    Proven,
    Post,
    Presence,
    Roster,
    CodeMade,
    Bye,
)
