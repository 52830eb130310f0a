"""On Foundry's map: results of public rolls float above who rolled, a badge counts Boons and Banes; nothing of it where it is not wanted."""

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, RollCheck, RollDice
from boonbridge_schemas.grants import GrantSource
from tests.foundry.fights import gm_of
from tests.foundry.stage import Evening, cards

FLOATS = "canvas.interface._stageScrolling.map(({ origin, content }) => [origin.x, origin.y, content])"


def ogre(evening: Evening, name: str) -> str:
    """An unlinked token's id at the table."""
    (token,) = (token["_id"] for token in evening.scene["tokens"] if token["name"] == name)
    return f"Actor.{evening.ids['Ogre']}.token.{token}"


def boon(actor: str, name: str, *, sign: str = "boon", amount: int = 1, hidden: bool = False) -> Grant:
    """A Boon or a Bane that stands until it is taken back."""
    return Grant(
        actors=(actor,),
        sign="boon" if sign == "boon" else "bane",
        amount=amount,
        hidden=hidden,
        source=GrantSource(id=name, label=name),
    )


def badge(page: Page, token: str) -> object:
    """The badges of a token by its name: Boons and Banes, and whether it is seen."""
    return page.evaluate(
        """(name) => [...document.querySelectorAll(".boonbridge-badge")]
          .filter((each) => canvas.tokens.get(each.dataset.token)?.document.name === name)
          .map((each) => [each.dataset.boons, each.dataset.banes, !each.hidden, each.style.left, each.style.top])""",
        token,
    )


async def moving(page: Page) -> Page:
    """A browser of somebody who has not asked for less motion."""
    await page.emulate_media(reduced_motion="no-preference")
    return page


@pytest.mark.long
async def test_a_public_result_floats_and_a_badge_counts(evening: Evening) -> None:
    gm = await moving(await gm_of(evening, "sage_d20"))
    player = await moving(await evening.player())
    still = await evening.player("Kim")
    mira, first = f"Actor.{evening.ids['Mira']}", ogre(evening, "First ogre")
    evening.bridge.tape.lay(11)
    roll = RollCheck(check="attribute", actors=(mira,), params={"attribute": "strength", "tn": 10})
    await evening.bridge.as_gm(roll)
    for page in (gm, player):
        await page.wait_for_function("canvas.interface._stageScrolling.length === 1")
        # Kestrel's Strength of 9 takes one off: 10 against 10. The token stands at 100, 100 and is a square of 100 wide.
        assert await page.evaluate(FLOATS) == [[150, 150, "10 \u00b7 Success"]]
    # What only some may read floats for nobody, and neither does what a player does not see.
    await evening.bridge.as_gm(
        boon(first, "rope"), boon(first, "mud", sign="bane", amount=2), boon(first, "plot", hidden=True), boon(mira, "lamp")
    )
    for page in (gm, player):
        await expect(page.locator(".boonbridge-badge")).to_have_count(2)
        assert await badge(page, "First ogre") == [["1", "2", True, "400px", "100px"]]
        assert await badge(page, "Mira") == [["1", "0", True, "100px", "100px"]]
    await gm.evaluate(
        "canvas.tokens.placeables.find(t => t.document.name === 'First ogre').document.update({ hidden: true, x: 300 }).then(() => {})"
    )
    await player.wait_for_function(
        "[...document.querySelectorAll('.boonbridge-badge')].filter((each) => each.hidden).length === 1"
    )
    assert await badge(player, "First ogre") == [["1", "2", False, "300px", "100px"]]
    assert await badge(gm, "First ogre") == [["1", "2", True, "300px", "100px"]]
    evening.bridge.tape.lay(4, 17, 2, 6)  # the second roll has a d6 for the lamp
    await evening.bridge.as_gm(
        RollDice(formula="1d6", actor=first), RollCheck(check="attribute", actors=(mira,), params={"attribute": "strength", "tn": 10}, mode="gm")
    )  # fmt: skip
    await evening.bridge.as_gm(RollDice(formula="1d6", actor=mira))
    await gm.wait_for_function("canvas.interface._stageScrolling.length === 3")
    assert [text for _, _, text in await gm.evaluate(FLOATS)] == ["10 \u00b7 Success", "4", "6"]
    await player.wait_for_function("canvas.interface._stageScrolling.length === 2")
    assert [text for _, _, text in await player.evaluate(FLOATS)] == ["10 \u00b7 Success", "6"]
    # Who asked for less motion has it all in chat, and a badge that does not move.
    await expect(cards(still)).to_have_count(3)
    assert await still.evaluate(FLOATS) == []
    await expect(still.locator(".boonbridge-badge")).to_have_count(2)


