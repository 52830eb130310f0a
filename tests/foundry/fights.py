"""Fights in Foundry's tracker, and what the bridge heard of them."""

import json
from itertools import chain
from typing import Any

from playwright.async_api import Page

from boonbridge.commands.demo_tables import PEOPLE
from boonbridge_schemas.commands import SyncActor
from tests.foundry.stage import OWNERS, Evening
from tests.support.wait import until

TURNS = ("TurnStarted", "TurnEnded", "RoundEnded", "CombatEnded")


async def table(evening: Evening, game: str, *, owned: bool = True) -> None:
    """The demo's numbers of a game for Mira, Teo and the ogre, before any page comes; ``owned``: by their players."""
    people = [
        SyncActor(
            actor=f"Actor.{evening.ids[name]}",
            name=name,
            side="party" if owner else "opposition",
            owners=(evening.ids[owner],) if owner and owned else (),
            numbers=numbers,
        )
        for (name, owner), (_, numbers) in zip(OWNERS.items(), PEOPLE[game], strict=True)
    ]
    await evening.bridge.as_gm(*people)


async def gm_of(evening: Evening, game: str) -> Page:
    """A world that plays a game, and its GM's page."""
    await evening.open(game)
    await table(evening, game)
    page = await evening.page("Gamemaster")
    await evening.pair(page)
    await page.get_by_test_id("setup-done").click()
    return page


async def fight(page: Page, *names: str, start: bool = True) -> str:
    """Tokens in a new fight of the tracker, first ones first. Its id, as the bridge calls it."""
    made: str = await page.evaluate(
        """async ([names, start]) => {
          const combat = await Combat.create({ active: true });
          const all = names.map((name, nth) => {
            const token = canvas.tokens.placeables.find((each) => each.document.name === name);
            return { tokenId: token.id, sceneId: canvas.scene.id, actorId: token.document.actorId, initiative: 50 - nth };
          });
          await combat.createEmbeddedDocuments("Combatant", all);
          if (start) await combat.startCombat();
          return combat.id;
        }""",
        [names, start],
    )
    return f"Combat.{made}"


async def tracker(page: Page, *acts: str) -> None:
    """Press buttons of the tracker: ``nextTurn``, ``previousTurn``, ``nextRound`` and so on."""
    await page.evaluate("async (acts) => { for (const act of acts) await game.combats.contents.at(-1)[act](); }", list(acts))


def turns(evening: Evening) -> list[tuple[Any, ...]]:
    """What the bridge heard, in the order of its log, as far as any page was told: kind, round, whose turn."""
    names = {f"Actor.{evening.ids[name]}": name for name in OWNERS}
    names |= {f"Actor.{evening.ids['Ogre']}.token.{token['_id']}": token["name"] for token in evening.scene["tokens"]}
    told = [event for event in events(evening) if event["t"] in TURNS]
    return [
        (
            event["t"],
            *((event["round"],) if "round" in event else ()),
            *((names.get(event["actor"], event["actor"]),) if "actor" in event else ()),
        )
        for event in told
    ]


def events(evening: Evening) -> list[dict[str, Any]]:
    """Every event that any page was told of, in the order of the log."""
    commits: dict[int, list[dict[str, Any]]] = {}
    for frame in chain.from_iterable(evening.heard.values()):
        if '"logged"' in frame and (commit := json.loads(frame)).get("t") == "logged":
            known = commits.setdefault(commit["seq"], [])
            known += [event for event in commit.get("events", ()) if event not in known]
    return [event for seq in sorted(commits) for event in commits[seq]]


async def heard(evening: Evening, *expected: tuple[Any, ...]) -> None:
    """Wait until the bridge has heard as much as this; it is to be exactly this. What is told too much shows in what comes next."""
    await until(lambda: len(turns(evening)) >= len(expected))
    assert turns(evening) == list(expected)
