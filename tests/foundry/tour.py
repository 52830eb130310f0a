"""Through everything that the module shows: each window, each tab, the cards, the HUD; whoever looks says what he looks for."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, RequestCheck, SetOptions, StartTurn
from boonbridge_schemas.grants import Expiry, GrantSource
from boonbridge_schemas.requests import AskedCheck
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog
from tests.foundry.test_palette import hud
from tests.foundry.test_pictures import ROLLS, seat

Look = Callable[[Page, str], Awaitable[None]]
UNFOLD = "for (const fold of document.querySelectorAll('.boonbridge details, .boonbridge-message details')) fold.open = true"
CLOSE = """Promise.all([...foundry.applications.instances.values()]
  .filter((app) => String(app.id).startsWith('boonbridge-')).map((app) => app.close()))"""

FORGE = """async () => {
  const [kept] = game.messages.contents.filter((each) => each.rolls.length > 0).map((each) => each.toObject());
  const { content, flags, rolls, speaker } = kept;
  await ChatMessage.create({ content, flags, rolls, speaker });
  await ChatMessage.create({ content: content.replace("bb-total\\"><strong>", "bb-total\\"><strong>9"), flags, rolls, speaker });
  await ChatMessage.create({ content, flags: { boonbridge: { ...flags.boonbridge, seq: 9999 } } });
}"""
"""A copy of a card, a changed one, and one of an entry that there is not."""


async def page_of(evening: Evening, user: str, *, touch: bool = False, scheme: str = "dark") -> Page:
    """Somebody's browser, on a tablet or at a desk."""
    size = {"width": 1180, "height": 820} if touch else {"width": 1360, "height": 1100}
    context = await evening.browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        reduced_motion="reduce",
        has_touch=touch,
        color_scheme="light" if scheme == "light" else "dark",
    )
    await context.add_cookies([{"name": "session", "value": evening.foundry.login(evening.ids[user]), "url": evening.place}])
    return await evening.tab(context, user)


async def close_all(page: Page) -> None:
    """Every window of the module."""
    await page.evaluate(CLOSE)


async def opened(page: Page, call: str, testid: str) -> None:
    """Open a window by the module's own API."""
    await page.evaluate(f"void game.modules.get('boonbridge').api.{call}")
    await expect(page.get_by_test_id(testid)).to_be_visible()


async def tour(evening: Evening, game: str, look: Look, *, touch: bool = False, scheme: str = "dark") -> None:
    """Everything once, with something of everything on the table. The evening is open already, and nobody is there."""

    async def see(page: Page, where: str) -> None:
        await page.evaluate(UNFOLD)
        await page.mouse.move(2, 2)  # how a button looks that is pointed at is Foundry's
        await look(page, where)

    gm = await page_of(evening, "Gamemaster", touch=touch, scheme=scheme)
    await expect(gm.get_by_test_id("address")).to_be_visible()
    await see(gm, "first run")
    await evening.pair(gm)
    await see(gm, "characters")
    await close_all(gm)
    await seat(evening, game)
    if game == "rank_ability":  # what is tried is tried again, whatever falls
        await evening.bridge.as_gm(SetOptions(options={"retry": "warn"}))
    player = await page_of(evening, "Mo", touch=touch, scheme=scheme)
    await live(player)
    mira, teo = (f"Actor.{evening.ids[name]}" for name in ("Mira", "Teo"))
    preset, _, _ = ROLLS[game][2]
    check = {"group_d12": "skill", "rank_ability": "check", "public_d20": "task", "sage_d20": "attribute"}[game]
    rope = GrantSource(id="rope", label="A rope", kind="position")
    asked = (AskedCheck(check=check, params=preset["params"]),)
    await evening.bridge.as_gm(
        Grant(actors=(mira,), sign="boon", source=rope, expiry=Expiry(when="none")),
        RequestCheck(actors=(mira, teo), checks=asked, action="past the night watch"),
        StartTurn(actor=mira),
    )
    roll: dict[str, Any] = {"check": check, **preset, "dialog": False, "actors": [evening.ids["Mira"]]}
    for _ in range(3):
        assert (await player.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", roll))["ok"]
    for page, who in ((gm, "gm"), (player, "player")):
        await expect(cards(page)).to_have_count(4)
        await see(page, f"{who}: chat")
    await open_dialog(player, {**preset, "check": check})
    await expect(player.get_by_test_id("roll-panel").get_by_test_id("chance")).to_be_visible()
    await see(player, "roll")
    await see(gm, "somebody is about to roll")
    await close_all(player)
    await player.get_by_test_id("pending-roll").click()
    await expect(player.get_by_test_id("answer-panel").get_by_test_id("chance")).to_be_visible()
    await see(player, "answer")
    await close_all(player)
    for page, who, call, window in (
        (gm, "gm", "table()", "table-window"),
        (player, "player", "table()", "table-window"),
        (gm, "gm", "request()", "request-window"),
        (gm, "gm", "dice()", "dice-window"),
        (gm, "gm", "connection()", "connection-window"),
        (player, "player", "connection()", "connection-window"),
        (gm, "gm", f"standing('{evening.ids['Mira']}')", "standing-window"),
        (gm, "gm", f"numbers('{evening.ids['Mira']}')", "numbers-window"),
        (player, "player", "replay()", "moment"),
    ):
        await opened(page, call, window)
        await see(page, f"{who}: {window}")
        shown = page.get_by_test_id(window)
        for tab in await shown.get_by_role("tab").all():
            await tab.click()
            await see(page, f"{who}: {window}, {await tab.get_attribute('data-testid')}")
        rows = shown.locator("[data-testid=panel-rows] button:visible")
        if window == "table-window":
            await shown.get_by_role("tab").first.click()
            await rows.first.click()
            await see(page, f"{who}: {window}, a row")
        await close_all(page)
    await cards(gm).locator("[data-part=correct]:visible").first.click()
    await expect(gm.get_by_test_id("correction-form")).to_be_visible()
    await see(gm, "correction")
    await close_all(gm)
    await hud(gm, "Mira")
    await see(gm, "hud")
    await cards(player).locator("[data-part=verify]:visible").first.click()
    await expect(cards(player).locator("[data-part=checked] [data-line]")).to_have_count(3)
    await see(player, "a roll that was checked")
    assert await evening.marked() == []
    evening.forged = True
    await player.evaluate(FORGE)
    await expect(player.locator("[data-part=found]")).to_have_count(3)
    await see(player, "marks on messages")
