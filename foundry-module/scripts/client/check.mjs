/**
 * Recompute the dice of a roll from its seed and the command's id, and compare with the hash that was promised before
 * the click (protocol, section 6).
 *
 * It shows that the dice follow from a seed fixed beforehand and from the id this browser chose, and that they were
 * not changed afterwards. It does not bind whoever runs the server, who knows the key.
 */

/** @import { Hashing } from "./hashing.mjs" */
/** @import { Commit, Die, Proven, TableEvent } from "./types.mjs" */

import { hashing } from "./hashing.mjs";
import { SEEDS_AHEAD } from "./ledger.mjs";
import { own } from "./own.mjs";

const PARTS = ["all", "roller_gm", "gm", "roller"];
const TEXT = new TextEncoder();
const WHOLE = 1n << 64n;
const EPOCH_BEGINS = new Set(["TableOpened", "LadderRestarted"]);

/** @param {string} hex */
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Fields behind each other, each with its length before it as four bytes.
 *
 * @param {...(Uint8Array | string | number)} fields
 */
export function joined(...fields) {
  const parts = fields.map((field) => (field instanceof Uint8Array ? field : TEXT.encode(String(field))));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(whole.buffer).setUint32(at, part.length);
    whole.set(part, at + 4);
    at += 4 + part.length;
  }
  return whole;
}

/**
 * One die of a command.
 *
 * @param {Hashing} by
 * @param {string} seed hex
 * @param {string} id of the command
 * @param {number} index of the die in its part
 * @param {number} sides
 */
