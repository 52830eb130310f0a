"""What the stand-in plays of fights and effects beside the tracker's own buttons."""

import pytest
from playwright.async_api import Browser

from tests.foundry_stage.world import FoundryStage

pytestmark = pytest.mark.browser


@pytest.mark.long
@pytest.mark.parametrize("generation", [13, 14])
async def test_whoever_has_the_turn_keeps_it_when_the_order_changes(browser: Browser, generation):
    async with FoundryStage(browser, generation=generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        await ada.eval(
            """() => { window.told = []; Hooks.on("updateCombat", (c, change) => { if ("turn" in change) told.push([c.turn, c.combatant.name]) });
              Hooks.on("combatTurnChange", () => told.push("change")) }"""
        )
        await gm.eval(
            """async () => {
              const combat = await Combat.create({ active: true });
              await combat.createEmbeddedDocuments("Combatant",
                canvas.tokens.placeables.map((t, i) => ({ tokenId: t.id, sceneId: canvas.scene.id, actorId: t.document.actorId, initiative: 20 - i })));
              await combat.startCombat(); await combat.nextTurn();
              await combat.setInitiative(combat.combatant.id, 30);
            }"""
        )
        await ada.until("() => told.length === 5")
        # Started, next, sorted anew: only the last says no change of turn.
        assert await ada.eval("() => told") == ["change", [0, "Mira"], "change", [1, "Tolan"], [0, "Tolan"]]
        await gm.eval("async () => { await game.combat.combatant.delete(); }")
        await ada.until("() => game.combat.combatants.size === 2")
        assert await ada.eval("() => [game.combat.turn, game.combat.combatant.name]") == [0, "Mira"]


@pytest.mark.long
@pytest.mark.parametrize("generation", [13, 14])
async def test_an_items_effect_is_its_bearers_and_a_status_is_there_once(browser: Browser, generation):
    async with FoundryStage(browser, generation=generation) as world:
        world.expect_error("already exists")
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        await gm.eval(
            """async () => {
              const [item] = await game.actors.getName("Mira").createEmbeddedDocuments("Item", [{ name: "Chains", type: "base" }]);
              await item.createEmbeddedDocuments("ActiveEffect", [{ name: "Chained", statuses: ["prone"], transfer: true }]);
            }"""
        )
        prone = "() => game.actors.getName('Mira').statuses.has('prone')"
        await ada.until(prone)
        await gm.eval(
            "() => game.actors.getName('Mira').items.contents[0].effects.contents[0].update({ disabled: true }).then(() => {})"
        )
        await ada.until("() => !game.actors.getName('Mira').statuses.has('prone')")
        await gm.eval(
            "() => game.actors.getName('Mira').items.contents[0].effects.contents[0].update({ disabled: false }).then(() => {})"
        )
        await ada.until(prone)
        await gm.eval("() => game.actors.getName('Mira').items.contents[0].delete().then(() => {})")
        await ada.until("() => !game.actors.getName('Mira').statuses.has('prone')")
        # Two pages at once: the second one is refused.
        refused = """() => { const { actor } = canvas.tokens.placeables.find(t => t.name === 'Mira');
          return Promise.allSettled([actor.toggleStatusEffect('dead'), actor.toggleStatusEffect('dead')]).then((all) => all.map(({ status }) => status)) }"""
        assert sorted(await gm.eval(refused)) == ["fulfilled", "rejected"]
