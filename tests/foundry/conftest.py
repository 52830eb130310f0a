"""Fixtures: an evening in each generation of Foundry, and no complaint of any console left unseen."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.stage import leave
from tests.foundry.stage import Evening


@pytest.fixture(params=[13, 14], ids=["v13", "v14"])
def generation(request: pytest.FixtureRequest) -> Literal[13, 14]:
    """Every test runs in both."""
    return 14 if request.param == 14 else 13


@pytest_asyncio.fixture(loop_scope="module")
async def evening(browser: Browser, tmp_path: Path, generation: Literal[13, 14]) -> AsyncIterator[Evening]:
    """An evening that is not open yet. At the end no page may have written an error to its console."""
    evening = Evening(browser, tmp_path / "data", generation)
    yield evening
    await leave(browser)
    if hasattr(evening, "foundry"):
        await evening.close()
    assert evening.complaints == []
