/**
 * The card as it is stored in a chat message: complete, in words, readable where this module is switched off, in
 * exports and in mirrors. Text and classes only; what is drawn is drawn when a message is shown.
 */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Told } from "../cards/check-index.mjs" */
/** @import { Chosen, DiceRolled, Die, Effect, Logged, Result, Rolled, Source } from "../client/types.mjs" */
/** @import { CheckStory } from "../cards/story.mjs" */

import { percentOf } from "../cards/chance.mjs";
import { nameOf } from "../cards/dice-card.mjs";
import { arithmetic } from "../cards/dice-row.mjs";
import { automaticWords, checkWords, effectWords, labelOf, ladderWord } from "../cards/sentences.mjs";
import { MARKS } from "../cards/shapes.mjs";
import { whyWords } from "../cards/sources.mjs";
import { distinct, storyOf } from "../cards/story.mjs";
import { verdictOf } from "../cards/verdict.mjs";

const ICONS = { critical: "\u2726", success: "\u2713", failure: "\u2715", worst: "\u2620" };
const ENTITIES = new Map([["&", "&amp;"], ["<", "&lt;"], [">", "&gt;"], ['"', "&quot;"], ["'", "&#39;"]]);

/** @param {unknown} text */
export const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? sign);

/** @param {number} value */
const signed = (value) => (value < 0 ? `\u2212${-value}` : `+${value}`);

/** @param {number} value */
const numeral = (value) => (value < 0 ? `\u2212${-value}` : String(value));

/**
 * @param {string} name
 * @param {string} kind class beside `bb-`
 * @param {...string} inner markup
 */
const tag = (name, kind, ...inner) => `<${name} class="bb-${kind}">${inner.join("")}</${name}>`;

/**
 * @param {CardContext} context of somebody who knows no more than everybody
 * @param {Logged} commit only what everybody may read of it
 * @returns {string} markup of the card; empty where it tells of no roll
 */
