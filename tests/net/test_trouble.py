"""A disk that is full, a mistake of our own: said in words, nothing half-done, and the bridge goes on."""

import pytest

from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.codes import Close
from tests.support.bridge import GAMES, ROLL, playing, serving
from tests.support.http import request
from tests.support.people import new_id
from tests.support.wait import until


@pytest.fixture
def full(monkeypatch):
    """Makes the disk of a bridge full, until ``monkeypatch.undo()``."""

    async def unavailable(*args, **kwargs):
        raise StoreUnavailable("The store cannot be used just now: disk is full")

    def fill(bridge, *methods):
        for method in methods:
            monkeypatch.setattr(bridge.running.hub.ports.store, method, unavailable)
        bridge.mistakes = True

    return fill


@pytest.mark.parametrize("game", GAMES)
async def test_a_full_disk_is_busy_and_the_same_id_is_done_once_there_is_room(tmp_path, full, monkeypatch, game):
    async with playing(game, tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        before, id = await bridge.footprint(), new_id()
        full(bridge, "append")
        for _ in range(2):
            answer = await pia.do(ROLL[game], id=id)
            assert (answer["code"], answer["retryAfterMs"]) == ("busy", 1000)
            assert answer["message"].endswith(".")
        assert (await request(bridge, path="/readyz"))[0] == 503
        assert (await request(bridge, path="/healthz"))[0] == 200
        assert 'boonbridge_answers_total{outcome="busy"} 2.0' in bridge.running.metrics.render().decode()
        await olga.settled()
        assert olga.of("logged", "hidden") == [], "nobody hears of a roll that is not on disk"
        assert (await pia.ask({"t": "preview", "check": ROLL[game]}))["t"] == "previewed", "looking is no trouble"
        monkeypatch.undo()
        assert await bridge.footprint() == before
        ack = await pia.do(ROLL[game], id=id)
        assert ack["t"] == "ack"
        assert (await request(bridge, path="/readyz"))[0] == 200
        await olga.settled()
        assert len(olga.of("logged")) == 1
        assert not [line for line in bridge.logged if "exception" in line], "a full disk is no mistake of ours"
        assert "store unavailable" in bridge.lines


async def test_a_disk_that_cannot_be_read(tmp_path, full, monkeypatch):
    async with playing("sage_d20", tmp_path) as bridge:
        async with bridge.join("Pia") as pia:
            await pia.do(ROLL["sage_d20"])
            last = {**pia.last, "seq": pia.seq - 1}
            full(bridge, "read")
            for frame in ({"t": "history"}, {"t": "proof", "seq": 1}):
                answer = await pia.ask(frame)
                assert (answer["code"], answer["retryAfterMs"]) == ("busy", 1000)
            async with await bridge.stranger() as back:
                await back.hello(token=await bridge.token("Quin"), last=last)
                await until(lambda: back.closed)
                assert back.closed == (1013, Close.TRY_LATER.reason)
            assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack", "who sits at the table plays on"
            monkeypatch.undo()
            assert (await pia.ask({"t": "history"}))["t"] == "page"
        async with bridge.join("Quin") as quin:
            assert quin.entries


async def test_an_invitation_whose_name_cannot_be_kept_is_answered(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:

        async def unavailable(*args):
            raise StoreUnavailable("full")

        monkeypatch.setattr(bridge.running.hub.ports.vault, "put_person", unavailable)
        invite, id = {"t": "Invite", "user": "zoe", "name": "Zoe"}, new_id()
        assert (await gina.do(invite, id=id))["code"] == "busy"
        monkeypatch.undo()
        assert (await gina.do(invite, id=id))["t"] == "ack"
        assert len(gina.of("minted")) == 1
        assert {"id": "zoe", "name": "Zoe", "role": "player", "online": False, "gone": False} in gina.of("presence")[-1]["users"]


async def test_a_mistake_of_our_own_is_said_and_logged_with_the_id(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        game = bridge.running.games["sage_d20"]
        before, id = await bridge.footprint(), new_id()
        monkeypatch.setattr(game, "resolve", lambda *_: {}["no such thing"])
        answer = await pia.do(ROLL["sage_d20"], id=id)
        assert answer["code"] == "internal"
        assert "Traceback" not in str(answer)
        assert await bridge.footprint() == before
        monkeypatch.undo()
        bridge.mistakes = True
        (mistake,) = [line for line in bridge.logged if "exception" in line]
        assert mistake["id"] == id
        assert "KeyError" in mistake["exception"]
        assert (await quin.do({**ROLL["sage_d20"], "actors": ["friend"]}))["t"] == "ack"
        assert (await pia.do(ROLL["sage_d20"], id=id))["t"] == "ack"


async def test_a_mistake_in_a_preview_harms_nobody(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        monkeypatch.setattr(bridge.running.games["sage_d20"], "odds", lambda *_: 1 / 0)
        assert (await pia.ask({"t": "preview", "check": ROLL["sage_d20"]}))["code"] == "internal"
        monkeypatch.undo()
        bridge.mistakes = True
        assert (await pia.ask({"t": "preview", "check": ROLL["sage_d20"]}))["t"] == "previewed"


async def test_a_table_that_cannot_be_opened_closes_and_the_others_go_on(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        await bridge.running.new_table("other", "Another", "sage_d20")
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        real = bridge.running.hub.ports.ruleset

        def forgotten(name):
            raise KeyError(name)

        bridge.running.hub.ports.ruleset = forgotten
        async with await bridge.stranger() as stranger:
            await stranger.hello(token=await bridge.token("Pia", table="other"))
            assert stranger.closed == (1011, Close.INTERNAL.reason)
        bridge.running.hub.ports.ruleset = real
        bridge.mistakes = True
        assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack"
        async with bridge.join("Pia", table="other") as there:
            assert there.welcome["table"] == "other"
