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
