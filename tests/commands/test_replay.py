"""A log looked through in the terminal: whose eyes, from where, one moment of it; nothing is written, and a long one streams."""

import asyncio
import re
import sys

import apsw
import pytest

from boonbridge.store.open import open_store
from boonbridge.tables.ports import TableRow
from tests.support import cli, toy_game
from tests.support.bridge import GAMES, ROLL, TABLE, playing, seat, serving
from tests.support.cli import BOONBRIDGE, inside, run
from tests.support.random_log import written

GAME = "sage_d20"
SECRET = "qwzx-by-stealth"
HIGH = {"id": "high", "label": "High ground"}
GRANT = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": HIGH, "expiry": {"when": "next_roll"}}


async def _played(place):
    """Which commit was what: a grant, the roll that used it up, a turn, a condition, and a roll that players do not see."""
    async with playing(GAME, place) as bridge, bridge.everybody() as people:
        gina, pia = people["Gina"], people["Pia"]
        seqs = {}

        async def does(who, what, cmd):
            answer = await who.do(cmd)
            assert answer["t"] == "ack", answer
            seqs[what] = answer["seq"]

        await does(gina, "evening", {"t": "StartSession", "name": "The Ferry"})
        await does(gina, "grant", GRANT)
        bridge.tape.put(8, 4)
        await does(pia, "roll", {**ROLL[GAME], "action": "over the rail"})
        await does(gina, "turn", {"t": "StartTurn", "actor": "foe", "round": 2})
        await does(gina, "condition", {"t": "SetCondition", "actors": ["hero"], "condition": "frightened"})
        bridge.tape.put(17)
        await does(gina, "hidden", {**ROLL[GAME], "actors": ["foe"], "mode": "gm", "action": SECRET})
        await seat(bridge, "group_d12", table="ferry")
        return seqs | {"head": (await bridge.table()).state.seq}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A folder that nobody serves, and which commit of its table is what."""
    place = tmp_path_factory.mktemp("replay") / "data"
    return place, asyncio.run(_played(place))


def replay(folder, *words, table=TABLE):
    done = inside("replay", "--data", folder, "--table", table, *words)
    assert (done.code, done.err) == (0, ""), done
    return done


def refused(folder, *words):
    return cli.refused("replay", "--data", folder, "--table", TABLE, *words, by=inside)


def contents(folder):
    """Every byte, but for what SQLite makes beside its file for whoever reads; there is nothing in it."""
    files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {
        name: text for name, text in files.items() if name.name != "log.sqlite-shm" and (text or name.name != "log.sqlite-wal")
    }


def test_each_commit_is_a_line_or_more_as_in_tail(log):
    folder, seqs = log
    lines = replay(folder, "--as", "gm").out.splitlines()
    assert re.fullmatch(r"-- \d{4}-\d\d-\d\d", lines[0])
    assert lines[-1] == f"-- the last is #{seqs['head']}"
    # 13 agility is +3; with one Boon the d6 is added: 8 + 3 + 4.
    (rail,) = [line for line in lines if "over the rail" in line]
    assert re.fullmatch(rf"#{seqs['roll']} +\d\d:\d\d  Hero: over the rail  d20:8 d6:4 = 15 vs 12  Success", rail)
    assert sorted({int(line[1:6]) for line in lines if line.startswith("#")}) == list(range(1, seqs["head"] + 1))
    assert replay(folder, "--as", "gm", "--from", seqs["turn"]).out.splitlines()[1].startswith(f"#{seqs['turn']} ")


def test_records_are_those_that_a_server_tells(log):
    folder, seqs = log

    async def asked():
        async with serving(folder) as bridge, bridge.join("Olga") as olga:
            page = await olga.ask({"t": "history", "after": 0, "limit": 200})
            return page["commits"], await asyncio.to_thread(replay, folder, "--as", "Olga", "--json")

    told, beside = asyncio.run(asked())
    assert [commit["seq"] for commit in told] == list(range(1, seqs["head"] + 1))
    assert beside.records == told, "also beside a server that uses the folder"
    assert replay(folder, "--as", "observer", "--json").records == told


def test_whoever_s_eyes_are_meant_and_no_other_s(log):
    folder, seqs = log
    for who, sees in (("player", False), ("observer", False), ("Pia", False), ("gm", True), ("Gina", True)):
        for more in ((), ("--json",), ("--at", seqs["hidden"]), ("--at", seqs["hidden"], "--json")):
            assert (SECRET in replay(folder, "--as", who, *more).out) is (sees and "--at" not in more), (who, more)
    assert SECRET not in replay(folder).out, "by default anybody's"
    assert re.search(rf"#{seqs['hidden']} +\(not for you\)", replay(folder).out)
    assert refused(folder, "--as", "Zoe") == "There is nobody called 'Zoe' at this table. `boonbridge people` lists everybody."


def test_a_moment_in_words(log):
    folder, seqs = log
    shown = replay(folder, "--at", seqs["grant"]).out.splitlines()
    assert shown[0].startswith(f"Tests of sage_d20 after #{seqs['grant']}, ")
    assert shown[1:] == [
        "evening 1: The Ferry",
        "Hero (hero, party)",
        f"  boon: High ground (#{seqs['grant']}.1, until the next roll)",
        "Friend (friend, party)",
        "  nothing stands on it",
        "Foe (foe, opposition)",
        "  nothing stands on it",
    ]
    assert "High ground" not in replay(folder, "--at", seqs["roll"]).out, "the roll used it up"
    later = replay(folder, "--at", seqs["condition"]).out
    assert "round 2: the turn of foe" in later
    assert "  Frightened" in later
    assert replay(folder, "--at", 0).out == "tests after #0: the empty table\n"
    pool = replay(folder, "--at", 4, table="ferry").out
    assert "the group holds 0 of 10 Boons" in pool


def test_a_moment_in_records(log):
    folder, seqs = log
    then = {record["key"]: record for record in replay(folder, "--at", seqs["grant"], "--json").records}
    assert {record["seq"] for record in then.values()} == {seqs["grant"]}
    (grant,) = then["grants/hero"]["value"]["grants"]
    assert (grant["sign"], grant["source"]["label"], grant["expiry"]["when"]) == ("boon", "High ground", "next_roll")
    assert not any(key.startswith("check/") for key in then), "of a moment that is past nobody is asked"
    assert then["actor/foe"]["value"]["numbers"] is None, "which players may not know"
    for_gms = {record["key"]: record["value"] for record in replay(folder, "--at", seqs["grant"], "--as", "gm", "--json").records}
    assert for_gms["actor/foe"]["numbers"]["values"][-1] == {"key": "defense", "label": "", "value": 37}


def test_what_there_is_not(log, tmp_path):
    folder, seqs = log
    said = f"The log of table 'tests' has {seqs['head']} commits."
    assert refused(folder, "--at", seqs["head"] + 1) == refused(folder, "--from", seqs["head"] + 1) == said
    assert refused(folder, "--at", 2, "--from", 1).startswith("--at shows one moment, --from the log from a commit on")
    for words in (("--at", -1), ("--from", 0), ("--at", "x")):
        assert inside("replay", "--data", folder, "--table", TABLE, *words).code == 2
    assert "There is no table 'x'" in cli.refused("replay", "--data", folder, "--table", "x", by=inside)
    assert "`boonbridge serve` makes one" in cli.refused("replay", "--data", tmp_path / "none", by=inside)
    assert not (tmp_path / "none").exists()
    assert inside("table", "new", "mine", "--data", tmp_path / "d", "--ruleset", toy_game.__file__).code == 0
    assert "--ruleset FILE.py" in cli.refused("replay", "--data", tmp_path / "d", by=inside)
    assert inside("replay", "--data", tmp_path / "d", "--ruleset", toy_game.__file__).code == 0


def test_nothing_is_written(log):
    folder, seqs = log
    before = contents(folder)
    replay(folder, "--as", "Pia")
    replay(folder, "--at", seqs["turn"])
    assert contents(folder) == before


def test_whoever_has_seen_enough_may_go(log):
    folder, _ = log
    command = " ".join([*BOONBRIDGE, "replay", "--data", str(folder), "--table", TABLE])
    done = run("-c", f"set -o pipefail; {command} | head -1", program=("bash",))
    assert done.code == 0, done
    assert (len(done.out.splitlines()), done.err) == (1, "")


def test_a_damaged_commit_is_named_and_what_came_before_it_shown(log, tmp_path):
    folder, seqs = log
    for path in folder.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    database = apsw.Connection(str(tmp_path / "log.sqlite"))
    database.execute("UPDATE commits SET part_all = CAST('{' AS BLOB) WHERE table_id = ? AND seq = ?", (TABLE, seqs["roll"]))
    database.close()
    done = inside("replay", "--data", tmp_path, "--table", TABLE)
    assert done.code == 1
    assert done.err == f"boonbridge: table tests: commit {seqs['roll']} is not what was written, and cannot be read.\n"
    for command in (("--at", seqs["hidden"]), ("--as", "Pia")):
        assert f"commit {seqs['roll']} is not what was written" in refused(tmp_path, *command)
    assert replay(tmp_path, "--at", seqs["grant"]).out


MEASURED = """
import sys, tracemalloc
from boonbridge import cli
from boonbridge.commands import replaying
tracemalloc.start()
try:
    cli.app(sys.argv[1:])
