"""Foundry's status icons and the table's conditions are one thing: in both directions, written once, without echo."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import ClearCondition, SetCondition
from tests.browser.stage import TABLE
from tests.foundry.fights import events, gm_of
from tests.foundry.stage import Evening, live
from tests.support.wait import until

SHOWS = "([name, id]) => canvas.tokens.placeables.find(t => t.document.name === name).actor.statuses.has(id)"
HIDES = "([name, id]) => !canvas.tokens.placeables.find(t => t.document.name === name).actor.statuses.has(id)"


async def toggle(page: Page, name: str, status: str) -> None:
    """Toggle an icon on somebody's token, as its HUD does."""
    await page.evaluate(
        "([name, id]) => canvas.tokens.placeables.find(t => t.document.name === name).actor.toggleStatusEffect(id).then(() => {})",
        [name, status],
    )


def actor(evening: Evening, name: str) -> str:
    """Somebody's id at the table; a token's where it has its own."""
    tokens = {token["name"]: token["_id"] for token in evening.scene["tokens"] if not token["actorLink"]}
    return f"Actor.{evening.ids['Ogre']}.token.{tokens[name]}" if name in tokens else f"Actor.{evening.ids[name]}"


def changes(evening: Evening) -> list[tuple[str, str, str]]:
    """What the bridge wrote down of conditions: kind, whose, which."""
    told = [event for event in events(evening) if event["t"] in ("ConditionSet", "ConditionCleared")]
    return [(event["t"], event["actor"], event.get("key") or event["condition"]["key"]) for event in told]


async def written(evening: Evening, *expected: tuple[str, str, str]) -> None:
    """Wait until the bridge has written this down, and nothing else."""
    try:
        await until(lambda: len(changes(evening)) >= len(expected))
    except TimeoutError:
        raise AssertionError((changes(evening), expected)) from None
    assert changes(evening) == list(expected)


async def counted(page: Page) -> None:
    """Count what is written to effects, from now on."""
    await page.evaluate(
        "() => { window.writes = []; for (const what of ['create', 'update', 'delete']) "
        "Hooks.on(`${what}ActiveEffect`, (effect) => window.writes.push(`${what} ${[...effect.statuses].join()}`)); }"
    )


def sets(evening: Evening, name: str, key: str) -> tuple[str, str, str]:
    """A condition that was set."""
    return ("ConditionSet", actor(evening, name), key)


def clears(evening: Evening, name: str, key: str) -> tuple[str, str, str]:
    """A condition that was cleared."""
    return ("ConditionCleared", actor(evening, name), key)


async def test_an_icon_is_a_condition_and_a_condition_is_an_icon(evening: Evening) -> None:
    """Two GMs, one of them with two tabs: each change is written once on either side."""
    gm = await gm_of(evening, "sage_d20")
    second_tab = await evening.tab(gm.context, "Gamemaster")
    other = await evening.page("Second")
    player = await evening.player()
    for page in (second_tab, other):
        await live(page)
    await counted(player)
    mira = actor(evening, "Mira")
    await evening.bridge.as_gm(SetCondition(actors=(mira,), condition="prone"))
    for page in (gm, player):
        await page.wait_for_function(SHOWS, arg=["Mira", "prone"])
    # A player may set icons of his own; that he may not set conditions is no matter, the active GM's page does.
    await toggle(player, "Mira", "prone")
    told = [sets(evening, "Mira", "prone"), clears(evening, "Mira", "prone")]
    await written(evening, *told)
    await toggle(player, "Mira", "blind")
    await written(evening, *told, sets(evening, "Mira", "blinded"))
    # An unlinked token has its own; whoever did it tells it, also where he is not the active GM.
    await toggle(other, "First ogre", "unconscious")
    told += [sets(evening, "Mira", "blinded"), sets(evening, "First ogre", "unconscious")]
    await written(evening, *told)
    # What stands for nothing here is left alone.
    await toggle(other, "First ogre", "dead")
    await evening.bridge.as_gm(ClearCondition(actor=actor(evening, "First ogre"), condition="unconscious"))
    await player.wait_for_function(HIDES, arg=["First ogre", "unconscious"])
    await evening.bridge.as_gm(ClearCondition(actor=mira, condition="blinded"))
    await player.wait_for_function(HIDES, arg=["Mira", "blind"])
    await written(evening, *told, clears(evening, "First ogre", "unconscious"), clears(evening, "Mira", "blinded"))
    assert await player.evaluate("window.writes") == [
        "create prone", "delete prone", "create blind", "create unconscious", "create dead", "delete unconscious", "delete blind",
    ]  # fmt: skip
    assert await player.evaluate(SHOWS, ["First ogre", "dead"])
    assert not await player.evaluate(SHOWS, ["Second ogre", "unconscious"])


