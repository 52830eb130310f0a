"""What came to somebody's pages in Foundry, and what his page holds: where tests of hidden rolls look for planted numbers."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from playwright.async_api import Page, expect

from boonbridge_schemas.commands import Grant, SetOptions
from boonbridge_schemas.grants import GrantSource
from tests.browser.stage import TABLE
from tests.foundry.stage import Evening, cards
from tests.foundry.test_evening import open_dialog
from tests.support.leaks import found, reads_no_secret

PLANTED = "Qqzzk-label"
ACTION = "Zyxwv-action"
SOURCE = {"id": "kkqqj.source", "label": PLANTED, "sign": "boon"}

# All that a page has: what is drawn with every attribute, what was typed, every document of chat, and what the browser keeps.
_HELD = """() => [
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll("input, select, textarea")].map((field) => field.value),
    ...game.messages.contents.map((message) => JSON.stringify(message.toObject())),
    ...Object.entries({ ...localStorage, ...sessionStorage }).flat(),
    JSON.stringify(game.dice3d?._stageAnimations ?? []),
].join("\\n")"""
_FALLEN = "game.dice3d._stageAnimations.map((one) => one.faces)"


@dataclass
class Viewer:
    """Somebody in the world, with one open page."""

    evening: Evening
    name: str
    page: Page

    def heard(self) -> str:
        """Every frame that came to him so far, from either server."""
        return "\n".join(self.evening.heard[self.name])

    def forget(self) -> None:
        """From now on only what comes now."""
        self.evening.heard[self.name].clear()

    async def held(self) -> str:
        """Everything that his page holds now."""
        return str(await self.page.evaluate(_HELD))

    async def knows(self, words: tuple[str, ...], numbers: tuple[int, ...]) -> set[Any]:
        """Which of the words and numbers came to him, or stand anywhere in his page."""
        return found(self.heard(), words, numbers) | found(await self.held(), words, numbers)

    async def fallen(self, face: int) -> int:
        """How often dice with a face fell on his page."""
        return sum(face in faces for faces in await self.page.evaluate(_FALLEN))

    async def sees_fall(self, face: int) -> None:
        """Wait until dice with a face have begun to fall on his page."""
        await self.page.wait_for_function(f"{_FALLEN}.some((faces) => faces.includes({face}))")

    async def reads_no_secret(self) -> set[Any]:
        """No key, no seed of a commit not yet made, no seed or salt of a part that he may not read; those that he was told."""
        hub, all_he_has = self.evening.bridge.running.hub, f"{self.heard()}\n{await self.held()}"
        opened = await hub.at(TABLE)

        async def table(_: str) -> Any:
            return opened.table

        async def stored(_: str) -> Any:
            return list(await hub.ports.store.read(TABLE, after=0, limit=1_000))

        asked = SimpleNamespace(running=self.evening.bridge.running, table=table, stored=stored)
        person = SimpleNamespace(user=self.evening.ids[self.name], bytes=all_he_has.encode())
        role = "gm" if self.name in ("Gamemaster", "Second") else "player"
        return set(await reads_no_secret(asked, person, role, table=TABLE))


def of_hundred() -> SetOptions:
    """A Boon die with a hundred faces: its faces and the totals are numbers that stand nowhere else."""
    return SetOptions(options={"boon_die": 100})


def boon_for(evening: Evening, name: str) -> Grant:
    """A Boon for somebody, on all that he rolls."""
    return Grant(actors=(f"Actor.{evening.ids[name]}",), sign="boon", source=GrantSource(id="song", label="A song"))


async def roll(page: Page, **preset: Any) -> None:
    """One roll with a Boon from the dialog, waited for until it is sent."""
    dialog = await open_dialog(page, {"action": ACTION, "sources": [SOURCE], **preset})
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_have_count(0)


async def shown(page: Page, face: int, count: int = 1) -> None:
    """Cards in chat that show a face."""
    await expect(cards(page).locator(f"[data-face='{face}']")).to_have_count(count)
