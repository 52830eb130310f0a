"""A GM asks several at once, on the page: the form, the prompt on top, the card that fills, and what it comes to."""

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.checks import Number, Numbers
from boonbridge_schemas.commands import SyncActor, Void
from boonbridge_schemas.events import CheckRolled, RequestClosed
from tests.browser.stage import PHONE, TABLE, Stage
from tests.support.names import user_id

pytestmark = pytest.mark.browser


async def a_party_of_three(stage: Stage) -> None:
    """Ana and Bela of the demo belong to Mo; Cass to Kim, who is not here."""
    await stage.open("group_d12")
    await stage.set_demo()
    numbers = Numbers(values=(Number(key="skill.stealth", label="Stealth", value=0),))
    await stage.as_gm(SyncActor(actor="cass", name="Cass", side="party", owners=(user_id(TABLE, "Kim"),), numbers=numbers))


def card(page: Page) -> Locator:
    """The card of the request."""
    return page.locator("[data-part=card][data-kind=request]")


def asked(page: Page, actor: str) -> Locator:
    """The row of somebody on it."""
    return card(page).locator(f"[data-part=asked][data-actor={actor}]")


async def ask(page: Page, *, group: str, difficulty: int | None = None, skill: str | None = "Stealth") -> Locator:
    """The GM's form, filled in and not sent yet."""
    if await page.get_by_test_id("tab-table").is_visible():
        await page.get_by_test_id("tab-table").click()
    await page.get_by_test_id("ask-check").click()
    dialog = page.get_by_test_id("request-dialog")
    await dialog.get_by_test_id("request-action").fill("past the night watch")
    await dialog.get_by_test_id("request-group").select_option(group)
    if skill is not None:
        await dialog.get_by_test_id("param-skill").select_option(label=skill)
    if difficulty is not None:
        await dialog.get_by_test_id("param-difficulty-free").fill(str(difficulty))
    return dialog


async def send(dialog: Locator) -> None:
    """Send a dialog, and see it close."""
    await dialog.locator("[type=submit]").click()
    await expect(dialog).to_be_hidden()


async def answer(page: Page, stage: Stage, actor: str, *faces: int) -> None:
    """Roll from the prompt on top."""
    await page.locator(f"[data-testid=prompt-row][data-actor={actor}]").get_by_test_id("answer").click()
    dialog = page.get_by_test_id("answer-dialog")
    await expect(dialog.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(*faces)
    await dialog.get_by_test_id("roll").click()
    await expect(dialog).to_be_hidden()


async def test_one_success_of_three_is_enough_and_one_of_them_is_not_here(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    dialog = await ask(gm, group="one_success", difficulty=9)
    await expect(dialog.get_by_test_id("request-actors").get_by_role("checkbox", checked=True)).to_have_count(3)
    await send(dialog)
    for page in (gm, player):
        await expect(card(page)).to_contain_text("past the night watch")
        await expect(card(page)).to_contain_text("Difficulty 9")
        await expect(card(page)).to_contain_text("One success is enough")
        await expect(card(page).locator("[data-status=sent]")).to_have_count(3)
    await expect(asked(gm, "ana")).to_have_attribute("data-seen", "")
    assert await asked(gm, "cass").get_attribute("data-seen") is None
    await expect(player.get_by_test_id("prompt-row")).to_have_count(2)

    # Ana: 2 and a stealth of 2 against 9, with one chance for her high ground: the better of 2 and 1. 4 < 9.
    await answer(player, stage, "ana", 2, 1)
    await expect(asked(gm, "ana").locator("[data-total]")).to_have_attribute("data-total", "4")
    await expect(asked(gm, "ana").locator("[data-part=row-verdict]")).to_have_attribute("data-outcome", "failure")
    # Bela: 8 and 1 are 9.
    await answer(player, stage, "bela", 8)
    await expect(asked(player, "bela").locator("[data-total]")).to_have_attribute("data-total", "9")
    await expect(asked(player, "bela").locator("[data-part=row-verdict]")).to_have_attribute("data-outcome", "success")
    await expect(player.get_by_test_id("request-prompts")).to_be_hidden()
    assert await card(gm).get_attribute("data-open") == "true"

    # Cass is rolled for: 3 against 9.
    stage.tape.lay(3)
    await card(gm).locator("[data-part=roll-missing]").click()
    for page in (gm, player):
        await expect(asked(page, "cass").locator("[data-tag=absent]")).to_have_text("rolled by the GM")
        await expect(asked(page, "cass").locator("[data-total]")).to_have_attribute("data-total", "3")
    # D-06: the group succeeds as anybody does; D-08: so there is no Boon in it.
    for page in (gm, player):
        await expect(card(page)).to_have_attribute("data-open", "false")
        await expect(card(page).locator("[data-part=verdict]")).to_have_attribute("data-outcome", "success")
        await expect(card(page).locator("[data-part=group-why]")).to_have_text("One success was enough: Bela.")
    await expect(player.locator("[data-kind=request-result] [data-part=verdict]")).to_have_attribute("data-tone", "success")
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "0")
    (closed,) = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, RequestClosed)]
    assert closed.why == "complete"
    assert closed.result is not None
    assert (closed.result.success, closed.result.counted, closed.result.succeeded) == (True, 3, 1)


