/**
 * What this person is putting together, as the others are to hear it: once he pauses, again while it goes on, and nothing any
 * more when he has let it lie. What is over is said at once.
 */

/** @import { Attempt, Clock } from "./types.mjs" */

/** Nobody is to hear every letter that is typed. */
const CALM_MS = 700;
/** So long is it believed that somebody who touches nothing is still at it: at a table people talk first. */
const PATIENCE_MS = 180_000;

export class Composer {
  #parts;
  /** @type {Map<object, Attempt>} by the form it is in; the one that was touched last comes last, and is told */
  #on = new Map();
  /** @type {Attempt | null} as the bridge was told last */
  #told = null;
  #touched = 0;
  #changed = 0;
  #sent = -Infinity;
  /** @type {(() => void) | null} */
  #next = null;

  /**
   * @param {object} parts
   * @param {Clock} parts.clock
   * @param {() => number} parts.lapse after how many milliseconds the bridge forgets
   * @param {(on: Attempt | null) => boolean} parts.send false where nothing can be said now
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {object} form
   * @param {Attempt | null} on null: it is over, or nobody's business
   * @param {boolean} [touched] somebody is at it this moment
   */
  say(form, on, touched = false) {
    const before = this.#on.get(form);
    const changed = !same(before ?? null, on);
    if (changed) this.#changed = this.#parts.clock.now();
    if (on === null) this.#on.delete(form);
    else if (touched || changed) {
      this.#on.delete(form);
      this.#on.set(form, on);
      this.#touched = this.#parts.clock.now();
    }
    this.#tell();
  }

  /** The line is there again: the bridge knows nothing. */
  connected() {
    this.#told = null;
    this.#tell();
  }

  get #now() {
    return [...this.#on.values()].at(-1) ?? null;
  }

  #tell() {
    const on = this.#now;
    if (on === null) {
      this.#wait(null);
      if (this.#told !== null && this.#parts.send(null)) this.#told = null;
      return;
    }
    const { clock } = this.#parts;
    const due = same(on, this.#told) ? this.#sent + this.#parts.lapse() / 2 : Math.max(this.#changed, this.#sent) + CALM_MS;
    this.#wait(Math.max(0, due - clock.now()));
  }

  /** @param {number | null} ms */
  #wait(ms) {
    this.#next?.();
    this.#next = null;
    if (ms === 0) this.#send();
    else if (ms !== null) this.#next = this.#parts.clock.after(ms, () => this.#send());
  }

  #send() {
    this.#next = null;
    const { clock } = this.#parts;
    if (clock.now() >= this.#touched + PATIENCE_MS) this.#on.clear();
    const on = this.#now;
    if (on === null) {
      this.#tell();
      return;
    }
    if (!this.#parts.send(on)) return;
    this.#told = on;
    this.#sent = clock.now();
    this.#tell();
  }
}

/**
 * @param {Attempt | null} one
 * @param {Attempt | null} other
 */
const same = (one, other) => one?.actor === other?.actor && one?.check === other?.check && one?.action === other?.action;
