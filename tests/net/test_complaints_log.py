"""What people complain about where a log is kept or dice are proven, as far as it shows over sockets."""

import hmac
import json
import os
import shutil
from hashlib import sha256, sha512

import pytest

from boonbridge.net.client import new_id
from boonbridge_schemas.base import PARTS
from tests.net.test_epochs import cut
from tests.support.bridge import ROLL, TABLE, playing, seat, serving
from tests.support.clock import TestClock

GAME = "sage_d20"
AHEAD = 64


def field(data):
    """A length-prefixed field, as the protocol page has it (section 6)."""
    return len(data).to_bytes(4, "big") + data


def seed_of(key, table, epoch, seq, part):
    """What the protocol page makes of a table's key."""
    message = b"".join(field(piece) for piece in (table.encode(), str(epoch).encode(), str(seq).encode()))
    secret = hmac.new(key, message, sha512).digest()
    return sha256(field(secret) + field(b"seed") + field(part.encode())).digest()


async def keys_of(bridge, *epochs):
    return [await bridge.running.hub.ports.vault.table_key(TABLE, epoch) for epoch in epochs]


def as_it_lies(folder, place):
    """The files as a kill leaves them: what is in the kernel's hands is there, what was in ours is not."""
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("*-shm", "lock", "admin.json"))


@pytest.mark.parametrize("when", ["on disk, and nobody told", "accepted, and not on disk"])
async def test_t40_i64_killed_between_accepting_and_telling(tmp_path, monkeypatch, when):
    """Whoever asks again is answered as if nothing had been; it is in the log once, and everybody is told it once."""
    id_ = new_id()
    async with playing(GAME, tmp_path / "data") as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        await pia.do(ROLL[GAME])
        await olga.settled()
        held = olga.last
        table = await bridge.table()
        publish, append = table.publish, table._batcher.append

        def told(committed):
            if committed.told.id == id_:
                as_it_lies(tmp_path / "data", tmp_path / "killed")
            publish(committed)

        async def appended(commit):
            if commit.command_id == id_:
                as_it_lies(tmp_path / "data", tmp_path / "killed")
            return await append(commit)

        if when.startswith("on disk"):
            table.publish = told
        else:
            monkeypatch.setattr(table._batcher, "append", appended)
        first = await pia.do(ROLL[GAME], id=id_)
        assert first["t"] == "ack"
    async with serving(tmp_path / "killed") as bridge:
        before = [commit.command_id for commit in await bridge.stored()]
        assert (id_ in before) is when.startswith("on disk")
        async with bridge.join("Pia") as pia, bridge.join("Olga", last=held) as olga:
            assert olga.welcome["from"] == held["seq"], "she goes on from what she held"
            again = await pia.do(ROLL[GAME], id=id_)
            assert (again["t"], again["seq"]) == ("ack", held["seq"] + 1)
            await olga.settled()
            assert [frame["seq"] for frame in olga.of("logged") if frame["id"] == id_] == [again["seq"]]
        assert [commit.command_id for commit in await bridge.stored()].count(id_) == 1


async def test_i121_whoever_comes_in_is_told_whether_the_dice_are_promised_since_when_and_why(tmp_path):
    async with playing(GAME, tmp_path / "taped") as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["dice"] == {"kind": "taped", "since": 1, "reason": None}
    async with playing(GAME, tmp_path / "data", seeded=True) as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["dice"] == {"kind": "promised", "since": 1, "reason": None}
        await pia.do(ROLL[GAME])
        await pia.settled()
        proven = await pia.ask({"t": "proof", "seq": pia.seq})
        assert len(json.loads(proven["header"])["seedHash"]) == 64, "and the promise for later is kept in the log itself"
        head = pia.seq
    await cut(tmp_path / "data", head - 1)
    async with serving(tmp_path / "data", seeded=True) as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["dice"] == {"kind": "promised", "since": head, "reason": "log_cut"}


async def test_i122_nothing_that_anybody_is_given_lets_him_try_rolls_in_advance(tmp_path):
    """Faces stand in the log; of what is still to come there are hashes, to whoever asks for whatever he may ask for."""
    async with playing(GAME, tmp_path, seeded=True) as bridge, bridge.everybody() as people:
        for _ in range(3):
            assert (await people["Pia"].do(ROLL[GAME]))["t"] == "ack"
        for person in people.values():
            await person.settled()
            await person.ask({"t": "history", "after": 0, "limit": 200})
            for seq in range(1, person.seq + 1):
                await person.ask({"t": "proof", "seq": seq})
        (key,), head = await keys_of(bridge, 1), people["Pia"].seq
        faces = [die["face"] for event in people["Pia"].events("CheckRolled") for die in event["result"]["dice"]]
        assert len(faces) == 3
        assert seed_of(key, TABLE, 1, head, "all").hex().encode() in people["Pia"].bytes, "the search finds what was shown"
        coming = [seed_of(key, TABLE, 1, head + ahead, part) for ahead in range(1, AHEAD + 2) for part in PARTS]
        for person in people.values():
            assert not [seed for seed in (*coming, key) if seed.hex().encode() in person.bytes]
        promised = people["Pia"].welcome["seedHashes"]
        first = people["Pia"].welcome["head"] + 1
        hashes = b"".join(field(sha256(seed_of(key, TABLE, 1, first, part)).digest()) for part in PARTS)
        assert promised[0] == sha256(hashes).hexdigest()


async def test_i123_dice_come_from_a_key_of_the_operating_system_and_not_from_the_time(tmp_path, monkeypatch):
    """At two tables in the same standing moment: other keys, other seeds, and faces that are not the same again and again."""
    given, urandom = [], os.urandom

    def drawn(size):
        given.append(urandom(size))
        return given[-1]

    monkeypatch.setattr("boonbridge.tables.opening.os.urandom", drawn)
    async with playing(GAME, tmp_path, seeded=True, clock=TestClock()) as bridge:
        await seat(bridge, GAME, table="other")
        keys = [await bridge.running.hub.ports.vault.table_key(table, 1) for table in (TABLE, "other")]
        assert len(set(keys)) == 2
        assert set(keys) <= set(given)
        async with bridge.join("Pia") as pia, bridge.join("Pia", table="other") as other:
            for _ in range(40):
                assert [(await one.do(ROLL[GAME]))["t"] for one in (pia, other)] == ["ack"] * 2
            rolled = {
                one: [frame for frame in one.of("logged") if frame["events"][0]["t"] == "CheckRolled"] for one in (pia, other)
            }
        for one, key, table in ((pia, keys[0], TABLE), (other, keys[1], "other")):
            for frame in rolled[one]:
                assert frame["seeds"]["all"] == seed_of(key, table, 1, frame["seq"], "all").hex()
        faces = {one: [frame["events"][0]["result"]["dice"][0]["face"] for frame in rolled[one]] for one in (pia, other)}
        assert len({frame["seeds"]["all"] for one in rolled.values() for frame in one}) == 80
        assert faces[pia] != faces[other]  # the same by chance once in 20 ** 40
        assert min(len(set(each)) for each in faces.values()) > 5
