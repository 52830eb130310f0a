/** What was corrected, as the commits that are held told it: what was taken back, decided otherwise, shown, let count. */

/** @import { Commit, Overridden, Revealed, TableEvent, Voided } from "../client/types.mjs" */

import { checkDeed, deedsOf, seqOf } from "./deeds.mjs";

/**
 * @template Event
 * @typedef {{seq: number, by: string | null, event: Event}} Put
 */

export class CorrectionIndex {
  /** @type {Map<string, Put<Voided>>} by what was taken back */
  #voided = new Map();
  /** @type {Map<string, Put<Overridden>[]>} by check, in order of the log */
  #overridden = new Map();
  /** @type {Map<string, Put<Revealed>>} by check */
  #revealed = new Map();
  /** @type {Map<string, number>} by check: the commit that let it count */
  #settled = new Map();
  /** @type {Map<string, {event: TableEvent, by: string | null}>} what was done besides rolling, by its name */
  #deeds = new Map();

  clear() {
    for (const each of [this.#voided, this.#overridden, this.#revealed, this.#settled, this.#deeds]) each.clear();
  }

  /**
   * @param {Commit} commit
   * @returns {{checks: string[], seqs: number[]}} the checks, and the other commits, that look different now
   */
  take(commit) {
    /** @type {{checks: string[], seqs: number[]}} */
    const touched = { checks: [], seqs: [] };
    if (commit.t === "hidden") return touched;
    const { seq, by = null } = commit;
    for (const [event, deed] of deedsOf(commit)) this.#deeds.set(deed, { event, by });
    for (const event of commit.events ?? []) {
      if (event.t === "Voided") {
        this.#voided.set(event.what, { seq, by, event });
        if (event.what.startsWith("check/")) touched.checks.push(event.what.slice("check/".length));
        else touched.seqs.push(seqOf(event.what));
      } else if (event.t === "Overridden") {
        const known = (this.#overridden.get(event.check) ?? []).filter((each) => each.seq !== seq);
        this.#overridden.set(event.check, [...known, { seq, by, event }].sort((a, b) => a.seq - b.seq));
        touched.checks.push(event.check);
      } else if (event.t === "Revealed") {
        this.#revealed.set(event.rolled.check, { seq, by, event });
        touched.checks.push(event.rolled.check);
      } else if (event.t === "Settled" && event.check) {
        this.#settled.set(event.check, seq);
        touched.checks.push(event.check);
      }
    }
    return touched;
  }

  /** @param {string} deed */
  voided(deed) {
    return this.#voided.get(deed);
  }

  /** @param {string} check */
  voidedCheck(check) {
    return this.#voided.get(checkDeed(check));
  }

  /**
   * @param {string} check
   * @returns {Put<Overridden> | undefined} how it was decided last
   */
  overridden(check) {
    return this.#overridden.get(check)?.at(-1);
  }

  /** @param {string} check */
  revealed(check) {
    return this.#revealed.get(check);
  }

  /** @param {string} check */
  settled(check) {
    return this.#settled.get(check);
  }

  /**
   * What was done besides rolling.
   *
   * @param {string} deed
   */
  done(deed) {
    return this.#deeds.get(deed);
  }

  /**
   * The commits that corrected a check.
   *
   * @param {string} check
   * @returns {number[]}
   */
  cardsOf(check) {
    const put = [this.voidedCheck(check), this.revealed(check), ...(this.#overridden.get(check) ?? [])];
    return put.flatMap((each) => (each === undefined ? [] : [each.seq]));
  }
}
