"""Coming to a table while things happen there: nothing is missed, doubled or told to somebody who may not know it any more."""

import asyncio

import pytest
import structlog

from boonbridge.tables.hub import Rejected
from boonbridge.tables.opening import system
from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.codes import Close
from boonbridge_schemas.events import AccessRevoked, Invited
from tests.support.house import BOON, HERO, ROLL, Gate, House, Sink
from tests.support.people import new_id
from tests.support.wait import until

SECRET = {**ROLL, "mode": "secret", "action": "Zyxwv"}


@pytest.fixture
async def house():
    async with House() as house:
        await house.do(HERO)
        yield house


def place(session):
    table = session.table
    return {"epoch": 1, "seq": table.state.seq, "hash": table.head_hash.hex()}


async def event(house, *events):
    """Something the bridge itself writes."""
    return await system(await house.table(), f"test:{new_id()}", tuple(("all", event) for event in events))


async def came_before(house, user, role):
    """Somebody who was here, left, and holds this position."""
    session, _ = await house.admit(user, role)
    last = place(session)
    house.hub.leave(session)
    return last


def in_order(sink):
    """The frames after each welcome: commits without a gap, each once, and never one that the state had already."""
    at = None
    for frame in sink.sent:
        if frame["t"] == "welcome":
            at = frame["head"] if frame["from"] is None else frame["from"]
        elif frame["t"] in {"logged", "hidden"}:
            assert frame["seq"] == at + 1, f"commit {frame['seq']} follows {at}"
            at = frame["seq"]
        elif frame["t"] == "caughtUp":
            assert frame["head"] == at
    return at


# --- while the hello is being looked at -------------------------------------------------------------------------
async def test_access_that_is_taken_while_hello_waits(house):
    last = await came_before(house, "pia", "player")
    await house.do(BOON)
    house.store.before["read"].append(gate := Gate())
    token = house.token("pia", "player")
    coming = asyncio.ensure_future(house.admit("pia", "player", last=last, token=token))
    await gate.reached()
    house.clock.time += 10
    await event(house, AccessRevoked(user="pia"))
    gate.open()
    with pytest.raises(Rejected) as no:
        await coming
    assert no.value.close == Close.AUTH_REVOKED
    assert house.hub.online("house") == 0


async def test_a_role_that_is_taken_while_hello_waits(house):
    last = await came_before(house, "gwen", "gm")
    await house.do(SECRET)
    house.store.before["read"].append(gate := Gate())
    coming = asyncio.ensure_future(house.admit("gwen", "gm", last=last))
    await gate.reached()
    await event(house, Invited(user="gwen", role="player"))
    gate.open()
    session, sink = await coming
    assert session.role == "player"
    (welcome,) = sink.of("welcome")
    assert (welcome["role"], welcome["from"], welcome["reset"]) == ("player", None, "role")
    assert "Zyxwv" not in str(sink.sent)


async def test_two_first_hellos_at_once_are_one_person(house):
    came = await asyncio.gather(*(house.admit("zoe", "player") for _ in range(5)))
    joined = [e for _, sink in came for frame in sink.of("logged") for e in frame["events"] if e["t"] == "Invited"]
    assert len(joined) <= 5
    log = await house.store.read("house", after=0, limit=100)
    assert [commit.command_id for commit in log].count("join:zoe") == 1


async def test_a_table_holds_so_many_people():
    async with House(people=3) as house:
        for n in range(3):
            await house.admit(f"p{n}", "player")
        with pytest.raises(Rejected):
            await house.admit("p3", "player")
        await house.admit("p0", "player")


# --- while the past is told -------------------------------------------------------------------------------------
async def telling(house, user, role, *, missed=150, cmd=BOON):
    """Somebody who missed a lot comes back and reads so slowly that the telling stands still in the middle."""
    last = await came_before(house, user, role)
    for n in range(missed):
        await house.do(SECRET if n % 3 == 0 else cmd)
    sink = Sink(room=2_000)
    coming = asyncio.ensure_future(house.admit(user, role, sink=sink, last=last))
    await until(lambda: sink.waiting() > 64 * 1024 and not sink._read.is_set())
    assert not sink.of("caughtUp")
    assert sink.commits
    return sink, coming


