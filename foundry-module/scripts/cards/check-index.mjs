/**
 * Checks by id, as the commits that are held told them. A choice made later refers to one, and may overtake it; pages
 * of the log may come in any order.
 */

/** @import { AssistRecord, ChoiceOffer, Chosen, Commit, GrantRecord, Result, Revealed } from "../client/types.mjs" */
/** @import { CheckStory } from "./story.mjs" */

import { CorrectionIndex } from "./correction-index.mjs";
import { RequestIndex } from "./request-index.mjs";
import { storyOf } from "./story.mjs";

/** @typedef {CheckStory & {seq: number}} Told */

/**
 * What came of a check later: a choice, or a GM who decided it otherwise. `offers`: what may be chosen from then on.
 *
 * @typedef {{seq: number, result: Result | null, chosen: Chosen | null, offers: readonly ChoiceOffer[]}} Later
 */

export class CheckIndex {
  requests = new RequestIndex();
  corrections = new CorrectionIndex();
  /** @type {Map<string, Told>} */
  #told = new Map();
  /** @type {Map<string, Later[]>} what came of a check after its roll, in order of the log */
  #later = new Map();
  /** @type {Map<string, string>} */
  #grants = new Map();
  /** @type {Map<string, AssistRecord>} */
  #assists = new Map();

  clear() {
    this.#told.clear();
    this.#later.clear();
    this.#grants.clear();
    this.#assists.clear();
    this.requests.clear();
    this.corrections.clear();
  }

