"""How the table stood then: ``at`` for every role, over the wire and below it, and what is refused.

That the state it tells is that of the full fold stands in ``tests/tables/test_snapshots.py``.
"""

import msgspec
import pytest

from boonbridge.core.visibility import Viewer
from boonbridge.rulesets.registry import shipped
from boonbridge.tables import looking
from boonbridge_schemas.client import At
from boonbridge_schemas.server import Limits
from tests.support.bridge import FAST, ROLL, playing, serving
from tests.support.people import new_id
from tests.support.random_evening import fresh
from tests.support.random_log import PEOPLE, Writer

ROLL = ROLL["sage_d20"]
GRANT = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "luck", "label": "Luck"}}
MOMENTARY = ("check/", "request/", "assist/")


def lasting(entries):
    """Entries as they are told of a moment that is past: nobody is asked for anything."""
    return {key: value for key, value in entries.items() if not key.startswith(MOMENTARY)}


def plain(entries):
    return msgspec.json.decode(msgspec.json.encode(entries))


async def told(person, seq):
    """All entries of a moment, asked for until there are no more."""
    found, after = {}, None
    while True:
        answer = await person.ask({"t": "at", "seq": seq} | ({} if after is None else {"after": after}))
        assert answer["t"] == "asOf", answer
        assert answer["seq"] == seq
        assert not found.keys() & {entry["key"] for entry in answer["entries"]}
        found |= {entry["key"]: entry["value"] for entry in answer["entries"]}
        if not answer["more"]:
            return found, answer["at"]
        after = answer["entries"][-1]["key"]


