/**
 * Listeners by name. One that fails does not keep the news from the others.
 *
 * @template {object} News
 */
export class Emitter {
  /** @type {Map<keyof News, Set<(value: any) => void>>} */
  #listeners = new Map();

  /**
   * @template {keyof News} Name
   * @param {Name} name
   * @param {(value: News[Name]) => void} listener
   * @returns {() => void} stops listening
   */
  on(name, listener) {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  }

  /**
   * @template {keyof News} Name
   * @param {Name} name
   * @param {News[Name]} value
   */
  emit(name, value) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        listener(value);
      } catch (error) {
        console.error(`Boonbridge: a listener of "${String(name)}" failed`, error);
      }
    }
  }
}
