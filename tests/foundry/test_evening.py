"""One evening in Foundry: joining, numbers, rolling, cards; each in V13 and V14."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.foundry.stage import Evening, aim, cards, live, select


async def rolls(evening: Evening) -> list[Any]:
    """Every check in the log, as a GM reads it."""
    events = [event for commit in await evening.bridge.log() for event in getattr(commit, "events", ())]
    return [event for event in events if type(event).__name__ == "CheckRolled"]


async def open_dialog(page: Page, preset: dict[str, Any] | None = None) -> Any:
    """The roll dialog, filled in as far as a macro says, with its chance."""
    await page.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", preset or {})
    return page.get_by_test_id("roll-panel")


async def choose(page: Page, check: str, choice: str) -> str | None:
    """Have a page send a choice past its buttons; the code of the refusal."""
    send = """async (cmd) => {
      const { link } = await import('/modules/boonbridge/scripts/foundry/link.mjs');
      return (await link.model.send(cmd)).code ?? null;
    }"""
    code: str | None = await page.evaluate(send, {"t": "Choose", "check": check, "choice": choice})
    return code


async def test_a_player_joins_with_nothing_typed_and_rolls(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm(typed=True)
    player = await evening.player()
    evening.bridge.tape.lay(17)
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await dialog.get_by_test_id("action").fill("climbs the wall")
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)
    await expect(cards(gm)).to_have_count(1)
    await expect(dialog).to_have_count(0)
    (rolled,) = await rolls(evening)
    for page in (player, gm):
        await expect(cards(page).locator("[data-part=total]")).to_have_attribute("data-total", str(rolled.result.total))
        await expect(cards(page).locator("[data-face]")).to_have_attribute("data-face", "17")
    (message,) = evening.messages()
    assert "climbs the wall" in message["content"]
    assert f"<strong>{rolled.result.total}</strong>" in message["content"]
    assert "<svg" not in message["content"]
    totals = await gm.evaluate("game.messages.contents.map(m => m.rolls.map(r => [r.total, r.dice[0].results[0].result]))")
    assert totals == [[[rolled.result.total, 17]]]


async def test_several_tokens_are_one_commit_and_one_card(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await select(gm, "Mira", "Teo", "Empty")
    evening.bridge.tape.lay(3, 18)
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("who")).to_contain_text("Teo")
    await expect(dialog.get_by_test_id("preview-row")).to_have_count(2)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(gm)).to_have_count(1)
    await expect(cards(gm).locator("[data-part=row]")).to_have_count(2)
    assert len(await rolls(evening)) == 2
    assert len(evening.messages()) == 1


async def test_two_targets_are_a_row_each_and_their_numbers_stay_hidden(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player()
    await aim(player, "First ogre", "Second ogre")
    evening.bridge.tape.lay(10, 11)
    dialog = await open_dialog(player, {"check": "against", "params": {"attribute": "strength", "against": "agility"}})
    await expect(dialog.locator("[data-target]")).to_have_count(2)
    await expect(dialog.get_by_test_id("preview-row")).to_have_count(2)
    await dialog.get_by_test_id("roll").click()
    for page in (player, gm):
        await expect(cards(page).locator("[data-part=row]")).to_have_count(2)
    assert await cards(player).locator("[data-target]:not([data-target=''])").count() == 0
    assert await cards(gm).locator("[data-part=total][data-target]").count() == 2
    (message,) = evening.messages()
    assert "against 13" not in message["content"]
    names = [event.rolled.opponent_name for event in await rolls(evening)]
    assert names == ["First ogre", "Second ogre"]


async def test_ad_hoc_is_two_clicks(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    evening.bridge.tape.lay(12)
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("free-name")).to_have_value("Somebody")
    await dialog.get_by_test_id("roll").click()
    await expect(cards(gm)).to_contain_text("without a sheet")


async def test_a_bridge_that_restarts_during_a_click_makes_one_roll_and_one_card(evening: Evening) -> None:
    await evening.open(taped=False)
    gm = await evening.gm()
    player = await evening.player()
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await evening.bridge.close()
    await expect(player.locator("#boonbridge-state")).to_have_attribute("data-state", "away")
    await expect(player.get_by_test_id("roll-notice")).to_be_visible()
    await dialog.get_by_test_id("roll").click()
    await expect(dialog.get_by_test_id("send-status")).to_contain_text("away")
    await evening.bridge.open("sage_d20", taped=False)
    await live(player)
    await live(gm)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)
    assert len(await rolls(evening)) == 1
    assert len(evening.messages()) == 1


@pytest.mark.long  # a bridge that restarts during a click is tested each time
async def test_a_bridge_killed_between_the_roll_and_its_answer(evening: Evening) -> None:
    await evening.open(taped=False)
    gm = await evening.gm()
    player = await evening.player()
    home, deaf = player.context, [False]
    await player.close()

    def line(route: Any) -> None:
        server = route.connect_to_server()
        server.on_message(lambda message: None if deaf[0] else route.send(message))

    await home.route_web_socket("**/ws", line)
    player = await evening.tab(home, "Mo")
    await live(player)
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    deaf[0] = True
    await dialog.get_by_test_id("roll").click()
    await expect(dialog.get_by_test_id("send-status")).to_be_visible()
    assert len(await rolls(evening)) == 1
    await evening.bridge.close()
    deaf[0] = False
    await evening.bridge.open("sage_d20", taped=False)
    await live(player)
    await expect(dialog).to_have_count(0)
    for page in (player, gm):
        await expect(cards(page)).to_have_count(1, timeout=15_000)
    assert len(await rolls(evening)) == 1
    assert len(evening.messages()) == 1


async def test_a_macro_rolls_at_once_and_the_hotbar_keeps_a_roll(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    player = await evening.player()
    evening.bridge.tape.lay(15)
    outcome = await player.evaluate(
        "game.modules.get('boonbridge').api.roll({ dialog: false, check: 'attribute', params: { attribute: 'will', tn: 12 }, action: 'holds on' })"
    )
    assert outcome["ok"]
    await expect(cards(player)).to_contain_text("holds on")
    await open_dialog(player, {"action": "leaps"})
    await player.locator("[data-action=toggleControls]").last.click()
    await player.get_by_text("To the hotbar").click()
    await player.wait_for_function("game.macros.contents.length === 1")
    macro = await player.evaluate("game.macros.contents[0].command")
    assert ".api.roll({" in macro
    assert '"action": "leaps"' in macro


async def test_every_actors_sheet_has_it_in_its_menu(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await gm.evaluate("id => { game.actors.get(id).sheet.render({ force: true }) }", evening.ids["Ogre"])
    await gm.locator("[data-action=toggleControls]").last.click()
    await gm.get_by_text("Boonbridge numbers").click()
    await expect(gm.get_by_test_id("number-strength")).to_have_value("12")


async def test_roll_here_instead_says_that_it_is_not_from_the_bridge(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    player = await evening.player()
    await evening.bridge.close()
    await expect(player.locator("#boonbridge-state")).to_have_attribute("data-state", "away")
    await open_dialog(player)
    await player.get_by_test_id("local-roll").click()
    await expect(player.locator(".chat-message").first).to_contain_text("Not from the bridge")
    assert evening.messages()[-1]["whisper"] == []
    # As hidden as the dialog has it, as far as Foundry can.
    await open_dialog(player, {"mode": "secret"})
    await player.get_by_test_id("local-roll").click()
    await expect(player.get_by_test_id("roll-panel")).to_have_count(0)
    hidden = evening.messages()[-1]
    gms = {evening.ids[name] for name in ("Gamemaster", "Second")}
    assert (len(evening.messages()), hidden["blind"], set(hidden["whisper"])) == (2, True, gms)
    await evening.bridge.open("sage_d20")


async def test_check_in_chat_opens_the_dialog(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    player = await evening.player()
    text = "<p>/check leap the gap</p>" if evening.world.generation >= 14 else "/check leap the gap"
    await player.evaluate("text => ui.chat.processMessage(text)", text)
    await expect(player.get_by_test_id("action")).to_have_value("leap the gap")
    assert evening.messages() == []


async def test_a_choice_is_a_button_for_who_may_and_a_card_of_its_own(evening: Evening) -> None:
    await evening.open("group_d12")
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    for name in ("Mira", "Teo"):
        await gm.evaluate("id => game.modules.get('boonbridge').api.numbers(id)", evening.ids[name])
        window = gm.get_by_test_id("numbers-window")
        await window.get_by_test_id("add-skill").click()
        await window.locator(".number-rows input[type=text]").last.fill("Lore")
        await window.locator(".number-rows input[type=number]").last.fill("3")
        await window.get_by_test_id("save-numbers").click()
        await window.wait_for(state="detached")
    player, other = await evening.player("Mo"), await evening.player("Kim")
    # A failure with an empty pool is accepted by itself and earns a Boon; the next one can be bought off with it.
    for count in (1, 2):
        evening.bridge.tape.lay(2)
        dialog = await open_dialog(player)
        await dialog.get_by_test_id("roll").click()
        await expect(cards(other)).to_have_count(count)
    await expect(cards(other).locator("[data-part=waiting]")).to_be_visible()
    await expect(cards(other).locator("[data-choice]")).to_have_count(0)
    # Without a button he may not either: Spend and Accept are the owner's.
    for choice in ("spend", "accept"):
        assert await choose(other, str((await rolls(evening))[-1].rolled.check), choice) == "choice.not_yours"
    # Both want the one Boon. Whoever is second keeps his decision, and reads why he cannot spend.
    evening.bridge.tape.lay(2)
    dialog = await open_dialog(other)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(other).locator("[data-choice]:enabled")).to_have_count(2)
    evening.bridge.tape.lay(11)
    await cards(player).locator("[data-choice][data-primary]").click()
    for page in (gm, player, other):
        await expect(cards(page)).to_have_count(4)
    await expect(cards(player).locator("[data-choice]")).to_have_count(0)
    for page in (gm, other):
        await expect(cards(page).locator("[data-choice]:enabled")).to_have_count(1)
        await expect(cards(page).locator("[data-choice]:disabled small")).to_contain_text("no Boon")
    assert len(evening.messages()) == 4
    assert evening.messages()[-1]["content"].count("<strong>11</strong>") == 1
    # What is left to the other is to accept; nobody else does it for him.
    assert await choose(player, str((await rolls(evening))[-1].rolled.check), "accept") == "choice.not_yours"
    await cards(other).locator("[data-choice=accept]:enabled").click()
    for page in (gm, other):
        await expect(cards(page).locator("[data-choice]")).to_have_count(0)
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await expect(gm.get_by_test_id("table-window").get_by_test_id("pool")).to_have_attribute("data-held", "1")
