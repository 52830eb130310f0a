"""*Check this roll* on a card: three lines about what this browser computed, alone, from what the bridge shows of a commit."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from boonbridge_schemas.commands import RollCheck, RollDice, SetOptions
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

LINES = ["computed", "shows", "limits"]
NO_SUBTLE = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
KESTREL = RollCheck(check="attribute", actors=("kestrel",), params={"attribute": "agility", "tn": 12})

Change = Callable[[dict[str, Any]], dict[str, Any]]


async def check(page: Page, verdict: str, nth: int = 0) -> dict[str, str]:
    """Press the button of a card, newest first, and read its three lines."""
    card = page.locator("[data-part=card]").nth(nth)
    await card.locator("[data-part=verify]").click()
    said = card.locator("[data-part=checked]")
    await expect(said).to_have_attribute("data-verdict", verdict)
    await expect(said.locator("[data-line]")).to_have_count(3)
    await expect(card.locator("[data-part=verify]")).to_be_focused()  # whoever pressed it is still at it
    found = await said.locator("[data-line]").evaluate_all("all => all.map(one => [one.dataset.line, one.textContent])")
    assert [line for line, _ in found] == LINES
    return dict(found)


async def between(page: Page, change: Change) -> None:
    """A bridge that answers ``proof`` otherwise than ours, or tells commits otherwise: what it says goes through ``change``."""
    about = "logged" if change is better_card else "proven"

    def opened(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def tell(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["t"] == about:
                message = json.dumps(change(frame))
            socket.send(message)

        server.on_message(tell)

    await page.route_web_socket("**/ws", opened)


def other_face(frame: dict[str, Any]) -> dict[str, Any]:
    """Another face on the first die of a commit, and not even the total with it."""
    for part in frame["parts"].values():
        if "bytes" in part and '"face":' in (part["bytes"] or ""):
            content = json.loads(part["bytes"])
            for event in content["events"]:
                for die in (event.get("result") or {}).get("dice", []):
                    die["face"] = die["face"] % die["sides"] + 1
            part["bytes"] = json.dumps(content, separators=(",", ":"))
    return frame


def better_card(frame: dict[str, Any]) -> dict[str, Any]:
    """A commit as it is told, with a roll that is not the one that stands in the log."""
    for event in frame.get("events", []):
        if event["t"] == "CheckRolled":
            event["result"]["total"] += 5
    return frame


def other_entry(frame: dict[str, Any]) -> dict[str, Any]:
    """The same dice in an entry that was made at another time."""
    header = json.loads(frame["header"])
    return {**frame, "header": json.dumps({**header, "at": header["at"] + 1})}


def no_key(frame: dict[str, Any]) -> dict[str, Any]:
    """As a bridge answers that has lost the key of an earlier epoch."""
    values = {"epoch": 1}
    return {
        "t": "refused",
        "id": frame["id"],
        "code": "proof.unknown",
        "message": "The key of that time is not here any more.",
        "values": values,
    }


async def test_three_lines_in_a_browser_that_computes_and_in_one_that_may_not(stage: Stage) -> None:
    await stage.open("sage_d20", taped=False)
    await stage.set_demo()
    page = await stage.page()
    await stage.as_gm(KESTREL)
    lines = await check(page, "holds")
    assert "from its seed" in lines["computed"] or "from their seed" in lines["computed"]
    assert "held here before the click" in lines["computed"]
    assert "nobody picked these faces" in lines["shows"]
    assert "whoever runs the bridge" in lines["limits"]

    # Somebody who came later, on a page that browsers do not let compute: the library is fetched at the click, and not before.
    late = await page.context.browser.new_context()  # type: ignore[union-attr]
    plain = await late.new_page()
    await plain.add_init_script(NO_SUBTLE)
    fetched: list[str] = []

    async def note(route: Route) -> None:
        fetched.append(route.request.url.rpartition("/")[2])
        await route.continue_()

    await plain.route("**/vendor/**", note)
    await plain.goto(f"{stage.running.http}#token={await stage.token('player', 'Kim')}")
    await expect(plain.locator("[data-part=card]")).to_have_count(1)
    assert await plain.evaluate("crypto.subtle === undefined")
    assert fetched == []
    lines = await check(plain, "holds")
    assert "read just now" in lines["computed"]
    assert "in entry #" in lines["computed"]
    assert "nobody picked" not in lines["shows"]
    assert {"sha2.js", "hmac.js"} <= set(fetched)

    # Without the bridge nothing is claimed.
    await stage.close()
    await expect(page.get_by_test_id("connection")).not_to_have_attribute("data-state", "live")
    await page.locator("[data-part=verify]").first.click()
    said = page.locator("[data-part=checked]").first
    await expect(said).to_have_attribute("data-verdict", "unanswered")
    await expect(said).to_have_text("The bridge did not answer. Try again once it is back.")


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "verdict", "said"),
    [
        (other_face, "broken", ("shows", "the dice do not follow from their seed")),
        (other_entry, "broken", ("shows", "not the one that this browser was shown")),
        (better_card, "broken", ("shows", "not the one that this browser was shown")),
        (no_key, "gone", ("computed", "the key of that time is not at this bridge any more")),
    ],
)
async def test_a_bridge_that_shows_something_else(
    stage: Stage, browser: Browser, change: Change, verdict: str, said: tuple[str, str]
) -> None:
    await stage.open("sage_d20", taped=False)
    await stage.set_demo()
    page = await (await browser.new_context()).new_page()
    await between(page, change)
    await page.goto(f"{stage.running.http}#token={await stage.token('player', 'Kim')}")
    await page.get_by_test_id("connection").and_(page.locator("[data-state=live]")).wait_for()
    await stage.as_gm(KESTREL)
    line, words = said
    assert words in (await check(page, verdict))[line]


@pytest.mark.long  # the words are worked out without a browser, too
async def test_dice_by_hand_other_dice_bought_dice_and_laid_out_ones(stage: Stage) -> None:
    await stage.open("sage_d20", taped=False)
    await stage.set_demo()
    page = await stage.page()
    await stage.as_gm(
        SetOptions(options={"manual_dice": True}),
        RollCheck(check="attribute", actors=("kestrel",), params={"attribute": "agility", "tn": 12}, faces=(14, 4)),
        RollDice(formula="2d6+1d8", label="Boathook"),
    )
    await expect(page.locator("[data-part=card]")).to_have_count(2)
    assert "3 dice, from their seed" in (await check(page, "holds"))["computed"]
    lines = await check(page, "holds", nth=1)
    assert "not the 2 dice that were rolled by hand" in lines["computed"]
    assert "fell like this" in lines["limits"]


@pytest.mark.long
async def test_a_table_whose_dice_are_laid_out_says_so(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    page = await stage.page()
    stage.tape.lay(11, 4)
    await stage.as_gm(KESTREL)
    lines = await check(page, "taped")
    assert "laid out beforehand" in lines["shows"]
    assert "any of it was chance" in lines["limits"]
