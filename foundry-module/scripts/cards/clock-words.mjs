/** Until when something stands, in words: with a roll, a turn, a round, a fight. */

/** @import { Expiry } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */

/** @param {string | undefined} when */
export const ofTurn = (when) => when === "turn_start" || when === "turn_end";

/**
 * @param {Words} words
 * @param {(actor: string) => string | undefined} nameOf
 * @param {Expiry | undefined} expiry
 * @param {string} bearer whose turn it is where nobody else is named
 * @returns {string} empty where nothing but a person ends it
 */
export function clockWords(words, nameOf, expiry, bearer) {
  const { when = "none", actor } = expiry ?? {};
  if (when === "none") return "";
  return words.say(`expiry.${when}.tag`, { name: nameOf(actor || bearer) ?? words.say("somebody") }, when.replace(/_/g, " "));
}
