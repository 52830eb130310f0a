/** Who is at the table: the same list as the page has, in a tab, with windows for an invitation and a code for another device. */

/** @import { PersonDevices } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { linkBlock } from "../forms/code-block.mjs";
import { DeviceForm } from "../forms/device-form.mjs";
import { inviteForm, pageAt } from "../forms/invite-form.mjs";
import { unique } from "../forms/parts.mjs";
import { PeopleView } from "../forms/people-view.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { own, worldTable } from "./settings.mjs";
import { openWindow, sure } from "./windows.mjs";

/** @param {TableModel} model */
export function peoplePane(model) {
  return new PeopleView(model, {
    sure: ({ title, text, yes }) => sure(title, text, yes),
    invite: (person) => openInvite(model, person),
    device: (person) => openDevice(model, person),
    help: model.words.say("foundry.people.help"),
  });
}

/** The page that the bridge serves itself: at an address others can reach, else at the one that works here. */
function tablePage() {
  const known = pageAt([...(link.client?.welcome?.addresses ?? []), ...(worldTable()?.addresses ?? [])]);
  return known ?? `${String(own().address ?? "http://localhost").replace(/^ws/, "http").replace(/\/ws$/, "").replace(/\/$/, "")}/`;
}

/**
 * @param {TableModel} model
 * @param {PersonDevices | null} person null: somebody new
 */
function openInvite(model, person) {
  const { words } = model;
  const title = person === null ? words.say("invite.title") : words.say("invite.titleFor", { name: person.name });
  // One of its own each time: a link that is still shown stays for whom it was made.
  openWindow({ id: unique("boonbridge-invite-"), title, icon: "link", kind: "boonbridge-invite", width: 420 }, ({ close }) => {
    const form = inviteForm(model, person, tablePage());
    const root = el("div", { class: "boonbridge-form", "data-testid": "invite-dialog" });
    root.append(saveForm({
      body: form.root,
      submit: el("button", { type: "submit", "data-primary": true, "data-testid": "invite-make" }, words.say("invite.make")),
      save: async () => {
        const result = await form.make();
        if ("wrong" in result) return result.wrong;
        const { copy, root: shown } = linkBlock(words, result.made, words.say("invite.send", { name: result.called }));
        root.replaceChildren(shown, el("div", { class: "boonbridge-buttons" }, el("button", { type: "button", onclick: close }, words.say("page.close"))));
        copy.focus();
        return null;
      },
      done: () => {},
    }));
    return { build: () => root, shown: () => form.name.focus() };
  });
}

/**
 * @param {TableModel} model
 * @param {{id: string, name: string}} person
 */
function openDevice(model, person) {
  const { words } = model;
  const title = words.say(`people.device.title.${person.id === model.welcome.user ? "mine" : "other"}`, { name: person.name });
  openWindow({ id: unique("boonbridge-device-"), title, icon: "mobile-screen", kind: "boonbridge-device", width: 420 }, () => {
    const { root } = new DeviceForm(model, person, tablePage());
    return { build: () => root };
  });
}
