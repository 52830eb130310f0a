"""A Foundry world for tests: its server, its people, and a page for every client.

    async with FoundryStage(browser, generation=13) as world:
        gm = await world.client("Game Master")
        ada = await world.client("Ada")

What a test asks a page is mostly asked in the page (``client.eval``), with Foundry's own names. At the end no page may have written
an error to its console, asked for a part of Foundry that is not modelled, or loaded a file that is not there.
"""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, TimeoutError, ViewportSize, expect  # noqa: A004

from tests.foundry_stage.documents import Data
from tests.foundry_stage.rules import GAMEMASTER, PLAYER
from tests.foundry_stage.server import CHECKOUT, FoundryServer, Module, World

MODULE = CHECKOUT / "foundry-module"

# What the browser says when the stage's own server is away.
_LOST = re.compile(r"WebSocket connection to 'ws://127\.0\.0\.1:\d+/socket' failed")

# A page on plain http in a home network is no secure context, and has none of these.
_PLAIN_HTTP = """
  Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined, configurable: true });
  delete Crypto.prototype.randomUUID;
  Object.defineProperty(window, "isSecureContext", { get: () => false, configurable: true });
  Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined, configurable: true });
"""


def new_world(generation: Literal[13, 14] = 13, *, duplicate_ids: Literal["replace", "reject"] = "replace") -> World:
    """A game master, an assistant-less evening: Ada and Ben with a character each, a gnoll, three tokens on one scene."""
    world = World(generation=generation, duplicate_ids=duplicate_ids)
    add = world.documents.add
    add("User", {"name": "Game Master", "role": GAMEMASTER, "color": "#b13b2e"})
    for name, color, character, system in (
        ("Ada", "#3a7bd5", "Mira", {"health": {"value": 9, "max": 12}, "strength": 3}),
        ("Ben", "#3fa35b", "Tolan", {"health": {"value": 7, "max": 10}, "strength": 1}),
    ):
        user = add("User", {"name": name, "role": PLAYER, "color": color})
        actor = add(
            "Actor",
            {
                "name": character,
                "system": system,
                "ownership": {"default": 0, user["_id"]: 3},
                "prototypeToken": {"name": character, "actorLink": True, "disposition": 1},
            },
        )
        user["character"] = actor["_id"]
    add("Actor", {"name": "Gnoll", "type": "npc", "system": {"health": {"value": 5, "max": 5}, "strength": 2}})
    scene = add("Scene", {"name": "The bridge", "active": True})
    for index, (name, linked) in enumerate((("Mira", True), ("Tolan", True), ("Gnoll", False))):
        place_token(world, scene, name, actor=name, linked=linked, x=300 + 200 * index, y=300)
    return world


def place_token(
    world: World, scene: Data, name: str, *, actor: str | None, linked: bool = False, x: int = 100, y: int = 100
) -> Data:
    """One more token on a scene; without an actor it stands for nothing."""
    data = {"name": name, "actorId": world.named("Actor", actor)["_id"] if actor else None, "actorLink": linked, "x": x, "y": y}
    world.modify_free("Scene", scene["_id"], "Token", data)
    token: Data = scene["tokens"][-1]
    return token


