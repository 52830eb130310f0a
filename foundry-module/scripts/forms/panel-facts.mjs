/** What everybody at the table sees of a character at a glance: who plays it and is here, what helps and hinders, what it waits for. */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { Words } from "../client/words.mjs" */
/** @import { ActorEntry, HeldCondition } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { missingIn } from "../cards/request-words.mjs";
import { openRequests } from "./play.mjs";

/**
 * @typedef {object} Facts
 * @property {{name: string, online: boolean, known: boolean}[]} owners
 * @property {number} boons
 * @property {number} banes
 * @property {HeldCondition[]} conditions
 * @property {string | null} waits the key of what is to be done
 * @property {boolean} turn
 */

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @returns {Facts}
 */
export function factsOf(model, actor) {
  const count = { boon: 0, bane: 0 };
  for (const { sign, amount = 1 } of model.grants(actor.id)) count[sign] += amount;
  return {
    // Somebody who has a link but never came has no name here yet.
    owners: actor.owners.map((owner) => {
      const person = model.client.person(owner);
      return { name: person?.name ?? model.words.say("actors.notHereYet"), online: person?.online === true, known: person !== undefined };
    }),
    boons: count.boon,
    banes: count.bane,
    conditions: model.conditions(actor.id),
    waits: waitsFor(model, actor),
    turn: model.turn?.actor === actor.id,
  };
}

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @returns {string | null} the key of the words for it
 */
export function waitsFor(model, actor) {
  const open = (model.pendingOf(actor.id)?.choices ?? []).filter((offer) => offer.enabled !== false);
  if (open.some((offer) => offer.who !== "gm")) return "actors.choice";
  // What a GM rules is nobody else's to do.
  if (open.length > 0 && model.isGm) return "actors.ruling";
  return openRequests(model).some((request) => missingIn(request).some((row) => row.actor === actor.id)) ? "panel.asked" : null;
}

/**
 * Who plays a character, and whether anybody of them is here.
 *
 * @param {Words} words
 * @param {Facts["owners"]} owners at least one
 * @returns {Child}
 */
export function ownerWords(words, owners) {
  const here = owners.some(({ online }) => online);
  const expected = owners.some(({ known }) => known);
  return [
    el("span", { class: "dot", "data-online": here, "aria-hidden": "true" }),
    owners.map(({ name }, nth) => [nth > 0 ? ", " : " ", bdi(name)]),
    here || !expected ? "" : ` \u00b7 ${words.say("people.away")}`,
  ];
}
