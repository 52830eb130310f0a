"""Hidden rolls that leaked elsewhere, each after its id, in Foundry with dice that fall: what reaches which page, and how.

A page is searched whole: every frame of both of its websockets, the document with its attributes, the messages, what the browser
keeps, and the dice that fell. What the bridge's own connections are told is in ``tests/net`` and ``tests/leaks``.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.foundry.hidden import ACTION, PLANTED, Viewer, boon_for, of_hundred, roll, shown
from tests.foundry.stage import Evening, cards, live
from tests.foundry.test_between_the_dice import whisper
from tests.foundry.test_requests import ask, asked, request_card
from tests.foundry_stage.server import Module
from tests.support.leaks import found

NOSY = """
globalThis.nosy = [];
for (const name of ["preCreateChatMessage", "createChatMessage", "renderChatMessageHTML", "diceSoNiceRollStart"]) {
  Hooks.on(name, (message, html) => {
    nosy.push(name, JSON.stringify(message?.toObject?.() ?? message), html?.outerHTML ?? JSON.stringify(html?.roll ?? null));
  });
}
"""
D20, STRENGTH = 13, 2
FACES = {"public": 71, "gm": 73, "blind": 77, "secret": 79, "self": 83}
READERS = {  # of a roll by Mo: the table of protocol section 4
    "public": {"Mo", "Kim", "Gamemaster"},
    "gm": {"Mo", "Gamemaster"},
    "blind": {"Gamemaster"},
    "secret": {"Gamemaster"},
    "self": {"Mo"},
}


def newest(page: Page) -> Locator:
    """The card of the last request in chat."""
    return page.locator(".chat-log [data-kind=request]").last


def row(page: Page, evening: Evening, name: str) -> Locator:
    """Somebody's row on it."""
    return newest(page).locator(f"[data-part=asked][data-actor='Actor.{evening.ids[name]}']")


async def test_t34_t36_i43_i51_i52_i55_i56_i57_i58_every_mode_on_every_page_live_and_after_a_reload(evening: Evening) -> None:
    await evening.open(options={"dice": 30})
    await evening.bridge.as_gm(of_hundred())
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    people = [Viewer(evening, name, page) for name, page in (("Gamemaster", gm), ("Mo", player), ("Kim", other))]
    totals = {mode: D20 + face + STRENGTH for mode, face in FACES.items()}
    planted = (*FACES.values(), *totals.values())
    for person in people:
        assert await person.knows((PLANTED, ACTION), planted) == set(), "nobody knows a word of it before"
    for mode, face in FACES.items():
        evening.bridge.tape.lay(D20, face)
        await roll(player, mode=mode, params={"attribute": "strength", "tn": 47})
        for person in people:
            if person.name in READERS[mode]:
                await person.sees_fall(face)
                await shown(person.page, face, int(mode != "secret"))
    await expect(player.locator(".boonbridge-message", has_text="The GM knows the result")).to_have_count(1)

    for way in ("live", "after a reload"):
        for person in people:
            reads = {mode for mode, names in READERS.items() if person.name in names}
            numbers = {FACES[mode] for mode in reads} | {totals[mode] for mode in reads}
            assert await person.knows((), planted) == numbers, (way, person.name)
            for mode, face in FACES.items():
                fell = way == "live" and mode in reads
                assert await person.fallen(face) == int(fell), (way, person.name, mode)
                await shown(person.page, face, int(mode in reads and mode != "secret"))
            secrets = await person.reads_no_secret()
            # The search is not blind: what he read he may check, so he was told those seeds.
            parts = {part for _, part in secrets}
            assert "all" in parts
            assert ("roller_gm" in parts, "gm" in parts, "roller" in parts) == {
                "Gamemaster": (True, True, False),
                "Mo": (True, False, True),
                "Kim": (False, False, False),
            }[person.name]
            person.forget()
            await person.page.reload()
            await live(person.page)
            await person.page.evaluate("game.modules.get('boonbridge').api.log()")
            log = person.page.get_by_test_id("log")
            for mode, face in FACES.items():
                await expect(log.locator(f"[data-face='{face}']")).to_have_count(int(mode in reads))
            await person.page.locator("#boonbridge-log [data-action=close]").click()
    # All of them but the secret one left a message; hidden ones hold nothing, for their author neither.
    assert len(evening.messages()) == 4
    assert sum(PLANTED in str(message) for message in evening.messages()) == 1
    await expect(cards(other)).to_have_count(1)


