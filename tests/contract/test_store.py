"""What every store promises, held against each of them."""

import asyncio
from contextlib import aclosing
from itertools import pairwise

import pytest
from msgspec.structs import replace

from boonbridge.core.ladder import rung_of
from boonbridge.store.memory import MemoryStore
from boonbridge.store.open import KeyRefused, open_store
from boonbridge.tables.batcher import Batcher
from boonbridge.tables.ports import (
    Appended,
    CommandKnown,
    DeviceRow,
    Offer,
    PairingCode,
    Posting,
    SeqTaken,
    SnapshotRow,
    StoreUnavailable,
    TableRow,
)
from boonbridge_schemas.base import PARTS
from tests.store.commits import commit, log


@pytest.fixture(params=["memory", "sqlite"])
async def store(request, tmp_path):
    opened = MemoryStore() if request.param == "memory" else open_store(tmp_path / "data")
    yield opened
    await opened.aclose()


@pytest.fixture
async def tables(store):
    """Some that are in the list."""
    for table in ("a", "b", "other", "t"):
        await store.tables.add_table(TableRow(id=table, title="Friday", ruleset="sage_d20", created=1))


async def fill(store, table, last):
    for entry in log(table, 1, last):
        assert await store.log.append([entry]) == [Appended()]


# --- the log -------------------------------------------------------------------------------------------------------


async def test_an_empty_log_has_a_head_and_nothing_else(store):
    assert await store.log.head("t") == (0, bytes(32))
    assert list(await store.log.read("t", after=0, limit=10)) == []
    assert await store.log.find("t", "nobody-knows-this-id-000") is None


async def test_a_commit_comes_back_as_it_was_written(store):
    written = commit("t", 1, body=bytes(range(256)))
    assert await store.log.append([written]) == [Appended()]
    assert list(await store.log.read("t", after=0, limit=10)) == [written]
    assert await store.log.find("t", written.command_id) == written
    assert await store.log.head("t") == (1, written.hash)


async def test_a_large_commit_comes_back_as_it_was_written(store):
    written = commit("t", 1, body=bytes(range(256)) * 2_000)
    await store.log.append([written])
    assert await store.log.find("t", written.command_id) == written


async def test_reading_goes_on_after_a_seq_and_stops_at_the_limit(store):
    await fill(store, "t", 7)
    await fill(store, "other", 2)
    assert [c.seq for c in await store.log.read("t", after=0, limit=3)] == [1, 2, 3]
    assert [c.seq for c in await store.log.read("t", after=3, limit=100)] == [4, 5, 6, 7]
    assert list(await store.log.read("t", after=7, limit=100)) == []
    assert list(await store.log.read("t", after=99, limit=100)) == []
    assert list(await store.log.read("t", after=0, limit=0)) == []


async def test_tables_know_nothing_of_each_other(store):
    same_id = "one-command-id-for-both-00"
    assert await store.log.append([commit("a", 1, same_id), commit("b", 1, same_id)]) == [Appended(), Appended()]
    assert (await store.log.find("b", same_id)).table == "b"
    assert await store.log.find("c", same_id) is None


async def test_a_taken_seq_is_refused_and_nothing_is_written(store):
    await fill(store, "t", 2)
    late = commit("t", 2, "a-late-writer-of-seq-two-0")
    assert await store.log.append([late]) == [SeqTaken()]
    assert await store.log.find("t", late.command_id) is None
    assert await store.log.head("t") == (2, commit("t", 2).hash)


async def test_a_seq_that_would_leave_a_gap_is_refused_too(store):
    await fill(store, "t", 2)
    assert await store.log.append([commit("t", 4)]) == [SeqTaken()]
    assert await store.log.append([commit("new", 2)]) == [SeqTaken()]
    assert await store.log.append([commit("t", 4), commit("u", 1)]) == [SeqTaken(), Appended()]
    assert (await store.log.head("t"))[0] == 2


async def test_a_known_command_is_refused_at_any_seq(store):
    await fill(store, "t", 3)
    known = commit("t", 1).command_id
    for seq in (1, 2, 4, 9):  # its own, another's, the next, far ahead: the answer he has counts for more
        assert await store.log.append([commit("t", seq, known)]) == [CommandKnown()]
    assert (await store.log.find("t", known)).seq == 1
    assert (await store.log.head("t"))[0] == 3


