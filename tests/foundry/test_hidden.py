"""Rolls that not everybody may see: what reaches a page that may not."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.foundry.stage import Evening, cards
from tests.foundry.test_evening import open_dialog, rolls


def received(evening: Evening, user: str) -> str:
    """Everything Foundry's server sent to somebody."""
    return "\n".join(evening.foundry.sent_to(evening.ids[user]))


@pytest.mark.parametrize(
    "mode", [pytest.param("gm", marks=pytest.mark.long), "blind", pytest.param("self", marks=pytest.mark.long), "secret"]
)
async def test_hidden_numbers_reach_nobody_who_may_not_read_them(evening: Evening, mode: str) -> None:
    await evening.open()
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    evening.bridge.tape.lay(19)
    dialog = await open_dialog(player, {"mode": mode, "action": "planted-action", "params": {"attribute": "intellect"}})
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_have_count(0)
    readers = {"gm": (gm, player), "blind": (gm,), "self": (player,), "secret": ()}[mode]
    for page in readers:
        await expect(cards(page).locator("[data-face='19']")).to_have_count(1)
    if mode == "blind":
        await expect(player.locator(".boonbridge-message")).to_contain_text("The GM knows the result")
        await expect(cards(player)).to_have_count(0)
    await expect(cards(other)).to_have_count(0)
    message: dict[str, Any]
    assert len(evening.messages()) == (0 if mode == "secret" else 1)
    for message in evening.messages():
        assert message["rolls"] == []
        assert "planted" not in str(message)
        assert message["speaker"]["alias"] == ""
        assert re.fullmatch(r'<p class="bb-stub">A roll for some eyes only \(#\d+\)\.</p>', message["content"])
    for user in ("Kim", "Mo", "Gamemaster"):
        assert "planted-action" not in received(evening, user)
    assert "planted-action" not in await other.content()
    if mode != "self":
        (rolled,) = await rolls(evening)
        assert rolled.result.dice[0].face == 19


async def test_a_gms_secret_roll_is_in_his_log_and_nowhere_else(evening: Evening) -> None:
    await evening.open()
    gm, player = await evening.gm(), await evening.player("Mo")
    evening.bridge.tape.lay(16)
    dialog = await open_dialog(gm, {"mode": "secret"})
    await dialog.get_by_test_id("roll").click()
    await expect(gm.get_by_test_id("log").locator("[data-face='16']")).to_have_count(1)
    assert evening.messages() == []
    await player.evaluate("game.modules.get('boonbridge').api.log()")
    await expect(player.get_by_test_id("log").locator("[data-part=line]").first).to_be_visible()
    await expect(player.get_by_test_id("log").locator("[data-part=card]")).to_have_count(0)
