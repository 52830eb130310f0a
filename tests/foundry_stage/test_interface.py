"""Windows, dialogs, chat input, HUD, controls, hotbar, and what is missing."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.foundry_stage.world import FoundryStage, new_world

pytestmark = pytest.mark.browser
SAMPLE = Path(__file__).parent / "sample_module"
both = pytest.mark.parametrize("generation", [13, 14])


def stage(browser: Browser, generation: int, **more) -> FoundryStage:
    return FoundryStage(browser, generation=generation, modules=[SAMPLE], **more)


@both
async def test_a_window_of_a_template_acts_submits_and_calls_the_hooks_of_its_chain(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        await gm.eval(
            """() => { sample.chain = []; for (const c of ['SampleWindow', 'HandlebarsApplication', 'ApplicationV2']) {
              Hooks.on(`render${c}`, (app, html) => sample.chain.push([`render${c}`, html instanceof HTMLElement, html.id]));
              Hooks.on(`preRender${c}`, () => sample.chain.push([`preRender${c}`]));
              Hooks.on(`close${c}`, () => sample.chain.push([`close${c}`])); } }"""
        )
        await gm.page.locator("#board").click()
        await gm.page.keyboard.press("Shift+KeyB")
        window = gm.page.locator("#sample-window")
        await expect(window.locator(".window-title")).to_have_text("A window of Game Master")
        await expect(window.get_by_text("Plain words")).to_be_visible()
        assert await window.evaluate("element => [element.localName, getComputedStyle(element).color]") == [
            "form",
            "rgb(1, 2, 3)",
        ]
        assert await gm.eval("() => foundry.applications.instances.get('sample-window').rendered")
        await window.get_by_role("button", name="Press 0").click()
        await window.get_by_role("button", name="Press 1").click()
        await expect(window.get_by_role("button", name="Press 2")).to_be_visible()
        assert await gm.eval("() => sample.here") == "sample-window press click"
        await window.get_by_label("Word").fill("oak")
        await window.get_by_label("Word").press("Enter")
        await expect(window).to_have_count(0)
        assert await gm.eval("() => sample.submitted") == [
            {"id": "sample-window", "data": {"word": "oak", "nested": {"count": 3}, "flag": True}}
        ]
        chain = await gm.eval("() => sample.chain.map(entry => entry[0])")
        names = ["SampleWindow", "HandlebarsApplication", "ApplicationV2"]
        drawn = [f"{kind}{name}" for kind in (["preRender"] if generation == 14 else []) + ["render"] for name in names]
        assert chain == drawn * 3 + [f"close{name}" for name in names]
        assert (await gm.eval("() => sample.chain.find(entry => entry[0] === 'renderSampleWindow')"))[1:] == [
            True,
            "sample-window",
        ]


@both
async def test_dialogs_answer_as_documented_and_clean_their_strings(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        ask = "kind => { sample.answer = 'open'; foundry.applications.api.DialogV2[kind]({ window: { title: 'SAMPLE.Plain' }, content: '<p>q <input name=\"n\" value=\"5\"><svg></svg></p>' }).then(a => { sample.answer = a }) }"
        dialog = gm.page.locator("dialog.application")
        for kind, press, answer in (
            ("confirm", "Yes", True),
            ("confirm", "No", False),
            ("input", "Confirm", {"n": "5"}),
            ("prompt", "Confirm", "ok"),
        ):
            await gm.eval(ask, kind)
            await expect(dialog.locator("svg")).to_have_count(0)
            await dialog.get_by_role("button", name=press, exact=True).click()
            await gm.until("() => sample.answer !== 'open'")
            assert await gm.eval("() => sample.answer") == answer
        await gm.eval(ask, "confirm")
        await dialog.get_by_role("button", name="Close Window").click()
        await gm.until("() => sample.answer !== 'open'")
        assert await gm.eval("() => sample.answer") is None


@both
async def test_an_actor_sheet_has_a_header_menu_that_modules_add_to(browser: Browser, generation):
    async with stage(browser, generation) as world:
        ada = await world.client("Ada")
        sheet = await ada.open_sheet("Mira")
        await ada.header_control(sheet, "Sample entry")
        assert await ada.eval("() => sample.sheet") == "Mira"


@both
async def test_slash_commands_by_generation(browser: Browser, generation):
    async with stage(browser, generation) as world:
        ada = await world.client("Ada")
        await ada.say("/sample 1 < 2")
        await ada.until("() => sample.command")
        command = await ada.eval("() => sample.command")
        assert command == ["sample", "1 < 2" if generation == 13 else "1 &lt; 2", True]
        await ada.say("/nonsense")
        await expect(ada.page.locator("#notifications .error")).to_contain_text("/nonsense is not a valid chat message command")
        world.expect_error("not a valid chat message command")
        assert (await ada.eval("() => sample.chat")) == ("/nonsense" if generation == 13 else "<p>/sample 1 &lt; 2</p>")
        await ada.say("hello")
        await expect(ada.cards).to_have_count(1)
        assert (await ada.eval("() => sample.chat")) == ("hello" if generation == 13 else "<p>hello</p>")
        await ada.say("/r 2d6 + @strength # for luck")
        await expect(ada.cards.last.locator(".dice-formula")).to_have_text("2d6 + 3")
        await expect(ada.cards.last).to_contain_text("for luck")
        await ada.process("/sample again")
        assert await ada.eval("() => sample.command") == ["sample", "again", True]
        if generation == 14:
            await ada.eval("() => { ui.chat._stageCommandForm = 'text' }")
            await ada.say("/sample bare")
            await ada.until("() => sample.command[1] === 'bare'")


@both
async def test_the_hud_is_built_anew_at_each_render_and_then_the_hook_is_called(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        hud = await gm.open_hud("Gnoll")
        assert await hud.evaluate("element => [element.localName, element.className.includes('placeable-hud')]") == ["form", True]
        assert (
            await gm.eval("() => [canvas.hud.token.document.name, canvas.hud.token.actor.name, canvas.hud.token.object.name]")
            == ["Gnoll"] * 3
        )
        await hud.locator(".sample-button").click()
        await expect(hud.locator(".sample-palette")).to_be_visible()
        before = await gm.eval("() => sample.hud")
        await gm.eval("() => canvas.hud.token.render()")
        assert await gm.eval("() => sample.hud") == before + 1
        await expect(hud.locator(".sample-button")).to_have_count(1)
        await expect(hud.locator(".sample-palette.active")).to_have_count(1)
        await hud.locator("button[data-palette=effects]").click()
        await expect(hud.locator(".sample-palette.active")).to_have_count(0)
        await hud.locator("[data-status-id=prone]").click()
        await expect(hud.locator("[data-status-id=prone].active")).to_have_count(1)
        await hud.locator("[name=elevation]").fill("5")
        await hud.locator("[name=elevation]").press("Tab")
        await gm.until("() => canvas.tokens.placeables.find(t => t.name === 'Gnoll').document.elevation == 5")
        await gm.eval("() => canvas.tokens.placeables.find(t => t.name === 'Gnoll').document.update({ x: 10 })")
        await expect(hud).to_have_count(0)
        ada = await world.client("Ada")
        await ada.token("Gnoll").click(button="right")
        await expect(ada.page.locator("#token-hud")).to_have_count(0)


@both
async def test_selecting_and_aiming(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        await gm.eval(
            "() => { sample.aimed = []; Hooks.on('targetToken', (u, t, on) => sample.aimed.push([u.name, t.name, on])) }"
        )
        await ada.select("Mira", "Gnoll")
        assert await ada.eval("() => canvas.tokens.controlled.map(t => t.name)") == ["Mira"]
        await ada.target("Gnoll", "Tolan")
        assert sorted(await ada.eval("() => Array.from(game.user.targets, t => t.name)")) == ["Gnoll", "Tolan"]
        await gm.until("() => sample.aimed.length === 2")
        await ada.target()
        await gm.until("() => sample.aimed.length === 4")
        assert await ada.eval("() => [ChatMessage.getSpeaker().alias, ChatMessage.getSpeaker({ alias: 'x' }).alias]") == [
            "Mira",
            "x",
        ]


@both
async def test_scene_controls_hotbar_and_macros(browser: Browser, generation):
    async with stage(browser, generation) as world:
        ada = await world.client("Ada")
        await ada.scene_tool("sample")
        assert await ada.eval("() => sample.tool") == 1
        await ada.drop_on_hotbar({"type": "stage-sample.thing"}, 3)
        assert await ada.eval("() => sample.dropped") == 3
        await ada.eval(
            """async () => { const m = await Macro.create({ name: "M", type: "script", command: "globalThis.sample.ran = [actor?.name, speaker.alias, await 5]" });
              await game.user.assignHotbarMacro(m, 2) }"""
        )
        await ada.page.locator("#hotbar [data-slot='2']").click()
        await ada.until("() => sample.ran")
        assert await ada.eval("() => sample.ran") == ["Mira", "Mira", 5]
        await ada.reload()
        await expect(ada.page.locator("#hotbar [data-slot='2'].full")).to_have_count(1)


@both
async def test_without_a_canvas_there_are_no_layers_and_without_a_script_permission_no_script_macros(
    browser: Browser, generation
):
    world_ = new_world(generation)
    world_.permissions["MACRO_SCRIPT"] = [3, 4]
    async with stage(browser, generation, world=world_, no_canvas=True) as world:
        world.expect_error("lacks permission")
        ada = await world.client("Ada")
        assert await ada.eval("() => [canvas.ready, canvas.scene, canvas.tokens ?? null]") == [False, None, None]
        assert await ada.eval("() => game.user.can('MACRO_SCRIPT')") is False
        assert "lacks permission" in await ada.eval(
            "async () => { try { await Macro.create({ name: 'x', type: 'script' }) } catch (e) { return e.message } }"
        )
        assert await ada.eval("async () => (await Macro.create({ name: 'x', type: 'chat', command: '/r 1d6' })).type") == "chat"


async def test_what_is_not_modelled_throws_with_its_name(browser: Browser):
    read = "path => { try { path.split('.').slice(1).reduce((o, k) => o[k], path.startsWith('game') ? game : foundry) } catch (e) { return e.message } }"
    names = ["game.journal", "foundry.utils.inventedThing"]

    async def ask() -> None:
        async with FoundryStage(browser, modules=[SAMPLE]) as world:
            gm = await world.client("Game Master")
            for name in names:
                assert await gm.eval(read, name) == f"{name} is not modelled by the Foundry stand-in"
            assert await gm.eval("() => [game.dice3d ?? null, foundry.applications.detached ?? null, game.combat]") == [
                None,
                None,
                None,
            ]

    with pytest.raises(AssertionError, match=r"not modelled: \['game.journal', 'foundry.utils.inventedThing'\]"):
        await ask()


async def test_plain_http_has_no_subtle_crypto(browser: Browser):
    async with FoundryStage(browser, modules=[SAMPLE], plain_http=True) as world:
        gm = await world.client("Game Master")
        assert await gm.eval(
            "() => [typeof crypto.subtle, typeof crypto.randomUUID, isSecureContext, typeof crypto.getRandomValues]"
        ) == [
            "undefined",
            "undefined",
            False,
            "function",
        ]


@both
async def test_dice_so_nice_animates_a_message_once_on_each_page_and_the_card_waits(browser: Browser, generation):
    async with stage(browser, generation, dice="held") as world:
        gm, ada, ben = [await world.client(name) for name in ("Game Master", "Ada", "Ben")]
        made = await ada.eval("async () => (await (await new Roll('1d20 + 2').evaluate()).toMessage()).id")
        for client in (gm, ada, ben):
            await expect(client.card(made)).to_have_class(re.compile("dsn-hide"))
            assert [(a["messageId"], a["how"]) for a in await client.animations()] == [(made, "message")]
            await client.finish_dice()
            await expect(client.card(made)).to_be_visible()
        hook = "diceSoNiceMessagePreProcess" if generation == 14 else "diceSoNiceMessageProcessed"
        await ada.eval("name => { Hooks.on(name, (id, i) => { i.willTrigger3DRoll = false }) }", hook)
        second = await ada.eval("async () => (await (await new Roll('1d20').evaluate()).toMessage()).id")
        await expect(ada.card(second)).to_be_visible()
        assert len(await ada.animations()) == 1
        local = await ada.eval(
            "async () => { const p = game.dice3d.showForRoll(await new Roll('2d6').evaluate(), game.user, false); await Promise.resolve(); game.dice3d._stageFinish(); return p }"
        )
        assert local is True
        assert [a["how"] for a in await ada.animations()] == ["message", "showForRoll"]
        assert len(await gm.animations()) == 2


@both
async def test_a_restart_with_the_module_disabled_leaves_the_messages(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        await gm.eval(
            "() => ChatMessage.create({ content: '<div class=\"mine\">stays</div>', flags: { 'stage-sample': { seq: 1 } } })"
        )
        await world.restart(disable=["stage-sample"])
        assert await gm.eval("() => typeof globalThis.sample") == "undefined"
        await expect(gm.cards).to_have_count(1)
        await expect(gm.cards.first).to_contain_text("stays")
        flags = "() => { const m = game.messages.contents[0]; try { m.getFlag('stage-sample', 'seq') } catch (e) { return [m.flags['stage-sample'].seq, e.message] } }"
        assert (await gm.eval(flags))[0] == 1


@both
async def test_the_menu_of_a_message_is_built_once_with_the_keys_of_its_generation(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        await gm.eval(
            """() => { sample.built = 0; Hooks.on("getChatMessageContextOptions", (_app, entries) => { sample.built++;
              const chosen = li => { sample.chosen = li.dataset.messageId };
              entries.push({ name: "Old", icon: "", condition: () => true, callback: chosen }, { label: "New", icon: "", visible: () => true, onClick: (_e, li) => chosen(li) });
            }) }"""
        )
        made = await gm.eval("async () => (await ChatMessage.create({ content: 'x' })).id")
        for _ in range(2):
            await gm.card(made).click(button="right")
            await gm.page.locator("#context-menu").get_by_text("New" if generation == 14 else "Old").click()
        assert await gm.eval("() => [sample.built, sample.chosen]") == [1, made]


@both
async def test_light_and_dark_are_classes_and_a_module_stands_above_core(browser: Browser, generation):
    for theme in ("light", "dark"):
        async with stage(browser, generation, theme=theme) as world:
            gm = await world.client("Game Master")
            await gm.eval("() => new sample.SampleWindow().render({ force: true })")
            window = gm.page.locator("#sample-window")
            await expect(window).to_have_class(re.compile(rf"theme-{theme}"))
            assert await window.evaluate("w => getComputedStyle(w).color") == "rgb(1, 2, 3)"
            primary = await window.evaluate("w => getComputedStyle(w).getPropertyValue('--color-text-primary').trim()")
            assert primary == ("#191813" if theme == "light" else "#efe6d8")
            assert await gm.eval("() => document.body.className.includes('theme-')")


async def test_a_part_of_a_template_must_be_one_element(browser: Browser, tmp_path):
    folder = Path(shutil.copytree(SAMPLE, tmp_path / "stage-sample"))
    (folder / "templates" / "window.hbs").write_text("<p>one</p><p>two</p>")
    async with FoundryStage(browser, modules=[folder]) as world:
        world.expect_error("must render a single HTML element")
        gm = await world.client("Game Master")
        said = await gm.eval(
            "async () => { try { await new sample.SampleWindow().render({ force: true }) } catch (e) { return e.message } }"
        )
        assert "must render a single HTML element" in said


async def test_a_module_is_served_as_it_would_be_packed_and_html_as_text(browser: Browser, tmp_path):
    folder = Path(shutil.copytree(SAMPLE, tmp_path / "stage-sample"))
    (folder / "templates" / "page.html").write_text("<p>page</p>")
    (folder / "secret.txt").write_text("not packed")
    (folder / "scripts" / ".hidden").write_text("not packed")
    for generation, kind in ((13, "text/html"), (14, "text/plain")):
        async with FoundryStage(browser, generation=generation, modules=[folder]) as world:
            gm = await world.client("Game Master")
            fetched = "paths => Promise.all(paths.map(async path => { const a = await fetch(`/modules/stage-sample/${path}`); return [a.status, a.headers.get('content-type').split(';')[0]] }))"
            paths = ["templates/page.html", "module.json", "secret.txt", "scripts/.hidden", "scripts/../secret.txt"]
            world.expect_error("404")
            got = await gm.eval(fetched, paths)
            assert got[:2] == [[200, kind], [200, "application/json"]]
            assert [status for status, _ in got[2:]] == [404, 404, 404]
            world.server.missing.clear()
