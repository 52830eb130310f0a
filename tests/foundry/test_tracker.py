"""Foundry's combat tracker tells the bridge of turns, rounds and fights: each once, whoever looks at it."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import EndRound, Grant, SetCondition, StartTurn
from boonbridge_schemas.grants import Expiry, GrantSource
from tests.foundry.fights import events, fight, gm_of, heard, tracker, turns
from tests.foundry.stage import Evening, cards, live
from tests.support.wait import until

STARTED, ENDED, ROUND, OVER = "TurnStarted", "TurnEnded", "RoundEnded", "CombatEnded"


def condition(page: Page, key: str) -> Any:
    """A condition in the window of what helps and hinders."""
    return page.locator(f"[data-testid=standing-window] [data-testid=condition][data-condition={key}]")


def answers(evening: Evening, user: str) -> int:
    """How many commands of somebody's pages the bridge took."""
    return sum('"t":"ack"' in frame for frame in evening.heard[user])


async def test_i33_i34_what_a_fumble_leaves_ends_with_the_fumblers_next_turn_in_the_tracker(evening: Evening) -> None:
    """B-26, I-33, I-34: nobody presses a button for it, with two GMs of whom one has two tabs."""
    gm = await gm_of(evening, "public_d20")
    second_tab = await evening.tab(gm.context, "Gamemaster")
    other = await evening.page("Second")
    player = await evening.player()
    for page in (second_tab, other):
        await live(page)
    before = {name: answers(evening, name) for name in ("Gamemaster", "Second")}
    fight_id = await fight(gm, "Mira", "First ogre", "Teo")
    await heard(evening, (STARTED, 1, "Mira"))
    evening.bridge.tape.lay(1)
    outcome = await player.evaluate(
        """([actor, target]) => game.modules.get('boonbridge').api.roll(
          { dialog: false, actor, check: 'attack', params: { attack: 'maul' }, targets: [canvas.tokens.placeables.find(t => t.document.name === target)] })""",
        [evening.ids["Mira"], "First ogre"],
    )
    assert outcome["ok"], outcome
    await player.evaluate("id => game.modules.get('boonbridge').api.standing(id)", evening.ids["Mira"])
    await expect(condition(player, "exposed")).to_have_attribute("data-amount", "1")
    await tracker(gm, "nextTurn", "nextTurn")
    told = [(STARTED, 1, "Mira"), (ENDED, 1, "Mira"), (STARTED, 1, "First ogre"), (ENDED, 1, "First ogre"), (STARTED, 1, "Teo")]
    await heard(evening, *told)
    await expect(condition(player, "exposed")).to_have_attribute("data-amount", "1")
    # Going back tells nothing, and going on from there again neither.
    await tracker(gm, "previousTurn", "previousTurn", "nextTurn", "nextTurn", "nextTurn")
    told += [(ENDED, 1, "Teo"), (ROUND, 1), (STARTED, 2, "Mira")]
    await heard(evening, *told)
    await expect(condition(player, "exposed")).to_have_count(0)
    ended = [event for event in events(evening) if event["t"] == "ConditionExpired"]
    assert [(event["key"], event["amount"], event["now"], event["why"]) for event in ended] == [("exposed", 1, 0, "turn_start")]
    # Of two GMs one tells, in whatever many tabs; the other's page says nothing.
    active = await gm.evaluate("game.users.activeGM.name")
    (idle,) = {"Gamemaster", "Second"} - {active}
    assert answers(evening, idle) == before[idle]
    assert answers(evening, active) >= before[active] + len(told)

    # By hand there is nothing to do now, for GMs and players alike.
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await expect(gm.get_by_test_id("tracked")).to_be_visible()
    await expect(gm.get_by_test_id("end-round")).to_have_count(0)
    await expect(player.get_by_test_id("start-turn").or_(player.get_by_test_id("end-turn"))).to_have_count(0)

    # Deleted in mid-turn: the fight is over once, and the buttons are back.
    await gm.evaluate("game.combats.contents[0].delete()")
    await heard(evening, *told, (OVER,))
    await expect(player.get_by_test_id("start-turn")).to_be_visible()
    await expect(gm.get_by_test_id("turn-bar")).to_be_hidden()
    assert fight_id not in str(await gm.evaluate("game.combats.contents.map(c => c.id)"))


