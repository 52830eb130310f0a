/**
 * What is drawn on Foundry's map: the result of a public roll above the token that rolled, and a badge with the Boons and
 * Banes of a token. Both say again what stands elsewhere, so nothing is lost where they are switched off or there is no map.
 * The only file that knows how things are drawn there.
 *
 * Badges are elements in Foundry's `#hud`, which follows pan and zoom by itself; there are few of them, and one moves only
 * with its token. Hooks: `#boonbridge-badges`; `data-token`, `data-boons`, `data-banes` of a badge.
 */

/** @import { Tone } from "../cards/shapes.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { MARKS } from "../cards/shapes.mjs";
import { storyOf } from "../cards/story.mjs";
import { verdictOf } from "../cards/verdict.mjs";
import { chosen } from "./actors.mjs";
import { dice3d, on } from "./compat.mjs";
import { link } from "./link.mjs";
import { liesStill, markOf } from "./marks.mjs";
import { publicPart } from "./news.mjs";
import { isOn } from "./switches.mjs";
import { publicView } from "./view.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

const FLOATS_MS = 3_000;
/** A result does not wait longer for its dice to lie still. */
const DICE_MS = 8_000;
/** A badge's letters are a sixth of its token, and on a small map so many pixels at least. */
const BADGE_PART = 6;
const BADGE_LEAST = 16;
/** Bright on Foundry's black outline; the word beside the number says the same. @type {Record<Tone, string>} */
const FILL = { critical: "#ffd75e", success: "#9be39b", plain: "#ffffff", failure: "#ffb59e", worst: "#ff8a80" };

