"""Evenings on the page: where they begin and end, what they earn; and opportunities that wait."""

import pytest
from playwright.async_api import expect

from boonbridge.running import SystemClock
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.events import OpportunityUsed, SessionContinued, SessionEnded, SessionStarted
from tests.browser.stage import Stage
from tests.browser.test_requests import a_party_of_three, ask, asked, send

pytestmark = pytest.mark.browser


async def test_an_evening_earns_experience_for_those_who_are_ticked(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("start-session").click()
    dialog = gm.get_by_test_id("session-dialog")
    await dialog.get_by_test_id("session-name").fill("The harbour")
    await send(dialog)
    for page in (gm, player):
        await expect(page.get_by_test_id("session")).to_contain_text("Evening 1: The harbour")
    assert await player.get_by_test_id("end-session").count() == 0, "an evening is the GM's to end"
    for held in (1, 2):
        await gm.locator("[data-verb=give_boon]").click()
        await expect(gm.get_by_test_id("pool")).to_have_attribute("data-held", str(held))
    await gm.get_by_test_id("end-session").click()
    dialog = gm.get_by_test_id("end-dialog")
    # D-28: one for each Boon that the group still holds.
    await expect(dialog.locator("[data-testid=session-xp] [data-xp='2']")).to_have_count(3)
    await dialog.locator("[data-actor=cass] input").uncheck()
    await expect(dialog.locator("[data-testid=session-xp] [data-xp='2']")).to_have_count(2)
    await send(dialog)
    for actor in ("ana", "bela"):
        await expect(player.locator(f"[data-testid=actor][data-actor={actor}]").get_by_test_id("xp")).to_have_attribute(
            "data-xp", "2"
        )
    assert await player.locator("[data-testid=actor][data-actor=cass]").get_by_test_id("xp").count() == 0
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "0")
    await expect(player.get_by_test_id("log")).to_contain_text("Evening 1 ends.")
    await expect(player.get_by_test_id("log")).to_contain_text("Ana earns 2 XP and has 2.")
    (ended,) = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, SessionEnded)]
    assert {(each.actor, each.amount) for each in ended.xp} == {("ana", 2), ("bela", 2)}

    # D-29: it is spent as a note beside the sheet; how much was left to say by hand.
    await player.locator("[data-verb=spend_xp]").click()
    spend = player.get_by_test_id("verb-dialog")
    await spend.get_by_test_id("param-actor").get_by_role("radio", name="Ana").check()
    await spend.get_by_test_id("param-amount").fill("1")
    await spend.get_by_test_id("param-note").fill("an old map")
    await send(spend)
    await expect(gm.locator("[data-testid=actor][data-actor=ana]").get_by_test_id("xp")).to_have_attribute("data-xp", "1")
    await expect(gm.get_by_test_id("log")).to_contain_text("Ana spends 1 XP and has 1 left.")


async def test_what_an_evening_ends_is_shown_first(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm = await stage.page("gm", "Game Master")
    await gm.get_by_test_id("start-session").click()
    await send(gm.get_by_test_id("session-dialog"))
    await gm.get_by_test_id("ask-check").click()
    await send(gm.get_by_test_id("request-dialog"))
    await gm.get_by_test_id("end-session").click()
    also = gm.get_by_test_id("end-dialog").get_by_test_id("session-also")
    await expect(also).to_contain_text("Ana, Bela, Cass did not answer")
    await gm.keyboard.press("Escape")
    assert not [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, SessionEnded)]
    await expect(gm.get_by_test_id("session")).to_have_attribute("data-running", "true")


