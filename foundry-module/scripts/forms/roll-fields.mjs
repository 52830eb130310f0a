/** The fields of the roll panel that every game has: who, what, how it is called, against whom. */

/** @import { TableModel } from "./model.mjs" */
/** @import { RollState } from "./roll-state.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { field, segments } from "./parts.mjs";
import { FREE } from "./roll-state.mjs";

const CHIPS = 6;
const MOST_BOUGHT = 3;

/**
 * @typedef {object} Panel
 * @property {RollState} state
 * @property {TableModel} model
 * @property {() => void} changed a value is another now
 * @property {() => void} draw the panel is built differently now
 */

/** @param {Panel} panel */
export function actorPicker({ state, model, draw }) {
  const { words } = model;
  const mine = model.mine();
  const options = mine.map((actor) => ({ value: actor.id, label: actor.name }));
  const value = /** @type {string} */ (state.actor);
  const choose = (/** @type {string} */ actor) => {
    state.actor = actor;
    draw();
  };
  const other = model.may("ad_hoc")
    ? el("button", {
      type: "button",
      class: "bb-link",
      "aria-pressed": value === FREE,
      "data-testid": "free-open",
      onclick: () => choose(value === FREE ? mine[0]?.id ?? FREE : FREE),
    }, words.say(value === FREE && mine.length > 0 ? "roll.backToSheets" : "roll.somebodyElse"))
    : null;
  const label = words.say("roll.who");
  if (value === FREE) return el("div", { class: "legend-row" }, el("span", {}, label), other);
  if (options.length <= CHIPS) return segments({ label, options, value, choose, testid: "actor-picker", beside: other, quiet: other === null });
  const select = el(
    "select",
    { "data-testid": "actor-picker", "aria-label": label, onchange: () => choose(select.value) },
    options.map((option) => el("option", { value: option.value, selected: option.value === value }, option.label)),
  );
  return el("div", {}, el("div", { class: "legend-row" }, el("span", {}, label), other), select);
}

/** @param {Panel} panel */
export function checkPicker({ state, model, draw }) {
  const checks = model.ruleset.checks.filter((check) => check.asked !== true);
  if (checks.length < 2) return null;
  const help = state.spec?.help ?? "";
  return el("div", {}, segments({
    label: model.words.say("roll.check"),
    options: checks.map((check) => ({ value: check.key, label: check.label, title: check.help })),
    value: state.check,
    choose: (check) => {
      state.check = check;
      draw();
    },
    testid: "check-picker",
    quiet: true,
  }), help === "" ? null : el("p", { class: "help" }, help));
}

/** @param {Panel} panel */
export function actionField({ state, model, changed }) {
  const input = el("input", {
    type: "text",
    maxlength: 80,
    value: state.action,
    placeholder: model.words.say("roll.actionPlaceholder"),
    "data-testid": "action",
    oninput: () => {
      state.action = input.value;
      changed();
    },
  });
  return field(model.words.say("roll.action"), input);
}

/** @param {Panel} panel */
export function targetsField({ state, model, changed, draw }) {
  const others = model.actors().filter((actor) => actor.id !== state.actor)
    .sort((a, b) => Number(a.side === "party") - Number(b.side === "party"));
  if (others.length === 0) return el("p", { class: "hint" }, model.words.say("roll.noTargets"));
  return el(
    "fieldset",
    { class: "targets", "data-testid": "targets" },
    el("legend", {}, model.words.say("roll.targets")),
    el("div", { class: "chips" }, others.map((actor) => {
      const box = el("input", {
        type: "checkbox",
        checked: state.targets.has(actor.id),
        onchange: () => {
          if (box.checked) state.targets.add(actor.id);
          else state.targets.delete(actor.id);
          const dependent = (state.spec?.params ?? []).some((param) => param.ofTarget && !param.required);
          if (dependent) draw();
          else changed();
        },
      });
      return el("label", { class: "chip check-chip", "data-target": actor.id }, box, bdi(actor.name));
    })),
  );
}

/** @param {{state: Pick<RollState, "spendBefore">, model: TableModel, changed: () => void}} panel */
export function spendField({ state, model, changed }) {
  const held = model.pool?.held ?? 0;
  if (held <= 0 && state.spendBefore === 0) return null;
  const row = segments({
    label: model.words.say("roll.spendBefore", { held }),
    options: Array.from({ length: Math.min(held, MOST_BOUGHT) + 1 }, (_, n) => ({ value: n, label: n === 0 ? model.words.say("roll.spendNone") : String(n) })),
    value: state.spendBefore,
    choose: (n) => {
      state.spendBefore = n;
      changed();
    },
    testid: "spend-before",
  });
  row.classList.add("inline");
  return row;
}
