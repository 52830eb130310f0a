"""Looking back on the table page: one moment of the log at a time, as it was; and nothing happens of it."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from playwright.async_api import Locator, Page, WebSocketRoute, expect

from boonbridge.net.client import Client
from boonbridge.tables.versions import FEATURES
from boonbridge_schemas.base import Role
from boonbridge_schemas.commands import (
    Choose,
    Command,
    EndSession,
    Grant,
    Override,
    RequestCheck,
    RollCheck,
    SetRole,
    StartSession,
    Void,
)
from boonbridge_schemas.grants import GrantSource
from boonbridge_schemas.requests import AskedCheck
from boonbridge_schemas.server import Ack
from tests.browser.stage import DESKTOP, TABLE, Stage
from tests.browser.test_accessible import violations
from tests.browser.test_requests import a_party_of_three
from tests.support.comfort import cut_off, hover_alone, shifts, small_targets, unnamed, watch_shifts
from tests.support.names import user_id

pytestmark = pytest.mark.browser
NARROW = (390, 780)
LOOKS = [
    pytest.param(DESKTOP, "dark", id="desktop-dark"),
    pytest.param(NARROW, "dark", id="phone-dark"),
    pytest.param(DESKTOP, "light", id="desktop-light"),
]
ASKED = ("history", "at")
"""What the timeline may send, and only for what was asked of it."""

_TOLD = """() => { globalThis.changedInLog = 0;
new MutationObserver((all) => { globalThis.changedInLog += all.length; })
  .observe(document.querySelector('[data-testid=log]'), { subtree: true, childList: true, attributes: true, characterData: true }); }"""


@dataclass(frozen=True)
class Scene:
    """The commits of a short evening, by what they were."""

    begun: int
    critical: int
    failed: int
    spent: int
    fumble: int
    rope: int
    voided: int
    ended: int


async def play(stage: Stage) -> Scene:
    """An evening of group_d12: a critical (12), a failure on which a Boon is spent, a fumble (1) that is taken back.

    Of Ana's and Bela's two dice the better one counts.
    """
    await a_party_of_three(stage)

    async def do(role: Role, name: str, command: Command, *faces: int) -> int:
        stage.tape.lay(*faces)
        async with Client(stage.socket, await stage.token(role, name)) as client:
            ack = await client.do(command)
        assert isinstance(ack, Ack), ack
        assert stage.tape.faces == []
        return ack.seq

    def roll(actor: str, action: str) -> RollCheck:
        return RollCheck(check="skill", actors=(actor,), params={"skill": "skill.stealth", "difficulty": 11}, action=action)

    gm: tuple[Role, str] = ("gm", "Game Master")
    for role, name in (gm, ("player", "Mo"), ("player", "Kim")):  # who comes for the first time is in the log
        async with Client(stage.socket, await stage.token(role, name)):
            pass
    begun = await do(*gm, StartSession(name="The harbour"))
    critical = await do("player", "Mo", roll("ana", "over the roof"), 12, 5)
    failed = await do("player", "Kim", roll("cass", "past the dog"), 2)
    spent = await do("player", "Kim", Choose(check=f"{failed}.1", choice="spend"), 9)
    await do(*gm, helps("cass", "A ledge"))
    fumble = await do(*gm, roll("ana", "down the well"), 1, 1)
    rope = await do(*gm, helps("ana", "A rope"))
    voided = await do(*gm, Void(what=f"check/{fumble}.1", reason="There was no well", confirm=True))
    return Scene(begun, critical, failed, spent, fumble, rope, voided, await do(*gm, EndSession()))


def helps(actor: str, label: str, *, hidden: bool = False) -> Grant:
    """A Boon for somebody."""
    return Grant(actors=(actor,), sign="boon", source=GrantSource(id=label, label=label, kind="position"), hidden=hidden)


async def look_back(page: Page) -> Locator:
    """The timeline, opened at the log."""
    if await page.get_by_test_id("tab-log").is_visible():
        await page.get_by_test_id("tab-log").click()
    await page.get_by_test_id("look-back").click()
    timeline = page.get_by_test_id("timeline")
    await expect(timeline).to_have_attribute("data-state", "shown")
    return timeline


async def at(timeline: Locator, seq: int) -> None:
    """It stands there, and shows it."""
    await expect(timeline).to_have_attribute("data-seq", str(seq))
    await expect(timeline).to_have_attribute("data-state", "shown")


def listen(page: Page) -> list[str]:
    """The kinds of frames that a page sends from now on."""
    sent: list[str] = []

    def heard(payload: str | bytes) -> None:
        sent.append(json.loads(payload)["t"])

    page.on("websocket", lambda line: line.on("framesent", heard))
    return sent


async def comfortable(page: Page, size: tuple[int, int]) -> None:
    """For everybody's eyes, ears and fingers."""
    assert await violations(page) == []
    assert await unnamed(page, "dialog") == []
    assert await hover_alone(page, "dialog") == []
    assert await cut_off(page, "dialog", width=size[0]) == []
    if size == NARROW:
        assert await small_targets(page, "dialog") == []


