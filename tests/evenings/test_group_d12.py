"""Twenty minutes of d12 with group Boons: a customs house by night, and the Boons that come and go.

Every number is worked out beside its roll from the rules, whose ids stand there. A card reads ``[chosen] others +skill = total
against difficulty: outcome``; where it is set by the skill of the opposition it is the GM's to know and shows as ``?``.
``play.pool`` is (held, gained in this session), as everybody sees it.
"""

from tests.support.play import (
    act,
    answer,
    ask,
    asked,
    bane,
    choose,
    effects,
    evening,
    grant,
    result,
    roll,
    sheet,
    turn,
    worded,
)

CAST = {
    "ada": ("Pia", sheet(skill__athletics=3, skill__lore=1, skill__stealth=2)),
    "bram": ("Quin", sheet(skill__athletics=0, skill__lore=4, skill__stealth=1)),
    "cleo": ("Rolf", sheet(skill__athletics=2, skill__lore=0, skill__stealth=4)),
    "captain": (None, sheet(skill__athletics=2, skill__vigilance=4, skill__fighting=3)),
}


async def test_the_customs_house(tmp_path):
    async with evening("group_d12", tmp_path, CAST) as play:
        gina, pia, quin = play.gina, play.pia, play.quin

        # ---------------------------------------------------------------- the evening begins with no Boons (D-16)
        await gina({"t": "StartSession", "name": "The customs house"})
        assert play.pool == (0, 0)

        # 6 + 3 = 9, less than 11: a failure (D-03). There is no Boon to spend, so it is accepted, and earns one (D-04).
        told = await pia(roll("skill", "ada", "Climb the gutter", skill="skill.athletics", difficulty=11), 6)
        assert told.card == "[6] +3 = 9 against 11: failure"
        assert told.chosen == [("accept", "by itself", ["boons +1 (accepted_failure)"])]
        assert play.pool == (1, 1)
        gutter = told.check

        # 5 + 4 = 9, a failure, and now there is a choice (D-04). One more die reaches 11 with 7 to 12: 6 of 12.
        told = await quin(roll("skill", "bram", "Read the ledger", skill="skill.lore", difficulty=11), 5)
        assert (told.card, told.offers) == ("[5] +4 = 9 against 11: failure", ["accept", "spend"])
        assert [offer["chance"] for offer in told.rolled["choices"] if offer["id"] == "spend"] == ["1/2"]
        # The best counts (D-14, D-17): 9 + 4 = 13. A success earns nothing.
        told = await quin(choose(told.check, "spend"), 9)
        assert worded(told.event("Chosen")["result"], 11) == "5 [9] +4 = 13 against 11: success"
        assert told.chosen == [("spend", "chosen", ["boons -1 (spent_after)", "bought a 9"])]
        assert play.pool == (0, 1)

        # ---------------------------------------------------------------- a Boon that is taken back after it was spent
        # There was no need to climb. But the Boon that the failure earned is gone; the GM is told so before he confirms.
        void = {"t": "Void", "what": f"check/{gutter}", "reason": "The gate stood open."}
        assert (await gina(void)).refused == "correction.used"
        told = await gina({**void, "confirm": True})
        voided = told.event("Voided")
        assert effects(voided) == ["boons +0 (taken_back), asked -1"]
        assert [(left["what"], left["key"], left["amount"]) for left in voided["left"]] == [("resource", "boons", 1)]
        # It was never gained; none is held to take away.
        assert play.pool == (0, 0)

        # ---------------------------------------------------------------- before the roll
        # D-10: the die shows 12: a success whatever the difficulty, and a Boon. 12 + 1 = 13 against 17.
        told = await pia(roll("skill", "ada", "Guess the password", skill="skill.lore", difficulty=17), 12)
        assert (told.card, told.effects) == ("[12] +1 = 13 against 17: critical_success", ["boons +1 (critical_success)"])
        assert play.pool == (1, 1)
        # A negative chance, and a Boon before the roll cancels it (D-18): one die, 7 + 3 = 10.
        dark = [bane("darkness")]
        wall = {"skill": "skill.athletics", "difficulty": 9, "sources": dark}
        told = await pia(roll("skill", "ada", "Climb the wet wall", before=1, **wall), 7)
        assert (told.card, told.effects) == ("[7] +3 = 10 against 9: success", ["boons -1 (spent_before)"])
        assert (told.sources, play.pool) == ("darkness cancels, group_boon cancels", (0, 1))
        # Nothing to cancel, and nothing to pay with: refused in this order (section 5, step 1).
        free = roll("skill", "ada", "Climb the wet wall", before=1, skill="skill.athletics", difficulty=9)
        assert (await pia(free)).refused == "spend.no_negative_chances"
        assert (await pia(roll("skill", "ada", "Climb the wet wall", before=1, **wall))).refused == "pool.empty"

        # ---------------------------------------------------------------- failures that cannot be bought off
        # D-11: a 1 is a critical failure; nothing can be bought, so it is accepted, and earns a Boon (X-D8). What severe
        # consequence it brings is the GM's to say (D-12).
        told = await quin(roll("skill", "bram", "Hush the dog", skill="skill.stealth", difficulty=8), 1)
        assert (told.card, told.effects) == ("[1] +1 = 2 against 8: critical_failure", ["owed: severe_consequence"])
        assert told.chosen == [("accept", "by itself", ["boons +1 (critical_failure)"])]
        assert (told.offers, play.pool) == (["danger", "lost_resource", "obstacle", "pass"], (1, 2))
        told = await gina(choose(told.check, "danger", "It barks."))
        assert told.chosen == [("danger", "chosen", [])]
        # D-05: 4 + 3 = 7, a Boon, a 2: still 7. The second failure earns nothing, and no more may be spent on it (X-D6).
        told = await pia(roll("skill", "ada", "Break the shutter", skill="skill.athletics", difficulty=14), 4)
        told = await pia(choose(told.check, "spend"), 2)
        assert worded(told.events("Chosen")[0]["result"], 14) == "[4] 2 +3 = 7 against 14: failure"
        assert told.chosen == [("spend", "chosen", ["boons -1 (spent_after)", "bought a 2"]), ("accept", "by itself", [])]
        assert play.pool == (0, 2)

        # ---------------------------------------------------------------- opportunities
        # D-20: 6 + 4 = 10 against 8. The positive chance waits for whoever uses the situation (D-21).
        told = await quin(roll("opportunity", "bram", "Distract the clerk", skill="skill.lore", difficulty=8), 6)
        assert (told.card, told.effects) == ("[6] +4 = 10 against 8: success", ["a boon for whoever uses it"])
        chance = told.check
        standing = play.entry(f"opportunity/{chance}")
        assert (standing["label"], standing["sign"], standing["by"]) == ("Distract the clerk", "boon", "bram")
        # Ada uses it: two dice, the best: 10 + 2 = 12, a tie (D-03). It was good for one use.
        slip = roll("skill", "ada", "Slip by", skill="skill.stealth", difficulty=12, opportunities=[chance])
        told = await pia(slip, 3, 10)
        assert (told.card, told.sources) == ("3 [10] +2 = 12 against 12: success", f"opportunity/{chance} counts")
        assert (told.event("OpportunityUsed")["opportunity"], play.entry(f"opportunity/{chance}")) == (chance, None)
        assert (await pia(slip)).refused == "opportunity.unknown"
        # A negative one, 5 + 3 = 8 against 8, is for opponents, not for allies.
        trip = roll("opportunity", "ada", "Soap on the stairs", skill="skill.athletics", difficulty=8, sign="negative")
        told = await pia(trip, 5)
        assert (told.card, told.effects) == ("[5] +3 = 8 against 8: success", ["a bane for whoever uses it"])
        soap = told.check
        mine = roll("skill", "bram", "Run up", skill="skill.athletics", difficulty=5, opportunities=[soap])
        assert (await quin(mine)).refused == "opportunity.not_for_you"
        # The captain slips: the worst of 11 and 4 (D-15): 4 + 3 = 7. Opponents earn nothing, and choose nothing (D-16).
        told = await gina(
            roll("skill", "captain", "Seize him", skill="skill.fighting", difficulty=9, opportunities=[soap]), 11, 4
        )
        assert (told.card, told.offers, told.chosen) == ("11 [4] +3 = 7 against 9: failure", [], [])
        assert (play.entry(f"opportunity/{soap}"), play.pool) == (None, (0, 2))

        # ---------------------------------------------------------------- resistance
        # D-22: no dice: 7 + 4 = 11, which only the GM may know. 10 + 1 = 11, and equal is enough (D-03).
        told = await gina(act("offer_resistance", actor="captain", skill="skill.vigilance"))
        assert (told.events(), play.of("Gina", "resistance/captain")["difficulty"]) == ([], 11)
        assert [play.of(name, "resistance/captain") for name in ("Pia", "Quin", "Olga")] == [None, None, None]
        sneak = roll("skill", "bram", "Creep past", at=["captain"], skill="skill.stealth", resist="skill.vigilance")
        told = await quin(sneak, 10)
        assert told.card == "[10] +1 = 11 against ?: success"
        assert play.of("Gina", "resistance/captain") is None
        # Ada resists in the open: 7 + 3 = 10. The captain: 7 + 2 = 9.
        told = await pia(act("offer_resistance", actor="ada", skill="skill.athletics"))
        assert effects(told.event("Acted")) == ["ada resists at 10"]
        assert play.entry("resistance/ada")["difficulty"] == 10
        shove = roll("skill", "captain", "Shove her", at=["ada"], skill="skill.athletics", resist="skill.athletics")
        told = await gina(shove, 7)
        assert (told.card, told.chosen) == ("[7] +2 = 9 against 10: failure", [])
        assert play.entry("resistance/ada") is None
        # Another reading (X-D3): resistance has to be beaten. The same die, 11 against 11, fails now; with no Boon to spend the
        # failure is accepted.
        await gina({"t": "SetOptions", "options": {"resist_compare": "more_than"}})
        told = await quin(sneak, 10)
        assert (told.card, told.chosen) == (
            "[10] +1 = 11 against ?: failure",
            [("accept", "by itself", ["boons +1 (accepted_failure)"])],
        )
        assert play.pool == (1, 3)

        # ---------------------------------------------------------------- initiative
        # D-19: lost, and kept for a Boon; once.
        await gina(act("initiative", winner="opposition"))
        told = await quin(act("keep_initiative"))
        assert effects(told.event("Acted")) == ["boons -1 (kept_initiative)", "initiative: party"]
        assert (play.entry("marks"), play.pool) == ({"marks": {"initiative": "party"}}, (0, 3))
        assert (await pia(act("keep_initiative"))).refused == "spend.initiative_not_lost"

        # ---------------------------------------------------------------- one success is enough (D-06)
        # A Boon that the GM gives is held and not gained (D-16).
        await gina(act("give_boon"))
        assert play.pool == (1, 3)
        stealth = asked("skill", skill="skill.stealth", difficulty=12)
        told = await gina(ask(stealth, group="one_success", action="Over the yard"))
        request = told.event("CheckRequested")["request"]["id"]
        # All first rolls lie open: 5 + 2 = 7, 11 + 1 = 12, and for Cleo, who is not here, 2 + 4 = 6. Two may still choose.
        told = await pia(answer(request, "ada"), 5)
        assert (told.card, told.offers) == ("[5] +2 = 7 against 12: failure", ["accept", "spend"])
        hers = told.check
        told = await quin(answer(request, "bram"), 11)
        assert told.card == "[11] +1 = 12 against 12: success"
        his = told.check
        told = await gina({"t": "RollForAbsent", "request": request}, 2)
        assert (told.card, told.offers) == ("[2] +4 = 6 against 12: failure", ["accept", "spend"])
        assert play.rows(request) == {"ada": "rolled", "bram": "rolled", "cleo": "rolled by the GM"}
        # Both accept, and earn nothing each (D-08); the group succeeds, and earns nothing either.
        told = await gina(choose(told.check, "accept"))
        assert (told.chosen, told.events("RequestClosed")) == ([("accept", "chosen", [])], [])
        told = await pia(choose(hers, "accept"))
        closed = told.event("RequestClosed")
        assert (closed["why"], effects(closed)) == ("complete", [])
        assert result(closed["result"]) == {"outcome": "success", "success": True, "counted": 3, "succeeded": 1}
        assert play.pool == (1, 3)
        # Bram was seen after all, says the GM. So he has a failure to accept or to buy off (D-04), and the group waits for that.
        told = await gina({"t": "Override", "check": his, "outcome": "failure", "reason": "A lantern: he is seen."})
        assert (told.event("Overridden")["result"]["outcome"], told.events("GroupRecounted")) == ("failure", [])
        # His 11 was ruled to fail, so only the new die can succeed (D-17): 2 + 1 does not. Failed again, and accepted (D-05). Now
        # the group fails as a whole, and the two others accepted: one Boon in all (D-08).
        told = await quin(choose(his, "spend"), 2)
        assert worded(told.events("Chosen")[0]["result"], 12) == "[11] 2 +1 = 12 against 12: failure"
        assert told.chosen == [("spend", "chosen", ["boons -1 (spent_after)", "bought a 2"]), ("accept", "by itself", [])]
        recounted = told.event("GroupRecounted")
        assert result(recounted["result"]) == {"outcome": "failure", "success": False, "counted": 3}
        assert (effects(recounted, "brings"), play.pool) == (["boons +1 (group_failure)"], (1, 4))

        # ---------------------------------------------------------------- one failure is enough (D-07)
        run = asked("skill", skill="skill.athletics", difficulty=9)
        told = await gina(ask(run, group="one_failure", action="Along the roof"))
        request = told.event("CheckRequested")["request"]["id"]
        # Ada: 5 + 3 = 8, a Boon, 3 + 3: failed again.
        told = await pia(answer(request, "ada"), 5)
        told = await pia(choose(told.check, "spend"), 3)
        assert worded(told.events("Chosen")[0]["result"], 9) == "[5] 3 +3 = 8 against 9: failure"
        assert play.pool == (0, 4)
        # Bram: a 12; in a group check it earns nothing (D-08, X-D2).
        told = await quin(answer(request, "bram"), 12)
        assert (told.card, told.effects) == ("[12] = 12 against 9: critical_success", [])
        # Cleo: 3 + 2 = 5, and no Boon is left: accepted. The group fails, and somebody accepted: one Boon in all (D-08).
        told = await gina({"t": "RollForAbsent", "request": request}, 3)
        assert (told.card, told.chosen) == ("[3] +2 = 5 against 9: failure", [("accept", "by itself", [])])
        closed = told.event("RequestClosed")
        assert effects(closed) == ["boons +1 (group_failure)"]
        assert result(closed["result"]) == {"outcome": "failure", "success": False, "counted": 3, "succeeded": 1, "crits": 1}
        assert play.pool == (1, 5)

        # ---------------------------------------------------------------- a skill challenge (D-23)
        # Hard for three: 3 * 11 = 33. In haste, a negative chance for everybody. The skill is each one's own (D-24).
        told = await gina(
            ask(asked("challenge"), group="challenge", difficulty=33, action="Out of the harbour", sources=[bane("haste")])
        )
        request = told.event("CheckRequested")["request"]["id"]
        # Two dice, the worst (D-15): 8 + 3 = 11; Cleo 3 + 4 = 7.
        told = await pia(answer(request, "ada", params={"skill": "skill.athletics"}), 8, 10)
        assert (told.card, told.offers) == ("[8] 10 +3 = 11 against ?: contributed", ["keep", "spend"])
        hers = told.check
        told = await gina(
            {"t": "RollForAbsent", "request": request, "actors": ["cleo"], "params": {"skill": "skill.stealth"}}, 3, 6
        )
        assert (told.card, told.offers) == ("[3] 6 +4 = 7 against ?: contributed", ["keep", "spend"])
        absent = told.check
        # Bram: the worst is a 1, which is only a number here, and may be rolled again (D-26): 1 + 4 = 5.
        told = await quin(answer(request, "bram", params={"skill": "skill.lore"}), 1, 9)
        assert (told.card, told.effects, told.offers) == ("[1] 9 +4 = 5 against ?: contributed", [], ["keep", "spend"])
        # The whole check again, with the same chance against him (X-D10): the worst of 7 and 12 is 7, the better of 1 and 7 counts:
        # 7 + 4 = 11.
        told = await quin(choose(told.check, "spend"), 7, 12)
        assert worded(told.events("Chosen")[0]["result"], None) == "1 9 [7] 12 +4 = 11 against ?: contributed"
        assert told.chosen[0] == ("spend", "chosen", ["boons -1 (spent_challenge)", "bought a 7", "bought a 12"])
        # That was the last Boon, so nobody can spend any more and the sum is computed (D-23): 11 + 11 + 7 = 29. It fails, and
        # earns a Boon (D-25), spent ones or not (X-D1).
        closed = told.event("RequestClosed")
        assert closed["checks"] == [hers, absent]
        assert play.entry(f"check/{hers}") is None
        assert effects(closed) == ["boons +1 (challenge_failure)"]
        assert result(closed["result"]) == {
            "outcome": "failure",
            "success": False,
            "counted": 3,
            "total": 29,
            "target": 33,
        }
        assert play.pool == (1, 6)

        # ---------------------------------------------------------------- a hidden roll that comes out
        # A 12, which only Pia and the GM see: its Boon waits.
        told = await pia(roll("skill", "ada", "Count the guards", mode="gm", skill="skill.lore", difficulty=9), 12)
        (hidden,) = told.by("Gina", "CheckRolled")
        assert (told.events(), told.by("Quin"), play.pool) == ([], [], (1, 6))
        told = await gina({"t": "Reveal", "check": hidden["rolled"]["check"]})
        assert effects(told.event("Revealed")) == ["boons +1 (critical_success)"]
        assert play.pool == (2, 7)

        # ---------------------------------------------------------------- the cap
        # At this table at most 7 Boons are gained in a session (D-16): the eighth is lost, and it is said.
        await gina({"t": "SetOptions", "options": {"boon_cap": 7}})
        told = await pia(roll("skill", "ada", "Row", skill="skill.athletics", difficulty=11), 5)
        assert (told.card, told.offers) == ("[5] +3 = 8 against 11: failure", ["accept", "spend"])
        told = await pia(choose(told.check, "accept"))
        assert told.chosen == [("accept", "chosen", ["boons +0 (accepted_failure), asked +1"])]
        assert play.pool == (2, 7)

        # ---------------------------------------------------------------- a clock
        await gina(turn("Start", "captain"))
        await gina(grant(["bram"], bane("wounded_arm"), until="combat_end"))
        # The worst of 9 and 5 (D-15): 5 + 0 = 5 against 5.
        told = await quin(roll("skill", "bram", "Haul the rope", skill="skill.athletics", difficulty=5), 9, 5)
        assert (told.card, told.sources) == ("9 [5] = 5 against 5: success", "wounded_arm counts")
        told = await gina({"t": "EndCombat"})
        assert (told.event("GrantExpired")["why"], play.grants("bram"), play.entry("marks")) == ("combat_end", [], None)

        # ---------------------------------------------------------------- the evening ends
        # D-28: a point for each Boon that is held, to each of the party; then there are none (X-D14).
        told = await gina({"t": "EndSession"})
        earned = [(xp["actor"], xp["amount"], xp["now"]) for xp in told.event("SessionEnded")["xp"]]
        assert earned == [("ada", 2, 2), ("bram", 2, 2), ("cleo", 2, 2)]
        assert play.pool == (0, 0)
        # D-29, proposed price: 2 times the new level. Bram learns athletics, from 0 to 1; for Ada 2 * 4 is too much.
        told = await quin(act("spend_xp", actor="bram", skill="skill.athletics"))
        assert effects(told.event("Acted")) == ["bram -2 XP, now 0"]
        assert (await pia(act("spend_xp", actor="ada", skill="skill.athletics"))).refused == "xp.too_little"
        assert [play.entry(f"actor/{actor}").get("xp", 0) for actor in ("ada", "bram", "cleo")] == [2, 0, 2]
