"""Behind a proxy: whom the bridge believes about its clients, and that all of it can lie below a path."""

import asyncio
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus

from boonbridge.net.proxy import Caller, Proxies, networks
from boonbridge_schemas.codes import Close
from boonbridge_schemas.server import Limits
from tests.packaging.test_wheel import crawl
from tests.support.bridge import FAST, ROLL, playing, serving
from tests.support.http import request
from tests.support.people import Person
from tests.support.wait import until

NEAR, FAR = "203.0.113.7", "198.51.100.9"
OURS = Proxies(networks("127.0.0.1, ::1, 10.1.0.0/16"))


def caller(peer, *headers, by=OURS):
    return by.caller(peer, Headers(headers))


# --- who it is -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ([], "127.0.0.1"),
        ([("X-Forwarded-For", NEAR)], NEAR),
        ([("X-Forwarded-For", f"{FAR}, {NEAR}")], NEAR),  # what stands left of an untrusted hop may be anything
        ([("X-Forwarded-For", FAR), ("X-Forwarded-For", NEAR)], NEAR),
        ([("X-Forwarded-For", f"{FAR}, 10.1.2.3")], FAR),  # a trusted proxy before ours
        ([("X-Forwarded-For", f"{FAR},10.1.2.3 ,  10.1.9.9")], FAR),
        ([("X-Forwarded-For", "10.1.2.3")], "10.1.2.3"),  # all of them trusted: the furthest
        ([("X-Forwarded-For", f"{NEAR}:4711")], NEAR),
        ([("X-Forwarded-For", "[2001:db8::1]:4711")], "2001:db8::1"),
        ([("X-Forwarded-For", "2001:db8::1")], "2001:db8::1"),
        ([("X-Forwarded-For", f"::ffff:{NEAR}")], NEAR),
        ([("X-Forwarded-For", f"{FAR}, unknown")], "127.0.0.1"),
        ([("X-Forwarded-For", f"{FAR}, <script>, 10.1.2.3")], "10.1.2.3"),
        ([("X-Forwarded-For", " , ,")], "127.0.0.1"),
        ([("X-Forwarded-For", "999.1.1.1")], "127.0.0.1"),
        ([("Forwarded", f"for={NEAR}")], NEAR),
        ([("Forwarded", f'For="{NEAR}:1";proto=https;by=10.1.0.1')], NEAR),
        ([("Forwarded", 'for="[2001:db8::1]:4711"')], "2001:db8::1"),
        ([("Forwarded", f"for={FAR}, for={NEAR}")], NEAR),
        ([("Forwarded", f"for={FAR}, for=10.1.2.3")], FAR),
        ([("Forwarded", f"for={FAR}, proto=https")], "127.0.0.1"),  # a hop that does not say for whom
        ([("Forwarded", f"for={FAR};for={NEAR}")], "127.0.0.1"),
        ([("Forwarded", f"for={FAR}, for=_hidden")], "127.0.0.1"),
        # Most proxies write one and hand the other through. Neither is believed where they differ.
        ([("X-Forwarded-For", NEAR), ("Forwarded", f"for={NEAR}")], NEAR),
        ([("X-Forwarded-For", NEAR), ("Forwarded", f"for={FAR}")], "127.0.0.1"),
        ([("X-Real-IP", FAR), ("Client-IP", FAR), ("Via", FAR)], "127.0.0.1"),
    ],
)
def test_the_client_of_a_trusted_proxy(headers, address):
    assert caller("127.0.0.1", *headers).address == address


@pytest.mark.parametrize("peer", [NEAR, "10.2.0.1", "::2", "127.0.0.2", ""])
def test_who_is_no_trusted_proxy_speaks_for_himself(peer):
    headers = [("X-Forwarded-For", FAR), ("Forwarded", f"for={FAR};proto=https"), ("X-Forwarded-Proto", "https")]
    assert caller(peer, *headers) == Caller(address=peer, scheme=None, forwarded=True)
    assert caller("127.0.0.1", *headers, by=Proxies()) == Caller(address="127.0.0.1", scheme=None, forwarded=True)


def test_a_proxy_is_the_same_however_its_address_is_written():
    for peer in ("::ffff:10.1.0.1", "10.1.0.1", "::1", "0:0::1"):
        assert caller(peer, ("X-Forwarded-For", NEAR)).address == NEAR


@pytest.mark.parametrize(
    ("headers", "scheme"),
    [
        ([("X-Forwarded-Proto", "https")], "https"),
        ([("X-Forwarded-Proto", "HTTP")], "http"),
        ([("X-Forwarded-Proto", "http, https")], "https"),  # the nearest one's
        ([("X-Forwarded-Proto", "gopher")], None),
        ([("Forwarded", f"for={NEAR};proto=https")], "https"),
        ([("X-Forwarded-Proto", "https"), ("Forwarded", "proto=http")], None),
        ([], None),
    ],
)
def test_what_the_client_used(headers, scheme):
    assert caller("127.0.0.1", *headers).scheme == scheme


