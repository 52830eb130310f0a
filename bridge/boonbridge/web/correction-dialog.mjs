/** A correction in a window of its own; it follows the table while it is open. */

/** @import { Correctable } from "../cards/context.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { CorrectionForm } from "../forms/correction-form.mjs";
import { openDialog } from "./dialogs.mjs";

const CALM_MS = 120;

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {Correctable} about
 */
export function correctionDialog(model, notices, about) {
  const { words } = model;
  const form = new CorrectionForm(model, about, notices.tell);
  const { dialog } = openDialog(words, {
    title: words.say("correction.title"),
    testid: "correction-dialog",
    body: form.root,
    done: { label: form.label, act: () => form.save(), button: form.submit },
  });
  let later = 0;
  const stop = model.client.on("entries", () => {
    clearTimeout(later);
    later = window.setTimeout(() => form.update(), CALM_MS);
  });
  dialog.addEventListener("close", () => {
    clearTimeout(later);
    stop();
  });
}