@pytest.mark.long
async def test_i33_an_affliction_that_ends_by_luck_at_the_end_of_the_round(evening: Evening) -> None:
    """I-33, C-P2: the opposition's luck is rolled as the tracker's round ends, in public, once for two tabs."""
    gm = await gm_of(evening, "sage_d20")
    second_tab = await evening.tab(gm.context, "Gamemaster")
    await live(second_tab)
    ogre = f"Actor.{evening.ids['Ogre']}"
    await evening.bridge.as_gm(SetCondition(actors=(ogre,), condition="frightened", luck_ends=True))
    await fight(gm, "Mira", "Teo")
    evening.bridge.tape.lay(18)
    await tracker(gm, "nextRound")
    told = [(STARTED, 1, "Mira"), (ENDED, 1, "Mira"), (ROUND, 1), (STARTED, 2, "Mira")]
    await heard(evening, *told)
    await expect(cards(gm)).to_have_count(1)
    await expect(cards(gm)).to_contain_text("Ogre is no longer Frightened.")
    await tracker(gm, "nextTurn")
    await heard(evening, *told, (ENDED, 2, "Mira"), (STARTED, 2, "Teo"))
    assert len(evening.messages()) == 1


@pytest.mark.long
async def test_i35_i38_i40_i41_i42_every_clock_strikes_at_its_own_moment_of_the_tracker(evening: Evening) -> None:
    """Start and end of the turn of whom it is on, and of whom it is from; the round, the fight; and what has no clock stays."""
    gm = await gm_of(evening, "public_d20")
    await fight(gm, "Mira", "Teo", "First ogre")
    await heard(evening, (STARTED, 1, "Mira"))
    mira, teo = (f"Actor.{evening.ids[name]}" for name in ("Mira", "Teo"))
    clocks = {
        "source ends": Expiry(when="turn_end", actor=mira),
        "source begins": Expiry(when="turn_start", actor=mira),
        "bearer begins": Expiry(when="turn_start", actor=teo),
        "bearer ends": Expiry(when="turn_end", actor=teo),
        "round": Expiry(when="round_end"),
        "fight": Expiry(when="combat_end"),
        "never": Expiry(when="none"),
    }
    await evening.bridge.as_gm(
        *(
            Grant(actors=(teo,), sign="boon", source=GrantSource(id=name, label=name), expiry=clock)
            for name, clock in clocks.items()
        )
    )
    ends = []
    for act, ended in (
        ("nextTurn", ["source ends", "bearer begins"]),
        ("nextTurn", ["bearer ends"]),
        ("nextTurn", ["round", "source begins"]),
        ("delete", ["fight"]),
    ):
        await tracker(gm, act)
        ends += ended
        await over(evening, ends)
    await evening.bridge.as_gm(EndRound())
    assert expired(evening) == ends


async def over(evening: Evening, names: list[str]) -> None:
    """Wait until so many Boons and Banes ended; they are to be these."""
    await until(lambda: len(expired(evening)) >= len(names))
    assert expired(evening) == names


def expired(evening: Evening) -> list[str]:
    """The Boons and Banes that ended, in order."""
    labels = {event["grant"]["id"]: event["grant"]["source"]["label"] for event in events(evening) if event["t"] == "Granted"}
    return [labels[event["grant"]] for event in events(evening) if event["t"] == "GrantExpired"]


