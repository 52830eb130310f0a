/**
 * The card of a correction of a check: what was taken back, decided otherwise or shown, with what that changed at the table
 * and what it left as it is. Hooks: `data-kind` voided, overridden, revealed; `data-part` reason, effects, left.
 */

/** @import { CardContext } from "./context.mjs" */
/** @import { Told } from "./check-index.mjs" */
/** @import { Logged, Overridden, Revealed, Voided } from "../client/types.mjs" */
/** @import { Child } from "./dom.mjs" */
/** @import { Line } from "./lines.mjs" */
/** @import { Story } from "./story.mjs" */

import { bdi, el, phrase } from "./dom.mjs";
import { headEnd, portrait, referTo } from "./card-parts.mjs";
import { asTold } from "./check-index.mjs";
import { checkCard, whatNow } from "./check-card.mjs";
import { effectLines, leftLines } from "./correction-words.mjs";
import { checkOf, seqOf } from "./deeds.mjs";
import { diceRow } from "./dice-row.mjs";
import { cardFoot } from "./foot.mjs";
import { linesOf } from "./lines.mjs";
import { checkWords } from "./sentences.mjs";
import { verdictBand, verdictOf } from "./verdict.mjs";

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Story} story
 * @returns {{cards: HTMLElement[], lines: Line[]}}
 */
export function correctionCards(context, commit, { corrections }) {
  /** @type {{cards: HTMLElement[], lines: Line[]}} */
  const shown = { cards: [], lines: [] };
  for (const event of corrections) {
    const check = event.t === "Voided" ? checkOf(event.what) : event.t === "Overridden" ? event.check : null;
    const told = check === null ? undefined : context.checks.told(check);
    if (event.t === "Revealed") shown.cards.push(revealedCard(context, commit, event));
    else if (event.t === "Voided" && told !== undefined) shown.cards.push(voidedCard(context, commit, event, told));
    else if (event.t === "Overridden" && told !== undefined) shown.cards.push(overriddenCard(context, commit, event, told));
    else shown.lines.push(...linesOf(context, event, commit.by));
  }
  return shown;
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Voided} event
 * @param {Told} told
 */
function voidedCard(context, commit, event, told) {
  const result = context.checks.before(told.check, commit.seq) ?? told.result;
  const verdict = verdictOf(context, result);
  return frame(context, commit, told, "voided", context.words.say("correction.voided"), [
    reasonOf(context, event.reason),
    el("p", { class: "bb-was", "data-part": "was" }, el("span", { class: "bb-unseen" }, context.words.say("correction.was"), " "),
      el("s", {}, result.total, verdict === null ? "" : ` \u00b7 ${verdict.word}`)),
    changes(context, event),
    cardFoot(context, { seq: commit.seq, by: commit.by, dice: false }),
  ]);
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Overridden} event
 * @param {Told} told
 */
function overriddenCard(context, commit, event, told) {
  const { words, checks } = context;
  const before = checks.before(told.check, commit.seq) ?? told.result;
  const was = verdictOf(context, before);
  const stands = checks.standsIn(told.check) === commit.seq;
  const voided = checks.corrections.voidedCheck(told.check) !== undefined;
  const band = verdictBand(context, event.result, words.say("correction.byGm"));
  if (voided) band?.setAttribute("data-overtaken", "true");
  return frame(context, commit, told, "overridden", words.say("correction.overridden"), [
    reasonOf(context, event.reason),
    event.result.dice.length > 0 ? diceRow(event.result, context.ruleset, words) : null,
    was === null ? null : el("p", { class: "bb-was", "data-part": "was" }, el("span", { class: "bb-unseen" }, words.say("correction.was"), " "), el("s", {}, was.word)),
    band,
    changes(context, event),
    stands && !voided ? whatNow(context, told, commit.seq) : null,
    cardFoot(context, { seq: commit.seq, fell: seqOf(told.check), by: commit.by, dice: event.result.dice.length > 0 }),
  ]);
}

/**
 * The whole check, for those who did not see it; it says how it was rolled and where.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Revealed} event
 */
function revealedCard(context, commit, event) {
  const { words } = context;
  const card = checkCard(context, commit, [asTold(event)], { kind: "revealed", fell: seqOf(event.rolled.check) });
  const said = [
    words.say("correction.revealedFrom", { mode: words.say(`mode.${event.mode}.tag`) }),
    ...(event.alone ? [words.say("correction.alone")] : []),
  ].join(" ");
  // What it was is said in the head; here it is open, and where it is shown is here.
  card.querySelector(".bb-mode")?.remove();
  card.querySelector("[data-part=corrected][data-kind=revealed]")?.remove();
  card.querySelector(".bb-who")?.append(el("p", { class: "bb-changed", "data-part": "changed" }, said, " ", referTo(context, seqOf(event.rolled.check))));
  return card;
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Told} told
 * @param {string} kind
 * @param {string} what
 * @param {readonly Child[]} body
 */
function frame(context, commit, told, kind, what, body) {
  const { rolled, mode } = told.event;
  return el(
    "article",
    { class: "bb-card bb-correction", "data-part": "card", "data-kind": kind, "data-seq": commit.seq, "data-mode": mode, "data-check": told.check },
    el(
      "header",
      { class: "bb-head" },
      portrait(rolled.name),
      el(
        "div",
        { class: "bb-who" },
        el("h3", {}, bdi(rolled.name)),
        el("p", {}, el("strong", {}, what), " \u00b7 ", el("span", { class: "bb-action" }, bdi(rolled.action || checkWords(context, rolled))),
          rolled.opponentName ? [" ", phrase(context.words, "head.at", { name: rolled.opponentName })] : "", " ", referTo(context, told.seq)),
      ),
      headEnd(context, commit, context.checks.corrections.revealed(told.check) === undefined ? mode : "public"),
    ),
    body,
  );
}

/**
 * @param {CardContext} context
 * @param {string} [reason]
 */
const reasonOf = ({ words }, reason = "") => (reason === "" ? null : el("p", { class: "bb-reason", "data-part": "reason" }, phrase(words, "correction.because", { reason })));

/**
 * @param {CardContext} context
 * @param {Voided | Overridden} event
 */
function changes(context, event) {
  const told = effectLines(context, event);
  const left = leftLines(context, event);
  const list = (/** @type {readonly Line[]} */ lines) => lines.map(({ key, values, fallback }) => el("li", {}, phrase(context.words, key, values, fallback)));
  return [
    told.length === 0 ? null : el("ul", { class: "bb-effects", "data-part": "effects" }, list(told)),
    left.length === 0 ? null : el("div", { class: "bb-left", "data-part": "left" },
      el("p", {}, context.words.say("correction.left")), el("ul", { class: "bb-effects" }, list(left))),
  ];
}
