"""Backups: whole and checked, whoever writes meanwhile; what is no backup, or was altered, is refused before anything is touched."""

import asyncio
import hashlib
import json
import os
import random
import stat
import zipfile

import apsw
import pytest

from boonbridge.store import backup_file
from boonbridge.store.backup import back_up
from boonbridge.store.open import open_store
from boonbridge.store.refused import BackupRefused, FolderInUse, FolderRefused
from boonbridge.store.restoring import unpacked
from boonbridge.tables.ports import TableRow
from tests.store.commits import commit
from tests.support.damage import overwrite
from tests.support.full import largest_file, small_disk
from tests.support.tree import tree

MADE = 1_764_547_200_000


async def fill(folder, last=5, *, tables=("a", "b"), secret_file=None, body=b"{}"):
    """A folder with some tables, their keys and the names of their people."""
    store = open_store(folder, secret_file=secret_file)
    for at, table in enumerate(tables):
        await store.tables.add_table(TableRow(id=table, title=f"Table {table}", ruleset="sage_d20", created=at))
        await store.vault.put_table_key(table, 1, b"k" * 32)
        await store.vault.put_person(table, "u", "Ann")
        for seq in range(1, last + 1):
            await store.log.append([commit(table, seq, body=body)])
    await store.aclose()


def make(folder, target, *, secret_file=None, **how):
    return back_up(folder, target, secret_file=secret_file, bridge="1.2.3", made=MADE, **how)


def put(file, folder, time="T", *, secret_file=None):
    with unpacked(file, folder, secret_file=secret_file) as (_, do):
        return do(time)


async def contents(folder, *, secret_file=None):
    """Everything a folder holds, as a server finds it."""
    store = open_store(folder, secret_file=secret_file)
    rows = await store.tables.list_tables()
    found = {
        row.id: (
            row,
            list(await store.log.read(row.id, after=0, limit=10_000)),
            await store.vault.table_key(row.id, 1),
            await store.vault.people(row.id),
        )
        for row in rows
    }
    await store.aclose()
    return found


def restarting(found):
    """The same with every table about to begin a new epoch."""
    return {
        table: (TableRow(id=row.id, title=row.title, ruleset=row.ruleset, created=row.created, restart="restored"), *rest)
        for table, (row, *rest) in found.items()
    }


@pytest.fixture
async def backup(tmp_path):
    """A good one, of a folder ``old`` beside it."""
    await fill(tmp_path / "old")
    make(tmp_path / "old", tmp_path / "good.zip")
    return tmp_path / "good.zip"


# --- made ----------------------------------------------------------------------------------------------------------


async def test_a_backup_is_one_file_for_its_owner_that_says_what_it_holds(tmp_path):
    await fill(tmp_path / "d")
    (tmp_path / "d" / "boonbridge.toml").write_text("port = 30301\n")
    before = tree(tmp_path / "d", without=("lock", "log.sqlite-shm", "log.sqlite-wal"))
    manifest = make(tmp_path / "d", tmp_path / "b.zip")
    assert tree(tmp_path / "d", without=("lock", "log.sqlite-shm", "log.sqlite-wal")) == before
    assert [path.name for path in tmp_path.iterdir()] in (["d", "b.zip"], ["b.zip", "d"]), "nothing else is left"
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        said = json.loads(packed.read("manifest.json"))
        members = {name: packed.read(name) for name in packed.namelist() if name != "manifest.json"}
    assert said == {
        "format": 1,
        "bridge": "1.2.3",
        "made": MADE,
        "tables": [
            {"id": table, "title": f"Table {table}", "seq": 5, "hash": commit(table, 5).hash.hex()} for table in ("a", "b")
        ],
        "members": {name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in members.items()},
    }
    assert sorted(members) == ["boonbridge.toml", "log.sqlite", "node.key"]
    assert members["node.key"] == (tmp_path / "d" / "node.key").read_bytes()
    assert backup_file.read(tmp_path / "b.zip") == manifest


