/** Looking back without a page: what is asked of the bridge and when that ends, what a moment knows and what it does not. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { NoAnswer } from "../../foundry-module/scripts/client/asker.mjs";
import { GIVEN_UP, Replay } from "../../foundry-module/scripts/client/replay.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { laterOf } from "../../foundry-module/scripts/forms/timeline-later.mjs";
import { TimelineLog, namedIn } from "../../foundry-module/scripts/forms/timeline-log.mjs";
import { optionsOf } from "../../foundry-module/scripts/forms/timeline-marks.mjs";
import { liveClient } from "./support/client.mjs";
import { settle } from "./support/stage.mjs";

const golden = (name) => JSON.parse(readFileSync(new URL(`../../schemas/golden/v1/${name}.json`, import.meta.url), "utf8"));
const dictionary = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));

const logged = (seq, events = []) => ({ t: "logged", seq, at: seq * 1000, hash: "", seedHash: "", by: "u1", id: "x", events });
const hidden = (seq) => ({ t: "hidden", seq, hash: "", seedHash: "" });
const result = (outcome, total = 5) => ({ dice: [], net: 0, boons: 0, banes: 0, bonus: 0, total, outcome, success: outcome === "success" });
const rolled = (check, more = {}) => ({ t: "CheckRolled", rolled: { check, actor: "a1", name: "Mira", kind: "task", params: {} }, mode: "public", sources: [], result: result("failure"), ...more });
const chosen = (check, more = {}) => ({ t: "Chosen", check, choice: "spend", actor: "a1", result: result("success"), ...more });
const offer = (id, more = {}) => ({ id, label: id, who: "roller", enabled: true, ...more });

/** A log that answers as the bridge does, and counts what it is asked. `byMark`: what fits what is looked for. */
function bridge(commits, { byMark = () => false, scan = 2_000, page = Infinity } = {}) {
  const asked = [];
  const head = commits.length;
  const ask = async (frame) => {
    asked.push(frame);
    const { after, before = head + 1, limit } = frame;
    if (frame.where !== undefined) {
      const found = [];
      let looked = after ?? before;
      const step = after === undefined ? -1 : 1;
      for (let count = 0; count < scan && looked + step >= 1 && looked + step <= head && found.length < limit; count += 1) {
        looked += step;
        if (byMark(commits[looked - 1], frame.where)) found.push(commits[looked - 1]);
      }
      return { t: "page", commits: found.sort((a, b) => a.seq - b.seq), more: step === 1 ? looked < head : looked > 1, marks: [], looked };
    }
    const from = after ?? Math.max(0, before - 1 - limit);
    const all = commits.slice(from, after === undefined ? before - 1 : from + limit);
    return { t: "page", commits: after === undefined ? all.slice(-page) : all.slice(0, page), more: true };
  };
  const client = { position: { seq: head }, commit: () => undefined, replay: new Replay({ ask }) };
  return { client, asked, log: new TimelineLog(client) };
}

