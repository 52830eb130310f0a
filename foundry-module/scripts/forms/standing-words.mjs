/** What stands on an actor, as words: whose it is, what it is for, and until when. */

/** @import { GrantRecord, HeldCondition } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { clockWords } from "../cards/clock-words.mjs";

/**
 * Who gave a condition, and when it ends.
 *
 * @param {TableModel} model
 * @param {string} bearer
 * @param {HeldCondition} held
 * @returns {string[]}
 */
export function conditionDetails(model, bearer, { by, expiry, fumbled = 0, until, luckEnds = false, amount = 1 }) {
  const { words } = model;
  const fumble = fumbled > 0 && until ? words.say(`until.${until}`, {}, until.replace(/_/g, " ")) : "";
  return [
    by ? words.say("standing.from", { name: model.actor(by)?.name ?? words.say("somebody") }) : "",
    fumble !== "" && fumbled < amount ? words.say("standing.someOf", { n: fumbled, until: fumble }) : fumble,
    clockWords(words, (id) => model.actor(id)?.name, expiry, bearer),
    luckEnds ? words.say("standing.luckEnds") : "",
  ].filter((text) => text !== "");
}

/**
 * What a grant is for, who gave it, and when it ends.
 *
 * @param {TableModel} model
 * @param {GrantRecord} grant
 * @returns {string[]}
 */
export function grantDetails(model, { actor, scope, expiry, by, note }) {
  const { words, ruleset, client } = model;
  const numbers = (scope.attributes ?? []).map((key) => numberName(model, actor, key));
  const checks = (scope.checks ?? []).map((key) => ruleset.checks.find((check) => check.key === key)?.label ?? key);
  const whom = (scope.targets ?? []).map((id) => model.actor(id)?.name ?? words.say("somebody"));
  const person = client.person(by)?.name;
  return [
    scope.side === "against" ? words.say("standing.against") : "",
    [...checks, ...numbers].join(", "),
    whom.length > 0 ? words.say("standing.onlyAgainst", { names: whom.join(", ") }) : "",
    scope.action ? words.say("standing.action", { action: scope.action }) : "",
    clockWords(words, (id) => model.actor(id)?.name, expiry, actor),
    person ? words.say("standing.by", { name: person }) : "",
    note ?? "",
  ].filter((text) => text !== "");
}

/**
 * @param {TableModel} model
 * @param {string} actor
 * @param {string} key
 */
function numberName(model, actor, key) {
  const named = model.actor(actor)?.numbers?.values?.find((number) => number.key === key)?.label;
  const choice = model.ruleset.checks.flatMap((check) => check.params).flatMap((param) => param.choices ?? []).find((each) => each.value === key);
  return named || choice?.label || model.words.number(key);
}
