"""nginx and Caddy themselves in front of a bridge, with TLS, a path, and the configuration of the documentation."""

import asyncio
import json

import pytest

from boonbridge_schemas.codes import Close
from tests.support import proxies
from tests.support.bridge import ROLL, playing
from tests.support.certificates import issue
from tests.support.people import Person

BOTH = pytest.mark.parametrize("kind", [proxies.nginx, proxies.caddy], ids=["nginx", "caddy"])


async def quiet(reader, writer):
    """Stands where Foundry would."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nFoundry")
    writer.close()


@BOTH
async def test_a_table_below_a_path_of_foundry_s_domain(tmp_path, kind):
    port, files = proxies.free_port(), issue(tmp_path / "tls", proxies.DOMAIN)
    public = f"https://{proxies.DOMAIN}:{port}/boonbridge"
    settings = {"public_url": public, "base_path": "/boonbridge", "trust_proxy": "127.0.0.1"}
    async with (
        playing("sage_d20", tmp_path / "d", **settings) as bridge,
        await asyncio.start_server(quiet, "127.0.0.1") as foundry,
    ):
        behind = {"bridge": bridge.running.port, "foundry": foundry.sockets[0].getsockname()[1]}
        async with kind(tmp_path, files, port=port, **behind) as proxy:
            assert await proxy.get("/") == (200, "Foundry")
            assert await proxy.get("/boonbridges") == (200, "Foundry"), "a path that only begins alike"
            assert await proxy.get("/boonbridge/healthz") == (200, "alive\n")
            assert (await proxy.get("/boonbridge"))[0] == 307
            assert (await proxy.get("/boonbridge/metrics"))[0] == 403
            assert json.loads((await proxy.get("/boonbridge/module.json"))[1])["download"] == f"{public}/module.zip"

            token = await bridge.token("Pia")
            for address in (bridge.url, bridge.url.removesuffix("/ws")):
                # Who forges what a proxy writes is still who he is: the proxy saw where he comes from.
                forged = {"X-Forwarded-For": "198.51.100.9", "Forwarded": "for=198.51.100.9", "X-Forwarded-Proto": "http"}
                options = {**proxy.reached, "local_addr": ("127.0.0.9", 0), "additional_headers": forged}
                async with await Person.connect(address, origin=f"https://{proxies.DOMAIN}:{port}", **options) as pia:
                    await pia.hello(token=token)
                    assert pia.welcome["addresses"][0] == f"wss://{proxies.DOMAIN}:{port}/boonbridge/ws"
                    bridge.tape.put(20)
                    assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack"
            assert {line["address"] for line in bridge.logged if line["event"] == "joined"} == {"127.0.0.9"}

            async with await Person.connect(bridge.url, **proxy.reached, local_addr=("127.0.0.8", 0)) as stranger:
                await stranger.hello(token="nonsense")
                assert stranger.closed[0] == Close.AUTH_BAD, "the code of a close comes through"
