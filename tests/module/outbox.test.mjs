import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FakeSocket, logged } from "./support/stage.mjs";
import { ROLL, liveClient, makeClient, resume, soFar } from "./support/client.mjs";

async function sent(cmd = ROLL) {
  const stage = await liveClient(5);
  const progress = [];
  const { id, done } = stage.client.send(cmd, (step) => progress.push(step));
  return { ...stage, id, done, progress };
}

/** The bridge is there, but has nothing to say about the click. */
async function silence(clock, socket, seconds) {
  for (let second = 0; second < seconds; second += 1) {
    socket.say({ t: "presence", users: [] });
    await clock.pass(1000);
  }
}

describe("a click", () => {
  test("is sent once, with an id of its own and the last seq seen", async () => {
    const { socket, id, done } = await sent();
    assert.match(id, /^[A-Za-z0-9_-]{22,40}$/);
    assert.deepEqual(socket.of("do"), [{ t: "do", id, seen: 5, cmd: ROLL }]);
    socket.say(logged(6));
    socket.say({ t: "ack", id, seq: 6, changed: true });
    assert.deepEqual(await done, { ok: true, id, seq: 6, changed: true });
  });

  test("is known by its number in the log, whatever the log says", async () => {
    const { socket, client, id } = await sent();
    socket.say({ t: "ack", id: "somebody-elses", seq: 5, changed: true });
    socket.say(logged(6));
    assert.equal(client.sent(6), undefined);
    socket.say({ t: "ack", id, seq: 6, changed: true });
    assert.deepEqual([client.sent(5), client.sent(6)], [undefined, id]);
  });

  test("that changed nothing is no commit", async () => {
    const { socket, client, id } = await sent();
    socket.say({ t: "ack", id, seq: 5, changed: false });
    assert.equal(client.sent(5), undefined);
  });

  test("is not promised anything by what begins once its number is known", async () => {
    const { socket, client, id } = await sent();
    const seedHashes = Array.from({ length: 64 }, () => "c".repeat(64));
    socket.say({ ...logged(6), events: [{ t: "LadderRestarted", epoch: 2, reason: "log_cut", seedHashes }] });
    assert.equal(client.promised(7), "c".repeat(64));
    socket.say({ ...logged(7), id });
    assert.equal(client.promised(7), undefined);
    assert.equal(client.promised(8), "c".repeat(64));
  });

  test("is acknowledged, but its commit never came: the line is opened anew from where it stands", async () => {
    const { socket, id, done, news } = await sent();
    socket.say({ t: "ack", id, seq: 6, changed: true });
    assert.equal((await done).seq, 6);
    assert.equal(socket.closed, true);
    await resume(6, 5, [logged(6)]);
    assert.deepEqual(news.commit.map(({ seq }) => seq), [6]);
  });

  test("two clicks are two ids (I-68)", async () => {
    const { client } = await liveClient();
    assert.notEqual(client.send(ROLL).id, client.send(ROLL).id);
  });

  test("while the bridge is away nothing is sent, and it is said at once", async () => {
    const { client, clock, socket } = await liveClient();
    socket.breakOff();
    const { done } = client.send(ROLL);
    assert.deepEqual((await soFar(done)).code, "away");
    await clock.pass(600);
    const again = await resume(5, 5);
    await clock.pass(40_000);
    assert.deepEqual(again.of("do"), [], "nothing is rolled late by itself");
  });

  test("before the first welcome nothing is sent either", async () => {
    const { client } = makeClient();
    client.start();
    assert.equal((await soFar(client.send(ROLL).done)).code, "away");
  });

  test("unanswered, it shows after 2 s and the line is tested", async () => {
    const { clock, socket, progress } = await sent();
    await clock.pass(1900);
    assert.deepEqual(progress.map(({ phase }) => phase), ["sent"]);
    await clock.pass(200);
    assert.deepEqual(progress.map(({ phase }) => phase), ["sent", "slow"]);
    assert.equal(socket.of("history").length, 1);
  });

  test("is sent again under the same id until 30 s, then withdrawn", async () => {
    const { client, clock, socket, id, done, progress } = await sent();
    await silence(clock, socket, 29);
    const before = socket.of("do");
    assert.ok(before.length >= 4, `${before.length} times`);
    assert.deepEqual([...new Set(before.map((frame) => frame.id))], [id]);
    assert.deepEqual(socket.of("withdraw"), []);
    socket.say({ t: "presence", users: [] });
    await clock.pass(1500);
    assert.equal(progress.at(-1).phase, "withdrawing");
    assert.deepEqual(socket.of("withdraw"), [{ t: "withdraw", id }]);
    socket.say({ t: "refused", id, code: "command.withdrawn", message: "x" });
    assert.equal((await done).code, "command.withdrawn");
    assert.equal(client.unanswered, 0);
    const count = socket.of("do").length;
    await clock.pass(60_000);
    assert.equal(FakeSocket.all.flatMap((each) => each.of("do")).length, count, "nothing is sent after that");
  });

  test("withdrawn, it may turn out to have happened", async () => {
    const { clock, socket, id, done } = await sent();
    await silence(clock, socket, 31);
    socket.say({ t: "ack", id, seq: 4, changed: true });
    const outcome = await done;
    assert.deepEqual([outcome.ok, outcome.late, outcome.seq], [true, true, 4]);
  });

  test("withdrawn, the log itself may say so", async () => {
    const { clock, socket, id, done } = await sent();
    socket.say(logged(6, [{ t: "Withdrawn", command: id }]));
    assert.equal((await done).code, "command.withdrawn");
    await clock.pass(0);
  });

  test("survives a reconnect under the same id (I-72)", async () => {
    const { clock, socket, id, done } = await sent();
    socket.breakOff();
    await clock.pass(600);
    const again = await resume(7, 5, [logged(6), logged(7)]);
    assert.deepEqual(again.of("do"), [{ t: "do", id, seen: 7, cmd: ROLL }]);
    again.say({ t: "ack", id, seq: 6, changed: true });
    assert.equal((await done).seq, 6);
  });

  test("given up while the line is down, it is withdrawn when the line is back", async () => {
    const { clock, socket, id, done, progress } = await sent();
    socket.breakOff();
    for (let tries = 0; tries < 4; tries += 1) {
      await clock.pass(10_000);
      FakeSocket.last.breakOff();
    }
    assert.equal(progress.at(-1).phase, "withdrawing");
    assert.equal(await soFar(done), undefined, "nobody can know yet");
    await clock.pass(15_000);
    const again = await resume(5, 5);
    assert.deepEqual(again.of("do"), []);
    assert.deepEqual(again.of("withdraw"), [{ t: "withdraw", id }]);
    again.say({ t: "refused", id, code: "command.withdrawn", message: "" });
    assert.equal((await done).ok, false);
  });

  for (const code of ["rate.limited", "busy"]) {
    test(`"${code}" waits as long as the bridge says and sends the same again`, async () => {
      const { clock, socket, id, done, progress } = await sent();
      socket.say({ t: "refused", id, code, message: "", retryAfterMs: 700 });
      assert.deepEqual(progress.at(-1), { phase: "waiting", ms: 700 });
      await clock.pass(699);
      assert.equal(socket.of("do").length, 1);
      await clock.pass(1);
      assert.deepEqual(socket.of("do").map((frame) => frame.id), [id, id]);
      socket.say({ t: "ack", id, seq: 6, changed: true });
      assert.equal((await done).ok, true);
    });
  }

  test("\"dice.stale\" sends the same again with the new seq", async () => {
    const { clock, socket, id, done } = await sent();
    for (let seq = 6; seq < 75; seq += 1) socket.say(logged(seq));
    socket.say({ t: "refused", id, code: "dice.stale", message: "" });
    await clock.pass(300);
    assert.deepEqual(socket.of("do").map((frame) => [frame.id, frame.seen]), [[id, 5], [id, 74]]);
    socket.say({ t: "ack", id, seq: 75, changed: true });
    assert.equal((await done).seq, 75);
  });

  test("any other refusal is final and keeps its values", async () => {
    const { clock, socket, id, done } = await sent();
    socket.say({ t: "refused", id, code: "actor.unknown", message: "m", values: { actor: "a1" } });
    assert.deepEqual(await done, { ok: false, id, code: "actor.unknown", message: "m", values: { actor: "a1" } });
    await clock.pass(60_000);
    assert.equal(socket.of("do").length, 1);
  });

  test("more than fits into a frame is not sent", async () => {
    const { socket, done } = await sent({ ...ROLL, action: "x".repeat(20_000) });
    assert.equal((await done).code, "frame.too_large");
    assert.deepEqual(socket.of("do"), []);
  });

  test("an invitation waits for its token, in either order", async () => {
    const cmd = { t: "Invite", user: "u2", name: "Bo" };
    const minted = (id) => ({ t: "minted", id, token: "x.y.z", table: "toy", user: "u2", role: "player", expiresAt: 1 });
    const first = await sent(cmd);
    first.socket.say(logged(6));
    first.socket.say(minted(first.id));
    first.socket.say({ t: "ack", id: first.id, seq: 6, changed: true });
    assert.equal((await first.done).minted.token, "x.y.z");
    const second = await sent(cmd);
    second.socket.say(logged(6));
    second.socket.say({ t: "ack", id: second.id, seq: 6, changed: true });
    assert.equal(await soFar(second.done), undefined);
    second.socket.say(minted(second.id));
    const outcome = await second.done;
    assert.deepEqual([outcome.minted.token, outcome.seq], ["x.y.z", 6]);
  });
});
