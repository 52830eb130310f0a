"""Haste: people, addresses and strangers are slowed, told so, and nobody else waits for it. Ten thousand guesses get nowhere."""

import asyncio
import contextlib
import itertools
import socket
import time

import pytest
from msgspec.structs import replace

from boonbridge.net.rates import Guesses, Rate, Rates, address, paces
from boonbridge_schemas.codes import Close
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits
from tests.support.bridge import FAST, ROLL, TABLE, playing
from tests.support.http import request
from tests.support.people import CLIENT, new_id
from tests.support.wait import until

ROLL = ROLL["sage_d20"]
PRODUCT = Limits()
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def elsewhere():
    """Whether this machine lets a client come from another loopback address, as Linux does."""
    with contextlib.suppress(OSError), socket.socket() as probe:
        probe.bind(("127.0.0.9", 0))
        return True
    return False


def guess(number):
    return "".join(_LETTERS[(number >> shift) % 32] for shift in range(0, 40, 5))


def pair(code):
    return {"t": "pair", "id": new_id(), "code": code, "name": "Mallory", "client": CLIENT}


# --- the arithmetic of rates, on a clock of our own --------------------------------------------------------------------
def test_a_burst_then_the_rate_then_all_of_it_again_after_a_pause():
    rates, rate = Rates(), Rate(per_second=4, burst=3)
    for _ in range(3):
        assert rates.wait("pia", rate, 100.0) == 0
        rates.take("pia", rate, 100.0)
    assert rates.wait("pia", rate, 100.0) == pytest.approx(0.25)
    assert rates.wait("quin", rate, 100.0) == 0, "somebody else's are his own"
    assert rates.wait("pia", rate, 100.25) == pytest.approx(0)
    rates.take("pia", rate, 100.25)
    assert rates.wait("pia", rate, 100.25) == pytest.approx(0.25)
    rates.give_back("pia", rate)
    assert rates.wait("pia", rate, 100.25) == pytest.approx(0)
    assert rates.wait("pia", rate, 200.0) == 0
    for _ in range(3):
        rates.take("pia", rate, 200.0)
    assert rates.wait("pia", rate, 200.0) == pytest.approx(0.25), "a long pause saves up no more than the burst"


def test_strangers_do_not_fill_the_memory():
    rates, rate = Rates(), Rate(per_second=1, burst=5)
    for number in range(100_000):
        rates.take(f"2001:db8:{number:x}::/64", rate, now=number / 1000)  # a thousand new addresses a second
    assert len(rates) < 5_000


