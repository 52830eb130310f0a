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


async def test_what_waits_for_a_roll_is_a_wide_button_in_sight_on_every_tab_and_is_counted(stage: Stage) -> None:
    await a_party_of_three(stage)
    player = await stage.page(size=PHONE, touch=True)
    said, waiting = player.get_by_test_id("pending-said"), player.get_by_test_id("prompt-row")
    await stage.as_gm(RequestCheck(actors=("ana", "cass"), checks=STEALTH, action="past the night watch"))
    await expect(said).to_have_text("A roll of yours is waited for.")
    for action in ("over the wall", "through the gate", "up the tower"):
        await stage.as_gm(RequestCheck(actors=("bela",), checks=STEALTH, action=action))
    await expect(said).to_have_text("4 rolls of yours are waited for.")
    await expect(waiting).to_have_count(4)  # nothing of Cass waits for Mo
    for tab in ("log", "table", "roll"):
        await player.get_by_test_id(f"tab-{tab}").click()
        wide = await waiting.first.get_by_test_id("answer").bounding_box()
        head = await player.locator(".head").bounding_box()
        assert wide is not None
        assert head is not None
        assert wide["height"] >= 44
        assert wide["width"] > PHONE[0] / 2
        # However much waits, more than half of the page is left for the page.
        assert wide["y"] + wide["height"] <= head["y"] + head["height"] <= PHONE[1] / 2
    for left in (3, 2, 1, 0):
        await waiting.first.get_by_test_id("answer").click()
        dialog = player.get_by_test_id("answer-dialog")
        await expect(dialog.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
        stage.tape.lay(5, 6)
        await dialog.get_by_test_id("roll").click()
        await expect(waiting).to_have_count(left)
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
    await player.get_by_test_id("answer").first.click()
    await expect(player.get_by_test_id("answer-dialog").get_by_test_id("chance")).to_be_visible()
    wrong["answer"] = [*await small_targets(player), *await unnamed(player), *await hover_alone(player)]
    openers = {
        "ask-check": "request-dialog",
        "options": "options-dialog",
        "manage-people": "people-dialog",
        "new-actor": "actor-dialog",
    }
    for opener, dialog in openers.items():
        button = gm.get_by_test_id("table-panel").get_by_test_id(opener).first
        await button.click()
        window = gm.get_by_test_id(dialog)
        await expect(window).to_be_visible()
        wrong[dialog] = [*await small_targets(gm), *await unnamed(gm), *await hover_alone(gm)]
        await gm.keyboard.press("Escape")
        await expect(window).to_be_hidden()
        await expect(button).to_be_focused()  # whoever closed it goes on from where he was
    for page in (gm, player):
        assert await page.locator("[tabindex]:not([tabindex='0'], [tabindex='-1'])").count() == 0, (
            "focus goes as the page is read"
        )
    assert [f"{where}: {each}" for where, all_of_it in wrong.items() for each in all_of_it] == []


async def test_nothing_jumps_when_a_card_fills_a_roll_arrives_or_a_chance_comes(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="one_success", difficulty=9))
    await expect(card(player).locator("[data-status=sent]")).to_have_count(3)
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


@pytest.mark.long
async def test_a_long_evening_leaves_the_page_as_light_as_a_short_one_and_nothing_is_lost(stage: Stage) -> None:
    await a_party_of_three(stage)
    rolls = [RollCheck(check="skill", actors=("ana",), params={"skill": "skill.stealth", "difficulty": 8})] * 35
    stage.tape.lay(*[9, 7] * 35 * 4)
    player = await stage.page()
    for _ in range(4):
        await stage.as_gm(*rolls)
    newest = (await stage.log())[-1].seq
    items = player.get_by_test_id("log-item")
    await expect(player.locator(f"[data-testid=log-item][data-seq='{newest}']")).to_be_visible()
    assert await items.count() <= 121
    older = player.get_by_test_id("older")
    while await older.is_visible():
        held = await items.count()
        await older.click()
        await expect(items.nth(held).or_(player.locator("[data-testid=older][hidden]")).first).to_be_attached()
    numbers = await items.evaluate_all("all => all.map((item) => item.value)")
    assert numbers == sorted(set(numbers), reverse=True)
    assert await player.locator("[data-part=card]").count() == 140
