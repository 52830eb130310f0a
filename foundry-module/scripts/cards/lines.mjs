/** Everything that is no roll, as one quiet line each. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Chosen, TableEvent } from "../client/types.mjs" */

import { clockWords } from "./clock-words.mjs";
import { correctionLines } from "./correction-words.mjs";
import { playLines } from "./play-lines.mjs";
import { rulingWords } from "./rulings.mjs";
import { choiceName, effectWords, heldWords } from "./sentences.mjs";

/**
 * A sentence; `deed`: the name of what it tells, where that can be taken back.
 *
 * @typedef {{key: string, values: Record<string, unknown>, fallback?: string, sign?: "boon" | "bane", deed?: string}} Line
 */

/**
 * @param {CardContext} context
 * @param {TableEvent} event
 * @param {string | null | undefined} by
 * @returns {Line[]} none where the event says nothing to people
 */
export function linesOf(context, event, by) {
  const { words } = context;
  const who = (by && context.personName(by)) || words.say("theBridge");
  const named = (/** @type {string | null | undefined} */ actor) => (actor && context.actorName(actor)) || words.say("somebody");
  const name = "actor" in event && event.actor ? named(event.actor) : "";
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
    case "RoleSet":
      return [{ key: `event.RoleSet.${event.role}`, values: { who, name: context.personName(event.user) ?? event.user } }];
    case "NameErased":
      return [{ key: "event.NameErased", values: { who, name: context.personName(event.user) ?? event.user } }];
    case "AccessRevoked":
      return [{ key: `event.AccessRevoked${event.device ? "Device" : ""}`, values: { who, name: context.personName(event.user) ?? event.user } }];
    case "OriginAdded":
    case "OriginRemoved":
      return [{ key: `event.${event.t}`, values: { who, origin: event.origin } }];
    case "TableRenamed":
      return [{ key: "event.TableRenamed", values: { who, title: event.title } }];
    case "ActorSynced":
      return [{ key: "event.ActorSynced", values: { who, name: event.name, side: words.say(`side.${event.side}`) } }];
    case "NumbersSet":
      return [{ key: "event.NumbersSet", values: { who, name } }];
    case "ActorRemoved":
      return [{ key: "event.ActorRemoved", values: { who, name } }];
    case "Granted": {
      const { grant } = event;
      const until = clockWords(words, context.actorName, grant.expiry, grant.actor);
      return [{
        key: `event.Granted.${grant.sign}${grant.amount > 1 ? "s" : ""}${grant.hidden ? "Hidden" : ""}`,
        values: { who, name: named(grant.actor), label: grant.source.label, amount: grant.amount, until: until === "" ? "" : `, ${until}` },
        sign: grant.sign,
      }];
    }
    case "GrantRevoked":
    case "GrantSpent": {
      const label = context.checks.grantLabel(event.grant);
      return [{ key: `event.${event.t}${label === undefined ? "" : "Label"}`, values: { who, name, label } }];
    }
    case "GrantExpired": {
      const label = context.checks.grantLabel(event.grant);
      return [{ key: `event.GrantExpired${label === undefined ? "" : "Label"}`, values: { name, label, why: whyEnded(context, event.why) } }];
    }
    case "AssistOffered": {
      const { assist } = event;
      return [{
        key: `event.AssistOffered.${assist.action || assist.check ? "action" : "plain"}`,
        values: { name: named(assist.actor), helper: named(assist.helper), action: assist.action || (assist.check ? words.label("checks", assist.check) : "") },
      }];
    }
    case "AssistAnswered": {
      const assist = context.checks.assist(event.assist);
      const key = `event.AssistAnswered.${event.accepted ? "yes" : "no"}${assist === undefined ? "Unknown" : ""}`;
      return [{ key, values: { who, name: named(assist?.actor), helper: named(assist?.helper) } }];
    }
    case "ConditionSet":
      return [{ key: "event.ConditionSet", values: { who, name, condition: heldWords(context, event.actor, event.condition) } }];
    case "ConditionCleared":
      return [{ key: "event.ConditionCleared", values: { who, name, condition: words.condition(event.key) } }];
    case "ConditionExpired": {
      const condition = words.condition(event.key);
      const why = whyEnded(context, event.why);
      return [{ key: `event.ConditionExpired.${event.now > 0 ? "less" : "gone"}`, values: { name, condition, now: event.now, amount: event.amount, why } }];
    }
    case "LuckDue":
      return [{ key: "event.LuckDue", values: { name, condition: words.condition(event.key) } }];
    case "TurnStarted":
    case "TurnEnded":
      return [{ key: `event.${event.t}`, values: { name, round: event.round } }];
    case "RoundEnded":
      return [{ key: "event.RoundEnded", values: { round: event.round } }];
    case "Voided":
    case "Overridden":
    case "Revealed":
    case "Settled":
      return correctionLines(context, event, who, linesOf);
    case "TableDataSet":
      return [{ key: `event.TableDataSet.${event.data === null ? "own" : "edited"}`, values: { who } }];
    case "CombatEnded":
      return [{ key: "event.CombatEnded", values: {} }];
    case "CheckRequested":
    case "DifficultiesSet":
    case "RequestAnswered":
    case "Declined":
    case "RequestExpired":
    case "RequestClosed":
    case "GroupTold":
    case "GroupRecounted":
    case "SessionStarted":
    case "SessionEnded":
    case "SessionContinued":
    case "UnsettledDropped":
    case "OpportunityUsed":
    case "OpportunityDropped":
      return playLines(context, event, who);
    case "CheckNoted": {
      if (event.kind === "dice" || event.kind === "damage") return [{ key: "event.CheckNoted.dice", values: { name: event.name } }];
      const check = words.label("checks", event.kind);
      const key = event.action ? "event.CheckNoted.action" : "event.CheckNoted.plain";
      return [{ key, values: { name: event.name, check, action: event.action ?? "" } }];
    }
    case "Acted": {
      const effects = event.effects ?? [];
      const told = effects.map((effect) => effectWords(context, effect)).filter((line) => line !== null);
      // A move that is one public switch is told by the switch.
      if (effects.length === 1 && effects[0].t === "MarkSet" && effects[0].mark === event.verb) {
        return [{ key: "event.MarkSetBy", values: { ...told[0]?.values, who } }];
      }
      return [{ key: "event.Acted", values: { who, verb: words.label("verbs", event.verb) } }, ...told];
    }
    default:
      return [{ key: "event.other", values: { who, kind: /** @type {any} */ (event).t } }];
  }
}

/**
 * @param {CardContext} context
 * @param {string} why
 */
const whyEnded = ({ words }, why) => words.say(`ended.${why}`, {}, why.replace(/_/g, " "));

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
  const name = told?.event.rolled.name ?? context.actorName(chosen.actor) ?? context.words.say("somebody");
  const key = chosen.auto ? "event.Chosen.auto" : "event.Chosen.plain";
  const seq = told?.seq ?? chosen.check.split(".")[0];
  const first = context.checks.isRuling(chosen)
    ? rulingWords(context, chosen, "event.Chosen", { name, seq })
    : { key, values: { name, choice: choiceName(context, chosen), seq } };
  return [
    first,
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
