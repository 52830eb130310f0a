"""The Python client: what is not answered is sent again, then withdrawn; nothing happens twice or late."""

import asyncio
import copy

import msgspec
import pytest
from websockets.exceptions import ConnectionClosedError

from boonbridge.net.client import Client, Unreachable, new_id
from boonbridge.tables import serving as asked
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import Ack, Limits, Refused
from tests.support.bridge import ROLL, TABLE, playing, serving
from tests.support.wait import until

GAME = "sage_d20"
CHECK = msgspec.convert(ROLL[GAME], Command)


async def rolled(bridge):
    return [commit.command_id for commit in await bridge.stored() if b'"CheckRolled"' in commit.parts[0]]


class Nobody:
    """An outbox whose frames are lost."""

    def put(self, frame):
        pass


async def test_an_unanswered_command_is_withdrawn_and_that_is_the_answer(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path, seeded=True) as bridge:
        swallowed = []
        monkeypatch.setattr(asked, "do", lambda hub, session, frame: swallowed.append(frame))
        async with Client(bridge.url, await bridge.token("Pia"), retry=0.2) as pia:
            answer = await pia.do(CHECK)
            assert isinstance(answer, Refused)
            assert answer.code == "command.withdrawn"
            assert {frame.id for frame in swallowed} == {answer.id}
            monkeypatch.undo()
            late = await pia.do(CHECK, answer.id)
            assert late == answer
            assert await rolled(bridge) == []


async def test_a_command_that_did_happen_is_acknowledged_by_its_withdrawal(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path, seeded=True) as bridge:
        done = asked.do

        def unheard(hub, session, frame):
            deaf = copy.copy(session)
            deaf.outbox = Nobody()
            done(hub, deaf, frame)

        monkeypatch.setattr(asked, "do", unheard)
        async with Client(bridge.url, await bridge.token("Pia"), retry=0.2) as pia:
            answer = await pia.do(CHECK)
            assert isinstance(answer, Ack)
            assert await rolled(bridge) == [answer.id]


async def test_a_command_is_sent_again_over_a_new_connection(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path, seeded=True) as bridge:
        done, sent = asked.do, []

        def breaks_once(hub, session, frame):
            sent.append(frame.id)
            if len(sent) == 1:
                session.outbox._sink._websocket.transport.abort()
            else:
                done(hub, session, frame)

        monkeypatch.setattr(asked, "do", breaks_once)
        async with Client(bridge.url, await bridge.token("Pia")) as pia:
            answer = await pia.do(CHECK)
        assert isinstance(answer, Ack)
        assert sent == [answer.id] * 2
        assert await rolled(bridge) == [answer.id]


class Closing:
    """A connection that has been closed, which its reader has not noticed yet."""

    def __init__(self):
        self.tried = 0

    async def send(self, frame, *, text):
        self.tried += 1
        assert self.tried < 10, "sent again and again, and nobody else gets to run"
        raise ConnectionClosedError(None, None)


async def test_asking_while_the_connection_is_closing_lets_the_others_run(tmp_path):
    async with playing(GAME, tmp_path, seeded=True) as bridge, Client(bridge.url, await bridge.token("Pia")) as pia:
        real, pia._connection = pia._connection, Closing()
        asking = asyncio.create_task(pia.do(CHECK))
        await until(lambda: pia._connection.tried)
        assert pia._connection.tried == 1
        pia._connection = real
        pia._broken.set_result(None)
        assert isinstance(await asking, Ack)


async def test_no_bridge_at_all(tmp_path):
    async with serving(tmp_path) as bridge:
        url, token = bridge.url, "x" * 20
    with pytest.raises(Unreachable):
        async with Client(url, token, retry=0.1):
            pass


async def test_a_bridge_that_went_away_leaves_the_command_unanswered(tmp_path):
    async with playing(GAME, tmp_path, seeded=True) as bridge:
        token = await bridge.token("Pia")
        async with Client(bridge.url, token, retry=0.2) as pia:
            await bridge.running.stop()
            with pytest.raises(Unreachable):
                await pia.do(CHECK)


async def test_t39_four_people_with_a_hundred_rolls_at_once(tmp_path):
    names = ("Pia", "Quin", "Gina", "Gwen")
    async with playing(GAME, tmp_path, seeded=True, limits=Limits()) as bridge:
        for name in names:
            actor = {"t": "SyncActor", "actor": f"of-{name}", "name": name, "side": "party", "owners": [bridge.user(name)]}
            await bridge.do({**actor, "numbers": {"values": [{"key": "agility", "value": 11}]}})

        async def hundred(name):
            command = msgspec.convert({**ROLL[GAME], "actors": [f"of-{name}"]}, Command)
            async with Client(bridge.url, await bridge.token(name)) as client:
                return await asyncio.gather(*(client.do(command, new_id()) for _ in range(100)))

        answers = [answer for hundred in await asyncio.gather(*map(hundred, names)) for answer in hundred]
        assert [type(answer) for answer in answers] == [Ack] * 400
        assert len({answer.seq for answer in answers}) == 400
        await until(lambda: bridge.running.hub.online(TABLE) == 0)
        assert sorted(await rolled(bridge)) == sorted(answer.id for answer in answers)


def test_a_command_id_is_no_option_of_a_terminal():
    ids = {new_id() for _ in range(5_000)}
    assert len(ids) == 5_000
    assert not any(each.startswith("-") for each in ids)
    assert {len(each) for each in ids} == {22}