async def test_what_happens_meanwhile_comes_afterwards_and_once(house):
    sink, coming = await telling(house, "pia", "player", missed=300)
    for _ in range(40):
        await house.do(BOON)
        if sink.waiting():
            sink.read_all()
        await asyncio.wait([coming], timeout=0)
    sink.read_on()
    session, _ = await coming
    await house.do(BOON)
    assert in_order(sink) == session.table.state.seq
    assert sink.commits == list(range(sink.commits[0], session.table.state.seq + 1))
    assert all(frame["catchup"] for frame in sink.of("logged") if frame["seq"] <= sink.of("caughtUp")[0]["head"])
    assert not any(frame["catchup"] for frame in sink.of("logged") if frame["seq"] > sink.of("caughtUp")[0]["head"])


async def test_access_that_is_taken_meanwhile_ends_it_at_once(house):
    sink, coming = await telling(house, "pia", "player", missed=300)
    told = len(sink.sent)
    house.clock.time += 10
    await event(house, AccessRevoked(user="pia"))
    assert sink.closed == Close.AUTH_REVOKED
    session, _ = await coming
    sink.read_on()
    await house.do(BOON)
    assert len(sink.sent) == told, "not a frame more"
    assert session.outbox.closed
    assert house.hub.online("house") == 0


async def test_a_role_that_is_taken_meanwhile_begins_anew_with_other_eyes(house):
    """Not a word of what GMs read comes after it, and what waited behind the first telling is not told twice."""
    sink, coming = await telling(house, "gwen", "gm", missed=300)
    await house.do(SECRET)
    told = len(sink.sent)
    assert "Zyxwv" in str(sink.sent[:told])
    await event(house, Invited(user="gwen", role="player"))
    for _ in range(5):
        await house.do(SECRET)
        await house.do(BOON)
    sink.read_on()
    session, _ = await coming
    await until(lambda: sink.of("caughtUp"))
    await house.do(BOON)
    after = sink.sent[told:]
    assert "Zyxwv" not in str(after)
    second = next(n for n, frame in enumerate(after) if frame["t"] == "welcome")
    assert [frame["t"] for frame in after[:second] if frame["t"] in {"logged", "hidden"}] == []
    assert (after[second]["role"], after[second]["from"], after[second]["reset"]) == ("player", None, "role")
    assert len(sink.of("caughtUp")) == 1, "the first telling was not ended"
    assert in_order(sink) == session.table.state.seq


async def test_a_role_that_changes_twice_in_a_row(house):
    session, sink = await house.admit("gwen", "gm", sink=Sink(room=2_000))
    for n in range(6):
        await event(house, Invited(user="gwen", role=("player", "gm")[n % 2]))
        await house.do(SECRET)
    sink.read_on()
    await until(lambda: len(sink.of("caughtUp")) >= 2)
    await house.do(BOON)
    await until(lambda: sink.commits and sink.commits[-1] == session.table.state.seq)
    assert in_order(sink) == session.table.state.seq
    assert sink.of("welcome")[-1]["role"] == session.role == "gm"


async def test_a_role_that_changes_for_somebody_who_is_behind(house):
    """What was live before it goes before it."""
    session, sink = await house.admit("gwen", "gm", sink=Sink(room=0))
    while len(session.outbox._queue) < 3 or sink.waiting() <= 64 * 1024:
        await house.do(SECRET)
    await event(house, Invited(user="gwen", role="player"))
    for _ in range(5):
        await house.do(SECRET)
    sink.read_on()
    await until(lambda: len(sink.of("caughtUp")) == 2)
    await house.do(BOON)
    await until(lambda: sink.commits[-1] == session.table.state.seq)
    assert in_order(sink) == session.table.state.seq
    told = str(sink.sent[sink.sent.index(sink.of("welcome")[1]) :])
    assert "Zyxwv" not in told