async def test_the_same_commit_again_is_known(store):
    await fill(store, "t", 1)
    assert await store.log.append([commit("t", 1)]) == [CommandKnown()]


async def test_losers_do_not_spoil_winners(store):
    await fill(store, "a", 1)
    await fill(store, "b", 1)
    batch = [
        commit("w1", 1),
        commit("a", 1, "somebody-was-quicker-00000"),
        commit("w2", 1),
        commit("b", 2, commit("b", 1).command_id),
        commit("a2", 1),
    ]
    assert await store.log.append(batch) == [Appended(), SeqTaken(), Appended(), CommandKnown(), Appended()]
    for table, seq in {"w1": 1, "a": 1, "w2": 1, "b": 1, "a2": 1}.items():
        assert (await store.log.head(table))[0] == seq


@pytest.mark.parametrize("size", [1, 2, 3, 64, 65, 255, 256, 257, 600])
async def test_batches_of_any_size(store, size):
    batch = [commit(f"t{n}", 1) for n in range(size)]
    assert await store.log.append(batch) == [Appended()] * size
    assert [await store.log.head(c.table) for c in (batch[0], batch[-1])] == [(1, batch[0].hash), (1, batch[-1].hash)]
    assert await store.log.append([*batch[:-1], commit("last", 1)]) == [CommandKnown()] * (size - 1) + [Appended()]


async def test_an_empty_batch(store):
    assert list(await store.log.append([])) == []


async def test_two_commits_of_one_table_are_a_bug_of_the_caller(store):
    with pytest.raises(AssertionError):
        await store.log.append([commit("t", 1), commit("t", 2)])
    assert (await store.log.head("t"))[0] == 0


async def test_fifty_writers_of_five_tables_leave_gapless_logs_in_order(store):
    batcher = Batcher(store.log)
    acked = []

    async def write(n):
        table, wanted = f"t{n % 5}", 0
        for k in range(8):
            while True:  # as a table does after a conflict: look, and try again as the next number
                wanted = (await store.log.head(table))[0] + 1
                mine = commit(table, wanted, f"writer-{n:02d}-command-{k:02d}-0000")
                result = await batcher.append(mine)
                assert result != CommandKnown()
                if result == Appended():
                    acked.append(mine)
                    break

    await asyncio.gather(*(write(n) for n in range(50)))
    await batcher.aclose()
    for n in range(5):
        lies = list(await store.log.read(f"t{n}", after=0, limit=1_000))
        assert [c.seq for c in lies] == list(range(1, 81))
        assert {c.command_id for c in lies} == {c.command_id for c in acked if c.table == f"t{n}"}
    assert len(acked) == len({(c.table, c.command_id) for c in acked}) == 400


async def test_a_store_for_one_node_has_no_notices(store):
    async with aclosing(store.log.notices()) as notices:
        assert [notice async for notice in notices] == []


# --- beside the log ------------------------------------------------------------------------------------------------


async def test_tables_are_listed_in_the_order_they_were_made(store):
    rows = [
        TableRow(id=i, title=f"Die Tafel „{i}“ 🎲", ruleset="sage_d20", created=at) for i, at in (("zz", 1), ("aa", 2), ("mm", 2))
    ]
    for row in rows:
        assert await store.tables.add_table(row)
    assert list(await store.tables.list_tables()) == rows
    assert await store.tables.get_table("aa") == rows[1]
    assert await store.tables.get_table("xx") is None


async def test_a_taken_table_id_changes_nothing(store):
    first = TableRow(id="t", title="First", ruleset="sage_d20", created=1)
    assert await store.tables.add_table(first)
    assert not await store.tables.add_table(TableRow(id="t", title="Second", ruleset="group_d12", created=2))
    assert not await store.tables.add_table(TableRow(id="t", title="First", ruleset="sage_d20", created=1))
    assert list(await store.tables.list_tables()) == [first]


async def test_a_table_is_called_something_else(store):
    rows = [TableRow(id=i, title="Friday", ruleset="sage_d20", created=1, restart="restored") for i in ("other", "t")]
    for row in rows:
        await store.tables.add_table(row)
    await store.tables.rename_table("t", "Die Glocke 🎲")
    await store.tables.rename_table("nobody", "Nothing")
    assert list(await store.tables.list_tables()) == [rows[0], replace(rows[1], title="Die Glocke 🎲")]