async def test_a_backup_made_while_others_write_holds_one_moment(tmp_path):
    await fill(tmp_path / "d", 1)
    store = open_store(tmp_path / "d")
    stop = asyncio.Event()

    async def write(table):
        seq = 2
        while not stop.is_set():
            await store.log.append([commit(table, seq, body=b"x" * 3_000)])
            seq += 1

    writers = [asyncio.ensure_future(write(table)) for table in ("a", "b")]
    made = []
    for number in range(4):
        # One after the other: b never has a commit that a had not had before, but for the one under way.
        manifest = await asyncio.to_thread(make, tmp_path / "d", tmp_path / f"{number}.zip")
        made.append({table.id: (table.seq, table.hash) for table in manifest.tables})
    stop.set()
    await asyncio.gather(*writers)
    await store.aclose()
    assert made[0] != made[-1], "they were made while something was written"
    for number, heads in enumerate(made):
        put(tmp_path / f"{number}.zip", tmp_path / f"r{number}")
        for table, (_, commits, key, names) in (await contents(tmp_path / f"r{number}")).items():
            assert heads[table] == (len(commits), commits[-1].hash.hex())
            assert [entry.seq for entry in commits] == list(range(1, len(commits) + 1))
            assert (key, names) == (b"k" * 32, {"u": "Ann"})


async def test_nobody_else_may_read_it_while_it_is_made(tmp_path, monkeypatch):
    await fill(tmp_path / "d")
    seen, real = set(), backup_file.read

    def read(path, *more, **how):
        seen.update(stat.S_IMODE(place.stat().st_mode) for place in (path.parent, *path.parent.iterdir()))
        return real(path, *more, **how)

    monkeypatch.setattr(backup_file, "read", read)
    before = os.umask(0)
    try:
        make(tmp_path / "d", tmp_path / "b.zip")
    finally:
        os.umask(before)
    assert seen == {0o700, 0o600}


