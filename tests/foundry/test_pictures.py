"""The pictures of the module for README and docs, from a real evening with taped dice.

They go to a temporary folder; with BOONBRIDGE_PICTURES=docs/images (`make pictures`) they are taken for the docs.
"""

import os
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import FloatRect, Page, expect

from boonbridge.commands.demo_tables import PEOPLE
from boonbridge_schemas.commands import SyncActor
from boonbridge_schemas.events import ActorSynced
from tests.browser.stage import TapeKeyRing
from tests.foundry.stage import Evening, aim, cards
from tests.foundry.test_evening import open_dialog


@pytest.fixture(autouse=True)
def as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a table in a picture says of its dice is what one says that is served."""
    monkeypatch.setattr("boonbridge.tables.opening.SeededKeyRing", TapeKeyRing)


THEMES = ["dark", pytest.param("light", marks=pytest.mark.long)]
"""Axe looks at both (test_comfort.py); a picture of the other one is taken among the long tests."""

HELP = {"id": "kit", "label": "Climbing kit", "sign": "boon"}
RAIN = {"id": "rain", "label": "Rain on the stones", "sign": "bane"}
OGRES = ("First ogre", "Second ogre")

# For each game every tone a verdict may have: a roll, the faces of its dice, and whom it is aimed at.
Shown = tuple[dict[str, Any], tuple[int, ...], tuple[str, ...]]
ROLLS: dict[str, tuple[Shown, ...]] = {
    "rank_ability": (
        ({"action": "forces the door", "params": {"ability": "str", "tn": 9}}, (6, 6), ()),
        ({"action": "climbs the wall", "params": {"ability": "agi", "tn": 9}, "sources": [HELP]}, (2, 6, 5), ()),
        ({"action": "climbs on", "params": {"ability": "agi", "tn": 9}, "sources": [RAIN]}, (5, 6, 2), ()),
        ({"action": "reads the old seal", "params": {"ability": "lor", "tn": 12}}, (1, 1), ()),
    ),
    "public_d20": (
        ({"check": "attack", "action": "swings wide", "params": {"attack": "maul"}}, (20, 9), OGRES),
        ({"check": "task", "params": {"attribute": "attribute.might", "dc": 12}, "sources": [HELP]}, (4, 15), ()),
        ({"check": "task", "params": {"attribute": "attribute.wits", "dc": 15}, "sources": [RAIN]}, (14, 6), ()),
        ({"check": "attack", "action": "slips", "params": {"attack": "maul"}}, (1,), OGRES[:1]),
    ),
    "sage_d20": (
        (
            {"check": "attribute", "action": "holds the rope", "params": {"attribute": "will", "tn": 10}, "sources": [HELP]},
            (18, 4),
            (),
        ),
        ({"check": "against", "action": "shoves", "params": {"attribute": "strength", "against": "agility"}}, (19, 4), OGRES),
        ({"check": "attribute", "params": {"attribute": "strength", "tn": 10}, "sources": [RAIN]}, (2, 6), ()),
    ),
    "group_d12": (
        ({"check": "skill", "action": "vaults", "params": {"skill": "skill.athletics", "difficulty": 9}}, (12,), ()),
        ({"check": "skill", "params": {"skill": "skill.stealth", "difficulty": 9}, "sources": [HELP]}, (3, 8), ()),
        ({"check": "skill", "action": "slips past", "params": {"skill": "skill.stealth", "difficulty": 11}}, (1,), ()),
        ({"check": "skill", "action": "tries the roof", "params": {"skill": "skill.athletics", "difficulty": 11}}, (4,), ()),
    ),
}


async def picture(page: Page, folder: Path, name: str, *, clip: FloatRect | None = None) -> None:
    """One picture, of the page or of a part of it."""
    kept = os.environ.get("BOONBRIDGE_PICTURES")
    path = (Path(kept) if kept else folder) / f"{name}.png"
    await page.screenshot(path=path, clip=clip)
    assert path.stat().st_size > 10_000


@pytest.fixture
def generation() -> Literal[13, 14]:
    """Both generations look alike; the pictures are of the newer one."""
    return 14


async def seat(evening: Evening, game: str) -> None:
    """The numbers of the demo's people, for the people of this world."""
    owners = {"Mira": (evening.ids["Mo"],), "Teo": (evening.ids["Kim"],), "Ogre": ()}
    for (name, owned), (_, numbers) in zip(owners.items(), PEOPLE[game], strict=True):
        side = "party" if owned else "opposition"
        actor = f"Actor.{evening.ids[name]}"
        await evening.bridge.as_gm(SyncActor(actor=actor, name=name, side=side, owners=owned, numbers=numbers))


