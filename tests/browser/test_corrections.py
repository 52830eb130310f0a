"""Corrections on the page: what is told before, what stands struck through after, for everybody and after a reload."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import Act, Grant, SetCondition, StartSession
from boonbridge_schemas.events import Overridden, Revealed, Settled, Voided
from boonbridge_schemas.grants import GrantSource
from tests.browser.stage import LOOKS, PHONE, Stage
from tests.browser.test_accessible import violations
from tests.browser.test_house_rules import logged

pytestmark = pytest.mark.browser


async def failed(stage: Stage, player: Page, action: str, *faces: int) -> None:
    """Ana fails against 11: with nothing to spend the failure is accepted, and the group gains a Boon (D-04)."""
    await player.get_by_test_id("param-difficulty-free").fill("11")
    await player.get_by_test_id("action").fill(action)
    await expect(player.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(*faces)
    await player.get_by_test_id("roll").click()


def card(page: Page, seq: int) -> Locator:
    """The card of a commit."""
    return page.locator(f"[data-part=card][data-seq='{seq}']")


async def correct(page: Page, what: str) -> Locator:
    """Open the correction of something, and wait for what it would come to."""
    await page.get_by_test_id("log").locator(f"[data-part=correct][data-what='{what}']").click()
    dialog = page.get_by_test_id("correction-dialog")
    await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    return dialog


async def test_i_94_a_roll_whose_boon_was_spent_is_taken_back_after_that_was_read(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    await stage.as_gm(StartSession())
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    # High ground: two dice, the best: 4 + 3 = 7.
    await failed(stage, player, "climbs the wet wall", 4, 3)
    await expect(gm.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    (rolled,) = [event for commit in await stage.log() for event in commit.events if type(event).__name__ == "CheckRolled"]
    what, seq = f"check/{rolled.rolled.check}", int(rolled.rolled.check.split(".")[0])
    dialog = await correct(gm, what)
    await expect(dialog.get_by_test_id("foreseen-changes")).to_contain_text("The group gives a Boon back.")
    await expect(dialog.get_by_test_id("foreseen-left")).to_have_count(0)
    # While the GM reads, it is spent: what would stay is told anew, by itself.
    await stage.as_gm(Act(verb="take_boon"))
    await expect(dialog.get_by_test_id("foreseen-left")).to_contain_text(
        "The group cannot give a Boon back: spent in the meantime."
    )
    await expect(dialog.get_by_test_id("foreseen-changes")).to_contain_text("Nothing else")
    assert await violations(gm) == []
    assert await logged(stage, Voided) == []
    await dialog.get_by_test_id("correction-reason").fill("it was dry")
    await dialog.get_by_test_id("correction-do").click()
    await expect(dialog).to_be_hidden()
    (voided,) = await logged(stage, Voided)
    assert (voided.what, voided.reason) == (what, "it was dry")
    assert [(left.what, left.key, left.amount, left.why) for left in voided.left] == [("resource", "boons", 1, "spent_since")]
    # The original stands there still, for everybody and after a reload, and says what became of it in words.
    await player.reload()
    for page in (gm, player):
        original = card(page, seq)
        await expect(original).to_have_attribute("data-voided", "")
        await expect(original.locator("[data-part=corrected]")).to_have_text("Taken back: it was dry")
        await expect(original.locator("[data-part=verdict] s")).to_have_text("Failure")
        await expect(original.locator("[data-part=verdict]")).to_contain_text("taken back in #")
        await expect(original.locator("[data-part=correct]")).to_have_count(0)
        correction = page.locator("[data-part=card][data-kind=voided]")
        await expect(correction).to_contain_text("This stays as it is:")
        await expect(correction.locator("[data-part=was] s")).to_contain_text("7")
    # A correction itself is final; and a player has nothing to correct.
    await expect(gm.locator("[data-kind=voided] [data-part=correct]")).to_have_count(0)
    await expect(player.locator("[data-part=correct]")).to_have_count(0)
    await correction.get_by_role("button", name=f"on #{seq}").click()
    await expect(original).to_be_in_viewport()


async def test_i_95_a_gm_decides_otherwise_and_both_outcomes_stand_there(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await failed(stage, player, "jumps the gap", 5, 2)
    await expect(gm.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await gm.get_by_test_id("log").locator("[data-part=correct][data-what^='check/']").click()
    dialog = gm.get_by_test_id("correction-dialog")
    await dialog.get_by_test_id("correction-what").locator("input[value=override]").check()
    # Outcomes that this kind of check has not are refused while they are chosen, not after.
    await dialog.get_by_test_id("correction-outcome").locator("input[value=contributed]").check()
    await expect(dialog.get_by_test_id("foreseen")).to_contain_text("cannot come to that")
    await expect(dialog.get_by_test_id("correction-do")).to_be_disabled()
    await dialog.get_by_test_id("correction-outcome").locator("input[value=critical_failure]").check()
    await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    await dialog.get_by_test_id("correction-reason").fill("into the abyss")
    await dialog.get_by_test_id("correction-do").click()
    await expect(dialog).to_be_hidden()
    (ruled,) = await logged(stage, Overridden)
    assert (ruled.outcome, ruled.reason, ruled.result.total) == ("critical_failure", "into the abyss", 8)
    # The Boon of the failure went, the one of the critical failure came (D-11).
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    seq = int(ruled.check.split(".")[0])
    await player.reload()
    for page in (gm, player):
        original = card(page, seq)
        await expect(original.locator("[data-part=verdict] s")).to_have_text("Failure")
        await expect(original.locator("[data-part=corrected]")).to_have_text(
            "Decided otherwise: Critical failure (into the abyss)"
        )
        correction = page.locator("[data-part=card][data-kind=overridden]")
        await expect(correction.locator("[data-part=was] s")).to_have_text("Failure")
        await expect(correction.locator("[data-part=verdict]")).to_have_attribute("data-outcome", "critical_failure")
    # What the new outcome asks of the GM is asked on the newest card, once.
    await expect(gm.locator(f"[data-check='{ruled.check}'][data-choice]").first).to_be_visible()
    await expect(card(gm, seq).locator("[data-choice]")).to_have_count(0)
    assert await violations(gm) == []


async def test_grants_conditions_and_moves_are_taken_back_from_their_lines(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    await stage.as_gm(
        Grant(actors=("ash",), sign="boon", source=GrantSource(id="rope", label="A rope")),
        SetCondition(actors=("ash", "bo"), condition="exposed", amount=2),
    )
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    ash = gm.locator("[data-testid=actor][data-actor=ash]")
    await expect(ash.locator("[data-condition=exposed]")).to_have_attribute("data-amount", "2")
    for kind, line, change in (
        ("grant", "A rope", "“A rope” is taken from Ash."),
        ("condition", "Exposed 2", "Ash is no longer Exposed."),
    ):
        button = gm.locator("[data-deed]", has_text=line).filter(has_text="Ash").locator("[data-part=correct]")
        await button.click()
        dialog = gm.get_by_test_id("correction-dialog")
        await expect(dialog.get_by_test_id("foreseen-changes")).to_contain_text(change)
        await dialog.get_by_test_id("correction-reason").fill("a slip")
        await dialog.get_by_test_id("correction-do").click()
        await expect(dialog).to_be_hidden()
        for page in (gm, player):
            struck = page.locator(f"[data-deed^='{kind}/'][data-voided]")
            await expect(struck.locator("s")).to_contain_text(line)
            await expect(struck.locator("[data-part=corrected]")).to_contain_text("a slip")
    await expect(ash.locator("[data-testid=condition]")).to_have_count(0)
    # The other one of the same commit keeps his.
    await expect(gm.locator("[data-actor=bo] [data-condition=exposed]")).to_have_count(1)
    assert len(await logged(stage, Voided)) == 2
    await player.reload()
    await expect(player.locator("[data-deed][data-voided] s")).to_have_count(2)


async def test_a_hidden_roll_counts_or_is_shown_when_the_gm_says_so(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    await stage.as_gm(StartSession())
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("mode").select_option("gm")
    await failed(stage, gm, "planted action", 2, 2)
    hidden = gm.locator("[data-part=card][data-kind=check]")
    await expect(hidden).to_contain_text("Not in effect while the roll is hidden")
    await gm.get_by_test_id("log").locator("[data-part=correct][data-what^='check/']").click()
    dialog = gm.get_by_test_id("correction-dialog")
    await dialog.get_by_test_id("correction-what").locator("input[value=settle]").check()
    await expect(dialog.get_by_test_id("foreseen-changes")).to_contain_text("gains a Boon")
    await dialog.get_by_test_id("correction-do").click()
    await expect(dialog).to_be_hidden()
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await expect(hidden.locator("[data-kind=settled]")).to_contain_text("counted at the table since #")
    await expect(player.locator("[data-part=card]")).to_have_count(0)
    assert "planted action" not in await player.content()
    assert len(await logged(stage, Settled)) == 2
    await gm.get_by_test_id("log").locator("[data-part=correct][data-what^='check/']").click()
    await dialog.get_by_test_id("correction-what").locator("input[value=reveal]").check()
    await expect(dialog.get_by_test_id("correction-what").locator("input[value=settle]")).to_have_count(0)
    await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    await dialog.get_by_test_id("correction-do").click()
    await expect(dialog).to_be_hidden()
    (shown,) = await logged(stage, Revealed)
    assert shown.result.total == 5
    await player.reload()
    now = player.locator("[data-part=card][data-kind=revealed]")
    await expect(now).to_contain_text("planted action")
    await expect(now.locator("[data-part=total]")).to_have_attribute("data-total", "5")
    await expect(now).to_contain_text("rolled to the GM")
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await expect(gm.locator("[data-part=corrected][data-kind=revealed]")).to_have_count(1)


async def test_a_player_shows_or_takes_back_what_nobody_else_saw(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    player, other = await stage.page(), await stage.page(name="Kim")
    for number, faces in ((1, (9, 2)), (2, (11, 3))):
        await player.get_by_test_id("mode").select_option("self")
        await player.get_by_test_id("action").fill(f"alone {number}")
        await expect(player.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
        stage.tape.lay(*faces)
        await player.get_by_test_id("roll").click()
        await expect(player.locator("[data-part=card]")).to_have_count(number)
    await player.locator("[data-part=card]", has_text="alone 1").locator("[data-part=correct]").click()
    dialog = player.get_by_test_id("correction-dialog")
    await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    await dialog.get_by_test_id("correction-do").click()
    await expect(other.locator("[data-part=card]")).to_contain_text("It was rolled alone, so it counts for nothing.")
    await player.locator("[data-part=card][data-kind=check]", has_text="alone 2").locator("[data-part=correct]").click()
    await dialog.get_by_test_id("correction-what").locator("input[value=void]").check()
    await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    await dialog.get_by_test_id("correction-do").click()
    await expect(player.locator("[data-part=card][data-kind=voided]")).to_have_count(1)
    await expect(other.locator("[data-part=card]")).to_have_count(1)
    assert "alone 2" not in await other.content()


@pytest.mark.long  # every window of it; what they do is tested above
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_corrections_can_be_read_and_made_by_everybody(stage: Stage, scheme: Any, size: tuple[int, int]) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master", scheme=scheme, size=size), await stage.page()
    await failed(stage, player, "climbs the wet wall", 4, 3)
    await failed(stage, player, "climbs on", 2, 5)
    if size == PHONE:
        await gm.get_by_test_id("tab-log").click()
    await expect(gm.get_by_test_id("log").locator("[data-part=correct][data-what^='check/']")).to_have_count(2)
    # With the keyboard: from the card to its correction, and back to where one was.
    for nth in (0, 1):
        button = gm.get_by_test_id("log").locator("[data-part=correct][data-what^='check/']").nth(nth)
        await button.focus()
        await gm.keyboard.press("Enter")
        dialog = gm.get_by_test_id("correction-dialog")
        await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
        await dialog.get_by_test_id("correction-what").locator("input:checked").focus()
        if nth == 0:
            await gm.keyboard.press("ArrowRight")
            await expect(dialog.get_by_test_id("correction-outcome")).to_be_visible()
            await expect(dialog.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
        assert await violations(gm) == []
        await dialog.get_by_test_id("correction-reason").focus()
        await gm.keyboard.type("as it was meant")
        await gm.keyboard.press("Enter")
        await expect(dialog).to_be_hidden()
    await expect(gm.locator("[data-part=corrected]")).to_have_count(2)
    await expect(gm.get_by_test_id("notices").locator(".notice")).to_have_count(0, timeout=12_000)
    await gm.evaluate("scrollTo({ top: 0 })")  # where nothing lies over a card
    await expect(gm.get_by_test_id("jump")).to_be_hidden()
    assert await violations(gm) == []
    assert await gm.evaluate("document.documentElement.scrollWidth") <= size[0]
