/** A request in words: what is asked, who has still to answer, how the rolls belong together, and why it came to what it did. No elements. */

/** @import { AskedCheck, GroupResult, GroupSpec, ParamSpec, RequestRecord, RequestRow, Result } from "../client/types.mjs" */
/** @import { CardContext } from "./context.mjs" */
/** @import { Line } from "./lines.mjs" */
/** @import { GroupOutcome } from "./request-index.mjs" */
/** @import { Tone } from "./shapes.mjs" */

import { own } from "../client/own.mjs";
import { leftWords } from "./left-words.mjs";
import { checkWords, effectWords, ladderWord } from "./sentences.mjs";

/** Each for himself: nothing is made of the rolls together. */
export const EACH = "each";

/** @param {RequestRecord} request */
export const isOpen = ({ over }) => over === null || over === undefined;

/**
 * Those who have not answered.
 *
 * @param {RequestRecord} request
 */
export const missingIn = ({ rows }) => rows.filter((row) => row.status === "sent");

/**
 * @param {CardContext} context
 * @param {string} key
 * @returns {GroupSpec | undefined}
 */
const groupSpec = ({ ruleset }, key) => ruleset.groups?.find((group) => group.key === key);

/**
 * The parameter of a check that is its difficulty.
 *
 * @param {CardContext} context
 * @param {string} check
 * @returns {ParamSpec | undefined}
 */
const difficultySpec = ({ ruleset }, check) => ruleset.checks.find((each) => each.key === check)?.params.find((param) => param.difficulty);

/**
 * The number to reach in one of the checks that are asked for: the number, with its word where the ladder has one.
 *
 * @param {CardContext} context
 * @param {AskedCheck} asked
 * @param {boolean} [short] the number alone, without what it is called
 * @returns {string} empty where this viewer does not know it, or the game's own counts
 */
export function difficultyWords(context, { check, params = {} }, short = false) {
  const spec = difficultySpec(context, check);
  const value = spec === undefined ? undefined : own(params, spec.key);
  if (typeof value !== "number" || spec === undefined) return "";
  const word = ladderWord(context, check, value);
  if (short) return word === "" ? String(value) : context.words.say("request.numberLadder", { value, word });
  return context.words.say(word === "" ? "request.difficulty" : "request.difficultyLadder", { label: spec.label, value, word });
}

/**
 * One of the checks that may answer a request.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {AskedCheck} asked
 */
export function askedWords(context, request, asked) {
  if (asked.label) return asked.label;
  const { check, params = {} } = asked;
  // The table's own word for a number is its bearer's.
  const numberName = (/** @type {string} */ actor, /** @type {string} */ key) => {
    const whose = actor === "" ? request.rows.map((row) => row.actor) : [actor];
    return whose.map((each) => context.numberName(each, key)).find((name) => name !== undefined);
  };
  const rolled = { check: "", actor: "", name: "", kind: check, params, opponent: request.target ?? undefined };
  const named = Object.create(context, { numberName: { value: numberName } });
  const text = checkWords(named, rolled);
  // Of several of one kind it is enough to say what they differ in.
  const kind = context.ruleset.checks.find((each) => each.key === check)?.label ?? check;
  const alike = request.checks.length > 1 && request.checks.every((each) => each.check === check);
  return alike && text.startsWith(`${kind} \u00b7 `) ? text.slice(kind.length + 3) : text;
}

/**
 * Everything that may answer a request, with the number to reach: of one check in full, of several as short as can be.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @returns {{name: string, difficulty: string}[]}
 */
export const checksWords = (context, request) => request.checks.map((asked) => ({
  name: askedWords(context, request, asked),
  difficulty: difficultyWords(context, asked, request.checks.length > 1),
}));

