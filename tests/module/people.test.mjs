/** People: what is asked for and how often, links with codes, codes as pictures, times in words, and what the log says of it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { linesOf } from "../../foundry-module/scripts/cards/lines.mjs";
import { codeIn, invitation } from "../../foundry-module/scripts/client/address.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { pathOf } from "../../foundry-module/scripts/forms/qr.mjs";
import { RosterWatch } from "../../foundry-module/scripts/forms/roster-watch.mjs";
import { agoWords, countdown, leftWords } from "../../foundry-module/scripts/forms/time-words.mjs";
import { liveClient, soFar } from "./support/client.mjs";
import { logged, settle, welcome } from "./support/stage.mjs";

const dictionary = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));
const words = new Words(dictionaryLookup(dictionary));
const golden = (name) => JSON.parse(readFileSync(new URL(`../../schemas/golden/v1/${name}.json`, import.meta.url), "utf8"));
const able = { features: ["people"] };

/** A client at a bridge that knows people. */
async function ableClient() {
  const stage = await liveClient(5);
  stage.socket.say(welcome(5, able));
  stage.socket.say({ t: "caughtUp", head: 5 });
  await settle();
  return stage;
}

const asked = (socket, kind) => socket.of(kind);

describe("what is asked for", () => {
  test("a code comes back to who asked for it", async () => {
    const { client, socket } = await ableClient();
    const made = client.makeCode({ kind: "link", name: "Asha", role: "observer", hours: 24, page: "http://table/" });
    const [frame] = asked(socket, "makeCode");
    const { id: _id, ...wish } = frame;
    assert.deepEqual(wish, { t: "makeCode", kind: "link", name: "Asha", role: "observer", hours: 24, page: "http://table/" });
    const answer = { ...golden("server/codeMade"), id: frame.id };
    socket.say(answer);
    assert.deepEqual(await soFar(made), answer);
  });

  test("a list, and a code taken back", async () => {
    const { client, socket } = await ableClient();
    for (const [question, kind] of [[client.roster(), "people"], [client.dropCode("c0ffee11"), "dropCode"]]) {
      const roster = { ...golden("server/roster"), id: asked(socket, kind)[0].id };
      socket.say(roster);
      assert.deepEqual(await soFar(question), roster);
    }
  });

  test("no older bridge, and what was refused is a reason", async () => {
    const older = await liveClient(5);
    assert.equal((await soFar(older.client.roster())).code, "unsupported");
    assert.deepEqual(asked(older.socket, "people"), []);
    const { client, socket } = await ableClient();
    const made = client.makeCode({ kind: "typed", user: "u1" });
    socket.say({ t: "refused", id: asked(socket, "makeCode")[0].id, code: "code.limit", message: "No." });
    assert.equal((await soFar(made)).code, "code.limit");
  });
});

describe("the list of people", () => {
  /** A GM's list that is looked at, with its first answer. */
  async function watched() {
    const { client, clock, socket } = await ableClient();
    let drawn = 0;
    const watch = new RosterWatch({ client, isGm: true }, () => { drawn += 1; }, clock);
    const answer = async () => {
      socket.say({ ...golden("server/roster"), id: asked(socket, "people").at(-1).id });
      await settle();
    };
    watch.start();
    await settle();
    await answer();
    return { watch, clock, socket, answer, drawn: () => drawn, count: () => asked(socket, "people").length };
  }

  test("is asked for once for many changes at once", async () => {
    const { watch, clock, socket, answer, count, drawn } = await watched();
    assert.equal(watch.roster.people[0].name, "Jonas");
    for (const online of [true, false, true]) socket.say({ t: "presence", users: [{ id: "u1", name: "Jonas", role: "player", online }] });
    socket.say(logged(6, [{ t: "RoleSet", user: "u1", role: "observer" }]));
    assert.equal(count(), 1);
    await clock.pass(500);
    assert.equal(count(), 2);
    await answer();
    assert.equal(drawn(), 2);
  });

  test("is not asked for because of a roll, but once in a while", async () => {
    const { clock, socket, count } = await watched();
    socket.say(logged(6, [{ t: "RoundEnded", round: 1 }]));
    await clock.pass(5_000);
    assert.equal(count(), 1);
    await clock.pass(30_000);
    assert.equal(count(), 2);
  });

  test("is not asked for when nobody looks", async () => {
    const { watch, clock, socket, count } = await watched();
    watch.stop();
    socket.say({ t: "presence", users: [] });
    await clock.pass(60_000);
    assert.equal(count(), 1);
  });

  test("follows a code that was made here", async () => {
    const { clock, socket, count } = await watched();
    socket.say({ ...golden("server/codeMade"), id: "anybody" });
    await clock.pass(500);
    assert.equal(count(), 2);
  });
});

test("a link with a code is read whole, and nothing else is taken for one", () => {
  assert.deepEqual(invitation(" https://dice.example/b/#code=K7QM2XRWPB4TN9VCHJ5D "), { page: "https://dice.example/b/", code: "K7QM2XRWPB4TN9VCHJ5D" });
  assert.deepEqual(invitation("http://10.0.0.2:30300/#code=K7QM-2XRW"), { page: "http://10.0.0.2:30300/", code: "K7QM-2XRW" });
  for (const text of ["K7QM-2XRW", "localhost:30300", "https://dice.example/", "https://dice.example/#token=a.b.c", "ftp://dice.example/#code=K7QM2XRW", "https://dice.example/?code=K7QM2XRW"]) {
    assert.equal(invitation(text), null, text);
  }
  assert.equal(codeIn("#code=<b>"), null);
  assert.equal(codeIn(`#code=${"A".repeat(21)}`), null);
});

test("a picture keeps four light modules around it", () => {
  assert.equal(pathOf(["110", "001"]), "M4 4h2v1h-2zM6 5h1v1h-1z");
});

test("times are said as people say them", () => {
  const minute = 60_000;
  const at = 1_000_000_000_000;
  const ago = [[0, "just now"], [59_000, "just now"], [minute, "1 minute ago"], [125 * minute, "2 hours ago"], [3 * 1440 * minute, "3 days ago"], [-5 * minute, "just now"]];
  for (const [ms, said] of ago) assert.equal(agoWords(words, at, at + ms), said);
  const left = [[1440 * minute - 2_000, "good for 1 day"], [90 * minute, "good for 1 hour"], [20_000, "good for less than a minute"], [0, "too old"]];
  for (const [ms, said] of left) assert.equal(leftWords(words, at + ms, at), said);
  assert.deepEqual([600_000, 61_000, 500, -3].map(countdown), ["10:00", "1:01", "0:01", "0:00"]);
});

test("the log says who was let in as what, turned away and forgotten", () => {
  const context = { words, personName: (id) => ({ g: "Gina", u: "Mo" })[id], actorName: () => undefined };
  const said = (event) => linesOf(context, event, "g").map(({ key, values }) => words.say(key, values));
  assert.deepEqual(said({ t: "RoleSet", user: "u", role: "observer" }), ["Gina made Mo an observer."]);
  assert.deepEqual(said({ t: "AccessRevoked", user: "u" }), ["Gina took Mo's access back."]);
  assert.deepEqual(said({ t: "AccessRevoked", user: "u", device: "d-1" }), ["Gina took back the access of a device of Mo."]);
  assert.deepEqual(said({ t: "NameErased", user: "u-unknown" }), ["Gina had the name of u-unknown forgotten."]);
  assert.deepEqual(said({ t: "OriginRemoved", origin: "http://a" }), ["Gina: pages of http://a may not connect any more."]);
});
