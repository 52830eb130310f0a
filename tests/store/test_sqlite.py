"""What only the store in SQLite has: files, threads, and a machine that does not always play along."""

import asyncio
import contextlib
import os
import threading

import apsw
import msgspec
import pytest

from boonbridge.store.open import open_store
from boonbridge.store.schema import VERSION
from boonbridge.tables.batcher import Batcher
from boonbridge.tables.ports import Appended, SeqTaken, StoreUnavailable, TableRow
from tests.store.commits import commit, log
from tests.support.wait import until


@pytest.fixture
async def store(tmp_path):
    opened = open_store(tmp_path / "data")
    yield opened
    await opened.aclose()


@contextlib.asynccontextmanager
async def busy(worker):
    """Keep a thread occupied, so that whatever is asked of it waits."""
    begun, released = threading.Event(), threading.Event()

    def work(_):
        begun.set()
        assert released.wait(30)

    occupied = worker.call(work)
    await until(begun.is_set)
    try:
        yield
    finally:
        released.set()
        await occupied


async def test_everything_is_there_after_opening_again(tmp_path):
    row = TableRow(id="t", title="Friday", ruleset="sage_d20", created=1)
    store = open_store(tmp_path / "data")
    for entry in log("t", 1, 500):
        await store.log.append([entry])
    await store.tables.add_table(row)
    await store.vault.put_table_key("t", 1, b"k" * 32)
    await store.vault.put_person("t", "u", "Ann")
    signing = await store.vault.node_secret()
    await store.aclose()
    assert not (tmp_path / "data" / "log.sqlite-wal").exists(), "the last to leave moves the write-ahead log into the database"

    store = open_store(tmp_path / "data")
    assert list(await store.log.read("t", after=0, limit=1_000)) == log("t", 1, 500)
    assert list(await store.tables.list_tables()) == [row]
    assert await store.vault.table_key("t", 1) == b"k" * 32
    assert await store.vault.people("t") == {"u": "Ann"}
    assert await store.vault.node_secret() == signing
    await store.aclose()


async def test_the_settings_that_durability_hangs_on(store):
    def settings(db):
        return [db.pragma(name) for name in ("journal_mode", "synchronous", "fullfsync", "wal_autocheckpoint", "user_version")]

    assert await store.log._writer.call(settings) == ["wal", 2, 1, 0, VERSION]


async def test_the_write_ahead_log_does_not_grow_for_ever(store, tmp_path):
    for first in range(0, 4_000, 200):
        for entry in log("t", first + 1, first + 200):
            await store.log.append([entry])
    assert (tmp_path / "data" / "log.sqlite-wal").stat().st_size < 16 * 2**20


async def test_the_reading_connection_cannot_write(store):
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.log._reader.call(lambda db: db.execute("DELETE FROM commits"))


async def test_reads_do_not_wait_for_writes(store):
    await store.log.append([commit("t", 1)])
    async with busy(store.log._writer):
        append = asyncio.ensure_future(store.log.append([commit("t", 2)]))
        async with asyncio.timeout(5):
            assert (await store.log.head("t"))[0] == 1
            assert len(await store.log.read("t", after=0, limit=5)) == 1
        assert not append.done()
    assert await append == [Appended()]


async def test_reads_do_not_wait_for_a_transaction_that_is_open(store):
    await store.log.append([commit("t", 1)])
    await store.log._writer.call(lambda db: db.execute("BEGIN IMMEDIATE"))
    async with asyncio.timeout(5):
        assert (await store.log.head("t"))[0] == 1
    await store.log._writer.call(lambda db: db.execute("ROLLBACK"))


async def test_a_cancelled_append_is_written_wholly_or_not_at_all(store):
    async with busy(store.log._writer):
        cancelled = asyncio.ensure_future(store.log.append([commit("a", 1), commit("b", 1)]))
        other = asyncio.ensure_future(store.log.append([commit("c", 1)]))
        await asyncio.wait([cancelled, other], timeout=0)
        cancelled.cancel()
    assert await other == [Appended()]
    assert cancelled.cancelled()
    assert not await store.log._writer.call(lambda db: db.in_transaction)
    assert [(await store.log.head(t))[0] for t in "abc"] == [0, 0, 1]


async def test_appends_cancelled_at_any_moment_leave_whole_batches(store):
    for n in range(60):
        append = asyncio.ensure_future(store.log.append([commit(f"a{n}", 1), commit(f"b{n}", 1)]))
        await asyncio.wait([append], timeout=n * 5e-6)
        append.cancel()
        await asyncio.wait([append])
    assert not await store.log._writer.call(lambda db: db.in_transaction)
    for n in range(60):
        assert (await store.log.head(f"a{n}"))[0] == (await store.log.head(f"b{n}"))[0]


async def test_a_bug_in_the_middle_of_a_transaction_leaves_none_open(store):
    def work(db):
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO names (table_id, user, name) VALUES ('t', 'u', 'half')")
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        await store.log._writer.call(work)
    assert await store.vault.people("t") == {}
    await store.vault.put_person("t", "u", "whole")


