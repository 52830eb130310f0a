"""What stands between the dice, in Foundry: other dice, what helps and hinders, rulings; each in V13 and V14."""

import re
from typing import Any

from playwright.async_api import Locator, Page, expect

from boonbridge.commands.demo_tables import PEOPLE
from boonbridge_schemas.commands import Choose, EndRound, Grant, SetCondition, SetOptions, StartTurn, SyncActor
from boonbridge_schemas.grants import GrantSource
from tests.foundry.stage import Evening, cards


async def start(evening: Evening, game: str, *, options: dict[str, Any] | None = None) -> Page:
    """A GM's page, and the demo's numbers of this game for Mira, Teo and the ogre."""
    await evening.open(game, options=options)
    page = await evening.page("Gamemaster")
    await evening.pair(page)
    await page.get_by_test_id("setup-done").click()
    owners = {"Mira": (evening.ids["Mo"],), "Teo": (evening.ids["Kim"],), "Ogre": ()}
    people = [
        SyncActor(
            actor=f"Actor.{evening.ids[name]}", name=name, side="party" if owned else "opposition", owners=owned, numbers=numbers
        )
        for (name, owned), (_, numbers) in zip(owners.items(), PEOPLE[game], strict=True)
    ]
    await evening.bridge.as_gm(*people)
    return page


async def logged(evening: Evening, kind: str) -> list[Any]:
    """Every event of one kind, as a GM reads it."""
    events = [event for commit in await evening.bridge.log() for event in getattr(commit, "events", ())]
    return [event for event in events if type(event).__name__ == kind]


async def say(evening: Evening, page: Page, text: str) -> None:
    """Type something into the chat: V14 hears it as markup."""
    given = f"<p>{text}</p>" if evening.world.generation >= 14 else text
    await page.evaluate("text => ui.chat.processMessage(text)", given)


async def whisper(page: Page, mode: str) -> None:
    """Set the chat to a mode, as its buttons do."""
    await page.evaluate(
        "mode => game.release.generation >= 14 ? game.settings.set('core', 'messageMode', mode) : game.settings.set('core', 'rollMode', `${mode}roll`)",
        mode,
    )


def notices(page: Page) -> Locator:
    """Foundry's notifications."""
    return page.locator("#notifications li, .notification")


async def test_bb_in_chat_is_one_card_and_a_blind_one_tells_nothing(evening: Evening) -> None:
    gm = await start(evening, "sage_d20")
    player = await evening.player()
    evening.bridge.tape.lay(5, 2)
    await say(evening, player, "/bb damage 2d6+3 # Boathook")
    for page in (gm, player):
        await expect(cards(page)).to_have_count(1)
        await expect(cards(page).locator("[data-part=total]")).to_have_attribute("data-total", "10")
        assert await cards(page).locator("[data-face]").evaluate_all("all => all.map(one => one.dataset.face)") == ["5", "2"]
    (rolled,) = await logged(evening, "DiceRolled")
    assert (rolled.name, rolled.label, rolled.kind, rolled.mode, rolled.total) == ("Mira", "Boathook", "damage", "public", 10)
    (message,) = evening.messages()
    assert "Boathook" in message["content"]
    assert "2d6+3" in message["content"]
    totals = await gm.evaluate(
        "game.messages.contents.map(m => m.rolls.map(r => [r.total, r.dice.map(d => d.results.map(x => x.result))]))"
    )
    assert totals == [[[10, [[5, 2]]]]]

    await whisper(player, "blind")
    evening.bridge.tape.lay(97)
    await say(evening, player, "/bb d% # planted-label")
    await expect(cards(gm)).to_have_count(2)
    await expect(cards(gm).last.locator("[data-face='97']")).to_have_count(1)
    await expect(player.locator(".boonbridge-message")).to_have_count(2)
    await expect(cards(player)).to_have_count(1)
    blind = evening.messages()[-1]
    assert blind["rolls"] == []
    assert re.fullmatch(r'<p class="bb-stub">A roll for some eyes only \(#\d+\)\.</p>', blind["content"])
    assert "planted-label" not in "\n".join(evening.foundry.sent_to(evening.ids["Mo"]))
    assert "97" not in await player.locator(".boonbridge-message").last.inner_text()

    await say(evening, player, "/bb 2x6")
    await expect(notices(player).filter(has_text="2d6+3")).to_be_visible()
    await say(evening, player, "/bb")
    await player.get_by_test_id("dice-formula").fill("d20")
    await player.get_by_test_id("dice-mode").select_option("public")
    evening.bridge.tape.lay(13)
    await player.get_by_test_id("dice-formula").press("Enter")
    await expect(cards(player)).to_have_count(2)
    await expect(player.get_by_test_id("dice-window")).to_have_count(0)

    await player.evaluate("game.modules.get('boonbridge').api.table()")
    table = player.get_by_test_id("table-window")
    await expect(table.get_by_test_id("table-empty")).to_be_visible()
    # He may look at everybody, and move nothing.
    assert await table.get_by_role("button").count() == await table.get_by_test_id("panel-row").count() == 3

    # What the end of a round rolls by itself is one message: luck, and what hurts.
    evening.bridge.tape.lay(3, 4)
    ogre = f"Actor.{evening.ids['Ogre']}"
    await evening.bridge.as_gm(SetCondition(actors=(ogre,), condition="on_fire"), EndRound())
    await expect(cards(player)).to_have_count(3)
    await expect(cards(player).last.locator("[data-part=row]")).to_have_count(2)
    assert len(evening.messages()) == 4
    await expect(table.get_by_test_id("turn-bar")).to_contain_text("Round 2")
    await expect(table.get_by_test_id("table-empty")).to_be_hidden()
    assert evening.messages()[-1]["content"].count("<h4>Ogre: ") == 2
    assert len(evening.messages()[-1]["rolls"]) == 2


