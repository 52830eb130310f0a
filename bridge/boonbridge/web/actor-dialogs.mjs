/** What can be done for an actor in a window of its own: a Boon or a Bane, a condition, help. */

/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { assistForm } from "../forms/assist-form.mjs";
import { conditionForm } from "../forms/condition-form.mjs";
import { grantForm } from "../forms/grant-form.mjs";
import { openDialog } from "./dialogs.mjs";

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export const grantDialog = (model, notices, actor) => formDialog(model.words, "grant", actor, grantForm(model, actor, notices.tell));

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export const conditionDialog = (model, notices, actor) => formDialog(model.words, "condition", actor, conditionForm(model, actor, notices.tell));

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export const assistDialog = (model, notices, actor) => formDialog(model.words, "assist", actor, assistForm(model, actor, notices.tell));

/**
 * @param {Words} words
 * @param {"grant" | "condition" | "assist"} kind
 * @param {ActorEntry} actor
 * @param {{root: HTMLElement, save: () => Promise<string | null>}} form
 */
function formDialog(words, kind, { name }, { root, save }) {
  openDialog(words, {
    title: words.say(`${kind}.title`, { name }),
    testid: `${kind}-dialog`,
    body: root,
    done: { label: words.say(`${kind}.give`), act: save },
  });
}
