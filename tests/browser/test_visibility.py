"""Who sees a roll, chosen and explained in the dialog; and what only GMs know of, on every page."""

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import Act, Grant, RequestCheck, SetOptions, StartSession
from boonbridge_schemas.events import CheckRolled, DiceRolled
from boonbridge_schemas.grants import Expiry, GrantSource
from boonbridge_schemas.requests import AskedCheck
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

PLANTED, SHOWN, NOTE = "Qzyx limps", "Vwqy leans", "Kjqz-note"


async def modes(stage: Stage) -> list[str]:
    """How openly everything was rolled so far, as the log has it for a GM."""
    events = [event for commit in await stage.log() for event in getattr(commit, "events", ())]
    return [event.mode for event in events if isinstance(event, CheckRolled | DiceRolled)]


async def turn_to(page: Page, actor: str) -> None:
    """Roll for somebody else."""
    await page.get_by_test_id("actor-picker").get_by_role("radio", name=actor).check()


async def begins(page: Page, mode: str, why: str = "", testid: str = "mode") -> None:
    """Which visibility the dialog shows, and the sentence with it."""
    await expect(page.get_by_test_id(testid)).to_have_value(mode)
    said = page.get_by_test_id(f"{testid}-why")
    if why:
        await expect(said).to_contain_text(why)
        await expect(said).to_be_visible()
    else:
        await expect(said).to_be_hidden()


