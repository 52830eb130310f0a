"""The data folder: who may open it, what lies in it, and what is said when it cannot be used."""

import os
import stat
import subprocess
import sys
import textwrap

import apsw
import pytest

from boonbridge.store.open import FolderInUse, FolderRefused, list_tables, open_store, read_signing_key
from boonbridge.store.schema import APPLICATION_ID, MIGRATIONS, VERSION
from boonbridge.tables.ports import TableRow
from tests.store.commits import commit

ROW = TableRow(id="t", title="Friday", ruleset="sage_d20", created=1)
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")


async def opened_and_closed(folder, *, key=False):
    store = open_store(folder)
    await store.tables.add_table(ROW)
    if key:
        await store.vault.put_table_key("t", 1, b"k" * 32)
    await store.aclose()


def elsewhere(source, folder):
    """Run a piece of Python in a process of its own; what it printed."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source), str(folder)], check=True, capture_output=True, text=True, timeout=60
    ).stdout


async def test_a_second_server_is_refused_with_a_sentence(tmp_path):
    store = open_store(tmp_path)
    with pytest.raises(FolderInUse, match=r"Another Boonbridge server is using .* --data\."):
        open_store(tmp_path)
    said = elsewhere(
        """
        import sys; from pathlib import Path; from boonbridge.store.open import FolderInUse, open_store
        try: open_store(Path(sys.argv[1]))
        except FolderInUse as refused: print("refused:", refused)
        """,
        tmp_path,
    )
    assert said.startswith("refused: Another Boonbridge server is using")
    assert await store.tables.add_table(ROW)  # and the first one was not disturbed
    await store.aclose()
    await opened_and_closed(tmp_path)


async def test_the_command_line_reads_beside_a_running_server(tmp_path):
    store = open_store(tmp_path)
    await store.tables.add_table(ROW)
    said = elsewhere(
        """
        import sys; from pathlib import Path; from boonbridge.store.open import list_tables, read_signing_key
        folder = Path(sys.argv[1]); print(list_tables(folder)[0].title, read_signing_key(folder).hex())
        """,
        tmp_path,
    )
    assert said.split() == ["Friday", (await store.vault.node_secret()).hex()]
    await store.aclose()


async def test_the_command_line_reads_without_a_server(tmp_path):
    await opened_and_closed(tmp_path)
    assert list(list_tables(tmp_path)) == [ROW]
    assert len(read_signing_key(tmp_path)) == 32
    await opened_and_closed(tmp_path)  # and leaves nothing in a server's way


def test_reading_a_folder_makes_nothing(tmp_path):
    assert list(list_tables(tmp_path / "none")) == []
    with pytest.raises(FolderRefused, match="boonbridge serve"):
        read_signing_key(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@posix
async def test_nobody_else_can_read_anything(tmp_path):
    before = os.umask(0)  # as careless as it gets
    try:
        folder = tmp_path / "deep" / "data"
        store = open_store(folder)
        await store.log.append([commit("t", 1)])
        store.marks.note("t", 1, 1, commit("t", 1).hash, b"k" * 32)
        await store.marks.aclose()
        modes = {str(p.relative_to(folder)): stat.S_IMODE(p.stat().st_mode) for p in [folder, *folder.rglob("*")]}
        await store.aclose()
    finally:
        os.umask(before)
    assert modes == {
        ".": 0o700,
        "heads": 0o700,
        **dict.fromkeys(["heads/head-t", "lock", "log.sqlite", "log.sqlite-shm", "log.sqlite-wal", "node.key"], 0o600),
    }


async def test_a_file_of_a_newer_boonbridge_is_left_alone(tmp_path):
    await opened_and_closed(tmp_path)
    db = apsw.Connection(str(tmp_path / "log.sqlite"))
    db.pragma("user_version", VERSION + 1)
    db.close()
    for use in (open_store, list_tables):
        with pytest.raises(FolderRefused, match=r"newer Boonbridge.*Update Boonbridge"):
            use(tmp_path)
    with pytest.raises(FolderRefused):  # not FolderInUse: a refused folder is let go of
        open_store(tmp_path)


@pytest.mark.parametrize("version", range(1, VERSION))
async def test_a_file_of_an_older_boonbridge_is_brought_up_to_date(tmp_path, version):
    db = apsw.Connection(str(tmp_path / "log.sqlite"))
    for step in MIGRATIONS[:version]:
        db.execute(step)
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", version)
    db.execute("INSERT INTO tables VALUES ('t', 'Friday', 'sage_d20', 1)")
    db.close()
    with pytest.raises(FolderRefused, match=r"not been brought up to date.*boonbridge serve"):
        list_tables(tmp_path)  # who may only read changes nothing
    await opened_and_closed(tmp_path)
    assert list(list_tables(tmp_path)) == [ROW]
    new = tmp_path / "new"
    await opened_and_closed(new)
    assert layout(tmp_path) == layout(new)


async def test_a_file_of_before_there_were_snapshots_keeps_all_it_has(tmp_path):
    db = apsw.Connection(str(tmp_path / "log.sqlite"))
    for step in MIGRATIONS[:3]:
        db.execute(step)
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", 3)
    db.execute("INSERT INTO tables VALUES ('t', 'Friday', 'sage_d20', 1)")
    kept = commit("t", 1)
    row = (kept.table, kept.seq, kept.command_id, kept.by, kept.header, *kept.parts, kept.hash)
    db.execute("INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    db.execute("INSERT INTO names VALUES ('t', 'u', 'Ann')")
    db.execute("INSERT INTO postings (table_id, posted) VALUES ('t', 1)")
    db.close()
    store = open_store(tmp_path)
    assert list(await store.tables.list_tables()) == [ROW], "it need not begin a new epoch"
    assert list(await store.log.read("t", after=0, limit=9)) == [kept]
    assert await store.vault.people("t") == {"u": "Ann"}
    assert (await store.posted.posting("t")).posted == 1
    assert list(await store.snapshots.snapshots("t")) == []
    assert dict(await store.vault.rungs("t", after=0, limit=9)) == {}
    await store.aclose()


def layout(folder):
    """What a database is made of."""
    db = apsw.Connection(str(folder / "log.sqlite"))
    try:
        return db.pragma("user_version"), sorted(db.execute("SELECT type, name, sql FROM sqlite_schema"), key=str)
    finally:
        db.close()


async def test_a_database_of_another_program_is_left_alone(tmp_path):
    db = apsw.Connection(str(tmp_path / "log.sqlite"))
    db.execute("CREATE TABLE recipes (name); PRAGMA user_version = 1")
    db.close()
    with pytest.raises(FolderRefused, match="another program"):
        open_store(tmp_path)


async def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "log.sqlite").write_bytes(b"Dear diary, " * 1_000)
    for use in (open_store, list_tables):
        with pytest.raises(FolderRefused, match="not a database"):
            use(tmp_path)


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "data").write_text("no")
    with pytest.raises(FolderRefused, match="cannot be used"):
        open_store(tmp_path / "data")
    with pytest.raises(FolderRefused, match="cannot be used"):
        open_store(tmp_path / "data" / "deeper")


async def test_an_unfinished_first_start_is_begun_again(tmp_path):
    (tmp_path / "log.sqlite").touch()
    await opened_and_closed(tmp_path)
    assert list(list_tables(tmp_path)) == [ROW]


async def test_a_lost_node_key_is_not_replaced_by_one_that_opens_nothing(tmp_path):
    await opened_and_closed(tmp_path, key=True)
    (tmp_path / "node.key").rename(tmp_path / "kept")
    with pytest.raises(FolderRefused, match=r"node\.key is missing.*Put it back"):
        open_store(tmp_path)
    assert not (tmp_path / "node.key").exists()
    (tmp_path / "kept").rename(tmp_path / "node.key")
    await opened_and_closed(tmp_path)


async def test_a_node_secret_from_elsewhere(tmp_path):
    await opened_and_closed(tmp_path / "one")
    shared = tmp_path / "one" / "node.key"
    store = open_store(tmp_path / "two", secret_file=shared)
    assert await store.vault.node_secret() == read_signing_key(tmp_path / "one") == read_signing_key(tmp_path, secret_file=shared)
    assert not (tmp_path / "two" / "node.key").exists()
    await store.aclose()
    with pytest.raises(FolderRefused, match="missing"):
        open_store(tmp_path / "two", secret_file=tmp_path / "nowhere.key")


async def test_what_killed_commands_left_half_made_goes_and_nothing_else(tmp_path):
    """Whole databases in folders with a dot: they would keep what is deleted, and nobody would find them."""
    backups = tmp_path / "backups"
    restoring, draft, at_work = tmp_path / ".restoring-a1", backups / ".kept.zip.b2", backups / ".now.zip.c3"
    kept = [backups / "kept.zip", tmp_path / "before-restore-2001-01-01T00-00-00Z" / "log.sqlite", tmp_path / ".mine"]
    for file in (*kept, *(folder / "log.sqlite" for folder in (restoring, draft, at_work))):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    for old in (draft, draft / "log.sqlite", at_work, *kept):
        os.utime(old, (1_000_000_000, 1_000_000_000))
    await open_store(tmp_path).aclose()
    assert not restoring.exists()
    assert not draft.exists()
    assert (at_work / "log.sqlite").exists()
    assert all(file.exists() for file in kept)
