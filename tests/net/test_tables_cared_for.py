"""A table that is called something else, and one that is deleted: told to whoever is there, and left in no file."""

import asyncio
import contextlib
import secrets

import apsw
import pytest
from websockets.exceptions import ConnectionClosed

from boonbridge.net.admin import ask
from boonbridge.tables.hub import Rejected
from boonbridge.tables.ports import Posting, SnapshotRow, StoreUnavailable
from boonbridge_schemas.codes import Close
from tests.net.test_erasing import files_with
from tests.net.test_people import LINK, redeem, written
from tests.support.bridge import GAMES, ROLL, TABLE, playing, seat, serving
from tests.support.wait import until

GAME = "sage_d20"
GONE = "zyxwvuts-rq"
TITLE = "Qwrtzpsdfg"
NAME = "Xcvbnmklpt"
REVOKED = (int(Close.AUTH_REVOKED), Close.AUTH_REVOKED.reason)


def within(folder, piece):
    """The files in which these bytes stand."""
    return {path.name for path in folder.rglob("*") if path.is_file() and piece in path.read_bytes()}


async def titles(bridge):
    return {row.id: row.title for row in await bridge.running.hub.list_tables()}


# --- called something else -----------------------------------------------------------------------------------------
async def test_a_new_title_is_told_to_everybody_and_stands_in_the_list(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Olga") as olga:
        before = olga.welcome["title"]
        assert "table" not in olga.entries, "told when it changes; before that the welcome says it"
        assert (await gina.do({"t": "RenameTable", "title": f" {TITLE} "}))["changed"] is True
        await olga.settled()
        assert olga.entries["table"] == {"title": TITLE}
        await until(lambda: not bridge.running.hub._tasks)
        assert await titles(bridge) == {TABLE: TITLE}
        assert (await gina.do({"t": "RenameTable", "title": TITLE}))["changed"] is False
        assert await ask(tmp_path, "rename", table=TABLE, title=before) == {"ok": True, "changed": True}
        await olga.settled()
        assert olga.entries["table"] == {"title": before}
        assert [event["title"] for event in olga.events("TableRenamed")] == [TITLE, before]
        assert (await ask(tmp_path, "rename", table=TABLE, title="a\x1bb"))["ok"] is False
        bridge.mistakes = True  # what does not come from our own command line is a fault of whoever asks
    async with serving(tmp_path) as bridge, bridge.join("Olga") as olga:
        assert olga.welcome["title"] == before


async def test_a_title_that_could_not_be_listed_is_when_the_table_is_next_opened(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        was = await titles(bridge)

        async def rename_table(table, title):
            raise StoreUnavailable("the disk is full")

        monkeypatch.setattr(bridge.running.hub._tables, "rename_table", rename_table)
        await gina.do({"t": "RenameTable", "title": TITLE})
        await written(bridge)
        assert await titles(bridge) == was
    monkeypatch.undo()
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        assert gina.welcome["title"] == TITLE
        await written(bridge)
        assert await titles(bridge) == {TABLE: TITLE}


# --- deleted ---------------------------------------------------------------------------------------------------------
async def doomed(bridge):
    """A table with everything that is kept of one: log, key, names, devices, codes, postings, snapshots, head mark."""
    await seat(bridge, GAME, table=GONE)
    async with bridge.join("Gina", table=GONE) as gina, bridge.join("Pia", table=GONE, kind="foundry") as pia:
        await gina.do({"t": "RenameTable", "title": TITLE})
        made = await gina.ask({**LINK, "name": NAME})
        await redeem(bridge, made["code"])
        await gina.ask({**LINK, "name": f"{NAME} too"})
        assert (await pia.do(ROLL[GAME]))["t"] == "ack"
        await until(lambda: pia.of("post"))
    row = SnapshotRow(table=GONE, seq=2, hash=b"h", epoch=1, made_by=TITLE, body=TITLE.encode(), mac=b"m")
    await bridge.running._store.snapshots.put_snapshot(row)
    await written(bridge)


async def test_of_a_deleted_table_nothing_is_left_in_any_file(tmp_path):
    async with playing(GAME, tmp_path, seeded=True) as bridge, bridge.join("Pia") as elsewhere:
        await doomed(bridge)
        hub, vault = bridge.running.hub, bridge.running.hub.ports.vault
        database = apsw.Connection(str(tmp_path / "log.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
        ((wrapped,),) = database.execute("SELECT wrapped FROM table_keys WHERE table_id = ?", (GONE,)).fetchall()
        database.close()
        opened = await bridge.opened(GONE)
        commits = await bridge.stored(GONE)
        pieces = [wrapped, *(bytes(commit.hash) for commit in commits), commits[0].header, commits[-1].parts[0]]
        await until((tmp_path / "heads" / f"head-{GONE}").exists)
        assert all(within(tmp_path, piece) for piece in pieces), "the search finds what is there"
        assert all(files_with(tmp_path, word) for word in (GONE, TITLE, NAME))
        async with bridge.join("Gina", table=GONE) as gina, bridge.join("Pia", table=GONE, kind="foundry") as pia:
            await pia.settled()
            reply = await ask(tmp_path, "delete", table=GONE, even_so=False)
            assert reply == {"ok": True, "online": 2, "deleted": False}, "not while somebody is there"
            assert (await gina.do(ROLL[GAME]))["t"] == "ack"
            assert await ask(tmp_path, "delete", table=GONE, even_so=True) == {"ok": True, "online": 2, "deleted": True}
            assert [await one.gone() for one in (gina, pia)] == [REVOKED] * 2
        # Whoever was slow leaves nothing: a name, a device, a card that was posted, a code, a state.
        await hub.people.name(opened, "zoe", NAME)
        await hub.pairing.new_code(GONE)
        await bridge.running._store.posted.swap_posting(Posting(table=GONE), Posting(table=GONE, posted=3))
        await written(bridge)
        for word in (GONE, TITLE, NAME):
            assert files_with(tmp_path, word) == set(), word
        for piece in pieces:
            assert within(tmp_path, piece) == set()
        assert not list((tmp_path / "heads").glob(f"*{GONE}*"))
        assert [code for code in await vault.codes() if code.table == GONE] == []
        assert (await elsewhere.do(ROLL[GAME]))["t"] == "ack", "other tables go on"
        async with await bridge.stranger() as late:
            await late.hello(token=await bridge.token("Gina", table=GONE))
            assert late.closed == REVOKED
    assert files_with(tmp_path, GONE) == set()


async def test_a_table_of_the_same_name_begins_anew(tmp_path):
    async with playing(GAME, tmp_path, seeded=True) as bridge:
        await doomed(bridge)
        before = {commit.hash for commit in await bridge.stored(GONE)}
        assert await bridge.running.hub.delete(GONE) is True
        assert await bridge.running.hub.delete(GONE) is False
        await seat(bridge, GAME, table=GONE)
        async with bridge.join("Pia", table=GONE) as pia:
            assert pia.welcome["epoch"] == 1
            assert (await pia.do(ROLL[GAME]))["t"] == "ack"
            assert pia.of("presence")[-1]["users"][0]["name"] == "Pia"
            await written(bridge)
        assert not before & {commit.hash for commit in await bridge.stored(GONE)}
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia", table=GONE) as pia:
        assert pia.welcome["epoch"] == 1, "its head mark holds: no mark of the old one is left"
        assert {row.table for row in await bridge.running.hub.ports.vault.devices(GONE)} == {GONE}


async def test_whoever_rolls_or_comes_in_while_it_is_deleted_is_sent_away_and_nothing_hangs(tmp_path):
    async with playing(GAME, tmp_path) as bridge:
        await seat(bridge, GAME, table=GONE)
        hub = bridge.running.hub
        token = await bridge.token("Gina", table=GONE)

        async def come():
            async with await bridge.stranger() as one:
                await one.hello(token=token)
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        await one.send({"t": "do", "id": secrets.token_urlsafe(16), "seen": one.seq, "cmd": ROLL[GAME]})
                        await asyncio.wait([one._reading], timeout=0.001)
                return await one.gone()

        async with asyncio.timeout(20):
            comers = [asyncio.create_task(come()) for _ in range(8)]
            await until(lambda: hub.online(GONE) >= 4)
            assert await hub.delete(GONE) is True
            assert {code for code, _ in await asyncio.gather(*comers)} <= {4403, 1013}, "with the code that says why"
        await written(bridge)
        assert files_with(tmp_path, GONE) == set()
        with pytest.raises(Rejected) as no:
            await hub.at(GONE)
        assert no.value.close is Close.AUTH_REVOKED


async def test_a_table_that_cannot_be_deleted_is_there_as_before(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path) as bridge:
        before = await bridge.footprint()

        async def delete_table(table):
            raise StoreUnavailable("the disk is full")

        monkeypatch.setattr(bridge.running.hub._tables, "delete_table", delete_table)
        async with bridge.join("Gina") as gina:
            reply = await ask(tmp_path, "delete", table=TABLE, even_so=True)
            assert (reply["ok"], await gina.gone()) == (False, REVOKED)
        monkeypatch.undo()
        assert await bridge.footprint() != before, "Gina came in since"
        async with bridge.join("Pia") as pia:
            assert (await pia.do(ROLL[GAME]))["t"] == "ack"
        bridge.mistakes = True
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["epoch"] == 1


@pytest.mark.long  # one game each time
async def test_every_game_s_table_may_be_called_something_else_after_its_evening_began(tmp_path):
    async with serving(tmp_path) as bridge:
        for game in GAMES:
            table = game.replace("_", "-")
            await seat(bridge, game, table=table)
            await bridge.do({"t": "StartSession"}, table=table)
            assert (await bridge.running.hub.rename(table, TITLE)).changed is True
        await written(bridge)
        assert set((await titles(bridge)).values()) == {TITLE}
