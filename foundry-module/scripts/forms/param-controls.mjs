/** Controls for the parameters of a check, from what the game says of each. No game is known here. */

/** @import { ActorEntry, ParamSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { difficultyControl } from "./difficulty.mjs";
import { field, segments, toggle } from "./parts.mjs";
import { slug } from "./slug.mjs";

const SEGMENTS = 5;

/** @typedef {boolean | number | string | null} Value null: left to the sheet or to the game */

/**
 * What a parameter may be for this actor.
 *
 * @param {ParamSpec} spec
 * @param {ActorEntry | null} actor
 * @param {TableModel} model
 * @returns {{value: Value, label: string, small?: string}[]}
 */
export function optionsOf(spec, actor, model) {
  const choices = (spec.choices ?? []).map(({ value, label }) => ({ value, label }));
  const values = actor?.numbers?.values ?? [];
  switch (spec.kind) {
    case "number": {
      if (spec.ofTarget) return [...choices, ...namesOf(spec, model)];
      const grouped = spec.group
        ? values.filter((number) => number.key.startsWith(`${spec.group}.`)).map(({ key, label }) => ({ value: key, label: label || key }))
        : [];
      return [...choices, ...grouped].map((option) => ({ ...option, small: numberWord(String(option.value), actor, model) }));
    }
    case "attack":
      return (actor?.numbers?.attacks ?? []).map((attack) => ({ value: attack.id, label: attack.name }));
    case "actor":
      return model.actors().map(({ id, name }) => ({ value: id, label: name }));
    default:
      return choices;
  }
}

/**
 * The names a group of numbers has anywhere at the table: whoever names one of a target need not see its value.
 *
 * @param {ParamSpec} spec
 * @param {TableModel} model
 */
function namesOf(spec, model) {
  const { group } = spec;
  if (!group) return [];
  const suggested = (model.ruleset.numbers.find((each) => each.key === group)?.suggestions ?? [])
    .map((label) => /** @type {const} */ ([`${group}.${slug(label)}`, label]));
  const used = model.actors().flatMap((actor) => actor.numbers?.values ?? [])
    .filter((number) => number.key.startsWith(`${group}.`))
    .map(({ key, label }) => /** @type {const} */ ([key, label || key]));
  return [...new Map([...suggested, ...used])].map(([value, label]) => ({ value, label }));
}

/**
 * An actor's number as people write it: d8, +3.
 *
 * @param {string} key
 * @param {ActorEntry | null} actor
 * @param {TableModel} model
 */
function numberWord(key, actor, model) {
  const number = actor?.numbers?.values?.find((each) => each.key === key);
  const spec = model.ruleset.numbers.find((each) => each.key === key || (each.group && key.startsWith(`${each.key}.`)));
  const value = number?.value ?? spec?.default;
  if (value === undefined || value === null) return "\u2013";
  if (spec?.kind === "die") return `d${value}`;
  return spec && spec.min !== undefined && spec.min < 0 ? `${value < 0 ? "\u2212" : "+"}${Math.abs(value)}` : String(value);
}

/**
 * What was chosen for some parameters, as a command says it: what is left to the sheet or to the game is left out.
 *
 * @param {readonly ParamSpec[]} specs
 * @param {ReadonlyMap<string, Value>} values
 * @returns {Record<string, boolean | number | string>}
 */
export const chosenFor = (specs, values) => Object.fromEntries(specs.flatMap(({ key }) => {
  const value = values.get(key);
  return value === undefined || value === null ? [] : [[key, value]];
}));

/**
 * The value a parameter begins with: the earlier one where it still fits.
 *
 * @param {ParamSpec} spec
 * @param {Value | undefined} earlier
 * @param {ActorEntry | null} actor
 * @param {TableModel} model
 * @returns {Value}
 */
