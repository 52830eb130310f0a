"""Chat messages that are what the log says, and such as only claim it: copied, changed, made up."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import RollCheck, RollDice
from tests.foundry.stage import Evening, cards
from tests.support.wait import until

FALLEN = "game.dice3d._stageAnimations.length"
COPY = """(id) => {
  const { content, flags, rolls, speaker } = game.messages.get(id).toObject();
  return ChatMessage.create({ content, flags, rolls, speaker }).then((made) => made.id);
}"""
MAKE = "(data) => ChatMessage.create(data).then((made) => made.id)"
EDIT = "([id, from, to]) => game.messages.get(id).update({ content: game.messages.get(id).content.replace(from, to) })"


def message(page: Page, id_: str) -> Locator:
    """A message in a page's chat."""
    return page.locator(f".chat-log .chat-message[data-message-id='{id_}']")


async def found(page: Page, id_: str, what: str, *parts: str) -> Locator:
    """The mark on a message: what was found, and where."""
    mark = message(page, id_).locator("[data-part=found]")
    await expect(mark).to_have_count(1)
    await expect(mark).to_have_attribute("data-found", what)
    have = (await mark.get_attribute("data-parts") or "").split()
    assert set(parts) <= set(have), have
    return mark


def last(evening: Evening) -> dict[str, Any]:
    """The newest message of the world."""
    return evening.messages()[-1]


async def check(place: Locator) -> None:
    """The check of a card's dice, in three lines."""
    await place.locator("[data-part=verify]").click()
    await expect(place.locator("[data-part=checked]")).to_have_attribute("data-verdict", "holds")
    await expect(place.locator("[data-part=checked] [data-line]")).to_have_count(3)


async def test_good_altered_copied_and_forged_messages(evening: Evening) -> None:
    evening.forged = True
    await evening.open(taped=False, options={"dice": 30})
    gm, player = await evening.gm(), await evening.player()
    pages = (gm, player)
    mira = f"Actor.{evening.ids['Mira']}"
    params = {"attribute": "will", "tn": 10}
    await evening.bridge.as_gm(
        RollCheck(check="attribute", actors=(mira,), params=params, action="keeps watch"),
        RollCheck(check="attribute", actors=(mira,), params=params, action="hides", mode="gm"),
        RollDice(formula="2d6+3", label="Boathook"),
    )
    for page, count in ((gm, 3), (player, 2)):
        await expect(cards(page)).to_have_count(count)
    await until(lambda: len(evening.messages()) == 3)
    good, stub, dice = evening.messages()
    seq, table = good["flags"]["boonbridge"]["seq"], good["flags"]["boonbridge"]["table"]

    # Honest ones have no mark, also after a reload; the log vouches for their dice in the browser.
    for page in pages:
        await expect(page.locator("[data-part=found]")).to_have_count(0)
        await check(message(page, good["_id"]))
        await check(message(page, dice["_id"]))
    await player.reload()
    await expect(cards(player)).to_have_count(2)
    await expect(player.locator("[data-part=found]")).to_have_count(0)
    fell = await gm.evaluate(FALLEN)

    # Another user edits it afterwards: the log's card stays, and is the one that is checked.
    total = str(await cards(gm).first.locator("[data-part=total]").get_attribute("data-total"))
    stands = f'bb-total"><strong>{total}<'
    await gm.evaluate(EDIT, [good["_id"], stands, stands.replace(total, "99")])
    for page in pages:
        mark = await found(page, good["_id"], "altered", "total")
        await expect(mark).to_contain_text(f"what the log says at #{seq}")
        card = message(page, good["_id"]).locator("[data-part=card]")
        await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", total)
        await check(message(page, good["_id"]))
    # Undone, it is what it was.
    await gm.evaluate(EDIT, [good["_id"], stands.replace(total, "99"), stands])
    for page in pages:
        await expect(message(page, good["_id"]).locator("[data-part=found]")).to_have_count(0)

    # A macro copies one, flags and all; another makes one up from them; nobody's dice fall for a stub that was copied.
    copied = await player.evaluate(COPY, good["_id"])
    lied = await player.evaluate(
        MAKE, {"content": "<p>Mira rolls a natural 20!</p>", "flags": {"boonbridge": good["flags"]["boonbridge"]}}
    )
    hidden = await player.evaluate(COPY, stub["_id"])
    nowhere = {"table": table, "epoch": 1, "seq": 999_999}
    made_up = await player.evaluate(MAKE, {"content": good["content"], "flags": {"boonbridge": nowhere}})
    bare = await player.evaluate(MAKE, {"content": good["content"]})
    told = await player.evaluate(
        MAKE, {"content": good["content"], "flags": {"boonbridge": {**stub["flags"]["boonbridge"], "stub": False}}}
    )
    for page in pages:
        await expect(await found(page, copied, "copy")).to_contain_text("It was posted by Mo.")
        await found(page, lied, "altered", "dice")
        await expect(message(page, lied).locator("[data-part=card] [data-part=total]")).to_have_attribute("data-total", total)
        await found(page, hidden, "copy")
        mark = await found(page, made_up, "unknown")
        await expect(mark).to_contain_text("There is none.")
        await expect(message(page, made_up).locator("[data-part=verify]")).to_have_count(0)
        await found(page, bare, "unnamed")
        await found(page, told, "hidden")
        # What it claims is there to be read, once somebody wants to.
        await expect(mark.locator("details p").first).to_be_hidden()
    await expect(message(player, told).locator("[data-part=card]")).to_have_count(0)
    copies_with_rolls = 1  # Foundry's own dice of a message that carries a roll, whoever made it
    assert await gm.evaluate(FALLEN) <= fell + copies_with_rolls


