/** One of the people at the table in a line: here or away, name, role. */

/** @import { Person, PersonDevices } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el } from "../cards/dom.mjs";

/** @param {TableModel} model @returns {Person[]} whose access was not taken back: those who are here first */
export const present = (model) => model.people().filter(({ gone }) => gone !== true);

/**
 * @param {TableModel} model
 * @param {{id: string, name: string, role: Person["role"], named?: boolean}} person
 * @param {boolean} online
 * @param {Child} more behind the role
 */
export function personLine(model, { id, name, role, named = true }, online, more) {
  const { words } = model;
  const me = id === model.welcome.user;
  return [
    el("span", { class: "dot", "data-online": online, "aria-hidden": "true" }),
    el("span", { class: "person-name" }, named ? bdi(name) : words.say("people.unnamed"), me ? el("span", { class: "quiet-text" }, ` ${words.say("people.you")}`) : null),
    el("span", { class: "quiet-text person-role" }, words.say(`role.${role}`), more),
  ];
}

/**
 * Everybody who is or may be here, as everybody sees it.
 *
 * @param {TableModel} model
 */
export const peopleList = (model) =>
  el("ul", { class: "people-list" }, present(model).map((person) =>
    el("li", { class: "person", "data-user": person.id, "data-online": person.online, "data-role": person.role },
      personLine(model, person, person.online, person.online ? null : ` \u00b7 ${model.words.say("people.away")}`))));

/** @param {PersonDevices} person */
export const isOnline = ({ devices = [] }) => devices.some(({ online }) => online);
