/** What can be done for an actor in a window of its own: a Boon or a Bane, a condition, help. */

/** @import { ActorEntry, Attempt } from "../client/types.mjs" */
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
export const grantDialog = (model, notices, actor) =>
  formDialog(model.words, "grant-dialog", model.words.say("grant.title", { name: actor.name }), model.words.say("grant.give"), grantForm(model, actor, notices.tell));

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export const conditionDialog = (model, notices, actor) =>
  formDialog(model.words, "condition-dialog", model.words.say("condition.title", { name: actor.name }), model.words.say("condition.give"), conditionForm(model, actor, notices.tell));

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 * @param {Attempt | null} [on] what is helped with, where that is known
 */
export const assistDialog = (model, notices, actor, on = null) =>
  formDialog(model.words, "assist-dialog", model.words.say("assist.title", { name: actor.name }), model.words.say("assist.give"), assistForm(model, actor, notices.tell, on));

/**
 * @param {Words} words
 * @param {string} testid
 * @param {string} title
 * @param {string} label of the button that gives it
 * @param {{root: HTMLElement, save: () => Promise<string | null>}} form
 */
function formDialog(words, testid, title, label, { root, save }) {
  openDialog(words, { title, testid, body: root, done: { label, act: save } });
}
