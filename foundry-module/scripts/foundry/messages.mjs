/**
 * What a chat message of ours shows. Stored is what everybody may read; shown is what the log says to this viewer now,
 * with its dice drawn and what can be done next. Where the bridge is away, what is stored stands.
 */

/** @import { Logged } from "../client/types.mjs" */
/** @import { Mark } from "./marks.mjs" */

import { cardsOf } from "../cards/card.mjs";
import { checkOf } from "../cards/deeds.mjs";
import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { storyOf } from "../cards/story.mjs";
import { SeenWatch } from "../forms/seen-watch.mjs";
import { foundryActor } from "./actors.mjs";
import { elementOf, on } from "./compat.mjs";
import { Epochs } from "./epochs.mjs";
import { judgeAway, judgeUnknown, judgeUnmarked } from "./genuine.mjs";
import { foundMark, judgeMessage, saidBy } from "./judging.mjs";
import { link } from "./link.mjs";
import { markOf } from "./marks.mjs";
import { messageId } from "./message-id.mjs";
import { inTheAir, throwOnce } from "./throwing.mjs";
import { learnChecksOf, ownView, past } from "./view.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

const PAUSE_MS = 60;

const epochs = new Epochs();

/** @type {Map<string, {message: Loose, mark: Mark, elements: Set<HTMLElement>}>} shown messages of ours */
const shown = new Map();
let redrawing = 0;
/** @type {SeenWatch | null} */
let seen = null;
/** @type {Set<number> | null} commits whose messages are drawn anew in a moment; null: all */
let due = new Set();

export function watchMessages() {
  seen = new SeenWatch(() => link.model);
  on("renderChatMessageHTML", (message, html) => {
    const mark = markOf(message);
    const element = elementOf(html);
    if (element === null) return;
    if (mark === null) {
      const doubt = judgeUnmarked(String(message?.content ?? ""));
      if (doubt !== null) element.querySelector(".message-content")?.replaceChildren(foundMark(link.words, doubt, message, null));
      return;
    }
    const known = shown.get(message.id) ?? { message, mark, elements: new Set() };
    for (const old of known.elements) if (!old.isConnected) known.elements.delete(old);
    known.elements.add(element);
    shown.set(message.id, { ...known, message, mark });
    element.classList.add("boonbridge-message");
    void show(message, mark, element);
  });
  on("createChatMessage", (message) => {
    const mark = markOf(message);
    const { model } = link;
    if (mark === null || mark.stub !== true || mark.late === true || model === null || !fits(mark)) return;
    // Whoever copies a message has nobody's dice fall again.
    if (message.id !== messageId(mark.table, mark.epoch, mark.seq)) return;
    const commit = model.client.commit(mark.seq);
    if (commit?.t === "logged" && commit.catchup !== true) void throwOnce(model, commit, message.id).then(() => redraw([mark.seq]));
  });
  on("deleteChatMessage", (message) => {
    shown.delete(message?.id);
    asked.delete(message?.id);
  });
  link.on("state", ({ state }) => state === "live" && redraw(null));
  link.on("cards", redraw);
  past.learned = redraw;
}

/**
 * Draw shown messages anew, once for many reasons.
 *
 * @param {readonly number[] | null} seqs null: all of them
 */
function redraw(seqs) {
  if (seqs === null) due = null;
  else if (due !== null) for (const seq of seqs) due.add(seq);
  if (redrawing !== 0) return;
  redrawing = window.setTimeout(() => {
    redrawing = 0;
    const now = due;
    due = new Set();
    for (const { message, mark, elements } of shown.values()) {
      if (now !== null && !now.has(mark.seq)) continue;
      for (const element of elements) {
        if (element.isConnected) void show(message, mark, element);
        else elements.delete(element);
      }
    }
  }, PAUSE_MS);
}

/** @param {Mark} mark whether it is of the log that this page stands in */
function fits(mark) {
  const { client } = link;
  return client?.welcome?.table === mark.table && client.position?.epoch === mark.epoch;
}

/**
 * @param {Mark} mark of another epoch, or of another table
 * @returns {Promise<"here" | "lost" | "elsewhere" | null>} null: not known here, and the bridge is away
 */
const placeOf = (mark) => (link.model === null || !link.isLive ? Promise.resolve(null) : epochs.place(link.model.client, link.model.welcome.table, mark).catch(() => null));

/**
 * @param {Loose} message
 * @param {Mark} mark
 * @param {HTMLElement} element
 */
