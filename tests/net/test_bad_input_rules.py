"""What the rules between the dice do not allow, over sockets: each refused with a code of its own, and nothing changed.

Before and after are compared: every stored byte, the head of the log and its hash, the pool, everything on every screen,
and the faces that would have fallen. What a preview would be asked is refused there word for word.
"""

import asyncio

import pytest

from tests.support.refused import DARK, answer, ask, cases, clear, condition, gathered, grant, sources, spend, stays_refused

CASES = []
case = cases(CASES)


# --- spending ---------------------------------------------------------------------------------------------------
@case("spend from a pool that somebody else emptied", "pool.empty")
async def _(at):
    await at.boons(1)
    mine, other = await at.failed(), await at.failed(actor="friend")
    await at.of("Quin", spend(other), 12)
    await at.gm({"t": "Act", "verb": "take_boon"})  # what a critical success earned
    return spend(mine)


@case("spend before the roll from an empty pool", "pool.empty")
async def _(at):
    return {**at.roll, "sources": DARK, "spendBefore": 1}


@case("spend before the roll more than there is", "pool.empty", spend_before_limit=None)
async def _(at):
    await at.boons(1)
    return {**at.roll, "sources": [{**DARK[0], "amount": 3}], "spendBefore": 2}


@case("spend before the roll with nothing to buy off", "spend.no_negative_chances")
async def _(at):
    await at.boons(1)
    return {**at.roll, "spendBefore": 1}


@case("spend before the roll where there is no pool", "spend.not_offered", "sage_d20")
async def _(at):
    return {**at.roll, "spendBefore": 1}


@case("take from an empty pool", "pool.empty", by="Gina")
async def _(at):
    return {"t": "Act", "verb": "take_boon"}


@case("keep the initiative with an empty pool", "pool.empty")
async def _(at):
    await at.gm({"t": "Act", "verb": "initiative", "args": {"winner": "opposition"}})
    return {"t": "Act", "verb": "keep_initiative"}


@case("spend again when it has succeeded", "spend.not_failed")
async def _(at):
    await at.boons(3)
    check = await at.failed()
    await at.of("Pia", spend(check), 9)
    return spend(check)


@case("spend again when it has failed again", "spend.limit")
async def _(at):
    await at.boons(3)
    check = await at.failed()
    await at.of("Pia", spend(check), 3)
    return spend(check)


@case("spend when it was accepted", "choice.done")
async def _(at):
    await at.boons(3)
    check = await at.failed()
    await at.of("Pia", spend(check, "accept"))
    return spend(check)


@case("accept twice", "choice.done")
async def _(at):
    await at.boons(3)
    check = await at.failed()
    await at.of("Pia", spend(check, "accept"))
    return spend(check, "accept")


@case("spend on somebody else's roll", "choice.not_yours")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(actor="friend"))


@case("spend on the opposition's roll", "spend.not_a_player", by="Gina")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(actor="foe"))


@case("spend on an unknown roll", "check.unknown")
async def _(at):
    await at.boons(3)
    return spend("99.1")


@case("spend on a row that the roll has not", "check.unknown")
async def _(at):
    await at.boons(3)
    return spend((await at.failed()).replace(".1", ".2"))


@case("spend on a roll that one may not see", "check.unknown")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(actor="foe", mode="gm"))


@case("spend after a critical failure", "spend.critical_failure")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(1))


@case("spend with negative chances left", "spend.negative_chances")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(2, 3, sources=DARK))


@case("spend on a success", "spend.not_failed")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(9))


@case("spend on a roll that not everybody sees", "spend.open_rolls_only")
async def _(at):
    await at.boons(3)
    return spend(await at.failed(mode="gm"))


@case("spend on a roll of somebody who was removed", "check.unknown", by="Gina")
async def _(at):
    await at.boons(3)
    check = await at.failed()
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return spend(check)


# --- choices ----------------------------------------------------------------------------------------------------
@case("a choice that no game has", "choice.not_offered")
async def _(at):
    await at.boons(1)
    return spend(await at.failed(), "toString")


@case("a ruling on what was not ruled on", "choice.not_offered", "rank_ability", by="Gina")
async def _(at):
    return spend(await at.failed(8, 8, params={**at.roll["params"], "tn": 5}), "at_cost")


@case("a ruling by a player", "choice.not_yours", "rank_ability")
async def _(at):
    return spend(await at.failed(1, 2), "at_cost")


@case("a ruling twice", "choice.done", "rank_ability", by="Gina")
async def _(at):
    check = await at.failed(1, 2)
    await at.gm(spend(check, "at_cost"))
    return spend(check, "at_cost")


@case("words with a choice that takes none", "choice.bad_note")
async def _(at):
    await at.boons(1)
    return spend(await at.failed(), args={"note": "please"})


