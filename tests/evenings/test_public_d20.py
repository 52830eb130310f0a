"""Twenty minutes of the public d20 pool: a rope bridge, an ogre, a wyrm, and dice that everybody sees.

Every number is worked out beside its roll from the rules, whose ids stand there. A card reads ``[kept] not kept +attribute = total
against DC or Defense: outcome``; the Defense of the opposition is the GM's to know and shows as ``?``: the ogre's is
8 + 5 = 13, the wyrm's 8 + 20 = 28 (B-03).
"""

from tests.support.play import (
    act,
    answer,
    ask,
    asked,
    attack,
    bane,
    boon,
    effects,
    evening,
    grant,
    put,
    result,
    roll,
    sheet,
    turn,
)

CAST = {
    "ada": ("Pia", sheet(attack("Maul", "attribute.might", crit=("Sunders", 2)), grace=2, attribute__might=3)),
    "bram": ("Quin", sheet(attack("Dart", "attribute.wits", crit=("Ignites", 3)), grace=4, attribute__wits=4)),
    "cleo": ("Rolf", sheet(attack("Spear", "attribute.might", crit=("Pins", 1)), grace=1, attribute__might=2)),
    "ogre": (None, sheet(attack("Club", "attribute.might"), grace=5, attribute__might=6, attribute__wits=0)),
    "wyrm": (None, sheet(attack("Bite", "attribute.might"), grace=20, attribute__might=8)),
}