async def test_results_wait_for_their_dice_and_what_is_not_wanted_is_not_drawn(evening: Evening) -> None:
    await evening.open("sage_d20", options={"dice": "held"})
    await evening.tell_numbers()
    gm = await moving(await evening.page("Gamemaster"))
    await evening.pair(gm)
    await gm.get_by_test_id("setup-done").click()
    mira = f"Actor.{evening.ids['Mira']}"
    evening.bridge.tape.lay(3, 4, 5, 6)
    await evening.bridge.as_gm(RollDice(formula="1d6", actor=mira), boon(mira, "rope"))
    await gm.wait_for_function("game.dice3d._stageAnimations.length === 1")
    await expect(gm.locator(".boonbridge-badge")).to_have_count(1)
    assert await gm.evaluate(FLOATS) == []
    await gm.evaluate("game.dice3d._stageFinish()")
    await gm.wait_for_function("canvas.interface._stageScrolling.length === 1")
    # Foundry's photosensitive mode, the person's own choice: the next result floats for neither.
    await gm.evaluate("game.settings.set('core', 'photosensitiveMode', true)")
    await evening.bridge.as_gm(RollDice(formula="1d6", actor=mira))
    await gm.wait_for_function("game.dice3d._stageAnimations.length === 2")
    await gm.evaluate(
        "game.dice3d._stageFinish(), game.settings.set('core', 'photosensitiveMode', false).then(() => game.settings.set('boonbridge', 'floating', false))"
    )
    await evening.bridge.as_gm(RollDice(formula="1d6", actor=mira))
    await gm.wait_for_function("game.dice3d._stageAnimations.length === 3")
    await gm.evaluate("game.dice3d._stageFinish(), game.settings.set('boonbridge', 'floating', true)")
    await evening.bridge.as_gm(RollDice(formula="1d6", actor=mira))
    await gm.wait_for_function("game.dice3d._stageAnimations.length === 4")
    await gm.evaluate("game.dice3d._stageFinish()")
    await gm.wait_for_function("canvas.interface._stageScrolling.length === 2")
    assert [text for _, _, text in await gm.evaluate(FLOATS)] == ["3", "6"]
    # Badges: off, on, another scene and back, a token that goes, a HUD that is drawn anew.
    await gm.evaluate("game.settings.set('boonbridge', 'badges', false)")
    await expect(gm.locator(".boonbridge-badge")).to_have_count(0)
    await gm.evaluate("game.settings.set('boonbridge', 'badges', true)")
    await expect(gm.locator(".boonbridge-badge")).to_have_count(1)
    await gm.evaluate("document.getElementById('hud').replaceChildren(), Hooks.callAll('renderHeadsUpDisplayContainer')")
    await expect(gm.locator("#hud .boonbridge-badge")).to_have_count(1)
    await gm.evaluate("Scene.create({ name: 'Elsewhere' }).then((scene) => scene.view())")
    await expect(gm.locator(".boonbridge-badge")).to_have_count(0)
    await gm.evaluate("game.scenes.contents[0].view()")
    await expect(gm.locator(".boonbridge-badge")).to_have_count(1)
    await gm.evaluate("canvas.tokens.placeables.find(t => t.document.name === 'Mira').document.delete().then(() => {})")
    await expect(gm.locator(".boonbridge-badge")).to_have_count(0)


@pytest.mark.long
async def test_without_a_canvas_nothing_is_drawn_and_nothing_fails(evening: Evening) -> None:
    await evening.open("sage_d20", options={"noCanvas": True})
    await evening.tell_numbers()
    gm = await moving(await evening.page("Gamemaster"))
    await evening.pair(gm)
    await gm.get_by_test_id("setup-done").click()
    mira = f"Actor.{evening.ids['Mira']}"
    evening.bridge.tape.lay(3)
    await evening.bridge.as_gm(RollDice(formula="1d6", actor=mira), boon(mira, "rope"))
    await expect(cards(gm)).to_have_count(1)
    await expect(gm.locator(".boonbridge-badge")).to_have_count(0)
