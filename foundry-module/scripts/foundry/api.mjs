/** What macros and other modules may use: `game.modules.get("boonbridge").api`. Actors and targets are Foundry's own. */

/** @typedef {import("./compat.mjs").Loose} Loose */
/** @import { Outcome, RollCheck } from "../client/types.mjs" */
/** @import { Preset } from "./roll-dialog.mjs" */

import { chosen, introduce, whoIsAimedAt, whoIsMeant } from "./actors.mjs";
import { openConnection } from "./connection-window.mjs";
import { openDice } from "./dice-window.mjs";
import { afterDice, modeFor, rollDice, sayOverruled, theOneMeant } from "./dice-roll.mjs";
import { link } from "./link.mjs";
import { openLog } from "./log-window.mjs";
import { openNumbers } from "./numbers-window.mjs";
import { openReplay } from "./replay-window.mjs";
import { openRequest } from "./request-window.mjs";
import { openRoll } from "./roll-dialog.mjs";
import { openStanding } from "./standing-window.mjs";
import { pace } from "./switches.mjs";
import { openTable } from "./table-window.mjs";

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
 * @property {Preset["mode"]} [mode] left out: as such a roll begins here
 * @property {Preset["sources"]} [sources]
 * @property {string} [changed] what is different since the same action failed
 * @property {boolean} [dialog] false: roll at once; left out: as this person has it, once a check is named
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
async function roll({ actor, actors, targets, changed = "", dialog, ...rest } = {}) {
  const named = actors ?? (actor === undefined ? undefined : [actor]);
  const party = named?.map(read).filter((one) => one !== null);
  const aimed = targets?.map(read).filter((one) => one !== null);
  if (named !== undefined && party?.length === 0) {
    ui.notifications?.warn(link.words.say("foundry.noActor"));
    return { ok: false, id: "", code: "roll.no_actor" };
  }
  const { model } = link;
  const atOnce = dialog === false || (dialog === undefined && rest.check !== undefined && pace.atOnce() && model?.option("manual_dice") !== true);
  if (!atOnce || model === null) {
    openRoll({ ...rest, ...(party && { party }), ...(aimed && { aimed }) });
    return null;
  }
  const who = party ?? whoIsMeant();
  const against = (aimed ?? whoIsAimedAt()).filter(({ id }) => !who.some((one) => one.id === id));
  const spec = model.ruleset.checks.find((check) => check.key === rest.check) ?? model.ruleset.checks[0];
  await introduce([...who, ...against]);
  const { mode, overruled } = modeFor(model, who, { mode: rest.mode });
  /** @type {RollCheck} */
  const command = {
    t: "RollCheck", check: spec.key, actors: who.map(({ id }) => id), params: rest.params ?? {}, ...(rest.action && { action: rest.action }), mode,
    ...(rest.sources && { sources: rest.sources }), ...(changed !== "" && { changed }), ...(spec.targets !== "none" && against.length > 0 && { targets: against.map(({ id }) => id) }),
  };
  const outcome = await model.send(command);
  // Where the person only wants no dialog that is not needed, this one is.
  const asks = outcome.code === "roll.locked" || (dialog === undefined && !outcome.ok);
  if (!outcome.ok) ui.notifications?.warn(link.words.refusal(outcome));
  else if (overruled) sayOverruled(model);
  if (outcome.ok) afterDice(mode);
  // The dialog asks what a macro did not say.
  if (asks) openRoll({ ...rest, party: who, aimed: against });
  return outcome;
}

/**
 * What a macro may say about other dice. The actor is Foundry's: a document, a token, an id or a uuid; null: nobody.
 *
 * @typedef {object} DiceCall
 * @property {string} [formula]
 * @property {Loose} [actor] left out: whoever is selected
 * @property {string} [label]
 * @property {"dice" | "damage"} [kind]
 * @property {Preset["mode"]} [mode] left out: as such dice begin here
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

export const api = {
  roll,
  dice,
  request,
  /** Actors and tokens, or ids or uuids of them; left out: whoever is selected. */
  standing: (/** @type {Loose} */ actor) => openStanding(actor === undefined ? theOneMeant() : read(actor)),
  numbers: (/** @type {Loose} */ actor) => openNumbers(typeof actor === "string" ? game.actors?.get(actor) : actor),
  connection: openConnection,
  log: openLog,
  /** Look back: at a commit's moment, by its number; left out: the newest. */
  replay: openReplay,
  table: openTable,
  /** How the line is: `live`, `away`, ... */
  get state() {
    return link.now.state;
  },
};
