/**
 * What a file of house rules would change at this table, in lines: each reading of the rules, and each row of the data
 * that comes, goes or is another. Nothing here decides whether it may.
 */

/** @import { Ladder, TableData, TableFile } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./rule-controls.mjs" */

import { completed, ladderName, usualOf } from "./data-usual.mjs";
import { wordOf } from "./rule-controls.mjs";

/** @typedef {{name: string, word: string, all: string}} Row a row by what it is called: how it reads, and everything it says */

/**
 * @param {TableModel} model
 * @param {TableFile} file
 * @returns {string[]} none: nothing would change
 */
export function changesOf(model, { data, options = {} }) {
  const usual = usualOf(model);
  const now = completed(model.ruleset.data ?? { ruleset: data.ruleset }, usual);
  return [...optionChanges(model, /** @type {Record<string, Value>} */ (options)), ...dataChanges(model, now, completed(data, usual))];
}

/**
 * @param {TableModel} model
 * @param {Readonly<Record<string, Value>>} options
 */
function optionChanges(model, options) {
  const { words, ruleset } = model;
  return Object.entries(options).filter(([key, value]) => (model.option(key) ?? null) !== value).map(([key, value]) => {
    const spec = ruleset.optionSpecs.find((each) => each.key === key);
    if (spec === undefined) return words.say("data.change.unknownOption", { option: key });
    const now = /** @type {Value} */ (model.option(key) ?? null);
    return words.say("data.change.option", { option: spec.label, from: wordOf(model, spec, now), to: wordOf(model, spec, value) });
  });
}

/**
 * @param {TableModel} model
 * @param {TableData} before
 * @param {TableData} after
 */
function dataChanges(model, before, after) {
  const { words } = model;
  const keys = [...new Set([...(before.ladders ?? []), ...(after.ladders ?? [])].map(({ key }) => key))];
  const ladders = keys.flatMap((key) => ladderChange(model, key, before.ladders, after.ladders));
  const parts = /** @type {const} */ (["circumstances", "conditions", "amounts", "onCrits"]).flatMap((part) => {
    const title = words.say(`data.part.${part}.title`);
    return rowChanges(model, title, rowsOf(model, part, before), rowsOf(model, part, after));
  });
  const dice = (/** @type {TableData} */ { rankDice = [] }) => rankDice.map((sides) => `d${sides}`).join(", ");
  return [
    ...ladders,
    ...parts,
    ...plainChange(model, "rankDice", dice(before), dice(after)),
    ...plainChange(model, "levelStep", String(before.levelStep ?? ""), String(after.levelStep ?? "")),
    ...plainChange(model, "xpPerLevel", String(before.xpPerLevel ?? ""), String(after.xpPerLevel ?? "")),
  ];
}

/**
 * A ladder is short: it is told as a whole.
 *
 * @param {TableModel} model
 * @param {string} key
 * @param {readonly Ladder[]} [before]
 * @param {readonly Ladder[]} [after]
 */
function ladderChange(model, key, before = [], after = []) {
  const { words } = model;
  const told = (/** @type {readonly Ladder[]} */ ladders) => (ladders.find((ladder) => ladder.key === key)?.steps ?? [])
    .map(({ value, label }) => `${value} ${label}`).join(", ");
  const [from, to] = [told(before), told(after)];
  return from === to ? [] : [words.say("data.change.whole", { part: ladderName(model, key), from: from || words.say("data.nothing"), to: to || words.say("data.nothing") })];
}

/**
 * @param {TableModel} model
 * @param {"rankDice" | "levelStep" | "xpPerLevel"} part
 * @param {string} from
 * @param {string} to
 */
function plainChange({ words }, part, from, to) {
  if (from === to) return [];
  const none = words.say("data.nothing");
  return [words.say("data.change.whole", { part: words.say(`data.part.${part}.title`), from: from || none, to: to || none })];
}

/**
 * @param {TableModel} model
 * @param {"circumstances" | "conditions" | "amounts" | "onCrits"} part
 * @param {TableData} data
 * @returns {Row[]}
 */
function rowsOf({ words }, part, data) {
  const row = (/** @type {string} */ name, /** @type {string} */ word, /** @type {object} */ all) => ({ name, word, all: JSON.stringify(plain(all)) });
  switch (part) {
    case "circumstances":
      return (data.circumstances ?? []).map((each) => row(each.id, each.label, each));
    case "conditions":
      return (data.conditions ?? []).map((each) => row(each.key, each.label, each));
    case "amounts":
      return (data.amounts ?? []).map((each) => row(each.key, `${each.label || words.condition(each.key)} ${each.value}`, { value: each.value }));
    default:
      return (data.onCrits ?? []).map((each) => row(each.name, `${each.name} ${each.amount ?? 1}`, each));
  }
}

/**
 * Without what says nothing, in one order: a file may leave out what is usual.
 *
 * @param {object} each
 */
function plain(each) {
  const said = Object.entries(each).filter(([, value]) => value !== false && value !== "" && value !== 0 && value !== null && value !== "plain" && value !== "situation"
    && !(Array.isArray(value) && value.length === 0));
  return said.sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * @param {TableModel} model
 * @param {string} part
 * @param {readonly Row[]} before
 * @param {readonly Row[]} after
 */
function rowChanges({ words }, part, before, after) {
  const was = new Map(before.map((each) => [each.name, each]));
  const will = new Map(after.map((each) => [each.name, each]));
  return [
    ...after.filter(({ name }) => !was.has(name)).map(({ word }) => words.say("data.change.comes", { part, name: word })),
    ...before.filter(({ name }) => !will.has(name)).map(({ word }) => words.say("data.change.goes", { part, name: word })),
    ...after.filter(({ name, all }) => was.has(name) && was.get(name)?.all !== all).map(({ name, word }) => {
      const earlier = was.get(name)?.word ?? "";
      return earlier === word ? words.say("data.change.other", { part, name: word }) : words.say("data.change.whole", { part, from: earlier, to: word });
    }),
  ];
}
