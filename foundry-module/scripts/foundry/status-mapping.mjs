/**
 * Which of a world's status icons stands for which condition of the game: what a GM chose, and otherwise icons of the same
 * id or name, or of one that a known system calls so. Nothing here knows Foundry.
 */

/** @import { RulesetInfo } from "../client/types.mjs" */

import { own } from "../client/own.mjs";

/** @typedef {{id: string, name: string}} Icon `name` in the language of the page */
/** @typedef {{key: string, label: string, counted: boolean}} Condition */

/**
 * Ids under which Foundry itself and two systems have what a game of ours calls otherwise (Foundry; Shadow of the Weird Wizard;
 * Shadow of the Demon Lord). The first that a world has is taken.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const KNOWN = {
  blinded: ["blind"],
  cursed: ["curse"],
  deafened: ["deaf"],
  exhausted: ["fatigued"],
  frightened: ["fear"],
  guard: ["defend"],
  held: ["restrain", "grabbed"],
  "impaired.strength": ["impairedStr"],
  "impaired.agility": ["impairedAgi"],
  "impaired.intellect": ["impairedInt"],
  "impaired.will": ["impairedWil"],
  marked: ["target"],
  on_fire: ["burning"],
  poisoned: ["poison"],
  shaken: ["frightened", "fear"],
  stunned: ["stun"],
  wounded: ["injured"],
};

/**
 * @param {RulesetInfo} ruleset
 * @returns {Condition[]} each by itself that an actor can have; what is about something, once for each of it
 */
export const conditionsOf = (ruleset) => (ruleset.conditions ?? []).flatMap((spec) =>
  ((spec.of ?? []).length === 0
    ? [{ key: spec.key, label: spec.label, counted: spec.counted === true }]
    : (spec.of ?? []).map((about) => ({ key: `${spec.key}.${about.value}`, label: `${spec.label} (${about.label})`, counted: spec.counted === true }))));

/** @param {string} text */
const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * @param {Condition} condition
 * @param {readonly Icon[]} icons
 * @returns {string | null} the id of the icon that is meant where nobody says otherwise
 */
export function usualIcon({ key, label }, icons) {
  const ids = [key, ...(own(KNOWN, key) ?? [])].map(bare);
  for (const id of ids) {
    const found = icons.find((icon) => bare(icon.id) === id);
    if (found !== undefined) return found.id;
  }
  return icons.find((icon) => bare(icon.name) === bare(label))?.id ?? null;
}

/**
 * @param {readonly Condition[]} conditions
 * @param {readonly Icon[]} icons
 * @param {Readonly<Record<string, unknown>>} [chosen] "" for none
 * @returns {Map<string, string>} icon by condition; an icon stands for one condition, and what a GM chose comes first
 */
export function mappingOf(conditions, icons, chosen = {}) {
  /** @type {Map<string, string>} */
  const mapping = new Map();
  const free = new Set(icons.map(({ id }) => id));
  const put = (/** @type {string} */ key, /** @type {string | null} */ id) => {
    if (id !== null && free.delete(id)) mapping.set(key, id);
  };
  for (const { key } of conditions) {
    const id = own(chosen, key);
    if (typeof id === "string") put(key, id);
  }
  for (const condition of conditions) if (typeof own(chosen, condition.key) !== "string") put(condition.key, usualIcon(condition, icons));
  return mapping;
}
