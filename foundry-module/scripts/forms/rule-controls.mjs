/** Controls for the readings of the rules, from what the game says of each; and what a value is called. Hooks: option-KEY. */

/** @import { OptionSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { field, segments } from "./parts.mjs";

/** @typedef {boolean | number | string | null} Value */

/** Up to so many values stand side by side, if they are no longer than that in all. */
const BESIDE = 3;
const LETTERS = 44;

/**
 * A value in the game's words.
 *
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @param {Value} value
 * @returns {string}
 */
export function wordOf({ words }, spec, value) {
  const word = (spec.values ?? []).find((option) => option.value === value)?.label;
  return word ?? (value === null ? words.say("option.none") : String(value));
}

/**
 * The control for a reading: values side by side, a list, or a number.
 *
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @param {Value} start
 * @param {() => void} changed
 * @returns {{root: HTMLElement, read: () => Value, write: (value: Value) => void}}
 */
export function controlOf(model, spec, start, changed) {
  const numeric = spec.min !== null && spec.min !== undefined;
  if (numeric || (spec.values ?? []).length === 0) return numberOf(model, spec, start, changed);
  const values = spec.values ?? [];
  const letters = values.map(({ label }) => label).join("").length;
  return values.length <= BESIDE && letters <= LETTERS ? segmentsOf(model, spec, start, changed) : selectOf(model, spec, start, changed);
}

/**
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @param {Value} start
 * @param {() => void} changed
 */
function segmentsOf({ words }, spec, start, changed) {
  let value = start;
  const values = spec.values ?? [];
  const root = segments({
    label: spec.label,
    options: values.map((option) => ({ value: option.value, label: option.label, small: option.value === spec.default ? words.say("options.usual") : "" })),
    value,
    choose: (/** @type {Value} */ chosen) => {
      value = chosen;
      changed();
    },
    testid: `option-${spec.key}`,
  });
  return {
    root,
    read: () => value,
    write: (/** @type {Value} */ next) => {
      value = next;
      for (const [index, radio] of root.querySelectorAll("input").entries()) radio.checked = values[index].value === next;
    },
  };
}

/**
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @param {Value} start
 * @param {() => void} changed
 */
function selectOf({ words }, spec, start, changed) {
  const values = spec.values ?? [];
  const select = el("select", { "data-testid": `option-${spec.key}`, onchange: changed }, values.map((option) =>
    el("option", { selected: option.value === start },
      option.value === spec.default ? words.say("options.default", { label: option.label }) : option.label)));
  return {
    root: field(spec.label, select),
    read: () => values[select.selectedIndex]?.value ?? null,
    write: (/** @type {Value} */ value) => {
      select.selectedIndex = values.findIndex((option) => option.value === value);
    },
  };
}

/**
 * A number; where the game has a word for "none", leaving it empty means that.
 *
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @param {Value} start
 * @param {() => void} changed
 */
function numberOf(model, spec, start, changed) {
  const none = (spec.values ?? []).find((option) => option.value === null);
  const input = el("input", {
    type: "number",
    inputmode: "numeric",
    step: 1,
    min: spec.min,
    max: spec.max,
    placeholder: none?.label ?? wordOf(model, spec, spec.default),
    "data-testid": `option-${spec.key}`,
    oninput: changed,
  });
  const write = (/** @type {Value} */ value) => {
    input.value = value === null ? "" : String(value);
  };
  write(start);
  return {
    root: field(spec.label, input),
    write,
    read: () => (input.value === "" ? (none === undefined ? spec.default : null) : input.valueAsNumber),
  };
}

/**
 * Whether a number can be said at all. What it may be beyond that is for the bridge to say.
 *
 * @param {OptionSpec} spec
 * @param {number} value
 */
export const fits = ({ min, max }, value) => Number.isInteger(value) && value >= (min ?? value) && value <= (max ?? value);
