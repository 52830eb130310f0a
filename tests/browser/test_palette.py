"""The palette on the table page: what a GM gives in two clicks without a token; what happened to the group's Boons, and its way back."""

import pytest
from playwright.async_api import expect

from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.events import Granted, GrantSpent, Voided
from tests.browser.stage import Stage
from tests.browser.test_accessible import violations
from tests.browser.test_turns_and_conditions import row

pytestmark = pytest.mark.browser


async def test_a_name_opens_what_can_be_done_for_whoever_it_is(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page(size=(390, 780))
    await player.get_by_test_id("tab-table").click()
    # A player sees what stands, and no button of a GM's.
    mine = row(player, "kestrel")
    await mine.get_by_test_id("actor-palette").click()
    await expect(mine.get_by_test_id("actor-palette")).to_have_attribute("aria-expanded", "true")
    assert await mine.locator("[data-circumstance]").count() == 0
    here = row(gm, "kestrel")
    await expect(here.locator(".actor-who .dot[data-online]")).to_have_count(1)
    await here.get_by_test_id("actor-palette").click()
    palette = here.get_by_test_id("boon-palette")
    await palette.locator("[data-circumstance=darkness]").click()
    await expect(mine.locator("[data-testid=grant][data-sign=bane]")).to_have_count(1)
    await palette.locator("[data-circumstance=darkness]").click()
    await expect(palette.get_by_test_id("palette-said")).to_contain_text("stands already")
    # It stays open, with what is typed in it, while the table changes; and ends with the roll it was for.
    await palette.get_by_test_id("palette-reason").fill("a rope")
    stage.tape.lay(11, 2)
    await stage.as_gm(RollCheck(check="attribute", actors=("kestrel",), params={"attribute": "strength", "tn": 10}))
    await expect(here.locator("[data-testid=grant][data-sign=bane]")).to_have_count(0)
    await expect(palette.get_by_test_id("palette-reason")).to_have_value("a rope")
    await palette.get_by_test_id("palette-boon").click()
    await expect(gm.get_by_test_id("panel-last")).to_contain_text("a rope")
    await gm.get_by_test_id("panel-last").locator("[data-part=correct]").click()
    await gm.get_by_test_id("correction-dialog").locator("[type=submit]").click()
    await expect(here.get_by_test_id("grant")).to_have_count(1)
    events = [event for commit in await stage.log() for event in getattr(commit, "events", ())]
    assert [event.grant.source.id for event in events if isinstance(event, Granted)] == ["high_ground", "darkness", "own.a_rope"]
    assert (
        len([event for event in events if isinstance(event, GrantSpent)])
        == len([event for event in events if isinstance(event, Voided)])
        == 1
    )
    for page in (gm, player):
        assert await violations(page) == []


@pytest.mark.long
async def test_who_gained_and_spent_what_is_told_beside_what_the_group_holds(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master", size=(820, 1180))
    for held in (1, 2):
        await gm.get_by_test_id("pool").locator("[data-verb=give_boon]").click()
        await expect(gm.get_by_test_id("pool")).to_have_attribute("data-held", str(held))
    story = gm.get_by_test_id("pool-story").locator("li")
    await expect(story).to_have_count(2)
    await story.first.locator("[data-part=correct]").click()
    await gm.get_by_test_id("correction-dialog").locator("[type=submit]").click()
    await expect(gm.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await expect(story.locator("s")).to_have_count(1)
    assert await violations(gm) == []
