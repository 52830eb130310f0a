"""What the tables need of the outside: a log, and a few small rows beside it. ``store`` implements these."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from boonbridge.core.ladder import Rung
from boonbridge_schemas.base import Moment, Role, Seq, UserId


class StoredCommit(Struct, frozen=True, kw_only=True):
    """A commit as it lies on disk. ``header`` and ``parts`` (all, roller_gm, gm, roller) are the hashed bytes."""

    table: str
    seq: int
    command_id: str
    by: str
    header: bytes
    parts: tuple[bytes, bytes, bytes, bytes]
    hash: bytes


class Appended(Struct, frozen=True):
    """It is on disk."""


class SeqTaken(Struct, frozen=True):
    """Somebody else wrote that seq first; nothing of ours was written."""


class CommandKnown(Struct, frozen=True):
    """The table's log has this command id already; nothing of ours was written."""


AppendResult = Appended | SeqTaken | CommandKnown


class Notice(Struct, frozen=True):
    """A hint that a table's log has grown to at least ``seq``; may be lost, doubled or late."""

    table: str
    seq: int


class StoreUnavailable(Exception):  # noqa: N818 - no class of ours is called Error
    """The store cannot be written or read just now (disk full, file gone). Nothing was half-done."""


class StoreDamaged(StoreUnavailable):
    """What is on disk is not what was written. Waiting does not help: it has to be put back from a backup."""


class EventStore(Protocol):
    """The log. One durable write per batch; a loser in a batch does not spoil the winners."""

    async def append(self, batch: Sequence[StoredCommit]) -> Sequence[AppendResult]:
        """Write at most one commit per table. Raises ``StoreUnavailable``."""
        ...

    async def read(self, table: str, *, after: int, limit: int) -> Sequence[StoredCommit]:
        """Commits ``after + 1`` and on, in order."""
        ...

    async def find(self, table: str, command_id: str) -> StoredCommit | None:
        """The commit that a command id made."""
        ...

    async def head(self, table: str) -> tuple[int, bytes]:
        """The last seq and its hash; (0, 32 zero bytes) for an empty log."""
        ...

    def notices(self) -> AsyncIterator[Notice]:
        """Hints about what other nodes wrote. A store for one node yields none."""
        ...

    async def aclose(self) -> None:
        """Finish what was queued and let go of the files."""
        ...


class TableRow(Struct, frozen=True, kw_only=True):
    """A table that exists: one campaign. ``created`` in Unix milliseconds.

    ``title`` is a copy of what its log says, for lists. ``restart``: why it has to begin a new epoch of seeds when it is opened
    next (``restored``, ``imported``); empty where it need not.
    """

    id: str
    title: str
    ruleset: str
    created: int
    restart: str = ""


class Tables(Protocol):
    """Which tables there are."""

    async def add_table(self, row: TableRow) -> bool:
        """False where the id is taken."""
        ...

    async def import_table(
        self, row: TableRow, commits: Iterable[tuple[StoredCommit, Rung]], names: Mapping[UserId, str]
    ) -> bool:
        """Add one with the whole log of another bridge, seeds and salts: all of it or nothing. False where the id is taken."""
        ...

    async def list_tables(self) -> Sequence[TableRow]:
        """All of them, oldest first."""
        ...

    async def get_table(self, table: str) -> TableRow | None:
        """One of them, or None."""
        ...

    async def rename_table(self, table: str, title: str) -> None:
        """What lists call it. The log has its own word for it, which comes first."""
        ...

    async def restarted(self, table: str) -> None:
        """The new epoch that the row asked for has begun."""
        ...

    async def delete_table(self, table: str) -> bool:
        """Delete a table with its log, keys, names, devices, codes and all else, for good. False where there is none."""
        ...


class PairingCode(Struct, frozen=True, kw_only=True):
    """A one-time code, stored as a hash. ``used`` is the id of the ``pair`` frame that used it up.

    ``user``: whom it lets in; null where that is whoever uses it, until it is used. ``name``: what he is to be called, where
    whoever made it said so. ``by``: who made it; null: the operator of the bridge. ``id`` tells it from others without the code.
    """

    table: str
    code_hash: bytes
    role: Role
    expires: int
    tries_left: int
    used: str | None = None
    user: str | None = None
    id: str = ""
    kind: Literal["typed", "link"] = "typed"
    name: str = ""
    by: str | None = None
    made: int = 0


class DeviceRow(Struct, frozen=True, kw_only=True):
    """What a person connects with: one row per token that was given out and used. Times in Unix milliseconds."""

    table: str
    user: str
    device: str
    client: str
    version: str
    kind: Literal["foundry", "page", "cli"]
    address: str
    since: int
    seen: int


