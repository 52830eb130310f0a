/** A table move of the game (`Act`): done at once, or asked about where it has parameters. */

/** @import { ParamSpec, VerbSpec } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */
/** @import { Value } from "/forms/param-controls.mjs" */

import { el } from "/cards/dom.mjs";
import { keepPlace } from "/cards/keep-place.mjs";
import { openDialog } from "./dialogs.mjs";
import { oneOf } from "/forms/parts.mjs";
import { paramControl, startValue } from "/forms/param-controls.mjs";

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {VerbSpec} verb
 */
export async function useVerb(model, notices, verb) {
  const { words } = model;
  const params = verb.params ?? [];
  const [only] = params;
  if (params.length === 0 || (params.length === 1 && only.kind === "flag")) {
    // A move that is one switch flips it.
    const args = only === undefined ? {} : { [only.key]: !isOn(model, verb) };
    const outcome = await model.send({ t: "Act", verb: verb.key, args });
    if (!outcome.ok) notices.show(words.refusal(outcome), { tone: "trouble" });
    return;
  }
  const form = verbForm(model, params);
  openDialog(words, {
    title: verb.label,
    testid: "verb-dialog",
    body: [verb.help ? el("p", { class: "help" }, verb.help) : null, form.root],
    done: {
      label: words.say("verb.do"),
      act: async () => {
        const outcome = await model.send({ t: "Act", verb: verb.key, args: form.read() });
        return outcome.ok ? null : words.refusal(outcome);
      },
    },
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
