"""A real bridge, Foundry's stand-in, and real pages of the unmodified module: what these tests play on."""

import json
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, Locator, Page

from boonbridge_schemas.checks import Number, Numbers
from boonbridge_schemas.commands import SyncActor
from tests.browser.stage import Stage as Bridge
from tests.foundry_stage.server import FoundryServer, Module, World

CHECKOUT = Path(__file__).parents[2]
MODULE = CHECKOUT / "foundry-module"
OWNERS = {"Mira": "Mo", "Teo": "Kim", "Ogre": None}
NUMBERS = {"strength": 12, "agility": 13, "intellect": 11, "will": 10, "defense": 13}


class Evening:
    """One bridge, one world, any number of people in it."""

    def __init__(self, browser: Browser, folder: Path, generation: Literal[13, 14]) -> None:
        self.browser = browser
        self.bridge = Bridge(browser, folder)
        self.world = World(generation=generation)
        self.foundry: FoundryServer
        self.front = ""
        self.complaints: list[str] = []
        self.ids: dict[str, str] = {}
        self.heard: dict[str, list[str]] = {}
        self.forged = False
        """Whether a test makes messages that the log does not vouch for; in all others none may be marked."""

    async def open(self, ruleset: str = "sage_d20", *, options: dict[str, Any] | None = None, taped: bool = True) -> None:
        """A fresh table and a fresh world: two GMs, two players, a character for each, an opponent, a scene with tokens."""
        await self.bridge.open(ruleset, taped=taped)
        add = self.world.documents.add
        for name, role in (("Gamemaster", 4), ("Second", 4), ("Mo", 1), ("Kim", 1)):
            self.ids[name] = add("User", {"name": name, "role": role})["_id"]
        for name, owner in OWNERS.items():
            ownership = {"default": 0, **({self.ids[owner]: 3} if owner else {})}
            prototype = {"name": name, "actorLink": owner is not None, "disposition": 1 if owner else -1}
            actor = add("Actor", {"name": name, "type": "character", "ownership": ownership, "prototypeToken": prototype})
            self.ids[name] = actor["_id"]
        for actor_name, user in OWNERS.items():
            if user is not None:
                self.world.documents.collections["User"][self.ids[user]]["character"] = self.ids[actor_name]
        tokens = [
            {"name": "Mira", "actorId": self.ids["Mira"], "actorLink": True, "x": 100, "y": 100, "disposition": 1},
            {"name": "Teo", "actorId": self.ids["Teo"], "actorLink": True, "x": 200, "y": 100, "disposition": 1},
            {"name": "First ogre", "actorId": self.ids["Ogre"], "x": 400, "y": 100},
            {"name": "Second ogre", "actorId": self.ids["Ogre"], "x": 500, "y": 100},
            {"name": "Empty", "actorId": None, "x": 600, "y": 100},
        ]
        self.scene = add("Scene", {"name": "A cave", "active": True, "tokens": tokens})
        manifest = json.loads((MODULE / "module.json").read_text("utf-8"))
        self.foundry = FoundryServer(self.world, [Module(MODULE, manifest)], options)
        await self.foundry.start()

    async def close(self) -> None:
        """Stop both servers."""
        await self.foundry.stop()
        await self.bridge.close()

    async def code(self) -> str:
        """A pairing code, as ``boonbridge pair`` prints it."""
        return str(await self.bridge.running.hub.pairing.new_code("evening"))

    @property
    def place(self) -> str:
        """Where people open the world: at Foundry itself, or at the proxy in front of it."""
        return self.front or self.foundry.url

    @property
    def address(self) -> str:
        """The bridge's address as somebody would type it."""
        return self.bridge.running.http.removeprefix("http://").rstrip("/")

    async def page(self, user: str, *, session: str | None = None) -> Page:
        """Somebody's browser in the world, in a profile of its own."""
        context = await self.browser.new_context(viewport={"width": 1360, "height": 900}, reduced_motion="reduce")
        login = session or self.foundry.login(self.ids[user])
        await context.add_cookies([{"name": "session", "value": login, "url": self.place}])
        return await self.tab(context, user)

    async def tab(self, context: Any, user: str) -> Page:
        """One more tab of a browser."""
        page: Page = await context.new_page()
        page.set_default_timeout(8_000)
        page.on("console", lambda message: self._heard(user, message))
        page.on("pageerror", lambda error: self.complaints.append(f"{user}: {error}"))
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self._told(user, frame)))
        await page.goto(f"{self.place}/game")
        await page.locator("body[data-stage=ready]").wait_for()
        return page

    def _told(self, user: str, frame: str | bytes) -> None:
        """Every frame that any page of somebody receives, from Foundry's server or from the bridge."""
        self.heard.setdefault(user, []).append(frame if isinstance(frame, str) else frame.decode())

    def _heard(self, user: str, message: Any) -> None:
        if message.type != "error":
            return
        # A browser says by itself that nobody listens at an address; no page can keep it from that.
        if "WebSocket connection to" in message.text:
            return
        self.complaints.append(f"{user}: {message.text} ({message.location.get('url')})")

    async def pair(self, page: Page) -> None:
        """The GM's first minute: address and code."""
        await page.get_by_test_id("address").fill(self.address)
        await page.get_by_test_id("code").fill(await self.code())
        await page.get_by_test_id("pair").click()
        await page.get_by_test_id("setup-table").wait_for()

    async def gm(self, *, typed: bool = False) -> Page:
        """A GM who has joined, with numbers for everybody; ``typed``: into the form, one by one, as a person does."""
        if not typed:
            await self.tell_numbers()  # before the page comes, so that it has them as soon as it is live
        page = await self.page("Gamemaster")
        await self.pair(page)
        await page.get_by_test_id("setup-done").click()
        if typed:
            for name in OWNERS:
                await self.give_numbers(page, name)
        return page

    async def tell_numbers(self) -> None:
        """The numbers of everybody, past Foundry."""
        numbers = Numbers(values=tuple(Number(key=key, value=value) for key, value in NUMBERS.items()))
        told = [
            SyncActor(
                actor=f"Actor.{self.ids[name]}",
                name=name,
                side="party" if owner else "opposition",
                owners=(self.ids[owner],) if owner else (),
                numbers=numbers,
            )
            for name, owner in OWNERS.items()
        ]
        await self.bridge.as_gm(*told)

    async def give_numbers(self, page: Page, actor: str) -> None:
        """Fill in *Boonbridge numbers* of an actor."""
        await page.evaluate("id => game.modules.get('boonbridge').api.numbers(id)", self.ids[actor])
        window = page.get_by_test_id("numbers-window")
        for key, value in NUMBERS.items():
            await window.get_by_test_id(f"number-{key}").fill(str(value))
        await window.get_by_test_id("save-numbers").click()
        await window.wait_for(state="detached")

    async def player(self, user: str = "Mo") -> Page:
        """A player who types nothing."""
        page = await self.page(user)
        await live(page)
        return page

    async def marked(self) -> list[str]:
        """What any page says is not what the log says."""
        pages = [page for context in self.browser.contexts for page in context.pages]
        return [text for page in pages for text in await page.locator("[data-part=found]").all_text_contents()]

    def messages(self) -> list[dict[str, Any]]:
        """Every chat message of the world, oldest first."""
        return list(self.world.documents.collections["ChatMessage"].values())


async def live(page: Page) -> None:
    """Wait until a page is connected."""
    await page.locator("#boonbridge-state[data-state=live]").wait_for()


def cards(page: Page) -> Locator:
    """The cards in a page's chat log, drawn."""
    return page.locator("#chat .chat-message [data-part=card], .chat-log .chat-message [data-part=card]")


async def select(page: Page, *names: str) -> None:
    """Select tokens on the map."""
    await page.evaluate(
        "names => { canvas.tokens.releaseAll?.(); for (const t of canvas.tokens.placeables) "
        "if (names.includes(t.document.name)) t.control({ releaseOthers: false }); }",
        list(names),
    )


async def aim(page: Page, *names: str) -> None:
    """Target tokens."""
    await page.evaluate(
        "names => { for (const t of canvas.tokens.placeables) t.setTarget(names.includes(t.document.name), { releaseOthers: false }); }",
        list(names),
    )
