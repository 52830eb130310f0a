/**
 * Status icons of Foundry and conditions of the table are one thing, in both directions. What changed on one side is
 * compared with how the other side is, and written there once; what is the same already is not written, so nothing comes
 * back. Icons that stand for no condition are left alone.
 *
 * An icon tells the table by the page of whoever set it, or by the active GM's where that person may not. A condition
 * shows its icon by the active GM's page. An icon that the table knows of is marked (`flags.boonbridge.agreed`), so that
 * one whose condition ended while no GM was here goes, and one that was set while no bridge was here is told.
 */

/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Condition } from "./status-mapping.mjs" */

import { chosen, foundryActor, introduce } from "./actors.mjs";
import { bearerOf, on, statusIcons } from "./compat.mjs";
import { link } from "./link.mjs";
import { ID } from "./settings.mjs";
import { conditionsOf, mappingOf } from "./status-mapping.mjs";
import { chosenStatuses, isOn } from "./switches.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

/** News of a change comes over two lines, Foundry's and the bridge's. So long the slower one is waited for. */
const BOTH_LINES_MS = 200;
/** So long one tab of a GM's is taken to be the one that writes. */
const LEASE_MS = 3_000;
const LEASE = "boonbridge.icons";
/** What is the other way round already when it is told. */
const DONE = new Set(["condition.not_held", "actor.unknown", "away"]);

const tab = Math.random().toString(36).slice(2);
/** @type {Map<string, Set<string>>} the statuses of an actor, by uuid, when it was looked at last */
const shownLast = new Map();
/** @type {Map<string, Map<string, number>>} the conditions of an actor, by the bridge's id, when they were looked at last */
const heldLast = new Map();
/** @type {Set<string>} what is shown in a moment, as it is then */
const due = new Set();
/** One after the other, so that each compares with what the one before came to. */
let queue = Promise.resolve();

/** Whether this page shows the table's conditions as icons, and tells what people may not tell themselves. */
const drives = () => isOn("statusIcons") && link.isGm && game.user?.isActiveGM === true;

/** Whether this page tells the table what somebody did. @param {string} userId */
const tells = (userId) => (userId === game.user?.id ? isOn("statusIcons") && link.isGm : drives() && game.users?.get(userId)?.isGM !== true);

/** @returns {{icons: Map<string, string>, conditions: Map<string, Condition>, byIcon: Map<string, string>} | null} */
function mappingNow() {
  const { model } = link;
  if (model === null || !isOn("statusIcons")) return null;
  const conditions = conditionsOf(model.ruleset);
  const icons = mappingOf(conditions, iconsHere(), chosenStatuses()[model.ruleset.id]);
  return { icons, conditions: new Map(conditions.map((each) => [each.key, each])), byIcon: new Map([...icons].map(([key, id]) => [id, key])) };
}

/** @returns {{id: string, name: string}[]} */
export const iconsHere = () => statusIcons().map(({ id, name }) => ({ id, name: game.i18n.localize(String(name ?? id)) }));

/** Listen to Foundry and to the table. */
export function watchStatusIcons() {
  on("preCreateActiveEffect", (effect) => mark(effect));
  on("createActiveEffect", (effect, _options, userId) => heard(bearerOf(effect), effect.statuses, userId));
  on("deleteActiveEffect", (effect, _options, userId) => heard(bearerOf(effect), effect.statuses, userId));
  on("updateActiveEffect", (effect, _change, _options, userId) => heard(bearerOf(effect), [], userId));
  for (const hook of ["createItem", "deleteItem"]) on(hook, (item, _options, userId) => heard(item?.parent, [], userId));
  on("updateItem", (item, _change, _options, userId) => heard(item?.parent, [], userId));
  on("updateActor", (actor, _change, _options, userId) => heard(actor, [], userId));
  on("createToken", (token, _options, userId) => {
    // A copy is as its original was, and somebody of its own.
    if (token.actorLink !== true && token.actor && tells(userId)) for (const id of token.actor.statuses ?? []) tell(token.actor, id);
  });
  on("updateToken", (token, change) => {
    // What was set while it was hidden is told when it is seen.
    if (change?.hidden === false && drives() && token.actor) for (const id of token.actor.statuses ?? []) tell(token.actor, id);
  });
  on("userConnected", agreeAnew);
  link.on("state", ({ state }) => state === "live" && agreeAnew());
  link.on("entries", (keys) => (keys.length === 0 ? agreeAnew() : heldChanged(keys)));
  window.addEventListener("pagehide", () => {
    if (lease()?.tab === tab) localStorage.removeItem(leaseKey());
  });
  agreeAnew();
}

