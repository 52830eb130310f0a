"""A name that is erased: shown nowhere, in no file of the folder, and the log is byte for byte what it was."""

import pytest

from boonbridge.tables.identity import user_id
from boonbridge.tables.ports import StoreUnavailable
from tests.net.test_people import GAME, LINK, PAGE, presence, redeem, roster, written
from tests.support.bridge import ROLL, playing, serving
from tests.support.names import user_id as bare
from tests.support.wait import until

NAME = "Zyxwvutsrq"
ERASE = "EraseName"


def files_with(folder, word=NAME):
    """The files in which a word stands, in whatever case."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.name for path in files if word.lower().encode() in path.read_bytes().lower()}


async def let_in(bridge, gm, name=NAME):
    """Somebody invited by a link, who plays: his id and his token."""
    made = await gm.ask({**LINK, "name": name})
    paired = await redeem(bridge, made["code"])
    async with await bridge.stranger() as zoe:
        await zoe.hello(token=paired["token"])
        assert zoe.welcome["name"] == name
        sync = {"t": "SyncActor", "actor": "wolf", "name": "Wolf", "side": "party", "owners": [made["user"]]}
        await gm.do({**sync, "numbers": {"values": [{"key": "agility", "value": 12}]}})
        assert (await zoe.do({**ROLL[GAME], "actors": ["wolf"]}))["t"] == "ack"
    return made["user"], paired["token"]


async def test_a_name_is_in_no_file_any_more_and_the_log_is_what_it_was(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        user, token = await let_in(bridge, gina)
        await gina.ask({"t": "makeCode", "kind": "link", "user": user, "name": f"{NAME} again", "page": PAGE})
        await until(lambda: not presence(gina, user)["online"])
        await written(bridge)
        before = await bridge.stored()
        assert files_with(tmp_path), "the search finds what is there"
        assert (await gina.do({"t": ERASE, "user": user}))["changed"] is True
        await until(lambda: not files_with(tmp_path))
        after = await bridge.stored()
        assert after[: len(before)] == before, "every byte of every commit, and so every hash of the chain"
        assert len(after) == len(before) + 1
        # An invitation from before that was slow to keep it.
        await bridge.running.hub.people.name(await bridge.opened(), user, NAME)
        assert files_with(tmp_path) == set()
        await pia.settled()
        for viewer in (gina, pia):
            assert presence(viewer, user)["name"] == user
            assert NAME.encode() not in bytes(viewer.bytes).rpartition(b'"presence"')[2]
        (told,) = [one for one in (await roster(gina))["people"] if one["id"] == user]
        assert (told["name"], told["named"], told["devices"], told["gone"]) == (user, False, [], False)
        assert (await roster(gina))["codes"] == [], "a code with his name in it"
        assert NAME not in bridge.lines
        async with await bridge.stranger() as zoe:  # his token is good as before, and says the name to nobody but himself
            await zoe.hello(token=token)
            assert (await zoe.do({**ROLL[GAME], "actors": ["wolf"]}))["t"] == "ack"
            await gina.settled()
            assert presence(gina, user) == {"id": user, "name": user, "role": "player", "online": True, "gone": False}
            (told,) = [one for one in (await roster(gina))["people"] if one["id"] == user]
            assert [one["online"] for one in told["devices"]] == [True], "who is here is shown from what is open"
        await until(lambda: not presence(gina, user)["online"])
        await written(bridge)
        assert files_with(tmp_path) == set()
        assert list(await bridge.running.hub.ports.vault.devices("tests"))
        assert all(row.user != user for row in await bridge.running.hub.ports.vault.devices("tests")), "and not written down"
    assert files_with(tmp_path) == set()
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        assert presence(gina, user)["name"] == user
        assert (await bridge.stored())[: len(before)] == before


async def test_a_name_that_could_not_be_deleted_yet_is_when_the_table_is_next_opened(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        user, _ = await let_in(bridge, gina)
        tries = []

        async def forget_person(table, user, **_):
            tries.append((table, user))
            raise StoreUnavailable("the disk is full")

        monkeypatch.setattr(bridge.running.hub.ports.vault, "forget_person", forget_person)
        assert (await gina.do({"t": ERASE, "user": user}))["t"] == "ack"
        await until(lambda: tries)
        assert presence(gina, user)["name"] == user
    assert files_with(tmp_path) == {"log.sqlite"}
    monkeypatch.undo()
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        assert presence(gina, user)["name"] == user
        await until(lambda: not files_with(tmp_path))


async def test_a_code_made_since_outlives_a_restart_and_goes_where_the_name_is_erased_again(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        user, _ = await let_in(bridge, gina)
        await gina.do({"t": ERASE, "user": user})
        await until(lambda: not files_with(tmp_path))
        back = [await gina.ask({"t": "makeCode", "kind": "link", "user": user, "name": NAME}) for _ in range(2)]
        await bridge.running.hub.people._forget(await bridge.opened(), user)  # as it is tried again after a trouble of the store
        assert len((await roster(gina))["codes"]) == 2
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        assert len((await roster(gina))["codes"]) == 2
        await gina.do({"t": ERASE, "user": user})
        assert (await redeem(bridge, back[0]["code"]))["code"] == "auth.code_wrong", "from before, with the name on it"
        assert (await roster(gina))["codes"] == []
        await until(lambda: not files_with(tmp_path))
        again = await gina.ask({"t": "makeCode", "kind": "link", "user": user, "name": "Zoe"})
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        await redeem(bridge, again["code"])
        await gina.settled()
        assert presence(gina, user)["name"] == "Zoe"


async def test_a_name_that_is_erased_while_it_is_written_is_shown_to_nobody(tmp_path, monkeypatch):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        made = await gina.ask({**LINK, "name": NAME})
        vault = bridge.running.hub.ports.vault
        put = vault.put_person

        async def put_person(table, user, name):
            await put(table, user, name)
            await bridge.do({"t": ERASE, "user": user})

        monkeypatch.setattr(vault, "put_person", put_person)
        await redeem(bridge, made["code"])
        await gina.settled()
        assert presence(gina, made["user"])["name"] == made["user"]
        await until(lambda: not files_with(tmp_path))


async def test_one_s_own_name_and_a_new_one(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gina") as gina:
        user, _ = await let_in(bridge, gina)
        await gina.do({"t": ERASE, "user": gina.user})
        await gina.settled()
        assert presence(gina, gina.user)["name"] == gina.user
        assert (await gina.do({"t": ERASE, "user": user}))["changed"] is True
        back = await gina.ask({"t": "makeCode", "kind": "link", "user": user})
        await redeem(bridge, back["code"], "Typed anew")
        await gina.settled()
        assert presence(gina, user)["name"] == "Typed anew", "who has no name is called what he types"
        await gina.do({"t": ERASE, "user": user})
        named = await gina.ask({"t": "makeCode", "kind": "link", "user": user, "name": "Written by the GM"})
        await redeem(bridge, named["code"], "Typed")
        await gina.settled()
        assert presence(gina, user)["name"] == "Written by the GM"
    async with serving(tmp_path) as bridge, bridge.join("Gina") as gina:
        assert presence(gina, user)["name"] == "Written by the GM", "named anew is not erased at the next start"


async def test_an_id_does_not_give_the_name_away(tmp_path):
    """What stays in the log is keyed with the node's secret, or random: nobody finds the name by hashing all names."""
    async with playing(GAME, tmp_path) as bridge:
        code = await bridge.running.hub.pairing.new_code("tests")
        paired = await redeem(bridge, code, NAME)
        key = await bridge.running.signing_key()
        assert paired["user"] == user_id(key, "tests", NAME)
        assert paired["user"] == user_id(key, "tests", f" {NAME.upper()} "), "the same name is the same person"
        assert paired["user"] not in {user_id(b"another key", "tests", NAME), user_id(key, "other", NAME), bare("tests", NAME)}


