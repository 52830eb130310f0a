/** A table move of the game (`Act`): done at once, or asked about where it has parameters. */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { ParamSpec, VerbSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { paramControl, startValue } from "./param-controls.mjs";
import { oneOf } from "./parts.mjs";

/**
 * Ask what a move needs to know. `send` does it, and says what is wrong.
 *
 * @typedef {(body: Child, send: () => Promise<string | null>) => void} AskVerb
 */

/**
 * The moves that this person may make as the table stands.
 *
 * @param {TableModel} model
 */
export function verbsOf(model) {
  const { isGm, ruleset, welcome } = model;
  return (ruleset.verbs ?? []).filter((verb) => (isGm || (verb.who === "player" && welcome.role === "player")) && model.stands(verb.needs));
}

/**
 * @param {TableModel} model
 * @param {VerbSpec} verb
 * @param {Tell} tell
 * @param {AskVerb} ask
 */
export async function useVerb(model, verb, tell, ask) {
  const { words } = model;
  const params = verb.params ?? [];
  const [only] = params;
  if (params.length === 0 || (params.length === 1 && only.kind === "flag")) {
    // A move that is one switch flips it.
    const args = only === undefined ? {} : { [only.key]: !isOn(model, verb) };
    const outcome = await model.send({ t: "Act", verb: verb.key, args });
    if (!outcome.ok) tell(words.refusal(outcome), { tone: "trouble" });
    return;
  }
  const form = verbForm(model, params);
  ask([verb.help ? el("p", { class: "help" }, verb.help) : null, form.root], async () => {
    const outcome = await model.send({ t: "Act", verb: verb.key, args: form.read() });
    return outcome.ok ? null : words.refusal(outcome);
  });
}

/**
 * Whether the public switch that goes by the name of a move is on.
 *
 * @param {TableModel} model
 * @param {VerbSpec} verb
 */
export const isOn = (model, verb) => model.marks().some(({ spec, value }) => spec.key === verb.key && value === true);

/**
 * Numbers are those of the actor that the move names, so they are asked for anew with each actor.
 *
 * @param {TableModel} model
 * @param {readonly ParamSpec[]} params
 */
function verbForm(model, params) {
  /** @type {Map<string, Value>} */
  const values = new Map();
  const root = el("div", { class: "bb-form" });
  const actorOf = () => {
    const named = params.find((param) => param.kind === "actor");
    return named === undefined ? null : model.actor(String(values.get(named.key) ?? "")) ?? null;
  };
  const draw = () => {
    for (const param of params) {
      const start = param.kind === "actor"
        ? values.get(param.key) ?? (param.required ? model.mine()[0]?.id ?? null : null)
        : startValue(param, values.get(param.key), actorOf(), model);
      values.set(param.key, start);
    }
    keepPlace(root, () => root.replaceChildren(...params.map((param) => {
      const set = (/** @type {Value} */ value) => {
        values.set(param.key, value);
        if (param.kind === "actor") draw();
      };
      return param.kind === "actor"
        ? actorControl(model, param, values.get(param.key) ?? null, set)
        : paramControl(param, values.get(param.key) ?? null, set, actorOf(), model);
    })));
  };
  draw();
  return {
    root,
    /** @returns {Record<string, boolean | number | string>} */
    read: () => {
      /** @type {[string, boolean | number | string][]} */
      const given = [];
      for (const [key, value] of values) if (value !== null) given.push([key, value]);
      return Object.fromEntries(given);
    },
  };
}

/**
 * An actor that a move names is one's own.
 *
 * @param {TableModel} model
 * @param {ParamSpec} spec
 * @param {Value} value
 * @param {(value: Value) => void} set
 */
function actorControl(model, spec, value, set) {
  const options = model.mine().map(({ id, name }) => ({ value: id, label: name }));
  const testid = `param-${spec.key}`;
  if (options.length === 0) return el("p", { class: "hint", "data-testid": testid }, model.words.say("param.none.actor", { label: spec.label }));
  return oneOf({ label: spec.label, options, value: String(value ?? ""), choose: set, testid, help: spec.help });
}