async def test_a_restart_is_asked_for_until_it_was_done(store):
    rows = [TableRow(id=i, title="Friday", ruleset="sage_d20", created=1, restart="restored") for i in ("other", "t")]
    for row in rows:
        await store.tables.add_table(row)
    assert await store.tables.get_table("t") == rows[1]
    for _ in range(2):
        await store.tables.restarted("t")
    await store.tables.restarted("nobody")
    assert list(await store.tables.list_tables()) == [rows[0], replace(rows[1], restart="")]


RUNG = rung_of(*({part: bytes([n + at]) * 32 for at, part in enumerate(PARTS)} for n in (1, 101)))


def snapshots(store):
    return store if isinstance(store, MemoryStore) else store.snapshots


async def everything_of(store, table):
    """All that is kept of a table, but for what is empty."""
    posting = await store.posted.posting(table)
    kept = {
        "row": await store.tables.get_table(table),
        "head": (await store.log.head(table))[0],
        "commits": list(await store.log.read(table, after=0, limit=99)),
        "known": await store.log.find(table, commit(table, 2).command_id),
        "key": await store.vault.table_key(table, 1),
        "codes": list(await store.vault.codes(table)),
        "people": await store.vault.people(table),
        "devices": list(await store.vault.devices(table)),
        "posted": posting.posted,
        "rungs": dict(await store.vault.rungs(table, after=0, limit=99)),
        "snapshots": list(await snapshots(store).snapshots(table)),
    }
    return {name: found for name, found in kept.items() if found}


async def test_of_a_deleted_table_nothing_is_left_and_of_others_everything(store):
    for table in ("gone", "kept"):
        row = TableRow(id=table, title="Friday", ruleset="sage_d20", created=1)
        assert await store.tables.import_table(row, [(entry, RUNG) for entry in log(table, 1, 3)], {"ann": "Ann"})
        await store.vault.put_table_key(table, 1, b"k" * 32)
        await store.vault.put_code(PairingCode(table=table, code_hash=b"c" * 32, role="gm", expires=9, tries_left=1))
        await store.vault.put_devices([device("ann", "laptop", 5, table=table)], keep=9)
        await store.posted.swap_posting(Posting(table=table), Posting(table=table, posted=2))
        await snapshots(store).put_snapshot(
            SnapshotRow(table=table, seq=2, hash=b"h" * 32, epoch=1, made_by="here", body=b"state", mac=b"m" * 32)
        )
    before = await everything_of(store, "kept")
    assert len(before) == 11, "each kind is there, or its absence would say nothing"
    assert await store.tables.delete_table("gone")
    assert await everything_of(store, "gone") == {}
    assert await everything_of(store, "kept") == before
    assert [row.id for row in await store.tables.list_tables()] == ["kept"]
    assert not await store.tables.delete_table("gone")
    assert not await store.tables.delete_table("nobody")


async def test_whoever_is_slow_leaves_nothing_of_a_table_that_is_deleted(store):
    row = TableRow(id="gone", title="Friday", ruleset="sage_d20", created=1)
    await store.tables.add_table(row)
    await store.vault.put_person("gone", "ann", "Ann")
    await store.tables.delete_table("gone")
    await store.vault.put_person("gone", "ann", "Ann")
    await store.vault.put_code(PairingCode(table="gone", code_hash=b"c" * 32, role="gm", expires=9, tries_left=1))
    await store.vault.put_devices([device("ann", "laptop", 5, table="gone")], keep=9)
    assert not await store.posted.swap_posting(Posting(table="gone"), Posting(table="gone", posted=2))
    assert await everything_of(store, "gone") == {}
    await store.tables.add_table(row)
    assert await everything_of(store, "gone") == {"row": row}
    await store.vault.put_person("gone", "ann", "Ann")
    assert await store.vault.people("gone") == {"ann": "Ann"}


