"""The pictures of the module for README and docs, from a real evening with taped dice.

They go to a temporary folder; with BOONBRIDGE_PICTURES=docs/images (`make pictures`) they are taken for the docs.
"""

import os
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.foundry.stage import Evening, aim, cards
from tests.foundry.test_evening import open_dialog


async def picture(page: Page, folder: Path, name: str) -> None:
    """One picture."""
    kept = os.environ.get("BOONBRIDGE_PICTURES")
    path = (Path(kept) if kept else folder) / f"{name}.png"
    await page.screenshot(path=path)
    assert path.stat().st_size > 10_000


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_the_module_in_foundry(evening: Evening, tmp_path: Path, theme: str) -> None:
    if evening.world.generation == 13:
        return  # both generations look alike; the pictures are of the newer one
    await evening.open(options={"theme": theme})
    await evening.gm()
    player = await evening.player("Mo")
    await player.get_by_test_id("boonbridge-state").click()
    await expect(player.get_by_test_id("connection-window")).to_be_visible()
    await picture(player, tmp_path, f"foundry-connection-{theme}")
    await player.locator("#boonbridge-connection [data-action=close]").click()
    await player.mouse.move(700, 20)
    evening.bridge.tape.lay(17, 4)
    sources = [
        {"id": "kit", "label": "Climbing kit", "sign": "boon"},
        {"id": "rope", "label": "Teo steadies the rope", "sign": "boon"},
        {"id": "rain", "label": "Rain on the stones", "sign": "bane"},
    ]
    dialog = await open_dialog(player, {"action": "climbs the wet wall", "params": {"tn": 15}, "sources": sources})
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await picture(player, tmp_path, f"foundry-dialog-{theme}")
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)
    await aim(player, "First ogre", "Second ogre")
    evening.bridge.tape.lay(3, 18)
    dialog = await open_dialog(player, {"check": "against", "action": "shoves", "params": {"attribute": "strength"}})
    await expect(dialog.get_by_test_id("preview-row")).to_have_count(2)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(2)
    await picture(player, tmp_path, f"foundry-cards-{theme}")
