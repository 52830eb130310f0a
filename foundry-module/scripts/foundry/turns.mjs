/** Turns, rounds and fights by hand, with Foundry's own dialog where something is asked first. */

/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Tell } from "../forms/standing-acts.mjs" */

import { turnActs } from "../forms/turn-acts.mjs";
import { sure } from "./windows.mjs";

/**
 * @param {TableModel} model
 * @param {Tell} tell
 */
export function turnsOf(model, tell) {
  const { words } = model;
  const acts = turnActs(model, tell, (text, yes) => void sure(words.say("turn.endTitle"), text, words.say("turn.endAnyway")).then(async (agreed) => {
    const wrong = agreed ? await yes() : null;
    if (wrong !== null) tell(wrong, { tone: "trouble" });
  }));
  return {
    ...acts,
    /** It cannot be taken back, and stands beside what is clicked every round. */
    endCombat: async () => {
      if (await sure(words.say("turn.endCombat"), words.say("turn.endCombatText"), words.say("turn.endCombat"))) await acts.endCombat();
    },
  };
}
