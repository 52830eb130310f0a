"""How players come in from Foundry: the GM's client invites them under Foundry's own user ids, and they type nothing."""

import ipaddress
from urllib.parse import urlsplit

import pytest

from boonbridge import __version__
from boonbridge_schemas.codes import Close
from tests.support.bridge import ROLL, TABLE, playing
from tests.support.people import Person, new_id

GM_PAGE = "http://localhost:30000"
PLAYER_PAGE = "https://foundry.example"
ZOE, YAN = "Yb3kHc6vXm1sPg0Q", "Zt5rWq8nYb3kHc6v"
CLIENT = {"name": "boonbridge", "version": __version__, "kind": "foundry"}


async def gm(bridge):
    """The GM's client in Foundry, which has paired."""
    page = await bridge.stranger(origin=GM_PAGE, kind="foundry")
    code = await bridge.running.hub.pairing.new_code(TABLE)
    paired = await page.ask({"t": "pair", "code": code, "name": "Gina", "client": CLIENT})
    return await page.hello(token=paired["token"])


def invite(user=ZOE, name="Zoe", **more):
    return {"t": "Invite", "user": user, "name": name, "device": "foundry", "origin": PLAYER_PAGE, **more}


async def minted(page, cmd, **more):
    ack = await page.do(cmd, **more)
    assert ack["t"] == "ack", ack
    (found,) = [frame for frame in page.of("minted") if frame["id"] == ack["id"]][-1:]
    return found


async def test_a_player_joins_under_foundry_s_user_id_and_rolls_what_is_his(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await gm(bridge) as gina:
        token = await minted(gina, invite())
        assert (token["user"], token["role"], token["table"]) == (ZOE, "player", TABLE)
        async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as zoe:
            await zoe.hello(token=token["token"])
            assert (zoe.welcome["user"], zoe.welcome["name"], zoe.welcome["role"]) == (ZOE, "Zoe", "player")
            cmd = {**ROLL["sage_d20"], "actors": ["wolf"]}
            numbers = {"values": [{"key": "agility", "value": 12}]}
            sync = {"t": "SyncActor", "actor": "wolf", "name": "Wolf", "side": "party", "owners": [ZOE], "numbers": numbers}
            assert (await gina.do(sync))["t"] == "ack"
            seq = (await zoe.do(cmd))["seq"]
            await gina.settled()
            assert [frame["by"] for frame in gina.of("logged") if frame["seq"] == seq] == [ZOE]
            people = gina.of("presence")[-1]["users"]
            assert {"id": ZOE, "name": "Zoe", "role": "player", "online": True, "gone": False} in people
            async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as yan:
                await yan.hello(token=(await minted(gina, invite(YAN, "Yan")))["token"])
                assert (await yan.do(cmd))["code"] == "actor.not_yours"


async def test_the_same_invitation_again_is_the_same_token(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await gm(bridge) as gina:
        once = new_id()
        first, again = await minted(gina, invite(), id=once), await minted(gina, invite(), id=once)
        assert first == again
        other = await minted(gina, invite())  # a second browser of the same player
        assert (other["user"], other["token"] == first["token"]) == (ZOE, False)
        for token in (first, other):
            async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as zoe:
                await zoe.hello(token=token["token"])
                assert zoe.welcome["user"] == ZOE


async def test_a_player_comes_back_without_the_gm(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        async with await gm(bridge) as gina:
            token = await minted(gina, invite())
        async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as zoe:
            await zoe.hello(token=token["token"])
            assert zoe.welcome["role"] == "player"


async def test_only_a_gm_invites_and_nobody_is_told_the_token(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await gm(bridge) as gina:
        async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as zoe:
            await zoe.hello(token=(await minted(gina, invite()))["token"])
            for user in (YAN, ZOE, gina.welcome["user"]):
                assert (await zoe.do(invite(user, role="gm")))["code"] == "role.forbidden"
            token = await minted(gina, invite(YAN, "Yan"))
            await zoe.settled()
            assert token["token"].encode() not in zoe.bytes
        assert token["token"] not in bridge.lines


async def test_access_taken_back_is_invited_anew(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await gm(bridge) as gina:
        token = await minted(gina, invite())
        await gina.do({"t": "RevokeAccess", "user": ZOE})
        async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as zoe:
            await zoe.hello(token=token["token"])
            assert zoe.closed[0] == Close.AUTH_REVOKED
        async with await bridge.stranger(origin=PLAYER_PAGE, kind="foundry") as zoe:
            await zoe.hello(token=(await minted(gina, invite()))["token"])
            assert zoe.welcome["user"] == ZOE


# --- where players find the bridge ---------------------------------------------------------------------------------
def loopback(address):
    host = urlsplit(address).hostname
    return host == "localhost" or ipaddress.ip_address(host).is_loopback


async def test_on_loopback_alone_the_gm_can_see_that_nobody_else_gets_in(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await gm(bridge) as gina:
        addresses = gina.welcome["addresses"]
        assert addresses
        assert all(loopback(address) for address in addresses)
        assert all(urlsplit(address).port == bridge.running.port and urlsplit(address).path == "/ws" for address in addresses)


async def test_in_the_network_the_addresses_of_this_machine_come_before_loopback(tmp_path, monkeypatch):
    monkeypatch.setattr("boonbridge.running.local_hosts", lambda: ["192.168.7.20", "[fd00::7]", "127.0.0.1", "localhost"])
    async with playing("sage_d20", tmp_path, host="0.0.0.0") as bridge, bridge.join("Pia") as pia:
        port = bridge.running.port
        assert pia.welcome["addresses"] == [
            f"ws://{host}:{port}/ws" for host in ("192.168.7.20", "[fd00::7]", "127.0.0.1", "localhost")
        ]


@pytest.mark.parametrize("url", ["https://dice.example", "https://dice.example/"])
async def test_a_public_address_comes_first(tmp_path, url):
    async with playing("sage_d20", tmp_path, public_url=url) as bridge:
        pia = await Person.connect(f"ws://127.0.0.1:{bridge.running.port}/ws", token=await bridge.token("Pia"))
        async with pia:
            await pia.hello()
            assert pia.welcome["addresses"][0] == "wss://dice.example/ws"


# --- two sides of different age ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("version", "wanted"), [(__version__, None), ("0.0.9", "client"), ("999.0.0", "bridge"), ("", None)])
async def test_an_older_and_a_newer_module_are_let_in_and_told(tmp_path, version, wanted):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina:
        for kind in ("foundry", "page", "cli"):
            async with await bridge.stranger(kind=kind) as pia:
                pia.client = {**CLIENT, "version": version, "kind": kind}
                await pia.hello(token=await bridge.token("Pia"))
                assert pia.welcome["bridge"] == __version__
                assert pia.welcome.get("update") == (wanted if kind == "foundry" else None)
                assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack"
        assert not gina.of("post")
