/** What a GM says happens: a small set of answers with a line of his own, for GMs; words for all. */

/** @import { CardContext } from "./context.mjs" */
/** @import { ChoiceOffer } from "../client/types.mjs" */
/** @import { Line } from "./lines.mjs" */

import { el, phrase } from "./dom.mjs";
import { choiceName, labelOf } from "./sentences.mjs";

const PASS = "pass";

/** What was typed and not sent yet, by check: a card may be drawn anew in the meantime. @type {Map<string, string>} */
const drafts = new Map();

/**
 * @param {CardContext} context
 * @param {string} check
 * @param {readonly ChoiceOffer[]} offers
 * @param {(choice: string, args: Record<string, string>, buttons: readonly HTMLButtonElement[]) => Promise<boolean>} take
 */
export function rulingBlock({ words }, check, offers, take) {
  const note = el("input", {
    type: "text",
    class: "bb-note",
    maxlength: 500,
    value: drafts.get(check) ?? "",
    placeholder: words.say("ruling.notePlaceholder"),
    "aria-label": words.say("ruling.note"),
    "data-part": "note",
    "data-check": check,
    oninput: () => drafts.set(check, note.value),
    // Enter belongs to no answer, so it sends none.
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && event.preventDefault(),
  });
  const buttons = offers.map((offer) => {
    const { name, more } = labelOf(offer.label);
    return el("button", {
      type: "button",
      class: offer.id === PASS ? "bb-ruling bb-ruling-pass" : "bb-ruling",
      "data-choice": offer.id,
      "data-check": check,
      title: more || null,
      disabled: offer.enabled === false,
    }, name, more === "" ? null : el("span", { class: "bb-unseen" }, `: ${more}`));
  });
  for (const [index, button] of buttons.entries()) {
    const offer = offers[index];
    button.addEventListener("click", async () => {
      const said = note.value.trim();
      if (await take(offer.id, offer.note === true && said !== "" ? { note: said } : {}, buttons)) drafts.delete(check);
    });
  }
  return el(
    "div",
    { class: "bb-ruling-block", role: "group", "aria-label": words.say("ruling.title") },
    el("p", { class: "bb-ruling-title" }, words.say("ruling.title")),
    offers.some((offer) => offer.note) ? note : null,
    el("div", { class: "bb-rulings" }, buttons),
  );
}

/**
 * The rulings on a check, as they stand on its card.
 *
 * @param {CardContext} context
 * @param {string} check
 */
export function rulingLines(context, check) {
  const said = context.checks.rulings(check).filter(({ choice, note = "" }) => choice !== PASS || note !== "");
  const voided = context.checks.corrections.voidedCheck(check) !== undefined;
  return said.map((chosen) => {
    const { key, values } = rulingWords(context, chosen, "ruling");
    const text = phrase(context.words, key, values);
    return el("p", { class: "bb-ruled", "data-part": "ruling", "data-choice": chosen.choice }, voided ? el("s", {}, text) : text);
  });
}

/**
 * @param {CardContext} context
 * @param {{check: string, choice: string, note?: string}} chosen
 * @param {"ruling" | "event.Chosen"} where
 * @param {Record<string, unknown>} [more]
 * @returns {Line}
 */
export function rulingWords(context, { check, choice, note = "" }, where, more = {}) {
  const said = choiceName(context, { check, choice });
  return { key: where === "ruling" ? note === "" ? "ruling.plain" : "ruling.noted" : note === "" ? "event.Chosen.ruling" : "event.Chosen.rulingNoted", values: { choice: said, note, ...more } };
}
