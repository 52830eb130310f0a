/** People in windows of the page: the whole list, an invitation, a code for another device. */

/** @import { Person, PersonDevices } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { isLoopback } from "../client/address.mjs";
import { linkBlock } from "../forms/code-block.mjs";
import { DeviceForm } from "../forms/device-form.mjs";
import { inviteForm, pageAt } from "../forms/invite-form.mjs";
import { PeopleView } from "../forms/people-view.mjs";
import { openDialog, surely } from "./dialogs.mjs";

/** @param {TableModel} model */
export function peopleDialog(model) {
  const { words } = model;
  const view = new PeopleView(model, {
    sure: surely(words),
    invite: (person) => inviteDialog(model, person),
    device: (person) => deviceDialog(model, person),
  });
  view.draw();
  const { dialog, close } = openDialog(words, { title: words.say("people.manage"), testid: "people-dialog", body: view.root });
  dialog.classList.add("wide");
  // Who is no GM any more has lost what this window shows.
  const stop = model.client.on("welcome", ({ role }) => role !== "gm" && close());
  dialog.addEventListener("close", stop);
}

/**
 * @param {TableModel} model
 * @param {Person | PersonDevices | null} person null: somebody new
 */
export function inviteDialog(model, person) {
  const { words } = model;
  const form = inviteForm(model, person, reachable(model.welcome.addresses ?? []));
  const invite = async () => {
    const result = await form.make();
    if ("wrong" in result) return result.wrong;
    const { copy, root } = linkBlock(words, result.made, words.say("invite.send", { name: result.called }));
    openDialog(words, { title: words.say("invite.ready", { name: result.called }), testid: "link-dialog", body: root });
    copy.focus();
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
 * @param {TableModel} model
 * @param {{id: string, name: string}} person
 */
export function deviceDialog(model, person) {
  const { words } = model;
  const form = new DeviceForm(model, person, reachable(model.welcome.addresses ?? []));
  const whose = person.id === model.welcome.user ? "mine" : "other";
  openDialog(words, { title: words.say(`people.device.title.${whose}`, { name: person.name }), testid: "device-dialog", body: form.root });
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
