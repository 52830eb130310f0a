"""A click becomes one honest, durable roll on every screen."""

import pytest
from playwright.async_api import Page, expect

from boonbridge_schemas.commands import SyncActor
from boonbridge_schemas.events import CheckRolled
from tests.browser.stage import TABLE, Stage, faces
from tests.support.names import user_id

pytestmark = pytest.mark.browser


async def shown(page: Page, seq: int) -> dict[str, object]:
    """What a card shows: its dice, total, target and verdict."""
    card = page.locator(f"[data-part=card][data-seq='{seq}']")
    await expect(card).to_be_visible()
    return {
        "faces": [int(f) for f in await card.locator("[data-face]").evaluate_all("list => list.map(x => x.dataset.face)")],
        "kept": await card.locator("[data-face]").evaluate_all("list => list.map(x => x.dataset.kept === 'true')"),
        "total": int(await card.locator("[data-part=total]").get_attribute("data-total") or "x"),
        "outcome": await card.locator("[data-part=verdict]").get_attribute("data-outcome"),
    }


async def test_a_click_is_the_same_roll_on_both_pages_and_in_the_log_and_stays(stage: Stage) -> None:
    await stage.open("sage_d20", taped=False)
    await stage.set_demo()
    gm = await stage.page("gm", "Game Master")
    player = await stage.page()
    await player.get_by_test_id("action").fill("climb the wet wall")
    await player.get_by_test_id("roll").click()
    card = player.locator("[data-part=card][data-kind=check]")
    await expect(card).to_be_visible()
    seq = int(await card.get_attribute("data-seq") or "0")

    theirs, ours = await shown(player, seq), await shown(gm, seq)
    assert theirs == ours
    (event,) = (e for e in (await stage.log())[seq - 1].events if isinstance(e, CheckRolled))
    assert theirs["faces"] == faces(event.result.dice)
    assert theirs["kept"] == [die.kept for die in event.result.dice]
    assert theirs["total"] == event.result.total
    assert theirs["outcome"] == event.result.outcome
    await expect(card).to_contain_text("climb the wet wall")
    await expect(card).to_contain_text("High ground")

    await stage.close()
    await expect(player.get_by_test_id("connection")).not_to_have_attribute("data-state", "live")
    await stage.open("sage_d20", taped=False)
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live", timeout=15_000)
    assert await shown(player, seq) == theirs
    await player.reload()
    assert await shown(player, seq) == theirs


async def test_kept_and_dropped_dice_the_total_and_one_verdict(stage: Stage) -> None:
    # B-20: natural 20s of a keep-best pool all count, dropped ones too; one net Boon from high ground: two dice.
    await stage.open("public_d20")
    await stage.set_demo()
    player = await stage.page()
    await player.get_by_test_id("check-picker").get_by_role("radio", name="Attack").check()
    await player.get_by_test_id("targets").get_by_role("checkbox", name="Gnoll").check()
    stage.tape.lay(20, 20)
    await player.get_by_test_id("roll").click()
    card = player.locator("[data-part=card]").first
    await expect(card.locator("[data-part=verdict]")).to_have_attribute("data-outcome", "critical_success")
    await expect(card.locator("[data-part=verdict]")).to_have_count(1)
    assert await card.locator("[data-face]").count() == 2
    assert await card.locator("[data-face][data-kept=true]").count() == 1
    # Ash's maul: might +3. Two crits of Sunder 2 add up to 4 (B-21), never multiply.
    await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", "23")
    await expect(card).to_contain_text("Sunder")
    await expect(card).to_contain_text("4")


async def test_the_keyboard_alone_rolls(stage: Stage) -> None:
    await stage.open("rank_ability")
    await stage.set_demo()
    player = await stage.page()
    await player.get_by_test_id("action").focus()
    await player.keyboard.type("force the door")
    # The difficulty is a segmented control: the next tab stop after the fields before it, arrows choose.
    ladder = player.get_by_test_id("param-tn")
    await ladder.get_by_role("radio").first.focus()
    await player.keyboard.press("ArrowRight")
    stage.tape.lay(5, 6, 2)
    await player.keyboard.press("Enter")
    card = player.locator("[data-part=card]").first
    await expect(card).to_contain_text("force the door")
    # Mira: rank 3 is a d8, STR d8, high ground a Boon d10; 5 + 6 against the second step of the ladder, 10.
    await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", "11")
    await expect(card.locator("[data-part=total]")).to_have_attribute("data-target", "10")
    # The table changes under somebody's hands, he thinks better of it, he presses the button: he stays where he was.
    action = player.get_by_test_id("action")
    await action.press_sequentially("swim")
    await action.press("ArrowLeft")
    await stage.as_gm(SyncActor(actor="dog", name="Dog", side="party", owners=(user_id(TABLE, "Mo"),)))
    await expect(player.get_by_test_id("actor-picker")).to_contain_text("Dog")
    await expect(action).to_be_focused()
    await player.keyboard.type("a")
    await expect(action).to_have_value("swiam")
    await player.keyboard.press("Escape")
    await expect(action).to_have_value("")
    await expect(action).to_be_focused()
    stage.tape.lay(5, 6, 2)
    await player.get_by_test_id("roll").focus()
    await player.keyboard.press("Enter")
    await expect(player.locator("[data-part=card]")).to_have_count(2)
    await expect(player.get_by_test_id("roll")).to_be_focused()


async def test_when_the_bridge_is_away_nothing_is_rolled_and_it_says_so(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    player = await stage.page()
    await stage.close()
    await expect(player.get_by_test_id("connection")).not_to_have_attribute("data-state", "live")
    await player.get_by_test_id("roll").click(force=True)
    await expect(player.get_by_test_id("band")).to_be_visible()
    await stage.open("sage_d20")
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live", timeout=15_000)
    assert not any(isinstance(e, CheckRolled) for commit in await stage.log() for e in getattr(commit, "events", ()))


@pytest.mark.long  # it waits two seconds, and a busy machine more
async def test_an_unanswered_click_shows_within_two_seconds_and_happens_once(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    player = await stage.page()
    # The line goes dead one way: what is sent arrives, what comes back does not.
    await player.close()
    context = await stage.browser.new_context()
    player = await context.new_page()
    dead = False

    async def through(route: object) -> None:
        server = route.connect_to_server()  # type: ignore[attr-defined]
        server.on_message(lambda message: None if dead else route.send(message))  # type: ignore[attr-defined]

    await player.route_web_socket("**/ws", through)
    await player.goto(f"{stage.running.http}#token={await stage.token('player', 'Mo')}")
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    await expect(player.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    dead = True
    stage.tape.lay(11, 4)
    await player.get_by_test_id("roll").click()
    await expect(player.get_by_test_id("send-status")).to_be_visible(timeout=2_500)
    # The socket is tested, found dead and opened anew; the same id is sent again and answered as it was.
    dead = False
    await expect(player.locator("[data-part=card]")).to_have_count(1, timeout=15_000)
    rolled = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, CheckRolled)]
    assert len(rolled) == 1
