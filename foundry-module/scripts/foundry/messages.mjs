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
import { link } from "./link.mjs";
import { markOf } from "./marks.mjs";
import { inTheAir, throwOnce } from "./throwing.mjs";
import { learnChecksOf, ownView, past } from "./view.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

const PAUSE_MS = 60;

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
    if (mark === null || element === null) return;
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
    const commit = model.client.commit(mark.seq);
    if (commit?.t === "logged" && commit.catchup !== true) void throwOnce(model, commit, message.id).then(() => redraw([mark.seq]));
  });
  on("deleteChatMessage", (message) => shown.delete(message?.id));
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
 * @param {Loose} message
 * @param {Mark} mark
 * @param {HTMLElement} element
 */
async function show(message, mark, element) {
  const { model } = link;
  const content = element.querySelector(".message-content");
  if (model === null || content === null || !fits(mark) || mark.to !== undefined) return;
  const flight = inTheAir(message.id);
  const commit = await commitFor(mark.seq);
  await flight;
  if (commit === undefined) return;
  if (commit === null) {
    // A message that everybody sees of a roll that not everybody may read is none of the bridge's.
    if (mark.stub !== true) content.replaceChildren(el("p", { class: "bb-stub bb-doubt" }, model.words.say("foundry.doubt", { seq: mark.seq })));
    else undraw(element, content, model.words.say("foundry.stub", { seq: mark.seq }));
    return;
  }
  const all = cardsOf(ownView(model), commit);
  const rolls = all.filter((card) => card.matches(".bb-card"));
  // Who came to the table with a roll is for the log; a line stands in chat only where it is all there is.
  const cards = rolls.length > 0 ? rolls : all.filter((card) => card.matches(".bb-lines"));
  if (cards.length === 0) {
    if (mark.stub === true) undraw(element, content, model.words.say("foundry.stub", { seq: mark.seq }));
    return;
  }
  for (const card of cards) if (card.dataset.kind !== "round") picture(card, commit);
  keepPlace(/** @type {HTMLElement} */ (content), () => content.replaceChildren(...cards));
  seen?.watch(content);
  element.dataset.boonbridgeSeq = String(mark.seq);
  // Systems that put the plain dice below every message would show them twice.
  for (const extra of element.querySelectorAll(".dice-roll")) if (!content.contains(extra)) extra.remove();
}

/**
 * This viewer could read it, and may not any more: his role is another.
 *
 * @param {HTMLElement} element
 * @param {Element} content
 * @param {string} stub
 */
function undraw(element, content, stub) {
  if (element.dataset.boonbridgeSeq === undefined) return;
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
