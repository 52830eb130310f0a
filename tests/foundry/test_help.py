"""Help before the dice fall, in Foundry: over everybody's hotbar stands who is about to roll what, and one button helps."""

from typing import Any, Literal

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import Grant, SetOptions, SyncActor
from boonbridge_schemas.events import CheckRolled, GrantSpent
from boonbridge_schemas.grants import GrantSource
from tests.browser.test_accessible import AXE, TAGS
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_pictures import seat

CLIMB = {"check": "attribute", "params": {"attribute": "strength", "tn": 14}, "action": "climb"}


def row(page: Page) -> Locator:
    """What the others are told."""
    return page.locator("#boonbridge-underway").get_by_test_id("underway-row")


async def dialog(page: Page, preset: dict[str, Any]) -> Locator:
    """The roll dialog, with its chance."""
    await page.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", preset)
    await expect(page.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    return page.get_by_test_id("roll-panel")


async def events(evening: Evening, kind: type) -> list[Any]:
    """Every event of a kind, as a GM reads them."""
    told = [event for commit in await evening.bridge.log() for event in getattr(commit, "events", ())]
    return [event for event in told if isinstance(event, kind)]


async def test_i80_help_moves_the_chance_in_the_open_dialog_and_the_card_names_the_helper(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    await evening.bridge.as_gm(SetOptions(options={"assist": "free"}))
    mo, kim = await evening.player("Mo"), await evening.player("Kim")
    panel = await dialog(mo, CLIMB)
    await expect(panel.get_by_test_id("chance")).to_have_text("45\u202f%")  # +2 against 14: 9/20
    await expect(row(kim)).to_contain_text("Mira is about to climb.")
    await row(kim).get_by_role("button", name="Help Mira: climb").click()
    await expect(panel.get_by_test_id("chance")).to_have_text("63\u202f%")
    await expect(panel.get_by_test_id("chance-was")).to_have_text("45\u202f% before")
    await expect(panel.get_by_test_id("sources")).to_contain_text("Help from Teo")
    await expect(row(kim)).to_contain_text("Helped by Teo.")
    evening.bridge.tape.lay(8, 4)
    await panel.get_by_test_id("action").press("Enter")
    await expect(cards(kim)).to_have_count(1)
    await expect(cards(kim).locator("[data-part=sources]")).to_contain_text("Help from Teo")
    await expect(row(kim)).to_have_count(0)
    (check,) = await events(evening, CheckRolled)
    assert (check.result.total, check.odds.success) == (14, "5/8")
    (message,) = evening.messages()
    assert "Help from Teo" in message["content"]


async def test_the_gm_has_one_button_and_escape_consumes_nothing(evening: Evening) -> None:
    await evening.open()  # assist = gm_approves
    gm = await evening.gm()
    mo, kim = await evening.player("Mo"), await evening.player("Kim")
    panel = await dialog(mo, CLIMB)
    await row(kim).get_by_test_id("help-now").click()
    await gm.get_by_role("button", name="Let Teo help").click()
    await expect(panel.get_by_test_id("chance")).to_have_text("63\u202f%")
    # What the GM gives arrives as well: two boons are the higher of two d6 more.
    await evening.bridge.as_gm(
        Grant(actors=(f"Actor.{evening.ids['Mira']}",), sign="boon", source=GrantSource(id="wind", label="No wind"))
    )
    await expect(panel.get_by_test_id("sources")).to_contain_text("No wind")
    await expect(panel.locator("[data-moved=up]")).to_have_count(1)
    # Esc closes it, and nothing of it is used up; on the next attack the help is named, and does not count.
    before = len(await evening.bridge.log())
    # Foundry hears keys on buttons, and Escape would have it close every window: it hears nothing of this one.
    await mo.evaluate("window.addEventListener('keydown', ({ key }) => { document.body.dataset.heard = key; })")
    await panel.get_by_test_id("cancel").press("Shift")
    await expect(mo.locator("body[data-heard=Shift]")).to_have_count(1)
    await panel.get_by_test_id("cancel").press("Escape")
    await expect(panel).to_have_count(0)
    await expect(row(kim)).to_have_count(0)
    assert len(await evening.bridge.log()) == before
    await expect(mo.locator("body[data-heard=Shift]")).to_have_count(1)
    panel = await dialog(mo, {"check": "luck"})
    await expect(panel.get_by_test_id("sources").locator("[data-source=aid]")).to_contain_text("not for this check")
    assert await events(evening, GrantSpent) == []


@pytest.mark.long
async def test_nothing_is_told_of_a_dialog_for_a_hidden_roll_nor_for_the_other_side(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    mo, kim = await evening.player("Mo"), await evening.player("Kim")
    for page, preset in (
        (mo, {**CLIMB, "mode": "gm"}),
        (mo, {**CLIMB, "mode": "self"}),
        (gm, {**CLIMB, "actor": evening.ids["Mira"], "mode": "secret"}),
        (gm, {**CLIMB, "actor": evening.ids["Ogre"], "action": "eat Teo"}),
    ):
        panel = await dialog(page, preset)
        await page.keyboard.press("Tab")
        await panel.get_by_test_id("cancel").click()
    # What comes last was said last; nothing came before it.
    await dialog(mo, CLIMB)
    await expect(row(kim)).to_contain_text("Mira is about to climb.")
    told = [frame for frame in evening.heard["Kim"] if '"t":"underway"' in frame]
    assert len(told) == 1, told


@pytest.mark.long
async def test_who_could_help_two_with_two_is_asked_for_each(evening: Evening) -> None:
    """A window that is open already is about one of them, and no click for the other may end in it."""
    await evening.open()
    gm = await evening.gm()
    ogre = SyncActor(actor=f"Actor.{evening.ids['Ogre']}", name="Ogre", side="party", owners=())
    await evening.bridge.as_gm(ogre, SyncActor(actor="dog", name="Dog", side="party", owners=(evening.ids["Kim"],)))
    mo, kim = await evening.player("Mo"), await evening.player("Kim")
    await dialog(mo, CLIMB)
    await dialog(gm, {**CLIMB, "actor": evening.ids["Ogre"], "action": "swim"})
    for nth, name in enumerate(("Mira", "Ogre"), 1):
        await row(kim).filter(has_text=name).get_by_test_id("help-now").evaluate("button => button.click()")
        await expect(kim.get_by_test_id("help-window")).to_have_count(nth)
        await expect(kim.locator(".window-title").last).to_contain_text(name)


@pytest.mark.long
async def test_help_is_a_check_of_ones_own_where_the_game_has_it_so(evening: Evening) -> None:
    await evening.open("group_d12")
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    await seat(evening, "group_d12")
    mo, kim = await evening.player("Mo"), await evening.player("Kim")
    await dialog(mo, {"check": "skill", "params": {"difficulty": 9}, "action": "climb"})
    await row(kim).get_by_test_id("help-check").click()
    panel = kim.get_by_test_id("roll-panel")
    await expect(panel.get_by_test_id("check-picker").get_by_role("radio", checked=True)).to_have_value("opportunity")
    evening.bridge.tape.lay(12)
    await panel.get_by_test_id("roll").click()
    await expect(cards(kim)).to_have_count(1)
    (check,) = await events(evening, CheckRolled)
    assert (check.rolled.kind, check.rolled.params["to"]) == ("opportunity", f"Actor.{evening.ids['Mira']}")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_it_can_be_read_and_reached(evening: Evening, theme: Literal["dark", "light"]) -> None:
    await evening.open(options={"theme": theme})
    gm = await evening.gm()
    mo, kim = await evening.player("Mo"), await evening.player("Kim")
    await dialog(mo, CLIMB)
    await row(kim).get_by_test_id("help-now").click()
    for page, part in ((kim, row(kim)), (gm, gm.get_by_test_id("underway-offer"))):
        await expect(part).to_be_visible()
        await page.evaluate(AXE.read_text(encoding="utf-8"))
        found = await page.evaluate("tags => axe.run('#boonbridge-underway', {runOnly: tags})", TAGS)
        assert [f"{v['id']}: {n['target']}" for v in found["violations"] for n in v["nodes"]] == []
        await page.set_viewport_size({"width": 390, "height": 780})
        for button in await part.get_by_role("button").all():
            box = await button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
    await live(kim)


@pytest.mark.long
async def test_who_wants_no_dialog_rolls_with_one_click_unless_something_is_unclear(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    mo = await evening.player("Mo")
    await dialog(mo, CLIMB)
    await mo.get_by_test_id("roll-panel").get_by_test_id("cancel").click()
    assert await events(evening, CheckRolled) == [], "asked first, as it comes"
    await mo.evaluate("game.settings.set('boonbridge', 'atOnce', true)")
    evening.bridge.tape.lay(9)
    outcome = await mo.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", CLIMB)
    assert outcome["ok"]
    await expect(cards(mo)).to_have_count(1)
    (check,) = await events(evening, CheckRolled)
    assert check.result.total == 11
    # Nothing is named, or something is missing: the dialog is there, with what was said.
    panel = await dialog(mo, {"action": "look around"})
    await panel.get_by_test_id("cancel").click()
    await mo.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", {"check": "attack", "action": "shoot"})
    await expect(mo.get_by_test_id("roll-panel").get_by_test_id("action")).to_have_value("shoot")
    assert len(await events(evening, CheckRolled)) == 1
