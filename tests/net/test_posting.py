"""One card per roll, whoever is there and however often they come back (I-70, I-71, T-38): Foundry's side is played here."""

import asyncio
import contextlib

import pytest

from boonbridge.tables.ports import StoreUnavailable
from tests.support.bridge import ROLL, playing
from tests.support.clock import TestClock
from tests.support.people import Person
from tests.support.wait import until

PUBLIC = ROLL["sage_d20"]
FRIEND = {**PUBLIC, "actors": ["friend"]}


class World:
    """A Foundry world: its chat, and who of its clients is asked to post at this moment."""

    def __init__(self):
        self.chat = []
        self.asked = []
        self.open = None

    @property
    def seqs(self):
        return [seq for message in self.chat for seq in message["cards"]]


class Tab(Person):
    """A browser tab in Foundry. ``mute``: it is asked and does not answer."""

    world = None
    mute = False

    def _hear(self, message):
        super()._hear(message)
        if (frame := self.frames[-1])["t"] == "post":
            assert self.world.open is None, "two offers are open at one time"
            self.world.asked.append((self, frame))
            if not self.mute:
                self.world.open = self
                self.answering = asyncio.ensure_future(self.answer(frame))

    async def answer(self, frame):
        cards = [[seq] for seq in frame["cards"]] or [f"while you were away: {frame['count']}"]
        self.world.chat += [{"by": self, "cards": one if isinstance(one, list) else [], "text": one} for one in cards]
        self.world.open = None
        await self.send({"t": "posted", "from": frame["from"], "to": frame["to"], "messageId": "Yb3kHc6vXm1sPg0Q"})

    async def close(self):
        if getattr(self, "answering", None):
            await asyncio.wait([self.answering])
        await super().close()


async def enter(bridge, world, name, **options):
    """Open a tab in Foundry."""
    user = bridge.user(name)
    tab = await Tab.connect(bridge.url, token=await bridge.token(name), user=user, kind="foundry")
    tab.world = world
    for key, value in options.items():
        setattr(tab, key, value)
    return await tab.hello()


@contextlib.asynccontextmanager
async def evening(bridge, world, names, tabs=1):
    """Everybody in Foundry, each with so many tabs; in the order of ``names``."""
    here = [await enter(bridge, world, name) for name in names for _ in range(tabs)]
    try:
        yield here
    finally:
        for tab in here:
            await tab.close()


async def posted(bridge, world, seqs):
    """Wait until just these cards were posted, each once and in order, and nobody is asked any more."""
    chat = (await bridge.opened()).chat
    try:
        await until(lambda: world.seqs == seqs and chat._row is not None and chat._row.offer is None)
    except TimeoutError:
        raise AssertionError((world.seqs, seqs, chat._row)) from None


def who(world):
    return [message["by"] for message in world.chat]


@pytest.mark.parametrize("tabs", [1, 2])
@pytest.mark.parametrize("gms", [(), ("Gina",), ("Gina", "Gwen")], ids=["no GM", "one GM", "two GMs"])
async def test_exactly_one_card(tmp_path, gms, tabs):
    names = (*gms, "Pia", "Quin")
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as page:
        world, seqs = World(), []

        async def roll(person, cmd=PUBLIC):
            seqs.append((await person.do(cmd))["seq"])

        # live: from a Foundry tab, and from the table page
        async with evening(bridge, world, names, tabs) as here:
            pia = next(tab for tab in here if tab.user == page.user)
            for person in (pia, page, pia):
                await roll(person)
            await posted(bridge, world, seqs)
        # reload: everybody comes in anew, and nothing comes of it; the roll after it shows that nothing was under way
        async with evening(bridge, world, names, tabs):
            await roll(page)
            await posted(bridge, world, seqs)
        # catch-up: nobody was in Foundry
        for _ in range(3):
            await roll(page)
        before = len(world.asked)
        async with evening(bridge, world, names, tabs) as here:
            await posted(bridge, world, seqs)
            assert len(world.asked) == before + 1, "what was missed comes as one"
            assert who(world)[-3:] == [here[0]] * 3, "and goes to the first who comes"
        # cleared: an empty chat stays empty
        world.chat.clear()
        seqs.clear()
        async with evening(bridge, world, names, tabs):
            await roll(page)
            await posted(bridge, world, seqs)


@pytest.mark.parametrize("gms", [(), ("Gina",), ("Gina", "Gwen")], ids=["no GM", "one GM", "two GMs"])
async def test_t38_twenty_rolls_are_twenty_cards(tmp_path, gms):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, gms) if gms else contextlib.nullcontext():
            acks = await asyncio.gather(*(page.do(PUBLIC) for _ in range(20)))
            seqs = sorted(ack["seq"] for ack in acks)
            if not gms:
                assert not world.chat
            async with evening(bridge, world, () if gms else ("Olga",)):
                await posted(bridge, world, seqs)