async def test_a_table_of_the_same_id_begins_with_nothing(store):
    row = TableRow(id="t", title="Friday", ruleset="sage_d20", created=1)
    await store.tables.add_table(row)
    await fill(store, "t", 3)
    await store.vault.put_table_key("t", 1, b"k" * 32)
    await store.tables.delete_table("t")
    assert await store.tables.add_table(row)
    await fill(store, "t", 2)  # under the same ids
    await store.vault.put_table_key("t", 1, b"x" * 32)
    assert (await store.log.head("t"))[0] == 2


async def test_keys_by_table_and_epoch(store):
    keys = {("a", 1): b"1" * 32, ("a", 2): b"2" * 32, ("b", 1): b"3" * 32}
    for (table, epoch), key in keys.items():
        await store.vault.put_table_key(table, epoch, key)
    assert {place: await store.vault.table_key(*place) for place in keys} == keys
    assert await store.vault.table_key("b", 2) is None


async def test_a_key_is_never_replaced(store):
    await store.vault.put_table_key("t", 1, b"1" * 32)
    await store.vault.put_table_key("t", 1, b"1" * 32)
    with pytest.raises(KeyRefused, match="another key"):
        await store.vault.put_table_key("t", 1, b"2" * 32)
    assert await store.vault.table_key("t", 1) == b"1" * 32


async def test_a_key_has_32_bytes(store):
    with pytest.raises(ValueError, match="32"):
        await store.vault.put_table_key("t", 1, b"short")


async def test_the_node_secret_stays_the_same(store):
    assert await store.vault.node_secret() == await store.vault.node_secret()
    assert len(await store.vault.node_secret()) == 32


@pytest.mark.usefixtures("tables")
async def test_codes_are_added_and_replaced(store):
    def code(table, mark, **rest):
        return PairingCode(table=table, code_hash=mark * 32, role="gm", expires=1_000, **{"tries_left": 5, **rest})

    for each in (code("b", b"\xff"), code("a", b"2"), code("a", b"1")):
        await store.vault.put_code(each)
    used = code("a", b"1", tries_left=4, used="frame-1", user="user-1")
    await store.vault.put_code(used)
    assert list(await store.vault.codes("a")) == [used, code("a", b"2")]
    assert list(await store.vault.codes()) == [used, code("a", b"2"), code("b", b"\xff")]
    assert list(await store.vault.codes("c")) == []


@pytest.mark.usefixtures("tables")
async def test_a_code_for_one_person_comes_back_as_it_was_kept_and_is_dropped(store):
    code = PairingCode(
        table="t",
        code_hash=b"h" * 32,
        id="c0ffee11",
        kind="link",
        role="observer",
        user="u1",
        name="Åsa <b>",
        by="u2",
        made=5,
        expires=9_000,
        tries_left=5,
    )
    other = PairingCode(table="t", code_hash=b"i" * 32, role="gm", expires=1, tries_left=5)
    for each in (code, other):
        await store.vault.put_code(each)
    assert list(await store.vault.codes("t")) == [code, other]
    await store.vault.drop_codes("other", [code.code_hash])
    await store.vault.drop_codes("t", [other.code_hash, b"nobody knows this one"])
    await store.vault.drop_codes("t", [])
    assert list(await store.vault.codes()) == [code]


def device(user, name, seen, *, table="t", since=1, **more):
    told = {"client": "boonbridge", "version": "1", "kind": "page", "address": "192.168.7.23", **more}
    return DeviceRow(table=table, user=user, device=name, since=since, seen=seen, **told)


@pytest.mark.usefixtures("tables")
async def test_devices_keep_when_they_first_came_and_show_what_they_are_now(store):
    await store.vault.put_devices([device("u1", "d1", 5), device("u2", "d1", 7), device("u1", "d1", 9, table="other")], keep=3)
    now = device("u1", "d1", 8, since=8, client="other", version="2", kind="cli", address="fd00::7")
    await store.vault.put_devices([now], keep=3)
    kept = device("u1", "d1", 8, since=1, client="other", version="2", kind="cli", address="fd00::7")
    assert list(await store.vault.devices("t")) == [kept, device("u2", "d1", 7)]
    assert list(await store.vault.devices("nowhere")) == []


@pytest.mark.usefixtures("tables")
async def test_of_each_person_the_devices_seen_last_are_kept(store):
    await store.vault.put_devices([device("u1", f"d{n}", n) for n in (4, 1, 3)] + [device("u2", "d9", 1)], keep=2)
    await store.vault.put_devices([device("u1", "d1", 9)], keep=2)
    assert [(row.user, row.device) for row in await store.vault.devices("t")] == [("u1", "d1"), ("u1", "d4"), ("u2", "d9")]


