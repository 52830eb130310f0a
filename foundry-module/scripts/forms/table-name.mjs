/** What the table is called, to be changed by a GM; and where its dice come from, as everybody may know. */

/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { field } from "./parts.mjs";

/**
 * @param {TableModel} model
 * @param {(text: string) => void} tell
 */
export function nameForm(model, tell) {
  const { words } = model;
  const title = el("input", { type: "text", maxlength: 80, autocomplete: "off", value: model.title, "data-testid": "table-name" });
  return {
    root: [el("p", { class: "help" }, words.say("tableName.help")), field(words.say("tableName.label"), title)],
    /** @returns {Promise<string | null>} what is wrong */
    save: async () => {
      const wanted = title.value.trim();
      if (wanted === "") return words.say("tableName.missing");
      const outcome = await model.send({ t: "RenameTable", title: wanted });
      if (!outcome.ok) return words.refusal(outcome);
      tell(outcome.changed === false ? words.say("send.unchanged") : words.say("tableName.done", { title: wanted }));
      return null;
    },
  };
}

/** @param {TableModel} model whether the table may be called something else from here: an older bridge cannot */
export const mayRename = (model) => model.isGm && model.client.can("replay");

/**
 * One line for everybody; none where an older bridge does not say.
 *
 * @param {TableModel} model
 */
export function diceLine({ welcome, words }) {
  const { dice } = welcome;
  if (!dice) return null;
  const { kind, since = 1, reason } = dice;
  const why = reason && words.has(`diceFrom.why.${reason}`) ? words.say(`diceFrom.why.${reason}`) : "";
  const told = kind === "taped" ? words.say("diceFrom.taped") : why === "" && since <= 1 ? words.say("diceFrom.promised") : words.say("diceFrom.since", { seq: since, why });
  return el("p", { class: "help", "data-testid": "dice-from", "data-kind": kind, "data-since": since },
    kind === "promised" ? el("span", { class: "verified", "aria-hidden": "true" }, "\u2713 ") : null, told.trim());
}
