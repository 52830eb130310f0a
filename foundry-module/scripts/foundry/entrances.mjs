/** Where a roll can begin: an actor's menu, the scene's tools, a key, the hotbar, a word in chat, another module. */

/** @typedef {import("./compat.mjs").Loose} Loose */
/** @import { Outcome, RollCheck } from "../client/types.mjs" */
/** @import { Preset } from "./roll-dialog.mjs" */

import { aimedAt, chosen, introduce, whoIsAimedAt, whoIsMeant } from "./actors.mjs";
import { addTokenTool, on, onActorSheetMenus, registerCommand, registerKey } from "./compat.mjs";
import { openConnection } from "./connection-window.mjs";
import { openDice } from "./dice-window.mjs";
import { rollDice, theOneMeant } from "./dice-roll.mjs";
import { readDice } from "./dice-text.mjs";
import { link } from "./link.mjs";
import { openLog } from "./log-window.mjs";
import { openNumbers } from "./numbers-window.mjs";
import { openRequest } from "./request-window.mjs";
import { followTargets, openRoll } from "./roll-dialog.mjs";
import { openStanding } from "./standing-window.mjs";
import { openTable } from "./table-window.mjs";

const CALM_MS = 60;

/** Before the world is there. */
export function addEntrances() {
  onActorSheetMenus((actor) => [
    { icon: "fa-solid fa-dice-d20", label: "BOONBRIDGE.foundry.menu.roll", action: "boonbridgeRoll", act: () => rollFor(actor) },
    { icon: "fa-solid fa-scale-balanced", label: "BOONBRIDGE.foundry.menu.standing", action: "boonbridgeStanding", act: () => openStanding(chosen(actor)) },
    { icon: "fa-solid fa-list-ol", label: "BOONBRIDGE.foundry.menu.numbers", action: "boonbridgeNumbers", act: () => openNumbers(actor) },
  ]);
  on("getSceneControlButtons", (controls) => {
    addTokenTool(controls, { name: "boonbridgeRoll", title: "BOONBRIDGE.foundry.menu.roll", icon: "fa-solid fa-dice-d20", act: () => openRoll() });
    addTokenTool(controls, { name: "boonbridgeTable", title: "BOONBRIDGE.foundry.menu.table", icon: "fa-solid fa-users", act: openTable });
    if (game.user?.isGM) addTokenTool(controls, { name: "boonbridgeRequest", title: "BOONBRIDGE.foundry.menu.request", icon: "fa-solid fa-clipboard-question", act: () => openRequest() });
  });
  registerCommand("check", (action) => openRoll(action === "" ? {} : { action: action.slice(0, 80) }));
  registerCommand("bb", (text) => void diceFromChat(text));
  registerKey("roll", { name: "BOONBRIDGE.foundry.menu.roll", key: "KeyB", modifiers: ["Shift"], act: () => openRoll() });
  let timer = 0;
  on("targetToken", (user, token, targeted) => {
    if (targeted) aimedAt(token);
    if (user?.id !== game.user?.id) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(followTargets, CALM_MS);
  });
}

/** @param {Loose} actor */
function rollFor(actor) {
  const one = chosen(actor);
  if (one === null) ui.notifications?.warn(link.words.say("foundry.noActor"));
  else openRoll({ party: [one] });
}

/**
 * What a macro may say. Actors and targets are Foundry's: documents, tokens, ids or uuids.
 *
 * @typedef {object} RollRequest
 * @property {Loose} [actor]
 * @property {Loose[]} [actors]
 * @property {Loose[]} [targets]
 * @property {string} [check]
 * @property {Preset["params"]} [params]
 * @property {string} [action]
 * @property {Preset["mode"]} [mode]
 * @property {Preset["sources"]} [sources]
 * @property {string} [changed] what is different since the same action failed
 * @property {boolean} [dialog] false: roll at once
 */

/** @param {Loose} given */
function read(given) {
  const thing = typeof given === "string" ? game.actors?.get(given) ?? fromUuidSync(given) : given;
  if (thing?.documentName === "Token" || thing?.document?.documentName === "Token") {
    const document = thing.documentName === "Token" ? thing : thing.document;
    return chosen(document.actor, document);
  }
  return chosen(thing);
}

/**
 * Roll, or open the dialog with this much filled in.
 *
 * @param {RollRequest} [request]
 * @returns {Promise<Outcome | null>} null where a dialog was opened
 */