class FoundryStage:
    """One launched world and the pages that look at it."""

    def __init__(
        self,
        browser: Browser,
        *,
        generation: Literal[13, 14] = 13,
        world: World | None = None,
        modules: Sequence[Path] | None = None,
        dice: bool | int | Literal["held"] = False,
        no_canvas: bool = False,
        plain_http: bool = False,
        theme: Literal["dark", "light"] = "dark",
        sidebar: bool = True,
        duplicate_ids: Literal["replace", "reject"] = "replace",
        port: int = 0,
    ) -> None:
        self.browser = browser
        self.world = world or new_world(generation, duplicate_ids=duplicate_ids)
        self.generation = self.world.generation
        self.modules = list(modules) if modules is not None else [MODULE]
        self.options: Data = {"dice": dice, "noCanvas": no_canvas, "theme": theme, "sidebar": sidebar}
        self.plain_http = plain_http
        self.clients: list[Client] = []
        self.complaints: list[str] = []
        self.server: FoundryServer
        self._port = port
        self._expected: list[re.Pattern[str]] = []

    async def __aenter__(self) -> Self:
        await self.launch()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        missing = [name for client in self.clients if not client.page.is_closed() for name in await client.missing()]
        for context in {client.context for client in self.clients}:
            await context.close()
        await self.server.stop()
        if kind is None:
            assert self.unexpected() == [], self.unexpected()
            assert missing == [], f"not modelled: {missing}"
            assert self.server.missing == [], f"no such file: {self.server.missing}"

    # --- the server ---------------------------------------------------------------------------------------------

    async def launch(self) -> None:
        """Start the server. Manifests are read now, and not again before the next launch."""
        modules = [Module(folder, json.loads((folder / "module.json").read_text("utf-8"))) for folder in self.modules]
        disabled = getattr(self, "_disabled", set())
        for module in modules:
            module.active = module.id not in disabled
        sent, emitted = (self.server.sent, self.server.emitted) if hasattr(self, "server") else ([], [])
        self.server = FoundryServer(self.world, modules, self.options)
        self.server.sent, self.server.emitted = sent, emitted
        await self.server.start(self._port)
        self._port = self.server.port

    async def restart(self, *, disable: Iterable[str] = ()) -> None:
        """Stop and launch again with the same world, and load every open page anew. Modules may be disabled meanwhile."""
        self._disabled = set(disable)
        await self.server.stop()
        await self.launch()
        for client in self.clients:
            if not client.page.is_closed():
                await client.join()

    @property
    def origin(self) -> str:
        """The origin of every page."""
        return self.server.url

    def sent_to(self, name: str, tab: int | None = None) -> list[str]:
        """Every frame that the clients of somebody received, since the world was made."""
        return self.server.sent_to(self.world.user_id(name), tab)

    def messages(self) -> list[Data]:
        """The chat messages of the world, oldest first."""
        return sorted(self.world.all("ChatMessage"), key=lambda message: message["timestamp"])

    # --- complaints ----------------------------------------------------------------------------------------------

    def expect_error(self, pattern: str) -> None:
        """An error on a console that this test is about."""
        self._expected.append(re.compile(pattern))

    def unexpected(self) -> list[str]:
        """Errors of consoles that nobody expected."""
        return [text for text in self.complaints if not any(pattern.search(text) for pattern in self._expected)]

    # --- clients -------------------------------------------------------------------------------------------------

    async def client(
        self, name: str, *, same_browser: "Client | None" = None, size: tuple[int, int] = (1280, 860), before: str | None = None
    ) -> "Client":
        """Open the game as somebody and wait until it is ready. A second tab: ``same_browser=first``.

        ``before`` is a script that runs before anything of the page.
        """
        if same_browser is None:
            context = await self.browser.new_context(
                viewport=ViewportSize(width=size[0], height=size[1]), reduced_motion="reduce", color_scheme=self.options["theme"]
            )
            session = self.server.login(self.world.user_id(name))
            await context.add_cookies([{"name": "session", "value": session, "url": self.origin}])
            if self.plain_http:
                await context.add_init_script(_PLAIN_HTTP)
        else:
            assert same_browser.name == name, "one browser holds one session"
            context = same_browser.context
        page = await context.new_page()
        if before:
            await page.add_init_script(before)
        page.set_default_timeout(8_000)
        client = Client(self, name, context, page)
        page.on("console", client.on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error.stack or error}"))
        self.clients.append(client)
        await client.load()
        return client


