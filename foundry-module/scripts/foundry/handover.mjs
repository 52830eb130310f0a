/**
 * How a player comes to a token without typing: his page asks the GM's page over Foundry's own socket, and the GM's
 * page answers him alone. Who is asking is told by Foundry's server; what a message says of its sender counts nothing.
 */

import { newId } from "../client/ids.mjs";

const ORIGIN = /^https?:\/\/[^/?#\s@]{1,253}$/;
const NONCE = /^[A-Za-z0-9_-]{22,40}$/;
const TABLE = /^[a-z0-9][a-z0-9-]{0,39}$/;
const MOST_ADDRESSES = 16;
const LONGEST = 8_192;

/**
 * @typedef {{nonce: string, origin: string}} TokenRequest
 * @typedef {{token: string, table: string, addresses: string[]}} TokenAnswer
 * @typedef {{id: string, name: string, isGM: boolean}} Sender as Foundry's server knows him
 */

/** @param {unknown} data @returns {data is Record<string, unknown>} */
const isRecord = (data) => typeof data === "object" && data !== null && !Array.isArray(data);

/**
 * A GM's page reads a request.
 *
 * @param {unknown} data
 * @returns {TokenRequest | null} null where it is none
 */
export function readRequest(data) {
  if (!isRecord(data) || data.type !== "tokenRequest") return null;
  const { nonce, origin } = data;
  if (typeof nonce !== "string" || !NONCE.test(nonce) || typeof origin !== "string" || !ORIGIN.test(origin)) return null;
  return { nonce, origin };
}

/** What this page has asked, and what it believes. */
export class Asking {
  /** @type {Set<string>} nonces that no answer came to yet */
  #open = new Set();

  /** @param {() => string} [makeNonce] */
  constructor(makeNonce = newId) {
    this.makeNonce = makeNonce;
  }

  /** @param {string} origin */
  request(origin) {
    const nonce = this.makeNonce();
    this.#open.add(nonce);
    return { type: "tokenRequest", nonce, origin };
  }

  /**
   * An answer is believed once, from a GM, to a question of ours.
   *
   * @param {unknown} data
   * @param {Sender | undefined} sender
   * @returns {TokenAnswer | null}
   */
  read(data, sender) {
    if (!isRecord(data) || data.type !== "token" || sender?.isGM !== true) return null;
    const { nonce, token, table, addresses } = data;
    if (typeof nonce !== "string" || !this.#open.has(nonce)) return null;
    if (typeof token !== "string" || token === "" || token.length > LONGEST) return null;
    if (typeof table !== "string" || !TABLE.test(table) || !Array.isArray(addresses)) return null;
    this.#open.clear();
    return { token, table, addresses: addresses.filter((address) => typeof address === "string").slice(0, MOST_ADDRESSES) };
  }
}

/**
 * @param {TokenRequest} request
 * @param {TokenAnswer} answer
 */
export const answerTo = ({ nonce }, answer) => ({ type: "token", nonce, ...answer });
