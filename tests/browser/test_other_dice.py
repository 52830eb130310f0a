"""Other dice than those of a check, and dice that lay on a real table."""

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import SetOptions
from boonbridge_schemas.events import CheckRolled, DiceRolled
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser


async def open_dice(page: Page) -> None:
    """The fold under the roll panel; whoever opens it can type at once."""
    await page.get_by_test_id("other-dice").locator("summary").click()
    await expect(page.get_by_test_id("dice-formula")).to_be_focused()


async def test_a_formula_is_one_card_on_every_screen(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await open_dice(player)
    await player.get_by_test_id("dice-label").fill("Maul")
    await player.get_by_test_id("dice-damage").click()
    await player.get_by_test_id("dice-formula").fill("3d6kh2 - 1d4 + 3")
    stage.tape.lay(5, 1, 6, 2)
    await player.get_by_test_id("dice-formula").press("Enter")
    for page in (gm, player):
        card = page.locator("[data-part=card][data-kind=dice]")
        await expect(card).to_contain_text("Ash")
        await expect(card).to_contain_text("Maul")
        await expect(card.locator("[data-kind=damage]")).to_have_text("damage")
        # 5 + 6, the 1 is dropped; 2 taken away; 3 added.
        await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", "12")
        shown = await card.locator("[data-face]").evaluate_all("list => list.map(x => [Number(x.dataset.face), x.dataset.kept])")
        assert shown == [[5, "true"], [1, "false"], [6, "true"], [2, "true"]]
        await expect(card.locator("[data-part=verdict]")).to_have_count(0)
    (event,) = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, DiceRolled)]
    assert (event.actor, event.kind, event.total) == ("ash", "damage", 12)
    # The same again needs one key.
    stage.tape.lay(5, 1, 6, 2)
    await player.get_by_test_id("dice-formula").press("Enter")
    await expect(player.locator("[data-part=card]")).to_have_count(2)


async def test_what_is_no_formula_is_said_and_nothing_is_rolled(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    player = await stage.page()
    await open_dice(player)
    await player.get_by_test_id("dice-formula").fill("two dice please")
    await player.get_by_test_id("roll-dice").click()
    await expect(player.get_by_test_id("dice-status")).to_contain_text("These dice cannot be read.")
    await expect(player.get_by_test_id("dice-formula")).to_be_focused()
    assert await player.locator("[data-part=card]").count() == 0


async def test_dice_for_nobody_and_for_the_gm_alone(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await open_dice(player)
    await player.get_by_test_id("dice-who").select_option("")
    await player.get_by_test_id("dice-mode").select_option(label="The GM alone; you know that you rolled")
    await player.get_by_test_id("dice-formula").fill("d%")
    stage.tape.lay(73)
    await player.get_by_test_id("roll-dice").click()
    await expect(gm.locator("[data-part=card] [data-part=total]")).to_have_attribute("data-total", "73")
    await expect(player.get_by_test_id("log")).to_contain_text("rolled other dice. The GM knows the result.")
    assert "73" not in await player.get_by_test_id("log").inner_text()


async def test_a_rule_grants_damage_a_boon_where_the_table_lets_rules_do_so(stage: Stage) -> None:
    # A-17, option damage_boons. Proposed: the extra die is rolled along, and as many are kept as without it.
    await stage.open("rank_ability")
    await stage.set_demo()
    player = await stage.page()
    await open_dice(player)
    await player.get_by_test_id("dice-damage").click()
    await expect(player.get_by_test_id("dice-rules")).to_be_hidden()
    await stage.as_gm(SetOptions(options={"damage_boons": "if_rule_says"}))
    await expect(player.get_by_test_id("dice-rules")).to_be_visible()
    await player.get_by_test_id("dice-damage").click()
    await expect(player.get_by_test_id("dice-rules")).to_be_hidden()
    await player.get_by_test_id("dice-damage").click()
    await expect(player.get_by_test_id("dice-rule")).to_be_hidden()
    await player.get_by_test_id("dice-rule-sign").get_by_role("radio", name="Boon").check()
    await player.get_by_test_id("dice-formula").fill("2d6kh1")
    await player.get_by_test_id("roll-dice").click()
    await expect(player.get_by_test_id("dice-rule")).to_be_focused()
    await expect(player.get_by_test_id("dice-status")).to_have_text("Name the rule that grants it.")
    await player.get_by_test_id("dice-rule").fill("Dragon-slaying edge")
    await player.get_by_test_id("roll-dice").click()
    await expect(player.get_by_test_id("dice-status")).to_contain_text("dice are only added up")
    await expect(player.get_by_test_id("dice-formula")).to_be_focused()
    assert await player.locator("[data-part=card]").count() == 0
    await player.get_by_test_id("dice-formula").fill("2d6+1")
    stage.tape.lay(2, 5, 8)
    await player.get_by_test_id("dice-rule").press("Enter")
    card = player.locator("[data-part=card][data-kind=dice]")
    # The best two of 2, 5 and 8, and 1.
    await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", "14")
    shown = await card.locator("[data-face]").evaluate_all(
        "all => all.map(x => [x.dataset.face, x.dataset.sign ?? '', x.dataset.kept])"
    )
    assert shown == [["2", "", "false"], ["5", "", "true"], ["8", "boon", "true"]]
    line = card.locator("[data-part=sources] [data-source=rule]")
    await expect(line).to_contain_text("Dragon-slaying edge")
    await expect(line).to_have_attribute("data-sign", "boon")
    await expect(line).to_have_attribute("data-counted", "true")
    await player.get_by_test_id("dice-rule-sign").get_by_role("radio", name="Bane").check()
    stage.tape.lay(2, 5, 8)
    await player.get_by_test_id("roll-dice").click()
    # The worst two, and 1.
    await expect(player.locator("[data-part=total][data-total='8']")).to_have_count(1)
    # What is not damage has no rule, whatever was typed.
    await player.get_by_test_id("dice-damage").click()
    stage.tape.lay(2, 5)
    await player.get_by_test_id("roll-dice").click()
    await expect(player.locator("[data-part=card]")).to_have_count(3)
    rolled = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, DiceRolled)]
    assert [(e.rule, [(s.id, s.label, s.sign) for s in e.sources], e.total) for e in rolled] == [
        ("Dragon-slaying edge", [("rule", "Dragon-slaying edge", "boon")], 14),
        ("Dragon-slaying edge", [("rule", "Dragon-slaying edge", "bane")], 8),
        ("", [], 8),
    ]