class Client:
    """One page of somebody."""

    def __init__(self, stage: FoundryStage, name: str, context: BrowserContext, page: Page) -> None:
        self.stage = stage
        self.name = name
        self.context = context
        self.page = page
        self.console: list[str] = []

    def on_console(self, message: ConsoleMessage) -> None:
        """Remember what is said; complain about errors."""
        self.console.append(f"{message.type}: {message.text}")
        if message.type == "error" and not _LOST.match(message.text):
            self.stage.complaints.append(f"{self.name}: {message.text} ({message.location.get('url', '')})")

    # --- the page --------------------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Open the game and wait until ``ready`` has been called."""
        await self.page.goto(f"{self.stage.origin}/game")
        try:
            await self.page.locator("body[data-stage]").wait_for(state="attached")
        except TimeoutError as late:
            raise AssertionError(f"{self.name}'s page never became ready: {self.stage.complaints}") from late
        state = await self.page.locator("body").get_attribute("data-stage")
        assert state == "ready", self.stage.complaints

    async def join(self) -> None:
        """A new session, after the server was started anew."""
        session = self.stage.server.login(self.stage.world.user_id(self.name))
        await self.context.add_cookies([{"name": "session", "value": session, "url": self.stage.origin}])
        await self.load()

    async def reload(self) -> None:
        """Press F5."""
        await self.load()

    async def close(self) -> None:
        """Close this tab."""
        await self.page.close()

    async def eval(self, expression: str, argument: Any = None) -> Any:
        """Run a function, or an expression, in the page, with Foundry's globals."""
        return await self.page.evaluate(expression, argument)

    async def missing(self) -> list[str]:
        """Parts of Foundry that were asked for and are not modelled."""
        with contextlib.suppress(Exception):  # a page on its way elsewhere has no answer
            return list(await self.page.evaluate("() => globalThis._stage?.missing ?? []"))
        return []

    async def until(self, expression: str, argument: Any = None, timeout: float = 8_000) -> None:  # noqa: ASYNC109 - Playwright's own
        """Wait until an expression is true in the page."""
        await self.page.wait_for_function(expression, arg=argument, timeout=timeout)

    # --- chat --------------------------------------------------------------------------------------------------------

    @property
    def log(self) -> Locator:
        """The chat log in the sidebar."""
        return self.page.locator("#chat .chat-log")

    @property
    def cards(self) -> Locator:
        """The messages in the log."""
        return self.log.locator(".chat-message")

    def card(self, message_id: str) -> Locator:
        """One message in the log."""
        return self.log.locator(f".chat-message[data-message-id='{message_id}']")

    async def say(self, text: str) -> None:
        """Type into the chat input and press Enter."""
        field = self.page.locator("#chat-message [contenteditable], textarea#chat-message")
        await field.click()
        await self.page.keyboard.type(text)
        await self.page.keyboard.press("Enter")

    async def process(self, text: str) -> None:
        """Give a text to the chat log as a macro would."""
        await self.eval("text => ui.chat.processMessage(text)", text)

    async def clear_chat(self) -> None:
        """Delete every message, as the button of the log does."""
        await self.eval("() => ChatMessage.deleteDocuments([], { deleteAll: true })")

    # --- the map -----------------------------------------------------------------------------------------------------

    def token(self, name: str) -> Locator:
        """A token on the map."""
        return self.page.locator(".stage-token").filter(has_text=name)

    async def select(self, *names: str) -> None:
        """Select exactly these tokens."""
        await self.eval(
            """names => {
              canvas.tokens.releaseAll();
              for (const token of canvas.tokens.placeables) if (names.includes(token.name)) token.control({ releaseOthers: false });
            }""",
            list(names),
        )

    async def target(self, *names: str) -> None:
        """Aim at exactly these tokens."""
        await self.eval(
            "names => canvas.tokens._stageTarget(canvas.tokens.placeables.filter(t => names.includes(t.name)).map(t => t.id))",
            list(names),
        )

    async def open_hud(self, name: str) -> Locator:
        """Right-click a token; its HUD."""
        await self.token(name).click(button="right")
        hud = self.page.locator("#token-hud")
        await expect(hud).to_be_visible()
        return hud

    # --- windows -------------------------------------------------------------------------------------------------------

    async def open_sheet(self, actor: str) -> Locator:
        """Open an actor's sheet; its window."""
        identifier = await self.eval(
            "async name => { const a = game.actors.getName(name, {strict: true}); await a.sheet.render({force: true}); return a.sheet.id; }",
            actor,
        )
        return self.page.locator(f"[id='{identifier}']")

    async def header_control(self, window: Locator, label: str) -> None:
        """Choose an entry of a window's header menu."""
        await window.locator("[data-action=toggleControls]").click()
        await window.locator(".controls-dropdown").get_by_role("button", name=label).click()

    async def scene_tool(self, name: str, control: str = "tokens") -> None:
        """Press a scene control tool by its name."""
        await self.page.locator(f"#scene-controls [data-control='{control}']").click()
        await self.page.locator(f"#scene-controls [data-tool='{name}']").click()

    async def drop_on_hotbar(self, data: Data, slot: int) -> None:
        """Drop something onto a slot of the hotbar."""
        await self.page.locator(f"#hotbar [data-slot='{slot}']").evaluate(
            """(slot, data) => {
              const dataTransfer = new DataTransfer();
              dataTransfer.setData("text/plain", JSON.stringify(data));
              slot.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
            }""",
            data,
        )

    # --- Dice So Nice ----------------------------------------------------------------------------------------------------

    async def animations(self) -> list[Data]:
        """What Dice So Nice animated on this page."""
        return list(await self.eval("() => game.dice3d._stageAnimations"))

    async def finish_dice(self) -> None:
        """Let held animations end."""
        await self.eval("() => game.dice3d._stageFinish()")


@contextlib.asynccontextmanager
async def holding(server: FoundryServer, gate: Callable[[Any, Data], Awaitable[None]]) -> AsyncIterator[None]:
    """Let a test hold what clients ask the server for."""
    server.hold = gate
    try:
        yield
    finally:
        server.hold = None
