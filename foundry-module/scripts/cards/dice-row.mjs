/** The dice of one result, drawn in order: kept ones solid, dropped ones faded and struck through, never absent. */

/** @import { DiceRolled, Die, Result, RulesetInfo } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */

import { el, svg } from "./dom.mjs";
import { MARKS, dieShape } from "./shapes.mjs";

const MANY = 24;

/**
 * How the kept dice make the total. No rule is known here; only what the numbers themselves say: they are added, or
 * those of Banes are subtracted, or neither fits and no sign is drawn.
 *
 * @param {Result} result
 * @param {(die: Die) => string | null | undefined} signOf
 * @returns {{added: boolean, subtracted: boolean}}
 */
export function arithmetic(result, signOf) {
  const kept = result.dice.filter((die) => die.kept);
  const rest = result.total - result.bonus;
  const sum = kept.reduce((total, die) => total + die.face, 0);
  const signed = kept.reduce((total, die) => total + (signOf(die) === "bane" ? -die.face : die.face), 0);
  if (rest === sum) return { added: true, subtracted: false };
  return { added: rest === signed, subtracted: rest === signed };
}

/**
 * @param {Result} result
 * @param {RulesetInfo} ruleset
 * @param {Words} words
 */
export function diceRow(result, ruleset, words) {
  /** @param {Die} die */
  const signOf = (die) => ruleset.roles.find((role) => role.key === die.role)?.sign ?? null;
  const { added, subtracted } = arithmetic(result, signOf);
  const row = emptyRow(words);
  // The bonus belongs to the plain dice; signed ones that are added or subtracted come after it.
  const plain = result.dice.filter((die) => die.kept && signOf(die) === null);
  const signedKept = result.dice.some((die) => die.kept && signOf(die) !== null);
  const bonusAfter = added && signedKept && plain.length > 0 ? plain[plain.length - 1] : null;
  let shown = 0;
  for (const die of result.dice.slice(0, MANY)) {
    const minus = subtracted && signOf(die) === "bane";
    const sign = die.mark === "bought" || (die.kept && shown > 0 && added) ? minus ? "\u2212" : "+" : null;
    row.append(term(sign, dieElement(die, signOf(die), words, ruleset)));
    if (die.kept) shown += 1;
    if (die === bonusAfter) row.append(...bonus(result.bonus));
  }
  row.append(...rest(result.dice));
  if (bonusAfter === null) row.append(...bonus(result.bonus));
  return row;
}

/**
 * Other dice: all that are kept add up, those that are taken away say so themselves.
 *
 * @param {DiceRolled} event
 * @param {RulesetInfo} ruleset
 * @param {Words} words
 */
export function otherDiceRow(event, ruleset, words) {
  const row = emptyRow(words);
  let shown = 0;
  for (const die of event.dice.slice(0, MANY)) {
    const minus = die.mark === "minus";
    const sign = die.kept && (minus || shown > 0) ? minus ? "\u2212" : "+" : null;
    row.append(term(sign, dieElement(die, ruleset.roles.find((role) => role.key === die.role)?.sign ?? null, words, ruleset)));
    if (die.kept) shown += 1;
  }
  row.append(...rest(event.dice), ...bonus(event.bonus));
  return row;
}

/** @param {Words} words */
const emptyRow = (words) => el("div", { class: "bb-dice", "data-part": "dice", role: "list", "aria-label": words.say("dice.list") });

/**
 * A sign and its die never part at the end of a line.
 *
 * @param {string | null} sign
 * @param {HTMLElement} die
 */
const term = (sign, die) =>
  (sign === null ? die : el("span", { class: "bb-term", role: "presentation" }, el("span", { class: "bb-operator", "aria-hidden": "true" }, sign), die));

/** @param {readonly Die[]} dice */
const rest = (dice) => (dice.length > MANY ? [el("span", { class: "bb-dice-more" }, `+${dice.length - MANY}`)] : []);

/** @param {number} value */
function bonus(value) {
  return value === 0 ? [] : [el("span", { class: "bb-bonus" }, `${value < 0 ? "\u2212" : "+"}\u2009${Math.abs(value)}`)];
}

/**
 * @param {Die} die
 * @param {string | null} sign
 * @param {Words} words
 * @param {RulesetInfo} ruleset
 */
function dieElement(die, sign, words, ruleset) {
  const name = ruleset.roles.find((role) => role.key === die.role)?.label ?? words.say(`role.${die.role}`, {}, `d${die.sides}`);
  const label = name === "" ? `d${die.sides}` : name;
  const mark = die.mark ? `dice.${die.mark}` : "";
  const parts = [
    words.say(die.kept ? "dice.kept" : "dice.dropped", { label, sides: die.sides, face: die.face }),
    mark === "" ? "" : words.say(mark),
  ].filter((text) => text !== "");
  const shape = dieShape(die.sides, String(die.face));
  if (!die.kept) shape.append(svg("path", { class: "bb-die-strike", d: "M11 20.5H29" }));
  return el(
    "span",
    {
      class: "bb-die",
      role: "listitem",
      "data-kept": String(die.kept),
      "data-sign": sign,
      "data-mark": die.mark || null,
      "data-sides": die.sides,
      "data-face": die.face,
      title: parts.join(" "),
    },
    shape,
    el(
      "span",
      { class: "bb-die-role", "aria-hidden": "true" },
      label,
      sign === null ? "" : ` ${MARKS[/** @type {"boon" | "bane"} */ (sign)]}`,
      die.mark === "crit" ? " \u2726" : "",
    ),
    el("span", { class: "bb-unseen" }, parts.join(" ")),
  );
}