// --- from icons to the table -----------------------------------------------------------------------------------

/**
 * An effect that is made for a condition: the table will know of it.
 *
 * @param {Loose} effect
 */
function mark(effect) {
  const mapping = link.isLive ? mappingNow() : null;
  const told = link.isGm || game.users?.activeGM != null;
  if (mapping === null || !told || bearerOf(effect) === null) return;
  if ([...(effect.statuses ?? [])].some((id) => mapping.byIcon.has(id))) effect.updateSource({ flags: { [ID]: { agreed: true } } });
}

/**
 * Something changed on an actor: which of its statuses are others now?
 *
 * @param {Loose} actor
 * @param {Iterable<string>} touched statuses of the effect that changed
 * @param {string} userId who did it
 */
function heard(actor, touched, userId) {
  if (actor?.documentName !== "Actor") return;
  const now = new Set(/** @type {Iterable<string>} */ (actor.statuses ?? []));
  const before = shownLast.get(actor.uuid) ?? now;
  shownLast.set(actor.uuid, now);
  if (!tells(userId)) return;
  const other = new Set([...touched, ...[...now].filter((id) => !before.has(id)), ...[...before].filter((id) => !now.has(id))]);
  for (const id of other) tell(actor, id);
}

/**
 * @param {Loose} actor
 * @param {string} icon
 */
function tell(actor, icon) {
  const condition = mappingNow()?.byIcon.get(icon);
  if (condition !== undefined) later(() => tellTable(actor, condition, icon));
}

/**
 * @param {Loose} actor
 * @param {string} condition
 * @param {string} icon
 */
async function tellTable(actor, condition, icon) {
  const { model } = link;
  const who = chosen(actor);
  // Conditions are for everybody; whom players cannot see is not named before them.
  if (model === null || who === null || actor.token?.hidden === true || !(await isKnown(model, who))) return;
  const shown = actor.statuses?.has(icon) === true;
  const held = model.conditions(who.id).filter(({ key }) => key === condition);
  if (shown === held.length > 0) return;
  const outcomes = shown
    ? [await model.send({ t: "SetCondition", actors: [who.id], condition })]
    : await Promise.all(held.map(({ by = null }) => model.send({ t: "ClearCondition", actor: who.id, condition, by })));
  for (const outcome of outcomes) if (!outcome.ok && !DONE.has(outcome.code ?? "")) ui.notifications?.warn(model.words.refusal(outcome));
}

/**
 * @param {TableModel} model
 * @param {Chosen} who
 */
async function isKnown(model, who) {
  if (model.actor(who.id) === undefined && who.base !== undefined && model.actor(who.base) !== undefined) await introduce([who]);
  return model.actor(who.id) !== undefined;
}

// --- from the table to icons -----------------------------------------------------------------------------------

/** @param {readonly string[]} keys of entries that are others now */
function heldChanged(keys) {
  for (const key of keys) {
    if (!key.startsWith("conditions/")) continue;
    const id = key.slice("conditions/".length);
    const before = heldLast.get(id) ?? new Map();
    const now = heldBy(id);
    heldLast.set(id, now);
    const other = new Set([...before.keys(), ...now.keys()].filter((condition) => before.get(condition) !== now.get(condition)));
    for (const condition of other) show(id, condition);
  }
}

/** @param {string} id */
function heldBy(id) {
  /** @type {Map<string, number>} */
  const held = new Map();
  for (const { key, amount = 1 } of link.model?.conditions(id) ?? []) held.set(key, (held.get(key) ?? 0) + amount);
  return held;
}

/**
 * @param {string} id
 * @param {string} condition
 */
function show(id, condition) {
  const what = `${id} ${condition}`;
  if (!drives() || mappingNow()?.icons.get(condition) === undefined || due.has(what)) return;
  due.add(what);
  claim();
  window.setTimeout(() => later(() => {
    due.delete(what);
    return showIcon(id, condition);
  }), BOTH_LINES_MS);
}

/**
 * @param {string} id
 * @param {string} condition
 */
