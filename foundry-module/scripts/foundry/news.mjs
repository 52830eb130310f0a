/** Who may read a commit in chat, and what of it everybody may read. Nothing here knows Foundry. */

/** @import { Chosen, Logged, TableEvent } from "../client/types.mjs" */

import { checkOf } from "../cards/deeds.mjs";
import { storyOf } from "../cards/story.mjs";

/** @typedef {"public" | "gm" | "self" | "blind" | "secret"} Mode */

/**
 * The strictest mode in a commit. What is not known to be public is none of chat's business.
 *
 * @param {Logged} commit
 * @param {(chosen: Chosen) => Mode | undefined} modeOf of the check that a choice belongs to
 * @param {(request: string) => Mode | undefined} [modeAsked] how openly a request is answered
 * @param {(check: string) => Mode | undefined} [modeOfCheck] of a check that is corrected
 * @returns {Mode}
 */
export function modeOfCommit(commit, modeOf, modeAsked = () => undefined, modeOfCheck = () => undefined) {
  const story = storyOf(commit);
  /** @type {Mode[]} */
  const modes = [
    ...story.checks.map(({ event }) => event.mode),
    ...story.dice.map((event) => event.mode),
    ...story.later.map((chosen) => modeOf(chosen) ?? "secret"),
    ...story.corrections.flatMap((event) => corrected(event, modeOfCheck)),
    ...story.lines.flatMap((event) => asked(event, modeAsked)),
    ...(story.lines.some((event) => event.t === "CheckNoted") ? [/** @type {const} */ ("blind")] : []),
  ];
  const order = /** @type {const} */ (["secret", "self", "blind", "gm", "public"]);
  return order.find((mode) => modes.includes(mode)) ?? "secret";
}

/**
 * What everybody may read of a commit whose rolls are public, whoever looks at it: a GM's page also holds the number of
 * a hidden target, and a stored message is read by all.
 *
 * @param {Logged} commit
 * @returns {Logged}
 */
export function publicPart(commit) {
  /** @type {TableEvent[]} */
  const events = (commit.events ?? []).filter((event, index, all) => !isToldAgain(event, all.slice(0, index))
    && (event.t === "CheckRolled" || event.t === "DiceRolled" ? event.mode === "public" : OPEN.has(event.t) || isTold(event)));
  return { t: "logged", seq: commit.seq, at: commit.at, hash: commit.hash, seedHash: commit.seedHash, by: commit.by, events };
}

/**
 * What comes after the word for everybody is for GMs alone: parts are told from open to hidden.
 *
 * @param {TableEvent} event
 * @param {readonly TableEvent[]} before
 */
const isToldAgain = (event, before) => event.t === "Voided" && before.some((each) => each.t === "Voided" && each.what === event.what);

/** What is as open as the check it is about, or open anyway. */
const OPEN = new Set(["Chosen", "CheckRequested", "Voided", "Overridden", "Revealed"]);

/**
 * A correction is as open as what it corrects; what is shown to everybody is open.
 *
 * @param {import("../cards/story.mjs").Correction} event
 * @param {(check: string) => Mode | undefined} modeOfCheck
 * @returns {Mode[]}
 */
function corrected(event, modeOfCheck) {
  if (event.t === "Revealed") return ["public"];
  const check = event.t === "Overridden" ? event.check : event.t === "Voided" ? checkOf(event.what) : null;
  return check === null ? [] : [modeOfCheck(check) ?? "secret"];
}

/**
 * Whether everybody is told what a request came to.
 *
 * @param {TableEvent} event
 */
const isTold = (event) => event.t === "RequestClosed" && event.result !== null && event.result !== undefined;

/**
 * A request and its end are for everybody, however openly its rolls are; one in secret is not.
 *
 * @param {TableEvent} event
 * @param {(request: string) => Mode | undefined} modeAsked
 * @returns {Mode[]}
 */
function asked(event, modeAsked) {
  if (event.t === "CheckRequested") return [event.request.mode === "secret" ? "secret" : "public"];
  if (event.t !== "RequestClosed" || !isTold(event)) return [];
  const mode = modeAsked(event.request);
  return [mode === undefined || mode === "secret" ? "secret" : "public"];
}