async def test_i44_i45_i46_i47_i50_a_request_that_only_gms_read_the_answers_of(evening: Evening) -> None:
    await evening.open(options={"dice": 30})
    gm, player = await evening.gm(), await evening.player("Mo")
    await evening.bridge.as_gm(of_hundred(), boon_for(evening, "Mira"))
    second = await evening.page("Second")
    await live(second)
    roller = Viewer(evening, "Mo", player)
    gms = [Viewer(evening, "Gamemaster", gm), Viewer(evening, "Second", second)]
    face, total, difficulty = 77, 77 + D20 + STRENGTH, 43
    check = {"check": "attribute", "params": {"attribute": "strength", "tn": difficulty}}
    # I-50: his own browser would show it to everybody.
    assert await player.evaluate("game.settings.get('core', game.release.generation >= 14 ? 'messageMode' : 'rollMode')") in (
        "public",
        "publicroll",
    )

    # I-46: he is asked, knows what for, and clicks. He sees neither dice nor total, and no difficulty.
    window = await ask(
        gm,
        {"actors": [evening.ids["Mira"]], "checks": [check], "action": ACTION, "mode": "blind", "shown": False},
    )
    await window.get_by_test_id("request-ask").click()
    await expect(request_card(player)).to_contain_text(ACTION)
    await expect(request_card(player)).to_contain_text("Strength")
    await request_card(player).locator("[data-part=answer]").click()
    panel = player.get_by_test_id("answer-panel")
    await expect(panel).to_contain_text("Strength")
    await expect(panel.get_by_test_id("preview-row")).to_be_visible()
    roller.forget()
    evening.bridge.tape.lay(D20, face)
    await panel.get_by_test_id("roll").click()
    await expect(panel).to_have_count(0)
    await expect(asked(player, evening, "Mira")).to_contain_text("has rolled")
    await expect(player.locator(".boonbridge-message", has_text="The GM knows the result")).to_have_count(1)
    # I-45: dice fall once for each GM, who has one card of it; I-43, I-44: none fall for the player, whose page has no number.
    for person in gms:
        await person.sees_fall(face)
        await shown(person.page, face)
        assert await person.fallen(face) == 1
        await expect(asked(person.page, evening, "Mira").locator("[data-total]")).to_have_attribute("data-total", str(total))
    assert await player.evaluate("game.dice3d._stageAnimations.length") == 0
    assert await roller.knows((), (face, total, difficulty)) == set()
    for telling in ("data-face", "data-total", "data-outcome", "data-tone"):
        await expect(player.locator(f".chat-message [{telling}]")).to_have_count(0)
    request, answer = evening.messages()
    for message in (request, answer):
        assert message["rolls"] == []
        assert not {str(face), str(total), str(difficulty)} & set(re.findall(r"\d+", message["content"]))

    # I-47: a request in secret reaches him in no way.
    roller.forget()
    from_foundry = len(evening.foundry.sent_to(evening.ids["Mo"]))
    window = await ask(gm, {"actors": [evening.ids["Mira"]], "checks": [check], "action": "Wvuts-action", "mode": "secret"})
    await window.get_by_test_id("request-ask").click()
    await expect(window).to_have_count(0)
    await gm.evaluate("game.modules.get('boonbridge').api.table()")
    waiting = gm.get_by_test_id("table-window").get_by_test_id("open-request")
    await expect(waiting).to_contain_text("Wvuts-action")
    evening.bridge.tape.lay(D20, 79)
    await waiting.get_by_test_id("roll-missing").click()
    await expect(waiting).to_have_count(0)
    # What everybody is told comes after it, so everything that he was to hear before has come.
    evening.bridge.tape.lay(11)
    await roll(gm, sources=[], action="the last word", params={"tn": 10})
    await expect(cards(player).filter(has_text="the last word")).to_have_count(1)
    bridge = [frame for frame in map(json.loads, evening.heard["Mo"]) if "seq" in frame]
    assert [frame["t"] for frame in bridge] == ["hidden", "hidden", "logged"]
    assert all(set(frame) == {"t", "seq", "hash", "seedHash"} for frame in bridge[:2])
    assert await roller.knows(("Wvuts-action",), (difficulty, 79)) == set()
    (spoken,) = evening.messages()[2:]
    news = evening.foundry.sent_to(evening.ids["Mo"])[from_foundry:]
    assert news
    assert all(spoken["_id"] in frame for frame in news), "Foundry told him of the last word, and of nothing else"


