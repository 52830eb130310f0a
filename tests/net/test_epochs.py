"""A log whose end was cut off: seeds that were shown already are never served again, and all dice stay provable."""

import apsw
import pytest

from tests.support.bridge import ROLL, TABLE, playing, serving
from tests.support.people import new_id
from tests.support.proofs import proven

ROLL = ROLL["sage_d20"]


async def test_every_commit_of_a_long_table_is_proven_by_what_one_may_read(tmp_path):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        for n in range(70):
            await gina.do({**ROLL, "mode": ("public", "secret", "gm")[n % 3]})
        await pia.settled()
        for person in (pia, gina):
            for seq in range(1, pia.seq + 1):
                await proven(person, seq)


async def cut(folder, keep):
    """As when an older copy of the database is put back."""
    database = apsw.Connection(str(folder / "log.sqlite"))
    database.execute("DELETE FROM commits WHERE seq > ?", (keep,))
    database.close()


@pytest.mark.parametrize("lost", [1, 5])
async def test_a_log_that_was_cut_begins_a_new_epoch(tmp_path, lost):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        ids = [new_id() for _ in range(10)]
        for id in ids:
            await pia.do(ROLL, id=id)
        last = pia.last
        shown = {frame["seq"]: frame["seeds"]["all"] for frame in pia.of("logged")}
        faces = {frame["id"]: frame["events"][0]["result"]["dice"] for frame in pia.of("logged") if frame["id"] in ids}
    keep = last["seq"] - lost
    await cut(tmp_path, keep)
    async with serving(tmp_path, seeded=True) as bridge:
        async with bridge.join("Pia", last=last) as pia:
            assert (pia.welcome["epoch"], pia.welcome["from"]) == (2, None)
            assert pia.welcome["reset"] == "epoch"
            # What was lost is rolled anew when it is sent again, with other dice: those that were shown are spent.
            again = [await pia.do(ROLL, id=id) for id in ids[-lost:]]
            assert [answer["t"] for answer in again] == ["ack"] * lost
            page = await pia.ask({"t": "history", "limit": 200})
            commits = {commit["seq"]: commit for commit in page["commits"]}
            assert [event["t"] for event in commits[keep + 1]["events"]] == ["LadderRestarted"]
            for seq, commit in commits.items():
                if seq <= keep:
                    assert commit["seeds"]["all"] == shown.get(seq, commit["seeds"]["all"])
                else:
                    assert commit["seeds"]["all"] not in shown.values()
            rolled = {c["id"]: c["events"][0]["result"]["dice"] for c in page["commits"] if c["id"] in ids}
            assert [rolled[id] for id in ids[:-lost]] == [faces[id] for id in ids[:-lost]]
            for seq in commits:
                await proven(pia, seq)
        assert [line["event"] for line in bridge.logged if line["level"] == "warning"] == [
            "the log is shorter than it was; a new epoch of seeds begins"
        ]
    # And from there on it is a log like any other.
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["epoch"] == 2
        assert (await pia.do(ROLL))["t"] == "ack"
        await proven(pia, pia.seq)
        state = (await bridge.table(TABLE)).state
        assert (state.epoch, state.epoch_from) == (2, keep + 1)


async def test_a_log_that_is_longer_than_its_mark_is_no_cut(tmp_path):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        for _ in range(3):
            await pia.do(ROLL)
    (mark,) = (tmp_path / "heads").glob(f"head-{TABLE}")
    early = mark.read_bytes()
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        await pia.do(ROLL)
    mark.write_bytes(early)
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Pia") as pia:
        assert pia.welcome["epoch"] == 1
