"""What stands on an actor and when it ends, on the page: conditions, clocks, turns and rounds, luck, public switches."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import SetCondition
from boonbridge_schemas.events import ConditionCleared, ConditionSet, GrantExpired
from boonbridge_schemas.grants import Expiry
from tests.browser.stage import PHONE, Stage

pytestmark = pytest.mark.browser


def row(page: Page, actor: str) -> Locator:
    """The row of an actor at the table."""
    return page.locator(f"[data-testid=actor][data-actor={actor}]")


async def in_menu(page: Page, actor: str, entry: str) -> Locator:
    """An entry of an actor's menu, which is opened."""
    opener = row(page, actor).get_by_test_id("actor-menu")
    if await opener.get_attribute("aria-expanded") != "true":
        await opener.click()
    return row(page, actor).get_by_test_id(entry)


async def submit(page: Page, dialog: str) -> None:
    """Send a dialog, and see it close."""
    await page.get_by_test_id(dialog).locator("[type=submit]").click()
    await expect(page.get_by_test_id(dialog)).to_be_hidden()


async def attack_the_gnoll(page: Page) -> None:
    """An attack on the demo's opponent, put together and not rolled yet."""
    await page.get_by_test_id("check-picker").get_by_role("radio", name="Attack").check()
    await page.get_by_test_id("targets").get_by_role("checkbox", name="Gnoll").check()


