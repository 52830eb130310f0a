/** The house rules of a table in windows: its readings of the rules, what it may edit of its game, and its name. They follow the table while they are open. */

/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { HouseRules } from "../forms/house-rules.mjs";
import { TableDataForm } from "../forms/table-data.mjs";
import { TableFileBlock } from "../forms/table-file.mjs";
import { nameForm } from "../forms/table-name.mjs";
import { openDialog, surely } from "./dialogs.mjs";

/**
 * @param {TableModel} model
 * @param {Notices} notices
 */
export function optionsDialog(model, notices) {
  const { words, isGm } = model;
  const rules = new HouseRules(model, notices.tell);
  const opened = openDialog(words, {
    title: words.say("options.title"),
    testid: "options-dialog",
    body: rules.root,
    done: isGm ? { label: words.say("page.save"), act: () => rules.save() } : null,
  });
  follow(model, opened.dialog, () => rules.update());
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 */
export function tableDataDialog(model, notices) {
  const { words } = model;
  // What is said with a way back stands on the page, under this window.
  const done = () => opened.close();
  const data = new TableDataForm(model, notices.tell, surely(words), done);
  const file = new TableFileBlock(model, notices.tell, done);
  const opened = openDialog(words, {
    title: words.say("data.title"),
    testid: "data-dialog",
    body: [data.root, file.root],
    done: { label: words.say("page.save"), act: () => data.save() },
  });
  opened.dialog.classList.add("wide");
  follow(model, opened.dialog, () => data.update());
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 */
export function renameDialog(model, notices) {
  const { words } = model;
  const form = nameForm(model, notices.tell);
  openDialog(words, { title: words.say("tableName.open"), testid: "rename-dialog", body: form.root, done: { label: words.say("page.save"), act: form.save } });
}

/**
 * @param {TableModel} model
 * @param {HTMLDialogElement} dialog
 * @param {() => void} update
 */
function follow(model, dialog, update) {
  const stop = model.client.on("entries", update);
  dialog.addEventListener("close", stop);
}
