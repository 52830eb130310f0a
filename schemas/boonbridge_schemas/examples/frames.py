"""Every frame once: Jonas pairs, comes in, looks, rolls, chooses; the connection breaks once and comes back."""

from collections.abc import Mapping
from typing import Any

import msgspec

from boonbridge_schemas.base import LOG_FORMAT
from boonbridge_schemas.checks import Attempt, Source, TotalChance
from boonbridge_schemas.client import (
    At,
    Composing,
    Do,
    DropCode,
    Foresee,
    Hello,
    History,
    MakeCode,
    Pair,
    People,
    Position,
    Posted,
    Preview,
    Proof,
    Renew,
    Saw,
    Wanted,
    Withdraw,
)
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.commit import Header, Part
from boonbridge_schemas.events import GrantSpent
from boonbridge_schemas.server import (
    Ack,
    AsOf,
    Bye,
    CaughtUp,
    CodeMade,
    CodeOpen,
    Device,
    DiceSource,
    DieSpec,
    Entry,
    Foreseen,
    Hidden,
    Limits,
    Logged,
    Marked,
    Minted,
    Page,
    Paired,
    Person,
    PersonDevices,
    Post,
    Presence,
    Previewed,
    PreviewRow,
    Proven,
    ProvenPart,
    Refused,
    Roster,
    SeenBy,
    State,
    Underway,
    Welcome,
)

from . import commands, corrections, entries, events, requests
from .commits import CLIMB_ID
from .story import (
    ASHA,
    FOUNDRY,
    JONAS,
    KESTREL,
    MIRA,
    PAGE,
    ROPE,
    RULESET,
    TABLE,
    TITLE,
    WARDEN,
    later,
    made_up,
    seed_hashes,
)

SPEND_ID = "Wd4nB8yKq1mVz6TcXr2uHs"
MONTH = 30 * 24 * 60
CLIMBING = Attempt(actor=KESTREL, check="skill", action="Climb down the well shaft")
TOKEN = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.example.example"  # noqa: S105 - opens nothing


def _value(record: msgspec.Struct) -> Any:
    """An entry's value as a client gets it."""
    return msgspec.to_builtins(record)


CLIENT: Mapping[str, msgspec.Struct] = {
    "pair": Pair(id="p3Yc8RwTn5KxLq0ZvBd7Mg", code="7KQ-M2X", client=PAGE, name="Jonas"),
    "hello": Hello(token=TOKEN, client=PAGE),
    "hello.resuming": Hello(token=TOKEN, table=TABLE, last=Position(epoch=1, seq=8, hash=made_up("hash 8")), client=FOUNDRY),
    "preview": Preview(id="v1Hs6GkQp9XzNc4WtRb2Jd", check=commands.CLIMB),
    "preview.request": Preview(id="b6Yt2RkVm9PwLx4ZcNd8Qf", check=requests.ANSWER),
    "foresee": Foresee(id="f7Dw3XnKc5TzBv8QmRg2Hs", cmd=corrections.VOID),
    "saw": Saw(request=requests.PUMPS),
    "composing": Composing(on=CLIMBING),
    "composing.over": Composing(on=None),
    "do": Do(id=CLIMB_ID, seen=7, cmd=commands.CLIMB),
    "do.choose": Do(id=SPEND_ID, seen=8, cmd=commands.SPEND),
    "withdraw": Withdraw(id="Zt5rWq8nYb3kHc6vXm1sPg"),
    "history": History(id="h8Lq2TzVn6CwRk4YxMb0Fs", before=8, limit=20),
    "history.where": History(
        id="h9Lq2TzVn6CwRk4YxMb0Fs", before=400, limit=20, where=Wanted(marks=("critical", "spent"), actor=KESTREL, user=JONAS)
    ),
    "at": At(id="a3Kq8TzVn6CwRk4YxMb0Fs", seq=8, after="grants/kestrel"),
    "proof": Proof(id="r5Jx9PcGt3QmWv7ZkNd1Ya", seq=8),
    "renew": Renew(id="n2Bv7KzXq4TsRc9WmHg6Lp"),
    "people": People(id="k3Ra7VnTq9MxBc5ZwYp1Jd"),
    "makeCode": MakeCode(id="u5Tg8XkNw2QvRz6BmLc4Hf", kind="link", name="Asha", role="player", page="http://192.168.7.20:7777/"),
    "makeCode.device": MakeCode(id="e9Bn4WqKs7TxVd2YrMj6Pg", kind="typed", user=JONAS),
    "dropCode": DropCode(id="y7Kp3ZtXb8RnWc5VqGm1Ls", code="c0ffee11"),
    "posted": Posted(from_=8, to=9, message_id="Yb3kHc6vXm1sPg0Q"),
    "posted.nothing": Posted(from_=8, to=8),
}