async def roll(stage: Stage, page: Page, *faces: int) -> None:
    """Click, and wait for the card."""
    cards = await page.locator("[data-part=card]").count()
    await expect(page.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(*faces)
    await page.get_by_test_id("roll").click()
    await expect(page.locator("[data-part=card]")).to_have_count(cards + 1)


def listen(page: Page) -> list[str]:
    """Every byte that comes to a page from now on; it has to be loaded anew to hear it from the beginning."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    return heard


async def test_a_gms_roll_for_others_begins_as_the_table_says(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    await stage.as_gm(SetOptions(options={"npc_rolls": "gm"}))
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await turn_to(gm, "Kestrel")
    await begins(gm, "public")
    await turn_to(gm, "Bog Hag")
    await begins(gm, "gm", "At this table a GM's roll for anyone outside the party begins like this.")
    await roll(stage, gm, 11)
    # Another for this roll, and the next begins as before.
    await gm.get_by_test_id("mode").select_option("public")
    await begins(gm, "public", "For this roll alone.")
    await roll(stage, gm, 12)
    await begins(gm, "gm", "outside the party")
    # What was chosen open for one is not open for another; what was chosen hidden stays so.
    await turn_to(gm, "Kestrel")
    await gm.get_by_test_id("mode").select_option("public")
    await turn_to(gm, "Bog Hag")
    await begins(gm, "gm", "outside the party")
    await turn_to(gm, "Kestrel")
    await gm.get_by_test_id("mode").select_option("secret")
    await turn_to(gm, "Bog Hag")
    await begins(gm, "secret", "Nobody else is told who rolled, or what.")
    await gm.get_by_test_id("other-dice").locator("summary").click()
    await begins(gm, "public", testid="dice-mode")
    await gm.get_by_test_id("dice-who").select_option(label="Bog Hag")
    await begins(gm, "gm", "outside the party", testid="dice-mode")
    await gm.get_by_test_id("dice-formula").fill("d6")
    stage.tape.lay(4)
    await gm.get_by_test_id("roll-dice").click()
    await expect(gm.locator("[data-part=card]")).to_have_count(3)
    assert await modes(stage) == ["gm", "public", "gm"]
    await expect(player.locator("[data-part=card]")).to_have_count(1)
    # A table that lets them begin openly again is followed by what is open on the page.
    await stage.as_gm(SetOptions(options={"npc_rolls": "public"}))
    await gm.get_by_test_id("clear").click()
    await begins(gm, "public")


async def test_what_somebody_is_used_to_is_kept_where_it_hides_more(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    await stage.as_gm(StartSession())
    player = await stage.page()
    fold = player.get_by_test_id("own-mode-fold")
    await expect(fold.locator("summary")).to_have_text("My rolls are seen by: Everybody")
    await fold.locator("summary").click()
    await player.get_by_test_id("own-mode").select_option("gm")
    await begins(player, "gm", "Your usual choice, kept in this browser.")
    await expect(fold.locator("summary")).to_have_text("My rolls are seen by: You and the GM")
    # The party's checks move the group's Boons: neither alone nor blind.
    await player.get_by_test_id("own-mode").select_option("self")
    await begins(player, "gm", "You usually choose “You alone”, which this roll cannot be; this comes nearest.")
    offered = await player.get_by_test_id("mode").locator("option").evaluate_all("all => all.map(one => one.value)")
    assert offered == ["public", "gm", "secret"]
    await player.reload()
    await begins(player, "gm", "You usually choose “You alone”")
    await player.get_by_test_id("other-dice").locator("summary").click()
    await begins(player, "self", "Your usual choice", testid="dice-mode")
    # A request asks openly; whoever is used to hide his rolls answers so.
    asked = AskedCheck(check="skill", params={"skill": "skill.lore", "difficulty": 8})
    await stage.as_gm(RequestCheck(actors=("ana",), checks=(asked,), mode="public"))
    await player.get_by_test_id("request-prompts").get_by_role("button").first.click()
    panel = player.get_by_test_id("answer-panel")
    await expect(panel.get_by_test_id("mode")).to_have_value("gm")
    offered = await panel.get_by_test_id("mode").locator("option").evaluate_all("all => all.map(one => one.value)")
    assert offered == ["public", "gm", "secret"]
    await expect(panel.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(9, 3)
    await panel.get_by_test_id("roll").click()
    await expect(panel).to_have_count(0)
    assert await modes(stage) == ["gm"]


async def test_a_hidden_roll_uses_up_nothing_that_others_could_use_and_says_so(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    rope = Grant(actors=("ana",), sign="boon", source=GrantSource(id="rope", label="Rope"), expiry=Expiry(when="next_roll"))
    await stage.as_gm(StartSession(), Act(verb="give_boon"), rope)
    player = await stage.page()
    await player.get_by_test_id("param-difficulty-free").fill("9")
    line = player.locator(".roll-panel [data-source=rope]")
    await expect(line).to_contain_text("counts")
    await player.get_by_test_id("mode").select_option("gm")
    await expect(line).to_contain_text("open rolls only")
    await player.get_by_test_id("spend-before").get_by_role("radio", name="1").check()
    await expect(player.get_by_test_id("preview")).to_contain_text("Only a public roll may use what others could still use.")
    await player.get_by_test_id("spend-before").get_by_role("radio").first.check()
    # D-04: she fails, 3 + 3 against 9. The Boon that the group holds is not offered, the one that it would gain waits.
    await roll(stage, player, 2, 3)
    card = player.locator("[data-part=card]")
    await expect(card.locator("[data-source=rope]")).to_contain_text("open rolls only")
    await expect(card.locator("[data-part=effects]")).to_contain_text("Not in effect while the roll is hidden.")
    await expect(card.locator("[data-choice]")).to_have_count(0)
    await expect(player.locator("[data-testid=actor][data-actor=ana] [data-testid=grant]").filter(has_text="Rope")).to_have_count(
        1
    )
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")


@pytest.mark.long  # in Foundry each time, beside other dice
async def test_where_all_dice_are_public_the_dialog_says_that_what_one_is_used_to_does_not_count(stage: Stage) -> None:
    await stage.open("public_d20")
    await stage.set_demo()
    await stage.as_gm(SetOptions(options={"npc_rolls": "secret"}))
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await turn_to(gm, "Gnoll")
    await begins(gm, "public", "The dice of this table are public.")
    await expect(gm.get_by_test_id("mode")).to_be_disabled()
    # What only GMs know would never count here, and whoever gives it is told.
    await gm.locator("[data-testid=actor][data-actor=gnoll] .signs").click()
    await gm.get_by_test_id("grant-hidden").click()
    await expect(gm.get_by_test_id("grant-hidden-help")).to_contain_text("so a secret one never counts until you show it")
    await gm.get_by_test_id("grant-dialog").get_by_role("button", name="Cancel").click()
    await player.get_by_test_id("own-mode-fold").locator("summary").click()
    await player.get_by_test_id("own-mode").select_option("self")
    await begins(player, "public", "so that you usually choose “You alone” does not count here.")
    await roll(stage, player, 13, 12)
    assert await modes(stage) == ["public"]
    await stage.as_gm(SetOptions(options={"dice_public": False}))
    await begins(gm, "secret", "outside the party")
    await begins(player, "self", "Your usual choice")


@pytest.mark.long  # hidden ones each time in Foundry, the option in the core's tests
async def test_numbers_of_the_opposition_are_for_gms_or_for_everybody(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await player.get_by_test_id("check-picker").get_by_role("radio", name="Attack").check()
    await player.get_by_test_id("targets").get_by_role("checkbox", name="Bog Hag").check()
    await expect(player.locator("[data-part=curve]")).to_be_visible()
    await expect(player.get_by_test_id("chance")).to_have_count(0)
    await roll(stage, player, 16, 3)
    await expect(player.locator("[data-part=total]")).not_to_have_attribute("data-target", "14")
    await expect(player.locator("[data-part=verdict]")).to_have_count(1)
    await expect(gm.locator("[data-part=total]")).to_have_attribute("data-target", "14")
    await stage.as_gm(SetOptions(options={"show_targets": True}))
    await expect(player.get_by_test_id("chance")).to_be_visible()
    await expect(player.locator(".roll-panel [data-part=curve]")).to_have_count(0)
    await roll(stage, player, 15, 3)
    await expect(player.locator("[data-part=total]").first).to_have_attribute("data-target", "14")


async def give(gm: Page, actor: str, sign: str, label: str, *, hidden: bool) -> None:
    """Fill in *Give a Boon or a Bane*."""
    line = gm.locator(f"[data-testid=actor][data-actor={actor}]")
    await line.locator(".signs").click()
    dialog = gm.get_by_test_id("grant-dialog")
    await expect(dialog.get_by_role("heading")).to_have_text("A boon or a bane for Bog Hag")
    await dialog.get_by_test_id("grant-sign").locator(f"input[value={sign}]").check()
    await dialog.get_by_test_id("grant-reason").fill(label)
    await dialog.get_by_test_id("grant-more").locator("summary").click()
    await dialog.get_by_test_id("grant-note").fill(NOTE)
    if hidden:
        await dialog.get_by_test_id("grant-hidden").click()
        await expect(dialog.get_by_test_id("grant-hidden-help")).to_contain_text("rolls that nobody but GMs reads")
    await dialog.locator("button[type=submit]").click()
    await expect(dialog).to_have_count(0)


def source(page: Page, label: str) -> Locator:
    """A line of what helps and hinders, before the roll."""
    return page.locator(".roll-panel .source-line").filter(has_text=label)


async def test_what_only_gms_know_never_reaches_a_players_page_and_counts_for_the_gm(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player, observer = await stage.page("gm", "Game Master"), await stage.page(), await stage.page("observer", "Ola")
    heard: dict[str, list[str]] = {"player": listen(player), "observer": listen(observer)}
    for page in (player, observer):
        await page.reload()
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    await give(gm, "bog-hag", "bane", PLANTED, hidden=True)
    standing = gm.locator("[data-testid=actor][data-actor=bog-hag] [data-testid=grant]")
    await expect(standing).to_contain_text("only GMs know")
    await expect(standing.locator("[data-tag=hidden] svg")).to_have_count(1)
    await expect(gm.get_by_test_id("log")).to_contain_text(f"Only GMs know: Bog Hag has a bane: {PLANTED}")
    # Openly it does not count, and says why; among GMs it does.
    await turn_to(gm, "Bog Hag")
    await expect(source(gm, PLANTED)).to_contain_text("hidden rolls only")
    await expect(source(gm, PLANTED).locator("[data-tag=hidden]")).to_have_text("only GMs know")
    await roll(stage, gm, 13)
    await expect(gm.locator("[data-part=card]").first).not_to_contain_text(PLANTED)
    await gm.get_by_test_id("mode").select_option("gm")
    await expect(source(gm, PLANTED)).to_contain_text("counts")
    await roll(stage, gm, 14, 5)
    told = gm.locator("[data-part=card]").first.locator("[data-part=sources] li").filter(has_text=PLANTED)
    await expect(told).to_have_attribute("data-counted", "true")
    await expect(told.locator("[data-tag=hidden]")).to_have_text("only GMs knew")
    # C-09: a bane takes the 5 off. The hag's strength 13 gives 3: 14 + 3 - 5.
    await expect(gm.locator("[data-part=card]").first.locator("[data-part=total]")).to_have_attribute("data-total", "12")
    # Nothing of it came to anybody else, live, anew, or as the past.
    for page in (player, observer):
        await page.reload()
        await expect(page.locator("[data-part=card]")).to_have_count(1)
        assert PLANTED not in await page.content()
    for name, frames in heard.items():
        everything = "\n".join(frames)
        assert "Bog Hag" in everything, name
        for word in (PLANTED, NOTE, "own.qzyx"):
            assert word not in everything, (name, word)
    # Whoever shows the roll is told first what goes with it.
    await gm.locator("[data-part=card]").first.locator("[data-part=correct]").click()
    dialog = gm.get_by_test_id("correction-dialog")
    await dialog.get_by_test_id("correction-what").locator("input[value=reveal]").check()
    await expect(dialog.get_by_test_id("foreseen-shows")).to_contain_text("This was known to GMs alone.")
    await expect(dialog.get_by_test_id("foreseen-shows").locator("li")).to_contain_text(PLANTED)
    await dialog.get_by_test_id("correction-do").click()
    await expect(player.locator("[data-part=card]").first).to_contain_text(PLANTED)
    await expect(player.locator("[data-part=card]").first.locator("[data-tag=hidden]")).to_have_text("only GMs knew")
    # What everybody was shown is open to everybody: the page checks the entry, whose dice were laid out and no seed gave.
    await player.locator("[data-part=card]").first.locator("[data-part=verify]").click()
    await expect(player.locator("[data-part=card]").first.locator(".bb-checked")).to_contain_text("laid out beforehand")


@pytest.mark.long  # in Foundry and on the command line each time
async def test_what_only_gms_know_is_shown_to_everybody_or_taken_back(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    bane, boon = GrantSource(id="x.one", label=PLANTED), GrantSource(id="x.two", label=SHOWN)
    given = (
        Grant(actors=("bog-hag",), sign="bane", source=bane, hidden=True, note=NOTE),
        Grant(actors=("bog-hag",), sign="boon", source=boon, hidden=True, note=NOTE),
    )
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    heard = listen(player)
    await player.reload()
    await stage.as_gm(*given)
    hag = "[data-testid=actor][data-actor=bog-hag] [data-testid=grant]"
    await expect(gm.locator(hag)).to_have_count(2)
    await gm.locator(hag).filter(has_text=PLANTED).get_by_test_id("revoke").click()
    await expect(gm.locator(hag)).to_have_count(1)
    # The way back gives it as it was.
    await gm.get_by_role("button", name="Undo").first.click()
    await expect(gm.locator(hag).filter(has_text=PLANTED)).to_contain_text("only GMs know")
    await gm.locator(hag).filter(has_text=PLANTED).get_by_test_id("revoke").click()
    await gm.locator(hag).filter(has_text=SHOWN).get_by_test_id("reveal").click()
    asked = gm.get_by_test_id("confirm")
    await expect(asked).to_contain_text(f"Show “{SHOWN}” to everybody?")
    assert SHOWN not in "\n".join(heard)
    await asked.locator("[data-danger=true], button[type=submit]").first.click()
    await expect(player.locator(hag)).to_contain_text(SHOWN)
    await expect(player.locator(f"{hag} [data-tag=hidden]")).to_have_count(0)
    await expect(gm.locator(hag)).to_have_count(1)
    await expect(gm.locator(f"{hag} [data-tag=hidden]")).to_have_count(0)
    everything = "\n".join(heard)
    assert SHOWN in everything
    assert PLANTED not in everything
