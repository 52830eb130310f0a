/**
 * The card of a request: what is asked, a row for everybody who was asked that fills as they answer, and at the end what
 * it came to and why. Hooks: `data-request`, `data-open`; rows `asked` [data-actor, data-status, data-seen]; buttons
 * `answer`, `decline`, `roll-one`, `roll-missing`, `close-request`; `group-why`.
 */

/** @import { CardContext } from "./context.mjs" */
/** @import { GroupResult, Logged, RequestRecord, RequestRow, TableEvent } from "../client/types.mjs" */
/** @import { GroupOutcome } from "./request-index.mjs" */
/** @import { Line } from "./lines.mjs" */
/** @import { Story } from "./story.mjs" */

import { bdi, el, phrase } from "./dom.mjs";
import { headEnd, portrait, referTo, totalNumber } from "./card-parts.mjs";
import { cardFoot } from "./foot.mjs";
import { leftWords } from "./left-words.mjs";
import { outcomeOf } from "./request-index.mjs";
import { EACH, checksWords, groupVerdict, groupWords, hiddenWords, isOpen, missingIn, requestTitle, resultOf, whyGroup } from "./request-words.mjs";
import { effectWords } from "./sentences.mjs";
import { MARKS, toneIcon } from "./shapes.mjs";
import { onlyGms } from "./sources.mjs";
import { distinct } from "./story.mjs";
import { verdictOf } from "./verdict.mjs";

/**
 * A request as this viewer knows it now: the table's entry, or what the log that is held tells. One that the table has no
 * entry of is over, whatever came of it.
 *
 * @param {CardContext} context
 * @param {string} id
 * @param {RequestRecord} [told] as it was asked
 * @returns {RequestRecord | undefined}
 */
export function requestOf(context, id, told) {
  const now = context.request?.(id);
  if (now !== undefined) return now;
  const record = context.checks.requests.record(id) ?? told;
  return record && context.request !== undefined ? { ...record, over: record.over ?? "gone" } : record;
}

/**
 * What of a story is told by cards of their own.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Story} story
 * @returns {{cards: HTMLElement[], results: HTMLElement[], rest: TableEvent[]}}
 */
