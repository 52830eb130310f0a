/** The table's state as the server gives it: a map of entries. Nothing is folded here. */

/** @import { Entry } from "./types.mjs" */

export class Entries {
  /** @type {Map<string, any>} */
  #values = new Map();

  clear() {
    this.#values.clear();
  }

  /**
   * Take entries over as given; null means gone.
   *
   * @param {readonly Entry[]} entries
   * @returns {string[]} the keys that were touched
   */
  take(entries) {
    for (const { key, value } of entries) {
      if (value === null || value === undefined) this.#values.delete(key);
      else this.#values.set(key, value);
    }
    return entries.map((entry) => entry.key);
  }

  /**
   * @param {string} key
   * @returns {any} undefined where there is none
   */
  get(key) {
    return this.#values.get(key);
  }

  /**
   * The values whose keys begin so, in the order in which they first came.
   *
   * @param {string} prefix
   * @returns {any[]}
   */
  under(prefix) {
    return [...this.#values].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
  }

  get size() {
    return this.#values.size;
  }
}
