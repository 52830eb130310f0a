/** How long ago, and how long still, as people say it. */

/** @import { Words } from "../client/words.mjs" */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HALF = MINUTE / 2;

/**
 * @param {Words} words
 * @param {number} ms
 * @returns {string} in the largest unit of which there is one; "" for less than a minute
 */
function span(words, ms) {
  for (const [unit, size] of /** @type {const} */ ([["days", DAY], ["hours", HOUR], ["minutes", MINUTE]])) {
    if (ms >= size) return words.count(`people.span.${unit}`, Math.floor(ms / size));
  }
  return "";
}

/**
 * @param {Words} words
 * @param {number} at
 * @param {number} now of this page; where the bridge's clock is ahead, it was just now
 */
export function agoWords(words, at, now) {
  const long = span(words, now - at);
  return long === "" ? words.say("people.justNow") : words.say("people.ago", { span: long });
}

/**
 * @param {Words} words
 * @param {number} until
 * @param {number} now
 */
export function leftWords(words, until, now) {
  if (until <= now) return words.say("people.code.over");
  // What was made for a day a moment ago is good for a day, and not for 23 hours.
  const long = span(words, until - now + HALF);
  return words.say("people.code.left", { span: long === "" ? words.say("people.span.moment") : long });
}

/**
 * @param {number} ms
 * @returns {string} minutes and seconds, as on a clock
 */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
