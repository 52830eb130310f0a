/**
 * The log as far as this client holds it: where it stands, the newest commits, and the promised seed hashes.
 */

/** @import { Commit, Hidden, Logged, Position, Welcome } from "./types.mjs" */

export const SEEDS_AHEAD = 64;

export class Ledger {
  /** @type {Position | null} */
  position = null;
  /** @type {Map<number, Commit>} by seq, oldest first */
  #commits = new Map();
  /** @type {Map<number, {hash: string, nth: number}>} the hash of the seed of a commit, held before that commit came; the how manieth word of a promise it was */
  #promises = new Map();
  /** How many promises were heard. A click that was made before one was not made on it. */
  heard = 0;
  /** @type {Map<number, string>} the id of a command from here, by the commit that it became */
  #sent = new Map();
  /** Up to here everything had been rolled before this client heard of it: no word about that is a promise. */
  #made = 0;
  #limit;

  /** @param {number} [limit] how many commits are kept */
  constructor(limit = 2000) {
    this.#limit = limit;
  }

  /**
   * Stand at the head that the server names, holding nothing before it.
   *
   * @param {Welcome} welcome
   */
  reset(welcome) {
    this.#commits.clear();
    this.#promises.clear();
    this.#sent.clear();
    this.position = { epoch: welcome.epoch, seq: welcome.head, hash: welcome.headHash };
    this.resume(welcome);
  }

  /**
   * Go on from where it stands; what was missed comes next.
   *
   * @param {Welcome} welcome
   */
  resume(welcome) {
    this.#made = welcome.head;
    this.promise(welcome.head, welcome.seedHashes ?? []);
  }

  /**
   * @param {number} after the hashes are those of the commits that follow it
   * @param {readonly string[]} hashes
   */
  promise(after, hashes) {
    for (const [index, hash] of hashes.entries()) this.#keepPromise(after + 1 + index, hash);
  }

  /**
   * Take the next commit of the log.
   *
   * @param {Logged | Hidden} commit
   * @returns {"next" | "known" | "gap"} known: held already; gap: something is missing before it, nothing was taken
   */
  add(commit) {
    const { position } = this;
    if (position === null) return "gap";
    if (commit.seq <= position.seq) return "known";
    if (commit.seq !== position.seq + 1) return "gap";
    let { epoch } = position;
    for (const event of (commit.t === "logged" && commit.events) || []) {
      if (event.t === "LadderRestarted") {
        epoch = event.epoch;
        this.#promises.clear();
      }
      if (event.t === "LadderRestarted" || event.t === "TableOpened") this.promise(commit.seq, event.seedHashes);
    }
    this.#keepPromise(commit.seq + SEEDS_AHEAD, commit.seedHash);
    this.position = { epoch, seq: commit.seq, hash: commit.hash };
    this.#commits.set(commit.seq, commit);
    if (this.#commits.size > this.#limit) this.#forget(/** @type {number} */ (this.oldest));
    return "next";
  }

  /**
   * Put an older page before what is held. What came too late for a promise is no promise.
   *
   * @param {readonly Commit[]} commits oldest first
   * @returns {Commit[]} those that were new, oldest first
   */
  prepend(commits) {
    const room = this.#limit - this.#commits.size;
    if (room <= 0) return [];
    const fresh = commits.filter((commit) => !this.#commits.has(commit.seq)).slice(-room);
    this.#commits = new Map(
      [...fresh.map((commit) => /** @type {const} */ ([commit.seq, commit])), ...this.#commits].sort(([a], [b]) => a - b),
    );
    return fresh;
  }

  /** @param {number} seq */
  commit(seq) {
    return this.#commits.get(seq);
  }

  /** @returns {Commit[]} oldest first */
  get commits() {
    return [...this.#commits.values()];
  }

  /** @returns {number | undefined} the seq of the oldest commit held */
  get oldest() {
    return this.#commits.keys().next().value;
  }

  /**
   * The seed hash of a commit, if this client had it before the commit was made.
   *
   * @param {number} seq
   */
  promised(seq) {
    return this.#promises.get(seq)?.hash;
  }

  /**
   * A command from here became a commit. What was promised of it after the click is no promise: the bridge knew the click's number then.
   *
   * @param {number} seq
   * @param {string} id
   * @param {number} heard how many promises had been heard at the click
   */
  clicked(seq, id, heard) {
    this.#sent.set(seq, id);
    if ((this.#promises.get(seq)?.nth ?? 0) > heard) this.#promises.delete(seq);
  }

  /**
   * The id of the command from here that became a commit.
   *
   * @param {number} seq
   */
  sent(seq) {
    return this.#sent.get(seq);
  }

  /**
   * @param {number} seq
   * @param {string} hash
   */
  #keepPromise(seq, hash) {
    // The first word stands: a hash that changes afterwards is what the promise is there to show.
    if (seq > this.#made && !this.#promises.has(seq)) this.#promises.set(seq, { hash, nth: (this.heard += 1) });
  }

  /** @param {number} seq */
  #forget(seq) {
    this.#commits.delete(seq);
    this.#promises.delete(seq);
    this.#sent.delete(seq);
  }
}

/**
 * What is wrong between the log of the bridge and the last commit this client remembers of it.
 *
 * behind: the log is shorter than it was. other: it has another commit at that place. restored: it was started anew
 * from a copy, and says so.
 *
 * @param {Position | null | undefined} remembered
 * @param {Welcome} welcome
 * @returns {"behind" | "other" | "restored" | null}
 */
export function compareWithMemory(remembered, welcome) {
  if (remembered === null || remembered === undefined) return null;
  if (welcome.epoch !== remembered.epoch) return "restored";
  if (welcome.head < remembered.seq) return "behind";
  if (welcome.reset === "other_log") return "other";
  return welcome.head === remembered.seq && welcome.headHash !== remembered.hash ? "other" : null;
}
