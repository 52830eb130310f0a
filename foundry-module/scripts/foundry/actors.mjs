/** Foundry's actors and tokens under the ids the bridge has for them, and the little the bridge is told of them. */

/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { ActorEntry, Command, Outcome } from "../client/types.mjs" */

import { on } from "./compat.mjs";
import { link } from "./link.mjs";
import { ID } from "./settings.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

const MOST_NAME = 80;
/** Between the id of an actor and that of one of its unlinked tokens. */
const TOKEN = ".token.";

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
  const base = token && token.actorLink !== true && actor.isToken ? token.baseActor ?? game.actors?.get(token.actorId) : null;
  if (base) return { id: `${idOf(base)}${TOKEN}${token.id}`, name, base: idOf(base) };
  return { id: idOf(actor), name };
}

/** @param {Iterable<Loose>} tokens placed on the canvas @returns {Chosen[]} each once */
function chosenOf(tokens) {
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
function sideOf(actor) {
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
  t: "SyncActor", actor: idOf(actor), name: nameFor(shownName(actor)), side: sideOf(actor), owners: ownersOf(actor),
});

/** What players see an actor called: on the map, where it is not theirs. @param {Loose} actor */
const shownName = (actor) => (ownersOf(actor).length > 0 ? actor.name : actor.prototypeToken?.name || actor.name);

/**
 * A GM's page introduces whoever is rolled for, or aimed at, for the first time; anybody else is told to ask the GM.
 *
 * @param {Iterable<Chosen>} people
 * @returns {Promise<Outcome | null>} what went wrong
 */
export async function introduce(people) {
  const { model } = link;
  if (model === null || !link.isGm) return null;
  for (const { id, name, base = id } of people) {
    const actor = foundryActor(base);
    if (actor !== null && model.actor(base) === undefined) {
      const outcome = await model.send(aboutActor(actor));
      if (!outcome.ok) return outcome;
    }
    // The bridge makes a token's record from its actor's; what the token is called only Foundry knows.
    if (base !== id && model.actor(base) !== undefined && model.actor(id) === undefined) {
      const outcome = await model.send({ t: "SyncActor", actor: id, name });
      if (!outcome.ok) return outcome;
    }
  }
  return null;
}

/** Somebody aims at a token: its name is to be known before anything is rolled. @param {Loose} token */
export function aimedAt(token) {
  const one = chosen(token?.actor, token?.document);
  // A token of an actor without numbers is none of the bridge's business yet.
  if (one !== null && game.user?.isActiveGM === true && link.model?.actor(one.base ?? one.id) !== undefined) void introduce([one]);
}

/**
 * @param {string} id as the bridge has it
 * @returns {Loose | null} the actor in this world
 */
export function foundryActor(id) {
  const [base, tokenId] = id.split(TOKEN);
  if (tokenId !== undefined) {
    const token = [...(game.scenes ?? [])].map((/** @type {Loose} */ scene) => scene.tokens?.get(tokenId)).find((found) => found);
    return token?.actor ?? null;
  }
  const own = /^Actor\.([A-Za-z0-9]+)$/.exec(base);
  const actor = own === null ? undefined : game.actors?.get(own[1]);
  return actor ?? [...(game.actors ?? [])].find((/** @type {Loose} */ each) => idOf(each) === id) ?? null;
}

/** @type {Map<string, Command>} what an active GM's page has not told yet, by actor: the line was down */
const untold = new Map();

/**
 * What changed in this world is told by the active GM's page, once the line is there.
 *
 * @param {string} id as the bridge has it
 * @param {Command} cmd
 */
function tell(id, cmd) {
  const { client, model } = link;
  if (model?.actor(id) === undefined || client?.welcome?.role !== "gm" || game.user?.isActiveGM !== true) return;
  if (link.isLive) void model.send(cmd);
  else untold.set(id, cmd);
}

/** The line is back. */
function tellUntold() {
  if (!link.isLive) return;
  const waiting = [...untold];
  untold.clear();
  for (const [id, cmd] of waiting) tell(id, cmd);
}

/** Listen to what changes of actors and tokens. */
export function watchActors() {
  on("updateActor", actorChanged);
  on("deleteActor", (actor) => forget(idOf(actor)));
  on("deleteToken", tokenDeleted);
  link.on("state", tellUntold);
}

/**
 * A name, an owner or a side changed here.
 *
 * @param {Loose} actor
 * @param {Loose} changes
 */
function actorChanged(actor, changes) {
  if (actor.isToken || !("name" in changes || "ownership" in changes || "prototypeToken" in changes)) return;
  tell(idOf(actor), aboutActor(actor));
}

/**
 * What is gone from the world is gone from the table; its rolls stay in the log.
 *
 * @param {string} id as the bridge has it
 */
const forget = (id) => tell(id, { t: "RemoveActor", actor: id });

/** @param {Loose} token */
function tokenDeleted(token) {
  const base = token?.actorLink === true ? undefined : game.actors?.get(token?.actorId);
  if (base) forget(`${idOf(base)}${TOKEN}${token.id}`);
}
