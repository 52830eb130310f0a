/** Checks, effects and refusals as sentences: no elements, so that cards, announcements and exports say the same. */

/** @import { CheckRolled, Effect, HeldCondition, ParamSpec, Rolled } from "../client/types.mjs" */
/** @import { CardContext } from "./context.mjs" */

import { own } from "../client/own.mjs";
import { clockWords } from "./clock-words.mjs";

/**
 * What a check was, in words: its name and what was chosen for it (the attribute, the attack, a switch).
 *
 * @param {CardContext} context
 * @param {Rolled} rolled
 */
export function checkWords(context, rolled) {
  const spec = context.ruleset.checks.find((check) => check.key === rolled.kind);
  const chosen = (spec?.params ?? []).map((param) => paramWords(context, rolled, param));
  const name = spec?.label ?? rolled.kind;
  const ends = rolled.ends ? context.words.say("head.ends", { condition: context.words.condition(rolled.ends.key) }) : "";
  return [name, ...chosen.filter((word) => word !== "" && word !== name), ends].filter((word) => word !== "").join(" \u00b7 ");
}

/**
 * @param {CardContext} context
 * @param {Rolled} rolled
 * @param {ParamSpec} param
 * @returns {string} empty where the value says nothing that the card does not show anyway
 */
function paramWords({ words, numberName }, rolled, param) {
  const value = own(rolled.params, param.key);
  if (value === undefined || value === null || param.difficulty) return "";
  const choice = param.choices?.find((option) => option.value === value);
  switch (param.kind) {
    case "number":
      return choice?.label ?? numberName((param.ofTarget ? rolled.opponent : rolled.actor) ?? "", String(value))
        ?? words.number(String(value));
    case "attack":
      return numberName(rolled.actor, String(value)) ?? "";
    case "choice":
      return value === param.default ? "" : choice?.label ?? String(value);
    case "flag":
      return value === true ? param.label : "";
    default: // dice and plain numbers stand on the card as dice and numbers; ids say nothing
      return "";
  }
}

/**
 * The word the ladder has for a difficulty.
 *
 * @param {CardContext} context
 * @param {string} check its kind
 * @param {number} target
 */
export function ladderWord(context, check, target) {
  const spec = context.ruleset.checks.find((each) => each.key === check);
  const param = spec?.params.find((each) => each.difficulty);
  return param?.ladder?.find((option) => option.value === target)?.label ?? "";
}

/**
 * A choice's label may say after a colon what it brings; then its name alone is what is done.
 *
 * @param {string} label
 * @returns {{name: string, more: string}}
 */
export function labelOf(label) {
  const [name, ...more] = label.split(": ");
  return { name, more: more.join(": ") };
}

/**
 * What a choice is called: as it was offered, or by its key where the offer is not held.
 *
 * @param {CardContext} context
 * @param {{check: string, choice: string}} chosen
 */
export function choiceName({ checks }, { check, choice }) {
  const offer = checks.offer(check, choice);
  return offer ? labelOf(offer.label).name : choice.replace(/_/g, " ");
}

/**
 * Why nothing was rolled: what decided it, and how.
 *
 * @param {CardContext} context
 * @param {CheckRolled} event
 */
export function automaticWords({ words }, { sources, result }) {
  const decided = sources.find((source) => source.counted && source.why.startsWith("automatic_"));
  const why = words.why(decided?.why ?? (result.success ? "automatic_success" : "automatic_failure"));
  return decided ? words.say("head.automaticBy", { label: decided.label, why }) : words.say("head.automatic", { why });
}

/**
 * @param {CardContext} context
 * @param {string} actor
 */
const nameOf = (context, actor) => context.actorName(actor) ?? context.words.say("somebody");

/**
 * A condition that somebody has: what it is, how much of it, from whom and until when.
 *
 * @param {CardContext} context
 * @param {string} bearer
 * @param {HeldCondition} held
 */
export function heldWords(context, bearer, { key, amount, by, expiry }) {
  const { words } = context;
  return [
    words.condition(key, amount),
    by ? words.say("standing.from", { name: nameOf(context, by) }) : "",
    clockWords(words, context.actorName, expiry, bearer),
  ].filter((text) => text !== "").join(", ");
}

/**
 * A check in a few words: whose, what was attempted, against whom.
 *
 * @param {CardContext} context
 * @param {Rolled} rolled
 */
export function checkTitle(context, rolled) {
  const { name, opponentName: opponent = "" } = rolled;
  const action = rolled.action || checkWords(context, rolled);
  return context.words.say(opponent === "" ? "correction.checkOf" : "correction.checkAt", { name, action, opponent });
}

/**
 * What an opportunity is called, also where it is gone: by what created it.
 *
 * @param {CardContext} context
 * @param {string} id
 */
export function opportunityLabel({ checks, words }, id) {
  return checks.requests.opportunity(id)?.label ?? (checks.told(id)?.event.rolled.action || words.say("opportunity.plain"));
}

/**
 * An effect as key and values, for a sentence.
 *
 * @param {CardContext} context
 * @param {Effect} effect
 * @returns {{key: string, values: Record<string, unknown>, fallback?: string} | null} null: it is told elsewhere
 */