async def test_an_observer_rolls_none(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    page = await stage.page("observer", "Ola")
    await expect(page.get_by_test_id("roll-empty")).to_be_visible()
    await expect(page.get_by_test_id("other-dice")).to_be_hidden()


async def test_dice_rolled_by_hand_are_typed_in_and_marked(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    player = await stage.page()
    await expect(player.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    assert await player.get_by_test_id("hand").count() == 0, "only where the table takes them"
    await stage.as_gm(SetOptions(options={"manual_dice": True}))
    await player.get_by_test_id("hand").locator("summary").click()
    # High ground is a boon: the d20, then the d6.
    await expect(player.get_by_test_id("hand-count")).to_have_text("2 dice, in this order: d20, d6 boon.")
    await player.get_by_test_id("hand-faces").fill("17 x")
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("hand-faces")).to_be_focused()
    await expect(player.get_by_test_id("hand-count")).to_contain_text("Only the numbers")
    await player.get_by_test_id("hand-faces").fill("17")
    await expect(player.get_by_test_id("hand-count")).to_contain_text("1 of 2")
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("send-status")).to_contain_text("You gave too few faces (1).")
    await player.get_by_test_id("hand-faces").fill("17 4 4")
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("send-status")).to_contain_text("2 dice are rolled here, and you gave 3.")
    await player.get_by_test_id("hand-faces").fill("17, 7")
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("send-status")).to_contain_text("A d6 has no 7.")
    assert await player.locator("[data-part=card]").count() == 0
    await player.get_by_test_id("hand-faces").fill("17, 4")
    await player.get_by_test_id("roll").click()
    card = player.locator("[data-part=card]")
    await expect(card.locator("[data-tag=manual]")).to_have_text("dice rolled by hand")
    await expect(player.get_by_test_id("hand-faces")).to_have_value("")
    (event,) = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, CheckRolled)]
    assert event.rolled.manual
    assert [die.face for die in event.result.dice] == [17, 4]


async def test_other_dice_and_bought_dice_may_be_rolled_by_hand_too(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    await stage.as_gm(SetOptions(options={"manual_dice": True}))
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await open_dice(player)
    await player.get_by_test_id("dice-formula").fill("2d6")
    await player.get_by_test_id("dice-faces").fill("3 4")
    await player.get_by_test_id("roll-dice").click()
    card = player.locator("[data-part=card]")
    await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", "7")
    await expect(card.locator("[data-tag=manual]")).to_be_visible()
    await gm.locator("[data-verb=give_boon]").click()
    await player.get_by_test_id("param-difficulty-free").fill("11")
    stage.tape.lay(2, 3)
    await player.get_by_test_id("roll").click()
    block = player.locator("[data-part=choices]")
    await block.locator("summary").click()
    await block.locator("[data-part=faces]").fill("9")
    await block.locator("[data-choice=spend]").click()
    bought = player.locator("[data-part=card][data-kind=choice]")
    # 9 + 3 against 11.
    await expect(bought.locator("[data-part=total]")).to_have_attribute("data-total", "12")
    await expect(bought.locator("[data-tag=manual]")).to_be_visible()