class Vault(Protocol):
    """Keys, codes, names of people and their devices. Never in the log, never in an export.

    Of a table that there is not, no codes, names or devices are kept: whoever is slow leaves nothing of one that was deleted.
    """

    async def table_key(self, table: str, epoch: int) -> bytes | None:
        """The secret 32 bytes that a table's seeds come from."""
        ...

    async def put_table_key(self, table: str, epoch: int, key: bytes) -> None:
        """Keep the key of a new epoch; a key once kept is never replaced."""
        ...

    async def rungs(self, table: str, *, after: int, limit: int) -> Mapping[int, Rung]:
        """Seeds and salts that came with an imported log, by seq; none where commits of a table's own keys stand."""
        ...

    async def node_secret(self) -> bytes:
        """The secret that tokens are signed with; made at first use."""
        ...

    async def put_code(self, code: PairingCode) -> None:
        """Keep a code, or what has become of it; one row per table and hash."""
        ...

    async def codes(self, table: str | None = None) -> Sequence[PairingCode]:
        """The codes of one table, or of all."""
        ...

    async def drop_codes(self, table: str, hashes: Sequence[bytes]) -> None:
        """Forget some codes of a table. Those that are not there are fine."""
        ...

    async def put_person(self, table: str, user: str, name: str) -> None:
        """Keep the name of a person; the last one given stands."""
        ...

    async def people(self, table: str) -> dict[str, str]:
        """Names by user id."""
        ...

    async def put_devices(self, rows: Sequence[DeviceRow], *, keep: int) -> None:
        """Add devices, or what is new of them: ``since`` stays what it was at first.

        Of each person's so many are kept; those that were not seen for longest go.
        """
        ...

    async def devices(self, table: str) -> Sequence[DeviceRow]:
        """The devices of a table's people, the last seen first."""
        ...

    async def forget_person(self, table: str, user: str, *, made_until: Moment | None = None) -> None:
        """Delete a person's name, devices and codes, so that nothing of them is left in any file of the store.

        ``made_until``: only codes that were made until then.
        """
        ...


class SnapshotRow(Struct, frozen=True, kw_only=True):
    """A table's state after commit ``seq``, whose hash is ``hash``: a shortcut, never the truth.

    ``made_by`` names the code that folded it; only the very same may use it. ``mac`` is under the table's key of that epoch.
    """

    table: str
    seq: int
    hash: bytes
    epoch: int
    made_by: str
    body: bytes
    mac: bytes


class Snapshots(Protocol):
    """States that need not be folded again. Every row may be thrown away at any time."""

    async def put_snapshot(self, row: SnapshotRow) -> None:
        """Keep one; of the same table and seq the last stands. Of a table that there is not, nothing is kept."""
        ...

    async def snapshot(self, table: str, *, upto: int, made_by: str) -> SnapshotRow | None:
        """The latest one by that code, of commit ``upto`` or before."""
        ...

    async def snapshots(self, table: str) -> Sequence[tuple[int, str]]:
        """Which there are: seq and ``made_by``, in order."""
        ...

    async def drop_snapshot(self, table: str, seq: Seq) -> None:
        """Forget one; none there is fine."""
        ...

    async def drop_snapshots(self, table: str, *, made_by_others_than: str | None = None) -> None:
        """Forget those of a table: all, or those that other code made."""
        ...


class Offer(Struct, frozen=True, kw_only=True):
    """One connection is to post the cards of some commits, until somebody else is asked."""

    first: Seq
    last: Seq
    connection: str
    user: UserId
    until: Moment


class Posting(Struct, frozen=True, kw_only=True):
    """How far the cards of a table have been posted into a chat, and the offer that is open."""

    table: str
    posted: Seq = 0
    offer: Offer | None = None


class Posted(Protocol):
    """What was posted, and who is to post. One row per table, changed by compare-and-set."""

    async def posting(self, table: str) -> Posting:
        """The row of a table; an empty one where nothing was ever posted or offered."""
        ...

    async def swap_posting(self, before: Posting, after: Posting) -> bool:
        """Put ``after`` in the place of ``before``. False, and nothing changed, where something else stands there.

        So it is, too, where there is no such table (any more).
        """
        ...


class Clock(Protocol):
    """Time as data."""

    def now(self) -> int:
        """Unix time in milliseconds."""
        ...


class Timer(Clock, Protocol):
    """Time that wakes whoever waits for it."""

    def at(self, moment: Moment, call: Callable[[], None]) -> Callable[[], None]:
        """Have ``call`` called when that moment has come, in the event loop. What is returned calls it off."""
        ...


class Marks(Protocol):
    """How far each log had come, kept outside the database: shows a tail that was cut off."""

    def note(self, table: str, epoch: int, seq: int, hash_: bytes, key: bytes) -> None:
        """Remember a head that is on disk in the log."""
        ...

    async def cut(self, log: EventStore, table: str, vault: Vault) -> bool:
        """Whether the log is shorter than it was, so that seeds already shown would be served again."""
        ...

    async def forget(self, table: str) -> None:
        """Keep nothing of a table that is to be deleted. Nothing is noted of it meanwhile."""
        ...
