/** How pages in Foundry come to their tokens: a GM's page hands them out, a player's page asks. See handover.mjs. */

import { NoAnswer } from "../client/asker.mjs";
import { link } from "./link.mjs";
import { Asking, answerTo, readRequest } from "./handover.mjs";
import { nameFor } from "./actors.mjs";
import { on } from "./compat.mjs";
import { ID, keepOwn, own, worldTable } from "./settings.mjs";

const CHANNEL = `module.${ID}`;
const AGAIN_MS = 10_000;
const APART_MS = 1_000;
/** As often as a page asks anew because its token was refused. */
const MOST_ANEW = 2;
const REFUSED_TOKENS = new Set([4401, 4402, 4403, 4404]);
const REVOKED = 4403;

const asking = new Asking();
/** @type {Map<string, number>} when somebody was answered last */
const answered = new Map();
/** @type {Map<string, number>} when somebody who asks too often is answered next */
const soon = new Map();
/** @type {Map<string, import("./handover.mjs").TokenRequest>} people a GM has to decide about */
export const waitingPeople = new Map();
let anew = 0;
/** Whether this person's access was taken back: he waits for a GM's word, and is told so. */
let turnedAway = false;
/** What this person was at the table when he was last connected. */
let lastRole = "";
let timer = 0;
/** @type {() => void} */
let tellWaiting = () => {};

/** Before anybody is ready: a player's page may be quicker than the GM's. */
export function listen() {
  game.socket?.on(CHANNEL, (/** @type {unknown} */ data, /** @type {string} */ senderId) => {
    void take(data, senderId);
  });
}

/** @param {() => void} told somebody waits for a GM's word */
export function startJoining(told) {
  tellWaiting = told;
  on("userConnected", (user, connected) => {
    if (connected === true && user?.isGM === true) ask();
  });
  link.on("refused", ({ code }) => {
    if (code === REVOKED) turnedAway = true;
    if (!REFUSED_TOKENS.has(code) || anew >= MOST_ANEW) return;
    anew += 1;
    if (game.user?.isGM && otherGm() === undefined) return; // a new code helps; the window says so
    void keepOwn({ token: undefined }).then(() => {
      link.leave();
      ask();
    });
  });
  link.on("state", ({ state }) => {
    if (state !== "live") return;
    anew = 0;
    turnedAway = false;
    const now = link.client?.welcome?.role ?? "";
    if (lastRole !== "" && now !== "" && lastRole !== now) ui.notifications?.info(link.words.say(`people.nowRole.${now}`));
    lastRole = now;
    // Whoever came before this page was ready asks again.
    if (link.isGm) game.socket?.emit(CHANNEL, { type: "ready" });
  });
  ask();
}

/** The world's table is another one now. */
export function tableChanged() {
  const table = worldTable();
  if (table === null) return;
  if (link.client?.welcome && link.client.welcome.table !== table.id && !game.user?.isGM) {
    void keepOwn({ token: undefined, seen: undefined }).then(() => {
      link.leave();
      ask();
    });
  } else if (own().token === undefined) ask();
  else if (link.now.state === "idle" || link.now.state === "unreachable" || link.now.state === "other") link.start();
}

/** @returns {any} a GM who is here and is not this person */
function otherGm() {
  const users = [...(game.users ?? [])].filter((user) => user.isGM && user.active && user.id !== game.user?.id);
  const active = game.users?.activeGM;
  return users.find((user) => user.id === active?.id) ?? users[0];
}

/** Ask a GM's page for a token, now and as long as none comes. */
export function ask() {
  window.clearTimeout(timer);
  if (own().token !== undefined || worldTable() === null) return;
  link.say({ state: "waiting", why: turnedAway ? "revoked" : otherGm() === undefined ? "noGm" : undefined });
  const gm = otherGm();
  if (gm !== undefined) game.socket?.emit(CHANNEL, asking.request(location.origin), { recipients: [gm.id] });
  timer = window.setTimeout(ask, AGAIN_MS);
}

/**
 * @param {unknown} data what it says of its sender counts nothing
 * @param {string} senderId as Foundry's server knows him
 */
async function take(data, senderId) {
  const sender = game.users?.get(senderId);
  if (sender === undefined || sender === null) return;
  const request = readRequest(data);
  if (request !== null) {
    await grant(request, sender, false);
    return;
  }
  const answer = asking.read(data, { id: senderId, name: sender.name, isGM: sender.isGM });
  if (answer !== null) {
    const table = worldTable();
    if (table !== null && table.id !== answer.table) return;
    window.clearTimeout(timer);
    await keepOwn({ token: answer.token });
    link.join(answer.token, [...answer.addresses, ...(table?.addresses ?? [])]);
  } else if (sender.isGM && Reflect.get(Object(data), "type") === "ready" && link.now.state === "waiting") ask();
}

/**
 * @param {import("./handover.mjs").TokenRequest} request
 * @param {any} sender
 * @param {boolean} allowed by a GM's own click
 */
async function grant(request, sender, allowed) {
  const { client } = link;
  if (!link.isGm || client?.welcome == null || !game.user?.isGM) return;
  const now = Date.now();
  window.clearTimeout(soon.get(sender.id));
  if (!allowed && now - (answered.get(sender.id) ?? 0) < APART_MS) {
    soon.set(sender.id, window.setTimeout(() => void grant(request, sender, false), APART_MS));
    return;
  }
  answered.set(sender.id, now);
  // Who was turned away a moment ago may ask before this page has heard of it, so the bridge is asked.
  const roster = await client.roster();
  if (roster instanceof NoAnswer) return; // it asks again by itself
  const known = roster.people.find(({ id }) => id === sender.id);
  if (!allowed && known?.gone === true) {
    waitingPeople.set(sender.id, request);
    tellWaiting();
    return;
  }
  // What somebody is at this table already he is not made anew by coming with another browser.
  const role = known?.role ?? (sender.isGM ? "gm" : "player");
  // Without a device: each browser gets one of its own, so that its token can be taken back by itself.
  const outcome = await client.send({ t: "Invite", user: sender.id, name: nameFor(sender.name), role, origin: request.origin }).done;
  if (!outcome.ok || outcome.minted === undefined) return;
  const { id: table, addresses } = worldTable() ?? { id: client.welcome.table, addresses: [] };
  const answer = answerTo(request, { token: outcome.minted.token, table, addresses });
  game.socket?.emit(CHANNEL, answer, { recipients: [sender.id] });
}

/** A GM lets somebody in whose access was taken back. @param {string} user */
export async function letIn(user) {
  const request = waitingPeople.get(user);
  const sender = game.users?.get(user);
  waitingPeople.delete(user);
  if (request !== undefined && sender) await grant(request, sender, true);
}