async def test_answers_that_waited_behind_a_telling_are_not_lost_when_it_begins_anew(house):
    session, sink = await house.admit("gwen", "gm")
    sink._room = 0
    ids = [new_id() for _ in range(10)]
    for id in ids[:5]:
        house.send(session, SECRET, id=id)
    await event(house, Invited(user="gwen", role="player"))
    for id in ids[5:]:
        house.send(session, ROLL, id=id)
    await event(house, Invited(user="gwen", role="gm"))
    sink.read_on()
    await until(lambda: len(sink.of("ack", "refused")) == 10)
    assert [frame["id"] for frame in sink.of("ack", "refused")] == ids
    await house.do(BOON)
    await until(lambda: sink.commits[-1] == session.table.state.seq)
    in_order(sink)


async def test_a_store_that_fails_while_the_past_is_told_leaves_no_ghost(house):
    last = await came_before(house, "pia", "player")
    await house.do(BOON)
    (first := Gate()).open()  # the position is found, the commits after it are not
    house.store.before["read"] += [first, StoreUnavailable("gone")]
    with pytest.raises(StoreUnavailable):
        await house.admit("pia", "player", last=last)
    assert house.hub.online("house") == 0
    _, watching = await house.admit("gina", "gm")
    await until(lambda: watching.of("presence"))
    assert [user["online"] for user in watching.of("presence")[-1]["users"] if user["id"] == "pia"] == [False]


async def test_a_peer_that_is_gone_in_the_middle_is_no_trouble(house):
    sink, coming = await telling(house, "pia", "player", missed=300)
    sink.close(Close.GOING_AWAY)
    session, _ = await coming
    house.hub.leave(session)
    assert house.hub.online("house") == 0
    with structlog.testing.capture_logs() as lines:
        await house.do(BOON)
    assert lines == []


# --- while nothing else happens ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hash": "0" * 64}, "other_log"),
        ({"epoch": 2}, "epoch"),
        ({"epoch": 0}, "epoch"),
        ({"seq": 10_000}, "ahead"),
        ({"seq": 0}, "other_log"),
        ({"seq": 1}, "other_log"),
    ],
)
async def test_what_the_log_does_not_hold_begins_anew_and_says_why(house, change, reason):
    last = await came_before(house, "pia", "player")
    await house.do(BOON)
    _, sink = await house.admit("pia", "player", last={**last, **change})
    assert (sink.of("welcome")[0]["from"], sink.of("welcome")[0]["reset"]) == (None, reason)
    assert sink.commits == []
    assert sink.of("state")


async def test_the_hash_before_the_first_commit_is_known(house):
    _, sink = await house.admit("pia", "player", last={"epoch": 1, "seq": 0, "hash": "0" * 64})
    assert sink.of("welcome")[0]["from"] == 0
    assert sink.commits[0] == 1


async def test_a_role_that_changed_while_one_was_away(house):
    last = await came_before(house, "gwen", "gm")
    await event(house, Invited(user="gwen", role="player"))
    _, sink = await house.admit("gwen", "gm", last=last)
    assert (sink.of("welcome")[0]["role"], sink.of("welcome")[0]["reset"]) == ("player", "role")
    # And back: the token says what the table says, yet in between it saw with other eyes.
    last = place((await house.admit("gwen", "gm"))[0])
    await event(house, Invited(user="gwen", role="gm"))
    _, sink = await house.admit("gwen", "gm", last=last)
    assert sink.of("welcome")[0]["reset"] == "role"
    # From the next commit on it is the same person as ever, whatever the token says. Of that one nobody can tell with whose eyes
    # he heard it.
    await house.do(BOON)
    last = place((await house.admit("gwen", "player"))[0])
    await house.do(BOON)
    _, sink = await house.admit("gwen", "player", last=last)
    assert sink.of("welcome")[0]["from"] == last["seq"]


async def test_somebody_who_was_more_and_is_less_again_holds_nothing_too_much(house):
    """Player, then GM for an hour, then player: what he holds from that hour he may not go on with."""
    await came_before(house, "pia", "player")
    await event(house, Invited(user="pia", role="gm"))
    as_gm, _ = await house.admit("pia", "player")
    last = place(as_gm)
    house.hub.leave(as_gm)
    await event(house, Invited(user="pia", role="player"))
    _, sink = await house.admit("pia", "player", last=last)
    assert sink.of("welcome")[0]["reset"] == "role"
