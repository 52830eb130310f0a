"""A world is launched, pages come, the module runs."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.foundry_stage.world import FoundryStage

pytestmark = pytest.mark.browser
SAMPLE = Path(__file__).parent / "sample_module"
both = pytest.mark.parametrize("generation", [13, 14])


@both
async def test_hooks_of_the_life_of_a_page_come_in_their_order(browser: Browser, generation):
    async with FoundryStage(browser, generation=generation, modules=[SAMPLE]) as world:
        gm = await world.client("Game Master")
        assert await gm.eval("() => sample.hooks") == ["init", "i18nInit", "setup", "canvasReady", "ready"]
        assert await gm.eval("() => game.release.generation") == generation
        assert await gm.eval("() => typeof globalThis.$") == "undefined"
