"""A backup put back under people who saw what came after it, and other reasons for a new epoch of seeds.

None that was shown is served again, whenever a crash comes: whoever knows them all finds no command id that gives him a face.
"""

import asyncio
import hashlib
import hmac
import itertools
import time
import zipfile
from base64 import urlsafe_b64encode

import apsw
import pytest

from boonbridge.store.backup import back_up
from boonbridge.store.restoring import unpacked
from boonbridge.tables.ports import StoreUnavailable
from tests.support.bridge import ROLL, TABLE, playing, serving
from tests.support.cli import inside
from tests.support.people import new_id
from tests.support.proofs import proven

ROLL = ROLL["sage_d20"]


def mark(folder, reason="restored", table=TABLE):
    """As a backup that was put back, or a log from elsewhere, lies in a folder."""
    database = apsw.Connection(str(folder / "log.sqlite"))
    database.execute("UPDATE tables SET restart = ? WHERE id = ?", (reason, table))
    database.close()


def restarts(commits):
    """The epochs that a log began, with their reasons."""
    events = [event for commit in commits for event in commit["events"]]
    return [(event["epoch"], event["reason"]) for event in events if event["t"] == "LadderRestarted"]


async def told(person):
    return (await person.ask({"t": "history", "limit": 200}))["commits"]


@pytest.mark.parametrize("reason", ["restored", "imported"])
async def test_a_row_that_asks_for_it_begins_one_new_epoch_and_asks_no_more(tmp_path, reason):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        await pia.do(ROLL)
    mark(tmp_path, reason)
    for _ in range(2):
        async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
            assert pia.welcome["epoch"] == 2
            assert restarts(await told(pia)) == [(2, reason)]
            assert [row.restart for row in await bridge.running.hub.list_tables()] == [""]
            assert (await pia.do(ROLL))["t"] == "ack"


