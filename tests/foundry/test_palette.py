"""A Boon in two clicks, from a token's HUD and from the Table window; what stands is seen at once, and ends with the roll."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import Grant, SetCondition, SetOptions
from boonbridge_schemas.events import Acted, CheckRolled, Granted, GrantRevoked, GrantSpent, Voided
from boonbridge_schemas.grants import Expiry, GrantSource
from tests.browser.test_accessible import AXE, TAGS
from tests.foundry.fights import gm_of
from tests.foundry.stage import Evening, live, select
from tests.foundry.test_evening import open_dialog
from tests.foundry.test_on_the_map import ogre

CLIMB = {"action": "climb", "params": {"attribute": "strength", "tn": 10}}


async def hud(page: Page, name: str) -> Locator:
    """Right-click a token, and open the palette: one click. The palette."""
    await page.evaluate(
        "name => { const token = canvas.tokens.placeables.find(t => t.document.name === name);"
        " token.control({ releaseOthers: !token.controlled }); return canvas.hud.token.bind(token).then(() => {}); }",
        name,
    )
    await page.get_by_test_id("hud-button").click()
    palette = page.get_by_test_id("hud-palette")
    await expect(palette).to_be_visible()
    return palette


async def table(page: Page) -> Locator:
    """The Table window, at its first tab."""
    await page.evaluate("game.modules.get('boonbridge').api.table()")
    window = page.get_by_test_id("table-window")
    await expect(window.get_by_test_id("panel-rows")).to_be_visible()
    return window


async def violations(page: Page) -> list[str]:
    """What axe has to say of what is ours, in a line each: the rest of the page is a stand-in's."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = await page.evaluate(
        "tags => axe.run({ include: [['.boonbridge'], ['.boonbridge-hud-button']].filter(([each]) => document.querySelector(each)), exclude: ['.window-header'] }, { runOnly: tags })",
        TAGS,
    )
    return [f"{v['id']}: {n['target']} {n['failureSummary']}" for v in found["violations"] for n in v["nodes"]]


async def told(evening: Evening, *kinds: type) -> list[Any]:
    """Events of some kinds, in the order of the log, as a GM reads it."""
    events = [event for commit in await evening.bridge.log() for event in getattr(commit, "events", ())]
    return [event for event in events if isinstance(event, kinds)]


async def given_seen_rolled_gone(evening: Evening, gm: Page, player: Page, palette: Locator, nth: int) -> None:
    """The GM's second click; what it does to a dialog that is open, to the roll, and to what stands."""
    dialog = await open_dialog(player, CLIMB)
    chance = dialog.get_by_test_id("chance")
    # d20 - 1 against 10: 11 and more, 10 of 20.
    await expect(chance).to_have_text("50 %")
    aid = palette.locator("[data-circumstance=aid]")
    place = await aid.bounding_box()
    await aid.click()
    await expect(dialog.get_by_test_id("sources")).to_contain_text("Aid")
    # With the highest of one d6 on top: (11 + 12 + 13 + 14 + 15 + 16) of 120, which is 67.5 %.
    await expect(chance).to_have_text("68 %")
    await expect(palette.get_by_test_id("grant")).to_have_count(1)
    await expect(player.locator(".boonbridge-badge[data-boons='1']")).to_have_count(1)
    # Nothing moved under the finger: the second click is on the same.
    assert await aid.bounding_box() == place
    await aid.click()
    await expect(palette.get_by_test_id("palette-said")).to_contain_text("stands already")
    evening.bridge.tape.lay(8, 5)
    await dialog.get_by_test_id("roll").click()
    await expect(player.locator(".boonbridge-badge")).to_have_count(0)
    await expect(palette.get_by_test_id("grant")).to_have_count(0)
    granted, spent, rolled = [await told(evening, kind) for kind in (Granted, GrantSpent, CheckRolled)]
    assert len(granted) == len(spent) == len(rolled) == nth
    assert (granted[-1].grant.source.id, granted[-1].grant.expiry.when) == ("aid", "next_roll")
    assert spent[-1].grant == granted[-1].grant.id
    # 8 - 1 + 5.
    assert (rolled[-1].result.total, rolled[-1].result.success) == (12, True)
    assert [(source.id, source.counted) for source in rolled[-1].sources] == [("aid", True)]


