/** A correction as it is stored in a chat message: what was corrected, why, what that changed and what it left. Readable by itself. */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Logged } from "../client/types.mjs" */
/** @import { Line } from "../cards/lines.mjs" */
/** @import { Correction } from "../cards/story.mjs" */

import { effectLines, leftLines } from "../cards/correction-words.mjs";
import { checkOf } from "../cards/deeds.mjs";
import { checkWords } from "../cards/sentences.mjs";
import { verdictOf } from "../cards/verdict.mjs";
import { ICONS, escape, foot, headOf, numeral, tag } from "./stored-markup.mjs";

/**
 * @param {CardContext} context of somebody who knows no more than everybody
 * @param {Logged} commit only what everybody may read of it
 * @param {Correction} event of a check; anything else leaves nothing in chat
 * @returns {string} markup
 */
export function storedCorrection(context, commit, event) {
  const { words, checks } = context;
  const check = event.t === "Voided" ? checkOf(event.what) : event.t === "Overridden" ? event.check : null;
  const told = check === null ? undefined : checks.told(check);
  if (told === undefined || check === null || (event.t !== "Voided" && event.t !== "Overridden")) return "";
  const { rolled } = told.event;
  const before = checks.before(check, commit.seq) ?? told.result;
  const was = verdictOf(context, before);
  const now = event.t === "Overridden" ? verdictOf(context, event.result) : null;
  const what = words.say(event.t === "Voided" ? "correction.voided" : "correction.overridden");
  const at = rolled.opponentName ? ` ${words.say("head.at", { name: rolled.opponentName })}` : "";
  const about = [what, (rolled.action || checkWords(context, rolled)) + at, words.say("card.refersTo", { seq: told.seq })].join(" \u00b7 ");
  return tag(
    "div",
    "card bb-stored bb-correction",
    headOf(rolled.name, about, event.reason ? words.say("correction.because", { reason: event.reason }) : ""),
    tag("p", "was", `${escape(words.say("correction.was"))} <s>${escape(numeral(before.total))}${was === null ? "" : ` \u00b7 ${escape(was.word)}`}</s>`),
    now === null ? "" : tag("p", `verdict bb-tone-${now.tone}`, `<strong>${escape(`${ICONS[now.tone]} ${now.word}`)}</strong> ${escape(words.say("correction.byGm"))}`),
    list(context, effectLines(context, event)),
    event.left && event.left.length > 0 ? tag("p", "left", escape(words.say("correction.left"))) + list(context, leftLines(context, event)) : "",
    foot(context, commit),
  );
}

/**
 * @param {CardContext} context
 * @param {readonly Line[]} lines
 */
const list = ({ words }, lines) => (lines.length === 0
  ? ""
  : tag("ul", "effects", ...lines.map(({ key, values, fallback }) => `<li>${escape(words.say(key, values, fallback))}</li>`)));
