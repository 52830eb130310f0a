"""Who is told what, when: resuming, catching up, reading too slowly, being sent away, a bridge that stops."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from boonbridge.net.sink import WebsocketSink
from boonbridge.running import start
from boonbridge.store.open import FolderInUse
from boonbridge_schemas.codes import Close
from tests.support.bridge import FAST, ROLES, ROLL, TABLE, playing, serving
from tests.support.people import new_id
from tests.support.sleeper import Sleeper
from tests.support.wait import until

ROLL = ROLL["sage_d20"]
SECRET = {**ROLL, "mode": "secret"}
LARGE = {**ROLL, "sources": [{"id": f"b{n}", "label": "x" * 80, "sign": "boon", "amount": 0} for n in range(64)]}


async def many(bridge, count, *cmds):
    for n in range(count):
        await bridge.do((cmds or (ROLL,))[n % len(cmds or (ROLL,))])


# --- resuming ---------------------------------------------------------------------------------------------------
async def test_whoever_comes_back_is_told_what_he_missed_and_nothing_else(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        held = {}
        for name in ROLES:
            async with bridge.join(name) as person:
                await person.settled()
                held[name] = person.last, dict(person.entries)
        await many(bridge, 30, ROLL, SECRET, {**ROLL, "mode": "self"}, {"t": "SetOptions", "options": {"default_tn": 12}})
        await bridge.do({"t": "RemoveActor", "actor": "friend"})
        await bridge.do({"t": "SyncActor", "actor": "foe", "side": "neutral", "name": "Known foe"})
        for name, (last, entries) in held.items():
            async with bridge.join(name, last=last) as back, bridge.join(name) as fresh:
                assert back.welcome["from"] == last["seq"]
                assert back.commits == list(range(last["seq"] + 1, back.welcome["head"] + 1))
                assert all(frame["catchup"] and frame["changes"] == [] for frame in back.of("logged"))
                order = [frame["t"] for frame in back.frames if frame["t"] != "presence"]
                assert (
                    order == sorted(order, key=["welcome", "logged", "hidden", "state", "caughtUp"].index)
                    or order[0] == "welcome"
                )
                assert order[-1] == "caughtUp"
                merged = {**entries, **back.entries}
                for frame in back.of("state"):
                    for entry in frame["entries"]:
                        if entry["value"] is None:
                            merged.pop(entry["key"], None)
                assert merged == fresh.entries, f"{name} came back to another table than there is"


async def test_whoever_missed_nothing_is_told_nothing(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        async with bridge.join("Pia") as pia:
            await pia.do(ROLL)
            last = pia.last
        async with bridge.join("Pia", last=last) as pia:
            assert [frame["t"] for frame in pia.frames if frame["t"] != "presence"] == ["welcome", "caughtUp"]
            assert pia.welcome["from"] == last["seq"]
    async with serving(tmp_path) as bridge, bridge.join("Pia", last=last) as pia:
        assert pia.welcome["from"] == last["seq"], "a restart changes nothing"


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"hash": "f" * 64}, "other_log"), ({"epoch": 2}, "epoch"), ({"seq": 2**53}, "ahead"), ({"seq": 3}, "other_log")],
)
async def test_another_history_than_the_log_has_begins_anew(tmp_path, change, reason):
    async with playing("sage_d20", tmp_path) as bridge:
        async with bridge.join("Pia") as pia:
            await pia.do(ROLL)
            last = {**pia.last, **change}
        async with bridge.join("Pia", last=last) as pia, bridge.join("Pia") as fresh:
            assert (pia.welcome["from"], pia.welcome["reset"]) == (None, reason)
            assert pia.commits == []
            assert pia.entries == fresh.entries


async def test_two_thousand_are_told_and_two_thousand_and_one_begin_anew(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        async with bridge.join("Pia") as pia:
            first = pia.last
        await many(bridge, 1)
        async with bridge.join("Pia") as pia:
            second = pia.last
        await many(bridge, 2_000)
        async with bridge.join("Pia", last=second) as pia:
            assert pia.welcome["from"] == second["seq"]
            assert pia.commits == list(range(second["seq"] + 1, second["seq"] + 2_001))
        async with bridge.join("Pia", last=first) as pia:
            assert (pia.welcome["from"], pia.welcome["reset"]) == (None, "far_behind")
            assert pia.commits == []


async def test_what_happens_while_one_catches_up_comes_after_and_once(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join("Pia") as pia:
            last = pia.last
        await many(bridge, 600, ROLL, SECRET)
        await gina.settled()
        done = asyncio.Event()

        async def goes_on():
            while not done.is_set():
                assert (await gina.do(ROLL))["t"] == "ack"

        rolling = asyncio.ensure_future(goes_on())
        people = []
        for _ in range(3):
            async with bridge.join("Pia", last=last) as pia:
                await until(lambda pia=pia: pia.seq > pia.of("caughtUp")[0]["head"] + 3)
                people.append(pia)
        done.set()
        await rolling
        for pia in people:
            assert pia.commits == list(range(last["seq"] + 1, pia.seq + 1)), "gapless, in order, each once"
            head = pia.of("caughtUp")[0]["head"]
            assert all(frame["catchup"] is (frame["seq"] <= head) for frame in pia.of("logged"))
        assert any(pia.of("caughtUp")[0]["head"] < pia.seq for pia in people)


# --- pages of the past ------------------------------------------------------------------------------------------
async def test_history_pages_both_ways_without_gap_or_overlap(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        await many(bridge, 120, ROLL, SECRET)
        await pia.settled()
        head = pia.seq
        seen, before = [], None
        while True:
            page = await pia.ask({"t": "history", "limit": 50} | ({} if before is None else {"before": before}))
            seen = [commit["seq"] for commit in page["commits"]] + seen
            before = page["commits"][0]["seq"]
            if not page["more"]:
                break
        assert seen == list(range(1, head + 1))
        seen, after = [], 0
        while True:
            page = await pia.ask({"t": "history", "limit": 50, "after": after})
            seen += [commit["seq"] for commit in page["commits"]]
            after = seen[-1]
            if not page["more"]:
                break
        assert seen == list(range(1, head + 1))
        for nothing in ({"before": 0}, {"before": 1}, {"after": head}, {"after": 2**53}):
            page = await pia.ask({"t": "history", **nothing})
            assert page["commits"] == []
            assert page["more"] is False
        page = await pia.ask({"t": "history", "before": 2**53, "limit": 1})
        assert [commit["seq"] for commit in page["commits"]] == [head]


async def test_a_page_is_cut_where_it_grows_too_large_and_says_so(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        await many(bridge, 30, LARGE)
        await pia.settled()
        for way, first in (({"after": 0}, 1), ({}, None)):
            pia.bytes.clear()
            page = await pia.ask({"t": "history", "limit": 200, **way})
            assert page["more"]
            assert len(pia.bytes) < 150_000
            assert first is None or page["commits"][0]["seq"] == first
            assert first is not None or page["commits"][-1]["seq"] == pia.seq


# --- reading too slowly -----------------------------------------------------------------------------------------
async def at(bridge, name):
    """The session of a person who does not speak for himself."""
    sessions = (await bridge.opened()).sessions
    return next(session for session in sessions if session.user == bridge.user(name))


async def fall_behind(bridge, gina, session):
    while not session.outbox._queue:
        assert not session.outbox.closed
        assert (await gina.do(LARGE))["t"] == "ack"


async def test_a_slow_reader_is_dropped_and_nobody_else_notices(tmp_path):
    limits = replace(FAST, outbox_frames=20)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge:  # noqa: SIM117 - a table first, then who sits there
        async with bridge.join("Gina") as gina, bridge.join("Quin") as quin:
            sleeper = await Sleeper.join(bridge, "Pia")
            await until(lambda: bridge.running.hub.online(TABLE) == 3)
            session = await at(bridge, "Pia")
            await fall_behind(bridge, gina, session)
            took = []
            while not session.outbox.closed:
                began = time.perf_counter()
                assert (await gina.do(LARGE))["t"] == "ack"
                took.append(time.perf_counter() - began)
                assert len(took) < 30, "more than an outbox holds was kept for somebody who does not read"
            assert len(took) >= 20
            assert max(took) < 1
            assert await sleeper.wake() == (4408, Close.SLOW_READER.reason)
            sleeper.gone()
            await until(lambda: bridge.running.hub.online(TABLE) == 2)
            assert 'boonbridge_closed_total{code="4408"} 1.0' in bridge.running.metrics.render().decode()
            await quin.settled()
            assert quin.commits == list(range(quin.commits[0], gina.seq + 1))
            presence = {user["id"]: user["online"] for user in quin.of("presence")[-1]["users"]}
            assert presence[bridge.user("Pia")] is False


async def test_a_peer_that_reads_nothing_for_long_is_dropped_though_little_waits(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:
        for half_closed in (False, True):
            sleeper = await Sleeper.join(bridge, "Pia")
            await until(lambda: bridge.running.hub.online(TABLE) == 2)
            session = await at(bridge, "Pia")
            session.outbox._sink._patience = 0.5
            await fall_behind(bridge, gina, session)
            if half_closed:
                sleeper.close_own_half()
            await until(lambda session=session: session.outbox.closed)
            assert (await gina.do(ROLL))["t"] == "ack", "the bridge goes on"
            sleeper.gone()
            await until(lambda: bridge.running.hub.online(TABLE) == 1)


async def test_a_slow_reader_who_catches_up_misses_nothing(tmp_path):
    """As long as no more waits than an outbox holds he is only late."""
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        session = await at(bridge, "Pia")
        pia.connection.transport.pause_reading()
        await fall_behind(bridge, gina, session)
        for _ in range(50):
            await gina.do(ROLL)
        pia.connection.transport.resume_reading()
        await until(lambda: pia.seq == gina.seq)
        assert pia.commits == list(range(pia.commits[0], gina.seq + 1))


async def test_a_peer_that_vanishes_is_gone(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join("Pia") as pia:
            await pia.do(ROLL, wait=False)
            pia.vanish()
            await until(lambda: bridge.running.hub.online(TABLE) == 1)
        await gina.settled()
        presence = {user["id"]: user["online"] for user in gina.of("presence")[-1]["users"]}
        assert presence == {gina.user: True, pia.user: False}


# --- access taken -----------------------------------------------------------------------------------------------
async def test_access_that_is_taken_closes_at_once_everywhere(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Quin") as quin:
        async with bridge.join("Pia") as page, bridge.join("Pia") as phone:
            token = page.token
            assert (await gina.do({"t": "RevokeAccess", "user": page.user}))["t"] == "ack"
            for device in (page, phone):
                assert await device.gone() == (4403, Close.AUTH_REVOKED.reason)
                assert device.of("bye")[0]["code"] == 4403
        async with await bridge.stranger() as pia:
            await pia.hello(token=token)
            assert pia.closed[0] == 4403
        await quin.settled()
        presence = {user["id"]: user["online"] for user in quin.of("presence")[-1]["users"]}
        assert presence[page.user] is False
    async with serving(tmp_path) as bridge, await bridge.stranger() as pia:
        await pia.hello(token=token)
        assert pia.closed[0] == 4403, "after a restart, too"


async def test_only_that_device_is_closed_and_a_new_invitation_opens_again(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as laptop:
        phone_token = await bridge.token("Pia", device="phone")
        async with await bridge.stranger() as phone:
            await phone.hello(token=phone_token)
            await gina.do({"t": "RevokeAccess", "user": laptop.user, "device": "phone"})
            assert (await phone.gone())[0] == 4403
        assert (await laptop.do(ROLL))["t"] == "ack"
        await gina.do({"t": "Invite", "user": laptop.user, "name": "Pia", "device": "phone"})
        async with await bridge.stranger() as phone:
            await phone.hello(token=gina.of("minted")[0]["token"])
            assert phone.welcome["user"] == laptop.user


async def test_what_was_still_on_its_way_when_access_was_taken_is_not_done(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        before = (await bridge.footprint())[0]
        frames = [pia.do(ROLL, wait=False) for _ in range(40)]
        await gina.do({"t": "RevokeAccess", "user": pia.user}, wait=False)
        await asyncio.gather(*frames)
        await pia.gone()
        await gina.settled()
        await gina.do(ROLL)
        commits = await bridge.stored()
        revoked = next(c.seq for c in commits if b"AccessRevoked" in c.parts[0])
        assert all(c.by != pia.user for c in commits if c.seq > revoked)
        assert len(commits) <= before + 42


async def test_a_connection_that_was_closed_is_not_heard_any_more(tmp_path, monkeypatch):
    """Between our close and the peer's there may be seconds; he may not use them."""
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        monkeypatch.setattr(WebsocketSink, "close", lambda self, code: None)  # as if the closing frame took its time
        await gina.do({"t": "RevokeAccess", "user": pia.user})
        before = await bridge.footprint()
        for frame in ({"t": "do", "seen": 9, "cmd": ROLL}, {"t": "withdraw"}, {"t": "history"}, {"t": "preview", "check": ROLL}):
            await pia.send({"id": new_id(), **frame})
        await pia.gone()
        assert pia.of("ack", "refused", "page", "previewed") == []
        assert await bridge.footprint() == before


