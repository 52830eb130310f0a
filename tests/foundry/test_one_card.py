"""Exactly one card per roll, whoever is there, and none again once the chat was cleared.

Each number of GMs and tabs plays one evening through: live, reload, catch-up, cleared chat. A world is shared by the four, so
that a card which one of them leaves too many is still there for the next.
"""

import pytest
from playwright.async_api import BrowserContext, Page, expect

from boonbridge_schemas.base import Mode
from boonbridge_schemas.commands import RollCheck
from tests.browser.stage import TABLE
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog
from tests.support.wait import until

FALLEN = "game.dice3d._stageAnimations.length"


async def roll_once(page: Page) -> None:
    """One roll, from the dialog."""
    dialog = await open_dialog(page)
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_have_count(0)


def elsewhere(evening: Evening, action: str, mode: Mode = "public") -> RollCheck:
    """What somebody rolls who is not in Foundry: on the command line, or at the table page."""
    actor = f"Actor.{evening.ids['Mira']}"
    return RollCheck(check="attribute", actors=(actor,), params={"attribute": "will", "tn": 10}, action=action, mode=mode)


async def one_each(evening: Evening, pages: list[Page], count: int) -> None:
    """So many cards on every page, and as many messages in the world."""
    for page in pages:
        await expect(cards(page)).to_have_count(count, timeout=15_000)
    assert len(evening.messages()) == count


class Room:
    """Who is in the world, each in a browser of his own that he may leave and come back to."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.homes: list[tuple[BrowserContext, str, int]] = []
        self.pages: list[Page] = []

    def seat(self, *pages: Page, user: str) -> None:
        """Somebody is here, with all his tabs."""
        self.homes.append((pages[0].context, user, len(pages)))
        self.pages += pages

    async def leave(self) -> None:
        """Everybody closes his tabs, and the bridge has heard it: a page that is closing may still answer."""
        for page in self.pages:
            await page.close()
        self.pages = []
        await until(lambda: self.evening.bridge.running.hub.online(TABLE) == 0)

    async def come_back(self) -> None:
        """Everybody is here again, with as many tabs as before."""
        for context, user, tabs in self.homes:
            self.pages += [await self.evening.tab(context, user) for _ in range(tabs)]
        for page in self.pages:
            await live(page)


@pytest.mark.parametrize(
    ("gms", "tabs"),
    [
        pytest.param(2, 1),
        *(pytest.param(gms, tabs, marks=pytest.mark.long) for gms, tabs in ((0, 1), (0, 2), (1, 1), (1, 2), (2, 2))),
    ],
)
async def test_i70_i71_one_card_with_any_number_of_gms_and_tabs(evening: Evening, gms: int, tabs: int) -> None:
    await evening.open(taped=False, options={"dice": 30})
    gm = await evening.gm()
    desk, room = gm.context, Room(evening)
    player = await evening.player()
    others = [await evening.tab(player.context, "Mo") for _ in range(tabs - 1)]
    room.seat(player, *others, user="Mo")
    if gms >= 1:
        room.seat(gm, user="Gamemaster")
    else:
        await gm.close()
    if gms == 2:
        room.seat(await evening.page("Second"), user="Second")
    for page in room.pages:
        await live(page)

    # Live: the player, and whoever came last.
    await roll_once(player)
    await roll_once(room.pages[-1])
    await one_each(evening, room.pages, 2)

    # Reload: everybody, at once.
    for page in room.pages:
        await page.reload()
    for page in room.pages:
        await live(page)
    await one_each(evening, room.pages, 2)

    # Catch-up: nobody is here while somebody rolls elsewhere.
    await room.leave()
    await evening.bridge.as_gm(elsewhere(evening, "keeps watch"), elsewhere(evening, "wakes the others"))
    assert len(evening.messages()) == 2
    await room.come_back()
    await one_each(evening, room.pages, 4)
    for page in room.pages:
        assert await page.evaluate(FALLEN) == 0

    # Cleared chat: a GM does that, and with him gone nothing comes back either.
    clearing = room.pages[tabs] if gms else await evening.tab(desk, "Gamemaster")
    await clearing.evaluate("ChatMessage.deleteDocuments([], { deleteAll: true })")
    await one_each(evening, room.pages, 0)
    if not gms:
        await clearing.close()
    for page in room.pages:
        await page.reload()
        await live(page)
    await one_each(evening, room.pages, 0)
    await evening.bridge.as_gm(elsewhere(evening, "goes on"))
    await one_each(evening, room.pages, 1)
    assert "goes on" in evening.messages()[0]["content"]


async def test_one_who_was_away_while_others_played_finds_each_card_once_and_lying_still(evening: Evening) -> None:
    await evening.open(taped=False, options={"dice": 30})
    gm = await evening.gm()
    player = await evening.player()
    home = player.context
    await player.close()
    await roll_once(gm)
    await evening.bridge.as_gm(elsewhere(evening, "keeps watch"))
    await one_each(evening, [gm], 2)
    player = await evening.tab(home, "Mo")
    await live(player)
    await one_each(evening, [gm, player], 2)
    assert await gm.evaluate(FALLEN) == 2
    assert await player.evaluate(FALLEN) == 0


@pytest.mark.long
async def test_more_than_twenty_missed_rolls_are_one_card(evening: Evening) -> None:
    await evening.open(taped=False, options={"dice": 30})
    room = Room(evening)
    room.seat(await evening.gm(), user="Gamemaster")
    player = await evening.player()
    room.seat(player, await evening.tab(player.context, "Mo"), user="Mo")
    await room.leave()
    missed = [elsewhere(evening, f"attempt {number}") for number in range(22)]
    await evening.bridge.as_gm(*missed[:11], elsewhere(evening, "planted", "gm"), *missed[11:])
    await room.come_back()
    for _ in ("came back", "reloaded"):
        for page in room.pages:
            away = page.locator(".chat-message", has_text="While you were away")
            await expect(away).to_have_count(1)
            await expect(away.locator("li")).to_have_count(22)
            assert await page.evaluate(FALLEN) == 0
            await page.reload()
            await live(page)
    (message,) = evening.messages()
    assert "attempt 0" in message["content"]
    assert "attempt 21" in message["content"]
    assert "planted" not in str(message)
    await roll_once(room.pages[-1])
    for page in room.pages:
        await expect(cards(page)).to_have_count(1)
    assert len(evening.messages()) == 2
