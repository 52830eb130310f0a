"""What the GM does on the page: people, numbers, grants with a reason, free rolls, invitations, rules."""

import pytest
from playwright.async_api import expect

from tests.browser.stage import Stage

pytestmark = pytest.mark.browser


async def test_from_a_pairing_code_to_a_players_first_roll(stage: Stage) -> None:
    await stage.open("sage_d20", taped=False)
    code = await stage.running.hub.pairing.new_code("evening")
    gm = await stage.page(None)
    await gm.get_by_test_id("pairing-code").fill(code.lower().replace("-", " "))
    await gm.get_by_test_id("pairing-name").fill("Rin")
    await gm.get_by_test_id("pair").click()
    await expect(gm.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    assert "token" not in gm.url

    # The helpful empty state leads on: the first actor, and a link for its player.
    await gm.get_by_test_id("invite").click()
    await gm.get_by_test_id("invite-name").fill("Mo")
    await (
        gm.get_by_test_id("invite-dialog")
        .get_by_role("button", name="Invite")
        .or_(gm.get_by_test_id("invite-dialog").locator("[type=submit]"))
        .first.click()
    )
    link = await gm.get_by_test_id("invite-link").input_value()
    assert "#code=" in link
    await gm.keyboard.press("Escape")

    await gm.get_by_test_id("new-actor").first.click()
    await gm.get_by_test_id("actor-name").fill("Kestrel")
    for key, value in {"strength": 9, "agility": 13, "intellect": 11, "will": 10}.items():
        await gm.get_by_test_id(f"number-{key}").fill(str(value))
    await gm.get_by_test_id("actor-side").locator("input[value=party]").check()
    await gm.get_by_test_id("actor-owners").get_by_text("Mo").click()
    await gm.get_by_test_id("actor-dialog").locator("[type=submit]").click()
    await expect(gm.locator("[data-testid=actor]")).to_have_count(1)

    player = await (await stage.browser.new_context()).new_page()
    await player.goto(link)
    await player.get_by_test_id("join").click()
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    assert "#" not in player.url
    await player.get_by_test_id("roll").click()
    await expect(player.locator("[data-part=card]")).to_have_count(1)
    await expect(gm.locator("[data-part=card]")).to_have_count(1)


async def test_a_grant_with_a_reason_arrives_live_counts_and_is_taken_back(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await expect(player.get_by_test_id("preview")).to_contain_text("68")
    kestrel = gm.locator("[data-testid=actor][data-actor=kestrel]")
    await kestrel.get_by_test_id("give").click()
    await gm.get_by_test_id("grant-reason").fill("A steady hand")
    await gm.get_by_test_id("grant-dialog").locator("[type=submit]").click()
    # I-80: it arrives in the player's open roll, with its reason, and moves the chance (C-08: 2 boons).
    await expect(player.get_by_test_id("sources")).to_contain_text("A steady hand")
    await expect(player.get_by_test_id("net")).to_contain_text("2")
    await kestrel.locator("[data-testid=grant]", has_text="A steady hand").get_by_test_id("revoke").click()
    await expect(player.get_by_test_id("sources")).not_to_contain_text("A steady hand")
    await expect(player.get_by_test_id("net")).to_contain_text("1")


async def test_a_free_roll_needs_a_name_and_numbers_only(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    await gm.get_by_text("somebody without a sheet").click()
    await gm.get_by_test_id("free-name").fill("A falling beam")
    await gm.get_by_test_id("free-strength").fill("12")
    stage.tape.lay(15)
    await gm.get_by_test_id("roll").click()
    # 15 + (12 - 10) = 17 against 10 (C-P1, C-03).
    card = player.locator("[data-part=card]").first
    await expect(card.locator("[data-part=total]")).to_have_attribute("data-total", "17")
    await expect(card).to_contain_text("A falling beam")


async def test_a_secret_roll_leaves_no_trace_on_a_players_page(stage: Stage) -> None:
    await stage.open("sage_d20")
    await stage.set_demo()
    gm, player = await stage.page("gm", "Game Master"), await stage.page()
    heard: list[str] = []
    await player.reload()
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    before = await player.get_by_test_id("log").inner_text()
    player.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    await gm.get_by_test_id("action").fill("xyzzy listens at the door")
    await gm.get_by_test_id("mode").select_option("secret")
    stage.tape.lay(17, 3)
    await gm.get_by_test_id("roll").click()
    await expect(gm.locator("[data-part=card]")).to_have_count(1)
    await gm.get_by_test_id("mode").select_option("public")
    stage.tape.lay(9, 3)
    await gm.get_by_test_id("roll").click()
    await expect(player.locator("[data-part=card]")).to_have_count(1)
    after = await player.get_by_test_id("log").inner_text()
    assert "xyzzy listens at the door" not in before
    assert await player.locator("[data-mode=secret]").count() == 0
    assert after.count("17") == 0


async def test_names_are_text_whatever_is_in_them(stage: Stage) -> None:
    from boonbridge_schemas.checks import Number, Numbers
    from boonbridge_schemas.commands import Grant, SyncActor
    from boonbridge_schemas.grants import GrantSource
    from tests.support.names import user_id

    await stage.open("sage_d20")
    numbers = Numbers(values=tuple(Number(key=k, value=10) for k in ("strength", "agility", "intellect", "will")))
    hostile = [
        '<img src=x onerror="window.owned=1">',
        "</script><script>owned=1</script>",
        "a.b['c']\"d",
        "\u202eevil\u202c 🐉",
        "__proto__",
    ]
    for nth, name in enumerate(hostile):
        actor = SyncActor(actor=f"a{nth}", name=name, side="party", owners=(user_id("evening", "Mo"),), numbers=numbers)
        grant = Grant(actors=(f"a{nth}",), sign="boon", source=GrantSource(id="x", label=name))
        await stage.as_gm(actor, grant)
    gm, player = await stage.page("gm", "<b>GM</b>"), await stage.page()
    await player.get_by_test_id("action").fill('"><svg onload=owned=1>')
    stage.tape.lay(9, 3)
    await player.get_by_test_id("roll").click()
    for page in (gm, player):
        await expect(page.locator("[data-part=card]")).to_have_count(1)
        assert await page.evaluate("window.owned") is None
        assert await page.locator("img, [onerror], [onload]").count() == 0
        for name in hostile:
            await expect(page.get_by_test_id("actors")).to_contain_text(name)
