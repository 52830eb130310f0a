"""Page and module reach the bridge below a path, through a real proxy with TLS, on the domain that Foundry has too."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.browser.stage import CHROMIUM_FLAGS, TABLE, Stage, chromium, leave
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_evening import open_dialog
from tests.support import proxies
from tests.support.certificates import Files, issue

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="function")]
PATH = "/boonbridge"
KINDS = [pytest.param(proxies.nginx, id="nginx"), pytest.param(proxies.caddy, id="caddy", marks=pytest.mark.long)]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """The domain's certificate."""
    return issue(tmp_path / "tls", proxies.DOMAIN)


@pytest_asyncio.fixture
async def secure(files: Files) -> AsyncIterator[Browser]:
    """A Chromium that takes that certificate for good, and that one alone."""
    async with async_playwright() as playwright:
        flags = [*CHROMIUM_FLAGS, *proxies.known_to_chromium(files)]
        browser = await playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield browser
        await browser.close()


def settings(port: int) -> dict[str, str]:
    """What `--public-url` and `--trust-proxy` say."""
    return {"public_url": f"https://{proxies.DOMAIN}:{port}{PATH}", "base_path": PATH, "trust_proxy": "127.0.0.1"}


def sockets(page: Page) -> list[str]:
    """The websockets that a page opens from now on."""
    found: list[str] = []
    page.on("websocket", lambda socket: found.append(socket.url))
    return found


@contextlib.asynccontextmanager
async def closing(secure: Browser, what: Stage | Evening) -> AsyncIterator[None]:
    """Pages away before the servers that they would miss; no console may have complained."""
    try:
        yield
    finally:
        await leave(secure)
        await what.close()
    assert what.complaints == []


@pytest.mark.parametrize("kind", KINDS)
async def test_the_table_page(secure: Browser, files: Files, tmp_path: Path, kind: type) -> None:
    stage, port = Stage(secure, tmp_path / "data"), proxies.free_port()
    stage.settings = settings(port)
    await stage.open("sage_d20", taped=False)
    await stage.set_demo()
    async with kind(tmp_path, files, port=port, bridge=stage.running.port, foundry=port) as proxy, closing(secure, stage):
        gm = await stage.page(None)
        opened = sockets(gm)
        assert gm.url == f"{proxy.url}{PATH}/"
        assert await gm.evaluate("isSecureContext")
        await gm.get_by_test_id("pairing-code").fill(await stage.running.hub.pairing.new_code(TABLE))
        await gm.get_by_test_id("pairing-name").fill("Gina")
        await gm.get_by_test_id("pair").click()
        await gm.locator("[data-testid=connection][data-state=live]").wait_for()
        assert set(opened) == {f"wss://{proxies.DOMAIN}:{port}{PATH}/ws"}

        # The link that she hands out leads to the same page.
        await gm.get_by_test_id("invite").click()
        await gm.get_by_test_id("invite-name").fill("Pia")
        await gm.get_by_test_id("invite-dialog").locator("[type=submit]").click()
        link = await gm.get_by_test_id("invite-link").input_value()
        assert link.startswith(f"{proxy.url}{PATH}/#code=")

        player = await stage.page("player", "Mo")
        await player.get_by_test_id("roll").click()
        for page in (player, gm):
            await expect(page.locator("[data-part=card][data-kind=check]")).to_be_visible()
        await player.reload()
        await expect(player.locator("[data-part=card][data-kind=check]")).to_be_visible()


@pytest.mark.parametrize("kind", KINDS)
async def test_the_module_in_foundry(secure: Browser, files: Files, tmp_path: Path, kind: type) -> None:
    evening, port = Evening(secure, tmp_path / "data", 14), proxies.free_port()
    evening.bridge.settings = settings(port)
    await evening.open(taped=False)
    await evening.tell_numbers()
    behind = {"bridge": evening.bridge.running.port, "foundry": evening.foundry.port}
    async with kind(tmp_path, files, port=port, **behind) as proxy, closing(secure, evening):
        evening.front = proxy.url
        gm = await evening.page("Gamemaster")
        opened = sockets(gm)
        await gm.get_by_test_id("address").fill(f"wss://{proxies.DOMAIN}:{port}{PATH}")
        await gm.get_by_test_id("code").fill(await evening.code())
        await gm.get_by_test_id("pair").click()
        await gm.get_by_test_id("setup-table").wait_for()
        await gm.get_by_test_id("setup-done").click()
        await live(gm)
        assert opened
        assert all(url.startswith(f"wss://{proxies.DOMAIN}:{port}{PATH}") for url in opened)

        player = await evening.player("Mo")  # who is handed address and token, and types nothing
        panel = await open_dialog(player)
        await panel.get_by_test_id("roll").click()
        for page in (player, gm):
            await expect(cards(page)).to_have_count(1)
