/** A token is renewed by its holder from half of its life on, without anybody being asked. */

/** @import { Clock, Minted } from "./types.mjs" */

import { NoAnswer } from "./asker.mjs";
import { renewableFrom } from "./token.mjs";

const LOOK_MS = 3600 * 1000;

export class Renewal {
  #parts;
  #waiting = false;

  /**
   * @param {object} parts
   * @param {Clock} parts.clock
   * @param {() => boolean} parts.isLive
   * @param {() => {token: string, expiresAt: number}} parts.held
   * @param {() => Promise<Minted>} parts.ask
   * @param {(minted: Minted) => void} parts.keep
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Looks now, and once an hour while the line is live. */
  async look() {
    if (this.#waiting) return;
    this.#waiting = true;
    const { clock, isLive, held, ask, keep } = this.#parts;
    const { token, expiresAt } = held();
    try {
      if (clock.now() >= renewableFrom(token, expiresAt)) keep(await ask());
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why; // asked again in an hour
    } finally {
      clock.after(LOOK_MS, () => {
        this.#waiting = false;
        if (isLive()) void this.look();
      });
    }
  }
}
