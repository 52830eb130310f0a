/**
 * Questions that change nothing at the table: preview, history, proof, renew, people and their codes. Each has an id; its answer or refusal comes back
 * under it. Lost with the line, and asked again by whoever still wants to know.
 */

/** @import { Clock } from "./types.mjs" */

const PATIENCE_MS = 10_000;
const DEFAULT_WAIT_MS = 500;
const MOST_WAITS = 5;

/** Why a question has no answer: a code of the server, or `away`, `unanswered`. */
export class NoAnswer {
  /**
   * @param {string} code
   * @param {string} [message]
   * @param {Record<string, unknown>} [values]
   */
  constructor(code, message = "", values = {}) {
    this.code = code;
    this.message = message;
    this.values = values;
  }
}

/**
 * @typedef {object} Question
 * @property {any} frame
 * @property {number} waits
 * @property {(answer: any) => void} resolve
 * @property {(why: NoAnswer) => void} reject
 * @property {() => void} cancelTimer
 */

export class Asker {
  /** @type {Map<string, Question>} */
  #open = new Map();
  #parts;

  /**
   * @param {object} parts
   * @param {Clock} parts.clock
   * @param {() => string} parts.newId
   * @param {() => boolean} parts.isLive
   * @param {(frame: object) => boolean} parts.send
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {object} frame without its id
   * @returns {Promise<any>} rejected with a `NoAnswer`
   */
  ask(frame) {
    const id = this.#parts.newId();
    return new Promise((resolve, reject) => {
      const question = { frame: { ...frame, id }, waits: 0, resolve, reject, cancelTimer: () => {} };
      this.#open.set(id, question);
      this.#send(question);
    });
  }

  /**
   * @param {any} frame
   * @returns {boolean} whether it answered a question of ours
   */
  take(frame) {
    const question = this.#open.get(frame.id);
    if (question === undefined) return false;
    if (frame.t !== "refused") {
      this.#close(question);
      question.resolve(frame);
    } else if ((frame.code === "rate.limited" || frame.code === "busy") && question.waits < MOST_WAITS) {
      question.waits += 1;
      question.cancelTimer();
      const wait = frame.retryAfterMs ?? DEFAULT_WAIT_MS;
      question.cancelTimer = this.#parts.clock.after(wait, () => this.#send(question));
    } else {
      this.#fail(question, new NoAnswer(frame.code, frame.message, frame.values ?? {}));
    }
    return true;
  }

  disconnected() {
    for (const question of [...this.#open.values()]) this.#fail(question, new NoAnswer("away"));
  }

  /** @param {Question} question */
  #send(question) {
    if (!this.#parts.isLive() || !this.#parts.send(question.frame)) {
      this.#fail(question, new NoAnswer("away"));
      return;
    }
    question.cancelTimer = this.#parts.clock.after(PATIENCE_MS, () => this.#fail(question, new NoAnswer("unanswered")));
  }

  /**
   * @param {Question} question
   * @param {NoAnswer} why
   */
  #fail(question, why) {
    this.#close(question);
    question.reject(why);
  }

  /** @param {Question} question */
  #close(question) {
    question.cancelTimer();
    this.#open.delete(question.frame.id);
  }
}