/** Listen to chat, the map and the table. */
export function watchMap() {
  on("createChatMessage", (message) => void float(message));
  for (const hook of ["canvasReady", "renderHeadsUpDisplayContainer"]) on(hook, drawBadges);
  on("canvasTearDown", () => layer(false)?.remove());
  on("refreshToken", (token) => badges.has(token?.id) && place(token));
  for (const hook of ["drawToken", "updateToken"]) on(hook, soon);
  for (const hook of ["destroyToken", "deleteToken"]) on(hook, (token) => forget(token?.id));
  link.on("entries", (keys) => (keys.length === 0 || keys.some((key) => /^(grants|actor)\//.test(key))) && soon());
  link.on("state", soon);
  drawBadges();
}

/** @returns {Loose[]} what stands on the map that this page shows */
const placed = () => (canvas?.ready === true ? [...(/** @type {Loose} */ (canvas).tokens?.placeables ?? [])] : []);

/** Whether this person sees a token: what floats or hangs over it would tell where it is. @param {Loose} token */
const isSeen = (token) => token.visible === true && token.document?.isSecret !== true;

/** @param {Loose} token @returns {string | undefined} whom it stands for at the table */
const whoIs = (token) => chosen(token.actor, token.document)?.id;

// --- results -----------------------------------------------------------------------------------------------------

/** Nothing moves where somebody asked for that, of the browser or of Foundry. */
function isStill() {
  return /** @type {Loose} */ (canvas)?.photosensitiveMode === true || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * A card came: what it says of rolls that everybody may read, above whoever rolled.
 *
 * @param {Loose} message
 */
async function float(message) {
  const { model } = link;
  const mark = markOf(message);
  if (mark === null || mark.stub === true || mark.to !== undefined || mark.late === true || model === null || !link.isLive) return;
  if (!isOn("floating") || isStill() || placed().length === 0 || model.welcome.table !== mark.table) return;
  const commit = await commitSoon(model, mark.seq);
  if (commit?.t !== "logged" || commit.catchup === true) return;
  const results = resultsOf(model, publicPart(commit));
  if (results.length === 0) return;
  if (!liesStill(mark)) await diceOf(message.id);
  for (const { actor, text, tone } of results) {
    for (const token of placed()) if (whoIs(token) === actor && isSeen(token)) floatOver(token, text, FILL[tone]);
  }
}

/**
 * Foundry's news of a card may be quicker than the bridge's of what it says.
 *
 * @param {TableModel} model
 * @param {number} seq
 * @returns {Promise<import("../client/types.mjs").Commit | null>}
 */
function commitSoon(model, seq) {
  const known = model.client.commit(seq);
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((resolve) => {
    const end = (/** @type {import("../client/types.mjs").Commit | null} */ commit) => {
      stop();
      clearTimeout(limit);
      resolve(commit);
    };
    const stop = link.on("commit", (commit) => commit.seq === seq && end(commit));
    const limit = setTimeout(() => end(null), DICE_MS);
  });
}

/**
 * @param {TableModel} model
 * @param {import("../client/types.mjs").Logged} commit
 * @returns {{actor: string, text: string, tone: Tone}[]}
 */
function resultsOf(model, commit) {
  const context = publicView(model);
  const { checks, later, dice } = storyOf(commit);
  const said = (/** @type {string} */ actor, /** @type {import("../client/types.mjs").Result} */ result) => {
    const verdict = verdictOf(context, result);
    const parts = [...(result.dice.length > 0 ? [String(result.total)] : []), ...(verdict === null ? [] : [verdict.word])];
    return { actor, text: parts.join(" \u00b7 "), tone: verdict?.tone ?? /** @type {const} */ ("plain") };
  };
  return [
    ...checks.map(({ event, result }) => said(event.rolled.actor, result)),
    // A choice that changed what was rolled before.
    ...later.flatMap((choice) => (choice.result && context.checks.changes(choice, commit.seq) ? [said(choice.actor, choice.result)] : [])),
    ...dice.flatMap(({ actor, total }) => (actor ? [{ actor, text: String(total), tone: /** @type {const} */ ("plain") }] : [])),
  ].filter(({ text }) => text !== "");
}

/** The result is not told before its dice lie still. @param {string} id of the message */
async function diceOf(id) {
  // The module that throws them hears of the message by the same hook, perhaps later.
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  const dice = dice3d();
  if (typeof dice?.waitFor3DAnimationByMessageID !== "function") return;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, DICE_MS);
  });
  await Promise.race([Promise.resolve(dice.waitFor3DAnimationByMessageID(id)).catch(() => false), limit]);
  clearTimeout(timer);
}

/**
 * @param {Loose} token
 * @param {string} text
 * @param {string} fill
 */
function floatOver(token, text, fill) {
  const anchor = CONST.TEXT_ANCHOR_POINTS.TOP;
  const drawn = /** @type {Loose} */ (canvas).interface?.createScrollingText?.(token.center, text, {
    anchor, direction: anchor, duration: FLOATS_MS, fontSize: 32, fill, stroke: 0x000000, strokeThickness: 4, jitter: 0.25,
  });
  void Promise.resolve(drawn).catch((/** @type {unknown} */ why) => console.warn("Boonbridge: nothing floats", why));
}

// --- badges ------------------------------------------------------------------------------------------------------

/** @type {Map<string, HTMLElement>} by token */
const badges = new Map();
let timer = 0;

/** Once for many reasons. */
function soon() {
  window.clearTimeout(timer);
  timer = window.setTimeout(drawBadges, 60);
}

/**
 * @param {boolean} make
 * @returns {HTMLElement | null}
 */
function layer(make) {
  const there = document.getElementById("boonbridge-badges");
  const hud = document.getElementById("hud");
  if (there !== null || !make || hud === null) return there;
  // What it says stands in windows and lists, for those who do not see the map.
  const made = el("div", { id: "boonbridge-badges", class: "boonbridge", "aria-hidden": "true" });
  hud.append(made);
  return made;
}

/** Every badge as it is now. */
export function drawBadges() {
  const { model } = link;
  const shown = new Set();
  for (const token of model !== null && isOn("badges") ? placed() : []) {
    const who = whoIs(token);
    const { boon, bane } = who === undefined ? { boon: 0, bane: 0 } : counted(/** @type {TableModel} */ (model), who);
    if (boon + bane === 0) continue;
    const badge = badges.get(token.id) ?? el("div", { class: "boonbridge-badge", "data-token": token.id });
    badges.set(token.id, badge);
    shown.add(token.id);
    if (badge.dataset.boons !== String(boon) || badge.dataset.banes !== String(bane)) {
      Object.assign(badge.dataset, { boons: String(boon), banes: String(bane) });
      badge.replaceChildren(...(/** @type {const} */ ([["boon", boon], ["bane", bane]])).filter(([, count]) => count > 0)
        .map(([sign, count]) => el("span", { "data-sign": sign }, `${MARKS[sign]}${count}`)));
    }
    const on_ = layer(true);
    if (badge.parentElement !== on_) on_?.append(badge);
    place(token);
  }
  for (const id of [...badges.keys()]) if (!shown.has(id)) forget(id);
}

/**
 * What everybody knows to help or hinder somebody. What only GMs know is on nobody's map.
 *
 * @param {TableModel} model
 * @param {string} actor
 */
function counted(model, actor) {
  const count = { boon: 0, bane: 0 };
  for (const { sign, amount = 1, hidden } of model.grants(actor)) if (hidden !== true) count[sign] += amount;
  return count;
}

/** At the upper left corner of its token: systems draw at the others. @param {Loose} token */
function place(token) {
  const badge = badges.get(token.id);
  if (badge === undefined) return;
  const size = Math.max(BADGE_LEAST, Math.round(Number(token.h ?? 0) / BADGE_PART));
  Object.assign(badge.style, { left: `${token.x}px`, top: `${token.y}px`, fontSize: `${size}px` });
  badge.hidden = !isSeen(token);
}

/** @param {string} id */
function forget(id) {
  badges.get(id)?.remove();
  badges.delete(id);
}