async def test_i20_a_boon_with_a_circumstance_is_two_clicks_from_the_hud_and_from_the_table(evening: Evening) -> None:
    """What the dialog shows is what is rolled, whoever changed it meanwhile, and from where."""
    gm = await gm_of(evening, "sage_d20")
    player = await evening.player()
    await given_seen_rolled_gone(evening, gm, player, await hud(gm, "Mira"), 1)
    await gm.evaluate("canvas.hud.token.close().then(() => {})")
    # The same without a token, and with the map gone from the GM's hand.
    window = await table(gm)
    row = window.locator(f"[data-testid=panel-row][data-actor='Actor.{evening.ids['Mira']}']")
    await row.click()
    await expect(row).to_have_attribute("data-online", "true")
    await given_seen_rolled_gone(evening, gm, player, window.get_by_test_id("boon-palette"), 2)
    await expect(row).to_have_attribute("data-boons", "0")
    # What was done last is taken back from here, after a look at what that comes to.
    await window.locator("[data-circumstance=darkness]").click()
    await expect(row).to_have_attribute("data-banes", "1")
    await expect(window.get_by_test_id("panel-last")).to_contain_text("Darkness")
    await window.get_by_test_id("panel-last").locator("[data-part=correct]").click()
    form = gm.get_by_test_id("correction-form")
    await expect(form.get_by_test_id("foreseen")).to_contain_text("Darkness")
    await gm.get_by_test_id("correction-do").click()
    await expect(row).to_have_attribute("data-banes", "0")
    assert len(await told(evening, Voided)) == 1


