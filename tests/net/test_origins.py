"""Which pages may say hello: none, the bridge's own, listed ones, those in the token. Never what a Host header claims."""

import pytest

from boonbridge_schemas.codes import Close
from tests.support.bridge import TABLE, playing, serving
from tests.support.people import CLIENT, Person, new_id

FOUNDRY = "https://foundry.example:30000"


async def hello(bridge, origin, *, token=None, **options):
    """Whether a page of that origin is let in; where not, the close code."""
    token = token or await bridge.token("Pia")
    async with await bridge.stranger(origin=origin, **options) as page:
        await page.hello(token=token)
        if page.closed:
            assert page.closed[1] == Close(page.closed[0]).reason
            assert [frame["t"] for frame in page.frames] == ["bye"]
        return page.closed[0] if page.closed else True


async def test_what_is_no_browser_says_no_origin(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        assert await hello(bridge, None) is True


async def test_the_bridge_s_own_page(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        for host in ("127.0.0.1", "localhost", "[::1]"):
            assert await hello(bridge, f"http://{host}:{bridge.running.port}") is True


async def test_the_public_address(tmp_path):
    async with playing("sage_d20", tmp_path, public_url="https://dice.example/table") as bridge:
        token = await bridge.token("Pia")
        url = f"ws://127.0.0.1:{bridge.running.port}/ws"
        for origin, welcome in (
            ("https://dice.example", True),
            ("http://dice.example", False),
            ("https://dice.example.evil", False),
        ):
            async with await Person.connect(url, origin=origin) as page:
                await page.hello(token=token)
                assert (page.closed is None) is welcome


@pytest.mark.parametrize(
    "origin",
    [
        FOUNDRY,
        "null",
        "http://localhost",
        "http://localhost:1",
        "https://localhost:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://evil.example:{port}",
        "http://127.0.0.1:{port}/",
        "HTTP://LOCALHOST:{port}",
        "http://127.0.0.2:{port}",
    ],
)
async def test_any_other_page(tmp_path, origin):
    async with playing("sage_d20", tmp_path) as bridge:
        before = await bridge.footprint()
        assert await hello(bridge, origin.format(port=bridge.running.port)) == Close.ORIGIN_UNKNOWN
        assert await bridge.footprint() == before


@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host", "Forwarded", "X-Real-Host"])
async def test_a_host_header_admits_nobody(tmp_path, header):
    async with playing("sage_d20", tmp_path) as bridge:
        value = "host=foundry.example:30000" if header == "Forwarded" else "foundry.example:30000"
        for origin in (FOUNDRY, "http://foundry.example:30000"):
            assert await hello(bridge, origin, additional_headers={header: value}) == Close.ORIGIN_UNKNOWN


async def test_an_origin_in_the_token(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        token = await bridge.token("Pia", origins=(FOUNDRY,))
        assert await hello(bridge, FOUNDRY, token=token) is True
        assert await hello(bridge, None, token=token) is True, "a token's origins add, they never restrict"
        assert await hello(bridge, f"http://localhost:{bridge.running.port}", token=token) is True
        assert await hello(bridge, "https://other.example", token=token) == Close.ORIGIN_UNKNOWN
        assert await hello(bridge, FOUNDRY) == Close.ORIGIN_UNKNOWN, "it is that token's, not the table's"


async def test_an_invitation_lists_the_player_s_page(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        async with bridge.join("Gina") as gina:
            await gina.do({"t": "Invite", "user": "zoe", "name": "Zoe", "origin": FOUNDRY})
        assert await hello(bridge, FOUNDRY) is True
    async with serving(tmp_path) as bridge:
        assert await hello(bridge, FOUNDRY) is True, "after a restart, too"
        await bridge.running.new_table("other", "Another", "sage_d20")
        token = await bridge.token("Pia", table="other")
        assert await hello(bridge, FOUNDRY, token=token) == Close.ORIGIN_UNKNOWN, "it is that table's list"


async def test_any_page_may_pair_and_is_listed_by_it(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        code = await bridge.running.hub.pairing.new_code(TABLE)
        frame = {"t": "pair", "id": new_id(), "name": "Zoe", "client": CLIENT}
        async with await bridge.stranger(origin=FOUNDRY) as page:
            assert (await page.ask({**frame, "code": "AAAA-AAAA"}))["code"] == "auth.code_wrong"
        assert await hello(bridge, FOUNDRY) == Close.ORIGIN_UNKNOWN, "a wrong code lists nobody"
        async with await bridge.stranger(origin=FOUNDRY) as page:
            paired = await page.ask({**frame, "code": code})
            await page.hello(token=paired["token"])
            assert page.welcome["role"] == "gm"
        assert await hello(bridge, FOUNDRY) is True


@pytest.mark.parametrize("origin", ["null", "https://a/b", "ftp://a", "https://a b", "https://", "x" * 300])
async def test_an_invitation_lists_no_nonsense(tmp_path, origin):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:
        answer = await gina.do({"t": "Invite", "user": "zoe", "name": "Zoe", "origin": origin})
        assert answer["code"] == "frame.bad"
