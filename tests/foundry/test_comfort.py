"""In Foundry, too: what waits for a roll is a button over the chat input, a finger has room, everything has a name."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, RequestCheck
from boonbridge_schemas.grants import GrantSource
from boonbridge_schemas.requests import AskedCheck
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog
from tests.foundry.test_pictures import seat
from tests.support.comfort import IN_FOUNDRY, small_targets, unnamed

STRENGTH = (AskedCheck(check="attribute", params={"attribute": "strength", "tn": 10}),)


async def test_what_waits_for_a_roll_is_a_button_over_the_chat_input(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Mo")
    bar = player.get_by_test_id("pending-bar")
    await expect(bar).to_be_hidden()
    mira, teo = (f"Actor.{evening.ids[name]}" for name in ("Mira", "Teo"))
    for action in ("holds the rope", "holds on"):
        await evening.bridge.as_gm(RequestCheck(actors=(mira, teo), checks=STRENGTH, action=action))
    await expect(bar).to_have_text("Roll for Miraholds the rope1 more waits")
    await expect(player.get_by_test_id("pending-said")).to_have_text("2 rolls of yours are waited for.")
    field, button = await player.locator("#chat-message").bounding_box(), await bar.bounding_box()
    assert field is not None
    assert button is not None
    assert button["width"] >= field["width"]
    assert button["height"] >= 44
    assert button["y"] + button["height"] <= field["y"]
    await expect(gm.get_by_test_id("pending-bar")).to_be_hidden()
    # Foundry draws its input anew: the button stands over it still, and once.
    await player.evaluate("ui.chat.render({ force: true })")
    await expect(bar).to_have_count(1)
    for action, face in (("holds the rope", 9), ("holds on", 3)):
        await expect(bar).to_contain_text(action)
        await bar.get_by_test_id("pending-roll").press("Enter")
        panel = player.get_by_test_id("answer-panel")
        await expect(panel.get_by_test_id("chance")).to_be_visible()
        evening.bridge.tape.lay(face)
        await panel.get_by_test_id("roll").click()
        await expect(panel).to_have_count(0)
    await expect(bar).to_be_hidden()


async def touched(evening: Evening, user: str) -> Page:
    """Somebody's browser on a tablet."""
    context = await evening.browser.new_context(viewport={"width": 820, "height": 1180}, reduced_motion="reduce", has_touch=True)
    await context.add_cookies([{"name": "session", "value": evening.foundry.login(evening.ids[user]), "url": evening.place}])
    return await evening.tab(context, user)


async def close_all(page: Page) -> None:
    """Every window of the module."""
    await page.evaluate(
        "Promise.all([...foundry.applications.instances.values()].filter(a => a.id.startsWith('boonbridge-')).map(a => a.close()))"
    )


@pytest.mark.long
async def test_a_finger_has_room_in_every_window_and_on_every_card(evening: Evening) -> None:
    await evening.open("group_d12")
    mira, teo = (f"Actor.{evening.ids[name]}" for name in ("Mira", "Teo"))
    gm = await touched(evening, "Gamemaster")
    wrong: dict[str, list[str]] = {}

    async def look(page: Page, where: str) -> None:
        await page.evaluate("for (const fold of document.querySelectorAll('.boonbridge details')) fold.open = true")
        wrong[where] = [*await small_targets(page, IN_FOUNDRY), *await unnamed(page, IN_FOUNDRY)]

    await expect(gm.get_by_test_id("address")).to_be_visible()
    await look(gm, "first run")
    await evening.pair(gm)
    await look(gm, "characters")
    await seat(evening, "group_d12")
    player = await touched(evening, "Mo")
    await close_all(gm)
    await live(player)
    rope = GrantSource(id="rope", label="A rope", kind="position")
    asked = (AskedCheck(check="skill", params={"skill": "skill.stealth", "difficulty": 9}),)
    await evening.bridge.as_gm(
        Grant(actors=(mira,), sign="boon", source=rope),
        RequestCheck(actors=(mira, teo), checks=asked, action="past the night watch"),
    )
    evening.bridge.tape.lay(2, 3, 4, 5)
    roll: dict[str, Any] = {
        "check": "skill",
        "params": {"skill": "skill.stealth", "difficulty": 11},
        "dialog": False,
        "actors": [evening.ids["Mira"]],
    }
    for _ in range(2):
        assert (await player.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", roll))["ok"]
    for page, who in ((gm, "gm"), (player, "player")):
        await expect(cards(page)).to_have_count(3)
        await look(page, f"{who}: chat")
    await open_dialog(player)
    await expect(player.get_by_test_id("roll-panel").get_by_test_id("chance")).to_be_visible()
    await look(player, "roll")
    await close_all(player)
    for opens, window in (
        ("api.table()", "table-window"),
        ("api.request()", "request-window"),
        ("api.dice()", "dice-window"),
        ("api.connection()", "connection-window"),
        (f"api.standing('{evening.ids['Mira']}')", "standing-window"),
        (f"api.numbers('{evening.ids['Mira']}')", "numbers-window"),
    ):
        await gm.evaluate(f"void game.modules.get('boonbridge').{opens}")
        shown = gm.get_by_test_id(window)
        await expect(shown).to_be_visible()
        await look(gm, window)
        for tab in await shown.get_by_role("tab").all():
            await tab.click()
            await look(gm, f"{window}: {await tab.text_content()}")
        await close_all(gm)
    assert [f"{where}: {each}" for where, all_of_it in wrong.items() for each in all_of_it] == []
