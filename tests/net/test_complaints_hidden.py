"""What of a hidden roll leaked elsewhere, over sockets, each after its id: one session with every mode, requests, what a log keeps.

The same in Foundry, with dice that fall, is ``tests/foundry/test_complaints_hidden.py``; whose secrecy binds and what is sent first
are in ``test_hardening_complaints.py``, every mode alone with every channel in ``tests/leaks/test_matrix.py``.
"""

from boonbridge.core.visibility import Viewer, readable
from tests.support.bridge import ROLES, ROLL, playing
from tests.support.leaks import found, reads_no_secret
from tests.support.people import settle

BOON = {"id": "kkqqj.source", "label": "Qqzzk-label", "sign": "boon"}
D20, AGILITY = 17, 3  # agility 13
FACES = {"public": 61, "gm": 71, "blind": 77, "secret": 83, "self": 91}
TOTALS = {mode: D20 + face + AGILITY for mode, face in FACES.items()}
PLANTED = {*FACES.values(), *TOTALS.values()}
GMS = {"Gina", "Gwen"}
READERS = {  # of a roll by Pia: the table of protocol section 4
    "public": set(ROLES),
    "gm": {"Pia", *GMS},
    "blind": GMS,
    "secret": GMS,
    "self": {"Pia"},
}
D100 = {"boon_die": 100}


def told(person):
    """The planted numbers in all that somebody was sent."""
    return found(person.bytes, (), PLANTED)


def may_know(name):
    return {number for mode, names in READERS.items() if name in names for number in (FACES[mode], TOTALS[mode])}


async def test_t34_i43_i44_i51_i52_i56_every_mode_in_one_session_live_resumed_and_from_the_log(tmp_path, subtests):
    async with playing("sage_d20", tmp_path, options=D100) as bridge, bridge.everybody() as people:
        before = {name: person.last for name, person in people.items()}
        assert {number for person in people.values() for number in told(person)} == set()
        for mode, face in FACES.items():
            bridge.tape.put(D20, face)
            assert (await people["Pia"].do({**ROLL["sage_d20"], "sources": [BOON], "mode": mode}))["t"] == "ack"
        await settle(people)
        for name, person in people.items():
            with subtests.test(f"live, {name}"):
                assert told(person) == may_know(name)
            with subtests.test(f"history, {name}"):
                person.bytes.clear()
                await person.ask({"t": "history", "limit": 200})
                assert told(person) == may_know(name)
            with subtests.test(f"resync, {name}"):
                async with bridge.join(name, last=before[name]) as back:
                    assert told(back) == may_know(name)
                async with bridge.join(name) as anew:
                    assert told(anew) == set()
        assert not PLANTED & found(bridge.running.metrics.render(), (), PLANTED)
        assert found(bridge.lines, ("Qqzzk-label",), PLANTED) == set()


def asks(mode, **more):
    checks = [{"check": "attribute", "params": {"attribute": "agility", "tn": 49}}]
    return {
        "t": "RequestCheck",
        "actors": ["hero"],
        "checks": checks,
        "action": "Zyxwv-action",
        "mode": mode,
        "shown": False,
        **more,
    }


