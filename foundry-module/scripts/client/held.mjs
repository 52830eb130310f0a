/** What a client holds of its table: the state as given, the log as far as it goes, who is here. To read, not to change. */

/** @import { Attempt, Commit, Person, Position } from "./types.mjs" */

import { Entries } from "./entries.mjs";
import { Ledger } from "./ledger.mjs";

export class Held {
  /** @protected */
  entries = new Entries();
  /** @protected @type {Map<string, Person>} */
  persons = new Map();
  /** @protected @type {Map<string, Set<string>>} who has which request before his eyes, as far as this page heard of it */
  seen = new Map();
  /** @protected @type {Map<string, Attempt>} who of the others is putting which roll together */
  attempts = new Map();

  /** @param {number} [keep] how many commits are kept */
  constructor(keep) {
    /** @protected */
    this.ledger = new Ledger(keep);
  }

  /** @returns {Position | null} */
  get position() {
    return this.ledger.position;
  }

  /** @returns {readonly Person[]} */
  get people() {
    return [...this.persons.values()];
  }

  /** @returns {Commit[]} what is held of the log, oldest first */
  get commits() {
    return this.ledger.commits;
  }

  /** @param {string} id */
  person(id) {
    return this.persons.get(id);
  }

  /**
   * @param {string} key
   * @returns {any}
   */
  entry(key) {
    return this.entries.get(key);
  }

  /**
   * @param {string} prefix
   * @returns {any[]}
   */
  entriesUnder(prefix) {
    return this.entries.under(prefix);
  }

  /**
   * Who has a request before his eyes; only GMs are told.
   *
   * @param {string} request
   * @returns {readonly string[]} ids of people
   */
  seenBy(request) {
    return [...(this.seen.get(request) ?? [])];
  }

  /** @returns {readonly {user: string, on: Attempt}[]} which rolls the others are putting together */
  get underway() {
    return [...this.attempts].map(([user, on]) => ({ user, on }));
  }

  /** @param {number} seq */
  commit(seq) {
    return this.ledger.commit(seq);
  }

  /**
   * The seed hash of a commit, if it was known here before the commit was made.
   *
   * @param {number} seq
   */
  promised(seq) {
    return this.ledger.promised(seq);
  }

  /**
   * The id of the command from here that became a commit.
   *
   * @param {number} seq
   */
  sent(seq) {
    return this.ledger.sent(seq);
  }
}
