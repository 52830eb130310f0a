"""axe-core finds no violation of WCAG A or AA, in light and dark, on a phone and on a desk."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from tests.browser.stage import DESKTOP, PHONE, Stage

pytestmark = pytest.mark.browser
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


async def violations(page: Page) -> list[str]:
    """What axe has to say, in a line each. The page's own policy forbids scripts, so axe goes in by the debugger."""
    assert AXE.is_file(), "axe-core is not installed; `make setup` installs it"
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = await page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
    return [f"{v['id']}: {n['target']} {n['failureSummary']}" for v in found["violations"] for n in v["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_start_page(stage: Stage, scheme: Literal["light", "dark"]) -> None:
    await stage.open("sage_d20")
    page = await stage.page(None, scheme=scheme)
    await expect(page.get_by_test_id("pair")).to_be_visible()
    assert await violations(page) == []


async def test_nothing_is_wider_than_a_phone(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    page = await stage.page("gm", "Game Master", size=PHONE, touch=True)
    for tab in ("tab-roll", "tab-log", "tab-table"):
        await page.get_by_test_id(tab).click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], tab