async def test_i46_i47_whoever_answers_in_the_blind_knows_what_for_and_in_secret_not_even_that(tmp_path):
    async with playing("sage_d20", tmp_path, options=D100) as bridge, bridge.everybody() as people:
        pia = people["Pia"]
        await settle(people)
        pia.bytes.clear()
        pia.frames.clear()
        request = (await people["Gina"].do(asks("blind", sources=[BOON])))["seq"]
        await settle(people)
        (row,) = pia.entries[f"request/{request}"]["rows"]
        assert row["status"] == "sent"
        assert found(pia.bytes, ("Zyxwv-action", "agility"), (49,)) == {"Zyxwv-action", "agility"}
        bridge.tape.put(D20, FACES["blind"])
        assert (await pia.do({"t": "AnswerRequest", "request": str(request), "actor": "hero"}))["t"] == "ack"
        await settle(people)
        assert found(pia.bytes, (), (*PLANTED, D20, 49)) == set()
        assert {event["t"] for event in pia.events()} == {"CheckRequested", "CheckNoted", "RequestAnswered", "RequestClosed"}
        (noted,) = pia.events("CheckNoted")
        assert set(noted) <= {"t", "check", "actor", "name", "kind", "action", "request"}, "no dice, no formula, no total"
        assert FACES["blind"] in told(people["Gwen"])

        # I-47: of one in secret nothing comes but that the log is longer.
        for name in ("Pia", "Quin", "Olga"):
            people[name].bytes.clear()
            people[name].frames.clear()
        secret = (await people["Gina"].do(asks("secret", action="Wvuts-action")))["seq"]
        bridge.tape.put(D20)
        answer = await people["Gina"].do({"t": "RollForAbsent", "request": str(secret)})
        assert answer["t"] == "ack"
        await settle(people)
        for name in ("Pia", "Quin", "Olga"):
            logged = [frame for frame in people[name].frames if "seq" in frame and frame["t"] not in ("ack", "refused")]
            assert [frame["t"] for frame in logged] == ["hidden", "hidden"]
            assert all(set(frame) == {"t", "seq", "hash", "seedHash"} for frame in logged)
            assert found(people[name].bytes, ("Wvuts-action", "request/"), (D20, 49)) == set()
        refused = await pia.do({"t": "AnswerRequest", "request": str(secret), "actor": "hero"})
        nothing = await pia.do({"t": "AnswerRequest", "request": "999999", "actor": "hero"})
        assert refused["code"] == nothing["code"] == "request.unknown"


async def test_i48_i60_what_one_row_came_to_is_no_more_open_than_its_roll_nor_is_who_won(tmp_path, subtests):
    seen = {}
    async with playing("sage_d20", tmp_path, options=D100) as bridge, bridge.everybody() as people:
        for ends, face in (("the foe wins", 97), ("the foe loses", 51)):
            with subtests.test(ends):
                request = (await people["Gina"].do(asks("public", actors=["hero", "foe"], group="opposed", sources=[BOON])))[
                    "seq"
                ]
                await settle(people)
                for person in people.values():
                    person.bytes.clear()
                    person.frames.clear()
                for who, actor, mode, die in (("Gina", "foe", "gm", face), ("Pia", "hero", "public", 71)):
                    bridge.tape.put(D20, die)
                    answer = {"t": "AnswerRequest", "request": str(request), "actor": actor, "mode": mode}
                    assert (await people[who].do(answer))["t"] == "ack"
                await settle(people)
                # The foe's agility is 9, the hero's 13: -1 and +3.
                for name, person in people.items():
                    hero, foe = {71, D20 + 71 + 3}, {face, D20 + face - 1}
                    assert found(person.bytes, (), hero | foe) == (hero | foe if name in GMS else hero), name
                (outcome,) = (
                    event["result"] for event in people["Gwen"].events("GroupTold", "RequestClosed") if event.get("result")
                )
                assert outcome["winners"] == (["foe"] if face == 97 else ["hero"])
                assert "winners" not in people["Quin"].bytes.decode()
                seen[ends] = [event for event in people["Quin"].events() if event["t"] != "CheckRolled"]
        first, second = ([{**event, "request": ""} for event in events] for events in seen.values())
        assert [{**event, "check": ""} for event in first] == [{**event, "check": ""} for event in second]


async def test_i53_what_a_gm_keeps_to_himself_takes_nothing_away_that_a_player_has_to_do(tmp_path, subtests):
    async with playing("sage_d20", tmp_path, options=D100) as bridge, bridge.everybody() as people:
        pia = people["Pia"]
        for mode in ("public", "gm", "blind"):
            with subtests.test(mode):
                bridge.tape.put(D20, FACES["self"])
                foe = {**ROLL["sage_d20"], "actors": ["foe"], "sources": [BOON], "mode": "self"}
                assert (await people["Gina"].do(foe))["t"] == "ack"
                request = (await people["Gina"].do(asks(mode)))["seq"]
                await settle(people)
                assert [row["status"] for row in pia.entries[f"request/{request}"]["rows"]] == ["sent"]
                bridge.tape.put(11)
                answer = await pia.do({"t": "AnswerRequest", "request": str(request), "actor": "hero"})
                assert answer["t"] == "ack"
                await settle(people)
                assert found(pia.bytes, (), (FACES["self"],)) == set()
                assert [event["result"]["total"] for event in pia.events("CheckRolled")][-1:] == ([] if mode == "blind" else [14])
                pia.frames.clear()


