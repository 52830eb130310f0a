/** What can be done after a check: buttons for those who may, words for everybody else. */

/** @import { CardContext } from "./context.mjs" */
/** @import { ChoiceOffer, PendingCheck } from "../client/types.mjs" */

import { bdi, el, fill, phrase } from "./dom.mjs";
import { percentOf } from "./chance.mjs";

/**
 * A choice's label may say after a colon what it brings; then its name alone is what is done.
 *
 * @param {string} label
 * @returns {{name: string, more: string}}
 */
export function labelOf(label) {
  const [name, ...more] = label.split(": ");
  return { name, more: more.join(": ") };
}

/**
 * @param {CardContext} context
 * @param {PendingCheck} pending
 * @param {ChoiceOffer} offer
 */
function may(context, pending, offer) {
  const { viewer } = context;
  if (viewer.role === "gm") return true;
  if (viewer.role !== "player" || offer.who === "gm") return false;
  return pending.roller === viewer.user || context.owns(pending.actor);
}

/**
 * @param {CardContext} context
 * @param {string} check
 * @returns {HTMLElement | null}
 */
export function choiceRow(context, check) {
  const pending = context.pending(check);
  if (pending === undefined || pending.choices.length === 0) return null;
  // What does something comes before what lets it be.
  const mine = pending.choices.filter((offer) => may(context, pending, offer))
    .sort((a, b) => Number(a.default === true || a.enabled === false) - Number(b.default === true || b.enabled === false));
  if (mine.length === 0 || context.choose === null) {
    const who = pending.choices.every((offer) => offer.who === "gm")
      ? context.words.say("choice.theGm")
      : context.actorName(pending.actor) ?? context.words.say("somebody");
    return el("p", { class: "bb-waiting", "data-part": "waiting" }, phrase(context.words, "choice.waiting", { name: who }));
  }
  const trouble = el("p", { class: "bb-trouble", role: "alert", hidden: true });
  const buttons = mine.map((offer, index) => choiceButton(context, check, offer, index === 0 && offer.default !== true));
  const row = el("div", { class: "bb-choices", role: "group", "aria-label": context.words.say("choice.what") }, buttons);
  for (const [index, button] of buttons.entries()) {
    button.addEventListener("click", () => void take(context, check, mine[index].id, buttons, trouble));
  }
  return el("div", { class: "bb-choice-block", "data-part": "choices" }, row, trouble);
}

/**
 * @param {CardContext} context
 * @param {string} check
 * @param {ChoiceOffer} offer
 * @param {boolean} first
 */
function choiceButton(context, check, offer, first) {
  const { words } = context;
  const { name, more } = labelOf(offer.label);
  const small = [
    more,
    offer.chance ? words.say("choice.chance", { chance: percentOf(offer.chance) }) : "",
    offer.left !== null && offer.left !== undefined ? words.say("choice.left", { left: offer.left }) : "",
    offer.enabled === false && offer.why ? words.why(offer.why) : "",
  ].filter((text) => text !== "");
  return el(
    "button",
    {
      type: "button",
      class: "bb-choice",
      "data-choice": offer.id,
      "data-check": check,
      "data-primary": first && offer.enabled !== false,
      disabled: offer.enabled === false,
    },
    el("span", {}, bdi(name)),
    small.length === 0 ? null : el("small", {}, small.join(" \u00b7 ")),
  );
}

/**
 * @param {CardContext} context
 * @param {string} check
 * @param {string} choice
 * @param {HTMLButtonElement[]} buttons
 * @param {HTMLElement} trouble
 */
async function take(context, check, choice, buttons, trouble) {
  const before = buttons.map((button) => button.disabled);
  for (const button of buttons) button.disabled = true;
  trouble.hidden = true;
  const outcome = await /** @type {NonNullable<CardContext["choose"]>} */ (context.choose)(check, choice);
  if (outcome.ok) return; // the card is drawn anew from what the log says now
  for (const [index, button] of buttons.entries()) button.disabled = before[index];
  trouble.replaceChildren();
  fill(trouble, [context.words.refusal(outcome)]);
  trouble.hidden = false;
}
