/** The number to reach: the table's ladder as segments, and a free number at its end. */

/** @import { ParamSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { el } from "../cards/dom.mjs";
import { field, unique } from "./parts.mjs";

/**
 * @param {ParamSpec} spec
 * @param {Value} value
 * @param {(value: Value) => void} set
 * @param {TableModel} model
 * @returns {HTMLElement}
 */
export function difficultyControl(spec, value, set, model) {
  const { words } = model;
  const testid = `param-${spec.key}`;
  if (!model.may("player_difficulty")) return el("p", { class: "hint", "data-testid": testid }, words.say("param.gmSets", { label: spec.label }));
  const ladder = spec.ladder ?? [];
  const free = el("input", {
    type: "number",
    inputmode: "numeric",
    class: "segment-number",
    min: spec.min,
    max: spec.max,
    step: 1,
    placeholder: ladder.length > 0 ? "\u2026" : words.say("param.usual"),
    "aria-label": words.say("param.freeNumber", { label: spec.label }),
    "data-testid": `${testid}-free`,
    value: value === null || ladder.some((step) => step.value === value) ? "" : String(value),
  });
  if (ladder.length === 0) {
    free.classList.remove("segment-number");
    free.removeAttribute("aria-label");
    free.addEventListener("input", () => set(Number.isInteger(free.valueAsNumber) ? free.valueAsNumber : null));
    return field(spec.label, free, spec.help);
  }
  const name = unique("ladder");
  const radios = ladder.map((step) =>
    el("input", {
      type: "radio",
      name,
      value: String(step.value),
      checked: step.value === value,
      onchange: () => {
        free.value = "";
        set(step.value);
      },
    }));
  free.addEventListener("input", () => {
    const number = free.valueAsNumber;
    if (!Number.isInteger(number)) return;
    for (const radio of radios) radio.checked = ladder.some((step) => String(step.value) === radio.value && step.value === number);
    set(number);
  });
  return el(
    "fieldset",
    { class: "segments", "data-testid": testid },
    el("legend", {}, spec.label),
    el(
      "div",
      { class: "segment-row" },
      ladder.map((step, index) =>
        el(
          "label",
          { class: "segment", title: step.proposed ? words.say("param.proposed") : null },
          radios[index],
          el("span", {}, String(step.value), el("small", {}, step.label)),
        )),
      free,
    ),
    spec.help ? el("p", { class: "help" }, spec.help) : null,
    ladder.some((step) => step.proposed) ? el("p", { class: "help bb-no-hover" }, words.say("param.proposed")) : null,
  );
}
