/**
 * The log as far as a timeline has read it: pages around where it stands, what a commit speaks of, and what became of it
 * later. Nothing in here is shown, and nothing that the client holds is changed.
 */

/** @import { BridgeClient } from "../client/bridge-client.mjs" */
/** @import { Commit, Wanted } from "../client/types.mjs" */
/** @import { From } from "../client/replay.mjs" */

import { CheckIndex } from "../cards/check-index.mjs";
import { seqOf } from "../cards/deeds.mjs";

const PAGE = 50;
/** As many commits are kept. */
const MOST = 2_000;
/** So far back everything between a commit and what it speaks of is read; from farther away only what it speaks of. */
const NEAR = 200;
/** What is taken back lies not farther back than the deeds that a table remembers, with room for what is no deed. */
const CORRECTED_WITHIN = 1_000;
/** What names a commit in an event: the id of what was made in it begins with its number. */
const NAMES = new Set(["check", "grant", "assist", "opportunity", "request", "what"]);

/**
 * @typedef {object} How
 * @property {AbortSignal} [signal] to give it up
 * @property {(looked: number) => void} [tell] how far a long look has got
 */

export class TimelineLog {
  /** @type {Map<number, Commit>} */
  #commits = new Map();
  /** @type {{from: number, to: number}[]} where corrections were looked for */
  #searched = [];
  /** @type {Set<number>} */
  #learned = new Set();
  /** What all commits told that were read, for what became of something later. */
  later = new CheckIndex();

  /** @param {BridgeClient} client */
  constructor(client) {
    this.client = client;
  }

  /** After a reset, or as somebody who may read something else, nothing that was read counts. */
  forget() {
    this.#commits.clear();
    this.#searched = [];
    this.#learned.clear();
    this.later.clear();
  }

  /** The newest commit there is. */
  get head() {
    return this.client.position?.seq ?? 0;
  }

  /**
   * @param {number} seq
   * @returns {Commit | undefined} undefined: it was not read
   */
  held(seq) {
    return this.#commits.get(seq) ?? this.client.commit(seq);
  }

  /**
   * A commit, with those around it.
   *
   * @param {number} seq
   * @param {AbortSignal} [signal]
   * @returns {Promise<Commit | undefined>} undefined: there is none. Rejected with a `NoAnswer`
   */
  async read(seq, signal) {
    if (seq < 1 || seq > this.head) return undefined;
    if (this.held(seq) === undefined) await this.#page({ after: Math.max(0, seq - PAGE / 2 - 1) }, PAGE, signal);
    // A page ends early where its commits are large.
    if (this.held(seq) === undefined) await this.#page({ after: seq - 1 }, 1, signal);
    return this.held(seq);
  }

  /**
   * The nearest commit after or before one of which there is something to see.
   *
   * @param {number} seq
   * @param {1 | -1} way
   * @param {(commit: Commit) => boolean} shows
   * @param {How} how
   * @returns {Promise<number | null>} null: there is none. Rejected with a `NoAnswer`
   */
  async next(seq, way, shows, { signal, tell = () => {} }) {
    for (let at = seq + way; at >= 1 && at <= this.head; at += way) {
      if (this.held(at) === undefined) {
        if (at !== seq + way) tell(at - way);
        await this.#page(way === 1 ? { after: at - 1 } : { before: at + 1 }, PAGE, signal);
      }
      const commit = this.held(at);
      if (commit === undefined) return null;
      if (shows(commit)) return at;
    }
    return null;
  }

  /**
   * The nearest commit of a kind.
   *
   * @param {number} seq
   * @param {1 | -1} way
   * @param {Wanted} where
   * @param {How} how
   * @returns {Promise<number | null>} null: there is none. Rejected with a `NoAnswer`
   */
  async find(seq, way, where, how) {
    const found = await this.client.replay.nearest(where, way === 1 ? { after: seq } : { before: seq }, how);
    return found?.seq ?? null;
  }

