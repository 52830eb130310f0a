import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FakeSocket, hash, logged, settle, welcome } from "./support/stage.mjs";
import { ROLL, liveClient, makeClient, resume, soFar } from "./support/client.mjs";

const words = (news) => news.connection.map(({ state }) => state);

describe("a line to the bridge", () => {
  test("is live only after the bridge said who one is and everything has come (I-113)", async () => {
    const { client, news } = makeClient();
    client.start();
    const socket = FakeSocket.last;
    assert.equal(socket.protocols, "boonbridge.v1");
    socket.open();
    assert.deepEqual(socket.sent[0], { t: "hello", token: "a.b.c", client: { name: "test", version: "0", kind: "page" } });
    socket.say(welcome(3));
    assert.equal(client.connection.state, "resuming");
    socket.say({ t: "caughtUp", head: 3 });
    await settle();
    assert.deepEqual(words(news), ["connecting", "resuming", "live"]);
    assert.deepEqual(client.position, { epoch: 1, seq: 3, hash: hash(3) });
  });

  test("comes back by itself, later and later, and names the next try", async () => {
    const { client, clock, socket } = await liveClient();
    socket.breakOff();
    const waits = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const { state, retryAt } = client.connection;
      assert.equal(state, "away");
      waits.push(retryAt - clock.now());
      await clock.pass(retryAt - clock.now());
      FakeSocket.last.breakOff();
    }
    assert.ok(waits[0] <= 500 && waits[0] >= 250, `first wait ${waits[0]}`);
    assert.ok(waits[7] > 7000 && waits[7] <= 15000, `last wait ${waits[7]}`);
    assert.ok(new Set(waits).size > 4, "waits are jittered");
  });

  test("resumes where it stands: last seq and hash in hello, nothing dropped", async () => {
    const { client, clock, socket, news } = await liveClient(5);
    socket.say(logged(6));
    socket.breakOff();
    await clock.pass(600);
    const again = FakeSocket.last;
    again.open();
    assert.deepEqual(again.sent[0].last, { epoch: 1, seq: 6, hash: hash(6) });
    await resume(8, 6, [logged(7, [], { catchup: true }), { t: "hidden", seq: 8, hash: hash(8), seedHash: hash(1) }]);
    assert.deepEqual(news.commit.map(({ seq }) => seq), [6, 7, 8]);
    assert.equal(client.connection.state, "live");
    assert.equal(client.entry("actor/a1").name, "Mira");
  });

  test("a seq that is not the next one opens a new line at once (I-61)", async () => {
    const { client, socket, news } = await liveClient(5);
    socket.say(logged(8));
    assert.equal(socket.closed, true);
    assert.notEqual(FakeSocket.last, socket);
    FakeSocket.last.open();
    assert.equal(FakeSocket.last.sent[0].last.seq, 5);
    await resume(8, 5, [logged(6), logged(7), logged(8)]);
    assert.deepEqual(news.commit.map(({ seq }) => seq), [6, 7, 8]);
    assert.equal(client.position.seq, 8);
  });

  test("a gap that stays does not become a storm of connections", async () => {
    const { client, clock } = await liveClient(5);
    FakeSocket.last.say(logged(9));
    for (let n = 0; n < 3; n += 1) {
      FakeSocket.last.open();
      FakeSocket.last.say(welcome(9, { from: 5, reset: null }));
      FakeSocket.last.say(logged(9));
    }
    assert.equal(client.connection.state, "away");
    await clock.pass(100);
    assert.equal(FakeSocket.all.length, 2);
  });

  test("a commit that came already is not shown twice (I-65)", async () => {
    const { socket, news } = await liveClient(5);
    socket.say(logged(6));
    socket.say(logged(6));
    assert.equal(news.commit.length, 1);
  });

  test("a reset drops everything that was held", async () => {
    const { client, clock, socket } = await liveClient(5);
    socket.breakOff();
    await clock.pass(600);
    FakeSocket.last.open();
    FakeSocket.last.say(welcome(2, { epoch: 2, reset: "epoch" }));
    FakeSocket.last.say({ t: "state", entries: [{ key: "actor/a2", value: { id: "a2" } }] });
    FakeSocket.last.say({ t: "caughtUp", head: 2 });
    await settle();
    assert.equal(client.entry("actor/a1"), undefined);
    assert.equal(client.entry("actor/a2").id, "a2");
    assert.deepEqual(client.position, { epoch: 2, seq: 2, hash: hash(2) });
    assert.deepEqual(client.commits, []);
  });

  test("a bridge that goes on from elsewhere makes the client begin anew", async () => {
    const { clock, socket } = await liveClient(5);
    socket.breakOff();
    await clock.pass(600);
    FakeSocket.last.open();
    FakeSocket.last.say(welcome(9, { from: 3, reset: null }));
    await clock.pass(2000);
    FakeSocket.last.open();
    assert.equal(FakeSocket.last.sent[0].last, undefined);
  });

  for (const code of [1008, 4401, 4402, 4403, 4404]) {
    test(`close code ${code} is final and says why`, async () => {
      const { client, clock, socket } = await liveClient();
      socket.breakOff(code, "because");
      assert.deepEqual([client.connection.state, client.connection.code, client.connection.reason], ["refused", code, "because"]);
      await clock.pass(120_000);
      assert.equal(FakeSocket.all.length, 1);
    });
  }

  test("4408 (too far behind) connects again at once", async () => {
    const { client, clock, socket } = await liveClient();
    socket.say({ t: "bye", code: 4408, reason: "Too far behind." });
    socket.breakOff(4408, "Too far behind.");
    assert.equal(client.connection.code, 4408);
    await clock.pass(0);
    assert.equal(FakeSocket.all.length, 2);
  });

  test("a bye says how long to wait", async () => {
    const { client, clock, socket } = await liveClient();
    socket.say({ t: "bye", code: 1001, reason: "shutting down", retryAfterMs: 4000 });
    socket.breakOff(1001);
    assert.equal(client.connection.retryAt - clock.now(), 4000);
  });

  test("after sleep a line that does not answer within 3 s is left (I-62, I-72)", async () => {
    const { client, clock, socket } = await liveClient();
    client.test();
    assert.equal(socket.of("history").length, 1);
    await clock.pass(2900);
    assert.equal(FakeSocket.all.length, 1);
    await clock.pass(200);
    assert.equal(socket.closed, true);
    assert.equal(FakeSocket.all.length, 2);
  });

  test("a line that answers anything stays", async () => {
    const { client, clock, socket } = await liveClient();
    client.test();
    socket.say({ t: "presence", users: [] });
    await clock.pass(10_000);
    assert.equal(FakeSocket.all.length, 1);
  });

  test("coming back to a page whose line is down tries at once", async () => {
    const { client, clock, socket } = await liveClient();
    socket.breakOff();
    await clock.pass(400);
    FakeSocket.last.breakOff();
    const before = FakeSocket.all.length;
    client.test();
    assert.equal(FakeSocket.all.length, before + 1);
  });

  test("a handshake that never ends is given up", async () => {
    const { client, clock } = makeClient();
    client.start();
    await clock.pass(12_500);
    assert.ok(FakeSocket.all.length > 1 || client.connection.state === "away");
  });

  test("noise is ignored: no JSON, no object, unknown kinds", async () => {
    const { client, socket } = await liveClient();
    for (const noise of ["{", "null", "[]", "5", JSON.stringify({ t: "later" })]) socket.say(noise);
    socket.onmessage({ data: new Uint8Array(3) });
    assert.equal(client.connection.state, "live");
  });

  test("stop is final", async () => {
    const { client, clock } = await liveClient();
    client.stop();
    await clock.pass(60_000);
    assert.equal(FakeSocket.all.length, 1);
    assert.equal(client.connection.state, "stopped");
    assert.equal((await soFar(client.send(ROLL).done)).code, "away");
  });
});

