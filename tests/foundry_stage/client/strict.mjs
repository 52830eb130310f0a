/**
 * Namespaces that do not pretend: what the stand-in does not model throws with its name, instead of being `undefined`.
 *
 * Foundry itself would answer a misspelt name with `undefined`, and a module would go on with it. Here it stops at once.
 */

/** Names that code may probe to learn in which world it is. Everything else must exist. */
export const PROBES = new Set([
  "game.dice3d", // Dice So Nice, when it is installed
  "foundry.applications.detached", // V14: pop-out windows
  "CONFIG.ChatMessage.modes", // V14: message modes
  "CONFIG.Dice.rollModes", // V13: roll modes
  "game.combat", // none is viewed
]);

/** Read by the language or by tools on any object: no part of Foundry. */
const NEUTRAL = new Set(["then", "toJSON", "constructor", "prototype", "nodeType", "asymmetricMatch", "$$typeof", "length"]);

/** What was asked for and is not there. The test harness reads it. */
export const missing = [];

/**
 * @template {object} T
 * @param {string} path
 * @param {T} target
 * @returns {T}
 */
export function strict(path, target) {
  return new Proxy(target, {
    get(object, name, receiver) {
      if (typeof name === "symbol" || name in object || NEUTRAL.has(name)) return Reflect.get(object, name, receiver);
      const full = `${path}.${name}`;
      if (PROBES.has(full)) return undefined;
      missing.push(full);
      throw new ReferenceError(`${full} is not modelled by the Foundry stand-in`);
    },
  });
}

/**
 * The same for a tree of plain objects.
 * @param {string} path
 * @param {Record<string, any>} tree
 */
export function strictTree(path, tree) {
  for (const [name, value] of Object.entries(tree)) {
    if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype && !Object.isFrozen(value)) {
      tree[name] = strictTree(`${path}.${name}`, value);
    }
  }
  return strict(path, tree);
}
