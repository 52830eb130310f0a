"""In Foundry, too: what waits for a roll is a button over the chat input, a finger has room, everything has a name."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from boonbridge.net.client import Client
from boonbridge_schemas.commands import RequestCheck
from boonbridge_schemas.requests import AskedCheck
from tests.foundry.stage import Evening
from tests.foundry.test_palette import violations
from tests.foundry.tour import tour
from tests.support.comfort import IN_FOUNDRY, cut_off, hover_alone, small_targets, unnamed
from tests.support.pseudo import hard_coded, module_in_it, servers_words

STRENGTH = (AskedCheck(check="attribute", params={"attribute": "strength", "tn": 10}),)

CLIENTS = ("Boonbridge for Foundry", "boonbridge")
"""What the module and the tests' own client call themselves in the list of devices."""
PEOPLE = {"Gamemaster", "Second", "Mo", "Kim", "Mira", "Teo", "Ogre", "First ogre", "Second ogre", *CLIENTS}


async def test_what_waits_for_a_roll_is_a_button_over_the_chat_input(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Mo")
    bar = player.get_by_test_id("pending-bar")
    await expect(bar).to_be_hidden()
    mira, teo = (f"Actor.{evening.ids[name]}" for name in ("Mira", "Teo"))
    for action in ("holds the rope", "holds on"):
        await evening.bridge.as_gm(RequestCheck(actors=(mira, teo), checks=STRENGTH, action=action))
    await expect(bar).to_have_text("Roll for Miraholds the rope1 more waits")
    await expect(player.get_by_test_id("pending-said")).to_have_text("2 rolls of yours are waited for.")
    field, button = await player.locator("#chat-message").bounding_box(), await bar.bounding_box()
    assert field is not None
    assert button is not None
    assert button["width"] >= field["width"]
    assert button["height"] >= 44
    assert button["y"] + button["height"] <= field["y"]
    await expect(gm.get_by_test_id("pending-bar")).to_be_hidden()
    # Foundry draws its input anew: the button stands over it still, and once.
    await player.evaluate("ui.chat.render({ force: true })")
    await expect(bar).to_have_count(1)
    for action, face in (("holds the rope", 9), ("holds on", 3)):
        await expect(bar).to_contain_text(action)
        await bar.get_by_test_id("pending-roll").press("Enter")
        panel = player.get_by_test_id("answer-panel")
        await expect(panel.get_by_test_id("chance")).to_be_visible()
        evening.bridge.tape.lay(face)
        await panel.get_by_test_id("roll").click()
        await expect(panel).to_have_count(0)
    await expect(bar).to_be_hidden()


@pytest.mark.long
async def test_a_finger_has_room_in_every_window_and_on_every_card(evening: Evening) -> None:
    await evening.open("group_d12", taped=False)
    wrong: dict[str, str] = {}

    async def look(page: Page, where: str) -> None:
        for each in [
            *await small_targets(page, IN_FOUNDRY),
            *await unnamed(page, IN_FOUNDRY),
            *await hover_alone(page, IN_FOUNDRY),
        ]:
            wrong.setdefault(each, where)

    await tour(evening, "group_d12", look, touch=True)
    assert [f"{where}: {what}" for what, where in wrong.items()] == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_axe_finds_nothing_in_any_window_nor_on_any_card(evening: Evening, scheme: str) -> None:
    await evening.open("group_d12", taped=False, options={"theme": scheme})
    wrong: dict[str, str] = {}

    async def look(page: Page, where: str) -> None:
        for each in await violations(page):
            wrong.setdefault(each, where)

    await tour(evening, "group_d12", look, scheme=scheme)
    assert [f"{where}: {what}" for what, where in wrong.items()] == []


@pytest.mark.long
@pytest.mark.parametrize("game", ["group_d12", "public_d20", "rank_ability", "sage_d20"])
async def test_no_word_is_hard_coded_and_none_is_cut_off(
    evening: Evening, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.foundry.stage.MODULE", module_in_it(tmp_path))
    await evening.open(game, taped=False)
    wrong: dict[str, str] = {}

    async def look(page: Page, where: str) -> None:
        async with Client(evening.bridge.socket, await evening.bridge.token("gm", "Game Master")) as client:
            known = await servers_words(client) | PEOPLE
        for each in [*await hard_coded(page, known, IN_FOUNDRY), *await cut_off(page, IN_FOUNDRY)]:
            wrong.setdefault(each, where)

    await tour(evening, game, look)
    assert [f"{where}: {what}" for what, where in wrong.items()] == []
