"""Every word of the page is from the language file, from the game or from people; a third longer, none of it is cut off."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from boonbridge.commands.demo_tables import PEOPLE
from boonbridge.net.client import Client
from boonbridge_schemas.commands import Command, RequestCheck, RollCheck, StartTurn
from boonbridge_schemas.requests import AskedCheck
from tests.browser.stage import Stage
from tests.support.comfort import cut_off
from tests.support.pseudo import hard_coded, module_in_it, servers_words

pytestmark = pytest.mark.browser
WIDTH = 390
LONG = pytest.mark.long

CHECKS: dict[str, tuple[str, dict[str, Any]]] = {
    "group_d12": ("skill", {"skill": "skill.stealth", "difficulty": 11}),
    "rank_ability": ("check", {"ability": "str", "tn": 9}),
    "public_d20": ("task", {"attribute": "attribute.might", "dc": 12}),
    "sage_d20": ("attribute", {"attribute": "will", "tn": 10}),
}
"""A check of each game for the first two of its people."""

CLIENTS = {"Mo", "Boonbridge table page", "boonbridge"}
"""The player's name, and what the page and the tests' own client call themselves."""

DIALOGS = (
    "ask-check",
    "new-actor",
    "give",
    "help",
    "condition-for",
    "edit-actor",
    "options",
    "table-data",
    "rename",
    "invite",
    "manage-people",
    "own-device",
    "start-session",
)
"""What opens a window on the table's tab, by its hook. Not everybody has every one, and not every game."""

UNFOLD = """() => {
  for (const fold of document.querySelectorAll('main details, dialog details')) fold.open = true;
  for (const item of document.querySelectorAll('.log-list > li')) item.style.contentVisibility = 'visible';
}"""


class Reader:
    """Walks through what a page shows and gathers what is wrong with it."""

    def __init__(self, known: set[str]) -> None:
        self.known = known
        self.wrong: dict[str, str] = {}
        self.opened: set[str] = set()

    async def read(self, page: Page, where: str) -> None:
        """Everything in sight, with what is folded away."""
        await page.evaluate(UNFOLD)
        for each in [*await hard_coded(page, self.known), *await cut_off(page, width=WIDTH)]:
            self.wrong.setdefault(each, where)

    async def windows(self, page: Page, who: str) -> None:
        """Every window that opens from the table's tab."""
        await page.get_by_test_id("tab-table").click()
        for menu in await page.get_by_test_id("actor-menu").all():
            if await menu.get_attribute("aria-expanded") == "false":
                await menu.click()
        await self.read(page, f"{who} table")
        verbs = [
            f"[data-verb={verb}]"
            for verb in await page.locator("main [data-verb]:visible").evaluate_all("all => all.map(x => x.dataset.verb)")
        ]
        for opener in [*(f"[data-testid={name}]" for name in DIALOGS), *verbs]:
            button = page.locator(f"main {opener}:visible").first
            if await button.count() == 0:
                continue
            await button.click()
            dialog = page.locator("dialog[open]").first
            if opener in verbs and await dialog.count() == 0:
                continue  # done at once
            await expect(dialog).to_be_visible()
            self.opened.add(opener)
            for more in ("add-check", "add-boon", "add-bane", "add-attack"):
                if await dialog.get_by_test_id(more).is_visible():
                    await dialog.get_by_test_id(more).click()
            await self.read(page, f"{who} {opener}")
            await page.keyboard.press("Escape")
            await expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize(
    "game", ["group_d12", *(pytest.param(game, marks=LONG) for game in sorted(CHECKS) if game != "group_d12")]
)
async def test_what_is_read_is_from_the_language_file_or_from_somebody(
    stage: Stage, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = module_in_it(tmp_path)
    monkeypatch.setattr("boonbridge.net.http.module_folder", lambda: copy)
    await stage.open(game, taped=False)
    await stage.set_demo()
    first, second = (name.lower() for name, _ in PEOPLE[game][:2])
    check, params = CHECKS[game]
    rolls: list[Command] = [RollCheck(check=check, actors=(first,), params=params, action="past the gate") for _ in range(6)]
    await stage.as_gm(
        *rolls,
        RequestCheck(actors=(first, second), checks=(AskedCheck(check=check, params=params),), action="over the wall"),
        StartTurn(actor=first),
    )
    async with Client(stage.socket, await stage.token("gm", "Game Master")) as client:
        reader = Reader(CLIENTS | await servers_words(client))
    size = (WIDTH, 780)
    gm, player = await stage.page("gm", "Game Master", size=size, touch=True), await stage.page(size=size, touch=True)
    assert (await gm.get_by_test_id("tab-roll").text_content() or "").strip().startswith("⟦")
    for who, page in (("gm", gm), ("player", player)):
        for opener in ("add-boon", "add-bane"):
            await page.get_by_test_id("tab-roll").click()
            button = page.locator(f"main [data-testid={opener}]:visible").first
            if await button.count() > 0:  # not every game has both
                await button.click()
            await reader.read(page, f"{who} roll")
        await page.get_by_test_id("tab-log").click()
        await expect(page.locator("[data-part=card]").nth(5)).to_be_attached()
        await reader.read(page, f"{who} log")
        await page.get_by_test_id("look-back").click()
        await expect(page.locator("[data-testid=timeline][data-state=shown]")).to_be_visible()
        await reader.read(page, f"{who} looking back")
        await page.keyboard.press("Escape")
        await reader.windows(page, who)
    # What is on a card: a correction, and the answer to a request.
    await gm.get_by_test_id("tab-log").click()
    await gm.locator("[data-part=correct]:visible").first.click()
    await expect(gm.get_by_test_id("correction-form")).to_be_visible()
    await reader.read(gm, "correction")
    await player.get_by_test_id("answer").first.click()
    await expect(player.get_by_test_id("answer-dialog").get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    await reader.read(player, "answer")
    nobody = await stage.page(None, size=size)
    await reader.read(nobody, "start")
    assert len(reader.opened) >= 9, reader.opened
    assert [f"{where}: {what}" for what, where in reader.wrong.items()] == []
