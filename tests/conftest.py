"""Fixtures of every test that drives a browser: one Chromium for each file, and whatever a test opened closed at its end."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.stage import CHROMIUM_FLAGS, chromium, leave


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's Chromium lives in one event loop, so the tests that use it run there."""
    for item in items:
        if "chromium_of_file" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium_of_file() -> AsyncIterator[Browser]:
    """Starting one takes as long as a short test."""
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        yield found
        await found.close()


@pytest_asyncio.fixture(loop_scope="module")
async def browser(chromium_of_file: Browser) -> AsyncIterator[Browser]:
    """A browser in which nobody has been: every page has a context of its own, and none outlives its test."""
    assert chromium_of_file.contexts == []
    yield chromium_of_file
    await leave(chromium_of_file)
