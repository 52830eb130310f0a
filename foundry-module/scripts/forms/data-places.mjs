/** Where in a table's data something is wrong: what a refusal is about, and what could not even be said. */

/** @import { Step, TableData } from "../client/types.mjs" */

/** @typedef {{part: string, nth: number}} Place */

/**
 * Which row a refusal is about: it names the part, and what is wrong in it by key, by word or by value.
 *
 * @param {TableData | null} data
 * @param {Readonly<Record<string, unknown>>} values
 * @returns {Place | null}
 */
export function placeOf(data, { part, key, sides, low, high }) {
  if (data === null || typeof part !== "string") return null;
  if (part === "levelStep" || part === "xpPerLevel") return { part, nth: 0 };
  const last = (/** @type {readonly unknown[]} */ rows, /** @type {(row: any) => boolean} */ is) => {
    const found = rows.map((row, nth) => (is(row) ? nth : -1)).filter((nth) => nth >= 0);
    return found.at(-1) ?? null;
  };
  if (part === "ladders") {
    for (const ladder of data.ladders ?? []) {
      const off = (/** @type {Step} */ { value, label }) => String(value) === key
        || (ladder.key === key && (label.trim() === "" || value < Number(low ?? -Infinity) || value > Number(high ?? Infinity)));
      const nth = last(ladder.steps ?? [], off);
      if (nth !== null) return { part: `ladders.${ladder.key}`, nth };
    }
    return null;
  }
  const rows = /** @type {Record<string, any>} */ ({ ...data })[part];
  const named = (/** @type {any} */ row) => (typeof row === "number" ? row === sides : [row.key, row.id, row.name].includes(key) || (row.implies ?? []).includes(key)
    || (row.checks ?? []).includes(key) || (row.attributes ?? []).includes(key));
  const nth = Array.isArray(rows) ? last(rows, named) : null;
  return nth === null ? null : { part, nth };
}

/**
 * What could not even be said: a row without a word, or without a number.
 *
 * @param {TableData} data
 * @returns {(Place & {what: "label" | "value"}) | null}
 */
export function firstMissing(data) {
  /** @type {[string, {label?: string, numbers: number[]}[]][]} */
  const ladders = (data.ladders ?? []).map(({ key, steps = [] }) => [`ladders.${key}`, steps.map(({ value, label }) => ({ label, numbers: [value] }))]);
  /** @type {[string, {label?: string, numbers: number[]}[]][]} */
  const lists = [
    ...ladders,
    ["circumstances", (data.circumstances ?? []).map(({ label }) => ({ label, numbers: [] }))],
    ["conditions", (data.conditions ?? []).map(({ label, own: mine = 0, against = 0 }) => ({ label, numbers: [mine, against] }))],
    ["amounts", (data.amounts ?? []).map(({ value }) => ({ numbers: [value] }))],
    ["onCrits", (data.onCrits ?? []).map(({ name, amount = 1 }) => ({ label: name, numbers: [amount] }))],
    ["rankDice", (data.rankDice ?? []).map((sides) => ({ numbers: [sides] }))],
    ["levelStep", data.levelStep === null || data.levelStep === undefined ? [] : [{ numbers: [data.levelStep] }]],
    ["xpPerLevel", data.xpPerLevel === null || data.xpPerLevel === undefined ? [] : [{ numbers: [data.xpPerLevel] }]],
  ];
  for (const [part, rows] of lists) {
    for (const [nth, { label, numbers }] of rows.entries()) {
      if (label === "") return { part, nth, what: "label" };
      if (numbers.some((number) => !Number.isInteger(number))) return { part, nth, what: "value" };
    }
  }
  return null;
}
