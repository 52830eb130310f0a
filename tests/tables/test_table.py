"""One table in trouble: stores that fail, mistakes of our own, two servers at once, people who lose their rights."""

import asyncio

import pytest
import structlog

from boonbridge.core import decide as deciding
from boonbridge.tables import table as module
from boonbridge.tables.folding import LogBroken, catch_up
from boonbridge.tables.opening import system
from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.commands import Act
from boonbridge_schemas.events import OriginAdded
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Ack
from tests.support.house import BOON, HERO, ROLL, House
from tests.support.people import new_id


@pytest.fixture
async def house():
    async with House() as house:
        yield house


@pytest.fixture
def lines():
    with structlog.testing.capture_logs() as lines:
        yield lines


def held(table):
    return table.state.game.held


async def log_of(house):
    return await house.store.read("house", after=0, limit=10_000)


# --- the store fails --------------------------------------------------------------------------------------------
async def test_a_store_that_cannot_write_is_busy_and_nothing_is_done(house, lines):
    id = new_id()
    house.store.before["append"].append(StoreUnavailable("The disk is full."))
    answer = await house.do(BOON, id=id)
    assert (answer.code, answer.retry_after_ms) == ("busy", 1_000)
    assert answer.message.endswith(".")
    table = await house.table()
    assert held(table) == 0
    assert house.hub.ports.batcher.failing
    assert (await house.do(BOON, id=id)).changed, "the same again, when it can"
    assert held(table) == 1
    assert not house.hub.ports.batcher.failing
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["store unavailable"]
    assert not [line for line in lines if "exc_info" in line]


async def test_written_but_the_answer_was_lost_is_done_once(house):
    id = new_id()
    house.store.after["append"].append(StoreUnavailable("The network went away."))
    assert (await house.do(BOON, id=id)).code == "busy"
    again = await house.do(BOON, id=id)
    assert again == Ack(id=id, seq=2)
    assert held(await house.table()) == 1
    other = await house.do(BOON)
    assert other.seq == 3
    assert [commit.seq for commit in await log_of(house)] == [1, 2, 3]


async def test_a_store_that_cannot_be_read_after_a_conflict_is_busy(house):
    other = await house.node()
    await house.do(BOON, table=other)
    house.store.before["read"].append(StoreUnavailable("gone"))
    assert (await house.do(BOON)).code == "busy"
    assert (await house.do(BOON)).seq == 3
    await other.aclose()


# --- mistakes of our own ----------------------------------------------------------------------------------------
async def test_a_mistake_in_the_rules_is_internal_and_the_table_goes_on(house, lines, monkeypatch):
    await house.do(HERO)
    monkeypatch.setattr(house.game, "resolve", lambda *_: 1 / 0)
    id = new_id()
    answer = await house.do(ROLL, id=id)
    assert answer.code == "internal"
    assert answer.message.endswith(".")
    assert len(await log_of(house)) == 2
    (mistake,) = [line for line in lines if line.get("exc_info")]
    assert mistake["id"] == id
    monkeypatch.undo()
    assert (await house.do(ROLL, id=id)).seq == 3


async def test_what_cannot_be_folded_is_not_written(house, lines, monkeypatch):
    monkeypatch.setattr(type(house.game), "evolve", lambda *_: 1 / 0)
    assert (await house.do(BOON)).code == "internal"
    assert len(await log_of(house)) == 1
    monkeypatch.undo()
    assert (await house.do(BOON)).seq == 2


async def test_what_cannot_be_read_back_is_not_written(house, lines):
    table = await house.table()
    for wrong in ("null", "javascript:alert(1)", 5):
        with pytest.raises(Refusal) as no:
            await system(table, "test:origin", (("all", OriginAdded(origin=wrong)),))
        assert no.value.code == "internal"
    assert len(await log_of(house)) == 1
    await house.restart()
    assert (await house.do(BOON)).seq == 2


async def test_a_mistake_while_telling_undoes_nothing(house, lines):
    table = await house.table()
    table.publish = lambda _committed: 1 / 0
    id = new_id()
    assert (await house.do(BOON, id=id)).seq == 2, "it is on disk, so it happened"
    assert held(table) == 1
    assert [line["event"] for line in lines if line.get("exc_info")] == ["commit not told"]
    assert (await house.do(BOON, id=id)).seq == 2
    assert (await house.do(BOON)).seq == 3


async def test_an_answer_that_cannot_be_sent_keeps_nobody_waiting(house, lines):
    table = await house.table()

    def trip(*_):
        raise ValueError("the peer went away at a bad moment")

    table.submit(module.Request(user="gina", role="gm", id=new_id(), command=None, answer=trip))
    assert (await house.do(BOON)).seq == 3


async def test_a_mistake_while_recovering_from_a_mistake(house, lines, monkeypatch):
    monkeypatch.setitem(deciding._DECIDE, Act, lambda *_: 1 / 0)
    for trouble in (StoreUnavailable("gone"), LogBroken("commit 2 is missing"), RuntimeError("worse")):
        house.store.before["read"].append(trouble)
        assert (await house.do(BOON)).code == "internal"
    monkeypatch.undo()
    assert (await house.do(BOON)).seq == 2


async def test_a_mistake_after_it_was_written_is_answered_from_the_log(house, lines, monkeypatch):
    table = await house.table()
    monkeypatch.setattr(table._marks, "note", lambda *_: 1 / 0)
    id = new_id()
    answer = await house.do(BOON, id=id)
    monkeypatch.undo()
    assert answer == Ack(id=id, seq=2), "the log knows what became of it"
    assert held(table) == 1
    assert (await house.do(BOON)).seq == 3


