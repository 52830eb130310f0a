"""Requests and evenings for everybody: axe-core finds nothing, and nothing is wider than a phone."""

from typing import Literal

import pytest
from playwright.async_api import expect

from boonbridge_schemas.commands import RollCheck, StartSession
from tests.browser.stage import LOOKS, PHONE, Stage
from tests.browser.test_accessible import violations
from tests.browser.test_requests import a_party_of_three, answer, ask, card, send

pytestmark = pytest.mark.browser


@pytest.mark.long  # a whole evening
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_from_the_question_to_the_end_of_the_evening(
    stage: Stage, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    await a_party_of_three(stage)
    stage.tape.lay(9)
    waits = RollCheck(
        check="opportunity", actors=("bela",), params={"skill": "skill.lore", "difficulty": 8}, action="a loose stone"
    )
    await stage.as_gm(StartSession(name="The harbour"), waits)
    gm = await stage.page("gm", "Game Master", scheme=scheme, size=size)
    player = await stage.page(scheme=scheme, size=size)

    dialog = await ask(gm, group="one_success", difficulty=9)
    await dialog.get_by_test_id("add-check").click()
    await dialog.get_by_test_id("request-more").locator("summary").first.click()
    assert await violations(gm) == []
    await dialog.get_by_test_id("remove-check").last.click()
    await send(dialog)
    await expect(player.get_by_test_id("prompt-row")).to_have_count(2)
    assert await violations(player) == []
    await player.get_by_test_id("answer").first.click()
    await expect(player.get_by_test_id("answer-dialog").get_by_test_id("chance")).to_be_visible()
    assert await violations(player) == []
    await player.keyboard.press("Escape")
    await expect(player.get_by_test_id("answer-dialog")).to_be_hidden()
    await answer(player, stage, "ana", 2, 1)
    for page in (gm, player):
        if size == PHONE:
            await page.get_by_test_id("tab-log").click()
        await expect(card(page).locator("[data-status=rolled]")).to_have_count(1)
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]

    await answer(player, stage, "bela", 8)
    stage.tape.lay(3)
    await card(gm).locator("[data-part=roll-missing]").click()
    for page in (gm, player):
        await expect(card(page).locator("[data-part=group-why]")).to_be_visible()
        # What is news above lies over what is being read until one goes there.
        await page.evaluate("scrollTo(0, 0)")
        await expect(page.get_by_test_id("jump")).to_be_hidden()
        assert await violations(page) == []
        if size == PHONE:
            await page.get_by_test_id("tab-table").click()
            assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]
        await expect(page.get_by_test_id("waiting")).to_be_visible()
        assert await violations(page) == []
    await gm.get_by_test_id("end-session").click()
    await expect(gm.get_by_test_id("session-xp")).to_be_visible()
    assert await violations(gm) == []


async def test_who_does_not_see_the_page_hears_who_is_asked_and_what_it_came_to(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="one_failure", difficulty=8))
    said = player.get_by_test_id("announcer")
    await expect(said).to_have_text(
        "Game Master asks Ana, Bela, Cass: past the night watch – Skill check · Stealth (Difficulty 8, moderate)."
    )
    stage.tape.lay(1, 1, 5, 9)
    await card(gm).locator("[data-part=roll-missing]").click()
    # Ana has two chances of a 1, which is a critical failure; Bela 5 + 1, Cass 9.
    await expect(said).to_contain_text("Bela, past the night watch: 6 against 8. Failure.")
    await expect(said).to_contain_text("The group fails. One failure was enough: Ana, Bela.")