@pytest.mark.parametrize(
    ("peer", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(peer, counts_as):
    assert address(peer) == counts_as


def test_wrong_codes_are_counted_by_address_and_in_all():
    guesses, now = Guesses(PRODUCT), 50.0
    for _ in range(5):
        guesses.try_one("one", now)
    with pytest.raises(Refusal) as no:
        guesses.try_one("one", now)
    assert no.value.code == "rate.limited"
    assert 11_000 < no.value.retry_after_ms <= 12_001, "five a minute"
    others = next(number for number in itertools.count() if not allowed(guesses, f"address {number}", now))
    assert others == 75, "in all as many as sixteen addresses have"
    with pytest.raises(Refusal):
        guesses.try_one("one more", now)
    guesses.try_one("one more", now + 1)
    ten_minutes = sum(allowed(guesses, f"address {number % 500}", now + 1 + number / 100) for number in range(60_000))
    assert ten_minutes <= 800, "while a code is good, all the world together tries 880 of 1,099,511,627,776"


def allowed(guesses, who, now):
    try:
        guesses.try_one(who, now)
    except Refusal:
        return False
    return True


def test_who_types_right_is_not_counted():
    guesses = Guesses(PRODUCT)
    for _ in range(1000):
        guesses.try_one("one", 5.0)
        guesses.was_not_wrong("one")


def test_the_usual_rates_are_those_of_the_protocol():
    pace = paces(PRODUCT)
    assert (pace["do"].rate, pace["do"].wait) == (Rate(20, 40), 2)
    assert pace["preview"].rate.per_second == 20
    assert pace["history"].rate.per_second == 5


# --- guessing --------------------------------------------------------------------------------------------------------
async def test_ten_thousand_guesses_of_a_pairing_code_get_nowhere(tmp_path):
    limits = replace(FAST, wrong_codes_per_minute=PRODUCT.wrong_codes_per_minute, wrong_codes_burst=PRODUCT.wrong_codes_burst)
    hosts = [f"127.0.0.{n}" for n in range(2, 12)] if elsewhere() else ["127.0.0.1"]
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, contextlib.AsyncExitStack() as stack:
        gina = await stack.enter_async_context(bridge.join("Gina"))
        link = {"t": "makeCode", "kind": "link", "name": "Zoe"}
        links = [(await gina.ask(link))["code"] for _ in range(PRODUCT.open_codes)]
        before = await bridge.footprint()
        guessers = [
            await stack.enter_async_context(await bridge.stranger(local_addr=(hosts[n % len(hosts)], 0))) for n in range(40)
        ]
        tried = iter(range(10_000))
        pairing = bridge.running.hub.pairing
        for number in itertools.batched(tried, 1000) if hasattr(itertools, "batched") else _batches(tried, 1000):
            right = await pairing.new_code(TABLE)  # a fresh one, as the bridge shows while no GM has paired
            for n in number:
                code = (right, links[n % len(links)])[n % 2] if n % 100 > 97 and n > 200 else guess(n * 7919)
                await guessers[n % len(guessers)].send(pair(code))
            await until(lambda n=number: sum(len(one.of("refused", "paired")) for one in guessers) == n[-1] + 1)
        answers = [frame for one in guessers for frame in one.of("refused", "paired")]
        assert len(answers) == 10_000
        assert {frame["t"] for frame in answers} == {"refused"}, "not even with the right one among them"
        looked_at = sum(frame["code"] == "auth.code_wrong" for frame in answers)
        told_to_wait = [frame for frame in answers if frame["code"] == "rate.limited"]
        assert looked_at + len(told_to_wait) == 10_000
        assert looked_at <= (5 + 2) * len(hosts), "five at once from each address, then five a minute"
        assert all(frame["retryAfterMs"] > 0 and frame["message"].endswith(".") for frame in told_to_wait)
        assert await bridge.footprint() == before, "nobody came in"
        open_now = (await gina.ask({"t": "people"}))["codes"]
        assert sum(one["kind"] == "link" for one in open_now) == PRODUCT.open_codes, "and no link was used up by it"
        print(f"10,000 guesses from {len(hosts)} addresses: {looked_at} were looked at, none got in")


def _batches(numbers, size):
    while batch := list(itertools.islice(numbers, size)):
        yield batch


async def test_from_another_address_somebody_else_may_pair_meanwhile(tmp_path):
    if not elsewhere():
        pytest.skip("this machine has one loopback address")
    limits = replace(FAST, wrong_codes_per_minute=5, wrong_codes_burst=5)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge:
        async with await bridge.stranger(local_addr=("127.0.0.2", 0)) as guesser:
            for _ in range(30):
                await guesser.ask(pair("AAAA-AAAA"))
            code = await bridge.running.hub.pairing.new_code(TABLE)
            assert (await guesser.ask(pair(code)))["code"] == "rate.limited", "not even the right one is looked at"
        async with await bridge.stranger(local_addr=("127.0.0.3", 0)) as zoe:
            assert (await zoe.ask(pair(code)))["t"] == "paired"


def test_codes_are_compared_in_constant_time(monkeypatch):
    """What the clock cannot show reliably: every comparison of a code goes through ``hmac.compare_digest``, of keyed hashes."""
    import ast
    import inspect

    from boonbridge.tables import pairing

    tree = ast.parse(inspect.getsource(pairing))
    (redeem,) = [node for node in ast.walk(tree) if getattr(node, "name", "") == "_redeem"]
    assert "compare_digest" in {node.attr for node in ast.walk(redeem) if isinstance(node, ast.Attribute)}
    compared = [node for node in ast.walk(redeem) if isinstance(node, ast.Compare)]
    words = {ast.unparse(side) for node in compared for side in (node.left, *node.comparators)}
    assert not {word for word in words if ("code" in word.lower() and "LIFE" not in word) or "hash" in word.lower()}, words


# --- hello and connections -------------------------------------------------------------------------------------------
async def test_who_comes_in_again_and_again_is_asked_to_come_later(tmp_path):
    limits = replace(FAST, hellos_per_minute=1, hellos_burst=3, command_wait_seconds=0)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge:
        token = await bridge.token("Pia")
        for _ in range(3):
            async with await bridge.stranger() as pia:
                await pia.hello(token=token)
                assert pia.closed is None
        async with await bridge.stranger() as pia:
            await pia.hello(token=token)
            assert pia.closed == (Close.TRY_LATER, Close.TRY_LATER.reason)
            assert [frame["t"] for frame in pia.frames] == ["bye"]
        async with bridge.join("Quin") as quin:
            assert quin.welcome, "one's haste is nobody else's"


async def test_an_address_that_tries_one_token_after_the_other_is_turned_away(tmp_path):
    limits = replace(FAST, hellos_per_minute=1, hellos_burst=1, people_per_address=4, command_wait_seconds=0)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge:
        codes = []
        for _ in range(6):
            async with await bridge.stranger() as stranger:
                await stranger.hello(token="no.such.token")
                codes.append(stranger.closed[0])
        assert codes == [Close.AUTH_BAD] * 4 + [Close.TRY_LATER] * 2
        if elsewhere():
            async with await bridge.stranger(local_addr=("127.0.0.2", 0)) as pia:
                await pia.hello(token=await bridge.token("Pia"))
                assert pia.welcome


async def test_one_address_has_so_many_connections_and_no_more(tmp_path):
    from websockets.exceptions import InvalidStatus

    limits = replace(FAST, connections_per_address=3)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia:
        async with await bridge.stranger(), await bridge.stranger() as third:
            with pytest.raises(InvalidStatus) as no:
                await bridge.stranger()
            assert no.value.response.status_code == 429
            assert no.value.response.body.decode().endswith(".\n")
            assert no.value.response.headers["Retry-After"]
            assert (await request(bridge))[0] == 200, "the page itself is told nothing of it"
            if elsewhere():
                async with await bridge.stranger(local_addr=("127.0.0.2", 0)) as other:
                    await other.hello(token=await bridge.token("Quin"))
                    assert other.welcome
            third.vanish()
            await until(lambda: bridge.running._server._connected["127.0.0.1"] == 2)
            async with bridge.join("Gina") as gina:
                assert gina.welcome, "who goes makes room"
        assert (await pia.do(ROLL))["t"] == "ack"
    assert not bridge.running._server._connected, "and nobody is counted for ever"


async def test_many_who_shake_hands_at_once_are_counted_too(tmp_path):
    from websockets.exceptions import InvalidStatus

    limits = replace(FAST, connections_per_address=3)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge:
        came = await asyncio.gather(*(bridge.stranger() for _ in range(20)), return_exceptions=True)
        assert not [one for one in came if isinstance(one, Exception) and not isinstance(one, InvalidStatus)]
        people = [one for one in came if not isinstance(one, Exception)]
        await until(lambda: sum(one.closed is None for one in people) <= 3)
        assert {one.closed[0] for one in people if one.closed} <= {Close.TRY_LATER}
        assert sum(one.closed is None for one in people) == 3
        await asyncio.gather(*(one.close() for one in people))


# --- floods over one connection ----------------------------------------------------------------------------------------
LOOKS = {
    "preview": {"t": "preview", "check": ROLL},
    "foresee": {"t": "foresee", "cmd": {"t": "SetOptions", "options": {"default_tn": 9}}},
    "history": {"t": "history"},
    "proof": {"t": "proof", "seq": 1},
    "renew": {"t": "renew"},
}


async def test_one_connection_that_only_looks_is_slowed_and_then_told_so(tmp_path):
    limits = replace(FAST, previews_per_second=50)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Gina") as gina:
        began, sent = time.monotonic(), 0
        while not any(frame["code"] == "rate.limited" for frame in gina.of("refused")):
            await gina.send({**LOOKS["preview"], "id": new_id()})
            sent += 1
            await until(lambda sent=sent: len(gina.frames) > sent - 200)  # as fast as it reads, and always ahead of it
            assert time.monotonic() - began < 20
        told = next(frame for frame in gina.of("refused") if frame["code"] == "rate.limited")
        assert time.monotonic() - began >= 1, "it is slowed first"
        assert told["retryAfterMs"] > 0
        assert 'boonbridge_limited_total{kind="preview"}' in bridge.running.metrics.render().decode()


def far_too_many(bridge, person, kind):
    """As if that person had asked without end a moment ago."""
    server = bridge.running._server
    for _ in range(1_000):
        server.pacing.rates.take((kind, TABLE, person.user), Rate(1, 1), time.monotonic())


@pytest.mark.parametrize("kind", LOOKS)
async def test_each_way_to_look_has_a_rate(tmp_path, kind):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Gwen") as gwen:
        far_too_many(bridge, gina, "preview" if kind in ("preview", "foresee") else "history")
        answer = await gina.ask(LOOKS[kind])
        assert (answer["t"], answer["code"]) == ("refused", "rate.limited")
        assert answer["retryAfterMs"] > 900_000
        assert (await gwen.ask(LOOKS[kind])).get("code") in (None, "auth.renew_early"), "somebody else is served"


async def test_everything_a_connection_says_has_a_pace_even_what_is_refused(tmp_path):
    limits = replace(FAST, commands_per_second=2, previews_per_second=1, history_per_second=1, command_wait_seconds=0)
    limits = replace(limits, commands_burst=1)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        began = time.monotonic()
        for _ in range(28):  # 16 at once, then 8 a second
            await pia.send({"t": "withdraw", "id": new_id()})
        assert (await quin.do({**ROLL, "actors": ["friend"]}))["t"] == "ack"
        await until(lambda: len(pia.of("ack", "refused")) == 28)
        assert time.monotonic() - began >= (28 - 17) / 8
        assert len([frame for frame in pia.of("refused") if frame["code"] == "rate.limited"]) >= 20


async def test_what_was_seen_too_often_is_not_even_answered(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia:
        before = len(pia.frames)
        far_too_many(bridge, pia, "saw")
        await pia.send({"t": "saw", "request": "1"})
        await pia.settled()
        assert [frame["t"] for frame in pia.frames[before:]] == ["refused"], "only what settled asked"
        assert 'boonbridge_limited_total{kind="saw"} 1.0' in bridge.running.metrics.render().decode()


async def test_one_address_has_the_rates_of_so_many_people(tmp_path):
    limits = replace(FAST, commands_per_second=1, commands_burst=1, command_wait_seconds=0, people_per_address=2)
    limits = replace(limits, previews_per_second=10_000)
    async with (
        playing("sage_d20", tmp_path, limits=limits) as bridge,
        bridge.join("Pia") as pia,
        bridge.join("Quin") as quin,
        bridge.join("Gina") as gina,
    ):
        answers = [await one.do({**ROLL, "actors": [who]}) for one, who in ((pia, "hero"), (quin, "friend"), (gina, "hero"))]
        assert [answer["t"] for answer in answers] == ["ack", "ack", "refused"]
        assert answers[2]["code"] == "rate.limited"
