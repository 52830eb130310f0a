/** The numbers of an actor, as the game asks for them: fixed ones, and groups that the table names itself. */

/** @import { Numbers, NumberSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { button, field, unique } from "./parts.mjs";
import { slug } from "./slug.mjs";

/** @typedef {NonNullable<Numbers["values"]>} Values */

/**
 * @param {TableModel} model
 * @param {Values} values
 * @returns {{root: HTMLElement, read: () => Values}}
 */
export function numbersForm(model, values) {
  const parts = model.ruleset.numbers.map((spec) =>
    (spec.group ? groupForm(model, spec, values) : singleForm(model, spec, values)));
  const singles = parts.filter((part) => !part.group).map((part) => part.root);
  const groups = parts.filter((part) => part.group).map((part) => part.root);
  return {
    root: el("div", { class: "numbers", "data-testid": "numbers" }, singles.length > 0 ? el("div", { class: "grid-fields" }, singles) : null, groups),
    read: () => parts.flatMap((part) => part.read()),
  };
}

/**
 * @param {TableModel} model
 * @param {NumberSpec} spec
 * @param {number | null} value
 */
function numberInput(model, spec, value) {
  const choices = spec.choices ?? [];
  if (choices.length > 0) {
    const select = el(
      "select",
      { "data-testid": `number-${spec.key}` },
      el("option", { value: "", selected: value === null }, model.words.say("number.none")),
      choices.map((choice) => el("option", { value: String(choice.value), selected: choice.value === value }, choice.label)),
    );
    return { input: select, read: () => (select.value === "" ? null : Number(select.value)) };
  }
  const input = el("input", {
    type: "number",
    inputmode: "numeric",
    min: spec.min,
    max: spec.max,
    step: 1,
    value: value === null ? "" : String(value),
    placeholder: spec.default === null || spec.default === undefined ? "" : String(spec.default),
    "data-testid": `number-${spec.key}`,
  });
  return { input, read: () => (Number.isInteger(input.valueAsNumber) ? input.valueAsNumber : null) };
}

/**
 * @param {TableModel} model
 * @param {NumberSpec} spec
 * @param {Values} values
 */
function singleForm(model, spec, values) {
  const { input, read } = numberInput(model, spec, values.find((number) => number.key === spec.key)?.value ?? null);
  return {
    group: false,
    root: field(spec.label, input, spec.help),
    /** @returns {Values} */
    read: () => {
      const value = read();
      return value === null ? [] : [{ key: spec.key, value }];
    },
  };
}

/**
 * @param {TableModel} model
 * @param {NumberSpec} spec
 * @param {Values} values
 */
function groupForm(model, spec, values) {
  const { words } = model;
  const suggestions = unique("suggestions");
  /** @type {{key: string | null, label: HTMLInputElement, read: () => number | null, row: HTMLElement}[]} */
  let rows = [];
  const list = el("ul", { class: "number-rows" });
  const add = (/** @type {string | null} */ key, /** @type {string} */ text, /** @type {number | null} */ value) => {
    const label = el("input", { type: "text", maxlength: 80, value: text, list: suggestions, placeholder: words.say("number.name"), "aria-label": words.say("number.nameOf", { group: spec.label }) });
    const { input, read } = numberInput(model, spec, value);
    input.setAttribute("aria-label", words.say("number.valueOf", { group: spec.label }));
    const remove = el("button", { type: "button", class: "icon-button", "aria-label": words.say("number.remove"), onclick: () => {
      rows = rows.filter((each) => each.row !== row);
      row.remove();
    } }, glyph("close"));
    const row = el("li", {}, label, input, remove);
    rows.push({ key, label, read, row });
    list.append(row);
    return label;
  };
  for (const number of values.filter((each) => each.key.startsWith(`${spec.key}.`))) {
    add(number.key, number.label || number.key.slice(spec.key.length + 1), number.value);
  }
  return {
    group: true,
    root: el(
      "fieldset",
      { class: "number-group", "data-testid": `group-${spec.key}` },
      el("legend", {}, spec.label),
      spec.help ? el("p", { class: "help" }, spec.help) : null,
      el("datalist", { id: suggestions }, (spec.suggestions ?? []).map((value) => el("option", { value }))),
      list,
      button(words.say("number.add"), () => add(null, "", null).focus(), { class: "button small", "data-testid": `add-${spec.key}` }),
    ),
    /** @returns {Values} */
    read: () => {
      const taken = new Set();
      return rows.filter(({ label }) => label.value.trim() !== "").map(({ key, label, read }) => {
        const text = label.value.trim();
        let wanted = key ?? `${spec.key}.${slug(text, 36)}`;
        for (let n = 2; taken.has(wanted); n += 1) wanted = `${spec.key}.${slug(text, 36)}-${n}`;
        taken.add(wanted);
        return { key: wanted, label: text, value: read() ?? spec.default ?? 0 };
      });
    },
  };
}