STATUSES = """(ids) => {
  for (const id of ids) {
    const made = { id, name: id[0].toUpperCase() + id.slice(1), img: "icons/svg/dead.svg" };
    if (Array.isArray(CONFIG.statusEffects)) CONFIG.statusEffects.push(made);
    else CONFIG.statusEffects[id] = made;
  }
}"""


@pytest.mark.long
async def test_a_system_that_sets_icons_by_itself(evening: Evening) -> None:
    """Cascades, effects of items, effects that are switched off, icons that a system refuses, toggles one after the other."""
    gm = await gm_of(evening, "sage_d20")
    player = await evening.player()
    for page in (gm, player):
        await page.evaluate(STATUSES, ["poisoned", "stunned", "held"])
    # Whoever is poisoned falls: the system's own effects come from the page that asked.
    await gm.evaluate("""() => Hooks.on("createActiveEffect", (effect, options, userId) => {
      if (userId === game.user.id && effect.statuses.has("poisoned")) for (const id of ["prone", "unconscious"]) void effect.parent.toggleStatusEffect(id, { active: true });
    })""")
    await evening.bridge.as_gm(SetCondition(actors=(actor(evening, "Mira"),), condition="poisoned"))
    told = [sets(evening, "Mira", "poisoned"), sets(evening, "Mira", "prone"), sets(evening, "Mira", "unconscious")]
    await written(evening, *told)
    # The effect of an item; switched off and on; gone with its item.
    await gm.evaluate("""async (id) => {
      const [item] = await game.actors.get(id).createEmbeddedDocuments("Item", [{ name: "Chains", type: "base" }]);
      await item.createEmbeddedDocuments("ActiveEffect", [{ name: "Chained", statuses: ["held"], transfer: true }]);
    }""", evening.ids["Teo"])  # fmt: skip
    told += [sets(evening, "Teo", "held")]
    await written(evening, *told)
    switch = "([id, disabled]) => game.actors.get(id).items.contents[0].effects.contents[0].update({ disabled })"
    await gm.evaluate(switch, [evening.ids["Teo"], True])
    told += [clears(evening, "Teo", "held")]
    await written(evening, *told)
    await gm.evaluate(switch, [evening.ids["Teo"], False])
    told += [sets(evening, "Teo", "held")]
    await written(evening, *told)
    await gm.evaluate("id => game.actors.get(id).items.contents[0].delete()", evening.ids["Teo"])
    told += [clears(evening, "Teo", "held")]
    await written(evening, *told)
    # A system refuses an icon, or fails over it: the condition stands, nobody goes on trying, no page complains.
    await gm.evaluate("""() => {
      const toggle = Actor.prototype.toggleStatusEffect;
      Actor.prototype.toggleStatusEffect = async function (id, options) {
        window.asked = (window.asked ?? 0) + 1;
        if (id === "stunned") throw new Error("this system does not know it");
        return id === "held" ? false : toggle.call(this, id, options);
      };
    }""")
    for key in ("stunned", "held", "confused"):
        await evening.bridge.as_gm(SetCondition(actors=(actor(evening, "Teo"),), condition=key))
    told += [sets(evening, "Teo", "stunned"), sets(evening, "Teo", "held"), sets(evening, "Teo", "confused")]
    await gm.wait_for_function("window.asked === 2")
    # On and off again faster than the bridge answers.
    await gm.evaluate("""() => {
      const ogre = canvas.tokens.placeables.find((each) => each.document.name === "Second ogre").actor;
      return ogre.toggleStatusEffect("prone").then(() => ogre.toggleStatusEffect("prone")).then(() => {});
    }""")
    await toggle(gm, "Second ogre", "blind")
    await until(lambda: sets(evening, "Second ogre", "blinded") in changes(evening))
    assert await gm.evaluate("window.asked") == 5
    prone = [change for change in changes(evening) if change[1:] == sets(evening, "Second ogre", "prone")[1:]]
    assert [kind for kind, _, _ in prone] in ([], ["ConditionSet", "ConditionCleared"])
    await gm.wait_for_function(HIDES, arg=["Second ogre", "prone"])
    assert [change for change in changes(evening) if change not in prone] == [*told, sets(evening, "Second ogre", "blinded")]