def test_names_of_networks():
    private = Proxies(networks("private"))
    for peer in ("127.0.0.1", "10.9.9.9", "172.31.0.2", "192.168.1.1", "fd00::1", "fe80::1%eth0", "::1"):
        assert caller(peer, ("X-Forwarded-For", NEAR), by=private).address == NEAR
    for peer in (FAR, "172.32.0.1", "2001:db8::1"):
        assert caller(peer, ("X-Forwarded-For", NEAR), by=private).address == peer
    assert caller("10.9.9.9", ("X-Forwarded-For", NEAR), by=Proxies(networks("loopback"))).address == "10.9.9.9"
    assert networks(" ,, ") == ()


HEADER = st.text(st.characters(codec="latin-1", exclude_categories=("Cc",)), max_size=60)
ADDRESS = st.ip_addresses().map(str)


@given(st.lists(st.tuples(st.sampled_from(("X-Forwarded-For", "Forwarded", "X-Forwarded-Proto")), HEADER), max_size=4), ADDRESS)
def test_no_header_is_too_odd(headers, peer):
    assert caller("127.0.0.1", *headers).scheme in (None, "http", "https")
    assert caller("nonsense", *headers).address == "nonsense"
    assert caller(peer, *headers, by=Proxies()).address == peer


@settings(max_examples=200)
@given(st.lists(st.one_of(ADDRESS, HEADER), max_size=5), st.sampled_from((NEAR, "2001:db8::7")), HEADER)
def test_nothing_that_a_client_sends_changes_who_he_is_to_his_proxy(sent, client, forwarded):
    """The proxy adds the client at the end of whatever he sent, and hands a header through that it does not know."""
    appended = ("X-Forwarded-For", ", ".join([*sent, client]))
    assert caller("127.0.0.1", appended).address == client
    assert caller("127.0.0.1", appended, ("Forwarded", forwarded)).address in (client, "127.0.0.1")


# --- over sockets --------------------------------------------------------------------------------------------------
async def test_log_lines_name_the_client(tmp_path):
    async with playing("sage_d20", tmp_path, trust_proxy="127.0.0.1") as bridge:
        token = await bridge.token("Pia")
        async with await bridge.stranger(additional_headers={"X-Forwarded-For": f"{FAR}, {NEAR}"}) as page:
            await page.hello(token=token)
            await page.connection.send("nonsense")
            await until(lambda: any(line["event"] == "bad frame" for line in bridge.logged))
        for event in ("joined", "bad frame"):
            assert {line["address"] for line in bridge.logged if line["event"] == event} == {NEAR}
        assert FAR not in bridge.lines


