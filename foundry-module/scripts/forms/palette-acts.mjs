/** What a click in a palette does, for as many as are meant at once: each a command of its own kind, with a way back. */

/** @import { Circumstance, Command } from "../client/types.mjs" */
/** @import { PaletteState } from "./palette-state.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { namesOf } from "./also-field.mjs";
import { ownSource } from "./slug.mjs";
import { settingBack, takingBack } from "./standing-acts.mjs";
import { wayBack } from "./way-back.mjs";

/** @typedef {{id: string, name: string}} Meant */

/**
 * @param {TableModel} model
 * @param {() => Promise<readonly Meant[] | string>} meant whom the table knows by now; a sentence where it may not
 * @param {PaletteState} state
 * @param {Tell} tell
 */
export function paletteActs(model, meant, state, tell) {
  /**
   * @param {(who: readonly Meant[]) => {cmd: Command, said: string, back: (seq: number | undefined) => Command[]}} make
   * @returns {Promise<boolean>} whether it stands now
   */
  const act = async (make) => {
    const who = await meant();
    if (typeof who === "string") {
      tell(who, { tone: "trouble" });
      return false;
    }
    const { cmd, said, back } = make(who);
    const outcome = await model.send(cmd);
    if (!outcome.ok) tell(model.words.refusal(outcome), { tone: "trouble" });
    else if (outcome.changed === false) tell(model.words.say("grant.already"));
    else tell(said, { undo: wayBack(model, tell, () => back(outcome.seq)) });
    return outcome.ok;
  };
  return {
    /**
     * @param {"boon" | "bane"} sign
     * @param {Pick<Circumstance, "id" | "label" | "kind"> | string} why a circumstance of the game, or a reason in somebody's words
     */
    give: (sign, why) => act((who) => {
      const source = typeof why === "string" ? ownSource(why) : { id: why.id, label: why.label, kind: why.kind };
      const { hidden, side, until } = state;
      return {
        cmd: { t: "Grant", actors: who.map(({ id }) => id), sign, source, amount: 1, scope: { side }, expiry: { when: until }, ...(hidden && { hidden }) },
        said: model.words.say(`grant.given.${sign}${hidden ? "Hidden" : ""}`, { name: namesOf(who), label: source.label }),
        back: (seq) => takingBack(model, who, seq),
      };
    }),
    /** @param {string} condition with what it is about behind a dot */
    set: (condition) => act((who) => {
      const before = who.map(({ id }) => ({ id, held: model.conditions(id).find((each) => each.key === condition && !each.by) }));
      return {
        cmd: { t: "SetCondition", actors: who.map(({ id }) => id), condition, amount: 1, by: null },
        said: model.words.say("event.ConditionSet", { name: namesOf(who), condition: model.words.condition(condition) }),
        back: () => settingBack(before, condition, null),
      };
    }),
  };
}
