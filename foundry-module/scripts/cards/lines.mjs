/** Everything that is no roll, as one quiet line each. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Chosen, TableEvent } from "../client/types.mjs" */

import { labelOf } from "./choices.mjs";
import { effectWords } from "./sentences.mjs";

/** @typedef {{key: string, values: Record<string, unknown>, fallback?: string, sign?: "boon" | "bane"}} Line */

/**
 * @param {CardContext} context
 * @param {TableEvent} event
 * @param {string | null | undefined} by
 * @returns {Line[]} none where the event says nothing to people
 */
export function linesOf(context, event, by) {
  const { words } = context;
  const who = (by && context.personName(by)) || words.say("theBridge");
  const name = "actor" in event ? context.actorName(event.actor) ?? words.say("somebody") : "";
  switch (event.t) {
    case "TableOpened":
      return [{ key: "event.TableOpened", values: { title: event.title } }];
    case "LadderRestarted":
      return [{ key: "event.LadderRestarted", values: { epoch: event.epoch, reason: words.say(`restart.${event.reason}`, {}, event.reason.replace(/_/g, " ")) } }];
    case "OptionsSet":
      return Object.entries(event.options).map(([key, value]) => optionLine(context, who, key, value));
    case "Withdrawn":
      return [{ key: "event.Withdrawn", values: { who } }];
    case "Invited":
      return [{
        key: `event.Invited.${event.role}`,
        values: { who, name: context.personName(event.user) ?? event.user },
      }];
    case "AccessRevoked":
      return [{ key: "event.AccessRevoked", values: { who, name: context.personName(event.user) ?? event.user } }];
    case "OriginAdded":
      return [{ key: "event.OriginAdded", values: { who, origin: event.origin } }];
    case "ActorSynced":
      return [{ key: "event.ActorSynced", values: { who, name: event.name, side: words.say(`side.${event.side}`) } }];
    case "NumbersSet":
      return [{ key: "event.NumbersSet", values: { who, name } }];
    case "ActorRemoved":
      return [{ key: "event.ActorRemoved", values: { who, name } }];
    case "Granted": {
      const { grant } = event;
      const bearer = context.actorName(grant.actor) ?? words.say("somebody");
      return [{
        key: `event.Granted.${grant.sign}${grant.amount > 1 ? "s" : ""}`,
        values: { who, name: bearer, label: grant.source.label, amount: grant.amount },
        sign: grant.sign,
      }];
    }
    case "GrantRevoked":
    case "GrantSpent": {
      const label = context.checks.grantLabel(event.grant);
      return [{ key: `event.${event.t}${label === undefined ? "" : "Label"}`, values: { who, name, label } }];
    }
    case "ConditionSet":
      return [{
        key: "event.ConditionSet",
        values: { name, condition: words.label("conditions", event.condition.key), amount: event.condition.amount ?? 1 },
      }];
    case "ConditionCleared":
      return [{ key: "event.ConditionCleared", values: { name, condition: words.label("conditions", event.key) } }];
    case "CheckNoted": {
      const check = words.label("checks", event.kind);
      const key = event.action ? "event.CheckNoted.action" : "event.CheckNoted.plain";
      return [{ key, values: { name: event.name, check, action: event.action ?? "" } }];
    }
    case "Acted":
      return [
        { key: "event.Acted", values: { who, verb: words.label("verbs", event.verb) } },
        ...(event.effects ?? []).map((effect) => effectWords(context, effect)).filter((line) => line !== null),
      ];
    default:
      return [{ key: "event.other", values: { who, kind: /** @type {any} */ (event).t } }];
  }
}

/**
 * A choice that drew no dice.
 *
 * @param {CardContext} context
 * @param {Chosen} chosen
 * @returns {Line[]}
 */
export function choiceLines(context, chosen) {
  // What nobody chose and what changed nothing is no news.
  if (chosen.auto && (chosen.effects ?? []).length === 0) return [];
  const told = context.checks.told(chosen.check);
  const offer = told?.event.choices?.find((each) => each.id === chosen.choice);
  const choice = offer ? labelOf(offer.label).name : chosen.choice.replace(/_/g, " ");
  const name = told?.event.rolled.name ?? context.actorName(chosen.actor) ?? context.words.say("somebody");
  const key = chosen.auto ? "event.Chosen.auto" : "event.Chosen.plain";
  return [
    { key, values: { name, choice, seq: told?.seq ?? chosen.check.split(".")[0] } },
    ...(chosen.effects ?? []).map((effect) => effectWords(context, effect)).filter((line) => line !== null),
  ];
}

/**
 * @param {CardContext} context
 * @param {string} who
 * @param {string} key
 * @param {unknown} value
 * @returns {Line}
 */
function optionLine({ ruleset, words }, who, key, value) {
  const spec = ruleset.optionSpecs.find((each) => each.key === key);
  const word = spec?.values?.find((option) => option.value === value)?.label ?? String(value ?? words.say("option.none"));
  return { key: "event.OptionsSet", values: { who, option: spec?.label ?? key, value: word } };
}
