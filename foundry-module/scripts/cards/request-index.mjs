/**
 * Requests as the commits that are held told them: who was asked, what has come of it, and which card shows it. The
 * table's own entry comes first where it still stands; an old request is told by the log alone.
 */

/** @import { Commit, Effect, GroupResult, Left, OpportunityRecord, RequestRecord, RequestRow, TableEvent } from "../client/types.mjs" */

/**
 * What a request came to. `deferred`: only GMs know, and it has changed nothing at the table. `anew`: a correction changed
 * it; then `effects` are what that took back and what it brought, and `left` is what it left as it is.
 *
 * @typedef {{seq: number, result: GroupResult | null, effects: readonly Effect[], left: readonly Left[], deferred: boolean, anew: boolean}} GroupOutcome
 */

export class RequestIndex {
  /** @type {Map<string, {seq: number, request: RequestRecord}>} */
  #asked = new Map();
  /** @type {Map<string, {seq: number, event: TableEvent}[]>} what was told of a request later, in order of the log */
  #later = new Map();
  /** @type {Map<string, Set<string>>} requests by the check that answered them */
  #byCheck = new Map();
  /** @type {Map<string, OpportunityRecord>} */
  #opportunities = new Map();

  clear() {
    this.#asked.clear();
    this.#later.clear();
    this.#byCheck.clear();
    this.#opportunities.clear();
  }

  /**
   * @param {Commit} commit
   * @returns {number[]} the commits whose cards look different now
   */
  take(commit) {
    if (commit.t === "hidden") return [];
    /** @type {Set<string>} */
    const touched = new Set();
    for (const event of commit.events ?? []) {
      if (event.t === "CheckRequested") {
        this.#asked.set(event.request.id, { seq: commit.seq, request: event.request });
        touched.add(event.request.id);
      }
      if (event.t === "RequestAnswered" && event.check) {
        this.#byCheck.set(event.check, (this.#byCheck.get(event.check) ?? new Set()).add(event.request));
      }
      if (event.t === "Chosen") for (const request of this.#byCheck.get(event.check) ?? []) touched.add(request);
      for (const request of requestsOf(event)) {
        touched.add(request);
        const known = (this.#later.get(request) ?? []).filter((each) => each.seq !== commit.seq || !same(each.event, event));
        this.#later.set(request, [...known, { seq: commit.seq, event }].sort((a, b) => a.seq - b.seq));
      }
    }
    return [...touched].map(Number);
  }

  /** @returns {number[]} the commits with cards of requests */
  cards() {
    return [...this.#asked.keys()].map(Number);
  }

  /**
   * @param {string} check
   * @returns {number[]} the cards that show what a check came to, besides its own
   */
  cardsOf(check) {
    return [...(this.#byCheck.get(check) ?? [])].map(Number);
  }

  /**
   * A request as far as the log that is held tells it.
   *
   * @param {string} id
   * @param {boolean} [known] false: leave out what only GMs know
   * @returns {RequestRecord | undefined}
   */
  record(id, known = true) {
    let request = this.#asked.get(id)?.request;
    for (const { event } of this.#later.get(id) ?? []) {
      if (known || (event.t !== "DifficultiesSet" && event.t !== "GroupTold")) request = request && after(request, event);
    }
    return request;
  }

  /**
   * @param {string} id
   * @returns {GroupOutcome | null} the last word on what it came to; null where there is none
   */
  outcome(id) {
    const { seq = 0 } = this.#asked.get(id) ?? {};
    /** @type {GroupOutcome | null} */
    let last = null;
    for (const told of this.#later.get(id) ?? []) last = outcomeOf(told.event, Math.max(told.seq, seq)) ?? last;
    return last;
  }

  /** @param {OpportunityRecord} opportunity */
  learn(opportunity) {
    this.#opportunities.set(opportunity.id, opportunity);
  }

  /** @param {string} id */
  opportunity(id) {
    return this.#opportunities.get(id);
  }
}

/**
 * The requests that an event tells something of.
 *
 * @param {TableEvent} event
 * @returns {string[]}
 */
function requestsOf(event) {
  switch (event.t) {
    case "DifficultiesSet":
    case "RequestAnswered":
    case "Declined":
    case "RequestExpired":
    case "RequestClosed":
    case "GroupTold":
    case "GroupRecounted":
      return [event.request];
    case "Voided":
      return (event.effects ?? []).flatMap((effect) => (effect.t === "RowReopened" ? [effect.request] : []));
    default:
      return [];
  }
}

/**
 * @param {TableEvent} a
 * @param {TableEvent} b
 */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * @param {TableEvent} event
 * @param {number} seq
 * @returns {GroupOutcome | null}
 */
export function outcomeOf(event, seq) {
  if (event.t !== "RequestClosed" && event.t !== "GroupTold" && event.t !== "GroupRecounted") return null;
  const { result = null, effects = [] } = event;
  if (result === null && event.t === "RequestClosed") return null;
  const { brings = [], left = [] } = event.t === "GroupRecounted" ? event : {};
  return { seq, result, effects: [...effects, ...brings], left, deferred: event.t === "GroupTold", anew: event.t === "GroupRecounted" };
}

/**
 * @param {RequestRecord} request
 * @param {TableEvent} event
 * @returns {RequestRecord}
 */
function after(request, event) {
  const rows = (/** @type {(row: RequestRow) => Partial<RequestRow>} */ change) =>
    ({ ...request, rows: request.rows.map((row) => ({ ...row, ...change(row) })) });
  switch (event.t) {
    case "DifficultiesSet":
      return { ...request, checks: event.checks, difficulty: event.difficulty ?? null };
    case "RequestAnswered":
      return rows((row) => (row.actor === event.actor
        ? { status: "rolled", absent: event.absent ?? false, ...(event.check && { check: event.check }) }
        : {}));
    case "Declined":
      return rows((row) => (row.actor === event.actor ? { status: "declined" } : {}));
    case "RequestExpired":
      return rows((row) => (event.actors.includes(row.actor) ? { status: "expired" } : {}));
    case "RequestClosed":
      return { ...request, over: event.why, ...(event.result && { result: event.result }) };
    case "GroupTold":
    case "GroupRecounted":
      return { ...request, result: event.result ?? null };
    case "Voided": {
      const again = (event.effects ?? []).flatMap((effect) => (effect.t === "RowReopened" && effect.request === request.id ? [effect.actor] : []));
      return rows((row) => (again.includes(row.actor) ? { status: "sent", check: null, absent: false } : {}));
    }
    default:
      return request;
  }
}
