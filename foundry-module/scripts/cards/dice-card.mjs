/** Other dice than those of a check: damage, an amount, a chance. One compact card, a row for each roll of a commit. */

/** @import { CardContext } from "./context.mjs" */
/** @import { DiceRolled, Logged } from "../client/types.mjs" */

import { bdi, el } from "./dom.mjs";
import { headEnd, portrait, tags, totalNumber } from "./card-parts.mjs";
import { otherDiceRow } from "./dice-row.mjs";
import { cardFoot } from "./foot.mjs";
import { damageIcon } from "./shapes.mjs";
import { sourceList } from "./sources.mjs";

/** Up to so many dice, the total of a row stands beside them. */
const BESIDE = 5;

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {readonly DiceRolled[]} rolls at least one
 */
export function diceCard(context, commit, rolls) {
  const [first] = rolls;
  const { words } = context;
  const one = rolls.length === 1;
  const name = one ? nameOf(context, first, commit.by) : words.say("dice.card.several");
  return el(
    "article",
    { class: "bb-card", "data-part": "card", "data-kind": "dice", "data-seq": commit.seq, "data-mode": first.mode },
    el(
      "header",
      { class: "bb-head" },
      portrait(name),
      el("div", { class: "bb-who" }, el("h3", {}, bdi(name)), el("p", {}, one ? about(context, first) : null)),
      headEnd(context, commit, first.mode, name),
    ),
    one ? body(context, first) : el("ol", { class: "bb-rows" }, rolls.map((roll) => diceRowOf(context, roll, commit.by))),
    cardFoot(context, { seq: commit.seq, by: commit.by, dice: rolls.some((roll) => roll.dice.length > 0) }),
  );
}

/**
 * One of several rolls of a card.
 *
 * @param {CardContext} context
 * @param {DiceRolled} roll
 * @param {string | null | undefined} by
 */
export function diceRowOf(context, roll, by) {
  return el(
    "li",
    { class: "bb-row bb-row-dice", "data-part": "row", "data-roll": roll.roll, "data-dice": roll.dice.length > BESIDE ? "many" : null },
    el("h4", {}, bdi(nameOf(context, roll, by)), " ", el("span", { class: "bb-row-about" }, about(context, roll))),
    parts(context, roll),
  );
}

/**
 * @param {CardContext} context
 * @param {DiceRolled} roll
 * @param {string | null | undefined} by
 * @returns {string} whose dice they are
 */
export function nameOf(context, roll, by) {
  return roll.name || (roll.actor && context.actorName(roll.actor)) || (by && context.personName(by)) || context.words.say(roll.auto ? "theBridge" : "somebody");
}

/**
 * What was rolled: its name, whether it is damage, the formula, and how it came about.
 *
 * @param {CardContext} context
 * @param {DiceRolled} roll
 */
function about(context, { kind, label, formula, manual, auto }) {
  const { words } = context;
  return [
    kind === "damage" ? el("span", { class: "bb-damage", "data-kind": "damage" }, damageIcon(), words.say("dice.damage")) : null,
    kind === "damage" && label ? " \u00b7 " : "",
    label ? el("span", { class: "bb-action" }, bdi(label)) : "",
    kind === "damage" || label ? " \u00b7 " : "",
    el("span", { class: "bb-formula" }, formula),
    tags(context, { manual, auto }),
  ];
}

/**
 * @param {CardContext} context
 * @param {DiceRolled} roll
 */
function body(context, roll) {
  return el("div", { class: "bb-compact", "data-dice": roll.dice.length > BESIDE ? "many" : null }, parts(context, roll));
}

/**
 * @param {CardContext} context
 * @param {DiceRolled} roll
 */
function parts({ words, ruleset }, roll) {
  return [
    otherDiceRow(roll, ruleset, words),
    el("p", { class: "bb-total", "data-part": "total", "data-total": roll.total }, totalNumber(roll.total)),
    sourceList(words, roll.sources ?? []),
  ];
}
