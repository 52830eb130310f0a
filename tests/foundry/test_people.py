"""People in Foundry's windows: invited to the table page, turned away and told so, let in again; a GM who comes by a link."""

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import SetRole
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_between_the_dice import start
from tests.foundry.test_evening import open_dialog
from tests.foundry.test_house_rules import open_table


async def people_of(page: Page) -> Locator:
    """The list of people in the Table window."""
    return (await open_table(page, "people")).get_by_test_id("people-view")


def person(view: Locator, name: str) -> Locator:
    """Somebody in it."""
    return view.locator("[data-testid=person]", has_text=name)


async def yes(page: Page, label: str) -> None:
    """Agree to what Foundry's own dialog asks."""
    await page.locator("dialog, .dialog, .application.dialog").get_by_role("button", name=label).click()


async def test_somebody_without_foundry_comes_by_a_link_and_is_turned_away(evening: Evening) -> None:
    gm = await start(evening, "sage_d20")
    view = await people_of(gm)
    await view.get_by_test_id("invite").click()
    await gm.get_by_test_id("invite-name").fill("Ann")
    await gm.get_by_test_id("invite-make").click()
    await expect(gm.get_by_test_id("qr")).to_be_visible()
    link = await gm.get_by_test_id("invite-link").input_value()
    await gm.locator(".boonbridge-invite [data-action=close]").click()
    await expect(view.get_by_test_id("open-code")).to_contain_text("Ann")
    page = await (await evening.browser.new_context()).new_page()
    await page.goto(link)
    await page.get_by_test_id("join").click()
    await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    ann = person(view, "Ann")
    await expect(ann).to_contain_text("here now")
    await ann.locator("summary").click()
    await expect(ann.get_by_test_id("device")).to_have_attribute("data-kind", "page")
    await ann.get_by_test_id("person-revoke").click()
    await yes(gm, "Take it back")
    await expect(page.get_by_test_id("band")).to_contain_text("taken back")
    await expect(view.get_by_test_id("people-gone")).to_contain_text("Ann")

    # Foundry's own address was admitted when the GM joined; whose key was made there stays.
    await view.get_by_test_id("people-origins").locator("summary").click()
    admitted = view.locator(f"[data-origin='{evening.place.rstrip('/')}']")
    await admitted.get_by_test_id("remove-origin").click()
    await yes(gm, "Remove it")
    await expect(admitted).to_have_count(0)
    await live(gm)


async def test_a_player_is_told_why_he_is_out_and_is_another_again(evening: Evening) -> None:
    """Each browser is a device of its own; a role given at the table outlives a new key."""
    gm = await start(evening, "sage_d20")
    player = await evening.player("Mo")
    view = await people_of(gm)
    mo = person(view, "Mo")
    await mo.locator("summary").click()
    await expect(mo.get_by_test_id("device")).to_have_attribute("data-kind", "foundry")
    own = await people_of(player)
    await expect(own.locator("[data-user]", has_text="Gamemaster")).to_contain_text("GM")
    await expect(own.get_by_test_id("own-device")).to_be_visible()
    await expect(own.get_by_test_id("invite")).to_have_count(0)
    await mo.get_by_test_id("role-observer").click()
    await expect(mo).to_have_attribute("data-role", "observer")

    await mo.get_by_test_id("person-revoke").click()
    await yes(gm, "Take it back")
    await expect(player.locator("#boonbridge-state")).to_have_attribute("data-state", "waiting")
    await player.get_by_test_id("boonbridge-state").click()
    await expect(player.get_by_test_id("connection-window")).to_contain_text("Your access to this table was taken back")
    await gm.get_by_test_id("boonbridge-state").click()
    await gm.get_by_role("button", name="Let in").click()
    await live(player)
    await expect(mo).to_have_attribute("data-role", "observer")
    await evening.bridge.as_gm(SetRole(user=evening.ids["Mo"], role="player"))
    await expect(mo).to_have_attribute("data-role", "player")


@pytest.mark.long  # that he is told the table anew is shown over sockets each time
async def test_what_a_gm_saw_in_chat_goes_when_he_is_a_player_at_the_table(evening: Evening) -> None:
    """In Foundry he is a GM still, and the whispered stubs are his: the hidden rolls in their places are not."""
    gm = await start(evening, "sage_d20")
    second, player = await evening.player("Second"), await evening.player("Mo")
    evening.bridge.tape.lay(17)
    dialog = await open_dialog(player, {"mode": "blind", "action": "planted-action", "params": {"attribute": "intellect"}})
    await dialog.get_by_test_id("roll").click()
    for page in (gm, second):
        await expect(cards(page).locator("[data-face='17']")).to_have_count(1)
    await second.evaluate("game.modules.get('boonbridge').api.log()")
    log = second.get_by_test_id("log")
    await expect(log.locator("[data-face='17']")).to_have_count(1)
    await evening.bridge.as_gm(SetRole(user=evening.ids["Second"], role="player"))
    message = second.locator(".boonbridge-message")
    await expect(message).to_contain_text("A roll for some eyes only")
    await expect(cards(second)).to_have_count(0)
    await expect(log.locator("[data-part=line]").first).to_be_visible()  # read anew, as a player may
    assert "planted-action" not in await second.content()
    await expect(cards(gm)).to_have_count(1)
    await evening.bridge.as_gm(SetRole(user=evening.ids["Second"], role="gm"))
    await expect(cards(second).locator("[data-face='17']")).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize("role", ["gm", "player"])
async def test_a_link_is_pasted_whole_where_a_gm_joins(evening: Evening, role: str) -> None:
    gm = await start(evening, "sage_d20")
    view = await people_of(gm)
    await view.get_by_test_id("invite").click()
    await gm.get_by_test_id("invite-name").fill("Second")
    await gm.get_by_test_id("invite-role").locator(f"input[value={role}]").check()
    await gm.get_by_test_id("invite-make").click()
    link = await gm.get_by_test_id("invite-link").input_value()
    await gm.evaluate("game.settings.set('boonbridge', 'own', {})")
    await gm.context.close()
    second = await evening.page("Second")
    await second.get_by_test_id("boonbridge-state").click()
    await second.get_by_test_id("open-setup").click()
    await second.get_by_test_id("code").fill(link)
    await expect(second.get_by_test_id("address")).to_have_value(link.partition("#")[0])
    await second.get_by_test_id("pair").click()
    await live(second)
    if role == "gm":
        await expect(second.get_by_test_id("setup-table")).to_be_visible()
    else:
        await expect(second.get_by_text("You are in, as player")).to_be_visible()
        await expect(second.get_by_test_id("setup-code")).to_have_count(0)
