"""The scene of the help as a sheet of pictures, for README and docs: two phones, one dialog.

It goes to a temporary folder; with BOONBRIDGE_PICTURES=docs/images (`make pictures`) it is taken for the docs.
"""

import base64
import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page, expect

from tests.browser.stage import Stage
from tests.browser.test_help import climbs, row, seat

pytestmark = [pytest.mark.browser, pytest.mark.long]

SIZE = (360, 600)
SHEET = """
<style>
  body { margin: 0; padding: 16px; width: 1136px; font: 15px/1.35 system-ui, sans-serif; background: BACK; color: INK; }
  main { display: grid; grid-template-columns: repeat(3, 360px); gap: 12px 28px; }
  h2 { margin: 0; font-size: 15px; } img { display: block; width: 360px; border-radius: 10px; outline: 1px solid #8886; }
</style><main>CELLS</main>"""
WORDS = (
    "Anna says what she is about to do.",
    "Ben helps, and her chance moves.",
    "The card says who helped.",
    "Ben reads it, with one button.",
    "Everybody reads who helps.",
    "It is the same card on every screen.",
)


async def shot(page: Page, height: int = SIZE[1]) -> bytes:
    """The upper part of what somebody has before him."""
    return await page.screenshot(clip={"x": 0, "y": 0, "width": SIZE[0], "height": height})


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_scene_of_the_help(stage: Stage, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    await stage.open("sage_d20")
    await seat(stage, ("assist", "free"))
    anna = await stage.page(scheme=scheme, size=SIZE)
    ben = await stage.page("player", "Sam", scheme=scheme, size=SIZE)
    await climbs(anna)
    await expect(row(ben)).to_contain_text("Anna is about to climb.")
    await anna.get_by_test_id("add-boon").evaluate("button => button.scrollIntoView({ block: 'center' })")
    first = (await shot(anna), await shot(ben, 220))
    await row(ben).get_by_test_id("help-now").click()
    await expect(anna.get_by_test_id("chance-was")).to_be_visible()
    await expect(row(ben)).to_contain_text("Helped by Ben.")
    await anna.get_by_test_id("add-boon").evaluate("button => button.scrollIntoView({ block: 'center' })")
    second = (await shot(anna), await shot(ben, 220))
    stage.tape.lay(8, 4)
    await anna.get_by_test_id("roll").click()
    await ben.get_by_test_id("tab-log").click()
    for page in (anna, ben):
        await expect(page.locator("[data-part=card] [data-part=sources]")).to_contain_text("Help from Ben")
    third = (await shot(anna), await shot(ben, 220))
    pictures = [first[0], second[0], third[0], first[1], second[1], third[1]]
    cells = "".join(
        f'<div><h2>{words}</h2><img alt="" src="data:image/png;base64,{base64.b64encode(picture).decode()}"></div>'
        for words, picture in zip(WORDS, pictures, strict=True)
    )
    back, ink = ("#ece8e1", "#1d1b18") if scheme == "light" else ("#131417", "#efedea")
    context = await stage.browser.new_context(viewport={"width": 1168, "height": 920})
    sheet = await context.new_page()
    await sheet.set_content(SHEET.replace("BACK", back).replace("INK", ink).replace("CELLS", cells))
    path = Path(os.environ.get("BOONBRIDGE_PICTURES") or tmp_path) / f"help-{scheme}.png"
    await sheet.screenshot(path=path, full_page=True)
    assert path.stat().st_size > 10_000