# --- what is told ---------------------------------------------------------------------------------------------------
async def test_a_moment_is_the_table_as_it_stood_then(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        await pia.do(ROLL)
        await pia.settled()
        then, stood, at = pia.seq, dict(pia.entries), (await bridge.table()).state.at
        await bridge.do(GRANT)
        await bridge.do({"t": "SetOptions", "options": {"default_tn": 12}})
        await bridge.do({"t": "RemoveActor", "actor": "friend"})
        await bridge.do({"t": "RenameTable", "title": "Later"})
        assert await told(pia, then) == (lasting(stood), at)
        after, _ = await told(pia, then + 1)
        assert after == {**lasting(stood), "grants/hero": after["grants/hero"]}
        assert [grant["source"]["label"] for grant in after["grants/hero"]["grants"]] == ["Luck"]


async def test_the_beginning_is_an_empty_table_and_the_head_is_now(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia:
        await pia.settled()
        empty, at = await told(pia, 0)
        assert (empty.keys(), at) == ({"options", "pool"}, 0)
        now, _ = await told(pia, pia.seq)
        assert now == lasting(pia.entries)


async def test_looking_changes_nothing_and_posts_nothing(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina") as gina, bridge.join("Pia") as pia:
        await bridge.do(ROLL)
        await pia.settled()
        before, heard = await bridge.footprint(), len(pia.frames)
        for seq in range((await bridge.table()).state.seq):
            await gina.ask({"t": "at", "seq": seq})
        await pia.settled()
        assert await bridge.footprint() == before
        assert len(pia.frames) == heard + 1


@pytest.mark.parametrize("game", sorted(shipped()))
async def test_everybody_is_told_of_a_moment_what_his_role_shows_him_of_it(game):
    """Whatever his role was then: he is told what somebody of his present role was shown then, and not a key more."""
    writer = Writer(game, seed=2)
    async with writer:
        shown = {}

        def note(state):
            for user in PEOPLE:
                for role in ("gm", "player", "observer"):
                    shown[state.seq, user, role] = plain(lasting(fresh(state, Viewer(user, role))))

        opened = await writer.hub.at("house")
        publish = opened.table.publish

        def published(committed):
            note(committed.after)
            publish(committed)

        opened.table.publish = published
        await writer.arrive()
        while opened.table.state.seq < 60:
            lot = writer.chance.choice(
                ("roll", "grant", "condition", "dice", "people", "options", "correction", "session", "actor")
            )
            await say(writer, lot)
        roles = {user: opened.table.state.role(user) for user in PEOPLE}
        for user, role in roles.items():
            session, sink = await writer.admit(user, role)
            for seq in sorted({seq for seq, *_ in shown})[::7]:
                await looking.at(writer.hub, session, At(id=new_id(), seq=seq))
                answer = sink.of("asOf")[-1]
                assert answer["seq"] == seq
                assert {entry["key"]: entry["value"] for entry in answer["entries"]} == shown[seq, user, session.role], (
                    user,
                    seq,
                )


async def say(writer, subject):
    """Somebody says something about a subject, sensible or not; no server is started anew."""
    from tests.stateful.sayings import Sayings

    user = writer.chance.choice(("gina", "gina", "pia", "quin"))
    state = (await writer.table()).state
    await writer._said(user, getattr(Sayings(writer.chance, state, user), subject)())


# --- what is not ------------------------------------------------------------------------------------------------------
async def test_what_only_gms_know_is_told_to_gms_alone_also_of_the_past(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.everybody() as people:
        await bridge.do({**GRANT, "hidden": True})
        await bridge.do({**ROLL, "mode": "blind"}, by="Pia", role="player")
        then = (await bridge.table()).state.seq
        await bridge.do({"t": "RemoveActor", "actor": "foe"})
        for name in ("Pia", "Quin", "Olga"):
            await people[name].ask({"t": "at", "seq": then})
            asked = people[name].of("asOf")[-1]
            keys = [entry["key"] for entry in asked["entries"]]
            assert "grants/hero" not in keys
            assert next(entry["value"] for entry in asked["entries"] if entry["key"] == "actor/foe")["numbers"] is None
            assert not [key for key in keys if key.startswith(MOMENTARY)]
        for name in ("Gina", "Gwen"):
            seen, _ = await told(people[name], then)
            assert seen["grants/hero"]["grants"][0]["hidden"]
            assert seen["actor/foe"]["numbers"]["values"]


async def test_numbers_that_everybody_could_see_then_are_told_of_then_and_not_of_before(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        hidden = (await bridge.table()).state.seq
        await bridge.do({"t": "SetOptions", "options": {"show_targets": True}})
        shown = (await bridge.table()).state.seq
        await bridge.do({"t": "SetOptions", "options": {"show_targets": False}})
        await bridge.do(ROLL)
        assert (await told(pia, shown))[0]["actor/foe"]["numbers"]["values"]
        for seq in (hidden, shown + 1):
            assert (await told(pia, seq))[0]["actor/foe"]["numbers"] is None


async def test_somebody_who_is_no_gm_any_more_does_not_see_the_past_with_a_gms_eyes(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Gina"), bridge.join("Gwen") as gwen:
        await bridge.do({**GRANT, "hidden": True})
        then = (await bridge.table()).state.seq
        assert "grants/hero" in (await told(gwen, then))[0]
        await bridge.do({"t": "SetRole", "user": bridge.user("Gwen"), "role": "player"})
        await gwen.settled()
        assert "grants/hero" not in (await told(gwen, then))[0]


# --- large tables, and what is refused --------------------------------------------------------------------------------
async def test_a_large_table_is_told_in_several_answers(tmp_path):
    limits = msgspec.structs.replace(FAST, page_bytes=2_000)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia:
        for n in range(30):
            await bridge.do({"t": "SyncActor", "actor": f"extra-{n}", "name": f"Extra {n}", "side": "party", "owners": []})
        await pia.settled()
        then, stood = pia.seq, dict(pia.entries)
        await bridge.do(GRANT)
        told_, _ = await told(pia, then)
        assert told_ == lasting(stood)
        assert len(pia.of("asOf")) > 2
        assert list(told_) == [key for key in stood if key in told_]


async def test_a_moment_that_there_is_not_is_refused(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        for frame, code in (
            ({"seq": 10_000}, "proof.unknown"),
            ({"seq": 2**53}, "proof.unknown"),
            ({"seq": 3, "after": "actor/nobody"}, "proof.unknown"),
            ({"seq": 0, "after": "actor/hero"}, "proof.unknown"),
            ({"seq": 3, "after": "check/3.1"}, "proof.unknown"),
            ({"seq": -1}, "frame.bad"),
            ({"seq": "3"}, "frame.bad"),
            ({"seq": 3, "after": "x" * 121}, "frame.bad"),
            ({}, "frame.bad"),
        ):
            async with bridge.join("Pia") as pia:
                await pia.send({"t": "at", "id": new_id(), **frame})
                assert (await pia.do(ROLL))["t"] == "ack"
                assert [refused["code"] for refused in pia.of("refused")] == [code], frame


async def test_looking_at_moments_has_a_rate_of_its_own(tmp_path):
    limits = msgspec.structs.replace(FAST, history_per_second=Limits().history_per_second)
    async with playing("sage_d20", tmp_path, limits=limits) as bridge, bridge.join("Pia") as pia:
        for n in range(60):
            await pia.send({"t": "at", "id": new_id(), "seq": n % 3})
        last = new_id()
        answer = await pia.ask({"t": "at", "id": last, "seq": 1})
        codes = [frame["code"] for frame in pia.of("refused")]
        assert set(codes) == {"rate.limited"}
        assert len(pia.of("asOf")) + len(codes) == 61
        assert answer["t"] in ("refused", "asOf")
        assert (await pia.ask({"t": "history"}))["t"] == "page"


async def test_moments_of_a_table_that_was_opened_anew(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        for _ in range(110):
            await bridge.do(ROLL)
        before = await told(pia, 100)
        early = await told(pia, 40)
    async with serving(tmp_path) as bridge, bridge.join("Pia") as pia:
        assert (await bridge.opened()).keeping.shelf.last > 100  # from the snapshot of its closing
        assert await told(pia, 100) == before
        assert await told(pia, 40) == early


async def test_what_somebody_may_not_see_cannot_be_gone_on_from_and_so_not_be_guessed(tmp_path):
    """A player who names an entry that GMs alone have is answered as if there were none."""
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        await bridge.do({**GRANT, "actors": ["foe"], "hidden": True})
        seq = (await bridge.table()).state.seq
        for then in (seq, seq - 1):
            hidden, none = [await pia.ask({"t": "at", "seq": then, "after": key}) for key in ("grants/foe", "grants/friend")]
            assert (hidden["t"], hidden["code"], hidden["message"]) == ("refused", "proof.unknown", none["message"])
        assert (await gina.ask({"t": "at", "seq": seq, "after": "grants/foe"}))["t"] == "asOf"
