/**
 * The card of a check, in one reading order: who and what, the dice, the total against the target, one verdict, the
 * sources, what can be done now, a quiet foot. Several checks of one commit are one card with a row each.
 */

/** @import { CardContext } from "./context.mjs" */
/** @import { Told } from "./check-index.mjs" */
/** @import { Chosen, Logged, Result } from "../client/types.mjs" */
/** @import { CheckStory } from "./story.mjs" */

import { bdi, el, phrase } from "./dom.mjs";
import { choiceRow, labelOf } from "./choices.mjs";
import { diceRow } from "./dice-row.mjs";
import { cardFoot } from "./foot.mjs";
import { checkWords, effectWords, ladderWord } from "./sentences.mjs";
import { sourceList } from "./sources.mjs";
import { distinct } from "./story.mjs";
import { verdictBand } from "./verdict.mjs";

/** Up to so many dice, the total of a row stands beside them. */
const BESIDE = 3;

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {CheckStory[]} checks
 */
export function checkCard(context, commit, checks) {
  const [first] = checks;
  const { mode } = first.event;
  const one = checks.length === 1;
  return el(
    "article",
    { class: "bb-card", "data-part": "card", "data-kind": one ? "check" : "checks", "data-seq": commit.seq, "data-mode": mode },
    cardHead(context, commit, first, one),
    one
      ? checkBody(context, first)
      : el("ol", { class: "bb-rows" }, checks.map((check) => checkRow(context, check, checks))),
    cardFoot(context, { seq: commit.seq, by: commit.by, odds: one ? first.odds : null, dice: true }),
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
  const { rolled, choices = [] } = told.event;
  const offer = choices.find((each) => each.id === chosen.choice);
  const label = offer ? labelOf(offer.label).name : chosen.choice.replace(/_/g, " ");
  const result = chosen.result ?? context.checks.before(chosen.check, commit.seq) ?? told.result;
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
          el("span", { class: "bb-action" }, bdi(label)),
          " \u00b7 ",
          referTo(context, told.seq),
        ),
      ),
      headEnd(context, commit, told.event.mode),
    ),
    diceRow(result, context.ruleset, context.words),
    totalLine(context, told, result),
    verdictBand(context, result),
    effectList(context, { ...told, effects: [...(chosen.effects ?? [])] }),
    context.checks.overtaken(chosen.check) === commit.seq ? choiceRow(context, chosen.check) : null,
    cardFoot(context, { seq: commit.seq, by: commit.by, dice: (chosen.drawn ?? 0) > 0 }),
  );
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {CheckStory} check
 * @param {boolean} withTarget
 */
function cardHead(context, commit, check, withTarget) {
  const { rolled, mode } = check.event;
  const opponent = withTarget && rolled.opponentName ? phrase(context.words, "head.at", { name: rolled.opponentName }) : [];
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
      el("h3", {}, bdi(rolled.name), rolled.adHoc ? el("span", { class: "bb-tag" }, context.words.say("head.adHoc")) : null),
      el("p", {}, action, el("span", { class: "bb-check" }, checkWords(context, rolled)),
        action.length === 0 && opponent.length > 0 ? [" ", opponent] : ""),
    ),
    headEnd(context, commit, mode),
  );
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {string} mode
 */
function headEnd(context, commit, mode) {
  const person = commit.by ? context.personName(commit.by) : undefined;
  return el(
    "div",
    { class: "bb-head-end" },
    mode === "public" ? null : el("span", { class: "bb-mode", "data-mode": mode }, context.words.say(`mode.${mode}.tag`)),
    el("span", { class: "bb-by" }, person === undefined ? null : [bdi(person), " "],
      el("time", { datetime: new Date(commit.at).toISOString() }, context.clock(commit.at))),
  );
}

/** @param {string} name */
export function portrait(name) {
  const [letter = "?"] = name.trim();
  return el("span", { class: "bb-portrait", "aria-hidden": "true" }, letter.toLocaleUpperCase());
}

/**
 * @param {CardContext} context
 * @param {number} seq
 * @param {string} [key]
 */
export function referTo(context, seq, key = "card.refersTo") {
  const { goTo } = context;
  const text = context.words.say(key, { seq });
  return goTo === null ? text : el("button", { type: "button", class: "bb-link", onclick: () => goTo(seq) }, text);
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 */
function checkBody(context, check) {
  const overtaken = context.checks.overtaken(check.check);
  return [
    diceRow(check.result, context.ruleset, context.words),
    totalLine(context, check, check.result),
    overtaken === undefined ? verdictBand(context, check.result) : overtakenBand(context, check, overtaken),
    effectList(context, check),
    sourceList(context.words, check.event.sources),
    // What is open stands once: on the card that tells how the check stands now.
    overtaken === undefined ? choiceRow(context, check.check) : null,
  ];
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 * @param {number} seq
 */
function overtakenBand(context, check, seq) {
  const band = verdictBand(context, check.result);
  band?.setAttribute("data-overtaken", "true");
  band?.append(el("span", { class: "bb-beside" }, referTo(context, seq, "card.overtaken")));
  return band;
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 * @param {CheckStory[]} all
 */
function checkRow(context, check, all) {
  const { rolled } = check.event;
  const sameActor = all.every((each) => each.event.rolled.actor === all[0].event.rolled.actor);
  const sources = sourceList(context.words, check.event.sources);
  const overtaken = context.checks.overtaken(check.check);
  return el(
    "li",
    { class: "bb-row", "data-part": "row", "data-check": check.check, "data-dice": check.result.dice.length > BESIDE ? "many" : null },
    el("h4", {}, bdi(sameActor ? rolled.opponentName || rolled.name : rolled.name),
      !sameActor && rolled.opponentName ? [" ", phrase(context.words, "head.at", { name: rolled.opponentName })] : ""),
    diceRow(check.result, context.ruleset, context.words),
    totalLine(context, check, check.result),
    overtaken === undefined ? verdictBand(context, check.result) : overtakenBand(context, check, overtaken),
    effectList(context, check),
    sources === null
      ? null
      : el("details", { class: "bb-why-fold" },
        el("summary", {}, context.words.count("source.fold", check.event.sources.filter((each) => each.applies !== false).length)),
        sources),
    overtaken === undefined ? choiceRow(context, check.check) : null,
  );
}

/**
 * @param {CardContext} context
 * @param {CheckStory} check
 * @param {Result} result
 */
function totalLine(context, check, result) {
  const { rolled } = check.event;
  const { words } = context;
  const { target } = check;
  let against = /** @type {Node[]} */ ([]);
  if (target !== null) {
    const ladder = ladderWord(context, rolled, target);
    against = phrase(words, ladder === "" ? "total.against" : "total.againstLadder", { target, ladder });
  } else if (rolled.opponentName) {
    against = phrase(words, "total.againstName", { name: rolled.opponentName });
  }
  const byPlayer = (rolled.playerSet ?? []).length > 0;
  return el(
    "p",
    { class: "bb-total", "data-part": "total", "data-total": result.total, "data-target": target },
    el("strong", {}, result.total < 0 ? `\u2212${-result.total}` : result.total),
    el("span", {}, against),
    byPlayer ? el("span", { class: "bb-tag" }, words.say("total.byPlayer")) : null,
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
    told.map(({ key, values, fallback }) => el("li", {}, phrase(context.words, key, values, fallback))),
    check.event.deferred ? el("li", { class: "bb-deferred" }, context.words.say("effect.deferred")) : null,
  );
}
