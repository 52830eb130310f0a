"""What a person needs of a page besides its rules: a finger's room, names, nothing that jumps, and what waits for him in reach."""

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, RequestCheck, RollCheck, StartTurn
from boonbridge_schemas.grants import GrantSource
from boonbridge_schemas.requests import AskedCheck
from tests.browser.stage import PHONE, Stage
from tests.browser.test_requests import a_party_of_three, answer, ask, card, send
from tests.support.comfort import hover_alone, shifts, small_targets, unnamed, watch_shifts

pytestmark = pytest.mark.browser
STEALTH = (AskedCheck(check="skill", params={"skill": "skill.stealth", "difficulty": 9}),)


async def test_what_waits_for_a_roll_is_one_button_at_the_end_of_the_log(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    bar, said = player.get_by_test_id("pending-bar"), player.get_by_test_id("pending-said")
    await expect(bar).to_be_hidden()
    await stage.as_gm(RequestCheck(actors=("ana", "cass"), checks=STEALTH, action="past the night watch"))
    await expect(bar).to_have_text("Roll for Anapast the night watch")
    await expect(said).to_have_text("A roll of yours is waited for.")
    # A second one: the first that was asked stands on the button, the other is counted.
    await stage.as_gm(RequestCheck(actors=("bela",), checks=STEALTH, action="over the wall"))
    await expect(bar).to_have_text("Roll for Anapast the night watch1 more waits")
    await expect(said).to_have_text("2 rolls of yours are waited for.")
    log = await player.get_by_test_id("log-view").bounding_box()
    found = await bar.bounding_box()
    assert log is not None
    assert found is not None
    assert found["width"] == min(log["width"], 560), "it is as wide as the cards"
    assert found["height"] >= 44
    # Nothing of Cass waits for Mo, and nothing at all for the GM.
    await expect(gm.get_by_test_id("pending-bar")).to_be_hidden()

    for actor, left in (("ana", "Roll for Belaover the wall"), ("bela", None)):
        roll = bar.get_by_test_id("pending-roll")
        await expect(roll).to_have_attribute("data-actor", actor)
        await roll.press("Enter")
        dialog = player.get_by_test_id("answer-dialog")
        await expect(dialog.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
        stage.tape.lay(5, 6)
        await dialog.get_by_test_id("roll").click()
        await expect(dialog).to_be_hidden()
        if left is not None:
            await expect(bar).to_have_text(left)
    await expect(bar).to_be_hidden()
    await expect(said).to_have_text("")


async def every_view(gm: Page, player: Page, stage: Stage) -> None:
    """The page of a table where something of everything stands."""
    await stage.as_gm(
        Grant(actors=("ana",), sign="boon", source=GrantSource(id="rope", label="A rope", kind="position")),
        RequestCheck(actors=("ana", "cass"), checks=STEALTH, action="past the night watch"),
        RollCheck(check="skill", actors=("bela",), params={"skill": "skill.stealth", "difficulty": 11}),
        StartTurn(actor="ana"),
    )
    for page in (gm, player):
        await expect(page.locator("[data-part=card]")).to_have_count(2)


async def test_a_finger_has_room_and_everything_has_a_name(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm = await stage.page("gm", "Game Master", size=PHONE, touch=True)
    player = await stage.page(size=PHONE, touch=True)
    assert await gm.evaluate("matchMedia('(pointer: coarse)').matches")
    stage.tape.lay(2, 3)
    await every_view(gm, player, stage)
    wrong: dict[str, list[str]] = {}
    for who, page in (("gm", gm), ("player", player)):
        for tab in ("roll", "log", "table"):
            await page.get_by_test_id(f"tab-{tab}").click()
            await page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
            wrong[f"{who} {tab}"] = [*await small_targets(page), *await unnamed(page), *await hover_alone(page)]
    await player.get_by_test_id("tab-log").click()
    await player.get_by_test_id("pending-roll").click()
    await expect(player.get_by_test_id("answer-dialog").get_by_test_id("chance")).to_be_visible()
    wrong["answer"] = [*await small_targets(player), *await unnamed(player), *await hover_alone(player)]
    openers = {
        "ask-check": "request-dialog",
        "options": "options-dialog",
        "manage-people": "people-dialog",
        "new-actor": "actor-dialog",
    }
    for opener, dialog in openers.items():
        await gm.get_by_test_id("table-panel").get_by_test_id(opener).first.click()
        window = gm.get_by_test_id(dialog)
        await expect(window).to_be_visible()
        wrong[dialog] = [*await small_targets(gm), *await unnamed(gm), *await hover_alone(gm)]
        await gm.keyboard.press("Escape")
        await expect(window).to_be_hidden()
    assert [f"{where}: {each}" for where, all_of_it in wrong.items() for each in all_of_it] == []


async def test_nothing_jumps_when_a_card_fills_a_roll_arrives_or_a_chance_comes(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="one_success", difficulty=9))
    await expect(card(player).locator("[data-status=sent]")).to_have_count(3)
    await expect(player.get_by_test_id("pending-bar")).to_be_visible()
    await expect(gm.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    for page in (gm, player):
        await watch_shifts(page)
        await shifts(page)

    # A roll of somebody else arrives: the cards make room for it, and nothing but them moves.
    stage.tape.lay(2, 3)
    await stage.as_gm(RollCheck(check="skill", actors=("cass",), params={"skill": "skill.stealth", "difficulty": 11}))
    for page in (gm, player):
        await expect(page.locator("[data-part=card]")).to_have_count(2)
        assert await shifts(page) == []

    # The row of a request fills: nothing moves at all.
    stage.tape.lay(7)
    await stage.as_gm(RollCheck(check="skill", actors=("cass",), params={"skill": "skill.stealth", "difficulty": 9}))
    await expect(gm.locator("[data-part=card]")).to_have_count(3)
    await shifts(gm)
    await answer(player, stage, "ana", 5, 6)
    await expect(card(gm).locator("[data-status=rolled]")).to_have_count(1)
    assert await shifts(gm) == []

    # Another number to reach: the chance is counted anew in its place.
    await gm.evaluate("document.querySelector('[data-testid=param-difficulty-free]').value = '12'")
    await gm.get_by_test_id("param-difficulty-free").dispatch_event("input")
    await expect(gm.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    assert await shifts(gm) == []
