/** A table move of the game (`Act`): done at once, or asked about where it has parameters. */

/** @import { Outcome, VerbSpec } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */
/** @import { Value } from "/forms/param-controls.mjs" */

import { openDialog } from "./dialogs.mjs";
import { paramControl, startValue } from "/forms/param-controls.mjs";

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {VerbSpec} verb
 */
export async function useVerb(model, notices, verb) {
  const { words } = model;
  const params = verb.params ?? [];
  if (params.length === 0) {
    const outcome = await model.send({ t: "Act", verb: verb.key });
    if (!outcome.ok) notices.show(words.refusal(outcome), { tone: "trouble" });
    return;
  }
  /** @type {Map<string, Value>} */
  const values = new Map(params.map((param) => [param.key, startValue(param, undefined, null, model)]));
  openDialog(words, {
    title: verb.label,
    testid: "verb-dialog",
    body: params.map((param) => paramControl(param, values.get(param.key) ?? null, (value) => {
      values.set(param.key, value);
    }, null, model)),
    done: {
      label: words.say("verb.do"),
      act: async () => {
        const given = [...values].filter((pair) => pair[1] !== null);
        /** @type {Outcome} */
        const outcome = await model.send({ t: "Act", verb: verb.key, args: /** @type {any} */ (Object.fromEntries(given)) });
        return outcome.ok ? null : words.refusal(outcome);
      },
    },
  });
}