@pytest.mark.long  # five worlds
async def test_i49_nothing_hangs_on_which_module_is_there_comes_late_or_is_first(evening: Evening, tmp_path: Path) -> None:
    await evening.open(options={"dice": 30})
    await evening.bridge.as_gm(of_hundred())
    # Another module that reads every message and every throw before ours does anything with it.
    (tmp_path / "nosy" / "scripts").mkdir(parents=True)
    (tmp_path / "nosy" / "scripts" / "nosy.mjs").write_text(NOSY, "utf-8")
    nosy = Module(tmp_path / "nosy", {"id": "a-nosy-one", "title": "Nosy", "esmodules": ["scripts/nosy.mjs"]})
    evening.foundry.modules = {nosy.id: nosy, **evening.foundry.modules}
    await evening.gm()
    player = Viewer(evening, "Mo", await evening.player("Mo"))
    # And a page on which ours is not: its scripts are empty there.
    context = await evening.browser.new_context()
    await context.add_cookies([{"name": "session", "value": evening.foundry.login(evening.ids["Kim"]), "url": evening.place}])
    await context.route("**/modules/boonbridge/scripts/**", lambda route: route.fulfill(body="", content_type="text/javascript"))
    other = Viewer(evening, "Kim", await evening.tab(context, "Kim"))
    assert await other.page.locator("#boonbridge-state").count() == 0

    for mode in ("blind", "gm", "secret", "self", "public"):
        evening.bridge.tape.lay(D20, FACES[mode])
        await roll(player.page, mode=mode, params={"attribute": "strength", "tn": 47})
    await player.sees_fall(FACES["public"])
    # What is for everybody is there without us, too.
    await other.page.locator(".chat-message", has_text=PLANTED).wait_for()
    planted = {face: D20 + face + STRENGTH for face in FACES.values()}
    for person in (player, other):
        reads = {mode for mode, names in READERS.items() if person.name in names}
        told = await person.page.evaluate("nosy.join('\\n')")
        numbers = {number for mode in reads for number in (FACES[mode], planted[FACES[mode]])}
        assert found(told, (), (*planted, *planted.values())) == numbers, person.name
        assert await person.knows((), (*planted, *planted.values())) == numbers, person.name

    # It comes late: what it finds then is no more than that.
    await context.unroute_all()
    other.forget()
    await other.page.reload()
    await live(other.page)
    await shown(other.page, FACES["public"])
    assert await other.knows((), (*planted, *planted.values())) == {FACES["public"], planted[FACES["public"]]}


