/** The way from something in the log to its correction: a quiet button, for those who may. Hook: `correct` with `data-what`. */

/** @import { CardContext } from "./context.mjs" */
/** @import { CheckStory } from "./story.mjs" */

import { el } from "./dom.mjs";
import { checkDeed } from "./deeds.mjs";
import { checkTitle } from "./sentences.mjs";

/**
 * For a GM; and for a player where nobody but he saw the roll.
 *
 * @param {CardContext} context
 * @param {CheckStory} story
 * @param {string | null | undefined} by who rolled
 * @returns {HTMLButtonElement | null}
 */
export function correctCheck(context, { check, event, result }, by) {
  const { checks, correct, viewer, words } = context;
  const { corrections } = checks;
  if (!correct || corrections.voidedCheck(check) !== undefined) return null;
  const alone = event.mode === "self" && by === viewer.user;
  if (viewer.role !== "gm" && !alone) return null;
  const title = checkTitle(context, event.rolled);
  return button(context, checkDeed(check), title, words.say("correction.open"), () => correct({
    what: checkDeed(check),
    title,
    check,
    outcome: corrections.overridden(check)?.event.outcome ?? checks.before(check, Infinity)?.outcome ?? result.outcome,
    hidden: event.mode !== "public" && corrections.revealed(check) === undefined,
    settled: corrections.settled(check) !== undefined,
    alone: event.mode === "self",
  }));
}

/**
 * For a GM: a grant, a condition, a table move, where it stands as a line.
 *
 * @param {CardContext} context
 * @param {string} deed
 * @param {string} title the line itself
 * @returns {HTMLButtonElement | null}
 */
export function correctLine(context, deed, title) {
  const { correct, viewer } = context;
  if (!correct || viewer.role !== "gm") return null;
  return button(context, deed, title, context.words.say("correction.open"), () => correct({ what: deed, title }));
}

/**
 * @param {CardContext} context
 * @param {string} what
 * @param {string} title
 * @param {string} text
 * @param {() => void} click
 */
const button = ({ words }, what, title, text, click) => el("button", {
  type: "button",
  class: "bb-link bb-correct",
  "aria-label": words.say("correction.openOf", { what: title }),
  "data-part": "correct",
  "data-what": what,
  "data-focus": `correct ${what}`,
  onclick: click,
}, text);
