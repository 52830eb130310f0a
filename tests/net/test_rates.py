"""Too fast: first the bridge reads no further for a while, then it says so; whoever waits and sends the same again is served."""

import asyncio
import contextlib
import time

from msgspec.structs import replace

from tests.support.bridge import FAST, ROLL, playing
from tests.support.people import new_id
from tests.support.wait import until

ROLL = ROLL["sage_d20"]


async def test_a_burst_is_free_and_then_it_goes_at_the_rate(tmp_path):
    limits = replace(FAST, commands_per_second=50, commands_burst=10)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        began = time.perf_counter()
        for _ in range(30):
            await pia.do(ROLL, wait=False)
        await until(lambda: len(pia.of("ack")) >= 10)
        assert (await quin.do({**ROLL, "actors": ["friend"]}))["t"] == "ack", "one's haste is nobody else's delay"
        assert len(pia.of("ack")) < 30
        await until(lambda: len(pia.of("ack", "refused")) == 30)
        assert len(pia.of("ack")) == 30, "nothing is refused that could wait two seconds"
        assert time.perf_counter() - began >= (30 - 10) / 50


async def test_over_it_is_refused_with_the_time_to_wait_and_then_done(tmp_path):
    limits = replace(FAST, commands_per_second=4, commands_burst=2, command_wait_seconds=0)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia:
        ids = [new_id() for _ in range(4)]
        before = (await bridge.footprint())[0]
        answers = [await pia.do(ROLL, id=id) for id in ids]
        assert [answer["t"] for answer in answers] == ["ack", "ack", "refused", "refused"]
        for answer in answers[2:]:
            assert answer["code"] == "rate.limited"
            assert answer["message"].endswith(".")
            assert answer["retryAfterMs"] > 0
        assert (await bridge.footprint())[0] == before + 2
        for answer in answers[2:]:
            then = time.monotonic() + answer["retryAfterMs"] / 1000
            await until(lambda then=then: time.monotonic() >= then)
            assert (await pia.do(ROLL, id=answer["id"]))["t"] == "ack", "the id was not used up"
        assert (await bridge.footprint())[0] == before + 4


async def test_a_person_is_one_however_many_tabs_are_open(tmp_path):
    limits = replace(FAST, commands_per_second=1, commands_burst=2, command_wait_seconds=0)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Quin") as quin:
        async with bridge.join("Pia") as one, bridge.join("Pia") as two, bridge.join("Pia") as three:
            answers = [await tab.do(ROLL) for tab in (one, two, three)]
            assert [answer["t"] for answer in answers] == ["ack", "ack", "refused"]
        assert (await quin.do({**ROLL, "actors": ["friend"]}))["t"] == "ack"


async def test_withdrawals_count_as_commands_and_looking_counts_by_itself(tmp_path):
    limits = replace(
        FAST, commands_per_second=1, commands_burst=1, command_wait_seconds=0, previews_per_second=1, history_per_second=1
    )
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia:
        assert (await pia.do(ROLL))["t"] == "ack"
        assert (await pia.ask({"t": "withdraw"}))["code"] == "rate.limited"
        assert (await pia.ask({"t": "preview", "check": ROLL}))["t"] == "previewed"
        assert (await pia.ask({"t": "history"}))["t"] == "page"
        assert (await pia.ask({"t": "proof", "seq": 1}))["t"] == "proven"


async def test_a_flood_of_previews_and_pages_is_refused_in_the_end(tmp_path):
    limits = replace(FAST, previews_per_second=1, history_per_second=1)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge:
        async with contextlib.AsyncExitStack() as stack:
            tabs = [await stack.enter_async_context(bridge.join("Pia")) for _ in range(9)]
            looks = [{"t": "preview", "check": ROLL}] * 4 + [{"t": "history"}] * 5
            answers = await asyncio.gather(*(tab.ask(look) for tab, look in zip(tabs, looks, strict=True)))
        limited = [answer for answer in answers if answer["t"] == "refused"]
        assert {answer["code"] for answer in limited} == {"rate.limited"}
        assert all(answer["retryAfterMs"] for answer in limited)
        assert 2 <= len(limited) < len(answers)
