"""In Foundry: with which visibility a roll begins, by dialog, macro and chat; and what only GMs know of."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import SetOptions
from tests.foundry.stage import Evening, cards, select
from tests.foundry.test_between_the_dice import logged, notices, say, whisper
from tests.foundry.test_evening import open_dialog, rolls

PLANTED, NOTE = "Qzyx limps", "Kjqz-note"
API = "game.modules.get('boonbridge').api"


async def begins(place: Any, mode: str, *said: str, testid: str = "mode") -> None:
    """Which visibility a dialog shows, and the sentences with it."""
    await expect(place.get_by_test_id(testid)).to_have_value(mode)
    for sentence in said:
        await expect(place.get_by_test_id(f"{testid}-why")).to_contain_text(sentence)
    await expect(place.get_by_test_id(f"{testid}-why")).to_be_visible(visible=bool(said))


async def at_once(page: Page, request: dict[str, Any]) -> None:
    """A macro that asks nobody."""
    request = {"params": {"attribute": "strength"}, **request}
    outcome = await page.evaluate(f"request => {API}.roll({{ dialog: false, ...request }})", request)
    assert outcome["ok"], outcome


async def test_a_gms_roll_for_others_begins_as_the_table_says_in_dialog_macro_and_chat(evening: Evening) -> None:
    await evening.open()
    gm, player = await evening.gm(), await evening.player()
    ogre, mira = evening.ids["Ogre"], evening.ids["Mira"]
    await evening.bridge.as_gm(SetOptions(options={"npc_rolls": "gm"}))
    await gm.wait_for_function(f"{API}.state === 'live'")
    dialog = await open_dialog(gm, {"actor": mira})
    await begins(dialog, "public")
    await dialog.get_by_test_id("cancel").click()
    dialog = await open_dialog(gm, {"actor": ogre, "action": PLANTED})
    # Who may not know that anything was rolled is not kept from it by a stub, and the dialog says so.
    await begins(
        dialog,
        "gm",
        "anyone outside the party begins like this",
        "Chat still tells everybody that a hidden roll was made; “GMs only, unannounced” does not.",
    )
    evening.bridge.tape.lay(17)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(gm)).to_have_count(1)
    evening.bridge.tape.lay(16, 15, 14, 3, 2)
    await at_once(gm, {"actor": ogre, "action": PLANTED})
    await at_once(gm, {"actor": ogre, "mode": "public"})
    await at_once(gm, {"actor": mira})
    await select(gm, "First ogre")
    await say(evening, gm, f"/bb d6 # {PLANTED}")
    await expect(cards(gm)).to_have_count(5)
    await gm.evaluate(f"{API}.dice()")
    await begins(gm, "gm", "anyone outside the party", testid="dice-mode")
    await gm.get_by_test_id("dice-formula").fill("d6")
    await gm.get_by_test_id("dice-mode").select_option("secret")
    await gm.get_by_test_id("roll-dice").click()
    await expect(gm.get_by_test_id("log").locator("[data-part=card][data-mode=secret]")).to_have_count(1)
    assert [roll.mode for roll in await rolls(evening)] == ["gm", "gm", "public", "public"]
    assert [roll.mode for roll in await logged(evening, "DiceRolled")] == ["gm", "secret"]
    await expect(cards(player)).to_have_count(2)
    assert len(evening.messages()) == 5
    assert PLANTED not in "\n".join(evening.heard["Mo"])


@pytest.mark.long  # what a habit comes to is worked out without Foundry, too
async def test_a_chat_that_whispers_is_what_somebody_is_used_to(evening: Evening) -> None:
    await evening.open()
    gm, player = await evening.gm(), await evening.player()
    await evening.bridge.as_gm(SetOptions(options={"npc_rolls": "gm"}))
    await whisper(player, "blind")
    dialog = await open_dialog(player)
    await begins(dialog, "blind", "Your chat is set like this.", "Chat still tells everybody")
    await dialog.get_by_test_id("mode").select_option("secret")
    await expect(dialog.get_by_test_id("mode-why")).not_to_contain_text("Chat still tells")
    await dialog.get_by_test_id("cancel").click()
    evening.bridge.tape.lay(11)
    await at_once(player, {"actor": evening.ids["Mira"]})
    await expect(player.locator(".boonbridge-message")).to_contain_text("The GM knows the result")
    # Of the table's rule and a GM's chat the stricter; a chat for himself alone hides more than the other GMs.
    await whisper(gm, "self")
    dialog = await open_dialog(gm, {"actor": evening.ids["Ogre"]})
    await begins(dialog, "self", "Your chat is set like this.")
    await whisper(gm, "public")
    await evening.bridge.as_gm(SetOptions(options={"npc_rolls": "secret"}))
    await begins(dialog, "secret", "anyone outside the party")
    assert [roll.mode for roll in await rolls(evening)] == ["blind"]


async def test_what_only_gms_know_never_reaches_a_players_client(evening: Evening) -> None:
    await evening.open()
    gm, player = await evening.gm(), await evening.player()
    ogre = evening.ids["Ogre"]
    before = len(evening.messages())
    await gm.evaluate(f"id => {API}.standing(id)", ogre)
    window = gm.get_by_test_id("standing-window")
    await window.get_by_test_id("give-grant").locator("summary").first.click()
    await window.get_by_test_id("grant-sign").locator("input[value=bane]").check()
    await window.get_by_test_id("grant-reason").fill(PLANTED)
    await window.get_by_test_id("grant-more").locator("summary").click()
    await window.get_by_test_id("grant-note").fill(NOTE)
    await window.get_by_test_id("grant-hidden").click()
    await window.get_by_test_id("give-grant-save").click()
    await expect(window.get_by_test_id("grant")).to_contain_text("only GMs know")
    dialog = await open_dialog(gm, {"actor": ogre})
    line = dialog.locator(".source-line").filter(has_text=PLANTED)
    await expect(line).to_contain_text("hidden rolls only")
    await dialog.get_by_test_id("mode").select_option("gm")
    await expect(line).to_contain_text("counts")
    # C-09: a bane takes the 4 off 16 and the modifier 2 of the ogre's strength.
    evening.bridge.tape.lay(16, 4)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(gm).locator("[data-part=total]")).to_have_attribute("data-total", "14")
    await expect(cards(gm).locator("[data-tag=hidden]")).to_have_text("only GMs knew")
    evening.bridge.tape.lay(13)
    await at_once(gm, {"actor": ogre})
    await expect(cards(player)).to_have_count(1)
    await expect(cards(player).locator("[data-part=total]")).to_have_attribute("data-total", "15")
    # Giving it left nothing in chat; of the rolls there is a stub, and an open card that knows nothing of it.
    assert len(evening.messages()) == before + 2
    for word in (PLANTED, NOTE):
        assert word not in "\n".join(evening.heard["Mo"])
        assert word not in str(evening.messages())
        assert word not in await player.content()
    # Whoever shows it is asked first; then everybody has it.
    await window.get_by_test_id("reveal").click()
    await gm.get_by_role("button", name="Show to everybody").last.click()
    await expect(window.get_by_test_id("grant").locator("[data-tag=hidden]")).to_have_count(0)
    await player.evaluate(f"id => {API}.standing(id)", ogre)
    await expect(player.get_by_test_id("standing-window").get_by_test_id("grant")).to_contain_text(PLANTED)
    assert await notices(player).count() == 0