  /**
   * What the commits up to one told, as far as that one speaks of it: what came later is not in it.
   *
   * @param {number} seq
   * @param {AbortSignal} [signal]
   * @returns {Promise<CheckIndex>} rejected with a `NoAnswer`
   */
  async upTo(seq, signal) {
    const spoken = new Set([seq]);
    // What it speaks of may speak of something in turn: a correction of a check that answered a request.
    for (let nth = 0, found = [seq]; nth < 2; nth += 1) {
      const named = found.flatMap((each) => namedIn(this.held(each))).filter((each) => each < seq && !spoken.has(each));
      for (const each of named) {
        spoken.add(each);
        await this.read(each, signal);
      }
      found = named;
    }
    const first = Math.min(...spoken);
    if (seq - first <= NEAR) for (let at = first; at < seq; at += 1) await this.read(at, signal);
    const index = new CheckIndex();
    for (let at = first; at <= seq; at += 1) {
      const commit = this.held(at);
      if (commit !== undefined) index.take(commit);
    }
    return index;
  }

  /**
   * Look for what was corrected after a commit. Until then `later` knows only of what was read anyway.
   *
   * @param {number} seq
   * @param {AbortSignal} signal
   * @returns {Promise<void>} rejected with a `NoAnswer`
   */
  async learnLater(seq, signal) {
    const to = Math.min(this.head, seq + CORRECTED_WITHIN);
    for (let at = seq + 1; at <= to; at += 1) {
      const commit = this.held(at);
      if (commit === undefined) {
        await this.#search(seq, to, signal);
        return;
      }
      this.#learn(commit);
    }
  }

  /**
   * @param {number} seq
   * @param {number} to
   * @param {AbortSignal} signal
   */
  async #search(seq, to, signal) {
    if (this.#searched.some((span) => span.from <= seq && span.to >= to)) return;
    const span = { from: Math.max(0, seq - CORRECTED_WITHIN), to: 0 };
    for (let from = span.from; span.to < to;) {
      const { commits, looked, more } = await this.client.replay.look({ marks: ["correction"] }, { after: from }, 200, signal);
      for (const commit of commits) this.#keep(commit);
      span.to = more ? looked : Infinity;
      if (looked <= from) break;
      from = looked;
    }
    this.#searched.push({ ...span, to: span.to === Infinity ? this.head : span.to });
  }

  /**
   * @param {From} from
   * @param {number} limit
   * @param {AbortSignal} [signal]
   */
  async #page(from, limit, signal) {
    const { commits } = await this.client.replay.page(from, limit, signal);
    for (const commit of commits) this.#keep(commit);
  }

  /** @param {Commit} commit */
  #keep(commit) {
    if (this.#commits.has(commit.seq)) return;
    this.#commits.set(commit.seq, commit);
    if (this.#commits.size > MOST) this.#commits.delete(/** @type {number} */ (this.#commits.keys().next().value));
    this.#learn(commit);
  }

  /** @param {Commit} commit */
  #learn(commit) {
    if (this.#learned.has(commit.seq)) return;
    this.#learned.add(commit.seq);
    this.later.take(commit);
  }
}

/**
 * The commits that a commit speaks of.
 *
 * @param {Commit | undefined} commit
 * @returns {number[]}
 */
export function namedIn(commit) {
  if (commit === undefined || commit.t === "hidden") return [];
  /** @type {Set<number>} */
  const named = new Set();
  const look = (/** @type {unknown} */ value) => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inside] of Object.entries(value)) {
        if (typeof inside !== "string") look(inside);
        else if (NAMES.has(key)) named.add(key === "what" ? seqOf(inside) : Number.parseInt(inside, 10));
      }
    }
  };
  look(commit.events ?? []);
  named.delete(commit.seq);
  return [...named].filter((seq) => Number.isSafeInteger(seq) && seq > 0);
}