@pytest.mark.usefixtures("tables")
async def test_of_a_person_who_is_forgotten_nothing_is_left_and_of_others_everything(store):
    def code(table, mark, user):
        return PairingCode(table=table, code_hash=mark * 32, role="gm", expires=1_000, tries_left=5, user=user, name="Asha")

    for table in ("t", "other"):
        for user, mark in (("u1", b"1"), ("u2", b"2")):
            await store.vault.put_person(table, user, "Asha")
            await store.vault.put_devices([device(user, "d1", 5, table=table)], keep=3)
            await store.vault.put_code(code(table, mark, user))
    await store.vault.forget_person("t", "u1")
    await store.vault.forget_person("t", "nobody")
    assert await store.vault.people("t") == {"u2": "Asha"}
    assert list(await store.vault.devices("t")) == [device("u2", "d1", 5)]
    assert list(await store.vault.codes("t")) == [code("t", b"2", "u2")]
    assert len(await store.vault.people("other")) == len(await store.vault.devices("other")) == 2
    assert len(await store.vault.codes("other")) == 2


@pytest.mark.usefixtures("tables")
async def test_people_have_names_that_change(store):
    await store.vault.put_person("t", "u2", "Åsa <b>")
    await store.vault.put_person("t", "u1", "Bo")
    await store.vault.put_person("t", "u1", "Bobo 🎲 ﷽")
    await store.vault.put_person("other", "u1", "Zoe")
    assert await store.vault.people("t") == {"u1": "Bobo 🎲 ﷽", "u2": "Åsa <b>"}
    assert await store.vault.people("nowhere") == {}


def offered(posted, first, last, *, table="t", connection="c1", user="pia", until=5_000):
    offer = Offer(first=first, last=last, connection=connection, user=user, until=until)
    return Posting(table=table, posted=posted, offer=offer)


@pytest.mark.usefixtures("tables")
async def test_nothing_posted_is_an_empty_row(store):
    assert await store.posted.posting("t") == Posting(table="t", posted=0, offer=None)
    assert not await store.posted.swap_posting(Posting(table="t", posted=3), Posting(table="t", posted=4))
    assert await store.posted.posting("t") == Posting(table="t")


@pytest.mark.usefixtures("tables")
async def test_an_offer_is_made_moved_on_and_answered(store):
    rows = [
        Posting(table="t"),
        offered(0, 2, 4),
        offered(0, 2, 5, connection="c2", user="quin", until=9_000),
        Posting(table="t", posted=5),
    ]
    for before, after in pairwise(rows):
        assert await store.posted.swap_posting(before, after)
        assert await store.posted.posting("t") == after
    assert await store.posted.posting("other") == Posting(table="other")


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    "wrong",
    [
        Posting(table="t"),
        Posting(table="t", posted=1),
        offered(0, 2, 4),
        offered(1, 3, 4),
        offered(1, 2, 3),
        offered(1, 2, 4, connection="c2"),
        offered(1, 2, 4, user="quin"),
        offered(1, 2, 4, until=5_001),
    ],
)
async def test_whoever_is_wrong_about_the_row_changes_nothing(store, wrong):
    stands = offered(1, 2, 4)
    assert await store.posted.swap_posting(Posting(table="t"), stands)
    assert not await store.posted.swap_posting(wrong, Posting(table="t", posted=9))
    assert await store.posted.posting("t") == stands
    assert await store.posted.swap_posting(stands, stands)


@pytest.mark.usefixtures("tables")
async def test_of_many_who_offer_at_once_one_succeeds(store):
    for before in (Posting(table="t"), offered(0, 1, 1, connection="c7")):
        rows = [offered(0, 1, 1, connection=f"c{n}", until=before.posted + 9_000) for n in range(8)]
        done = await asyncio.gather(*(store.posted.swap_posting(before, row) for row in rows))
        assert sum(done) == 1
        stands = await store.posted.posting("t")
        assert stands == rows[done.index(True)]
        assert await store.posted.swap_posting(stands, offered(0, 1, 1, connection="c7"))