async function roll({ actor, actors, targets, changed = "", dialog = true, ...rest } = {}) {
  const named = actors ?? (actor === undefined ? undefined : [actor]);
  const party = named?.map(read).filter((one) => one !== null);
  const aimed = targets?.map(read).filter((one) => one !== null);
  if (named !== undefined && party?.length === 0) {
    ui.notifications?.warn(link.words.say("foundry.noActor"));
    return { ok: false, id: "", code: "roll.no_actor" };
  }
  if (dialog || link.model === null) {
    openRoll({ ...rest, ...(party && { party }), ...(aimed && { aimed }) });
    return null;
  }
  const who = party ?? whoIsMeant();
  const against = (aimed ?? whoIsAimedAt()).filter(({ id }) => !who.some((one) => one.id === id));
  const spec = link.model.ruleset.checks.find((check) => check.key === rest.check) ?? link.model.ruleset.checks[0];
  await introduce([...who, ...against]);
  /** @type {RollCheck} */
  const command = {
    t: "RollCheck", check: spec.key, actors: who.map(({ id }) => id), params: rest.params ?? {}, ...(rest.action && { action: rest.action }), ...(rest.mode && { mode: rest.mode }),
    ...(rest.sources && { sources: rest.sources }), ...(changed !== "" && { changed }), ...(spec.targets !== "none" && against.length > 0 && { targets: against.map(({ id }) => id) }),
  };
  const outcome = await link.model.send(command);
  if (!outcome.ok) ui.notifications?.warn(link.words.refusal(outcome));
  // The dialog asks what a macro did not say.
  if (outcome.code === "roll.locked") openRoll({ ...rest, party: who, aimed: against });
  return outcome;
}

/** @param {string} text behind `/bb` */
async function diceFromChat(text) {
  const asked = readDice(text);
  if (asked.formula === "" || link.model === null || !link.isLive) openDice(asked);
  else await rollDice(link.model, asked);
}

/**
 * What a macro may say about other dice. The actor is Foundry's: a document, a token, an id or a uuid; null: nobody.
 *
 * @typedef {object} DiceCall
 * @property {string} [formula]
 * @property {Loose} [actor] left out: whoever is selected
 * @property {string} [label]
 * @property {"dice" | "damage"} [kind]
 * @property {Preset["mode"]} [mode]
 * @property {boolean} [dialog] false: roll at once
 */

/**
 * Roll other dice, or open their window with this much filled in.
 *
 * @param {DiceCall} [call]
 * @returns {Promise<Outcome | null>} null where a window was opened
 */
async function dice({ formula = "", actor, dialog = formula === "", ...rest } = {}) {
  const who = actor === undefined || actor === null ? actor : read(actor);
  if (actor !== undefined && actor !== null && who === null) {
    ui.notifications?.warn(link.words.say("foundry.noActor"));
    return { ok: false, id: "", code: "roll.no_actor" };
  }
  const asked = { formula: formula.trim(), label: "", kind: /** @type {const} */ ("dice"), ...rest, ...(who !== undefined && { who }) };
  if (dialog || link.model === null) {
    openDice(asked);
    return null;
  }
  return rollDice(link.model, asked);
}

/**
 * What a macro may say when it asks for a check. Actors are Foundry's: documents, tokens, ids or uuids; left out: the party.
 *
 * @typedef {object} CheckRequest
 * @property {Loose[]} [actors]
 * @property {import("../forms/request-state.mjs").Asked["checks"]} [checks]
 * @property {string} [action]
 * @property {string} [group]
 * @property {number} [difficulty]
 * @property {boolean} [shown]
 * @property {string} [note]
 */

/**
 * Ask several actors for a check: the form with this much filled in. Who is new to the bridge is introduced first.
 *
 * @param {CheckRequest} [asked]
 */
async function request({ actors, ...rest } = {}) {
  const named = actors?.map(read).filter((one) => one !== null);
  if (named !== undefined && link.isGm) await introduce(named);
  openRequest({ ...rest, ...(named !== undefined && { actors: named.map(({ id }) => id) }) });
}

/** What other code may use: `game.modules.get("boonbridge").api`. */
export const api = {
  roll,
  dice,
  request,
  /** Actors and tokens, or ids or uuids of them; left out: whoever is selected. */
  standing: (/** @type {Loose} */ actor) => openStanding(actor === undefined ? theOneMeant() : read(actor)),
  numbers: (/** @type {Loose} */ actor) => openNumbers(typeof actor === "string" ? game.actors?.get(actor) : actor),
  connection: openConnection,
  log: openLog,
  table: openTable,
  /** How the line is: `live`, `away`, ... */
  get state() {
    return link.now.state;
  },
};
