/**
 * The parameters of a check that a GM asks for: each may be said, or left to whoever rolls. A difficulty is always said.
 * Hooks: those of param-controls.mjs.
 */

/** @import { ActorEntry, CheckSpec, ParamSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { el } from "../cards/dom.mjs";
import { optionsOf, paramControl, quiet, startValue } from "./param-controls.mjs";
import { field, segments } from "./parts.mjs";

const FEW = 4;
const NAMED = ["number", "attack", "actor", "die"];

/**
 * Whether a parameter is one of the things a roller may decide himself.
 *
 * @param {ParamSpec} spec
 */
const mayBeLeft = (spec) => !spec.difficulty && !quiet(spec) && NAMED.includes(spec.kind) && !(spec.ofTarget && spec.required);

/**
 * What a parameter may be for any of several actors.
 *
 * @param {ParamSpec} spec
 * @param {readonly ActorEntry[]} actors
 * @param {TableModel} model
 * @returns {{value: Value, label: string}[]}
 */
export function optionsFor(spec, actors, model) {
  const bare = spec.ofTarget || spec.kind === "actor" ? optionsOf(spec, null, model) : [...(spec.choices ?? []), ...actors.flatMap((actor) => optionsOf(spec, actor, model))];
  /** @type {Map<Value, string>} */
  const named = new Map();
  for (const { value, label } of bare) if (value !== null && !named.has(value)) named.set(value, label);
  return [...named].map(([value, label]) => ({ value, label }));
}

/**
 * @param {ParamSpec} spec
 * @param {Value | undefined} earlier
 * @param {readonly ActorEntry[]} actors
 * @param {TableModel} model
 * @returns {Value} null: left to the roller
 */
export function askedStart(spec, earlier, actors, model) {
  if (!mayBeLeft(spec)) return startValue(spec, earlier, null, model);
  return earlier !== undefined && optionsFor(spec, actors, model).some((option) => option.value === earlier) ? earlier : null;
}

/**
 * @param {ParamSpec} spec
 * @param {Value} value
 * @param {(value: Value) => void} set
 * @param {readonly ActorEntry[]} actors
 * @param {TableModel} model
 * @param {boolean} [must] somebody has to say it here
 * @returns {HTMLElement}
 */
export function askedControl(spec, value, set, actors, model, must = false) {
  if (!mayBeLeft(spec)) return paramControl(spec, value, set, null, model);
  const none = spec.ofTarget && !spec.required ? "param.notAtAll" : "request.rollersChoice";
  const named = optionsFor(spec, actors, model);
  const options = must && spec.required ? named : [{ value: /** @type {Value} */ (null), label: model.words.say(none) }, ...named];
  const testid = `param-${spec.key}`;
  if (options.length <= FEW) return segments({ label: spec.label, options, value, choose: set, testid });
  const select = el("select", { "data-testid": testid, onchange: () => set(options[select.selectedIndex].value) },
    options.map((option) => el("option", { selected: option.value === value }, option.label)));
  return field(spec.label, select);
}

/**
 * The parameters a GM is asked about: what only a target has waits until there is one, and then stands instead of a number
 * that may be left out.
 *
 * @param {CheckSpec} spec
 * @param {boolean} aimed
 * @param {ReadonlyMap<string, Value>} params as they are now
 */
export function askedParams(spec, aimed, params) {
  const resisted = aimed && spec.params.some((param) => param.ofTarget && !param.required && (params.get(param.key) ?? null) !== null);
  return spec.params.filter((param) => (param.ofTarget ? aimed : !(resisted && param.difficulty && !param.required)));
}
