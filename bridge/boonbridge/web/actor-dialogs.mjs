/** What can be done for an actor in a window of its own: a Boon or a Bane, a condition, help. */

/** @import { ActorEntry } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { assistForm } from "/forms/assist-form.mjs";
import { conditionForm } from "/forms/condition-form.mjs";
import { grantForm } from "/forms/grant-form.mjs";
import { openDialog } from "./dialogs.mjs";

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export function grantDialog(model, notices, actor) {
  const { words } = model;
  const form = grantForm(model, [actor], notices.tell);
  openDialog(words, {
    title: words.say("grant.title", { name: actor.name }),
    testid: "grant-dialog",
    body: form.root,
    done: { label: words.say("grant.give"), act: form.save },
  });
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export function conditionDialog(model, notices, actor) {
  const { words } = model;
  const form = conditionForm(model, [actor], notices.tell);
  openDialog(words, {
    title: words.say("condition.title", { name: actor.name }),
    testid: "condition-dialog",
    body: form.root,
    done: { label: words.say("condition.give"), act: form.save },
  });
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export function assistDialog(model, notices, actor) {
  const { words } = model;
  const form = assistForm(model, actor, notices.tell);
  openDialog(words, {
    title: words.say("assist.title", { name: actor.name }),
    testid: "assist-dialog",
    body: form.root,
    done: { label: words.say("assist.give"), act: form.save },
  });
}
