"""Wrong keys and forged senders that got in elsewhere, each after its id, in Foundry: what a page says, and what comes of it."""

import json
from typing import Any

import pytest
from playwright.async_api import expect

from boonbridge.tables.identity import new_token
from boonbridge_schemas.commands import RevokeAccess
from boonbridge_schemas.events import Invited
from tests.foundry.stage import Evening, live
from tests.support.wait import until

pytestmark = pytest.mark.long  # over sockets alone each of these is among the tests of every day

DAY = 24 * 3_600_000
NONCE = "n" * 22

# Every state that the page's sign ever had, from its first moment on.
_WATCH = """
globalThis.states = [];
new MutationObserver(() => {
  const sign = document.getElementById("boonbridge-state");
  if (sign && states.at(-1) !== sign.dataset.state) states.push(sign.dataset.state);
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
_KEEP = """async (token) => {
  const all = game.settings.get("boonbridge", "own");
  for (const own of Object.values(all)) own.token = token;
  await game.settings.set("boonbridge", "own", all);
}"""


async def token(evening: Evening, user: str, *, table: str = "evening", age: int = 0, role: Any = "gm") -> str:
    """A token for somebody, as old as it should be."""
    running = evening.bridge.running
    now = running.hub.ports.clock.now() - age
    return new_token(
        await running.signing_key(), user=user, name="Somebody", table=table, role=role, now=now, jti=f"{table}{now}"
    )[0]


async def test_t44_i112_i113_with_a_key_that_opens_nothing_no_page_ever_says_that_it_is_live(evening: Evening) -> None:
    await evening.open()
    gm = await evening.gm()
    await live(gm)
    user = "somebody"
    await evening.bridge.running.new_table("other", "Another evening", "sage_d20")
    good = await token(evening, user)
    header, claims, signature = good.split(".")
    wrong = {
        "any key at all": "any key at all",
        "altered": f"{header}.{claims[:-2]}AA.{signature}",
        "expired": await token(evening, user, age=31 * DAY),
        "of another table": await token(evening, user, table="other"),
        "revoked": await token(evening, "somebody-else"),
    }
    await gm.context.add_init_script(_WATCH)
    for name, key in wrong.items():
        if name == "revoked":
            await gm.evaluate(_KEEP, key)
            await gm.reload()
            await live(gm)  # it is good
            await evening.bridge.as_gm(RevokeAccess(user="somebody-else"))
        await gm.evaluate(_KEEP, key)
        await gm.reload()
        await expect(gm.locator("#boonbridge-state")).to_have_attribute("data-state", "refused")
        states = await gm.evaluate("states")
        assert "live" not in states, (name, states)
        sign = gm.locator("#boonbridge-state")
        assert "Live" not in f"{await sign.inner_text()} {await sign.get_attribute('aria-label')}", name
    # With the right one the same page is live: it was the key.
    await gm.evaluate(_KEEP, good)
    await gm.reload()
    await live(gm)
    assert "live" in await gm.evaluate("states")


async def test_i83_i84_a_players_page_with_the_raw_sockets_is_still_a_players(evening: Evening) -> None:
    await evening.open()
    await evening.gm()
    player = await evening.player("Mo")
    await evening.player("Kim")
    before = len(await evening.bridge.log())
    # At the bridge, past the module: what only a GM may do, whoever he says that he is.
    orders = [
        {"t": "SetOptions", "options": {"boon_die": 8}},
        {"t": "EndSession"},
        {"t": "RequestCheck", "checks": [{"check": "attribute", "params": {"attribute": "strength", "tn": 10}}]},
        {"t": "SetRole", "user": evening.ids["Mo"], "role": "gm"},
        {"t": "Invite", "user": evening.ids["Mo"], "name": "Mo", "role": "gm"},
        {"t": "RollCheck", "check": "attribute", "actors": [f"Actor.{evening.ids['Teo']}"], "params": {"attribute": "strength"}},
    ]
    answers = await player.evaluate(
        """async ([orders, address, claim]) => {
          const [{ token }] = Object.values(game.settings.get("boonbridge", "own"));
          const socket = new WebSocket(address, "boonbridge.v1");
          const said = [];
          const heard = (kind) => new Promise((resolve) => socket.addEventListener("message", ({ data }) => {
            const frame = JSON.parse(data);
            if (frame.t === kind) resolve(frame);
          }));
          await new Promise((resolve) => { socket.onopen = resolve; });
          const live = heard("caughtUp");
          socket.send(JSON.stringify({ t: "hello", token, client: { name: "raw", version: "1", kind: "foundry" } }));
          const { head } = await live;
          for (const [nth, cmd] of orders.entries()) {
            const answer = Promise.race([heard("refused"), heard("ack")]);
            socket.send(JSON.stringify({ t: "do", id: `raw-${"x".repeat(20)}-${nth}`, seen: head, cmd }));
            said.push((await answer).code ?? "done");
          }
          const claimed = heard("refused");
          socket.send(JSON.stringify({ t: "do", id: `raw-${"x".repeat(20)}-claim`, seen: head, by: claim, cmd: orders[0] }));
          said.push((await claimed).code);
          socket.close();
          return said;
        }""",
        [orders, evening.bridge.socket, evening.ids["Gamemaster"]],
    )
    assert answers == ["role.forbidden"] * 5 + ["actor.not_yours", "frame.bad"]
    # At Foundry's socket, as if he were the GM: the server names the sender, and that one is answered.
    await player.evaluate(
        """([to, claim, origin, nonce]) => {
          const forge = () => game.socket.emit("module.boonbridge", {
          type: "tokenRequest", nonce, origin, sender: claim, user: claim, isGM: true, role: "gm",
          }, { recipients: [to] });
          globalThis.forging = setInterval(forge, 300);  // one and the same is answered once a second
        }""",
        [evening.ids["Gamemaster"], evening.ids["Gamemaster"], evening.place, NONCE],
    )
    await until(lambda: answers_to(evening, "Mo"))
    await player.evaluate("clearInterval(forging)")
    assert answers_to(evening, "Kim") == answers_to(evening, "Gamemaster") == []
    events = [event for commit in (await evening.bridge.log())[before:] for event in getattr(commit, "events", ())]
    invited = {(event.user, event.role) for event in events if isinstance(event, Invited)}
    assert invited == {(evening.ids["Mo"], "player")}


def answers_to(evening: Evening, user: str) -> list[Any]:
    """What the GM's page answered to the forged question, to whomever."""
    told = [frame for frame in map(json.loads, evening.foundry.sent_to(evening.ids[user])) if frame["t"] == "socket"]
    return [frame["data"] for frame in told if frame["data"]["type"] == "token" and frame["data"]["nonce"] == NONCE]
