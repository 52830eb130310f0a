/** A chat message's id from what it shows: whoever posts the same commit makes the same id. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 16;
const LANES = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

/**
 * `crypto.subtle` is missing on plain-http pages, so this is a small mixing of its own. It need not resist anybody: the
 * flags of a message say what it is, and the log says what is true.
 *
 * @param {number} seed
 * @param {string} text
 */
function lane(seed, text) {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * @param {string} table
 * @param {number} epoch
 * @param {string | number} what a seq, or `from-to` for several
 * @returns {string} 16 letters and digits
 */
export function messageId(table, epoch, what) {
  const text = `${table}|${epoch}|${what}`;
  let whole = LANES.reduce((sum, seed) => (sum << 32n) | BigInt(lane(seed, text)), 0n);
  let id = "";
  while (id.length < LENGTH) {
    id += ALPHABET.charAt(Number(whole % 62n));
    whole /= 62n;
  }
  return id;
}
