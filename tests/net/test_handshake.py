"""The front door: what is not a websocket handshake of ours is answered in words, and the bridge goes on."""

import asyncio
import base64
import secrets

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from tests.support.bridge import playing
from tests.support.http import request, say

KEY = base64.b64encode(secrets.token_bytes(16)).decode()
UPGRADE = {
    "Host": "127.0.0.1",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": KEY,
    "Sec-WebSocket-Version": "13",
}


async def goes_on(bridge):
    async with bridge.join("Pia") as pia:
        assert (await pia.settled())["t"] == "refused"


@pytest.mark.parametrize(
    "offered", [None, "boonbridge.v2", "chat, graphql-ws", "boonbridge.v", "BOONBRIDGE.V1", "xboonbridge.v1", "<b>"]
)
async def test_another_subprotocol_is_answered_in_words(tmp_path, offered):
    async with playing("sage_d20", tmp_path) as bridge:
        headers = UPGRADE | ({} if offered is None else {"Sec-WebSocket-Protocol": offered})
        status, fields, body = await request(bridge, path="/ws", headers=headers)
        assert status == 400
        assert fields["content-type"].startswith("text/plain")
        assert "boonbridge.v1" in body
        assert "Update" in body
        await goes_on(bridge)


async def test_ours_among_others_is_chosen(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        headers = UPGRADE | {"Sec-WebSocket-Protocol": "boonbridge.v9, boonbridge.v1"}
        reader, writer = await asyncio.open_connection("127.0.0.1", bridge.running.port)
        lines = ["GET /ws HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items()), "", ""]
        writer.write("\r\n".join(lines).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101")
        assert b"Sec-WebSocket-Protocol: boonbridge.v1\r\n" in head
        writer.close()


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/ws/", "/ws/../ws", "/WS", "/web/../../etc/passwd", "/%2e%2e/etc/passwd", "/web//index.html", "/ws%00", "//ws"],
)
async def test_another_path_is_nowhere(tmp_path, path):
    async with playing("sage_d20", tmp_path) as bridge:
        for headers in ({"Host": "x"}, UPGRADE | {"Sec-WebSocket-Protocol": "boonbridge.v1"}):
            status, fields, body = await request(bridge, path=path, headers=headers)
            assert status == 404
            assert body == "There is nothing here. The table page is at /\n"
            assert fields["x-content-type-options"] == "nosniff"
        await goes_on(bridge)


async def test_the_websocket_s_path_in_a_browser(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        status, _, body = await request(bridge, path="/ws")
        assert status == 400
        assert "boonbridge.v1" in body
        status, _, body = await request(bridge, path="/ws", headers={"Host": "x", "Sec-WebSocket-Protocol": "boonbridge.v1"})
        assert status == 426
        assert body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW", "get"])
async def test_other_methods_are_refused_and_harm_nothing(tmp_path, method):
    async with playing("sage_d20", tmp_path) as bridge:
        before = await bridge.footprint()
        for path in ("/", "/ws", "/healthz", "/metrics"):
            for headers in ({"Host": "x"}, UPGRADE | {"Sec-WebSocket-Protocol": "boonbridge.v1"}):
                status, fields, body = await request(bridge, method, path, headers)
                assert status == 405
                assert fields["allow"] == "GET, HEAD"
                assert body == "Only GET is answered here.\n"
        lines = f"{method} /ws HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=b"
        await say(bridge, lines.encode())
        await goes_on(bridge)
        assert (await bridge.footprint())[0] == before[0] + 1, "Pia came; nothing else happened"


async def test_head_has_the_headers_and_no_body(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        for path in ("/healthz", "/nothing", "/"):
            got, head = await request(bridge, "GET", path), await request(bridge, "HEAD", path)
            assert head[0] == got[0]
            assert head[1]["content-length"] == got[1]["content-length"]
            assert head[2] == ""


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # somebody speaks TLS
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 300 + b"\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: " + b"b" * 20_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
        b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /ws HTTP/1.1\r\nSec-WebSocket-Protocol: \xff\xfe\r\n\r\n",
        b"\x81\x05hello",
    ],
)
async def test_what_is_no_http_of_ours_is_dropped_without_a_mistake(tmp_path, data):
    async with playing("sage_d20", tmp_path) as bridge:
        answer = await say(bridge, data, eof=True)
        assert b"Traceback" not in answer
        await goes_on(bridge)


async def test_health_and_readiness(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        assert (await request(bridge, path="/healthz"))[0::2] == (200, "alive\n")
        assert (await request(bridge, path="/readyz"))[0::2] == (200, "ready\n")


async def test_metrics_are_for_this_machine(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        status, _, body = await request(bridge, path="/metrics")
        assert status == 200
        assert "boonbridge_connections" in body
        site = bridge.running._server._site

        asked = Request("/metrics", Headers())
        for peer in ("192.168.1.5", "2001:db8::1", "", "unix"):
            assert site.answer(asked, peer).status_code == 403
        for peer in ("127.0.0.1", "::1", "127.8.8.8"):
            assert site.answer(asked, peer).status_code == 200


async def test_a_token_in_the_address_opens_nothing(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        token = await bridge.token("Gina")
        for path in (f"/?token={token}", f"/ws?token={token}"):
            await request(bridge, path=path)
        headers = UPGRADE | {"Sec-WebSocket-Protocol": "boonbridge.v1", "Authorization": f"Bearer {token}"}
        reader, writer = await asyncio.open_connection("127.0.0.1", bridge.running.port)
        lines = [f"GET /ws?token={token} HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items()), "", ""]
        writer.write("\r\n".join(lines).encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        assert bridge.running.hub.online("tests") == 0
        writer.close()
        assert token not in bridge.lines
