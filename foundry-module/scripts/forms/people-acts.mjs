/** What GMs do about people: roles, access, names, codes, the pages that may connect. What cannot be undone is asked about first. */

/** @import { CodeOpen, Command, Device, PersonDevices } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Ask } from "./table-data.mjs" */

import { NoAnswer } from "../client/asker.mjs";

/**
 * Say what was done, or was not; `way`: what may be done about it.
 *
 * @typedef {(text: string, how?: {tone?: "plain" | "trouble", way?: {label: string, act: () => void}}) => void} Say
 */

/** @typedef {ReturnType<typeof peopleActs>} PeopleActs */

/**
 * @param {TableModel} model
 * @param {object} parts
 * @param {Ask} parts.sure
 * @param {Say} parts.say
 * @param {(person: PersonDevices) => void} parts.invite
 * @param {(answer: import("../client/types.mjs").Roster) => void} parts.took a list that came with an answer
 */
export function peopleActs(model, { sure, say, invite, took }) {
  const { words } = model;
  const isMe = (/** @type {PersonDevices} */ person) => person.id === model.welcome.user;
  /**
   * @param {Command} cmd
   * @param {string} done
   * @param {{label: string, act: () => void}} [way]
   */
  const act = async (cmd, done, way) => {
    const outcome = await model.send(cmd);
    if (outcome.ok) say(done, way && { way });
    else say(words.refusal(outcome), { tone: "trouble" });
  };
  /**
   * @param {string} key
   * @param {Record<string, string>} values
   */
  const asked = (key, values) => sure({ title: words.say(`${key}.title`, values), text: words.say(`${key}.text`, values), yes: words.say(`${key}.yes`, values) });
  return {
    /**
     * @param {PersonDevices} person
     * @param {PersonDevices["role"]} role
     */
    setRole: async (person, role) => {
      const values = { name: person.name, role: words.say(`role.${role}`) };
      const key = role === "gm" ? "people.makeGm" : person.role === "gm" ? (isMe(person) ? "people.stepDown" : "people.unmakeGm") : null;
      if (key !== null && !(await asked(key, values))) return;
      await act({ t: "SetRole", user: person.id, role }, words.say("people.roleSet", values));
    },
    /** @param {PersonDevices} person */
    revoke: async (person) => {
      const values = { name: person.name };
      if (!(await asked("people.revoke", values))) return;
      await act({ t: "RevokeAccess", user: person.id }, words.say("people.revoked", values), { label: words.say("people.inviteAgain"), act: () => invite(person) });
    },
    /**
     * @param {PersonDevices} person
     * @param {Device} device
     * @param {string} called
     */
    revokeDevice: async (person, device, called) => {
      const values = { name: person.name, device: called };
      const key = device.kind === "foundry" ? "people.revokeFoundry" : isMe(person) ? "people.revokeOwnDevice" : "people.revokeDevice";
      if (!(await asked(key, values))) return;
      await act({ t: "RevokeAccess", user: person.id, device: device.id }, words.say("people.revokedDevice", values));
    },
    /** @param {PersonDevices} person */
    forget: async (person) => {
      const values = { name: person.name, id: person.id };
      if (await asked("people.forget", values)) await act({ t: "EraseName", user: person.id }, words.say("people.forgotten", values));
    },
    /**
     * @param {CodeOpen} code
     * @param {string} name
     */
    dropCode: async (code, name) => {
      const answer = await model.client.dropCode(code.id);
      if (answer instanceof NoAnswer) say(words.refusal(answer), { tone: "trouble" });
      else {
        took(answer);
        say(words.say("people.code.dropped", { name }));
      }
    },
    /** @param {string} origin */
    removeOrigin: async (origin) => {
      if (await asked("people.origin", { origin })) await act({ t: "RemoveOrigin", origin }, words.say("people.origin.removed", { origin }));
    },
  };
}
