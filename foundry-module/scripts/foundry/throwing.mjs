/**
 * 3D dice of the module Dice So Nice. Public cards carry their roll, and it throws them on every page by itself. What
 * only some may see is thrown here, on this page alone, from what this page itself may read.
 */

/** @import { Commit, Logged } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { dice3d, on, rollOf } from "./compat.mjs";
import { link } from "./link.mjs";
import { liesStill, markOf } from "./marks.mjs";
import { rollsOf } from "./posting.mjs";

/** The result does not wait longer than that for its dice. */
const LIMIT_MS = 8_000;

/** @type {Map<string, Promise<void>>} what is in the air, by message */
const thrown = new Map();

/**
 * Throw the dice of a commit once, on this page.
 *
 * @param {TableModel} model
 * @param {Logged} commit
 * @param {string} key of the message, or of the roll where it has none
 * @returns {Promise<void>} when they lie still, or it has taken too long
 */
export function throwOnce(model, commit, key) {
  const known = thrown.get(key);
  if (known !== undefined) return known;
  const flight = throwDice(model, commit);
  thrown.set(key, flight);
  return flight;
}

/** @param {string} key @returns {Promise<void> | undefined} while its dice are in the air */
export const inTheAir = (key) => thrown.get(key);

/**
 * @param {TableModel} model
 * @param {Logged} commit
 */
async function throwDice(model, commit) {
  const dice = dice3d();
  if (typeof dice?.showForRoll !== "function") return;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS);
  });
  const falling = rollsOf(model, commit).filter(({ byHand }) => !byHand);
  const all = falling.map(({ data }) => rollOf(data)).map((roll) =>
    Promise.resolve(dice.showForRoll(roll, game.user, false, null, false, null)).catch(() => false));
  await Promise.race([Promise.all(all), limit]);
  clearTimeout(timer);
}

/**
 * A secret roll leaves nothing in chat; the GM who may read it sees its dice all the same.
 *
 * @param {Commit} commit
 */
export function throwUnannounced(commit) {
  const { model } = link;
  if (model === null || commit.t === "hidden" || commit.catchup === true || !link.isLive) return;
  if ((commit.events ?? []).some((event) => "mode" in event && event.mode === "secret")) void throwOnce(model, commit, `secret ${commit.seq}`);
}

/** Its older versions ask by these hooks whether a message's dice shall fall. */
export function hushLateDice() {
  for (const hook of ["diceSoNiceMessagePreProcess", "diceSoNiceMessageProcessed"]) {
    on(hook, (id, interception) => {
      if (liesStill(markOf(game.messages?.get(id)))) Reflect.set(interception ?? {}, "willTrigger3DRoll", false);
    });
  }
}
