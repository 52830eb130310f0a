"""What a world may throw at the module; the fixture fails on any error in a console."""

import pytest
from playwright.async_api import expect

from tests.foundry.stage import NUMBERS, Evening, cards, live, select
from tests.foundry.test_evening import open_dialog, rolls


async def test_a_player_without_a_gm_is_told_what_to_wait_for(evening: Evening) -> None:
    await evening.open()
    player = await evening.page("Mo")
    await expect(player.locator("#boonbridge-state")).to_have_attribute("data-state", "idle")
    gm = await evening.gm()
    await live(player)
    await gm.context.close()
    await player.evaluate("game.settings.set('boonbridge', 'own', {})")
    await player.reload()
    await expect(player.locator("#boonbridge-state")).to_have_attribute("data-state", "waiting")
    await player.get_by_test_id("boonbridge-state").click()
    await expect(player.get_by_test_id("connection-window")).to_contain_text("as soon as a GM is here")


async def test_a_forged_token_of_a_player_is_not_believed(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    player, forger = await evening.player("Mo"), await evening.player("Kim")
    before = await player.evaluate("game.settings.get('boonbridge', 'own')")
    forged = {
        "type": "token",
        "nonce": "n" * 22,
        "token": "forged",
        "table": "evening",
        "addresses": ["ws://127.0.0.1:1/ws"],
        "isGM": True,
    }
    await forger.evaluate(
        "([data, to]) => game.socket.emit('module.boonbridge', data, { recipients: [to] })", [forged, evening.ids["Mo"]]
    )
    await forger.evaluate(
        "to => game.socket.emit('module.boonbridge', { type: 'ready' }, { recipients: [to] })", evening.ids["Mo"]
    )
    evening.bridge.tape.lay(9)
    dialog = await open_dialog(player)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(forger)).to_have_count(1)
    after = await player.evaluate("game.settings.get('boonbridge', 'own')")
    assert [own["token"] for own in after.values()] == [own["token"] for own in before.values()]


async def test_tokens_and_actors_that_are_not_there(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await select(gm, "Empty")
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("free-name")).to_be_visible()
    await dialog.get_by_test_id("cancel").click()
    await gm.evaluate("game.modules.get('boonbridge').api.roll({ actor: null })")
    await gm.evaluate("game.modules.get('boonbridge').api.numbers('nobody')")
    await select(gm, "Teo")
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await gm.evaluate("id => game.actors.get(id).delete()", evening.ids["Teo"])
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_be_visible()
    assert await rolls(evening) == []


async def test_sixty_tokens_are_one_roll(evening: Evening) -> None:
    await evening.open(taped=False)
    tokens = evening.scene["tokens"]
    for number in range(60):
        copy = {
            **tokens[2],
            "_id": f"{number:016d}",
            "name": f"Goblin {number}",
            "x": 100 * (number % 20),
            "y": 300 + 100 * (number // 20),
        }
        tokens.append(copy)
    gm = await evening.gm()
    await select(gm, *[f"Goblin {number}" for number in range(60)])
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("preview-row").first).to_be_visible()
    await dialog.get_by_test_id("roll").click()
    await expect(cards(gm).locator("[data-part=row]")).to_have_count(60)


async def test_a_message_of_an_unknown_commit_and_a_made_up_one(evening: Evening) -> None:
    evening.forged = True
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Kim")
    await player.evaluate(
        "flags => ChatMessage.create({ content: '<p>made up</p>', flags: { boonbridge: flags } })",
        {"table": "evening", "epoch": 1, "seq": 999_999},
    )
    await player.evaluate(
        "flags => ChatMessage.create({ content: '<p>of another world</p>', flags: { boonbridge: flags } })",
        {"table": "other", "epoch": 1, "seq": 3},
    )
    await player.evaluate("() => ChatMessage.create({ content: '<p>broken</p>', flags: { boonbridge: { seq: {} } } })")
    for text in ("made up", "of another world", "broken"):
        await expect(gm.locator(".chat-message", has_text=text)).to_have_count(1)


async def test_a_world_without_a_canvas(evening: Evening) -> None:
    await evening.open(options={"noCanvas": True})
    await evening.gm()
    player = await evening.player()
    evening.bridge.tape.lay(14)
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)


async def test_two_gms_have_their_dialogs_open(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    second = await evening.page("Second")
    await live(second)
    first_dialog, second_dialog = await open_dialog(gm), await open_dialog(second)
    evening.bridge.tape.lay(4, 6)
    await first_dialog.get_by_test_id("roll").click()
    await second_dialog.get_by_test_id("roll").click()
    await expect(cards(gm)).to_have_count(2)
    await expect(cards(second)).to_have_count(2)
    assert len(evening.messages()) == 2


async def test_numbers_of_an_opponent_are_in_no_document(evening: Evening) -> None:
    await evening.open()
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    await gm.evaluate("id => game.modules.get('boonbridge').api.numbers(id)", evening.ids["Ogre"])
    window = gm.get_by_test_id("numbers-window")
    for key in NUMBERS:
        await window.get_by_test_id(f"number-{key}").fill("37")
    await window.get_by_test_id("save-numbers").click()
    await window.wait_for(state="detached")
    flags = evening.world.documents.collections["Actor"][evening.ids["Ogre"]]["flags"]
    assert flags["boonbridge"] == {"link": {"table": "evening", "actor": f"Actor.{evening.ids['Ogre']}"}}


async def test_actors_of_a_system_that_knows_no_roll_data(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player()
    for page in (gm, player):
        await page.evaluate("() => { CONFIG.Actor.documentClass.prototype.getRollData = undefined; }")
        assert await page.evaluate("game.actors.contents.every(actor => actor.getRollData === undefined)")
    evening.bridge.tape.lay(14, 15)
    dialog = await open_dialog(player)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)
    await evening.give_numbers(gm, "Mira")
    outcome = await gm.evaluate(
        "id => game.modules.get('boonbridge').api.roll({ dialog: false, actor: id, check: 'attribute', params: { attribute: 'will', tn: 12 } })",
        evening.ids["Mira"],
    )
    assert outcome["ok"]
    await expect(cards(gm)).to_have_count(2)


async def test_tokens_that_are_gone_while_the_dialog_is_open(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await select(gm, "First ogre")
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await gm.evaluate("() => canvas.scene.deleteEmbeddedDocuments('Token', canvas.scene.tokens.map(token => token.id))")
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_be_visible()
    assert await rolls(evening) == []
    await dialog.get_by_test_id("cancel").click()
    evening.bridge.tape.lay(9)
    dialog = await open_dialog(gm)
    await expect(dialog.get_by_test_id("free-name")).to_be_visible()
    await dialog.get_by_test_id("roll").click()
    await expect(cards(gm)).to_have_count(1)


@pytest.mark.long
async def test_who_was_renamed_or_deleted_while_the_bridge_was_away_is_so_at_the_table(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await evening.bridge.close()
    await expect(gm.locator("#boonbridge-state")).not_to_have_attribute("data-state", "live")
    await gm.evaluate(
        "async ([mira, ogre]) => { await game.actors.get(mira).update({ name: 'Mirabel' }); await game.actors.get(ogre).delete(); }",
        [evening.ids["Mira"], evening.ids["Ogre"]],
    )
    await evening.bridge.open("sage_d20")
    await live(gm)
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    rows = gm.get_by_test_id("table-window").get_by_test_id("panel-row")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text("Mirabel")
