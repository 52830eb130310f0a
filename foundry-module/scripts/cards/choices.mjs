/** What can be done after a check: buttons for those who may, words for everybody else. */

/** @import { CardContext } from "./context.mjs" */
/** @import { ChoiceOffer, PendingCheck } from "../client/types.mjs" */

import { bdi, el, fill, phrase } from "./dom.mjs";
import { percentOf } from "./chance.mjs";
import { readFaces } from "./hand-dice.mjs";
import { rulingBlock } from "./rulings.mjs";
import { labelOf } from "./sentences.mjs";

/** Faces that were typed and not sent yet, by check. @type {Map<string, string>} */
const typed = new Map();

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
  const mine = context.choose === null ? [] : pending.choices.filter((offer) => may(context, pending, offer));
  if (mine.length === 0) return waiting(context, pending);
  const trouble = el("p", { class: "bb-trouble", role: "alert", hidden: true });
  const rulings = mine.filter((offer) => offer.who === "gm");
  const own = mine.filter((offer) => offer.who !== "gm");
  return el(
    "div",
    { class: "bb-choice-block", "data-part": "choices" },
    own.length > 0 ? ownBlock(context, check, own, trouble) : null,
    rulings.length > 0
      ? rulingBlock(context, check, rulings, (choice, args, buttons) => take(context, check, choice, { args }, buttons, trouble))
      : null,
    trouble,
  );
}

/**
 * @param {CardContext} context
 * @param {PendingCheck} pending
 */
function waiting({ words, actorName }, pending) {
  const ruling = pending.choices.every((offer) => offer.who === "gm");
  const name = actorName(pending.actor) ?? words.say("somebody");
  return el("p", { class: "bb-waiting", "data-part": "waiting" },
    ruling ? words.say("choice.waitingRuling") : phrase(words, "choice.waiting", { name }));
}

/**
 * @param {CardContext} context
 * @param {string} check
 * @param {readonly ChoiceOffer[]} offers
 * @param {HTMLElement} trouble
 */
function ownBlock(context, check, offers, trouble) {
  const { words } = context;
  // What does something comes before what lets it be.
  const sorted = [...offers].sort((a, b) => Number(a.default === true || a.enabled === false) - Number(b.default === true || b.enabled === false));
  const buttons = sorted.map((offer, index) => choiceButton(context, check, offer, index === 0 && offer.default !== true));
  const hand = context.manual?.() && sorted.some((offer) => offer.chance && offer.enabled !== false) ? handField(context, check) : null;
  for (const [index, button] of buttons.entries()) {
    button.addEventListener("click", () => {
      const faces = readFaces(hand?.input.value ?? "");
      if (faces === null) {
        say(trouble, words.say("hand.bad"));
        hand?.input.focus();
        return;
      }
      // Only what rolls dice takes them.
      const given = sorted[index].chance && faces.length > 0 ? { faces } : {};
      void take(context, check, sorted[index].id, given, buttons, trouble).then((done) => done && typed.delete(check));
    });
  }
  return [el("div", { class: "bb-choices", role: "group", "aria-label": words.say("choice.what") }, buttons), hand?.root];
}

/**
 * @param {CardContext} context
 * @param {string} check
 */
function handField({ words }, check) {
  const input = el("input", {
    type: "text",
    class: "bb-note",
    inputmode: "numeric",
    value: typed.get(check) ?? "",
    placeholder: words.say("hand.placeholder"),
    "aria-label": words.say("hand.title"),
    "data-part": "faces",
    "data-check": check,
    oninput: () => typed.set(check, input.value),
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && event.preventDefault(),
  });
  return { input, root: el("details", { class: "bb-hand", open: typed.has(check) }, el("summary", {}, words.say("hand.title")), input) };
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
 * @param {import("./context.mjs").ChoiceMore} more
 * @param {readonly HTMLButtonElement[]} buttons
 * @param {HTMLElement} trouble
 * @returns {Promise<boolean>} whether it was taken: then the card is drawn anew from what the log says
 */
async function take(context, check, choice, more, buttons, trouble) {
  const before = buttons.map((button) => button.disabled);
  for (const button of buttons) button.disabled = true;
  trouble.hidden = true;
  const outcome = await /** @type {NonNullable<CardContext["choose"]>} */ (context.choose)(check, choice, more);
  if (outcome.ok) return true;
  for (const [index, button] of buttons.entries()) button.disabled = before[index];
  say(trouble, context.words.refusal(outcome));
  return false;
}

/**
 * @param {HTMLElement} trouble
 * @param {string} text
 */
function say(trouble, text) {
  trouble.replaceChildren();
  fill(trouble, [text]);
  trouble.hidden = false;
}
