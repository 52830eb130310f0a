/** Foundry's own dice, for the time the bridge is away. What they show is in no log, and says so. */

import { link } from "./link.mjs";

/**
 * @param {string} formula
 * @param {string} name
 * @param {string} action
 * @returns {Promise<boolean>} whether it was rolled
 */
export async function localRoll(formula, name, action) {
  const { words } = link;
  const { Roll: PlainRoll } = foundry.dice;
  if (PlainRoll.validate?.(formula) === false || formula.trim() === "") {
    ui.notifications?.warn(words.say("foundry.local.bad"));
    return false;
  }
  try {
    const roll = await new PlainRoll(formula).evaluate();
    const flavor = [words.say("foundry.local.heading"), name, action].filter((text) => text !== "").join(" \u00b7 ");
    await roll.toMessage({ flavor: foundry.utils.escapeHTML?.(flavor) ?? flavor.replace(/[&<>]/g, " ") });
    return true;
  } catch {
    ui.notifications?.warn(words.say("foundry.local.bad"));
    return false;
  }
}
