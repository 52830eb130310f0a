/** The fields for somebody without a sheet. */

/** @import { RollState } from "./roll-state.mjs" */

import { el } from "../cards/dom.mjs";
import { startOf } from "./free-actor.mjs";
import { field } from "./parts.mjs";

/**
 * @param {RollState} state
 * @param {() => void} changed
 */
export function freeBlock(state, changed) {
  const { free, model } = state;
  const { words } = model;
  const name = el("input", {
    type: "text",
    maxlength: 80,
    value: free.name,
    placeholder: words.say("free.namePlaceholder"),
    "data-testid": "free-name",
    oninput: () => {
      free.name = name.value;
      changed();
    },
  });
  const side = el(
    "select",
    {
      "data-testid": "free-side",
      onchange: () => {
        free.side = /** @type {typeof free.side} */ (side.value);
        changed();
      },
    },
    ["neutral", "party", "opposition"].map((value) => el("option", { value, selected: value === free.side }, words.say(`side.${value}`))),
  );
  const attribute = el(
    "select",
    {
      onchange: () => {
        free.attackAttribute = attribute.value;
        changed();
        fillNumbers();
      },
    },
    free.attributes().map(({ key, label }) => el("option", { value: key, selected: key === free.attackAttribute }, label)),
  );
  const numbers = el("div", { class: "grid-fields" });
  const fillNumbers = () => {
    numbers.replaceChildren(...free.needed(state.spec, state.params).map(({ key, label, spec }) => {
      const now = free.values.get(key) ?? startOf(spec);
      const set = (/** @type {number} */ value) => {
        free.values.set(key, value);
        changed();
      };
      const choices = spec.choices ?? [];
      if (choices.length > 0) {
        const select = el("select", { onchange: () => set(Number(select.value)) },
          choices.map((choice) => el("option", { value: String(choice.value), selected: choice.value === now }, choice.label)));
        return field(label, select);
      }
      const input = el("input", {
        type: "number",
        inputmode: "numeric",
        min: spec.min,
        max: spec.max,
        value: String(now),
        "data-testid": `free-${key}`,
        oninput: () => {
          if (Number.isInteger(input.valueAsNumber)) set(input.valueAsNumber);
        },
      });
      return field(label, input);
    }));
  };
  fillNumbers();
  const root = el(
    "div",
    { class: "free", "data-testid": "free" },
    el("div", { class: "grid-fields" }, field(words.say("free.name"), name), model.isGm ? field(words.say("actor.side"), side) : null),
    free.attacks(state.spec) ? field(words.say("free.attackWith"), attribute) : null,
    numbers,
  );
  return { root, fillNumbers };
}