export async function faceOf(by, seed, id, index, sides) {
  const key = bytesOf(seed);
  const count = BigInt(sides);
  const fair = WHOLE - (WHOLE % count);
  for (let attempt = 0; ; attempt += 1) {
    const [...mac] = await by.hmac(key, joined(id, index, attempt));
    const x = mac.slice(0, 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    if (x < fair) return Number(x % count) + 1;
  }
}

/**
 * @param {Hashing} by
 * @param {Proven} proven
 */
async function seedHashOf(by, proven) {
  const hashes = [];
  for (const name of PARTS) {
    const part = own(proven.parts, name);
    if (part?.seed) hashes.push(await by.sha256(bytesOf(part.seed)));
    else hashes.push(bytesOf(part?.seedHash ?? ""));
  }
  return hexOf(await by.sha256(joined(...hashes)));
}

/**
 * @param {Hashing} by
 * @param {Proven} proven
 */
async function hashOf(by, proven) {
  const leaves = [];
  for (const name of PARTS) {
    const part = own(proven.parts, name);
    if (part?.salt) leaves.push(await by.sha256(joined(bytesOf(part.salt), part.bytes ?? "")));
    else leaves.push(bytesOf(part?.leaf ?? ""));
  }
  return hexOf(await by.sha256(joined(bytesOf(proven.prevHash), proven.header, ...leaves)));
}

/**
 * The dice of an event that fell for it: of a check, other dice, and of a choice those that it bought.
 *
 * @param {TableEvent} event
 * @returns {readonly Die[]}
 */
function fallenFor(event) {
  if (event.t === "CheckRolled") return event.result.dice;
  if (event.t === "DiceRolled") return event.dice;
  // A choice shows its whole result; what was drawn for it comes last.
  return event.t === "Chosen" && event.result && event.drawn ? event.result.dice.slice(-event.drawn) : [];
}

/** @param {TableEvent} event */
const isByHand = (event) => (event.t === "CheckRolled" ? event.rolled.manual : "manual" in event && event.manual) === true;

/**
 * The dice that were drawn for these events, in order. Dice rolled by hand take none from the seed.
 *
 * @param {readonly TableEvent[]} events
 * @returns {Die[]}
 */
export const drawnDice = (events) => events.filter((event) => !isByHand(event)).flatMap(fallenFor);

/**
 * The dice of these events that lay on a real table: there is nothing to recompute.
 *
 * @param {readonly TableEvent[]} events
 * @returns {Die[]}
 */
export const handDice = (events) => events.filter(isByHand).flatMap(fallenFor);

/**
 * The seed hash that a commit promised for a later one.
 *
 * @param {Proven} promising
 * @param {number} seq
 * @returns {string | undefined}
 */
export function promiseIn(promising, seq) {
  const header = JSON.parse(promising.header);
  if (promising.seq + SEEDS_AHEAD === seq) return header.seedHash;
  const { events } = JSON.parse(own(promising.parts, "all")?.bytes || '{"events":[]}');
  return events.find((/** @type {any} */ event) => EPOCH_BEGINS.has(event.t))?.seedHashes[seq - promising.seq - 1];
}

/**
 * Whether what was shown here of a commit is what stands in it: whole parts, in their order. A part that was opened since may be missing.
 *
 * @param {Commit} shown
 * @param {Proven} proven
 */
function isWhatStands(shown, proven) {
  if (shown.t === "hidden") return true;
  let left = (shown.events ?? []).map((event) => JSON.stringify(event));
  for (const name of PARTS) {
    const { bytes } = own(proven.parts, name) ?? {};
    if (!bytes) continue;
    const part = JSON.parse(bytes);
    if (part.id !== shown.id || part.by !== shown.by) return false;
    const stands = part.events.map((/** @type {TableEvent} */ event) => JSON.stringify(event));
    if (stands.every((/** @type {string} */ event, /** @type {number} */ index) => event === left[index])) left = left.slice(stands.length);
  }
  return left.length === 0;
}

/**
 * What came of checking a commit.
 *
 * holds, broken: as it says. taped: this table's dice were laid out, says its own log. gone: the key of that time is not at
 * the bridge any more. none: there is no such commit.
 *
 * @typedef {object} Checked
 * @property {"holds" | "broken" | "taped" | "gone" | "none"} verdict
 * @property {number} seq
 * @property {boolean} promised the seed's hash was known here before the roll
 * @property {number | null} promisedBy the commit that promised the seed, where it had to be read now
 * @property {boolean} dice the faces follow from seed and id
 * @property {boolean} seed the seed is the promised one
 * @property {boolean} chain the bytes are those of the chain, and those that this browser was shown; a click from here has its number
 * @property {number} count how many dice were recomputed
 * @property {number} byHand how many dice were rolled by hand, and so have no seed
 */

/**
 * Nothing could be computed, and why.
 *
 * @param {number} seq
 * @param {"gone" | "none"} verdict
 * @returns {Checked}
 */
export const unchecked = (seq, verdict) => ({ verdict, seq, promised: false, promisedBy: null, dice: false, seed: false, chain: false, count: 0, byHand: 0 });

/**
 * @param {Proven} proven
 * @param {object} known
 * @param {string} known.hash of the commit, as it came with it
 * @param {Commit} [known.shown] the commit as this browser was shown it, where it holds it
 * @param {string} [known.sent] the number of the click, where it was made here
 * @param {string | undefined} known.promised the seed hash held before the roll
 * @param {Proven | null} [known.promising] the commit that promised the seed, for whoever came later
 * @param {string} [known.promisingHash] of that commit, where it is held
 * @param {boolean} [known.taped] this table's dice were laid out: none of them has a seed
 * @param {SubtleCrypto | null} [subtle]
 * @returns {Promise<Checked>}
 */
export async function checkRoll(proven, known, subtle) {
  const by = await hashing(subtle);
  const { promising, promisingHash, shown, sent, taped = false } = known;
  const promised = known.promised !== undefined;
  const promise = known.promised ?? (promising ? promiseIn(promising, proven.seq) : undefined);
  let chain = (await hashOf(by, proven)) === proven.hash && proven.hash === known.hash;
  if (promising) chain = chain && (await hashOf(by, promising)) === promising.hash && (promisingHash ?? promising.hash) === promising.hash;
  chain = chain && JSON.parse(proven.header).seq === proven.seq && (shown === undefined || isWhatStands(shown, proven));
  const seed = promise !== undefined && (await seedHashOf(by, proven)) === promise;
  let dice = true;
  let count = 0;
  let byHand = 0;
  for (const name of PARTS) {
    const part = own(proven.parts, name);
    if (!part?.bytes || !part.seed) continue;
    const { id, events } = JSON.parse(part.bytes);
    chain = chain && (sent === undefined || id === sent);
    byHand += handDice(events).length;
    for (const [index, die] of drawnDice(events).entries()) {
      dice = dice && (taped || (await faceOf(by, part.seed, id, index, die.sides)) === die.face);
      count += 1;
    }
  }
  const holds = chain && seed && dice;
  const promisedBy = promised ? null : promising?.seq ?? null;
  return { verdict: !holds ? "broken" : taped && count > 0 ? "taped" : "holds", seq: proven.seq, promised, promisedBy, dice, seed, chain, count, byHand };
}
