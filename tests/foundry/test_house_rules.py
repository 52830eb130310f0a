"""House rules and table data in the Table window, in V13 and V14."""

import json
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import SetTableData
from tests.browser.test_house_rules import tab_to
from tests.foundry.stage import Evening, live
from tests.foundry.test_between_the_dice import logged, start


async def open_table(page: Page, tab: str) -> Locator:
    """The Table window, at one of its tabs."""
    await page.evaluate("game.modules.get('boonbridge').api.table()")
    window = page.get_by_test_id("table-window")
    await window.get_by_test_id(f"tab-{tab}").click()
    return window.get_by_test_id(f"pane-{tab}")


async def test_a_house_rule_is_changed_with_the_keyboard_alone(evening: Evening) -> None:
    gm = await start(evening, "group_d12")
    player = await evening.player()
    rules = await open_table(player, "rules")
    await expect(rules.get_by_test_id("option-boon_cap")).to_have_text("10")
    await expect(rules.locator("input:not([type=search]), select, [type=submit]")).to_have_count(0)
    await expect(player.get_by_test_id("tab-data")).to_have_count(0)

    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await gm.get_by_test_id("tab-now").focus()
    await gm.keyboard.press("ArrowRight")
    await expect(gm.get_by_test_id("tab-rules")).to_be_focused()
    await expect(gm.get_by_test_id("pane-rules")).to_be_visible()
    await tab_to(gm, "option-boon_cap")
    await gm.keyboard.press("Control+a")
    await gm.keyboard.type("12")
    await tab_to(gm, "option-opportunity_self")
    await gm.keyboard.press("ArrowRight")
    await tab_to(gm, "save-rules")
    await gm.keyboard.press("Enter")
    await expect(rules.get_by_test_id("option-boon_cap")).to_have_text("12")
    (chosen,) = await logged(evening, "OptionsSet")
    assert chosen.options == {"boon_cap": 12, "opportunity_self": False}
    # What was said has a way back, which the keyboard reaches.
    await tab_to(gm, "undo")
    await gm.keyboard.press("Enter")
    await expect(rules.get_by_test_id("option-boon_cap")).to_have_text("10")
    await expect(gm.get_by_test_id("pane-rules").get_by_test_id("option-boon_cap")).to_have_value("10")


async def test_table_data_are_edited_exported_and_imported(evening: Evening, tmp_path: Path) -> None:
    gm = await start(evening, "group_d12")
    player = await evening.player()
    await player.evaluate("game.modules.get('boonbridge').api.roll()")
    await expect(player.get_by_test_id("param-difficulty")).to_contain_text("extreme")
    data = await open_table(gm, "data")
    ladder = data.get_by_test_id("data-ladder-difficulty")
    await ladder.locator("li").nth(4).locator("[data-field=label]").fill("as the stars stand")
    await ladder.get_by_role("button", name="Take away: easy").click()
    await data.get_by_test_id("save-data").click()
    await expect(gm.get_by_test_id("table-said")).to_contain_text("changed")
    await expect(player.get_by_test_id("param-difficulty")).to_contain_text("as the stars stand")
    (changed,) = await logged(evening, "TableDataSet")
    assert [step.label for step in changed.data.ladders[0].steps] == ["moderate", "hard", "very hard", "as the stars stand"]
    async with gm.expect_download() as coming:
        await data.get_by_test_id("export-rules").click()
    kept = tmp_path / "rules.json"
    await (await coming.value).save_as(kept)
    file: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    await evening.bridge.as_gm(SetTableData(data=None))
    # Nobody typed here since: the form follows, also for a page that came while the table's own counted.
    await expect(ladder.locator("li")).to_have_count(5)
    file["options"]["boon_cap"] = 7
    kept.write_text(json.dumps(file), "utf-8")
    await data.get_by_test_id("import-rules").set_input_files(kept)
    await expect(data.get_by_test_id("import-changes")).to_contain_text("Most Boons: 10 becomes 7")
    await expect(data.get_by_test_id("import-changes")).to_contain_text("as the stars stand")
    await data.get_by_test_id("import-use").click()
    await expect(player.get_by_test_id("param-difficulty")).to_contain_text("as the stars stand")
    await gm.reload()
    await live(gm)
    data = await open_table(gm, "data")
    await expect(data.get_by_test_id("data-ladder-difficulty").locator("li")).to_have_count(4)
    await evening.bridge.as_gm(SetTableData(data=None))
    await expect(data.get_by_test_id("data-ladder-difficulty").locator("li")).to_have_count(5)