@case("another argument of a ruling", "choice.bad_note", "rank_ability", by="Gina")
async def _(at):
    return spend(await at.failed(1, 2), "at_cost", args={"price": "an eye"})


# --- grants -----------------------------------------------------------------------------------------------------
@case("revoke twice", "grant.unknown", "sage_d20", by="Gina")
async def _(at):
    revoke = {"t": "RevokeGrant", "grant": await at.grant()}
    await at.gm(revoke)
    return revoke


@case("revoke what ended with the round", "grant.unknown", "sage_d20", by="Gina")
async def _(at):
    gone = await at.grant(when="round_end")
    await at.gm({"t": "EndRound"})
    return {"t": "RevokeGrant", "grant": gone}


@case("revoke what ended with a turn", "grant.unknown", "public_d20", by="Gina")
async def _(at):
    gone = await at.grant(when="turn_start")
    await at.of("Pia", {"t": "StartTurn", "actor": "hero"})
    return {"t": "RevokeGrant", "grant": gone}


@case("revoke what a roll has spent", "grant.unknown", "sage_d20", by="Gina")
async def _(at):
    gone = await at.grant(when="next_roll")
    await at.of("Pia", at.roll, 11, 3)
    return {"t": "RevokeGrant", "grant": gone}


@case("revoke what left with its bearer", "grant.unknown", "sage_d20", by="Gina")
async def _(at):
    gone = await at.grant()
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return {"t": "RevokeGrant", "grant": gone}


@case("a grant on a removed actor", "actor.unknown", "sage_d20", by="Gina")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return grant()


@case("a grant on a removed actor and on one that is there", "actor.unknown", "sage_d20", by="Gina")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return grant("friend", "hero")


@case("a grant on a token of a removed actor", "actor.unknown", "sage_d20", by="Gina")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return grant("hero.token.t1")


@case("a grant until the turn of a removed actor", "actor.unknown", "public_d20", by="Gina")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "foe"})
    return {**grant(), "expiry": {"when": "turn_end", "actor": "foe"}}


@case("the 65th grant of one actor", "grant.limit", "public_d20", by="Gina")
async def _(at):
    for n in range(64):
        await at.grant(id=f"s{n}")
    return grant(id="s64")


@case("65 sources named", "roll.too_many_sources", "sage_d20")
async def _(at):
    return {**at.roll, "sources": [*sources(33), *sources(32, "bane")]}


@case("65 sources named where one is enough", "roll.too_many_sources", "rank_ability")
async def _(at):
    return {**at.roll, "sources": sources(65)}


@case("65 sources named and standing", "roll.too_many_sources", "group_d12")
async def _(at):
    for n in range(3):
        await at.grant(id=f"s{n}")
    return {**at.roll, "sources": [*sources(31), *sources(31, "bane")]}


# --- conditions -------------------------------------------------------------------------------------------------
@case("a condition of another ruleset", "condition.unknown", "public_d20", by="Gina")
async def _(at):
    return condition("poisoned")


@case("a condition of another ruleset, the other way round", "condition.unknown", "sage_d20", by="Gina")
async def _(at):
    return condition("marked")


@case("a condition where there are none", "condition.unknown", "group_d12", by="Gina")
async def _(at):
    return condition("exposed")


@case("clear a condition of another ruleset", "condition.not_held", "public_d20", by="Gina")
async def _(at):
    return clear("poisoned")


@case("a condition on a removed actor", "actor.unknown", "public_d20", by="Gina")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return condition("slowed")


@case("clear twice", "condition.not_held", "public_d20", by="Gina")
async def _(at):
    await at.gm(condition("slowed"))
    await at.gm(clear("slowed"))
    return clear("slowed")


@case("clear what ended with the round", "condition.not_held", "public_d20", by="Gina")
async def _(at):
    await at.gm(condition("slowed", expiry={"when": "round_end"}))
    await at.gm({"t": "EndRound"})
    return clear("slowed")


@case("clear what a fumble left until now", "condition.not_held", "public_d20", by="Gina")
async def _(at):
    await at.of("Pia", at.roll, 1)
    await at.of("Pia", {"t": "StartTurn", "actor": "hero"})
    return clear("exposed")


@case("luck for what luck has ended", "roll.ends_nothing", "sage_d20", by="Gina")
async def _(at):
    await at.gm(condition("frightened", luckEnds=True))
    luck = {"t": "RollCheck", "check": "luck", "actors": ["hero"], "ends": {"key": "frightened"}}
    await at.gm(luck, 10)
    return luck


@case("luck before the round ends", "roll.ends_nothing", "sage_d20")
async def _(at):
    await at.gm(condition("frightened", luckEnds=True))
    return {"t": "RollCheck", "check": "luck", "actors": ["hero"], "ends": {"key": "frightened"}}


