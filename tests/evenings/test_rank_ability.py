"""Twenty minutes of Rank & Ability: a flooded mill, two players and a third who is not here, and what the rules make of it.

Every number is worked out beside its roll from the rules, whose ids stand there. Rank Dice are the proposed ones: Rank 2 has a
d6, Rank 3 a d8, Rank 6 a d12. A card reads ``[kept] not kept = total against TN: outcome``, dice in the order Rank, Ability, extra.
"""

from tests.support.play import (
    answer,
    ask,
    asked,
    bane,
    boon,
    choose,
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
    "ada": ("Pia", sheet(rank=3, str=8, agi=6, con=8, lor=4, pre=6)),
    "bram": ("Quin", sheet(rank=2, str=4, agi=8, con=6, lor=10, pre=8)),
    "cleo": ("Rolf", sheet(rank=6, str=6, agi=10, con=6, lor=8, pre=10)),
    "warden": (None, sheet(rank=4, str=10, agi=6, con=10, lor=6, pre=8)),
}

FAILED = ["fails", "consequence", "costs_time", "costs_resources", "danger", "closed", "at_cost", "pass"]
"""What a Referee may say of a failure (A-05, A-22, A-23), or that it was said at the table."""


async def test_the_drowned_mill(tmp_path):
    async with evening("rank_ability", tmp_path, CAST) as play:
        gina, pia, quin = play.gina, play.pia, play.quin

        # ---------------------------------------------------------------- the evening begins
        told = await gina({"t": "StartSession", "name": "The drowned mill"})
        assert (told.event("SessionStarted")["session"], play.entry("session")["running"]) == (1, True)

        # d8 + d8 = 5 + 6 = 11; A-04: at least 10 is a success. Nothing follows from an ordinary one.
        told = await pia(roll("check", "ada", "Force the sluice gate", ability="str", tn=10), 5, 6)
        assert (told.card, told.effects, told.offers) == ("[5] [6] = 11 against 10: success", [], [])
        # Before the click (section 10): 28 of 64 pairs reach 10; 5-5, 6-6, 7-7 and 8-8 are Critical; only 1-1 is a Fumble.
        assert told.rolled["odds"] == {"success": "7/16", "critical": "1/16", "worst": "1/64"}

        # Two helps are one Boon: d6, d8 and a Boon Die d10, the two highest of 2, 5, 9: 14. A tie
        # succeeds. 5 and 9 are no pair.
        told = await quin(
            roll("check", "bram", "Climb the wheel", ability="agi", tn=14, sources=[boon("good_tools"), boon("background")]),
            2,
            5,
            9,
        )
        assert told.card == "2 [5] [9] = 14 against 14: success"
        assert told.sources == "good_tools counts, background one_at_most"
        assert [die["sides"] for die in told.rolled["result"]["dice"]] == [6, 8, 10]

        # ---------------------------------------------------------------- a Bane, a failure, and its lock
        # the two lowest of 7, 2, 7 are 2 and a 7, and of equal dice the Bane Die, a d10, goes first: 7 + 2 = 9,
        # less than 10: a failure. The Referee owes what follows, and the same may not be tried again.
        told = await pia(roll("check", "ada", "Swim the race", ability="str", tn=10, sources=[bane("harsh")]), 7, 2, 7)
        assert told.card == "[7] [2] 7 = 9 against 10: failure"
        assert [(die["role"], die["sides"]) for die in told.rolled["result"]["dice"]] == [
            ("rank", 8),
            ("ability", 8),
            ("bane", 10),
        ]
        assert told.effects == ["owed: consequence", "ada locked: Swim the race"]
        assert told.offers == FAILED
        swam = told.check

        # not again as things are; the same in other letters is the same.
        told = await pia(roll("check", "ada", "swim the  race", ability="str", tn=10))
        assert told.refused == "roll.locked"

        # Something changed. A rope and a plan are one Boon, the current still is a Bane: together they cancel, however many
        # and two dice are rolled: 4 + 3 = 7, a failure, and locked anew.
        rope = [boon("good_tools"), boon("good_preparation"), bane("harsh")]
        told = await pia(roll("check", "ada", "Swim the race", ability="str", tn=10, sources=rope, changed="Better tools"), 4, 3)
        assert told.card == "[4] [3] = 7 against 10: failure"
        assert told.sources == "good_tools cancels, good_preparation cancels, harsh cancels"
        assert told.effects == ["ada free again: Swim the race", "owed: consequence", "ada locked: Swim the race"]
        assert told.rolled["rolled"]["changed"] == "Better tools"
        assert play.locks("ada") == ["Swim the race"]

        again = told.check

        # The first failure cost time, which changes nothing for the lock; the second one is a success at a cost, and so
        # the goal is reached and nothing is locked any more (X-A8).
        told = await gina(choose(swam, "costs_time", "The water is rising."))
        assert (told.chosen, play.locks("ada")) == ([("costs_time", "chosen", [])], ["Swim the race"])
        told = await gina(choose(again, "at_cost", "The rope is gone."))
        assert told.chosen == [("at_cost", "chosen", ["ada free again: Swim the race"])]
        assert (told.event("Chosen")["note"], play.locks("ada")) == ("The rope is gone.", [])

        # 6 and 6 are a pair, 12 is at least 10: a Critical Success, which brings something besides.
        told = await pia(roll("check", "ada", "Swim the race", ability="str", tn=10), 6, 6)
        assert told.card == "[6] [6] = 12 against 10: critical_success"
        assert told.effects == ["owed: extra_benefit"]
        told = await gina(choose(told.check, "opening", "Bram can follow on the rope."))
        assert told.chosen == [("opening", "chosen", [])]

        # ---------------------------------------------------------------- a round under water, and a clock
        await gina(grant(["ada", "bram"], bane("rising_water"), until="round_end"))
        assert play.grants("ada") == play.grants("bram") == ["rising water"]
        await gina(turn("Start", "ada"))
        # The Bane stands on her: the two lowest of 1, 1, 6 are both 1: a Fumble, with no look at the TN. It
        # brings a serious complication, and is locked like any failure.
        told = await pia(roll("check", "ada", "Hold the gate", ability="con", tn=8), 1, 1, 6)
        assert told.card == "[1] [1] 6 = 2 against 8: fumble"
        assert told.sources == "rising_water counts"
        assert told.effects == ["owed: serious_complication", "ada locked: Hold the gate"]
        await gina(choose(told.check, "loss", "The lever breaks off."))
        await gina(turn("End", "ada"))
        told = await gina({"t": "EndRound"})
        assert [(event["actor"], event["why"]) for event in told.events("GrantExpired")] == [
            ("ada", "round_end"),
            ("bram", "round_end"),
        ]
        assert (play.entry("grants/ada"), play.entry("grants/bram")) == (None, None)

        # ---------------------------------------------------------------- help, and doubles that are not enough
        # Help is asked of the GM at this table (option assist), and then is a Boon for that one roll.
        told = await quin({"t": "Assist", "actor": "ada", "helper": "bram", "action": "Hold the gate"})
        offer = told.event("AssistOffered")["assist"]["id"]
        await gina({"t": "AnswerAssist", "assist": offer, "accept": True})
        assert play.grants("ada") == ["Help from Bram"]
        # The two highest of 3, 1, 3: 6. Doubles below the TN are an ordinary failure. The Boon is used up.
        told = await pia(roll("check", "ada", "Hold the gate", ability="con", tn=8, changed="Somebody helps now"), 3, 1, 3)
        assert told.card == "[3] 1 [3] = 6 against 8: failure"
        assert told.effects == ["ada free again: Hold the gate", "owed: consequence", "ada locked: Hold the gate"]
        assert (told.event("GrantSpent")["check"], play.entry("grants/ada")) == (told.check, None)

        # ---------------------------------------------------------------- the GM asks three, and one is not here
        told = await gina(
            ask(asked("check", ability="pre", tn=10), asked("check", ability="lor", tn=12), action="What stirs below?")
        )
        request = told.event("CheckRequested")["request"]["id"]
        assert play.rows(request) == {"ada": "sent", "bram": "sent", "cleo": "sent"}
        # Ada listens: d8 + d6 = 6 + 4 = 10, a tie.
        told = await pia(answer(request, "ada"), 6, 4)
        assert told.card == "[6] [4] = 10 against 10: success"
        # Bram remembers the plans: d6 + d10 = 4 + 7 = 11, less than 12.
        told = await quin(answer(request, "bram", nth=1), 4, 7)
        assert (told.card, told.effects[-1]) == ("[4] [7] = 11 against 12: failure", "bram locked: What stirs below?")
        # The GM rolls for Cleo: d12 + d10 = 8 + 9 = 17. A ruling on Bram's roll holds nothing up; two of three succeeded.
        told = await gina({"t": "RollForAbsent", "request": request}, 8, 9)
        assert (told.card, told.rolled["rolled"]["absent"]) == ("[8] [9] = 17 against 10: success", True)
        closed = told.event("RequestClosed")
        assert (closed["why"], result(closed["result"])) == ("complete", {"outcome": "each", "counted": 3, "succeeded": 2})
        assert play.rows(request) == {"ada": "rolled", "bram": "rolled", "cleo": "rolled by the GM"}

        # Against one another: the Referee sets one TN for both. Ada 4 + 5 = 9, the warden 6 + 2 = 8: both
        # succeed, and the higher total wins.
        told = await gina(
            ask(asked("check", ability="str", tn=8), actors=["ada", "warden"], group="opposed", action="Wrest the lantern")
        )
        request = told.event("CheckRequested")["request"]["id"]
        told = await pia(answer(request, "ada"), 4, 5)
        assert told.card == "[4] [5] = 9 against 8: success"
        told = await gina(answer(request, "warden"), 6, 2)
        assert told.card == "[6] [2] = 8 against 8: success"
        closed = result(told.event("RequestClosed")["result"])
        assert closed == {"outcome": "won", "counted": 2, "succeeded": 2, "winners": ["ada"]}

        # ---------------------------------------------------------------- a hidden roll that comes out
        # d8 + d6 = 5 + 4 = 9, less than 12. Nobody but Pia and the GM hears of it, and so nothing is locked yet.
        told = await pia(roll("check", "ada", "Read the warden", ability="pre", tn=12, mode="gm"), 5, 4)
        assert (told.events(), told.by("Quin")) == ([], [])
        (hidden,) = told.by("Pia", "CheckRolled")
        assert told.by("Gina", "CheckRolled") == [hidden]
        assert play.locks("ada") == ["Hold the gate"]
        told = await gina({"t": "Reveal", "check": hidden["rolled"]["check"]})
        shown = told.event("Revealed")
        assert (shown["result"], effects(shown)) == (hidden["result"], ["owed: consequence", "ada locked: Read the warden"])
        assert play.locks("ada") == ["Hold the gate", "Read the warden"]

        # ---------------------------------------------------------------- the same dice under another house rule
        # of 7, 1, 6 the two highest are 7 + 6 = 13.
        perch = [boon("strong_position")]
        told = await pia(roll("check", "ada", "Reach the hatch", ability="agi", tn=10, sources=perch), 7, 1, 6)
        assert told.card == "[7] 1 [6] = 13 against 10: success"
        await gina({"t": "SetOptions", "options": {"boon_keep": "rank_die"}})
        # the Boon Die 6 is no better than the Rank Die 7, and the Ability Die always counts: 7 + 1 = 8.
        told = await pia(roll("check", "ada", "Open the hatch", ability="agi", tn=10, sources=perch), 7, 1, 6)
        assert told.card == "[7] [1] 6 = 8 against 10: failure"
        assert play.locks("ada") == ["Hold the gate", "Read the warden", "Open the hatch"]

        # ---------------------------------------------------------------- the GM decides otherwise
        # The hatch was not even closed: it is a success now, the dice stay, the lock and what was owed are gone.
        check = told.check
        told = await gina({"t": "Override", "check": check, "outcome": "success", "reason": "It was not even closed."})
        ruled = told.event("Overridden")
        assert (ruled["result"]["outcome"], ruled["result"]["total"], ruled["result"]["success"]) == ("success", 8, True)
        assert (effects(ruled), effects(ruled, "brings"), ruled.get("left", [])) == (["ada free again: Open the hatch"], [], [])
        assert play.locks("ada") == ["Hold the gate", "Read the warden"]
        assert (await gina({"t": "Void", "what": "correction/1"})).refused == "correction.final"

        # ---------------------------------------------------------------- Rank 6
        # Cleo's Boon Die is a d12. 12 is better than her 5: 12 + 6 = 18 against 18.
        told = await gina(roll("check", "cleo", "Pole the ferry", ability="str", tn=18, sources=[boon("favourable")]), 5, 6, 12)
        assert told.card == "5 [6] [12] = 18 against 18: success"
        assert [(die["role"], die["sides"]) for die in told.rolled["result"]["dice"]] == [
            ("rank", 12),
            ("ability", 6),
            ("boon", 12),
        ]

        # ---------------------------------------------------------------- exhausted, until the evening ends
        await gina(put("ada", "exhausted", until="session_end"))
        # It only offers a Bane: d8 + d8 = 4 + 6 = 10 with two dice.
        told = await pia(roll("check", "ada", "Carry the miller", ability="str", tn=10), 4, 6)
        assert (told.card, told.sources) == ("[4] [6] = 10 against 10: success", "exhausted offered")
        # Up the ladder it matters, and somebody says so. A-14: the Bane Die 4 is worse than the Rank Die 6: 4 + 5 = 9.
        told = await pia(
            roll("check", "ada", "Carry him up the ladder", ability="str", tn=10, sources=[bane("exhausted")]), 6, 5, 4
        )
        assert (told.card, told.sources) == ("6 [5] [4] = 9 against 10: failure", "exhausted counts")

        # ---------------------------------------------------------------- the evening ends
        told = await gina(ask(asked("check", ability="pre", tn=6), actors=["bram"], action="Take the first watch"))
        watch = told.event("CheckRequested")["request"]["id"]
        told = await gina(roll("check", "warden", "Follow the light", ability="pre", tn=10, mode="secret"), 2, 3)
        assert told.events() == []
        (secret,) = told.by("Gina", "CheckRolled")
        # Whoever has not answered cannot any more; being exhausted was to last until now; what waits for a ruling lapses; the
        # secret failure (2 + 3 = 5) never locks anything. This game has no experience.
        told = await gina({"t": "EndSession"})
        ended = told.event("SessionEnded")
        assert (ended["session"], ended.get("xp", [])) == (1, [])
        assert [event["key"] for event in told.events("ConditionExpired")] == ["exhausted"]
        assert told.event("RequestExpired")["actors"] == ["bram"]
        assert (play.rows(watch), play.of("Olga", f"request/{watch}")["over"]) == ({"bram": "expired"}, "closed")
        assert {event["choice"] for event in told.events("Chosen")} == {"pass"}
        assert [event["checks"] for event in told.by("Gina", "UnsettledDropped")] == [[secret["rolled"]["check"]]]
        assert (play.conditions("ada"), play.entry("session")["running"]) == ({}, False)
        assert play.locks("warden") == []