async def test_values_that_cannot_be_stored_are_a_bug_and_not_an_outage(store):
    anonymous = msgspec.structs.replace(commit("t", 1), by=None)
    with pytest.raises(apsw.ConstraintError):
        await store.log.append([anonymous])
    with pytest.raises(apsw.ConstraintError):
        await store.log.append([commit("u", 1), anonymous])
    assert await store.log.append([commit("t", 0)]) == [SeqTaken()]
    assert (await store.log.head("u"))[0] == 0
    assert await store.log.append([commit("u", 1)]) == [Appended()]


def test_a_loop_that_has_gone_is_no_trouble(tmp_path):
    store = None

    async def leave_early():
        nonlocal store
        store = open_store(tmp_path / "data")
        release = threading.Event()
        blocked = store.log._writer.call(lambda _: release.wait(30))
        append = asyncio.ensure_future(store.log.append([commit("t", 1)]))
        await asyncio.wait([append], timeout=0)
        return release, blocked

    release, _ = asyncio.run(leave_early())
    release.set()

    async def come_again():
        assert await store.log.append([commit("u", 1)]) == [Appended()]
        await store.aclose()

    asyncio.run(come_again())


# --- a machine that does not play along ----------------------------------------------------------------------------


async def heads(store, count):
    return [(await store.log.head(f"t{n}"))[0] for n in range(count)]


async def test_a_full_disk_is_said_and_got_over(store):
    batcher = Batcher(store.log)
    await asyncio.gather(*(batcher.append(commit(f"t{n}", 1)) for n in range(8)))
    pages = await store.log._writer.call(lambda db: db.pragma("page_count"))
    await store.log._writer.call(lambda db: db.pragma("max_page_count", pages))

    large = [commit(f"t{n}", 2, body=b"x" * 50_000) for n in range(8)]
    told = await asyncio.gather(*(batcher.append(c) for c in large), return_exceptions=True)
    assert {type(e) for e in told} == {StoreUnavailable}
    assert "full" in str(told[0])
    assert await heads(store, 8) == [1] * 8  # reads go on, and nothing is half there
    with pytest.raises(StoreUnavailable):
        await store.log.append([large[0]])

    await store.log._writer.call(lambda db: db.pragma("max_page_count", 1_000_000))
    assert await asyncio.gather(*(batcher.append(c) for c in large)) == [Appended()] * 8
    assert await store.log._reader.call(lambda db: db.pragma("integrity_check")) == "ok"
    await batcher.aclose()


async def test_a_disk_that_takes_no_more_bytes_is_said_and_got_over(store, tmp_path):
    resource = pytest.importorskip("resource")
    for n in range(8):
        await store.log.append([commit(f"t{n}", 1)])
    size = (tmp_path / "data" / "log.sqlite-wal").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    batch = [commit(f"t{n}", 2, body=b"x" * 50_000) for n in range(8)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10_000, hard))  # the operating system refuses in the middle of a commit
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await store.log.append(batch)
        assert await heads(store, 8) == [1] * 8
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert await store.log.append(batch) == [Appended()] * 8
    assert await store.log._reader.call(lambda db: db.pragma("integrity_check")) == "ok"


async def test_a_read_only_file_is_said_and_got_over(store):
    await store.log._writer.call(lambda db: db.pragma("query_only", 1))
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.log.append([commit("t", 1), commit("u", 1)])
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.vault.put_person("t", "u", "Ann")
    await store.log._writer.call(lambda db: db.pragma("query_only", 0))
    assert await store.log.append([commit("t", 1), commit("u", 1)]) == [Appended()] * 2


async def test_a_foreign_writer_is_waited_for(store, tmp_path):
    foreign = apsw.Connection(str(tmp_path / "data" / "log.sqlite"))
    foreign.execute("BEGIN IMMEDIATE")
    append = asyncio.ensure_future(store.log.append([commit("t", 1)]))
    await asyncio.wait([append], timeout=0.05)
    assert not append.done()
    foreign.execute("ROLLBACK")
    assert await append == [Appended()]
    foreign.close()


async def test_a_foreign_writer_that_stays_is_an_outage(store, tmp_path):
    await store.log._writer.call(lambda db: db.set_busy_timeout(10))
    foreign = apsw.Connection(str(tmp_path / "data" / "log.sqlite"))
    foreign.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        await store.log.append([commit("t", 1), commit("u", 1)])
    foreign.close()
    assert await store.log.append([commit("t", 1), commit("u", 1)]) == [Appended()] * 2


async def test_a_lost_connection_is_opened_again(store):
    await store.log.append([commit("t", 1)])
    await store.log._writer.call(lambda db: db.close())
    await store.log._reader.call(lambda db: db.close())
    with pytest.raises(StoreUnavailable):
        await store.log.append([commit("t", 2)])
    with pytest.raises(StoreUnavailable):
        await store.log.head("t")
    assert await store.log.append([commit("t", 2)]) == [Appended()]
    assert (await store.log.head("t"))[0] == 2


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be taken away on Windows")
async def test_a_file_that_cannot_be_opened_again(store, tmp_path):
    await store.log.append([commit("t", 1)])
    place = tmp_path / "data" / "log.sqlite"
    await store.log._reader.call(lambda db: db.close())
    place.rename(place.with_suffix(".away"))
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.log.head("t")
    place.with_suffix(".away").rename(place)
    assert (await store.log.head("t"))[0] == 1
