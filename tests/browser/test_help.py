"""Help before the dice fall: the others see who is about to roll what, one button helps, and the chance moves in the open form."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.checks import Attack, Number, Numbers
from boonbridge_schemas.commands import Grant, RequestCheck, RevokeGrant, SetOptions, SyncActor
from boonbridge_schemas.events import CheckRolled, Granted, GrantSpent
from boonbridge_schemas.grants import GrantSource, Scope
from boonbridge_schemas.requests import AskedCheck
from tests.browser.stage import PHONE, TABLE, Stage
from tests.browser.test_accessible import violations
from tests.support.names import user_id

pytestmark = pytest.mark.browser

PLUS_TWO = 12  # Attribute 12: +2 (rules 3.2).


async def seat(stage: Stage, *options: tuple[str, Any]) -> None:
    """Anna is Mo's, Ben is Sam's, Cid of the party and the hag are nobody's; each has +2."""
    values = tuple(Number(key=key, value=PLUS_TWO) for key in ("strength", "agility", "intellect", "will", "defense"))
    numbers = Numbers(values=values, attacks=(Attack(id="bow", name="Longbow", attribute="agility"),))
    for name, owner in (("Anna", "Mo"), ("Ben", "Sam"), ("Cid", ""), ("Hag", "")):
        owners = (user_id(TABLE, owner),) if owner else ()
        side = "opposition" if name == "Hag" else "party"
        await stage.as_gm(SyncActor(actor=name.lower(), name=name, side=side, owners=owners, numbers=numbers))
    if options:
        await stage.as_gm(SetOptions(options=dict(options)))


async def climbs(page: Page, action: str = "climb") -> None:
    """Anna's form, filled in against 14."""
    await page.get_by_test_id("param-tn-free").fill("14")
    await page.get_by_test_id("action").fill(action)
    await expect(page.get_by_test_id("chance")).to_have_text("45\u202f%")  # 12 or more: 9/20


def row(page: Page) -> Locator:
    """What the others are told of Anna."""
    return page.get_by_test_id("underway-row")


async def rolled(stage: Stage) -> list[CheckRolled]:
    """Every check of the log."""
    return [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, CheckRolled)]


async def test_i80_two_players_one_dialog_and_the_odds_move(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage, ("assist", "free"))
    anna, ben, watcher = await stage.page(), await stage.page("player", "Sam"), await stage.page("observer", "Ola")
    assert await row(ben).count() == 0
    await climbs(anna)
    for page in (ben, watcher):
        await expect(row(page)).to_contain_text("Anna is about to climb.")
        await expect(page.get_by_test_id("underway-said")).to_have_text("Anna is about to climb.")
    assert await row(anna).count() == await row(watcher).get_by_role("button").count() == 0
    await row(ben).get_by_role("button", name="Help Anna: climb").click()
    # One boon: the highest of a d6 more, 25/40 against 14.
    await expect(anna.get_by_test_id("chance")).to_have_text("63\u202f%")
    await expect(anna.locator(".preview-chance")).to_have_attribute("data-moved", "up")
    await expect(anna.get_by_test_id("chance-was")).to_have_text("45\u202f% before")
    # Who asked for less motion sees it stand there, and nothing fades.
    assert await anna.get_by_test_id("chance").evaluate("chance => getComputedStyle(chance).animationName") == "none"
    await anna.emulate_media(reduced_motion="no-preference")
    assert await anna.get_by_test_id("chance").evaluate("chance => getComputedStyle(chance).animationName") == "bb-moved"
    await expect(anna.get_by_test_id("sources")).to_contain_text("Help from Ben")
    await expect(row(ben)).to_contain_text("Helped by Ben.")
    assert await ben.get_by_test_id("help-now").count() == 0
    stage.tape.lay(8, 4)  # 8, 4 and 2 are 14: without help it would have failed
    await anna.get_by_test_id("roll").click()
    for page in (anna, ben, watcher):
        card = page.locator("[data-part=card]").first
        await expect(card.locator("[data-part=sources]")).to_contain_text("Help from Ben")
        await expect(card.locator("[data-part=verdict]")).to_have_attribute("data-tone", "success")
        await expect(row(page)).to_have_count(0)
    (check,) = await rolled(stage)
    assert check.odds is not None
    assert (check.result.total, check.odds.success) == (14, "5/8")


@pytest.mark.long  # in Foundry it is among the tests of every day
async def test_i80_what_the_gm_gives_or_takes_moves_the_open_dialog(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage)
    anna = await stage.page()
    await climbs(anna)
    source = GrantSource(id="wind", label="The wind has dropped")
    await stage.as_gm(Grant(actors=("anna",), sign="boon", source=source))
    await expect(anna.get_by_test_id("chance")).to_have_text("63\u202f%")
    await expect(anna.get_by_test_id("sources")).to_contain_text("The wind has dropped")
    given = [e for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, Granted)]
    await stage.as_gm(RevokeGrant(grant=given[-1].grant.id))
    await expect(anna.get_by_test_id("chance")).to_have_text("45\u202f%")
    await expect(anna.locator(".preview-chance")).to_have_attribute("data-moved", "down")
    # What is changed in the form itself is no news.
    await anna.get_by_test_id("param-tn-free").fill("13")
    await expect(anna.get_by_test_id("chance")).to_have_text("50\u202f%")
    assert await anna.get_by_test_id("chance-was").count() == 0


