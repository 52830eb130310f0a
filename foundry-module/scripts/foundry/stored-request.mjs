/** A request and what it came to, as they are stored in chat messages: who was asked for what, and the result in words. */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Logged, RequestRecord } from "../client/types.mjs" */
/** @import { Story } from "../cards/story.mjs" */

import { outcomeOf } from "../cards/request-index.mjs";
import { EACH, checksLine, groupVerdict, groupWords, listed, requestTitle, whyGroup } from "../cards/request-words.mjs";
import { effectWords } from "../cards/sentences.mjs";
import { escape, foot, headOf, tag } from "./stored-markup.mjs";

/**
 * @param {CardContext} context of somebody who knows no more than everybody
 * @param {Logged} commit only what everybody may read of it
 * @param {Story} story
 * @returns {string[]} markup, a card each
 */
export function storedRequests(context, commit, story) {
  return story.lines.flatMap((event) => {
    if (event.t === "CheckRequested") return [asked(context, commit, event.request)];
    const outcome = outcomeOf(event, commit.seq);
    // What the GM knows of it besides is not for a message that all read.
    const request = event.t === "RequestClosed" ? context.checks.requests.record(event.request, false) : undefined;
    return request === undefined || outcome?.result == null || (request.group ?? EACH) === EACH ? [] : [told(context, commit, request, outcome)];
  });
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {RequestRecord} request
 */
const asked = (context, commit, request) => tag(
  "div",
  "card bb-stored",
  headOf(requestTitle(context, request), checksLine(context, request), groupWords(context, request), request.note ?? ""),
  tag("p", "asked-names", escape(context.words.say("request.storedNames", { names: listed(request.rows.map((row) => row.name)) }))),
  foot(context, commit),
);

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {RequestRecord} request
 * @param {import("../cards/request-index.mjs").GroupOutcome} outcome
 */
function told(context, commit, request, { result, effects }) {
  if (result === null) return "";
  const { words } = context;
  const { tone, word } = groupVerdict(context, result);
  const why = whyGroup(context, request, result);
  const follows = effects.map((effect) => effectWords(context, effect)).filter((each) => each !== null);
  return tag(
    "div",
    "card bb-stored",
    headOf(requestTitle(context, request), [groupWords(context, request), words.say("request.asked", { seq: request.id })].filter((text) => text !== "").join(" \u00b7 ")),
    tag("p", `verdict bb-tone-${tone}`, `<strong>${escape(word)}</strong>`),
    tag("p", "group-why", escape(words.say(why.key, why.values))),
    follows.length === 0 ? "" : tag("ul", "effects", ...follows.map(({ key, values, fallback }) => `<li>${escape(words.say(key, values, fallback))}</li>`)),
    foot(context, commit),
  );
}
