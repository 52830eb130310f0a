/** Foundry's own dice, for the time the bridge is away. What they show is in no log, and says so. */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { Mode } from "../forms/roll-mode.mjs" */

import { el } from "../cards/dom.mjs";
import { rollToMessage } from "./compat.mjs";
import { link } from "./link.mjs";
import { stateWords } from "./state-words.mjs";
import { iconButton } from "./windows.mjs";

/**
 * Why nothing can be rolled at the bridge, and Foundry's own dice for the meantime.
 *
 * @param {string} formula to begin with
 * @param {() => {name: string, action: string, mode: Mode}} about who rolls, what for, and for whose eyes
 * @param {() => void} done what happens when it was rolled
 * @returns {Child[]}
 */
export function localOffer(formula, about, done) {
  const { words } = link;
  const said = stateWords(words, link.now, game.user?.isGM === true);
  const dice = el("input", { type: "text", value: formula, "aria-label": words.say("foundry.local.formula"), "data-testid": "local-formula" });
  return [
    el("p", {}, el("strong", {}, said.title), " ", said.next),
    el("div", { class: "local-roll" }, dice, iconButton("dice-d20", words.say("foundry.local.button"), () => {
      void localRoll(dice.value, about()).then((rolled) => rolled && done());
    }, { "data-testid": "local-roll" })),
    el("p", { class: "help" }, words.say("foundry.local.help")),
  ];
}

/**
 * @param {string} formula
 * @param {{name: string, action: string, mode: Mode}} about
 * @returns {Promise<boolean>} whether it was rolled
 */
async function localRoll(formula, { name, action, mode }) {
  const { words } = link;
  const { Roll: PlainRoll } = foundry.dice;
  if (PlainRoll.validate?.(formula) === false || formula.trim() === "") {
    ui.notifications?.warn(words.say("foundry.local.bad"));
    return false;
  }
  try {
    const roll = await new PlainRoll(formula).evaluate();
    const flavor = [words.say("foundry.local.heading"), name, action].filter((text) => text !== "").join(" \u00b7 ");
    await rollToMessage(roll, { flavor: foundry.utils.escapeHTML?.(flavor) ?? flavor.replace(/[&<>]/g, " ") }, mode);
    return true;
  } catch {
    ui.notifications?.warn(words.say("foundry.local.bad"));
    return false;
  }
}