describe("the bridge is asked", () => {
  test("with the frames of the protocol, and its answers find their question", async () => {
    const { client, socket } = await liveClient(9);
    const found = client.replay.look({ marks: ["critical"], actor: "kestrel" }, { before: 9 }, 1);
    const { id: where, ...frame } = socket.sent.at(-1);
    assert.deepEqual(frame, { t: "history", before: 9, limit: 1, where: { marks: ["critical"], actor: "kestrel" } });
    socket.say({ ...golden("server/page.where"), id: where });
    const page = await found;
    assert.deepEqual([page.commits.map(({ seq }) => seq), page.marks.get(8), page.looked, page.more], [[8], ["roll", "spent"], 1, true]);
    const state = client.replay.at(8);
    const { id, ...at } = socket.sent.at(-1);
    assert.deepEqual(at, { t: "at", seq: 8 });
    socket.say({ ...golden("server/asOf"), id });
    assert.deepEqual((await state).entries.map(({ key }) => key), ["options"]);
  });

  test("on behind the last key while there is more", async () => {
    const { client, socket } = await liveClient(9);
    const state = client.replay.at(4);
    const say = (key, more) => socket.say({ t: "asOf", id: socket.sent.at(-1).id, seq: 4, at: 7, entries: [{ key, value: {} }], more });
    say("actor/a1", true);
    await settle();
    assert.equal(socket.sent.at(-1).after, "actor/a1");
    say("pool", false);
    assert.deepEqual(await state, { seq: 4, at: 7, entries: [{ key: "actor/a1", value: {} }, { key: "pool", value: {} }] });
  });

  test("on and on for what is far away, and no more once it is given up", async () => {
    const far = Array.from({ length: 9_000 }, (_, index) => logged(index + 1));
    const { client, asked } = bridge(far, { byMark: ({ seq }) => seq === 500 });
    const told = [];
    assert.equal((await client.replay.nearest({ marks: ["critical"] }, { before: 9_001 }, { tell: (seq) => told.push(seq) })).seq, 500);
    assert.deepEqual(told, [7_001, 5_001, 3_001, 1_001]);
    assert.deepEqual(asked.map(({ before }) => before), [9_001, 7_001, 5_001, 3_001, 1_001]);
    const giveUp = new AbortController();
    const given = client.replay.nearest({ marks: ["critical"] }, { after: 500 }, { signal: giveUp.signal, tell: () => giveUp.abort() });
    await assert.rejects(given, (why) => why instanceof NoAnswer && why.code === GIVEN_UP);
    assert.equal(asked.length, 6);
    assert.equal(await client.replay.nearest({ marks: ["critical"] }, { after: 500 }), null);
  });

  test("not without end by one that gets nowhere", async () => {
    const replay = new Replay({ ask: async () => ({ commits: [], more: true, marks: [], looked: 7 }) });
    assert.equal(await replay.nearest({}, { after: 7 }), null);
    assert.equal(await replay.nearest({}, { before: 7 }), null);
  });

  test("and a line that breaks ends it", async () => {
    const { client, socket } = await liveClient(9);
    const state = client.replay.at(4);
    socket.breakOff();
    await assert.rejects(state, (why) => why.code === "away");
  });
});

describe("a step", () => {
  const shows = (commit) => commit.t === "logged";
  test("passes over what is for others, however much that is", async () => {
    const { log, asked } = bridge([logged(1), ...Array.from({ length: 160 }, (_, index) => hidden(index + 2)), logged(162)]);
    const told = [];
    await log.read(1);
    assert.equal(await log.next(1, 1, shows, { tell: (seq) => told.push(seq) }), 162);
    const count = asked.length;
    assert.ok(count <= 5, `${count} questions`);
    assert.ok(told.length > 0);
    assert.equal(await log.next(162, -1, shows, {}), 1);
    assert.equal(await log.next(162, 1, shows, {}), null);
    assert.equal(await log.next(1, -1, shows, {}), null);
    assert.equal(asked.length, count, "what was read is not asked for again");
  });

  test("reads on where a page ends early", async () => {
    const { log } = bridge(Array.from({ length: 60 }, (_, index) => (index === 49 ? logged(50) : hidden(index + 1))), { page: 7 });
    assert.equal(await log.next(0, 1, shows, {}), 50);
    assert.equal(await log.next(61, -1, shows, {}), 50);
    assert.equal((await log.read(33)).seq, 33);
    assert.equal(await log.read(61), undefined);
  });
});

