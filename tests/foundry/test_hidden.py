"""Rolls that not everybody may see: what reaches a page that may not, and what Foundry itself is told."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, SetOptions
from boonbridge_schemas.grants import GrantSource
from tests.foundry import stage
from tests.foundry.stage import Evening, cards
from tests.foundry.test_evening import open_dialog, rolls
from tests.support.leaking_foundry import BUILDS, Build, misshapen, told

READERS = {"gm": ("Gamemaster", "Second", "Mo"), "blind": ("Gamemaster", "Second", "Mo"), "self": ("Mo",), "secret": ()}
"""To whom the stub is whispered: who reads the roll, and who made it."""
WORDS = ("planted-action", "planted-luck")
NUMBERS = (97, 117)  # a d20 of 19, Intellect 11 is +1, and a Boon Die of 97


async def hidden_roll(evening: Evening, mode: str) -> tuple[Page, Page, Page, int]:
    """A player's roll in that mode; pages of a GM, the player and another, and what Foundry had sent by then."""
    await evening.open()
    await evening.bridge.as_gm(SetOptions(options={"boon_die": 100}))
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    luck = GrantSource(id="luck", label="planted-luck")
    await evening.bridge.as_gm(Grant(actors=(f"Actor.{evening.ids['Mira']}",), sign="boon", source=luck))
    since = len(evening.foundry.sent)
    evening.bridge.tape.lay(19, 97)
    dialog = await open_dialog(player, {"mode": mode, "action": "planted-action", "params": {"attribute": "intellect"}})
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_have_count(0)
    return gm, player, other, since


@pytest.mark.parametrize(
    "mode",
    # The other two are on every page among the complaints, each time.
    ["blind", "secret", *(pytest.param(mode, marks=pytest.mark.long) for mode in ("gm", "self"))],
)
async def test_hidden_numbers_reach_nobody_who_may_not_read_them(evening: Evening, mode: str) -> None:
    gm, player, other, since = await hidden_roll(evening, mode)
    readers = {"gm": (gm, player), "blind": (gm,), "self": (player,), "secret": ()}[mode]
    for page in readers:
        await expect(cards(page).locator("[data-face='97']")).to_have_count(1)
    if mode == "blind":
        await expect(player.locator(".boonbridge-message")).to_contain_text("The GM knows the result")
        await expect(cards(player)).to_have_count(0)
    await expect(cards(other)).to_have_count(0)
    assert len(evening.messages()) == (0 if mode == "secret" else 1)
    for message in evening.messages():
        assert re.fullmatch(r'<p class="bb-stub">A roll for some eyes only \(#\d+\)\.</p>', message["content"])
    assert misshapen(evening, READERS[mode]) == []
    assert told(evening, WORDS, NUMBERS, since=since) == {}
    assert "planted-action" not in await other.content()
    if mode != "self":
        (rolled,) = await rolls(evening)
        assert (rolled.result.dice[1].face, rolled.result.total) == NUMBERS


@pytest.mark.long
@pytest.mark.parametrize("build", BUILDS, ids=[build.name for build in BUILDS])
async def test_a_module_that_leaks_is_found(
    evening: Evening, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.forged = True  # what such a module posts is no card of ours
    monkeypatch.setattr(stage, "MODULE", build.served(tmp_path))
    gm, _player, _other, since = await hidden_roll(evening, "gm")
    await expect(gm.locator(".boonbridge-message")).to_have_count(1)
    assert misshapen(evening, READERS["gm"]) or told(evening, WORDS, NUMBERS, since=since)


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
