/** Turns, rounds and fights by hand, where no tracker counts them. */

/** @import { ActorEntry, Command } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

/**
 * Ask before a turn ends while a player has still to choose. `yes` ends it, and says what is wrong.
 *
 * @typedef {(text: string, yes: () => Promise<string | null>) => void} Ask
 */

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @param {Ask} ask
 */
export function turnActs(model, tell, ask) {
  /** @param {Command} cmd */
  const act = async (cmd) => {
    const outcome = await model.send(cmd);
    if (!outcome.ok) tell(model.words.refusal(outcome), { tone: "trouble" });
  };
  return {
    /** @param {ActorEntry} actor */
    start: (actor) => act({ t: "StartTurn", actor: actor.id }),
    /** @param {ActorEntry} actor */
    end: async (actor) => {
      const { words } = model;
      const outcome = await model.send({ t: "EndTurn", actor: actor.id });
      if (outcome.ok) return;
      if (outcome.code !== "turn.choice_open") {
        tell(words.refusal(outcome), { tone: "trouble" });
        return;
      }
      const who = model.actor(String(outcome.values?.actor ?? actor.id))?.name ?? actor.name;
      ask(words.say("turn.choiceOpen", { name: who }), async () => {
        const sure = await model.send({ t: "EndTurn", actor: actor.id, confirm: true });
        return sure.ok ? null : words.refusal(sure);
      });
    },
    endRound: () => act({ t: "EndRound" }),
    endCombat: () => act({ t: "EndCombat" }),
  };
}