@case("a turn of a removed actor", "actor.unknown", "public_d20", by="Gina")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return {"t": "EndTurn", "actor": "hero"}


# --- help -------------------------------------------------------------------------------------------------------
HELP = {"t": "Assist", "actor": "hero", "helper": "friend"}


@case("agree to help twice", "assist.unknown", "sage_d20", by="Gina")
async def _(at):
    agree = {"t": "AnswerAssist", "assist": f"{await at.of('Quin', HELP)}.1", "accept": True}
    await at.gm(agree)
    return agree


@case("agree to help when the roll has been made", "assist.unknown", "sage_d20", by="Gina")
async def _(at):
    offer = await at.of("Quin", HELP)
    await at.of("Pia", at.roll, 11)
    return {"t": "AnswerAssist", "assist": f"{offer}.1", "accept": True}


@case("help somebody who was removed", "actor.unknown", "sage_d20", by="Quin")
async def _(at):
    await at.gm({"t": "RemoveActor", "actor": "hero"})
    return HELP


# --- dice rolled by hand ----------------------------------------------------------------------------------------
def by_hand(faces, code, name, game="sage_d20", **more):
    async def prepare(at):
        return {**at.roll, **more, "faces": faces}

    case(f"a check by hand: {name}", code, game, manual_dice=True)(prepare)


by_hand([], "faces.count", "none")
by_hand([11], "faces.count", "one too few", sources=sources(1))
by_hand([11, 3, 3], "faces.count", "one too many", sources=sources(1))
by_hand([0], "faces.range", "0 on a d20")
by_hand([21], "faces.range", "21 on a d20")
by_hand([-1], "faces.range", "less than nothing")
by_hand([11, 7], "faces.range", "7 on a d6", sources=sources(1))
by_hand([11, 9], "faces.range", "the dice in another order", "rank_ability")


@case("dice by hand where they are not taken", "faces.not_taken", "sage_d20")
async def _(at):
    return {**at.roll, "faces": [11]}


@case("dice by hand for a roll without dice", "faces.count", "sage_d20", manual_dice=True)
async def _(at):
    await at.gm(condition("unconscious"))
    return {**at.roll, "faces": [11]}


@case("other dice by hand: one too many", "faces.count", "public_d20", manual_dice=True)
async def _(at):
    return {"t": "RollDice", "formula": "2d6+3", "faces": [4, 4, 4]}


@case("other dice by hand: 7 on a d6", "faces.range", "public_d20", manual_dice=True)
async def _(at):
    return {"t": "RollDice", "formula": "2d6+3", "faces": [4, 7]}


@case("a spent Boon's die by hand: 13 on a d12", "faces.range", manual_dice=True)
async def _(at):
    await at.boons(1)
    return spend(await at.failed(), faces=[13])


@case("a spent Boon's die by hand: none", "faces.count", manual_dice=True)
async def _(at):
    await at.boons(1)
    return spend(await at.failed(), faces=[])


@case("a die by hand for a choice without dice", "faces.count", manual_dice=True)
async def _(at):
    await at.boons(1)
    return spend(await at.failed(), "accept", faces=[9])


# --- requests, evenings, opportunities --------------------------------------------------------------------------
@case("a request to nobody", "request.nobody", by="Gina")
async def _(at):
    return ask(actors=[])


@case("a request to a party that is nobody", "request.nobody", by="Gina")
async def _(at):
    for actor in ("hero", "friend"):
        await at.gm({"t": "SyncActor", "actor": actor, "side": "neutral"})
    return ask()


@case("a request to somebody unknown", "actor.unknown", by="Gina")
async def _(at):
    return ask(actors=["hero", "nobody"])


@case("a request in a way that rolls do not belong together here", "request.group", "sage_d20", by="Gina")
async def _(at):
    return {**ask(), "checks": [{"check": "attribute", "params": {"tn": 9}}], "group": "one_success"}


@case("a request of a seventeenth thing at once", "request.limit", by="Gina")
async def _(at):
    for _n in range(16):
        await at.gm(ask(actors=["foe"]))
    return ask()


@case("a request for how hard nobody says", "roll.bad_parameter", by="Gina")
async def _(at):
    return {**ask(), "checks": [{"check": "skill"}]}


@case("an answer to a request that is closed", "request.closed")
async def _(at):
    request = await at.gm(ask())
    await at.gm({"t": "CloseRequest", "request": str(request)})
    return answer(request)


@case("an answer to a request that is complete", "request.closed")
async def _(at):
    request = await at.gm(ask(actors=["hero"]))
    await at.of("Pia", answer(request), 12)
    return answer(request)


@case("an answer twice", "request.answered")
async def _(at):
    request = await at.gm(ask())
    await at.of("Pia", answer(request), 12)
    return answer(request)