# --- snapshots -------------------------------------------------------------------------------------------------------


def snapshot(table, seq, *, made_by="here", body=b"state"):
    return SnapshotRow(table=table, seq=seq, hash=bytes([seq % 256]) * 32, epoch=1, made_by=made_by, body=body, mac=b"m" * 32)


async def with_tables(store, *tables):
    for table in tables:
        await store.tables.add_table(TableRow(id=table, title=table, ruleset="sage_d20", created=1))
    return snapshots(store)


async def test_the_latest_snapshot_up_to_a_commit_is_found_and_comes_back_as_it_was(store):
    kept = await with_tables(store, "t", "other")
    for row in (snapshot("t", 2_000), snapshot("t", 1_000, body=bytes(range(256)) * 999), snapshot("other", 1_500)):
        await kept.put_snapshot(row)
    assert await kept.snapshot("t", upto=2**53, made_by="here") == snapshot("t", 2_000)
    assert await kept.snapshot("t", upto=2_000, made_by="here") == snapshot("t", 2_000)
    assert await kept.snapshot("t", upto=1_999, made_by="here") == snapshot("t", 1_000, body=bytes(range(256)) * 999)
    assert await kept.snapshot("t", upto=999, made_by="here") is None
    assert await kept.snapshot("nobody", upto=2**53, made_by="here") is None
    assert [tuple(each) for each in await kept.snapshots("t")] == [(1_000, "here"), (2_000, "here")]


async def test_snapshots_of_other_code_are_not_found_and_go_when_asked(store):
    kept = await with_tables(store, "t", "other")
    for row in (snapshot("t", 1), snapshot("t", 2, made_by="there"), snapshot("other", 3, made_by="there")):
        await kept.put_snapshot(row)
    assert (await kept.snapshot("t", upto=9, made_by="here")).seq == 1
    assert await kept.snapshot("t", upto=9, made_by="elsewhere") is None
    await kept.drop_snapshots("t", made_by_others_than="here")
    assert [tuple(each) for each in await kept.snapshots("t")] == [(1, "here")]
    assert [tuple(each) for each in await kept.snapshots("other")] == [(3, "there")]


async def test_of_one_commit_the_last_snapshot_stands(store):
    kept = await with_tables(store, "t")
    await kept.put_snapshot(snapshot("t", 5, made_by="there"))
    again = replace(snapshot("t", 5, body=b"another"), hash=b"h" * 32, epoch=2, mac=b"n" * 32)
    await kept.put_snapshot(again)
    assert await kept.snapshot("t", upto=5, made_by="here") == again
    assert len(await kept.snapshots("t")) == 1


async def test_one_snapshot_or_all_of_a_table_are_forgotten(store):
    kept = await with_tables(store, "t", "other")
    for row in (snapshot("t", 1), snapshot("t", 2), snapshot("t", 3), snapshot("other", 2)):
        await kept.put_snapshot(row)
    await kept.drop_snapshot("t", 2)
    await kept.drop_snapshot("t", 99)
    assert [seq for seq, _ in await kept.snapshots("t")] == [1, 3]
    await kept.drop_snapshots("t")
    assert list(await kept.snapshots("t")) == []
    assert [seq for seq, _ in await kept.snapshots("other")] == [2]


async def test_of_a_table_that_is_gone_no_snapshot_comes_late(store):
    kept = await with_tables(store, "t")
    await store.tables.delete_table("t")
    await kept.put_snapshot(snapshot("t", 5))
    assert list(await kept.snapshots("t")) == []


# --- logs from elsewhere --------------------------------------------------------------------------------------------


def rung(seq):
    """Seeds and salts that no key here gives."""
    seeds = {part: bytes([seq, place]) * 16 for place, part in enumerate(PARTS)}
    return rung_of(seeds, {part: bytes([place, seq]) * 16 for place, part in enumerate(PARTS)})


def brought(table, *seqs):
    return [(commit(table, seq), rung(seq)) for seq in seqs]


def row_of(table):
    return TableRow(id=table, title=table.title(), ruleset="sage_d20", created=7, restart="imported")


