"""Corrections in Foundry: messages are never updated; what was corrected is drawn anew from the log, in V13 and V14."""

from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import Act, StartSession
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_between_the_dice import logged, start


async def failed(evening: Evening, page: Page, action: str, face: int, mode: str = "public") -> None:
    """Mira fails against 11; with nothing to spend the failure is accepted, and the group gains a Boon (D-04)."""
    evening.bridge.tape.lay(face)
    ask = {"dialog": False, "action": action, "mode": mode, "params": {"skill": "skill.stealth", "difficulty": 11}}
    outcome = await page.evaluate("ask => game.modules.get('boonbridge').api.roll(ask)", ask)
    assert outcome["ok"], outcome


def card(page: Page, seq: int) -> Locator:
    """The card of a commit in the chat log."""
    return cards(page).and_(page.locator(f"[data-seq='{seq}']"))


async def test_i_94_taken_back_with_something_left_and_struck_through_for_everybody(evening: Evening) -> None:
    gm = await start(evening, "group_d12")
    await evening.bridge.as_gm(StartSession())
    player = await evening.player()
    await failed(evening, player, "slips past", 4)
    await expect(cards(gm)).to_have_count(1)
    await expect(player.locator("[data-part=correct]")).to_have_count(0)
    await evening.bridge.as_gm(Act(verb="take_boon"))
    (rolled,) = await logged(evening, "CheckRolled")
    seq = int(rolled.rolled.check.split(".")[0])
    await cards(gm).locator("[data-part=correct]").click()
    form = gm.get_by_test_id("correction-window")
    await expect(form.get_by_test_id("foreseen-left")).to_contain_text("spent in the meantime")
    await form.get_by_test_id("correction-reason").fill("wrong wall")
    await form.get_by_test_id("correction-do").click()
    await expect(form).to_have_count(0)
    (voided,) = await logged(evening, "Voided")
    assert [left.why for left in voided.left] == ["spent_since"]
    before = [message["content"] for message in evening.messages()]
    for _ in ("as it happens", "after a reload"):
        for page in (gm, player):
            await expect(cards(page)).to_have_count(2)
            await expect(card(page, seq)).to_have_attribute("data-voided", "")
            await expect(card(page, seq).locator("[data-part=verdict] s")).to_have_text("Failure")
            await expect(card(page, seq).locator("[data-part=corrected]")).to_have_text("Taken back: wrong wall")
            await expect(cards(page).last).to_have_attribute("data-kind", "voided")
            await page.reload()
            await live(page)
    # The first message is as it was made; the second can be read by itself.
    assert [message["content"] for message in evening.messages()] == before
    assert "wrong wall" not in before[0]
    for text in ("Mira", "Taken back", f"on #{seq}", "wrong wall", "<s>6", "spent in the meantime"):
        assert text in before[1]


async def test_i_95_decided_otherwise_on_a_card_and_in_the_log(evening: Evening) -> None:
    gm = await start(evening, "group_d12")
    player = await evening.player()
    await failed(evening, player, "tries the roof", 5)
    await expect(cards(gm)).to_have_count(1)
    await cards(gm).locator("[data-part=correct]").click()
    form = gm.get_by_test_id("correction-window")
    await form.get_by_test_id("correction-what").locator("input[value=override]").check()
    await form.get_by_test_id("correction-outcome").locator("input[value=success]").check()
    await expect(form.get_by_test_id("foreseen-changes")).to_contain_text("The group gives a Boon back.")
    await form.get_by_test_id("correction-reason").fill("the rope held")
    await form.get_by_test_id("correction-do").click()
    await expect(form).to_have_count(0)
    for page in (gm, player):
        await expect(cards(page)).to_have_count(2)
        await expect(cards(page).first.locator("[data-part=corrected]")).to_have_text(
            "Decided otherwise: Success (the rope held)"
        )
        await expect(cards(page).last.locator("[data-part=was] s")).to_have_text("Failure")
        await expect(cards(page).last.locator("[data-part=verdict]")).to_have_attribute("data-outcome", "success")
    # What it took back stands in the log window too; a line there can be corrected as a card can.
    await gm.evaluate("game.modules.get('boonbridge').api.log()")
    await expect(gm.get_by_test_id("log").locator("[data-part=card][data-kind=overridden]")).to_contain_text("the rope held")
    await evening.bridge.as_gm(Act(verb="give_boon"))
    await gm.get_by_test_id("log").locator("[data-deed^='verb/'] [data-part=correct]").click()
    await expect(form.get_by_test_id("foreseen-changes")).to_contain_text("The group gives a Boon back.")
    await form.get_by_test_id("correction-do").click()
    await expect(gm.get_by_test_id("log").locator("[data-deed^='verb/'][data-voided] s")).to_have_count(1)
    assert len(evening.messages()) == 2


async def test_a_hidden_roll_is_shown_to_everybody_by_a_message_of_its_own(evening: Evening) -> None:
    gm = await start(evening, "group_d12")
    player, other = await evening.player(), await evening.player("Kim")
    await failed(evening, player, "planted action", 2, mode="gm")
    await expect(cards(gm)).to_have_count(1)
    await expect(cards(other)).to_have_count(0)
    assert "planted" not in str(evening.messages())
    await cards(gm).locator("[data-part=correct]").click()
    form = gm.get_by_test_id("correction-window")
    await form.get_by_test_id("correction-what").locator("input[value=reveal]").check()
    await expect(form.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    await form.get_by_test_id("correction-do").click()
    await expect(cards(other)).to_have_count(1)
    await expect(cards(other)).to_contain_text("planted action")
    await expect(cards(other)).to_contain_text("rolled to the GM")
    for page in (gm, player):
        await expect(cards(page)).to_have_count(2)
        await expect(cards(page).first.locator("[data-part=corrected]")).to_contain_text("Shown to everybody in #")
    stub, shown = evening.messages()
    assert "planted" not in stub["content"]
    assert stub["whisper"]
    assert "planted action" in shown["content"]
    assert not shown.get("whisper")


async def test_a_hidden_roll_that_was_taken_back_stays_struck_through_after_a_reload(evening: Evening) -> None:
    gm = await start(evening, "group_d12")
    player, other = await evening.player(), await evening.player("Kim")
    await failed(evening, player, "planted action", 2, mode="gm")
    await expect(cards(gm)).to_have_count(1)
    await cards(gm).locator("[data-part=correct]").click()
    form = gm.get_by_test_id("correction-window")
    await expect(form.get_by_test_id("foreseen")).to_have_attribute("data-state", "shown")
    await form.get_by_test_id("correction-reason").fill("planted reason")
    await form.get_by_test_id("correction-do").click()
    await expect(form).to_have_count(0)
    # It leaves no message: a player's roll to the GM is taken back in the GMs' part.
    for _ in ("as it happens", "after a reload"):
        await expect(cards(gm)).to_have_count(1)
        await expect(cards(gm).locator("[data-part=corrected]")).to_have_text("Taken back: planted reason")
        await gm.reload()
        await live(gm)
    assert len(evening.messages()) == 1
    assert "planted" not in str(evening.messages())
    assert "planted" not in await other.content()
