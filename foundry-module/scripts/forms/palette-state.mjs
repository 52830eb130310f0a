/** What somebody has set in a palette, and what it said last: kept apart from what is drawn, which Foundry throws away at will. */

/** @import { When } from "./clocks.mjs" */

/**
 * @typedef {object} PaletteState
 * @property {When} until for how long the next one is given
 * @property {"own" | "against"} side
 * @property {boolean} hidden only GMs know of it
 * @property {string} reason typed and not given yet
 * @property {Set<string>} open what is unfolded
 * @property {{text: string, tone: "plain" | "trouble", undo: (() => void) | null} | null} said
 */

/**
 * As it is most often wanted: for the next roll, and everybody sees it.
 *
 * @returns {PaletteState}
 */
export const freshPalette = () => ({ until: "next_roll", side: "own", hidden: false, reason: "", open: new Set(), said: null });
