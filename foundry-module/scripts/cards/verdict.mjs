/** The one verdict of a check: icon, word and colour say the same. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Result } from "../client/types.mjs" */
/** @import { Tone } from "./shapes.mjs" */

import { el } from "./dom.mjs";
import { toneIcon } from "./shapes.mjs";

const MOST_ICONS = 5;

/**
 * @param {CardContext} context
 * @param {Result} result
 * @returns {{tone: Tone, word: string} | null} null where this check only adds dice up
 */
export function verdictOf(context, result) {
  const outcome = context.ruleset.outcomes.find((each) => each.key === result.outcome);
  if (outcome === undefined) return null;
  const { crits = 0 } = result;
  const word = crits > 1 ? context.words.say("verdict.crits", { outcome: outcome.label, crits }) : outcome.label;
  return { tone: outcome.tone, word };
}

/**
 * @param {CardContext} context
 * @param {Result} result
 * @param {string} [beside] a few words at the end of the band
 */
export function verdictBand(context, result, beside = "") {
  const verdict = verdictOf(context, result);
  if (verdict === null) return null;
  const icons = verdict.tone === "critical" ? Math.min(Math.max(result.crits ?? 1, 1), MOST_ICONS) : 1;
  return el(
    "p",
    { class: "bb-verdict", "data-part": "verdict", "data-tone": verdict.tone, "data-outcome": result.outcome },
    Array.from({ length: icons }, () => toneIcon(verdict.tone)),
    el("strong", {}, verdict.word),
    beside === "" ? null : el("span", { class: "bb-beside" }, beside),
  );
}
