/** Other dice, asked for in Foundry: for whom, seen by whom, and what a macro or a chat command sends. */

/** @import { Command, Outcome } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Mode } from "../forms/roll-mode.mjs" */
/** @import { Chosen } from "../forms/roll-state.mjs" */

import { modeName } from "../forms/mode-field.mjs";
import { beginning } from "../forms/roll-mode.mjs";
import { known } from "../forms/roll-state.mjs";
import { introduce, whoIsMeant } from "./actors.mjs";
import { link } from "./link.mjs";
import { openLog } from "./log-window.mjs";

/** @typedef {Extract<Command, {t: "RollDice"}>} RollDice */
/** @typedef {Omit<RollDice, "t" | "actor">} DiceRequest */

/**
 * Somebody the bridge knows: dice need no numbers, so a stranger's are rolled for nobody in particular.
 *
 * @param {TableModel} model
 * @param {Chosen | null | undefined} one
 * @returns {Promise<string | undefined>}
 */
export async function knownAs(model, one) {
  if (one === null || one === undefined) return undefined;
  await introduce([one]);
  return model.actor(one.id) !== undefined || (one.base !== undefined && model.actor(one.base) !== undefined) ? one.id : undefined;
}

/** @returns {Chosen | null} whom this person means, if it is one */
export function theOneMeant() {
  const [first = null, ...others] = whoIsMeant();
  return others.length === 0 ? first : null;
}

/**
 * The visibility of a roll for which nobody is asked: what was said, or as such a roll begins here.
 *
 * @param {TableModel} model
 * @param {readonly Chosen[]} who
 * @param {{mode?: Mode, dice?: boolean}} [said]
 * @returns {{mode: Mode, overruled: boolean}} `overruled`: what this person is used to does not count where all dice are public
 */
export function modeFor(model, who, { mode, dice = false } = {}) {
  if (mode !== undefined) return { mode, overruled: false };
  const begins = beginning(model, { rollers: who.map((one) => known(model, one)), dice });
  return { mode: begins.mode, overruled: begins.why === "mode.allPublicOwn" };
}

/** Say that a roll went out openly although its roller usually hides his. @param {TableModel} model */
export const sayOverruled = (model) => ui.notifications?.info(model.words.say("mode.allPublicOwn", { own: modeName(model, model.habit.mode()) }));

/**
 * Roll at once, and say what is to be said.
 *
 * @param {TableModel} model
 * @param {DiceRequest & {who?: Chosen | null}} request
 * @returns {Promise<Outcome>}
 */
export async function rollDice(model, { who, mode: wanted, ...rest }) {
  const { words } = model;
  const one = who === undefined ? theOneMeant() : who;
  const actor = await knownAs(model, one);
  const { mode, overruled } = modeFor(model, one === null || actor === undefined ? [] : [one], { mode: wanted, dice: true });
  const outcome = await model.send({ t: "RollDice", ...rest, mode, ...(actor !== undefined && { actor }) });
  if (!outcome.ok) ui.notifications?.warn(words.refusal(outcome));
  else if (overruled) sayOverruled(model);
  if (outcome.ok) afterDice(mode);
  return outcome;
}

/** A secret roll leaves nothing in chat: who may read it finds it in the log. @param {RollDice["mode"]} mode */
export function afterDice(mode) {
  if (mode !== "secret") return;
  if (link.isGm) openLog();
  else ui.notifications?.info(link.words.say("send.secret"));
}
