/** What the roll would be, as it is being put together: asked a moment after the last change, the latest one wins. */

/** @import { AnswerRequest, Clock, Previewed, RollCheck } from "./types.mjs" */

import { NoAnswer } from "./asker.mjs";

const DEBOUNCE_MS = 120;

export class Previewer {
  #parts;
  /** @type {() => void} */
  #cancel = () => {};
  #turn = 0;
  /** @type {RollCheck | AnswerRequest | null} */
  #check = null;

  /**
   * @param {object} parts
   * @param {Clock} parts.clock
   * @param {(check: RollCheck | AnswerRequest) => Promise<Previewed>} parts.ask
   * @param {(answer: Previewed | NoAnswer, check: RollCheck | AnswerRequest) => void} parts.show
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {RollCheck | AnswerRequest} check */
  want(check) {
    this.#check = check;
    this.#turn += 1;
    this.#cancel();
    this.#cancel = this.#parts.clock.after(DEBOUNCE_MS, () => void this.#ask(check, this.#turn));
  }

  /** Something at the table changed: the same question, anew. */
  refresh() {
    if (this.#check !== null) this.want(this.#check);
  }

  /** Nobody wants to know any more. */
  forget() {
    this.#check = null;
    this.#turn += 1;
    this.#cancel();
  }

  /**
   * @param {RollCheck | AnswerRequest} check
   * @param {number} turn
   */
  async #ask(check, turn) {
    /** @type {Previewed | NoAnswer} */
    let answer;
    try {
      answer = await this.#parts.ask(check);
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      answer = why;
    }
    if (turn === this.#turn) this.#parts.show(answer, check);
  }
}
