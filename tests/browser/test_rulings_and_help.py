"""After a check and before the next: the GM's rulings, what changed since it failed, help from another player."""

import pytest
from playwright.async_api import Page, expect

from boonbridge.commands.demo_tables import PEOPLE
from boonbridge_schemas.commands import SetOptions, SyncActor
from boonbridge_schemas.events import AssistAnswered, CheckRolled, Chosen
from tests.browser.stage import TABLE, Stage
from tests.browser.test_turns_and_conditions import row, submit
from tests.support.names import user_id

pytestmark = pytest.mark.browser


async def fail(stage: Stage, player: Page, action: str) -> None:
    """A failure of Mira's, who has a Boon: 1 + 2 at best against 10."""
    await player.get_by_test_id("action").fill(action)
    await expect(player.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(1, 2, 1)
    await player.get_by_test_id("roll").click()
    await expect(player.locator("[data-part=card]").first).to_contain_text(action)


async def give_teo_to(stage: Stage, player: str) -> None:
    """Another player's actor in the party."""
    numbers = PEOPLE["rank_ability"][1][1]
    await stage.as_gm(SyncActor(actor="teo", name="Teo", side="party", owners=(user_id(TABLE, player),), numbers=numbers))


async def test_a_ruling_with_a_note_is_the_gms_to_make_and_everybodys_to_read(stage: Stage) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await fail(stage, player, "pick the old lock")
    card = player.locator("[data-part=card]").first
    await expect(card.locator("[data-part=waiting]")).to_have_text("Waiting for the GM's ruling.")
    assert await card.locator("[data-choice]").count() == 0
    note = gm.locator("[data-part=note]")
    await note.fill("The rope frays")
    # News redraws the card; what is being typed stays, and so does the focus.
    await player.get_by_test_id("roll-panel").get_by_test_id("action").fill("another thing")
    stage.tape.lay(4, 5, 9)
    await player.get_by_test_id("roll").click()
    await expect(gm.locator("[data-part=card]")).to_have_count(2)
    await expect(note.last).to_have_value("The rope frays")
    await gm.locator("[data-choice=danger]").last.click()
    for page in (gm, player):
        ruled = page.locator("[data-part=ruling]")
        await expect(ruled).to_have_text("The GM: It reveals a danger – “The rope frays”")
    await expect(card.locator("[data-part=waiting]")).to_have_count(0)
    (chosen,) = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, Chosen)]
    assert (chosen.choice, chosen.note) == ("danger", "The rope frays")


async def test_said_at_the_table_leaves_the_card_as_it_is(stage: Stage) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await fail(stage, player, "pick the old lock")
    await gm.locator("[data-choice=pass]").click()
    await expect(player.locator("[data-part=waiting]")).to_have_count(0)
    assert await player.locator("[data-part=ruling]").count() == 0


async def test_what_failed_before_asks_what_changed(stage: Stage) -> None:
    # A-24, option retry = strict.
    await stage.open("rank_ability")
    await stage.set_demo()
    player = await stage.page()
    await fail(stage, player, "pick the old lock")
    await expect(row(player, "mira").get_by_test_id("lock")).to_have_text("failed: pick the old lock")
    await player.get_by_test_id("action").fill("  Pick the OLD lock")
    await expect(player.get_by_test_id("retry")).to_be_visible()
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("retry-changed")).to_be_focused()
    assert await player.locator("[data-part=card]").count() == 1, "nothing is rolled until it is said"
    await player.locator("[data-change='Better tools']").click()
    await expect(player.get_by_test_id("retry-changed")).to_have_value("Better tools")
    await player.get_by_test_id("retry-changed").fill("a hairpin of the duchess")
    stage.tape.lay(8, 7, 3)
    await player.get_by_test_id("roll").click()
    card = player.locator("[data-part=card]").first
    await expect(card.locator("[data-part=changed]")).to_have_text("What changed: a hairpin of the duchess")
    await expect(row(player, "mira").get_by_test_id("lock")).to_have_count(0)
    await expect(player.get_by_test_id("retry")).to_be_hidden()
    rolled = [e.rolled for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, CheckRolled)]
    assert [each.changed for each in rolled] == ["", "a hairpin of the duchess"]


