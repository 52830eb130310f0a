/** House rules in the Table window: the readings of the rules, and what the table may edit of its game. */

/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Tell } from "../forms/standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { HouseRules } from "../forms/house-rules.mjs";
import { TableDataForm } from "../forms/table-data.mjs";
import { TableFileBlock } from "../forms/table-file.mjs";
import { saveForm } from "./save-form.mjs";
import { sure } from "./windows.mjs";

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @returns {{root: HTMLElement, draw: () => void}}
 */
export function rulesPane(model, tell) {
  const rules = new HouseRules(model, tell);
  return { root: model.isGm ? formOf(model, rules.root, () => rules.save(), "rules") : el("div", {}, rules.root), draw: () => rules.update() };
}

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @returns {{root: HTMLElement, draw: () => void}}
 */
export function dataPane(model, tell) {
  const data = new TableDataForm(model, tell, ({ title, text, yes }) => sure(title, text, yes));
  const file = new TableFileBlock(model, tell);
  return { root: formOf(model, [data.root, file.root], () => data.save(), "data"), draw: () => data.update() };
}

/**
 * @param {TableModel} model
 * @param {import("../cards/dom.mjs").Child} body
 * @param {() => Promise<string | null>} save
 * @param {string} what
 */
const formOf = ({ words }, body, save, what) => saveForm({
  attributes: { "data-testid": `${what}-form` },
  body,
  submit: el("button", { type: "submit", "data-primary": true, "data-testid": `save-${what}` }, words.say("page.save")),
  save,
  done: () => {},
});
