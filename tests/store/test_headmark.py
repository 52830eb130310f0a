"""Marks outside the database show that the end of a log is missing."""

import asyncio

import pytest

from boonbridge.core.chain import head_mark
from boonbridge.store.headmark import HeadMarks
from boonbridge.store.memory import MemoryStore
from tests.store.commits import commit, log
from tests.support.wait import until

KEY = b"k" * 32


async def key_of(epoch):
    return KEY if epoch == 1 else None


async def filled(last, table="t"):
    store = MemoryStore()
    for entry in log(table, 1, last):
        await store.append([entry])
    return store


async def mark(folder, seq, *, epoch=1, key=KEY, table="t"):
    marks = HeadMarks(folder, every=1_000)
    marks.note(table, epoch, seq, commit(table, seq).hash, key)
    await marks.aclose()
    return marks


async def check(marks, store, table="t"):
    found = await marks.check(store, table, key_of)
    return found.value, found.needs_new_epoch


async def test_no_mark_says_nothing(tmp_path):
    assert await check(HeadMarks(tmp_path), await filled(3)) == ("absent", False)


async def test_the_log_that_was_marked_holds(tmp_path):
    assert await check(await mark(tmp_path, 3), await filled(3)) == ("holds", False)


async def test_a_mark_may_lag(tmp_path):
    assert await check(await mark(tmp_path, 3), await filled(9)) == ("holds", False)


@pytest.mark.parametrize("last", [0, 1, 2])
async def test_a_cut_tail_is_seen(tmp_path, last):
    assert await check(await mark(tmp_path, 3), await filled(last)) == ("shorter", True)


async def test_a_log_that_went_on_differently_is_seen(tmp_path):
    store = await filled(2)
    await store.append([commit("t", 3, "another-command-than-before")])
    await store.append([commit("t", 4)])
    assert await check(await mark(tmp_path, 3), store) == ("differs", True)


@pytest.mark.parametrize("change", [{"key": b"x" * 32}, {"epoch": 2}])
async def test_a_mark_of_another_key_is_not_believed(tmp_path, change):
    assert await check(await mark(tmp_path, 3, **change), await filled(3)) == ("unreadable", True)


async def test_a_mark_of_another_table_is_not_believed(tmp_path):
    marks = await mark(tmp_path, 3, table="u")
    (tmp_path / "head-u").rename(tmp_path / "head-t")
    assert await check(marks, await filled(3)) == ("unreadable", True)


@pytest.mark.parametrize("content", [b"{", b"null", b'{"table":"t"}', b"\xff\xfe"])
async def test_a_mark_that_is_none_is_not_believed(tmp_path, content):
    (tmp_path / "head-t").write_bytes(content)
    assert await check(HeadMarks(tmp_path), await filled(3)) == ("unreadable", True)


async def test_a_changed_number_is_noticed(tmp_path):
    marks = await mark(tmp_path, 3)
    path = tmp_path / "head-t"
    path.write_bytes(path.read_bytes().replace(b'"seq":3', b'"seq":2'))
    assert await check(marks, await filled(2)) == ("unreadable", True)


async def test_a_mark_emptied_by_a_power_cut_only_lags(tmp_path):
    (tmp_path / "head-t").touch()
    assert await check(HeadMarks(tmp_path), await filled(3)) == ("absent", False)


async def test_the_mac_is_the_one_of_the_protocol(tmp_path):
    found = (await mark(tmp_path, 3)).read("t")
    assert found.mac == head_mark(KEY, "t", 1, 3, commit("t", 3).hash)
    assert (found.table, found.epoch, found.seq, found.hash) == ("t", 1, 3, commit("t", 3).hash)


async def test_many_notes_are_few_writes(tmp_path):
    marks = HeadMarks(tmp_path, every=0.02)
    writes = []
    save = marks._save
    marks._save = lambda batch: (writes.append([(m.table, m.seq) for m in batch]), save(batch))
    for seq in range(1, 200):
        marks.note("t", 1, seq, commit("t", seq).hash, KEY)
        marks.note("u", 1, seq, commit("u", seq).hash, KEY)
    assert marks.read("t") is None
    await until(lambda: marks.read("t") and marks.read("u"))
    marks.note("t", 1, 200, commit("t", 200).hash, KEY)
    await until(lambda: marks.read("t").seq == 200)
    await marks.aclose()
    assert writes == [[("t", 199), ("u", 199)], [("t", 200)], []]


async def test_a_slow_disk_gets_one_write_at_a_time(tmp_path):
    marks = HeadMarks(tmp_path, every=0.001)
    gate = asyncio.Event()
    save = marks._write
    running = 0

    async def slow():
        nonlocal running
        running += 1
        assert running == 1
        await gate.wait()
        await save()
        running -= 1

    marks._write = slow
    for seq in range(1, 4):
        marks.note("t", 1, seq, commit("t", seq).hash, KEY)
        await until(lambda: running)
    await until(lambda: marks._timer is not None)
    gate.set()
    await until(lambda: (found := marks.read("t")) and found.seq == 3)
    await marks.aclose()


async def test_a_failed_write_is_made_up_for(tmp_path):
    marks = HeadMarks(tmp_path / "heads", every=0.001)
    marks.note("t", 1, 1, commit("t", 1).hash, KEY)
    marks.note("u", 1, 1, commit("u", 1).hash, KEY)
    await until(lambda: marks._writing is not None and marks._writing.done())
    marks.note("t", 1, 2, commit("t", 2).hash, KEY)
    (tmp_path / "heads").mkdir()
    await marks.aclose()
    assert (marks.read("t").seq, marks.read("u").seq) == (2, 1)


@pytest.mark.parametrize("name", ["", "../t", "a/b", "T", "-a", "a" * 41, "con.x", "ä"])
async def test_only_the_id_of_a_table_becomes_a_file(tmp_path, name):
    with pytest.raises(ValueError, match="id of a table"):
        HeadMarks(tmp_path).note(name, 1, 1, bytes(32), KEY)