async def test_i76_who_is_asked_sees_what_helps_and_the_net_of_it_as_it_comes(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage)
    anna, ben = await stage.page(), await stage.page("player", "Sam")
    wind = Grant(actors=("anna",), sign="boon", source=GrantSource(id="wind", label="The wind has dropped"))
    ask = AskedCheck(check="attribute", params={"attribute": "strength", "tn": 14})
    await stage.as_gm(wind, RequestCheck(checks=(ask,), actors=("anna",), action="hold on"))
    await anna.get_by_test_id("prompt-row").get_by_test_id("answer").click()
    panel = anna.get_by_test_id("answer-panel")
    await expect(panel.get_by_test_id("sources")).to_contain_text("The wind has dropped")
    await expect(panel.get_by_test_id("net")).to_contain_text("1 boon")
    await expect(panel.get_by_test_id("chance")).to_have_text("63\u202f%")
    # The others see that he is at it, and a bane that comes meanwhile is there before the click.
    await expect(row(ben)).to_contain_text("Anna is about to roll: Attribute roll.")
    await stage.as_gm(Grant(actors=("anna",), sign="bane", source=GrantSource(id="rain", label="It rains")))
    await expect(panel.get_by_test_id("sources")).to_contain_text("It rains")
    await expect(panel.get_by_test_id("chance")).to_have_text("45\u202f%")
    await panel.get_by_test_id("cancel").click()
    await expect(row(ben)).to_have_count(0)


@pytest.mark.long  # in Foundry it is among the tests of every day
async def test_the_gm_has_one_button_and_the_boon_comes_after_it(stage: Stage) -> None:
    await stage.open("sage_d20")  # assist = gm_approves
    await seat(stage)
    gm, anna, ben = await stage.page("gm", "Game Master"), await stage.page(), await stage.page("player", "Sam")
    await climbs(anna)
    await row(ben).get_by_test_id("help-now").click()
    await expect(row(ben)).to_contain_text("Ben offers help; the GM answers.")
    assert await ben.get_by_test_id("help-now").count() == 0
    offer = gm.get_by_test_id("underway-offer")
    await expect(offer).to_contain_text("Ben offers to help Anna: climb.")
    await expect(row(gm)).to_contain_text("Anna is about to climb.")
    assert await row(gm).get_by_role("button").count() == 0
    await expect(anna.get_by_test_id("offered-help")).to_have_text("Ben offers help; the GM answers.")
    await expect(anna.get_by_test_id("chance")).to_have_text("45\u202f%")
    await offer.get_by_role("button", name="Let Ben help").click()
    await expect(anna.get_by_test_id("chance")).to_have_text("63\u202f%")
    await expect(offer).to_have_count(0)
    await expect(anna.get_by_test_id("offered-help")).to_be_empty()
    await expect(row(ben)).to_contain_text("Helped by Ben.")


