/** The way back that is offered beside what was done: whatever the bridge has against it is said, for nobody looks twice. */

/** @import { Command } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @param {() => readonly Command[]} commands as the table is when somebody takes it
 * @returns {() => void}
 */
export const wayBack = (model, tell, commands) => async () => {
  const outcomes = await Promise.all(commands().map((cmd) => model.send(cmd)));
  const refused = outcomes.find((outcome) => !outcome.ok);
  if (refused !== undefined) tell(model.words.refusal(refused), { tone: "trouble" });
};
