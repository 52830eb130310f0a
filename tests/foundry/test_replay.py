"""Looking back in a window of Foundry: from the log, a card, a macro; and it leaves nothing behind."""

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, RollCheck
from boonbridge_schemas.grants import GrantSource
from tests.foundry.stage import Evening, cards
from tests.foundry.test_genuine import check

API = "game.modules.get('boonbridge').api"
FALLEN = "game.dice3d._stageAnimations.length"


async def at(page: Page) -> int:
    """The moment that is shown."""
    timeline = page.get_by_test_id("timeline")
    await expect(timeline).to_have_attribute("data-state", "shown")
    return int(await timeline.get_attribute("data-seq") or "0")


async def test_the_window_steps_through_the_evening_and_posts_and_throws_nothing(evening: Evening) -> None:
    await evening.open(taped=False, options={"dice": 30})
    gm, player = await evening.gm(), await evening.player()
    mira = f"Actor.{evening.ids['Mira']}"
    acks = await evening.bridge.as_gm(
        RollCheck(check="attribute", actors=(mira,), params={"attribute": "will", "tn": 10}, action="keeps watch"),
        Grant(actors=(mira,), sign="boon", source=GrantSource(id="rope", label="Rope")),
        RollCheck(check="attribute", actors=(mira,), params={"attribute": "strength", "tn": 10}, action="climbs"),
    )
    first, given, climbs = (ack.seq for ack in acks)
    for page in (gm, player):
        await expect(cards(page)).to_have_count(2)
    messages, fallen = len(evening.messages()), await player.evaluate(FALLEN)

    # Beside the log, at the newest; with the keys, a moment back.
    await player.evaluate(f"{API}.log()")
    await player.get_by_test_id("open-replay").click()
    window = player.locator("#boonbridge-replay")
    await expect(window.get_by_test_id("moment")).to_contain_text("climbs")
    assert await at(player) == climbs
    await expect(window.get_by_test_id("stood")).to_contain_text("Mira")
    await player.keyboard.press("ArrowLeft")
    await expect(window.get_by_test_id("timeline")).to_have_attribute("data-seq", str(given))
    await expect(window.get_by_test_id("stood")).to_contain_text("Rope")
    await player.keyboard.press("ArrowLeft")
    await expect(window.get_by_test_id("moment")).to_contain_text("keeps watch")
    await expect(window.get_by_test_id("stood")).not_to_contain_text("Rope")
    assert await at(player) == first
    await check(window)

    # Where it was opened once, a macro and the button of a card lead to another moment in it.
    await player.evaluate(f"seq => {API}.replay(seq)", climbs)
    await expect(window.get_by_test_id("moment")).to_contain_text("climbs")
    await cards(player).first.locator("[data-part=moment]").click()
    await expect(window.get_by_test_id("moment")).to_contain_text("keeps watch")
    await expect(player.locator("#boonbridge-replay")).to_have_count(1)

    # What a macro asks for in vain is said, and moves nothing.
    stands = await at(player)
    for wrong in (0, climbs + 99, "first"):
        await player.evaluate(f"seq => {API}.replay(seq)", wrong)
        await expect(window.get_by_test_id("timeline-none")).to_contain_text(f"This log has no #{wrong}")
    assert await at(player) == stands

    # A roll that comes meanwhile is in chat, and moves nothing here; nothing of what was looked at is posted or thrown.
    await evening.bridge.as_gm(
        RollCheck(check="attribute", actors=(mira,), params={"attribute": "will", "tn": 10}, action="goes on")
    )
    await expect(cards(player)).to_have_count(3)
    await expect(window.get_by_test_id("timeline-news")).to_be_visible()
    assert await at(player) == first
    await window.locator("[data-action=close]").first.click()
    await expect(window).to_have_count(0)
    assert len(evening.messages()) == messages + 1
    assert await player.evaluate(FALLEN) <= fallen + 1
    assert await player.evaluate("document.querySelectorAll('.notification').length") == 0


@pytest.mark.long
async def test_a_bridge_that_cannot_is_not_asked(evening: Evening) -> None:
    await evening.open()
    player = await evening.page("Mo")
    gm = await evening.gm()
    await gm.evaluate(
        """async () => {
          const { link } = await import('/modules/boonbridge/scripts/foundry/link.mjs');
          link.client.welcome = { ...link.client.welcome, features: link.client.welcome.features.filter((each) => each !== 'replay') };
        }"""
    )
    await gm.evaluate(f"{API}.log()")
    await expect(gm.get_by_test_id("log")).to_be_visible()
    await expect(gm.get_by_test_id("open-replay")).to_have_count(0)
    await gm.evaluate(f"{API}.replay()")
    await expect(gm.locator("#boonbridge-replay")).to_have_count(0)
    await expect(gm.locator(".notification", has_text="too old to look back")).to_have_count(1)
    await player.close()
