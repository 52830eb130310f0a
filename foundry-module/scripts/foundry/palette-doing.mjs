/** What palettes do in Foundry: whom the table does not know yet is introduced by a GM's click, and details have a window. */

/** @import { PaletteDoing } from "../forms/palette.mjs" */
/** @import { Chosen } from "../forms/roll-state.mjs" */

import { introduce } from "./actors.mjs";
import { link } from "./link.mjs";
import { openStanding } from "./standing-window.mjs";
import { sureFirst } from "./sure-first.mjs";

/** @type {PaletteDoing} */
export const paletteDoing = {
  meet: async (who) => {
    const wrong = await introduce(/** @type {readonly Chosen[]} */ (who));
    return wrong === null ? null : link.words.refusal(wrong);
  },
  details: ({ id, name }) => openStanding({ id, name }),
  sure: sureFirst((text, how) => void ui.notifications?.[how?.tone === "trouble" ? "warn" : "info"](text)),
  lists: true,
  group: true,
};