async def test_the_rope_bridge(tmp_path):
    async with evening("public_d20", tmp_path, CAST) as play:
        gina, pia, quin = play.gina, play.pia, play.quin

        # ---------------------------------------------------------------- the evening begins
        await gina({"t": "StartSession", "name": "The rope bridge"})
        blessing = grant(["ada"], boon("shrine"), until="session_end", scope={"checks": ["task"]})
        await gina(blessing)
        await gina(put("ada", "bolstered", 2))

        # ---------------------------------------------------------------- three are asked, and one is not here
        told = await gina(
            ask(
                asked("task", attribute="grace", dc=12),
                asked("task", attribute="attribute.might", dc=15),
                action="Cross the bridge",
                sources=[bane("bad_footing")],
            )
        )
        request = told.event("CheckRequested")["request"]["id"]
        # Help is free at this table, and is a Boon on that roll (B-15).
        await pia({"t": "Assist", "actor": "bram", "helper": "ada", "action": "Cross the bridge"})
        assert play.grants("bram") == ["Help from Ada"]

        # Ada hauls herself over: the shrine's Boon and bad footing cancel (B-06), so one die (B-07): 12 + 3 = 15, and equal is
        # enough (B-02). Bolstered is for swings; a task leaves it alone (B-14).
        told = await pia(answer(request, "ada", nth=1), 12)
        assert (told.card, told.effects) == ("[12] +3 = 15 against 15: success", [])
        assert (told.sources, play.conditions("ada")) == ("shrine cancels, bad_footing cancels", {"bolstered": 2})

        # Bram balances: help against bad footing, one die: 8 + 4 = 12. The help is used up, cancelled or not.
        told = await quin(answer(request, "bram"), 8)
        assert (told.card, told.sources) == ("[8] +4 = 12 against 12: success", "assist cancels, bad_footing cancels")
        assert (told.event("GrantSpent")["actor"], play.grants("bram")) == ("bram", [])

        # The GM rolls for Cleo: one Bane, two dice, the worst counts (B-08). A natural 1 on the kept die is a fumble, also
        # beside a 20 and whatever the total (B-25), and leaves her Exposed (B-26). Two of three are over.
        told = await gina({"t": "RollForAbsent", "request": request}, 20, 1)
        assert (told.card, told.rolled["rolled"]["absent"]) == ("20 [1] +1 = 2 against 12: fumble", True)
        assert (told.effects, play.conditions("cleo")) == (["cleo exposed +1, now 1"], {"exposed": 1})
        closed = result(told.event("RequestClosed")["result"])
        assert closed == {"outcome": "each", "counted": 3, "succeeded": 2, "worst": 1}

        # ---------------------------------------------------------------- round 1: an ogre at the far end
        await gina(put("ogre", "marked", by="bram"))
        # Somebody else's activation does not end what a fumble left (B-26).
        told = await gina(turn("Start", "bram"))
        assert (told.kinds, play.conditions("cleo")) == (["TurnStarted"], {"exposed": 1})
        # Marked: one Boon, for the marker, too (B-11): the best of two (B-08): 14 + 4 = 18 against 13.
        told = await quin(roll("attack", "bram", at=["ogre"], attack="dart"), 14, 6)
        assert (told.card, told.sources) == ("[14] 6 +4 = 18 against ?: success", "marked counts")
        assert [event["target"] for event in told.by("Gina", "TargetFixed")] == [13]
        await gina(turn("End", "bram"))

        # Exposed: one Boon per stack for whoever attacks her (B-12): the best of 3 and 11, + 6 = 17 against 8 + 1 = 9.
        await gina(turn("Start", "ogre"))
        told = await gina(roll("attack", "ogre", at=["cleo"], attack="club"), 3, 11)
        assert (told.card, told.sources) == ("3 [11] +6 = 17 against 9: success", "exposed counts")
        await gina(turn("End", "ogre"))

        # Her own next activation begins, and with it Exposed ends (B-26).
        told = await gina(turn("Start", "cleo"))
        expired = told.event("ConditionExpired")
        assert (expired["actor"], expired["key"], expired["amount"], expired["now"]) == ("cleo", "exposed", 1, 0)
        assert play.conditions("cleo") == {}
        # A 1 that is dropped is nothing (B-25): 4 + 2 = 6, a plain miss.
        told = await gina(roll("attack", "cleo", at=["ogre"], attack="spear"), 1, 4)
        assert (told.card, told.effects) == ("1 [4] +2 = 6 against ?: failure", [])
        await gina(turn("End", "cleo"))

        # Ada: Bolstered 2 (B-14), Marked 1 (B-11), flanking 1 (B-15), against Guard 1 (B-18): net 3, so four dice, keep the
        # best. 20 + 3 = 23 hits, and all three natural 20s count (B-20): 3 times 2, added (B-21, B-23). The bank is spent.
        await gina(put("ogre", "guard"))
        await gina(turn("Start", "ada"))
        flank = [boon("flanking", kind="flanking")]
        told = await pia(roll("attack", "ada", at=["ogre"], attack="maul", sources=flank), 20, 9, 20, 20)
        assert told.card == "[20] 9 20 20 +3 = 23 against ?: critical_success"
        assert told.sources == "bolstered x2 counts, marked counts, guard cancels, flanking cancels"
        assert (told.rolled["result"]["net"], told.rolled["result"]["crits"]) == (3, 3)
        assert told.effects == ["ada bolstered -2, now 0", "Sunders 3 times, 6 in all"]
        await gina(turn("End", "ada"))
        assert (await gina({"t": "EndRound"})).kinds == ["RoundEnded"]

        # ---------------------------------------------------------------- round 2: everything against Bram
        await gina(grant(["bram"], boon("war_song"), until="turn_start", of="ada"))
        await gina(put("bram", "bolstered"))
        await gina(put("bram", "slowed", expiry={"when": "turn_end", "actor": "bram"}))
        await gina(put("bram", "shaken", until="round_end"))
        await gina(turn("Start", "bram"))
        # Boons: Bolstered, Marked, the song. Banes: Slowed (B-16), Shaken (B-17), Guard, darkness (B-19). Net -1: two dice, the
        # worst counts; the dropped 20 is no crit (B-22). 5 + 4 = 9 misses, and the bank is spent all the same (B-14, X-B9).
        told = await quin(roll("attack", "bram", at=["ogre"], attack="dart", sources=[bane("darkness")]), 20, 5)
        assert (told.card, told.effects) == ("20 [5] +4 = 9 against ?: failure", ["bram bolstered -1, now 0"])
        facts = told.rolled["result"]
        assert (facts["boons"], facts["banes"], facts["net"], facts["crits"]) == (3, 4, -1, 0)
        told = await gina(turn("End", "bram"))
        assert (told.event("ConditionExpired")["key"], play.conditions("bram")) == ("slowed", {"shaken": 1})
        # The song was to last until Ada's turn begins.
        told = await gina(turn("Start", "ada"))
        assert (told.event("GrantExpired")["why"], play.grants("bram")) == ("turn_start", [])

        # ---------------------------------------------------------------- a fumble that is taken back
        await gina(put("ada", "bolstered"))
        # Bolstered and Marked against Guard and darkness: one die, a 1: a fumble (B-25). The bank is spent (B-14), she is
        # Exposed (B-26).
        told = await pia(roll("attack", "ada", at=["ogre"], attack="maul", sources=[bane("darkness")]), 1)
        assert told.card == "[1] +3 = 4 against ?: fumble"
        assert told.effects == ["ada bolstered -1, now 0", "ada exposed +1, now 1"]
        # It did not guard any more. The roll never was: nothing exposes her, and the bank is hers again.
        told = await gina({"t": "Void", "what": f"check/{told.check}", "reason": "Its guard was down."})
        voided = told.event("Voided")
        assert (sorted(effects(voided)), voided.get("left", [])) == (["ada bolstered put at 1", "ada exposed put at 0"], [])
        assert play.conditions("ada") == {"bolstered": 1}
        await gina({"t": "ClearCondition", "actor": "ogre", "condition": "guard"})
        # Bolstered and Marked against darkness: the best of two, 10 + 3 = 13 against 13: a hit (B-02).
        told = await pia(roll("attack", "ada", at=["ogre"], attack="maul", sources=[bane("darkness")]), 6, 10)
        assert (told.card, told.effects) == ("6 [10] +3 = 13 against ?: success", ["ada bolstered -1, now 0"])
        await gina(turn("End", "ada"))
        told = await gina({"t": "EndRound"})
        assert (told.event("ConditionExpired")["key"], play.conditions("bram")) == ("shaken", {})

        # ---------------------------------------------------------------- three 20s under Banes, one crit
        await gina(turn("Start", "cleo"))
        # Marked against darkness, bad footing and no room: net -2, the worst of three. Only the kept die can crit (B-22).
        hindered = [bane("darkness"), bane("bad_footing"), bane("cramped")]
        told = await gina(roll("attack", "cleo", at=["ogre"], attack="spear", sources=hindered), 20, 20, 20)
        assert (told.card, told.effects) == ("[20] 20 20 +2 = 22 against ?: critical_success", ["Pins 1 times, 1 in all"])

        # ---------------------------------------------------------------- a natural 20 before and after a house rule
        # 20 + 3 = 23 does not reach 28, and a natural 20 is no hit by itself here (X-B3), so no crit either.
        told = await pia(roll("attack", "ada", at=["wyrm"], attack="maul"), 20)
        assert (told.card, told.effects) == ("[20] +3 = 23 against ?: failure", [])
        await gina({"t": "SetOptions", "options": {"nat20": "auto_hit"}})
        # Now it hits, and crits once (B-20).
        told = await pia(roll("attack", "ada", at=["wyrm"], attack="maul"), 20)
        assert (told.card, told.effects) == ("[20] +3 = 23 against ?: critical_success", ["Sunders 1 times, 2 in all"])

        # ---------------------------------------------------------------- a die behind the screen
        # All dice are public (B-01), until the table says otherwise.
        sneaks = roll("task", "ogre", "Hear them whisper", mode="secret", attribute="attribute.wits", dc=14)
        assert (await gina(sneaks)).refused == "roll.mode"
        await gina({"t": "SetOptions", "options": {"dice_public": False}})
        # A 1: a fumble also on a task (B-25, X-B4). Nobody else hears of it, and nothing happens yet.
        told = await gina(sneaks, 1)
        (hidden,) = told.by("Gina", "CheckRolled")
        assert (hidden["result"]["outcome"], effects(hidden)) == ("fumble", ["ogre exposed +1, now 1"])
        assert (told.events(), told.by("Pia"), play.conditions("ogre")) == ([], [], {"marked": 1})
        # Settled: everybody sees what it does, and not what it was.
        told = await gina({"t": "Settle", "check": hidden["rolled"]["check"]})
        settled = told.event("Settled")
        assert (effects(settled), settled.get("check")) == (["ogre exposed +1, now 1"], None)
        assert play.conditions("ogre") == {"marked": 1, "exposed": 1}
        # Marked and Exposed: three dice, the best is 9: 9 + 4 = 13.
        told = await quin(roll("attack", "bram", at=["ogre"], attack="dart"), 2, 9, 7)
        assert (told.card, told.sources) == ("2 [9] 7 +4 = 13 against ?: success", "marked counts, exposed counts")
        told = await gina(turn("Start", "ogre"))
        assert (told.event("ConditionExpired")["key"], play.conditions("ogre")) == ("exposed", {"marked": 1})

        # ---------------------------------------------------------------- the fight and the evening end
        # The Stagger Window is a switch for all to see, without dice (B-27). It is the encounter's and goes with it.
        told = await gina(act("stagger_window", open=True))
        assert (effects(told.event("Acted")), play.entry("marks")) == (
            ["stagger_window: True"],
            {"marks": {"stagger_window": True}},
        )
        await gina({"t": "EndCombat"})
        assert (play.entry("marks"), play.entry("turn")) == (None, None)
        assert play.grants("ada") == ["shrine"]
        told = await gina({"t": "EndSession"})
        assert (told.event("GrantExpired")["why"], play.grants("ada")) == ("session_end", [])
        # How long a mark lasts is not said, so it stays until somebody takes it away (X-B6).
        assert play.conditions("ogre") == {"marked": 1}
        assert play.entry("session")["running"] is False
