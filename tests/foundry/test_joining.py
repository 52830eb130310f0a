"""Coming in: the first evening counted, another table, an older bridge, access taken back and given again."""

import json

from playwright.async_api import expect

from boonbridge_schemas.commands import RevokeAccess
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog


async def test_from_a_fresh_world_to_a_players_roll_in_twelve_inputs(evening: Evening) -> None:
    await evening.open(taped=False)
    inputs = 0
    gm = await evening.page("Gamemaster")
    for field, text in (("address", evening.address), ("code", await evening.code())):
        await gm.get_by_test_id(field).fill(text)
        inputs += 1
    await gm.get_by_test_id("pair").click()
    setup = gm.get_by_test_id("setup-table")
    mira = setup.locator(f"[data-actor='{evening.ids['Mira']}']")
    for key in ("strength", "agility"):
        await mira.get_by_test_id(f"number-{key}").fill("12")
        inputs += 1
    await setup.get_by_test_id("save-characters").click()
    await expect(setup.get_by_test_id("setup-said")).to_have_text("Saved.")
    await setup.get_by_test_id("test-roll").click()
    await expect(setup.get_by_test_id("setup-said")).to_contain_text("It works")
    await setup.get_by_test_id("setup-done").click()
    inputs += 4
    player = await evening.player("Mo")
    await player.get_by_role("button", name="Boonbridge: roll").click()
    await player.get_by_test_id("roll-panel").get_by_test_id("roll").click()
    inputs += 2
    await expect(cards(player)).to_have_count(2)
    assert inputs <= 12


async def test_another_table_is_joined_only_on_purpose(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await evening.bridge.running.new_table("other", "Somebody else's", "sage_d20")
    code = str(await evening.bridge.running.hub.pairing.new_code("other"))
    await gm.evaluate("game.settings.set('boonbridge', 'own', {})")
    await gm.reload()
    await gm.get_by_test_id("boonbridge-state").click()
    await gm.get_by_test_id("open-setup").click()
    for answer, table in (("no", "evening"), ("yes", "other")):
        await gm.get_by_test_id("address").fill(evening.address)
        await gm.get_by_test_id("code").fill(code)
        await gm.get_by_test_id("pair").click()
        dialog = gm.locator("dialog, .dialog").last
        await expect(dialog).to_contain_text("evening")
        await dialog.locator(f"button[data-action={answer}]").click()
        if answer == "no":
            await expect(gm.get_by_test_id("trouble")).to_contain_text("Nothing was changed")
            code = str(await evening.bridge.running.hub.pairing.new_code("other"))
        else:
            await expect(gm.get_by_test_id("setup-table")).to_contain_text("Somebody else's")
        assert (await gm.evaluate("game.settings.get('boonbridge', 'table')"))["id"] == table


async def test_an_older_bridge_is_named_as_the_side_to_update(evening: Evening) -> None:
    await evening.open()
    context = (await evening.gm()).context

    def older(route: object) -> None:
        server = route.connect_to_server()  # type: ignore[attr-defined]

        def tell(message: str) -> None:
            frame = json.loads(message)
            if frame["t"] == "welcome":
                frame.update(features=[], bridge="0.0.9")
            route.send(json.dumps(frame))  # type: ignore[attr-defined]

        server.on_message(tell)

    await context.route_web_socket("**/ws", older)
    gm = await evening.tab(context, "Gamemaster")
    await live(gm)
    await gm.get_by_test_id("boonbridge-state").click()
    await expect(gm.get_by_test_id("update")).to_contain_text("newer than the bridge")


async def test_access_taken_back_is_not_given_again_by_itself(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Mo")
    await evening.bridge.as_gm(RevokeAccess(user=evening.ids["Mo"]))
    await expect(player.locator("#boonbridge-state")).to_have_attribute("data-state", "waiting")
    await gm.get_by_test_id("boonbridge-state").click()
    await gm.get_by_role("button", name="Let in").click()
    await live(player)
    evening.bridge.tape.lay(8)
    dialog = await open_dialog(player)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)
