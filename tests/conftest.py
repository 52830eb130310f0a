"""Fixtures of every test that drives a browser: one Chromium for all of them, and whatever a test opened closed at its end."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.stage import CHROMIUM_FLAGS, chromium, leave


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Chromium lives in one event loop, so the tests that use it run there."""
    for item in items:
        if "chromium_of_all" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium_of_all() -> AsyncIterator[Browser]:
    """Starting one takes as long as a short test."""
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        yield found
        await found.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium_of_all: Browser) -> AsyncIterator[Browser]:
    """A browser in which nobody has been: every page has a context of its own, and none outlives its test."""
    assert chromium_of_all.contexts == []
    yield chromium_of_all
    await leave(chromium_of_all)