export function storedCard(context, commit) {
  const story = storyOf(commit);
  const parts = [];
  if (story.checks.length > 0) parts.push(checks(context, commit, story.checks));
  if (story.dice.length > 0) parts.push(otherDice(context, commit, story.dice));
  for (const chosen of story.later) {
    const told = context.checks.told(chosen.check);
    if (told !== undefined && context.checks.changes(chosen, commit.seq)) parts.push(choice(context, commit, chosen, told));
  }
  return parts.join("");
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {readonly CheckStory[]} stories
 */
function checks(context, commit, stories) {
  const { words } = context;
  const [first] = stories;
  const { rolled } = first.event;
  const one = stories.length === 1;
  const byTheRound = !one && stories.every((story) => story.event.rolled.auto === true);
  const sameActor = !byTheRound && stories.every((story) => story.event.rolled.actor === rolled.actor);
  const rows = stories.map((story) => {
    const { name, opponentName = "" } = story.event.rolled;
    const title = byTheRound ? `${name}: ${checkWords(context, story.event.rolled)}` : sameActor ? opponentName || name : name;
    return (one ? "" : `<h4>${escape(title)}</h4>`) + body(context, story.event.rolled, story.result, story.target, automatic(context, story))
      + effects(context, story.effects) + sources(context, story.event.sources);
  });
  const head = byTheRound ? headOf(words.say("head.roundEnd"), "") : checkHead(context, rolled, one);
  return tag("div", "card bb-stored", head, ...rows, foot(context, commit, one ? first.odds?.success : undefined));
}

/**
 * @param {CardContext} context
 * @param {Rolled} rolled
 * @param {boolean} one
 */
function checkHead(context, rolled, one) {
  const { words } = context;
  const opponent = one && rolled.opponentName ? ` ${words.say("head.at", { name: rolled.opponentName })}` : "";
  const about = [rolled.action ?? "", checkWords(context, rolled)].filter((text) => text !== "").join(" \u00b7 ") + opponent;
  const adHoc = rolled.adHoc ? ` (${words.say("head.adHoc")})` : "";
  const changed = rolled.changed ? words.say("head.changed", { changed: rolled.changed }) : "";
  return headOf(rolled.name + adHoc, about + tags(context, rolled), changed);
}

/**
 * @param {string} title
 * @param {...string} lines
 */
const headOf = (title, ...lines) =>
  tag("div", "head", `<h3>${escape(title)}</h3>`, ...lines.filter((line) => line !== "").map((line) => `<p>${escape(line)}</p>`));

/**
 * How a roll came about, where that is not how rolls usually do.
 *
 * @param {CardContext} context
 * @param {{manual?: boolean, again?: boolean, auto?: boolean}} rolled
 */
const tags = ({ words }, { manual = false, again = false, auto = false }) =>
  Object.entries({ manual, again, auto }).filter(([, on]) => on).map(([name]) => ` (${words.say(`tag.${name}`)})`).join("");

/**
 * What stands instead of dice where none were needed.
 *
 * @param {CardContext} context
 * @param {CheckStory} story
 */
const automatic = (context, { event, result }) => (result.dice.length === 0 ? automaticWords(context, event) : "");

/**
 * Other dice than those of a check, a row for each roll.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {readonly DiceRolled[]} rolls
 */
function otherDice(context, commit, rolls) {
  const { words } = context;
  const [first] = rolls;
  const one = rolls.length === 1;
  const head = one
    ? headOf(nameOf(context, first, commit.by), whatDice(context, first))
    : headOf(words.say("dice.card.several"));
  const rows = rolls.map((roll) => {
    const title = one ? "" : `<h4>${escape(nameOf(context, roll, commit.by))} ${escape(whatDice(context, roll))}</h4>`;
    return title + tag("p", "stored-dice", faces(roll)) + tag("p", "total", `<strong>${numeral(roll.total)}</strong>`) + sources(context, roll.sources ?? []);
  });
  return tag("div", "card bb-stored", head, ...rows, foot(context, commit));
}

/**
 * @param {CardContext} context
 * @param {DiceRolled} roll
 */
function whatDice(context, roll) {
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

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Chosen} chosen
 * @param {Told} told
 */
function choice(context, commit, chosen, told) {
  const { rolled } = told.event;
  const offer = context.checks.offer(chosen.check, chosen.choice);
  const label = offer ? labelOf(offer.label).name : chosen.choice.replace(/_/g, " ");
  const about = `${label} \u00b7 ${context.words.say("card.refersTo", { seq: told.seq })}${tags(context, { manual: chosen.manual })}`;
  const result = chosen.result ?? context.checks.before(chosen.check, commit.seq) ?? told.result;
  return tag(
    "div",
    "card bb-stored",
    headOf(rolled.name, about),
    // A number that only the GM knows is not what was told with the roll.
    body(context, rolled, result, rolled.target ?? null),
    effects(context, chosen.effects ?? []),
    foot(context, commit),
  );
}

/**
 * @param {CardContext} context
 * @param {Told["event"]["rolled"]} rolled
 * @param {Result} result
 * @param {number | null} target
 * @param {string} [instead] what stands in the place of dice and total
 */
function body(context, rolled, result, target, instead = "") {
  const { words } = context;
  const ladder = target === null ? "" : ladderWord(context, rolled, target);
  const against = target !== null
    ? words.say(ladder === "" ? "total.against" : "total.againstLadder", { target, ladder })
    : rolled.opponentName ? words.say("total.againstName", { name: rolled.opponentName }) : "";
  const verdict = verdictOf(context, result);
  const lines = instead !== ""
    ? [tag("p", "stored-dice", escape(instead))]
    : [tag("p", "stored-dice", dice(context, result)), tag("p", "total", `<strong>${numeral(result.total)}</strong> `, escape(against))];
  if (verdict !== null) {
    lines.push(tag("p", `verdict bb-tone-${verdict.tone}`, `<strong>${escape(`${ICONS[verdict.tone]} ${verdict.word}`)}</strong>`));
  }
  return lines.join("");
}

/**
 * @param {CardContext} context
 * @param {Result} result
 */
function dice(context, result) {
  const { roles } = context.ruleset;
  /** @param {Die} die */
  const signOf = (die) => roles.find((role) => role.key === die.role)?.sign ?? null;
  const { added, subtracted } = arithmetic(result, signOf);
  let kept = 0;
  const shown = result.dice.map((die) => {
    const sign = signOf(die);
    const label = roles.find((role) => role.key === die.role)?.label || `d${die.sides}`;
    const minus = subtracted && sign === "bane";
    const before = die.kept && kept > 0 && added ? (minus ? "\u2212 " : "+ ") : "";
    if (die.kept) kept += 1;
    const mark = sign === null ? "" : `${MARKS[sign]} `;
    const words = `${mark}${escape(label)} `;
    return before + (die.kept ? `${words}<strong>${die.face}</strong>` : `<s>${words}${die.face}</s>`);
  });
  if (result.bonus !== 0) shown.push(signed(result.bonus));
  return shown.join(" ");
}

/**
 * @param {CardContext} context
 * @param {readonly Effect[]} list
 */
function effects(context, list) {
  const told = distinct(list).map((effect) => effectWords(context, effect)).filter((each) => each !== null);
  if (told.length === 0) return "";
  return tag("ul", "effects", ...told.map(({ key, values, fallback }) => `<li>${escape(context.words.say(key, values, fallback))}</li>`));
}

/**
 * @param {CardContext} context
 * @param {readonly Source[]} list
 */
function sources({ words }, list) {
  const shown = list.filter((source) => source.applies !== false);
  if (shown.length === 0) return "";
  return tag("ul", "sources", ...shown.map((source) => {
    const label = `${MARKS[source.sign]} ${source.label}`;
    const by = source.byPlayer ? ` (${words.say("source.byPlayer")})` : "";
    return `<li>${source.counted ? escape(label) : `<s>${escape(label)}</s>`}${escape(by)} \u2013 ${escape(whyWords(words, source))}</li>`;
  }));
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {string} [chance]
 */
function foot({ words }, commit, chance) {
  const had = chance === undefined ? "" : `${words.say("foot.chance", { chance: percentOf(chance) })} \u00b7 `;
  return tag("p", "foot", escape(`${had}#${commit.seq}`));
}

/**
 * What a roll leaves in chat that not everybody may read: that there is one, and nothing else.
 *
 * @param {CardContext["words"]} words
 * @param {number} seq
 */
export const storedStub = (words, seq) => tag("p", "stub", escape(words.say("foundry.stub", { seq })));

/**
 * @param {CardContext["words"]} words
 * @param {readonly string[]} lines
 * @param {number} from
 * @param {number} to
 */
export const storedAway = (words, lines, from, to) => tag(
  "div",
  "card bb-stored",
  tag("div", "head", `<h3>${escape(words.say("foundry.awayCard.title"))}</h3>`, `<p>${escape(words.say("foundry.awayCard.text", { from, to }))}</p>`),
  tag("ul", "effects", ...lines.map((line) => `<li>${escape(line)}</li>`)),
);
