/**
 * What a tracker's next place means for the bridge: which turn ended, which rounds, and whose turn begins. Nothing here
 * knows Foundry. A place is told once however often it is heard, and going back tells nothing.
 */

/** @import { Command, TurnEntry } from "../client/types.mjs" */

/**
 * Where a tracker stands. `actor`: as the bridge calls whoever has the turn; null where the bridge has nothing to do with
 * him. `nth`: which of that actor's places in the tracker it is, so that somebody who is in it twice has two turns, and
 * sorting the tracker anew makes no new turn of one. `order`: his place in the order of turns. `back`: the tracker went back.
 *
 * @typedef {object} Place
 * @property {number} round
 * @property {string | null} combatant null: between two turns
 * @property {string | null} actor
 * @property {number} nth
 * @property {number} order
 * @property {boolean} [back]
 * @property {number} [at] when it was heard, in ms
 */

/**
 * `onlyIfNew`: what follows is told only if the bridge had not heard of this.
 *
 * @typedef {{cmd: Command, onlyIfNew?: boolean}} Step
 */

/** Some systems choose a turn and take it back at once, in two updates. A turn of so few milliseconds was none. */
export const PASSING_MS = 120;
/** So many places are kept while nobody tells them. */
const KEPT = 60;
/** So many rounds that nobody told are told at once. */
const MOST_ROUNDS = 20;

/** @param {Place} a @param {Place} b */
const same = (a, b) => a.round === b.round && a.combatant === b.combatant;

/** One fight of a tracker: where the bridge stands in it, and the places after that. */
export class Fight {
  /** @type {Place[]} */
  trail = [];
  /** @type {Place | null} what the bridge has been told last */
  front = null;
  /** @type {Set<string>} combatants whose turn began in the round of `front` */
  #begun = new Set();

  /** @param {string} id as the bridge calls the fight */
  constructor(id) {
    this.id = id;
  }

  /**
   * The tracker stands there now. Foundry may say so several times.
   *
   * @param {Place} place
   * @param {number} now in ms
   */
  hear(place, now) {
    const last = this.trail.at(-1);
    if (last !== undefined && same(last, place)) {
      Object.assign(last, place, { back: last.back || place.back });
      return;
    }
    const passing = last !== undefined && place.combatant === null && last.combatant !== null && last.round === place.round && now - (last.at ?? 0) < PASSING_MS;
    if (passing) {
      this.trail.pop();
      this.hear(place, now);
      return;
    }
    this.trail.push({ ...place, at: now });
    if (this.trail.length > KEPT) this.trail.shift();
  }

  /**
   * Go on from where the bridge stands, whoever brought it there.
   *
   * @param {TurnEntry | undefined} turn of the bridge
   * @param {(actor: string) => {combatant: string, nth: number, order: number} | null} find somebody in the tracker
   */
  resume(turn, find) {
    // Another fight has the floor. What this page told of its own still stands, and telling it twice is no harm.
    if (turn?.combat !== this.id) return;
    const actor = turn.actor ?? null;
    const found = actor === null ? null : find(actor);
    const before = this.front;
    // Where the bridge is where this page left it, nobody else told anything meanwhile.
    this.#watched &&= before?.round === turn.round && before.actor === actor;
    this.front = { round: turn.round, combatant: found?.combatant ?? null, actor, nth: found?.nth ?? 0, order: found?.order ?? -1 };
    if (before?.round !== turn.round) this.#begun.clear();
    if (found !== null) this.#begun.add(found.combatant);
    const told = this.trail.map((place) => place.round === turn.round && place.actor === actor).lastIndexOf(true);
    this.trail.splice(0, told + 1);
  }

  /**
   * @param {Place} place
   * @returns {Step[]} in the order in which they are told; none where nothing is new
   */
  steps(place) {
    const { front, id: combat } = this;
    if (place.round < 1 || this.#isBack(place)) return [];
    /** @type {Step[]} */
    const start = place.actor === null ? [] : [{ cmd: { t: "StartTurn", actor: place.actor, combat, round: place.round, turn: place.nth } }];
    if (front === null) return start;
    // Somebody who was hidden in the tracker, or unknown at the table, as his turn began.
    if (same(front, place)) return front.actor === null ? start : [];
    /** @type {Step[]} */
    const end = front.actor === null ? [] : [{ cmd: { t: "EndTurn", actor: front.actor, combat, round: front.round, turn: front.nth } }];
    // An earlier place of the same round, and nobody saw how the tracker came there: back, or an order of its own?
    if (front.round === place.round && place.combatant !== null && front.order > place.order && !this.#watched) {
      return [...start.map((step) => ({ ...step, onlyIfNew: true })), ...(start.length > 0 ? end : [])];
    }
    /** @type {Step[]} */
    const rounds = [];
    for (let round = Math.max(front.round, 1, place.round - MOST_ROUNDS); round < place.round; round += 1) rounds.push({ cmd: { t: "EndRound", combat, round } });
    return [...end, ...rounds, ...start];
  }

  /**
   * The bridge stands at a place now.
   *
   * @param {Place} place
   */
  reached(place) {
    if (place.round < 1 || this.#isBack(place)) return;
    if (this.front?.round !== place.round) this.#begun.clear();
    if (place.combatant !== null) this.#begun.add(place.combatant);
    this.front = { ...place };
    this.#watched = true;
  }

  /** Whether this page saw every step since the bridge was asked where it stands. */
  #watched = false;

  /** @param {Place} place */
  #isBack(place) {
    const { front } = this;
    if (front === null) return false;
    if (place.back === true || place.round < front.round) return true;
    return place.round === front.round && place.combatant !== null && place.combatant !== front.combatant && this.#begun.has(place.combatant);
  }
}
