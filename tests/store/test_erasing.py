"""What is forgotten is in no byte of the folder any more: not in the database, not in the write-ahead log."""

import apsw
import pytest

from boonbridge.store.open import DATABASE, open_store
from boonbridge.store.schema import APPLICATION_ID, MIGRATIONS, connect_reader
from boonbridge.tables.ports import DeviceRow, PairingCode, TableRow
from tests.store.commits import commit, log
from tests.support.wait import until

NAME, ADDRESS, CLIENT = "Zyxwvutsrq Åsa", "203.0.113.77", "Qponmlkjih"
PLANTED = (NAME, ADDRESS, CLIENT, "Earlier Zyxwvu", "Code Zyxwvu")


def found(folder, words=PLANTED):
    """Which of the words stand in which file."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == DATABASE for path in files)
    return {(word, path.name) for path in files for word in words if word.encode() in path.read_bytes()}


def device(user, name="d", **more):
    told = {"client": CLIENT, "version": "1", "kind": "page", "address": ADDRESS, "since": 1, "seen": 1, **more}
    return DeviceRow(table="t", user=user, device=name, **told)


async def plant(store, user="u"):
    await store.tables.add_table(TableRow(id="t", title="Friday", ruleset="sage_d20", created=1))
    await store.vault.put_person("t", user, "Earlier Zyxwvu")
    await store.vault.put_person("t", user, NAME)
    await store.vault.put_devices([device(user)], keep=9)
    code = PairingCode(
        table="t", code_hash=b"h" * 32, id="c0ffee11", role="gm", expires=1, tries_left=5, user=user, name="Code Zyxwvu"
    )
    await store.vault.put_code(code)


@pytest.fixture
async def store(tmp_path):
    opened = open_store(tmp_path / "data")
    yield opened
    await opened.aclose()


async def test_a_name_is_gone_from_every_file_while_the_store_is_open(store, tmp_path):
    commits = log("t", 1, 50)
    for entry in commits:
        await store.log.append([entry])
    await plant(store)
    for n in range(40):
        await store.vault.put_person("t", f"other-{n}", f"Somebody else {n}")
    assert {word for word, _ in found(tmp_path)} == set(PLANTED), "the search finds what is there"
    await store.vault.forget_person("t", "u")
    await until(lambda: not found(tmp_path))
    assert (tmp_path / "data" / f"{DATABASE}-wal").stat().st_size == 0
    assert list(await store.log.read("t", after=0, limit=100)) == commits
    assert len(await store.vault.people("t")) == 40
    await store.log.append([commit("t", 51)])
    assert (await store.log.head("t"))[0] == 51


async def test_it_is_gone_after_a_checkpoint_and_a_restart_too(tmp_path):
    store = open_store(tmp_path / "data")
    await plant(store)
    await store.aclose()
    assert {(NAME, DATABASE), (ADDRESS, DATABASE)} <= found(tmp_path)
    store = open_store(tmp_path / "data")
    await store.vault.forget_person("t", "u")
    await store.aclose()
    assert found(tmp_path) == set()


async def test_where_somebody_reads_just_then_it_goes_when_he_is_done(store, tmp_path):
    await plant(store)
    reader = connect_reader(tmp_path / "data" / DATABASE)
    rows = reader.execute("SELECT name FROM names UNION ALL SELECT 'another row'")
    assert next(rows)
    await store.vault.forget_person("t", "u")
    await store.log.append([commit("t", 1)])
    assert found(tmp_path), "his snapshot is kept for him"
    rows.close()
    reader.close()
    await store.log.append([commit("t", 2)])
    await until(lambda: not found(tmp_path))


async def test_a_device_that_was_one_too_many_leaves_nothing_in_the_database(tmp_path):
    store = open_store(tmp_path / "data")
    await store.vault.put_devices([device("u", "old", seen=1, address="203.0.113.99")], keep=1)
    await store.vault.put_devices([device("u", "new", seen=2)], keep=1)
    await store.aclose()
    assert found(tmp_path, ["203.0.113.99"]) == set()


async def test_a_folder_from_before_is_taken_over_and_can_forget(tmp_path):
    """Version 2 had names and codes in tables of other names, and overwrote nothing that it deleted."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    db = apsw.Connection(str(folder / DATABASE))
    for step in MIGRATIONS[:2]:
        db.execute(step)
    db.execute("INSERT INTO people VALUES ('t', 'u', ?), ('t', 'u2', 'Bo')", ("Earlier Zyxwvu",))
    db.execute("UPDATE people SET name = ? WHERE user = 'u'", (NAME,))
    db.execute("INSERT INTO pairing_codes VALUES ('t', ?, 'gm', 1600000, 4, 'pair-1', 'u2')", (bytes(range(32)),))
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", 2)
    db.close()
    store = open_store(folder)
    try:
        assert await store.vault.people("t") == {"u": NAME, "u2": "Bo"}
        (code,) = await store.vault.codes("t")
        assert (code.code_hash, code.role, code.made, code.expires) == (bytes(range(32)), "gm", 1_000_000, 1_600_000)
        assert (code.tries_left, code.used, code.user, code.kind) == (4, "pair-1", "u2", "typed")
        assert code.id == "0001020304050607"
        assert list(await store.vault.devices("t")) == []
        await store.vault.forget_person("t", "u")
        await until(lambda: not found(tmp_path))
        assert await store.vault.people("t") == {"u2": "Bo"}
    finally:
        await store.aclose()
