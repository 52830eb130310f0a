"""Choices after a check, as buttons for exactly those who may; and a fifth game that nobody knew of."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from boonbridge.rulesets import registry
from boonbridge_schemas.checks import Number, Numbers
from boonbridge_schemas.commands import SyncActor
from boonbridge_schemas.events import Chosen
from tests.browser.stage import TABLE, Stage
from tests.support.names import user_id

pytestmark = pytest.mark.browser
TOY = Path(__file__).parents[1] / "support" / "toy_game.py"


async def test_i82_a_failure_is_accepted_by_its_player_alone_and_the_group_gains_a_boon(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    player, other = await stage.page(), await stage.page("player", "Somebody Else")
    # D-04: first an accepted failure, which is the only choice with an empty pool, so it resolves at once (D002).
    stage.tape.lay(2, 3)
    await player.get_by_test_id("param-difficulty-free").fill("11")
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await expect(other.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    # Now a Boon is there: its roller decides, the other player sees no button.
    stage.tape.lay(2, 3)
    await player.get_by_test_id("roll").click()
    spend = player.locator("[data-choice=spend]")
    await expect(spend).to_be_visible()
    await expect(other.locator("[data-part=card]")).to_have_count(2)
    assert await other.locator("[data-choice=spend]").count() == 0
    stage.tape.lay(12)
    await spend.click()
    await expect(player.locator("[data-outcome=critical_success]").first).to_be_visible()
    # One Boon spent, and a critical success gains one (D015).
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await expect(spend).to_have_count(0)


async def test_the_word_bane_is_not_on_a_group_d12_table(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master")
    stage.tape.lay(2, 3)
    await gm.get_by_test_id("param-difficulty-free").fill("11")
    await gm.get_by_test_id("roll").click()
    await expect(gm.locator("[data-part=card]")).to_have_count(1)
    await gm.get_by_test_id("add-bane").click()
    everything = await gm.evaluate(
        "document.body.innerText + [...document.querySelectorAll('[aria-label],[title]')].map(x => x.ariaLabel + x.title)"
    )
    assert "bane" not in everything.lower()


async def test_a_fifth_game_pushes_its_luck_on_the_page(stage: Stage) -> None:
    game = registry.load(str(TOY))
    await stage.open(game.id, games={game.id: game})
    digger = SyncActor(
        actor="digger",
        name="Digger",
        side="party",
        owners=(user_id(TABLE, "Mo"),),
        numbers=Numbers(values=(Number(key="back", value=0),)),
    )
    await stage.as_gm(digger)
    player = await stage.page()
    await player.get_by_test_id("param-load").or_(player.get_by_test_id("param-load-free")).first.fill("9")
    stage.tape.lay(4)
    await player.get_by_test_id("roll").click()
    push = player.locator("[data-choice=push]")
    await expect(push).to_be_visible()
    stage.tape.lay(5)
    await push.click()
    await expect(player.locator("[data-part=card]")).to_have_count(2)
    await player.locator("[data-choice=stop]").click()
    # 4 + 5 against a load of 9: up in time, and rich.
    await expect(player.get_by_text("Up, and rich").first).to_be_visible()
    chosen = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, Chosen)]
    assert [e.choice for e in chosen] == ["push", "stop"]
