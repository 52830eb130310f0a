/**
 * Whether a chat message says what its entry of the log says. Nothing here knows Foundry or the DOM: what a message holds
 * and what the log has for it go in, what was found comes out. Where something could be honest it is taken to be: a message
 * may be of another language, of an older module, of a time when somebody was called something else.
 */

import { factsOf, numbersIn } from "./message-facts.mjs";
import { messageId } from "./message-id.mjs";

/** @import { Logged } from "../client/types.mjs" */
/** @import { Facts } from "./message-facts.mjs" */
/** @import { Mark } from "./marks.mjs" */

/**
 * What a message holds, read from Foundry's document.
 *
 * @typedef {object} Said
 * @property {string} id
 * @property {string} content
 * @property {string} flavor
 * @property {string} alias the name over it
 * @property {{total: number, faces: number[]}[]} rolls
 * @property {boolean} sameWords it was written with the words that this page has: language and version are the same, nothing was renamed
 */

/**
 * What this page would have stored for its entry. `whole`: what was rolled does not depend on more than is known here. `simple`: nor does a word.
 *
 * @typedef {object} Made
 * @property {string} content with `NAMED` before each name
 * @property {string} alias
 * @property {{total: number, faces: number[]}[]} rolls
 * @property {string[]} names of whom it tells, as the log has them
 * @property {boolean} whole
 * @property {boolean} simple
 */

/**
 * unknown: there is no such entry. hidden: a message for everybody of an entry that not everybody may read. nothing: of an
 * entry that leaves nothing in chat. unnamed: it looks like a card and names no entry. altered: it says something else than
 * the log, `parts` say where. away: the same of a summary. copy: the entry's own message is another one.
 *
 * @typedef {"dice" | "total" | "verdict" | "name" | "speaker" | "flavor" | "rolls" | "words" | "more"} Part
 * @typedef {{what: "unknown" | "hidden" | "nothing" | "unnamed" | "altered" | "away" | "copy", parts: Part[]}} Found
 */

/** Events of which a card may be. */
const ON_CARDS = new Set(["CheckRolled", "DiceRolled", "CheckNoted", "Chosen", "Voided", "Overridden", "Revealed", "CheckRequested", "RequestClosed"]);

/** @param {Found["what"]} what @param {Part[]} [parts] @returns {Found} */
const found = (what, parts = []) => ({ what, parts });

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * A message that nobody marked as ours and that looks like it.
 *
 * @param {string} content
 * @returns {Found | null}
 */
