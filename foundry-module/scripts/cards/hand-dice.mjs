/** Dice that lay on a real table, as people type them: faces with spaces or commas between them. */

const FACE = /^\d{1,4}$/;

/**
 * @param {string} text
 * @returns {number[] | null} null where something else than numbers was typed; nothing typed is no face
 */
export function readFaces(text) {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  return parts.every((part) => FACE.test(part)) ? parts.map(Number) : null;
}
