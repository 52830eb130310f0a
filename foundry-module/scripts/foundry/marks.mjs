/** What a chat message of ours says it is: which commit of which log it shows. */

import { ID } from "./settings.mjs";

/**
 * `to`: a card for several commits. `late`: nobody expects dice to fall for it any more. `stub`: not everybody may
 * read what it stands for. `byHand`: its dice fell on a real table. `words`: with which words it was written.
 *
 * @typedef {{table: string, epoch: number, seq: number, to?: number, late?: boolean, stub?: boolean, byHand?: boolean, words?: string}} Mark
 */

/**
 * @param {import("./compat.mjs").Loose} message anything: other modules and people write flags, too
 * @returns {Mark | null}
 */
export function markOf(message) {
  const mark = message?.flags?.[ID];
  const whole = typeof mark?.table === "string" && Number.isSafeInteger(mark.epoch) && Number.isSafeInteger(mark.seq);
  return whole ? mark : null;
}

/** @param {Mark | null} mark whether no dice fall for the message itself, on anybody's screen */
export const liesStill = (mark) => mark !== null && (mark.late === true || mark.stub === true || mark.byHand === true);
