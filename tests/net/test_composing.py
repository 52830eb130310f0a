"""Who is putting which roll together: heard of one's own public rolls, told to the others, kept nowhere."""

import pytest
from msgspec.structs import replace

from tests.support.bridge import ATTACK, FAST, ROLL, playing
from tests.support.clock import TestClock
from tests.support.people import Person
from tests.support.wait import until

GAME = "sage_d20"
CLIMB = {"actor": "hero", "check": "attribute", "action": "Climb the wall"}
OTHER = {**CLIMB, "action": "Swim"}


@pytest.fixture
async def bridge(tmp_path):
    async with playing(GAME, tmp_path) as bridge:
        yield bridge


def heard(person):
    """Who is at what, in the order in which it was told."""
    return [(frame["user"], frame["on"]) for frame in person.of("underway")]


async def compose(person, on):
    await person.send({"t": "composing", "on": on})
    await person.settled()


async def test_the_others_hear_of_it_before_the_dice_fall_and_nothing_is_kept(bridge):
    async with bridge.join("Gina") as gina, bridge.join("Pia") as pia, bridge.join("Quin") as quin, bridge.join("Olga") as olga:
        assert "composing" in pia.welcome["features"]
        before = await bridge.footprint()
        await compose(pia, CLIMB)
        await compose(pia, CLIMB)  # still at it: nothing new
        await compose(pia, OTHER)
        await compose(pia, None)
        await compose(pia, None)
        for person in (gina, quin, olga):
            await person.settled()
            assert heard(person) == [(pia.user, CLIMB), (pia.user, OTHER), (pia.user, None)]
        assert heard(pia) == []
        assert await bridge.footprint() == before


async def test_whoever_comes_later_is_told_what_is_under_way(bridge):
    async with bridge.join("Pia") as pia, bridge.join("Pia") as pias_other_screen:
        await compose(pia, CLIMB)
        async with bridge.join("Quin") as quin, bridge.join("Pia") as third:
            for person in (quin, third, pias_other_screen):
                await person.settled()
            assert heard(quin) == [(pia.user, CLIMB)]
            assert heard(third) == heard(pias_other_screen) == []
        await compose(pia, None)
        async with bridge.join("Quin") as quin:
            await quin.settled()
            assert heard(quin) == []


async def test_the_roll_itself_ends_it_and_so_does_the_connection(bridge):
    async with bridge.join("Quin") as quin:
        async with bridge.join("Pia") as pia, bridge.join("Pia") as other_screen:
            await compose(pia, CLIMB)
            bridge.tape.put(9)
            assert (await other_screen.do(ROLL[GAME]))["t"] == "ack"
            await until(lambda: heard(quin)[1:] == [(pia.user, None)])
            await compose(pia, CLIMB)
            await compose(other_screen, None)  # it is not that screen's to end
            await quin.settled()
            assert len(heard(quin)) == 3
            await compose(other_screen, OTHER)  # from now on it is
            pia.vanish()
            await until(lambda: not pia.connection.transport or pia.connection.transport.is_closing())
            await quin.settled()
            assert heard(quin)[3:] == [(pia.user, OTHER)]
        await until(lambda: heard(quin)[-1] == (pia.user, None))
        assert len(heard(quin)) == 5


async def test_anothers_roll_for_the_same_actor_does_not_end_it(bridge):
    async with bridge.join("Quin") as quin, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        await compose(pia, CLIMB)
        bridge.tape.put(9)
        assert (await gina.do(ROLL[GAME]))["t"] == "ack"
        await quin.settled()
        assert heard(quin) == [(pia.user, CLIMB)]


async def test_a_hidden_roll_is_not_told_by_what_is_under_way(bridge):
    # He should not have said that it is a public one; the moment of the hidden roll is told by nothing all the same.
    async with bridge.join("Quin") as quin, bridge.join("Olga") as olga, bridge.join("Pia") as pia:
        await compose(pia, CLIMB)
        for count, mode in enumerate(("gm", "blind", "secret", "self"), start=1):
            bridge.tape.put(9)
            assert (await pia.do({**ROLL[GAME], "mode": mode}))["t"] == "ack"
            for person in (quin, olga):
                await until(lambda person=person, count=count: len(person.of("hidden")) == count)
                await person.settled()
                assert heard(person) == [(pia.user, CLIMB)], mode


