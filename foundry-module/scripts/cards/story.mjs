/** What one commit tells: the checks in it, complete; other dice; choices on earlier checks; everything else, line by line. */

/** @import { CheckRolled, Chosen, Commit, DiceRolled, Effect, Odds, Result, TableEvent } from "../client/types.mjs" */

/** @typedef {Extract<TableEvent, {t: "Voided" | "Overridden" | "Revealed" | "Settled"}>} Correction */

/**
 * @param {TableEvent} event
 * @returns {event is Correction}
 */
const isCorrection = (event) => event.t === "Voided" || event.t === "Overridden" || event.t === "Revealed" || event.t === "Settled";

/**
 * @typedef {object} CheckStory
 * @property {CheckRolled} event
 * @property {string} check
 * @property {number | null} target the number to reach, for those who may know it
 * @property {Odds | null} odds
 * @property {Result} result as it stands at the end of the commit
 * @property {Effect[]} effects
 * @property {Chosen[]} chosen choices that resolved with the roll
 */

/**
 * @typedef {object} Story
 * @property {CheckStory[]} checks
 * @property {DiceRolled[]} dice other dice than those of checks
 * @property {Chosen[]} later choices on checks of earlier commits
 * @property {Correction[]} corrections
 * @property {TableEvent[]} lines
 */

/**
 * @param {Commit} commit
 * @returns {Story}
 */
export function storyOf(commit) {
  /** @type {Map<string, CheckStory>} */
  const checks = new Map();
  /** @type {Story} */
  const story = { checks: [], dice: [], later: [], corrections: [], lines: [] };
  for (const event of (commit.t === "logged" && commit.events) || []) {
    if (event.t === "CheckRolled") {
      const { target = null, check } = event.rolled;
      const { odds = null, result, effects = [] } = event;
      checks.set(check, { event, check, target, odds, result, effects: [...effects], chosen: [] });
    } else if (event.t === "TargetFixed" && checks.has(event.check)) {
      const told = /** @type {CheckStory} */ (checks.get(event.check));
      told.target = event.target;
      told.odds = event.odds ?? told.odds;
    } else if (event.t === "Chosen") {
      const told = checks.get(event.check);
      if (told === undefined) story.later.push(event);
      else {
        told.chosen.push(event);
        told.result = event.result ?? told.result;
        told.effects.push(...(event.effects ?? []));
      }
    } else if (event.t === "DiceRolled") story.dice.push(event);
    else if (isCorrection(event)) addCorrection(story.corrections, event);
    else if (event.t !== "TargetFixed") story.lines.push(event);
  }
  story.checks = [...checks.values()];
  // What was known to GMs alone is given anew, before all, and so taken from where it stood.
  if (story.lines.some((event) => event.t === "Granted")) story.lines = story.lines.filter((event) => event.t !== "GrantRevoked");
  return story;
}

/**
 * What GMs alone know of a correction is told apart from what everybody does, and is the same one.
 *
 * @param {Correction[]} corrections
 * @param {Correction} event
 */
function addCorrection(corrections, event) {
  const at = corrections.findIndex((each) => each.t === "Voided" && event.t === "Voided" && each.what === event.what);
  const told = corrections[at];
  if (told?.t !== "Voided" || event.t !== "Voided") corrections.push(event);
  else corrections[at] = { ...told, effects: [...(told.effects ?? []), ...(event.effects ?? [])], left: [...(told.left ?? []), ...(event.left ?? [])] };
}

/**
 * Effects that say the same of the same are said once, with the last word on how it stands.
 *
 * @param {readonly Effect[]} effects
 * @returns {Effect[]}
 */
export function distinct(effects) {
  /** @type {Map<string, Effect>} */
  const last = new Map();
  for (const effect of effects) {
    if (effect.t === "DutyNoted") last.set(`duty ${effect.duty}`, effect);
    else last.set(`${last.size} ${effect.t}`, effect);
  }
  return [...last.values()];
}
