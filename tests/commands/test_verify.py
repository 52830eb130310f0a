"""``boonbridge verify`` on folders and files: what it says of good ones, and how it names what does not hold."""

import asyncio
import json
import shutil

import apsw
import msgspec
import pytest

from boonbridge.core.chain import head_mark
from boonbridge.store.headmark import HeadMark
from boonbridge.store.open import open_store
from tests.reading.common import file_of, log
from tests.support import damage
from tests.support.bridge import ROLL, playing
from tests.support.cli import inside

FEW = 64


async def _folder(place, logs):
    store = open_store(place)
    try:
        for row, commits, keys in logs:
            await store.tables.add_table(row)
            for epoch, key in keys.items():
                await store.vault.put_table_key(row.id, epoch, key)
            for commit in commits:
                await store.log.append([commit])
            store.marks.note(row.id, max(keys), commits[-1].seq, commits[-1].hash, keys[max(keys)])
    finally:
        await store.aclose()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with one table, to be copied."""
    place = tmp_path_factory.mktemp("verify") / "data"
    asyncio.run(_folder(place, [log("sage_d20", FEW)]))
    return place


@pytest.fixture
def folder(kept, tmp_path):
    return shutil.copytree(kept, tmp_path / "data")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "house-player.jsonl"
    path.write_bytes(b"".join(file_of(*log("sage_d20", FEW), "player")))
    return path


def altered(folder, statement, *values):
    database = apsw.Connection(str(folder / "log.sqlite"))
    try:
        database.execute(statement, values).fetchall()
        assert database.changes() > 0
    finally:
        database.close()


def failing(*words):
    done = inside("verify", *words)
    assert done.code == 1, done
    return done


# --- a folder -----------------------------------------------------------------------------------------------------------
def test_a_good_folder_says_what_was_checked(folder):
    done = inside("verify", "--data", folder)
    assert (done.code, done.err) == (0, "")
    _, commits, keys = log("sage_d20", FEW)
    first, *rest = done.out.splitlines()
    assert first.startswith(f"Table house (The house): {FEW} commits, the last of ")
    assert first.endswith("Everything holds.")
    assert f"  every commit in its place, its hash over the one before it; the last is {commits[-1].hash.hex()}" in rest
    assert "  every event recomputed by the rules" in rest
    assert "  its end: the mark that is kept beside the log" in rest
    assert sum("a new epoch of seeds began" in line for line in rest) == len(keys) - 1
    assert rest[-1] == "The database is sound (integrity_check)."


def test_the_folder_of_a_bridge_can_be_verified_while_it_plays(tmp_path):
    async def play():
        async with playing("sage_d20", tmp_path / "data", seeded=True) as bridge, bridge.join("Gina", "gm") as gina:
            for _ in range(3):
                assert (await gina.do(ROLL["sage_d20"]))["t"] == "ack"
            done = await asyncio.to_thread(inside, "verify", "--data", tmp_path / "data")
            assert (await gina.do(ROLL["sage_d20"]))["t"] == "ack"
            return done

    done = asyncio.run(play())
    assert (done.code, done.err) == (0, "")
    assert "every event recomputed by the rules" in done.out


def test_nothing_in_the_folder_is_changed_by_looking(folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert inside("verify", "--data", folder).code == 0
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert {name: text for name, text in after.items() if not name.endswith(("-wal", "-shm"))} == {
        name: text for name, text in before.items() if not name.endswith(("-wal", "-shm"))
    }


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE commits SET header = replace(header, '\"epoch\":1', '\"epoch\":9') WHERE seq = 9", "commit 9: "),
        ("UPDATE commits SET part_all = CAST(replace(part_all, 'e', 'f') AS BLOB) WHERE seq = 9", "commit 9: its hash does not"),
        ("UPDATE commits SET part_gm = x'7b' WHERE seq = 9", "commit 9: its hash does not follow"),
        ("UPDATE commits SET hash = zeroblob(32) WHERE seq = 9", "commit 9: its hash does not follow"),
        ("UPDATE commits SET by = 'gina2' WHERE seq = 9", "commit 9: its parts name different senders or ids"),
        ("UPDATE commits SET by = CAST(x'ff' AS TEXT) WHERE seq = 9", "commit 9: it cannot be read"),
        ("UPDATE commits SET command_id = 'another' WHERE seq = 9", "commit 9: its parts name different senders or ids"),
        ("UPDATE commits SET header = x'ff' WHERE seq = 9", "commit 9: its header is not one, or was damaged"),
        ("UPDATE commits SET header = '{\"format\":9}' WHERE seq = 9", "commit 9: "),
        ("DELETE FROM commits WHERE seq = 9", "commit 9: it is missing; after commit 8 comes commit 10"),
        ("DELETE FROM commits WHERE seq = 1", "commit 1: it is missing; at the beginning comes commit 2"),
        ("DELETE FROM commits WHERE seq > 60", "the log ends before the mark that is kept beside it: its end was cut off"),
        ("DELETE FROM table_keys", "the key that its seeds come from is not here"),
    ],
)
def test_what_does_not_hold_is_named(folder, statement, says):
    statement = statement.replace("replace(header", "CAST(replace(header").replace("') WHERE", "') AS BLOB) WHERE")
    statement = statement.replace("'{\"format\":9}'", "CAST('{\"format\":9}' AS BLOB)")
    altered(folder, statement)
    done = failing("--data", folder)
    assert done.err.startswith("boonbridge: table house: "), done
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_log_whose_end_was_replaced_is_named(folder):
    altered(folder, "UPDATE commits SET hash = zeroblob(32) WHERE seq = ?", FEW)
    assert f"commit {FEW}: its hash does not follow" in failing("--data", folder).err
    (folder / "heads" / "head-house").write_bytes(b"{}")
    assert "does not follow" in failing("--data", folder).err


def test_a_mark_that_is_not_ours_is_named_and_a_missing_one_said(folder):
    mark = folder / "heads" / "head-house"
    mark.write_bytes(mark.read_bytes().replace(b'"seq":', b'"seq":1'))
    assert "the mark that is kept beside it was not made with this table's key" in failing("--data", folder).err
    mark.unlink()
    done = inside("verify", "--data", folder)
    assert done.code == 0
    assert (
        "  there is no mark beside the log, so an end that was cut off or written anew could not be seen" in done.out.splitlines()
    )


def test_a_mark_that_lags_is_said_to_reach_no_farther_than_it_does(folder):
    """An old mark is a good one: whoever puts it back with an end of his own making is not told that the end was checked."""
    row, commits, keys = log("sage_d20", FEW)
    epoch = json.loads(commits[39].header)["epoch"]
    mac = head_mark(keys[epoch], row.id, epoch, 40, commits[39].hash)
    mark = HeadMark(table=row.id, epoch=epoch, seq=40, hash=commits[39].hash, mac=mac)
    (folder / "heads" / "head-house").write_bytes(msgspec.json.encode(mark))
    said = inside("verify", "--data", folder).out
    assert "the mark that is kept beside the log is that of commit 40: what comes after it could have been written anew" in said
    assert "its end: the mark" not in said


def test_damaged_pages_are_named_and_no_traceback(folder):
    damage.overwrite(folder / "log.sqlite", "commits", which=[3])
    done = failing("--data", folder)
    assert "The database in " in done.err
    assert "table house: commit " in done.err
    assert "it cannot be read" in done.err


def test_every_table_is_looked_at_and_one_that_is_broken_does_not_hide_the_others(tmp_path):
    place = tmp_path / "data"
    row, commits, keys = log("sage_d20", FEW)
    asyncio.run(_folder(place, [(row, commits, keys)]))
    altered(place, "INSERT INTO tables (id, title, ruleset, created) VALUES ('empty', 'Nothing yet', 'group_d12', 2)")
    altered(place, "UPDATE commits SET part_all = x'7b7d' WHERE seq = 9")
    done = failing("--data", place)
    assert "table house: commit 9" in done.err
    assert "Table empty (Nothing yet): empty, nothing was ever written." in done.out.splitlines()
    done = inside("verify", "--data", place, "--table", "empty")
    assert (done.code, done.err) == (0, "")


def test_a_table_of_a_game_that_is_not_here_is_checked_as_far_as_can_be(tmp_path):
    place = tmp_path / "data"
    asyncio.run(_folder(place, [log("sage_d20", FEW)]))
    altered(place, "UPDATE tables SET ruleset = 'gone'")
    done = inside("verify", "--data", place)
    assert done.code == 0  # the headers say which game it is, and that one is here
    assert "every event recomputed by the rules" in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--table", "nowhere"), "nowhere"),
        (("--ruleset", "nothing.py"), "there is no such file"),
    ],
)
def test_what_is_not_there_is_said(folder, words, says):
    done = failing("--data", folder, *words)
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_folder_that_is_none_is_said(tmp_path):
    assert "There is no " in failing("--data", tmp_path / "nowhere").err
    assert not (tmp_path / "nowhere").exists()


# --- a file -------------------------------------------------------------------------------------------------------------
def test_a_good_file_says_what_was_checked_and_what_could_not(file, folder):
    done = inside("verify", file)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith(f"{file}: table house (The house): {FEW} commits, the last of ")
    assert "  inputs hidden: chain, promises and shown dice only" in lines
    unmarked = "Its mark was not checked, so it is not shown which bridge wrote any of it"
    assert f"  its end: count and last hash. {unmarked}: --data says where the table's key is" in lines
    done = inside("verify", file, "--data", folder)
    assert "  its end: count, last hash, and the mark that only the bridge of this table can make" in done.out.splitlines()


def test_an_export_from_before_a_backup_was_put_back_is_not_said_to_be_of_another_bridge(tmp_path):
    """The epoch it ends in was left behind: what stands in its place in the folder marked nothing, and tells nothing."""
    data, evening = tmp_path / "data", tmp_path / "evening.jsonl"
    assert inside("table", "new", "main", "--data", data).code == 0
    assert inside("backup", "--data", data, "--out", tmp_path / "kept.zip").code == 0
    for title in ("A", "B"):
        assert inside("restore", tmp_path / "kept.zip", "--data", data, "--yes").code == 0
        done = inside("rename", "main", title, "--data", data)
        assert (done.code, done.out, done.err) == (0, f"Table main is called {title} now.\n", "")
        if title == "A":
            assert inside("export", "--data", data, "--out", evening).code == 0
            assert "the mark that only the bridge of this table can make" in inside("verify", evening, "--data", data).out
    done = inside("verify", evening, "--data", data)
    assert (done.code, done.err) == (0, "")
    assert "the table's key of that epoch is not in this folder" in done.out


def test_a_file_of_another_bridge_is_said(file, tmp_path):
    row, commits, keys = log("group_d12", FEW)
    asyncio.run(_folder(tmp_path / "other", [(row, commits, keys)]))
    done = failing(file, "--data", tmp_path / "other")
    assert "another bridge wrote it, or it was cut off" in done.err
    altered(tmp_path / "other", "DELETE FROM table_keys")
    assert "the table's key of that epoch is not in this folder" in inside("verify", file, "--data", tmp_path / "other").out


def test_a_complete_file_is_recomputed(tmp_path):
    path = tmp_path / "house.jsonl"
    path.write_bytes(b"".join(file_of(*log("sage_d20", FEW))))
    assert "  every event recomputed by the rules" in inside("verify", path).out.splitlines()


def test_a_damaged_file_is_named_in_one_line(file):
    data = file.read_bytes()
    for changed, says in (
        (data.replace(b'"seq":9,', b'"seq":10,', 1), "commit 9: it is missing; after commit 8 comes commit 10"),
        (data[: len(data) // 2], "the file ends after commit"),
        (data + b"\n", "it goes on after its end"),
        (data.replace(b"The house", b"The mouse", 1), "a byte of it was changed since it was written"),
        (b"what is this", "the file ends before its first commit: it was cut off"),
        (b"what is this\n", "its first line is not the head of an export"),
    ):
        assert changed != data
        file.write_bytes(changed)
        done = failing(file)
        assert done.err.startswith(f"boonbridge: {file}: "), done
        assert says in done.err
        assert (done.out, done.err.count("\n")) == ("", 1)


def test_what_is_no_file_is_said(tmp_path, file):
    assert "cannot be read" in failing(tmp_path / "nothing.jsonl").err
    assert "cannot be read" in failing(tmp_path).err
    assert "Leave --table out" in failing(file, "--table", "house").err
