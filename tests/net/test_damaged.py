"""A disk that gives back what was never written: nobody is told of success, the table is closed, and a line says what to do."""

import pytest

from boonbridge_schemas.codes import Close
from tests.support.bridge import ROLL, playing, serving
from tests.support.damage import overwrite

ROLL = ROLL["sage_d20"]
REFUSED = (1011, Close.INTERNAL.reason)


async def forget_pages(bridge):
    """Have the store read from the disk what it reads next."""
    log = bridge.running._store.log
    await log._writer.call(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
    for worker in (log._writer, log._reader):
        await worker.call(lambda db: db.execute("PRAGMA shrink_memory").fetchall())


def said(bridge):
    return [line["reason"] for line in bridge.logged if line["event"] == "store damaged"]


async def closed(bridge, name):
    async with await bridge.stranger() as person:
        await person.hello(token=await bridge.token(name))
        return person.closed


@pytest.mark.parametrize("what", ["commits", "commits_by_command"])
async def test_what_is_damaged_under_a_running_table_closes_it(tmp_path, what):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        bridge.mistakes = True
        for _ in range(20):
            await pia.do(ROLL)
        await olga.settled()
        heard = len(olga.commits)
        await forget_pages(bridge)
        overwrite(tmp_path / "log.sqlite", what)
        answer = await pia.do(ROLL)
        assert (answer["t"], answer["code"]) == ("refused", "internal"), "never busy: to wait would be no use"
        assert "put a backup back" in answer["message"]
        assert await pia.gone() == await olga.gone() == REFUSED
        assert len(olga.commits) == heard, "nobody heard of a roll that is not on disk"
        assert await closed(bridge, "Quin") == REFUSED
        assert {str(tmp_path / "log.sqlite") in reason and "boonbridge restore FILE" in reason for reason in said(bridge)} == {
            True
        }
        assert not [line for line in bridge.logged if "exception" in line], "a bad disk is no mistake of ours"


async def test_looking_at_what_is_damaged_closes_the_table_too(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        bridge.mistakes = True
        for _ in range(20):
            await pia.do(ROLL)
        await forget_pages(bridge)
        overwrite(tmp_path / "log.sqlite", "commits")
        assert (await pia.ask({"t": "history", "limit": 200}))["code"] == "internal"
        assert await pia.gone() == await quin.gone() == REFUSED
        assert said(bridge)


async def test_a_table_on_a_damaged_page_is_not_opened_and_others_are(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        await bridge.running.new_table("early", "Early", "sage_d20")
        async with bridge.join("Pia", table="early"), bridge.join("Pia") as pia:
            for _ in range(60):
                await pia.do(ROLL)
    overwrite(tmp_path / "log.sqlite", "commits", which=[-1])
    async with serving(tmp_path) as bridge:
        bridge.mistakes = True
        assert await closed(bridge, "Pia") == REFUSED
        async with bridge.join("Pia", table="early") as there:
            assert there.welcome["table"] == "early"
        assert said(bridge)
