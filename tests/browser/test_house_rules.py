"""House rules and table data on the page: read by everybody, changed by the GM, with the keyboard alone, as one file."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import SetOptions, SetTableData
from boonbridge_schemas.events import OptionsSet, TableDataSet
from boonbridge_schemas.tabledata import Ladder, Step, TableData
from tests.browser.stage import MOSTLY_ONE_LOOK, PHONE, Stage
from tests.browser.test_accessible import violations

pytestmark = pytest.mark.browser


async def logged(stage: Stage, kind: type) -> list[Any]:
    """Every event of one kind, as a GM reads it."""
    return [event for commit in await stage.log() for event in getattr(commit, "events", ()) if isinstance(event, kind)]


async def focused(page: Page, attribute: str = "data-testid") -> str | None:
    """What has the focus is called so."""
    name: str | None = await page.evaluate("name => document.activeElement?.closest(`[${name}]`)?.getAttribute(name)", attribute)
    return name


async def tab_to(page: Page, name: str, attribute: str = "data-testid", *, most: int = 80) -> None:
    """Press Tab until what is called so has the focus, and see that the focus can be seen on every way there."""
    for _ in range(most):
        await page.keyboard.press("Tab")
        outline = await page.evaluate(
            "() => { const e = document.activeElement; const all = [e, e.nextElementSibling, e.closest('label')].filter(Boolean);"
            " return all.some(one => getComputedStyle(one).outlineStyle !== 'none'); }"
        )
        assert outline, await page.evaluate("document.activeElement.outerHTML")
        if await focused(page, attribute) == name:
            return
    raise AssertionError(f"Tab does not lead to {name}")


async def test_a_house_rule_is_changed_with_the_keyboard_alone(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("options").focus()
    await gm.keyboard.press("Enter")
    dialog = gm.get_by_test_id("options-dialog")
    await expect(dialog).to_be_visible()
    # A number, a choice of two, and one that is seldom changed and folded away.
    await tab_to(gm, "option-boon_cap")
    await gm.keyboard.press("Control+a")
    await gm.keyboard.type("12")
    await tab_to(gm, "option-opportunity_self")
    await gm.keyboard.press("ArrowRight")
    await tab_to(gm, "rare-rules")
    await gm.keyboard.press("Enter")
    await tab_to(gm, "option-crit_fail_grants_boon")
    await gm.keyboard.press("ArrowRight")
    assert await logged(stage, OptionsSet) == []
    await gm.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    (chosen,) = await logged(stage, OptionsSet)
    assert chosen.options == {"boon_cap": 12, "opportunity_self": False, "crit_fail_grants_boon": False}
    # Whoever plays reads what is chosen, what is usual, and that it was changed; he has nothing to press.
    await player.get_by_test_id("options").click()
    rules = player.get_by_test_id("options-dialog")
    await expect(rules.get_by_test_id("option-boon_cap")).to_have_text("12")
    await expect(rules.locator("[data-option=boon_cap]")).to_contain_text("changed; usual is: 10")
    await expect(rules.locator("[data-option=boon_cap]")).to_contain_text("D-16")
    await expect(rules.locator("input:not([type=search]), select, [type=submit]")).to_have_count(0)
    # One by one back to what is usual, again by keyboard; the way back gives all of it at once.
    await gm.get_by_test_id("options").focus()
    await gm.keyboard.press("Enter")
    await tab_to(gm, "rule-usual")
    assert await focused(gm, "data-option") == "boon_cap"
    await gm.keyboard.press("Enter")
    await expect(dialog.get_by_test_id("option-boon_cap")).to_be_focused()
    await gm.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    await expect(rules.get_by_test_id("option-boon_cap")).to_have_text("10")
    await gm.get_by_test_id("undo").last.focus()
    await gm.keyboard.press("Enter")
    await expect(rules.get_by_test_id("option-boon_cap")).to_have_text("12")


async def test_what_contradicts_is_said_beside_both(stage: Stage) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master")
    await gm.get_by_test_id("options").click()
    dialog = gm.get_by_test_id("options-dialog")
    await dialog.get_by_test_id("rule-filter").fill("without a sheet")
    await expect(dialog.locator("[data-testid=rule]:visible")).to_have_count(1)
    await dialog.get_by_test_id("option-ad_hoc").get_by_role("radio", name="everyone").check()
    await dialog.get_by_test_id("rule-filter").fill("")
    await dialog.get_by_test_id("option-player_difficulty").get_by_role("radio", name="not allowed").check()
    await dialog.locator("[type=submit]").click()
    await expect(dialog.locator("[data-option=ad_hoc]").get_by_test_id("rule-wrong")).to_contain_text(
        "Difficulties set by players"
    )
    await expect(dialog.locator("[data-option=player_difficulty]").get_by_test_id("rule-wrong")).to_contain_text(
        "without a sheet"
    )
    await expect(dialog.get_by_test_id("trouble")).to_contain_text("contradict")
    assert await logged(stage, OptionsSet) == []
    assert await violations(gm) == []
    await dialog.locator("[data-option=ad_hoc]").get_by_test_id("rule-usual").click()
    await dialog.locator("[type=submit]").click()
    await expect(dialog).to_be_hidden()
    (chosen,) = await logged(stage, OptionsSet)
    assert chosen.options == {"player_difficulty": "gm_only"}


async def test_what_decides_nothing_says_so_and_what_is_typed_stays(stage: Stage) -> None:
    await stage.open("group_d12")
    gm = await stage.page("gm", "Game Master")
    await gm.get_by_test_id("options").click()
    dialog = gm.get_by_test_id("options-dialog")
    # D-17 is asked only where a Boon may be spent after the roll.
    await expect(dialog.locator("[data-option=reroll]")).not_to_have_attribute("data-idle", "")
    await dialog.get_by_test_id("option-spend_after_limit").fill("0")
    await expect(dialog.locator("[data-option=reroll]")).to_contain_text(
        "decides nothing while “Boons after a failed roll” is “0”"
    )
    await dialog.get_by_test_id("option-boon_cap").fill("1.5")
    await dialog.locator("[type=submit]").click()
    await expect(dialog.locator("[data-option=boon_cap]").get_by_test_id("rule-wrong")).to_contain_text(
        "whole number from 0 to 999"
    )
    # What somebody else changes meanwhile comes in; what is typed here stays.
    await stage.as_gm(SetOptions(options={"boon_cap": 5, "success_level": True}))
    await expect(dialog.get_by_test_id("option-success_level").get_by_role("radio", name="counted", exact=True)).to_be_checked()
    await expect(dialog.get_by_test_id("option-boon_cap")).to_have_value("1.5")


async def test_table_data_are_edited_and_every_form_follows(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await player.get_by_test_id("action").fill("half a sentence")
    await gm.get_by_test_id("table-data-open").click()
    dialog = gm.get_by_test_id("data-dialog")
    ladder = dialog.get_by_test_id("data-ladder-difficulty")
    await expect(ladder.locator("li")).to_have_count(5)
    await expect(ladder.locator("li").first).to_contain_text("our proposal")
    # Another value for the first: it is no proposal of ours any more. One goes, one comes and moves up.
    await ladder.locator("li").first.locator("[data-field=value]").fill("6")
    await expect(ladder.locator("li").first.locator("[data-tag=ours]")).to_be_hidden()
    await ladder.locator("li").nth(4).get_by_test_id("row-remove").click()
    await dialog.get_by_test_id("data-ladder-difficulty-add").click()
    await gm.keyboard.type("13")
    await gm.keyboard.press("Tab")
    await gm.keyboard.type("dizzying")
    await ladder.get_by_role("button", name="Move up: dizzying").click()
    await expect(ladder.get_by_role("button", name="Move up: dizzying")).to_be_focused()
    # A condition of the table's own: one negative chance on its bearer's rolls.
    await dialog.get_by_test_id("data-conditions-rows-add").click()
    await gm.keyboard.type("Drenched")
    row = dialog.get_by_test_id("data-conditions-rows").locator("li")
    await row.locator("[data-field=own]").fill("-1")
    assert await violations(gm) == []
    await dialog.locator("[type=submit]").click()
    await expect(dialog).to_be_hidden()
    (changed,) = await logged(stage, TableDataSet)
    steps = changed.data.ladders[0].steps
    assert [(step.value, step.label, step.proposed) for step in steps] == [
        (6, "easy", False),
        (8, "moderate", True),
        (11, "hard", True),
        (13, "dizzying", False),
        (14, "very hard", True),
    ]
    (drenched,) = changed.data.conditions
    assert (drenched.label, drenched.own) == ("Drenched", -1)
    # The player's open form has the new ladder and keeps what was typed; the condition can be set, and counts.
    await expect(player.get_by_test_id("param-difficulty").get_by_role("radio")).to_have_count(5)
    await expect(player.get_by_test_id("param-difficulty")).to_contain_text("dizzying")
    await expect(player.get_by_test_id("action")).to_have_value("half a sentence")
    ana = gm.locator("[data-testid=actor][data-actor=ana]")
    await ana.get_by_test_id("actor-menu").click()
    await ana.get_by_test_id("condition-for").click()
    await gm.get_by_test_id("condition-key").get_by_text("Drenched").click()
    await gm.get_by_test_id("condition-dialog").locator("[type=submit]").click()
    await expect(player.get_by_test_id("sources")).to_contain_text("Drenched")
    # After a reload it is the same table; the way back is one button, and asked about.
    await gm.reload()
    await gm.get_by_test_id("table-data-open").click()
    await expect(ladder.locator("li")).to_have_count(5)
    await dialog.get_by_test_id("data-own-again").click()
    await gm.get_by_test_id("confirm").locator("[type=submit]").click()
    await expect(player.get_by_test_id("param-difficulty")).to_contain_text("extreme")
    assert [event.data is None for event in await logged(stage, TableDataSet)] == [False, True]


async def test_what_is_wrong_in_table_data_is_said_at_its_row(stage: Stage) -> None:
    await stage.open("rank_ability")
    gm = await stage.page("gm", "Game Master")
    await gm.get_by_test_id("table-data-open").click()
    dialog = gm.get_by_test_id("data-dialog")
    save = dialog.locator("[type=submit]")
    dice = dialog.get_by_test_id("data-rankDice-rows").locator("li")
    await dice.nth(2).locator("input").fill("7")
    await save.click()
    await expect(dice.nth(2)).to_contain_text("no die with 7 sides")
    await expect(dice.nth(2).locator("input")).to_have_attribute("aria-invalid", "true")
    await dice.nth(2).locator("input").fill("8")
    ladder = dialog.get_by_test_id("data-ladder-tn").locator("li")
    await ladder.nth(0).locator("[data-field=label]").fill(" ")
    await save.click()
    await expect(ladder.nth(0)).to_contain_text("needs a word")
    await ladder.nth(0).locator("[data-field=label]").fill("simple")
    await ladder.nth(1).locator("[data-field=value]").fill("6")
    await save.click()
    await expect(dialog.get_by_test_id("trouble")).to_contain_text("twice")
    await expect(dialog.locator(".data-wrong:visible")).to_have_count(1)
    assert await logged(stage, TableDataSet) == []
    # Two who imply each other.
    await ladder.nth(1).locator("[data-field=value]").fill("10")
    for label in ("Wet", "Cold"):
        await dialog.get_by_test_id("data-conditions-rows-add").click()
        await gm.keyboard.type(label)
    rows = dialog.get_by_test_id("data-conditions-rows").locator("> li")
    for nth, other in ((0, "Cold"), (1, "Wet")):
        await rows.nth(nth).locator("summary").click()
        await rows.nth(nth).get_by_role("checkbox", name=other).check()
    await save.click()
    await expect(dialog.get_by_test_id("trouble")).to_contain_text("circle")
    assert await violations(gm) == []


async def test_house_rules_go_out_and_come_in_as_one_file(stage: Stage, tmp_path: Path) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    steps = (Step(value=4, label="a breeze"), Step(value=12, label="a storm"))
    ladders = (Ladder(key="difficulty", steps=steps),)
    await stage.as_gm(
        SetTableData(data=TableData(ruleset="group_d12", ladders=ladders, level_step=3, xp_per_level=2), options={"boon_cap": 7})
    )
    gm = await stage.page("gm", "Game Master")
    await gm.get_by_test_id("table-data-open").click()
    dialog = gm.get_by_test_id("data-dialog")
    async with gm.expect_download() as coming:
        await dialog.get_by_test_id("export-rules").click()
    kept = tmp_path / "rules.json"
    download = await coming.value
    assert download.suggested_filename == "an_evening-house-rules.json"
    await download.save_as(kept)
    file = json.loads(kept.read_text("utf-8"))
    assert (file["format"], file["version"]) == ("boonbridge.house-rules", 1)
    assert [step["label"] for step in file["data"]["ladders"][0]["steps"]] == ["a breeze", "a storm"]
    assert file["options"]["boon_cap"] == 7
    await gm.keyboard.press("Escape")

    # At the game's own again, the file is shown before it counts.
    await stage.as_gm(SetTableData(data=None, options={"boon_cap": 10}))
    await gm.get_by_test_id("table-data-open").click()
    for wrong, said in (
        ("{}", "no file of house rules"),
        (json.dumps({**file, "data": {**file["data"], "ruleset": "sage_d20"}}), "another game (sage_d20)"),
        (json.dumps({**file, "name": "x" * 70_000}), "too large"),
    ):
        bad = tmp_path / "bad.json"
        bad.write_text(wrong, "utf-8")
        await dialog.get_by_test_id("import-rules").set_input_files(bad)
        await expect(dialog.get_by_test_id("import-wrong")).to_contain_text(said)
    before = len(await logged(stage, TableDataSet))
    await dialog.get_by_test_id("import-rules").set_input_files(kept)
    coming_changes = dialog.get_by_test_id("import-changes")
    await expect(coming_changes).to_contain_text("Most Boons: 10 becomes 7")
    await expect(coming_changes).to_contain_text("4 a breeze, 12 a storm")
    assert await violations(gm) == []
    assert len(await logged(stage, TableDataSet)) == before
    await dialog.get_by_test_id("import-use").click()
    await expect(gm.get_by_test_id("param-difficulty")).to_contain_text("a storm")
    assert (await logged(stage, OptionsSet))[-1].options == {"boon_cap": 7}
    await gm.get_by_test_id("undo").click()
    await expect(gm.get_by_test_id("param-difficulty")).to_contain_text("extreme")
    assert (await logged(stage, OptionsSet))[-1].options == {"boon_cap": 10}


@pytest.mark.parametrize(("size", "scheme"), MOSTLY_ONE_LOOK)
async def test_they_can_be_used_by_everybody(stage: Stage, scheme: Any, size: tuple[int, int]) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master", scheme=scheme, size=size), await stage.page(scheme=scheme, size=size)
    for page, opens, dialog in (
        (gm, "options", "options-dialog"),
        (gm, "table-data-open", "data-dialog"),
        (player, "options", "options-dialog"),
    ):
        if size == PHONE:
            await page.get_by_test_id("tab-table").click()
        await page.get_by_test_id(opens).click()
        await expect(page.get_by_test_id(dialog)).to_be_visible()
        for fold in await page.get_by_test_id(dialog).locator("summary").all():
            await fold.click()
        assert await violations(page) == [], (opens, dialog)
        wide = await page.get_by_test_id(dialog).locator(".dialog-body").evaluate("body => body.scrollWidth - body.clientWidth")
        assert wide <= 0, (opens, dialog)
        await page.keyboard.press("Escape")
