/**
 * What is remembered, and where. A token stays in the browser it was made for; the world knows only the table and
 * its addresses, which every player's page may read.
 */

/** @import { Position } from "../client/types.mjs" */

import { registerSetting } from "./compat.mjs";

export const ID = "boonbridge";
const OWN = "own";
const TABLE = "table";

/**
 * @typedef {object} Own what this browser holds for one person in one world
 * @property {string} [token]
 * @property {string} [address] the one that was typed here or worked last
 * @property {Position} [seen]
 *
 * @typedef {{id: string, addresses: string[]}} WorldTable
 */

/** @param {() => void} changed the world's table is another now */
export function registerSettings(changed) {
  // One browser may hold several worlds and, beside each other, a GM and a player.
  registerSetting(OWN, { scope: "client", config: false, type: Object, default: {} });
  registerSetting(TABLE, { scope: "world", config: false, type: Object, default: {}, onChange: changed });
}

const place = () => `${game.world?.id ?? ""}.${game.user?.id ?? ""}`;

/** @returns {Own} */
export function own() {
  const all = game.settings.get(ID, OWN);
  const mine = typeof all === "object" && all !== null ? Reflect.get(all, place()) : undefined;
  return typeof mine === "object" && mine !== null ? mine : {};
}

/** @param {Own} more undefined values are forgotten */
export async function keepOwn(more) {
  const all = { ...game.settings.get(ID, OWN) };
  await game.settings.set(ID, OWN, { ...all, [place()]: { ...own(), ...more } });
}

/** @returns {WorldTable | null} */
export function worldTable() {
  const kept = game.settings.get(ID, TABLE);
  const { id, addresses } = /** @type {Partial<WorldTable>} */ (kept ?? {});
  return typeof id === "string" && id !== "" ? { id, addresses: Array.isArray(addresses) ? addresses : [] } : null;
}

/** @param {WorldTable} table */
export async function keepWorldTable(table) {
  const before = worldTable();
  if (before?.id === table.id && before.addresses.join(" ") === table.addresses.join(" ")) return;
  await game.settings.set(ID, TABLE, table);
}
