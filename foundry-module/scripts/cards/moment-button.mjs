/** The way from a card to the table as it was then, where its place can show that. Hook: `data-part` moment. */

/** @import { CardContext } from "./context.mjs" */

import { el, svg } from "./dom.mjs";

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
    svg("svg", { class: "bb-icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
      svg("path", { d: "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM10 5.5V10l3 2", fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" })),
  );
}
