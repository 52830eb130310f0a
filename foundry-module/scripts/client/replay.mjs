/**
 * Looking back: how the table stood after a commit, and where in the log something is. Only questions (feature `replay`);
 * nothing that is held changes, nothing is kept here. A long look is many questions, and can be given up between any two.
 */

/** @import { AsOf, Commit, Entry, MarkKind, Page, Wanted } from "./types.mjs" */
/** @import { Asker } from "./asker.mjs" */

import { NoAnswer } from "./asker.mjs";

/** The code of a `NoAnswer` to a question that whoever asked it gave up. */
export const GIVEN_UP = "given_up";

/**
 * Where to look: on from after a commit, or back from before one.
 *
 * @typedef {{after: number} | {before: number}} From
 */

/**
 * @typedef {object} Found
 * @property {Commit[]} commits oldest first
 * @property {Map<number, readonly MarkKind[]>} marks by commit
 * @property {boolean} more there is more in that direction
 * @property {number} looked the commit that was looked at last
 */

/**
 * The answer, unless it is given up before.
 *
 * @template Answer
 * @param {AbortSignal | undefined} signal
 * @param {() => Promise<Answer>} ask
 * @returns {Promise<Answer>}
 */
function unlessGivenUp(signal, ask) {
  if (signal === undefined) return ask();
  return new Promise((resolve, reject) => {
    const givenUp = () => reject(new NoAnswer(GIVEN_UP));
    if (signal.aborted) {
      givenUp();
      return;
    }
    signal.addEventListener("abort", givenUp, { once: true });
    ask().then(resolve, reject).finally(() => signal.removeEventListener("abort", givenUp));
  });
}

export class Replay {
  #asker;

  /** @param {Asker} asker */
  constructor(asker) {
    this.#asker = asker;
  }

  /**
   * How the table stood after a commit, as far as this viewer may know it.
   *
   * @param {number} seq 0: before the first
   * @param {AbortSignal} [signal]
   * @returns {Promise<{seq: number, at: number, entries: Entry[]}>} rejected with a `NoAnswer`
   */
  async at(seq, signal) {
    /** @type {Entry[]} */
    const entries = [];
    for (;;) {
      const after = entries.at(-1)?.key;
      /** @type {AsOf} */
      const answer = await unlessGivenUp(signal, () => this.#asker.ask({ t: "at", seq, ...(after !== undefined && { after }) }));
      entries.push(...answer.entries);
      if (!answer.more || answer.entries.length === 0) return { seq: answer.seq, at: answer.at, entries };
    }
  }

  /**
   * Commits as they stand in the log, whatever they are.
   *
   * @param {From} from
   * @param {number} limit
   * @param {AbortSignal} [signal]
   * @returns {Promise<Page>} rejected with a `NoAnswer`
   */
  page(from, limit, signal) {
    return unlessGivenUp(signal, () => this.#asker.ask({ t: "history", ...from, limit }));
  }

  /**
   * One look for commits: as far as the bridge goes for one question.
   *
   * @param {Wanted} where
   * @param {From} from
   * @param {number} limit
   * @param {AbortSignal} [signal]
   * @returns {Promise<Found>} rejected with a `NoAnswer`
   */
  async look(where, from, limit, signal) {
    /** @type {Page} */
    const page = await unlessGivenUp(signal, () => this.#asker.ask({ t: "history", ...from, limit, where }));
    const start = "after" in from ? from.after : from.before;
    return {
      commits: page.commits,
      marks: new Map((page.marks ?? []).map(({ seq, marks }) => [seq, marks])),
      more: page.more,
      looked: page.looked ?? start,
    };
  }

  /**
   * The nearest commit of a kind, however far it is.
   *
   * @param {Wanted} where
   * @param {From} from
   * @param {{signal?: AbortSignal, tell?: (looked: number) => void}} [how] `tell`: how far it has got, after each question that found nothing
   * @returns {Promise<Commit | null>} null: there is none in that direction. Rejected with a `NoAnswer`
   */
  async nearest(where, from, { signal, tell = () => {} } = {}) {
    const onwards = "after" in from;
    for (let now = from; ;) {
      const { commits, looked, more } = await this.look(where, now, 1, signal);
      if (commits.length > 0) return commits[0];
      const start = "after" in now ? now.after : now.before;
      // An answer that got no further would be asked for again without end.
      if (!more || (onwards ? looked <= start : looked >= start)) return null;
      tell(looked);
      now = onwards ? { after: looked } : { before: looked };
    }
  }
}
