/** How what was corrected looks where it stands: struck through, and with a word of why. The style alone never says it. */

/** @import { CardContext } from "./context.mjs" */
/** @import { CheckStory } from "./story.mjs" */
/** @import { Result } from "../client/types.mjs" */

import { bdi, el, phrase } from "./dom.mjs";
import { referTo } from "./card-parts.mjs";
import { verdictBand, verdictOf } from "./verdict.mjs";

/**
 * The verdict of a check as it was told there; where it does not hold any more, what overtook it.
 *
 * @param {CardContext} context
 * @param {CheckStory} check
 */
export function bandOf(context, { check, result }) {
  const { checks } = context;
  const voided = checks.corrections.voidedCheck(check);
  if (voided !== undefined) return struckBand(context, result, voided.seq, "card.voided");
  const overtaken = checks.overtaken(check);
  return overtaken === undefined ? verdictBand(context, result) : struckBand(context, result, overtaken, "card.overtaken");
}

/**
 * @param {CardContext} context
 * @param {Result} result
 * @param {number} seq
 * @param {string} key
 */
function struckBand(context, result, seq, key) {
  const band = verdictBand(context, result) ?? el("p", { class: "bb-verdict", "data-part": "verdict" });
  const word = band.querySelector("strong");
  word?.replaceWith(el("s", {}, word.cloneNode(true)));
  band.setAttribute("data-overtaken", "true");
  band.append(el("span", { class: "bb-beside" }, referTo(context, seq, key)));
  return band;
}

/**
 * What became of a check, in a line of its own; none where nothing did.
 *
 * @param {CardContext} context
 * @param {string} check
 * @returns {HTMLElement[]}
 */
export function correctedLines(context, check) {
  const { corrections } = context.checks;
  const voided = corrections.voidedCheck(check);
  const overridden = corrections.overridden(check);
  const revealed = corrections.revealed(check);
  const settled = corrections.settled(check);
  const line = (/** @type {string} */ kind, /** @type {Node[]} */ text) => el("p", { class: "bb-corrected", "data-part": "corrected", "data-kind": kind }, text);
  return [
    voided && line("voided", reasoned(context, "corrected.voided", voided.event.reason)),
    overridden && voided === undefined
      && line("overridden", reasoned(context, "corrected.overridden", overridden.event.reason, { outcome: verdictOf(context, overridden.event.result)?.word ?? overridden.event.outcome })),
    revealed && line("revealed", phrase(context.words, "corrected.revealed", { seq: revealed.seq })),
    settled !== undefined && revealed === undefined && line("settled", phrase(context.words, "corrected.settled", { seq: settled })),
  ].filter((each) => each instanceof HTMLElement);
}

/**
 * @param {CardContext} context
 * @param {string} key
 * @param {string} [reason]
 * @param {Record<string, unknown>} [values]
 */
const reasoned = ({ words }, key, reason = "", values = {}) => phrase(words, reason === "" ? `${key}.plain` : `${key}.reason`, { ...values, reason });

/**
 * A line of the log that was taken back.
 *
 * @param {CardContext} context
 * @param {string} deed
 * @param {readonly Node[]} text
 * @returns {(Node | string)[]}
 */
export function struckLine(context, deed, text) {
  const voided = context.checks.corrections.voided(deed);
  if (voided === undefined) return [...text];
  const { reason = "" } = voided.event;
  return [
    el("s", {}, [...text]), " ",
    el("span", { class: "bb-corrected", "data-part": "corrected", "data-kind": "voided" }, referTo(context, voided.seq, "card.voided"), reason === "" ? "" : [": ", bdi(reason)]),
  ];
}
