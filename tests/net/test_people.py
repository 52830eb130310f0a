"""People over sockets: who there is, roles, devices, codes for one person, names that are forgotten, origins taken off the list."""

import base64
import json

import pytest
from msgspec.structs import replace

from boonbridge.tables.pairing import CODE_LIFE, HOUR
from boonbridge_schemas.codes import Close
from boonbridge_schemas.server import Limits
from tests.support.bridge import FAST, ROLL, TABLE, playing, serving
from tests.support.people import CLIENT, new_id
from tests.support.wait import until

GAME = "sage_d20"
PAGE = "http://192.168.7.20:30300/"
FOUNDRY = "https://foundry.example:30000"
LINK = {"t": "makeCode", "kind": "link", "name": "Zoe", "page": PAGE}
TYPED = {"t": "makeCode", "kind": "typed", "name": "Zoe"}


async def redeem(bridge, code, name="Somebody", origin=None, **more):
    async with await bridge.stranger(origin=origin) as stranger:
        return await stranger.ask({"t": "pair", "code": code, "name": name, "client": CLIENT, **more})


async def roster(gm):
    return await gm.ask({"t": "people"})


async def person(gm, user):
    """What a GM is told of somebody."""
    (found,) = [one for one in (await roster(gm))["people"] if one["id"] == user]
    return found


def presence(viewer, user):
    """What everybody is told of somebody."""
    (found,) = [one for one in viewer.of("presence")[-1]["users"] if one["id"] == user]
    return found


async def away(bridge, gm, user):
    """Until somebody is gone, and that is written: behind the connections, so that nobody waits for it."""
    await until(lambda: not presence(gm, user)["online"])
    await written(bridge)


async def written(bridge):
    await until(lambda: not bridge.running.hub._tasks)


# --- codes: what they open -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("role", ["player", "gm", "observer"])
@pytest.mark.parametrize("frame", [LINK, TYPED], ids=["link", "typed"])
async def test_a_code_lets_one_person_in_as_what_the_gm_said(tmp_path, frame, role):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        made = await gina.ask({**frame, "role": role})
        assert (made["t"], made["role"]) == ("codeMade", role)
        paired = await redeem(bridge, made["code"], "Mallory")
        assert (paired["user"], paired["role"], paired["table"]) == (made["user"], role, TABLE)
        async with await bridge.stranger() as zoe:
            await zoe.hello(token=paired["token"])
            assert (zoe.welcome["user"], zoe.welcome["name"], zoe.welcome["role"]) == (made["user"], "Zoe", role)
        assert (await redeem(bridge, made["code"]))["code"] == "auth.code_wrong", "one use"


