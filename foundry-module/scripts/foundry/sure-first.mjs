/** Ask in a window of Foundry's before what cannot be taken back, and say what is wrong with it. */

/** @import { Sure, Tell } from "../forms/standing-acts.mjs" */

import { sure } from "./windows.mjs";

/**
 * @param {Tell} tell
 * @returns {Sure}
 */
export const sureFirst = (tell) => (title, text, label, yes) => void sure(title, text, label).then(async (agreed) => {
  const wrong = agreed ? await yes() : null;
  if (wrong !== null) tell(wrong, { tone: "trouble" });
});
