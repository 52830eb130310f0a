/** What the table holds besides actors: open requests, the evening, opportunities that wait, resistance that was offered. */

/** @import { OpportunityRecord, RequestRecord, RequestRow, ResistanceEntry, SessionEntry } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { isOpen, missingIn } from "../cards/request-words.mjs";

/**
 * @param {TableModel} model
 * @param {string} id
 * @returns {RequestRecord | undefined}
 */
export const requestOf = (model, id) => model.client.entry(`request/${id}`);

/**
 * @param {TableModel} model
 * @returns {RequestRecord[]} the newest first
 */
export const openRequests = (model) => model.client.entriesUnder("request/").filter(isOpen).sort((a, b) => Number(b.id) - Number(a.id));

/**
 * Those that this person has still to answer himself.
 *
 * @param {TableModel} model
 * @param {RequestRecord} request
 * @returns {RequestRow[]}
 */
export function mineIn(model, request) {
  if (model.welcome.role === "observer" || !isOpen(request)) return [];
  return missingIn(request).filter((row) => (model.actor(row.actor)?.owners ?? []).includes(model.welcome.user));
}

/**
 * @param {TableModel} model
 * @returns {SessionEntry | undefined}
 */
export const sessionOf = (model) => model.client.entry("session");

/**
 * @param {TableModel} model
 * @returns {OpportunityRecord[]}
 */
export const opportunitiesOf = (model) => model.client.entriesUnder("opportunity/");

/**
 * @param {TableModel} model
 * @returns {ResistanceEntry[]}
 */
export const resistancesOf = (model) => model.client.entriesUnder("resistance/");