async def test_a_challenge_adds_up_what_everybody_rolls(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page(size=PHONE)
    dialog = await ask(gm, group="challenge", skill=None)
    # The proposed ladder is 7, 9, 11, 13 for each member; there are three.
    ladder = dialog.get_by_test_id("param-challenge")
    for value in (21, 27, 33, 39):
        await expect(ladder.get_by_role("radio", name=str(value))).to_have_count(1)
    await dialog.get_by_test_id("request-actors").get_by_role("checkbox", name="Cass").uncheck()
    await expect(ladder.get_by_role("radio", name="18")).to_be_checked()
    await dialog.get_by_test_id("request-actors").get_by_role("checkbox", name="Cass").check()
    await expect(ladder.get_by_role("radio", name="27")).to_be_checked()
    await send(dialog)

    # Ana: the better of 7 and 2, and 3. Bela: 12 and 4, and the 12 is only a number (D-26).
    for actor, skill, faces in (("ana", "Athletics", (7, 2)), ("bela", "Lore", (12,))):
        await player.locator(f"[data-testid=prompt-row][data-actor={actor}]").get_by_test_id("answer").click()
        answering = player.get_by_test_id("answer-dialog")
        await answering.get_by_test_id("param-skill").get_by_role("radio", name=skill).check()
        await expect(answering.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
        stage.tape.lay(*faces)
        await answering.get_by_test_id("roll").click()
        await expect(answering).to_be_hidden()
    await expect(asked(gm, "ana").locator("[data-total]")).to_have_attribute("data-total", "10")
    await expect(asked(gm, "bela").locator("[data-total]")).to_have_attribute("data-total", "16")
    await expect(asked(gm, "bela").locator("[data-part=row-verdict]")).to_have_attribute("data-outcome", "contributed")

    # Cass has one skill only; with it and a 1 she adds 1: 10 + 16 + 1 = 27.
    await card(gm).locator("[data-part=roll-missing]").click()
    missing = gm.get_by_test_id("missing-dialog")
    await expect(missing.get_by_test_id("param-skill")).to_contain_text("Stealth")
    stage.tape.lay(1)
    await send(missing)
    await player.get_by_test_id("tab-log").click()
    for page in (gm, player):
        await expect(card(page).locator("[data-part=verdict]")).to_have_attribute("data-outcome", "success")
        await expect(card(page).locator("[data-part=group-why]")).to_have_text("27 together, and 27 were needed.")
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "0")


async def test_a_difficulty_that_players_may_not_know_is_nowhere_on_their_page(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    dialog = await ask(gm, group="one_failure", difficulty=13)
    await dialog.get_by_test_id("add-check").click()
    second = dialog.locator("[data-testid=asked-check][data-nth='1']")
    await second.get_by_test_id("param-skill").select_option(label="Athletics")
    await second.get_by_test_id("param-difficulty").get_by_role("radio", name="14").check()
    await dialog.get_by_test_id("request-actors").get_by_role("checkbox", name="Cass").uncheck()
    await dialog.get_by_test_id("request-shown").click()
    await send(dialog)
    await expect(card(gm)).to_contain_text("Stealth 13 or Athletics 14 (very hard)")
    await expect(card(player)).to_contain_text("Stealth or Athletics, difficulty hidden")
    await player.locator("[data-testid=prompt-row][data-actor=ana]").get_by_test_id("answer").click()
    answering = player.get_by_test_id("answer-dialog")
    await answering.get_by_test_id("answer-check").get_by_role("radio", name="Athletics").check()
    await expect(answering.get_by_test_id("answer-difficulty")).to_have_text("difficulty hidden")
    await expect(answering.locator("[data-part=curve]")).to_be_visible()
    assert await answering.locator("[data-part=odds]").count() == 0
    # The better of 10 and 4, and 3: 13 against 14. D-07: that is enough for the group to fail.
    stage.tape.lay(10, 4)
    await answering.get_by_test_id("roll").click()
    await expect(asked(player, "ana").locator("[data-total]")).to_have_attribute("data-total", "13")
    # Bela: 12 and 1, a critical success, which earns nothing here (D-08).
    await answer(player, stage, "bela", 12)
    for page in (gm, player):
        await expect(card(page).locator("[data-part=group-why]")).to_have_text("One failure was enough: Ana.")
        await expect(card(page).locator("[data-part=effects]")).to_contain_text("The group gains a Boon")
    await expect(player.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    text = await player.locator("body").inner_text()
    assert "Stealth 13" not in text
    assert "against 14" not in text


async def test_who_declines_does_not_count_and_what_is_closed_has_no_result(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="each", difficulty=8))
    await player.locator("[data-testid=prompt-row][data-actor=bela]").get_by_test_id("decline").click()
    await expect(asked(gm, "bela")).to_have_attribute("data-status", "declined")
    await expect(player.get_by_test_id("prompt-row")).to_have_count(1)
    await gm.get_by_test_id("requests").get_by_test_id("close-request").click()
    await send(gm.get_by_test_id("confirm"))
    for actor in ("ana", "cass"):
        await expect(asked(player, actor)).to_have_attribute("data-status", "expired")
    await expect(card(player).locator("[data-part=over]")).to_have_text("Closed.")
    await expect(player.get_by_test_id("request-prompts")).to_be_hidden()
    await expect(player.get_by_test_id("log")).to_contain_text("Bela does not roll for")
    assert await card(gm).locator("[data-part=verdict]").count() == 0


async def test_everything_is_asked_and_answered_with_the_keyboard(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("ask-check").focus()
    await gm.keyboard.press("Enter")
    await expect(gm.get_by_test_id("request-action")).to_be_focused()
    await gm.keyboard.type("over the wall")
    await gm.keyboard.press("Enter")
    await expect(gm.get_by_test_id("request-dialog")).to_be_hidden()
    prompt = player.locator("[data-testid=prompt-row][data-actor=bela]").get_by_test_id("answer")
    await expect(prompt).to_be_visible()
    await prompt.focus()
    await player.keyboard.press("Enter")
    answering = player.get_by_test_id("answer-dialog")
    await expect(answering.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    stage.tape.lay(11)
    await player.keyboard.press("Enter")
    await expect(answering).to_be_hidden()
    await expect(asked(gm, "bela").locator("[data-total]")).to_have_attribute("data-total", "11")
    await expect(gm.get_by_test_id("announcer")).to_contain_text("Bela, over the wall: 11")


async def test_nobody_asked_is_said_in_words_and_what_was_typed_stays(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm = await stage.page("gm", "Game Master")
    dialog = await ask(gm, group="each", difficulty=8)
    for name in ("Ana", "Bela", "Cass"):
        await dialog.get_by_test_id("request-actors").get_by_role("checkbox", name=name).uncheck()
    await dialog.locator("[type=submit]").click()
    await expect(dialog.get_by_test_id("trouble")).to_contain_text("A request needs somebody to ask.")
    await expect(dialog.get_by_test_id("request-action")).to_have_value("past the night watch")


async def test_what_only_gms_see_of_the_rolls_only_they_see_of_the_group(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_test_id("ask-check").click()
    dialog = gm.get_by_test_id("request-dialog")
    await dialog.get_by_test_id("request-action").fill("hears the steps")
    await dialog.get_by_test_id("request-group").get_by_role("radio", name="Against one another").check()
    await dialog.get_by_test_id("param-attribute").select_option(label="Intellect")
    await dialog.get_by_test_id("request-more").locator("summary").first.click()
    await dialog.get_by_test_id("request-mode").select_option("blind")
    await send(dialog)
    # Kestrel has an intellect of 11 and the high ground: 10, 1 and a 3. Odalys has 14: 12 and 4.
    await answer(player, stage, "kestrel", 10, 3)
    await expect(asked(player, "kestrel")).to_contain_text("has rolled")
    await answer(player, stage, "odalys", 12)
    await expect(asked(gm, "kestrel").locator("[data-total]")).to_have_attribute("data-total", "14")
    await expect(asked(gm, "odalys").locator("[data-total]")).to_have_attribute("data-total", "16")
    await expect(card(gm).locator("[data-part=group-why]")).to_have_text("Odalys comes out on top.")
    await expect(card(gm)).to_contain_text("Only GMs see this.")
    await expect(card(player)).to_have_attribute("data-open", "false")
    await expect(card(player).locator("[data-part=over]")).to_have_text("Everybody has answered.")
    assert await card(player).locator("[data-total]").count() == 0
    assert "comes out on top" not in await player.locator("body").inner_text()


async def test_what_is_closed_or_rolled_elsewhere_closes_the_dialog(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="each", difficulty=8))
    row = player.locator("[data-testid=prompt-row][data-actor=bela]")
    await row.get_by_test_id("answer").click()
    answering = player.get_by_test_id("answer-dialog")
    await expect(answering).to_be_visible()
    # The GM rolls for Bela in the meantime: 9 and 1.
    await asked(gm, "bela").locator("[data-part=roll-one]").click()
    stage.tape.lay(9)
    await gm.get_by_test_id("answer-dialog").get_by_test_id("roll").click()
    await expect(answering).to_be_hidden()
    await expect(row).to_have_count(0)
    await expect(asked(player, "bela").locator("[data-tag=absent]")).to_be_visible()
    await expect(asked(player, "bela").locator("[data-total]")).to_have_attribute("data-total", "10")


async def test_a_request_is_still_on_top_when_one_comes_back(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="each", difficulty=8))
    await answer(player, stage, "bela", 9)
    await player.reload()
    await expect(player.get_by_test_id("prompt-row")).to_have_count(1)
    await expect(asked(player, "bela").locator("[data-total]")).to_have_attribute("data-total", "10")
    await asked(player, "bela").get_by_role("button").click()
    await expect(player.locator("[data-testid=log-item][data-pointed]")).to_contain_text("Bela")


async def test_a_roll_that_is_taken_back_is_counted_no_more(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    dialog = await ask(gm, group="one_success", difficulty=9)
    await dialog.get_by_test_id("request-actors").get_by_role("checkbox", name="Cass").uncheck()
    await send(dialog)
    await answer(player, stage, "ana", 2, 1)
    await answer(player, stage, "bela", 8)
    await expect(card(player).locator("[data-part=group-why]")).to_have_text("One success was enough: Bela.")
    rolled = [e.rolled.check for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, CheckRolled)]
    # Without Bela nobody has succeeded, and the group gains its one Boon (D-08).
    await stage.as_gm(Void(what=f"check/{rolled[-1]}", reason="wrong skill", confirm=True))
    for page in (gm, player):
        await expect(asked(page, "bela")).to_contain_text("was taken back")
        await expect(card(page).locator("[data-part=group-why]")).to_have_text("Nobody succeeded.")
        await expect(card(page).locator("[data-part=verdict]")).to_have_attribute("data-outcome", "failure")
        await expect(page.get_by_test_id("pool")).to_have_attribute("data-held", "1")
    await expect(player.locator("[data-kind=request-result]").first).to_contain_text("counted anew")


async def test_a_roll_that_is_taken_back_may_be_made_again_while_the_request_is_open(stage: Stage) -> None:
    await a_party_of_three(stage)
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await send(await ask(gm, group="each", difficulty=9))
    await answer(player, stage, "bela", 3)
    await expect(player.get_by_test_id("prompt-row")).to_have_count(1)
    rolled = [e.rolled.check for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, CheckRolled)]
    await stage.as_gm(Void(what=f"check/{rolled[-1]}", confirm=True))
    await expect(player.get_by_test_id("prompt-row")).to_have_count(2)
    await answer(player, stage, "bela", 8)
    await expect(asked(gm, "bela").locator("[data-total]")).to_have_attribute("data-total", "9")