# --- two servers ------------------------------------------------------------------------------------------------
async def test_two_servers_on_one_store_make_one_log(house):
    other = await house.node()
    tables = (await house.table(), other)
    ids = [new_id() for _ in range(60)]
    answers = await asyncio.gather(*(house.do(BOON, id=id, table=tables[n % 2], seen=60) for n, id in enumerate(ids)))
    # Some may have lost three times and are told to come again; they do.
    again = await asyncio.gather(*(house.do(BOON, id=id, table=tables[n % 2], seen=120) for n, id in enumerate(ids)))
    acked = {a.id: a.seq for a in (*answers, *again) if isinstance(a, Ack) and a.changed}
    commits = await log_of(house)
    assert [commit.seq for commit in commits] == list(range(1, len(commits) + 1))
    written = [commit.command_id for commit in commits[1:]]
    assert len(written) == len(set(written))
    assert all(commits[seq - 1].command_id == id for id, seq in acked.items())
    await house.do(BOON, table=tables[0])
    for table in tables:
        await house.do(None, table=table)
    states = [await catch_up(house.store, table.state, table.head_hash) for table in tables]
    assert states[0] == states[1]
    await other.aclose()


async def test_the_same_id_at_two_servers_is_done_once(house):
    other = await house.node()
    for _ in range(20):
        id = new_id()
        seen = (await house.store.head("house"))[0] + 1
        answers = await asyncio.gather(*(house.do(BOON, id=id, table=t, seen=seen) for t in (await house.table(), other)))
        assert answers[0] == answers[1]
    assert len(await log_of(house)) == 21
    await other.aclose()


# --- ids --------------------------------------------------------------------------------------------------------
async def test_an_id_that_memory_has_forgotten_is_known_to_the_log(house, monkeypatch):
    monkeypatch.setattr(module, "WINDOW", 3)
    await house.do(HERO)
    ids = {}
    for cmd in (
        BOON,
        ROLL,
        {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "x", "label": "x"}},
        HERO | {"name": "Zed"},
    ):
        id = new_id()
        ids[id] = cmd, await house.do(cmd, id=id)
    withdrawn = new_id()
    await house.do(None, id=withdrawn)
    for _ in range(5):
        await house.do(BOON)
    length = len(await log_of(house))
    for id, (cmd, first) in ids.items():
        assert await house.do(cmd, id=id) == first
        assert await house.do(None, id=id) == first, "a withdrawal is told that it happened"
        assert (await house.do({"t": "SetOptions", "options": {"boon_cap": 5}}, id=id)).code == "command.id_taken"
        assert (await house.do(cmd, id=id, by="gwen")).code == "command.id_taken"
    assert (await house.do(BOON, id=withdrawn)).code == "command.withdrawn"
    assert len(await log_of(house)) == length


async def test_a_stale_command_that_was_done_before_is_not_stale(house, monkeypatch):
    monkeypatch.setattr(module, "WINDOW", 3)
    id = new_id()
    first = await house.do(BOON, id=id, seen=1)
    for _ in range(70):
        await house.do(BOON)
    assert await house.do(BOON, id=id, seen=1) == first
    assert (await house.do(BOON, seen=1)).code == "dice.stale"


async def test_the_order_of_parameters_makes_no_other_command(house):
    await house.do(HERO)
    id = new_id()
    first = await house.do(ROLL, id=id)
    turned = {**ROLL, "params": dict(reversed(ROLL["params"].items()))}
    assert await house.do(turned, id=id) == first
    await house.restart()
    assert await house.do(turned, id=id) == first


# --- rights that end while a command waits ----------------------------------------------------------------------
async def test_a_command_is_judged_by_the_role_of_the_moment_it_is_decided(house):
    for user, role in (("gina", "gm"), ("gwen", "gm")):
        await house.do({"t": "Invite", "user": user, "name": user, "role": role}, by="bridge")
    leaves = {"t": "Invite", "user": "gwen", "name": "Gwen", "role": "player"}
    first = asyncio.ensure_future(house.do(leaves, by="gwen"))
    second = asyncio.ensure_future(house.do(BOON, by="gwen", role="gm"))
    assert isinstance(await first, Ack)
    assert (await second).code == "role.forbidden"


async def test_a_command_that_waited_while_its_sender_s_access_was_taken_is_not_done(house):
    for user, role in (("gina", "gm"), ("gwen", "gm")):
        await house.do({"t": "Invite", "user": user, "name": user, "role": role}, by="bridge")
    issued = house.clock.time
    house.clock.time += 10
    revoke = asyncio.ensure_future(house.do({"t": "RevokeAccess", "user": "gwen"}))
    late = asyncio.ensure_future(house.do(BOON, by="gwen", device="d", issued=issued))
    withdrawal = asyncio.ensure_future(house.do(None, by="gwen", device="d", issued=issued))
    assert isinstance(await revoke, Ack)
    assert (await late).code == "role.forbidden"
    assert (await withdrawal).code == "role.forbidden"
    assert held(await house.table()) == 0
    house.clock.time += 10
    assert (await house.do(BOON, by="gwen", device="d", issued=house.clock.time)).changed, "with a token of afterwards"


async def test_only_that_device(house):
    await house.do({"t": "Invite", "user": "gwen", "name": "Gwen", "role": "gm"}, by="bridge")
    issued = house.clock.time
    house.clock.time += 10
    await house.do({"t": "RevokeAccess", "user": "gwen", "device": "phone"})
    assert (await house.do(BOON, by="gwen", device="phone", issued=issued)).code == "role.forbidden"
    assert (await house.do(BOON, by="gwen", device="laptop", issued=issued)).changed