async function showIcon(id, condition) {
  const mapping = mappingNow();
  const icon = mapping?.icons.get(condition);
  const actor = foundryActor(id);
  if (mapping === null || icon === undefined || actor === null || !drives() || !holdsLease()) return;
  const amount = heldBy(id).get(condition) ?? 0;
  const shown = actor.statuses?.has(icon) === true;
  if (shown !== amount > 0) await actor.toggleStatusEffect(icon, { active: amount > 0 });
  if (mapping.conditions.get(condition)?.counted && amount > 0) await count(actor, icon, condition, amount);
}

/**
 * Icons have no number, so an effect's name says how much of it there is.
 *
 * @param {Loose} actor
 * @param {string} icon
 * @param {string} condition
 * @param {number} amount
 */
async function count(actor, icon, condition, amount) {
  const effect = effectsOf(actor, icon).find((each) => each.statuses.size === 1 && each.parent === actor && isAgreed(each));
  if (effect === undefined) return;
  const usual = iconsHere().find(({ id }) => id === icon)?.name ?? icon;
  const name = amount > 1 ? link.words.condition(condition, amount) : usual;
  const ours = effect.flags[ID].counted === true;
  if (effect.name !== name && (amount > 1 || ours)) await effect.update({ name, flags: { [ID]: { counted: amount > 1 } } });
}

/**
 * @param {Loose} actor
 * @param {string} icon
 * @returns {Loose[]} the effects that give a status
 */
const effectsOf = (actor, icon) => [...(actor.effects ?? []), ...[...(actor.items ?? [])].flatMap((item) => [...(item.effects ?? [])])]
  .filter((effect) => effect.statuses?.has(icon));

/** Whether the table knew of an effect's icon. @param {Loose} effect */
const isAgreed = (effect) => effect.flags?.[ID]?.agreed === true;

// --- where both may have changed ---------------------------------------------------------------------------------

/** A page came, the line is back, a GM came or left, other icons stand for conditions now. */
export function agreeAnew() {
  const { model } = link;
  if (model === null) return;
  for (const { id } of model.actors()) {
    heldLast.set(id, heldBy(id));
    const actor = foundryActor(id);
    if (actor) shownLast.set(actor.uuid, new Set(actor.statuses ?? []));
  }
  if (!drives()) return;
  claim();
  window.setTimeout(() => later(agreeOnAll), BOTH_LINES_MS);
}

async function agreeOnAll() {
  const mapping = mappingNow();
  const { model } = link;
  if (mapping === null || model === null || !drives() || !holdsLease()) return;
  for (const { id } of model.actors()) {
    const actor = foundryActor(id);
    if (actor === null) continue;
    const held = heldBy(id);
    for (const [condition, icon] of mapping.icons) {
      const shown = actor.statuses?.has(icon) === true;
      const has = held.has(condition);
      if (shown && !has && !effectsOf(actor, icon).some(isAgreed)) await adopt(actor, condition, icon);
      else if (shown !== has || (has && mapping.conditions.get(condition)?.counted)) await showIcon(id, condition).catch(warn);
    }
  }
}

/**
 * An icon from before the table knew of icons.
 *
 * @param {Loose} actor
 * @param {string} condition
 * @param {string} icon
 */
async function adopt(actor, condition, icon) {
  await tellTable(actor, condition, icon);
  for (const effect of effectsOf(actor, icon)) await effect.update({ flags: { [ID]: { agreed: true } } });
}

// --- one after the other, in one tab -------------------------------------------------------------------------------

/** @param {() => Promise<void>} act */
function later(act) {
  queue = queue.then(act).catch(warn);
}

/** A system may refuse an icon, and another page may have been quicker. @param {unknown} why */
const warn = (why) => console.warn("Boonbridge: a status icon was not set", why);

const leaseKey = () => `${LEASE}.${game.world?.id ?? ""}.${game.user?.id ?? ""}`;

/** @returns {{tab: string, at: number} | null} which tab of this GM's writes */
function lease() {
  try {
    return JSON.parse(localStorage.getItem(leaseKey()) ?? "null");
  } catch {
    return null;
  }
}

/** This tab will write, unless another one does. Of two that say so at once the later one does. */
function claim() {
  const now = lease();
  if (now !== null && now.tab !== tab && Date.now() - now.at < LEASE_MS) return;
  try {
    localStorage.setItem(leaseKey(), JSON.stringify({ tab, at: Date.now() }));
  } catch {
    alone = true; // a browser that keeps nothing: as if there were no other tab
  }
}

let alone = false;

const holdsLease = () => alone || lease()?.tab === tab;
