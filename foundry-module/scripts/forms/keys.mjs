/** What a key means in every form of ours, whatever stands around it. While a word is being put together, keys belong to that. */

/**
 * Escape lets go of a form, and of nothing besides: Foundry would close every other window with it.
 *
 * @param {KeyboardEvent} event
 * @param {() => void} letGo
 * @returns {boolean} whether it was that
 */
export function isEscape(event, letGo) {
  if (event.key !== "Escape" || event.isComposing) return false;
  event.stopPropagation();
  letGo();
  return true;
}

/** @param {KeyboardEvent} event */
export const isEnter = (event) => event.key === "Enter" && !event.isComposing;

/** For forms in which no other key means anything. @param {() => void} letGo */
export const onEscape = (letGo) => (/** @type {KeyboardEvent} */ event) => void isEscape(event, letGo);
