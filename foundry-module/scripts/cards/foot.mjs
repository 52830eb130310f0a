/** The quiet end of a card: the chance beforehand, its number in the log, and whether its dice can be checked. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Odds } from "../client/types.mjs" */

import { percentOf } from "./chance.mjs";
import { checkButton } from "./checked.mjs";
import { el } from "./dom.mjs";
import { momentButton } from "./moment-button.mjs";

/**
 * @param {CardContext} context
 * @param {{seq: number, by?: string | null, odds?: Odds | null, dice: boolean, fell?: number, beside?: HTMLElement | null}} about `dice`: whether it
 *   shows any, of whatever kind; `fell`: in which commit they fell, where that is another; `beside`: something more to click
 */
export function cardFoot(context, { seq, by, odds, dice, fell = seq, beside = null }) {
  const { words, verify } = context;
  const mine = by === context.viewer.user;
  const check = verify === null || !dice ? null : checkButton(context, verify, seq, fell);
  return el(
    "footer",
    { class: "bb-foot", "data-part": "foot" },
    odds ? el("span", {}, words.say(mine ? "foot.youHad" : "foot.chance", { chance: percentOf(odds.success) })) : el("span"),
    beside,
    el("span", { class: "bb-foot-end" }, check?.button ?? el("span", { class: "bb-seq" }, `#${seq}`), momentButton(context, seq)),
    check?.said,
  );
}