/**
 * What is said of the difficulties where this viewer may not know them; empty where there is nothing to hide.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
export function hiddenWords(context, request) {
  const hides = request.shown === false && !groupSpec(context, request.group ?? EACH)?.difficulty
    && request.checks.some((asked) => difficultySpec(context, asked.check) !== undefined && difficultyWords(context, asked) === "");
  return hides ? context.words.say("request.hidden") : "";
}

/**
 * The same in one line: "Strength 12 or Agility 14".
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
export function checksLine(context, request) {
  const all = checksWords(context, request);
  const line = all
    .map(({ name, difficulty }) => (difficulty === "" ? name : all.length > 1 ? `${name} ${difficulty}` : `${name} (${difficulty})`))
    .join(context.words.say("request.or"));
  return [line, hiddenWords(context, request)].filter((text) => text !== "").join(", ");
}

/**
 * How the rolls belong together, and what the group has to reach. Empty where it is each for himself.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
export function groupWords(context, { group = EACH, difficulty, shown }) {
  const spec = groupSpec(context, group);
  if (group === EACH || spec === undefined) return "";
  if (!spec.difficulty) return spec.label;
  const { words } = context;
  if (difficulty === null || difficulty === undefined) return shown === false ? words.say("request.groupHidden", { group: spec.label }) : spec.label;
  return words.say("request.group", { group: spec.label, label: spec.difficulty.label, value: difficulty });
}

/**
 * What a request is called: by what is attempted, or by the checks it asks for.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
export const requestTitle = (context, request) => request.action || request.checks.map((asked) => askedWords(context, request, asked)).join(context.words.say("request.or"));

/** @param {readonly string[]} names */
export const listed = (names) => names.join(", ");

/**
 * How the roll of a row stands now, where this viewer may read it and it still counts.
 *
 * @param {CardContext} context
 * @param {RequestRow} row
 * @returns {Result | undefined}
 */
export function resultOf({ checks }, { check }) {
  if (!check || checks.corrections.voidedCheck(check) !== undefined) return undefined;
  return checks.before(check, Infinity);
}

/**
 * The word and the tone of what a group came to.
 *
 * @param {CardContext} context
 * @param {GroupResult} result
 * @returns {{word: string, tone: Tone}}
 */
export function groupVerdict({ ruleset, words }, { outcome, success }) {
  const known = ruleset.outcomes.find((each) => each.key === outcome);
  const tone = success === true ? "success" : success === false ? "failure" : "plain";
  return { word: words.say(`group.${outcome}`, {}, known?.label ?? outcome.replace(/_/g, " ")), tone };
}

/**
 * Why it came to that: one sentence.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {GroupResult} result
 * @returns {Line}
 */
export function whyGroup(context, request, result) {
  const { words } = context;
  const { group = EACH } = request;
  const way = result.success === true ? "success" : result.success === false ? "failure" : "plain";
  const rolled = request.rows.filter((row) => row.status === "rolled");
  // Who made the difference; a roll that this viewer may not read names nobody.
  const decisive = rolled.filter((row) => resultOf(context, row)?.success === (way === "success")).map((row) => row.name);
  const winners = (result.winners ?? []).map((actor) => context.actorName(actor) ?? request.rows.find((row) => row.actor === actor)?.name ?? words.say("somebody"));
  const values = {
    names: listed(winners.length > 0 ? winners : decisive),
    counted: result.counted,
    succeeded: result.succeeded,
    total: result.total,
    target: result.target,
  };
  const ending = winners.length > 1 ? ["tie"] : winners.length === 1 ? ["winner"] : [way, "plain"];
  // Where rolls are added up, what may be missing is the number to reach; elsewhere it is who made the difference.
  const { total = null, target = null } = result;
  const bare = total === null ? values.names === "" : target === null;
  const key = ending.flatMap((each) => (bare ? [`${each}Unnamed`, each] : [each])).map((each) => `group.why.${group}.${each}`).find((each) => words.has(each)) ?? "group.why.each.plain";
  return { key, values };
}

/**
 * What a request came to as lines: the word with the reason, what follows at the table, and what a correction left as it is.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {GroupOutcome} outcome
 * @returns {Line[]}
 */
export function outcomeLines(context, request, { result, effects, left, anew }) {
  return [
    verdictLine(context, request, result, anew),
    ...effects.map((effect) => effectWords(context, effect)).filter((line) => line !== null),
    ...left.map((each) => leftWords(context, each)),
  ];
}

/**
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {GroupResult | null} result null: a correction left nothing to count
 * @param {boolean} anew
 * @returns {Line}
 */
function verdictLine(context, request, result, anew) {
  const action = requestTitle(context, request);
  if (result === null) return { key: "event.GroupRecounted.none", values: { action } };
  const { words } = context;
  const why = whyGroup(context, request, result);
  const values = { action, verdict: groupVerdict(context, result).word, why: words.say(why.key, why.values) };
  return { key: `event.${anew ? "GroupRecounted" : "GroupTold"}.${(request.group ?? EACH) === EACH ? "each" : "group"}`, values };
}
