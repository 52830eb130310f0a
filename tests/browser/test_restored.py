"""A backup put back under an open page: it says what may be missing, and what was clicked meanwhile is rolled once, and anew."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from boonbridge.store.backup import back_up
from boonbridge.store.restoring import unpacked
from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.events import CheckRolled, LadderRestarted
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.long]


async def roll(page: Page, action: str) -> None:
    await page.get_by_test_id("action").fill(action)
    await page.get_by_test_id("roll").click()
    await expect(page.locator("[data-part=card][data-kind=check]", has_text=action)).to_be_visible()


async def test_an_open_page_goes_on_from_a_backup(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await stage.open("sage_d20", taped=False)
    await stage.set_demo()
    player = await stage.page()
    await roll(player, "in the backup")
    file = tmp_path / "evening.zip"
    await asyncio.to_thread(back_up, stage.folder, file, secret_file=None, bridge="1", made=1)
    await roll(player, "lost with the disk")

    busy = asyncio.Event()

    async def full(_batch: object) -> None:
        busy.set()
        raise StoreUnavailable("The disk is full.")

    monkeypatch.setattr(stage.running.hub.ports.store, "append", full)
    await player.get_by_test_id("action").fill("clicked meanwhile")
    await player.get_by_test_id("roll").click()
    await busy.wait()  # it is on its way, and has no answer yet
    await stage.close()
    await expect(player.get_by_test_id("connection")).not_to_have_attribute("data-state", "live")
    with unpacked(file, stage.folder, secret_file=None) as (_, put):
        put("T")
    await stage.open("sage_d20", taped=False)
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live", timeout=15_000)

    await expect(player.get_by_test_id("memory-band")).to_contain_text("started anew")
    checks = player.locator("[data-part=card][data-kind=check]")
    await expect(checks.filter(has_text="clicked meanwhile")).to_have_count(1)
    await expect(checks.filter(has_text="in the backup")).to_have_count(1)
    await expect(checks.filter(has_text="lost with the disk")).to_have_count(0)
    events = [event for commit in await stage.log() for event in commit.events]
    assert [event.rolled.action for event in events if isinstance(event, CheckRolled)] == ["in the backup", "clicked meanwhile"]
    assert [(event.epoch, event.reason) for event in events if isinstance(event, LadderRestarted)] == [(2, "restored")]