@pytest.mark.long
async def test_what_changed_while_nobody_looked_is_brought_together(evening: Evening) -> None:
    """A page that comes finds conditions without icons, icons whose condition ended, and icons nobody told the table of."""
    gm = await gm_of(evening, "sage_d20")
    player = await evening.player()
    await toggle(gm, "Mira", "prone")
    told = [sets(evening, "Mira", "prone")]
    await written(evening, *told)
    context = gm.context
    await gm.close()
    await until(lambda: evening.bridge.running.hub.online(TABLE) == 1)  # a page that is closing may still act
    await evening.bridge.as_gm(
        ClearCondition(actor=actor(evening, "Mira"), condition="prone"),
        SetCondition(actors=(actor(evening, "Teo"),), condition="unconscious"),
    )
    await toggle(player, "Mira", "blind")  # nobody is here to tell it
    gm = await evening.tab(context, "Gamemaster")
    await gm.wait_for_function(HIDES, arg=["Mira", "prone"])
    await gm.wait_for_function(SHOWS, arg=["Teo", "unconscious"])
    told += [clears(evening, "Mira", "prone"), sets(evening, "Teo", "unconscious"), sets(evening, "Mira", "blinded")]
    await written(evening, *told)
    # A token that is copied is as its original was, and somebody of its own.
    await toggle(gm, "Second ogre", "blind")
    told += [sets(evening, "Second ogre", "blinded")]
    await written(evening, *told)
    copies: list[str] = await gm.evaluate(
        """async () => {
          const data = canvas.tokens.placeables.find((each) => each.document.name === "Second ogre").document.toObject();
          const made = await canvas.scene.createEmbeddedDocuments("Token", Array.from({ length: 10 }, (_, n) => ({ ...data, name: `Copy ${n}` })));
          return made.map((each) => each.id);
        }"""
    )
    told += [("ConditionSet", f"Actor.{evening.ids['Ogre']}.token.{copy}", "blinded") for copy in copies]
    await written(evening, *told)
    # Hidden on the map: what is set there is told when it is seen.
    hide = "hidden => canvas.tokens.placeables.find(t => t.document.name === 'First ogre').document.update({ hidden }).then(() => {})"
    await gm.evaluate(hide, True)
    await toggle(gm, "First ogre", "prone")
    await toggle(gm, "Second ogre", "prone")
    told += [sets(evening, "Second ogre", "prone")]
    await written(evening, *told)
    await gm.evaluate(hide, False)
    told += [sets(evening, "First ogre", "prone")]
    await written(evening, *told)
    # Switched off neither side knows of the other; on again, what stands is brought together.
    await gm.evaluate("game.settings.set('boonbridge', 'statusIcons', false)")
    await evening.bridge.as_gm(ClearCondition(actor=actor(evening, "Second ogre"), condition="prone"))
    await toggle(gm, "Mira", "unconscious")
    told += [clears(evening, "Second ogre", "prone")]
    await written(evening, *told)
    assert await gm.evaluate(SHOWS, ["Second ogre", "prone"])
    await gm.evaluate("game.settings.set('boonbridge', 'statusIcons', true)")
    await gm.wait_for_function(HIDES, arg=["Second ogre", "prone"])
    await written(evening, *told, sets(evening, "Mira", "unconscious"))


@pytest.mark.long
async def test_which_icon_stands_for_what_is_chosen_and_amounts_are_named(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await evening.player()
    await gm.evaluate(STATUSES, ["exposed", "target"])
    mira = actor(evening, "Mira")
    await evening.bridge.as_gm(SetCondition(actors=(mira,), condition="exposed", amount=2))
    named = "([id, name]) => game.actors.get(id).effects.contents.some(effect => effect.name === name)"
    await gm.wait_for_function(named, arg=[evening.ids["Mira"], "Exposed 2"])
    await evening.bridge.as_gm(SetCondition(actors=(mira,), condition="exposed", amount=1))
    await gm.wait_for_function(named, arg=[evening.ids["Mira"], "Exposed"])
    told: list[tuple[Any, ...]] = [sets(evening, "Mira", "exposed")] * 2

    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await gm.locator(".boonbridge-table [data-action=toggleControls]").click()
    await gm.get_by_text("Status icons", exact=True).click()
    window = gm.get_by_test_id("statuses-window")
    await expect(window.get_by_test_id("status-exposed")).to_have_value("exposed")
    await expect(window.get_by_test_id("status-marked")).to_have_value("target")
    await expect(window.get_by_test_id("status-bolstered")).to_have_value("")
    await window.get_by_test_id("status-hidden").select_option("target")
    await window.get_by_test_id("save-statuses").click()
    await expect(window.get_by_test_id("trouble")).to_contain_text("Target stands for Hidden and for Marked")
    await window.get_by_test_id("status-marked").select_option("")
    await window.get_by_test_id("status-hidden").select_option("prone")
    await window.get_by_test_id("status-exposed").select_option("target")
    await window.get_by_test_id("save-statuses").click()
    await expect(window).to_have_count(0)
    # What stands has its new icon at once; the old one stands for nothing now, and is left alone.
    await gm.wait_for_function(SHOWS, arg=["Mira", "target"])
    await toggle(gm, "Mira", "prone")
    await written(evening, *told, sets(evening, "Mira", "hidden"))
    await toggle(gm, "Mira", "exposed")
    await toggle(gm, "Mira", "target")
    await written(evening, *told, sets(evening, "Mira", "hidden"), clears(evening, "Mira", "exposed"))