async def test_nothing_that_was_deleted_is_in_a_backup(tmp_path):
    await fill(tmp_path / "d")
    store = open_store(tmp_path / "d")
    await store.vault.put_person("a", "v", "Wilhelmine-von-Rosenau")
    await store.vault.forget_person("a", "v")
    await store.aclose()
    make(tmp_path / "d", tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        assert b"Rosenau" not in packed.read("log.sqlite")


async def test_nothing_is_written_over_and_nothing_made_of_nothing(tmp_path):
    with pytest.raises(FolderRefused, match="nothing to back up"):
        make(tmp_path / "none", tmp_path / "b.zip")
    await fill(tmp_path / "d")
    (tmp_path / "b.zip").write_text("mine")
    with pytest.raises(BackupRefused, match="there already"):
        make(tmp_path / "d", tmp_path / "b.zip")
    assert (tmp_path / "b.zip").read_text() == "mine"
    with pytest.raises(BackupRefused, match="No such file"):
        make(tmp_path / "d", tmp_path / "nowhere" / "b.zip")
    (tmp_path / "d" / "node.key").unlink()
    with pytest.raises(BackupRefused, match=r"node\.key is missing"):
        make(tmp_path / "d", tmp_path / "c.zip")


@pytest.mark.parametrize("what", ["commits", "commits_by_command", "table_keys"])
async def test_no_backup_is_made_of_what_is_damaged(tmp_path, what):
    await fill(tmp_path / "d", 40)
    overwrite(tmp_path / "d" / "log.sqlite", what)
    with pytest.raises(BackupRefused, match=r"log\.sqlite (is damaged|could not be copied).*restore"):
        make(tmp_path / "d", tmp_path / "b.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["d"]


async def test_a_secret_of_another_folder_makes_no_backup(tmp_path):
    await fill(tmp_path / "d")
    await fill(tmp_path / "e")
    (tmp_path / "d" / "node.key").write_bytes((tmp_path / "e" / "node.key").read_bytes())
    with pytest.raises(BackupRefused, match="do not belong together"):
        make(tmp_path / "d", tmp_path / "b.zip")


@pytest.mark.parametrize("size", [20_000, 400_000])  # in the middle of the copy, and of the zip
async def test_a_disk_that_takes_no_more_leaves_no_half_a_backup(tmp_path, size):
    noise = random.Random(1).randbytes(40_000)
    await fill(tmp_path / "d", 5, body=noise)
    with largest_file(size), pytest.raises(BackupRefused, match="No backup was made"):
        make(tmp_path / "d", tmp_path / "b.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["d"]
    make(tmp_path / "d", tmp_path / "b.zip")


async def test_a_full_disk_is_said_before_it_is_full(tmp_path):
    await fill(tmp_path / "d", 5, body=random.Random(1).randbytes(40_000))
    with small_disk(tmp_path / "small", "600k") as small:
        with pytest.raises(BackupRefused, match=r"no room.*0\.6 MiB are free"):
            make(tmp_path / "d", small / "b.zip")
        assert list(small.iterdir()) == []
    with pytest.raises(BackupRefused, match="no room"):
        make(tmp_path / "d", tmp_path / "b.zip", spare=2**60)


async def test_whoever_stops_it_has_nothing_half_made(tmp_path):
    await fill(tmp_path / "d", 40, body=b"x" * 20_000)
    for patience in (0, 1, 3):
        looks = iter(range(1_000))
        with pytest.raises(InterruptedError):
            make(tmp_path / "d", tmp_path / "b.zip", stopped=lambda looks=looks, patience=patience: next(looks) >= patience)
        assert [path.name for path in tmp_path.iterdir()] == ["d"]


# --- put back ------------------------------------------------------------------------------------------------------


async def test_a_backup_comes_back_on_another_machine(tmp_path, backup):
    before = await contents(tmp_path / "old")
    done = put(backup, tmp_path / "new" / "deep")
    assert done.aside is None
    assert await contents(tmp_path / "new" / "deep") == restarting(before)
    modes = {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in [tmp_path / "new" / "deep", *(tmp_path / "new").rglob("*")]}
    assert modes == {0}
    assert sorted(path.name for path in (tmp_path / "new" / "deep").iterdir() if "sqlite-" not in path.name) == [
        "heads",
        "lock",
        "log.sqlite",
        "node.key",
    ]


async def test_what_was_there_is_moved_aside_and_can_be_moved_back(tmp_path, backup):
    folder = tmp_path / "old"
    store = open_store(folder)
    await store.log.append([commit("a", 6)])
    store.marks.note("a", 1, 6, commit("a", 6).hash, b"k" * 32)
    await store.aclose()
    (folder / "boonbridge.toml").write_text("port = 1\n")
    (folder / "notes.txt").write_text("mine")
    now, there = await contents(folder), tree(folder)
    first, second = put(backup, folder), put(backup, folder)
    assert [first.aside, second.aside] == [folder / "before-restore-T", folder / "before-restore-T-2"]
    assert {name: data for name, data in tree(first.aside).items() if "sqlite-" not in name} == {
        name: data for name, data in there.items() if name in ("log.sqlite", "node.key", "heads", "heads/head-a")
    }
    assert (folder / "boonbridge.toml").read_text() == "port = 1\n", "the backup has none, so this one stays"
    assert (folder / "notes.txt").read_text() == "mine"
    assert len((await contents(folder))["a"][1]) == 5
    for name in ("log.sqlite", "node.key", "heads"):
        (folder / name).rename(tmp_path / name)
        (first.aside / name).rename(folder / name)
    assert await contents(folder) == now


async def test_an_epoch_that_was_begun_since_is_not_begun_again(tmp_path, backup):
    folder = tmp_path / "old"
    for used in (2, 3):  # a table that was restored before, and played on
        store = open_store(folder)
        await store.vault.put_table_key("a", used, bytes([used]) * 32)
        await store.aclose()
        put(backup, folder, f"T{used}")
        store = open_store(folder)
        keys = [await store.vault.table_key("a", epoch) for epoch in range(1, used + 2)]
        await store.aclose()
        assert [key is not None for key in keys] == [True] * used + [False]
        assert len(set(keys)) == used + 1
        assert bytes([used]) * 32 not in keys, "what says that it was used is not its key"


async def test_a_log_that_was_taken_over_and_not_opened_yet_says_where_it_is_from(tmp_path):
    store = open_store(tmp_path / "d")
    row = TableRow(id="a", title="A", ruleset="sage_d20", created=1, restart="imported")
    await store.tables.add_table(row)
    await store.log.append([commit("a", 1)])
    await store.aclose()
    make(tmp_path / "d", tmp_path / "b.zip")
    put(tmp_path / "b.zip", tmp_path / "d")
    assert [found[0] for found in (await contents(tmp_path / "d")).values()] == [row]


async def test_an_epoch_is_known_from_its_mark_where_the_database_is_lost(tmp_path, backup):
    folder = tmp_path / "old"
    store = open_store(folder)
    store.marks.note("b", 4, 9, b"h" * 32, b"k" * 32)
    await store.aclose()
    (folder / "log.sqlite").write_bytes(b"\xee" * 50_000)
    with unpacked(backup, folder, secret_file=None) as (waiting, do):
        assert (waiting.there, waiting.lost) == (None, True)
        do("T")
    store = open_store(folder)
    assert [await store.vault.table_key("b", epoch) is not None for epoch in range(1, 6)] == [True] * 4 + [False]
    assert await store.vault.table_key("a", 2) is None
    await store.aclose()


async def test_a_folder_in_use_is_left_alone(tmp_path, backup):
    store = open_store(tmp_path / "old")
    with pytest.raises(FolderInUse, match="Stop it first"), unpacked(backup, tmp_path / "old", secret_file=None):
        pass
    await store.aclose()


@pytest.mark.parametrize("fails", range(1, 5))
async def test_a_move_that_fails_is_taken_back(tmp_path, backup, monkeypatch, fails):
    folder = tmp_path / "old"
    store = open_store(folder)
    await store.log.append([commit("a", 6)])
    await store.aclose()
    before, real, moved = tree(folder), type(folder).rename, iter(range(1, 99))

    def rename(path, goal):
        if next(moved) == fails:
            raise OSError(5, "Input/output error")
        return real(path, goal)

    monkeypatch.setattr(type(folder), "rename", rename)
    with pytest.raises(BackupRefused, match=r"could not be changed: Input/output error\. It is as it was"):
        put(backup, folder)
    monkeypatch.undo()
    assert {**tree(folder), "log.sqlite-shm": 0, "log.sqlite-wal": 0} == {**before, "log.sqlite-shm": 0, "log.sqlite-wal": 0}


@pytest.mark.parametrize("at", range(4))
async def test_a_restore_that_was_cut_off_is_no_empty_folder(tmp_path, backup, monkeypatch, at):
    folder, real, moved = tmp_path / "old", type(tmp_path).rename, iter(range(99))

    def rename(path, goal):
        if next(moved) >= at:
            raise KeyboardInterrupt  # nothing of ours takes anything back then, as after a kill
        return real(path, goal)

    monkeypatch.setattr(type(folder), "rename", rename)
    with pytest.raises(KeyboardInterrupt):
        put(backup, folder)
    monkeypatch.undo()
    with pytest.raises(FolderRefused, match=r"A restore of .* broke off\. Do it again: boonbridge restore FILE"):
        open_store(folder)
    put(backup, folder)
    assert len((await contents(folder))["a"][1]) == 5


async def test_a_disk_without_room_for_what_is_put_back(tmp_path, backup):
    with small_disk(tmp_path / "small", "100k") as small:
        filler = small / "filler"
        filler.write_bytes(b"x" * 60_000)
        with pytest.raises(
            BackupRefused, match=r"cannot be unpacked into .*: No space left on device|could not be made ready.*full"
        ):
            put(backup, small / "d")
        assert tree(small / "d") == {}
        filler.unlink()
    put(backup, tmp_path / "new")


async def test_what_a_killed_server_left_behind_is_moved_aside_whole(tmp_path, backup):
    folder = tmp_path / "old"
    store = open_store(folder)
    await store.log.append([commit("a", 6)])
    copy = tmp_path / "killed"
    copy.mkdir()
    for name in ("log.sqlite", "log.sqlite-wal", "node.key"):  # as they are while the last commit is in the second of them alone
        (copy / name).write_bytes((folder / name).read_bytes())
    await store.aclose()
    done = put(backup, copy)
    assert len((await contents(copy))["a"][1]) == 5
    assert len((await contents(done.aside))["a"][1]) == 6


async def test_a_secret_that_lies_elsewhere_is_not_put_into_a_backup(tmp_path):
    secret = tmp_path / "secrets" / "node.key"
    await fill(tmp_path / "one")
    secret.parent.mkdir()
    (tmp_path / "one" / "node.key").rename(secret)
    await fill(tmp_path / "old", secret_file=secret)
    manifest = make(tmp_path / "old", tmp_path / "b.zip", secret_file=secret)
    assert sorted(manifest.members) == ["log.sqlite"]
    assert secret.read_bytes() not in (tmp_path / "b.zip").read_bytes()
    with pytest.raises(BackupRefused, match=r"without its node secret.*--secret-file"):
        put(tmp_path / "b.zip", tmp_path / "new")
    await fill(tmp_path / "other")
    with pytest.raises(BackupRefused, match="do not belong together"):
        put(tmp_path / "b.zip", tmp_path / "new", secret_file=tmp_path / "other" / "node.key")
    assert tree(tmp_path / "new") == {}
    put(tmp_path / "b.zip", tmp_path / "new", secret_file=secret)
    assert await contents(tmp_path / "new", secret_file=secret) == restarting(
        await contents(tmp_path / "old", secret_file=secret)
    )
    assert not (tmp_path / "new" / "node.key").exists()


async def test_a_secret_named_where_it_always_lies_is_in_the_backup(tmp_path):
    await fill(tmp_path / "d")
    assert make(tmp_path / "d", tmp_path / "b.zip", secret_file=tmp_path / "d" / "node.key").holds_secret


# --- what is none --------------------------------------------------------------------------------------------------


def packed(path, members, *, change=None, drop=(), more=()):
    """A zip as a backup is, with a manifest that fits to these members and is then changed."""
    manifest = {
        "format": 1,
        "bridge": "1.2.3",
        "made": MADE,
        "tables": [
            {"id": table, "title": f"Table {table}", "seq": 5, "hash": commit(table, 5).hash.hex()} for table in ("a", "b")
        ],
        "members": {name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in members.items()},
    }
    if change is not None:
        change(manifest)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            if name not in drop:
                file.writestr(name, data)
        for name, data in more:
            file.writestr(name, data)
        if "manifest.json" not in drop:
            file.writestr("manifest.json", json.dumps(manifest))
    return path


def members_of(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist() if name != "manifest.json"}


def database(members, tmp_path, *statements):
    """The members with a database that was changed, by somebody who then wrote the manifest to fit."""
    path = tmp_path / "changed.sqlite"
    path.write_bytes(members["log.sqlite"])
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement)
    db.close()
    return {**members, "log.sqlite": path.read_bytes()}


def broken_page(members, tmp_path):
    path = tmp_path / "changed.sqlite"
    path.write_bytes(members["log.sqlite"])
    overwrite(path, "commits")
    return {**members, "log.sqlite": path.read_bytes()}


def setting(name, value):
    return lambda manifest: manifest.update({name: value})


EVIL = ("../../evil", "/etc/evil", "log.sqlite/../../evil", "..\\evil", "C:\\evil", "heads/head-a", "log.sqlite-wal")
BAD = {
    "as is": (lambda m, p, t: packed(p, m), None),
    "a newer format": (lambda m, p, t: packed(p, m, change=setting("format", 2)), "newer Boonbridge .*format 2.*Update"),
    "a newer database": (
        lambda m, p, t: packed(p, database(m, t, "PRAGMA user_version = 99")),
        "newer Boonbridge .file version 99.*Update",
    ),
    "no database of ours": (lambda m, p, t: packed(p, database(m, t, "PRAGMA application_id = 1")), "no database of Boonbridge"),
    "no database at all": (lambda m, p, t: packed(p, {**m, "log.sqlite": b"Dear diary" * 999}), "cannot be read|no database"),
    "an empty database": (lambda m, p, t: packed(p, {**m, "log.sqlite": b""}), "no database of Boonbridge"),
    "a trigger": (
        lambda m, p, t: packed(p, database(m, t, "CREATE TRIGGER x AFTER INSERT ON names BEGIN DELETE FROM commits; END")),
        "no database of Boonbridge",
    ),
    "a damaged page": (lambda m, p, t: packed(p, broken_page(m, t)), "is damaged|cannot be read"),
    "another length of a log": (
        lambda m, p, t: packed(p, database(m, t, "DELETE FROM commits WHERE seq = 5")),
        "does not hold the tables",
    ),
    "another key": (lambda m, p, t: packed(p, {**m, "node.key": b"ab" * 32 + b"\n"}), "do not belong together"),
    "no key": (lambda m, p, t: packed(p, {**m, "node.key": b"secret"}), "does not hold a node secret"),
    "another title": (
        lambda m, p, t: packed(p, m, change=lambda said: said["tables"][0].update(title="x")),
        "does not hold the tables",
    ),
    "another hash": (
        lambda m, p, t: packed(p, m, change=lambda said: said["members"]["node.key"].update(sha256="0" * 64)),
        "altered or is damaged: node.key",
    ),
    "another size": (
        lambda m, p, t: packed(p, m, change=lambda said: said["members"]["node.key"].update(bytes=10**15)),
        "altered or is damaged: node.key",
    ),
    "no manifest": (lambda m, p, t: packed(p, m, drop=("manifest.json",)), "no backup of Boonbridge"),
    "a time without a date": (lambda m, p, t: packed(p, m, change=setting("made", 10**18)), "no backup of Boonbridge"),
    "a manifest of another program": (lambda m, p, t: packed(p, m, change=setting("tables", "all")), "no backup of Boonbridge"),
    "a missing member": (lambda m, p, t: packed(p, m, drop=("node.key",)), "does not hold the files"),
    "a member too many": (
        lambda m, p, t: packed(p, m, more=[("boonbridge.toml", b"port = 1")]),
        "does not hold the files",
    ),
    **{
        f"the name {name!r}": (lambda m, p, t, name=name: packed(p, m, more=[(name, b"evil")]), "which no backup does")
        for name in EVIL
    },
    **{
        f"the named name {name!r}": (lambda m, p, t, name=name: packed(p, {**m, name: b"evil"}), "which no backup does")
        for name in EVIL
    },
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.filterwarnings("ignore:Duplicate name")
async def test_what_is_no_backup_is_refused_and_nothing_is_touched(tmp_path, backup, what):
    build, match = BAD[what]
    file = build(members_of(backup), tmp_path / "bad.zip", tmp_path)
    before = tree(tmp_path / "old")
    if match is None:  # what the others are built from is good
        put(file, tmp_path / "old")
        return
    with pytest.raises((BackupRefused, FolderRefused), match=match):
        put(file, tmp_path / "old")
    assert {**tree(tmp_path / "old"), "log.sqlite-shm": 0, "log.sqlite-wal": 0} == {
        **before,
        "log.sqlite-shm": 0,
        "log.sqlite-wal": 0,
    }
    assert not list(tmp_path.rglob("*evil*"))
    if "newer database" not in what:
        return
    assert len((await contents(tmp_path / "old"))["a"][1]) == 5


@pytest.mark.filterwarnings("ignore:Duplicate name")
async def test_two_members_of_one_name_are_refused(tmp_path, backup):
    members = members_of(backup)
    file = packed(tmp_path / "bad.zip", members, more=[("node.key", b"ab" * 32 + b"\n")])
    with pytest.raises(BackupRefused, match="two files of one name"):
        put(file, tmp_path / "old")


@pytest.mark.parametrize("content", [b"", b"PK", b"Dear diary, " * 999, None])
async def test_a_file_that_is_no_zip(tmp_path, content):
    if content is None:
        (tmp_path / "b.zip").mkdir()
    else:
        (tmp_path / "b.zip").write_bytes(content)
    for file, match in ((tmp_path / "b.zip", "is no backup of Boonbridge|cannot be read"), (tmp_path / "none", "No such file")):
        with pytest.raises(BackupRefused, match=match):
            put(file, tmp_path / "new")
    assert not (tmp_path / "new").exists(), "not even a folder is made for it"


async def test_a_backup_that_was_cut_off_anywhere_is_refused(tmp_path, backup):
    whole = backup.read_bytes()
    for size in {*range(0, len(whole), 211), *range(len(whole) - 60, len(whole))}:
        backup.write_bytes(whole[:size])
        with pytest.raises(BackupRefused):
            backup_file.read(backup)


async def test_a_byte_that_was_changed_anywhere_is_found_or_says_nothing(tmp_path, backup):
    whole, good, chance = backup.read_bytes(), backup_file.read(backup), random.Random(8)
    places = [*range(0, len(whole), 37), *range(len(whole) - 400, len(whole))]  # the end is the directory of the zip
    found = 0
    for number, place in enumerate(places):
        altered = bytearray(whole)
        altered[place] ^= 1 << chance.randrange(8)
        backup.write_bytes(altered)
        into = tmp_path / f"{number}"
        into.mkdir()
        try:
            manifest = backup_file.read(backup, into)
        except BackupRefused:
            found += 1
            continue
        # A date, a mode or a version of the zip itself: what is taken out is what was put in, or it is another title.
        assert manifest.members == good.members
        assert {name: hashlib.sha256(data).hexdigest() for name, data in tree(into).items()} == {
            name: member.sha256 for name, member in good.members.items()
        }
        assert manifest == good
    assert found > len(places) * 3 / 4
