import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { isBlocked, ownSocketUrl, socketUrl } from "../../foundry-module/scripts/client/address.mjs";
import { Asker, NoAnswer } from "../../foundry-module/scripts/client/asker.mjs";
import { Emitter } from "../../foundry-module/scripts/client/emitter.mjs";
import { Entries } from "../../foundry-module/scripts/client/entries.mjs";
import { newId } from "../../foundry-module/scripts/client/ids.mjs";
import { Ledger } from "../../foundry-module/scripts/client/ledger.mjs";
import { own } from "../../foundry-module/scripts/client/own.mjs";
import { pair } from "../../foundry-module/scripts/client/pairing.mjs";
import { renewableFrom } from "../../foundry-module/scripts/client/token.mjs";
import { TableModel } from "../../foundry-module/scripts/forms/model.mjs";
import { FakeClock, FakeSocket, countingBytes, hash, logged, settle, welcome } from "./support/stage.mjs";
import { liveClient, soFar } from "./support/client.mjs";

describe("which websocket (T-43, I-105 to I-111)", () => {
  const https = { protocol: "https:" };
  const http = { protocol: "http:" };
  for (const [address, page, url] of [
    ["localhost:30123", https, "ws://localhost:30123/ws"],
    ["127.0.0.1:30123", https, "ws://127.0.0.1:30123/ws"],
    ["[::1]:30123", https, "ws://[::1]:30123/ws"],
    ["dice.example.org", https, "wss://dice.example.org/ws"],
    ["192.168.1.20:30123", https, "wss://192.168.1.20:30123/ws"],
    ["localhost:30123", http, "ws://localhost:30123/ws"],
    ["dice.example.org", http, "ws://dice.example.org/ws"],
    ["wss://dice.example.org/boon/socket", http, "wss://dice.example.org/boon/socket"],
    ["ws://192.168.1.20:30123/ws", https, "ws://192.168.1.20:30123/ws"],
    ["wss://dice.example.org", http, "wss://dice.example.org/ws"],
    ["https://dice.example.org/boon/", http, "wss://dice.example.org/boon/ws"],
    ["http://192.168.1.20:30123", https, "ws://192.168.1.20:30123/ws"],
    ["  dice.example.org/boon  ", https, "wss://dice.example.org/boon/ws"],
    ["", https, null],
    ["ftp://dice.example.org", https, null],
    ["http://", https, null],
    ["user:secret@dice.example.org", https, null],
    ["not an address", https, null],
  ]) {
    test(`${page.protocol} page, ${address || "nothing"}`, () => assert.equal(socketUrl(address, page), url));
  }

  test("what a browser would block is known before trying", () => {
    assert.equal(isBlocked("ws://192.168.1.20:30123/ws", https), true);
    assert.equal(isBlocked("ws://localhost:30123/ws", https), false);
    assert.equal(isBlocked("ws://192.168.1.20:30123/ws", http), false);
    assert.equal(isBlocked("wss://dice.example.org/ws", https), false);
  });

  test("the table page finds the socket beside itself", () => {
    assert.equal(ownSocketUrl("http://127.0.0.1:7000/#token=x"), "ws://127.0.0.1:7000/ws");
    assert.equal(ownSocketUrl("https://dice.example.org/boon/?x=1"), "wss://dice.example.org/boon/ws");
  });
});