async def test_a_crash_before_the_commit_leaves_a_key_that_is_never_used(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge:
        before = await bridge.footprint()
    mark(tmp_path)
    async with serving(tmp_path, seeded=True) as bridge:
        bridge.mistakes = True

        async def full(_):
            raise StoreUnavailable("full")

        monkeypatch.setattr(bridge.running.hub.ports.store, "append", full)
        async with await bridge.stranger() as pia:
            await pia.hello(token=await bridge.token("Pia"))
            assert pia.closed[0] == 1013
        monkeypatch.undo()
        assert await bridge.footprint() == before
        vault = bridge.running.hub.ports.vault
        shown = await vault.table_key(TABLE, 2)  # it might have been of a life that this log knows nothing of
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        assert restarts(await told(pia)) == [(3, "restored")]
        vault = bridge.running.hub.ports.vault
        assert len({await vault.table_key(TABLE, epoch) for epoch in (1, 2, 3)} | {shown}) == 3


async def test_a_crash_behind_the_commit_begins_another_one(tmp_path, monkeypatch):
    async with playing("sage_d20", tmp_path, seeded=True):
        pass
    mark(tmp_path)
    async with serving(tmp_path, seeded=True) as bridge:
        bridge.mistakes = True

        async def full(_):
            raise StoreUnavailable("full")

        monkeypatch.setattr(bridge.running.hub._tables, "restarted", full)
        async with await bridge.stranger() as pia:
            await pia.hello(token=await bridge.token("Pia"))
            assert pia.closed[0] == 1013
    monkeypatch.undo()
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        assert restarts(await told(pia)) == [(2, "restored"), (3, "restored")]


async def test_a_table_that_had_no_commit_yet_begins_with_seeds_of_its_own(tmp_path):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        await pia.do(ROLL)
        shown = {frame["seeds"]["all"] for frame in await told(pia)}
    database = apsw.Connection(str(tmp_path / "log.sqlite"))
    database.execute("DELETE FROM commits")
    database.close()
    for _ in range(2):
        async with serving(tmp_path, seeded=True) as bridge, bridge.join("Gina") as gina:
            assert gina.welcome["epoch"] == 2
            assert restarts(await told(gina)) == [(2, "log_cut")]
            await gina.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party"})
            assert not shown & {frame["seeds"]["all"] for frame in await told(gina)}


# --- a backup, put back (issue 8, show 5) --------------------------------------------------------------------------

ATTACKS = 10
WANTED = 20


def foreseen(seed, id):
    """The face of the first d20 of a command, by protocol section 6 and nothing of ours."""
    field = lambda value: len(value).to_bytes(4, "big") + value  # noqa: E731
    for attempt in itertools.count():
        message = field(id.encode()) + field(b"0") + field(b"%d" % attempt)
        x = int.from_bytes(hmac.digest(bytes.fromhex(seed), message, hashlib.sha256)[:8], "big")
        if x < 2**64 - 2**64 % 20:
            return x % 20 + 1
    raise AssertionError


class Cheat:
    """Somebody who keeps every seed he was ever shown, and looks for ids that make dice of them fall as he wants."""

    def __init__(self):
        self.seeds = {}
        self._ids = (urlsafe_b64encode(hashlib.sha256(b"%d" % n).digest()).decode()[:22] for n in itertools.count())

    def saw(self, person):
        for frame in person.of("logged"):
            for part, seed in frame["seeds"].items():
                self.seeds.setdefault((frame["seq"], part), set()).add(seed)

    def id_for(self, seq, part):
        """An id that gives the face he wants if a seed that he saw at that place comes again, whichever of them."""
        seen = self.seeds[seq, part]
        assert seen, "he knows what was there"
        return next(id for id in self._ids if all(foreseen(seed, id) == WANTED for seed in seen))

    async def tries(self, person, mode, part):
        """Roll again and again with ids that were looked for; id, seed and face of each roll."""
        rolled = []
        for _ in range(ATTACKS):
            id = self.id_for(person.seq + 1, part)
            assert (await person.do({**ROLL, "mode": mode}, id=id))["t"] == "ack"
            frame = person.of("logged")[-1]
            assert frame["id"] == id
            rolled.append((id, frame["seeds"][part], frame["events"][0]["result"]["dice"][0]["face"]))
        return rolled


async def played(folder, cheat, *, last=None, file=None, mode, who):
    """Play on, make a backup in the middle where a file for it is named; the position at the end, and ids that came after."""
    async with serving(folder, seeded=True) as bridge, bridge.join(who, last=last) as person:
        await person.do({**ROLL, "mode": mode})
        if file is not None:
            await asyncio.to_thread(back_up, folder, file, secret_file=None, bridge="1", made=time.time_ns() // 1_000_000)
        ids = [new_id() for _ in range(ATTACKS + 6)]
        for id in ids:
            await person.do({**ROLL, "mode": mode}, id=id)
        cheat.saw(person)
        return person.last, ids


def put_back(file, folder):
    with unpacked(file, folder, secret_file=None) as (_, do):
        do("T")


@pytest.fixture(params=[("Pia", "public", "all"), ("Gina", "secret", "gm")], ids=["a player", "a GM"])
async def evening(request, tmp_path):
    """A table that was backed up, and somebody who knows what was rolled since."""
    who, mode, part = request.param
    async with playing("sage_d20", tmp_path / "d", seeded=True):
        pass
    cheat, file = Cheat(), tmp_path / "b.zip"
    last, ids = await played(tmp_path / "d", cheat, file=file, mode=mode, who=who)
    return cheat, file, last, ids, who, mode, part


async def test_after_a_restore_no_seed_is_served_twice(tmp_path, evening):
    cheat, file, last, ids, who, mode, part = evening
    for life, folder in enumerate((tmp_path / "d", tmp_path / "d", tmp_path / "elsewhere")):
        put_back(file, folder)
        known = set().union(*cheat.seeds.values())
        async with serving(folder, seeded=True) as bridge, bridge.join(who, last=last) as person:
            epoch = life + 2 if folder.name == "d" else 2  # another machine does not know what was begun here
            assert (person.welcome["epoch"], person.welcome["from"]) == (epoch, None)
            assert person.welcome["head"] < last["seq"], "what he saw is not there any more"
            backed = len(await told(person))
            rolled = await cheat.tries(person, mode, part)
            assert {face for _, _, face in rolled} != {WANTED}, "what he foresaw came"
            assert not known & {seed for _, seed, _ in rolled}
            # No seed that he ever saw says what falls here, at whatever place it was shown.
            assert not [seed for seed in known if all(foreseen(seed, id) == face for id, _, face in rolled)]
            assert [foreseen(seed, id) for id, seed, _ in rolled] == [face for _, _, face in rolled], (
                "his dice are what he is shown"
            )
            # What he still had to send is decided once, and anew.
            for _ in range(2):
                assert [(await person.do({**ROLL, "mode": mode}, id=id))["t"] for id in ids[:2]] == ["ack"] * 2
            commits = await told(person)
            assert len(commits) == backed + ATTACKS + 2
            assert restarts(commits)[-1] == (epoch, "restored")
            for commit in commits:
                await proven(person, commit["seq"])
            cheat.saw(person)
            last = person.last
        done = await asyncio.to_thread(inside, "verify", "--data", folder)
        assert (done.code, done.err) == (0, ""), done


async def test_a_copy_that_was_only_unpacked_would_serve_them_again(tmp_path, evening):
    """What the test before this one looks for can be found: by hand, and without a new epoch, every face is foreseen."""
    cheat, file, last, _, who, mode, part = evening
    folder = tmp_path / "by-hand"
    folder.mkdir(mode=0o700)
    with zipfile.ZipFile(file) as packed:
        for name in ("log.sqlite", "node.key"):
            (folder / name).write_bytes(packed.read(name))
            (folder / name).chmod(0o600)
    async with serving(folder, seeded=True) as bridge, bridge.join(who, last=last) as person:
        assert person.welcome["epoch"] == 1
        assert {face for _, _, face in await cheat.tries(person, mode, part)} == {WANTED}


async def test_a_backup_that_was_made_while_dice_fell_verifies(tmp_path):
    folder, made = tmp_path / "d", []
    async with playing("sage_d20", folder, seeded=True) as bridge, bridge.everybody() as people:
        stop = asyncio.Event()

        async def roll(name, mode):
            while not stop.is_set():
                assert (await people[name].do({**ROLL, "mode": mode}))["t"] == "ack"

        rolling = [asyncio.ensure_future(roll(*who)) for who in (("Pia", "public"), ("Gina", "secret"), ("Gwen", "gm"))]
        for number in range(3):
            manifest = await asyncio.to_thread(back_up, folder, tmp_path / f"{number}.zip", secret_file=None, bridge="1", made=1)
            made.append(manifest.tables[0])
        stop.set()
        await asyncio.gather(*rolling)
        stored = {commit.seq: commit.hash.hex() for commit in await bridge.stored()}
    assert made[0].seq < made[-1].seq < max(stored), "they were made while dice fell"
    for number, held in enumerate(made):
        assert stored[held.seq] == held.hash
        put_back(tmp_path / f"{number}.zip", tmp_path / f"r{number}")
        done = await asyncio.to_thread(inside, "verify", "--data", tmp_path / f"r{number}")
        assert (done.code, done.err) == (0, ""), done
    async with serving(tmp_path / "r2", seeded=True) as bridge, bridge.join("Pia") as pia:
        assert (await pia.do(ROLL))["t"] == "ack"
        assert pia.seq == made[-1].seq + 2
