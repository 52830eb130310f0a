/** What people may switch off: for the world what Foundry and the table tell each other, for oneself what is drawn on the map. */

import { chosenOf, registerChoice, registerSetting, registerSwitch } from "./compat.mjs";
import { ID } from "./settings.mjs";

const STATUSES = "statuses";
const DOCK = "dock";

/** @typedef {"tracker" | "statusIcons" | "floating" | "badges" | "atOnce"} Switch */
/** @typedef {"window" | "open" | "players"} Dock where somebody has the table: in its window, in one that opens by itself, beside the list of players */

/**
 * @param {(which: Switch) => void} changed
 * @param {() => void} mapped conditions have other icons now
 * @param {() => void} docked the table is to be elsewhere now
 */
export function registerSwitches(changed, mapped, docked) {
  for (const [key, scope] of /** @type {const} */ ([["tracker", "world"], ["statusIcons", "world"], ["floating", "client"], ["badges", "client"]])) {
    registerSwitch(key, { scope, name: named(`foundry.switch.${key}`), hint: named(`foundry.switchHint.${key}`), onChange: () => changed(key) });
  }
  registerSwitch("atOnce", { scope: "client", default: false, name: named("foundry.switch.atOnce"), hint: named("foundry.switchHint.atOnce"), onChange: () => changed("atOnce") });
  registerChoice(DOCK, {
    scope: "client",
    name: named("foundry.dock.name"),
    hint: named("foundry.dock.hint"),
    default: "window",
    choices: Object.fromEntries(DOCKS.map((where) => [where, named(`foundry.dock.${where}`)])),
    onChange: docked,
  });
  registerSetting(STATUSES, { scope: "world", config: false, type: Object, default: {}, onChange: mapped });
}

const DOCKS = /** @type {const} */ (["window", "open", "players"]);

/** @returns {Dock} */
export const dockPlace = () => DOCKS.find((where) => where === chosenOf(DOCK)) ?? "window";

/** @param {string} key as Foundry has it */
const named = (key) => `BOONBRIDGE.${key}`;

/** Whether a roll that leaves nothing to choose goes out without its dialog. */
export const pace = { atOnce: () => isOn("atOnce"), keep: (/** @type {boolean} */ on) => void game.settings.set(ID, "atOnce", on) };

/** @param {Switch} key */
export const isOn = (key) => game.settings.get(ID, key) === true;

/**
 * What GMs chose, by ruleset: the status icon of a condition, "" for none. A condition that is not there has the usual one.
 *
 * @returns {Record<string, Record<string, string>>}
 */
export function chosenStatuses() {
  const kept = game.settings.get(ID, STATUSES);
  return typeof kept === "object" && kept !== null ? /** @type {any} */ (kept) : {};
}

/**
 * @param {string} ruleset
 * @param {Record<string, string>} statuses
 */
export const keepStatuses = (ruleset, statuses) => game.settings.set(ID, STATUSES, { ...chosenStatuses(), [ruleset]: statuses });
