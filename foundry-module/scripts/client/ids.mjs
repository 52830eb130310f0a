/** Command ids: 22 characters of base64url, 128 bits from the operating system. */

/** @import { RandomBytes } from "./types.mjs" */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * `crypto.randomUUID` is missing on plain-http pages, where many tables are; `getRandomValues` is everywhere.
 *
 * @type {RandomBytes}
 */
export const systemRandom = (bytes) => globalThis.crypto.getRandomValues(/** @type {any} */ (bytes));

/** @param {RandomBytes} [random] */
export function newId(random = systemRandom) {
  const bytes = random(new Uint8Array(22));
  // Six of the eight bits of each byte: 132 bits, without any carrying over.
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte & 63)).join("");
}
