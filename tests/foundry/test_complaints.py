"""What people complained about elsewhere, by the numbers of those complaints: none of it happens here.

I-70 and I-71 (twice with two GMs, once per page, or not at all) are counted through in test_one_card.py, too. What leaked is in
test_complaints_hidden.py, who came in in test_complaints_keys.py.
"""

import pytest
from playwright.async_api import expect

from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog, rolls
from tests.foundry.test_one_card import elsewhere, one_each, roll_once


def thrown(face: int) -> str:
    """How often dice with a face fell on a page."""
    return f"game.dice3d._stageAnimations.filter(a => a.faces.includes({face})).length"


async def test_i66_only_a_roll_whose_result_is_known_goes_to_others(evening: Evening) -> None:
    await evening.open(taped=False)
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    await roll_once(player)
    (rolled,) = await rolls(evening)
    face = rolled.result.dice[0].face
    for page in (gm, player, other):
        await expect(cards(page)).to_have_count(1)
        (roll,) = await page.evaluate(
            "game.messages.contents[0].rolls.map(r => [r._evaluated, r.total, r.dice[0].results.map(one => one.result)])"
        )
        assert roll == [True, rolled.result.total, [face]]


async def test_i67_what_was_missed_comes_without_dice(evening: Evening) -> None:
    await evening.open(taped=False, options={"dice": 30})
    gm = await evening.gm()
    home = gm.context
    await gm.close()
    # Somebody rolls at the table page while nobody is in Foundry.
    page = await evening.bridge.page("gm", "Elsewhere")
    await page.get_by_test_id("roll").click()
    await expect(page.locator("[data-part=card]")).to_have_count(1)
    gm = await evening.tab(home, "Gamemaster")
    await live(gm)
    await one_each(evening, [gm], 1)
    assert await gm.evaluate("game.dice3d._stageAnimations.length") == 0
    assert len(await rolls(evening)) == 1


async def test_i68_a_double_click_is_one_roll(evening: Evening) -> None:
    await evening.open(taped=False)
    await evening.gm()
    player = await evening.player("Mo")
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await dialog.get_by_test_id("roll").evaluate("button => { button.click(); button.click(); }")
    await expect(dialog).to_have_count(0)
    await one_each(evening, [player], 1)
    assert len(await rolls(evening)) == 1


async def test_i69_enter_twice_is_one_roll_also_after_reloads(evening: Evening) -> None:
    await evening.open(taped=False)
    await evening.gm()
    player = await evening.player("Mo")
    for _ in range(2):
        await player.reload()
        await live(player)
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await dialog.get_by_test_id("action").focus()
    await player.keyboard.press("Enter")
    await player.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    await one_each(evening, [player], 1)
    assert len(await rolls(evening)) == 1


@pytest.mark.long
async def test_i70_a_poster_who_falls_silent_costs_no_card_and_doubles_none(evening: Evening) -> None:
    await evening.open(taped=False)
    gm, player = await evening.gm(), await evening.player("Mo")
    second = await evening.page("Second")
    await live(second)
    # The page that is asked first cannot write to the world any more.
    await second.evaluate(
        "() => { ChatMessage.implementation.create = () => new Promise(() => {}); ChatMessage.create = ChatMessage.implementation.create; }"
    )
    await evening.bridge.as_gm(elsewhere(evening, "keeps watch"))
    await one_each(evening, [gm, player, second], 1)


async def test_i71_a_burst_of_rolls_is_a_card_each_on_every_page(evening: Evening) -> None:
    await evening.open(taped=False)
    pages = [await evening.gm(), await evening.player("Mo"), await evening.player("Kim")]
    await evening.bridge.as_gm(*(elsewhere(evening, f"attempt {number}") for number in range(5)))
    await one_each(evening, pages, 5)


@pytest.mark.long
async def test_i98_no_number_before_the_dice_lie_still_and_not_never(evening: Evening) -> None:
    await evening.open(options={"dice": "held"})
    gm, player = await evening.gm(), await evening.player("Mo")
    evening.bridge.tape.lay(18, 7)
    await roll_once(player)
    message = player.locator(".chat-message").first
    await player.wait_for_function(f"{thrown(18)} > 0")
    await expect(message).to_be_hidden()
    await player.evaluate("game.dice3d._stageFinish()")
    await expect(cards(player).locator("[data-face='18']")).to_be_visible()
    # Only some may see this one, so the module itself throws the dice, and waits; but not for ever.
    dialog = await open_dialog(player, {"mode": "gm"})
    await dialog.get_by_test_id("roll").click()
    for page in (player, gm):
        await page.wait_for_function(f"{thrown(7)} > 0")
        await expect(page.locator("#chat [data-face='7'], .chat-log [data-face='7']")).to_have_count(0)
    await gm.evaluate("game.dice3d._stageFinish()")
    await expect(cards(gm).locator("[data-face='7']")).to_be_visible(timeout=3_000)
    await expect(cards(player).locator("[data-face='7']")).to_be_visible(timeout=12_000)


async def test_i99_i100_every_permitted_viewer_sees_the_dice_of_the_log_once(evening: Evening) -> None:
    await evening.open(options={"dice": 30})
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    for mode, face, viewers in (("public", 18, (gm, player, other)), ("gm", 7, (gm, player)), ("secret", 5, (gm,))):
        evening.bridge.tape.lay(face)
        dialog = await open_dialog(player, {"mode": mode})
        await dialog.get_by_test_id("roll").click()
        await expect(dialog).to_have_count(0)
        for page in (gm, player, other):
            if page in viewers:
                await page.wait_for_function(f"{thrown(face)} > 0")
            assert await page.evaluate(thrown(face)) == (1 if page in viewers else 0), (mode, face)
    assert [event.result.dice[0].face for event in await rolls(evening)] == [18, 7, 5]


async def test_i101_dice_fall_whichever_way_a_roll_was_made(evening: Evening) -> None:
    await evening.open(options={"dice": 30})
    gm, player = await evening.gm(), await evening.player("Mo")

    async def dialog() -> None:
        await roll_once(player)

    async def macro() -> None:
        await player.evaluate(
            "game.modules.get('boonbridge').api.roll({ dialog: false, check: 'attribute', params: { attribute: 'will', tn: 12 } })"
        )

    async def command_line() -> None:
        await evening.bridge.as_gm(elsewhere(evening, "keeps watch"))

    for face, way in ((18, dialog), (7, macro), (5, command_line)):
        evening.bridge.tape.lay(face)
        await way()
        for page in (gm, player):
            await page.wait_for_function(f"{thrown(face)} > 0")
            await expect(cards(page).locator(f"[data-face='{face}']")).to_be_visible()
            assert await page.evaluate(thrown(face)) == 1