async def test_t31_thought_better_of_it_the_help_does_not_count_on_the_next_attack(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage, ("assist", "free"))
    anna, ben = await stage.page(), await stage.page("player", "Sam")
    await climbs(anna)
    await row(ben).get_by_test_id("help-now").click()
    await expect(anna.get_by_test_id("chance")).to_have_text("63\u202f%")
    before = len(await stage.log())
    await anna.get_by_test_id("action").press("Escape")
    await expect(row(ben)).to_have_count(0)
    assert len(await stage.log()) == before, "nothing is consumed"
    await anna.get_by_test_id("check-picker").get_by_role("radio", name="Attack").check()
    await anna.get_by_test_id("targets").get_by_role("checkbox", name="Hag").check()
    await expect(anna.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    # It is said that help is there which is not meant for this.
    help_ = anna.get_by_test_id("sources").locator("[data-source=aid]")
    await expect(help_).to_contain_text("not for this check")
    stage.tape.lay(9)
    await anna.get_by_test_id("roll").click()
    await expect(anna.locator("[data-part=card]")).to_have_count(1)
    (check,) = await rolled(stage)
    assert (check.rolled.kind, [die.sides for die in check.result.dice]) == ("attack", [20])
    assert not any(isinstance(e, GrantSpent) for commit in await stage.log() for e in getattr(commit, "events", ()))


@pytest.mark.long
async def test_help_with_a_roll_that_has_no_name_is_for_that_check(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage, ("assist", "free"))
    anna, ben = await stage.page(), await stage.page("player", "Sam")
    await anna.get_by_test_id("param-tn-free").fill("14")
    await expect(row(ben)).to_contain_text("Anna is about to roll: Attribute roll.")
    await row(ben).get_by_test_id("help-now").click()
    await expect(anna.get_by_test_id("chance")).to_have_text("63\u202f%")
    (given,) = [e.grant for commit in await stage.log() for e in getattr(commit, "events", ()) if isinstance(e, Granted)]
    assert given.scope == Scope(checks=("attribute",))


async def test_nothing_is_told_of_a_roll_that_is_to_be_hidden_nor_of_the_other_side(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage, ("assist", "free"))
    gm, anna, ben = await stage.page("gm", "Game Master"), await stage.page(), await stage.page("player", "Sam")
    told: list[str] = []
    ben.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(str(frame))))
    await ben.reload()
    await expect(ben.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    await climbs(anna)
    await expect(row(ben)).to_have_count(1)
    await anna.get_by_test_id("mode").select_option("gm")
    await expect(row(ben)).to_have_count(0)
    seen = len([frame for frame in told if '"underway"' in frame])
    await anna.get_by_test_id("action").fill("search the hag's pockets")
    await gm.get_by_test_id("actor-picker").get_by_role("radio", name="Hag").check()
    await gm.get_by_test_id("action").fill("eat Ben")
    await expect(gm.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    # What the GM prepares for somebody without a player is told afterwards, so what would have been told before it has been.
    await gm.get_by_test_id("actor-picker").get_by_role("radio", name="Cid").check()
    await expect(row(ben)).to_contain_text("Cid is about to eat Ben.")
    underway = [frame for frame in told if '"underway"' in frame]
    assert len(underway) == seen + 1
    assert "pockets" not in "".join(told)


async def test_help_is_an_opportunity_where_the_game_has_it_so(stage: Stage) -> None:
    await stage.open("group_d12")
    await stage.set_demo()
    await stage.as_gm(SyncActor(actor="bela", name="Bela", side="party", owners=(user_id(TABLE, "Sam"),)))
    ana, bela = await stage.page(), await stage.page("player", "Sam")
    await ana.get_by_test_id("action").fill("climb")
    await row(bela).get_by_role("button", name="Help Ana: climb").click()
    await expect(bela.get_by_test_id("check-picker").get_by_role("radio", checked=True)).to_have_value("opportunity")
    await expect(bela.get_by_test_id("param-to")).to_contain_text("Ana")
    stage.tape.lay(12)
    await bela.get_by_test_id("roll").click()
    await expect(bela.locator("[data-part=card]")).to_have_count(1)
    (check,) = await rolled(stage)
    assert (check.rolled.kind, check.rolled.actor, check.rolled.params["to"]) == ("opportunity", "bela", "ana")


@pytest.mark.long
async def test_where_nobody_helps_there_is_no_button(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage, ("assist", "off"))
    anna, ben = await stage.page(), await stage.page("player", "Sam", size=PHONE, scheme="dark")
    await climbs(anna)
    await expect(row(ben)).to_contain_text("Anna is about to climb.")
    assert await row(ben).get_by_role("button").count() == 0
    await stage.as_gm(SetOptions(options={"assist": "free"}))
    button = row(ben).get_by_test_id("help-now")
    box = await button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert await violations(ben) == []


async def test_who_wants_no_dialog_rolls_what_is_asked_with_one_click(stage: Stage) -> None:
    await stage.open("sage_d20")
    await seat(stage)
    anna = await stage.page()
    plain = AskedCheck(check="attribute", params={"attribute": "strength", "tn": 14})
    ask = RequestCheck(checks=(plain,), actors=("anna",), action="hold on")
    await stage.as_gm(ask)
    # Asked first, until he says otherwise; the button that rolls has the focus.
    await anna.get_by_test_id("prompt-row").get_by_test_id("answer").click()
    panel = anna.get_by_test_id("answer-panel")
    await expect(panel.get_by_test_id("roll")).to_be_focused()
    await panel.get_by_test_id("at-once").click()
    stage.tape.lay(9, 10)
    await anna.keyboard.press("Enter")
    await expect(anna.locator("[data-total]").first).to_have_attribute("data-total", "11")
    await stage.as_gm(ask)
    await anna.get_by_test_id("prompt-row").get_by_test_id("answer").click()
    await expect(anna.get_by_test_id("prompt-row")).to_have_count(0)
    assert [check.result.total for check in await rolled(stage)] == [11, 12]
    # What leaves a choice is asked all the same, and so is whoever wants to look first.
    await stage.as_gm(RequestCheck(checks=(AskedCheck(check="attribute", params={"tn": 14}),), actors=("anna",)))
    await anna.get_by_test_id("prompt-row").get_by_test_id("answer").click()
    await expect(panel.get_by_test_id("param-attribute")).to_be_visible()
    await panel.get_by_test_id("cancel").click()
    await stage.as_gm(ask)
    await anna.get_by_test_id("request-prompt").first.get_by_test_id("look").click()
    await expect(panel.get_by_test_id("at-once").get_by_role("switch")).to_be_checked()
    await anna.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    assert len(await rolled(stage)) == 2
