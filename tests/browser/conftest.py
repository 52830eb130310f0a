"""Fixtures of the browser tests: a browser for each test, a stage, and no complaint of the console left unseen."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.browser.stage import CHROMIUM_FLAGS, Stage, chromium


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A stage that is not open yet. At the end the pages may have written no error to their consoles."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        stage = Stage(browser, tmp_path / "data")
        yield stage
        await browser.close()
        if hasattr(stage, "running"):
            await stage.close()
    assert stage.complaints == []
