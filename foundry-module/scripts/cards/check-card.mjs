/**
 * The card of a check, in one reading order: who and what, the dice, the total against the target, one verdict, the
 * sources, what can be done now, a quiet foot. Several checks of one commit are one card with a row each.
 */

/** @import { CardContext } from "./context.mjs" */
/** @import { Told } from "./check-index.mjs" */
/** @import { Chosen, Logged, Result } from "../client/types.mjs" */
/** @import { Child } from "./dom.mjs" */
/** @import { CheckStory } from "./story.mjs" */

import { bdi, el, phrase } from "./dom.mjs";
import { headEnd, portrait, referTo, tags, totalNumber } from "./card-parts.mjs";
import { choiceRow } from "./choices.mjs";
import { correctCheck } from "./correct-button.mjs";
import { bandOf, correctedLines } from "./corrected.mjs";
import { seqOf } from "./deeds.mjs";
import { diceRow } from "./dice-row.mjs";
import { cardFoot } from "./foot.mjs";
import { rulingLines } from "./rulings.mjs";
import { automaticWords, checkWords, choiceName, effectWords, ladderWord } from "./sentences.mjs";
import { onlyGms, sourceList } from "./sources.mjs";
import { distinct } from "./story.mjs";
import { verdictBand, verdictOf } from "./verdict.mjs";

/** Up to so many dice, the total of a row stands beside them. */
const BESIDE = 3;

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {CheckStory[]} checks
 * @param {{kind?: string, fell?: number}} [more] `fell`: in which commit the dice fell, where that is another
 */
export function checkCard(context, commit, checks, { kind, fell } = {}) {
  const [first] = checks;
  const { mode } = first.event;
  const one = checks.length === 1;
  const dice = checks.some((check) => check.result.dice.length > 0);
  return el(
    "article",
    { class: "bb-card", "data-part": "card", "data-kind": kind ?? (one ? "check" : "checks"), "data-seq": commit.seq, "data-mode": mode, "data-voided": one && isVoided(context, first) },
    cardHead(context, commit, checks),
    one
      ? checkBody(context, first, commit.seq)
      : el("ol", { class: "bb-rows" }, checks.map((check) => checkRow(context, commit, check, checks))),
    cardFoot(context, { seq: commit.seq, fell, by: commit.by, odds: one ? first.odds : null, dice, beside: one ? correctCheck(context, first, commit.by) : null }),
  );
}

/**
 * A choice taken later: its own card, which says what it belongs to and how the check stands now.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Chosen} chosen
 * @param {Told} told
 */
export function choiceCard(context, commit, chosen, told) {
  const { rolled } = told.event;
  const result = chosen.result ?? context.checks.before(chosen.check, commit.seq) ?? told.result;
  const last = context.checks.standsIn(chosen.check) === commit.seq;
  return el(
    "article",
    { class: "bb-card", "data-part": "card", "data-kind": "choice", "data-seq": commit.seq, "data-mode": told.event.mode },
    el(
      "header",
      { class: "bb-head" },
      portrait(rolled.name),
      el(
        "div",
        { class: "bb-who" },
        el("h3", {}, bdi(rolled.name)),
        el(
          "p",
          {},
          el("span", { class: "bb-action" }, bdi(choiceName(context, chosen))),
          " \u00b7 ",
          referTo(context, told.seq),
        ),
      ),
      headEnd(context, commit, told.event.mode),
    ),
    diceRow(result, context.ruleset, context.words),
    totalLine(context, told, result, { manual: chosen.manual }),
    last && !isVoided(context, told) ? verdictBand(context, result) : bandOf(context, { ...told, result }),
    correctedLines(context, told.check),
    effectList(context, { ...told, effects: [...(chosen.effects ?? [])] }),
    last ? whatNow(context, told, commit.seq) : null,
    // Where it bought no dice, those that it shows fell with the roll.
    cardFoot(context, { seq: commit.seq, fell: (chosen.drawn ?? 0) > 0 ? commit.seq : seqOf(told.check), by: commit.by, dice: result.dice.length > 0 }),
  );
}

/** @param {readonly CheckStory[]} checks */
const ofOneActor = (checks) => checks.every((check) => check.event.rolled.actor === checks[0].event.rolled.actor);

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {readonly CheckStory[]} checks
 */
