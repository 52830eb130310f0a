/** What a client reads of the log besides what it is told as it happens. */

/** @import { Commit, Page, Position, Proven } from "./types.mjs" */
/** @import { Asker } from "./asker.mjs" */
/** @import { Ledger } from "./ledger.mjs" */

/**
 * @typedef {object} HistoryParts
 * @property {Asker} asker
 * @property {Ledger} ledger
 * @property {() => Position | null} remembered the last commit an earlier run of this client saw
 * @property {(remembered: Position) => void} onOther the log has another commit there than the one that was seen
 */

export class History {
  #asker;
  #ledger;
  #remembered;
  #onOther;

  /** @param {HistoryParts} parts */
  constructor({ asker, ledger, remembered, onOther }) {
    this.#asker = asker;
    this.#ledger = ledger;
    this.#remembered = remembered;
    this.#onOther = onOther;
  }

  /**
   * Load commits from before what is held.
   *
   * @param {number} [limit]
   * @returns {Promise<{commits: Commit[], more: boolean}>} those that were new, oldest first
   */
  async older(limit = 50) {
    const before = this.#ledger.oldest ?? (this.#ledger.position?.seq ?? 0) + 1;
    /** @type {Page} */
    const page = await this.#asker.ask({ t: "history", before, limit });
    const remembered = this.#remembered();
    const same = page.commits.find((commit) => commit.seq === remembered?.seq);
    if (remembered !== null && same !== undefined && same.hash !== remembered.hash) this.#onOther(remembered);
    return { commits: this.#ledger.prepend(page.commits), more: page.more };
  }

  /**
   * Commits after a place in the log, whether they are held or not. Nothing held changes.
   *
   * @param {number} after
   * @param {number} [limit]
   * @returns {Promise<Page>}
   */
  past(after, limit = 50) {
    return this.#asker.ask({ t: "history", after, limit });
  }

  /**
   * @param {number} seq
   * @returns {Promise<Proven>}
   */
  proof(seq) {
    return this.#asker.ask({ t: "proof", seq });
  }
}
