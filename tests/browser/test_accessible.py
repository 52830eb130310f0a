"""axe-core finds no violation of WCAG A or AA, in light and dark, on a phone and on a desk."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import SetCondition, SetOptions, StartTurn
from boonbridge_schemas.grants import Expiry
from tests.browser.stage import LOOKS, MOSTLY_ONE_LOOK, PHONE, Stage

pytestmark = pytest.mark.browser
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


async def violations(page: Page) -> list[str]:
    """What axe has to say, in a line each. The page's own policy forbids scripts, so axe goes in by the debugger."""
    assert AXE.is_file(), "axe-core is not installed; `make setup` installs it"
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = await page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
    return [f"{v['id']}: {n['target']} {n['failureSummary']}" for v in found["violations"] for n in v["nodes"]]


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_the_page_with_cards_and_its_dialogs(stage: Stage, scheme: Literal["light", "dark"], size: tuple[int, int]) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master", scheme=scheme, size=size)
    stage.tape.lay(2, 3, 7, 12, 1, 1)
    await gm.get_by_test_id("param-difficulty-free").fill("9")
    for cards in range(1, 4):
        if size == PHONE:  # a roll leads to the log there
            await gm.get_by_test_id("tab-roll").click()
        await gm.get_by_test_id("roll").click()
        await expect(gm.locator("[data-part=card]")).to_have_count(cards)
    await expect(gm.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    assert await violations(gm) == []
    if size == PHONE:
        for tab in ("tab-roll", "tab-log", "tab-table"):
            await gm.get_by_test_id(tab).click()
            assert await violations(gm) == [], tab
    for opens, dialog in (
        ("new-actor", "actor-dialog"),
        ("give", "grant-dialog"),
        ("options", "options-dialog"),
        ("invite", "invite-dialog"),
    ):
        await gm.get_by_test_id(opens).first.click()
        await expect(gm.get_by_test_id(dialog)).to_be_visible()
        assert await violations(gm) == [], dialog
        await gm.keyboard.press("Escape")
        await expect(gm.get_by_test_id(dialog)).to_be_hidden()


@pytest.mark.parametrize(("size", "scheme"), MOSTLY_ONE_LOOK)
async def test_what_stands_between_the_dice(stage: Stage, scheme: Literal["light", "dark"], size: tuple[int, int]) -> None:
    """Conditions, help, rulings, locks, turns, other dice, dice rolled by hand: all of it open at once."""
    await stage.open("rank_ability")
    await stage.set_demo()
    await stage.as_gm(
        SetOptions(options={"manual_dice": True, "damage_boons": "if_rule_says"}),
        SetCondition(actors=("teo",), condition="wounded", expiry=Expiry(when="turn_end", actor="mira")),
        StartTurn(actor="mira"),
    )
    gm, player = await stage.page("gm", "Game Master", scheme=scheme, size=size), await stage.page(scheme=scheme, size=size)
    stage.tape.lay(1, 2, 1)
    await player.get_by_test_id("action").fill("pick the old lock")
    await player.get_by_test_id("roll").click()
    await expect(gm.locator("[data-choice=danger]")).to_have_count(1)
    for page in (gm, player):
        if size == PHONE:
            await page.get_by_test_id("tab-roll").click()
        await page.get_by_test_id("other-dice").locator("summary").click()
        await page.get_by_test_id("dice-damage").click()
        await page.get_by_test_id("dice-rule-sign").get_by_role("radio", name="Bane").check()
        await page.get_by_test_id("hand").locator("summary").click()
        await page.get_by_test_id("action").fill("pick the old lock")
    await expect(player.get_by_test_id("retry")).to_be_visible()
    await expect(gm.get_by_test_id("retry-hint")).to_be_visible()
    if size == PHONE:
        for tab in ("tab-roll", "tab-log"):
            for page in (gm, player):
                await page.get_by_test_id(tab).click()
                assert await violations(page) == [], tab
        for page in (gm, player):
            await page.get_by_test_id("tab-table").click()
    await gm.locator("[data-actor=mira]").get_by_test_id("actor-menu").click()
    for page in (gm, player):
        assert await violations(page) == []
    await gm.get_by_test_id("condition-for").click()
    assert await violations(gm) == []
    await gm.keyboard.press("Escape")
    await player.locator("[data-actor=teo]").get_by_test_id("help").click()
    assert await violations(player) == []
    await player.get_by_test_id("assist-dialog").locator("[type=submit]").click()
    await expect(gm.get_by_test_id("accept")).to_be_visible()
    await player.get_by_test_id("notices").wait_for()
    for page in (gm, player):
        assert await violations(page) == []


async def test_help_a_condition_and_other_dice_with_the_keyboard_alone(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master")
    ash = gm.locator("[data-testid=actor][data-actor=ash]")
    await ash.get_by_test_id("actor-menu").focus()
    await gm.keyboard.press("Enter")
    await expect(ash.get_by_test_id("actor-menu")).to_be_focused()
    await gm.keyboard.press("Tab")
    await expect(ash.get_by_test_id("condition-for")).to_be_focused()
    await gm.keyboard.press("Enter")
    dialog = gm.get_by_test_id("condition-dialog")
    await dialog.locator("[data-condition=bolstered] input").focus()
    await gm.keyboard.press("ArrowRight")
    await gm.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    held = ash.locator("[data-testid=condition]")
    await expect(held).to_have_attribute("data-condition", "hidden")
    await held.get_by_test_id("clear").focus()
    await gm.keyboard.press("Enter")
    await expect(held).to_have_count(0)
    # What had the focus is gone; the reader stays where he was.
    assert await gm.get_by_test_id("actors").evaluate("list => list.contains(document.activeElement)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_start_page(stage: Stage, scheme: Literal["light", "dark"]) -> None:
    await stage.open("sage_d20")
    page = await stage.page(None, scheme=scheme)
    await expect(page.get_by_test_id("pair")).to_be_visible()
    assert await violations(page) == []


async def test_nothing_is_wider_than_a_phone(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    await stage.as_gm(
        SetCondition(actors=("ash", "gnoll"), condition="exposed", amount=3, expiry=Expiry(when="turn_start", actor="bo")),
        StartTurn(actor="ash"),
    )
    page = await stage.page("gm", "Game Master", size=PHONE, touch=True)
    await page.get_by_test_id("other-dice").locator("summary").click()
    for tab in ("tab-roll", "tab-log", "tab-table"):
        await page.get_by_test_id(tab).click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], tab
