/** What the buttons beside what stands on an actor do: take back, count, answer, try to end. With a way back where there is one. */

/** @import { ActorEntry, AssistRecord, Command, GrantRecord, HeldCondition } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

/**
 * Say something that happened, or that did not.
 *
 * @typedef {(text: string, how?: {undo?: (() => void) | null, tone?: "plain" | "trouble"}) => void} Tell
 */

/**
 * @typedef {object} StandingDoing
 * @property {(grant: GrantRecord) => void} revoke
 * @property {(grant: GrantRecord) => void} reveal show everybody what only GMs know
 * @property {(actor: ActorEntry, held: HeldCondition) => void} clear
 * @property {(actor: ActorEntry, held: HeldCondition, more: number) => void} count one more or one less
 * @property {(actor: ActorEntry, held: HeldCondition) => void} luck roll to end it
 * @property {(assist: AssistRecord, accept: boolean) => void} answer
 */

/**
 * The command that sets a condition as it stood.
 *
 * @param {string} actor
 * @param {HeldCondition} held
 * @returns {Extract<Command, {t: "SetCondition"}>}
 */
export function setAgain(actor, { key, amount = 1, by = null, expiry, luckEnds = false, note = "" }) {
  return { t: "SetCondition", actors: [actor], condition: key, amount, by, ...(expiry && { expiry }), ...(luckEnds && { luckEnds }), ...(note !== "" && { note }) };
}

/**
 * What takes back what one commit gave these actors, as far as it still stands.
 *
 * @param {TableModel} model
 * @param {readonly {id: string}[]} actors
 * @param {number | undefined} seq
 * @returns {Command[]}
 */
export const takingBack = (model, actors, seq) => actors.flatMap(({ id }) => model.grants(id))
  .filter((grant) => grant.id.split(".")[0] === String(seq))
  .map((grant) => ({ t: "RevokeGrant", grant: grant.id }));

/**
 * What sets a condition as it stood before somebody set it, on each of several.
 *
 * @param {readonly {id: string, held: HeldCondition | undefined}[]} before
 * @param {string} condition
 * @param {string | null} by whose it is
 * @returns {Command[]}
 */
export const settingBack = (before, condition, by) => before.map(({ id, held }) => (held ? setAgain(id, held) : { t: "ClearCondition", actor: id, condition, by }));

/**
 * Ask before what cannot be taken back. `yes` does it, and says what is wrong.
 *
 * @typedef {(title: string, text: string, label: string, yes: () => Promise<string | null>) => void} Sure
 */

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @param {Sure} sure
 * @returns {StandingDoing}
 */
export function standingActs(model, tell, sure) {
  /**
   * @param {Command} cmd
   * @param {string} [said]
   * @param {Command | null} [back]
   */
  const act = async (cmd, said = "", back = null) => {
    const outcome = await model.send(cmd);
    if (!outcome.ok) tell(model.words.refusal(outcome), { tone: "trouble" });
    else if (said !== "") tell(said, { undo: back === null ? null : () => void act(back) });
  };
  return {
    revoke: (grant) => {
      const { actor, sign, source, amount, scope, expiry, note, hidden } = grant;
      void act({ t: "RevokeGrant", grant: grant.id }, model.words.say("grant.revoked", { label: source.label }),
        { t: "Grant", actors: [actor], sign, source, amount, scope, expiry, note, ...(hidden && { hidden }) });
    },
    reveal: ({ id, actor, source }) => {
      const { words } = model;
      const values = { label: source.label, name: model.actor(actor)?.name ?? words.say("somebody") };
      sure(words.say("grant.revealTitle", values), words.say("grant.revealText", values), words.say("grant.reveal"), async () => {
        const outcome = await model.send({ t: "RevealGrant", grant: id });
        if (!outcome.ok) return words.refusal(outcome);
        tell(words.say("grant.revealed", values));
        return null;
      });
    },
    clear: (actor, held) => {
      const condition = model.words.condition(held.key, held.amount);
      void act({ t: "ClearCondition", actor: actor.id, condition: held.key, by: held.by ?? null },
        model.words.say("event.ConditionCleared", { name: actor.name, condition }), setAgain(actor.id, held));
    },
    count: (actor, held, more) => void act({ ...setAgain(actor.id, held), amount: more, add: true }),
    luck: (actor, { key, by = null }) => {
      const { luck } = model.ruleset;
      if (luck) void act({ t: "RollCheck", check: luck, actors: [actor.id], ends: { key, by } });
    },
    answer: (assist, accept) => void act({ t: "AnswerAssist", assist: assist.id, accept }),
  };
}
