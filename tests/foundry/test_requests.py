"""A GM asks several at once, in Foundry: one card that fills, windows to ask and to answer, and what it comes to."""

from typing import Any

from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.events import RequestClosed
from tests.foundry.stage import Evening, cards
from tests.foundry.test_pictures import seat

ASK = "asked => game.modules.get('boonbridge').api.request(asked)"


def request_card(page: Page) -> Locator:
    """The card of the request, drawn."""
    return page.locator("#chat [data-kind=request], .chat-log [data-kind=request]").first


def asked(page: Page, evening: Evening, name: str) -> Locator:
    """The row of somebody on it."""
    return request_card(page).locator(f"[data-part=asked][data-actor='Actor.{evening.ids[name]}']")


async def ask(page: Page, request: dict[str, Any]) -> Locator:
    """The GM's window, with this much filled in."""
    await page.evaluate(ASK, request)
    window = page.get_by_test_id("request-window")
    await expect(window).to_be_visible()
    return window


async def test_three_are_asked_one_is_away_and_it_is_a_tie(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Mo")
    window = await ask(
        gm,
        {
            "actors": [evening.ids[name] for name in ("Mira", "Teo", "Ogre")],
            "checks": [{"check": "attribute", "params": {"attribute": "strength", "tn": 10}}],
            "action": "first at the gate",
            "group": "opposed",
        },
    )
    await expect(window.get_by_test_id("request-action")).to_have_value("first at the gate")
    await expect(window.get_by_test_id("request-actors").get_by_role("checkbox", checked=True)).to_have_count(3)
    await window.get_by_test_id("request-ask").click()
    await expect(window).to_have_count(0)
    for page in (gm, player):
        await expect(request_card(page).locator("[data-status=sent]")).to_have_count(3)
        await expect(request_card(page)).to_contain_text("Against one another")
    await expect(asked(gm, evening, "Mira")).to_have_attribute("data-seen", "")
    assert len(evening.messages()) == 1

    # A strength of 12 is +2: 9 and 2 are 11 against 10.
    await expect(request_card(player).locator("[data-part=answer]")).to_have_count(1)
    await request_card(player).locator("[data-part=answer]").click()
    panel = player.get_by_test_id("answer-panel")
    await expect(panel.get_by_test_id("chance")).to_be_visible()
    evening.bridge.tape.lay(9)
    await panel.get_by_test_id("roll").click()
    await expect(panel).to_have_count(0)
    for page in (gm, player):
        await expect(asked(page, evening, "Mira").locator("[data-total]")).to_have_attribute("data-total", "11")
        await expect(asked(page, evening, "Mira").locator("[data-part=row-verdict]")).to_have_attribute("data-outcome", "success")

    # Kim is not here: Teo fails with 7 and 2, the ogre has 11 as well.
    evening.bridge.tape.lay(7, 9)
    await request_card(gm).locator("[data-part=roll-missing]").click()
    for page in (gm, player):
        await expect(asked(page, evening, "Teo").locator("[data-tag=absent]")).to_be_visible()
        await expect(asked(page, evening, "Teo").locator("[data-total]")).to_have_attribute("data-total", "9")
        await expect(request_card(page)).to_have_attribute("data-open", "false")
        await expect(request_card(page).locator("[data-part=group-why]")).to_have_text("A tie: Mira, Ogre.")
        await expect(page.locator("[data-kind=request-result] [data-part=group-why]")).to_have_text("A tie: Mira, Ogre.")
    # The request, Mira's roll, and one message for the two that were rolled by the GM, with what it came to.
    stored = [message["content"] for message in evening.messages()]
    assert len(stored) == 3
    assert "Asked: Mira, Teo, Ogre" in stored[0]
    assert "first at the gate" in stored[0]
    assert "A tie: Mira, Ogre." in stored[2]
    assert "button" not in "".join(stored)
    (closed,) = [
        e for commit in await evening.bridge.log() for e in getattr(commit, "events", ()) if isinstance(e, RequestClosed)
    ]
    assert closed.result is not None
    assert {actor.removeprefix("Actor.") for actor in closed.result.winners} == {evening.ids["Mira"], evening.ids["Ogre"]}


async def test_what_players_may_not_know_is_not_in_the_message(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Mo")
    checks = [
        {"check": "attribute", "params": {"attribute": "strength", "tn": 17}},
        {"check": "attribute", "params": {"attribute": "agility", "tn": 19}},
    ]
    window = await ask(gm, {"actors": [evening.ids["Mira"]], "checks": checks, "action": "holds the door", "shown": False})
    await window.get_by_test_id("request-ask").click()
    await expect(request_card(gm)).to_contain_text("19")
    await expect(request_card(player)).to_contain_text("difficulty hidden")
    (message,) = evening.messages()
    assert "17" not in message["content"]
    assert "19" not in message["content"]
    await request_card(player).locator("[data-part=decline]").click()
    await expect(asked(gm, evening, "Mira")).to_have_attribute("data-status", "declined")
    await expect(request_card(player).locator("[data-part=over]")).to_be_visible()


async def test_a_request_in_secret_leaves_nothing_in_chat(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    player = await evening.player("Mo")
    window = await ask(
        gm, {"actors": [evening.ids["Mira"]], "checks": [{"check": "luck"}], "action": "notices it", "mode": "secret"}
    )
    await window.get_by_test_id("request-ask").click()
    await expect(window).to_have_count(0)
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    waiting = gm.get_by_test_id("table-window").get_by_test_id("open-request")
    await expect(waiting).to_contain_text("notices it")
    evening.bridge.tape.lay(14)
    await waiting.get_by_test_id("roll-missing").click()
    await expect(waiting).to_have_count(0)
    assert evening.messages() == []
    assert await cards(player).count() == 0


async def test_an_evening_is_begun_and_ended_from_the_table_window(evening: Evening) -> None:
    await evening.open("group_d12")
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    await seat(evening, "group_d12")
    await gm.get_by_test_id("setup-done").click()
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    table = gm.get_by_test_id("table-window")
    await table.get_by_test_id("start-session").click()
    await gm.get_by_test_id("session-start-window").get_by_test_id("session-name").fill("The harbour")
    await gm.get_by_test_id("session-start-save").click()
    await expect(table.get_by_test_id("session")).to_contain_text("Evening 1: The harbour")
    await table.locator("[data-verb=give_boon]").click()
    await expect(table.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    # The last player leaves: is it over?
    player = await evening.player("Mo")
    await player.context.close()
    asks = gm.get_by_test_id("session-asks")
    await expect(asks).to_have_attribute("data-asks", "close")
    await asks.get_by_test_id("close-evening").click()
    ending = gm.get_by_test_id("session-end-window")
    await expect(ending.locator("[data-xp='1']")).to_have_count(2)
    await gm.get_by_test_id("session-end-save").click()
    await expect(asks).to_have_count(0)
    await expect(table.get_by_test_id("session")).to_have_attribute("data-running", "false")
    await expect(table.get_by_test_id("pool")).to_have_attribute("data-held", "0")