async def test_a_role_that_changes_live_is_told_as_a_table_anew(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        assert pia.entries["actor/foe"]["numbers"] is None
        for role, sees in (("gm", True), ("gm", True)):
            await gina.do({"t": "Invite", "user": pia.user, "name": "Pia", "role": role})
            await until(lambda role=role: pia.welcome["role"] == role and pia.frames[-1]["t"] != "state")
            await pia.settled()
            assert (pia.entries["actor/foe"]["numbers"] is not None) is sees
        assert (await pia.do({"t": "SetOptions", "options": {"default_tn": 9}}))["t"] == "ack"
        assert len(pia.of("welcome")) == 2, "the same role again is no news"
        await gina.do({**SECRET, "action": "Zyxwv"})
        await pia.settled()
        assert b"Zyxwv" in pia.bytes
        # And back, by her own hand.
        told = len(pia.bytes)
        await pia.do({"t": "Invite", "user": pia.user, "name": "Pia", "role": "player"})
        await until(lambda: pia.welcome["role"] == "player")
        await pia.settled()
        await gina.do({**SECRET, "action": "Zyxwv"})
        await pia.settled()
        assert b"Zyxwv" not in pia.bytes[told:]
        assert pia.entries["actor/foe"]["numbers"] is None
        async with bridge.join("Pia") as fresh:
            assert fresh.entries == pia.entries


# --- stopping ---------------------------------------------------------------------------------------------------
async def test_a_bridge_that_stops_says_so_and_writes_what_it_took(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        ids = [new_id() for _ in range(30)]
        for id in ids:
            await pia.do(ROLL, id=id, wait=False)
        await until(lambda: pia.of("ack"))
        stopping = asyncio.ensure_future(bridge.running.stop())
        for person in (pia, gina):
            assert await person.gone() == (1001, Close.GOING_AWAY.reason)
            assert person.of("bye")[0]["retryAfterMs"] > 0
        await stopping
        acked = {frame["id"]: frame["seq"] for frame in pia.of("ack")}
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        for id in ids:
            ack = await pia.do(ROLL, id=id)
            assert ack["t"] == "ack"
            assert ack["seq"] == acked.get(id, ack["seq"])
        commits = [commit.command_id for commit in await bridge.stored()]
        assert all(commits.count(id) == 1 for id in ids)


async def test_a_second_server_on_the_folder_is_refused_with_a_sentence(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        with pytest.raises(FolderInUse) as no:
            await start(bridge.running.config)
        assert str(no.value).endswith(".")
        assert str(tmp_path) in str(no.value)
        async with bridge.join("Pia") as pia:
            assert (await pia.do(ROLL))["t"] == "ack", "the first goes on"