async def test_when_the_last_player_has_left_a_gm_is_asked_to_close(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("start-session").click()
    await send(gm.get_by_test_id("session-dialog"))
    await expect(gm.locator("[data-testid=people] [data-user][data-online]")).to_have_count(2)
    await player.context.close()
    asks = gm.get_by_test_id("session-asks")
    await expect(asks).to_have_attribute("data-asks", "close")
    await asks.get_by_test_id("not-yet").click()
    await expect(asks).to_be_hidden()
    again = await stage.page()
    await again.context.close()
    await asks.get_by_test_id("close-evening").click()
    await send(gm.get_by_test_id("end-dialog"))
    await expect(gm.get_by_test_id("session")).to_have_attribute("data-running", "false")
    await expect(asks).to_be_hidden()


class LaterClock(SystemClock):
    """The time of day, some hours on."""

    hours = 0

    def now(self) -> int:
        """Milliseconds."""
        return super().now() + self.hours * 3_600_000


async def test_hours_after_the_last_roll_a_gm_is_asked_whether_it_is_a_new_evening(stage: Stage) -> None:
    clock = LaterClock()
    await stage.open("group_d12", clock=clock)
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("start-session").click()
    await send(gm.get_by_test_id("session-dialog"))
    asks = gm.get_by_test_id("session-asks")
    for hours, button in ((0, ""), (7, "same-evening"), (14, "new-evening")):
        clock.hours = hours
        stage.tape.lay(9, 9)
        await player.get_by_test_id("roll").click()
        await expect(player.locator("[data-part=card]")).to_have_count(1 + hours // 7)
        if not button:
            await expect(asks).to_be_hidden()
            continue
        await expect(asks).to_have_attribute("data-asks", "new_evening")
        await expect(player.get_by_test_id("session-asks")).to_be_hidden()
        await asks.get_by_test_id(button).click()
        await expect(asks).to_be_hidden()
    await expect(player.get_by_test_id("session")).to_contain_text("Evening 2")
    kinds = [type(e) for commit in await stage.log() for e in getattr(commit, "events", ())]
    told = [kind for kind in kinds if kind in (SessionStarted, SessionContinued, SessionEnded)]
    assert told == [SessionStarted, SessionContinued, SessionEnded, SessionStarted]


async def test_an_opportunity_waits_for_whoever_uses_it(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await player.get_by_test_id("actor-picker").get_by_role("radio", name="Bela").check()
    await player.get_by_test_id("check-picker").get_by_role("radio", name="Create an opportunity").check()
    await player.get_by_test_id("action").fill("a loose stone")
    await player.get_by_test_id("param-skill").get_by_role("radio", name="Lore").check()
    await player.get_by_test_id("param-difficulty").get_by_role("radio", name="8").check()
    # Nobody is named: it waits. 5 and 4 are 9.
    stage.tape.lay(5)
    await player.get_by_test_id("roll").click()
    for page in (gm, player):
        waiting = page.get_by_test_id("waiting").get_by_test_id("opportunity")
        await expect(waiting).to_contain_text("a loose stone")
        await expect(waiting).to_contain_text("Positive chance for whoever uses it, from Bela")
    await expect(player.locator("[data-part=card]").first).to_contain_text("Whoever uses it gets a positive chance on a check.")

    await player.get_by_test_id("actor-picker").get_by_role("radio", name="Ana").check()
    await player.get_by_test_id("check-picker").get_by_role("radio", name="Skill check").check()
    await expect(player.get_by_test_id("net")).to_contain_text("1 positive chance")
    await player.get_by_test_id("opportunities").get_by_role("checkbox").check()
    # With the high ground these are two chances: three dice, the best counts. A 9 and her lore of 1 are 10.
    await expect(player.get_by_test_id("net")).to_contain_text("2 positive chances")
    stage.tape.lay(2, 3, 9)
    await player.get_by_test_id("roll").click()
    await expect(player.locator("[data-part=card]").first.locator("[data-part=total]")).to_have_attribute("data-total", "10")
    await expect(player.locator("[data-part=card]").first.locator("[data-part=sources]")).to_contain_text("a loose stone")
    for page in (gm, player):
        await expect(page.get_by_test_id("waiting")).to_be_hidden()
    await expect(player.get_by_test_id("opportunities")).to_be_hidden()
    await expect(gm.get_by_test_id("log")).to_contain_text("The opportunity “a loose stone” is used.")
    used = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, OpportunityUsed)]
    assert len(used) == 1


async def test_a_gm_says_that_an_opportunity_has_passed(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm = await stage.page("gm", "Game Master")
    await gm.get_by_test_id("check-picker").get_by_role("radio", name="Create an opportunity").check()
    stage.tape.lay(12, 12)
    await gm.get_by_test_id("roll").click()
    await gm.get_by_test_id("waiting").get_by_test_id("drop").click()
    await expect(gm.get_by_test_id("waiting")).to_be_hidden()
    await expect(gm.get_by_test_id("log")).to_contain_text("The opportunity “Opportunity” has passed.")


async def test_an_opportunity_goes_with_the_answer_to_a_request(stage: Stage) -> None:
    await a_party_of_three(stage)
    stage.tape.lay(9)
    await stage.as_gm(
        RollCheck(check="opportunity", actors=("bela",), params={"skill": "skill.lore", "difficulty": 8}, action="a loose stone")
    )
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="each", difficulty=12))
    await player.locator("[data-testid=prompt-row][data-actor=ana]").get_by_test_id("answer").click()
    answering = player.get_by_test_id("answer-dialog")
    await expect(answering.get_by_test_id("sources")).to_contain_text("High ground")
    await expect(answering.get_by_test_id("net")).to_contain_text("1 positive chance")
    await answering.get_by_test_id("opportunities").get_by_role("checkbox").check()
    await expect(answering.get_by_test_id("net")).to_contain_text("2 positive chances")
    await expect(answering.get_by_test_id("sources")).to_contain_text("a loose stone")
    # The best of 3, 4 and 11, and a stealth of 2.
    stage.tape.lay(3, 4, 11)
    await answering.get_by_test_id("roll").click()
    await expect(asked(gm, "ana").locator("[data-total]")).to_have_attribute("data-total", "13")
    await expect(gm.get_by_test_id("waiting")).to_be_hidden()


async def test_resistance_that_is_offered_is_listed_until_it_was_needed(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.locator("[data-verb=offer_resistance]").click()
    verb = gm.get_by_test_id("verb-dialog")
    await verb.get_by_test_id("param-actor").get_by_role("radio", name="Night Watch").check()
    await verb.get_by_test_id("param-skill").get_by_role("radio", name="Vigilance").check()
    await send(verb)
    # D-22: 7 and the skill of 3; a number that players do not see, so only GMs are told.
    await expect(gm.get_by_test_id("waiting").get_by_test_id("resistance")).to_contain_text("Night Watch resists: Vigilance 10")
    await expect(player.get_by_test_id("waiting")).to_be_hidden()
