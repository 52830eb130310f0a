/**
 * The card as it is stored in a chat message: complete, in words, readable where this module is switched off, in
 * exports and in mirrors. Text and classes only; what is drawn is drawn when a message is shown.
 */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Told } from "../cards/check-index.mjs" */
/** @import { Chosen, Die, Effect, Logged, Result, Source } from "../client/types.mjs" */
/** @import { CheckStory } from "../cards/story.mjs" */
/** @import { DiceRolled } from "./news.mjs" */

import { percentOf } from "../cards/chance.mjs";
import { labelOf } from "../cards/choices.mjs";
import { arithmetic } from "../cards/dice-row.mjs";
import { checkWords, effectWords, ladderWord } from "../cards/sentences.mjs";
import { MARKS } from "../cards/shapes.mjs";
import { whyWords } from "../cards/sources.mjs";
import { distinct, storyOf } from "../cards/story.mjs";
import { verdictOf } from "../cards/verdict.mjs";
import { diceOf } from "./news.mjs";

const ICONS = { critical: "\u2726", success: "\u2713", failure: "\u2715", worst: "\u2620" };
const ENTITIES = new Map([["&", "&amp;"], ["<", "&lt;"], [">", "&gt;"], ['"', "&quot;"], ["'", "&#39;"]]);

/** @param {unknown} text */
export const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? sign);

/** @param {number} value */
const signed = (value) => (value < 0 ? `\u2212${-value}` : `+${value}`);

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
  for (const event of diceOf(commit)) parts.push(otherDice(context, commit, event));
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
  const [first] = stories;
  const { rolled } = first.event;
  const one = stories.length === 1;
  const opponent = one && rolled.opponentName ? ` ${context.words.say("head.at", { name: rolled.opponentName })}` : "";
  const about = [rolled.action ?? "", checkWords(context, rolled)].filter((text) => text !== "").join(" \u00b7 ") + opponent;
  const adHoc = rolled.adHoc ? ` (${context.words.say("head.adHoc")})` : "";
  const head = tag("div", "head", `<h3>${escape(rolled.name + adHoc)}</h3>`, `<p>${escape(about + byHand(context, rolled.manual))}</p>`);
  const sameActor = stories.every((story) => story.event.rolled.actor === rolled.actor);
  const rows = stories.map((story) => {
    const { name, opponentName = "" } = story.event.rolled;
    const title = one ? "" : `<h4>${escape(sameActor ? opponentName || name : name)}</h4>`;
    return title + body(context, story.event.rolled, story.result, story.target) + effects(context, story.effects)
      + sources(context, story.event.sources);
  });
  return tag("div", "card bb-stored", head, ...rows, foot(context, commit, one ? first.odds?.success : undefined));
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {DiceRolled} event
 */
function otherDice(context, commit, event) {
  const { words } = context;
  const { name = "", label = "", kind = "dice", formula, total, rule = "" } = event;
  const title = name || label || words.say(kind === "damage" ? "foundry.dice.kind.damage" : "foundry.dice.title");
  const about = [title === label ? "" : label, kind === "damage" ? words.say("foundry.dice.kind.damage") : "", formula, rule].filter((text) => text !== "").join(" \u00b7 ");
  let shown = 0;
  const dice = event.dice.map((die) => {
    const minus = die.mark === "minus";
    const before = die.kept && (shown > 0 || minus) ? (minus ? "\u2212 " : "+ ") : "";
    if (die.kept) shown += 1;
    return die.kept ? `${before}d${die.sides} <strong>${die.face}</strong>` : `<s>d${die.sides} ${die.face}</s>`;
  });
  if (event.bonus !== 0) dice.push(signed(event.bonus));
  return tag(
    "div",
    "card bb-stored",
    tag("div", "head", `<h3>${escape(title)}</h3>`, `<p>${escape(about + byHand(context, event.manual))}</p>`),
    tag("p", "stored-dice", dice.join(" ")),
    tag("p", "total", `<strong>${total < 0 ? `\u2212${-total}` : total}</strong>`),
    sources(context, event.sources ?? []),
    foot(context, commit),
  );
}

/**
 * @param {CardContext} context
 * @param {boolean | undefined} manual
 */
const byHand = ({ words }, manual) => (manual === true ? ` (${words.say("foundry.dice.byHand")})` : "");

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Chosen} chosen
 * @param {Told} told
 */
function choice(context, commit, chosen, told) {
  const { rolled, choices = [] } = told.event;
  const offer = choices.find((each) => each.id === chosen.choice);
  const label = offer ? labelOf(offer.label).name : chosen.choice.replace(/_/g, " ");
  const about = `${label} \u00b7 ${context.words.say("card.refersTo", { seq: told.seq })}${byHand(context, chosen.manual)}`;
  const result = chosen.result ?? context.checks.before(chosen.check, commit.seq) ?? told.result;
  return tag(
    "div",
    "card bb-stored",
    tag("div", "head", `<h3>${escape(rolled.name)}</h3>`, `<p>${escape(about)}</p>`),
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
 */
function body(context, rolled, result, target) {
  const { words } = context;
  const total = result.total < 0 ? `\u2212${-result.total}` : String(result.total);
  const ladder = target === null ? "" : ladderWord(context, rolled, target);
  const against = target !== null
    ? words.say(ladder === "" ? "total.against" : "total.againstLadder", { target, ladder })
    : rolled.opponentName ? words.say("total.againstName", { name: rolled.opponentName }) : "";
  const verdict = verdictOf(context, result);
  const lines = [tag("p", "stored-dice", dice(context, result)), tag("p", "total", `<strong>${total}</strong> `, escape(against))];
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
