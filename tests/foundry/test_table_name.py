"""A GM calls the table something else in Foundry, in V13 and V14; the window on the connection reads it, and where the dice come from."""

import pytest
from playwright.async_api import expect

from tests.foundry.stage import Evening
from tests.foundry.test_between_the_dice import logged, start


@pytest.mark.long  # the form and the line are the page's own
async def test_i121_the_name_changes_before_everybody_and_the_dice_say_where_they_come_from(evening: Evening) -> None:
    gm = await start(evening, "sage_d20")
    player = await evening.player()
    await player.get_by_test_id("boonbridge-state").click()
    shown = player.get_by_test_id("connection-window")
    await expect(shown.get_by_test_id("dice-from")).to_contain_text("written down beforehand")
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await gm.locator(".boonbridge-table [data-action=toggleControls]").click()
    await gm.get_by_text("Rename the table").click()
    window = gm.get_by_test_id("rename-window")
    await window.get_by_test_id("table-name").fill("The Bell")
    await window.get_by_test_id("save-name").click()
    await expect(window).to_have_count(0)
    await expect(shown).to_contain_text("The Bell · ")
    (renamed,) = await logged(evening, "TableRenamed")
    assert renamed.title == "The Bell"