except SystemExit:
    pass
print(tracemalloc.get_traced_memory()[1], file=sys.stderr)
"""


@pytest.mark.long  # a log of some thousand commits, every object counted
def test_a_long_log_takes_no_more_memory_than_a_short_one(tmp_path):
    async def grow(commits):
        async with playing(GAME, tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
            while pia.seq < commits:
                await asyncio.gather(*(pia.do(ROLL[GAME]) for _ in range(50)))

    peaks = []
    for commits in (1_500, 4_000):  # the last 400 deeds are remembered by then
        asyncio.run(grow(commits))
        done = run("-c", MEASURED, "replay", "--data", tmp_path, "--json", program=(sys.executable,), timeout=120)
        assert (done.code, done.out.count("\n") >= commits) == (0, True)
        peaks.append(int(done.err))
    assert peaks[1] < peaks[0] * 1.2, peaks


@pytest.mark.long  # each game's own words for its own evening
@pytest.mark.parametrize("game", GAMES)
def test_the_log_of_an_evening_of_each_game_is_told_whoever_looks(tmp_path, game):
    commits, keys, state = asyncio.run(written(game, 400))

    async def put():
        store = open_store(tmp_path)
        try:
            row_id = commits[0].table
            await store.tables.add_table(TableRow(id=row_id, title="At random", ruleset=game, created=1))
            for epoch, key in keys.items():
                await store.vault.put_table_key(row_id, epoch, key)
            for commit in commits:
                await store.log.append([commit])
            return row_id
        finally:
            await store.aclose()

    table = asyncio.run(put())
    for who in ("gm", "player", "pia"):
        records = inside("replay", "--data", tmp_path, "--table", table, "--as", who, "--json").records
        assert [record["seq"] for record in records] == list(range(1, state.seq + 1))
        assert inside("replay", "--data", tmp_path, "--table", table, "--as", who).code == 0
        assert inside("replay", "--data", tmp_path, "--table", table, "--as", who, "--at", state.seq // 2).code == 0