async def test_every_jump_on_a_phone_and_each_moment_as_it_was(stage: Stage) -> None:
    scene = await play(stage)
    player = await stage.page(size=NARROW, touch=True)
    timeline = await look_back(player)
    what, who = timeline.get_by_test_id("jump-what"), timeline.get_by_test_id("jump-who")
    await timeline.get_by_test_id("last").click()
    for kind, whose, way, expected in (
        ("evening", "", "jump-back", scene.begun),
        ("critical", "", "jump-on", scene.critical),
        ("spent", "", "jump-on", scene.spent),
        ("fumble", "", "jump-on", scene.fumble),
        ("grant", "", "jump-on", scene.rope),
        ("correction", "", "jump-on", scene.voided),
        ("roll", "actor cass", "jump-back", scene.failed),
        ("roll", "Mo", "jump-back", scene.critical),
    ):
        await what.select_option(kind)
        await (who.select_option(label=whose) if whose == "Mo" else who.select_option(value=whose))
        await timeline.get_by_test_id(way).tap()
        await at(timeline, expected)
    # As it was: nothing taken back, no rope yet; what came later is said beside it.
    await what.select_option("fumble")
    await who.select_option(value="")
    await timeline.get_by_test_id("jump-on").tap()
    await at(timeline, scene.fumble)
    moment = timeline.get_by_test_id("moment")
    await expect(moment.locator("[data-outcome=critical_failure]")).to_be_visible()
    assert await moment.locator("s, [data-voided], [data-overtaken]").count() == 0
    stood = timeline.get_by_test_id("stood")
    await expect(stood).not_to_contain_text("A rope")
    await expect(stood.locator("[data-actor=cass] [data-testid=grant]")).to_contain_text("A ledge")
    later = timeline.get_by_test_id("later")
    await expect(later).to_have_attribute("data-seq", str(scene.voided))
    await expect(later).to_have_attribute("data-kind", "voided")
    await later.get_by_role("button").tap()
    await at(timeline, scene.voided)
    await expect(stood.locator("[data-actor=ana]")).to_contain_text("A rope")
    # D-16 and D-08: the evening began with no Boon, and a critical success gained one.
    await what.select_option("evening")
    await timeline.get_by_test_id("jump-back").tap()
    await at(timeline, scene.begun)
    await expect(timeline.get_by_test_id("stood-pool")).to_have_attribute("data-held", "0")
    await what.select_option("critical")
    await timeline.get_by_test_id("jump-on").tap()
    await at(timeline, scene.critical)
    await expect(timeline.get_by_test_id("stood-pool")).to_have_attribute("data-held", "1")
    # Before it there was none.
    await timeline.get_by_test_id("jump-back").tap()
    await expect(timeline.get_by_test_id("timeline-none")).to_be_visible()
    await at(timeline, scene.critical)
    await comfortable(player, NARROW)


