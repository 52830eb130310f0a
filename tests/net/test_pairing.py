"""Pairing: a one-time code for a token; five tries, ten minutes, one person."""

import asyncio

import pytest

from boonbridge_schemas.codes import Close
from tests.support.bridge import TABLE, playing, serving
from tests.support.people import CLIENT, new_id

WRONG = "AAAA-AAAA"


async def new_code(bridge):
    return await bridge.running.hub.pairing.new_code(TABLE)


def pair(code, name="Zoe", **more):
    return {"t": "pair", "code": code, "name": name, "client": CLIENT, **more}


async def tried(bridge, code, **more):
    async with await bridge.stranger() as stranger:
        return await stranger.ask(pair(code, **more))


@pytest.mark.parametrize("typed", [lambda code: code, str.lower, lambda code: code.replace("-", " "), lambda code: f" {code} "])
async def test_a_right_code_gives_a_token_and_hello_follows(tmp_path, typed):
    async with playing("sage_d20", tmp_path) as bridge, await bridge.stranger() as zoe:
        paired = await zoe.ask(pair(typed(await new_code(bridge))))
        assert (paired["t"], paired["role"], paired["table"]) == ("paired", "gm", TABLE)
        await zoe.hello(token=paired["token"])
        assert zoe.welcome["user"] == paired["user"]
        assert zoe.welcome["role"] == "gm"


async def test_the_same_id_again_gives_the_same_token(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        code, id = await new_code(bridge), new_id()
        first = await tried(bridge, code, id=id)
        before = await bridge.footprint()
        again = [await tried(bridge, code, id=id), await tried(bridge, code, id=id)]
        assert again == [first, first]
        assert await bridge.footprint() == before
    async with serving(tmp_path) as bridge:
        assert await tried(bridge, code, id=id) == first, "after a restart, too"
        assert await bridge.footprint() == before


async def test_a_code_is_good_once(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        code = await new_code(bridge)
        assert (await tried(bridge, code))["t"] == "paired"
        before = await bridge.footprint()
        answer = await tried(bridge, code)
        assert (answer["t"], answer["code"]) == ("refused", "auth.code_wrong")
        assert await bridge.footprint() == before


async def test_two_at_once_are_one(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        for n in range(10):
            code = await new_code(bridge)
            answers = await asyncio.gather(*(tried(bridge, code, name=f"Zoe{n}.{i}") for i in range(4)))
            assert sorted(answer["t"] for answer in answers) == ["paired", "refused", "refused", "refused"]


async def test_five_tries(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        before = await bridge.footprint()
        code = await new_code(bridge)
        for _ in range(4):
            answer = await tried(bridge, WRONG)
            assert answer["code"] == "auth.code_wrong"
            assert answer["message"].endswith(".")
        spared = await new_code(bridge)
        await tried(bridge, WRONG)
        assert (await tried(bridge, code))["code"] == "auth.code_wrong", "five wrong ones, and the right one is dead"
        assert await bridge.footprint() == before
        assert (await tried(bridge, spared))["t"] == "paired"


async def test_five_tries_however_many_at_once(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        code = await new_code(bridge)
        await asyncio.gather(*(tried(bridge, WRONG) for _ in range(5)))
        assert (await tried(bridge, code))["code"] == "auth.code_wrong"


async def test_ten_minutes(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        clock = bridge.codes_later()
        code, other = await new_code(bridge), await new_code(bridge)
        clock.ahead = 10 * 60 * 1000 - 1000
        assert (await tried(bridge, code))["t"] == "paired"
        clock.ahead = 10 * 60 * 1000
        answer = await tried(bridge, other)
        assert answer["code"] == "auth.code_expired"
        assert answer["message"].endswith(".")


async def test_a_code_of_one_table_opens_no_other(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        await bridge.running.new_table("other", "Another", "sage_d20")
        paired = await tried(bridge, await new_code(bridge))
        async with await bridge.stranger() as zoe:
            await zoe.hello(token=paired["token"], table="other")
            assert zoe.closed[0] == Close.AUTH_REVOKED


async def test_codes_are_kept_as_keyed_hashes_only(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        code = await new_code(bridge)
        await bridge.running.hub.ports.vault.codes()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert code.encode() not in data
            assert code.replace("-", "").encode() not in data


@pytest.mark.parametrize("code", ["", "x" * 41, 12345678, None])
async def test_what_cannot_be_a_code_is_no_frame(tmp_path, code):
    async with playing("sage_d20", tmp_path) as bridge:
        assert (await tried(bridge, code))["code"] == "frame.bad"


@pytest.mark.parametrize("code", ["-", "????????", "' OR 1=1 --", "\u202e", "🎲🎲🎲🎲"])
async def test_codes_that_are_none(tmp_path, code):
    async with playing("sage_d20", tmp_path) as bridge:
        await new_code(bridge)
        assert (await tried(bridge, code))["code"] == "auth.code_wrong"


@pytest.mark.parametrize("origin", ["null", "file://", "chrome-extension://abcdef", "https://a/b", "https://" + "a" * 254])
async def test_a_page_that_could_never_be_admitted_does_not_use_a_code_up(tmp_path, origin):
    async with playing("sage_d20", tmp_path) as bridge:
        code = await new_code(bridge)
        before = await bridge.footprint()
        async with await bridge.stranger(origin=origin) as page:
            await page.send(pair(code, id=new_id()))
            assert await page.gone() == (4404, Close.ORIGIN_UNKNOWN.reason)
        assert await bridge.footprint() == before
        assert (await tried(bridge, code))["t"] == "paired"
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["table"] == TABLE, "the table opens again"
