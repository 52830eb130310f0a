"""What leaked elsewhere, over sockets, each after its id: whose secrecy binds, who is not told because he clicked, what comes first.

The whole matrix of a roll is in ``tests/leaks``; this is about requests, about order, and about what is sent before anything else.
"""

from tests.support.bridge import ROLES, ROLL, playing
from tests.support.leaks import found, reads_no_secret
from tests.support.people import settle

FACE, TOTAL = 97, 117  # d20: 17, d100: 97; agility 13
NUMBERS = (FACE, TOTAL)
BOON = {"id": "kkqqj.source", "label": "Qqzzk-label", "sign": "boon"}
ASK = {
    "t": "RequestCheck",
    "actors": ["hero"],
    "checks": [{"check": "attribute", "params": {"attribute": "agility", "tn": 12}}],
    "sources": [BOON],
}
ORDER = ("public", "gm", "blind", "secret")
EVERYBODY = set(ROLES)
READERS = {  # of faces and totals of a roll by Pia: the table of protocol section 4
    "public": EVERYBODY,
    "gm": {"Pia", "Gina", "Gwen"},
    "blind": {"Gina", "Gwen"},
    "secret": {"Gina", "Gwen"},
}


def stricter(asked, answered):
    """The order of the protocol; on a request ``self`` counts as ``gm``."""
    return max(asked, "gm" if answered == "self" else answered, key=ORDER.index)


async def test_t35_i50_i54_the_stricter_of_request_and_answer_wins_in_both_directions(tmp_path, subtests):
    async with playing("sage_d20", tmp_path, options={"boon_die": 100}) as bridge, bridge.everybody() as people:
        for asked in ("public", "gm", "blind"):
            for answered in ("public", "gm", "blind", "secret", "self"):
                with subtests.test(f"asked {asked}, answered {answered}"):
                    request = (await people["Gina"].do({**ASK, "mode": asked}))["seq"]
                    await settle(people)
                    for person in people.values():
                        person.bytes.clear()
                    bridge.tape.put(17, 97)
                    answer = await people["Pia"].do(
                        {"t": "AnswerRequest", "request": str(request), "actor": "hero", "mode": answered}
                    )
                    assert answer["t"] == "ack", answer
                    await settle(people)
                    told = {name for name, person in people.items() if found(person.bytes, (), NUMBERS)}
                    assert told == READERS[stricter(asked, answered)]


async def test_i49_what_is_hidden_is_so_for_whoever_comes_late_and_whoever_is_slow(tmp_path, subtests):
    """Elsewhere a page hid what it had been sent, once the module had loaded. Here there is nothing to hide."""
    async with playing("sage_d20", tmp_path, options={"boon_die": 100}) as bridge:
        async with bridge.join("Quin") as quin, bridge.join("Pia") as pia:
            before = quin.last
            await quin.close()
            bridge.tape.put(17, 97)
            await pia.do({**ROLL["sage_d20"], "sources": [BOON], "mode": "gm"})
            assert found(pia.bytes, (), NUMBERS) == set(NUMBERS)
        for name, last in (("late", before), ("at first", None)):
            with subtests.test(name):
                async with bridge.join("Quin", last=last) as again:
                    await again.ask({"t": "history", "limit": 200})
                    assert found(again.bytes, ("Qqzzk-label",), NUMBERS) == set()


async def test_i55_whoever_sent_it_is_no_reader_of_it_for_that(tmp_path):
    async with playing("sage_d20", tmp_path, options={"boon_die": 100}) as bridge, bridge.join("Pia") as pia:
        for mode in ("blind", "secret"):
            bridge.tape.put(17, 97)
            answer = await pia.do({**ROLL["sage_d20"], "sources": [BOON], "mode": mode})
            assert answer["t"] == "ack"
        await pia.settled()
        assert found(pia.bytes, (), NUMBERS) == set()


async def test_i57_i58_the_first_thing_anybody_is_sent_holds_no_secret_either(tmp_path):
    async with playing("group_d12", tmp_path) as bridge:
        async with bridge.join("Gina") as gina:
            for mode in ("secret", "gm"):
                await gina.do({**ROLL["group_d12"], "actors": ["foe"], "mode": mode})
        for name, role in ROLES.items():
            async with bridge.join(name) as person:
                if role != "gm":
                    assert found(person.bytes, (), (29, 36)) == set(), "numbers of the foe"
                await reads_no_secret(bridge, person, role)


async def test_i57_who_has_not_said_who_he_is_is_sent_nothing_at_all(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await bridge.stranger() as stranger, bridge.join("Pia") as pia:
        await pia.do(ROLL["sage_d20"])
        await pia.settled()
        answer = await stranger.ask({"t": "history", "limit": 200})
        assert answer["code"] == "auth.required"
        assert [frame["t"] for frame in stranger.frames] == ["refused"]
