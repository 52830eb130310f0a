"""Fixtures of the browser tests: a stage for each test, and no complaint of the console left unseen."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.stage import Stage, leave


@pytest_asyncio.fixture(loop_scope="session")
async def stage(browser: Browser, tmp_path: Path) -> AsyncIterator[Stage]:
    """A stage that is not open yet. At the end the pages may have written no error to their consoles."""
    stage = Stage(browser, tmp_path / "data")
    yield stage
    await leave(browser)
    if hasattr(stage, "running"):
        await stage.close()
    assert stage.complaints == []
