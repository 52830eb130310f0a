/**
 * What checking a roll came to, in three lines: what was computed in this browser, what that shows, and what it does not.
 * Hooks: `data-part` checked with `data-verdict`, `data-line` computed, shows, limits.
 */

/** @import { CardContext } from "./context.mjs" */
/** @import { Checked } from "../client/check.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { whileBusy } from "./busy.mjs";
import { el } from "./dom.mjs";

/** Codes after which asking again is all there is to say. */
const SILENT = new Set(["away", "unanswered"]);

/** @typedef {{computed: string, shows: string, limits: string}} Lines */

/**
 * The button that checks a roll, and the place where it says what came of it.
 *
 * @param {CardContext} context
 * @param {(seq: number) => Promise<Checked>} verify
 * @param {number} seq of the card
 * @param {number} fell in which commit its dice fell
 */
export function checkButton({ words }, verify, seq, fell) {
  const said = el("div", { class: "bb-checked", role: "status", "data-part": "checked", hidden: true });
  /** @param {string} verdict @param {...(Node | string)} inner */
  const show = (verdict, ...inner) => {
    said.dataset.verdict = verdict;
    said.hidden = false;
    said.replaceChildren(...inner);
  };
  const button = el("button", {
    type: "button",
    class: "bb-link",
    "data-part": "verify",
    onclick: () => whileBusy(button, async () => {
      show("working", el("p", {}, words.say("verify.working")));
      try {
        const checked = await verify(fell);
        show(checked.verdict, ...Object.entries(linesOf(words, checked)).map(([line, text]) =>
          el("p", { "data-line": line }, el("strong", {}, words.say(line === "shows" && checked.verdict === "broken" ? "verify.lead.broken" : `verify.lead.${line}`)), " ", text)));
      } catch (why) {
        show("unanswered", el("p", {}, noAnswer(words, why)));
      }
    }),
  }, words.say("verify.button", { seq }));
  return { button, said };
}

/**
 * @param {CardContext["words"]} words
 * @param {unknown} why
 */
function noAnswer(words, why) {
  if (!(why instanceof NoAnswer)) return words.say("verify.unreadable");
  return SILENT.has(why.code) ? words.say("verify.away") : words.refusal(why);
}

/**
 * @param {CardContext["words"]} words
 * @param {Checked} checked
 * @returns {Lines}
 */
export function linesOf(words, checked) {
  const { verdict, seq, promised, promisedBy, dice, seed, count, byHand } = checked;
  const say = (/** @type {string} */ key) => words.say(`verify.${key}`, { seq, by: promisedBy });
  const lines = (/** @type {string} */ key) => ({ shows: say(`${key}.shows`), limits: say(`${key}.limits`) });
  const list = (/** @type {readonly string[]} */ parts) => `${parts.join("; ")}.`;
  if (verdict === "gone" || verdict === "none") return { computed: list([say(`${verdict}.computed`)]), ...lines(verdict) };
  const against = promised ? "computed.held" : promisedBy === null ? "computed.seed" : "computed.readFrom";
  const computed = list([
    ...(count > 0 && verdict !== "taped" ? [words.count("verify.computed.dice", count)] : []),
    ...(count > 0 ? [say(against)] : []),
    say("computed.chain"),
    ...(verdict === "taped" ? [say("taped.computed")] : []),
    ...(byHand > 0 ? [words.count("verify.computed.byHand", byHand)] : []),
    ...(byHand + count === 0 ? [say("notYet.computed")] : []),
  ]);
  if (verdict === "broken") return { computed, shows: say(dice ? seed ? "broken.chain" : "broken.seed" : "broken.dice"), limits: say("broken.limits") };
  if (verdict === "taped") return { computed, ...lines("taped") };
  // What was shown of a roll is a copy; the roll itself is not open to this viewer.
  if (count === 0) return { computed, ...lines(byHand > 0 ? "byHand" : "notYet") };
  const limits = say("holds.limits");
  return { computed, shows: say(promised ? "holds.held" : "holds.read"), limits: byHand > 0 ? `${limits} ${say("byHand.limitsToo")}` : limits };
}
