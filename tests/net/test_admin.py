"""The admin channel: for whoever may read the folder, and for nobody else."""

import asyncio
import json
import stat

import pytest

from boonbridge.net.admin import ask
from boonbridge.running import start
from tests.support.bridge import TABLE, playing


def door(folder):
    return json.loads((folder / "admin.json").read_bytes())


async def say(folder, data):
    reader, writer = await asyncio.open_connection("127.0.0.1", door(folder)["port"])
    try:
        writer.write(data)
        writer.write_eof()
        async with asyncio.timeout(5):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_the_key_lies_in_the_folder_for_its_owner_alone_while_the_server_runs(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        assert stat.S_IMODE((tmp_path / "admin.json").stat().st_mode) == 0o600
        assert door(tmp_path)["key"] not in bridge.lines
        code = (await ask(tmp_path, "pair", table=TABLE))["code"]
        assert code not in bridge.lines
    assert not (tmp_path / "admin.json").exists()
    assert await ask(tmp_path, "pair", table=TABLE) is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"[" * 9000 + b"\n",
        b"x" * 40_000 + b"\n",
        b"\xff\xfe\n",
        b'{"key": "", "do": "pair"}\n',
        b'{"key": null, "do": "pair"}\n',
        b'{"key": ["a"], "do": "pair"}\n',
        '{"key": "ключ", "do": "pair"}\n'.encode(),
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b'POST / HTTP/1.1\r\n\r\n{"do": "pair"}\n',
    ],
)
async def test_without_the_key_nothing_is_done(tmp_path, line):
    async with playing("sage_d20", tmp_path) as bridge:
        before = await bridge.footprint()
        answer = await say(tmp_path, line)
        assert not answer or json.loads(answer)["ok"] is False
        assert b"Traceback" not in answer
        assert len(await bridge.running.hub.ports.vault.codes()) == 0
        assert await bridge.footprint() == before
        assert (await ask(tmp_path, "tables"))["ok"]


async def test_with_the_key_what_it_does_not_know_is_said(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        for do in ("drop", "__init__", "", None, 5, ["pair"]):
            answer = await ask(tmp_path, do)
            assert (answer["ok"], answer["message"][-1]) == (False, ".")
        assert (await ask(tmp_path, "pair", table="nobody's"))["ok"] is False
        assert (await ask(tmp_path, "new_table", table="x", title="X", ruleset="chess"))["ok"] is False
        assert len(await bridge.running.hub.list_tables()) == 1


async def test_a_server_that_may_not_start_leaves_the_door_of_the_one_that_runs(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        with pytest.raises(Exception, match="Another Boonbridge server"):
            await start(bridge.running.config)
        assert (await ask(tmp_path, "tables"))["tables"][0]["id"] == TABLE


async def test_the_operator_may_ask_and_order_about_people_and_nothing_else(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:

        async def said(frame):
            reply = await ask(tmp_path, "people", table=TABLE, frame={"id": "a" * 22, **frame})
            return reply["answer"] if reply["ok"] else reply["message"]

        (person,) = (await said({"t": "people"}))["people"]
        assert (person["id"], person["name"], person["devices"][0]["online"]) == (gina.user, "Gina", True)
        made = await said({"t": "makeCode", "kind": "link", "name": "Gwen", "role": "gm"})
        assert made["link"] == f"{bridge.running.page}#code={made['code']}", "a link that leads where the bridge is reached"
        assert made["code"] not in bridge.lines
        order = {"t": "do", "seen": 0, "id": "b" * 22}
        options = await said({**order, "cmd": {"t": "SetOptions", "options": {"default_tn": 9}}})
        assert (options["t"], options["code"]) == ("refused", "role.forbidden")
        assert (await said({**order, "cmd": {"t": "RevokeAccess", "user": gina.user}}))["code"] == "people.last_gm"
        assert (await said({**order, "cmd": {"t": "EraseName", "user": gina.user}}))["t"] == "ack"
        assert (await said({**order, "cmd": {"t": "EraseName", "user": gina.user}}))["changed"] is True, "the same id again"
        await gina.settled()
        assert [frame["by"] for frame in gina.of("logged") if frame["seq"] == gina.seq] == ["bridge"]
        bridge.mistakes = True  # what is no frame of ours is a fault of whoever asks, and in the log lines
        assert "ValidationError" in await said({"t": "history"})
