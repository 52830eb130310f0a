/**
 * Commands on their way. A command gets its id once and keeps it until it is answered, so that sending it again can
 * never make it happen twice.
 *
 *   submit --not live--> told at once ("away"), nothing was sent
 *   submit --> sent --2 s--> slow --30 s--> withdrawing --> it did happen | it did not happen
 *
 * While it is unanswered it is sent again with the same id: every 5 s, after a reconnect, when the server said
 * "wait" (`rate.limited`, `busy`) or "the table went on" (`dice.stale`).
 */

/** @import { Clock, Command, Minted, Outcome, Progress, Refused } from "./types.mjs" */

const SLOW_MS = 2_000;
const GIVE_UP_MS = 30_000;
const RESEND_MS = 5_000;
const STALE_MS = 250;
const DEFAULT_WAIT_MS = 1_000;
const WAIT_CODES = new Set(["rate.limited", "busy"]);

/**
 * @typedef {object} Pending
 * @property {string} id
 * @property {Command} cmd
 * @property {number} heard how many promises this client had heard when it was sent first
 * @property {Progress["phase"]} phase
 * @property {Minted} [minted]
 * @property {Outcome} [acknowledged] done, and only the token is still on its way
 * @property {(outcome: Outcome) => void} resolve
 * @property {(progress: Progress) => void} tell
 * @property {Map<string, () => void>} timers
 */

export class Outbox {
  /** @type {Map<string, Pending>} */
  #pending = new Map();
  #parts;

  /**
   * @param {object} parts
   * @param {Clock} parts.clock
   * @param {() => string} parts.newId
   * @param {() => number} parts.seen the last seq this client holds
   * @param {() => number} parts.heard how many promises of seeds it has heard
   * @param {() => boolean} parts.isLive
   * @param {(frame: object) => boolean} parts.send
   * @param {() => number} parts.frameLimit bytes a frame may have
   * @param {() => void} parts.onSlow
   */
  constructor(parts) {
    this.#parts = parts;
  }

  get size() {
    return this.#pending.size;
  }

