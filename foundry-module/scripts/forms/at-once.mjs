/** Rolling at once, for who does not want to be asked first: where nothing is left to choose, and nothing is unclear. */

/** @import { RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { AnswerState } from "./answer-state.mjs";
import { isPlain } from "./missing-form.mjs";
import { opportunitiesOf } from "./play.mjs";

/**
 * Whether somebody is asked first. The place keeps it: the page for this browser, Foundry as a setting of this client.
 *
 * @typedef {object} Pace
 * @property {() => boolean} atOnce
 * @property {(atOnce: boolean) => void} keep
 */

/** @type {Pace} */
export const ASKS_FIRST = { atOnce: () => false, keep: () => {} };

/**
 * Answer a request with the one click that it took to get here.
 *
 * @param {TableModel} model
 * @param {RequestRecord} request
 * @param {string} actor
 * @returns {Promise<boolean>} false: there is something to ask, or the bridge had something against it
 */
export async function answeredAtOnce(model, request, actor) {
  if (!model.pace.atOnce()) return false;
  const state = new AnswerState(model, request, actor);
  if (!state.isOpen || leavesAChoice(model, state)) return false;
  const outcome = await model.send(state.command());
  return outcome.ok || !state.isOpen;
}

/**
 * @param {TableModel} model
 * @param {AnswerState} state
 */
const leavesAChoice = (model, state) => !isPlain(model, state.request)
  || model.option("manual_dice") === true
  || (state.spec?.spendBefore === true && (model.pool?.held ?? 0) > 0)
  || opportunitiesOf(model).length > 0;
