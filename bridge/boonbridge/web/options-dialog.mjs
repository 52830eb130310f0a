/** The readings of the rules that a table chooses, each with what it decides and where the rules say it. */

/** @import { OptionSpec } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { el } from "/cards/dom.mjs";
import { openDialog } from "./dialogs.mjs";
import { field } from "/forms/parts.mjs";

/** @typedef {boolean | number | string | null} Value */

/**
 * @param {TableModel} model
 * @param {Notices} notices
 */
export function optionsDialog(model, notices) {
  const { words, ruleset } = model;
  const controls = ruleset.optionSpecs.filter((spec) => !spec.waiting).map((spec) => optionControl(model, spec));
  const save = async () => {
    const changed = controls.filter(({ spec, read }) => read() !== now(model, spec));
    if (changed.length === 0) return null;
    const before = changed.map(({ spec }) => /** @type {const} */ ([spec.key, now(model, spec)]));
    const outcome = await model.send({ t: "SetOptions", options: Object.fromEntries(changed.map(({ spec, read }) => [spec.key, read()])) });
    if (!outcome.ok) return words.refusal(outcome);
    notices.show(words.count("options.changed", changed.length), {
      undo: () => void model.send({ t: "SetOptions", options: Object.fromEntries(before) }),
    });
    return null;
  };
  openDialog(words, {
    title: words.say("options.title"),
    testid: "options-dialog",
    body: [el("p", { class: "help" }, words.say("options.help")), controls.map(({ root }) => root)],
    done: { label: words.say("page.save"), act: save },
  });
}

/**
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @returns {Value}
 */
const now = (model, spec) => /** @type {Value} */ (model.option(spec.key) ?? null);

/**
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @returns {{spec: OptionSpec, root: HTMLElement, read: () => Value}}
 */
function optionControl(model, spec) {
  const { words } = model;
  const value = now(model, spec);
  const rules = (spec.rules ?? []).length > 0 ? words.say("options.rules", { rules: (spec.rules ?? []).join(", ") }) : "";
  const help = [spec.help ?? "", rules].filter((text) => text !== "").join(" ");
  const values = spec.values ?? [];
  const numeric = spec.min !== null && spec.min !== undefined;
  if (!numeric && values.length > 0) {
    const select = el("select", { "data-testid": `option-${spec.key}` }, values.map((option) =>
      el("option", { selected: option.value === value },
        option.value === spec.default ? words.say("options.default", { label: option.label }) : option.label)));
    return { spec, root: field(spec.label, select, help), read: () => values[select.selectedIndex].value };
  }
  // A number; where the game has a word for "none", leaving it empty means that.
  const none = values.find((option) => option.value === null);
  const input = el("input", {
    type: "number",
    inputmode: "numeric",
    min: spec.min,
    max: spec.max,
    value: value === null ? "" : String(value),
    placeholder: none?.label ?? String(spec.default ?? ""),
    "data-testid": `option-${spec.key}`,
  });
  return {
    spec,
    root: field(spec.label, input, help),
    read: () => (Number.isInteger(input.valueAsNumber) ? input.valueAsNumber : none === undefined ? spec.default : null),
  };
}
