/**
 * Foundry's combat tracker tells the bridge whose turn it is. The active GM's page does, each of his tabs alike: the
 * bridge hears each turn of a fight once, so two tabs or two GMs come to the same. A page that comes, or comes back, asks
 * the bridge where it stands and goes on from there.
 *
 * Hooks: tracker-window, tracker-end, tracker-wait.
 */

/** @import { Command, Outcome } from "../client/types.mjs" */
/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Place, Step } from "./tracker-steps.mjs" */

import { el } from "../cards/dom.mjs";
import { chosen, introduce } from "./actors.mjs";
import { on } from "./compat.mjs";
import { link } from "./link.mjs";
import { isOn } from "./switches.mjs";
import { Fight, PASSING_MS } from "./tracker-steps.mjs";
import { idFor, openWindow } from "./windows.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

/** What the bridge calls a fight of Foundry's begins so. */
const OURS = "Combat.";
const SETTLED_MS = 500;
/** Refusals that say that there is nothing to do any more. */
const OVER = new Set(["actor.unknown"]);
/** Refusals after which the same is said again when the line is back. */
const LATER = new Set(["away", "command.withdrawn"]);

/** @type {Map<string, Fight>} */
const fights = new Map();
/** @type {Set<string>} fights that were ended while this page tells of them */
const over = new Set();
/** @type {Map<string, {who: Chosen | null, hidden: boolean, name: string}>} whom a combatant stands for */
const people = new Map();
/** @type {Set<string>} combatants of whom a GM was told that their turns are not counted */
const told = new Set();
let timer = 0;
let running = false;
let again = false;
/** @type {{id: string, close: () => void} | null} a turn that waits for a GM's word */
let held = null;

/** Whether this page tells the bridge of turns. */
const drives = () => isOn("tracker") && link.isGm && link.model !== null && game.user?.isActiveGM === true;

/**
 * Whether a tracker counts the turns of the fight that runs, so that nobody has to.
 *
 * @param {TableModel} model
 */
export function isTracked(model) {
  const { turn } = model;
  return isOn("tracker") && turn !== undefined && turn.combat.startsWith(OURS) && combats().some((combat) => idOf(combat) === turn.combat);
}

/** @returns {Loose[]} */
const combats = () => [...(/** @type {Loose} */ (game).combats ?? [])];

/** @param {Loose} combat */
const idOf = (combat) => `${OURS}${combat.id}`;

/** Listen to Foundry and to the line. */
export function watchTracker() {
  on("combatTurnChange", (combat) => hear(combat));
  on("updateCombat", (combat, change, options) => {
    if (change && ("turn" in change || "round" in change)) hear(combat, Number(options?.direction) < 0);
  });
  on("deleteCombatant", (combatant) => lookLater(combatant?.parent));
  on("updateCombatant", (combatant, change) => {
    if (change && "hidden" in change) lookLater(combatant?.parent);
  });
  on("deleteCombat", (combat) => {
    const id = idOf(combat);
    const known = fights.get(id);
    fights.delete(id);
    // One that never began is none. One that somebody else tells of is looked for when this page takes over.
    if (drives() && (combat.started === true || known?.front)) over.add(id);
    soon();
  });
  on("userConnected", catchUp);
  on("updateUser", catchUp);
  link.on("state", ({ state }) => state === "live" && catchUp());
  link.on("entries", (keys) => {
    // A choice was made: perhaps nothing keeps the turn from ending now.
    if (held !== null && (keys.length === 0 || keys.some((key) => key.startsWith("check/")))) soon();
  });
  catchUp();
}

/** The setting was switched, a GM came or left, the line is back: where do bridge and tracker stand? */
export function catchUp() {
  // What happened while turns were counted by hand is none of the tracker's.
  if (!isOn("tracker")) fights.clear();
  for (const combat of combats()) if (combat.started === true) hear(combat);
  stale = true;
  soon();
}

/**
 * Foundry corrects who has the turn in an update of its own, a moment after a combatant is gone.
 *
 * @param {Loose} combat
 */
