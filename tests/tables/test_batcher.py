"""The batcher against a store whose every write the test itself lets through."""

import asyncio

import pytest

from boonbridge.tables.batcher import Batcher
from boonbridge.tables.ports import Appended, CommandKnown, SeqTaken, StoreUnavailable
from tests.store.commits import commit
from tests.support.wait import until


class HeldStore:
    """Writes one batch at a time, when it is told what the answer is. Two at once would be an error."""

    def __init__(self):
        self.batches = []
        self.writing = None

    async def append(self, batch):
        assert self.writing is None, "a batch was handed over before the last one was answered"
        self.batches.append([(c.table, c.seq) for c in batch])
        self.writing = asyncio.get_running_loop().create_future()
        try:
            answer = await self.writing
        finally:
            self.writing = None
        return [Appended()] * len(batch) if answer is None else answer

    async def answer(self, answer=None):
        await until(lambda: self.writing is not None)
        if isinstance(answer, Exception):
            self.writing.set_exception(answer)
        else:
            self.writing.set_result(answer)
        await until(lambda: self.writing is None or not self.writing.done())


@pytest.fixture
def store():
    return HeldStore()


@pytest.fixture
async def batcher(store):
    batcher = Batcher(store)
    yield batcher
    assert batcher._task is None, "a test left something unwritten"


def start(batcher, *commits):
    return [asyncio.ensure_future(batcher.append(c)) for c in commits]


async def test_a_lone_commit_waits_for_nobody(batcher, store):
    [alone] = start(batcher, commit("a", 1))
    await store.answer()
    assert await alone == Appended()
    assert store.batches == [[("a", 1)]]


async def test_what_gathers_during_a_write_goes_together(batcher, store):
    first = start(batcher, commit("a", 1))
    await until(lambda: store.writing)
    rest = start(batcher, *(commit(f"t{n}", 1) for n in range(30)))
    await store.answer()
    await store.answer()
    assert await asyncio.gather(*first, *rest) == [Appended()] * 31
    assert [len(batch) for batch in store.batches] == [1, 30]


async def test_each_waiter_gets_its_own_answer(batcher, store):
    appends = start(batcher, commit("a", 1), commit("b", 1), commit("c", 1))
    await store.answer([SeqTaken(), Appended(), CommandKnown()])
    assert await asyncio.gather(*appends) == [SeqTaken(), Appended(), CommandKnown()]


async def test_no_batch_holds_two_commits_of_one_table(batcher, store):
    appends = start(batcher, commit("a", 1), commit("a", 2), commit("b", 1), commit("a", 3), commit("b", 2))
    for _ in range(3):
        await store.answer()
    await asyncio.gather(*appends)
    assert store.batches == [[("a", 1), ("b", 1)], [("a", 2), ("b", 2)], [("a", 3)]]


async def test_a_failing_store_fails_that_batch_and_no_other(batcher, store):
    doomed = start(batcher, commit("a", 1), commit("b", 1))
    await until(lambda: store.writing)
    spared = start(batcher, commit("c", 1))
    await store.answer(StoreUnavailable("The disk is full."))
    await store.answer()
    told = await asyncio.gather(*doomed, return_exceptions=True)
    assert [(type(e), str(e)) for e in told] == [(StoreUnavailable, "The disk is full.")] * 2
    assert told[0] is not told[1]
    assert await spared[0] == Appended()


@pytest.mark.parametrize("answer", [ValueError("a bug"), [Appended()]], ids=["it raises", "it answers too little"])
async def test_a_bug_in_the_store_leaves_nobody_waiting(batcher, store, answer):
    appends = start(batcher, commit("a", 1), commit("b", 1))
    await store.answer(answer)
    assert [type(e) for e in await asyncio.gather(*appends, return_exceptions=True)] == [RuntimeError] * 2
    [later] = start(batcher, commit("a", 1))
    await store.answer()
    assert await later == Appended()


async def test_a_cancelled_waiter_disturbs_nothing(batcher, store):
    written, other = start(batcher, commit("a", 1), commit("b", 1))
    await until(lambda: store.writing)
    queued, last = start(batcher, commit("c", 1), commit("d", 1))
    await asyncio.wait([queued], timeout=0)
    written.cancel()
    queued.cancel()
    await store.answer()
    await store.answer()
    assert await asyncio.gather(other, last) == [Appended(), Appended()]
    assert written.cancelled()
    assert queued.cancelled()
    assert store.batches == [[("a", 1), ("b", 1)], [("c", 1), ("d", 1)]]  # what was queued is written


async def test_a_cancelled_waiter_of_a_failing_batch(batcher, store):
    gone, other = start(batcher, commit("a", 1), commit("b", 1))
    await until(lambda: store.writing)
    gone.cancel()
    await store.answer(StoreUnavailable("gone"))
    with pytest.raises(StoreUnavailable):
        await other


async def test_closing_drains_and_then_refuses(batcher, store):
    appends = start(batcher, commit("a", 1), commit("a", 2), commit("b", 1))
    await until(lambda: store.writing)
    closing = asyncio.ensure_future(batcher.aclose())
    await asyncio.wait([closing], timeout=0)
    with pytest.raises(StoreUnavailable):
        await batcher.append(commit("z", 1))
    await store.answer()
    assert not closing.done()
    await store.answer()
    await closing
    assert await asyncio.gather(*appends) == [Appended()] * 3
    await batcher.aclose()


async def test_closing_may_be_cancelled_without_losing_anything(batcher, store):
    [append] = start(batcher, commit("a", 1))
    closing = asyncio.ensure_future(batcher.aclose())
    await until(lambda: store.writing)
    closing.cancel()
    await store.answer()
    assert await append == Appended()


async def test_an_idle_batcher_has_no_task(batcher, store):
    await batcher.aclose()
    assert store.batches == []
