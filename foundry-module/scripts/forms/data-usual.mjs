/** A table's data beside the game's own: what there is to edit, what stands where the data say nothing, what a ladder is called. */

/** @import { Amount, Ladder, TableData } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

/**
 * What the game itself has: which parts there are to edit, whatever the table made of them.
 *
 * @param {TableModel} model
 * @returns {TableData}
 */
export const usualOf = ({ ruleset }) => ruleset.usual ?? ruleset.data ?? { ruleset: ruleset.id };

/**
 * Data with every part that counts as the game has it where they say nothing of it: such a part stays when it is sent.
 *
 * @param {TableData} data
 * @param {TableData} usual
 * @returns {TableData}
 */
export function completed(data, usual) {
  const added = (/** @type {readonly {key: string}[]} */ given = [], /** @type {readonly {key: string}[]} */ own = []) =>
    [...given, ...own.filter(({ key }) => !given.some((each) => each.key === key))];
  return {
    ...data,
    ladders: /** @type {Ladder[]} */ (added(data.ladders, usual.ladders)),
    amounts: /** @type {Amount[]} */ (added(data.amounts, usual.amounts)),
    rankDice: (data.rankDice ?? []).length > 0 ? data.rankDice : usual.rankDice ?? [],
    levelStep: data.levelStep ?? usual.levelStep ?? null,
    xpPerLevel: data.xpPerLevel ?? usual.xpPerLevel ?? null,
  };
}

/**
 * What a ladder is for, in the game's words.
 *
 * @param {TableModel} model
 * @param {string} key
 * @returns {string}
 */
export function ladderName({ ruleset }, key) {
  const group = (ruleset.groups ?? []).find((each) => each.key === key || each.difficulty?.key === key);
  const param = ruleset.checks.flatMap((check) => check.params).find((each) => each.key === key);
  return param?.label ?? group?.label ?? key.replace(/_/g, " ");
}