async def known(evening: Evening, *names: str) -> None:
    """Wait until the GM's page has introduced whom a player aims at."""
    met: set[str] = set()
    while not met.issuperset(names):
        events = [event for commit in await evening.bridge.log() for event in getattr(commit, "events", ())]
        met = {str(event.name) for event in events if isinstance(event, ActorSynced)}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(ROLLS))
async def test_the_cards_of_every_game(evening: Evening, tmp_path: Path, game: str, theme: str) -> None:
    await evening.open(game, options={"theme": theme})
    gm = await evening.page("Gamemaster")
    await evening.pair(gm)
    await seat(evening, game)
    player = await evening.player("Mo")
    await player.set_viewport_size({"width": 1360, "height": 2000})
    await aim(player, *OGRES)
    await known(evening, *OGRES)
    for count, (preset, faces, targets) in enumerate(ROLLS[game], start=1):
        await aim(player, *targets)
        evening.bridge.tape.lay(*faces)
        outcome = await player.evaluate("preset => game.modules.get('boonbridge').api.roll({ dialog: false, ...preset })", preset)
        assert outcome["ok"], outcome
        await expect(cards(player)).to_have_count(count)
    tones = await cards(player).locator("[data-part=verdict]").evaluate_all("all => all.map(one => one.dataset.tone)")
    assert set(tones) == {"critical", "success", "failure", "worst"}, tones
    log = await player.locator(".chat-log").first.bounding_box()
    last = await player.locator(".chat-log .chat-message").last.bounding_box()
    assert log is not None
    assert last is not None
    height = last["y"] + last["height"] - log["y"] + 4
    await picture(player, tmp_path, f"foundry-{game}-{theme}", clip={**log, "height": height})


@pytest.mark.parametrize("theme", THEMES)
async def test_the_first_minute(evening: Evening, tmp_path: Path, theme: str) -> None:
    await evening.open(options={"theme": theme})
    gm = await evening.page("Gamemaster")
    await expect(gm.get_by_test_id("address")).to_be_visible()
    await picture(gm, tmp_path, f"foundry-first-run-{theme}")
    await evening.pair(gm)
    await picture(gm, tmp_path, f"foundry-characters-{theme}")


@pytest.mark.parametrize("theme", THEMES)
async def test_the_module_in_foundry(evening: Evening, tmp_path: Path, theme: str) -> None:
    await evening.open(options={"theme": theme})
    await evening.gm(typed=True)
    player = await evening.player("Mo")
    await player.get_by_test_id("boonbridge-state").click()
    await expect(player.get_by_test_id("connection-window")).to_be_visible()
    await player.mouse.move(700, 20)
    await picture(player, tmp_path, f"foundry-connection-{theme}")
    await player.locator("#boonbridge-connection [data-action=close]").click()
    await player.mouse.move(700, 20)
    evening.bridge.tape.lay(17, 4)
    sources = [
        {"id": "kit", "label": "Climbing kit", "sign": "boon"},
        {"id": "rope", "label": "Teo steadies the rope", "sign": "boon"},
        {"id": "rain", "label": "Rain on the stones", "sign": "bane"},
    ]
    dialog = await open_dialog(player, {"action": "climbs the wet wall", "params": {"tn": 15}, "sources": sources})
    await expect(dialog.get_by_test_id("chance")).to_be_visible()
    await picture(player, tmp_path, f"foundry-dialog-{theme}")
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(1)
    await aim(player, "First ogre", "Second ogre")
    evening.bridge.tape.lay(3, 18)
    dialog = await open_dialog(player, {"check": "against", "action": "shoves", "params": {"attribute": "strength"}})
    await expect(dialog.get_by_test_id("preview-row")).to_have_count(2)
    await dialog.get_by_test_id("roll").click()
    await expect(cards(player)).to_have_count(2)
    await player.set_viewport_size({"width": 1360, "height": 1120})
    await picture(player, tmp_path, f"foundry-cards-{theme}")
