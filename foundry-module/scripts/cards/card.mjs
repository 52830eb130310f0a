/**
 * From a commit to what people see of it. Hooks for tests and for Foundry: `data-part` (card, dice, total, verdict,
 * automatic, changed, effects, sources, choices, note, faces, waiting, ruling, foot, verify, moment, row, line, odds, curve), `data-seq`, `data-kind`, `data-tone`,
 * `data-tag`, `data-outcome`, `data-total`, `data-target`, `data-kept`, `data-face`, `data-choice`; `data-part` correct, corrected, reason, was, left and
 * `data-voided`, `data-deed` where something was or can be corrected. Those of requests are in request-card.mjs.
 */

/** @import { CardContext } from "./context.mjs" */
/** @import { Commit } from "../client/types.mjs" */
/** @import { Line } from "./lines.mjs" */

import { el, phrase } from "./dom.mjs";
import { checkCard, choiceCard } from "./check-card.mjs";
import { correctLine } from "./correct-button.mjs";
import { struckLine } from "./corrected.mjs";
import { correctionCards } from "./correction-card.mjs";
import { deedsOf } from "./deeds.mjs";
import { diceCard, nameOf } from "./dice-card.mjs";
import { choiceLines, linesOf } from "./lines.mjs";
import { requestCards } from "./request-card.mjs";
import { isRound, roundCard } from "./round-card.mjs";
import { choiceName, effectWords } from "./sentences.mjs";
import { MARKS } from "./shapes.mjs";
import { storyOf } from "./story.mjs";
import { verdictOf } from "./verdict.mjs";

/**
 * @param {CardContext} context
 * @param {Commit} commit
 * @returns {HTMLElement[]} cards and lines, in reading order; none where there is nothing to see
 */
export function cardsOf(context, commit) {
  if (commit.t === "hidden") return [];
  const story = storyOf(commit);
  /** @type {HTMLElement[]} */
  const shown = [];
  const asked = requestCards(context, commit, story);
  const deeds = deedsOf(commit);
  const lines = asked.rest.flatMap((event) => linesOf(context, event, commit.by).map((line, nth) => (nth === 0 ? { ...line, deed: deeds.get(event) } : line)));
  const put = correctionCards(context, commit, story);
  lines.push(...put.lines);
  for (const chosen of story.later) {
    const told = context.checks.told(chosen.check);
    if (told !== undefined && context.checks.changes(chosen, commit.seq)) shown.push(choiceCard(context, commit, chosen, told));
    else lines.push(...choiceLines(context, chosen));
  }
  if (isRound(story)) shown.push(roundCard(context, commit, story));
  else {
    if (story.checks.length > 0) shown.push(checkCard(context, commit, story.checks));
    if (story.dice.length > 0) shown.push(diceCard(context, commit, story.dice));
  }
  shown.push(...put.cards, ...asked.cards, ...asked.results);
  if (lines.length > 0) shown.push(lineBlock(context, commit.seq, commit.at, lines));
  return shown;
}

/**
 * @param {CardContext} context
 * @param {number} seq
 * @param {number} at
 * @param {readonly Line[]} lines
 */
function lineBlock(context, seq, at, lines) {
  return el(
    "div",
    { class: "bb-lines", "data-part": "line", "data-seq": seq, title: `#${seq} \u00b7 ${context.clock(at)}` },
    lines.map((line) => lineOf(context, line)),
  );
}

/**
 * @param {CardContext} context
 * @param {Line} line
 */
function lineOf(context, { key, values, fallback, sign, deed }) {
  const { words, checks } = context;
  const text = phrase(words, key, values, fallback);
  const voided = deed !== undefined && checks.corrections.voided(deed) !== undefined;
  return el("p", { "data-sign": sign, "data-deed": deed, "data-voided": voided },
    sign === undefined ? null : el("span", { class: "bb-mark", "aria-hidden": "true" }, `${MARKS[sign]} `),
    deed === undefined ? text : struckLine(context, deed, text),
    deed === undefined || voided ? null : [" ", correctLine(context, deed, words.say(key, values, fallback))]);
}

/**
 * What to read aloud when a commit comes: who, what, the total and the verdict.
 *
 * @param {CardContext} context
 * @param {Commit} commit
 * @returns {string}
 */
export function announcementOf(context, commit) {
  if (commit.t === "hidden") return "";
  const { words } = context;
  const story = storyOf(commit);
  const said = story.checks.map(({ event, result, target }) => {
    const { rolled } = event;
    const action = rolled.action || words.label("checks", rolled.kind);
    const verdict = verdictOf(context, result)?.word ?? "";
    const key = result.dice.length === 0 ? "announce.automatic" : target === null ? "announce.total" : "announce.against";
    return words.say(key, { name: rolled.name, action, total: result.total, target, verdict, opponent: rolled.opponentName ?? "" });
  });
  for (const roll of story.dice) {
    const { label = "", kind, total, formula } = roll;
    said.push(words.say(kind === "damage" ? "announce.damage" : "announce.dice", { name: nameOf(context, roll, commit.by), label: label || formula, total }));
  }
  for (const chosen of story.later) {
    const told = context.checks.told(chosen.check);
    const name = told?.event.rolled.name ?? context.actorName(chosen.actor) ?? words.say("somebody");
    const { result } = chosen;
    if (result && context.checks.changes(chosen, commit.seq)) {
      said.push(words.say("announce.choice", { name, choice: choiceName(context, chosen), total: result.total, verdict: verdictOf(context, result)?.word ?? "" }));
    } else said.push(...choiceLines(context, chosen).map((line) => words.say(line.key, line.values, line.fallback)));
  }
  for (const effect of story.checks.flatMap((check) => check.effects)) {
    const told = effectWords(context, effect);
    if (told !== null) said.push(words.say(told.key, told.values, told.fallback));
  }
  for (const event of [...story.corrections, ...story.lines]) {
    said.push(...linesOf(context, event, commit.by).map((line) => words.say(line.key, line.values, line.fallback)));
  }
  return said.join(" ");
}
