/** Rolling for those who have not answered: with which of the checks, and what the request left to its rollers. */

/** @import { Command, RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { own } from "../client/own.mjs";
import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { askedWords, checksWords, missingIn } from "../cards/request-words.mjs";
import { askedControl, optionsFor } from "./asked-params.mjs";
import { chosenFor, quiet, startValue } from "./param-controls.mjs";
import { segments } from "./parts.mjs";

/** @typedef {Extract<Command, {t: "RollForAbsent"}>} RollForAbsent */

/**
 * What a request left to its rollers and somebody has to say.
 *
 * @param {TableModel} model
 * @param {RequestRecord} request
 * @param {number} nth
 */
function openIn(model, request, nth) {
  const { check, params = {} } = request.checks[nth];
  const spec = model.ruleset.checks.find((each) => each.key === check);
  return spec === undefined ? [] : spec.params.filter((param) => !param.difficulty && !param.ofTarget && !quiet(param) && own(params, param.key) === undefined);
}

/**
 * Whether there is anything to ask before rolling for the missing.
 *
 * @param {TableModel} model
 * @param {RequestRecord} request
 */
export const isPlain = (model, request) => request.checks.length === 1 && openIn(model, request, 0).length === 0;

/**
 * @param {TableModel} model
 * @param {RequestRecord} request
 * @returns {{root: HTMLElement, read: () => RollForAbsent}}
 */
export function missingForm(model, request) {
  const context = model.cardContext(() => {});
  const told = checksWords(context, request);
  const actors = missingIn(request).map((row) => model.actor(row.actor)).filter((actor) => actor !== undefined);
  /** @type {Map<string, Value>} */
  const values = new Map();
  let nth = 0;
  const root = el("div", { class: "bb-form" });
  const draw = () => {
    const params = openIn(model, request, nth);
    for (const param of params) {
      const [first] = optionsFor(param, actors, model);
      values.set(param.key, values.get(param.key) ?? (param.required ? first?.value ?? null : startValue(param, undefined, actors[0] ?? null, model)));
    }
    keepPlace(root, () => root.replaceChildren(...[
      request.checks.length < 2 ? null : segments({
        label: model.words.say("request.choose"),
        options: request.checks.map((asked, index) => ({ value: index, label: askedWords(context, request, asked), small: told[index].difficulty })),
        value: nth,
        choose: (chosen) => {
          nth = chosen;
          draw();
        },
        testid: "missing-check",
      }),
      ...params.map((param) => askedControl(param, values.get(param.key) ?? null, (value) => values.set(param.key, value), actors, model, true)),
    ].filter((part) => part !== null)));
  };
  draw();
  return {
    root,
    read: () => {
      const params = chosenFor(openIn(model, request, nth), values);
      return { t: "RollForAbsent", request: request.id, nth, ...(Object.keys(params).length > 0 && { params }) };
    },
  };
}
