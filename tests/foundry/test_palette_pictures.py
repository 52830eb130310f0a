"""Pictures of the palette in a token's HUD, and of the Table window with its rows, for the docs; axe-core finds nothing in them.

They go to a temporary folder; with BOONBRIDGE_PICTURES=docs/images (`make pictures`) they are taken for the docs.
"""

from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import expect

from boonbridge_schemas.commands import Act, Grant, SetCondition
from boonbridge_schemas.grants import Expiry, GrantSource
from tests.foundry.fights import table as seat
from tests.foundry.stage import Evening
from tests.foundry.test_palette import hud, table, violations
from tests.foundry.test_pictures import picture

pytestmark = pytest.mark.long


@pytest.fixture
def generation() -> Literal[13, 14]:
    """Both generations look alike; the pictures are of the newer one."""
    return 14


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_the_palette_in_a_hud(evening: Evening, tmp_path: Path, theme: str) -> None:
    await evening.open("public_d20", options={"theme": theme})
    await seat(evening, "public_d20")
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    await gm.get_by_test_id("setup-done").click()
    mira = f"Actor.{evening.ids['Mira']}"
    await evening.bridge.as_gm(
        Grant(actors=(mira,), sign="boon", source=GrantSource(id="song", label="An old song"), expiry=Expiry(when="combat_end")),
        SetCondition(actors=(mira,), condition="exposed", amount=2),
    )
    palette = await hud(gm, "Mira")
    await palette.locator("[data-circumstance=flanking]").click()
    await expect(palette.get_by_test_id("palette-said")).to_be_visible()
    await gm.mouse.move(900, 20)
    assert await violations(gm) == []
    await picture(gm, tmp_path, f"foundry-hud-{theme}", clip={"x": 92, "y": 88, "width": 500, "height": 640})


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_the_table_in_sight(evening: Evening, tmp_path: Path, theme: str) -> None:
    await evening.open("group_d12", options={"theme": theme})
    await seat(evening, "group_d12")
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    await gm.get_by_test_id("setup-done").click()
    await evening.player("Mo")
    await evening.player("Kim")
    mira, teo = (f"Actor.{evening.ids[name]}" for name in ("Mira", "Teo"))
    await evening.bridge.as_gm(
        Act(verb="give_boon"),
        Grant(
            actors=(mira, teo), sign="boon", source=GrantSource(id="song", label="An old song"), expiry=Expiry(when="combat_end")
        ),
        Grant(actors=(teo,), sign="bane", source=GrantSource(id="darkness", label="Darkness"), expiry=Expiry(when="next_roll")),
    )
    window = await table(gm)
    await expect(window.locator("[data-testid=panel-row][data-banes='1']")).to_have_count(1)
    await gm.evaluate("game.settings.set('boonbridge', 'dock', 'players').then(() => {})")
    await expect(gm.get_by_test_id("panel-dock")).to_be_visible()
    await gm.mouse.move(1000, 20)
    assert await violations(gm) == []
    await picture(gm, tmp_path, f"foundry-table-{theme}", clip={"x": 0, "y": 60, "width": 940, "height": 840})
