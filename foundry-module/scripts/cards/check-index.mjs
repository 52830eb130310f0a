/**
 * Checks by id, as the commits that are held told them. A choice made later refers to one, and may overtake it; pages
 * of the log may come in any order.
 */

/** @import { Chosen, Commit, GrantRecord, Result } from "../client/types.mjs" */
/** @import { CheckStory } from "./story.mjs" */

import { storyOf } from "./story.mjs";

/** @typedef {CheckStory & {seq: number}} Told */

export class CheckIndex {
  /** @type {Map<string, Told>} */
  #told = new Map();
  /** @type {Map<string, {seq: number, result: Result | null}[]>} choices made after a check, in order of the log */
  #later = new Map();
  /** @type {Map<string, string>} */
  #grants = new Map();

  clear() {
    this.#told.clear();
    this.#later.clear();
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
    for (const { check, result = null } of story.later) {
      const known = (this.#later.get(check) ?? []).filter((each) => each.seq !== commit.seq);
      this.#later.set(check, [...known, { seq: commit.seq, result }].sort((a, b) => a.seq - b.seq));
    }
    const touched = [...story.checks.map(({ check }) => check), ...story.later.map(({ check }) => check)];
    return [...new Set(touched.flatMap((check) => this.cardsOf(check)))].filter((seq) => seq !== commit.seq);
  }

  /**
   * @param {string} check
   * @returns {Told | undefined} the check as it was rolled
   */
  told(check) {
    return this.#told.get(check);
  }

  /**
   * How a check stood just before a commit.
   *
   * @param {string} check
   * @param {number} seq
   * @returns {Result | undefined}
   */
  before(check, seq) {
    const earlier = (this.#later.get(check) ?? []).filter((each) => each.seq < seq && each.result !== null);
    return earlier.at(-1)?.result ?? this.#told.get(check)?.result;
  }

  /**
   * Whether a choice changed what the check came to: dice were added, or it is judged anew.
   *
   * @param {Chosen} chosen
   * @param {number} seq
   */
  changes(chosen, seq) {
    const before = this.before(chosen.check, seq);
    return (chosen.drawn ?? 0) > 0 || (chosen.result ? before !== undefined && differs(before, chosen.result) : false);
  }

  /**
   * @param {string} check
   * @returns {number | undefined} the commit that told last how the check stands, where that is a later one
   */
  overtaken(check) {
    const told = this.#told.get(check);
    let result = told?.result;
    let last;
    for (const later of this.#later.get(check) ?? []) {
      if (later.result === null) continue;
      if (result === undefined || differs(result, later.result)) last = later.seq;
      ({ result } = later);
    }
    return last;
  }

  /**
   * The commits whose cards show a check: the one it was rolled in (its id begins with that seq), and those of choices.
   *
   * @param {string} check
   * @returns {number[]}
   */
  cardsOf(check) {
    const rolledIn = Number.parseInt(check, 10);
    return [...(Number.isSafeInteger(rolledIn) ? [rolledIn] : []), ...(this.#later.get(check) ?? []).map(({ seq }) => seq)];
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
}

/**
 * @param {Result} a
 * @param {Result} b
 */
function differs(a, b) {
  return a.outcome !== b.outcome || a.total !== b.total || a.dice.length !== b.dice.length;
}
