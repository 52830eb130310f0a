/** Other dice than those of a check, as they are stored: a row for each roll. */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { DiceRolled, Logged } from "../client/types.mjs" */

import { nameOf } from "../cards/dice-card.mjs";
import { escape, foot, headOf, numeral, signed, sources, tag, tags } from "./stored-markup.mjs";

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {readonly DiceRolled[]} rolls at least one
 */
export function storedDice(context, commit, rolls) {
  const [first, ...others] = rolls;
  const inside = others.length === 0
    ? headOf(nameOf(context, first, commit.by), about(context, first)) + parts(context, first)
    : headOf(context.words.say("dice.card.several")) + rolls.map((roll) => diceRow(context, commit, roll)).join("");
  return tag("div", "card bb-stored", inside, foot(context, commit));
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {DiceRolled} roll
 */
export const diceRow = (context, commit, roll) =>
  `<h4>${escape(`${nameOf(context, roll, commit.by)}: ${about(context, roll)}`)}</h4>${parts(context, roll)}`;

/**
 * @param {CardContext} context
 * @param {DiceRolled} roll
 */
const parts = (context, roll) =>
  tag("p", "stored-dice", faces(roll)) + tag("p", "total", `<strong>${numeral(roll.total)}</strong>`) + sources(context, roll.sources ?? []);

/**
 * @param {CardContext} context
 * @param {DiceRolled} roll
 */
function about(context, roll) {
  const { kind, label = "", formula, rule = "" } = roll;
  return [kind === "damage" ? context.words.say("dice.damage") : "", label, formula, rule].filter((text) => text !== "").join(" \u00b7 ") + tags(context, roll);
}

/** @param {DiceRolled} roll */
function faces(roll) {
  let kept = 0;
  const shown = roll.dice.map((die) => {
    const minus = die.mark === "minus";
    const before = die.kept && (minus || kept > 0) ? `${minus ? "\u2212" : "+"} ` : "";
    if (die.kept) kept += 1;
    return die.kept ? `${before}d${die.sides} <strong>${die.face}</strong>` : `<s>d${die.sides} ${die.face}</s>`;
  });
  if (roll.bonus !== 0) shown.push(signed(roll.bonus));
  return shown.join(" ");
}
