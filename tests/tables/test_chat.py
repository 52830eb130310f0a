"""Offers of cards where two things happen at once: a commit, a departure, another server."""

import asyncio

import pytest

from boonbridge.tables.ports import Posting
from boonbridge_schemas.client import Posted
from tests.support.house import HERO, ROLL, ROW, Gate, House
from tests.support.wait import until


@pytest.fixture
async def house():
    async with House() as house:
        await house.do(HERO)
        yield house


async def quiet(*hubs):
    """Return when no work is under way beside the commands."""
    await until(lambda: not any(hub._tasks for hub in hubs))


def offers(*sinks):
    return [(frame["from"], frame["to"], frame["cards"]) for sink in sinks for frame in sink.of("post")]


async def rolled(house, count=1, **more):
    return [(await house.do({**ROLL, **more})).seq for _ in range(count)]


async def test_of_two_servers_on_one_store_one_makes_the_offer(house):
    seqs = await rolled(house, 3)
    mine, other = house.hub, house._hub()
    chats, sinks, sessions = [], [], []
    for house.hub in (mine, other):  # both have looked it up before either of them offers
        session, sink = await house.admit("gina", "gm")
        session.client = type(session.client)(name="t", version="1", kind="foundry")
        chats.append((await house.hub.at(ROW.id)).chat)
        sinks.append(sink)
        sessions.append(session)
    for chat, session in zip(chats, sessions, strict=True):
        chat.joined(session)
    await quiet(mine, other)
    assert offers(*sinks) == [(seqs[0], seqs[-1], seqs)]
    asked = next(n for n, sink in enumerate(sinks) if sink.of("post"))
    answer = Posted(from_=seqs[0], to=seqs[-1], message_id="x")
    await (other, mine)[asked].posted(sessions[1 - asked], answer)  # he came back by way of the other server
    await quiet(mine, other)
    assert await house.store.posting(ROW.id) == Posting(table=ROW.id, posted=seqs[-1])
    chats[asked]._look()  # and the first one finds out
    await quiet(mine, other)
    assert len(offers(*sinks)) == 1
    for hub in (mine, other):
        await hub.aclose()


async def test_a_roll_while_the_log_is_looked_through_is_not_lost(house):
    seqs = await rolled(house, 2)
    gate = Gate()
    house.store.before["read"].append(gate)
    joining = asyncio.ensure_future(house.admit("gina", "gm", kind="foundry"))
    await gate.reached()
    seqs += await rolled(house, 2)
    gate.open()
    _, sink = await joining
    await quiet(house.hub)
    assert offers(sink) == [(seqs[0], seqs[-1], seqs)]


async def test_everybody_leaves_while_the_log_is_looked_through(house):
    (seq,) = await rolled(house)
    gate = Gate()
    house.store.before["read"].append(gate)
    session, sink = await house.admit("gina", "gm", kind="foundry")
    await gate.reached()
    house.hub.leave(session)
    gate.open()
    await quiet(house.hub)
    assert offers(sink) == []
    assert await house.store.posting(ROW.id) == Posting(table=ROW.id), "nobody is asked who is not there"
    _, sink = await house.admit("gina", "gm", kind="foundry")
    await quiet(house.hub)
    assert offers(sink) == [(seq, seq, [seq])]


async def test_whoever_posts_and_leaves_at_once_has_posted(house):
    session, sink = await house.admit("gina", "gm", kind="foundry")
    (seq,) = await rolled(house)
    await quiet(house.hub)
    assert offers(sink) == [(seq, seq, [seq])]
    await house.hub.posted(session, Posted(from_=seq, to=seq))
    house.hub.leave(session)
    await quiet(house.hub)
    assert await house.store.posting(ROW.id) == Posting(table=ROW.id, posted=seq)


async def test_what_lies_further_back_than_a_resume_is_let_be():
    async with House(catchup=5) as house:
        await house.do(HERO)
        await house.admit("gina", "gm")  # so that her coming is no commit any more
        seqs = await rolled(house, 8)
        _, sink = await house.admit("gina", "gm", kind="foundry")
        await quiet(house.hub)
        assert offers(sink) == [(seqs[-5], seqs[-1], seqs[-5:])]


async def test_an_answer_to_nothing_is_nothing(house):
    session, sink = await house.admit("gina", "gm", kind="foundry")
    for frame in (Posted(from_=1, to=1), Posted(from_=1, to=2**53), Posted(from_=9, to=1)):
        await house.hub.posted(session, frame)
    await quiet(house.hub)
    assert await house.store.posting(ROW.id) == Posting(table=ROW.id)
    (seq,) = await rolled(house)
    await quiet(house.hub)
    assert offers(sink) == [(seq, seq, [seq])]


async def test_a_player_who_becomes_gm_is_asked_as_one(house):
    _, sink = await house.admit("zoe", "player", kind="foundry")
    await rolled(house, mode="secret")
    (hidden,) = await rolled(house, mode="gm")
    await quiet(house.hub)
    assert offers(sink) == []
    await house.do({"t": "Invite", "user": "zoe", "name": "Zoe", "role": "gm"})
    await rolled(house)
    await quiet(house.hub)
    assert offers(sink) == [(hidden, hidden, [hidden])], "what waited comes first, and what is secret not at all"