async function show(message, mark, element) {
  const { model } = link;
  const content = /** @type {HTMLElement | null} */ (element.querySelector(".message-content"));
  if (model === null || content === null) return;
  const place = fits(mark) ? "here" : await placeOf(mark);
  if (place !== "here") {
    if (place !== null && content.querySelector("[data-part=elsewhere]") === null) content.append(el("p", { class: "bb-elsewhere", "data-part": "elsewhere" }, model.words.say(`foundry.found.${place}`)));
    return;
  }
  const flight = inTheAir(message.id);
  const last = mark.to ?? mark.seq;
  const unknown = await isUnknown(model, mark.seq < 1 ? mark.seq : last, message.id);
  const commit = unknown || mark.to !== undefined ? undefined : await commitFor(mark.seq);
  await flight;
  if (commit === undefined && !unknown && mark.to === undefined) return;
  const found = unknown ? judgeUnknown() : mark.to !== undefined ? judgeAway(mark, saidBy(message, mark, model)) : judgeMessage(message, mark, model, commit ?? null);
  const doubt = found === null ? [] : [foundMark(model.words, found, message, unknown ? last : mark.seq)];
  const cards = commit ? cardsIn(model, commit) : [];
  if (mark.to !== undefined || cards.length === 0) {
    if (found === null) undraw(element, content, mark.stub === true ? model.words.say("foundry.stub", { seq: mark.seq }) : null);
    else if (found.what === "copy") content.prepend(...(content.querySelector("[data-part=found]") === null ? doubt : []));
    else content.replaceChildren(...doubt);
    return;
  }
  if (commit) for (const card of cards) if (card.dataset.kind !== "round") picture(card, commit);
  keepPlace(content, () => content.replaceChildren(...doubt, ...cards));
  seen?.watch(content);
  element.dataset.boonbridgeSeq = String(mark.seq);
  // Systems that put the plain dice below every message would show them twice.
  for (const extra of element.querySelectorAll(".dice-roll")) if (!content.contains(extra)) extra.remove();
}

/**
 * Who came to the table with a roll is for the log; a line stands in chat only where it is all there is.
 *
 * @param {import("../forms/model.mjs").TableModel} model
 * @param {Logged} commit
 */
function cardsIn(model, commit) {
  const all = cardsOf(ownView(model), commit);
  const rolls = all.filter((card) => card.matches(".bb-card"));
  return rolls.length > 0 ? rolls : all.filter((card) => card.matches(".bb-lines"));
}

/** @type {Map<string, Promise<boolean>>} by message: whether the bridge, asked once it was there, had no such entry */
const asked = new Map();
let asking = /** @type {Promise<unknown>} */ (Promise.resolve());

/**
 * Whether a message is of an entry that the log does not have. Nothing is posted that is not in the log already, so the bridge
 * is asked, one message at a time, and knows.
 *
 * @param {import("../forms/model.mjs").TableModel} model
 * @param {number} seq
 * @param {string} id of the message
 * @returns {Promise<boolean>}
 */
function isUnknown(model, seq, id) {
  if (seq < 1) return Promise.resolve(true);
  if (!link.isLive || seq <= (model.client.position?.seq ?? 0)) return Promise.resolve(false);
  const known = asked.get(id);
  if (known !== undefined) return known;
  const answer = asking.then(() => model.client.history.past(seq - 1, 1)).then(({ commits }) => commits.length === 0, () => {
    asked.delete(id); // asked again when the line is back
    return false;
  });
  asking = answer;
  asked.set(id, answer);
  return answer;
}

/**
 * This viewer could read it, and may not any more: his role is another.
 *
 * @param {HTMLElement} element
 * @param {Element} content
 * @param {string | null} stub null: what is stored stands
 */
function undraw(element, content, stub) {
  if (stub === null || element.dataset.boonbridgeSeq === undefined) return;
  delete element.dataset.boonbridgeSeq;
  content.replaceChildren(el("p", { class: "bb-stub" }, stub));
}

/**
 * @param {number} seq
 * @returns {Promise<Logged | null | undefined>} undefined: not known here, and the bridge is away
 */
async function commitFor(seq) {
  const { model } = link;
  if (model === null) return undefined;
  if (model.client.commit(seq) === undefined && (!link.isLive || seq > (model.client.position?.seq ?? 0))) return undefined;
  try {
    const commit = await past.get(model, seq);
    if (commit !== null) await learnChecksOf(model, commit);
    return commit;
  } catch {
    return undefined; // asked again when the line is back
  }
}

/** @param {import("../cards/story.mjs").Correction} put */
function whoseCorrected(put) {
  if (put.t === "Revealed") return put.rolled.actor;
  const check = put.t === "Overridden" ? put.check : put.t === "Voided" ? checkOf(put.what) : null;
  return check === null ? undefined : link.model?.checks.told(check)?.event.rolled.actor;
}

/**
 * The picture of whoever rolled, where this world has one.
 *
 * @param {HTMLElement} card
 * @param {Logged} commit
 */
function picture(card, commit) {
  const portrait = card.querySelector(".bb-portrait");
  const { checks: [check], later: [later], dice: [roll], corrections: [put] } = storyOf(commit);
  const actor = foundryActor(check?.event.rolled.actor ?? later?.actor ?? roll?.actor ?? (put && whoseCorrected(put)) ?? "");
  const src = actor?.token?.texture?.src ?? actor?.img;
  if (portrait === null || typeof src !== "string" || src === "" || /\.(webm|mp4|m4v)$/i.test(src)) return;
  portrait.replaceChildren(el("img", { src, alt: "", loading: "lazy" }));
}