async def test_i59_a_log_of_ones_own_that_grows_and_in_which_what_is_shown_is_one_more_entry(tmp_path):
    async with playing("sage_d20", tmp_path, options=D100) as bridge, bridge.everybody() as people:
        gina, quin = people["Gina"], people["Quin"]
        seqs = {}
        for mode in ("secret", "gm", "public"):
            bridge.tape.put(D20, FACES[mode])
            seqs[mode] = (await people["Gina"].do({**ROLL["sage_d20"], "sources": [BOON], "mode": mode}))["seq"]
        # Taken back: of the hidden one nobody is told, of the public one everybody.
        for mode in ("secret", "public"):
            back = {"t": "Void", "what": f"check/{seqs[mode]}.1", "confirm": True, "reason": f"{mode}-reason"}
            assert (await gina.do(back))["t"] == "ack"
        await settle(people)
        public = {FACES["public"], TOTALS["public"]}
        assert told(quin) == public
        assert [event["reason"] for event in quin.events("Voided")] == ["public-reason"]
        # Shown: an event of its own, and the entry of before stays what it was for him.
        here = quin.last
        assert (await gina.do({"t": "Reveal", "check": f"{seqs['gm']}.1"}))["t"] == "ack"
        await settle(people)
        assert told(quin) == public | {FACES["gm"], TOTALS["gm"]}
        page = await quin.ask({"t": "history", "limit": 200})
        kinds = {commit["seq"]: commit["t"] for commit in page["commits"]}
        assert [kinds[seqs[mode]] for mode in ("secret", "gm", "public")] == ["hidden", "hidden", "logged"]
        # Who comes back is sent what is new, not the whole again.
        async with bridge.join("Quin", last=here) as again:
            assert again.commits == [here["seq"] + 1]
            assert told(again) == {FACES["gm"], TOTALS["gm"]}
        # After the game a GM has all of it.
        async with bridge.join("Gwen") as gwen:
            gwen.bytes.clear()
            await gwen.ask({"t": "history", "limit": 200})
            assert told(gwen) == {number for mode in seqs for number in (FACES[mode], TOTALS[mode])}


async def test_t36_i58_no_payload_of_a_session_holds_what_fixes_a_die_that_its_reader_may_not_know(tmp_path):
    async with playing("sage_d20", tmp_path, options=D100) as bridge, bridge.everybody() as people:
        # Cancelled before it is rolled (a Bane against a Boon): the face that would have come is nowhere.
        bridge.tape.put(D20, 97)
        bane = {"id": "mud", "label": "Mud", "sign": "bane"}
        assert (await people["Pia"].do({**ROLL["sage_d20"], "sources": [BOON, bane]}))["t"] == "ack"
        assert list(bridge.tape.tape) == [97]
        await settle(people)
        for person in people.values():
            assert found(person.bytes, (), (D20, 97)) == {D20}
        bridge.tape.clear()
        # From here on with the bridge's own dice.
        for sender, mode in (*(("Pia", mode) for mode in FACES), ("Gina", "secret"), ("Gina", "self")):
            seq = (await people[sender].do({**ROLL["sage_d20"], "sources": [BOON], "mode": mode}))["seq"]
            for person in people.values():
                await person.ask({"t": "preview", "check": ROLL["sage_d20"]})
                await person.ask({"t": "proof", "seq": seq})
                await person.ask({"t": "do", "seen": seq, "cmd": {"t": "Choose", "check": f"{seq}.1", "choice": "no_such"}})
        for cmd in (asks("blind"), {"t": "EndRound"}, {"t": "Reveal", "check": f"{seq - 1}.1"}):
            await people["Gina"].do(cmd)
        for person in people.values():
            await person.ask({"t": "history", "limit": 200})
        await settle(people)
        by = {commit.seq: commit.by for commit in await bridge.stored()}
        for name, person in people.items():
            known = await reads_no_secret(bridge, person, ROLES[name])
            # The search is not blind: he was told the seeds of what he may read, and proofs hold their salts.
            mine = {(at, part) for at, sender in by.items() for part in readable(Viewer(person.user, ROLES[name]), sender)}
            rolls = range(seq - 6, seq + 1)
            assert known <= mine
            assert {at for at, part in known if part == "all"} >= set(rolls), name
