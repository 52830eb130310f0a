"""The pictures of README and docs, from a real evening with taped dice.

They go to a temporary folder; with BOONBRIDGE_PICTURES=docs/images (`make pictures`) they are taken for the docs.
"""

import base64
import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, FloatRect, Page, expect

from tests.browser.evening import PEOPLE_THERE, Evening, seen_by
from tests.browser.stage import DESKTOP, PHONE, Stage, TapeKeyRing

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a table in a picture says of its dice is what one says that is served."""
    monkeypatch.setattr("boonbridge.tables.opening.SeededKeyRing", TapeKeyRing)


WHO = {"Rin": "The GM", "Mo": "Who rolled (a player)", "Kim": "Another player", "Ola": "An observer"}
BESIDE = """
  body { display: flex; gap: 12px; margin: 0; padding: 12px; align-items: flex-start; background: #d9d9d9; color: #111; }
  body.dark { background: #000; color: #eee; }
  figure { margin: 0; } img { display: block; }
  figcaption { font: 600 18px system-ui, sans-serif; padding: 0 0 8px; text-align: center; }
"""


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


@pytest.mark.parametrize(
    ("device", "size", "scheme"),
    [
        ("desktop", DESKTOP, "dark"),
        ("phone", PHONE, "light"),
        pytest.param("desktop", DESKTOP, "light", marks=pytest.mark.long),
        pytest.param("phone", PHONE, "dark", marks=pytest.mark.long),
    ],
)
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
    page = await stage.page(None, scheme=scheme)
    await expect(page.get_by_test_id("start-page")).to_be_visible()
    await picture(page, tmp_path, f"start-{scheme}")


@pytest.mark.long  # four pages of one evening; that nobody reads too much is shown elsewhere, cheaper
async def test_show8_one_evening_in_four_logs(stage: Stage, browser: Browser, tmp_path: Path) -> None:
    await stage.open("rank_ability")
    evening = Evening(stage)
    await evening.seat()
    pages = {name: await stage.page(role, name, size=(PHONE[0], 1400)) for name, role in PEOPLE_THERE.items()}
    await evening.play()
    last = max(evening.shown)
    for name, page in pages.items():
        await page.get_by_test_id("tab-log").click()
        await expect(page.locator(f"[data-testid=log-item][data-seq='{last}']")).to_have_count(1)
        items = await page.get_by_test_id("log-item").evaluate_all("all => all.map(one => Number(one.dataset.seq))")
        assert {seq for seq in items if seq in evening.shown} == set(seen_by(evening, name)), name
    high = max([await page.get_by_test_id("log").evaluate("log => Math.ceil(log.scrollHeight)") for page in pages.values()])
    first = min(evening.shown)
    for scheme in ("light", "dark"):
        shots = {}
        for name, page in pages.items():
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            await page.set_viewport_size({"width": PHONE[0], "height": high + 200})
            # As far down as the first roll; below it people come to the table.
            end = await page.locator(f"[data-testid=log-item][data-seq='{first}']").bounding_box()
            assert end is not None
            clip: FloatRect = {"x": 0, "y": 0, "width": PHONE[0], "height": end["y"] + end["height"] + 8}
            shots[name] = base64.b64encode(await page.screenshot(animations="disabled", clip=clip)).decode()
        beside = await browser.new_page(viewport={"width": 4 * (PHONE[0] + 12) + 12, "height": 400})
        columns = "".join(
            f"<figure><figcaption>{WHO[name]}</figcaption><img src='data:image/png;base64,{shot}'></figure>"
            for name, shot in shots.items()
        )
        await beside.set_content(f"<style>{BESIDE}</style><body class={scheme}>{columns}")
        path = Path(os.environ.get("BOONBRIDGE_PICTURES") or tmp_path) / f"evening-{scheme}.png"
        await beside.screenshot(path=path, full_page=True)
        assert path.stat().st_size > 10_000, "an empty picture"
        await beside.close()


async def picture(page: Page, tmp_path: Path, name: str, tab: str | None = None) -> None:
    """Take it where it is wanted."""
    if tab is not None and await page.get_by_test_id(tab).is_visible():
        await page.get_by_test_id(tab).click()
    folder = Path(os.environ.get("BOONBRIDGE_PICTURES") or tmp_path)
    path = folder / f"{name}.png"
    await page.screenshot(path=path, animations="disabled")
    assert path.stat().st_size > 10_000, "an empty picture"
