"""Twenty minutes of Sage d20: a barrow with whispers, a ghoul and a wight, poison and fire.

Every number is worked out beside its roll from the rules, whose ids stand there. A modifier is the score less 10 (C-P1). A card
reads ``[d20] [highest boon die] modifier = total against target: outcome``, a highest bane die as ``-[face]``; dice that do not
count stand bare. Scores of the opposition are the GM's to know and show as ``?``: the ghoul's Defense is 12, the wight's 16.
"""

from tests.support.play import (
    answer,
    ask,
    asked,
    attack,
    boon,
    card,
    effects,
    evening,
    grant,
    put,
    result,
    roll,
    sheet,
    turn,
    worded,
)

CAST = {
    "ada": ("Pia", sheet(attack("Bow", "agility", "ranged"), strength=9, agility=13, intellect=11, will=10, defense=13)),
    "bram": ("Quin", sheet(attack("Staff", "strength", "melee"), strength=10, agility=10, intellect=14, will=12, defense=11)),
    "cleo": ("Rolf", sheet(attack("Axe", "strength", "melee"), strength=14, agility=11, intellect=8, will=9, defense=15)),
    "ghoul": (None, sheet(attack("Claws", "strength", "melee"), strength=12, agility=9, intellect=5, will=10, defense=12)),
    "wight": (None, sheet(attack("Blade", "strength", "melee"), strength=13, agility=11, intellect=12, will=14, defense=16)),
}
LUCK = {**roll("luck", "bram"), "ends": {"key": "poisoned"}}
"""Bram's luck roll against the poison (C-P2)."""


