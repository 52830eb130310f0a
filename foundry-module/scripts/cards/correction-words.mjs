/** Corrections as lines: who took what back or decided it otherwise, what that changed, and what it left as it is. */

/** @import { Effect, Left, TableEvent } from "../client/types.mjs" */
/** @import { CardContext } from "./context.mjs" */
/** @import { Line } from "./lines.mjs" */
/** @import { Correction } from "./story.mjs" */

import { checkOf, seqOf } from "./deeds.mjs";
import { leftWords } from "./left-words.mjs";
import { checkTitle, checkWords, effectWords } from "./sentences.mjs";
import { distinct } from "./story.mjs";
import { verdictOf } from "./verdict.mjs";

/**
 * @param {CardContext} context
 * @param {Correction} event
 * @param {string} who
 * @param {(context: CardContext, event: TableEvent, by: string | null) => readonly Line[]} linesOf how what was done is told
 * @returns {Line[]}
 */
export function correctionLines(context, event, who, linesOf) {
  return [...headLines(context, event, who, linesOf), ...effectLines(context, event), ...leftLines(context, event)];
}

/**
 * What a correction changed.
 *
 * @param {CardContext} context
 * @param {{effects?: readonly Effect[], brings?: readonly Effect[]}} event
 * @returns {Line[]}
 */
export const effectLines = (context, { effects = [], brings = [] }) =>
  distinct([...effects, ...brings]).map((effect) => effectWords(context, effect)).filter((line) => line !== null);

/**
 * What it left as it is.
 *
 * @param {CardContext} context
 * @param {{effects?: readonly Effect[], left?: readonly Left[]}} event
 * @returns {Line[]}
 */
export const leftLines = (context, { left = [] }) => left.map((each) => leftWords(context, each));

/**
 * @param {CardContext} context
 * @param {Correction} event
 * @param {string} who
 * @param {(context: CardContext, event: TableEvent, by: string | null) => readonly Line[]} linesOf
 * @returns {Line[]}
 */
function headLines(context, event, who, linesOf) {
  const { words } = context;
  switch (event.t) {
    case "Voided": {
      const { what, reason = "" } = event;
      const values = { who, seq: seqOf(what), deed: deedWords(context, what, linesOf), reason };
      return [{ key: `event.Voided.${reason === "" ? "plain" : "reason"}`, values }];
    }
    case "Overridden": {
      const { check, result, reason = "" } = event;
      const outcome = verdictOf(context, result)?.word ?? words.label("outcomes", event.outcome);
      const values = { who, seq: seqOf(check), name: nameOf(context, check), outcome, reason };
      return [{ key: `event.Overridden.${reason === "" ? "plain" : "reason"}`, values }];
    }
    case "Revealed": {
      const { rolled, result } = event;
      const outcome = verdictOf(context, result)?.word ?? "";
      return [{ key: "event.Revealed", values: { who, seq: seqOf(rolled.check), name: rolled.name, action: rolled.action || checkWords(context, rolled), total: result.total, outcome } }];
    }
    default:
      return event.check
        ? [{ key: "event.Settled.told", values: { who, seq: seqOf(event.check), name: nameOf(context, event.check) } }]
        : [{ key: "event.Settled.all", values: { who } }];
  }
}

/**
 * @param {CardContext} context
 * @param {string} check
 */
const nameOf = ({ checks, words }, check) => checks.told(check)?.event.rolled.name ?? words.say("somebody");

/**
 * What was done, in the words in which it was told.
 *
 * @param {CardContext} context
 * @param {string} deed
 * @param {(context: CardContext, event: TableEvent, by: string | null) => readonly Line[]} linesOf
 */
function deedWords(context, deed, linesOf) {
  const { checks, words } = context;
  const check = checkOf(deed);
  if (check !== null) {
    const rolled = checks.told(check)?.event.rolled;
    return rolled === undefined ? words.say("correction.aCheck") : checkTitle(context, rolled);
  }
  const done = checks.corrections.done(deed);
  const [line] = done === undefined ? [] : linesOf(context, done.event, done.by);
  return line === undefined ? words.say("correction.something") : words.say(line.key, line.values, line.fallback).replace(/\.$/, "");
}
