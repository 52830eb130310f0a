"""Fixtures: an evening in each generation of Foundry, and no complaint of any console left unseen.

What a table needs to play runs in both generations each time, each where they differ once; the rest runs in the newer one, and
in the older one among the long tests.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.stage import leave
from tests.foundry.stage import Evening

IN_BOTH = {
    "test_a_player_joins_with_nothing_typed_and_rolls",
    "test_a_choice_is_a_button_for_who_may_and_a_card_of_its_own",
    "test_a_macro_rolls_at_once_and_the_hotbar_keeps_a_roll",
    "test_check_in_chat_opens_the_dialog",
    "test_every_actors_sheet_has_it_in_its_menu",
    "test_from_a_fresh_world_to_a_players_roll_in_twelve_inputs",
    "test_three_are_asked_one_is_away_and_it_is_a_tie",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The older generation's tests of all but ``IN_BOTH`` are long ones."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here and item.name.split("[")[0] not in IN_BOTH and "[v13" in item.name:
            item.add_marker(pytest.mark.long)


@pytest.fixture(params=[13, 14], ids=["v13", "v14"])
def generation(request: pytest.FixtureRequest) -> Literal[13, 14]:
    """Every test runs in both."""
    return 14 if request.param == 14 else 13


@pytest_asyncio.fixture(loop_scope="session")
async def evening(browser: Browser, tmp_path: Path, generation: Literal[13, 14]) -> AsyncIterator[Evening]:
    """An evening that is not open yet. At the end no page may have written an error to its console, or marked an honest message."""
    evening = Evening(browser, tmp_path / "data", generation)
    yield evening
    marked = await evening.marked()
    await leave(browser)
    if hasattr(evening, "foundry"):
        await evening.close()
    assert evening.complaints == []
    assert marked == [] or evening.forged
