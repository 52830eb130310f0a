"""What a table is called is changed on the page, and read by everybody at once; and where its dice come from is said there."""

import sqlite3

import pytest
from playwright.async_api import Page, expect

from tests.browser.stage import PHONE, Stage

pytestmark = pytest.mark.browser


async def to_table(page: Page) -> None:
    if await page.get_by_test_id("tab-table").is_visible():
        await page.get_by_test_id("tab-table").click()


async def test_i121_a_gm_calls_the_table_something_else_and_it_says_where_its_dice_come_from(stage: Stage) -> None:
    await stage.open("sage_d20")
    player = await stage.page("player", "Mo")
    line = player.get_by_test_id("dice-from")
    await expect(line).to_have_text("The dice of this table are not random: they were written down beforehand, as for a test.")
    gm = await stage.page("gm", "Rin", size=PHONE)
    await to_table(gm)
    await gm.get_by_test_id("rename").click()
    dialog = gm.get_by_test_id("rename-dialog")
    name = dialog.get_by_test_id("table-name")
    await expect(name).to_have_value("An evening")
    await name.fill("  ")
    await name.press("Enter")
    await expect(dialog).to_contain_text("Give it a name first.")
    await name.fill("<b>The Bell</b> الجرس")
    await name.press("Enter")
    await expect(dialog).to_be_hidden()
    for page in (gm, player):
        await expect(page.get_by_role("heading", level=1)).to_have_text("<b>The Bell</b> الجرس")
        await expect(page).to_have_title("<b>The Bell</b> الجرس · Boonbridge")
    await expect(player.get_by_test_id("rename")).to_have_count(0)
    await player.reload()
    await expect(player.get_by_role("heading", level=1)).to_have_text("<b>The Bell</b> الجرس")


@pytest.mark.long  # that a tape is said is shown above; what the words depend on is told over sockets, each time
async def test_i121_it_is_said_at_the_table_that_its_dice_are_verified_and_since_when(stage: Stage) -> None:
    await stage.open("sage_d20", taped=False)
    page = await stage.page()
    line = page.get_by_test_id("dice-from")
    await expect(line).to_contain_text(
        "Verified dice: what the bridge rolls is fixed before anybody clicks, since the table's first commit."
    )
    await stage.close()
    with sqlite3.connect(stage.folder / "log.sqlite") as database:
        database.execute("DELETE FROM commits WHERE seq = (SELECT max(seq) FROM commits)")
    database.close()
    await stage.open("sage_d20", taped=False)
    await page.reload()
    await expect(line).to_contain_text("The end of the log was missing then")
    await expect(line).to_have_attribute("data-since", "2")  # 1 is the opening, and who came in then was cut off
