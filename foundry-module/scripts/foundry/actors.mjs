/** Foundry's actors and tokens under the ids the bridge has for them, and the little the bridge is told of them. */

/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { ActorEntry, Command, Outcome } from "../client/types.mjs" */

import { link } from "./link.mjs";
import { ID } from "./settings.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

const MOST_NAME = 80;

/** @param {string} name as the bridge takes it */
export const nameFor = (name) => {
  // eslint-disable-next-line no-control-regex -- exactly the characters that a name may not have
  const plain = String(name).replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").trim().slice(0, MOST_NAME);
  return plain === "" ? "?" : plain;
};

/**
 * The id of a world actor: its own, or that of somebody who was at the table before Foundry was.
 *
 * @param {Loose} actor
 * @returns {string}
 */
export function idOf(actor) {
  const linked = actor?.flags?.[ID]?.link;
  const table = link.client?.welcome?.table;
  if (typeof linked?.actor === "string" && linked.table === table) return linked.actor;
  return String(actor?.uuid ?? "");
}

/**
 * Somebody to roll for or against. An unlinked token is somebody of its own, with its actor's numbers to begin with.
 *
 * @param {Loose} actor
 * @param {Loose} [token] its document
 * @returns {Chosen | null} null where there is no actor (any more)
 */
export function chosen(actor, token = actor?.token) {
  if (actor === null || actor === undefined || typeof actor.uuid !== "string") return null;
  const name = nameFor(token?.name ?? actor.name);
  if (token && token.actorLink !== true && actor.isToken) {
    const base = token.baseActor ?? game.actors?.get(token.actorId);
    return { id: actor.uuid, name, ...(base && { base: idOf(base) }) };
  }
  return { id: idOf(actor), name };
}

/** @param {Iterable<Loose>} tokens placed on the canvas @returns {Chosen[]} each once */
export function chosenOf(tokens) {
  /** @type {Map<string, Chosen>} */
  const found = new Map();
  for (const token of tokens) {
    const one = chosen(token?.actor, token?.document);
    if (one !== null) found.set(one.id, one);
  }
  return [...found.values()];
}

/** Whom this person means without saying: the selected tokens he plays, or his own character. */
export function whoIsMeant() {
  const controlled = canvas?.ready === true ? canvas.tokens?.controlled ?? [] : [];
  const selected = chosenOf(controlled.filter((/** @type {Loose} */ token) => token?.actor?.isOwner === true));
  if (selected.length > 0) return selected;
  const character = chosen(game.user?.character);
  return character === null ? [] : [character];
}

/** @returns {Chosen[]} whom he aims at */
export const whoIsAimedAt = () => chosenOf(game.user?.targets ?? []);

/** @param {Loose} actor @returns {string[]} the players who own it */
export function ownersOf(actor) {
  const users = [...(game.users ?? [])];
  return users.filter((user) => !user.isGM && actor.testUserPermission?.(user, "OWNER") === true).map((user) => String(user.id));
}

/** @param {Loose} actor @returns {ActorEntry["side"]} */
export function sideOf(actor) {
  if (ownersOf(actor).length > 0) return "party";
  const disposition = actor.token?.disposition ?? actor.prototypeToken?.disposition;
  return disposition === -1 ? "opposition" : "neutral";
}

/**
 * What the bridge should hold of an actor besides its numbers.
 *
 * @param {Loose} actor
 * @returns {Extract<Command, {t: "SyncActor"}>}
 */
export const aboutActor = (actor) => ({
  t: "SyncActor", actor: idOf(actor), name: nameFor(actor.name), side: sideOf(actor), owners: ownersOf(actor),
});

/**
 * A GM's page introduces whoever is rolled for the first time; anybody else is told to ask the GM.
 *
 * @param {readonly string[]} ids
 * @returns {Promise<Outcome | null>} what went wrong
 */
export async function introduce(ids) {
  const { model } = link;
  if (model === null || !link.isGm) return null;
  for (const id of ids) {
    if (model.actor(id) !== undefined) continue;
    const actor = foundryActor(id);
    const base = actor?.isToken ? actor.token?.baseActor ?? game.actors?.get(actor.token?.actorId) : actor;
    if (!base || model.actor(idOf(base)) !== undefined) continue;
    const outcome = await model.send(aboutActor(base));
    if (!outcome.ok) return outcome;
  }
  return null;
}

/**
 * @param {string} id as the bridge has it
 * @returns {Loose | null} the actor in this world
 */
export function foundryActor(id) {
  if (/^(Actor|Scene)\.[A-Za-z0-9.]+$/.test(id)) {
    try {
      return fromUuidSync(id) ?? null;
    } catch {
      return null; // its scene or its token is gone
    }
  }
  return [...(game.actors ?? [])].find((/** @type {Loose} */ actor) => idOf(actor) === id) ?? null;
}

/**
 * A name, an owner or a side changed here: the page of whoever changed it tells the bridge, or the active GM's.
 *
 * @param {Loose} actor
 * @param {Loose} changes
 */
export function actorChanged(actor, changes) {
  const { model } = link;
  if (model === null || !link.isGm || actor.isToken || game.user?.isActiveGM !== true) return;
  if (!("name" in changes || "ownership" in changes || "prototypeToken" in changes)) return;
  if (model.actor(idOf(actor)) !== undefined) void model.send(aboutActor(actor));
}