async def test_a_burst_of_rolls_is_never_taken_for_time_away(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Gina",)):
            acks = await asyncio.gather(*(page.do(PUBLIC) for _ in range(60)))
            await posted(bridge, world, sorted(ack["seq"] for ack in acks))
            assert all(frame["cards"] for _, frame in world.asked)


async def test_more_than_twenty_missed_are_one_card(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as page:
        world = World()
        seqs = [(await page.do(PUBLIC))["seq"] for _ in range(21)]
        async with evening(bridge, world, ("Gina", "Pia")):
            await until(lambda: world.chat)
            assert [message["text"] for message in world.chat] == ["while you were away: 21"]
            ((_, frame),) = world.asked
            assert frame == {"t": "post", "from": seqs[0], "to": seqs[-1], "count": 21, "cards": []}


async def test_who_is_asked(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as page, bridge.join("Gwen") as gwen:
        world = World()
        async with evening(bridge, world, ("Quin", "Gina", "Olga", "Gina", "Pia", "Pia")) as (quin, _, _, gina, _, pia):
            seqs = [(await person.do(PUBLIC))["seq"] for person in (page, gwen, pia)]
            await posted(bridge, world, seqs)
            assert who(world) == [pia, gina, pia], "the sender's newest, otherwise the newest of a GM"
        async with evening(bridge, world, ("Quin", "Olga")) as (quin, _):
            seqs += [(await person.do(PUBLIC))["seq"] for person in (page, gwen)]
            await posted(bridge, world, seqs)
            assert who(world)[-2:] == [quin, quin], "otherwise whoever has been here longest"


async def test_after_the_cards_of_a_commit_it_is_told(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        world = World()
        async with evening(bridge, world, ("Pia",)) as (pia,):
            seq = (await pia.do(PUBLIC))["seq"]
            await posted(bridge, world, [seq])
            kinds = [(frame["t"], frame.get("seq", frame.get("from"))) for frame in pia.frames]
            assert kinds.index(("logged", seq)) < kinds.index(("post", seq))
            assert "post" in pia.welcome["features"]


@pytest.mark.parametrize(
    ("mode", "roller", "there", "wanted"),
    [
        ("gm", "Pia", ("Quin", "Pia", "Gina"), "Pia"),
        ("gm", "Pia", ("Quin", "Gina"), "Gina"),
        ("blind", "Pia", ("Quin", "Pia"), "Pia"),
        ("self", "Pia", ("Gina", "Pia"), "Pia"),
        ("self", "Pia", ("Gina", "Quin"), None),
        ("gm", "Pia", ("Quin", "Olga"), None),
        ("secret", "Pia", ("Pia", "Gina"), None),
        ("secret", "Gina", ("Gina", "Gwen"), None),
    ],
)
async def test_what_one_may_not_read_one_is_not_asked_for(tmp_path, mode, roller, there, wanted):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join(roller) as page, bridge.join("Quin") as quin:
        world = World()
        async with evening(bridge, world, there):
            hidden = (await page.do({**PUBLIC, "mode": mode}))["seq"]
            after = (await quin.do(FRIEND))["seq"]
            await posted(bridge, world, [hidden, after] if wanted else [after])
            if wanted:
                assert world.chat[0]["by"].user == bridge.user(wanted)
            for tab, frame in world.asked:
                held = {told["seq"] for told in tab.of("logged")}
                assert {frame["from"], frame["to"]} <= held, "an offer names a commit that is hidden from whom it is made to"


async def test_what_nobody_there_may_read_waits_for_whoever_may(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Quin",)):
            seq = (await page.do({**PUBLIC, "mode": "gm"}))["seq"]
            async with evening(bridge, world, ("Olga", "Gina")) as (_, gina):
                await posted(bridge, world, [seq])
                assert who(world) == [gina]


async def test_what_draws_no_die_has_no_card(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        world, roll = World(), ROLL["group_d12"]
        await bridge.do({"t": "Act", "verb": "give_boon"})
        async with evening(bridge, world, ("Pia", "Gina")) as (pia, gina):
            bridge.tape.put(2, 3)
            first = (await pia.do(roll))["seq"]
            spent = (await pia.do({"t": "Choose", "check": f"{first}.1", "choice": "spend"}))["seq"]
            await gina.do({"t": "Act", "verb": "give_boon"})
            await gina.do({"t": "SetOptions", "options": {"player_sources": "gm_only"}})
            bridge.tape.put(2)
            third = (await pia.do(roll))["seq"]
            await pia.do({"t": "Choose", "check": f"{third}.1", "choice": "accept"})
            bridge.tape.put(12)
            last = (await pia.do(roll))["seq"]
            await posted(bridge, world, [first, spent, third, last])


# --- when nobody answers -------------------------------------------------------------------------------------------
async def test_an_offer_moves_on_when_its_time_is_up(tmp_path):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Olga", "Gwen", "Gina", "Pia")) as (olga, gwen, gina, pia):
            pia.mute = gina.mute = gwen.mute = True
            seq = (await page.do(PUBLIC))["seq"]
            for number, tab in enumerate((pia, gina, gwen), start=1):
                await until(lambda n=number: len(world.asked) == n)
                assert world.asked[-1][0] is tab
                clock.advance(4.9)
                await page.settled()
                assert len(world.asked) == number
                clock.advance(0.1)
            await posted(bridge, world, [seq])
            assert who(world) == [olga]
            assert not clock.waiting or clock.waiting[0] > clock.now()


async def test_whoever_is_alone_is_asked_again(tmp_path):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge:
        world = World()
        async with evening(bridge, world, ("Pia",)) as (pia,):
            pia.mute = True
            seq = (await pia.do(PUBLIC))["seq"]
            for number in (1, 2, 3):
                await until(lambda n=number: len(world.asked) == n)
                pia.mute = number < 2
                clock.advance(5)
            await posted(bridge, world, [seq])


@pytest.mark.parametrize("how", ["close", "vanish"])
async def test_a_poster_who_is_gone(tmp_path, how):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Gina",)):
            pia = await enter(bridge, world, "Pia", mute=True)
            seq = (await page.do(PUBLIC))["seq"]
            await until(lambda: world.asked)
            await pia.close() if how == "close" else pia.vanish()
            await until(lambda: len(bridge.running.hub._open["tests"].chat._sessions) == 1)
            await page.settled()
            assert not world.chat, "it may have posted all the same, so it has its time"
            clock.advance(5)
            await posted(bridge, world, [seq])
            await pia.close()


async def test_an_answer_that_was_lost_is_given_again(tmp_path):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Gina",)):
            pia = await enter(bridge, world, "Pia", mute=True)
            seq = (await page.do(PUBLIC))["seq"]
            await until(lambda: world.asked)
            pia.vanish()
            async with evening(bridge, world, ("Pia",)) as (pia,):
                await pia.send({"t": "posted", "from": seq, "to": seq})
                await until(lambda: '"posted"' in bridge.lines)
                clock.advance(60)
                after = (await page.do(PUBLIC))["seq"]
                await posted(bridge, world, [after])


async def test_an_answer_of_somebody_else_is_none(tmp_path):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Quin", "Pia")) as (quin, pia):
            pia.mute = True
            seq = (await page.do(PUBLIC))["seq"]
            await until(lambda: world.asked)
            answer = {"t": "posted", "from": seq, "to": seq}
            await quin.send(answer)  # was not asked
            await page.send(answer)  # is not in Foundry
            await pia.send({**answer, "to": seq + 1})  # was not asked for that
            for person in (quin, page, pia):
                await person.settled()
            clock.advance(5)
            await posted(bridge, world, [seq])
            assert who(world) == [quin]


async def test_a_restart_in_the_middle_posts_nothing_twice(tmp_path):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge:
        world = World()
        async with evening(bridge, world, ("Gina", "Pia")) as (_, pia):
            first = (await pia.do(PUBLIC))["seq"]
            await posted(bridge, world, [first])
            pia.mute = True
            second = (await pia.do(PUBLIC))["seq"]
            await until(lambda: len(world.asked) == 2)
    async with playing("sage_d20", tmp_path, clock=clock) as bridge, evening(bridge, world, ("Quin", "Gina")) as (quin, _):
        await until(lambda: clock.waiting)
        await quin.settled()
        assert world.seqs == [first], "the offer stands until its time is up, also over a restart"
        clock.advance(5)
        await posted(bridge, world, [first, second])


async def test_a_store_that_fails_for_a_moment(tmp_path):
    clock = TestClock()
    async with playing("sage_d20", tmp_path, clock=clock) as bridge, bridge.join("Pia") as page:
        world = World()
        async with evening(bridge, world, ("Gina",)):
            chat = (await bridge.opened()).chat
            real, chat._store = chat._store, Broken()
            seq = (await page.do(PUBLIC))["seq"]
            await until(lambda: clock.waiting)
            chat._store = real
            clock.advance(1)
            await posted(bridge, world, [seq])


class Broken:
    async def swap_posting(self, *_):
        raise StoreUnavailable("a full disk")

    posting = swap_posting
