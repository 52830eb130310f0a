"""What is looked for in a long log: by marks, by actor, by person; how far was looked, and what it tells nobody.

Which marks a commit has stands in ``tests/reading/test_marks.py``.
"""

from itertools import pairwise

import msgspec
import pytest

from boonbridge.tables import looking, serving
from boonbridge_schemas.client import History, Proof, Wanted
from tests.support.bridge import FAST, ROLL, playing
from tests.support.house import House
from tests.support.people import new_id
from tests.support.wait import until

ROLL = ROLL["sage_d20"]
GIVE = {"t": "Act", "verb": "give_boon"}
TAKE = {"t": "Act", "verb": "take_boon"}
ACTOR = {"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party"}
DICE = {"t": "RollDice", "formula": "1d6"}


async def look(house, session, sink, **asked):
    where = Wanted(**{key: asked.pop(key) for key in ("marks", "actor", "user") if key in asked})
    pages = len(sink.of("page"))
    await looking.history(house.hub, session, History(id=new_id(), where=where, **asked))
    await until(lambda: len(sink.of("page")) > pages)
    return sink.of("page")[-1]


async def all_of(house, session, sink, *, forwards=False, **asked):
    """Page after page, as a client goes on from where was looked; the pages, and the seqs in the order of the log."""
    pages, seqs, at = [], [], {"after": 0} if forwards else {}
    while True:
        page = await look(house, session, sink, **asked, **at)
        pages.append(page)
        found = [commit["seq"] for commit in page["commits"]]
        assert [mark["seq"] for mark in page["marks"]] == found
        seqs = seqs + found if forwards else found + seqs
        if not page["more"]:
            return pages, seqs
        assert page["looked"] != next(iter(at.values()), None), "each page goes on"
        at = {"after" if forwards else "before": page["looked"]}