async def test_who_is_known_by_name_keeps_his_id(tmp_path):
    """Ids from before were a bare hash of the name."""
    async with playing(GAME, tmp_path) as bridge:
        async with bridge.join("Gina") as gina, bridge.join("Pia"):
            assert gina.user == bare("tests", "Gina")
        code = await bridge.running.hub.pairing.new_code("tests")
        paired = await redeem(bridge, code, " gina")
        assert (paired["user"], paired["role"]) == (gina.user, "gm")
        code = await bridge.running.hub.pairing.new_code("tests")
        other = await redeem(bridge, code, "Pia")
        assert other["user"] != bridge.user("Pia"), "the operator's code makes no player a GM by his name"
        assert other["role"] == "gm"
        async with bridge.join("Gina") as gina:
            assert presence(gina, bridge.user("Pia"))["role"] == "player"


@pytest.mark.parametrize("name", ["Pia"])
async def test_two_who_pair_with_the_name_of_a_player_are_two(tmp_path, name):
    async with playing(GAME, tmp_path) as bridge:
        async with bridge.join(name):
            pass
        users = set()
        for _ in range(2):
            code = await bridge.running.hub.pairing.new_code("tests")
            users.add((await redeem(bridge, code, name))["user"])
        assert len(users) == 1, "the second is the GM of that name, on another device"
