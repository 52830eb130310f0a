import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { NoAnswer } from "../../foundry-module/scripts/client/asker.mjs";
import { FakeSocket, settle, welcome } from "./support/stage.mjs";
import { liveClient, makeClient, soFar } from "./support/client.mjs";

/** A client that is live at a bridge with these features. */
async function able(...features) {
  const stage = makeClient();
  stage.client.start();
  const socket = FakeSocket.last;
  socket.open();
  socket.say(welcome(5, { features }));
  socket.say({ t: "caughtUp", head: 5 });
  await settle();
  return { ...stage, socket };
}

const END = { t: "EndSession" };

describe("what a command would come to", () => {
  test("is asked for without doing it", async () => {
    const { client, socket } = await able("foresee");
    const asked = client.foresee(END);
    const [frame] = socket.of("foresee");
    assert.deepEqual(frame.cmd, END);
    assert.equal(socket.of("do").length, 0);
    socket.say({ t: "foreseen", id: frame.id, seen: 5, events: [{ t: "SessionEnded", session: 1 }] });
    assert.deepEqual((await asked).events, [{ t: "SessionEnded", session: 1 }]);
  });

  test("or why it would be refused", async () => {
    const { client, socket } = await able("foresee");
    const asked = client.foresee(END);
    socket.say({ t: "refused", id: socket.of("foresee")[0].id, code: "session.none", message: "No evening runs." });
    const answer = await asked;
    assert.ok(answer instanceof NoAnswer);
    assert.equal(answer.code, "session.none");
  });

  test("an older bridge is not asked", async () => {
    const { client, socket } = await liveClient();
    const answer = await soFar(client.foresee(END));
    assert.equal(answer.code, "unsupported");
    assert.equal(socket.of("foresee").length, 0);
  });

  test("nor one that is not there yet", async () => {
    const { client } = makeClient();
    assert.equal((await soFar(client.foresee(END))).code, "away");
  });
});

describe("who has a request before his eyes", () => {
  test("is said once a connection, and to a bridge that knows what it means", async () => {
    const { client, socket } = await able("requests");
    client.saw("12");
    client.saw("12");
    client.saw("13");
    assert.deepEqual(socket.of("saw").map(({ request }) => request), ["12", "13"]);
    const older = await liveClient();
    older.client.saw("12");
    assert.equal(older.socket.of("saw").length, 0);
  });

  test("is heard by a GM's page and kept while the table is", async () => {
    const { client, socket } = await able("requests");
    const heard = [];
    client.on("seen", ({ request, user }) => heard.push([request, user]));
    socket.say({ t: "seenBy", request: "12", user: "u2" });
    socket.say({ t: "seenBy", request: "12", user: "u3" });
    socket.say({ t: "seenBy", request: "12", user: "u2" });
    assert.deepEqual(client.seenBy("12"), ["u2", "u3"]);
    assert.deepEqual(client.seenBy("13"), []);
    assert.equal(heard.length, 3);
  });
});