async def test_a_condition_with_an_amount_is_seen_with_what_it_does_and_is_counted_down(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await attack_the_gnoll(player)
    await expect(player.get_by_test_id("net")).to_contain_text("1 Boon")
    await (await in_menu(gm, "gnoll", "condition-for")).click()
    dialog = gm.get_by_test_id("condition-dialog")
    await dialog.locator("[data-condition=exposed] input").check()
    await dialog.get_by_test_id("condition-amount").fill("2")
    await submit(gm, "condition-dialog")
    theirs = row(player, "gnoll").locator("[data-condition=exposed]")
    await expect(theirs).to_have_attribute("data-amount", "2")
    await expect(theirs).to_contain_text("Exposed 2")
    assert await theirs.get_by_role("button").count() == 0, "only a GM changes it"
    # B-12: a Boon per stack on attacks against it, beside the high ground.
    await expect(player.get_by_test_id("net")).to_contain_text("3 Boons")
    await expect(player.get_by_test_id("sources")).to_contain_text("Exposed")
    ours = row(gm, "gnoll").locator("[data-condition=exposed]")
    await ours.get_by_test_id("less").click()
    await expect(theirs).to_have_attribute("data-amount", "1")
    await expect(ours).to_have_attribute("data-amount", "1")
    await expect(ours.get_by_test_id("less")).to_be_focused()
    await ours.get_by_test_id("clear").click()
    await expect(theirs).to_have_count(0)
    await gm.get_by_test_id("notices").locator(".notice", has_text="no longer Exposed").get_by_test_id("undo").click()
    await expect(theirs).to_have_attribute("data-amount", "1")
    events = [event for commit in await stage.log() for event in getattr(commit, "events", ())]
    assert [e.condition.amount for e in events if isinstance(e, ConditionSet)] == [2, 1, 1]
    assert sum(isinstance(e, ConditionCleared) for e in events) == 1


async def test_it_matters_who_marked_somebody(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await (await in_menu(gm, "gnoll", "condition-for")).click()
    dialog = gm.get_by_test_id("condition-dialog")
    await dialog.locator("[data-condition=marked] input").check()
    await dialog.get_by_test_id("condition-by").select_option("bo")
    await submit(gm, "condition-dialog")
    await expect(row(player, "gnoll").locator("[data-condition=marked]")).to_contain_text("from Bo")
    # B-11: everyone on the marking side has one Boon.
    await attack_the_gnoll(player)
    await expect(player.get_by_test_id("net")).to_contain_text("2 Boons")


async def test_a_grant_lasts_until_a_turn_ends(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await row(gm, "ash").get_by_test_id("give").click()
    await gm.get_by_test_id("grant-reason").fill("A clear view")
    await gm.get_by_test_id("grant-expiry").select_option("turn_end")
    await gm.get_by_test_id("grant-expiry-of").select_option("gnoll")
    await submit(gm, "grant-dialog")
    grant = row(player, "ash").locator("[data-testid=grant]", has_text="A clear view")
    await expect(grant).to_contain_text("until Gnoll's turn ends")
    await (await in_menu(gm, "gnoll", "start-turn")).click()
    for page in (gm, player):
        await expect(page.get_by_test_id("turn-bar")).to_contain_text("Round 1")
        await expect(page.get_by_test_id("turn-bar")).to_contain_text("Gnoll's turn")
        await expect(row(page, "gnoll").get_by_test_id("has-turn")).to_be_visible()
    await expect(grant).to_be_visible()
    await (await in_menu(gm, "gnoll", "end-turn")).click()
    await expect(grant).to_have_count(0)
    await expect(player.get_by_test_id("log")).to_contain_text("“A clear view” of Ash is over: a turn ended.")
    ended = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, GrantExpired)]
    assert [(e.actor, e.why) for e in ended] == [("ash", "turn_end")]
    assert await player.get_by_test_id("end-round").count() == 0, "a round is the GM's to end"
    await gm.get_by_test_id("end-combat").click()
    await expect(gm.get_by_test_id("confirm")).to_contain_text("Everything that was to last")
    await expect(player.get_by_test_id("turn-bar")).to_be_visible()
    await submit(gm, "confirm")
    await expect(player.get_by_test_id("turn-bar")).to_be_hidden()


async def test_a_player_has_turns_of_his_own_only(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    player = await stage.page()
    assert await row(player, "gnoll").get_by_test_id("actor-menu").count() == 0
    await (await in_menu(player, "ash", "start-turn")).click()
    await expect(player.get_by_test_id("turn-bar")).to_have_attribute("data-turn", "ash")
    await (await in_menu(player, "ash", "end-turn")).click()
    await expect(player.get_by_test_id("turn-bar")).to_have_attribute("data-turn", "")


async def test_ending_a_turn_while_a_player_still_chooses_is_asked_about(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.locator("[data-verb=give_boon]").click()
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await (await in_menu(gm, "ana", "start-turn")).click()
    await player.get_by_test_id("param-difficulty-free").fill("11")
    stage.tape.lay(2, 3)
    await player.get_by_test_id("roll").click()
    await expect(player.locator("[data-choice=accept]")).to_be_visible()
    await (await in_menu(gm, "ana", "end-turn")).click()
    await expect(gm.get_by_test_id("confirm")).to_contain_text("Ana still has a choice; end the turn anyway?")
    await gm.keyboard.press("Escape")
    await expect(player.locator("[data-choice=accept]")).to_be_visible()
    await (await in_menu(gm, "ana", "end-turn")).click()
    await gm.get_by_test_id("confirm").locator("[type=submit]").click()
    # The default is taken: the failure is accepted, and the group gains a Boon (D-04).
    await expect(player.locator("[data-choice=accept]")).to_have_count(0)
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "2")


async def test_luck_at_the_end_of_a_round(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await (await in_menu(gm, "kestrel", "condition-for")).click()
    await gm.get_by_test_id("condition-key").select_option("frightened")
    await gm.get_by_test_id("condition-luck").click()
    await submit(gm, "condition-dialog")
    await stage.as_gm(SetCondition(actors=("bog-hag",), condition="frightened", luck_ends=True))
    frightened = row(player, "kestrel").locator("[data-condition=frightened]")
    await expect(frightened).to_contain_text("luck ends it")
    assert await frightened.get_by_test_id("luck").count() == 0
    # C-P2: the opposition's luck is rolled at once, in public; that of somebody who is here waits for a click.
    stage.tape.lay(4)
    await gm.get_by_test_id("end-round").click()
    card = player.locator("[data-part=card]")
    await expect(card).to_have_count(1)
    await expect(card).to_contain_text("Bog Hag")
    await expect(card.locator("[data-tag=auto]")).to_be_visible()
    await expect(card).to_contain_text("to end Frightened")
    # High ground is a boon for Kestrel: the d20 and a d6.
    stage.tape.lay(18, 2)
    await frightened.get_by_test_id("luck").click()
    await expect(player.locator("[data-part=card]").first).to_contain_text("Kestrel is no longer Frightened.")
    await expect(frightened).to_have_count(0)


async def test_the_end_of_a_round_is_one_card(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    await stage.as_gm(SetCondition(actors=("bog-hag",), condition="on_fire"))
    gm = await stage.page("gm", "Game Master")
    stage.tape.lay(3, 5)
    await gm.get_by_test_id("end-round").click()
    card = gm.locator("[data-part=card]")
    await expect(card).to_have_attribute("data-kind", "round")
    await expect(card.locator("[data-part=row]")).to_have_count(2)
    await expect(card.locator("[data-roll] [data-part=total]")).to_have_attribute("data-total", re.compile("[35]"))
    await expect(card.locator("[data-kind=damage]")).to_be_visible()


async def test_what_a_condition_is_about_is_chosen_and_told(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master")
    await (await in_menu(gm, "kestrel", "condition-for")).click()
    await gm.get_by_test_id("condition-key").select_option("impaired")
    await gm.get_by_test_id("condition-of").get_by_role("radio", name="Agility").check()
    await gm.get_by_test_id("condition-expiry").select_option("round_end")
    await submit(gm, "condition-dialog")
    held = row(gm, "kestrel").locator("[data-condition='impaired.agility']")
    await expect(held).to_contain_text("Impaired (Agility)")
    await expect(held).to_contain_text("until the round ends")


async def test_an_outcome_without_dice_says_why(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    await stage.as_gm(SetCondition(actors=("kestrel",), condition="unconscious"))
    player = await stage.page()
    await player.get_by_test_id("roll").click()
    card = player.locator("[data-part=card]")
    await expect(card.locator("[data-part=automatic]")).to_contain_text("Unconscious")
    await expect(card.locator("[data-part=automatic]")).to_contain_text("fails by itself")
    assert await card.locator("[data-face]").count() == 0


async def test_the_initiative_stands_on_top_for_everybody(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page(size=PHONE)
    keep = player.locator("[data-verb=keep_initiative]")
    assert await keep.count() == 0, "nothing is lost yet"
    await gm.locator("[data-verb=initiative]").click()
    await gm.get_by_test_id("param-winner").get_by_role("radio", name="the opposition").check()
    await submit(gm, "verb-dialog")
    mark = player.locator("[data-mark=initiative]")
    await expect(mark).to_be_visible()
    await expect(mark).to_have_attribute("data-value", "opposition")
    await expect(mark).to_contain_text("the opposition")
    await gm.locator("[data-verb=give_boon]").click()
    await player.get_by_test_id("tab-table").click()
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    # D-19: a Boon keeps it. Who paid, and why, stands in the log.
    await keep.click()
    await expect(keep).to_have_count(0)
    await expect(mark).to_have_attribute("data-value", "party")
    await expect(gm.get_by_test_id("log")).to_contain_text("Mo: Keep the initiative.")
    await expect(gm.get_by_test_id("log")).to_contain_text("The group spends a Boon: the initiative kept.")


async def test_resistance_is_offered_with_a_skill_of_whoever_resists(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    player = await stage.page()
    await player.locator("[data-verb=offer_resistance]").click()
    assert await player.get_by_test_id("param-actor").get_by_role("radio").count() == 2, "one's own actors only"
    await player.get_by_test_id("param-actor").get_by_role("radio", name="Bela").check()
    skill = player.get_by_test_id("verb-dialog").get_by_test_id("param-skill")
    await expect(skill).to_contain_text("+4")
    await skill.get_by_role("radio", name="Lore").check()
    await submit(player, "verb-dialog")
    # D-22: 7 + the bonus.
    await expect(player.get_by_test_id("log")).to_contain_text("Bela resists with Lore: it takes 11.")


async def test_the_stagger_window_is_a_switch(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    switch = gm.locator("[data-verb=stagger_window]")
    for value, pressed in (("true", "true"), ("false", "false")):
        await switch.click()
        await expect(player.locator("[data-mark=stagger_window]")).to_have_attribute("data-value", value)
        await expect(switch).to_have_attribute("aria-pressed", pressed)
    assert await player.locator("[data-verb]").count() == 0


async def test_conditions_keep_their_clock_when_they_are_counted(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    await stage.as_gm(SetCondition(actors=("ash",), condition="bolstered", amount=2, expiry=Expiry(when="combat_end")))
    gm = await stage.page("gm", "Game Master")
    held = row(gm, "ash").locator("[data-condition=bolstered]")
    await held.get_by_test_id("more").click()
    await expect(held).to_have_attribute("data-amount", "3")
    await expect(held).to_contain_text("until the fight ends")


async def test_several_get_the_same_at_once_and_lose_it_at_once(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master")
    await (await in_menu(gm, "ash", "condition-for")).click()
    dialog = gm.get_by_test_id("condition-dialog")
    await dialog.locator("[data-condition=shaken] input").check()
    await dialog.get_by_test_id("also").locator("summary").click()
    await dialog.locator("[data-also=bo] input").check()
    first = dialog.locator("[data-testid$=-expiry-of] option").first
    assert await first.text_content() == "their own", "a clock of turns is each one's own then"
    await dialog.locator("[data-also=bo] input").uncheck()
    assert await first.text_content() == "Ash"
    await dialog.locator("[data-also=bo] input").check()
    await submit(gm, "condition-dialog")
    shaken = gm.locator("[data-testid=actor] [data-condition=shaken]")
    await expect(shaken).to_have_count(2)
    await gm.get_by_test_id("undo").click()
    await expect(shaken).to_have_count(0)
    await row(gm, "ash").get_by_test_id("give").click()
    dialog = gm.get_by_test_id("grant-dialog")
    await dialog.get_by_test_id("grant-reason").fill("A loud song")
    await dialog.get_by_test_id("also").locator("summary").click()
    await dialog.locator("[data-also=bo] input").check()
    await submit(gm, "grant-dialog")
    songs = gm.locator("[data-testid=grant]", has_text="A loud song")
    await expect(songs).to_have_count(2)
    await gm.locator(".notice", has_text="A loud song").get_by_test_id("undo").click()
    await expect(songs).to_have_count(0)


async def test_a_grant_for_some_rolls_only(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await row(gm, "ash").get_by_test_id("give").click()
    dialog = gm.get_by_test_id("grant-dialog")
    await dialog.get_by_test_id("grant-reason").fill("A keen eye")
    await dialog.get_by_test_id("grant-more").locator("summary").click()
    await dialog.get_by_test_id("grant-check").select_option(label="Task")
    await dialog.get_by_test_id("grant-attribute").select_option(label="Wits")
    await dialog.get_by_test_id("grant-note").fill("since the lighthouse")
    await submit(gm, "grant-dialog")
    grant = row(player, "ash").locator("[data-testid=grant]", has_text="A keen eye")
    await expect(grant).to_contain_text("Task, Wits")
    await expect(grant).to_contain_text("since the lighthouse")
    await expect(player.get_by_test_id("net")).to_contain_text("1 Boon")
    await player.get_by_test_id("param-attribute").get_by_role("radio", name="Wits").check()
    await expect(player.get_by_test_id("net")).to_contain_text("2 Boons")