async def test_the_palette_lives_through_what_foundry_and_others_do_to_the_hud(evening: Evening) -> None:
    """Ten renders, two GMs, several tokens, tokens for nobody, copies of an unlinked one, another HUD class."""
    gm = await gm_of(evening, "sage_d20")
    palette = await hud(gm, "Mira")
    before = await gm.evaluate("canvas.hud.token.document.toObject()")
    reason = palette.get_by_test_id("palette-reason")
    await reason.fill("a rope")
    await palette.get_by_test_id("palette-until").select_option("round_end")
    await palette.get_by_test_id("palette-more").locator("summary").click()
    await reason.focus()
    await gm.evaluate("async () => { for (let nth = 0; nth < 10; nth += 1) await canvas.hud.token.render(); }")
    await expect(gm.get_by_test_id("hud-button")).to_have_count(1)
    await expect(palette).to_have_count(1)
    await expect(palette).to_be_visible()
    await expect(gm.get_by_test_id("hud-button")).to_have_attribute("aria-expanded", "true")
    await expect(reason).to_have_value("a rope")
    await expect(reason).to_be_focused()
    await expect(palette.get_by_test_id("palette-until")).to_have_value("round_end")
    await expect(palette.get_by_test_id("palette-side")).to_be_visible()
    await reason.press("Enter")
    await expect(palette.get_by_test_id("palette-boon")).to_be_focused()
    await gm.keyboard.press("Enter")
    await expect(palette.get_by_test_id("grant")).to_contain_text("a rope")
    await expect(palette.get_by_test_id("grant")).to_contain_text("until the round ends")
    # Nothing of it was sent to Foundry as the token's form.
    assert await gm.evaluate("canvas.hud.token.document.toObject()") == before
    await palette.get_by_test_id("palette-side").get_by_role("radio").last.press("Enter")
    assert await gm.evaluate("[...new FormData(document.getElementById('token-hud')).keys()]") == ["elevation"]
    assert await gm.evaluate("canvas.hud.token.document.toObject()") == before
    # Another palette of Foundry's closes it, and its own button opens it again as it was.
    await gm.locator("#token-hud button[data-palette=effects]").click()
    await expect(palette).to_be_hidden()
    await expect(gm.get_by_test_id("hud-button")).to_have_attribute("aria-expanded", "false")
    await gm.evaluate("canvas.hud.token.close().then(() => {})")
    # A token that stands for nobody has no button; nobody else's palette is left open by it.
    await gm.evaluate("canvas.hud.token.bind(canvas.tokens.placeables.find(t => t.document.name === 'Empty')).then(() => {})")
    await expect(gm.locator("#token-hud")).to_be_visible()
    await expect(gm.get_by_test_id("hud-button")).to_have_count(0)
    await gm.evaluate("canvas.hud.token.close().then(() => {})")
    # Several at once, one of which stands for nobody and two the table does not know yet: all of them in one commit.
    await select(gm, "First ogre", "Second ogre", "Mira", "Empty")
    palette = await hud(gm, "First ogre")
    await palette.locator("[data-circumstance=darkness]").click()
    await expect(palette.locator("[data-testid=grant][data-sign=bane]")).to_have_count(3)
    darkness = [event.grant for event in await told(evening, Granted) if event.grant.source.id == "darkness"]
    assert {grant.actor for grant in darkness} == {
        ogre(evening, "First ogre"),
        ogre(evening, "Second ogre"),
        f"Actor.{evening.ids['Mira']}",
    }
    # Their way back takes all of it, and nothing else.
    await palette.get_by_test_id("undo").focus()
    # Somebody else does something meanwhile: what is pressed stays where it is.
    await evening.bridge.as_gm(
        Grant(actors=(f"Actor.{evening.ids['Mira']}",), sign="boon", source=GrantSource(id="lamp", label="Lamp"))
    )
    await expect(palette.get_by_test_id("grant")).to_have_count(5)
    await gm.keyboard.press("Enter")
    await expect(palette.locator("[data-testid=grant][data-sign=bane]")).to_have_count(0)
    # The button is gone with what it was about; whoever pressed it is still in the palette.
    await expect(gm.locator(":focus")).to_have_attribute("data-testid", "boon-palette")
    assert len(await told(evening, GrantRevoked)) == 3
    await expect(palette.get_by_test_id("grant")).to_have_count(2)


@pytest.mark.long
async def test_what_two_gms_give_at_once_counts_once(evening: Evening) -> None:
    gm = await gm_of(evening, "sage_d20")
    other = await evening.page("Second")
    await live(other)
    palettes = [await hud(page, "Mira") for page in (gm, other)]
    for palette in palettes:
        await palette.locator("[data-circumstance=aid]").evaluate("chip => chip.click()")
    # Each is its giver's, with a clock of its own: two stand, and whoever comes third sees that before he clicks.
    for palette in palettes:
        await expect(palette.get_by_test_id("grant")).to_have_count(2)
        await expect(palette.locator("[data-circumstance=aid][data-stands]")).to_contain_text("stands already")
    player = await evening.player()
    dialog = await open_dialog(player, CLIMB)
    await expect(dialog.get_by_test_id("chance")).to_have_text("68 %")
    evening.bridge.tape.lay(8, 5)
    await dialog.get_by_test_id("roll").click()
    for palette in palettes:
        await expect(palette.get_by_test_id("grant")).to_have_count(0)
    (rolled,) = await told(evening, CheckRolled)
    assert (rolled.result.total, [source.counted for source in rolled.sources]) == (12, [True, False])