function lookLater(combat) {
  window.setTimeout(() => {
    if (combat?.started === true && combats().some((each) => each.id === combat.id)) hear(combat);
  }, SETTLED_MS);
}

/** Whether the bridge is to be asked first where it stands. */
let stale = true;

/**
 * @param {Loose} combat
 * @param {boolean} [back] the tracker went back
 */
function hear(combat, back = false) {
  if (combat?.documentName !== "Combat" || !isOn("tracker")) return;
  const id = idOf(combat);
  const fight = fights.get(id) ?? new Fight(id);
  fights.set(id, fight);
  fight.hear({ ...placeOf(combat), ...(back && { back }) }, performance.now());
  soon();
}

/**
 * @param {Loose} combat
 * @returns {Place}
 */
function placeOf(combat) {
  const round = Number(combat.round ?? 0);
  const combatant = combat.turn === null || combat.turn === undefined ? null : combat.combatant;
  if (!combatant) return { round, combatant: null, actor: null, nth: 0, order: -1 };
  const about = aboutOf(combatant);
  people.set(combatant.id, about);
  const actor = about.hidden ? null : about.who?.id ?? null;
  return { round, combatant: combatant.id, actor, nth: nthOf(combat, combatant, actor), order: orderOf(combat, combatant) };
}

/** @param {Loose} combatant */
function aboutOf(combatant) {
  return {
    who: chosen(combatant.actor, combatant.token ?? undefined),
    // Who is hidden in the tracker is not named before everybody, and every turn is.
    hidden: combatant.hidden === true || combatant.token?.hidden === true,
    name: String(combatant.name ?? ""),
  };
}

/**
 * @param {Loose} combat
 * @param {Loose} combatant
 * @param {string | null} actor
 */
function nthOf(combat, combatant, actor) {
  if (actor === null) return 0;
  const ids = members(combat).filter((each) => chosen(each.actor, each.token ?? undefined)?.id === actor).map((each) => String(each.id)).sort();
  return Math.max(ids.indexOf(combatant.id), 0);
}

/** @param {Loose} combat @returns {Loose[]} */
const members = (combat) => [...(combat.combatants ?? [])];

/** @param {Loose} combat @param {Loose} combatant */
const orderOf = (combat, combatant) => [...(combat.turns ?? [])].findIndex((/** @type {Loose} */ each) => each?.id === combatant.id);

function soon() {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void run(), PASSING_MS);
}

/** One after the other; what comes meanwhile comes after it. */
async function run() {
  if (running) {
    again = true;
    return;
  }
  running = true;
  try {
    await tellAll();
  } finally {
    running = false;
    if (again) {
      again = false;
      soon();
    }
  }
}

async function tellAll() {
  const { model } = link;
  if (!drives() || model === null) {
    release();
    return;
  }
  if (stale) resume(model);
  for (const id of [...over]) {
    if ((await send(model, { cmd: { t: "EndCombat", combat: id } })) === "later") return;
    over.delete(id);
  }
  for (const fight of fights.values()) {
    while (fight.trail.length > 0 && fights.get(fight.id) === fight) {
      const [place] = fight.trail;
      if (!(await tell(model, fight, place))) return;
      if (fight.trail[0] === place) fight.trail.shift();
    }
  }
  release();
}

/** @param {TableModel} model */
function resume(model) {
  stale = false;
  const { turn } = model;
  for (const combat of combats()) {
    const find = (/** @type {string} */ actor) => {
      const found = members(combat).find((each) => chosen(each.actor, each.token ?? undefined)?.id === actor);
      return found === undefined ? null : { combatant: String(found.id), nth: nthOf(combat, found, actor), order: orderOf(combat, found) };
    };
    fights.get(idOf(combat))?.resume(turn, find);
    if (combat.started === true) hear(combat);
  }
  if (turn?.combat.startsWith(OURS) && !combats().some((combat) => idOf(combat) === turn.combat)) over.add(turn.combat);
}

