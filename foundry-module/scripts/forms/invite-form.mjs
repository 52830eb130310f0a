/** A link for one person: who it is for, and the link itself, which is shown once and never stored. */

/** @import { Minted, Person } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { isLoopback } from "../client/address.mjs";
import { newId } from "../client/ids.mjs";
import { el } from "../cards/dom.mjs";
import { button, field, segments } from "./parts.mjs";
import { slug } from "./slug.mjs";

/**
 * @param {TableModel} model
 * @param {Person | null} person null: somebody new
 */
export function inviteForm(model, person) {
  const { words } = model;
  /** @type {Person["role"]} */
  let role = person?.role ?? "player";
  const name = el("input", { type: "text", maxlength: 80, value: person?.name ?? "", "data-testid": "invite-name" });
  return {
    name,
    root: [
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
    /** @returns {Promise<{wrong: string} | {called: string, minted: Minted}>} */
    make: async () => {
      const called = name.value.trim();
      if (called === "") {
        name.focus();
        return { wrong: words.say("invite.needName") };
      }
      const user = person?.id ?? `${slug(called, 24)}-${newId().replace(/[^A-Za-z0-9]/g, "").slice(0, 6)}`;
      const outcome = await model.send({ t: "Invite", user, name: called, role });
      if (!outcome.ok) return { wrong: words.refusal(outcome) };
      return outcome.minted === undefined ? { wrong: words.say("invite.noToken") } : { called, minted: outcome.minted };
    },
  };
}

/**
 * A page of the bridge that others can reach, as far as the bridge knows one.
 *
 * @param {readonly string[]} addresses
 * @returns {string | null}
 */
export function pageAt(addresses) {
  for (const address of addresses) {
    try {
      const url = new URL(address.includes("://") ? address : `http://${address}`);
      const scheme = url.protocol === "wss:" || url.protocol === "https:" ? "https" : "http";
      if (!isLoopback(url.hostname)) return `${scheme}://${url.host}${url.pathname.replace(/(?:\/ws)?\/*$/, "/")}`;
    } catch {
      // Not an address this browser understands.
    }
  }
  return null;
}

/**
 * @param {TableModel} model
 * @param {string} name
 * @param {Minted} minted
 * @param {string} base address of the table page
 */
export function linkBlock(model, name, minted, base) {
  const { words } = model;
  const link = `${base}#token=${minted.token}`;
  const text = el("textarea", { class: "link-text", readonly: true, rows: 4, "aria-label": words.say("invite.link"), "data-testid": "invite-link", onfocus: () => text.select() }, link);
  const said = el("p", { class: "help", role: "status" });
  const copy = button(words.say("invite.copy"), async () => {
    text.select();
    // A plain-http page has no clipboard of the newer kind; what is selected can still be copied.
    const done = await (navigator.clipboard?.writeText(link).then(() => true, () => false) ?? document.execCommand("copy"));
    said.textContent = words.say(done ? "invite.copied" : "invite.copyByHand");
  }, { "data-primary": true, "data-testid": "copy-link" });
  return {
    copy,
    root: [
      el("p", {}, words.say("invite.once", { name })),
      text,
      el("div", { class: "row" }, copy, said),
      isLoopback(new URL(base).hostname) ? el("p", { class: "hint" }, words.say("invite.loopback")) : null,
    ],
  };
}