async def test_a_player_sees_the_list_and_has_no_buttons_of_a_gm(evening: Evening) -> None:
    gm = await gm_of(evening, "sage_d20")
    player = await evening.player()
    mira = f"Actor.{evening.ids['Mira']}"
    await evening.bridge.as_gm(
        Grant(actors=(mira,), sign="boon", source=GrantSource(id="lamp", label="Lamp"), expiry=Expiry(when="none")),
        Grant(
            actors=(mira,),
            sign="bane",
            hidden=True,
            source=GrantSource(id="curse", label="The curse"),
            expiry=Expiry(when="none"),
        ),
        SetCondition(actors=(mira,), condition="prone"),
    )
    palette = await hud(player, "Mira")
    await expect(palette.get_by_test_id("grant")).to_have_count(1)
    await expect(palette.get_by_test_id("condition")).to_have_count(1)
    assert await palette.locator("[data-circumstance], [data-testid=revoke], [data-testid=palette-more]").count() == 0
    # A HUD of the GM's shows what only GMs know, says so, and gives the same way.
    palette = await hud(gm, "Mira")
    await expect(palette.locator("[data-hidden]")).to_contain_text("The curse")
    await palette.get_by_test_id("palette-more").locator("summary").click()
    await palette.get_by_test_id("palette-hidden").click()
    await palette.get_by_test_id("palette-more").locator("summary").click()
    await expect(palette.get_by_test_id("palette-more").locator("summary")).to_contain_text("only GMs know")
    await palette.locator("[data-circumstance=cramped]").click()
    await expect(palette.get_by_test_id("palette-said")).to_contain_text("only GMs know")
    assert [event.grant.hidden for event in await told(evening, Granted)][-1] is True
    for page in (gm, player):
        assert await violations(page) == []


async def test_the_groups_boons_are_given_here_and_who_gained_them_is_told(evening: Evening) -> None:
    gm = await gm_of(evening, "group_d12")
    await evening.bridge.as_gm(SetOptions(options={"boon_cap": 10}))
    palette = await hud(gm, "Mira")
    # In this game a Boon is the group's, and what changes dice is a chance.
    await palette.locator("[data-circumstance=tools]").click()
    await expect(palette.get_by_test_id("palette-said")).to_have_text("Mira has a positive chance: The right tools. Undo")
    assert "bane" not in ((await palette.text_content()) or "").lower()
    await palette.locator("[data-verb=give_boon]").click()
    await expect(palette.get_by_test_id("palette-group")).to_contain_text("1 of 10")
    assert len(await told(evening, Acted)) == 1
    window = await table(gm)
    story = window.get_by_test_id("pool-story").locator("li")
    await expect(story).to_have_count(1)
    await expect(story).to_contain_text("Gamemaster")
    await story.locator("[data-part=correct]").click()
    await gm.get_by_test_id("correction-do").click()
    await expect(window.get_by_test_id("pool")).to_have_attribute("data-held", "0")
    await expect(story.locator("s")).to_have_count(1)