async def test_only_ones_own_and_only_what_is_known(bridge):
    async with bridge.join("Gina") as gina, bridge.join("Quin") as quin, bridge.join("Pia") as pia, bridge.join("Olga") as olga:
        for person, on in (
            (pia, {**CLIMB, "actor": "friend"}),
            (pia, {**CLIMB, "actor": "foe"}),
            (pia, {**CLIMB, "actor": "nobody"}),
            (pia, {**CLIMB, "actor": "hero.token.Tk1"}),  # his, but of no record yet: the id would be news
            (pia, {**CLIMB, "check": "no_such"}),
            (olga, CLIMB),
            (gina, {**CLIMB, "actor": "foe"}),  # what the other side is about to do
        ):
            await compose(person, on)
        await compose(gina, CLIMB)
        await compose(pia, OTHER)
        await compose(pia, {**OTHER, "actor": "friend"})  # something else, and not to be said: he is not at that any more
        for person in (quin, olga):
            await person.settled()
            assert heard(person) == [(gina.user, CLIMB), (pia.user, OTHER), (pia.user, None)]
        assert heard(gina) == [(pia.user, OTHER), (pia.user, None)]
        for person in (gina, pia, olga):
            assert {frame["code"] for frame in person.of("refused")} <= {"proof.unknown"}, "nothing is answered"


async def test_who_may_not_any_more_is_not_at_it_any_more(bridge):
    owner = {"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party"}
    async with bridge.join("Quin") as quin, bridge.join("Pia") as pia:
        for ends, again in (
            ({**owner, "owners": []}, {**owner, "owners": [bridge.user("Pia")]}),
            (
                {"t": "SetRole", "user": bridge.user("Pia"), "role": "observer"},
                {"t": "SetRole", "user": bridge.user("Pia"), "role": "player"},
            ),
            ({"t": "RemoveActor", "actor": "hero"}, {**owner, "owners": [bridge.user("Pia")]}),
            ({"t": "RevokeAccess", "user": bridge.user("Pia")}, None),
        ):
            told = len(heard(quin))
            await compose(pia, CLIMB)
            await bridge.do(ends)
            await until(lambda told=told: len(heard(quin)) == told + 2)
            assert heard(quin)[told:] == [(pia.user, CLIMB), (pia.user, None)], ends
            if again is not None:
                await bridge.do(again)


async def test_it_lapses_unless_it_is_said_again(tmp_path):
    clock = TestClock()
    async with playing(GAME, tmp_path, clock=clock) as bridge, bridge.join("Quin") as quin, bridge.join("Pia") as pia:
        await compose(pia, CLIMB)
        clock.advance(59)
        await compose(pia, CLIMB)
        clock.advance(59)
        await quin.settled()
        assert heard(quin) == [(pia.user, CLIMB)]
        clock.advance(1)
        await quin.settled()
        assert heard(quin) == [(pia.user, CLIMB), (pia.user, None)]


async def test_too_much_of_it_is_dropped_and_holds_nothing_up(tmp_path):
    limits = replace(FAST, composing_per_second=2)
    async with (
        playing(GAME, tmp_path, limits=limits) as bridge,
        bridge.join("Quin") as quin,
        bridge.join("Pia") as pia,
        bridge.join("Gina") as gina,
    ):
        for number in range(40):
            await pia.send({"t": "composing", "on": {**CLIMB, "action": f"Try {number}"}})
        await compose(gina, CLIMB)
        await compose(pia, None)
        await quin.settled()
        said = [on["action"] for user, on in heard(quin) if user == pia.user and on is not None]
        assert said[:4] == [f"Try {number}" for number in range(4)]
        assert len(said) < 40
        assert heard(quin)[-2:] == [(gina.user, CLIMB), (pia.user, None)], "another is heard, and so is the end"
        assert 'boonbridge_limited_total{kind="composing"}' in bridge.running.metrics.render().decode()


async def test_what_is_no_such_frame_is_refused(bridge):
    async with bridge.join("Quin") as quin:
        for frame in (
            {"t": "composing"},
            {"t": "composing", "on": "hero"},
            {"t": "composing", "on": {"actor": "hero"}},
            {"t": "composing", "on": {**CLIMB, "mode": "gm"}},
            {"t": "composing", "on": {**CLIMB, "action": "x" * 81}},
            {"t": "composing", "on": None, "user": "somebody"},
            {"t": "underway", "user": "somebody", "on": None},
        ):
            async with bridge.join("Pia") as pia:
                await pia.send(frame)
                await until(lambda pia=pia: pia.of("refused"))
                assert pia.of("refused")[0]["code"] == "frame.bad", frame
        await quin.settled()
        assert heard(quin) == []


async def test_before_hello_it_is_not_heard(bridge):
    async with await Person.connect(bridge.url) as stranger:
        await stranger.send({"t": "composing", "on": CLIMB})
        await until(lambda: stranger.of("refused"))
        assert stranger.of("refused")[0]["code"] == "auth.required"


async def test_what_is_aimed_at_is_not_told(bridge):
    # An attempt names whose it is, the check and what it is called; the foe and its numbers stand nowhere in it.
    async with bridge.join("Quin") as quin, bridge.join("Pia") as pia:
        await compose(pia, {"actor": "hero", "check": ATTACK[GAME]["check"], "action": ""})
        await quin.settled()
        assert heard(quin) == [(pia.user, {"actor": "hero", "check": "attack", "action": ""})]