export function requestCards(context, commit, story) {
  /** @type {HTMLElement[]} */
  const cards = [];
  /** @type {HTMLElement[]} */
  const results = [];
  const rest = story.lines.filter((event) => {
    if (event.t === "CheckRequested") {
      cards.push(requestCard(context, commit, event.request));
      return false;
    }
    // Who reads the roll needs no line that there was one.
    if (event.t === "RequestAnswered" && (story.checks.length > 0 || story.lines.some((each) => each.t === "CheckNoted"))) return false;
    const outcome = outcomeOf(event, commit.seq);
    const request = "request" in event && typeof event.request === "string" ? requestOf(context, event.request) : undefined;
    if (outcome === null || outcome.result === null || request === undefined || (request.group ?? EACH) === EACH) return true;
    results.push(resultCard(context, commit, request, outcome));
    return false;
  });
  return { cards, results, rest };
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {RequestRecord} told as it was asked
 */
function requestCard(context, commit, told) {
  const { words } = context;
  const request = requestOf(context, told.id, told) ?? told;
  const open = isOpen(request);
  return el(
    "article",
    {
      class: "bb-card", "data-part": "card", "data-kind": "request", "data-seq": commit.seq, "data-mode": request.mode ?? "public",
      "data-request": request.id, "data-open": String(open),
    },
    el(
      "header",
      { class: "bb-head" },
      portrait("?"),
      el("div", { class: "bb-who" },
        el("h3", {}, bdi(requestTitle(context, request))),
        el("p", { class: "bb-asked-checks" }, askedFor(context, request)),
        groupLine(context, request)),
      headEnd(context, commit, request.mode ?? "public"),
    ),
    aboutAll(context, request),
    el("ol", { class: "bb-asked-rows", "aria-label": words.say("request.rows") }, request.rows.map((row) => askedRow(context, request, row))),
    open ? [ownButtons(context, request), gmButtons(context, request)] : ending(context, request),
    cardFoot(context, { seq: commit.seq, by: commit.by, dice: false }),
  );
}

/**
 * The checks that answer it. What a title says already is not said again.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
function askedFor(context, request) {
  const all = checksWords(context, request);
  const hidden = hiddenWords(context, request);
  return [all.map(({ name, difficulty }, index) => [
    index > 0 ? context.words.say("request.or") : "",
    request.action ? bdi(name) : all.length > 1 ? bdi(name) : null,
    difficulty === "" ? null : [request.action || all.length > 1 ? " " : "", el("strong", {}, difficulty)],
  ]), hidden === "" ? null : [request.action || all.length > 1 ? ", " : "", hidden],
  request.shown === false && all.some(({ difficulty }) => difficulty !== "") ? [" ", onlyGms(context.words)] : null];
}

/**
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
function groupLine(context, request) {
  const together = groupWords(context, request);
  return together === "" ? null : el("p", { class: "bb-asked-group" }, together);
}

/**
 * What goes for every roll: against whom, what helps and hinders, until when, and a word from the GM.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
function aboutAll(context, request) {
  const { words } = context;
  const { sources = [], note = "", target, expiresAt } = request;
  const parts = [
    target ? el("p", {}, phrase(words, "request.against", { name: context.actorName(target) ?? words.say("somebody") })) : null,
    sources.length > 0
      ? el("p", {}, sources.map(({ sign, label, amount = 1 }, index) => [
        index > 0 ? " \u00b7 " : "",
        el("span", { "data-sign": sign }, el("span", { class: "bb-mark", "aria-hidden": "true" }, MARKS[sign]), el("span", { class: "bb-unseen" }, `${words.term(sign)}: `)),
        " ", bdi(label), amount > 1 ? ` \u00d7\u2009${amount}` : "",
      ]))
      : null,
    note === "" ? null : el("p", { class: "bb-asked-note" }, bdi(note)),
    expiresAt && isOpen(request) ? el("p", {}, words.say("request.until", { time: context.clock(expiresAt) })) : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : el("div", { class: "bb-asked-about" }, parts);
}

/**
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {RequestRow} row
 */
function askedRow(context, request, row) {
  const seen = row.status === "sent" && context.viewer.role === "gm" && context.hasSeen?.(request.id, row.actor) === true;
  return el(
    "li",
    { class: "bb-asked", "data-part": "asked", "data-actor": row.actor, "data-status": row.status ?? "sent", "data-seen": seen },
    el("span", { class: "bb-asked-name" }, bdi(context.actorName(row.actor) ?? row.name), row.absent ? el("span", { class: "bb-tag", "data-tag": "absent" }, context.words.say("tag.absent")) : null),
    row.status === "rolled"
      ? rolledWords(context, row)
      : request.over === "gone" && row.status === "sent"
        ? null
        : el("span", { class: "bb-asked-status" }, context.words.say(`request.status.${seen ? "seen" : row.status ?? "sent"}`), gmRoll(context, request, row)),
  );
}

/**
 * A GM rolls for one of them.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {RequestRow} row
 */
function gmRoll({ asks = null, viewer, words }, request, row) {
  if (asks === null || viewer.role !== "gm" || row.status !== "sent" || !isOpen(request)) return null;
  const label = words.say("request.rollFor", { name: row.name });
  return el("button", { type: "button", class: "bb-link bb-gm-roll", "aria-label": label, title: label, "data-part": "roll-one", "data-actor": row.actor, "data-focus": `roll-one ${request.id} ${row.actor}`, onclick: () => asks.answer(request, row.actor) }, words.say("roll.roll"));
}

/**
 * @param {CardContext} context
 * @param {RequestRow} row
 */
function rolledWords(context, row) {
  const { words } = context;
  const result = resultOf(context, row);
  if (row.check && context.checks.corrections.voidedCheck(row.check) !== undefined) {
    return el("span", { class: "bb-asked-status", "data-voided": true }, words.say("request.status.voided"));
  }
  if (result === undefined || !row.check) return el("span", { class: "bb-asked-status" }, words.say("request.status.rolled"));
  const verdict = verdictOf(context, result);
  const waits = (context.pending(row.check)?.choices ?? []).some((offer) => offer.who === "roller" && offer.enabled !== false);
  const seq = Number.parseInt(row.check, 10);
  const { goTo } = context;
  const inside = [
    waits ? el("span", { class: "bb-asked-waits" }, words.say("request.status.choosing")) : null,
    el("span", { class: "bb-asked-total", "data-total": result.total }, totalNumber(result.total)),
    verdict === null ? null : el("span", { class: "bb-asked-verdict", "data-part": "row-verdict", "data-tone": verdict.tone, "data-outcome": result.outcome }, toneIcon(verdict.tone), " ", verdict.word),
  ];
  return goTo === null || !Number.isSafeInteger(seq)
    ? el("span", { class: "bb-asked-result" }, inside)
    : el("button", { type: "button", class: "bb-asked-result bb-link", "data-focus": `asked ${row.check}`, onclick: () => goTo(seq) }, inside);
}

/**
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
function ownButtons(context, request) {
  const { asks = null, words, viewer } = context;
  if (asks === null || viewer.role === "observer") return null;
  const mine = missingIn(request).filter((row) => context.owns(row.actor));
  if (mine.length === 0) return null;
  const several = mine.length > 1 || request.rows.length > 1;
  return el("div", { class: "bb-asked-mine" }, mine.map((row) => [
    el("button", { type: "button", class: "bb-choice", "data-primary": true, "data-part": "answer", "data-actor": row.actor, "data-focus": `answer ${request.id} ${row.actor}`, onclick: () => asks.answer(request, row.actor) },
      several ? words.say("request.rollFor", { name: row.name }) : words.say("roll.roll")),
    el("button", { type: "button", class: "bb-choice bb-asked-no", "data-part": "decline", "data-actor": row.actor, "data-focus": `decline ${request.id} ${row.actor}`, onclick: () => asks.decline(request, row.actor) },
      words.say("request.decline"), several ? el("span", { class: "bb-unseen" }, `: ${row.name}`) : null),
  ]));
}

/**
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
function gmButtons({ asks = null, words, viewer }, request) {
  if (asks === null || viewer.role !== "gm") return null;
  const missing = missingIn(request).length;
  return el(
    "div",
    { class: "bb-choice-block" },
    el("div", { class: "bb-choices", role: "group", "aria-label": words.say("choice.what") },
      missing === 0 ? null : el("button", { type: "button", class: "bb-choice", "data-part": "roll-missing", "data-focus": `roll-missing ${request.id}`, onclick: () => asks.rollMissing(request) },
        el("span", {}, words.say("request.rollMissing")), el("small", {}, words.count("request.missing", missing))),
      el("button", { type: "button", class: "bb-choice", "data-part": "close-request", "data-focus": `close-request ${request.id}`, onclick: () => asks.close(request) }, words.say("request.close"))),
  );
}

/**
 * What it came to, on the card of the request itself.
 *
 * @param {CardContext} context
 * @param {RequestRecord} request
 */
function ending(context, request) {
  const outcome = context.checks.requests.outcome(request.id);
  const result = request.result ?? outcome?.result ?? null;
  if (result === null) return el("p", { class: "bb-waiting", "data-part": "over" }, context.words.say(`request.over.${request.over}`));
  return endParts(context, request, result, outcome);
}

/**
 * @param {CardContext} context
 * @param {RequestRecord} request
 * @param {GroupResult} result
 * @param {GroupOutcome | null} outcome
 */
function endParts(context, request, result, outcome) {
  const why = whyGroup(context, request, result);
  const reason = el("p", { class: "bb-group-why", "data-part": "group-why" }, phrase(context.words, why.key, why.values));
  const told = distinct(outcome?.effects ?? []).map((effect) => effectWords(context, effect)).filter((each) => each !== null);
  const left = (outcome?.left ?? []).map((each) => leftWords(context, each));
  const items = (/** @type {readonly Line[]} */ lines) => lines.map(({ key, values, fallback }) => el("li", {}, phrase(context.words, key, values, fallback)));
  return [
    (request.group ?? EACH) === EACH ? null : groupBand(context, result),
    reason,
    told.length === 0 && !outcome?.deferred
      ? null
      : el("ul", { class: "bb-effects", "data-part": "effects", "data-deferred": outcome?.deferred === true },
        items(told),
        outcome?.deferred ? el("li", { class: "bb-deferred" }, context.words.say(told.length > 0 ? "effect.deferred" : "request.gmOnly")) : null),
    left.length === 0 ? null : el("div", { class: "bb-left", "data-part": "left" }, el("p", {}, context.words.say("correction.left")), el("ul", { class: "bb-effects" }, items(left))),
  ];
}

/**
 * @param {CardContext} context
 * @param {GroupResult} result
 */
function groupBand(context, result) {
  const { tone, word } = groupVerdict(context, result);
  return el("p", { class: "bb-verdict", "data-part": "verdict", "data-tone": tone, "data-outcome": result.outcome }, toneIcon(tone), el("strong", {}, word));
}

/**
 * In the commit that ended it: what the group came to, and which request that was.
 *
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {RequestRecord} request
 * @param {GroupOutcome} outcome
 */
function resultCard(context, commit, request, outcome) {
  const { words } = context;
  return el(
    "article",
    { class: "bb-card", "data-part": "card", "data-kind": "request-result", "data-seq": commit.seq, "data-mode": request.mode ?? "public", "data-request": request.id },
    el("header", { class: "bb-head bb-head-plain" },
      el("div", { class: "bb-who" },
        el("h3", {}, bdi(requestTitle(context, request))),
        el("p", {}, outcome.anew ? [words.say("request.recounted"), " \u00b7 "] : "", groupWords(context, request), " \u00b7 ", referTo(context, Number(request.id), "request.asked")))),
    endParts(context, request, /** @type {GroupResult} */ (outcome.result), outcome),
    cardFoot(context, { seq: commit.seq, by: commit.by, dice: false }),
  );
}