export function effectWords(context, effect) {
  const { words } = context;
  switch (effect.t) {
    case "ResourceChanged": {
      const back = effect.reason === "taken_back";
      // What a correction could not move is told by what it left.
      if (back && effect.applied === 0) return null;
      const resource = words.say(`resource.${effect.resource}`, {}, words.say(`resource.${effect.resource}.name`, {}, effect.resource));
      const way = effect.asked >= 0 ? "gain" : "spend";
      const moved = effect.applied !== 0 || effect.asked === 0;
      const n = Math.abs(moved ? effect.applied : effect.asked);
      const many = words.say(`resource.${effect.resource}.${n === 1 ? "one" : "other"}`, { n }, `${n} ${resource}`);
      if (back) return { key: `effect.ResourceChanged.${effect.asked >= 0 ? "backGain" : "backSpend"}`, values: { many, resource } };
      const reason = words.say(`reason.${effect.reason}`, {}, effect.reason.replace(/_/g, " "));
      return { key: `effect.ResourceChanged.${way}${moved ? "" : "None"}`, values: { many, resource, reason } };
    }
    case "ConditionChanged": {
      const condition = words.condition(effect.condition);
      const until = effect.until ? ` ${words.say(`until.${effect.until}`, {}, effect.until.replace(/_/g, " "))}` : "";
      const way = effect.now === 0 ? "gone" : effect.now === 1 ? "one" : "many";
      return {
        key: `effect.ConditionChanged.${way}`,
        values: { name: nameOf(context, effect.actor), condition, now: effect.now, until },
      };
    }
    case "LockSet":
      return effect.action === ""
        ? null
        : { key: "effect.LockSet", values: { name: nameOf(context, effect.actor), action: effect.action } };
    case "LockCleared":
      return effect.action === ""
        ? null
        : { key: "effect.LockCleared", values: { name: nameOf(context, effect.actor), action: effect.action } };
    case "ConditionEnded":
      return { key: "effect.ConditionEnded", values: { name: nameOf(context, effect.actor), condition: words.condition(effect.condition) } };
    case "MarkSet": {
      const spec = context.ruleset.marks?.find((mark) => mark.key === effect.mark);
      const mark = spec?.label ?? effect.mark.replace(/_/g, " ");
      if (effect.value === null) return { key: "effect.MarkUnset", values: { mark } };
      const value = spec?.values.find((option) => option.value === effect.value)?.label ?? String(effect.value).replace(/_/g, " ");
      return { key: "effect.MarkSet", values: { mark, value } };
    }
    case "ResistanceOffered":
      return {
        key: "effect.ResistanceOffered",
        values: {
          name: nameOf(context, effect.actor),
          skill: context.numberName(effect.actor, effect.skill) ?? words.number(effect.skill),
          difficulty: effect.difficulty,
        },
      };
    case "DieBought":
      return { key: "effect.DieBought", values: { sides: effect.sides, face: effect.face } };
    case "ChanceGranted":
      return effect.to
        ? { key: `effect.ChanceGranted.${effect.sign}`, values: { name: nameOf(context, effect.to), uses: effect.uses ?? 1 } }
        : { key: `effect.ChanceGranted.${effect.sign}Open`, values: { uses: effect.uses ?? 1 } };
    case "XpChanged":
      return {
        key: `effect.XpChanged.${effect.change < 0 ? "spent" : "back"}`,
        values: { name: nameOf(context, effect.actor), change: Math.abs(effect.change), now: effect.now },
      };
    case "ConditionsPut": {
      const { actor, condition, held = [] } = effect;
      const conditions = held.map((each) => heldWords(context, actor, each)).join("; ");
      return held.length === 0
        ? { key: "effect.ConditionsPut.gone", values: { name: nameOf(context, actor), condition: words.condition(condition) } }
        : { key: "effect.ConditionsPut.held", values: { name: nameOf(context, actor), conditions } };
    }
    case "GrantPut":
      return { key: "effect.GrantPut", values: { name: nameOf(context, effect.grant.actor), label: effect.grant.source.label } };
    case "GrantTaken": {
      const label = context.checks.grantLabel(effect.grant);
      return { key: `effect.GrantTaken.${label === undefined ? "other" : "label"}`, values: { name: nameOf(context, effect.actor), label } };
    }
    case "OpportunityPut":
      return { key: "effect.OpportunityPut", values: { label: effect.opportunity.label } };
    case "OpportunityTaken":
      return { key: "effect.OpportunityTaken", values: { label: opportunityLabel(context, effect.opportunity) } };
    case "AssistPut":
      return { key: "effect.AssistPut", values: { name: nameOf(context, effect.assist.actor), helper: nameOf(context, effect.assist.helper) } };
    case "RowReopened":
      return { key: "effect.RowReopened", values: { name: nameOf(context, effect.actor), request: effect.request } };
    case "ResistanceTaken":
      return { key: "effect.ResistanceTaken", values: { name: nameOf(context, effect.actor) } };
    case "OnCritApplied":
      return { key: "effect.OnCritApplied", values: { name: effect.name, amount: effect.amount, times: effect.times } };
    case "DutyNoted":
      return { key: `duty.${effect.duty}`, values: {}, fallback: effect.duty.replace(/_/g, " ") };
    default:
      return { key: "effect.other", values: {} };
  }
}
