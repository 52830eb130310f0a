"""A disk that is really full: busy and not lost, and it goes on by itself once there is room."""

import shutil

from tests.support.bridge import ROLL, TABLE, playing, serving
from tests.support.full import largest_file, small_disk
from tests.support.http import request
from tests.support.people import new_id

ROLL = ROLL["sage_d20"]


async def until_busy(person, limit=400):
    """Roll until there is no room; the id that found none, and how many found some."""
    for done in range(limit):
        id = new_id()
        answer = await person.do(ROLL, id=id)
        if answer["t"] == "refused":
            assert (answer["code"], answer["retryAfterMs"]) == ("busy", 1000)
            return id, done
    raise AssertionError("it was never full")


async def the_same_with_room(bridge, pia, olga, id, rolled):
    """What found no room is done once, and nobody heard of it before."""
    await olga.settled()
    heard = len(olga.commits)
    assert heard == rolled, "nobody hears of a roll that is not on disk"
    assert (await pia.do(ROLL, id=id))["t"] == "ack"
    assert (await pia.do(ROLL, id=id))["t"] == "ack"
    await olga.settled()
    assert len(olga.commits) == heard + 1
    assert (await request(bridge, path="/readyz"))[0] == 200
    reasons = [line["reason"] for line in bridge.logged if line["event"] == "store unavailable"]
    assert reasons
    assert all("/log.sqlite cannot be used just now: " in reason for reason in reasons)
    assert not [line for line in bridge.logged if "exception" in line], "a full disk is no mistake of ours"


async def test_a_full_disk_is_busy_until_there_is_room(tmp_path):
    with small_disk(tmp_path / "small", "8m") as small:
        async with playing("sage_d20", small / "d") as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
            bridge.mistakes = True
            await pia.settled()
            filler = small / "filler"
            filler.write_bytes(bytes(shutil.disk_usage(small).free - 60_000))
            id, rolled = await until_busy(pia)
            assert (await request(bridge, path="/readyz"))[0] == 503
            filler.unlink()
            await the_same_with_room(bridge, pia, olga, id, rolled)
            acked = await bridge.footprint()
        async with serving(small / "d") as bridge:
            assert await bridge.footprint(TABLE) == acked
            assert await bridge.running._store.log._reader.call(lambda db: db.pragma("integrity_check")) == "ok"


async def test_a_file_that_may_not_grow_is_busy_until_it_may(tmp_path):
    async with playing("sage_d20", tmp_path / "d") as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        bridge.mistakes = True
        await pia.do(ROLL)
        await olga.settled()
        size = max(path.stat().st_size for path in (tmp_path / "d").iterdir())
        with largest_file(size + 60_000):
            id, rolled = await until_busy(pia)
        await the_same_with_room(bridge, pia, olga, id, rolled + 1)
