"""One browser for each file of tests of the stand-in; every page has a context of its own."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.stage import CHROMIUM_FLAGS, chromium


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        yield found
        await found.close()
