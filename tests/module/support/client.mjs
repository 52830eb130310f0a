/** A client at a fake bridge, live or about to be. */

import { BridgeClient } from "../../../foundry-module/scripts/client/bridge-client.mjs";
import { FakeClock, FakeSocket, countingBytes, settle, welcome } from "./stage.mjs";

export function makeClient(more = {}) {
  FakeSocket.all = [];
  const clock = new FakeClock();
  const client = new BridgeClient({
    url: "ws://bridge/ws",
    token: "a.b.c",
    info: { name: "test", version: "0", kind: "page" },
    WebSocket: FakeSocket,
    clock,
    random: countingBytes(),
    ...more,
  });
  const news = { connection: [], commit: [], entries: [], memory: [], presence: [] };
  for (const name of Object.keys(news)) client.on(name, (value) => news[name].push(value));
  return { client, clock, news };
}

export async function liveClient(head = 5, more = {}) {
  const stage = makeClient(more);
  stage.client.start();
  const socket = FakeSocket.last;
  socket.open();
  socket.say(welcome(head));
  socket.say({ t: "state", entries: [{ key: "actor/a1", value: { id: "a1", name: "Mira", side: "party", owners: ["u1"] } }] });
  socket.say({ t: "caughtUp", head });
  await settle();
  return { ...stage, socket };
}

/** The next connection of a client, resumed up to `head`. */
export async function resume(head, from, frames = []) {
  const socket = FakeSocket.last;
  socket.open();
  socket.say(welcome(head, { from, reset: null }));
  for (const frame of frames) socket.say(frame);
  socket.say({ t: "caughtUp", head });
  await settle();
  return socket;
}

export const ROLL = { t: "RollCheck", check: "toy", actors: ["a1"] };

/** What a promise came to so far; undefined while it is open. */
export async function soFar(promise) {
  let value;
  promise.then((outcome) => {
    value = outcome;
  });
  await settle();
  return value;
}