/**
 * @param {TableModel} model
 * @param {Fight} fight
 * @param {Place} place
 * @returns {Promise<boolean>} false: it waits
 */
async function tell(model, fight, place) {
  const heard = place.combatant === null || (await isKnown(model, place));
  const counted = heard ? place : { ...place, actor: null };
  for (const step of fight.steps(counted)) {
    const said = await send(model, step);
    if (said === "later") return false;
    if (step.onlyIfNew && said === "known") return true;
  }
  fight.reached(counted);
  return true;
}

/**
 * @param {TableModel} model
 * @param {Place} place
 */
async function isKnown(model, place) {
  const combatant = String(place.combatant);
  const { who, hidden, name } = people.get(combatant) ?? { who: null, hidden: false, name: "" };
  if (hidden) return line(combatant, "foundry.tracker.hidden", name);
  if (who === null) return line(combatant, "foundry.tracker.noActor", name);
  // The bridge makes the record of an unlinked token from its actor's.
  if (model.actor(who.id) === undefined && who.base !== undefined && model.actor(who.base) !== undefined) await introduce([who]);
  return model.actor(who.id) !== undefined || line(combatant, "foundry.tracker.stranger", name);
}

/**
 * A line for the GM, once for each.
 *
 * @param {string} combatant
 * @param {string} key
 * @param {string} name
 */
function line(combatant, key, name) {
  if (!told.has(combatant)) ui.notifications?.info(link.words.say(key, { name }));
  told.add(combatant);
  return false;
}

/**
 * @param {TableModel} model
 * @param {Step} step
 * @returns {Promise<"new" | "known" | "later">}
 */
async function send(model, { cmd }) {
  const outcome = await model.send(cmd);
  if (outcome.ok) return outcome.changed === false ? "known" : "new";
  const code = outcome.code ?? "";
  if (code === "turn.choice_open" && cmd.t === "EndTurn") {
    askFirst(model, cmd, outcome);
    return "later";
  }
  if (LATER.has(code)) {
    stale = true;
    return "later";
  }
  if (!OVER.has(code)) ui.notifications?.warn(model.words.refusal(outcome));
  return "known";
}

/**
 * A player still has a choice of this turn. The GM may end it all the same; otherwise it ends when the choice is made.
 *
 * @param {TableModel} model
 * @param {Extract<Command, {t: "EndTurn"}>} cmd
 * @param {Outcome} refused
 */
function askFirst(model, cmd, refused) {
  const { words } = model;
  const name = model.actor(String(refused.values?.actor ?? cmd.actor))?.name ?? words.say("somebody");
  const ends = el("button", { type: "button", "data-primary": true, "data-testid": "tracker-end" }, words.say("turn.endAnyway"));
  const id = idFor("tracker", cmd.combat, cmd.round, cmd.turn, cmd.actor);
  // The turn of another fight may have waited before.
  if (held?.id !== id) release();
  const window_ = openWindow({ id, title: words.say("turn.endTitle"), icon: "hourglass-half", kind: "boonbridge-tracker", width: 360 }, ({ close }) => {
    ends.addEventListener("click", () => {
      close();
      held = null;
      void model.send({ ...cmd, confirm: true }).then((outcome) => {
        if (!outcome.ok) ui.notifications?.warn(words.refusal(outcome));
        soon();
      });
    });
    return {
      build: () => el("div", { class: "boonbridge-form", "data-testid": "tracker-window" },
        el("p", {}, words.say("turn.choiceOpen", { name })),
        el("p", { class: "help" }, words.say("foundry.tracker.waits")),
        el("footer", { class: "boonbridge-buttons" }, el("button", { type: "button", "data-testid": "tracker-wait", onclick: close }, words.say("foundry.tracker.wait")), ends)),
      shown: () => ends.focus(),
    };
  });
  held = { id, close: window_.close };
}

/** Nothing waits any more. */
function release() {
  held?.close();
  held = null;
}
