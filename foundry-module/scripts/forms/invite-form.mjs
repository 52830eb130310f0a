/** An invitation for one person: who it is for, as what, and for how long the link is good. Nobody holds a token in it. */

/** @import { CodeMade, Person, PersonDevices } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { isLoopback } from "../client/address.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { el } from "../cards/dom.mjs";
import { field, segments } from "./parts.mjs";

const HOURS = /** @type {const} */ ([["hour", 1], ["day", 24], ["week", 168]]);
const ROLES = /** @type {const} */ (["player", "observer", "gm"]);

/**
 * @param {TableModel} model
 * @param {Person | PersonDevices | null} person null: somebody new; else somebody whose access was taken back
 * @param {string} page address of the table page
 */
export function inviteForm(model, person, page) {
  const { words } = model;
  /** @type {Person["role"]} */
  let role = "player";
  let hours = 24;
  const known = person !== null && !("named" in person && person.named === false) ? person.name : "";
  const name = el("input", { type: "text", maxlength: 80, autocomplete: "off", value: known, "data-testid": "invite-name" });
  const roleHelp = el("p", { class: "help", "data-testid": "invite-role-help" });
  const explain = () => {
    roleHelp.textContent = words.say(`people.may.${role}`);
  };
  explain();
  return {
    name,
    root: [
      el("p", { class: "help" }, words.say("invite.help")),
      field(words.say("invite.name"), name),
      person === null
        ? el("div", { class: "bb-form" }, segments({
          label: words.say("invite.role"),
          options: ROLES.map((value) => ({ value, label: words.say(`role.${value}`) })),
          value: role,
          choose: (value) => {
            role = value;
            explain();
          },
          testid: "invite-role",
        }), roleHelp)
        : null,
      segments({
        label: words.say("invite.goodFor"),
        options: HOURS.map(([key, value]) => ({ value, label: words.say(`invite.hours.${key}`) })),
        value: hours,
        choose: (value) => {
          hours = value;
        },
        testid: "invite-hours",
      }),
    ],
    /** @returns {Promise<{wrong: string} | {called: string, made: CodeMade}>} */
    make: async () => {
      const called = name.value.trim();
      if (called === "") {
        name.focus();
        return { wrong: words.say("invite.needName") };
      }
      const made = await model.client.makeCode({ kind: "link", name: called, hours, page, ...(person === null ? { role } : { user: person.id }) });
      return made instanceof NoAnswer ? { wrong: words.refusal(made) } : { called, made };
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
