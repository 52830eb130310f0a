"""The people of a table, in real browsers: invited by a link, given another role, turned away, forgotten, as it happens."""

from typing import Literal

import pytest
from playwright.async_api import Locator, Page, expect

from boonbridge_schemas.commands import SetRole
from boonbridge_schemas.server import Limits
from tests.browser.stage import MOSTLY_ONE_LOOK, PHONE, TABLE, Stage
from tests.browser.test_accessible import violations
from tests.browser.test_visibility import PLANTED, give, source, turn_to
from tests.support.clock import TestClock
from tests.support.names import user_id

pytestmark = pytest.mark.browser


async def people_of(gm: Page) -> Locator:
    """The GM's list of people, open."""
    if await gm.get_by_test_id("tab-table").is_visible():
        await gm.get_by_test_id("tab-table").click()
    await gm.get_by_test_id("manage-people").click()
    view = gm.get_by_test_id("people-view")
    await expect(view).to_have_attribute("data-state", "shown")
    return view


async def invited(gm: Page, view: Locator, name: str, role: str = "player") -> str:
    """Somebody new is invited; the link, with its picture seen."""
    await view.get_by_test_id("invite").click()
    dialog = gm.get_by_test_id("invite-dialog")
    await dialog.get_by_test_id("invite-name").fill(name)
    await dialog.get_by_test_id("invite-role").locator(f"input[value={role}]").check()
    await dialog.locator("[type=submit]").click()
    shown = gm.get_by_test_id("link-dialog")
    await expect(shown.get_by_test_id("qr")).to_be_visible()
    link = await shown.get_by_test_id("invite-link").input_value()
    await shown.get_by_role("button", name="Close").last.click()
    await expect(shown).to_be_hidden()
    return link


async def opened(stage: Stage, link: str) -> Page:
    """A browser of somebody else, in which a link is opened."""
    page = await stage.page(None)
    await page.goto("about:blank")
    await page.goto(link)
    return page


async def confirmed(page: Page) -> None:
    """Say yes to what is asked."""
    await page.get_by_test_id("confirm").locator("[type=submit]").click()


