"""Exactly one card per roll, whoever is there, and none again once the chat was cleared."""

import pytest
from playwright.async_api import Page, expect

from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog


async def roll_once(page: Page) -> None:
    """One roll, from the dialog."""
    dialog = await open_dialog(page)
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_have_count(0)


@pytest.mark.parametrize("tabs", [1, 2])
@pytest.mark.parametrize("gms", [0, 1, 2])
async def test_i70_i71_one_card_with_any_number_of_gms_and_tabs(evening: Evening, gms: int, tabs: int) -> None:
    await evening.open(taped=False)
    gm = await evening.gm()
    player = await evening.player()
    pages = [player]
    if tabs == 2:
        pages.append(await evening.tab(player.context, "Mo"))
        await live(pages[-1])
    if gms == 0:
        await gm.context.close()
    if gms == 2:
        second = await evening.page("Second")
        await live(second)
        pages.append(second)
    await roll_once(player)
    await roll_once(pages[-1] if gms == 2 else player)
    for page in pages:
        await expect(cards(page)).to_have_count(2)
    assert len(evening.messages()) == 2
    await player.reload()
    await live(player)
    await expect(cards(player)).to_have_count(2)
    assert len(evening.messages()) == 2


async def test_a_cleared_chat_stays_clear(evening: Evening) -> None:
    await evening.open(taped=False)
    gm = await evening.gm()
    player = await evening.player()
    await roll_once(player)
    await expect(cards(gm)).to_have_count(1)
    await gm.evaluate("ChatMessage.deleteDocuments([], { deleteAll: true })")
    await expect(cards(player)).to_have_count(0)
    for page in (gm, player):
        await page.reload()
        await live(page)
    await roll_once(player)
    await expect(cards(player)).to_have_count(1)
    assert len(evening.messages()) == 1


async def test_i67_what_was_missed_comes_without_dice(evening: Evening) -> None:
    await evening.open(taped=False, options={"dice": 30})
    gm = await evening.gm()
    player = await evening.player()
    home = gm.context
    await gm.close()
    await player.context.close()
    # Somebody rolls at the table page while nobody is in Foundry.
    page = await evening.bridge.page("gm", "Elsewhere")
    await page.get_by_test_id("roll").click()
    await expect(page.locator("[data-part=card]")).to_have_count(1)
    gm = await evening.tab(home, "Gamemaster")
    await live(gm)
    await expect(cards(gm)).to_have_count(1)
    assert await gm.evaluate("game.dice3d._stageAnimations.length") == 0


async def test_i45_i98_i99_i100_i101_every_permitted_viewer_sees_the_dice_once(evening: Evening) -> None:
    await evening.open(options={"dice": 30})
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    for mode, face, viewers in (("public", 18, (gm, player, other)), ("gm", 7, (gm, player)), ("secret", 5, (gm,))):
        evening.bridge.tape.lay(face)
        dialog = await open_dialog(player, {"mode": mode})
        await dialog.get_by_test_id("roll").click()
        await expect(dialog).to_have_count(0)
        for page in (gm, player, other):
            thrown = f"game.dice3d._stageAnimations.filter(a => a.faces.includes({face})).length"
            if page in viewers:
                await page.wait_for_function(f"{thrown} > 0")
            assert await page.evaluate(thrown) == (1 if page in viewers else 0), (mode, face)