async def test_i48_i53_i60_each_row_has_its_own_readers_and_whoever_has_to_act_sees_that(evening: Evening) -> None:
    await evening.open()
    gm, player = await evening.gm(), await evening.player("Mo")
    await evening.bridge.as_gm(of_hundred(), boon_for(evening, "Mira"), boon_for(evening, "Ogre"))
    person = Viewer(evening, "Mo", player)
    # I-53: what the GM rolls is for himself, in his whole browser; what the player has to do about it is there all the same.
    await whisper(gm, "self")
    evening.bridge.tape.lay(19)
    await roll(gm, mode="self", sources=[], action="lunges", params={"tn": 10})
    await shown(gm, 19)
    await expect(cards(player)).to_have_count(0)
    ends = {}
    for number, (name, face) in enumerate((("the ogre wins", 97), ("the ogre loses", 41)), start=1):
        window = await ask(
            gm,
            {
                "actors": [evening.ids[actor] for actor in ("Mira", "Ogre")],
                "checks": [{"check": "attribute", "params": {"attribute": "strength", "tn": 47}}],
                "action": "wrestling",
                "group": "opposed",
            },
        )
        await window.get_by_test_id("request-ask").click()
        await expect(window).to_have_count(0)
        await expect(newest(player).locator("[data-part=answer]")).to_have_count(1)

        # I-48: the GM rolls for the ogre to the GMs, the player for Mira before everybody.
        await newest(gm).locator(f"[data-part=roll-one][data-actor='Actor.{evening.ids['Ogre']}']").click()
        panel = gm.get_by_test_id("answer-panel")
        await panel.get_by_test_id("mode").select_option("gm")
        evening.bridge.tape.lay(D20, face)
        await panel.get_by_test_id("roll").click()
        await expect(panel).to_have_count(0)
        await newest(player).locator("[data-part=answer]").click()
        panel = player.get_by_test_id("answer-panel")
        await expect(panel.get_by_test_id("chance")).to_be_visible()
        evening.bridge.tape.lay(D20, 62)
        await panel.get_by_test_id("roll").click()
        await expect(panel).to_have_count(0)
        for page in (gm, player):
            await expect(row(page, evening, "Mira").locator("[data-total='77']")).to_have_count(1)
            await expect(newest(page)).to_have_attribute("data-open", "false")
        await expect(row(gm, evening, "Ogre").locator(f"[data-total='{face + D20 + STRENGTH}']")).to_have_count(1)
        await expect(newest(gm).locator("[data-part=group-why]")).to_contain_text("Ogre" if face == 97 else "Mira")
        await expect(row(player, evening, "Ogre")).to_contain_text("has rolled")

        # I-60: pointing at it tells no more, nor does anything that is not seen; so the page is the same whoever won.
        await row(player, evening, "Ogre").hover()
        assert await person.knows((), (face, face + D20 + STRENGTH)) == set()
        html = await row(player, evening, "Ogre").evaluate("one => one.outerHTML")
        assert not re.search(r"title|aria-label|tooltip|data-(?:tone|outcome|total|part=.row-verdict)|<svg", html)
        await expect(newest(player).locator("[data-part=group-why], [data-part=verdict]")).to_have_count(0)
        log = await player.locator(".chat-log").first.evaluate(
            "(log, ids) => [...log.querySelectorAll('.chat-message')].filter((one) => !ids.includes(one.dataset.messageId))"
            ".map((one) => one.outerHTML).join('\\n')",
            [message["_id"] for message in evening.messages()[: 1 + 3 * (number - 1)]],
        )
        ids = [message["_id"] for message in evening.messages()]
        ends[name] = re.sub(r"\d+", "0", re.sub("|".join(ids), "ID", log))
        assert len(evening.messages()) == 1 + 3 * number
    first, second = ends.values()
    assert "wrestling" in first
    assert first == second


@pytest.mark.long  # over sockets alone in both directions: tests/net/test_hardening_complaints.py
async def test_t35_i50_i54_of_two_places_that_say_how_openly_the_stricter_counts(evening: Evening) -> None:
    await evening.open(options={"dice": 30})
    gm, player, other = await evening.gm(), await evening.player("Mo"), await evening.player("Kim")
    await evening.bridge.as_gm(of_hundred(), boon_for(evening, "Mira"))
    people = [Viewer(evening, name, page) for name, page in (("Gamemaster", gm), ("Mo", player), ("Kim", other))]
    check = {"check": "attribute", "params": {"attribute": "strength", "tn": 47}}
    # How the chat of the player is set, how openly the GM asks, and what comes of it.
    for chat, asks, mode, face in (
        ("blind", "public", "blind", 71),
        ("public", "blind", "blind", 73),
        ("gm", "public", "gm", 79),
    ):
        await whisper(player, chat)
        window = await ask(gm, {"actors": [evening.ids["Mira"]], "checks": [check], "action": f"{chat} {asks}", "mode": asks})
        await window.get_by_test_id("request-ask").click()
        await expect(window).to_have_count(0)
        await expect(newest(player)).to_contain_text(f"{chat} {asks}")
        await newest(player).locator("[data-part=answer]").click()
        panel = player.get_by_test_id("answer-panel")
        await expect(panel.get_by_test_id("mode")).to_have_value(mode)
        await expect(panel.get_by_test_id("chance")).to_be_visible()
        evening.bridge.tape.lay(D20, face)
        await panel.get_by_test_id("roll").click()
        await expect(panel).to_have_count(0)
        await shown(gm, face)
        for person in people:
            reads = person.name in READERS[mode]
            if reads:
                await person.sees_fall(face)
            assert await person.knows((), (face, D20 + face + STRENGTH)) == ({face, D20 + face + STRENGTH} if reads else set())
            assert await person.fallen(face) == int(reads)
