/**
 * A check, or other dice, as the data of an evaluated Foundry roll, so that tooltips, statistics and 3D dice have it.
 * Nothing is rolled here: faces and total are those of the log.
 */

/** @import { DiceRolled, Die, Result } from "../client/types.mjs" */

import { arithmetic } from "../cards/dice-row.mjs";

/**
 * @typedef {{result: number, active: boolean, discarded?: true}} Face
 * @typedef {{class: "Die", evaluated: true, number: number, faces: number, modifiers: string[], results: Face[], options: object}} DieTerm
 * @typedef {{class: "NumericTerm", evaluated: true, number: number, options: object}} NumericTerm
 * @typedef {{class: "OperatorTerm", evaluated: true, operator: "+" | "-", options: object}} OperatorTerm
 * @typedef {{term: DieTerm | NumericTerm, minus: boolean, value: number}} Part one term with its sign, and what it comes to
 * @typedef {{class: "Roll", options: object, dice: never[], formula: string, terms: (DieTerm | NumericTerm | OperatorTerm)[], total: number, evaluated: true}} RollData
 */

/** @param {Die} die @returns {Face} */
const faceOf = (die) => (die.kept ? { result: die.face, active: true } : { result: die.face, active: false, discarded: true });

/**
 * Neighbours of one size and one role are one term.
 *
 * @param {readonly Die[]} dice
 * @returns {Die[][]}
 */
function groups(dice) {
  /** @type {Die[][]} */
  const found = [];
  for (const die of dice) {
    const last = found.at(-1);
    if (last !== undefined && last[0].sides === die.sides && last[0].role === die.role) last.push(die);
    else found.push([die]);
  }
  return found;
}

/**
 * How a formula says which of several dice counted: the highest, the lowest, or not at all.
 *
 * @param {readonly Die[]} dice
 * @returns {string[]}
 */
function keeping(dice) {
  const kept = dice.filter((die) => die.kept).map((die) => die.face);
  const dropped = dice.filter((die) => !die.kept).map((die) => die.face);
  if (kept.length === 0 || dropped.length === 0) return [];
  const many = kept.length === 1 ? "" : String(kept.length);
  if (Math.min(...kept) >= Math.max(...dropped)) return [`kh${many}`];
  return Math.max(...kept) <= Math.min(...dropped) ? [`kl${many}`] : [];
}

/** @param {readonly Die[]} dice @param {string[]} [modifiers] @returns {DieTerm} */
const dieTerm = (dice, modifiers = keeping(dice)) => ({
  class: "Die", evaluated: true, number: dice.length, faces: dice[0].sides, modifiers, results: dice.map(faceOf), options: {},
});

/** @param {readonly Die[]} dice */
const keptSum = (dice) => dice.reduce((sum, die) => sum + (die.kept ? die.face : 0), 0);

/** @param {number} value @returns {NumericTerm} */
const numeric = (value) => ({ class: "NumericTerm", evaluated: true, number: Math.abs(value), options: {} });

/**
 * @param {Result} result
 * @param {(die: Die) => string | null | undefined} signOf whether the game counts a die as a Boon's or a Bane's
 * @returns {RollData | null} null where no die was rolled
 */
export function rollData(result, signOf) {
  if (result.dice.length === 0) return null;
  const { subtracted } = arithmetic(result, signOf);
  /** @type {Part[]} */
  const parts = groups(result.dice).map((dice) => {
    const minus = subtracted && signOf(dice[0]) === "bane";
    const value = keptSum(dice);
    return { term: dieTerm(dice), minus, value: minus ? -value : value };
  });
  return withNumbers(parts, result);
}

/**
 * Dice of a formula: its groups as they were written, and after them what a rule of the table added.
 *
 * @param {DiceRolled} rolled
 * @returns {RollData | null} null where no die was rolled
 */
export function formulaData(rolled) {
  if (rolled.dice.length === 0) return null;
  let taken = 0;
  /** @type {Part[]} */
  const parts = rolled.terms.map(({ count, minus = false, keep = null, lowest = false }) => {
    const dice = rolled.dice.slice(taken, taken + count);
    taken += count;
    const some = keep !== null && keep < count;
    const value = keptSum(dice);
    return { term: dieTerm(dice, some ? [`k${lowest ? "l" : "h"}${keep === 1 ? "" : keep}`] : []), minus, value: minus ? -value : value };
  });
  for (const dice of groups(rolled.dice.slice(taken))) {
    const minus = dice[0].mark === "minus";
    const value = keptSum(dice);
    parts.push({ term: dieTerm(dice), minus, value: minus ? -value : value });
  }
  return withNumbers(parts, rolled);
}

/**
 * @param {Part[]} parts
 * @param {{bonus: number, total: number}} rolled
 */
function withNumbers(parts, { bonus, total }) {
  if (bonus !== 0) parts.push({ term: numeric(bonus), minus: bonus < 0, value: bonus });
  // Where the game does something else with its dice, the rest of the way to its total is one plain number.
  const rest = total - parts.reduce((sum, part) => sum + part.value, 0);
  if (rest !== 0) parts.push({ term: numeric(rest), minus: rest < 0, value: rest });
  return evaluated(parts, total);
}

/**
 * Only some dice, for a card that tells of dice added to an earlier roll: those before were shown already.
 *
 * @param {readonly Die[]} dice
 * @returns {RollData | null}
 */
export function addedDice(dice) {
  if (dice.length === 0) return null;
  const shown = dice.map((die) => ({ ...die, kept: true }));
  const parts = groups(shown).map((group) => ({ term: dieTerm(group), minus: false, value: group.reduce((sum, die) => sum + die.face, 0) }));
  return evaluated(parts, parts.reduce((sum, part) => sum + part.value, 0));
}

/**
 * @param {{term: DieTerm | NumericTerm, minus: boolean}[]} parts
 * @param {number} total
 * @returns {RollData}
 */
function evaluated(parts, total) {
  /** @type {RollData["terms"]} */
  const terms = [];
  // A roll begins with a die; a leading minus needs something before it.
  const [first] = parts;
  if (first.minus) terms.push(numeric(0));
  for (const [index, { term, minus }] of parts.entries()) {
    if (index > 0 || minus) terms.push({ class: "OperatorTerm", evaluated: true, operator: minus ? "-" : "+", options: {} });
    terms.push(term);
  }
  const formula = terms.map((term) => {
    if (term.class === "Die") return `${term.number}d${term.faces}${term.modifiers.join("")}`;
    return term.class === "NumericTerm" ? String(term.number) : ` ${term.operator} `;
  }).join("");
  return { class: "Roll", options: {}, dice: [], formula, terms, total, evaluated: true };
}