describe("the state as given", () => {
  test("a name like __proto__ or constructor is a key like any other", () => {
    const entries = new Entries();
    const wire = JSON.parse('[{"key":"__proto__","value":{"polluted":true}},{"key":"constructor","value":{"x":1}},{"key":"actor/__proto__","value":{"id":"__proto__"}}]');
    entries.take(wire);
    assert.equal({}.polluted, undefined);
    assert.deepEqual(entries.get("__proto__"), { polluted: true });
    assert.equal(entries.get("toString"), undefined);
    assert.deepEqual(entries.under("actor/"), [{ id: "__proto__" }]);
    entries.take([{ key: "__proto__", value: null }]);
    assert.equal(entries.get("__proto__"), undefined);
  });

  test("fields of a record are its own only", () => {
    const record = JSON.parse('{"__proto__":{"x":1},"a":2}');
    assert.equal(own(record, "a"), 2);
    assert.equal(own(record, "constructor"), undefined);
    assert.deepEqual(own(record, "__proto__"), { x: 1 });
    assert.equal(own(null, "a"), undefined);
  });

  test("changes of a commit are taken over before it is shown", async () => {
    const { client, socket } = await liveClient(5);
    let name;
    client.on("commit", () => {
      name = client.entry("actor/a1").name;
    });
    socket.say(logged(6, [], { changes: [{ key: "actor/a1", value: { id: "a1", name: "Teo" } }] }));
    assert.equal(name, "Teo");
    socket.say(logged(7, [], { changes: [{ key: "actor/a1", value: null }] }));
    assert.equal(client.entry("actor/a1"), undefined);
  });
});