async def test_the_barrow(tmp_path):
    async with evening("sage_d20", tmp_path, CAST) as play:
        gina, pia, quin = play.gina, play.pia, play.quin

        # ---------------------------------------------------------------- the evening begins
        await gina({"t": "StartSession", "name": "The barrow"})
        # Nobody resists, so it is against 10 (C-03): 7 + 3 = 10, and equal is enough (C-05).
        told = await pia(roll("attribute", "ada", "Slip through the gate", attribute="agility"), 7)
        assert told.card == "[7] +3 = 10 against 10: success"
        # A natural 20 has no meaning of its own (C-05): 20 - 1 = 19 is less than 20, so not critical (C-15).
        told = await pia(roll("attribute", "ada", "Push the slab", attribute="strength"), 20)
        assert told.card == "[20] -1 = 19 against 10: success"

        # ---------------------------------------------------------------- the same source twice
        await gina(grant(["ada"], boon("bless"), until="session_end"))
        # The same spell, granted and named, is one boon; preparation is another (C-11): 2d6, only the highest is added (C-08):
        # 8 + 0 + 4 = 12.
        named = [boon("bless"), boon("preparation")]
        told = await pia(roll("attribute", "ada", "Face the dark", attribute="will", tn=12, sources=named), 8, 2, 4)
        assert told.card == "[8] 2 [4] = 12 against 12: success"
        assert told.sources == "bless counts, bless same_source, preparation counts"
        # One source with different counts: the larger (X-C1): two boons, 3 + 0 + 6 = 9.
        told = await pia(roll("attribute", "ada", "Face it again", attribute="will", sources=[boon("bless", 2)]), 3, 6, 1)
        assert told.card == "[3] [6] 1 = 9 against 10: failure"
        assert told.sources == "bless same_source, bless x2 counts"

        # ---------------------------------------------------------------- afflictions
        await gina(put("bram", "poisoned", luckEnds=True))
        await gina(put("bram", "impaired.strength"))
        # Two afflictions are two banes on Strength (C-12); only the highest is taken away (C-09): 11 + 0 - 5 = 6.
        told = await quin(roll("attribute", "bram", "Lift the lid", attribute="strength"), 11, 3, 5)
        assert told.card == "[11] 3 -[5] = 6 against 10: failure"
        assert told.sources == "poisoned counts, impaired.strength counts"

        # ---------------------------------------------------------------- three are asked, the numbers are not shown
        told = await gina(
            ask(
                asked("attribute", attribute="will", tn=12),
                asked("attribute", attribute="intellect", tn=15),
                action="Withstand the whispers",
                shown=False,
            )
        )
        asking = told.event("CheckRequested")["request"]
        request = asking["id"]
        assert [check["params"] for check in asking["checks"]] == [{"attribute": "will"}, {"attribute": "intellect"}]
        assert [check["params"]["tn"] for check in told.by("Gina", "DifficultiesSet")[0]["checks"]] == [12, 15]
        # Ada's blessing is a boon: 9 + 0 + 3 = 12, a tie.
        told = await pia(answer(request, "ada"), 9, 3)
        assert told.card == "[9] [3] = 12 against ?: success"
        # Bram's poison is a bane on Intellect, too: 15 + 4 - 4 = 15, a tie.
        told = await quin(answer(request, "bram", nth=1), 15, 4)
        assert told.card == "[15] -[4] +4 = 15 against ?: success"
        # The GM rolls for Cleo: 1 - 1 = 0, and a total of 0 or less is a critical failure (C-17).
        told = await gina({"t": "RollForAbsent", "request": request}, 1)
        assert (told.card, told.rolled["rolled"]["absent"]) == ("[1] -1 = 0 against ?: critical_failure", True)
        assert [event["target"] for event in told.by("Gina", "TargetFixed")] == [12]
        closed = result(told.event("RequestClosed")["result"])
        assert closed == {"outcome": "each", "counted": 3, "succeeded": 2, "worst": 1}

        # ---------------------------------------------------------------- round 1: one roll for each target
        await gina(turn("Start", "ghoul"))
        # C-04. Against Ada's 13: 10 + 2 = 12. Against Bram's 11: he is poisoned, a boon (C-P3): 15 + 2 + 4 = 21, at least 20 and at
        # least 11 + 5: critical (C-15). That his Strength is impaired does not matter to his Defense.
        told = await gina(roll("attack", "ghoul", at=["ada", "bram"], attack="claws"), 10, 15, 4)
        assert told.cards == [
            "ghoul at ada: [10] +2 = 12 against 13: failure",
            "ghoul at bram: [15] [4] +2 = 21 against 11: critical_success",
        ]
        # C-13: what a hit does is the weapon's: 2d6 + 1 = 3 + 5 + 1.
        told = await gina({"t": "RollDice", "formula": "2d6+1", "kind": "damage", "actor": "ghoul"}, 3, 5)
        assert told.event("DiceRolled")["total"] == 9
        await gina(turn("End", "ghoul"))

        await gina(put("ghoul", "prone"))
        await gina(turn("Start", "ada"))
        await gina(grant(["ada"], boon("aim"), until="turn_end", of="ada"))
        # Two boons of her own. The ghoul lies prone, a bane for a ranged attack (C-P3): net 1 (C-10), 7 + 3 + 2 = 12. Nothing
        # hinders against the wight: 9 + 3 + 4 = 16. Two ties.
        told = await pia(roll("attack", "ada", at=["ghoul", "wight"], attack="bow"), 7, 2, 9, 4, 1)
        assert told.cards == [
            "ada at ghoul: [7] [2] +3 = 12 against ?: success",
            "ada at wight: [9] [4] 1 +3 = 16 against ?: success",
        ]
        told = await gina(turn("End", "ada"))
        assert (told.event("GrantExpired")["why"], play.grants("ada")) == ("turn_end", ["bless"])

        # ---------------------------------------------------------------- luck at the end of the round
        await gina(put("cleo", "weakened", luckEnds=True))
        await gina(put("wight", "on_fire"))
        # First what hurts: poison 4, fire 2 (C-P3). Then luck (C-P2), a d20 against 10: Cleo's player is not here, 9 fails; the
        # wight's 10 ends the fire. Quin is here, so the poison waits for his click.
        told = await gina({"t": "EndRound"}, 4, 2, 9, 10)
        assert [(event["actor"], event["total"]) for event in told.events("DiceRolled")] == [("bram", 4), ("wight", 2)]
        assert told.cards == ["cleo: [9] = 9 against 10: failure", "wight: [10] = 10 against 10: success"]
        assert effects(told.events("CheckRolled")[1]) == ["wight rid of on_fire"]
        assert [(event["actor"], event["key"]) for event in told.events("LuckDue")] == [("bram", "poisoned")]
        assert (play.conditions("cleo"), play.conditions("wight")) == ({"weakened": 1}, {})
        # Luck has no modifier, and poison is no matter to it: 12.
        told = await quin(LUCK, 12)
        assert (told.card, told.effects) == ("[12] = 12 against 10: success", ["bram rid of poisoned"])
        assert play.conditions("bram") == {"impaired.strength": 1}

        # ---------------------------------------------------------------- the GM forgot the curse
        told = await gina({"t": "Void", "what": f"check/{told.check}", "reason": "He stands in the circle."})
        voided = told.event("Voided")
        assert (set(effects(voided)), voided.get("left", [])) == ({"bram poisoned put at 1"}, [])
        assert play.conditions("bram") == {"impaired.strength": 1, "poisoned": 1}
        await gina(put("bram", "cursed"))
        # Cursed: a bane on luck rolls (C-P3): 12 - 3 = 9.
        told = await quin(LUCK, 12, 3)
        assert (told.card, told.effects) == ("[12] -[3] = 9 against 10: failure", [])
        # One roll for each end of a round.
        assert (await quin(LUCK)).refused == "roll.ends_nothing"

        # ---------------------------------------------------------------- rounds 2 and 3
        # Poison 1; Cleo's 11 ends being weakened; Bram's luck falls due anew.
        told = await gina({"t": "EndRound"}, 1, 11)
        assert (told.cards, told.effects) == (["cleo: [11] = 11 against 10: success"], ["cleo rid of weakened"])
        assert told.event("LuckDue")["actor"] == "bram"
        # Quin does not click, so the next end of a round rolls what is left: poison 6, then 14 - 2 = 12.
        told = await gina({"t": "EndRound"}, 6, 14, 2)
        assert (told.card, told.effects) == ("[14] -[2] = 12 against 10: success", ["bram rid of poisoned"])
        assert told.rolled["rolled"]["auto"] is True

        # ---------------------------------------------------------------- what needs no die, and what is critical
        await gina(put("ghoul", "held"))
        # Rolls against the Agility of whoever is held succeed by themselves (C-P3).
        told = await pia(roll("against", "ada", at=["ghoul"], attribute="agility", against="agility"))
        assert told.card == "= 0 against ?: success"
        # The blessing and the prone ghoul cancel: 17 + 3 = 20, at least 20 and at least 12 + 5: critical. Against the wight
        # 15 + 3 + 2 = 20 is not 5 more than 16 (C-15).
        told = await pia(roll("attack", "ada", at=["ghoul", "wight"], attack="bow"), 17, 15, 2)
        assert told.cards == [
            "ada at ghoul: [17] +3 = 20 against ?: critical_success",
            "ada at wight: [15] [2] +3 = 20 against ?: success",
        ]

        # ---------------------------------------------------------------- one affliction of two: a house rule
        await gina(put("bram", "frightened", by="ghoul"))
        await gina(put("bram", "frightened", by="wight"))
        # The affliction is the source (C-12, X-C2): one bane, 13 + 0 - 3 = 10.
        told = await quin(roll("attribute", "bram", "Stand fast", attribute="agility"), 13, 3)
        assert (told.card, told.sources) == ("[13] -[3] = 10 against 10: success", "frightened counts, frightened same_source")
        await gina({"t": "SetOptions", "options": {"affliction_source": "per_instance"}})
        # Now it is two (C-P4): the same d20, 13 + 0 - 5 = 8.
        told = await quin(roll("attribute", "bram", "Stand fast", attribute="agility"), 13, 3, 5)
        assert (told.card, told.sources) == ("[13] 3 -[5] = 8 against 10: failure", "frightened counts, frightened counts")
        # With his Strength impaired three: 2 + 0 - 6 = -4, a critical failure (C-17).
        told = await quin(roll("attribute", "bram", "Hold the door", attribute="strength"), 2, 6, 1, 1)
        assert told.card == "[2] -[6] 1 1 = -4 against 10: critical_failure"

        # ---------------------------------------------------------------- a roll that its own player may not see
        # 16 + 4 - 2 = 18 against 12. Quin hears that it was made, the others nothing.
        told = await quin(roll("attribute", "bram", "Read the runes", attribute="intellect", tn=12, mode="blind"), 16, 2, 1)
        assert (told.events(), told.by("Pia"), [event["t"] for event in told.by("Quin")]) == ([], [], ["CheckNoted"])
        (hidden,) = told.by("Gina", "CheckRolled")
        assert card(hidden) == "[16] -[2] 1 +4 = 18 against 12: success"
        told = await gina({"t": "Reveal", "check": hidden["rolled"]["check"]})
        shown = told.event("Revealed")
        assert worded(shown["result"], shown["rolled"]["target"]) == card(hidden)

        # ---------------------------------------------------------------- the fight and the evening end
        await gina(put("cleo", "poisoned", luckEnds=True))
        # What luck ends is over with the fight (C-P2); fear is not.
        told = await gina({"t": "EndCombat"})
        expired = told.event("ConditionExpired")
        assert (expired["actor"], expired["key"], expired["why"]) == ("cleo", "poisoned", "combat_end")
        assert play.conditions("bram") == {"impaired.strength": 1, "cursed": 1, "frightened": 1}
        told = await gina({"t": "EndSession"})
        assert (told.event("GrantExpired")["why"], play.grants("ada")) == ("session_end", [])
        assert (play.entry("session")["running"], told.event("SessionEnded").get("xp", [])) == (False, [])
