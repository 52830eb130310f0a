"""Who has a request before his eyes: heard from those who were asked, told to GMs, kept nowhere (I-74)."""

import pytest

from tests.support.bridge import FAST, playing
from tests.support.people import Person
from tests.support.wait import until

CHECK = {"check": "skill", "params": {"skill": "skill.athletics", "difficulty": 9}}


@pytest.fixture
async def bridge(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        yield bridge


async def asked(bridge, **more):
    return str((await bridge.do({"t": "RequestCheck", "checks": [CHECK], **more})).seq)


def seen(person):
    return [(frame["request"], frame["user"]) for frame in person.of("seenBy")]


async def saw(person, request):
    await person.send({"t": "saw", "request": request})
    await person.settled()


async def test_the_feature_is_announced(bridge):
    async with bridge.join("Pia") as pia:
        assert "requests" in pia.welcome["features"]


async def test_i74_gms_are_told_who_has_seen_it_and_nobody_else(bridge):
    async with bridge.join("Gina") as gina, bridge.join("Gwen") as gwen, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        request, before = await asked(bridge), await bridge.footprint()
        await saw(pia, request)
        await saw(pia, request)  # twice is once
        await saw(quin, request)
        await until(lambda: len(gina.of("seenBy")) == len(gwen.of("seenBy")) == 2)
        assert seen(gina) == seen(gwen) == [(request, pia.user), (request, quin.user)]
        assert pia.of("seenBy") == quin.of("seenBy") == []
        assert await bridge.footprint() == before  # nothing of it is in the log


async def test_a_gm_who_comes_later_is_told_of_what_is_open(bridge):
    async with bridge.join("Pia") as pia:
        over, request = await asked(bridge), await asked(bridge)
        await saw(pia, over)
        await saw(pia, request)
        await bridge.do({"t": "CloseRequest", "request": over})
        async with bridge.join("Gina") as gina, bridge.join("Olga") as olga, bridge.join("Quin") as quin:
            await until(lambda: gina.of("seenBy"))
            for person in (gina, olga, quin):
                await person.settled()
            assert seen(gina) == [(request, pia.user)]
            assert olga.of("seenBy") == quin.of("seenBy") == []


async def test_whoever_was_not_asked_is_not_heard(bridge):
    async with bridge.join("Gina") as gina, bridge.join("Quin") as quin, bridge.join("Olga") as olga, bridge.join("Pia") as pia:
        request = await asked(bridge, actors=["hero"])
        secret = await asked(bridge, actors=["hero"], mode="secret")
        closed = await asked(bridge, actors=["hero"])
        await bridge.do({"t": "CloseRequest", "request": closed})
        await saw(quin, request)
        await saw(olga, request)
        for other in (secret, closed, "999", "1"):
            await saw(pia, other)
        await saw(pia, request)
        await until(lambda: gina.of("seenBy"))
        await gina.settled()
        assert seen(gina) == [(request, pia.user)]
        for person in (pia, quin, olga):
            # Nothing is answered, so nothing can be asked that way; what is refused are the proofs that `settled` waits for.
            assert {frame["code"] for frame in person.of("refused")} <= {"proof.unknown"}


async def test_who_becomes_a_gm_is_told_and_who_is_none_any_more_is_not(bridge):
    async with bridge.join("Pia") as pia, bridge.join("Olga") as olga, bridge.join("Gwen") as gwen:
        request = await asked(bridge)
        await saw(pia, request)
        await bridge.do({"t": "Invite", "user": bridge.user("Olga"), "name": "Olga", "role": "gm"})
        await until(lambda: olga.of("seenBy"))
        assert seen(olga) == [(request, pia.user)]
        told = len(gwen.of("seenBy"))
        again = await asked(bridge)
        await saw(pia, again)
        await until(lambda: len(gwen.of("seenBy")) > told)


@pytest.mark.parametrize(
    "frame", [{"t": "saw"}, {"t": "saw", "request": "x"}, {"t": "saw", "request": 1}, {"t": "saw", "request": "1", "user": "u"}]
)
async def test_what_is_no_such_frame_is_refused(bridge, frame):
    async with bridge.join("Pia") as pia:
        await pia.send(frame)
        await until(lambda: pia.of("refused"))
        assert pia.of("refused")[0]["code"] == "frame.bad"


async def test_too_much_of_it_is_not_heard_and_costs_nobody_else_anything(tmp_path):
    limits = type(FAST)(commands_per_second=100_000, commands_burst=100_000, previews_per_second=5)
    async with (
        playing("group_d12", tmp_path, limits=limits) as bridge,
        bridge.join("Gina") as gina,
        bridge.join("Pia") as pia,
        bridge.join("Quin") as quin,
    ):
        requests = [await asked(bridge) for _ in range(12)]
        for request in requests:
            await pia.send({"t": "saw", "request": request})
        await quin.settled()
        await saw(quin, requests[0])
        await until(lambda: (requests[0], quin.user) in seen(gina))


async def test_before_hello_it_is_not_heard(bridge):
    async with await Person.connect(bridge.url) as stranger:
        await stranger.send({"t": "saw", "request": "1"})
        await until(lambda: stranger.of("refused"))
        assert stranger.of("refused")[0]["code"] == "auth.required"