async def test_what_stands_is_listed_taken_back_and_counts_on_the_next_roll(evening: Evening) -> None:
    gm = await start(evening, "public_d20")
    mira = f"Actor.{evening.ids['Mira']}"
    await gm.evaluate("id => game.modules.get('boonbridge').api.standing(id)", evening.ids["Mira"])
    window = gm.get_by_test_id("standing-window")
    await expect(window).to_contain_text("Nothing helps or hinders Mira")
    await window.get_by_test_id("start-turn").focus()
    rope, lamp = (GrantSource(id=name.lower(), label=name) for name in ("Rope", "Lamp"))
    await evening.bridge.as_gm(Grant(actors=(mira,), sign="boon", source=rope), Grant(actors=(mira,), sign="boon", source=lamp))
    await expect(window.get_by_test_id("grant")).to_have_count(2)
    await expect(window.get_by_test_id("grant").first).to_contain_text("by Game Master")
    await expect(window.get_by_test_id("start-turn")).to_be_focused()
    await window.get_by_test_id("grant").filter(has_text="Rope").get_by_test_id("revoke").click()
    await expect(window.get_by_test_id("grant")).to_have_count(1)
    assert len(await logged(evening, "GrantRevoked")) == 1

    await window.get_by_test_id("give-condition").locator("summary").first.click()
    await window.locator("[data-condition=slowed]").click()
    await window.get_by_test_id("give-condition-save").click()
    await expect(window.locator("[data-testid=condition][data-condition=slowed]")).to_be_visible()
    await whisper(gm, "gm")
    evening.bridge.tape.lay(12)
    outcome = await gm.evaluate(
        "actor => game.modules.get('boonbridge').api.roll({ dialog: false, actor, check: 'task', params: { attribute: 'attribute.might', dc: 12 } })",
        evening.ids["Mira"],
    )
    assert outcome["ok"], outcome
    await expect(cards(gm).locator("[data-part=sources]")).to_contain_text("Slowed")
    (rolled,) = await logged(evening, "CheckRolled")
    assert {source.label for source in rolled.sources} >= {"Slowed", "Lamp"}
    evening.bridge.tape.lay(4)
    await say(evening, gm, "/bb 1d6")
    await expect(cards(gm)).to_have_count(2)
    said = "The dice of this table are public, so that you usually choose “GMs only” does not count here."
    await expect(notices(gm).filter(has_text=said)).to_have_count(2)  # of the macro's roll, and of this one
    (dice,) = await logged(evening, "DiceRolled")
    assert dice.mode == "public"
    # What a macro says outright is asked for, and refused.
    outcome = await gm.evaluate("game.modules.get('boonbridge').api.dice({ formula: 'd6', mode: 'gm', dialog: false })")
    assert (outcome["ok"], outcome["code"]) == (False, "roll.mode")


