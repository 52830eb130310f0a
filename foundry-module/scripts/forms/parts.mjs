/** Small controls that more than one part of the page uses. */

/** @import { Words } from "../client/words.mjs" */
/** @import { Child } from "../cards/dom.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { MARKS } from "../cards/shapes.mjs";

let counter = 0;

/** An id that no other element of the page has. */
export const unique = (stem = "f") => {
  counter += 1;
  return `${stem}${counter}`;
};

/**
 * A control with its label above and a quiet word below.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [help]
 */
export function field(label, control, help = "") {
  const id = control.id || unique();
  control.id = id;
  const words = help === "" ? null : el("p", { class: "help", id: `${id}-help` }, help);
  if (words) control.setAttribute("aria-describedby", `${id}-help`);
  return el("div", { class: "field" }, el("label", { for: id }, label), control, words);
}

/**
 * One of a few, side by side. Arrow keys move, as in any group of radio buttons.
 *
 * @template Value
 * @param {object} parts
 * @param {string} parts.label
 * @param {readonly {value: Value, label: string, small?: string, title?: string}[]} parts.options
 * @param {Value} parts.value
 * @param {(value: Value) => void} parts.choose
 * @param {string} [parts.testid]
 * @param {HTMLElement | null} [parts.beside] something at the end of the label's line
 * @param {boolean} [parts.quiet] the label is plain from what there is to choose, and only read aloud
 */
export function segments({ label, options, value, choose, testid, beside = null, quiet = false }) {
  const name = unique("s");
  return el(
    "fieldset",
    // Long words in an even number stand better two by two than three and one.
    { class: "segments", "data-testid": testid, "data-pairs": options.length === 4 && options.map((option) => option.label).join("").length > 30 },
    quiet ? el("legend", { class: "bb-unseen" }, label) : beside === null ? el("legend", {}, label) : [el("legend", { class: "bb-unseen" }, label), el("div", { class: "legend-row" }, el("span", { "aria-hidden": "true" }, label), beside)],
    el(
      "div",
      { class: "segment-row" },
      options.map((option) =>
        el(
          "label",
          { class: "segment", title: option.title },
          el("input", {
            type: "radio",
            name,
            value: String(option.value),
            checked: option.value === value,
            onchange: () => choose(option.value),
          }),
          el("span", {}, option.label, option.small ? el("small", {}, option.small) : null),
        )),
    ),
  );
}

/**
 * One of some: side by side while they are few, in a list where they are more.
 *
 * @param {object} parts
 * @param {string} parts.label
 * @param {readonly {value: string, label: string}[]} parts.options
 * @param {string} parts.value
 * @param {(value: string) => void} parts.choose
 * @param {string} parts.testid
 * @param {number} [parts.few]
 * @param {string} [parts.help] under the list
 */
export function oneOf({ label, options, value, choose, testid, few = 4, help }) {
  if (options.length <= few) return segments({ label, options, value, choose, testid });
  const select = el("select", { "data-testid": testid, onchange: () => choose(select.value) },
    options.map((option) => el("option", { value: option.value, selected: option.value === value }, option.label)));
  return field(label, select, help);
}

/**
 * @param {object} parts
 * @param {Child} parts.label
 * @param {boolean} parts.on
 * @param {(on: boolean) => void} parts.turn
 * @param {boolean} [parts.disabled]
 * @param {string} [parts.testid]
 * @param {Child} [parts.beside]
 * @param {string} [parts.sign]
 */
export function toggle({ label, on, turn, disabled = false, testid, beside, sign }) {
  const input = el("input", {
    type: "checkbox",
    role: "switch",
    checked: on,
    disabled,
    onchange: () => turn(input.checked),
  });
  return el(
    "label",
    { class: "switch", "data-testid": testid, "data-sign": sign, "data-on": on },
    input,
    el("span", { class: "switch-track", "aria-hidden": "true" }),
    el("span", { class: "switch-label" }, label),
    beside === undefined ? null : el("span", { class: "switch-beside" }, beside),
  );
}

/**
 * The mark of a Boon or Bane with its word for those who do not see it.
 *
 * @param {Words} words
 * @param {"boon" | "bane"} sign
 */
export function mark(words, sign) {
  return [
    el("span", { class: "bb-mark", "data-sign": sign, "aria-hidden": "true" }, MARKS[sign]),
    el("span", { class: "bb-unseen" }, `${words.term(sign)}: `),
  ];
}

/**
 * @param {Words} words
 * @param {"boon" | "bane"} sign
 * @param {string} label
 */
export const marked = (words, sign, label) => [mark(words, sign), " ", bdi(label)];

/**
 * A Boon or a Bane, to be chosen.
 *
 * @param {Words} words
 * @param {"boon" | "bane"} value
 */
export const signOption = (words, value) => ({ value, label: `${MARKS[value]} ${words.term(value === "boon" ? "Boon" : "Bane")}` });

/**
 * @param {string} text
 * @param {(event: MouseEvent) => void} click
 * @param {Readonly<Record<string, unknown>>} [props]
 */
export const button = (text, click, props = {}) =>
  el("button", { type: "button", class: "button", onclick: click, ...props }, text);
