/** Other dice, asked for in Foundry: for whom, seen by whom, and what a macro or a chat command sends. */

/** @import { Command, Outcome } from "../client/types.mjs" */
/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { introduce, whoIsMeant } from "./actors.mjs";
import { usualMode } from "./compat.mjs";
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
 * Where all dice are public, a chat that is set to whisper does not change that.
 *
 * @param {TableModel} model
 * @param {NonNullable<RollDice["mode"]>} [mode] left out: as this person's chat is set
 * @returns {{mode: NonNullable<RollDice["mode"]>, overruled: boolean}}
 */
function modeFor(model, mode = usualMode()) {
  return model.option("dice_public") === true && mode !== "public" ? { mode: "public", overruled: true } : { mode, overruled: false };
}

/**
 * Roll at once, and say what is to be said.
 *
 * @param {TableModel} model
 * @param {DiceRequest & {who?: Chosen | null}} request
 * @returns {Promise<Outcome>}
 */
export async function rollDice(model, { who, mode: wanted, ...rest }) {
  const { words } = model;
  const { mode, overruled } = modeFor(model, wanted);
  const actor = await knownAs(model, who === undefined ? theOneMeant() : who);
  const outcome = await model.send({ t: "RollDice", ...rest, mode, ...(actor !== undefined && { actor }) });
  if (!outcome.ok) ui.notifications?.warn(words.refusal(outcome));
  else if (overruled) ui.notifications?.info(words.say("mode.allPublic"));
  if (outcome.ok) afterDice(mode);
  return outcome;
}

/** A secret roll leaves nothing in chat: who may read it finds it in the log. @param {RollDice["mode"]} mode */
export function afterDice(mode) {
  if (mode !== "secret") return;
  if (link.isGm) openLog();
  else ui.notifications?.info(link.words.say("send.secret"));
}
