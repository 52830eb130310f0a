/** Dice as text: what somebody means who types `/bb` into the chat, and a formula with one die more. Nothing here knows Foundry. */

const MOST_LABEL = 80;
const DAMAGE = /^damage(?:\s+|$)/i;

/**
 * @typedef {{formula: string, label: string, kind: "dice" | "damage"}} Asked
 */

/**
 * `2d6+3`, `2d6+3 # Boathook`, `damage 2d6+3 # Boathook`. Whether the formula is one, the bridge says.
 *
 * @param {string} text
 * @returns {Asked} with an empty formula where none was typed
 */
export function readDice(text) {
  const hash = text.indexOf("#");
  const before = (hash < 0 ? text : text.slice(0, hash)).trim();
  const label = hash < 0 ? "" : [...text.slice(hash + 1).replace(/\s+/g, " ").trim()].slice(0, MOST_LABEL).join("").trim();
  const damage = DAMAGE.test(before);
  return { formula: damage ? before.replace(DAMAGE, "") : before, label, kind: damage ? "damage" : "dice" };
}

const LAST = /(\d*)d(\d+|%)\s*$/i;

/**
 * One die more: of the last group, where it has that size, or a group of its own.
 *
 * @param {string} formula
 * @param {number} sides
 */
export function withDie(formula, sides) {
  const before = formula.trimEnd();
  const last = LAST.exec(before);
  if (last !== null && Number(last[2] === "%" ? 100 : last[2]) === sides) {
    return `${before.slice(0, last.index)}${Number(last[1] || 1) + 1}d${last[2]}`;
  }
  if (before === "") return `1d${sides}`;
  return /[+-]$/.test(before) ? `${before}1d${sides}` : `${before}+1d${sides}`;
}
