"""Requests that have a time: the bridge ends them when it has come, once, and also when it was not running then."""

import pytest

from boonbridge.tables.ports import StoreUnavailable
from tests.support.clock import TestClock
from tests.support.house import HERO, ROW, House
from tests.support.wait import until

SKILL = {"skill": "skill.might"}
CHECK = {"check": "skill", "params": {"difficulty": 9}}


A_LITTLE = 1
"""Seconds: commits that are made while the clock stands are a millisecond apart, and so are their times."""


class Timed(TestClock):
    """The clock of a house, that wakes whoever waits."""

    @property
    def time(self):
        return self._now


class TimedHouse(House):
    def __init__(self):
        super().__init__()
        self.clock = Timed()
        self.hub = self._hub()


@pytest.fixture
async def house():
    async with TimedHouse() as house:
        await house.do(HERO)
        yield house


async def asked(house, **more):
    return str((await house.do({"t": "RequestCheck", "checks": [CHECK], **more})).seq)


async def over(house, request):
    table = await house.table()
    await until(lambda: not table.state.requests[request].open)
    return table.state.requests[request].record.over


async def settled(house):
    """Whatever was queued has been decided."""
    await house.do({"t": "RevokeGrant", "grant": "1.1"})


async def test_it_expires_at_its_time_and_not_before(house):
    request = await asked(house, minutes=10)
    _, sink = await house.admit("pia", "player")
    house.clock.advance(10 * 60 - A_LITTLE)
    await settled(house)
    table = await house.table()
    assert table.state.requests[request].open
    head = table.state.seq
    house.clock.advance(2 * A_LITTLE)
    assert await over(house, request) == "expired"
    await until(lambda: sink.commits and sink.commits[-1] == head + 1)
    told = sink.of("logged")[-1]
    assert [event["t"] for event in told["events"]] == ["RequestExpired", "RequestClosed"]
    assert (told["by"], told["id"]) == ("bridge", f"expire:{request}")
    assert house.clock.waiting == []
    house.clock.advance(3600)
    await settled(house)
    assert table.state.seq == head + 1


async def test_it_does_not_where_it_has_no_time_or_was_over_before(house):
    await asked(house)
    assert house.clock.waiting == []
    request = await asked(house, minutes=5)
    assert len(house.clock.waiting) == 1
    await house.do({"t": "CloseRequest", "request": request})
    assert house.clock.waiting == []
    await asked(house, minutes=5)
    await house.do({"t": "StartSession"})
    await house.do({"t": "EndSession"})
    assert house.clock.waiting == []
    answered = await asked(house, minutes=5)
    await house.do({"t": "AnswerRequest", "request": answered, "actor": "hero", "params": SKILL})
    assert (await house.table()).state.requests[answered].record.over == "complete"
    assert house.clock.waiting == []


async def test_each_at_its_own_time(house):
    requests = {minutes: await asked(house, minutes=minutes) for minutes in (30, 10, 20)}
    for minutes in (10, 20, 30):
        assert len(house.clock.waiting) == 1
        house.clock.advance(10 * 60 + A_LITTLE)
        assert await over(house, requests[minutes]) == "expired"
        table = await house.table()
        assert [r for r in requests.values() if table.state.requests[r].open] == [requests[m] for m in requests if m > minutes]


async def test_several_at_one_moment(house):
    requests = [await asked(house, minutes=10) for _ in range(16)]
    house.clock.advance(10 * 60 + A_LITTLE)
    for request in requests:
        assert await over(house, request) == "expired"


async def test_what_was_open_when_the_bridge_stopped_expires_when_somebody_comes_back(house):
    request, later = await asked(house, minutes=10), await asked(house, minutes=60)
    await house.hub.aclose()
    assert house.clock.waiting == []  # nobody is woken for a table that is closed
    house.clock.advance(20 * 60)
    house.hub = house._hub()
    await house.admit("gina", "gm")
    assert house.clock.waiting  # at once
    house.clock.advance(0)
    assert await over(house, request) == "expired"
    assert (await house.table()).state.requests[later].open
    assert len(house.clock.waiting) == 1


async def test_two_servers_on_one_store_end_it_once(house):
    request = await asked(house, minutes=10)
    mine, other = house.hub, house._hub()
    await other.at(ROW.id)
    house.clock.advance(10 * 60 + A_LITTLE)
    for hub in (mine, other):
        table = (await hub.at(ROW.id)).table
        await until(lambda table=table: not table.state.requests[request].open)
    commits = await house.store.read(ROW.id, after=0, limit=100)
    assert [commit.command_id for commit in commits].count(f"expire:{request}") == 1
    await other.aclose()


@pytest.mark.parametrize("trouble", [StoreUnavailable("gone"), ValueError("ours")])
async def test_a_store_that_fails_is_tried_again(house, trouble):
    request = await asked(house, minutes=10)
    house.store.before["append"].append(trouble)
    house.clock.advance(10 * 60 + A_LITTLE)
    table = await house.table()
    await until(lambda: house.clock.waiting)
    assert table.state.requests[request].open
    house.clock.advance(1)
    assert await over(house, request) == "expired"


async def test_choices_that_are_open_take_their_default_when_the_time_is_up(house):
    await house.do({"t": "Act", "verb": "give_boon"})
    request = await asked(house, minutes=10, group="one_success")
    house.tape.put(2)
    roll = await house.do({"t": "AnswerRequest", "request": request, "actor": "hero", "params": SKILL})
    table = await house.table()
    assert f"{roll.seq}.1" in table.state.undecided
    house.clock.advance(10 * 60 + A_LITTLE)
    assert await over(house, request) == "expired"
    assert len(table.state.undecided) == 0
    assert table.state.game.held == 2  # one that was given, one for the group's failure
