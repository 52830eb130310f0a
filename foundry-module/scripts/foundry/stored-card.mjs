/**
 * The card as it is stored in a chat message: complete, in words, readable where this module is switched off, in
 * exports and in mirrors. Text and classes only; what is drawn is drawn when a message is shown.
 */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Told } from "../cards/check-index.mjs" */
/** @import { Chosen, Die, Effect, Logged, Result, Revealed, Rolled } from "../client/types.mjs" */
/** @import { CheckStory, Story } from "../cards/story.mjs" */

import { asTold } from "../cards/check-index.mjs";
import { arithmetic } from "../cards/dice-row.mjs";
import { isRound } from "../cards/round-card.mjs";
import { automaticWords, checkWords, choiceName, effectWords, ladderWord } from "../cards/sentences.mjs";
import { MARKS } from "../cards/shapes.mjs";
import { distinct, storyOf } from "../cards/story.mjs";
import { verdictOf } from "../cards/verdict.mjs";
import { storedCorrection } from "./stored-correction.mjs";
import { diceRow, storedDice } from "./stored-dice.mjs";
import { storedRequests } from "./stored-request.mjs";
import { ICONS, escape, foot, headOf, numeral, signed, sources, tag, tags } from "./stored-markup.mjs";

/**
 * @param {CardContext} context of somebody who knows no more than everybody
 * @param {Logged} commit only what everybody may read of it
 * @returns {string} markup of the card; empty where it tells of no roll
 */
export function storedCard(context, commit) {
  const story = storyOf(commit);
  const parts = [];
  if (isRound(story)) parts.push(round(context, commit, story));
  else {
    if (story.checks.length > 0) parts.push(checks(context, commit, story.checks));
    if (story.dice.length > 0) parts.push(storedDice(context, commit, story.dice));
  }
  for (const chosen of story.later) {
    const told = context.checks.told(chosen.check);
    if (told !== undefined && context.checks.changes(chosen, commit.seq)) parts.push(choice(context, commit, chosen, told));
  }
  parts.push(...story.corrections.map((event) => (event.t === "Revealed" ? revealed(context, commit, event) : storedCorrection(context, commit, event))), ...storedRequests(context, commit, story));
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
  const sameActor = stories.every((story) => story.event.rolled.actor === rolled.actor);
  const rows = stories.map((story) => {
    const { name, opponentName = "" } = story.event.rolled;
    return one ? checkParts(context, story) : checkRow(context, story, sameActor ? opponentName || name : name);
  });
  return tag("div", "card bb-stored", checkHead(context, rolled, one), ...rows, foot(context, commit, one ? first.odds?.success : undefined));
}

/**
 * A roll that not everybody saw, for everybody: the whole check, and how it was rolled.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Revealed} event
 */
function revealed(context, commit, event) {
  const { words } = context;
  const story = asTold(event);
  const how = [words.say("correction.revealedFrom", { mode: words.say(`mode.${event.mode}.tag`) }), event.alone ? words.say("correction.alone") : ""];
  return tag("div", "card bb-stored", checkHead(context, event.rolled, true), tag("p", "changed", escape(how.filter((text) => text !== "").join(" "))), checkParts(context, story), foot(context, commit));
}

/**
 * What the end of a round rolled, nobody having clicked: luck, and what hurts.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Story} story
 */
function round(context, commit, story) {
  const { words } = context;
  return tag(
    "div",
    "card bb-stored",
    headOf(words.say("head.roundEnd"), words.say("tag.byItself")),
    ...story.checks.map((check) => checkRow(context, check, `${check.event.rolled.name}: ${checkWords(context, check.event.rolled)}`)),
    ...story.dice.map((roll) => diceRow(context, commit, { ...roll, auto: false })),
    foot(context, commit),
  );
}

/**
 * @param {CardContext} context
 * @param {CheckStory} story
 * @param {string} title
 */
const checkRow = (context, story, title) => `<h4>${escape(title)}</h4>${checkParts(context, story)}`;

/**
 * @param {CardContext} context
 * @param {CheckStory} story
 */
const checkParts = (context, story) => body(context, story.event.rolled, story.result, story.target, automatic(context, story))
  + effects(context, story.effects) + sources(context, story.event.sources);

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
 * What stands instead of dice where none were needed.
 *
 * @param {CardContext} context
 * @param {CheckStory} story
 */
const automatic = (context, { event, result }) => (result.dice.length === 0 ? automaticWords(context, event) : "");

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Chosen} chosen
 * @param {Told} told
 */
function choice(context, commit, chosen, told) {
  const { rolled } = told.event;
  const about = `${choiceName(context, chosen)} \u00b7 ${context.words.say("card.refersTo", { seq: told.seq })}${tags(context, { manual: chosen.manual })}`;
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
  const ladder = target === null ? "" : ladderWord(context, rolled.kind, target);
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
 * @param {boolean} [more] these are not all of them
 */
export const storedAway = (words, lines, from, to, more = false) => tag(
  "div",
  "card bb-stored",
  tag("div", "head", `<h3>${escape(words.say("foundry.awayCard.title"))}</h3>`, `<p>${escape(words.say("foundry.awayCard.text", { from, to }))}</p>`),
  tag("ul", "effects", ...lines.map((line) => `<li>${escape(line)}</li>`)),
  more ? tag("p", "more", escape(words.say("foundry.awayCard.more"))) : "",
);
