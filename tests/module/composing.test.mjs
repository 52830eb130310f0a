import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { attemptOf } from "../../foundry-module/scripts/forms/underway-told.mjs";
import { FakeSocket, settle, welcome } from "./support/stage.mjs";
import { liveClient, makeClient } from "./support/client.mjs";

const CLIMB = { actor: "a1", check: "toy", action: "climb" };
const SWIM = { ...CLIMB, action: "swim" };
const LIMITS = { frameIn: 16384, composingSeconds: 60 };

async function able() {
  const stage = makeClient();
  stage.client.start();
  const socket = FakeSocket.last;
  socket.open();
  socket.say(welcome(5, { features: ["composing"], limits: LIMITS }));
  socket.say({ t: "caughtUp", head: 5 });
  await settle();
  return { ...stage, socket, said: () => FakeSocket.last.of("composing").map(({ on }) => on) };
}

describe("what somebody is putting together", () => {
  test("is said once he pauses, and not letter by letter", async () => {
    const { client, clock, said } = await able();
    const form = {};
    for (const action of ["c", "cl", "cli", "climb"]) {
      client.compose(form, { ...CLIMB, action }, true);
      await clock.pass(200);
    }
    assert.deepEqual(said(), []);
    await clock.pass(500);
    assert.deepEqual(said(), [CLIMB]);
  });

  test("that it is over is said at once, and only where something was said", async () => {
    const { client, clock, said } = await able();
    const form = {};
    client.compose(form, null);
    client.compose(form, CLIMB);
    client.compose(form, null);
    await clock.pass(5_000);
    assert.deepEqual(said(), []);
    client.compose(form, CLIMB);
    await clock.pass(1_000);
    client.compose(form, null);
    assert.deepEqual(said(), [CLIMB, null]);
  });

  test("is said again before the bridge forgets it, and not for ever", async () => {
    const { client, clock, said } = await able();
    client.compose({}, CLIMB);
    await clock.pass(100_000);
    assert.deepEqual(said(), [CLIMB, CLIMB, CLIMB, CLIMB]);
    await clock.pass(600_000);
    assert.equal(said().at(-1), null);
    assert.ok(said().length < 10);
  });

  test("whoever touches it again is at it again", async () => {
    const { client, clock, said } = await able();
    const form = {};
    client.compose(form, CLIMB);
    await clock.pass(600_000);
    client.compose(form, CLIMB, true);
    await clock.pass(1_000);
    assert.deepEqual(said().slice(-2), [null, CLIMB]);
  });

  test("of two forms the one that was touched last, and the other when that is closed", async () => {
    const { client, clock, said } = await able();
    const [one, other] = [{}, {}];
    client.compose(one, CLIMB);
    client.compose(other, SWIM);
    await clock.pass(1_000);
    client.compose(other, null);
    await clock.pass(1_000);
    assert.deepEqual(said(), [SWIM, CLIMB]);
  });

  test("after a break it is said anew, and what the others were at is asked for by nobody", async () => {
    const { client, clock, socket, said } = await able();
    client.compose({}, CLIMB);
    await clock.pass(1_000);
    socket.say({ t: "underway", user: "u2", on: SWIM });
    assert.deepEqual(client.underway, [{ user: "u2", on: SWIM }]);
    socket.breakOff();
    await clock.pass(20_000);
    const again = FakeSocket.last;
    assert.notEqual(again, socket);
    again.open();
    again.say(welcome(5, { from: 5, reset: null, features: ["composing"], limits: LIMITS }));
    again.say({ t: "caughtUp", head: 5 });
    await clock.pass(1_000);
    assert.deepEqual(said(), [CLIMB]);
    assert.deepEqual(client.underway, [], "whoever is still at it is told with the table");
  });

  test("an older bridge hears nothing of it", async () => {
    const { client, clock, socket } = await liveClient();
    client.compose({}, CLIMB);
    await clock.pass(1_000);
    assert.equal(socket.of("composing").length, 0);
  });
});

test("what the others are at is kept until it is over", async () => {
  const { client, socket } = await able();
  const heard = [];
  client.on("underway", ({ user }) => heard.push(user));
  socket.say({ t: "underway", user: "u2", on: CLIMB });
  socket.say({ t: "underway", user: "u3", on: SWIM });
  socket.say({ t: "underway", user: "u2", on: null });
  assert.deepEqual(client.underway, [{ user: "u3", on: SWIM }]);
  assert.deepEqual(heard, ["u2", "u3", "u2"]);
});

describe("what of it the others hear", () => {
  const SPEC = { key: "toy", label: "Toy", params: [] };
  const mira = { id: "a1", name: "Mira", side: "party", owners: ["u1"] };
  const ogre = { id: "o1", name: "Ogre", side: "opposition", owners: [] };
  const table = (role, online = false) => ({
    isGm: role === "gm",
    client: { person: (id) => ({ id, online: online && id === "u1" }) },
    welcome: { user: "u1", role },
    actor: (id) => [mira, ogre].find((each) => each.id === id),
    owns: (actor) => actor.owners.includes("u1"),
  });
  const of = (role, more) => attemptOf(table(role), { actor: mira, spec: SPEC, action: " climb ", mode: "public", ...more });

  test("one's own public roll, by its words", () => {
    assert.deepEqual(of("player", {}), CLIMB);
    assert.deepEqual(of("gm", {}), CLIMB);
  });

  test("a GM speaks for whoever is away, and for nobody who is here", () => {
    assert.equal(attemptOf(table("gm", true), { actor: mira, spec: SPEC, action: "climb", mode: "public" }), null);
  });

  for (const mode of ["gm", "blind", "secret", "self"]) {
    test(`nothing of a roll that is ${mode}`, () => {
      assert.equal(of("player", { mode }), null);
      assert.equal(of("gm", { mode }), null);
    });
  }

  test("nothing of the other side, of several, of nobody, of whom the table does not know", () => {
    assert.equal(of("gm", { actor: ogre }), null);
    assert.equal(of("player", { actor: ogre }), null);
    assert.equal(of("player", { actor: null }), null);
    assert.equal(of("player", { actor: { ...mira, id: "a1.token.t" } }), null);
    assert.equal(of("player", { spec: undefined }), null);
    assert.equal(of("observer", {}), null);
  });
});