async def test_it_does_nothing_unasked_and_a_fresh_roll_does_not_move_it(stage: Stage) -> None:
    scene = await play(stage)
    player = await stage.page()
    card = player.locator(f"[data-testid=log] [data-part=card][data-seq='{scene.failed}']")
    await expect(card.locator("[data-part=moment]")).to_be_visible()
    sent = listen(player)
    await player.reload()
    await player.get_by_test_id("connection").and_(player.locator("[data-state=live]")).wait_for()
    # What the dialog of the next roll asks as the page comes is not asked by looking back.
    await expect(player.get_by_test_id("preview")).to_have_attribute("data-state", "shown")
    await card.locator("[data-part=moment]").click()
    timeline = player.get_by_test_id("timeline")
    await at(timeline, scene.failed)
    await expect(timeline.locator("[data-part=waiting]")).to_contain_text("Cass")  # the choice was open then
    await player.evaluate(_TOLD)
    before = await player.get_by_test_id("announcer").text_content()
    del sent[:]
    slider, said = timeline.get_by_test_id("timeline-slider"), timeline.get_by_test_id("timeline-said")
    await expect(slider).to_be_focused()
    for key, expected in (
        ("ArrowRight", scene.spent),
        ("ArrowLeft", scene.failed),
        ("ArrowLeft", scene.critical),
        ("Home", 1),
        ("End", scene.ended),
    ):
        await player.keyboard.press(key)
        await at(timeline, expected)
        await expect(slider).to_have_js_property("valueAsNumber", expected)
        await expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^#{expected} of {scene.ended}, \S"))
        await expect(said).to_contain_text(f"#{expected}.")
    assert set(sent) <= set(ASKED), sent
    asked = len(sent)
    assert await player.evaluate("changedInLog") == 0, "the log behind it stays as it is"
    # Somebody rolls: the timeline stays, and says so quietly.
    await watch_shifts(player)
    words = await said.text_content()
    stage.tape.lay(7, 4)
    await stage.as_gm(RollCheck(check="skill", actors=("bela",), params={"skill": "skill.stealth", "difficulty": 11}))
    await expect(timeline.get_by_test_id("timeline-news")).to_be_visible()
    assert await said.text_content() == words
    assert [each for each in await shifts(player) if "timeline" in each or "bb-" in each] == []
    assert await timeline.get_attribute("data-seq") == str(scene.ended)
    # The roll panel of the page asks for its chance anew, as ever.
    assert [kind for kind in sent if kind != "preview"][asked:] == [], "nothing is asked for it"
    assert await player.get_by_test_id("announcer").text_content() != before, "the page itself says it, as ever"
    await timeline.get_by_test_id("newest").click()
    await expect(timeline.get_by_test_id("timeline-news")).to_be_hidden()
    await at(timeline, scene.ended + 1)
    await player.keyboard.press("Escape")
    await expect(timeline).to_have_count(0)
    await expect(card.locator("[data-part=moment]")).to_be_focused()
    assert set(sent) <= {*ASKED, "preview"}, sent


@pytest.mark.long
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_it_is_comfortable(stage: Stage, size: tuple[int, int], scheme: Literal["light", "dark"]) -> None:
    await play(stage)
    page = await stage.page("gm", "Game Master", size=size, scheme=scheme, touch=size == NARROW)
    timeline = await look_back(page)
    await timeline.get_by_test_id("jump-what").select_option("critical")
    await timeline.get_by_test_id("jump-back").click()
    await expect(timeline.locator("[data-outcome=critical_success]")).to_be_visible()
    await comfortable(page, size)