describe("the log that is held", () => {
  test("is bounded, the oldest goes first", () => {
    const ledger = new Ledger(10);
    ledger.reset(welcome(0));
    for (let seq = 1; seq <= 25; seq += 1) assert.equal(ledger.add(logged(seq)), "next");
    assert.deepEqual(ledger.commits.map(({ seq }) => seq), [16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
    assert.equal(ledger.oldest, 16);
  });

  test("older pages go before what is held, each commit once", () => {
    const ledger = new Ledger(6);
    ledger.reset(welcome(10));
    ledger.add(logged(11));
    assert.deepEqual(ledger.prepend([logged(8), logged(9), logged(10), logged(11)]).map(({ seq }) => seq), [8, 9, 10]);
    assert.deepEqual(ledger.commits.map(({ seq }) => seq), [8, 9, 10, 11]);
    assert.deepEqual(ledger.prepend([logged(4), logged(5), logged(6), logged(7)]).map(({ seq }) => seq), [6, 7]);
    assert.deepEqual(ledger.prepend([logged(3)]), []);
  });

  test("keeps what was promised before the roll, and the first word stands", () => {
    const ledger = new Ledger();
    ledger.reset(welcome(3));
    assert.equal(ledger.promised(4), hash(0xa004));
    assert.equal(ledger.promised(3), undefined, "what was there before is no promise");
    ledger.add(logged(4));
    assert.equal(ledger.promised(68), hash(0xa044));
    ledger.promise(4, [hash(1)]);
    assert.equal(ledger.promised(5), hash(0xa005));
  });

  test("a ladder that begins anew brings its own promises and its epoch", () => {
    const ledger = new Ledger();
    ledger.reset(welcome(3));
    const seedHashes = Array.from({ length: 64 }, (_, index) => hash(0xb000 + index));
    ledger.add(logged(4, [{ t: "LadderRestarted", epoch: 2, reason: "restore", seedHashes }]));
    assert.equal(ledger.position.epoch, 2);
    assert.equal(ledger.promised(5), hash(0xb000));
  });
});

describe("questions", () => {
  const stage = () => {
    const clock = new FakeClock();
    const sent = [];
    const line = { live: true };
    const asker = new Asker({ clock, newId: () => newId(countingBytes()) + sent.length, isLive: () => line.live, send: (frame) => sent.push(frame) > 0 });
    return { clock, sent, line, asker };
  };

  test("get their own answer", async () => {
    const { asker, sent } = stage();
    const answers = [asker.ask({ t: "proof", seq: 1 }), asker.ask({ t: "proof", seq: 2 })];
    asker.take({ t: "proven", id: sent[1].id, seq: 2 });
    asker.take({ t: "proven", id: sent[0].id, seq: 1 });
    assert.deepEqual((await Promise.all(answers)).map(({ seq }) => seq), [1, 2]);
    assert.equal(asker.take({ t: "proven", id: "unknown" }), false);
  });

  test("end with the line, or after 10 s", async () => {
    const { asker, clock, line } = stage();
    const lost = asker.ask({ t: "history" });
    asker.disconnected();
    await assert.rejects(lost, (why) => why instanceof NoAnswer && why.code === "away");
    const silent = asker.ask({ t: "history" });
    silent.catch(() => {});
    await clock.pass(10_000);
    await assert.rejects(silent, { code: "unanswered" });
    line.live = false;
    await assert.rejects(asker.ask({ t: "history" }), { code: "away" });
  });

  test("wait when the bridge asks for it", async () => {
    const { asker, clock, sent } = stage();
    const answer = asker.ask({ t: "history" });
    asker.take({ t: "refused", id: sent[0].id, code: "rate.limited", message: "", retryAfterMs: 300 });
    await clock.pass(300);
    assert.equal(sent.length, 2);
    asker.take({ t: "page", id: sent[0].id });
    assert.equal((await answer).t, "page");
  });

  test("of a preview the last one wins, a moment after the last change", async () => {
    const { client, clock, socket } = await liveClient();
    const shown = [];
    const previewer = client.previewer((answer, check) => shown.push([answer.t ?? answer.code, check.action]));
    for (const action of ["c", "cl", "cli"]) previewer.want({ t: "RollCheck", check: "toy", action });
    await clock.pass(150);
    assert.deepEqual(socket.of("preview").map(({ check }) => check.action), ["cli"]);
    previewer.want({ t: "RollCheck", check: "toy", action: "climb" });
    await clock.pass(150);
    const [first, second] = socket.of("preview");
    socket.say({ t: "previewed", id: second.id, seen: 5, rows: [] });
    socket.say({ t: "previewed", id: first.id, seen: 5, rows: [] });
    await settle();
    assert.deepEqual(shown, [["previewed", "climb"]]);
    previewer.want({ t: "RollCheck", check: "toy", action: "x" });
    await clock.pass(150);
    socket.say({ t: "refused", id: socket.of("preview")[2].id, code: "roll.target_needed", message: "" });
    await settle();
    assert.deepEqual(shown.at(-1), ["roll.target_needed", "x"]);
  });

  test("an older page is asked for before the oldest that is held", async () => {
    const { client, socket } = await liveClient(5);
    const older = client.history.older(3);
    assert.equal(socket.of("history")[0].before, 6);
    socket.say({ t: "page", id: socket.of("history")[0].id, commits: [logged(3), logged(4), logged(5)], more: true });
    assert.deepEqual((await older).more, true);
    void client.history.older(3);
    assert.equal(socket.of("history")[1].before, 3);
  });
});

describe("a token", () => {
  const token = (claims) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;

  test("is renewed from half of its life on", () => {
    assert.equal(renewableFrom(token({ iat: 100, exp: 300 }), 300_000), 200_000);
  });

  test("that cannot be read is renewed 15 days before its end", () => {
    for (const odd of ["", "a.b.c", "a.%%%.c", token(null), token({ iat: "x" })]) {
      assert.equal(renewableFrom(odd, 10 ** 12), 10 ** 12 - 15 * 24 * 3600 * 1000);
    }
  });

  test("is asked for and handed to the owner", async () => {
    const { client, clock, socket } = await liveClient(5, { token: token({ iat: 100, exp: 2000 }) });
    assert.equal(socket.of("renew").length, 0);
    const got = [];
    client.on("token", (minted) => got.push(minted.token));
    client.welcome = { ...client.welcome, expiresAt: 2_000_000 };
    await clock.pass(3600 * 1000);
    const [renew] = socket.of("renew");
    socket.say({ t: "minted", id: renew.id, token: "n.e.w", table: "toy", user: "u1", role: "player", expiresAt: 9_000_000 });
    await settle();
    assert.deepEqual(got, ["n.e.w"]);
    socket.breakOff();
    await clock.pass(600);
    FakeSocket.last.open();
    assert.equal(FakeSocket.last.sent[0].token, "n.e.w");
  });
});

describe("pairing", () => {
  const parts = () => {
    FakeSocket.all = [];
    return { url: "ws://bridge/ws", WebSocket: FakeSocket, clock: new FakeClock(), random: countingBytes(), info: { name: "t", version: "0", kind: "page" } };
  };

  test("gives a token for a code", async () => {
    const paired = pair(parts(), "ABCD", "Anna");
    FakeSocket.last.open();
    const [frame] = FakeSocket.last.sent;
    assert.deepEqual([frame.t, frame.code, frame.name], ["pair", "ABCD", "Anna"]);
    FakeSocket.last.say({ t: "paired", id: frame.id, token: "a.b.c", table: "toy", user: "u1", role: "gm", expiresAt: 1 });
    assert.equal((await paired).token, "a.b.c");
    assert.equal(FakeSocket.last.closed, true);
  });

  test("says what is wrong with a code", async () => {
    const paired = pair(parts(), "ABCD", "Anna");
    paired.catch(() => {});
    FakeSocket.last.open();
    FakeSocket.last.say({ t: "refused", id: FakeSocket.last.sent[0].id, code: "auth.code_wrong", message: "" });
    await assert.rejects(paired, { code: "auth.code_wrong" });
  });

  test("asks once more under the same id when the line breaks", async () => {
    const paired = pair(parts(), "ABCD", "Anna");
    FakeSocket.last.open();
    FakeSocket.last.breakOff();
    await settle();
    const [first, second] = FakeSocket.all;
    second.open();
    assert.equal(second.sent[0].id, first.sent[0].id);
    second.say({ t: "paired", id: second.sent[0].id, token: "a.b.c" });
    assert.equal((await paired).token, "a.b.c");
  });

  test("passes a close code on", async () => {
    const paired = pair(parts(), "ABCD", "Anna");
    paired.catch(() => {});
    FakeSocket.last.open();
    FakeSocket.last.breakOff(4404);
    await assert.rejects(paired, { code: "close.4404" });
  });
});

test("ids are 128 bits and more, in the alphabet of the wire", () => {
  const ids = new Set(Array.from({ length: 200 }, () => newId()));
  assert.equal(ids.size, 200);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{22}$/);
});

test("a listener that fails keeps the news from nobody", (context) => {
  context.mock.method(console, "error", () => {});
  const news = new Emitter();
  const heard = [];
  news.on("x", () => {
    throw new Error("no");
  });
  const stop = news.on("x", (value) => heard.push(value));
  news.emit("x", 1);
  stop();
  news.emit("x", 2);
  assert.deepEqual(heard, [1]);
  assert.equal(console.error.mock.callCount(), 2);
});

test("presence is kept by id", async () => {
  const { client, socket, news } = await liveClient();
  socket.say({ t: "presence", users: [{ id: "u1", name: "Anna", role: "player", online: true }] });
  assert.equal(client.person("u1").name, "Anna");
  assert.equal(client.person("constructor"), undefined);
  assert.equal(news.presence.length, 1);
  assert.equal(await soFar(Promise.resolve(1)), 1);
});

test("a player's own choice is what is open on an actor, however many rulings wait", () => {
  const check = (/** @type {string} */ id, /** @type {object[]} */ choices, actor = "hero") => ({ check: id, actor, choices });
  const ruling = { id: "danger", who: "gm" };
  const open = [
    check("1.1", [ruling]),
    check("2.1", [{ id: "spend", who: "roller", enabled: false }, ruling]),
    check("3.1", [{ id: "accept", who: "roller" }], "friend"),
    check("4.1", [{ id: "accept", who: "roller" }]),
  ];
  const of = (/** @type {object[]} */ those) =>
    new TableModel(/** @type {any} */ ({ entriesUnder: () => those }), /** @type {any} */ (null)).pendingOf("hero")?.check;
  assert.equal(of(open), "4.1");
  assert.equal(of(open.slice(0, 3)), "1.1");
  assert.equal(of(open.slice(2, 3)), undefined);
});