function cardHead(context, commit, checks) {
  const { words } = context;
  const { rolled, mode } = checks[0].event;
  const one = checks.length === 1;
  const others = ofOneActor(checks) ? 0 : new Set(checks.map((check) => check.event.rolled.actor)).size - 1;
  const opponent = one && rolled.opponentName ? phrase(words, "head.at", { name: rolled.opponentName }) : [];
  const action = rolled.action
    ? [el("span", { class: "bb-action" }, bdi(rolled.action)), opponent.length > 0 ? [" ", opponent] : "", " \u00b7 "]
    : [];
  return el(
    "header",
    { class: "bb-head" },
    portrait(rolled.name),
    el(
      "div",
      { class: "bb-who" },
      el("h3", {}, others > 0 ? phrase(words, "head.andMore", { name: rolled.name, n: others }) : bdi(rolled.name),
        rolled.adHoc ? el("span", { class: "bb-tag" }, words.say("head.adHoc")) : null),
      el("p", {}, action, el("span", { class: "bb-check" }, checkWords(context, rolled)),
        action.length === 0 && opponent.length > 0 ? [" ", opponent] : ""),
      rolled.request ? el("p", { class: "bb-for-request" }, referTo(context, Number(rolled.request), "request.asked")) : null,
      rolled.changed ? el("p", { class: "bb-changed", "data-part": "changed" }, phrase(words, "head.changed", { changed: rolled.changed })) : null,
    ),
    headEnd(context, commit, mode),
  );
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 * @param {number} seq the commit whose card it is
 */
function checkBody(context, check, seq) {
  return [
    rollBody(context, check),
    sourceList(context.words, check.event.sources),
    whatNow(context, check, seq),
  ];
}

/**
 * What is open, and what was ruled, stands once: on the card that tells how the check stands now.
 *
 * @param {CardContext} context
 * @param {CheckStory} check
 * @param {number} seq the commit whose card it is
 */
export function whatNow(context, { check }, seq) {
  return (context.checks.standsIn(check) ?? seq) === seq ? [rulingLines(context, check), choiceRow(context, check)] : null;
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 */
const isVoided = ({ checks }, { check }) => checks.corrections.voidedCheck(check) !== undefined;

/**
 * Dice, total, verdict and effects; or the words for an outcome that needed no dice.
 *
 * @param {CardContext} context
 * @param {CheckStory} check
 */
function rollBody(context, check) {
  const { result } = check;
  const dice = result.dice.length > 0
    ? [diceRow(result, context.ruleset, context.words), totalLine(context, check, result)]
    : [el("p", { class: "bb-automatic", "data-part": "automatic" }, automaticWords(context, check.event))];
  return [
    ...dice,
    bandOf(context, check),
    correctedLines(context, check.check),
    effectList(context, check),
  ];
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {CheckStory} check
 * @param {readonly CheckStory[]} all
 */
function checkRow(context, commit, check, all) {
  const { rolled } = check.event;
  const sameActor = ofOneActor(all);
  return rowOf(context, commit, check, [
    bdi(sameActor ? rolled.opponentName || rolled.name : rolled.name),
    !sameActor && rolled.opponentName ? [" ", phrase(context.words, "head.at", { name: rolled.opponentName })] : "",
  ]);
}

/**
 * One of several checks of a card.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {CheckStory} check
 * @param {Child} title
 */
export function rowOf(context, commit, check, title) {
  const { words } = context;
  const sources = sourceList(words, check.event.sources);
  return el(
    "li",
    { class: "bb-row", "data-part": "row", "data-check": check.check, "data-dice": check.result.dice.length > BESIDE ? "many" : null, "data-voided": isVoided(context, check) },
    el("h4", {}, title, correctCheck(context, check, commit.by)),
    rollBody(context, check),
    sources === null
      ? null
      : el("details", { class: "bb-why-fold" },
        el("summary", {}, words.count("source.fold", check.event.sources.filter((each) => each.applies !== false).length)),
        sources),
    whatNow(context, check, commit.seq),
  );
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 * @param {Result} result
 * @param {{manual?: boolean}} [how] how its dice came, where not as those of the check
 */
function totalLine(context, check, result, how) {
  const { rolled } = check.event;
  const { words } = context;
  const { target } = check;
  let against = /** @type {Node[]} */ ([]);
  if (target !== null) {
    const ladder = ladderWord(context, rolled.kind, target);
    against = phrase(words, ladder === "" ? "total.against" : "total.againstLadder", { target, ladder });
  } else if (rolled.opponentName) {
    against = phrase(words, "total.againstName", { name: rolled.opponentName });
  } else if (rolled.request && context.checks.requests.record(rolled.request)?.shown === false && verdictOf(context, result) !== null) {
    against = phrase(words, "total.againstHidden");
  }
  return el(
    "p",
    { class: "bb-total", "data-part": "total", "data-total": result.total, "data-target": target },
    totalNumber(result.total),
    el("span", {}, against),
    target !== null && (rolled.target ?? null) === null ? onlyGms(words) : null,
    tags(context, how === undefined ? rolled : { playerSet: rolled.playerSet, ...how }),
  );
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 */
function effectList(context, check) {
  const told = distinct(check.effects).map((effect) => effectWords(context, effect)).filter((each) => each !== null);
  if (told.length === 0) return null;
  return el(
    "ul",
    { class: "bb-effects", "data-part": "effects", "data-deferred": check.event.deferred === true },
    told.map(({ key, values, fallback }) => {
      const text = phrase(context.words, key, values, fallback);
      return el("li", {}, isVoided(context, check) ? el("s", {}, text) : text);
    }),
    check.event.deferred && !counts(context, check.check) ? el("li", { class: "bb-deferred" }, context.words.say("effect.deferred")) : null,
  );
}

/**
 * Whether what a hidden check does to the table has been done in the meantime.
 *
 * @param {CardContext} context
 * @param {string} check
 */
const counts = ({ checks: { corrections } }, check) => corrections.settled(check) !== undefined || corrections.revealed(check) !== undefined;
