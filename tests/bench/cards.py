"""From the click to the card, in Chromium on this machine: a real server, the page, and the module in Foundry's stand-in.

Run as ``python -m tests.bench.cards [ROLLS [CARDS]]`` (``make bench-cards``). Told are the median and the slowest of 100
rolls: until the card stands in the document, and until the browser has painted it; first in an empty log, then at a sixth
of the speed with 500 cards in it. Beside them one frame of the same page in the same run, since machines differ, and every
task of the page that took longer than 50 ms; the goal is none.
"""

import asyncio
import os
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Browser, Page, async_playwright, expect

from boonbridge.bench.prepare import LIFTED
from boonbridge.config import Config
from boonbridge.obs import logging
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import start
from boonbridge_schemas.commands import RollCheck
from tests.browser.stage import CHROMIUM_FLAGS, TABLE, Stage, chromium, leave
from tests.foundry.stage import Evening

GAME = "sage_d20"
ROLLS, CARDS, SLOWER, WARM = 100, 500, 6, 5
WILL: dict[str, Any] = {"check": "attribute", "params": {"attribute": "will", "tn": 10}, "action": "holds the rope"}

_PREPARE = """() => {
  const bench = { tasks: [] };
  globalThis.bench = bench;
  new PerformanceObserver((list) => bench.tasks.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ type: 'longtask' });
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done();
    port2.postMessage(null);
  }));
  bench.roll = (button, log, isNew) => new Promise((done) => {
    const begun = performance.now();
    const watch = new MutationObserver(async () => {
      if (!isNew()) return;
      watch.disconnect();
      const there = performance.now() - begun;
      await painted();
      done([there, performance.now() - begun]);
    });
    watch.observe(log, { childList: true, subtree: true });
    button.click();
  });
  bench.frame = async () => {
    const all = [];
    let last = await new Promise(requestAnimationFrame);
    for (let n = 0; n < 60; n += 1) {
      const now = await new Promise(requestAnimationFrame);
      all.push(now - last);
      last = now;
    }
    return all.sort((a, b) => a - b)[30];
  };
  // Asked once a frame from inside: what asks from outside would be measured with the page.
  bench.until = async (isSo) => {
    while (!isSo()) await new Promise(requestAnimationFrame);
  };
  bench.calm = () => new Promise((done) => requestIdleCallback(() => done(), { timeout: 5000 }));
}"""

_ON_THE_PAGE = """() => {
  const log = document.querySelector('[data-testid=log]');
  const before = log.firstElementChild?.value ?? 0;
  return bench.roll(document.querySelector('[data-testid=roll]'), log, () => (log.firstElementChild?.value ?? 0) > before);
}"""

_READY = """() => bench.until(() => document.querySelector('[data-testid=preview]').dataset.state === 'shown'
  && !document.querySelector('[data-testid=roll]').disabled)"""
_OPEN = "() => bench.until(() => document.querySelector('[data-testid=roll-panel] [data-testid=chance]') !== null)"
_CLOSED = "() => bench.until(() => document.querySelector('[data-testid=roll-panel]') === null)"

_IN_FOUNDRY = """() => {
  const log = document.querySelector('.chat-log');
  const before = log.lastElementChild;
  return bench.roll(document.querySelector('[data-testid=roll-panel] [data-testid=roll]'), log,
    () => log.lastElementChild !== before && log.lastElementChild.querySelector('[data-part=card]') !== null);
}"""


class Lifted(Stage):
    """A stage without rates: the bench clicks faster than people may."""

    async def open(self, ruleset: str, **_: object) -> None:  # type: ignore[override]
        """Start the server."""
        games: dict[str, Ruleset] | None = None
        self.running = await start(
            Config(data=self.folder, port=0, ruleset=ruleset),
            limits=msgspec.structs.replace(LIFTED, history_per_second=10**6, previews_per_second=10**6),
            games=games,
        )
        self.game = ruleset
        await self.running.new_table(TABLE, "An evening", ruleset)


async def measured(page: Page, name: str, roll: Callable[[], Awaitable[list[float]]], rolls: int) -> None:
    """Roll so many times, and print what it took."""
    for _ in range(WARM):
        await roll()
    frame = await page.evaluate("bench.frame()")
    await page.evaluate("bench.tasks.length = 0")
    took = []
    for _ in range(rolls):
        took.append(await roll())
        await page.evaluate("bench.calm()")
    tasks: list[int] = await page.evaluate("bench.tasks")
    there, painted = ([each[part] for each in took] for part in (0, 1))
    load = os.getloadavg()[0]
    print(
        f"{name:<46} card {_of(there)}  painted {_of(painted)}  frame {frame:5.1f} ms"
        f"  painted/frame {statistics.median(painted) / frame:5.2f}"
        f"  long tasks {len(tasks)}{f' (longest {max(tasks)} ms)' if tasks else ''}  load {load:.1f}",
        flush=True,
    )