@pytest.mark.long
async def test_a_players_choice_is_asked_about_and_the_tracker_waits(evening: Evening) -> None:
    gm = await gm_of(evening, "group_d12")
    second_tab = await evening.tab(gm.context, "Gamemaster")
    await live(second_tab)
    player = await evening.player()
    await fight(gm, "Mira", "Teo")
    await heard(evening, (STARTED, 1, "Mira"))
    await evening.bridge.as_gm(Grant(actors=(f"Actor.{evening.ids['Teo']}",), sign="bane", source=GrantSource(id="mud", label="Mud"),
                                     expiry=Expiry(when="turn_start", actor=f"Actor.{evening.ids['Teo']}")))  # fmt: skip
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await gm.locator("[data-verb=give_boon]").click()
    await expect(gm.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    evening.bridge.tape.lay(2, 3)
    outcome = await player.evaluate(
        "() => game.modules.get('boonbridge').api.roll({ dialog: false, check: 'check', params: { skill: 'skill.athletics', difficulty: 11 } })"
    )
    assert outcome["ok"], outcome
    await expect(cards(player).locator("[data-choice=accept]")).to_be_visible()
    await tracker(gm, "nextTurn")
    for page in (gm, second_tab):
        await expect(page.get_by_test_id("tracker-window")).to_contain_text("Mira still has a choice")
    assert turns(evening) == [(STARTED, 1, "Mira")]
    await second_tab.get_by_test_id("tracker-wait").click()
    await expect(second_tab.get_by_test_id("tracker-window")).to_have_count(0)
    await gm.get_by_test_id("tracker-end").click()
    await heard(evening, (STARTED, 1, "Mira"), (ENDED, 1, "Mira"), (STARTED, 1, "Teo"))
    await expect(cards(player).locator("[data-choice=accept]:enabled")).to_have_count(0)
    for page in (gm, second_tab):
        await expect(page.get_by_test_id("tracker-window")).to_have_count(0)


@pytest.mark.long
async def test_without_a_gm_nobody_tells_and_the_next_one_brings_the_table_up_to_date(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    player = await evening.player()
    await fight(gm, "Mira", "Teo", "First ogre")
    await heard(evening, (STARTED, 1, "Mira"))
    # The GM leaves, and a player goes on without him.
    context = gm.context
    await gm.close()
    await tracker(player, "nextTurn")
    assert turns(evening) == [(STARTED, 1, "Mira")]
    gm = await evening.tab(context, "Gamemaster")
    told = [(STARTED, 1, "Mira"), (ENDED, 1, "Mira"), (STARTED, 1, "Teo")]
    await heard(evening, *told)
    # Another GM comes, the first one goes: the second goes on where the bridge is.
    second = await evening.page("Second")
    await live(second)
    await gm.close()
    await tracker(second, "nextTurn", "nextTurn")
    told += [(ENDED, 1, "Teo"), (STARTED, 1, "First ogre"), (ENDED, 1, "First ogre"), (ROUND, 1), (STARTED, 2, "Mira")]
    await heard(evening, *told)
    # Two rounds passed while nobody looked, and somebody went back a turn.
    context = second.context
    await second.close()
    await tracker(player, "nextRound", "nextRound", "previousTurn")
    second = await evening.tab(context, "Second")
    told += [(ENDED, 2, "Mira"), (ROUND, 2), (STARTED, 3, "First ogre")]
    await heard(evening, *told)
    await second.close()
    await evening.foundry.act(evening.ids["Second"], {"action": "delete", "type": "Combat", "ids": [await _fight_id(player)]})
    second = await evening.tab(context, "Second")
    await heard(evening, *told, (OVER,))


async def _fight_id(page: Page) -> str:
    found: str = await page.evaluate("game.combats.contents[0].id")
    return found


@pytest.mark.long
async def test_who_is_hidden_or_unknown_has_no_turn_at_the_table(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await evening.player()
    await gm.evaluate("""async () => {
      const stranger = await Actor.create({ name: "Stranger", type: "npc" });
      await canvas.scene.createEmbeddedDocuments("Token", [{ name: "A stranger", actorId: stranger.id, x: 700, y: 100 }]);
    }""")
    await fight(gm, "Mira", "Empty", "A stranger", "First ogre", "Second ogre", start=False)
    await gm.evaluate("""async () => {
      const combat = game.combats.contents[0];
      await combat.combatants.contents.find((each) => each.name === "Second ogre").update({ hidden: true });
      await combat.startCombat();
      for (let n = 0; n < 4; n += 1) await combat.nextTurn();
    }""")
    told = [(STARTED, 1, "Mira"), (ENDED, 1, "Mira"), (STARTED, 1, "First ogre"), (ENDED, 1, "First ogre")]
    await heard(evening, *told)
    for name, words in (("Empty", "no actor"), ("A stranger", "not known"), ("Second ogre", "hidden in the tracker")):
        notice = gm.locator("#notifications li, .notification").filter(has_text=name)
        await expect(notice).to_have_count(1)
        await expect(notice).to_contain_text(words)
    assert "Second ogre" not in "".join(frame for frame in evening.heard["Mo"] if '"logged"' in frame)
    # Seen at last, it has its turn.
    await gm.evaluate("game.combats.contents[0].combatant.update({ hidden: false })")
    told += [(STARTED, 1, "Second ogre")]
    await heard(evening, *told)
    # The order changes in mid-turn: whoever has the turn keeps it. Then he is taken out of the fight.
    await gm.evaluate("game.combats.contents[0].setInitiative(game.combats.contents[0].combatant.id, 99)")
    await gm.wait_for_function("game.combats.contents[0].turn === 0 && game.combats.contents[0].combatant.name === 'Second ogre'")
    await gm.evaluate("game.combats.contents[0].combatant.delete()")
    # Mira stands next in the order now, and had her turn.
    await tracker(gm, "nextRound")
    await heard(evening, *told, (ENDED, 1, "Second ogre"), (ROUND, 1), (STARTED, 2, "Mira"))


@pytest.mark.long
async def test_a_system_with_an_order_of_its_own(evening: Evening) -> None:
    """Turns in any order with nobody's turn between them, and a turn that is chosen and taken back in two updates."""
    gm = await gm_of(evening, "public_d20")
    await fight(gm, "Mira", "Teo", "First ogre", start=False)
    step = "change => game.combats.contents[0].update(change, { direction: 1 })"
    await gm.evaluate(step, {"round": 1, "turn": None})
    await gm.evaluate(step, {"turn": 2})
    told: list[tuple[Any, ...]] = [(STARTED, 1, "First ogre")]
    await heard(evening, *told)
    await gm.evaluate(step, {"turn": None})
    told += [(ENDED, 1, "First ogre")]
    await heard(evening, *told)
    # Chosen and taken back at once: no turn.
    await gm.evaluate("""async () => {
      const [combat] = game.combats.contents;
      await combat.update({ turn: 1 }, { direction: 1 });
      await combat.update({ turn: null });
    }""")
    await gm.evaluate(step, {"turn": 0})
    told += [(STARTED, 1, "Mira")]
    await heard(evening, *told)
    await gm.evaluate(step, {"turn": 1})
    told += [(ENDED, 1, "Mira"), (STARTED, 1, "Teo")]
    await heard(evening, *told)
    # Back to the ogre, whose turn was: nothing. A page that comes now sees nothing new either.
    await gm.evaluate("game.combats.contents[0].update({ turn: 2 })")
    await gm.reload()
    await live(gm)
    await gm.evaluate(step, {"round": 2, "turn": None})
    await heard(evening, *told, (ENDED, 1, "Teo"), (ROUND, 1))


@pytest.mark.long
async def test_two_fights_at_once_are_two(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await fight(gm, "Mira", "First ogre")
    await fight(gm, "Teo", "Second ogre")
    told: list[tuple[Any, ...]] = [(STARTED, 1, "Mira"), (STARTED, 1, "Teo")]
    await heard(evening, *told)
    await gm.evaluate("game.combats.contents[0].nextTurn()")
    told += [(ENDED, 1, "Mira"), (STARTED, 1, "First ogre")]
    await heard(evening, *told)
    await gm.evaluate("game.combats.contents[1].nextTurn()")
    told += [(ENDED, 1, "Teo"), (STARTED, 1, "Second ogre")]
    await heard(evening, *told)
    await gm.evaluate("game.combats.contents[1].delete()")
    await heard(evening, *told, (OVER,))


@pytest.mark.long
async def test_switched_off_turns_are_counted_by_hand(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await gm.evaluate("game.settings.set('boonbridge', 'tracker', false)")
    await fight(gm, "Mira", "Teo")
    await tracker(gm, "nextTurn")
    await evening.bridge.as_gm(StartTurn(actor=f"Actor.{evening.ids['Mira']}"))
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    await expect(gm.get_by_test_id("end-round")).to_be_visible()
    await expect(gm.get_by_test_id("tracked")).to_have_count(0)
    assert turns(evening) == [(STARTED, 1, "Mira")]
    # On again in the middle of the fight: from here on it is the tracker's.
    await gm.evaluate("game.settings.set('boonbridge', 'tracker', true)")
    await heard(evening, (STARTED, 1, "Mira"), (STARTED, 1, "Teo"))


@pytest.mark.long
async def test_what_happened_while_the_bridge_was_away_is_told_when_it_is_back(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await fight(gm, "Mira", "Teo", "First ogre")
    told: list[tuple[Any, ...]] = [(STARTED, 1, "Mira")]
    await heard(evening, *told)
    await evening.bridge.close()
    await gm.locator("#boonbridge-state:not([data-state=live])").wait_for()
    await tracker(gm, "nextTurn", "nextTurn", "nextTurn")
    await evening.bridge.open("public_d20")
    told += [
        (ENDED, 1, "Mira"),
        (STARTED, 1, "Teo"),
        (ENDED, 1, "Teo"),
        (STARTED, 1, "First ogre"),
        (ENDED, 1, "First ogre"),
        (ROUND, 1),
    ]
    await heard(evening, *told, (STARTED, 2, "Mira"))


@pytest.mark.long
async def test_somebody_who_is_in_the_tracker_twice_has_two_turns(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await fight(gm, "Mira", "Teo", "Mira")
    await tracker(gm, "nextTurn", "nextTurn", "nextTurn")
    await heard(evening, (STARTED, 1, "Mira"), (ENDED, 1, "Mira"), (STARTED, 1, "Teo"), (ENDED, 1, "Teo"), (STARTED, 1, "Mira"),
                (ENDED, 1, "Mira"), (ROUND, 1), (STARTED, 2, "Mira"))  # fmt: skip


@pytest.mark.long
async def test_an_actor_that_is_deleted_in_mid_turn_keeps_nobody_from_going_on(evening: Evening) -> None:
    gm = await gm_of(evening, "public_d20")
    await fight(gm, "Mira", "First ogre", "Teo")
    await heard(evening, (STARTED, 1, "Mira"))
    await gm.evaluate("id => game.actors.get(id).delete().then(() => {})", evening.ids["Mira"])
    await until(lambda: any(event["t"] == "ActorRemoved" for event in events(evening)))
    await tracker(gm, "nextTurn", "nextTurn", "nextTurn", "nextTurn")
    told = [
        (STARTED, 1, "Mira"),
        (STARTED, 1, "First ogre"),
        (ENDED, 1, "First ogre"),
        (STARTED, 1, "Teo"),
        (ENDED, 1, "Teo"),
        (ROUND, 1),
    ]
    await heard(evening, *told, (STARTED, 2, "First ogre"))
    await expect(gm.locator("#notifications li, .notification").filter(has_text="has no actor")).to_have_count(1)
