/** A link for a player: made for one person, shown once, never stored. */

/** @import { Minted, Person } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { isLoopback } from "../client/address.mjs";
import { inviteForm, linkBlock, pageAt } from "../forms/invite-form.mjs";
import { confirm, openDialog } from "./dialogs.mjs";

/**
 * @param {TableModel} model
 * @param {Person | null} person null: somebody new
 */
export function inviteDialog(model, person) {
  const { words } = model;
  const form = inviteForm(model, person);
  const invite = async () => {
    const made = await form.make();
    if ("wrong" in made) return made.wrong;
    showLink(model, made.called, made.minted);
    return null;
  };
  openDialog(words, {
    title: person === null ? words.say("invite.title") : words.say("invite.titleFor", { name: person.name }),
    testid: "invite-dialog",
    body: form.root,
    done: { label: words.say("invite.make"), act: invite },
  });
  form.name.focus();
}

/**
 * The page's own address, or one the bridge knows that others can reach.
 *
 * @param {readonly string[]} addresses
 */
function reachable(addresses) {
  const here = location.origin + location.pathname;
  return isLoopback(location.hostname) ? pageAt(addresses) ?? here : here;
}

/**
 * @param {TableModel} model
 * @param {string} name
 * @param {Minted} minted
 */
function showLink(model, name, minted) {
  const { words } = model;
  const { copy, root } = linkBlock(model, name, minted, reachable(model.welcome.addresses ?? []));
  openDialog(words, { title: words.say("invite.ready", { name }), testid: "link-dialog", body: root });
  copy.focus();
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {Person} person
 */
export function removePerson(model, notices, person) {
  const { words } = model;
  confirm(words, {
    title: words.say("people.removeTitle", { name: person.name }),
    text: words.say("people.removeText"),
    label: words.say("people.removeButton"),
    act: async () => {
      const outcome = await model.send({ t: "RevokeAccess", user: person.id });
      if (!outcome.ok) return words.refusal(outcome);
      notices.show(words.say("people.removed", { name: person.name }));
      return null;
    },
  });
}