@pytest.mark.long
async def test_a_long_look_says_how_far_it_is_and_can_be_given_up(stage: Stage) -> None:
    """The bridge's answers are made such as those of a log in which there is nothing for thousands of commits."""
    scene = await play(stage)
    player = await stage.page()
    wanted: list[dict[str, Any]] = []

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def from_page(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "history" and "where" in frame:
                wanted.append(frame)
                if len(wanted) == 1:
                    nothing = {"t": "page", "id": frame["id"], "commits": [], "more": True, "marks": [], "looked": 3}
                    line.send(json.dumps(nothing))
                return  # the second question stays unanswered
            server.send(text)

        line.on_message(from_page)

    await player.route_web_socket("**/ws", through)
    await player.reload()
    await player.get_by_test_id("connection").and_(player.locator("[data-state=live]")).wait_for()
    timeline = await look_back(player)
    seq = await timeline.get_attribute("data-seq")
    await timeline.get_by_test_id("jump-what").select_option("critical")
    await timeline.get_by_test_id("jump-back").focus()
    await player.keyboard.press("Enter")
    await expect(timeline.get_by_test_id("looking")).to_contain_text("#3")
    give_up = timeline.get_by_test_id("give-up")
    await expect(give_up).to_be_focused()
    assert [frame["before"] for frame in wanted] == [int(str(seq)), 3]
    await player.keyboard.press("Enter")
    await expect(timeline.get_by_test_id("looking")).to_be_hidden()
    await expect(timeline.get_by_test_id("jump-back")).to_be_focused()
    assert await timeline.get_attribute("data-seq") == seq
    await expect(timeline.get_by_test_id("timeline-trouble")).to_be_hidden()
    await player.keyboard.press("Home")  # it goes on as if nothing had been
    await at(timeline, 1)
    assert len(wanted) == 2
    assert scene.begun > 3


@pytest.mark.long
async def test_a_key_that_is_held_down_asks_for_a_page_once(stage: Stage) -> None:
    """On a line so slow that the key repeats many times before the page of the log is there."""
    await play(stage)
    player = await stage.page()
    pages: list[dict[str, Any]] = []
    kept: list[tuple[WebSocketRoute, str]] = []

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def from_page(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "history" and frame.get("limit") == 50:  # the timeline's own; the log asks for fewer
                pages.append(frame)
                kept.append((server, str(text)))
            else:
                server.send(text)

        def from_bridge(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "page" and not kept:  # as if the page of the log held one commit
                frame["commits"] = frame["commits"][-1:]
            line.send(json.dumps(frame))

        line.on_message(from_page)
        server.on_message(from_bridge)

    await player.route_web_socket("**/ws", through)
    await player.reload()
    await player.get_by_test_id("connection").and_(player.locator("[data-state=live]")).wait_for()
    await expect(player.get_by_test_id("log-item")).to_have_count(1)
    timeline = await look_back(player)
    seq = int(str(await timeline.get_attribute("data-seq")))
    for _ in range(8):
        await player.keyboard.press("ArrowLeft")
    assert len(pages) == 1, pages
    for server, text in kept:
        server.send(text)
    await at(timeline, seq - 1)
    await player.keyboard.press("ArrowLeft")
    await at(timeline, seq - 2)
    assert len(pages) == 1


@pytest.mark.long
async def test_what_is_for_others_says_so_and_is_stepped_over(stage: Stage) -> None:
    scene = await play(stage)
    await stage.as_gm(helps("ana", "A curse", hidden=True), helps("bela", "A lantern"))
    hidden = scene.ended + 1
    player, gm = await stage.page(), await stage.page("gm", "Game Master")
    for page, before in ((player, scene.ended), (gm, hidden)):
        timeline = await look_back(page)
        await page.keyboard.press("End")
        await at(timeline, hidden + 1)
        await page.keyboard.press("ArrowLeft")
        await at(timeline, before)
    timeline = player.get_by_test_id("timeline")
    # The slider goes by number, so it may come to rest there.
    await timeline.get_by_test_id("timeline-slider").fill(str(hidden))
    await at(timeline, hidden)
    await expect(timeline.get_by_test_id("moment")).to_have_text(f"#{hidden} is for others to read.")
    assert "curse" not in str(await player.content())
    await expect(gm.get_by_test_id("stood").locator("[data-testid=grant][data-hidden]")).to_contain_text("A curse")
    assert await gm.get_by_test_id("stood").get_by_role("button").count() == 0, "nobody changes what is past"


@pytest.mark.long
async def test_whoever_is_no_gm_any_more_sees_nothing_of_what_he_saw_as_one(stage: Stage) -> None:
    await play(stage)
    (secret,) = await stage.as_gm(helps("ana", "A curse", hidden=True))
    rin = await stage.page("gm", "Rin")
    timeline = await look_back(rin)
    await timeline.get_by_test_id("timeline-slider").fill(str(secret.seq))
    await at(timeline, secret.seq)
    await expect(timeline.get_by_test_id("stood")).to_contain_text("A curse")
    await stage.as_gm(SetRole(user=user_id(TABLE, "Rin"), role="player"))
    await expect(timeline.get_by_test_id("moment")).to_have_text(f"#{secret.seq} is for others to read.")
    await at(timeline, secret.seq)
    assert "curse" not in str(await rin.content())


@pytest.mark.long
async def test_a_request_stands_as_it_was_asked_and_a_decision_otherwise_is_said(stage: Stage) -> None:
    await a_party_of_three(stage)
    asked = AskedCheck(check="skill", params={"skill": "skill.stealth", "difficulty": 9})
    (request,) = await stage.as_gm(RequestCheck(actors=("ana", "cass"), checks=(asked,), action="past the watch"))
    stage.tape.lay(10, 4)
    (rolled,) = await stage.as_gm(RollCheck(check="skill", actors=("bela",), params=dict(asked.params)))
    await stage.as_gm(Override(check=f"{rolled.seq}.1", outcome="failure", reason="The floor creaks"))
    gm = await stage.page("gm", "Game Master")
    timeline = await look_back(gm)
    await timeline.get_by_test_id("jump-what").select_option("request")
    await timeline.get_by_test_id("jump-back").click()
    await at(timeline, request.seq)
    rows = timeline.locator("[data-part=asked]")
    await expect(rows).to_have_count(2)
    for row in await rows.all():
        assert await row.get_attribute("data-status") == "sent"
    assert await timeline.get_by_test_id("moment").get_by_role("button").count() == 0, "nobody answers what is past"
    await timeline.get_by_test_id("jump-what").select_option("roll")
    await timeline.get_by_test_id("jump-on").click()
    await at(timeline, rolled.seq)
    await expect(timeline.locator("[data-part=verdict]")).to_have_attribute("data-outcome", "success")
    await expect(timeline.get_by_test_id("later")).to_have_attribute("data-kind", "overridden")


@pytest.mark.long
async def test_a_line_that_breaks_is_said_and_the_moment_is_read_again(stage: Stage) -> None:
    await play(stage)
    player = await stage.page()
    timeline = await look_back(player)
    await stage.close()
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "away")
    await player.keyboard.press("Home")
    await expect(timeline.get_by_test_id("timeline-trouble")).to_be_visible()
    await stage.open("group_d12")
    await expect(player.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    await expect(timeline.get_by_test_id("timeline-trouble")).to_be_hidden()
    await player.keyboard.press("Home")
    await at(timeline, 1)


@pytest.mark.long
async def test_a_bridge_that_cannot_look_back_is_not_asked_to(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boonbridge.tables.hub.FEATURES", tuple(each for each in FEATURES if each != "replay"))
    await play(stage)
    player = await stage.page()
    await expect(player.locator("[data-part=card]").first).to_be_visible()
    assert await player.get_by_test_id("look-back").count() == 0
    assert await player.locator("[data-part=moment]").count() == 0