# --- over the wire ------------------------------------------------------------------------------------------------------
async def test_a_critical_is_found_with_its_marks_and_how_far_was_looked(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        for face in (5, 20, 7):
            bridge.tape.put(face)
            await bridge.do(ROLL)
        head = (await bridge.table()).state.seq
        found = await pia.ask({"t": "history", "where": {"marks": ["critical"]}})
        assert [commit["seq"] for commit in found["commits"]] == [head - 1]
        assert found["marks"] == [{"seq": head - 1, "marks": ["roll", "critical"]}]
        assert (found["looked"], found["more"]) == (1, False)
        plain = await pia.ask({"t": "history"})
        assert (plain["marks"], plain.get("looked")) == ([], None)
        assert plain["commits"][-2] == found["commits"][0]


async def test_what_is_hidden_from_somebody_is_not_found_by_him_nor_told(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.everybody() as people:
        first = (await bridge.table()).state.seq + 1
        bridge.tape.put(20, 20, 20, 20)
        await bridge.do({**ROLL, "mode": "gm"}, by="Pia", role="player")
        await bridge.do({**ROLL, "mode": "blind"}, by="Pia", role="player")
        await bridge.do({**ROLL, "mode": "secret"})
        await bridge.do({**ROLL, "mode": "self"}, by="Pia", role="player")
        sees = {"Gina": [first, first + 1, first + 2], "Gwen": [first, first + 1, first + 2], "Pia": [first, first + 3]}
        for name, person in people.items():
            for where in ({"marks": ["critical"]}, {"marks": ["roll", "critical"], "actor": "hero"}):
                page = await person.ask({"t": "history", "where": where})
                found = [commit["seq"] for commit in page["commits"]]
                rolled = (
                    [first + 1] if name == "Pia" and where["marks"] != ["critical"] else []
                )  # that she rolled blind she knows
                assert found == sorted([*sees.get(name, []), *rolled]), (name, where)
                assert {commit["t"] for commit in page["commits"]} <= {"logged"}
                assert (page["looked"], page["more"]) == (1, False), "the same for all"
            page = await person.ask({"t": "history", "where": {"user": bridge.user("Gina")}})
            assert (first + 2 in [commit["seq"] for commit in page["commits"]]) == (name in ("Gina", "Gwen"))


@pytest.mark.parametrize(
    "where",
    [{"marks": ["luck"]}, {"marks": "critical"}, {"actor": "no spaces"}, {"user": ""}, {"who": "hero"}, [], {"marks": [None]}],
)
async def test_what_cannot_be_looked_for_is_refused(where):
    frame = {"t": "history", "id": new_id(), "where": where}
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(frame), type=History)


async def test_a_correction_is_about_whoever_what_it_corrects_was_about(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        first = (await bridge.table()).state.seq + 1
        await bridge.do({**ROLL, "actors": ["hero", "friend"]})
        await bridge.do({"t": "Void", "what": f"check/{first}.2", "confirm": True})
        await bridge.do({"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "luck", "label": "Luck"}})
        await bridge.do({"t": "Void", "what": f"grant/{first + 2}.1", "confirm": True})
        await bridge.do({**ROLL, "mode": "secret"})
        await bridge.do({"t": "Void", "what": f"check/{first + 4}.1", "confirm": True})
        for person, actor, seqs in (
            (pia, "friend", [first + 1]),
            (pia, "hero", [first + 3]),
            (gina, "hero", [first + 3, first + 5]),
            (gina, "foe", []),
        ):
            page = await person.ask({"t": "history", "where": {"marks": ["correction"], "actor": actor}})
            assert [commit["seq"] for commit in page["commits"]] == seqs, actor


# --- pages ------------------------------------------------------------------------------------------------------------
@pytest.fixture
async def house():
    """Commits 3 to 62: dice in every tenth, a Boon given or taken in each other one."""
    async with House() as house:
        await house.do(ACTOR)
        for n in range(60):
            await house.do({**DICE, "actor": "hero"} if n % 10 == 9 else (TAKE if n % 2 else GIVE))
        assert (await house.table()).state.seq == 62
        yield house


ROLLS = [12, 22, 32, 42, 52, 62]


@pytest.mark.parametrize("forwards", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 5, 6, 200])
@pytest.mark.parametrize("farthest", [7, 25, 2_000])
async def test_page_after_page_finds_everything_once(house, monkeypatch, forwards, limit, farthest):
    monkeypatch.setattr(looking, "FARTHEST", farthest)
    session, sink = await house.admit("olga", "observer")
    head = session.table.state.seq
    pages, seqs = await all_of(house, session, sink, marks=("roll",), limit=limit, forwards=forwards)
    assert seqs == ROLLS
    assert all(len(page["commits"]) <= limit for page in pages)
    assert pages[-1]["looked"] == (head if forwards else 1)
    farthest = min(farthest, head)
    assert len(pages) >= head / farthest - 1
    looked = [head + 1, *(page["looked"] for page in pages)] if not forwards else [0, *(page["looked"] for page in pages)]
    steps = [abs(b - a) for a, b in pairwise(looked)]
    assert max(steps) <= farthest


async def test_a_full_page_was_looked_at_as_far_as_its_last_commit(house):
    session, sink = await house.admit("olga", "observer")
    page = await look(house, session, sink, marks=("roll",), limit=2)
    assert ([commit["seq"] for commit in page["commits"]], page["looked"], page["more"]) == ([52, 62], 52, True)
    page = await look(house, session, sink, marks=("roll",), limit=2, after=5)
    assert ([commit["seq"] for commit in page["commits"]], page["looked"], page["more"]) == ([12, 22], 22, True)


async def test_a_page_that_grows_too_large_goes_on_at_the_next(house):
    house.hub.limits = msgspec.structs.replace(FAST, page_bytes=1_500)
    session, sink = await house.admit("olga", "observer")
    for forwards in (False, True):
        pages, seqs = await all_of(house, session, sink, marks=("roll",), forwards=forwards)
        assert seqs == ROLLS
        assert 1 < len(pages) <= len(ROLLS) + 1


async def test_at_the_ends_there_is_nothing_more(house):
    session, sink = await house.admit("olga", "observer")
    head = session.table.state.seq
    for asked, looked in (({"before": 1}, 1), ({"before": 0}, 1), ({"after": head}, head), ({"after": head + 99}, head)):
        page = await look(house, session, sink, marks=("roll",), **asked)
        assert (page["commits"], page["marks"], page["looked"], page["more"]) == ([], [], looked, False)
    page = await look(house, session, sink, marks=("roll",), before=head + 99)
    assert [commit["seq"] for commit in page["commits"]] == ROLLS


async def test_who_is_no_gm_any_more_as_he_is_answered_is_not_answered_as_one(house):
    await house.do({"t": "Invite", "user": "gwen", "name": "Gwen", "role": "gm"})
    await house.admit("gina", "gm")
    session, sink = await house.admit("gwen", "gm")
    await house.do({**DICE, "actor": "hero", "mode": "secret"})
    secret = session.table.state.seq
    assert [commit["seq"] for commit in (await look(house, session, sink, marks=("roll",)))["commits"]] == [*ROLLS, secret]
    read = session.table.read

    async def and_then(*, after, limit):
        session.table.read = read
        await house.do({"t": "SetRole", "user": "gwen", "role": "player"})
        return await read(after=after, limit=limit)

    session.table.read = and_then
    page = await look(house, session, sink, marks=("roll",))
    assert [commit["seq"] for commit in page["commits"]] == ROLLS

    # Nor is anything proven to him.
    await house.do({"t": "SetRole", "user": "gwen", "role": "gm"})
    session.table.read = and_then
    await serving.proof(house.hub, session, Proof(id=new_id(), seq=secret))
    await until(lambda: sink.of("proven"))
    (proven,) = sink.of("proven")
    assert session.role == "player"
    assert not [name for name, part in proven["parts"].items() if part.get("bytes")]


async def test_actor_person_and_marks_are_asked_together(house):
    session, sink = await house.admit("olga", "observer")
    assert (await all_of(house, session, sink, actor="hero"))[1] == ROLLS
    assert (await all_of(house, session, sink, actor="nobody"))[1] == []
    assert (await all_of(house, session, sink, user="gina", marks=("roll", "people")))[1] == ROLLS
    assert (await all_of(house, session, sink, user="bridge", marks=("people",)))[1] == [63]  # Olga came
    assert len((await all_of(house, session, sink, marks=("spent", "gained")))[1]) == 54
    assert (await all_of(house, session, sink))[1] == list(range(1, 64))