describe("what is remembered of the bridge's log", () => {
  const recall = (position) => ({ recall: (table) => (table === "toy" ? position : null) });

  test("a shorter log is told", async () => {
    const { news } = await liveClient(5, recall({ epoch: 1, seq: 9, hash: hash(9) }));
    assert.deepEqual(news.memory, [{ what: "behind", remembered: { epoch: 1, seq: 9, hash: hash(9) }, head: 5 }]);
  });

  test("another commit at that place is told", async () => {
    const { news } = await liveClient(5, recall({ epoch: 1, seq: 5, hash: hash(77) }));
    assert.equal(news.memory[0].what, "other");
  });

  test("another commit at that place is told when its page comes", async () => {
    const { client, socket, news } = await liveClient(5, recall({ epoch: 1, seq: 4, hash: hash(77) }));
    assert.deepEqual(news.memory, []);
    const older = client.history.older(10);
    socket.say({ t: "page", id: socket.of("history")[0].id, commits: [logged(3), logged(4), logged(5)], more: false });
    assert.equal((await older).commits.length, 3);
    assert.equal(news.memory[0].what, "other");
  });

  test("a log begun anew is told; the same log is not", async () => {
    assert.equal((await liveClient(5, recall({ epoch: 3, seq: 2, hash: hash(2) }))).news.memory[0].what, "restored");
    assert.deepEqual((await liveClient(5, recall({ epoch: 1, seq: 5, hash: hash(5) }))).news.memory, []);
    assert.deepEqual((await liveClient(5, recall(null))).news.memory, []);
  });

  test("a bridge that comes back with less is told, without reloading the page", async () => {
    const { clock, socket, news } = await liveClient(5);
    socket.say(logged(6));
    socket.breakOff();
    await clock.pass(600);
    FakeSocket.last.open();
    FakeSocket.last.say(welcome(4, { reset: "ahead" }));
    assert.deepEqual(news.memory.map(({ what, head }) => [what, head]), [["behind", 4]]);
  });
});