describe("a moment", () => {
  const evening = [
    logged(1), logged(2, [rolled("2.1", { choices: [offer("spend"), offer("accept", { enabled: false })] })]), logged(3, [rolled("3.1")]),
    logged(4, [chosen("2.1", { choices: [offer("again")] })]), logged(5, [{ t: "Voided", what: "check/2.1", reason: "", effects: [], left: [] }]), logged(6),
  ];
  test("knows what came before it and nothing of what came later", async () => {
    const { log } = bridge(evening);
    for (const { seq } of evening) await log.read(seq);
    const then = await log.upTo(2);
    assert.equal(then.told("2.1").result.outcome, "failure");
    assert.deepEqual(then.open("2.1").map(({ id }) => id), ["spend"]);
    assert.equal(then.overtaken("2.1"), undefined);
    assert.equal(then.corrections.voidedCheck("2.1"), undefined);
    const decided = await log.upTo(4);
    assert.equal(decided.before("2.1", 5).outcome, "success");
    assert.deepEqual(decided.open("2.1").map(({ id }) => id), ["again"]);
    assert.equal(decided.corrections.voidedCheck("2.1"), undefined);
    assert.equal((await log.upTo(5)).corrections.voidedCheck("2.1").seq, 5);
  });

  test("reads what it speaks of, also from far away", async () => {
    const long = [...evening.slice(0, 3), ...Array.from({ length: 900 }, (_, index) => logged(index + 4)), logged(904, [chosen("2.1")])];
    const { log, asked } = bridge(long);
    await log.read(904);
    assert.equal((await log.upTo(904)).told("2.1").seq, 2);
    assert.ok(asked.length <= 3, `${asked.length} questions`);
  });

  test("is told of what became of it, where it is read and where it has to be looked for", async () => {
    const { log } = bridge(evening);
    await log.read(2);
    await log.learnLater(2);
    assert.deepEqual(laterOf(evening[1], [log.later]), [{ key: "replay.later.decided", seq: 4 }, { key: "replay.later.voided", seq: 5 }]);
    assert.deepEqual(laterOf(evening[3], [log.later]), [{ key: "replay.later.voided", seq: 5 }]);
    assert.deepEqual(laterOf(evening[4], [log.later]), []);
    const corrected = [...evening.slice(0, 3), ...Array.from({ length: 400 }, (_, index) => logged(index + 4)), { ...evening[4], seq: 404 }, ...Array.from({ length: 3_000 }, (_, index) => logged(index + 405))];
    const far = bridge(corrected, { byMark: ({ events }, { marks }) => marks.includes("correction") && events.some(({ t }) => t === "Voided") });
    await far.log.read(2);
    await far.log.learnLater(2);
    assert.deepEqual(laterOf(evening[1], [far.log.later]), [{ key: "replay.later.voided", seq: 404 }]);
    const asked = far.asked.length;
    for (const seq of [3, 2, 4]) await far.log.learnLater(seq);
    assert.equal(far.asked.length, asked, "a step does not look again");
  });

  test("forgets all of it as somebody else", async () => {
    const { log, asked } = bridge(evening);
    await log.read(2);
    log.forget();
    assert.equal(log.held(2), undefined);
    assert.equal(log.later.told("2.1"), undefined);
    await log.read(2);
    assert.equal(asked.length, 2);
  });

  test("finds what it speaks of by the names of ids, and not in what people wrote", () => {
    const spent = { t: "GrantSpent", actor: "a1", grant: "7.2", check: "9.1" };
    const noted = { t: "Granted", grant: { id: "9.1", actor: "a1", source: { id: "1.5", label: "4.4" }, note: "see 3.1" } };
    const answered = { t: "RequestAnswered", request: "6", actor: "a1", check: "9.2" };
    assert.deepEqual(namedIn(logged(9, [spent, noted, answered])), [7, 6]);
    assert.deepEqual(namedIn(logged(9, [{ t: "Voided", what: "condition/8.2" }])), [8]);
    assert.deepEqual(namedIn(hidden(9)), []);
  });
});

test("what can be looked for is called as the game calls it, and only what it knows", () => {
  const outcomes = [{ key: "triumph", label: "Triumph", tone: "critical" }, { key: "success", label: "Success", tone: "success" }];
  const words = new Words(dictionaryLookup(dictionary), { words: { boon: "Edge", bane: "negative chance" } });
  const labels = new Map(optionsOf({ ruleset: { outcomes }, words }).map(({ value, label }) => [value, label]));
  assert.equal(labels.get("critical"), "Triumph");
  assert.equal(labels.has("fumble"), false);
  assert.match(labels.get("spent"), /Edge/);
  assert.equal([...labels.values()].some((label) => /bane|boon/i.test(label)), false);
});