def _of(took: Sequence[float]) -> str:
    return f"{statistics.median(took):6.1f} ms (p95 {sorted(took)[int(len(took) * 0.95)]:6.1f})"


async def slower(page: Page, times: int) -> None:
    """Have this page compute so many times more slowly."""
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": times})


async def on_the_page(browser: Browser, folder: Path, rolls: int, cards: int) -> None:
    """The table page, as a player has it open."""
    stage = Lifted(browser, folder)
    await stage.open(GAME)
    await stage.set_demo()

    async def opened() -> tuple[Page, Callable[[], Awaitable[list[float]]]]:
        page = await stage.page()
        page.set_default_timeout(60_000)
        await page.evaluate(_PREPARE)

        async def roll() -> list[float]:
            await page.evaluate(_READY)
            found: list[float] = await page.evaluate(_ON_THE_PAGE)
            return found

        return page, roll

    page, roll = await opened()
    await measured(page, "page, empty log", roll, rolls)
    await leave(browser)
    command = RollCheck(check="attribute", actors=("kestrel",), params=WILL["params"], action=WILL["action"])
    await stage.as_gm(*[command] * (cards - rolls - WARM))
    page, roll = await opened()
    items, older = page.get_by_test_id("log-item"), page.get_by_test_id("older")
    while (held := await items.count()) < cards - 1 and await older.is_visible():
        await older.click()
        await expect(items.nth(held)).to_be_attached(timeout=60_000)
    shown = await page.locator("[data-part=card]").count()
    await page.evaluate("scrollTo(0, 0)")
    await measured(page, f"page, {shown} cards", roll, rolls)
    await slower(page, SLOWER)
    await measured(page, f"page, {shown + rolls + WARM} cards, {SLOWER}x slower", roll, rolls)
    await leave(browser)
    await stage.close()


async def in_foundry(browser: Browser, folder: Path, rolls: int, cards: int) -> None:
    """The module in the stand-in of generation 14, as a player has it open, with the roll dialog."""
    evening = Evening(browser, folder, 14)
    evening.bridge = Lifted(browser, folder / "bridge")
    await evening.open(GAME, taped=False)
    gm = await evening.gm()
    player = await evening.player()
    for page in (gm, player):
        page.set_default_timeout(60_000)
    await player.evaluate(_PREPARE)

    async def roll() -> list[float]:
        await player.evaluate("preset => game.modules.get('boonbridge').api.roll(preset)", WILL)
        await player.evaluate(_OPEN)
        found: list[float] = await player.evaluate(_IN_FOUNDRY)
        await player.evaluate(_CLOSED)
        return found

    await measured(player, "Foundry's stand-in, empty chat", roll, rolls)
    at_once = "preset => game.modules.get('boonbridge').api.roll({ ...preset, dialog: false })"
    shown = rolls + WARM
    while shown < cards:
        await player.evaluate(at_once, WILL)
        shown += 1
        if shown % 20 == 0:  # more than a few that nobody posted yet become one card
            await expect(player.locator(".chat-log > .chat-message")).to_have_count(shown, timeout=60_000)
    shown = await player.locator(".chat-log > .chat-message").count()
    await measured(player, f"Foundry's stand-in, {shown} cards", roll, rolls)
    await slower(player, SLOWER)
    await measured(player, f"Foundry's stand-in, {shown + rolls + WARM} cards, {SLOWER}x slower", roll, rolls)
    await leave(browser)
    await evening.close()


async def main(rolls: int = ROLLS, cards: int = CARDS, *, only: str = "") -> None:
    """Both, one after the other."""
    logging.configure(level="error")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(whole=True), args=list(CHROMIUM_FLAGS))
        for name, bench in (("page", on_the_page), ("foundry", in_foundry)):
            if only in ("", name):
                with tempfile.TemporaryDirectory(prefix="boonbridge-cards-") as folder:
                    await bench(browser, Path(folder), rolls, cards)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:3]), only=sys.argv[3] if len(sys.argv) > 3 else ""))
