/** The quiet end of a card: the chance beforehand, its number in the log, and whether its dice can be checked. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Checked } from "../client/check.mjs" */
/** @import { Odds } from "../client/types.mjs" */

import { el } from "./dom.mjs";
import { percentOf } from "./chance.mjs";

/**
 * @param {CardContext} context
 * @param {{seq: number, by?: string | null, odds?: Odds | null, dice: boolean, fell?: number, beside?: HTMLElement | null}} about `fell`: in
 *   which commit its dice fell, where that is another; `beside`: something more to click
 */
export function cardFoot(context, { seq, by, odds, dice, fell = seq, beside = null }) {
  const { words, verify } = context;
  const mine = by === context.viewer.user;
  const said = el("p", { class: "bb-checked", role: "status", hidden: true });
  const number = verify === null || !dice
    ? el("span", { class: "bb-seq" }, `#${seq}`)
    : el(
      "button",
      {
        type: "button",
        class: "bb-link",
        "data-part": "verify",
        onclick: async (/** @type {Event} */ event) => {
          const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
          button.disabled = true;
          said.textContent = words.say("verify.working");
          said.hidden = false;
          said.textContent = await verify(fell).then((checked) => checkedWords(context, checked), () => words.say("verify.away"));
          button.disabled = false;
        },
      },
      words.say("verify.button", { seq }),
    );
  return el(
    "footer",
    { class: "bb-foot", "data-part": "foot" },
    odds ? el("span", {}, words.say(mine ? "foot.youHad" : "foot.chance", { chance: percentOf(odds.success) })) : el("span"),
    beside,
    number,
    said,
  );
}

/**
 * @param {CardContext} context
 * @param {Checked} checked
 */
function checkedWords({ words }, checked) {
  if (checked.verdict === "unavailable") return words.say("verify.unavailable");
  if (checked.verdict === "holds") {
    const { byHand = 0, count = 0 } = checked;
    // What was shown of a roll is a copy; the roll itself is not open to this viewer.
    if (byHand === 0 && count === 0) return words.say("verify.notYet");
    if (byHand > 0 && count === 0) return words.count("verify.byHand", byHand);
    return [
      words.count("verify.holds", count),
      ...(byHand > 0 ? [words.count("verify.byHand", byHand)] : []),
      words.say(checked.promised ? "verify.promised" : "verify.notPromised"),
      words.say("verify.limits"),
    ].join(" ");
  }
  return words.say(checked.dice ? (checked.seed ? "verify.brokenChain" : "verify.brokenSeed") : "verify.brokenDice");
}
