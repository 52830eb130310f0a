"""A real server and real pages in Chromium: what the browser tests play on.

Chosen faces come from a key ring with a tape, put in where the server is composed; `serve` has no switch for it.
"""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, ViewportSize

from boonbridge.commands import demo_tables
from boonbridge.config import Config
from boonbridge.core.ladder import Ladder
from boonbridge.dice.source import Dice, TapeDice
from boonbridge.net.client import Client
from boonbridge.rulesets import registry
from boonbridge.rulesets.base import Ruleset
from boonbridge.running import Running, start
from boonbridge.tables.identity import new_token
from boonbridge.tables.ports import Timer
from boonbridge_schemas.base import PartName, Role
from boonbridge_schemas.commands import Command
from boonbridge_schemas.server import Ack, Refused
from tests.support.names import user_id

TABLE = "evening"
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
)
PHONE, DESKTOP = (360, 780), (1280, 860)
LOOKS = [
    pytest.param(PHONE, "light", id="phone-light"),
    pytest.param(DESKTOP, "dark", id="desktop-dark"),
    pytest.param(PHONE, "dark", id="phone-dark", marks=pytest.mark.long),
    pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.long),
]
"""Both sizes and both schemes, each once; the other way round takes as long and seldom finds more."""

MOSTLY_ONE_LOOK = [
    pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.long),
    *LOOKS[1:],
]
"""For long walks through many windows: each time in one of the four, the others among the long tests."""


def chromium(*, whole: bool = False) -> str:
    """The Chromium of this machine; ``whole``: one that could show a window, which works twice as hard for the same page.

    Fails where there is none: a browser test is never skipped in silence.
    """
    names = (
        os.environ.get("BOONBRIDGE_CHROMIUM"),
        None if whole else "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chromium-headless-shell",
    )
    for name in filter(None, names):
        if (found := shutil.which(name)) is not None:
            return found
    raise AssertionError("no Chromium on this machine; `make browser` installs one or says how")


async def leave(browser: Browser) -> None:
    """Close every page of a browser, before the servers go away that they would miss."""
    for context in list(browser.contexts):
        await context.close()


class TapeKeyRing:
    """Dice that show the faces laid out for them, in order, whatever the part; seeded ones when the tape is used up."""

    def __init__(self) -> None:
        self.faces: list[int] = []

    def lay(self, *faces: int) -> None:
        """The faces of the next dice."""
        self.faces += faces

    def dice(self, ladder: Ladder, seq: int, part: PartName, command_id: str) -> Dice:
        """Dice of one commit, from the common tape."""
        return _FromTape(self.faces)


class _FromTape:
    def __init__(self, faces: list[int]) -> None:
        self._faces = faces

    def draw(self, role: str, sides: int) -> int:
        assert self._faces, f"no face was laid out for a {role} d{sides}"
        return TapeDice([self._faces.pop(0)]).draw(role, sides)


class Stage:
    """One server, one table, any number of pages."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.tape = TapeKeyRing()
        self.complaints: list[str] = []
        self.game = ""
        self.settings: dict[str, Any] = {}
        self.running: Running
        self._port = 0
        self._closed_once = False

    async def open(
        self, ruleset: str, *, taped: bool = True, games: Mapping[str, Ruleset] | None = None, clock: Timer | None = None
    ) -> None:
        """Start the server on this stage's folder; the same port when it is opened again."""
        self.game = ruleset
        config = Config(data=self.folder, port=self._port, ruleset=ruleset, **self.settings)
        known = dict(games or registry.shipped())
        self.running = await start(config, games=known, keyring=self.tape if taped else None, clock=clock)
        self._port = self.running.port
        await self.running.new_table(TABLE, "An evening", ruleset)

    async def close(self) -> None:
        """Stop the server."""
        self._closed_once = True
        await self.running.stop()

    @property
    def socket(self) -> str:
        """The websocket's address on this machine, past whatever stands in front of it."""
        return f"ws://127.0.0.1:{self.running.port}{self.running.config.base_path}/ws"

    async def token(self, role: Role, name: str) -> str:
        """A token for somebody."""
        now = self.running.hub.ports.clock.now()
        user = user_id(TABLE, name)
        token, _ = new_token(
            await self.running.signing_key(), user=user, name=name, table=TABLE, role=role, now=now, jti=f"{user}-{now}"
        )
        return token

    async def as_gm(self, *commands: Command) -> list[Ack]:
        """Have a GM do something, over a websocket of his own."""
        acks = []
        async with Client(self.socket, await self.token("gm", "Game Master")) as client:
            for command in commands:
                answer = await client.do(command)
                assert not isinstance(answer, Refused), answer
                if isinstance(answer, Ack):
                    acks.append(answer)
        return acks

    async def set_demo(self, player: str = "Mo") -> None:
        """The demo's people of this game; the party belongs to ``player``."""
        await self.as_gm(*demo_tables.commands(self.game, user_id(TABLE, player)))

    def _heard(self, message: ConsoleMessage) -> None:
        # Chromium itself writes an error for each try to reach a server that was stopped on purpose.
        refused = "WebSocket connection to" in message.text and self._closed_once
        if message.type == "error" and not refused:
            self.complaints.append(message.text)

    async def log(self) -> list[Any]:
        """Every commit, as a GM reads it."""
        async with Client(self.socket, await self.token("gm", "Game Master")) as client:
            page = await client.history(after=0, limit=200)
        return list(getattr(page, "commits", ()))

    async def page(
        self,
        role: Role | None = "player",
        name: str = "Mo",
        *,
        scheme: Literal["light", "dark"] = "light",
        size: tuple[int, int] = DESKTOP,
        touch: bool = False,
    ) -> Page:
        """The table page as somebody sees it. Without a role: nobody yet, so the start page."""
        context = await self.browser.new_context(
            color_scheme=scheme,
            viewport=ViewportSize(width=size[0], height=size[1]),
            has_touch=touch,
            reduced_motion="reduce",
        )
        page = await context.new_page()
        page.set_default_timeout(8_000)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        fragment = f"#token={await self.token(role, name)}" if role else ""
        await page.goto(f"{self.running.http}{fragment}")
        if role:
            await page.get_by_test_id("connection").and_(page.locator("[data-state=live]")).wait_for()
        return page


def faces(dice: Iterable[Any]) -> list[int]:
    """The faces of some dice of the log."""
    return [die.face for die in dice]
