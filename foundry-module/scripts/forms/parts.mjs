/** Small controls that more than one part of the page uses. */

/** @import { Words } from "../client/words.mjs" */
/** @import { Child } from "../cards/dom.mjs" */

import { bdi, el, svg } from "../cards/dom.mjs";
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

const GLYPHS = {
  sun: "M10 4V1m0 18v-3M4 10H1m18 0h-3M5.8 5.8 3.6 3.6m12.8 12.8-2.2-2.2m0-8.4 2.2-2.2M3.6 16.4l2.2-2.2M13.5 10a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z",
  moon: "M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z",
  auto: "M10 2.5a7.5 7.5 0 1 0 0 15Zm0 0a7.5 7.5 0 0 1 0 15",
  close: "M5 5l10 10M15 5 5 15",
  clock: "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM10 5.5V10l3 2",
  first: "M15.5 4.5 9 10l6.5 5.5M5 4.5v11",
  last: "M4.5 4.5 11 10l-6.5 5.5M15 4.5v11",
  earlier: "M12.5 4.5 6.5 10l6 5.5",
  later: "M7.5 4.5l6 5.5-6 5.5",
  check: "M4 10.5 8.2 15 16 5.5",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  back: "M8 5 4 9l4 4M4 9h7.5a4.5 4.5 0 0 1 0 9H9",
  minus: "M4 10h12",
  more: "M5 10a.6.6 0 1 1-1.2 0A.6.6 0 0 1 5 10Zm5.6 0a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0Zm5.6 0a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0Z",
  hand: "M6 10.5V5.3a1.3 1.3 0 0 1 2.6 0V9m0-.5V3.8a1.3 1.3 0 0 1 2.6 0V9m0-3.7a1.3 1.3 0 0 1 2.6 0v6.2c0 3-1.7 5.5-4.6 5.5-2.3 0-3.6-1-4.7-3l-1.6-2.9c-.5-1 .9-1.9 1.7-1l1.4 1.4",
  leave: "M8 3H4v14h4M12 6l4 4-4 4M16 10H8",
  plus: "M10 4v12M4 10h12",
  edit: "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2L4 16Z",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1",
  dice: "M10 1.8 17.3 6v8L10 18.2 2.7 14V6Z M10 6.2 13.8 12.6H6.2Z",
  list: "M4 5h12M4 10h12M4 15h8",
  people: "M7.5 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 3.4a3 3 0 0 1 0 5.2M15 12.6c1.8.8 3 2.4 3 4.4",
  sliders: "M3 6h7m4 0h3M3 14h3m4 0h7M12 4v4M8 12v4",
};

/** @param {keyof typeof GLYPHS} name */
export function glyph(name) {
  return svg(
    "svg",
    { class: "glyph", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    svg("path", {
      d: GLYPHS[name],
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.7,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}