@pytest.mark.long
async def test_huds_of_systems_and_an_unlinked_token_copied_ten_times(evening: Evening) -> None:
    gm = await gm_of(evening, "sage_d20")
    # A system that takes the right column away, another that takes both, and a HUD that has no palettes of Foundry's.
    for column in (".col.right", ".col"):
        await gm.evaluate(
            "([column]) => { globalThis.hook = Hooks.on('renderTokenHUD', () => {}); Hooks.off('renderTokenHUD', globalThis.hook);"
            " const render = CONFIG.Token.hudClass.prototype._stageHTML; CONFIG.Token.hudClass.prototype._stageHTML = function () {"
            " const held = document.createElement('div'); held.innerHTML = render.call(this);"
            " for (const each of held.querySelectorAll(column)) each.remove(); return held.innerHTML || '<p></p>'; }; }",
            [column],
        )
        await gm.evaluate("canvas.hud.token.close().then(() => {})")
        palette = await hud(gm, "Second ogre")
        await palette.locator("[data-circumstance=aid]").click()
        await expect(palette.get_by_test_id("grant")).to_have_count(1)
        await palette.get_by_test_id("revoke").click()
        await expect(palette.get_by_test_id("grant")).to_have_count(0)
    await gm.evaluate("canvas.hud.token.close().then(() => {})")
    # One that is none of Foundry's classes of tokens' HUDs, and knows no palettes.
    await gm.evaluate(
        """() => {
          class Own extends foundry.applications.hud.BasePlaceableHUD {
            static DEFAULT_OPTIONS = { id: "token-hud" };
            get actor() { return this.document?.actor; }
            _stageHTML() { return '<div class="own-column"></div>'; }
            _stagePalettes() {}
            async _onRender(context, options) { await super._onRender(context, options); Object.assign(this.element.style, { left: "450px", top: "250px" }); }
          }
          Own.prototype.togglePalette = undefined;
          globalThis.usual = canvas.hud.token;
          canvas.hud.token = new Own();
        }"""
    )
    palette = await hud(gm, "Second ogre")
    await gm.evaluate("canvas.hud.token.render().then(() => {})")
    await expect(palette).to_be_visible()
    await palette.locator("[data-circumstance=aid]").click()
    await expect(palette.get_by_test_id("grant")).to_have_count(1)
    await gm.get_by_test_id("hud-button").click()
    await expect(palette).to_be_hidden()
    await gm.evaluate("canvas.hud.token.close().then(() => { canvas.hud.token = globalThis.usual; })")
    await gm.evaluate(
        "async () => { const [token] = canvas.scene.tokens.filter(t => t.name === 'First ogre'); const data = token.toObject(); delete data._id;"
        " await canvas.scene.createEmbeddedDocuments('Token', Array.from({ length: 10 }, (_, n) => ({ ...data, name: `Copy ${n}`, x: 100 * n, y: 300 }))); }"
    )
    await gm.wait_for_function("canvas.tokens.placeables.length === 15")
    await select(gm, *(f"Copy {n}" for n in range(10)))
    palette = await hud(gm, "Copy 3")
    await palette.locator("[data-circumstance=darkness]").click()
    await expect(palette.get_by_test_id("grant")).to_have_count(10)
    assert len({event.grant.actor for event in await told(evening, Granted) if event.grant.source.id == "darkness"}) == 10
    # Somebody whom the table has never heard of is introduced by the click.
    await gm.evaluate(
        "async () => { const actor = await Actor.create({ name: 'Stranger', type: 'character' });"
        " await canvas.scene.createEmbeddedDocuments('Token', [{ name: 'Stranger', actorId: actor.id, actorLink: true, x: 700, y: 400 }]); }"
    )
    await gm.wait_for_function("canvas.tokens.placeables.length === 16")
    await gm.evaluate("canvas.hud.token.close().then(() => canvas.tokens.releaseAll())")
    palette = await hud(gm, "Stranger")
    await palette.locator("[data-circumstance=aid]").click()
    await expect(palette.get_by_test_id("grant")).to_have_count(1)
    # An actor that is deleted while its HUD is open leaves nothing behind, and nothing fails.
    await gm.evaluate("canvas.hud.token.close().then(() => {})")
    palette = await hud(gm, "Copy 4")
    await gm.evaluate("id => game.actors.get(id).delete().then(() => {})", evening.ids["Ogre"])
    await gm.evaluate("canvas.hud.token.render().then(() => {})")
    await expect(gm.get_by_test_id("hud-button")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("size", [(390, 780), (820, 1180)], ids=["phone", "tablet"])
async def test_by_touch_without_a_right_click(evening: Evening, size: tuple[int, int]) -> None:
    """The Table window and the place beside the players need nothing but taps; every target is large enough for a finger."""
    gm = await gm_of(evening, "sage_d20")
    context = await evening.browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=True, reduced_motion="reduce"
    )
    await context.add_cookies([{"name": "session", "value": evening.foundry.login(evening.ids["Second"]), "url": evening.place}])
    touch = await evening.tab(context, "Second")
    await live(touch)
    player = await evening.player()
    window = await table(touch)
    row = window.locator(f"[data-testid=panel-row][data-actor='Actor.{evening.ids['Mira']}']")
    await row.tap()
    await given_seen_rolled_gone(evening, touch, player, window.get_by_test_id("boon-palette"), 1)
    small = await window.locator(
        ".panel-row, .bb-palette button:visible, .bb-palette summary, .bb-palette select, .bb-palette input[type=text]"
    ).evaluate_all(
        "all => all.filter(e => e.offsetParent && (e.getBoundingClientRect().height < 44 && !e.classList.contains('bb-link'))).map(e => e.outerHTML.slice(0, 120))"
    )
    assert small == []
    assert await violations(touch) == []
    # The HUD stays on the screen, and of one size, however the map is scaled.
    await window.evaluate(
        "element => foundry.applications.instances.get(element.closest('.application').id).close().then(() => {})"
    )
    await touch.evaluate(
        "canvas.hud.token.bind(canvas.tokens.placeables.find(t => t.document.name === 'Second ogre')).then(() => canvas.hud.token.togglePalette('boonbridge', true))"
    )
    palette = touch.get_by_test_id("hud-palette")
    for scale in (0.4, 1, 2):
        await touch.evaluate(
            "scale => { document.getElementById('hud').style.transform = `scale(${scale})`; document.getElementById('hud').style.transformOrigin = '0 0'; Hooks.callAll('canvasPan', canvas, {}); }",
            scale,
        )
        box = await palette.bounding_box()
        assert box is not None
        assert (round(box["width"]), box["x"] >= 7, box["x"] + box["width"] <= size[0] + 1) == (
            min(320, size[0] - 16),
            True,
            True,
        ), (scale, box)
        assert (box["y"] >= 7, box["y"] + box["height"] <= size[1] + 1) == (True, True), (scale, box)
    assert gm is not None