@pytest.mark.long
async def test_a_copy_that_comes_first_does_not_keep_the_card_away(evening: Evening) -> None:
    evening.forged = True
    await evening.open(taped=False)
    gm, player = await evening.gm(), await evening.player()
    head = (await evening.bridge.log())[-1].seq
    flags = {"table": "evening", "epoch": 1, "seq": head + 1}
    early = await player.evaluate(MAKE, {"content": "<p>Mira has it already</p>", "flags": {"boonbridge": flags}})
    await found(gm, early, "unknown")
    roll = RollCheck(check="attribute", actors=(f"Actor.{evening.ids['Mira']}",), params={"attribute": "will", "tn": 10})
    await evening.bridge.as_gm(roll)
    await until(lambda: len(evening.messages()) == 2)
    assert last(evening)["flags"]["boonbridge"]["seq"] in (head + 1, head + 2)
    await expect(message(gm, last(evening)["_id"]).locator("[data-part=found]")).to_have_count(0)
    await expect(message(gm, last(evening)["_id"]).locator("[data-part=card]")).to_have_count(1)


@pytest.mark.long
async def test_cards_from_before_a_backup_was_put_back_are_of_the_log_as_far_as_it_goes(evening: Evening) -> None:
    evening.forged = True
    await evening.open(taped=False)
    gm = await evening.gm()
    roll = RollCheck(check="attribute", actors=(f"Actor.{evening.ids['Mira']}",), params={"attribute": "will", "tn": 10})
    (ack,) = await evening.bridge.as_gm(roll)
    await expect(cards(gm)).to_have_count(1)
    (kept,) = evening.messages()
    # What the bridge does for a table that came back from a backup, of one that held this roll and nothing after it.
    await evening.bridge.close()
    (file,) = evening.bridge.folder.glob("*.sqlite")
    with closing(sqlite3.connect(file)) as log, log:
        log.execute("UPDATE tables SET restart = 'restored'")
    await evening.bridge.open("sage_d20", taped=False)
    await expect(gm.locator("#boonbridge-state[data-state=live]")).to_have_count(1, timeout=15_000)
    await gm.evaluate(COPY, kept["_id"])
    lost = {"table": "evening", "epoch": 1, "seq": ack.seq + 40}
    gone = await gm.evaluate(MAKE, {"content": kept["content"], "flags": {"boonbridge": lost}})
    other = await gm.evaluate(MAKE, {"content": kept["content"], "flags": {"boonbridge": {**lost, "table": "other"}}})
    await found(gm, evening.messages()[1]["_id"], "copy")
    await expect(message(gm, gone).locator("[data-part=elsewhere]")).to_contain_text("put back to an earlier copy")
    await expect(message(gm, other).locator("[data-part=elsewhere]")).to_contain_text("Of another log")
    await gm.reload()
    await expect(message(gm, kept["_id"]).locator("[data-part=card]")).to_have_count(1)
    await expect(message(gm, kept["_id"]).locator("[data-part=found], [data-part=elsewhere]")).to_have_count(0)
    await check(message(gm, kept["_id"]))


@pytest.mark.long
async def test_a_world_on_plain_http_checks_a_roll_all_the_same(evening: Evening) -> None:
    await evening.open(taped=False)
    await evening.gm()
    player = await evening.player()
    await player.context.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })")
    plain = await evening.tab(player.context, "Mo")
    roll = RollCheck(check="attribute", actors=(f"Actor.{evening.ids['Mira']}",), params={"attribute": "will", "tn": 10})
    await evening.bridge.as_gm(roll)
    await expect(cards(plain)).to_have_count(1)
    assert await plain.evaluate("crypto.subtle === undefined")
    await check(plain.locator(".chat-log .chat-message").last)
