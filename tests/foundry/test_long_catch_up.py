"""Whoever was away for very long: one card says what was missed, and no dice fall for it."""

import asyncio
import secrets

import pytest
from playwright.async_api import expect

from boonbridge.tables.table import Request
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.server import Refused, ServerFrame
from tests.browser.stage import TABLE
from tests.foundry.stage import Evening, cards, live
from tests.support.wait import until

FALLEN = "game.dice3d._stageAnimations.length"


async def roll(evening: Evening, count: int) -> None:
    """So many public rolls, past the sockets and their pace, while nobody is in Foundry."""
    table = (await evening.bridge.running.hub.at(TABLE)).table
    for number in range(count):
        done: asyncio.Future[ServerFrame] = asyncio.get_running_loop().create_future()
        command = RollCheck(
            check="attribute",
            actors=(f"Actor.{evening.ids['Mira']}",),
            params={"attribute": "will", "tn": 10},
            action=f"attempt {number}",
        )

        def answer(frame: ServerFrame, _command: object, done: asyncio.Future[ServerFrame] = done) -> None:
            done.set_result(frame)

        table.submit(
            Request(user="far", role="gm", id=secrets.token_urlsafe(16), seen=table.state.seq, command=command, answer=answer)
        )
        frame = await done
        assert not isinstance(frame, Refused), frame


@pytest.mark.parametrize("count", [24, pytest.param(3_000, marks=pytest.mark.long)])
async def test_a_long_absence_is_one_card_and_nothing_falls(evening: Evening, count: int) -> None:
    await evening.open(taped=False, options={"dice": 30})
    gm = await evening.gm()
    home = gm.context
    await gm.close()
    await until(lambda: evening.bridge.running.hub.online(TABLE) == 0)
    await roll(evening, count)
    gm = await evening.tab(home, "Gamemaster")
    await live(gm)
    for _ in ("came back", "loaded anew"):
        away = gm.locator(".chat-log .chat-message", has_text="While you were away")
        await expect(away).to_have_count(1, timeout=30_000)
        await expect(away.locator("li")).to_have_count(min(count, 40))
        await expect(away.get_by_text("And so on; the log has all of it.")).to_have_count(int(count > 40))
        await expect(away.locator("[data-part=found]")).to_have_count(0)
        assert await gm.evaluate(FALLEN) == 0
        await expect(cards(gm)).to_have_count(0)
        assert len(evening.messages()) == 1
        await gm.reload()
        await live(gm)
    # What comes now is a card of its own again, and falls.
    await roll(evening, 1)
    await expect(cards(gm)).to_have_count(1)
    assert len(evening.messages()) == 2
