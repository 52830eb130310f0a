/**
 * The table as it stood at one moment, for views that are drawn of a table: nothing in it changes, and nobody may do anything.
 */

/** @import { Entry, PendingCheck, Person } from "../client/types.mjs" */
/** @import { CardContext } from "../cards/context.mjs" */
/** @import { CheckIndex } from "../cards/check-index.mjs" */

import { Entries } from "../client/entries.mjs";
import { TableModel } from "./model.mjs";

export class PastModel extends TableModel {
  /**
   * @param {TableModel} now the same table as it is
   * @param {readonly Entry[]} entries
   * @param {CheckIndex} checks what commits told up to that moment
   */
  constructor(now, entries, checks) {
    const held = new Entries();
    held.take(entries);
    const { client } = now;
    const past = {
      welcome: client.welcome,
      // Until its data were edited for the first time the game is not among the entries.
      ruleset: held.get("ruleset") ?? client.ruleset,
      people: client.people,
      commits: [],
      can: () => false,
      person: (/** @type {string} */ id) => /** @type {Person | undefined} */ (client.person(id)),
      entry: (/** @type {string} */ key) => held.get(key),
      entriesUnder: (/** @type {string} */ prefix) => held.under(prefix),
      seenBy: () => [],
    };
    super(/** @type {any} */ (past), now.plainWords);
    this.now = now;
    this.checks = checks;
    this.welcomed();
  }

  /** Nobody rules over what is past. @override */
  get isGm() {
    return false;
  }

  /** @override */
  owns() {
    return false;
  }

  /**
   * Cards as they were at that moment. What was open on them is said and cannot be chosen.
   *
   * @override
   * @param {(seq: number) => void} goTo
   * @returns {CardContext}
   */
  cardContext(goTo) {
    const { checks, now } = this;
    const context = super.cardContext(goTo);
    return Object.defineProperties(context, {
      choose: { value: null },
      verify: { value: (/** @type {number} */ of) => now.verify(of) },
      pending: { value: (/** @type {string} */ check) => pendingThen(checks, check) },
      // The table's own entries are of today; what was known then of a request the log tells.
      request: { value: undefined },
      hasSeen: { value: () => false },
      moment: { value: null },
    });
  }
}

/**
 * @param {CheckIndex} checks
 * @param {string} check
 * @returns {PendingCheck | undefined}
 */
function pendingThen(checks, check) {
  const told = checks.told(check);
  const choices = [...checks.open(check)];
  if (told === undefined || choices.length === 0) return undefined;
  const { event, result } = told;
  return { check, actor: event.rolled.actor, roller: "", mode: event.mode, result, choices };
}