async def test_a_log_from_elsewhere_is_taken_over_with_its_rungs_and_names(store):
    await store.tables.add_table(row_of("other"))
    assert await store.tables.import_table(row_of("t"), iter(brought("t", 1, 2, 3)), {"u-1": "Pia", "u-2": "Quin"})
    assert await store.tables.get_table("t") == row_of("t")
    assert list(await store.log.read("t", after=0, limit=10)) == log("t", 1, 3)
    assert await store.log.find("t", commit("t", 2).command_id) == commit("t", 2)
    assert await store.vault.people("t") == {"u-1": "Pia", "u-2": "Quin"}
    assert await store.vault.rungs("t", after=0, limit=10) == {seq: rung(seq) for seq in (1, 2, 3)}
    assert await store.vault.rungs("t", after=1, limit=1) == {2: rung(2)}
    assert await store.vault.rungs("t", after=3, limit=10) == {}
    assert await store.vault.rungs("other", after=0, limit=10) == {}
    assert await store.vault.table_key("t", 1) is None
    # It goes on like any other, and what is added there has no rungs of elsewhere.
    assert await store.log.append([commit("t", 4)]) == [Appended()]
    assert set(await store.vault.rungs("t", after=0, limit=10)) == {1, 2, 3}
    await store.tables.restarted("t")
    assert (await store.tables.get_table("t")).restart == ""


async def test_a_log_from_elsewhere_is_not_taken_over_a_table_that_is_there(store):
    await store.tables.add_table(row_of("t"))
    await fill(store, "t", 2)
    assert not await store.tables.import_table(row_of("t"), brought("t", 1, 2, 3), {"u-1": "Pia"})
    assert await store.log.head("t") == (2, commit("t", 2).hash)
    assert (await store.vault.people("t"), await store.vault.rungs("t", after=0, limit=9)) == ({}, {})


def broken_off():
    yield from brought("t", 1, 2)
    raise LookupError("the rest is missing")


@pytest.mark.parametrize(
    ("commits", "why"),
    [
        (broken_off, LookupError),
        (lambda: brought("t", 1, 3), ValueError),
        (lambda: brought("t", 2, 3), ValueError),
        (lambda: [*brought("t", 1), (commit("t", 2, commit("t", 1).command_id), rung(2))], ValueError),
    ],
)
async def test_a_log_from_elsewhere_is_taken_over_whole_or_not_at_all(store, commits, why):
    with pytest.raises(why):
        await store.tables.import_table(row_of("t"), commits(), {"u-1": "Pia"})
    assert (await store.tables.get_table("t"), list(await store.tables.list_tables())) == (None, [])
    assert await store.log.head("t") == (0, bytes(32))
    assert (await store.vault.people("t"), await store.vault.rungs("t", after=0, limit=9)) == ({}, {})
    assert await store.tables.import_table(row_of("t"), brought("t", 1, 2), {"u-1": "Pia"})


async def test_of_a_deleted_table_no_rungs_are_left_and_it_may_come_again(store):
    await store.tables.import_table(row_of("t"), brought("t", 1, 2, 3), {})
    assert await store.tables.delete_table("t")
    assert await store.vault.rungs("t", after=0, limit=9) == {}
    assert await store.tables.import_table(row_of("t"), brought("t", 1), {})
    assert set(await store.vault.rungs("t", after=0, limit=9)) == {1}


# --- the end -------------------------------------------------------------------------------------------------------


async def test_a_closed_store_says_so(store):
    await fill(store, "t", 1)
    await store.aclose()
    await store.aclose()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.log.append([commit("t", 2)])
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.log.head("t")
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.tables.list_tables()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.vault.people("t")
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.posted.posting("t")
    with pytest.raises(StoreUnavailable, match="closed"):
        await snapshots(store).snapshot("t", upto=1, made_by="here")
    with pytest.raises(StoreUnavailable, match="closed"):
        await snapshots(store).put_snapshot(snapshot("t", 1))


async def test_closing_finishes_what_was_queued(store):
    batcher = Batcher(store.log)
    appends = [asyncio.ensure_future(batcher.append(commit(f"t{n}", 1))) for n in range(20)]
    appends.append(asyncio.ensure_future(batcher.append(commit("t0", 2))))
    await asyncio.wait(appends, timeout=0)
    await batcher.aclose()
    await store.aclose()
    assert await asyncio.gather(*appends) == [Appended()] * 21
