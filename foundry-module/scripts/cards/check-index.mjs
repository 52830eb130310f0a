/** Checks by id, as the commits that are held told them: a choice made later refers to one, and may overtake it. */

/** @import { Commit, GrantRecord } from "../client/types.mjs" */
/** @import { Told } from "./context.mjs" */

import { storyOf } from "./story.mjs";

export class CheckIndex {
  /** @type {Map<string, Told>} */
  #told = new Map();
  /** @type {Map<string, number>} */
  #overtaken = new Map();
  /** @type {Map<string, string>} */
  #grants = new Map();

  clear() {
    this.#told.clear();
    this.#overtaken.clear();
    this.#grants.clear();
  }

  /**
   * @param {Commit} commit
   * @returns {number[]} the commits whose cards look different now
   */
  take(commit) {
    const story = storyOf(commit);
    for (const event of story.lines) if (event.t === "Granted") this.learn(event.grant);
    for (const check of story.checks) this.#told.set(check.check, { ...check, seq: commit.seq });
    const drawn = story.later.filter((chosen) => (chosen.drawn ?? 0) > 0);
    for (const chosen of drawn) {
      this.#overtaken.set(chosen.check, Math.max(commit.seq, this.#overtaken.get(chosen.check) ?? 0));
    }
    return story.later.map((chosen) => this.seqOf(chosen.check)).filter((seq) => seq !== undefined);
  }

  /**
   * Remember why a grant was given: when it ends, only its id is named.
   *
   * @param {GrantRecord} grant
   */
  learn(grant) {
    this.#grants.set(grant.id, grant.source.label);
  }

  /** @param {string} grant */
  grantLabel(grant) {
    return this.#grants.get(grant);
  }

  /** @param {string} check */
  told(check) {
    return this.#told.get(check);
  }

  /** @param {string} check */
  overtaken(check) {
    return this.#overtaken.get(check);
  }

  /**
   * A check's id begins with the seq of its commit.
   *
   * @param {string} check
   */
  seqOf(check) {
    const seq = Number.parseInt(check, 10);
    return Number.isSafeInteger(seq) ? seq : undefined;
  }
}