@pytest.mark.long
async def test_the_table_stands_beside_the_players_where_somebody_wants_it(evening: Evening) -> None:
    gm = await gm_of(evening, "sage_d20")
    await expect(gm.get_by_test_id("panel-dock")).to_have_count(0)
    await gm.evaluate("game.settings.set('boonbridge', 'dock', 'players').then(() => {})")
    dock = gm.get_by_test_id("panel-dock")
    row = dock.locator(f"[data-testid=panel-row][data-actor='Actor.{evening.ids['Mira']}']")
    await expect(row).to_have_attribute("data-online", "false")
    await evening.player()
    await expect(row).to_have_attribute("data-online", "true")
    # Foundry draws its list anew; ours stays beside it, once.
    await gm.evaluate("ui.players.render({ force: true }).then(() => {})")
    await expect(gm.locator("#boonbridge-dock + #players")).to_have_count(1)
    await row.click()
    window = gm.get_by_test_id("palette-window")
    await window.locator("[data-circumstance=aid]").click()
    await expect(row).to_have_attribute("data-boons", "1")
    await expect(window.get_by_test_id("grant")).to_have_count(1)
    assert await violations(gm) == []
    # The page joins anew: what is typed stays, and a click is done on the line that there is now.
    await window.get_by_test_id("palette-reason").fill("a rope")
    await gm.evaluate(
        "async () => { const [{ link }, { own }] = await Promise.all(['link', 'settings'].map(name => import(`/modules/boonbridge/scripts/foundry/${name}.mjs`)));"
        " link.join(own().token, [own().address]); }"
    )
    await live(gm)
    await window.get_by_test_id("palette-boon").click()
    await expect(window.get_by_test_id("grant")).to_have_count(2)
    await gm.evaluate("game.settings.set('boonbridge', 'dock', 'open').then(() => {})")
    await expect(dock).to_have_count(0)
    await gm.reload()
    await expect(gm.get_by_test_id("table-window").get_by_test_id("panel-row")).to_have_count(3)
