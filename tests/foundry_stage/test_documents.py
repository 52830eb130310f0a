"""Documents, chat messages, settings, sockets, queries: the rules of the server that a module must not get round."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.foundry_stage.cleaning import clean
from tests.foundry_stage.world import FoundryStage, new_world, place_token
from tests.support.wait import until

pytestmark = pytest.mark.browser
SAMPLE = Path(__file__).parent / "sample_module"
both = pytest.mark.parametrize("generation", [13, 14])

HEARD = "n => sample.heard.length >= n"


def stage(browser: Browser, generation: int, **more) -> FoundryStage:
    return FoundryStage(browser, generation=generation, modules=[SAMPLE], **more)


# --- hooks ---------------------------------------------------------------------------------------------------------


async def test_hooks_are_synchronous_call_stops_at_false_and_an_error_stops_nobody(browser: Browser):
    async with stage(browser, 13) as world:
        world.expect_error("thrown on purpose")
        gm = await world.client("Game Master")
        seen = await gm.eval(
            """() => {
              const seen = [];
              Hooks.on("t", () => { seen.push(1); throw new Error("thrown on purpose"); });
              Hooks.on("t", async () => false);
              Hooks.once("t", () => { seen.push(2); });
              const veto = Hooks.on("t", () => false);
              Hooks.on("t", () => { seen.push(3); });
              const first = Hooks.call("t");
              Hooks.callAll("t");
              Hooks.off("t", veto);
              return { seen, first, second: Hooks.call("t") };
            }"""
        )
        assert seen == {"seen": [1, 2, 1, 3, 1, 3], "first": False, "second": True}
        assert len(world.complaints) == 3


# --- the game socket ---------------------------------------------------------------------------------------------------


@both
async def test_an_emit_reaches_everybody_else_and_the_server_says_who_sent_it(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        tab = await world.client("Ada", same_browser=ada)
        ben = await world.client("Ben")
        await ada.eval(
            "() => { game.socket.emit('module.stage-sample', { userId: 'claimed', when: new Date(0), gone: undefined, set: new Set([1]) }) }"
        )
        for client in (gm, ben, tab):
            await client.until(HEARD, 1)
            assert await client.eval("() => sample.heard") == [
                {
                    "data": {"userId": "claimed", "when": "1970-01-01T00:00:00.000Z", "set": {}},
                    "sender": world.world.user_id("Ada"),
                }
            ]
        assert await ada.eval("() => sample.heard") == []


@both
async def test_recipients_are_kept_by_the_server_and_nobody_else_is_sent_a_byte(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada, ben = [await world.client(name) for name in ("Game Master", "Ada", "Ben")]
        ben_id = world.world.user_id("Ben")
        await gm.eval(
            "id => { game.socket.emit('module.stage-sample', { token: 'PLANTED-77' }, { recipients: [id, game.userId] }); game.socket.emit('module.stage-sample', 'after') }",
            ben_id,
        )
        await ben.until(HEARD, 2)
        await ada.until(HEARD, 1)
        assert any("PLANTED-77" in text for text in world.sent_to("Ben"))
        assert not any("PLANTED-77" in text for text in world.sent_to("Ada") + world.sent_to("Game Master"))
        assert await gm.eval("() => sample.heard") == []


async def test_without_socket_in_the_manifest_of_the_launch_an_emit_is_lost_in_silence(browser: Browser, tmp_path):
    import json
    import shutil

    folder = Path(shutil.copytree(SAMPLE, tmp_path / "stage-sample"))
    manifest = json.loads((folder / "module.json").read_text())
    (folder / "module.json").write_text(json.dumps({**manifest, "socket": False}))
    async with FoundryStage(browser, modules=[folder]) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        (folder / "module.json").write_text(json.dumps(manifest))
        await ada.reload()
        await gm.eval("() => { game.socket.emit('module.stage-sample', 1); game.socket.emit('module.other', 1) }")
        await until(lambda: len(world.server.emitted) == 2)
        await world.restart()
        await gm.eval("() => { game.socket.emit('module.stage-sample', 2) }")
        await ada.until(HEARD, 1)
        assert [entry["data"] for entry in await ada.eval("() => sample.heard")] == [2]


# --- queries -------------------------------------------------------------------------------------------------------------


@both
async def test_a_query_is_answered_and_only_v14_says_who_asks(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        answer = await ada.eval("() => game.users.activeGM.query('stage-sample.echo', { n: 1 }, { timeout: 3000 })")
        assert answer["data"] == {"n": 1}
        assert answer["asker"] == ("Ada" if generation == 14 else None)
        assert sorted(answer["keys"]) == (["timeout", "user"] if generation == 14 else ["timeout"])
        ask = "async ([name, data, ms]) => { try { await game.users.activeGM.query(name, data, { timeout: ms }); return 'done' } catch (e) { return e.message } }"
        assert await ada.eval(ask, ["stage-sample.echo", {"fail": 1}, 3000]) == "as asked"
        assert "timed out" in await ada.eval(ask, ["stage-sample.echo", {"never": 1}, 50])
        assert "not a registered query" in await ada.eval(ask, ["stage-sample.other", {}, 50])
        assert "not active" in await gm.eval(
            "async () => { try { await game.users.getName('Ben').query('stage-sample.echo', {}) } catch (e) { return e.message } }"
        )


# --- settings ---------------------------------------------------------------------------------------------------------------


@both
async def test_world_settings_are_for_everybody_and_only_a_gm_sets_them(browser: Browser, generation):
    async with stage(browser, generation) as world:
        world.expect_error("lacks permission")
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        gm_id = world.world.user_id("Game Master")
        await gm.eval("() => game.settings.set('stage-sample', 'world', 'new')")
        await ada.until("() => sample.settings.length")
        for client in (gm, ada):
            assert await client.eval("() => [game.settings.get('stage-sample', 'world'), sample.settings]") == [
                "new",
                [["world", "new", gm_id]],
            ]
        refused = await ada.eval(
            "async () => { try { await game.settings.set('stage-sample', 'world', 'mine') } catch (e) { return e.message } }"
        )
        assert "lacks permission" in refused
        assert world.world.settings == {"stage-sample.world": "new"}
        await expect(ada.page.locator("#notifications .error")).to_have_count(1)
        unregistered = "() => { try { game.settings.get('stage-sample', 'nothing') } catch (e) { return e.message } }"
        assert "not a registered game setting" in await ada.eval(unregistered)


@both
async def test_client_settings_stay_in_one_browser_and_user_settings_follow_the_user(browser: Browser, generation):
    async with stage(browser, generation) as world:
        ada = await world.client("Ada")
        tab = await world.client("Ada", same_browser=ada)
        other = await world.client("Ada")
        await ada.eval(
            "async () => { await game.settings.set('stage-sample', 'client', 7); await game.settings.set('stage-sample', 'user', { a: 1 }) }"
        )
        await other.until("() => sample.settings.length")
        assert await tab.eval("() => game.settings.get('stage-sample', 'client')") == 7
        assert await other.eval(
            "() => [game.settings.get('stage-sample', 'client'), game.settings.get('stage-sample', 'user')]"
        ) == [1, {"a": 1}]
        await ada.reload()
        assert await ada.eval("() => game.settings.get('stage-sample', 'client')") == 7
        assert world.world.settings == {}


# --- chat messages -----------------------------------------------------------------------------------------------------------


@both
async def test_a_message_is_cleaned_shaped_and_told_to_everybody(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        watch = "() => { sample.seen = []; Hooks.on('createChatMessage', (m, o, u) => sample.seen.push([m.id, o.mark, u])); Hooks.on('renderChatMessageHTML', (m, html) => sample.seen.push(['drawn', html.dataset.messageId])) }"
        await gm.eval(watch)
        await ada.eval(watch)
        made = await ada.eval(
            """async () => (await ChatMessage.create({
              _id: "abcdefghijklmnop", unknown: 1, type: "base", flavor: "<b onclick='x()'>f</b>",
              content: `<p class="a" data-x="1" onmouseover="y()">t<script>z()</script><svg><path d="M0"/></svg><a href="javascript:q()">l</a>
                <button type="button" data-bb-action="go" value="3" formaction="x">b</button><img src="icons/x.svg" onerror="e()"></p>`,
            }, { mark: 5 })).toObject()"""
        )
        assert made["_id"] != "abcdefghijklmnop"
        assert "unknown" not in made
        assert made["author"] == world.world.user_id("Ada")
        assert made["flavor"] == "<b>f</b>"
        assert made["content"].startswith('<p class="a" data-x="1">t<a>l</a>')
        assert '<button type="button" data-bb-action="go" value="3">b</button><img src="icons/x.svg">' in made["content"]
        for client in (gm, ada):
            await expect(client.card(made["_id"])).to_be_visible()
            assert await client.eval("() => sample.seen") == [
                [made["_id"], 5, world.world.user_id("Ada")],
                ["drawn", made["_id"]],
            ]
        await ada.reload()
        await expect(ada.card(made["_id"])).to_have_count(1)


@both
@pytest.mark.parametrize("duplicates", ["replace", "reject"])
async def test_keep_id_keeps_the_id_and_a_second_one_is_what_the_switch_says(browser: Browser, generation, duplicates):
    async with stage(browser, generation, duplicate_ids=duplicates) as world:
        world.expect_error("already exists")
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        make = "async text => { try { const m = await ChatMessage.create({ _id: 'abcdefghijklmnop', content: text }, { keepId: true }); return m.id } catch (e) { return e.message } }"
        assert await ada.eval(make, "one") == "abcdefghijklmnop"
        second = await gm.eval(make, "two")
        assert ("already exists" in second) == (duplicates == "reject")
        text = "one" if duplicates == "reject" else "two"
        for client in (gm, ada):
            await expect(client.cards).to_have_count(1)
            await expect(client.card("abcdefghijklmnop")).to_contain_text(text)
            assert await client.eval("() => game.messages.size") == 1


@both
async def test_only_author_or_gm_may_change_a_message_and_nobody_speaks_for_another(browser: Browser, generation):
    async with stage(browser, generation) as world:
        world.expect_error("lacks permission")
        gm, ada, ben = [await world.client(name) for name in ("Game Master", "Ada", "Ben")]
        made = await ada.eval("async () => (await ChatMessage.create({ content: 'hers' })).id")
        await ben.until("id => game.messages.has(id)", made)
        tried = """async id => {
          const said = [];
          for (const act of [
            () => game.messages.get(id).update({ content: "mine" }), () => game.messages.get(id).delete(),
            () => game.messages.get(id).setFlag("stage-sample", "x", 1), () => ChatMessage.create({ content: "x", author: game.users.getName("Ada").id }),
            () => game.actors.getName("Mira").update({ name: "x" }), () => game.users.getName("Ada").update({ color: "#000000" }),
            () => Actor.create({ name: "y" }),
          ]) { try { await act(); said.push("done") } catch (e) { said.push(e.message.includes("lacks permission")) } }
          return said;
        }"""
        assert await ben.eval(tried, made) == [True] * 7
        await gm.eval("id => game.messages.get(id).update({ content: 'ours' })", made)
        await expect(ben.card(made)).to_contain_text("ours")
        for_ben = await gm.eval(
            "async () => (await ChatMessage.create({ content: 'x', author: game.users.getName('Ben').id })).author.name"
        )
        assert for_ben == "Ben"
        await gm.clear_chat()
        await expect(ada.cards).to_have_count(0)
        assert world.messages() == []


@both
async def test_every_client_is_sent_a_whisper_and_the_page_alone_hides_it(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada, ben = [await world.client(name) for name in ("Game Master", "Ada", "Ben")]
        text = await gm.eval(
            "async () => (await ChatMessage.create({ content: 'PLANTED-1', whisper: [game.users.getName('Ada').id] })).id"
        )
        await expect(ada.card(text)).to_contain_text("PLANTED-1")
        await ben.until("id => game.messages.has(id)", text)
        assert any("PLANTED-1" in frame for frame in world.sent_to("Ben"))
        await expect(ben.cards).to_have_count(0)
        rolled = await gm.eval(
            """async () => {
              const roll = await new Roll("1d20 + 3").evaluate();
              const data = { rolls: [roll], content: String(roll.total), flavor: "a secret of mine" };
              const m = ChatMessage.applyMode ? await ChatMessage.create(data, { messageMode: "gm" }) : await ChatMessage.create(data, { rollMode: "gmroll" });
              return m.id;
            }"""
        )
        await expect(gm.card(rolled).locator(".dice-total")).to_be_visible()
        await expect(ben.card(rolled)).to_contain_text("privately rolled some dice")
        await expect(ben.card(rolled)).not_to_contain_text("a secret of mine")


@both
async def test_a_mode_of_the_other_generation_makes_a_private_roll_public_or_is_translated(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        old = await gm.eval("async () => (await ChatMessage.create({ content: 'x' }, { rollMode: 'gmroll' })).whisper.length")
        new = await gm.eval("async () => (await ChatMessage.create({ content: 'x' }, { messageMode: 'gm' })).whisper.length")
        assert (old, new) == ((1, 0) if generation == 13 else (1, 1))
        assert await gm.eval("() => [typeof ChatMessage.applyMode, typeof ChatMessage.applyRollMode]") == (
            ["undefined", "function"] if generation == 13 else ["function", "undefined"]
        )


@both
async def test_known_results_make_a_roll_with_tooltip_and_survive_a_reload(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        made = await gm.eval(
            """async () => {
              const number = n => ({ class: "NumericTerm", number: n, evaluated: true });
              const sign = o => ({ class: "OperatorTerm", operator: o, evaluated: true });
              const roll = foundry.dice.Roll.fromData({ class: "Roll", evaluated: true, formula: "1d20 + 3 - 2d6kh", total: 8, options: { id: "c1" }, dice: [], terms: [
                { class: "Die", evaluated: true, number: 1, faces: 20, modifiers: [], results: [{ result: 10, active: true }] },
                sign("+"), number(3), sign("-"),
                { class: "Die", evaluated: true, number: 2, faces: 6, modifiers: ["kh"], results: [{ result: 5, active: true }, { result: 2, active: false, discarded: true }] },
              ] });
              const m = await ChatMessage.create({ flavor: "Climb", rolls: [roll] });
              const again = Roll.fromJSON(JSON.stringify(m.rolls[0]));
              return { id: m.id, total: again.total, sum: again._evaluateTotal(), formula: again.formula, faces: again.dice.map(d => d.results.map(r => r.result)), options: again.options, stored: typeof m._source.rolls[0] };
            }"""
        )
        assert made == {
            **made,
            "total": 8,
            "sum": 8,
            "formula": "1d20 + 3 - 2d6kh",
            "faces": [[10], [5, 2]],
            "options": {"id": "c1"},
            "stored": "string",
        }
        await gm.reload()
        box = gm.card(made["id"]).locator(".dice-roll")
        await expect(box.locator(".dice-total")).to_have_text("8")
        await expect(box.locator(".roll.discarded")).to_have_text("2")
        unfinished = (
            "async () => { try { await ChatMessage.create({ rolls: [new Roll('1d6')] }) } catch (e) { return e.message } }"
        )
        assert "must be evaluated" in await gm.eval(unfinished)


@both
async def test_the_box_of_dice_is_drawn_only_where_the_content_has_no_elements(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        for content, boxes in (("12", 1), ("", 1), ("<div class='mine'>12</div>", 0)):
            made = await gm.eval(
                "async content => (await ChatMessage.create({ content, rolls: [await new Roll('1d6').evaluate()] })).id", content
            )
            await expect(gm.card(made)).to_be_visible()
            await expect(gm.card(made).locator(".dice-roll")).to_have_count(boxes)


@both
async def test_a_message_may_be_on_the_page_twice_and_is_drawn_anew_each_time(browser: Browser, generation):
    async with stage(browser, generation, sidebar=False) as world:
        gm = await world.client("Game Master")
        await gm.eval("() => { sample.drawn = []; Hooks.on('renderChatMessageHTML', (_m, html) => sample.drawn.push(html)) }")
        made = await gm.eval("async () => (await ChatMessage.create({ content: 'x' })).id")
        await expect(gm.page.locator("#chat-notifications .chat-message")).to_have_count(1)
        assert await gm.page.locator(f"[data-message-id='{made}']").count() == 2
        await gm.eval("id => game.messages.get(id).update({ content: 'y' })", made)
        await expect(gm.page.locator("#chat-notifications .chat-message")).to_contain_text("y")
        assert await gm.eval("() => [sample.drawn.length, new Set(sample.drawn).size]") == [4, 4]


# --- people, actors, tokens ----------------------------------------------------------------------------------------------------


@both
async def test_people_come_and_go_and_one_gm_is_the_active_one(browser: Browser, generation):
    world_ = new_world(generation)
    world_.documents.add("User", {"_id": "0000000000000000", "name": "Assistant", "role": 3})
    async with stage(browser, generation, world=world_) as world:
        ada = await world.client("Ada")
        assert await ada.eval("() => game.users.activeGM") is None
        await ada.eval("() => { sample.people = []; Hooks.on('userConnected', (u, on) => sample.people.push([u.name, on])) }")
        assistant = await world.client("Assistant")
        assert await assistant.eval("() => game.user.isActiveGM && game.user.isGM")
        gm = await world.client("Game Master")
        tab = await world.client("Game Master", same_browser=gm)
        assert [await page.eval("() => game.user.isActiveGM") for page in (assistant, gm, tab)] == [False, True, True]
        await gm.close()
        await tab.close()
        await ada.until("() => sample.people.length === 3")
        assert await ada.eval("() => sample.people") == [["Assistant", True], ["Game Master", True], ["Game Master", False]]
        assert await ada.eval("() => game.users.activeGM.name") == "Assistant"


@both
async def test_linked_tokens_share_an_actor_and_unlinked_ones_have_their_own(browser: Browser, generation):
    world_ = new_world(generation)
    scene = world_.named("Scene", "The bridge")
    place_token(world_, scene, "Second gnoll", actor="Gnoll")
    place_token(world_, scene, "Nobody", actor=None)
    async with stage(browser, generation, world=world_) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        done = await gm.eval(
            """async () => {
              const of = name => canvas.tokens.placeables.find(t => t.name === name);
              await of("Gnoll").actor.update({ "system.health.value": 2 });
              await of("Second gnoll").actor.toggleStatusEffect("prone");
              return {
                uuid: of("Gnoll").actor.uuid === `${of("Gnoll").document.uuid}.Actor.${of("Gnoll").actor.id}`,
                same: of("Mira").actor === game.actors.getName("Mira"),
                health: [of("Gnoll").actor.system.health.value, of("Second gnoll").actor.system.health.value, game.actors.getName("Gnoll").system.health.value],
                prone: [of("Gnoll").actor.statuses.has("prone"), of("Second gnoll").actor.statuses.has("prone")],
                nobody: of("Nobody").actor, found: (await fromUuid(of("Gnoll").actor.uuid)) === of("Gnoll").actor,
              };
            }"""
        )
        assert done == {"uuid": True, "same": True, "health": [2, 5, 5], "prone": [False, True], "nobody": None, "found": True}
        await ada.until("() => canvas.tokens.placeables.find(t => t.name === 'Second gnoll').actor.statuses.has('prone')")
        assert await ada.eval("() => canvas.tokens.placeables.find(t => t.name === 'Gnoll').actor.system.health.value") == 2
        await ada.reload()
        assert await ada.eval("() => canvas.tokens.placeables.find(t => t.name === 'Gnoll').actor.system.health.value") == 2
        await gm.eval("() => game.actors.getName('Gnoll').delete()")
        await ada.until("() => !game.actors.getName('Gnoll')")
        assert await ada.eval("() => canvas.tokens.placeables.find(t => t.name === 'Gnoll').actor") is None


@both
async def test_before_hooks_run_at_the_asking_client_alone_and_may_veto(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        watch = """() => { sample.pre = []; Hooks.on('preCreateChatMessage', (m, d, o, u) => { sample.pre.push(u); if (d.content === 'no') return false; m.updateSource({ flavor: 'added' }); return true; });
          Hooks.on('preUpdateActor', (a, change) => { sample.pre.push(change); }); }"""
        await gm.eval(watch)
        await ada.eval(watch)
        assert await ada.eval("async () => (await ChatMessage.create({ content: 'no' })) ?? null") is None
        assert await ada.eval("async () => (await ChatMessage.create({ content: 'yes' })).flavor") == "added"
        await ada.eval("() => game.actors.getName('Mira').update({ 'system.strength': 4, name: 'Mira' })")
        assert await ada.eval("() => sample.pre.at(-1)") == {"system": {"strength": 4}}
        await gm.until("() => game.actors.getName('Mira').system.strength === 4")
        assert await gm.eval("() => sample.pre") == []


@both
async def test_combat_tells_the_initiator_before_and_everybody_after(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        watch = """() => { sample.turns = []; for (const name of ['combatStart', 'combatTurn', 'combatRound']) Hooks.on(name, (c) => sample.turns.push([name, c.round, c.turn]));
          Hooks.on('combatTurnChange', (c, a, b) => sample.turns.push(['change', a.round, a.turn, b.round, b.turn, c.combatant?.name ?? null])); Hooks.on('deleteCombat', (c) => sample.turns.push(['gone', c.turns.length])) }"""
        await gm.eval(watch)
        await ada.eval(watch)
        await gm.eval(
            """async () => {
              const combat = await Combat.create({ active: true });
              const data = canvas.tokens.placeables.map((t, i) => ({ tokenId: t.id, sceneId: canvas.scene.id, actorId: t.document.actorId, initiative: 20 - i }));
              await combat.createEmbeddedDocuments("Combatant", data);
              await combat.startCombat(); await combat.nextTurn(); await combat.nextTurn(); await combat.nextTurn(); await combat.previousTurn();
              await combat.delete();
            }"""
        )
        changes = [
            ["change", 0, None, 1, 0, "Mira"],
            ["change", 1, 0, 1, 1, "Tolan"],
            ["change", 1, 1, 1, 2, "Gnoll"],
            ["change", 1, 2, 2, 0, "Mira"],
            ["change", 2, 0, 1, 2, "Gnoll"],
            ["gone", 3],
        ]
        await ada.until("() => sample.turns.length === 6")
        assert await ada.eval("() => sample.turns") == changes
        gm_saw = await gm.eval("() => sample.turns")
        assert [entry for entry in gm_saw if entry[0] in ("change", "gone")] == changes
        assert [entry[0] for entry in gm_saw if entry[0] not in ("change", "gone")] == [
            "combatStart",
            "combatTurn",
            "combatTurn",
            "combatRound",
            "combatRound",
        ]


@both
async def test_what_is_said_while_a_connection_is_lost_is_never_told(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm, ada = await world.client("Game Master"), await world.client("Ada")
        await gm.eval("() => { sample.people = []; Hooks.on('userConnected', (u, on) => sample.people.push(on)) }")
        await ada.eval("() => { game.socket.emit('module.stage-sample', 'before') }")
        await gm.until(HEARD, 1)
        await world.server.disconnect(world.world.user_id("Ada"))
        await gm.eval("() => ChatMessage.create({ content: 'missed' })")
        await gm.until("() => sample.people.length === 2")
        assert await gm.eval("() => sample.people") == [False, True]
        await ada.until("() => game.socket.connected")
        await gm.eval("() => ChatMessage.create({ content: 'heard' })")
        await expect(ada.cards).to_have_text([re.compile("heard")])
        await ada.reload()
        await expect(ada.cards).to_have_count(2)


@both
async def test_an_effect_lasts_in_the_words_of_its_generation(browser: Browser, generation):
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        made = await gm.eval(
            """async () => (await game.actors.getName("Mira").createEmbeddedDocuments("ActiveEffect", [
              { name: "e", changes: [], duration: { rounds: 2, value: 1, units: "rounds", expiry: "turnStart" } }]))[0].toObject()"""
        )
        if generation == 13:
            assert made["duration"] == {
                **dict.fromkeys(("startTime", "seconds", "combat", "turns", "startRound", "startTurn")),
                "rounds": 2,
            }
        else:
            assert made["duration"] == {"value": 1, "units": "rounds", "expiry": "turnStart", "expired": False}
        assert ("changes" in made) == (generation == 13)
        shape = await gm.eval("() => [Array.isArray(CONFIG.statusEffects), CONFIG.statusEffects.prone?.id ?? null]")
        assert shape == ([True, None] if generation == 13 else [False, "prone"])


@both
async def test_page_and_server_clean_alike(browser: Browser, generation):
    texts = [
        "<p onclick=x>a &amp; b &lt;i&gt; \u201cq\u201d</p>",
        "<svg><title>t</title><path d='M0'></path><text>words</text></svg>",
        "<script>bad()</script><style>p{}</style>kept",
        "<a href='javascript:x'>l</a><a href='https://example.invalid/?a=1&amp;b=2'>m</a>",
        "<div data-a-b='1' aria-label='x' style='color: red' id='i' role='note' foo='1'>x</div>",
        "<form name='f' action='/x'><input type='checkbox' name='n' checked onchange='x'><button type='button' value='2' form='f'>b</button></form>",
        "<details open name='d'><summary>s</summary>t</details>",
        "<img src='icons/a.svg' alt='a' onerror='x'><br><hr>",
        "<table><tbody><tr><td colspan='2' bgcolor='x'>c</td></tr></tbody></table>",
        "<custom-thing>inner <b>bold</b></custom-thing><font color='red'>f</font>",
    ]
    async with stage(browser, generation) as world:
        gm = await world.client("Game Master")
        normal = (
            "texts => texts.map(text => { const t = document.createElement('template'); t.innerHTML = text; return t.innerHTML })"
        )
        ours = await gm.eval(normal, [clean(text, generation) for text in texts])
        assert ours == await gm.eval("texts => texts.map(text => foundry.utils.cleanHTML(text))", texts)
        assert ours[1] == "words"
        assert ('name="d"' in ours[6]) == (generation == 14)
