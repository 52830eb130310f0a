/** A link for a player: made for one person, shown once, never stored. */

/** @import { Minted, Person } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { isLoopback } from "/client/address.mjs";
import { newId } from "/client/ids.mjs";
import { el } from "/cards/dom.mjs";
import { confirm, openDialog } from "./dialogs.mjs";
import { button, field, segments } from "/forms/parts.mjs";
import { slug } from "/forms/slug.mjs";

/**
 * @param {TableModel} model
 * @param {Person | null} person null: somebody new
 */
export function inviteDialog(model, person) {
  const { words } = model;
  /** @type {Person["role"]} */
  let role = person?.role ?? "player";
  const name = el("input", { type: "text", maxlength: 80, value: person?.name ?? "", "data-testid": "invite-name" });
  const invite = async () => {
    const called = name.value.trim();
    if (called === "") {
      name.focus();
      return words.say("invite.needName");
    }
    const user = person?.id ?? `${slug(called, 24)}-${newId().replace(/[^A-Za-z0-9]/g, "").slice(0, 6)}`;
    const outcome = await model.send({ t: "Invite", user, name: called, role });
    if (!outcome.ok) return words.refusal(outcome);
    if (outcome.minted === undefined) return words.say("invite.noToken");
    showLink(model, called, outcome.minted);
    return null;
  };
  openDialog(words, {
    title: person === null ? words.say("invite.title") : words.say("invite.titleFor", { name: person.name }),
    testid: "invite-dialog",
    body: [
      el("p", { class: "help" }, words.say("invite.help")),
      field(words.say("invite.name"), name),
      person === null
        ? segments({
          label: words.say("invite.role"),
          options: /** @type {const} */ (["player", "observer", "gm"]).map((value) => ({ value, label: words.say(`role.${value}`) })),
          value: role,
          choose: (value) => {
            role = value;
          },
          testid: "invite-role",
        })
        : null,
    ],
    done: { label: words.say("invite.make"), act: invite },
  });
  name.focus();
}

/**
 * The page's own address, or one the bridge knows that others can reach.
 *
 * @param {readonly string[]} addresses
 */
function reachable(addresses) {
  if (!isLoopback(location.hostname)) return location.origin + location.pathname;
  for (const address of addresses) {
    try {
      const url = new URL(address.includes("://") ? address : `http://${address}`);
      const scheme = url.protocol === "wss:" || url.protocol === "https:" ? "https" : "http";
      if (!isLoopback(url.hostname)) return `${scheme}://${url.host}/`;
    } catch {
      // Not an address this browser understands.
    }
  }
  return location.origin + location.pathname;
}

/**
 * @param {TableModel} model
 * @param {string} name
 * @param {Minted} minted
 */
function showLink(model, name, minted) {
  const { words } = model;
  const base = reachable(model.welcome.addresses ?? []);
  const link = `${base}#token=${minted.token}`;
  const text = el("textarea", { class: "link-text", readonly: true, rows: 4, "aria-label": words.say("invite.link"), "data-testid": "invite-link", onfocus: () => text.select() }, link);
  const said = el("p", { class: "help", role: "status" });
  const copy = button(words.say("invite.copy"), async () => {
    text.select();
    // A plain-http page has no clipboard of the newer kind; what is selected can still be copied.
    const done = await (navigator.clipboard?.writeText(link).then(() => true, () => false) ?? document.execCommand("copy"));
    said.textContent = words.say(done ? "invite.copied" : "invite.copyByHand");
  }, { "data-primary": true, "data-testid": "copy-link" });
  openDialog(words, {
    title: words.say("invite.ready", { name }),
    testid: "link-dialog",
    body: [
      el("p", {}, words.say("invite.once", { name })),
      text,
      el("div", { class: "row" }, copy, said),
      isLoopback(new URL(base).hostname) ? el("p", { class: "hint" }, words.say("invite.loopback")) : null,
    ],
  });
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