async def test_a_gm_is_only_reminded(stage: Stage) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await fail(stage, player, "pick the old lock")
    await gm.get_by_test_id("action").fill("pick the old lock")
    await expect(gm.get_by_test_id("retry-hint")).to_be_visible()
    await expect(gm.get_by_test_id("retry")).to_be_hidden()
    stage.tape.lay(8, 7, 3)
    await gm.get_by_test_id("roll").click()
    await expect(gm.locator("[data-part=card]").first.locator("[data-tag=again]")).to_be_visible()


async def test_help_is_offered_and_the_gm_agrees_or_not(stage: Stage) -> None:
    await stage.open("rank_ability")  # assist = gm_approves
    await stage.set_demo()
    await give_teo_to(stage, "Sam")
    gm, player, helper = await stage.page("gm", "Game Master"), await stage.page(), await stage.page("player", "Sam")
    assert await row(helper, "gate-warden").get_by_test_id("help").count() == 0
    for accept in (False, True):
        await row(helper, "mira").get_by_test_id("help").click()
        await helper.get_by_test_id("assist-action").fill("hold the door")
        await submit(helper, "assist-dialog")
        offered = row(player, "mira").get_by_test_id("assist")
        await expect(offered).to_contain_text("Teo offers help")
        await expect(offered).to_contain_text("waits for the GM")
        assert await offered.get_by_role("button").count() == 0
        await row(gm, "mira").get_by_test_id("accept" if accept else "decline").click()
        await expect(offered).to_have_count(0)
        help_of = row(player, "mira").locator("[data-testid=grant]", has_text="Teo")
        await expect(help_of).to_have_count(1 if accept else 0)
    await expect(help_of).to_contain_text("hold the door")
    # Who offered it may think better of it; nobody else but the GM answers.
    await row(helper, "mira").get_by_test_id("help").click()
    await submit(helper, "assist-dialog")
    await expect(row(gm, "mira").get_by_test_id("accept")).to_be_visible()
    for page in (gm, player):
        await expect(row(page, "mira").get_by_test_id("assist")).to_contain_text("Teo offers help")
        assert await row(page, "mira").get_by_test_id("take-back").count() == 0
    await row(helper, "mira").get_by_test_id("take-back").click()
    for page in (gm, player, helper):
        await expect(row(page, "mira").get_by_test_id("assist")).to_have_count(0)
    answered = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, AssistAnswered)]
    assert [e.accepted for e in answered] == [False, True, False]


async def test_help_that_needs_nobody_counts_at_once(stage: Stage) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    await give_teo_to(stage, "Sam")
    await stage.as_gm(SetOptions(options={"assist": "free"}))
    player, helper = await stage.page(), await stage.page("player", "Sam")
    await row(helper, "mira").get_by_test_id("help").click()
    await submit(helper, "assist-dialog")
    await expect(row(player, "mira").locator("[data-testid=grant]", has_text="Teo")).to_be_visible()
    await expect(player.get_by_test_id("sources")).to_contain_text("Teo")
    # One roll uses it up.
    stage.tape.lay(4, 5, 9)
    await player.get_by_test_id("roll").click()
    await expect(row(player, "mira").locator("[data-testid=grant]", has_text="Teo")).to_have_count(0)
    await stage.as_gm(SetOptions(options={"assist": "off"}))
    await expect(row(helper, "mira").get_by_test_id("help")).to_have_count(0)


async def test_a_game_without_such_help_offers_none(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    player = await stage.page()
    await expect(row(player, "bela")).to_be_visible()
    assert await player.get_by_test_id("help").count() == 0