async def test_from_an_invitation_to_a_name_that_is_forgotten(stage: Stage) -> None:
    await stage.open("sage_d20")
    gm = await stage.page("gm", "Rin")
    view = await people_of(gm)
    link = await invited(gm, view, "Asha")
    page, _, code = link.partition("#code=")
    assert (page, len(code)) == (stage.running.http, 20)
    await expect(view.get_by_test_id("open-code")).to_contain_text("Asha")

    # The link asks for a click and for nothing else; neither code nor token stays in the address bar.
    asha = await opened(stage, link)
    assert "#" not in asha.url
    await asha.get_by_test_id("join").click()
    await expect(asha.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    assert "#" not in asha.url
    await expect(asha.get_by_test_id("own-device")).to_be_visible()
    await expect(asha.get_by_test_id("manage-people")).to_have_count(0)

    # She is in the list as she comes, with her device; the code is gone from it.
    row = view.locator("[data-testid=person]", has_text="Asha")
    await expect(row).to_contain_text("here now")
    await expect(view.get_by_test_id("open-code")).to_have_count(0)
    user = str(await row.get_attribute("data-user"))
    assert "asha" not in user.lower()
    await row.locator("summary").click()
    await expect(row.get_by_test_id("device")).to_contain_text("Table page")
    await expect(row.get_by_test_id("device")).to_contain_text("127.0.0.1")

    # Another role, while her page is open.
    await row.get_by_test_id("role-observer").click()
    await expect(asha.get_by_test_id("table-page")).to_have_attribute("data-role", "observer")
    await expect(asha.get_by_test_id("notices")).to_contain_text("observer now")
    await expect(row).to_have_attribute("data-role", "observer")
    await expect(row.get_by_test_id("role-player")).to_be_visible()  # what was unfolded stays so

    # A link is good once.
    second = await opened(stage, link)
    await second.get_by_test_id("join").click()
    await expect(second.get_by_test_id("invited").get_by_test_id("trouble")).to_contain_text("used already")

    # Turned away, while her page is open; and the way back is beside what was said.
    await row.get_by_test_id("person-revoke").click()
    await confirmed(gm)
    await expect(asha.get_by_test_id("band")).to_contain_text("taken back")
    await expect(view.get_by_test_id("people-said")).to_contain_text("Asha has no access any more")
    gone = view.get_by_test_id("people-gone")
    await gone.locator("summary").click()
    await view.get_by_test_id("people-way").click()
    await expect(gm.get_by_test_id("invite-dialog").get_by_test_id("invite-name")).to_have_value("Asha")
    await gm.keyboard.press("Escape")

    # Forgotten: here, on the page and in what is kept; the id stays.
    await gone.get_by_test_id("person-forget").click()
    await expect(gm.get_by_test_id("confirm")).to_contain_text("Backups made before now")
    await confirmed(gm)
    await expect(gone.locator("[data-user]")).to_contain_text(user)
    await expect(view).not_to_contain_text("Asha")
    await gm.keyboard.press("Escape")
    await expect(gm.get_by_test_id("log")).not_to_contain_text("Asha")


@pytest.mark.long  # what a role sees is each time over sockets; that the page keeps nothing of it, here
async def test_of_what_a_gm_saw_nothing_stays_on_the_page_of_a_player(stage: Stage) -> None:
    """A co-GM is made a player while his page shows what only GMs know: in a row, a form, a notice, a list of addresses."""
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, co = await stage.page("gm", "Rin"), await stage.page("gm", "Gwen")
    await give(co, "bog-hag", "bane", PLANTED, hidden=True)
    await turn_to(co, "Bog Hag")
    await expect(source(co, PLANTED)).to_be_visible()
    await people_of(co)
    planted = (PLANTED, "127.0.0.1")
    for word in planted:
        assert word in await words_on(co), "the search finds what is there"
    row = (await people_of(gm)).locator("[data-testid=person]", has_text="Gwen")
    await row.locator("summary").click()
    await row.get_by_test_id("role-player").click()
    await confirmed(gm)
    await expect(co.get_by_test_id("notices")).to_contain_text("player now")
    await expect(co.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    for word in planted:
        assert word not in await words_on(co)
    await stage.as_gm(SetRole(user=user_id(TABLE, "Gwen"), role="gm"))
    await expect(co.locator("[data-testid=actor][data-actor=bog-hag]")).to_contain_text(PLANTED)


async def words_on(page: Page) -> str:
    """All that stands in a page, seen or not, but for its own address."""
    return await page.evaluate(
        "document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map((each) => each.value).join()"
    )


@pytest.mark.long  # over sockets each time
async def test_a_code_that_was_taken_back_opens_nothing(stage: Stage) -> None:
    await stage.open("sage_d20")
    gm = await stage.page("gm", "Rin")
    view = await people_of(gm)
    link = await invited(gm, view, "Asha", "gm")
    # With the keyboard: what had the focus is gone, and the reader stays where he was.
    await view.get_by_test_id("drop-code").focus()
    await gm.keyboard.press("Enter")
    await expect(view.get_by_test_id("open-code")).to_have_count(0)
    await expect(view.get_by_test_id("people-said")).to_contain_text("opens nothing")
    assert await view.evaluate("list => list.contains(document.activeElement)")
    asha = await opened(stage, link)
    await asha.get_by_test_id("join").click()
    await expect(asha.get_by_test_id("invited").get_by_test_id("trouble")).to_contain_text("taken back")
    await expect(view.get_by_test_id("person")).to_have_count(1)

    # The last GM stays one.
    await view.get_by_test_id("person").locator("summary").click()
    await view.get_by_test_id("role-player").click()
    await expect(gm.get_by_test_id("confirm")).to_contain_text("Only another GM")
    await confirmed(gm)
    await expect(view.get_by_test_id("people-said")).to_contain_text("A table needs a GM")

    # In a browser that is at the table already, nothing is lost by opening it.
    await gm.goto(link)
    await expect(gm.get_by_test_id("invited")).to_be_visible()
    await expect(view).to_have_count(0)
    await gm.get_by_test_id("go-on").click()
    await expect(gm.get_by_test_id("connection")).to_have_attribute("data-state", "live")


@pytest.mark.long
async def test_what_is_wrong_with_a_link_is_said_with_what_helps(stage: Stage) -> None:
    clock = TestClock()
    await stage.open("sage_d20", clock=clock)
    gm = await stage.page("gm", "Rin")
    link = await invited(gm, await people_of(gm), "Asha")
    clock.advance(25 * 3600)
    asha = await opened(stage, link)
    join, trouble = asha.get_by_test_id("join"), asha.get_by_test_id("invited").get_by_test_id("trouble")
    await join.click()
    await expect(trouble).to_contain_text("too old")
    await expect(asha.get_by_test_id("pairing-code")).to_be_visible()  # another way in, now that this one is none
    broken = await opened(stage, f"{stage.running.http}#code=%3Cb%3E")
    await expect(broken.get_by_test_id("why")).to_contain_text("not whole")
    assert "#" not in broken.url
    wrong = await opened(stage, f"{stage.running.http}#code=WRQNGWRQNGWRQNGWRQNG")
    join, trouble = wrong.get_by_test_id("join"), wrong.get_by_test_id("invited").get_by_test_id("trouble")
    await join.click()
    await expect(trouble).to_contain_text("not whole")
    for _ in range(Limits().wrong_codes_burst):  # the two above were wrong as well
        await join.click()
        await expect(join).to_be_enabled()
    await expect(trouble).to_contain_text("too many wrong codes")


async def test_a_player_lets_his_own_phone_in(stage: Stage) -> None:
    """The short code, typed; he is himself there. Nobody but the GM sees that it is another device, and takes it back alone."""
    await stage.open("sage_d20")
    gm, player = await stage.page("gm", "Rin"), await stage.page("player", "Mo")
    await player.get_by_test_id("own-device").click()
    form = player.get_by_test_id("device-code")
    await expect(form).to_have_attribute("data-state", "shown")
    phone = await stage.page(None, size=PHONE)
    await phone.get_by_test_id("pairing-code").fill(await form.get_by_test_id("typed-code").inner_text())
    await phone.get_by_test_id("pairing-name").fill("somebody's phone")
    await phone.get_by_test_id("pair").click()
    await expect(phone.get_by_test_id("game")).to_contain_text("Mo (player)")
    view = await people_of(gm)
    row = view.locator("[data-testid=person]", has_text="Mo")
    await row.locator("summary").click()
    await expect(row.locator("[data-testid=device][data-online]")).to_have_count(2)
    await row.get_by_test_id("device-revoke").first.click()
    await confirmed(gm)
    await expect(row.locator("[data-testid=device][data-online]")).to_have_count(1)
    states = [await page.get_by_test_id("connection").get_attribute("data-state") for page in (player, phone)]
    assert sorted(map(str, states)) == ["live", "refused"]


@pytest.mark.parametrize(("size", "scheme"), MOSTLY_ONE_LOOK)
async def test_the_windows_are_accessible(stage: Stage, scheme: Literal["light", "dark"], size: tuple[int, int]) -> None:
    await stage.open("sage_d20")
    gm, mo = await stage.page("gm", "Rin", scheme=scheme, size=size), await stage.page("player", "Mo")
    view = await people_of(gm)
    await invited(gm, view, "Asha", "observer")
    for who in ("Rin", "Mo"):
        await view.locator("[data-testid=person]", has_text=who).locator("summary").click()
    assert await violations(gm) == []
    await view.get_by_test_id("person-device").first.click()
    await expect(gm.get_by_test_id("device-code")).to_have_attribute("data-state", "shown")
    assert await violations(gm) == []
    await gm.keyboard.press("Escape")
    await view.get_by_test_id("person-revoke").click()
    await confirmed(gm)
    await view.get_by_test_id("people-gone").locator("summary").click()
    await expect(mo.get_by_test_id("band")).to_be_visible()
    assert await violations(gm) == []
    assert await gm.evaluate("document.documentElement.scrollWidth") <= size[0]
