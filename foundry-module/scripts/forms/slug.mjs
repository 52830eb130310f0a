/** Keys from words that people wrote. */

import { newId } from "../client/ids.mjs";

/**
 * A key from words people wrote; the same words give the same key.
 *
 * @param {string} text
 * @param {number} [longest]
 */
export function slug(text, longest = 40) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const key = plain.replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, longest);
  return key === "" ? newId().replace(/[^A-Za-z0-9]/g, "x") : key;
}

/**
 * What helps or hinders in somebody's own words. The same words are the same source, so they count once.
 *
 * @param {string} label
 */
export const ownSource = (label) => ({ id: `own.${slug(label)}`, label });