  /**
   * @param {Commit} commit
   * @returns {number[]} the commits whose cards look different now
   */
  take(commit) {
    const story = storyOf(commit);
    for (const event of story.lines) {
      if (event.t === "Granted") this.learn(event.grant);
      else if (event.t === "AssistOffered") this.learnAssist(event.assist);
    }
    for (const check of story.checks) this.#told.set(check.check, { ...check, seq: commit.seq });
    const { seq } = commit;
    for (const event of story.corrections) {
      if (event.t === "Overridden") this.#learnLater(event.check, { seq, result: event.result, chosen: null, offers: event.choices ?? [] });
      if (event.t === "Revealed" && !this.#told.has(event.rolled.check)) this.#told.set(event.rolled.check, { ...asTold(event), seq });
    }
    for (const chosen of story.later) {
      this.#learnLater(chosen.check, { seq, result: chosen.result ?? null, chosen, offers: chosen.choices ?? [] });
    }
    const asked = this.requests.take(commit);
    const put = this.corrections.take(commit);
    const touched = [...story.checks.map(({ check }) => check), ...story.later.map(({ check }) => check), ...put.checks];
    return [...new Set([...asked, ...put.seqs, ...touched.flatMap((check) => this.cardsOf(check))])].filter((each) => each !== seq);
  }

  /**
   * @param {string} check
   * @param {Later} later
   */
  #learnLater(check, later) {
    const known = (this.#later.get(check) ?? []).filter((each) => each.seq !== later.seq || each.chosen?.choice !== later.chosen?.choice);
    this.#later.set(check, [...known, later].sort((a, b) => a.seq - b.seq));
  }

  /**
   * @param {string} check
   * @returns {Told | undefined} the check as it was rolled
   */
  told(check) {
    return this.#told.get(check);
  }

  /**
   * How a check stood just before a commit.
   *
   * @param {string} check
   * @param {number} seq
   * @returns {Result | undefined}
   */
  before(check, seq) {
    const earlier = (this.#later.get(check) ?? []).filter((each) => each.seq < seq && each.result !== null);
    return earlier.at(-1)?.result ?? this.#told.get(check)?.result;
  }

  /**
   * Whether a choice changed what the check came to: dice were added, or it is judged anew.
   *
   * @param {Chosen} chosen
   * @param {number} seq
   */
  changes(chosen, seq) {
    const before = this.before(chosen.check, seq);
    return (chosen.drawn ?? 0) > 0 || (chosen.result ? before !== undefined && differs(before, chosen.result) : false);
  }

  /**
   * @param {string} check
   * @returns {number | undefined} the commit that told last how the check stands, where that is a later one
   */
  overtaken(check) {
    const told = this.#told.get(check);
    let result = told?.result;
    let last;
    for (const later of this.#later.get(check) ?? []) {
      if (later.result === null) continue;
      // Whoever decides otherwise tells how it stands from then on, whatever is the same.
      if (later.chosen === null || result === undefined || differs(result, later.result)) last = later.seq;
      ({ result } = later);
    }
    return last;
  }

  /**
   * The commit whose card tells how a check stands now, and so what is open on it.
   *
   * @param {string} check
   * @returns {number | undefined} undefined: nothing that is held tells of it
   */
  standsIn(check) {
    const seqs = [this.#told.get(check)?.seq, this.overtaken(check), this.corrections.revealed(check)?.seq].filter((seq) => seq !== undefined);
    return seqs.length === 0 ? undefined : Math.max(...seqs);
  }

  /**
   * The commits whose cards show a check: the one it was rolled in (its id begins with that seq), and those of choices.
   *
   * @param {string} check
   * @returns {number[]}
   */
  cardsOf(check) {
    const rolledIn = Number.parseInt(check, 10);
    return [...(Number.isSafeInteger(rolledIn) ? [rolledIn] : []), ...(this.#later.get(check) ?? []).map(({ seq }) => seq), ...this.requests.cardsOf(check), ...this.corrections.cardsOf(check)];
  }

  /**
   * What was offered on a check, with the roll or after an earlier choice.
   *
   * @param {string} check
   * @param {string} choice
   * @returns {ChoiceOffer | undefined}
   */
  offer(check, choice) {
    const told = this.#told.get(check);
    const atOnce = (told?.chosen ?? []).flatMap((chosen) => chosen.choices ?? []);
    const later = (this.#later.get(check) ?? []).flatMap(({ offers }) => offers);
    const shown = this.corrections.revealed(check)?.event.choices ?? [];
    return [...(told?.event.choices ?? []), ...atOnce, ...later, ...shown].find((offer) => offer.id === choice);
  }

  /**
   * @param {string} check
   * @returns {number[]} the commits in which something was chosen on a check, or came of it by itself
   */
  chosenIn(check) {
    return (this.#later.get(check) ?? []).flatMap(({ chosen, seq }) => (chosen === null ? [] : [seq]));
  }

  /**
   * What could be chosen on a check after the last commit that told of it.
   *
   * @param {string} check
   * @returns {readonly ChoiceOffer[]}
   */
  open(check) {
    const told = this.#told.get(check);
    const offers = this.#later.get(check)?.at(-1)?.offers ?? told?.chosen.at(-1)?.choices ?? told?.event.choices ?? [];
    return offers.filter(({ enabled }) => enabled !== false);
  }

  /**
   * What GMs said happens after a check, in order of the log.
   *
   * @param {string} check
   * @returns {Chosen[]}
   */
  rulings(check) {
    return (this.#later.get(check) ?? []).flatMap(({ chosen }) => (chosen !== null && this.isRuling(chosen) ? [chosen] : []));
  }

  /** @param {Chosen} chosen */
  isRuling({ check, choice }) {
    return this.offer(check, choice)?.who === "gm";
  }

  /** @param {AssistRecord} assist */
  learnAssist(assist) {
    this.#assists.set(assist.id, assist);
  }

  /** @param {string} id */
  assist(id) {
    return this.#assists.get(id);
  }

  /**
   * Remember why a grant was given: when it ends, only its id is named.
   *
   * @param {GrantRecord} grant
   */
  learn(grant) {
    this.#grants.set(grant.id, grant.source.label);
  }

  /** @param {string} grant */
  grantLabel(grant) {
    return this.#grants.get(grant);
  }
}

/**
 * A check that came out, for whoever did not see it before.
 *
 * @param {Revealed} revealed
 * @returns {CheckStory}
 */
export function asTold({ rolled, mode, sources, result, choices, effects = [] }) {
  const { check, target = null } = rolled;
  return { event: { t: "CheckRolled", rolled, mode, sources, result, choices, effects }, check, target, odds: null, result, effects: [...effects], chosen: [] };
}

/**
 * @param {Result} a
 * @param {Result} b
 */
function differs(a, b) {
  return a.outcome !== b.outcome || a.total !== b.total || a.dice.length !== b.dice.length;
}