export const judgeUnmarked = (content) => (/class\s*=\s*["'][^"']*\bbb-(?:stored|stub)\b/.test(content) ? found("unnamed") : null);

/** An entry that the bridge, asked after the message was there, did not have. @returns {Found} */
export const judgeUnknown = () => found("unknown");

/**
 * @param {Mark} mark
 * @param {Said} said
 * @param {Logged | null} commit as this viewer may read it; null: he may read nothing of it
 * @param {Made | null} made null: nothing can be said of its text
 * @param {string} stub what this page would store of a roll for some eyes only
 * @returns {Found | null}
 */
export function judge(mark, said, commit, made, stub) {
  const copied = said.id !== messageId(mark.table, mark.epoch, mark.seq) ? found("copy") : null;
  if (mark.stub === true) {
    const parts = stubParts(mark, said, stub);
    return parts.length > 0 ? found("altered", parts) : copied;
  }
  if (commit === null || isForSome(commit)) return found("hidden");
  if (!(commit.events ?? []).some(({ t }) => ON_CARDS.has(t))) return found("nothing");
  const parts = made === null || made.content === "" ? [] : alteredParts(said, made);
  return parts.length > 0 ? found("altered", parts) : copied;
}

/**
 * The card of what was missed: what it says of its own beginning and end. Its lines are read in the log.
 *
 * @param {Mark} mark
 * @param {Said} said
 * @returns {Found | null}
 */
export function judgeAway(mark, said) {
  const { seq: from, to = from } = mark;
  const { blocks, dice, more } = factsOf(said.content);
  const lines = blocks.filter(({ kind }) => kind === "li").map(({ text }) => Number(/^#(\d+) /.exec(text)?.[1] ?? Number.NaN));
  const inOrder = lines.every((seq, index) => seq >= from && seq <= to && (index === 0 || seq > lines[index - 1]));
  const ends = blocks.filter(({ kind }) => kind === "p").flatMap(({ text }) => numbersIn(text));
  /** @type {Part[]} */
  const parts = [];
  if (!inOrder || !ends.includes(from) || !ends.includes(to)) parts.push("words");
  if (more || dice.length > 0) parts.push("more");
  if (said.flavor.trim() !== "") parts.push("flavor");
  if (said.rolls.length > 0) parts.push("rolls");
  if (parts.length > 0) return found("away", parts);
  return said.id === messageId(mark.table, mark.epoch, `${from}-${to}`) ? null : found("copy");
}

/**
 * Rolls that say of themselves that they are not for everybody. A choice or a correction is as open as what it is about, which
 * need not be known here.
 *
 * @param {Logged} commit
 */
const isForSome = ({ events = [] }) => events.some((event) => (event.t === "CheckRolled" || event.t === "DiceRolled") && event.mode !== "public");

/**
 * @param {Mark} mark
 * @param {Said} said
 * @param {string} stub
 * @returns {Part[]}
 */
function stubParts({ seq }, said, stub) {
  const { blocks, more } = factsOf(said.content);
  /** @type {Part[]} */
  const parts = [];
  if (blocks.length !== 1 || blocks[0].kind !== "stub" || !same(numbersIn(blocks[0].text), [seq]) || (said.sameWords && !same(blocks, factsOf(stub).blocks))) parts.push("words");
  if (more) parts.push("more");
  if (said.flavor.trim() !== "") parts.push("flavor");
  if (said.rolls.length > 0) parts.push("rolls");
  return parts;
}

/**
 * @param {Said} said
 * @param {Made} made
 * @returns {Part[]}
 */
function alteredParts(said, made) {
  const [has, should] = [factsOf(said.content), factsOf(made.content)];
  const text = has.blocks.map((block) => block.text).join("\n");
  /** @type {[Part, boolean][]} */
  const looked = [
    ["dice", made.whole && !same(has.dice, should.dice)],
    ["total", made.whole && !same(has.totals, should.totals)],
    ["verdict", made.whole && !same(has.tones, should.tones)],
    ["name", made.names.some((name) => !text.includes(name.replace(/\s+/g, " ").trim()))],
    ["words", made.whole && made.simple && said.sameWords && !sameShape(has, should)],
    ["more", has.more],
    ["rolls", made.whole && !same(said.rolls, made.rolls)],
    ["speaker", made.alias !== "" && said.alias !== "" && said.alias !== made.alias],
    ["flavor", said.flavor.trim() !== ""],
  ];
  return looked.filter(([, differs]) => differs).map(([part]) => part);
}

/** Stands before every name in what this page makes of an entry, so that one can tell what may have been called otherwise then. */
export const NAMED = "\uFFF9";

/** Here stand the game's words and ours alone, and numbers. */
const PLAIN = new Set(["verdict", "foot"]);
/** Titles name people and things in their own words. */
const TITLES = new Set(["h3", "h4", "p"]);

/**
 * Whether two texts of the same words have the same blocks, and say the same numbers in them.
 *
 * @param {Facts} has
 * @param {Facts} should
 */
function sameShape(has, should) {
  return has.blocks.length === should.blocks.length && has.blocks.every(({ kind, text }, index) => {
    const other = should.blocks[index];
    if (kind !== other.kind) return false;
    if (other.text.includes(NAMED) || TITLES.has(kind)) return true;
    return PLAIN.has(kind) ? text === other.text : same(numbersIn(text), numbersIn(other.text));
  });
}
