"""A GM asks several at once, on the page: the form, the prompt on top, the card that fills, and what it comes to."""

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge.tables.identity import user_id
from boonbridge_schemas.checks import Number, Numbers
from boonbridge_schemas.commands import SyncActor
from boonbridge_schemas.events import RequestClosed
from tests.browser.stage import PHONE, TABLE, Stage

pytestmark = pytest.mark.browser


async def a_party_of_three(stage: Stage) -> None:
    """Ana and Bela of the demo belong to Mo; Cass to Kim, who is not here."""
    await stage.open("group_d12")
    await stage.set_demo()
    numbers = Numbers(values=(Number(key="skill.stealth", label="Stealth", value=0),))
    await stage.as_gm(SyncActor(actor="cass", name="Cass", side="party", owners=(user_id(TABLE, "Kim"),), numbers=numbers))


def card(page: Page) -> Locator:
    """The card of the request."""
    return page.locator("[data-part=card][data-kind=request]")


def asked(page: Page, actor: str) -> Locator:
    """The row of somebody on it."""
    return card(page).locator(f"[data-part=asked][data-actor={actor}]")


async def ask(page: Page, *, group: str, difficulty: int | None = None, skill: str | None = "Stealth") -> Locator:
    """The GM's form, filled in and not sent yet."""
    if await page.get_by_test_id("tab-table").is_visible():
        await page.get_by_test_id("tab-table").click()
    await page.get_by_test_id("ask-check").click()
    dialog = page.get_by_test_id("request-dialog")
    await dialog.get_by_test_id("request-action").fill("past the night watch")
    await dialog.get_by_test_id("request-group").select_option(group)
    if skill is not None:
        await dialog.get_by_test_id("param-skill").select_option(label=skill)
    if difficulty is not None:
        await dialog.get_by_test_id("param-difficulty-free").fill(str(difficulty))
    return dialog


async def send(dialog: Locator) -> None:
    """Send a dialog, and see it close."""
    await dialog.locator("[type=submit]").click()
    await expect(dialog).to_be_hidden()


async def answer(page: Page, stage: Stage, actor: str, *faces: int) -> None:
    """Roll from the prompt on top."""
    await page.locator(f"[data-testid=prompt-row][data-actor={actor}]").get_by_test_id("answer").click()
    dialog = page.get_by_test_id("answer-dialog")
    await expect(dialog.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(*faces)
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_be_hidden()


async def test_one_success_of_three_is_enough_and_one_of_them_is_not_here(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    dialog = await ask(gm, group="one_success", difficulty=9)
    await expect(dialog.get_by_test_id("request-actors").get_by_role("checkbox", checked=True)).to_have_count(3)
    await send(dialog)
    for page in (gm, player):
        await expect(card(page)).to_contain_text("past the night watch")
        await expect(card(page)).to_contain_text("Difficulty 9")
        await expect(card(page)).to_contain_text("One success is enough")
        await expect(card(page).locator("[data-status=sent]")).to_have_count(3)
    await expect(asked(gm, "ana")).to_have_attribute("data-seen", "")
    assert await asked(gm, "cass").get_attribute("data-seen") is None
    await expect(player.get_by_test_id("prompt-row")).to_have_count(2)

    # Ana: 2 and a stealth of 2 against 9, with one chance for her high ground: the better of 2 and 1. 4 < 9.
    await answer(player, stage, "ana", 2, 1)
    await expect(asked(gm, "ana").locator("[data-total]")).to_have_attribute("data-total", "4")
    await expect(asked(gm, "ana").locator("[data-part=row-verdict]")).to_have_attribute("data-outcome", "failure")
    # Bela: 8 and 1 are 9.
    await answer(player, stage, "bela", 8)
    await expect(asked(player, "bela").locator("[data-total]")).to_have_attribute("data-total", "9")
    await expect(asked(player, "bela").locator("[data-part=row-verdict]")).to_have_attribute("data-outcome", "success")
    await expect(player.get_by_test_id("request-prompts")).to_be_hidden()
    assert await card(gm).get_attribute("data-open") == "true"

    # Cass is rolled for: 3 against 9.
    stage.tape.lay(3)
    await card(gm).locator("[data-part=roll-missing]").click()
    for page in (gm, player):
        await expect(asked(page, "cass").locator("[data-tag=absent]")).to_have_text("rolled by the GM")
        await expect(asked(page, "cass").locator("[data-total]")).to_have_attribute("data-total", "3")
    # D-06: the group succeeds as anybody does; D-08: so there is no Boon in it.
    for page in (gm, player):
        await expect(card(page)).to_have_attribute("data-open", "false")
        await expect(card(page).locator("[data-part=verdict]")).to_have_attribute("data-outcome", "success")
        await expect(card(page).locator("[data-part=group-why]")).to_have_text("One success was enough: Bela.")
    await expect(player.locator("[data-kind=request-result] [data-part=verdict]")).to_have_attribute("data-tone", "success")
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "0")
    (closed,) = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, RequestClosed)]
    assert closed.why == "complete"
    assert closed.result is not None
    assert (closed.result.success, closed.result.counted, closed.result.succeeded) == (True, 3, 1)