@case("an answer after one has declined", "request.answered")
async def _(at):
    request = await at.gm(ask())
    await at.of("Pia", {"t": "Decline", "request": str(request), "actor": "hero"})
    return answer(request)


@case("an answer for another's actor", "actor.not_yours")
async def _(at):
    return answer(await at.gm(ask()), "friend")


@case("an answer for whom nobody asked", "request.not_asked", by="Quin")
async def _(at):
    return answer(await at.gm(ask(actors=["hero"])), "friend")


@case("an answer with a check that nobody asked for", "request.not_asked")
async def _(at):
    return answer(await at.gm(ask()), nth=3)


@case("an answer to what was never asked", "request.unknown")
async def _(at):
    return answer(2)


@case("an answer to what only GMs are asked", "request.unknown")
async def _(at):
    return answer(await at.gm(ask(mode="secret")))


@case("an answer at a difficulty of one's own", "request.fixed")
async def _(at):
    return answer(await at.gm(ask()), params={"difficulty": 2})


@case("an answer that makes somebody else resist", "request.fixed")
async def _(at):
    return answer(await at.gm(ask(target="foe")), params={"resist": "skill.lore"})


@case("an answer with Boons that are not there", "pool.empty")
async def _(at):
    return answer(await at.gm(ask(sources=DARK)), spendBefore=1)


@case("a check that is only asked for", "request.only")
async def _(at):
    return {"t": "RollCheck", "check": "challenge", "actors": ["hero"], "params": {"skill": "skill.athletics"}}


@case("to roll for somebody who has answered", "request.answered", by="Gina")
async def _(at):
    request = await at.gm(ask())
    await at.of("Pia", answer(request), 12)
    return {"t": "RollForAbsent", "request": str(request), "actors": ["hero"]}


@case("to roll for who is absent where nobody is", "request.answered", by="Gina")
async def _(at):
    await at.boons(1)
    request = await at.gm(ask(actors=["hero"]))
    await at.of("Pia", answer(request), 2)
    return {"t": "RollForAbsent", "request": str(request)}


@case("to close a request twice", "request.closed", by="Gina")
async def _(at):
    request = await at.gm(ask())
    await at.gm({"t": "CloseRequest", "request": str(request)})
    return {"t": "CloseRequest", "request": str(request)}


@case("an evening that runs", "session.running", by="Gina")
async def _(at):
    await at.gm({"t": "StartSession"})
    return {"t": "StartSession", "name": "Again"}


@case("an evening ended twice", "session.none", by="Gina")
async def _(at):
    await at.gm({"t": "StartSession"})
    await at.gm({"t": "EndSession"})
    return {"t": "EndSession"}


@case("experience for a foe", "roll.bad_parameter", by="Gina")
async def _(at):
    await at.gm({"t": "StartSession"})
    return {"t": "EndSession", "actors": ["hero", "foe"]}


OPENING = {"check": "opportunity", "params": {"skill": "skill.athletics", "difficulty": 9}}


@case("an opportunity that was used", "opportunity.unknown")
async def _(at):
    opportunity = await at.failed(12, **OPENING)
    await at.failed(12, 12, actor="friend", opportunities=[opportunity])
    return {**at.roll, "opportunities": [opportunity]}


@case("an opportunity of the other side", "opportunity.not_for_you")
async def _(at):
    return {**at.roll, "opportunities": [await at.failed(12, actor="foe", **OPENING)]}


@case("to let an opportunity of somebody else pass", "actor.not_yours")
async def _(at):
    return {"t": "DropOpportunity", "opportunity": await at.failed(12, actor="friend", **OPENING)}


@pytest.mark.parametrize(("game", "options", "prepare", "by", "code"), CASES)
async def test_refused_with_its_own_code_and_nothing_changed(tmp_path, game, options, prepare, by, code):  # noqa: PLR0917
    async with gathered(game, tmp_path, options) as at:
        await stays_refused(at, await prepare(at), by, code)


@pytest.mark.parametrize(("face", "code"), [(9, "spend.not_failed"), (3, "spend.limit")])
async def test_two_clicks_on_one_boon_at_once_spend_one(tmp_path, face, code):
    async with gathered("group_d12", tmp_path, {}) as at, at.bridge.join("Pia") as again:
        await at.boons(3)
        check = await at.failed()
        for person in (*at.people.values(), again):
            await person.settled()
        head, tape = (await at.bridge.table()).state.seq, at.bridge.tape
        tape.put(face, 12)
        answers = await asyncio.gather(*(person.do(spend(check)) for person in (at.people["Pia"], again)))
        assert sorted(answer["t"] for answer in answers) == ["ack", "refused"]
        assert [answer["code"] for answer in answers if answer["t"] == "refused"] == [code]
        table = await at.bridge.table()
        assert (table.state.seq, table.state.game.held, list(tape.tape)) == (head + 1, 2, [12])
        tape.clear()
