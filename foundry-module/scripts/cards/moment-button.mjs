/** The way from a card to the table as it was then, where its place can show that. Hook: `data-part` moment. */

/** @import { CardContext } from "./context.mjs" */

import { el } from "./dom.mjs";
import { glyph } from "./glyphs.mjs";

/**
 * @param {CardContext} context
 * @param {number} seq
 * @returns {HTMLButtonElement | null}
 */
export function momentButton({ moment = null, words }, seq) {
  if (moment === null) return null;
  const label = words.say("replay.moment", { seq });
  return el(
    "button",
    { type: "button", class: "bb-moment", "aria-label": label, title: label, "data-part": "moment", "data-focus": `moment ${seq}`, onclick: () => moment(seq) },
    glyph("clock", "bb-icon"),
  );
}