async def test_a_forged_address_is_in_no_log_line_without_a_trusted_proxy(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        async with await bridge.stranger(additional_headers={"X-Forwarded-For": FAR, "Forwarded": f"for={FAR}"}) as page:
            await page.hello(token=await bridge.token("Pia"))
        assert [line["address"] for line in bridge.logged if line["event"] == "joined"] == ["127.0.0.1"]


async def test_limits_of_an_address_are_the_client_s_and_not_the_proxy_s(tmp_path):
    limits = Limits(**{name: getattr(FAST, name) for name in FAST.__struct_fields__} | {"connections_per_address": 2})
    async with playing("sage_d20", tmp_path, limits=limits, trust_proxy="127.0.0.1") as bridge:
        opened = [await bridge.stranger(additional_headers={"X-Forwarded-For": NEAR}) for _ in range(2)]
        for forged in (NEAR, f"{FAR}, {NEAR}", f"127.0.0.1, {NEAR}"):
            with pytest.raises(InvalidStatus) as no:
                await bridge.stranger(additional_headers={"X-Forwarded-For": forged})
            assert no.value.response.status_code == 429
        opened.append(await bridge.stranger(additional_headers={"X-Forwarded-For": FAR}))
        for page in opened:
            await page.close()


async def test_metrics_are_not_for_who_comes_through_a_proxy(tmp_path):
    for trusted in ("", "127.0.0.1"):
        async with serving(tmp_path, trust_proxy=trusted) as bridge:
            assert (await request(bridge, path="/metrics"))[0] == 200
            for name, value in (("X-Forwarded-For", NEAR), ("X-Forwarded-For", "127.0.0.1"), ("Forwarded", "for=127.0.0.1")):
                assert (await request(bridge, path="/metrics", headers={"Host": "x", name: value}))[0] == 403


async def test_the_module_is_named_as_it_was_asked_for_through_the_proxy(tmp_path):
    async def download(bridge, host, proto="https"):
        headers = {"Host": host, "X-Forwarded-For": NEAR, "X-Forwarded-Proto": proto}
        return json.loads((await request(bridge, path="/boonbridge/module.json", headers=headers))[2])["download"]

    async with serving(tmp_path / "a", base_path="/boonbridge", trust_proxy="127.0.0.1") as bridge:
        port = bridge.running.port
        assert await download(bridge, "localhost") == "https://localhost/boonbridge/module.zip"
        assert await download(bridge, "localhost:8443") == "https://localhost:8443/boonbridge/module.zip"
        assert await download(bridge, "localhost", "gopher") == f"http://127.0.0.1:{port}/boonbridge/module.zip"
        for host in ("evil.example", "localhost@evil.example", "localhost/evil", "localhost?", ""):
            assert await download(bridge, host) == f"http://127.0.0.1:{port}/boonbridge/module.zip", "not one of ours"
    async with serving(tmp_path / "b", base_path="/boonbridge") as bridge:
        assert await download(bridge, "localhost") == f"http://127.0.0.1:{bridge.running.port}/boonbridge/module.zip"
    async with serving(tmp_path / "c", public_url="https://x.example/boonbridge", base_path="/boonbridge") as bridge:
        assert await download(bridge, "localhost") == "https://x.example/boonbridge/module.zip"


# --- below a path --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("below", ["/boonbridge", "/a/b.c/~d"])
async def test_everything_lies_below_the_path_and_nothing_beside_it(tmp_path, below):
    async with playing("sage_d20", tmp_path, base_path=below) as bridge:
        assert bridge.running.http == f"http://127.0.0.1:{bridge.running.port}{below}/"
        assert bridge.url == f"ws://127.0.0.1:{bridge.running.port}{below}/ws"
        for path in (
            "/",
            "/web/app.mjs",
            "/lang/en.json",
            "/module.json",
            "/module.zip",
            "/schema/v1.json",
            "/healthz",
            "/readyz",
        ):
            assert (await request(bridge, "HEAD", f"{below}{path}"))[0] == 200
            status, _, body = await request(bridge, path=path)
            assert (status, body) == (404, f"There is nothing here. The table page is at {below}/\n")
        for path in (f"{below}x/", f"{below}/../healthz", f"{below}{below}/", f"/{below}/", f"{below}//"):
            assert (await request(bridge, path=path))[0] == 404
        async with bridge.join("Pia") as pia:
            bridge.tape.put(20)
            assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack"
        with pytest.raises(InvalidStatus):
            await Person.connect(f"ws://127.0.0.1:{bridge.running.port}/ws")


async def test_without_the_slash_the_page_is_pointed_at(tmp_path):
    async with serving(tmp_path, base_path="/boonbridge") as bridge:
        status, headers, _ = await request(bridge, path="/boonbridge?a=//evil.example")
        assert (status, headers["location"]) == (307, "/boonbridge/")


async def test_a_websocket_at_the_path_itself_is_one(tmp_path):
    """What people type into Foundry is wss://domain/boonbridge, and such an address is taken as it was given."""
    async with playing("sage_d20", tmp_path, base_path="/boonbridge") as bridge:
        for path in ("/boonbridge", "/boonbridge/", "/boonbridge/ws"):
            async with await Person.connect(f"ws://127.0.0.1:{bridge.running.port}{path}") as page:
                await page.hello(token=await bridge.token("Pia"))
                assert page.welcome["role"] == "player"


async def test_the_page_leads_nowhere_above_its_path(tmp_path):
    async with serving(tmp_path, base_path="/boonbridge") as bridge:
        seen = await asyncio.to_thread(crawl, bridge.running.http)
        assert len(seen) > 40
        assert all(url.startswith(bridge.running.http) for url in seen)


async def test_pages_of_the_public_address_are_the_bridge_s_own_whatever_the_path(tmp_path):
    async with playing("sage_d20", tmp_path, public_url="https://x.example/boonbridge", base_path="/boonbridge") as bridge:
        assert bridge.url == "wss://x.example/boonbridge/ws"
        token, url = await bridge.token("Pia"), f"ws://127.0.0.1:{bridge.running.port}/boonbridge/ws"
        for origin, welcome in (("https://x.example", True), ("https://y.example", False)):
            headers = {"X-Forwarded-Host": "y.example", "X-Forwarded-For": NEAR}
            async with await Person.connect(url, origin=origin, additional_headers=headers) as page:
                await page.hello(token=token)
                assert (page.closed is None) is welcome
                assert welcome or page.closed[0] == Close.ORIGIN_UNKNOWN


def test_a_crowd_behind_one_proxy_stays_apart():
    chosen = random.Random(6)
    crowd = [f"198.18.{chosen.randrange(256)}.{chosen.randrange(256)}" for _ in range(50)]
    assert [caller("10.1.0.1", ("X-Forwarded-For", f"127.0.0.1, {one}")).address for one in crowd] == crowd