_CLIMB_LOGGED = Logged(
    seq=8,
    at=later(34),
    hash=made_up("hash 8"),
    seed_hash=made_up("promise 72"),
    by=JONAS,
    id=CLIMB_ID,
    events=(events.CLIMB, GrantSpent(actor=KESTREL, grant=ROPE.id, check="8.1")),
    changes=(
        Entry(key="check/8.1", value=_value(entries.PENDING)),
        Entry(key=f"grants/{KESTREL}", value=None),
    ),
    seeds={"all": made_up("seed 8 all")},
)
_SECRET = Hidden(seq=10, hash=made_up("hash 10"), seed_hash=made_up("promise 74"))
_HEADER = Header(
    format=LOG_FORMAT,
    table=TABLE,
    epoch=1,
    seq=8,
    at=later(34),
    ruleset=RULESET.id,
    version=RULESET.version,
    seed_hash=made_up("promise 72"),
)

SERVER: Mapping[str, msgspec.Struct] = {
    "paired": Paired(id="p3Yc8RwTn5KxLq0ZvBd7Mg", token=TOKEN, table=TABLE, user=JONAS, role="player", expires_at=later(MONTH)),
    "minted": Minted(id="n2Bv7KzXq4TsRc9WmHg6Lp", token=TOKEN, table=TABLE, user=JONAS, role="player", expires_at=later(MONTH)),
    "roster": Roster(
        id="k3Ra7VnTq9MxBc5ZwYp1Jd",
        people=(
            PersonDevices(
                id=JONAS,
                name="Jonas",
                role="player",
                devices=(
                    Device(
                        id="d-7kqm2xrw",
                        client=PAGE.name,
                        version=PAGE.version,
                        kind="page",
                        address="192.168.7.23",
                        since=later(2),
                        seen=later(34),
                        online=True,
                    ),
                ),
            ),
        ),
        codes=(
            CodeOpen(
                id="c0ffee11", kind="link", role="player", user=ASHA, name="Asha", by=MIRA, made=later(30), expires_at=later(1470)
            ),
        ),
        origins=("http://192.168.7.20:30000",),
    ),
    "codeMade": CodeMade(
        id="u5Tg8XkNw2QvRz6BmLc4Hf",
        code="K7QM2XRWPB4TN9VCHJ5D",
        code_id="c0ffee11",
        user=ASHA,
        role="player",
        expires_at=later(1470),
        link="http://192.168.7.20:7777/#code=K7QM2XRWPB4TN9VCHJ5D",
    ),
    "welcome": Welcome(
        table=TABLE,
        title=TITLE,
        user=JONAS,
        name="Jonas",
        role="player",
        epoch=1,
        head=7,
        head_hash=made_up("hash 7"),
        reset="first",
        ruleset=RULESET,
        features=("post", "requests", "foresee"),
        limits=Limits(),
        addresses=("ws://192.168.7.20:7878/ws",),
        seed_hashes=seed_hashes(8),
        expires_at=later(MONTH),
        bridge="0.1.0",
        dice=DiceSource(kind="promised"),
    ),
    "welcome.restored": Welcome(
        table=TABLE,
        title=TITLE,
        user=JONAS,
        name="Jonas",
        role="player",
        epoch=2,
        head=21,
        head_hash=made_up("hash 21"),
        reset="epoch",
        ruleset=RULESET,
        features=("post", "requests", "foresee", "replay"),
        limits=Limits(),
        seed_hashes=seed_hashes(22),
        expires_at=later(MONTH),
        bridge="0.1.0",
        dice=DiceSource(kind="promised", since=21, reason="restored"),
    ),
    "state": State(
        entries=(
            Entry(key="options", value=_value(entries.OPTIONS)),
            Entry(key="pool", value=_value(entries.POOL)),
            Entry(key=f"person/{JONAS}", value=_value(entries.PERSON)),
            Entry(key=f"actor/{KESTREL}", value=_value(entries.ACTOR)),
            Entry(key=f"grants/{KESTREL}", value=_value(entries.GRANTS)),
        )
    ),
    "caughtUp": CaughtUp(head=7),
    "presence": Presence(
        users=(
            Person(id=MIRA, name="Mira", role="gm", online=True),
            Person(id=JONAS, name="Jonas", role="player", online=True),
            Person(id=ASHA, name="Asha", role="player", online=False),
        )
    ),
    "previewed": Previewed(
        id="v1Hs6GkQp9XzNc4WtRb2Jd",
        seen=7,
        rows=(
            PreviewRow(
                actor=KESTREL,
                name="Kestrel",
                target=11,
                sources=events.CLIMB.sources,
                net=1,
                boons=1,
                bonus=3,
                dice=(DieSpec(role="d12", sides=12, count=2),),
                odds=events.CLIMB_ODDS,
            ),
        ),
    ),
    "previewed.curve": Previewed(
        id="y6Wm1ZtKc8QxNb3RvHg5Ld",
        seen=10,
        rows=(
            PreviewRow(
                actor=KESTREL,
                name="Kestrel",
                opponent=WARDEN,
                opponent_name="Drowned Warden",
                sources=(
                    Source(
                        id="rope",
                        label="Rope made fast above",
                        sign="boon",
                        amount=1,
                        counted=False,
                        why="not_this_check",
                        applies=False,
                        kind="tools",
                        grant=ROPE.id,
                    ),
                ),
                net=0,
                bonus=4,
                dice=(DieSpec(role="d12", sides=12),),
                curve=tuple(TotalChance(total=face + 4, chance="1/12") for face in range(1, 13)),
            ),
        ),
    ),
    "foreseen": Foreseen(id="f7Dw3XnKc5TzBv8QmRg2Hs", seen=23, events=(corrections.VOIDED,)),
    "seenBy": SeenBy(request=requests.PUMPS, user=JONAS),
    "underway": Underway(user=JONAS, on=CLIMBING),
    "underway.over": Underway(user=JONAS, on=None),
    "logged": _CLIMB_LOGGED,
    "logged.choice": Logged(
        seq=9,
        at=later(35),
        hash=made_up("hash 9"),
        seed_hash=made_up("promise 73"),
        by=JONAS,
        id=SPEND_ID,
        events=(events.SAVED,),
        changes=(
            Entry(key="check/8.1", value=None),
            Entry(key="pool", value={**_value(entries.POOL), "held": 1}),
        ),
        seeds={"all": made_up("seed 9 all")},
    ),
    "ack": Ack(id=CLIMB_ID, seq=8),
    "ack.unchanged": Ack(id="c9Rk4XvTq7LzWn2BmHs5Gd", seq=8, changed=False),
    "hidden": _SECRET,
    "refused": Refused(code=Code.SPEND_NO_NEGATIVE, message=Code.SPEND_NO_NEGATIVE.meaning, id="q8Nz3VbXt6KcRw1YmLg4Hs"),
    "refused.slower": Refused(
        code=Code.RATE_LIMITED, message=Code.RATE_LIMITED.meaning, id="t4Gx7WqKn2ZvRb9LcMd6Ys", retry_after_ms=500
    ),
    "page": Page(id="h8Lq2TzVn6CwRk4YxMb0Fs", commits=(_CLIMB_LOGGED, _SECRET), more=True),
    "page.where": Page(
        id="h9Lq2TzVn6CwRk4YxMb0Fs",
        commits=(_CLIMB_LOGGED,),
        more=True,
        marks=(Marked(seq=8, marks=("roll", "spent")),),
        looked=1,
    ),
    "asOf": AsOf(
        id="a3Kq8TzVn6CwRk4YxMb0Fs",
        seq=8,
        at=later(31),
        entries=(Entry(key="options", value=msgspec.to_builtins(entries.OPTIONS)),),
    ),
    "proven": Proven(
        id="r5Jx9PcGt3QmWv7ZkNd1Ya",
        seq=8,
        prev_hash=made_up("hash 7"),
        hash=made_up("hash 8"),
        header=msgspec.json.encode(_HEADER).decode(),
        parts={
            "all": ProvenPart(
                bytes=msgspec.json.encode(
                    Part(id=CLIMB_ID, by=JONAS, events=_CLIMB_LOGGED.events, command=commands.CLIMB)
                ).decode(),
                salt=made_up("salt 8 all"),
                seed=made_up("seed 8 all"),
            ),
            "roller_gm": ProvenPart(bytes="", salt=made_up("salt 8 roller_gm"), seed=made_up("seed 8 roller_gm")),
            "gm": ProvenPart(leaf=made_up("leaf 8 gm"), seed_hash=made_up("seed hash 8 gm")),
            "roller": ProvenPart(bytes="", salt=made_up("salt 8 roller"), seed=made_up("seed 8 roller")),
        },
        promised_by=1,
    ),
    "post": Post(from_=8, to=9, count=2, cards=(8, 9)),
    "post.away": Post(from_=8, to=61, count=37),
    "bye": Bye(code=int(Close.GOING_AWAY), reason=Close.GOING_AWAY.reason, retry_after_ms=2000),
}