export function startValue(spec, earlier, actor, model) {
  const options = optionsOf(spec, actor, model);
  if (["number", "attack", "actor", "choice"].includes(spec.kind) || (spec.kind === "die" && spec.required)) {
    if (options.some((option) => option.value === earlier)) return earlier ?? null;
    if (spec.kind === "actor" && !spec.required) return null;
    const first = spec.required || !(quiet(spec) || spec.ofTarget) ? options[0] : undefined;
    const preset = options.find((option) => option.value === spec.default) ?? first;
    return preset?.value ?? null;
  }
  if (earlier !== undefined) return earlier;
  if (spec.kind === "text") return spec.default ?? null;
  if (spec.default !== undefined && spec.default !== null) return spec.default;
  const ladder = spec.ladder ?? [];
  if (!spec.required && ladder.length === 0) return null;
  return ladder[Math.floor((ladder.length - 1) / 2)]?.value ?? spec.min ?? 0;
}

/**
 * Whether a parameter only overrides what the sheet says anyway: it waits behind "more".
 *
 * @param {ParamSpec} spec
 */
export function quiet(spec) {
  return !spec.required && !spec.difficulty && (spec.kind === "integer" || spec.kind === "die");
}

/**
 * @param {ParamSpec} spec
 * @param {Value} value
 * @param {(value: Value) => void} set
 * @param {ActorEntry | null} actor
 * @param {TableModel} model
 * @returns {HTMLElement}
 */
export function paramControl(spec, value, set, actor, model) {
  const testid = `param-${spec.key}`;
  if (spec.difficulty) return difficultyControl(spec, value, set, model);
  if (spec.kind === "flag") {
    return toggle({ label: spec.label, on: value === true, turn: set, testid, beside: spec.help || undefined });
  }
  if (spec.kind === "integer") return integerControl(spec, value, set, model);
  if (spec.kind === "text") return textControl(spec, value, set);
  const options = optionsOf(spec, actor, model);
  if (options.length === 0) {
    return el("p", { class: "hint", "data-testid": testid }, model.words.say(`param.none.${spec.kind}`, { label: spec.label }, model.words.say("param.none.other", { label: spec.label })));
  }
  const none = quiet(spec) ? "param.fromSheet" : spec.kind === "actor" && !spec.required ? "param.anybody" : spec.ofTarget && !spec.required ? "param.notAtAll" : null;
  const withNone = none === null ? options : [{ value: /** @type {Value} */ (null), label: model.words.say(none) }, ...options];
  if (withNone.length === 1) {
    return el("p", { class: "fixed-param", "data-testid": testid }, el("span", {}, spec.label), el("strong", {}, withNone[0].label));
  }
  if (withNone.length <= SEGMENTS) return segments({ label: spec.label, options: withNone, value, choose: set, testid });
  const select = el(
    "select",
    { "data-testid": testid, onchange: () => set(withNone[select.selectedIndex].value) },
    withNone.map((option) =>
      el("option", { selected: option.value === value }, "small" in option && option.small ? `${option.label} \u00b7 ${option.small}` : option.label)),
  );
  return field(spec.label, select, spec.help);
}

/**
 * @param {ParamSpec} spec
 * @param {Value} value
 * @param {(value: Value) => void} set
 * @param {TableModel} model
 */
function integerControl(spec, value, set, model) {
  const input = el("input", {
    type: "number",
    inputmode: "numeric",
    min: spec.min,
    max: spec.max,
    step: 1,
    value: value === null ? "" : String(value),
    placeholder: spec.required ? "" : model.words.say("param.fromSheet"),
    "data-testid": `param-${spec.key}`,
    oninput: () => {
      const number = input.valueAsNumber;
      set(Number.isInteger(number) ? number : null);
    },
  });
  return field(spec.label, input, spec.help);
}

/**
 * @param {ParamSpec} spec
 * @param {Value} value
 * @param {(value: Value) => void} set
 */
function textControl(spec, value, set) {
  const input = el("input", {
    type: "text",
    maxlength: Math.min(spec.max ?? 80, 80),
    value: value === null ? "" : String(value),
    "data-testid": `param-${spec.key}`,
    oninput: () => set(input.value.trim() === "" ? null : input.value),
  });
  return field(spec.label, input, spec.help);
}
