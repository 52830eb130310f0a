"""The pictures of README and docs, from a real evening with taped dice.

They go to a temporary folder; with BOONBRIDGE_PICTURES=docs/images (`make pictures`) they are taken for the docs.
"""

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page, expect

from tests.browser.stage import DESKTOP, PHONE, Stage

pytestmark = pytest.mark.browser


async def roll(page: Page, stage: Stage, action: str, *faces: int) -> None:
    """One roll with chosen faces, waited for."""
    if await page.get_by_test_id("tab-roll").is_visible():
        await page.get_by_test_id("tab-roll").click()
    cards = await page.locator("[data-part=card]").count()
    await page.get_by_test_id("action").fill(action)
    await expect(page.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(*faces)
    await page.get_by_test_id("roll").click()
    await expect(page.locator("[data-part=card]")).to_have_count(cards + 1)
    await expect(page.get_by_test_id("preview")).to_have_attribute("data-state", "shown")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("device", "size"), [("desktop", DESKTOP), ("phone", PHONE)])
async def test_the_table_page(
    stage: Stage, tmp_path: Path, scheme: Literal["light", "dark"], device: str, size: tuple[int, int]
) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    await stage.page("gm", "Rin")
    player = await stage.page(scheme=scheme, size=size)
    ladder = player.get_by_test_id("param-tn").get_by_role("radio")
    await ladder.nth(1).check()
    await roll(player, stage, "forces the stuck door", 2, 3, 4)
    await roll(player, stage, "reads the old seal", 4, 8, 6)
    if await player.get_by_test_id("tab-roll").is_visible():
        await player.get_by_test_id("tab-roll").click()
    await ladder.nth(2).check()
    await roll(player, stage, "climbs the wet wall", 7, 3, 7)
    await picture(player, tmp_path, f"table-{device}-{scheme}", "tab-log")


@pytest.mark.parametrize("game", ["public_d20", "sage_d20", "group_d12"])
async def test_the_other_games(stage: Stage, tmp_path: Path, game: str) -> None:
    await stage.open(game)
    await stage.set_demo()
    gm = await stage.page("gm", "Rin", scheme="dark" if game == "sage_d20" else "light")
    if game == "public_d20":
        await gm.get_by_test_id("check-picker").get_by_role("radio", name="Attack").check()
        await gm.get_by_test_id("targets").get_by_role("checkbox", name="Gnoll").check()
        await roll(gm, stage, "swings at the Gnoll", 20, 20)
        await roll(gm, stage, "swings again, wildly", 1, 1)
    elif game == "sage_d20":
        await roll(gm, stage, "shakes off the cold", 12, 6)
        await roll(gm, stage, "vaults the fence", 18, 3)
    else:
        await gm.get_by_test_id("param-difficulty-free").fill("11")
        await roll(gm, stage, "slips past the watch", 2, 3)
        await roll(gm, stage, "tries the roof instead", 4, 2)
        await expect(gm.locator("[data-choice=spend]").first).to_be_visible()
    await picture(gm, tmp_path, f"game-{game}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_start_page(stage: Stage, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    await stage.open("sage_d20")
    await picture(await stage.page(None, scheme=scheme), tmp_path, f"start-{scheme}")


async def picture(page: Page, tmp_path: Path, name: str, tab: str | None = None) -> None:
    """Take it where it is wanted."""
    if tab is not None and await page.get_by_test_id(tab).is_visible():
        await page.get_by_test_id(tab).click()
    folder = Path(os.environ.get("BOONBRIDGE_PICTURES") or tmp_path)
    path = folder / f"{name}.png"
    await page.screenshot(path=path, animations="disabled")
    assert path.stat().st_size > 10_000, "an empty picture"
