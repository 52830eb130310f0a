/**
 * Commits from before this page came, for messages that are still in chat. They are asked for a page at a time, newest
 * first and never hurriedly: a long chat is no reason to be refused for haste, and what is stored stands meanwhile. What lies
 * between those messages is read afterwards: a correction that not everybody may read leaves no message of its own.
 */

/** @import { Logged } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

const PAGE = 100;
const PAUSE_MS = 250;
const MOST = 2_000;
/** So many pages of what lies between the messages are read at most. */
const MOST_BETWEEN = 10;

/** @typedef {{promise: Promise<Logged | null>, resolve: (commit: Logged | null) => void, reject: (why: unknown) => void}} Waiting */

export class Past {
  /** @type {Map<number, Logged | null>} null: nothing this viewer may read */
  #known = new Map();
  /** @type {Map<number, Waiting>} */
  #wanted = new Map();
  #busy = false;
  /** The oldest commit that a message was of. */
  #floor = Infinity;
  #between = 0;
  /** Down to here it was read, or passed over. */
  #ceiling = Infinity;
  /** @type {(seqs: readonly number[]) => void} what to do about cards that look different after what was read */
  learned = () => {};

  /** After a reset of the log nothing that was read before counts. */
  forget() {
    this.#known.clear();
    this.#between = 0;
    this.#ceiling = Infinity;
  }

  /**
   * @param {TableModel} model
   * @param {number} seq
   * @returns {Promise<Logged | null>} rejected with a `NoAnswer`
   */
  get(model, seq) {
    const held = model.client.commit(seq);
    if (held !== undefined) return Promise.resolve(held.t === "logged" ? held : null);
    const known = this.#known.get(seq);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.#wanted.get(seq);
    if (asked !== undefined) return asked.promise;
    /** @type {Partial<Waiting>} */
    const parts = {};
    const promise = new Promise((resolve, reject) => {
      parts.resolve = resolve;
      parts.reject = reject;
    });
    this.#floor = Math.min(this.#floor, seq);
    this.#wanted.set(seq, /** @type {Waiting} */ ({ ...parts, promise }));
    if (!this.#busy) void this.#work(model);
    return promise;
  }

  /** @param {TableModel} model */
  async #work(model) {
    this.#busy = true;
    await pause(0); // whoever else asks in this moment shares the first page
    try {
      do {
        while (this.#wanted.size > 0) {
          const newest = Math.max(...this.#wanted.keys());
          await this.#read(model, Math.max(0, newest - PAGE), PAGE);
          // A page may end early where its commits are large.
          if (this.#wanted.has(newest)) await this.#read(model, newest - 1, 1);
          if (this.#wanted.has(newest)) this.#take(newest, null);
          if (this.#wanted.size > 0) await pause(PAUSE_MS);
        }
      } while (await this.#readBetween(model));
    } catch (why) {
      for (const { reject } of this.#wanted.values()) reject(why);
      this.#wanted.clear();
    } finally {
      this.#busy = false;
    }
  }

  /**
   * The newest page of what lies between the messages and was not read yet.
   *
   * @param {TableModel} model
   * @returns {Promise<boolean>} whether there was one
   */
  async #readBetween(model) {
    if (this.#between >= MOST_BETWEEN) return false;
    let seq = Math.min(model.client.position?.seq ?? 0, this.#ceiling);
    while (seq > this.#floor && (this.#known.has(seq) || model.client.commit(seq) !== undefined)) seq -= 1;
    if (seq <= this.#floor) return false;
    this.#between += 1;
    await pause(PAUSE_MS);
    const after = Math.max(this.#floor, seq - PAGE);
    await this.#read(model, after, seq - after);
    // Where a page ends early the rest of it is passed over.
    this.#ceiling = after;
    return true;
  }

  /**
   * @param {TableModel} model
   * @param {number} after
   * @param {number} limit
   */
  async #read(model, after, limit) {
    const { commits } = await model.client.history.past(after, limit);
    /** @type {Set<number>} */
    const changed = new Set();
    for (const commit of commits) {
      for (const seq of model.checks.take(commit)) changed.add(seq);
      this.#take(commit.seq, commit.t === "logged" ? { ...commit, catchup: true } : null);
    }
    if (changed.size > 0) this.learned([...changed]);
  }

  /**
   * @param {number} seq
   * @param {Logged | null} commit
   */
  #take(seq, commit) {
    this.#known.set(seq, commit);
    if (this.#known.size > MOST) this.#known.delete(/** @type {number} */ (this.#known.keys().next().value));
    this.#wanted.get(seq)?.resolve(commit);
    this.#wanted.delete(seq);
  }
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => {
  setTimeout(resolve, ms);
});