  /**
   * @param {Command} cmd
   * @param {(progress: Progress) => void} [tell]
   * @returns {{id: string, done: Promise<Outcome>}}
   */
  submit(cmd, tell = () => {}) {
    const id = this.#parts.newId();
    const early = this.#refuseEarly(id, cmd);
    if (early !== null) return { id, done: Promise.resolve(early) };
    /** @type {(outcome: Outcome) => void} */
    let resolve = () => {};
    /** @type {Promise<Outcome>} */
    const done = new Promise((settle) => {
      resolve = settle;
    });
    /** @type {Pending} */
    const pending = { id, cmd, heard: this.#parts.heard(), phase: "sent", resolve, tell, timers: new Map() };
    this.#pending.set(id, pending);
    this.#after(pending, "slow", SLOW_MS, () => this.#slow(pending));
    this.#after(pending, "giveUp", GIVE_UP_MS, () => this.#withdraw(pending));
    tell({ phase: "sent" });
    this.#transmit(pending);
    return { id, done };
  }

  /**
   * How many promises of seeds had been heard when a command that is on its way was sent first.
   *
   * @param {string} id
   */
  heardAt(id) {
    return this.#pending.get(id)?.heard;
  }

  /** The line is live (again): whatever is unanswered goes out once more, under its id. */
  connected() {
    for (const pending of this.#pending.values()) {
      if (!pending.timers.has("wait") && pending.acknowledged === undefined) this.#transmit(pending);
    }
  }

  /**
   * @param {any} frame `ack`, `refused` or `minted`
   * @returns {boolean} whether it answered a command of ours
   */
  take(frame) {
    const pending = this.#pending.get(frame.id);
    if (pending === undefined) return false;
    if (frame.t === "minted") {
      pending.minted = frame;
      if (pending.acknowledged !== undefined) this.#finish(pending, { ...pending.acknowledged, minted: frame });
    } else if (frame.t === "ack") this.#acknowledged(pending, frame.seq, frame.changed ?? true);
    else if (frame.t === "refused") this.#refused(pending, frame);
    else return false;
    return true;
  }

  /**
   * The log says that this command was withdrawn before it was decided.
   *
   * @param {string} id
   */
  withdrawn(id) {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#finish(pending, { ok: false, id, code: "command.withdrawn" });
  }

  /**
   * @param {string} id
   * @param {Command} cmd
   * @returns {Outcome | null}
   */
  #refuseEarly(id, cmd) {
    if (!this.#parts.isLive()) return { ok: false, id, code: "away" };
    const bytes = new TextEncoder().encode(JSON.stringify({ t: "do", id, seen: this.#parts.seen(), cmd })).length;
    return bytes > this.#parts.frameLimit() ? { ok: false, id, code: "frame.too_large" } : null;
  }

  /** @param {Pending} pending */
  #transmit(pending) {
    const { id, cmd } = pending;
    const frame = pending.phase === "withdrawing" ? { t: "withdraw", id } : { t: "do", id, seen: this.#parts.seen(), cmd };
    if (this.#parts.isLive()) this.#parts.send(frame);
    this.#after(pending, "resend", RESEND_MS, () => this.#transmit(pending));
  }

  /** @param {Pending} pending */
  #slow(pending) {
    if (pending.phase === "sent") this.#enter(pending, { phase: "slow" });
    this.#parts.onSlow();
  }

  /** @param {Pending} pending */
  #withdraw(pending) {
    this.#cancel(pending, "wait");
    this.#enter(pending, { phase: "withdrawing" });
    this.#transmit(pending);
  }

  /**
   * @param {Pending} pending
   * @param {number} seq
   * @param {boolean} changed
   */
  #acknowledged(pending, seq, changed) {
    const outcome = this.#happened(pending, seq, changed);
    if (pending.cmd.t !== "Invite" || pending.minted !== undefined) {
      this.#finish(pending, outcome);
      return;
    }
    // The token comes in a frame of its own, before the answer or right after it.
    pending.acknowledged = outcome;
    this.#clearTimers(pending);
    this.#after(pending, "minted", SLOW_MS, () => this.#finish(pending, outcome));
  }

  /**
   * @param {Pending} pending
   * @param {number} seq
   * @param {boolean} changed
   * @returns {Outcome}
   */
  #happened(pending, seq, changed) {
    const late = pending.phase === "withdrawing";
    return { ok: true, id: pending.id, seq, changed, ...(late && { late }), ...(pending.minted && { minted: pending.minted }) };
  }

  /**
   * @param {Pending} pending
   * @param {Refused} refused
   */
  #refused(pending, refused) {
    if (WAIT_CODES.has(refused.code)) {
      const ms = refused.retryAfterMs ?? DEFAULT_WAIT_MS;
      this.#cancel(pending, "resend");
      if (pending.phase !== "withdrawing") this.#enter(pending, { phase: "waiting", ms });
      this.#after(pending, "wait", ms, () => this.#transmit(pending));
    } else if (refused.code === "dice.stale" && pending.phase !== "withdrawing") {
      // The commits that made it stale are on their way to us; their seq goes with the next try.
      this.#after(pending, "wait", STALE_MS, () => this.#transmit(pending));
    } else {
      const { code, message, values } = refused;
      this.#finish(pending, { ok: false, id: pending.id, code, message, values: values ?? {} });
    }
  }

  /**
   * @param {Pending} pending
   * @param {Progress} progress
   */
  #enter(pending, progress) {
    pending.phase = progress.phase;
    pending.tell(progress);
  }

  /**
   * @param {Pending} pending
   * @param {Outcome} outcome
   */
  #finish(pending, outcome) {
    this.#clearTimers(pending);
    this.#pending.delete(pending.id);
    pending.resolve(outcome);
  }

  /**
   * @param {Pending} pending
   * @param {string} name a timer of that name is replaced
   * @param {number} ms
   * @param {() => void} then
   */
  #after(pending, name, ms, then) {
    this.#cancel(pending, name);
    const cancel = this.#parts.clock.after(ms, () => {
      pending.timers.delete(name);
      then();
    });
    pending.timers.set(name, cancel);
  }

  /**
   * @param {Pending} pending
   * @param {string} name
   */
  #cancel(pending, name) {
    pending.timers.get(name)?.();
    pending.timers.delete(name);
  }

  /** @param {Pending} pending */
  #clearTimers(pending) {
    for (const name of [...pending.timers.keys()]) this.#cancel(pending, name);
  }
}