async def test_a_link_carries_the_code_behind_the_hash_and_the_picture_says_the_same(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        made = await gina.ask(LINK)
        code = made["code"]
        assert len(code) == 20
        assert set(code) <= set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        assert made["link"] == f"{PAGE}#code={code}"
        size = len(made["qr"])
        assert {len(row) for row in made["qr"]} == {size}
        # 52 letters of mixed kind at level M: version 4 (ISO/IEC 18004, table 7: 62 bytes), 33 modules; a finder in three corners.
        assert size == 33
        finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        assert [row[:7] for row in made["qr"][:7]] == finder
        assert [row[-7:] for row in made["qr"][:7]] == finder
        assert [row[:7] for row in made["qr"][-7:]] == finder
        short = await gina.ask(TYPED)
        assert (len(short["code"]), short.get("link"), short.get("qr", [])) == (9, None, [])


async def test_a_long_code_may_be_copied_in_groups_of_four(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        made = await gina.ask(LINK)
        code = made["code"].lower()
        grouped = " - ".join(code[n : n + 4] for n in range(0, 20, 4))
        assert (await redeem(bridge, grouped))["user"] == made["user"]


async def test_nothing_of_a_name_is_in_the_user_id(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        users = {(await gina.ask(LINK))["user"] for _ in range(3)}
        assert len(users) == 3, "the same name, three people"


async def test_the_same_pair_id_again_is_the_same_answer_also_after_a_restart(tmp_path):
    id = new_id()
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        made = await gina.ask(LINK)
        first = await redeem(bridge, made["code"], id=id)
        before = await bridge.footprint()
        assert await redeem(bridge, made["code"], id=id) == first
    async with serving(tmp_path) as bridge:
        assert await redeem(bridge, made["code"], "Another", id=id) == first
        assert await bridge.footprint() == before
        clock = bridge.codes_later()
        clock.ahead = 2 * CODE_LIFE + 1000
        assert (await redeem(bridge, made["code"], id=id))["code"] == "auth.code_wrong"


async def test_one_pair_id_with_several_codes_is_several_people(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        id, asked = new_id(), new_id()
        made, paired = [], []
        for frame in (LINK, {**LINK, "name": "Yan"}, {**LINK, "id": asked}, {**LINK, "id": asked}):
            made.append(await gina.ask(frame))
            paired.append(await redeem(bridge, made[-1]["code"], id=id))
        assert [one["user"] for one in paired] == [one["user"] for one in made]
        assert [await redeem(bridge, one["code"], id=id) for one in made] == paired, "each is answered as before"


async def test_codes_outlive_a_restart_and_not_their_time(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        typed, link, later = await gina.ask(TYPED), await gina.ask({**LINK, "hours": 2}), await gina.ask({**LINK, "hours": 2})
        listed = (await roster(gina))["codes"]
        assert {one["id"] for one in listed} == {later["codeId"], link["codeId"], typed["codeId"]}
        # Two may be of the same millisecond.
        assert [one["made"] for one in listed] == sorted((one["made"] for one in listed), reverse=True), "the newest first"
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        clock = bridge.codes_later()
        clock.ahead = CODE_LIFE
        assert (await redeem(bridge, typed["code"]))["code"] == "auth.code_expired"
        assert [one["id"] for one in (await roster(gina))["codes"]] == [later["codeId"], link["codeId"]]
        clock.ahead = 2 * HOUR - 5_000
        assert (await redeem(bridge, link["code"]))["t"] == "paired"
        clock.ahead = 2 * HOUR
        assert (await redeem(bridge, later["code"]))["code"] == "auth.code_expired"
        assert (await roster(gina))["codes"] == []


async def test_wrong_guesses_cost_a_typed_code_its_tries_and_a_link_nothing(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        typed, link = await gina.ask(TYPED), await gina.ask(LINK)
        for _ in range(5):
            assert (await redeem(bridge, "AAAA-AAAA"))["code"] == "auth.code_wrong"
            assert (await redeem(bridge, link["code"][:-1] + ("A" if link["code"][-1] != "A" else "B")))[
                "code"
            ] == "auth.code_wrong"
        assert (await redeem(bridge, typed["code"]))["code"] == "auth.code_wrong"
        assert (await redeem(bridge, link["code"].lower()))["t"] == "paired"


async def test_a_second_device_keeps_name_and_role(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        made = await gina.ask({"t": "makeCode", "kind": "typed", "user": pia.user, "role": "gm"})
        assert (made["user"], made["role"]) == (pia.user, "player"), "who is known stays what he is"
        paired = await redeem(bridge, made["code"], "Mallory")
        async with await bridge.stranger() as phone:
            await phone.hello(token=paired["token"])
            assert (phone.welcome["user"], phone.welcome["name"], phone.welcome["role"]) == (pia.user, "Pia", "player")
            devices = (await person(gina, pia.user))["devices"]
            assert len({one["id"] for one in devices if one["online"]}) == 2
            assert (await phone.do(ROLL[GAME]))["t"] == "ack"


async def test_the_name_that_a_gm_wrote_wins(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        made = await gina.ask({"t": "makeCode", "kind": "link", "user": pia.user, "name": " Piers "})
        await redeem(bridge, made["code"], "Mallory")
        await gina.settled()
        assert presence(gina, pia.user)["name"] == "Piers"
        own = await pia.ask({"t": "makeCode", "kind": "link", "user": pia.user, "name": "Gina"})
        await redeem(bridge, own["code"], "Gina")
        await gina.settled()
        assert presence(gina, pia.user)["name"] == "Piers", "what others call him is not his to say"


async def test_everybody_makes_codes_for_himself_and_gms_for_anybody(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        for name in ("Pia", "Olga"):
            async with bridge.join(name) as somebody:
                own = {"t": "makeCode", "kind": "typed", "user": somebody.user, "role": "gm"}
                made = await somebody.ask(own)
                assert (made["t"], made["user"], made["role"]) == ("codeMade", somebody.user, somebody.welcome["role"])
                for more in ({"user": gina.user}, {"user": None, "name": "Zoe"}, {"user": bridge.user("Quin")}):
                    assert (await somebody.ask({**own, **more}))["code"] == "role.forbidden"
                assert (await roster(somebody))["code"] == "role.forbidden"
                assert (await somebody.ask({"t": "dropCode", "code": made["codeId"]}))["code"] == "role.forbidden"
                (paired,) = [await redeem(bridge, made["code"])]
                assert (paired["user"], paired["role"]) == (somebody.user, somebody.welcome["role"])


async def test_what_a_code_needs(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        for frame, code in (
            ({"name": None}, "people.name_missing"),
            ({"user": "nobody-here"}, "people.unknown"),
            ({"user": "bridge"}, "people.unknown"),
            ({"hours": 0}, "frame.bad"),
            ({"hours": 169}, "frame.bad"),
            ({"page": "https://a.example/?token=x"}, "frame.bad"),
            ({"page": "javascript:alert(1)"}, "frame.bad"),
        ):
            async with bridge.join("Gwen") as gwen:
                assert (await gwen.ask({**LINK, **frame}))["code"] == code
        assert (await roster(gina))["codes"] == []


async def test_so_many_codes_and_people_and_no_more(tmp_path):
    limits = replace(FAST, open_codes=3, people=5)
    async with playing(GAME, tmp_path, limits=limits) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        own = {"t": "makeCode", "kind": "link", "user": pia.user}
        mine = [await pia.ask(own) for _ in range(4)]
        assert (await pia.ask(own))["code"] == "code.limit"
        made = [await gina.ask(LINK) for _ in range(3)]
        assert [one["t"] for one in made] == ["codeMade"] * 3, "what a player made for himself takes nobody's place"
        answer = await gina.ask(own)
        assert (answer["code"], answer["values"]) == ("code.limit", {"limit": 3})
        assert (await gina.ask({"t": "dropCode", "code": made[0]["codeId"]}))["t"] == "roster"
        assert (await gina.ask(own))["t"] == "codeMade"
        assert len(mine) + 3 == len((await roster(gina))["codes"])
        await gina.ask({"t": "dropCode", "code": made[1]["codeId"]})
        async with bridge.join("Quin"), bridge.join("Olga"):
            full = await gina.ask(LINK)
            assert (full["code"], full["values"]) == ("people.limit", {"limit": 5}), "four are here, and one has a code"
        async with bridge.join("Gwen"):  # the fifth place goes to somebody else before the code is used
            answer = await redeem(bridge, made[2]["code"])
            assert answer["code"] == "people.limit"


async def test_an_answer_that_was_lost_leaves_no_code_behind(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        id = new_id()
        first, second = await gina.ask({**LINK, "id": id}), await gina.ask({**LINK, "id": id})
        assert first["code"] != second["code"], "a code is told once"
        assert [one["id"] for one in (await roster(gina))["codes"]] == [second["codeId"]]
        assert (await redeem(bridge, first["code"]))["code"] == "auth.code_wrong"
        assert (await redeem(bridge, second["code"]))["t"] == "paired"


async def test_a_code_taken_back_opens_nothing(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        made = await gina.ask(LINK)
        assert (await gina.ask({"t": "dropCode", "code": made["codeId"]}))["codes"] == []
        assert (await redeem(bridge, made["code"]))["code"] == "auth.code_wrong"
        assert (await gina.ask({"t": "dropCode", "code": made["codeId"]}))["code"] == "code.unknown"


async def test_codes_are_told_to_whoever_asked_alone(tmp_path):
    async with (
        playing(GAME, tmp_path) as bridge,
        bridge.join("Gina") as gina,
        bridge.join("Gwen") as gwen,
        bridge.join("Pia") as pia,
    ):
        made = [await gina.ask(LINK), await gina.ask(TYPED)]
        assert (await roster(gwen))["t"] == "roster"
        await redeem(bridge, made[0]["code"])
        await pia.settled()
        for other in (gwen, pia):
            for one in made:
                assert one["code"].encode() not in other.bytes
                assert one["code"].replace("-", "").encode() not in other.bytes
        for one in made:
            assert one["code"] not in bridge.lines


async def test_the_origin_of_the_page_comes_with_the_code(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        paired = await redeem(bridge, (await gina.ask(LINK))["code"], origin=FOUNDRY)
        async with await bridge.stranger(origin=FOUNDRY) as zoe:
            await zoe.hello(token=paired["token"])
            assert zoe.welcome["name"] == "Zoe"
        assert (await roster(gina))["origins"] == [FOUNDRY]


# --- access taken back ---------------------------------------------------------------------------------------------
async def test_of_two_devices_one_is_taken_away_and_the_other_stays(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        made = await gina.ask({"t": "makeCode", "kind": "link", "user": pia.user})
        token = (await redeem(bridge, made["code"]))["token"]
        async with await bridge.stranger() as phone:
            await phone.hello(token=token)
            (phone_id,) = [one["id"] for one in (await person(gina, pia.user))["devices"] if one["id"] != device_of(pia)]
            await gina.do({"t": "RevokeAccess", "user": pia.user, "device": phone_id})
            assert (await phone.gone())[0] == Close.AUTH_REVOKED
        assert (await pia.do(ROLL[GAME]))["t"] == "ack"
        assert pia.closed is None
        async with await bridge.stranger() as phone:
            await phone.hello(token=token)
            assert phone.closed[0] == Close.AUTH_REVOKED
        await written(bridge)
        told = {one["id"]: (one["online"], one["gone"]) for one in (await person(gina, pia.user))["devices"]}
        assert told.pop(phone_id) == (False, True)
        assert list(told.values()) == [(True, False)]
        assert not (await person(gina, pia.user))["gone"]


def device_of(somebody):
    """The device that somebody is here with, as his token says it."""
    payload = somebody.token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["dev"]


async def test_a_code_from_before_the_revocation_opens_nothing_and_one_from_after_does(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join("Pia") as pia:
            of_gm = await gina.ask({"t": "makeCode", "kind": "link", "user": pia.user})
            own = await pia.ask({"t": "makeCode", "kind": "link", "user": pia.user})
            await gina.do({"t": "RevokeAccess", "user": pia.user})
            assert (await pia.gone())[0] == Close.AUTH_REVOKED
        for made in (of_gm, own):
            assert (await redeem(bridge, made["code"]))["code"] == "auth.code_wrong"
        await gina.settled()
        assert presence(gina, pia.user)["gone"] is True
        assert (await roster(gina))["codes"] == []
        back = await gina.ask({"t": "makeCode", "kind": "link", "user": pia.user})
        paired = await redeem(bridge, back["code"])
        assert (paired["user"], paired["role"]) == (pia.user, "player")
        async with await bridge.stranger() as again:
            await again.hello(token=paired["token"])
            assert presence(again, pia.user) == {"id": pia.user, "name": "Pia", "role": "player", "online": True, "gone": False}


async def test_a_code_opens_nothing_even_where_it_could_not_be_dropped(tmp_path, monkeypatch):
    """The rows go behind the revocation; that they open nothing is the table's own decision."""
    async with (
        playing(GAME, tmp_path) as bridge,
        bridge.join("Gina") as gina,
        bridge.join("Gwen") as gwen,
        bridge.join("Pia") as pia,
    ):

        async def dropped(*_):
            pass

        monkeypatch.setattr(bridge.running.hub.people, "_dropped", dropped)
        own = await pia.ask({"t": "makeCode", "kind": "link", "user": pia.user})
        other = await pia.ask({"t": "makeCode", "kind": "link", "user": pia.user})
        for_pia = await gina.ask({"t": "makeCode", "kind": "link", "user": pia.user})
        await gina.do({"t": "RevokeAccess", "user": pia.user, "device": device_of(pia)})
        assert (await redeem(bridge, own["code"]))["code"] == "auth.code_wrong", "made on a device that was taken away"
        await gina.do({"t": "RevokeAccess", "user": pia.user})
        for made in (other, for_pia):
            assert (await redeem(bridge, made["code"]))["code"] == "auth.code_wrong"
        friend = await gwen.ask({**LINK, "role": "gm"})
        own_of_gm = await gwen.ask({"t": "makeCode", "kind": "link", "user": gwen.user})
        await gina.do({"t": "SetRole", "user": gwen.user, "role": "player"})
        assert (await redeem(bridge, friend["code"]))["code"] == "auth.code_wrong", "made by who is no GM any more"
        assert [one["id"] for one in (await roster(gina))["codes"]] == [own_of_gm["codeId"]], "what opens nothing is not listed"
        assert (await redeem(bridge, own_of_gm["code"]))["role"] == "player"


async def test_what_a_gm_made_before_he_was_thrown_out_opens_nothing(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Gwen") as gwen:
        friend = await gwen.ask({**LINK, "role": "gm"})
        await gina.do({"t": "RevokeAccess", "user": gwen.user})
        assert (await redeem(bridge, friend["code"]))["code"] == "auth.code_wrong"


async def test_a_token_that_is_newer_than_the_revocation_lets_in_again(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join("Pia") as pia:
            await gina.do({"t": "RevokeAccess", "user": pia.user})
            await gina.do({"t": "EraseName", "user": pia.user})
            await pia.gone()
        async with bridge.join("Pia") as pia:
            told = {"id": pia.user, "name": "Pia", "role": "player", "online": True, "gone": False}
            assert presence(pia, pia.user) == told, "let in by the operator's token, under the name that it says"
            assert (await pia.do(ROLL[GAME]))["t"] == "ack"


# --- roles ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "role"), [("Pia", "gm"), ("Gwen", "player")])
async def test_who_heard_of_his_role_and_no_more_is_told_the_table_anew(tmp_path, name, role):
    """His line broke between the commit and what the new role sees: what he holds is the old role's."""
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join(name) as somebody:
            pass
        await gina.do({"t": "SetRole", "user": somebody.user, "role": role})
        await gina.settled()
        heard = gina.of("logged")[-1]
        last = {"epoch": gina.welcome["epoch"], "seq": heard["seq"], "hash": heard["hash"]}
        async with bridge.join(name, last=last) as back:
            assert (back.welcome["role"], back.welcome["reset"]) == (role, "role")
            numbers = back.entries["actor/foe"]["numbers"]
            assert (numbers is not None) is (role == "gm"), "what only GMs may know of the opposition"


async def test_a_role_that_changes_counts_at_once_on_open_connections(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        assert (await pia.do({"t": "SetOptions", "options": {"default_tn": 9}}))["code"] == "role.forbidden"
        for role in ("gm", "observer", "player"):
            assert (await gina.do({"t": "SetRole", "user": pia.user, "role": role}))["t"] == "ack"
            await until(lambda role=role: pia.welcome["role"] == role and pia.frames[-1]["t"] in ("caughtUp", "presence"))
            assert (pia.welcome["reset"], pia.welcome.get("from")) == ("role", None)
            assert presence(gina, pia.user)["role"] == role
        assert pia.closed is None
        secret = {**ROLL[GAME], "mode": "secret", "action": "Zyxwv"}
        assert (await gina.do(secret))["t"] == "ack"
        await pia.settled()
        assert b"Zyxwv" not in pia.bytes
    async with serving(tmp_path) as bridge, bridge.join("Pia", "gm") as pia:
        assert pia.welcome["role"] == "player", "the table's role counts, not the token's, after a restart too"


async def test_a_table_keeps_a_gm(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join("Gwen") as gwen:
            down = {"t": "SetRole", "user": gina.user, "role": "player"}
            assert (await gina.do({"t": "RevokeAccess", "user": gwen.user}))["t"] == "ack"
            assert (await gina.do(down))["code"] == "people.last_gm", "whose access was taken back is none"
        assert (await gina.do({"t": "RevokeAccess", "user": gina.user}))["code"] == "people.self"
        as_player = {"t": "Invite", "user": gina.user, "name": "Gina", "role": "player"}
        assert (await gina.do(as_player))["code"] == "people.last_gm"
        assert gina.closed is None
        assert (await gina.do({"t": "SetOptions", "options": {"default_tn": 9}}))["t"] == "ack"


# --- devices -------------------------------------------------------------------------------------------------------
async def test_who_came_with_what_from_where_and_when(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        async with bridge.join("Pia") as pia:
            (device,) = (await person(gina, pia.user))["devices"]
            assert (device["client"], device["version"], device["kind"]) == (CLIENT["name"], CLIENT["version"], "cli")
            assert (device["address"], device["online"], device["gone"]) == ("127.0.0.1", True, False)
            token = pia.token
        await away(bridge, gina, pia.user)
        (left,) = (await person(gina, pia.user))["devices"]
        assert (left["id"], left["online"], left["since"]) == (device["id"], False, device["since"])
        assert left["seen"] >= device["since"]
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        assert (await person(gina, pia.user))["devices"] == [left], "the same after a restart"
        async with await bridge.stranger() as pia:
            await pia.hello(token=token)
            (again,) = (await person(gina, pia.welcome["user"]))["devices"]
            assert (again["id"], again["since"], again["online"]) == (device["id"], device["since"], True)


async def test_addresses_and_clients_are_told_to_gms_alone_and_stand_in_no_commit(tmp_path):
    client, address = "Qponmlkjih", "198.51.100.77"
    settings = {"trust_proxy": "127.0.0.1"}
    async with playing(GAME, tmp_path, **settings) as bridge, bridge.join("Gina") as gina, bridge.join("Quin") as quin:
        token = await bridge.token("Pia")
        for _ in range(2):
            async with await bridge.stranger(additional_headers={"X-Forwarded-For": address}) as pia:
                pia.client = {**CLIENT, "name": client, "kind": "page"}
                await pia.hello(token=token)
                assert (await pia.do(ROLL[GAME]))["t"] == "ack"
                await pia.ask({"t": "makeCode", "kind": "link", "user": pia.welcome["user"]})
                (device,) = (await person(gina, pia.welcome["user"]))["devices"]
                assert (device["client"], device["address"]) == (client, address)
                own = bytes(pia.bytes)
            await away(bridge, gina, pia.welcome["user"])
        await gina.do({"t": "RevokeAccess", "user": pia.welcome["user"], "device": device["id"]})
        await quin.settled()
        places = {"another player's frames": bytes(quin.bytes), "his own frames": own}
        places["metrics"] = bridge.running.metrics.render()
        for stored in await bridge.stored():
            places[f"commit {stored.seq}"] = stored.header + b"".join(stored.parts)
        assert address.encode() in gina.bytes, "the search finds what is there"
        found = [(place, word) for place, text in places.items() for word in (client, address) if word.encode() in text]
        assert not found


async def test_a_server_that_closes_writes_who_was_here_last(tmp_path):
    async with playing(GAME, tmp_path) as bridge:
        gina = await (await bridge.stranger()).hello(token=await bridge.token("Gina"))
        hub = bridge.running.hub
    assert gina.closed is not None or await gina.gone()
    del hub
    async with serving(tmp_path) as bridge, bridge.join("Gwen") as gwen:
        (device,) = (await person(gwen, bridge.user("Gina")))["devices"]
        assert (device["online"], device["seen"] >= device["since"] > 0) == (False, True)


async def test_of_each_person_so_many_devices_are_kept(tmp_path):
    limits = replace(FAST, devices_per_person=3)
    async with playing(GAME, tmp_path, limits=limits) as bridge, bridge.join("Gina") as gina:
        for _ in range(5):
            async with bridge.join("Pia"):
                pass
            await away(bridge, gina, bridge.user("Pia"))
        devices = (await person(gina, bridge.user("Pia")))["devices"]
        assert len(devices) == 3
        assert [one["seen"] for one in devices] == sorted((one["seen"] for one in devices), reverse=True)


async def test_a_table_full_of_people_and_devices_fits_into_one_frame(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        from boonbridge.tables.opening import system
        from boonbridge.tables.ports import DeviceRow
        from boonbridge_schemas.events import Invited

        most = Limits()
        users = [f"u{n:02}" for n in range(most.people - 1)]
        table = await bridge.table()
        await system(table, "fill:people", tuple(("all", Invited(user=user, role="player")) for user in users))
        rows = [
            DeviceRow(
                table=TABLE,
                user=user,
                device=f"d-{n}",
                client="ﷺ" * 80,
                version="9" * 40,
                kind="page",
                address="f" * 80,
                since=1,
                seen=n + 1,
            )
            for user in users
            for n in range(most.devices_per_person)
        ]
        await bridge.running.hub.ports.vault.put_devices(rows, keep=most.devices_per_person)
        answer = await roster(gina)
        assert len(answer["people"]) == most.people
        kept = {len(one["devices"]) for one in answer["people"] if one["id"] in users}
        assert len(kept) == 1
        assert 1 <= kept.pop() < most.devices_per_person
        assert all(one["devices"][0]["seen"] == most.devices_per_person for one in answer["people"] if one["id"] in users)
        assert max(len(line) for line in bytes(gina.bytes).splitlines()) <= most.frame_out


# --- origins -------------------------------------------------------------------------------------------------------
async def test_an_origin_taken_off_the_list_is_gone_at_once(tmp_path):
    other = "https://other.example"
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Quin") as quin:
        for origin in (FOUNDRY, other):
            await gina.do({"t": "Invite", "user": "zoe", "name": "Zoe", "origin": origin})
        assert (await roster(gina))["origins"] == [FOUNDRY, other]
        named = await bridge.token("Olga", origins=(FOUNDRY,))
        async with (
            await bridge.stranger(origin=FOUNDRY) as pia,
            await bridge.stranger(origin=FOUNDRY) as olga,
            await bridge.stranger(origin=other) as gwen,
        ):
            await pia.hello(token=await bridge.token("Pia"))
            await olga.hello(token=named)
            await gwen.hello(token=await bridge.token("Gwen"))
            assert (await gina.do({"t": "RemoveOrigin", "origin": FOUNDRY}))["t"] == "ack"
            assert await pia.gone() == (4404, Close.ORIGIN_UNKNOWN.reason)
            for stays in (olga, gwen, quin, gina):
                await stays.settled()
                assert stays.closed is None
        async with await bridge.stranger(origin=FOUNDRY) as pia:
            await pia.hello(token=await bridge.token("Pia"))
            assert pia.closed[0] == Close.ORIGIN_UNKNOWN
        assert (await roster(gina))["origins"] == [other]
        assert (await gina.do({"t": "RemoveOrigin", "origin": FOUNDRY}))["code"] == "origin.not_listed"


# --- before and beside a hello -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "frame", [{"t": "people"}, LINK, {"t": "dropCode", "code": "0123456789abcdef"}], ids=lambda frame: frame["t"]
)
async def test_nobody_asks_without_a_hello(tmp_path, frame):
    async with playing(GAME, tmp_path) as bridge, await bridge.stranger() as stranger:
        assert (await stranger.ask(frame))["code"] == "auth.required"


async def test_codes_are_paced_like_history(tmp_path):
    limits = replace(FAST, history_per_second=1)
    async with playing(GAME, tmp_path, limits=limits) as bridge, bridge.join("Gina") as gina:
        from boonbridge.net.rates import paces

        assert paces(limits)["history"].rate == (1, 2)
        for _ in range(20):
            await gina.send({**LINK, "id": new_id()})
        await until(lambda: any(frame["code"] == "rate.limited" for frame in gina.of("refused")))
        assert len(gina.of("codeMade")) < 20