async def test_after_a_failure_gms_rule_and_another_try_says_what_changed(evening: Evening) -> None:
    gm = await start(evening, "rank_ability", options={"dice": 30})
    player = await evening.player()
    await evening.bridge.as_gm(SetOptions(options={"manual_dice": True}))
    # 1 + 2 against 20 fails, and is no fumble: that is two ones.
    evening.bridge.tape.lay(1, 2)
    outcome = await player.evaluate(
        "() => game.modules.get('boonbridge').api.roll({ dialog: false, check: 'check', params: { ability: 'str', tn: 20 }, action: 'lifts the gate' })"
    )
    assert outcome["ok"], outcome
    await expect(cards(gm).locator("[data-choice=pass]")).to_be_visible()
    await expect(cards(player).locator("[data-part=waiting]")).to_be_visible()
    await expect(cards(player).locator("[data-choice]")).to_have_count(0)
    (rolled,) = await logged(evening, "CheckRolled")
    await evening.bridge.as_gm(Choose(check=rolled.rolled.check, choice="pass"))
    await expect(cards(gm).locator("[data-choice]:enabled")).to_have_count(0)
    await expect(cards(player).locator("[data-part=waiting]")).to_have_count(0)

    # The same again by a macro opens the dialog, which goes by keyboard alone, with dice of a real table.
    outcome = await player.evaluate(
        "() => game.modules.get('boonbridge').api.roll({ dialog: false, check: 'check', params: { ability: 'str', tn: 10 }, action: 'lifts the gate' })"
    )
    assert outcome["code"] == "roll.locked"
    dialog = player.get_by_test_id("roll-panel")
    await expect(dialog.get_by_test_id("retry")).to_be_visible()
    await dialog.get_by_test_id("action").press("Enter")
    await expect(dialog.get_by_test_id("retry-changed")).to_be_focused()
    await player.keyboard.type("A longer lever")
    await dialog.get_by_test_id("hand").locator("summary").press("Enter")
    await dialog.get_by_test_id("hand-faces").fill("8 3")
    await dialog.get_by_test_id("hand-faces").press("Enter")
    await expect(dialog).to_have_count(0)
    for page in (gm, player):
        await expect(cards(page).last).to_contain_text("A longer lever")
        await expect(cards(page).last.locator("[data-tag=manual]")).to_be_visible()
        # Only the first roll fell on the screens.
        assert await page.evaluate("game.dice3d._stageAnimations.length") == 1
    message = evening.messages()[-1]
    assert "A longer lever" in message["content"]
    assert "dice rolled by hand" in message["content"]
    assert [face.face for face in (await logged(evening, "CheckRolled"))[-1].result.dice] == [8, 3]


async def test_the_groups_boons_the_initiative_and_the_round_are_in_a_window_for_everybody(evening: Evening) -> None:
    gm = await start(evening, "group_d12")
    player = await evening.player()
    await gm.locator("[data-tool=boonbridgeTable]").click()
    await player.evaluate("game.modules.get('boonbridge').api.roll()")
    await player.locator("[data-action=toggleControls]").last.click()
    await player.locator(".controls-dropdown").get_by_text("Table").click()
    await player.get_by_test_id("roll-panel").get_by_test_id("action").press("Escape")
    ours, theirs = (page.get_by_test_id("table-window") for page in (gm, player))
    keep = theirs.locator("[data-verb=keep_initiative]")
    await expect(theirs.get_by_test_id("pool")).to_have_attribute("data-held", "0")
    assert await theirs.locator("[data-verb=give_boon]").count() == 0
    assert await keep.count() == 0, "nothing is lost yet"

    give = ours.locator("[data-verb=give_boon]")
    await give.press("Enter")
    for window in (ours, theirs):
        await expect(window.get_by_test_id("pool")).to_have_attribute("data-held", "1")
        await expect(window.locator(".pip[data-full]")).to_have_count(1)
    await expect(give).to_be_focused()
    await ours.locator("[data-verb=initiative]").press("Enter")
    dialog = gm.get_by_test_id("verb-dialog")
    await dialog.get_by_test_id("param-winner").get_by_role("radio", name="the opposition").check()
    await gm.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    await expect(ours.locator("[data-verb=initiative]")).to_be_focused()
    for window in (ours, theirs):
        await expect(window.locator("[data-mark=initiative]")).to_contain_text("the opposition")

    await evening.bridge.as_gm(StartTurn(actor=f"Actor.{evening.ids['Mira']}"))
    await expect(theirs.get_by_test_id("turn-bar")).to_contain_text("Mira's turn")
    assert await theirs.get_by_test_id("end-round").count() == 0, "a round is the GM's to end"
    await ours.get_by_test_id("end-round").click()
    await expect(theirs.get_by_test_id("turn-bar")).to_contain_text("Round 2")

    # D-19: a Boon keeps it.
    await keep.click()
    await expect(keep).to_have_count(0)
    for window in (ours, theirs):
        await expect(window.locator("[data-mark=initiative]")).to_have_attribute("data-value", "party")
        await expect(window.get_by_test_id("pool")).to_have_attribute("data-held", "0")
    assert [event.verb for event in await logged(evening, "Acted")] == ["give_boon", "initiative", "keep_initiative"]
    await ours.get_by_test_id("end-combat").click()
    await expect(gm.get_by_text("Everything that was to last")).to_be_visible()
    await gm.get_by_role("button", name="Fight ends").last.click()
    await expect(theirs.get_by_test_id("turn-bar")).not_to_contain_text("Round")
