/**
 * Where in the log a message of an earlier epoch stands: an epoch ends where a backup was put back, and what was rolled after
 * that backup is in the log no more; a table that came from elsewhere had another id before. Asked once for each epoch, by
 * halving, and only where such messages are in chat. Nothing here knows Foundry.
 */

/** @import { Mark } from "./marks.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { own } from "../client/own.mjs";

/** @typedef {{seq: number, hash: string, epoch: number}} Position */
/** @typedef {{position: Position | null, history: {proof: (seq: number) => Promise<{header: string}>}}} Client */
/** @typedef {{epoch: number, table: string | undefined}} Told which epoch a commit is of; its table, where it can be shown */

export class Epochs {
  /** @type {Map<string, Promise<{end: number, table: string | undefined}>>} by epoch then and now */
  #ends = new Map();

  /**
   * @param {Client} client
   * @param {string} table which is open here
   * @param {Mark} mark
   * @returns {Promise<"here" | "lost" | "elsewhere">} lost: the log was put back to before that. Rejected with a `NoAnswer`.
   */
  async place(client, table, { table: marked, epoch, seq }) {
    const { position } = client;
    if (position === null) throw new NoAnswer("away");
    if (epoch >= position.epoch) return epoch === position.epoch && marked === table ? "here" : "elsewhere";
    const key = `${epoch} ${position.epoch}`;
    const asked = this.#ends.get(key) ?? endOf(client, epoch, position.seq);
    this.#ends.set(key, asked);
    try {
      const { end, table: was } = await asked;
      if (was !== marked) return "elsewhere";
      return seq < end ? "here" : "lost";
    } catch (why) {
      this.#ends.delete(key);
      throw why;
    }
  }
}

/**
 * The first commit after an epoch, and the table that the last one of it was of.
 *
 * @param {Client} client
 * @param {number} epoch
 * @param {number} head
 */
async function endOf(client, epoch, head) {
  let [low, end] = [0, head + 1];
  /** @type {string | undefined} */
  let table;
  while (end - low > 1) {
    const middle = (low + end) >> 1;
    const told = await toldOf(client, middle);
    if (told.epoch > epoch) end = middle;
    else {
      low = middle;
      table = told.epoch === epoch ? told.table : undefined;
    }
  }
  return { end, table };
}

/**
 * @param {Client} client
 * @param {number} seq
 * @returns {Promise<Told>}
 */
async function toldOf(client, seq) {
  try {
    const { epoch, table } = JSON.parse((await client.history.proof(seq)).header);
    return { epoch, table };
  } catch (why) {
    // Whose key is gone cannot be shown, and of which epoch it is the refusal says.
    const epoch = why instanceof NoAnswer && why.code === "proof.unknown" ? own(why.values, "epoch") : undefined;
    if (typeof epoch !== "number") throw why;
    return { epoch, table: undefined };
  }
}
